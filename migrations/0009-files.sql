-- Files of dealers, and the photos of their vehicles.
--
-- A file's row is committed as `pending` before the file itself is put, becomes `kept` in the transaction of the write that keeps it, and
-- `gone` when its record is deleted. So whatever a crash leaves behind is named here, and no store ever has to be listed.
create table stored_files (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  -- In the store: random, in folders of two letters.
  name text not null check (name ~ '^[0-9a-f]{2}/[0-9a-f]{30}$'),
  content_type text not null check (length(content_type) between 3 and 100),
  size_bytes integer not null check (size_bytes > 0),
  sha256 bytea not null check (length(sha256) = 32),
  state text not null default 'pending' check (state in ('pending', 'kept', 'gone')),
  created_at timestamptz not null,
  state_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name)
);
create index stored_files_sweep on stored_files (state_at) where state <> 'kept';

select raise_wall('stored_files');
grant select, insert, update, delete on stored_files to galeri_app;
-- The sweeper looks over every account.
create policy platform on stored_files to galeri_platform using (true) with check (true);
grant select, update, delete on stored_files to galeri_platform;

-- Either a link to a picture that lies elsewhere, or a file of ours with its thumbnail. Places are unique at the end of every
-- statement, and thirty are all there are: that is the limit too.
create table vehicle_photos (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  url text check (length(url) between 9 and 2000 and url ~* '^https://'),
  file_id uuid,
  thumbnail_id uuid,
  content_type text not null check (length(content_type) between 3 and 100),
  size_bytes integer check (size_bytes > 0),
  caption text check (length(caption) between 1 and 200),
  "position" integer not null check ("position" between 1 and 30),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, file_id) references stored_files (account_id, id),
  foreign key (account_id, thumbnail_id) references stored_files (account_id, id),
  check ((url is null) = (file_id is not null) and (file_id is null) = (thumbnail_id is null)),
  constraint vehicle_photos_place unique (account_id, vehicle_id, "position") deferrable initially immediate
);
-- Looked up whenever a file's row is cleared away, to see that no photo has it.
create index vehicle_photos_file on vehicle_photos (account_id, file_id) where file_id is not null;
create index vehicle_photos_thumbnail on vehicle_photos (account_id, thumbnail_id) where thumbnail_id is not null;
select raise_wall('vehicle_photos');
grant select, insert, update, delete on vehicle_photos to galeri_app;
