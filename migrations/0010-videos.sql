-- Video links of a vehicle. Places are unique at the end of every statement, and five are all there are: that is the limit too.
create table vehicle_videos (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  url text not null check (length(url) between 9 and 2000 and url ~* '^https://'),
  provider text not null check (provider in ('youtube', 'vimeo', 'other')),
  title text check (length(title) between 1 and 200),
  duration_seconds integer check (duration_seconds between 1 and 86400),
  "position" integer not null check ("position" between 1 and 5),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  constraint vehicle_videos_place unique (account_id, vehicle_id, "position") deferrable initially immediate
);
select raise_wall('vehicle_videos');
grant select, insert, update, delete on vehicle_videos to galeri_app;
