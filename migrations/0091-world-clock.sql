-- Moving the clock of a world: which process moves it, and what has happened on the way.

alter table worlds add column clock_claim uuid;
alter table worlds add column clock_claimed_until timestamptz;
comment on column worlds.clock_claim is 'The process that moves the clock. Only it may change reached_at.';
comment on column worlds.clock_claimed_until is 'Real time until which that process is assumed to be alive; it renews it. Later another process may continue.';

create function count_world_transitions(kind text, count integer) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update worlds w set progress = jsonb_set(w.progress::jsonb, array['transitions', kind],
      to_jsonb(coalesce((w.progress::jsonb -> 'transitions' ->> kind)::integer, 0) + count))::text
    where w.id = (select a.world_id from accounts a where a.id = current_account()) and w.status = 'advancing' $$;
comment on function count_world_transitions(text, integer) is
  'Counts timed transitions in the move of the clock that runs them, in their own transaction: a killed process neither loses nor repeats a count.';
revoke all on function count_world_transitions(text, integer) from public;
grant execute on function count_world_transitions(text, integer) to galeri_app;
