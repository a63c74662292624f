-- Writes: idempotency, events and their delivery, reservations and listings, histories, guarantors, activity, tasks, notifications.
--
-- A write's effect, history, event, audit row, deliveries and idempotency record are committed together. `data_sets` is locked last:
-- it numbers the events without gaps and is the version that every node's cache goes by.

alter table data_sets add column sequence bigint not null default 0;
grant update (sequence) on data_sets to galeri_app;

-- What a plan allows; null is without limit.
alter table accounts
  add column vehicle_limit integer check (vehicle_limit >= 0),
  add column listing_limit integer check (listing_limit >= 0);

-- Other nodes hear of the new version, and of when the data set changes by itself next.
create or replace function tell_nodes() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('galeri_changes', case tg_argv[0]
    when 'key' then 'key:' || coalesce(changed->>'key_id', changed->>'id')
    when 'account' then 'account:' || (changed->>'id')
    when 'data' then 'data:' || (changed->>'id') || ':' || (changed->>'version') || ':'
      || coalesce((extract(epoch from (changed->>'next_due_at')::timestamptz) * 1000)::bigint::text, '')
    else tg_argv[0] end);
  return null;
end $$;
drop trigger tell on data_sets;
create trigger tell after update of version, next_due_at on data_sets for each row execute function tell_nodes('data');
create index data_sets_due on data_sets (next_due_at) where next_due_at is not null;

-- The first reply to a key, sealed. Inserted before the effect in the same transaction: no "in progress" outlives a crash.
create table idempotency (
  account_id uuid not null references data_sets (id),
  key text not null check (length(key) between 1 and 255),
  endpoint text not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  status smallint,
  body_encrypted bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_age on idempotency (created_at);

-- The outbox. `payload` holds the very bytes that are signed and sent; a test.ping has no place in the sequence.
create table events (
  account_id uuid not null references data_sets (id),
  id text not null,
  sequence bigint,
  kind text not null,
  resource_kind text not null,
  resource_id uuid,
  payload text not null check (octet_length(payload) <= 20480),
  request_id text,
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, sequence)
);
create index events_list on events (account_id, created_at desc, id desc);
create index events_age on events (created_at);

create table webhooks (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  url text not null check (length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) between 1 and 200),
  description text check (length(description) between 1 and 500),
  status text not null default 'Aktif' check (status in ('Aktif', 'Pasif', 'Otomatik Durduruldu')),
  secret_encrypted bytea not null,
  secret_hint text not null,
  previous_secret_encrypted bytea,
  previous_valid_until timestamptz,
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, id)
);
create index webhooks_list on webhooks (account_id, created_at desc, id desc) where deleted_at is null;

-- One event on its way to one webhook. A worker claims it until `claimed_until`; when that worker is killed, the claim runs out.
create table webhook_deliveries (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  webhook_id uuid not null,
  event_id text not null,
  event_type text not null,
  status text not null default 'Bekliyor' check (status in ('Bekliyor', 'Başarılı', 'Başarısız')),
  attempt_count integer not null default 0,
  response_status integer,
  response_excerpt text check (length(response_excerpt) <= 500),
  duration_ms integer,
  error text,
  next_attempt_at timestamptz,
  claimed_until timestamptz,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id),
  foreign key (account_id, event_id) references events (account_id, id),
  check ((status = 'Bekliyor') = (next_attempt_at is not null))
);
create index webhook_deliveries_list on webhook_deliveries (account_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'Bekliyor';
create index webhook_deliveries_age on webhook_deliveries (created_at);

-- Who changed what. Only ever added to; a field that is never returned appears without its values.
create table vehicle_history (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  event text not null check (event in ('created', 'updated', 'price_changed', 'status_changed', 'reserved', 'reservation_released',
    'sold', 'published', 'unpublished', 'deleted', 'restored', 'photo_added', 'photo_removed')),
  changes jsonb not null default '[]',
  actor_type text not null check (actor_type in ('api_key', 'panel', 'system')),
  actor_name text not null,
  note text,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id)
);
create index vehicle_history_list on vehicle_history (account_id, vehicle_id, created_at desc, id desc);

alter table vehicles
  add column sold_price_minor bigint check (sold_price_minor > 0 and sold_price_minor < 100000000000000),
  add column sold_currency text check (sold_currency in ('TL', 'STG', 'USD', 'EUR'));

