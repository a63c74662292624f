-- The heartbeats of nodes that read from standbys. What a standby shows of them is how much of the primary's data it has.
create table node_beats (
  node uuid primary key,
  beat bigint not null,
  beat_at timestamptz not null
) with (fillfactor = 20);
comment on table node_beats is 'Last heartbeat of each node with DATABASE_READ_URL. A standby that shows it has everything that was committed before it.';
alter table node_beats enable row level security;
alter table node_beats force row level security;
create policy owner on node_beats for all to current_user using (true) with check (true);
create policy platform on node_beats for all to galeri_platform using (true) with check (true);
create policy everyone on node_beats for select to galeri_app using (true);
grant select, insert, update, delete on node_beats to galeri_platform;
grant select on node_beats to galeri_app;
