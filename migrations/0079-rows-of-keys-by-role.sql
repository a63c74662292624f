-- Rows that the maker of a key may not use themselves: asked for here, and added to the key once an owner confirms them.
create table key_row_requests (
  account_id uuid not null references accounts (id),
  id uuid not null,
  key_id uuid not null,
  endpoints text[] not null check (cardinality(endpoints) between 1 and 1000),
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'refused')),
  asked_by uuid not null,
  created_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id),
  constraint key_row_requests_decided check ((status = 'pending') = (decided_by is null) and (status = 'pending') = (decided_at is null)),
  constraint key_row_requests_not_by_asker check (status <> 'confirmed' or decided_by <> asked_by)
);
create unique index key_row_requests_one_pending on key_row_requests (account_id, key_id) where status = 'pending';
create index key_row_requests_key on key_row_requests (account_id, key_id);
select raise_wall('key_row_requests');
create policy platform on key_row_requests to galeri_platform using (true) with check (true);
grant select on key_row_requests to galeri_app;
grant select, insert on key_row_requests to galeri_platform;
grant update (endpoints, status, decided_by, decided_at) on key_row_requests to galeri_platform;

-- When an owner has seen which keys, made before this rule, hold more than their makers may use.
alter table accounts add column keys_reviewed_at timestamptz;
