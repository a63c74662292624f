-- How far business time is from real time (docs/decisions/0039-test-clock.md): 0 in every deployment that is not a rehearsal.
create table test_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0,
  -- The instant of TEST_CLOCK to which a start has set it: the next start with the same setting leaves the clock where it is.
  started_at timestamptz
);
insert into test_clock default values;
grant select, update on test_clock to galeri_platform;
