-- Telling a bid locks each side by raising it, not before as well. The rest of it is as 0056 has it.
do $$
declare
  tells regprocedure := 'tell_bid(uuid, text[], boolean, text, uuid, text[], text[], text, timestamptz, timestamptz)';
  first_lock constant text := E'  perform from data_sets where id = any(sides) order by id for no key update;\n';
  whole text := pg_get_functiondef(tells);
begin
  if position(first_lock in whole) = 0 then raise exception 'tell_bid is not as 0056 has it'; end if;
  execute replace(whole, first_lock, '');
end $$;
-- By the index of ids alone, so that the sides are locked in the order of their ids, as every write does.
alter function tell_bid(uuid, text[], boolean, text, uuid, text[], text[], text, timestamptz, timestamptz) set enable_bitmapscan = off;
