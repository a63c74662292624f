-- from: 137454baad59d0d683c3d6a3e9488f4f9929ddee2e5d3ca7e39bce616518b346  0021-test-clock.sql
-- to: 88635364884f8ad907f404ff2e99b2e4b69f83b4b30a96e7f3dfc17a08a00a66  0021-test-clock.sql
do $$ begin
  alter table test_clock enable row level security;
  alter table test_clock force row level security;
  execute format('create policy owner on test_clock to %I using (true) with check (true)', current_user);
  create policy platform on test_clock to galeri_platform using (true) with check (true);
end $$;
