-- CREATE TABLE … PARTITION OF locks the whole log, so a backup that read the log over midnight blocked it and every start. A table
-- that is attached needs a lock beside which the log is read and written.
create or replace function keep_request_log(today date, days_kept integer, days_ahead integer) returns void
  language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  day date;
  old record;
  partition text;
begin
  -- Nodes start together: one at a time here.
  perform pg_advisory_xact_lock(hashtext('galeri.keep_request_log'));
  for old in select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'public.request_logs'::regclass loop
    -- Here, not in the query: there the planner may ask it of every relation, and most names hold no date.
    if to_date(right(old.relname, 8), 'YYYYMMDD') < today - days_kept then
      execute format('drop table public.%I', old.relname);
    end if;
  end loop;
  for offset_days in -1 .. days_ahead loop
    day := today + offset_days;
    partition := 'request_logs_' || to_char(day, 'YYYYMMDD');
    if to_regclass('public.' || partition) is null then
      execute format('create table public.%I (like public.request_logs including all excluding comments)', partition);
      execute format('alter table public.%I enable row level security', partition);
      execute format('alter table public.%I force row level security', partition);
      execute format('create policy owner on public.%I to %I using (true) with check (true)', partition, current_user);
      -- Usage of a day is written once and read often: freeze it early so that index-only scans stay index-only.
      execute format('alter table public.%I set (autovacuum_vacuum_insert_scale_factor = 0.05)', partition);
      execute format('alter table public.request_logs attach partition public.%I for values from (%L) to (%L)',
        partition, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    end if;
  end loop;
end $$;
comment on function keep_request_log is 'Creates the partitions of request_logs for the coming days and drops those older than the retention; null days_kept drops none.';
