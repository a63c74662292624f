-- The clock of a sandbox is read in the database only, so that no reading is before an earlier one, in whichever process.

create function world_now(wanted uuid) returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Held until the transaction ends. A clock stops at a time after every reading that was made before, and later readings see that it has
  -- stopped: without the lock, a reading made while it stops could be after the time at which it stops.
  perform pg_advisory_xact_lock_shared(hashtextextended('sandbox clock ' || wanted, 0));
  return (select coalesce(reached_at, date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond')
    from worlds where id = wanted);
end $$;
comment on function world_now(uuid) is 'Business time of a sandbox. In a transaction that is read committed it is never before an earlier reading.';
revoke all on function world_now(uuid) from public;
grant execute on function world_now(uuid) to galeri_platform;

create function stop_world_clock(wanted uuid) returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('sandbox clock ' || wanted, 0));
  return world_now(wanted);
end $$;
comment on function stop_world_clock(uuid) is 'The time at which a move of the clock begins; the caller holds the row and stores it as reached_at. Readings wait until the transaction ends.';
revoke all on function stop_world_clock(uuid) from public;
grant execute on function stop_world_clock(uuid) to galeri_platform;

create or replace function business_now() returns timestamptz
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid;
begin
  if current_account() is not null then
    select a.world_id into mine from accounts a where a.id = current_account();
    if mine is not null then
      -- A read is repeatable and would not see a clock that has stopped since it began: it uses the reading of its request.
      return coalesce(nullif(current_setting('app.world_now', true), '')::timestamptz, world_now(mine));
    end if;
  end if;
  return (select date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' from test_clock);
end $$;

create or replace function late_sellers(wanted uuid)
  returns setof uuid
  language plpgsql
  security definer
  set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select distinct auction.account_id from network_auctions auction, business_now() as at
    where (wanted is null or auction.id = wanted)
      -- Each world has its own time.
      and auction.world_id is not distinct from (select mine.world_id from accounts mine where mine.id = current_account())
      -- A clock that moves runs what is due itself; requests show the state that it has reached.
      and not exists (select from worlds w where w.id = auction.world_id and w.status = 'advancing')
      and (status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at)
      -- A transition that failed has its own retries; requests do not repeat it.
      and not exists (
        select from transition_failures failed
        where failed.account_id = auction.account_id and failed.kind = 'network_auction'
          and failed.record_id in (auction.id, auction.account_id));
end $$;
