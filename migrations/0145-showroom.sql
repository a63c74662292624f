-- A dealer's showroom: the public page of the cars whose listing is published, at /g/<slug>. A slug that was changed leads to the new one
-- for a year; then a job deletes it, and other dealers can take it.
create table showrooms (
  account_id uuid not null primary key references data_sets (id),
  is_on boolean not null default false,
  slug text check (slug ~ '^[a-z0-9-]{3,40}$'),
  shows_plate boolean not null default false,
  shows_sold boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint showrooms_has_slug check (not is_on or slug is not null)
);
comment on table showrooms is 'The public page of a dealer. No row: it was never switched on.';
comment on column showrooms.shows_plate is 'Whether the page shows number plates.';
comment on column showrooms.shows_sold is 'Whether a sold car stays on the page for seven days.';
select raise_wall('showrooms');
create policy platform_finds on showrooms for select to galeri_platform using (true);
grant select, insert, update on showrooms to galeri_app;
grant select (account_id, is_on, slug) on showrooms to galeri_platform;

create table showroom_slugs (
  account_id uuid not null references data_sets (id),
  slug text not null check (slug ~ '^[a-z0-9-]{3,40}$'),
  retired_at timestamptz,
  primary key (account_id, slug)
);
comment on table showroom_slugs is 'Addresses of showrooms: the current one and earlier ones, which lead to it for a year.';
comment on column showroom_slugs.retired_at is 'Real time at which the dealer chose another slug. Null: the current one.';
create unique index showroom_slugs_slug on showroom_slugs (slug);
create index showroom_slugs_retired on showroom_slugs (retired_at) where retired_at is not null;
select raise_wall('showroom_slugs');
create policy platform on showroom_slugs to galeri_platform using (true) with check (true);
grant select, insert, update on showroom_slugs to galeri_app;
grant select, delete on showroom_slugs to galeri_platform;
