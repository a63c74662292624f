-- Lists that are walked from record to record (kit/page.ts), and `updated_at` in the order of commits (docs/decisions/0033).

-- The newest `updated_at` that was given out. Whoever gives out the next one holds this row until it commits.
alter table data_sets add column stamped_at timestamptz not null default 'epoch';
update data_sets set stamped_at = now();
grant update (stamped_at) on data_sets to galeri_app;

-- A feed gives thousands of records one `updated_at`: what is walked by it goes on by the id.
drop index vehicles_updated, customers_updated;
create index vehicles_updated on vehicles (account_id, updated_at, id) where deleted_at is null;
create index vehicles_deleted_updated on vehicles (account_id, updated_at, id) where deleted_at is not null;
create index customers_updated on customers (account_id, updated_at, id) where deleted_at is null;
create index customers_deleted_updated on customers (account_id, updated_at, id) where deleted_at is not null;
create index customers_deleted_list on customers (account_id, created_at desc, id desc) where deleted_at is not null;
-- Shown by when they are due, walked by when they were made.
create index tasks_created on tasks (account_id, created_at desc, id desc) where deleted_at is null;

-- What `q` looks through, as customers have it. plpgsql, because a function in SQL is planned anew by every statement that writes a row.
create function vehicle_search(brand text, model text, variant text, plate text) returns text language plpgsql immutable parallel safe
  as $$ begin return fold_tr(concat_ws(' ', brand, model, variant, plate, replace(plate, ' ', ''))); end $$;
alter table vehicles add column search text generated always as (vehicle_search(brand, model, "trim", plate)) stored;
