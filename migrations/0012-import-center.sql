-- The import center: where a dealer's feeds come from, and every run of them. A run is carried by whichever worker has claimed it; what
-- it has done is committed with the rows it did, so that another can go on from there.

create table import_connectors (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  type text not null check (type in ('csv', 'json', 'xml')),
  transport text not null check (transport in ('url', 'inline')),
  target text not null check (target in ('vehicles', 'customers')),
  -- As it is shown, in the order in which it was written.
  config json not null,
  key_field text not null check (key_field = any (case target when 'vehicles' then array['external_ref', 'plate']
    else array['external_ref', 'phone'] end)),
  schedule text not null default 'Elle' check (schedule in ('Elle', 'Saatlik', 'Günlük')),
  status text not null default 'Aktif' check (status in ('Aktif', 'Pasif')),
  credentials_encrypted bytea,
  has_credentials boolean not null generated always as (credentials_encrypted is not null) stored,
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_run_status text check (last_run_status in ('Sırada', 'Çalışıyor', 'Tamamlandı', 'Kısmen Tamamlandı', 'Başarısız')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (account_id, id),
  check (schedule = 'Elle' or transport = 'url'),
  check (deleted_at is null or (credentials_encrypted is null and next_run_at is null))
);
create index import_connectors_list on import_connectors (account_id, created_at desc, id desc) where deleted_at is null;
create index import_connectors_due on import_connectors (next_run_at) where next_run_at is not null;

create table import_runs (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  connector_id uuid not null,
  trigger text not null check (trigger in ('Elle', 'Zamanlı')),
  dry_run boolean not null,
  status text not null default 'Sırada' check (status in ('Sırada', 'Çalışıyor', 'Tamamlandı', 'Kısmen Tamamlandı', 'Başarısız')),
  total_rows integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  error_count integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  failure_code text,
  failure_message text,
  -- Whose rows' histories name as the one who did it.
  actor_type text not null,
  actor_name text not null,
  -- Its content is kept here until it ends; null while it is still to be fetched. Text that came as JSON is UTF-8 whatever the
  -- connector's files are in.
  content_encoding text check (content_encoding in ('utf-8', 'connector')),
  last_row integer not null default 0,
  errors_kept integer not null default 0,
  claim uuid,
  claimed_until timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, connector_id) references import_connectors (account_id, id),
  check (total_rows = created_count + updated_count + unchanged_count + error_count),
  check ((finished_at is not null) = (status in ('Tamamlandı', 'Kısmen Tamamlandı', 'Başarısız')))
);
create unique index import_runs_one on import_runs (account_id, connector_id) where status in ('Sırada', 'Çalışıyor');
create index import_runs_list on import_runs (account_id, created_at desc, id desc);
create index import_runs_connector on import_runs (account_id, connector_id, created_at desc, id desc);
create index import_runs_open on import_runs (created_at) where status in ('Sırada', 'Çalışıyor');

-- What is to be imported, sealed, in pieces; gone when the run ends.
create table import_contents (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  run_id uuid not null,
  part integer not null,
  bytes_encrypted bytea not null,
  primary key (account_id, id),
  unique (account_id, run_id, part),
  foreign key (account_id, run_id) references import_runs (account_id, id)
);
alter table import_contents alter column bytes_encrypted set storage external;

create table import_row_errors (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  run_id uuid not null,
  row_number integer not null,
  key text check (length(key) <= 200),
  field text,
  code text not null,
  message text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, run_id) references import_runs (account_id, id)
);
create index import_row_errors_list on import_row_errors (account_id, run_id, row_number, id);
create index import_row_errors_age on import_row_errors (created_at);

-- A feed that names a deleted car is told so.
create index vehicles_plate_deleted on vehicles (account_id, plate) where deleted_at is not null;
create index vehicles_external_ref_deleted on vehicles (account_id, external_ref) where deleted_at is not null and external_ref is not null;

select raise_wall(tenant::regclass)
  from unnest(array['import_connectors', 'import_runs', 'import_contents', 'import_row_errors']) as tenant;

grant select, insert, update on import_connectors, import_runs to galeri_app;
grant select, insert, update, delete on import_contents to galeri_app;
grant select, insert, delete on import_row_errors to galeri_app;

-- Claims and schedules go over every dealer; what a feed holds and how it is reached do not.
create policy platform on import_connectors to galeri_platform using (true) with check (true);
create policy platform on import_runs to galeri_platform using (true) with check (true);
create policy platform on import_row_errors to galeri_platform using (true) with check (true);
grant select (account_id, id, next_run_at) on import_connectors to galeri_platform;
grant select on import_runs to galeri_platform;
grant update (claim, claimed_until, attempts) on import_runs to galeri_platform;
grant select, delete on import_row_errors to galeri_platform;
