-- How far business time is from real time (docs/decisions/0039-test-clock.md): 0 in every deployment that is not a rehearsal.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0,
  -- The instant of TEST_CLOCK to which a start has set it: the next start with the same setting leaves the clock where it is.
  started_at timestamptz
);
insert into test_clock default values;

-- Behind a wall like every table: no dealer's, so the tenant door has no policy.
do $$ begin
  alter table test_clock enable row level security;
  alter table test_clock force row level security;
  execute format('create policy owner on test_clock to %I using (true) with check (true)', current_user);
  create policy platform on test_clock to galeri_platform using (true) with check (true);
end $$;
grant select, update on test_clock to galeri_platform;