-- A hold on a car. One active hold is the single guard against promising it twice.
create table reservations (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  kind text not null check (kind in ('Müşteri', 'Ağ Teklifi', 'Takas', 'İhale', 'Canlı Müzayede', 'Pazar Teklifi')),
  status text not null default 'Aktif' check (status in ('Aktif', 'Serbest', 'Süresi Doldu', 'Tamamlandı')),
  customer_id uuid,
  counterparty_id uuid,
  source_id uuid,
  reserved_until date,
  deposit_amount_minor bigint check (deposit_amount_minor >= 0 and deposit_amount_minor < 100000000000000),
  deposit_currency text check (deposit_currency in ('TL', 'STG', 'USD', 'EUR')),
  note text check (length(note) between 1 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  check (kind = 'Müşteri' or reserved_until is null)
);
create unique index reservations_one_active on reservations (account_id, vehicle_id) where status = 'Aktif';
create index reservations_customer on reservations (account_id, customer_id) where status = 'Aktif';
create index reservations_due on reservations (account_id, reserved_until) where status = 'Aktif' and reserved_until is not null;

-- A car on the marketplace. Closed is final: publishing again makes a new one.
create table listings (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  title text not null check (length(title) between 1 and 200),
  description text check (length(description) between 1 and 5000),
  status text not null default 'Yayında' check (status in ('Yayında', 'Askıda', 'Kapandı')),
  published_at timestamptz not null,
  closed_at timestamptz,
  close_reason text check (close_reason in ('kaldırıldı', 'satıldı', 'ihalede', 'silindi')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  check ((status = 'Kapandı') = (closed_at is not null))
);
create unique index listings_one_open on listings (account_id, vehicle_id) where status <> 'Kapandı';
create index listings_list on listings (account_id, created_at desc, id desc);

create table guarantors (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  customer_id uuid not null,
  first_name text not null check (length(first_name) between 1 and 80),
  last_name text not null check (length(last_name) between 1 and 80),
  phone text not null check (phone ~ '^\+[0-9]{7,15}$'),
  email text check (length(email) <= 254),
  relationship text check (relationship in ('Eş', 'Anne/Baba', 'Kardeş', 'Akraba', 'Arkadaş', 'İş Arkadaşı', 'Diğer')),
  id_no_encrypted bytea,
  id_no_index bytea,
  address_encrypted bytea,
  monthly_income_encrypted bytea,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id)
);
create unique index guarantors_id_no on guarantors (account_id, customer_id, id_no_index) where id_no_index is not null and deleted_at is null;
create index guarantors_list on guarantors (account_id, customer_id, created_at desc, id desc) where deleted_at is null;

create table customer_activity (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('Arama', 'SMS', 'WhatsApp', 'E-posta', 'Ziyaret', 'Not', 'Sistem')),
  note text not null check (length(note) between 1 and 2000),
  occurred_at timestamptz not null,
  source text not null check (source in ('manual', 'system')),
  resource_type text,
  resource_id uuid,
  staff_id uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, staff_id) references members (account_id, id),
  check ((kind = 'Sistem') = (source = 'system'))
);
create index customer_activity_list on customer_activity (account_id, customer_id, occurred_at desc, id desc);

-- Sales and installments come with later migrations, which add their foreign keys.
create table tasks (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  description text check (length(description) between 1 and 5000),
  status text not null default 'Yapılacak' check (status in ('Yapılacak', 'Devam Ediyor', 'Tamamlandı', 'İptal')),
  priority text not null default 'Normal' check (priority in ('Düşük', 'Normal', 'Yüksek')),
  due_at timestamptz,
  assignee_id uuid,
  customer_id uuid,
  sale_id uuid,
  vehicle_id uuid,
  installment_id uuid,
  completed_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, assignee_id) references members (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  check ((status = 'Tamamlandı') = (completed_at is not null))
);
create index tasks_list on tasks (account_id, due_at asc nulls last, created_at desc, id desc) where deleted_at is null;
create index tasks_assignee on tasks (account_id, assignee_id) where deleted_at is null and assignee_id is not null;
create index tasks_customer on tasks (account_id, customer_id) where deleted_at is null and customer_id is not null;
create index tasks_vehicle on tasks (account_id, vehicle_id) where deleted_at is null and vehicle_id is not null;

create table notifications (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  kind text not null,
  title text not null check (length(title) between 1 and 200),
  body text not null check (length(body) between 1 and 2000),
  resource_type text,
  resource_id uuid,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index notifications_list on notifications (account_id, created_at desc, id desc);
create index notifications_unread on notifications (account_id, created_at desc, id desc) where read_at is null;

select raise_wall(tenant::regclass) from unnest(array['idempotency', 'events', 'webhooks', 'webhook_deliveries', 'vehicle_history',
  'reservations', 'listings', 'guarantors', 'customer_activity', 'tasks', 'notifications']) as tenant;

grant select, insert, update on idempotency, reservations, listings, guarantors, tasks, notifications, webhooks, webhook_deliveries
  to galeri_app;
grant select, insert on events, vehicle_history, customer_activity to galeri_app;

-- Delivery and clearing away go over every dealer.
create policy platform on idempotency to galeri_platform using (true) with check (true);
create policy platform on events to galeri_platform using (true) with check (true);
create policy platform on webhooks to galeri_platform using (true) with check (true);
create policy platform on webhook_deliveries to galeri_platform using (true) with check (true);
grant select, delete on idempotency, events to galeri_platform;
grant select on webhooks to galeri_platform;
grant select, delete on webhook_deliveries to galeri_platform;
grant update (claimed_until) on webhook_deliveries to galeri_platform;
