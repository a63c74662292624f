-- Removal of worlds, what administrators see of them, and platform tables in which rows of worlds do not appear.

create function clear_world(wanted uuid, most integer) returns table (deleted bigint, is_gone boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  dealers uuid[];
  tenants regclass;
  cleared bigint;
  total bigint := 0;
  earlier bigint;
begin
  perform from worlds where id = wanted and removed_at is not null for update skip locked;
  if not found then
    return query select 0::bigint, false;
    return;
  end if;
  -- A world that is still being made cannot be opened any more.
  update worlds set opened_at = removed_at where id = wanted and opened_at is null;
  dealers := array(select id from accounts where world_id = wanted);
  -- Every table of tenants, including those of later versions. A table that others still refer to is tried again in the next round; tables
  -- that refer to others were mostly created after them.
  loop
    earlier := total;
    for tenants in
      select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('data_sets', 'branches', 'sales', 'installments', 'stored_files', 'request_logs')
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped)
      order by c.oid desc
    loop
      begin
        execute format('delete from %s where ctid = any(array(select ctid from %s where account_id = any($1) limit $2))', tenants, tenants)
          using dealers, greatest(most - total, 1);
        get diagnostics cleared = row_count;
        total := total + cleared;
      exception when foreign_key_violation then
        null;
      end;
      if total >= most then
        return query select total, false;
        return;
      end if;
    end loop;
    exit when total = earlier;
  end loop;

  -- A sale and its installments add up at COMMIT, so they are deleted together.
  loop
    exit when total >= most;
    with picked as (select account_id, id from sales where account_id = any(dealers) limit 50),
      planned as (delete from installments plan using picked
        where plan.account_id = picked.account_id and plan.sale_id = picked.id returning 1),
      sold as (delete from sales sale using picked where sale.account_id = picked.account_id and sale.id = picked.id returning 1)
    select (select count(*) from planned) + (select count(*) from sold) into cleared;
    exit when cleared = 0;
    total := total + cleared;
  end loop;

  -- Cars, customers and others that sales referred to need another call. Files are deleted by the caller, before their rows.
  if total > 0 or exists (select from stored_files where account_id = any(dealers)) then
    return query select total, false;
    return;
  end if;
  delete from branches where account_id = any(dealers);
  delete from data_sets where account_id = any(dealers);
  delete from accounts where id = any(dealers);
  delete from worlds where id = wanted;
  return query select 0::bigint, true;
end $$;
comment on function clear_world(uuid, integer) is 'Deletes up to a number of rows of a removed world, and the world itself once it is empty. Called until is_gone.';
revoke all on function clear_world(uuid, integer) from public;
grant execute on function clear_world(uuid, integer) to galeri_platform;

create function dealers_of_world(wanted uuid) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select id from accounts where world_id = wanted $$;
comment on function dealers_of_world(uuid) is 'Accounts of an isolated sandbox, for its removal.';
revoke all on function dealers_of_world(uuid) from public;
grant execute on function dealers_of_world(uuid) to galeri_platform;

create function world_figures() returns table (worlds integer, records bigint, file_bytes bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  with dealers as (select account.id from accounts account join worlds world on world.id = account.world_id where world.removed_at is null)
  select (select count(*)::int from worlds where removed_at is null),
    (select count(*) from vehicles where account_id in (select id from dealers))
      + (select count(*) from customers where account_id in (select id from dealers))
      + (select count(*) from sales where account_id in (select id from dealers))
      + (select count(*) from documents where account_id in (select id from dealers)),
    (select coalesce(sum(size_bytes), 0)::bigint from stored_files where account_id in (select id from dealers)) $$;
comment on function world_figures() is 'For administrators: how many isolated sandboxes there are, their cars, customers, sales and documents, and the bytes of their files.';
revoke all on function world_figures() from public;
grant execute on function world_figures() to galeri_platform;

-- Queues and lists of administrators: the policy of accounts hides those of worlds, and these follow it.
alter policy platform on wallet_topups using (current_setting('app.worlds', true) = 'on' or exists (select from accounts where id = account_id));
alter policy platform on auction_requests using (current_setting('app.worlds', true) = 'on' or exists (select from accounts where id = account_id));
alter policy platform on membership_invoices using (current_setting('app.worlds', true) = 'on' or exists (select from accounts where id = account_id));

-- The audit log outlives accounts, so its rows of worlds are found by the world.
create function is_of_world(account uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (select from accounts where id = account and world_id is not null);
end $$;
comment on function is_of_world(uuid) is 'Whether an account belongs to an isolated sandbox.';
revoke all on function is_of_world(uuid) from public;
grant execute on function is_of_world(uuid) to galeri_platform;
alter policy platform on audit_log using (account_id is null or current_setting('app.worlds', true) = 'on' or not is_of_world(account_id));
alter policy platform on transition_failures using (current_setting('app.worlds', true) = 'on' or not is_of_world(account_id));
