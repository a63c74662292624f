-- When a sandbox was last reset: the row of the one before it is deleted within minutes.
alter table worlds add column reset_at timestamptz;
comment on column worlds.reset_at is 'The reset that made it; null for the first sandbox of an account.';

create or replace function open_world(replaces boolean, at timestamptz) returns table (is_open boolean, replaced_id uuid)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  made worlds;
  previous uuid;
begin
  select * into made from worlds where id = current_account() and opened_at is null and removed_at is not null for update;
  if not found then
    raise exception 'there is no world here to open' using errcode = '23514', constraint = 'worlds_opened_once';
  end if;
  -- One after the other for each owner. The statements below see what the one before has committed.
  perform pg_advisory_xact_lock(hashtextextended('galeri.world ' || made.owner_id, 0));
  select id into previous from worlds where owner_id = made.owner_id and removed_at is null;
  if previous is not null and not replaces then
    update worlds set opened_at = at where id = made.id;
    return query select false, null::uuid;
    return;
  end if;
  -- Waits for writes under way in the previous world (enter_world).
  update worlds set removed_at = at where id = previous;
  update worlds set removed_at = null, opened_at = at, reset_at = case when replaces then at end where id = made.id;
  return query select true, previous;
end $$;
