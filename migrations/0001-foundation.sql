-- The ground: accounts and their data sets, keys and their policy, stock, customers, the request log and its rollups.
--
-- Two roles use these tables, neither owns them, neither can bypass row-level security (made before the first migration):
--   galeri_app       one dealer's data, inside a transaction that names the data set (app.account_id)
--   galeri_platform  keys, accounts, release status, the request log: what must be seen before or beyond one dealer
--
-- `account_id` of a tenant table is the id of a data set. Production's data set has the account's own id; an isolated
-- sandbox has another. Every primary key, unique and list index begins with it, so the schema shards by account.

create function current_account() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

-- Out of the database, money is a decimal string with two digits and a timestamp is UTC with milliseconds and Z.
-- Not STRICT: a strict function with a CASE in it is not inlined, and costs a hundred times the expression.
create function money_text(minor bigint) returns text language sql immutable parallel safe
  as $$ select case when minor < 0 then '-' else '' end || (abs(minor) / 100)::text || '.' || lpad((abs(minor) % 100)::text, 2, '0') $$;
create function utc_text(at timestamptz) returns text language sql stable parallel safe
  as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Search folds Turkish letters the same way everywhere: İ I ı i are one letter, ş is s. The letters go first, because
-- lower() treats İ and I differently from one server's locale to the next.
create function fold_tr(value text) returns text language sql immutable parallel safe
  as $$ select lower(translate(value, 'İIıŞşĞğÇçÖöÜüÂâÎîÛû', 'iiissggccoouuaaiiuu')) $$;

-- What changes in these tables is told to every node. The payload says what to forget; the row itself is read again.
create function tell_nodes() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('galeri_changes', case tg_argv[0]
    when 'key' then 'key:' || coalesce(changed->>'key_id', changed->>'id')
    when 'account' then 'account:' || (changed->>'id')
    when 'data' then 'data:' || (changed->>'id') || ':' || (changed->>'version')
    else tg_argv[0] end);
  return null;
end $$;

create table deployment (
  only_row boolean primary key default true check (only_row),
  created_at timestamptz not null default now()
);

create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  legal_name text,
  city text,
  country text not null check (country in ('KKTC', 'TR')),
  phone text,
  email text,
  default_currency text not null check (default_currency in ('TL', 'STG', 'USD', 'EUR')),
  timezone text not null,
  locale text not null default 'tr' check (locale in ('tr', 'en')),
  status text not null default 'Aktif' check (status in ('Aktif', 'Askıda')),
  rate_source text not null check (rate_source in ('TCMB', 'KKTCMB')),
  reservation_days integer not null default 7 check (reservation_days between 1 and 90),
  offer_valid_hours integer not null default 48 check (offer_valid_hours between 1 and 336),
  document_valid_days integer not null default 30 check (document_valid_days between 1 and 365),
  upcoming_days integer not null default 30 check (upcoming_days between 1 and 365),
  dealer_network boolean not null default true,
  marketplace boolean not null default true,
  live_auctions boolean not null default true,
  import boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table data_sets (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('production', 'sandbox')),
  version bigint not null default 1,
  next_due_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, kind),
  check (kind <> 'production' or id = account_id)
);

create table branches (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  city text,
  phone text,
  is_main boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index branches_one_main on branches (account_id) where is_main;

-- A person signs in to the panel; a member is that person (or someone who never signs in) in one account.
create table people (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));

create table members (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  person_id uuid references people (id),
  full_name text not null check (length(full_name) between 1 and 120),
  role text not null check (role in ('owner', 'developer', 'finance', 'sales', 'viewer')),
  branch_id uuid,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id)
);
create unique index members_person on members (account_id, person_id) where person_id is not null;

create table api_keys (
  account_id uuid not null references accounts (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  environment text not null check (environment in ('production', 'sandbox')),
  expires_at timestamptz,
  limit_per_minute integer not null default 60 check (limit_per_minute between 1 and 1000000),
  limit_per_hour integer check (limit_per_hour between 1 and 1000000),
  limit_per_day integer check (limit_per_day between 1 and 1000000),
  allowed_ips text[] not null default '{}',
  authorizations text[] not null default '{}'
    check (authorizations <@ array['network_auction_bid', 'live_auction_bid', 'live_auction_operate']),
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index api_keys_name on api_keys (account_id, name) where revoked_at is null;
create index api_keys_id on api_keys (id);

-- Rotation gives a key a second secret; the older one carries the time at which it stops. Only the peppered hash is kept.
create table key_secrets (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  digest bytea not null check (length(digest) = 32),
  prefix text not null,
  last_four text not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id)
);
create unique index key_secrets_digest on key_secrets (digest);
create index key_secrets_key on key_secrets (account_id, key_id);

-- The policy: one row for each catalog row the key may use.
create table key_endpoints (
  account_id uuid not null,
  key_id uuid not null,
  endpoint text not null,
  primary key (account_id, key_id, endpoint),
  foreign key (account_id, key_id) references api_keys (account_id, id)
);

-- Release status that differs from, or confirms, the one a row ships with.
create table releases (
  endpoint text primary key,
  status text not null check (status in ('Aktif', 'Yakında')),
  changed_at timestamptz not null default now()
);

create table audit_log (
  id uuid primary key,
  account_id uuid,
  actor_type text not null check (actor_type in ('cli', 'panel', 'api_key', 'system')),
  actor text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now()
);
create index audit_log_account on audit_log (account_id, created_at desc, id desc);

-- What a list shows of a record, written once when the record is: making it anew for every reader is two thirds of a cold
-- page. Immutable, because no part of it depends on the session; the specification fixes the fields.
create function vehicle_json(id uuid, brand text, model text, model_year integer, km integer, fuel_type text, transmission text,
    body_type text, color text, plate text, city text, price_minor bigint, currency text, status text, is_marketplace_visible boolean,
    created_at timestamptz, updated_at timestamptz) returns text language sql immutable parallel safe
  as $$ select row_to_json(shown)::text from (select id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
    money_text(price_minor) as price, currency, status, is_marketplace_visible, utc_text(created_at) as created_at,
    utc_text(updated_at) as updated_at) shown $$;
create function customer_json(id uuid, first_name text, last_name text, phone text, email text, risk_level text,
    created_at timestamptz, updated_at timestamptz) returns text language sql immutable parallel safe
  as $$ select row_to_json(shown)::text from (select id, first_name, last_name, phone, email, risk_level, utc_text(created_at) as created_at,
    utc_text(updated_at) as updated_at) shown $$;

create table vehicles (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  brand text not null check (length(brand) between 1 and 80),
  model text not null check (length(model) between 1 and 80),
  model_year integer not null check (model_year between 1950 and 2200),
  km integer not null check (km between 0 and 2000000),
  fuel_type text not null check (fuel_type in ('Benzin', 'Dizel', 'LPG', 'Benzin+LPG', 'Hibrit', 'Elektrik')),
  transmission text not null check (transmission in ('Manuel', 'Otomatik', 'Yarı Otomatik')),
  body_type text not null
    check (body_type in ('Sedan', 'Hatchback', 'SUV', 'Station Wagon', 'Coupe', 'Cabrio', 'Pick-up', 'Minivan', 'Panelvan', 'Diğer')),
  color text not null check (length(color) between 1 and 40),
  plate text not null check (length(plate) between 2 and 15),
  city text not null check (length(city) between 1 and 60),
  price_minor bigint not null check (price_minor > 0 and price_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  status text not null default 'Stokta' check (status in ('Stokta', 'Rezerve', 'Auction''da', 'Satıldı')),
  is_marketplace_visible boolean not null default false,
  "trim" text,
  description text,
  branch_id uuid,
  stock_date date not null,
  source text not null default 'Satın Alma' check (source in ('Satın Alma', 'Takas', 'Konsinye', 'İthalat')),
  external_ref text check (length(external_ref) between 1 and 120),
  -- Written, never returned.
  purchase_price_minor bigint check (purchase_price_minor >= 0),
  purchase_currency text check (purchase_currency in ('TL', 'STG', 'USD', 'EUR')),
  customs_fee_minor bigint check (customs_fee_minor >= 0),
  other_costs_minor bigint check (other_costs_minor >= 0),
  chassis_no text,
  engine_no text,
  sold_at date,
  sold_via text check (sold_via in ('Satış', 'Harici')),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  list_json text generated always as (vehicle_json(id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
    price_minor, currency, status, is_marketplace_visible, created_at, updated_at)) stored,
  primary key (account_id, id),
  foreign key (account_id, branch_id) references branches (account_id, id)
);
create unique index vehicles_plate on vehicles (account_id, plate) where deleted_at is null and status <> 'Satıldı';
create unique index vehicles_chassis on vehicles (account_id, chassis_no)
  where chassis_no is not null and deleted_at is null and status <> 'Satıldı';
create unique index vehicles_external_ref on vehicles (account_id, external_ref) where external_ref is not null and deleted_at is null;
create index vehicles_plate_all on vehicles (account_id, plate) where deleted_at is null;
create index vehicles_list on vehicles (account_id, created_at desc, id desc) where deleted_at is null;
create index vehicles_status on vehicles (account_id, status, created_at desc, id desc) where deleted_at is null;
create index vehicles_deleted on vehicles (account_id, created_at desc, id desc) where deleted_at is not null;
create index vehicles_updated on vehicles (account_id, updated_at) where deleted_at is null;

create table customers (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  first_name text not null check (length(first_name) between 1 and 80),
  last_name text not null check (length(last_name) between 1 and 80),
  phone text not null check (phone ~ '^\+[0-9]{7,15}$'),
  email text check (length(email) <= 254),
  risk_level text not null default 'medium' check (risk_level in ('low', 'medium', 'high', 'blocked')),
  note text,
  external_ref text check (length(external_ref) between 1 and 120),
  -- Personal data, encrypted by the service; the blind index finds an identity number without showing it.
  id_no_encrypted bytea,
  id_no_index bytea,
  address_encrypted bytea,
  monthly_income_encrypted bytea,
  birth_date_encrypted bytea,
  list_json text generated always as (customer_json(id, first_name, last_name, phone, email, risk_level, created_at, updated_at)) stored,
  search text generated always as (fold_tr(first_name || ' ' || last_name || ' ' || phone || ' ' || coalesce(email, ''))) stored,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index customers_id_no on customers (account_id, id_no_index) where id_no_index is not null and deleted_at is null;
create unique index customers_external_ref on customers (account_id, external_ref) where external_ref is not null and deleted_at is null;
create index customers_list on customers (account_id, created_at desc, id desc) where deleted_at is null;
create index customers_risk on customers (account_id, risk_level, created_at desc, id desc) where deleted_at is null;
create index customers_phone on customers (account_id, phone) where deleted_at is null;
create index customers_updated on customers (account_id, updated_at) where deleted_at is null;

-- The request log: one partition a day, kept 30 days. The one index serves the only way it is read: one key, newest first.
-- A request is found by its id because the id begins with its time.
create table request_logs (
  account_id uuid not null,
  key_id uuid not null,
  at timestamptz not null,
  request_id text not null,
  secret_id uuid,
  method text not null,
  path text not null,
  endpoint text,
  status smallint not null,
  error_code text,
  duration_ms real not null,
  ip text,
  user_agent text,
  response_bytes integer not null,
  primary key (account_id, key_id, at, request_id)
) partition by range (at);

-- Rollups by the hour: usage is read from here, never from the log.
create table usage_calls (
  account_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  endpoint text not null, -- '' where no catalog row matched
  error_code text not null, -- '' for a success
  calls bigint not null,
  primary key (account_id, key_id, hour, endpoint, error_code)
);
-- Latency as a mergeable histogram: bucket b holds durations up to 1.1^b hundredths of a millisecond (see domain/latency.ts).
create table usage_latency (
  account_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  bucket smallint not null,
  calls bigint not null,
  primary key (account_id, key_id, hour, bucket)
);
-- Each secret of a key on its own, so that a rotation shows who still uses the old one.
create table usage_secrets (
  account_id uuid not null,
  key_id uuid not null,
  secret_id uuid not null,
  calls bigint not null,
  last_used_at timestamptz not null,
  primary key (account_id, key_id, secret_id)
);

-- Makes the partitions of the coming days and drops those past retention. The platform role owns no table, hence definer.
create function keep_request_log(today date, days_kept integer, days_ahead integer) returns void
  language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  day date;
  old record;
  partition text;
begin
  -- Nodes start together: one at a time here.
  perform pg_advisory_xact_lock(hashtext('galeri.keep_request_log'));
  for old in select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'public.request_logs'::regclass loop
    -- Here, not in the query: there the planner may ask it of every relation, and most names hold no date.
    if to_date(right(old.relname, 8), 'YYYYMMDD') < today - days_kept then
      execute format('drop table public.%I', old.relname);
    end if;
  end loop;
  for offset_days in -1 .. days_ahead loop
    day := today + offset_days;
    partition := 'request_logs_' || to_char(day, 'YYYYMMDD');
    if to_regclass('public.' || partition) is null then
      execute format('create table public.%I partition of public.request_logs for values from (%L) to (%L)',
        partition, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      execute format('alter table public.%I enable row level security', partition);
      execute format('alter table public.%I force row level security', partition);
      execute format('create policy owner on public.%I to %I using (true) with check (true)', partition, current_user);
      -- Usage of a day is written once and read often: freeze it early so that index-only scans stay index-only.
      execute format('alter table public.%I set (autovacuum_vacuum_insert_scale_factor = 0.05)', partition);
    end if;
  end loop;
end $$;
revoke execute on function keep_request_log from public;

-- The wall round a tenant table: forced, so that nobody is let through without a policy. The owner's is for backups; the
-- service never signs in as the owner. Every later migration that makes a tenant table calls this.
create function raise_wall(tenant regclass, belongs text default 'account_id = (select current_account())') returns void
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant);
  execute format('alter table %s force row level security', tenant);
  execute format('create policy account on %s to galeri_app using (%s) with check (%s)', tenant, belongs, belongs);
  execute format('create policy owner on %s to %I using (true) with check (true)', tenant, current_user);
end $$;
revoke execute on function raise_wall from public;

select raise_wall(tenant::regclass) from unnest(array['branches', 'members', 'api_keys', 'key_secrets', 'key_endpoints', 'audit_log',
  'vehicles', 'customers', 'request_logs', 'usage_calls', 'usage_latency', 'usage_secrets']) as tenant;
select raise_wall('data_sets', 'id = (select current_account())');
select raise_wall('accounts', 'id = (select account_id from data_sets where data_sets.id = (select current_account()))');

-- What lies beyond one dealer is the platform role's, table by table.
do $$
declare
  shared text;
begin
  foreach shared in array array['accounts', 'data_sets', 'branches', 'members', 'api_keys', 'key_secrets', 'key_endpoints', 'audit_log',
      'request_logs', 'usage_calls', 'usage_latency', 'usage_secrets'] loop
    execute format('create policy platform on %I to galeri_platform using (true) with check (true)', shared);
  end loop;
end $$;

grant usage on schema public to galeri_app, galeri_platform;
grant select on accounts, data_sets, branches, members, api_keys, key_endpoints to galeri_app;
grant update (version, next_due_at) on data_sets to galeri_app;
grant select, insert, update on vehicles, customers to galeri_app;
grant select on request_logs, usage_calls, usage_latency, usage_secrets to galeri_app;
grant insert on audit_log to galeri_app;

grant select, insert, update on accounts, data_sets, branches, members, people, api_keys, key_secrets, deployment to galeri_platform;
grant select, insert, update, delete on key_endpoints, releases to galeri_platform;
grant select, insert on audit_log, request_logs to galeri_platform;
grant select, insert, update, delete on usage_calls, usage_latency, usage_secrets to galeri_platform;
grant execute on function keep_request_log to galeri_platform;

create trigger tell after insert or update or delete on api_keys for each row execute function tell_nodes('key');
create trigger tell after insert or update or delete on key_secrets for each row execute function tell_nodes('key');
create trigger tell after insert or update or delete on key_endpoints for each row execute function tell_nodes('key');
create trigger tell after insert or update or delete on accounts for each row execute function tell_nodes('account');
create trigger tell after insert or update or delete on releases for each row execute function tell_nodes('release');
create trigger tell after update of version on data_sets for each row execute function tell_nodes('data');
