-- Making worlds of the isolated sandbox, and keeping them apart where SQL reads across accounts.

-- A world is prepared out of reach (removed_at is set), filled, and then opened in one transaction. What a killed process leaves behind
-- was never opened, and the job that clears removed worlds deletes it.
alter table worlds add column opened_at timestamptz;
comment on column worlds.opened_at is 'When the world was opened. Null while it is being made; a removed world is never opened again.';

comment on column worlds.reached_at is 'Business time of the world while its clock moves, or after the move failed.';

create function open_world(replaces boolean, at timestamptz) returns table (is_open boolean, replaced_id uuid)
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
  update worlds set removed_at = null, opened_at = at where id = made.id;
  return query select true, previous;
end $$;
comment on function open_world(boolean, timestamptz) is 'Opens the world of the current account, which is then its owner''s only one. If the owner has another world: replaces it, or leaves it and returns is_open = false.';
revoke all on function open_world(boolean, timestamptz) from public;
grant execute on function open_world(boolean, timestamptz) to galeri_app;

-- Wallets of worlds have books of their own: the platform's accounts hold money of production only.
insert into ledger_accounts (id, code, currency, is_platform) values
  ('00000000-0000-4000-a000-000000000011', 'platform:sandbox_cash', 'TL', true),
  ('00000000-0000-4000-a000-000000000012', 'platform:sandbox_boost_revenue', 'TL', true),
  ('00000000-0000-4000-a000-000000000013', 'platform:sandbox_membership_revenue', 'TL', true),
  ('00000000-0000-4000-a000-000000000014', 'platform:sandbox_adjustments', 'TL', true);

create or replace function require_balanced(of_account uuid, of_transaction uuid)
  returns void
  language plpgsql
  security definer
  set search_path = public
as $$
declare
  shown record;
  books record;
  is_of_world boolean := exists (select from accounts where id = of_account and world_id is not null);
begin
  select amount_minor, currency into shown from wallet_transactions where account_id = of_account and id = of_transaction;
  select count(*) as entries, coalesce(sum(case direction when 'debit' then amount_minor else -amount_minor end), 0) as difference,
    coalesce(sum(case direction when 'credit' then amount_minor else -amount_minor end) filter (where ledger_account_id = of_account), 0) as wallet,
    count(*) filter (where currency <> shown.currency
      or is_platform and ledger_account_id in (select id from ledger_accounts where code like 'platform:sandbox%') <> is_of_world) as strange
    into books from ledger_entries where account_id = of_account and transaction_id = of_transaction;
  if books.entries < 2 or books.difference <> 0 or books.wallet <> shown.amount_minor or books.strange > 0 then
    raise exception 'the entries of a transaction do not balance' using errcode = '23514', constraint = 'ledger_balanced';
  end if;
end $$;

-- Auctions and live events carry the world of their account, as they carry is_demo.
alter table network_auctions add column world_id uuid;
comment on column network_auctions.world_id is 'The isolated sandbox of the seller; null in production.';
alter table live_events add column world_id uuid;
comment on column live_events.world_id is 'The isolated sandbox of the operator; null in production.';

create function set_world() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.world_id := (select world_id from accounts where id = new.account_id);
  return new;
end $$;
comment on function set_world() is 'Gives a new auction or live event the world of its account.';
revoke all on function set_world() from public;
create trigger world before insert on network_auctions for each row execute function set_world();
create trigger world before insert on live_events for each row execute function set_world();

create function is_in_my_world(other uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return other = current_account() or coalesce((
    select theirs.world_id is not distinct from mine.world_id
      from accounts mine, accounts theirs where mine.id = current_account() and theirs.id = other), false);
end $$;
comment on function is_in_my_world(uuid) is 'Whether another dealer and the current account are in the same isolated sandbox, or both in none.';
revoke all on function is_in_my_world(uuid) from public;
grant execute on function is_in_my_world(uuid) to galeri_app;

create function dealers_meet(one_demo boolean, one_world uuid, other uuid) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return coalesce((select is_demo = one_demo and world_id is not distinct from one_world from accounts where id = other), false);
end $$;
comment on function dealers_meet(boolean, uuid, uuid) is 'Whether a dealer can meet the other side: both in production, both in the demonstration, or both in one isolated sandbox.';
revoke all on function dealers_meet(boolean, uuid, uuid) from public;
grant execute on function dealers_meet(boolean, uuid, uuid) to galeri_app;

create or replace function bidders_of(wanted uuid)
  returns setof uuid
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select account_id from auction_bidders where item_id = wanted and is_in_my_world(account_id) order by account_id $$;

create or replace function bids_seen(wanted uuid, before_seq integer, rows integer, skipped integer)
  returns table (id uuid, bid_seq integer, amount_minor bigint, alias_no integer, is_mine boolean, placed_at timestamptz, chain text, bidder json)
  language plpgsql
  stable security definer
  set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select bid.id, bid.bid_seq, bid.amount_minor, bid.alias_no, bid.account_id = current_account(), bid.placed_at, bid.chain,
      -- Bidders are anonymous. After the end the seller sees the winner.
      case when item.winner_id = bid.account_id then party_of(bid.account_id, item.is_bound) end
    from (
      select
        case when account_id = current_account() and result in ('Satıldı', 'Bozuldu') then leader_id end as winner_id,
        result = 'Satıldı' as is_bound
      from network_auctions
      where network_auctions.id = wanted and (account_id = current_account() or dealers_meet(is_demo, world_id, current_account()))
      union all
      select
        case when lot.account_id = current_account() and lot.status in ('Satıldı', 'Bozuldu') then leader_id end,
        lot.status = 'Satıldı'
      from live_lots lot join live_events event on event.id = lot.event_id
      where lot.id = wanted and dealers_meet(event.is_demo, event.world_id, current_account())) item
    join auction_bids bid on bid.item_id = wanted and (before_seq is null or bid.bid_seq < before_seq)
    order by bid.bid_seq desc limit rows offset skipped;
end $$;

create or replace function card_of(owner uuid, vehicle uuid)
  returns json
  language plpgsql
  stable security definer
  set search_path = public, pg_temp
as $$
begin
  return (
    select row_to_json(card) from (
      select account_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city, photos, condition
      from vehicle_cards where account_id = owner and vehicle_id = vehicle and is_in_my_world(owner)) card);
end $$;

create or replace function keeper_of_event(wanted uuid)
  returns table (operator_id uuid, status text)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select account_id, status from live_events where id = wanted and dealers_meet(is_demo, world_id, current_account()) $$;

create or replace function keeper_of_lot(wanted uuid)
  returns table (seller_id uuid, operator_id uuid, event_id uuid, vehicle_id uuid)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select lot.account_id, lot.operator_id, lot.event_id, lot.vehicle_id from live_lots lot join live_events event on event.id = lot.event_id
  where lot.id = wanted and dealers_meet(event.is_demo, event.world_id, current_account()) $$;

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
      and (status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at)
      -- A transition that failed has its own retries; requests do not repeat it.
      and not exists (
        select from transition_failures failed
        where failed.account_id = auction.account_id and failed.kind = 'network_auction'
          and failed.record_id in (auction.id, auction.account_id));
end $$;

create or replace function live_event_seen(wanted uuid)
  returns table (id uuid, operator_id uuid, title text, starts_at timestamptz, status text, lot_count integer, sold_count integer, current_lot_id uuid, operator json, is_operator boolean, created_at timestamptz, updated_at timestamptz)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select event.id, event.account_id, title, starts_at, status,
    (select count(*)::int from live_lots where event_id = event.id), (select count(*)::int from live_lots where event_id = event.id and live_lots.status in ('Satıldı', 'Bozuldu')),
    (select live_lots.id from live_lots where event_id = event.id and live_lots.status = 'Açık'), party_of(event.account_id, false),
    event.account_id = current_account(), event.created_at, event.updated_at
  from live_events event where event.id = wanted and (event.account_id = current_account() or dealers_meet(is_demo, event.world_id, current_account())) $$;

create or replace function live_events_page(wanted_status text, from_at timestamptz, to_at timestamptz, walks boolean, after_at timestamptz, after_id uuid, rows integer, skipped integer)
  returns table (id uuid, position_at timestamptz)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  with me as (select id, is_demo, world_id from accounts where id = current_account())
  select chosen.id, chosen.created_at from (
    select event.id, event.created_at, row_number() over (order by
      case when walks then 0 when status = 'Canlı' then 1 when status = 'Planlandı' then 2 else 3 end,
      case when walks then null when status in ('Canlı', 'Planlandı') then starts_at end,
      case when walks then event.created_at else starts_at end desc, event.id desc) as place
    from live_events event, me where event.is_demo = me.is_demo and event.world_id is not distinct from me.world_id and (wanted_status is null or status = wanted_status)
      and (from_at is null or starts_at >= from_at) and (to_at is null or starts_at < to_at)
      and (after_id is null or (event.created_at, event.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

create or replace function live_lot_seen(wanted uuid)
  returns table (id uuid, seller_id uuid, operator_id uuid, event_id uuid, lot_no integer, is_seller boolean, is_operator boolean, vehicle_id uuid, card json, seller json, currency text, start_price_minor bigint, min_increment_minor bigint, reserve_price_minor bigint, has_reserve boolean, reserve_met boolean, status text, current_bid_minor bigint, bid_count integer, leader_alias_no integer, is_bidder boolean, my_highest_minor bigint, is_leader boolean, opened_at timestamptz, ended_at timestamptz, chain_head text, winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language plpgsql
  security definer
  set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select
      lot.id, lot.account_id, lot.operator_id, lot.event_id, lot_no,
      lot.account_id = me,
      lot.operator_id = me,
      case when lot.account_id = me then lot.vehicle_id end,
      card_of(lot.account_id, lot.vehicle_id),
      party_of(lot.account_id, lot.status = 'Satıldı' and leader_id = me),
      currency, start_price_minor, min_increment_minor,
      -- Seller and operator know the reserve price.
      case when me in (lot.account_id, lot.operator_id) then reserve_price_minor end,
      reserve_price_minor is not null,
      bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor),
      lot.status, current_bid_minor, bid_count, leader_alias_no,
      mine.alias_no is not null,
      mine.highest_minor,
      coalesce(leader_id = me, false),
      opened_at, ended_at, chain_head,
      case when lot.status in ('Satıldı', 'Bozuldu') and me in (lot.account_id, leader_id)
        then party_of(leader_id, lot.status = 'Satıldı' and lot.account_id = me) end,
      lot.created_at, lot.updated_at, business_now()
    from (select current_account() as me) caller
    cross join live_lots lot
    join live_events event on event.id = lot.event_id
    left join auction_bidders mine on mine.account_id = me and mine.item_id = lot.id
    where lot.id = wanted and (me in (lot.account_id, lot.operator_id) or dealers_meet(event.is_demo, event.world_id, me));
end $$;

create or replace function live_lots_page(wanted_event uuid, wanted_status text, walks boolean, after_at timestamptz, after_id uuid, rows integer, skipped integer)
  returns table (id uuid, position_at timestamptz)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select chosen.id, chosen.created_at from (
    select lot.id, lot.created_at, row_number() over (order by case when walks then null else lot_no end, lot.created_at desc, lot.id desc) as place
    from live_lots lot where lot.event_id = wanted_event and is_in_my_world(lot.account_id) and (wanted_status is null or lot.status = wanted_status)
      and (after_id is null or (lot.created_at, lot.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

create or replace function lock_bidding(wanted uuid, is_lot boolean, amount bigint)
  returns table (seller_id uuid, is_own boolean, is_leader boolean, status text, starts_at timestamptz, ends_at timestamptz, extension_count integer, start_price_minor bigint, min_increment_minor bigint, current_bid_minor bigint, bid_count integer, alias_no integer, chain_head text, reserve_met boolean, would_meet_reserve boolean, at timestamptz)
  language plpgsql
  security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
as $$
declare
  me uuid := current_account();
  item record;
begin
  -- Step 1: lock the item. Bids on one item are accepted one after the other from here to the end of the transaction.
  if is_lot then
    select lot.account_id, lot.operator_id, lot.status, null::timestamptz as starts_at, null::timestamptz as ends_at,
        null::integer as extension_count, lot.start_price_minor, lot.min_increment_minor, lot.reserve_price_minor,
        lot.current_bid_minor, lot.leader_id, lot.last_bid_at, lot.bid_count, lot.bidder_count, lot.chain_head
      into item from live_lots lot
      where lot.id = wanted
        and exists (select from live_events event where event.id = lot.event_id and dealers_meet(event.is_demo, event.world_id, me))
      for update;
  else
    select auction.account_id, auction.account_id as operator_id, auction.status, auction.starts_at, auction.ends_at,
        auction.extension_count, auction.start_price_minor, auction.min_increment_minor, auction.reserve_price_minor,
        auction.current_bid_minor, auction.leader_id, auction.last_bid_at, auction.bid_count, auction.bidder_count, auction.chain_head
      into item from network_auctions auction
      where auction.id = wanted and dealers_meet(auction.is_demo, auction.world_id, me)
      for update;
  end if;
  if not found then return; end if;

  -- Step 2: return what the bid is judged by. The reserve price itself is not returned.
  return query select
    item.account_id,
    me in (item.account_id, item.operator_id),
    coalesce(item.leader_id = me, false),
    item.status, item.starts_at, item.ends_at, item.extension_count,
    item.start_price_minor, item.min_increment_minor, item.current_bid_minor, item.bid_count,
    -- The bidder's number from an earlier bid on this item, or the next free one.
    coalesce(
      (select bidder.alias_no from auction_bidders bidder where bidder.account_id = me and bidder.item_id = wanted),
      item.bidder_count + 1),
    item.chain_head,
    item.bid_count > 0 and (item.reserve_price_minor is null or item.current_bid_minor >= item.reserve_price_minor),
    item.reserve_price_minor is null or amount >= item.reserve_price_minor,
    -- The time of the bid: read under the lock and never before the previous bid.
    greatest(business_now(), item.last_bid_at);
end $$;

create or replace function lots_of_event(wanted uuid)
  returns table (id uuid, seller_id uuid, vehicle_id uuid, lot_no integer, status text)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select id, account_id, vehicle_id, lot_no, status from live_lots where event_id = wanted and is_in_my_world(account_id) order by lot_no $$;

create or replace function network_auction_seen(wanted uuid)
  returns table (id uuid, seller_id uuid, is_seller boolean, vehicle_id uuid, card json, seller json, title text, currency text, start_price_minor bigint, min_increment_minor bigint, reserve_price_minor bigint, has_reserve boolean, reserve_met boolean, starts_at timestamptz, ends_at timestamptz, original_ends_at timestamptz, extension_count integer, status text, result text, ended_at timestamptz, current_bid_minor bigint, leader_alias_no integer, bid_count integer, chain_head text, is_bidder boolean, my_highest_minor bigint, is_leader boolean, winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language plpgsql
  security definer
  set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  return query
    select
      auction.id,
      auction.account_id,
      auction.account_id = me,
      -- Only the seller can open the car by its id.
      case when auction.account_id = me then auction.vehicle_id end,
      card_of(auction.account_id, auction.vehicle_id),
      -- The winner gets the seller's phone number.
      party_of(auction.account_id, result = 'Satıldı' and leader_id = me),
      title, currency, start_price_minor, min_increment_minor,
      -- The reserve price is secret; everybody sees whether there is one and whether it is met.
      case when auction.account_id = me then reserve_price_minor end,
      reserve_price_minor is not null,
      bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor),
      starts_at, ends_at, original_ends_at, extension_count, status, result, ended_at,
      current_bid_minor, leader_alias_no, bid_count, chain_head,
      mine.alias_no is not null,
      mine.highest_minor,
      coalesce(leader_id = me, false),
      -- After the sale, seller and winner see the winner, and the seller gets the winner's phone number.
      case when result in ('Satıldı', 'Bozuldu') and me in (auction.account_id, leader_id)
        then party_of(leader_id, result = 'Satıldı' and auction.account_id = me) end,
      auction.created_at, auction.updated_at, business_now()
    from (select current_account() as me) caller
    cross join network_auctions auction
    left join auction_bidders mine on mine.account_id = me and mine.item_id = auction.id
    where auction.id = wanted and (auction.account_id = me or dealers_meet(auction.is_demo, auction.world_id, me));
end $$;

create or replace function network_auctions_page(wanted_status text, wanted_role text, wanted_brand text, wanted_currency text, before timestamptz, walks boolean, after_at timestamptz, after_id uuid, rows integer, skipped integer)
  returns table (id uuid, position_at timestamptz)
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  with me as (select id, is_demo, world_id from accounts where id = current_account())
  select chosen.id, chosen.created_at from (
    select auction.id, auction.created_at, row_number() over (order by
      case when walks then 0 when auction.status = 'Canlı' then 1 when auction.status = 'Planlandı' then 2 else 3 end,
      case when walks then null when auction.status = 'Canlı' then auction.ends_at when auction.status = 'Planlandı' then auction.starts_at end,
      case when walks then auction.created_at else auction.ended_at end desc, auction.id desc) as place
    from network_auctions auction, me
    where auction.is_demo = me.is_demo and auction.world_id is not distinct from me.world_id and (wanted_status is null or auction.status = wanted_status)
      and (wanted_role is null or role_in(auction.account_id, auction.id) = wanted_role)
      and (wanted_currency is null or auction.currency = wanted_currency) and (before is null or auction.ends_at < before)
      and (wanted_brand is null or exists (select from vehicles where vehicles.account_id = auction.account_id and vehicles.id = auction.vehicle_id
        and fold_tr(brand) = fold_tr(wanted_brand)))
      and (after_id is null or (auction.created_at, auction.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

create or replace function party_of(dealer uuid, with_phone boolean)
  returns json
  language plpgsql
  stable security definer
  set search_path = public, pg_temp
as $$
begin
  return (
    select case
      when with_phone then json_build_object('account_id', id, 'name', name, 'city', city, 'phone', phone)
      else json_build_object('account_id', id, 'name', name, 'city', city)
    end
    from accounts where id = dealer and is_in_my_world(dealer));
end $$;

create or replace function sides_of_event(wanted uuid)
  returns setof uuid
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select account_id from live_events where id = wanted and is_in_my_world(account_id)
  union select account_id from live_lots where event_id = wanted and is_in_my_world(account_id)
  union select bidder.account_id from live_lots lot join auction_bidders bidder on bidder.item_id = lot.id where lot.event_id = wanted
    and is_in_my_world(bidder.account_id) $$;

create or replace function take_bid()
  returns trigger
  language plpgsql
  security definer
  set search_path = public, pg_temp
  set enable_seqscan = off
as $$
declare
  item record;
  known integer;
  alias integer;
  is_valid boolean;
  extends_end boolean := false;
begin
  -- Step 1: read the item under its lock, which lock_bidding took earlier in this transaction.
  if new.is_lot then
    select account_id, operator_id, status = 'Açık' as is_open, null::timestamptz as ends_at, start_price_minor, min_increment_minor,
        current_bid_minor, leader_id, last_bid_at, bid_count, bidder_count, chain_head
      into item from live_lots where id = new.item_id for update;
  else
    select account_id, account_id as operator_id,
        status = 'Canlı' and starts_at <= new.placed_at and new.placed_at < ends_at as is_open, ends_at, start_price_minor,
        min_increment_minor, current_bid_minor, leader_id, last_bid_at, bid_count, bidder_count, chain_head
      into item from network_auctions where id = new.item_id for update;
  end if;

  -- Step 2: bidders have numbers in the order of their first bids ('Katılımcı 1', 'Katılımcı 2', …).
  select alias_no into known from auction_bidders where account_id = new.account_id and item_id = new.item_id;
  alias := coalesce(known, item.bidder_count + 1);

  -- Step 3: judge the bid. The application has judged it too; the database accepts no bid that breaks a rule from any caller.
  is_valid :=
    item.is_open
    and is_in_my_world(item.account_id)
    -- Seller and operator do not bid on their own item, and the leader does not outbid itself.
    and new.account_id not in (item.account_id, item.operator_id)
    and new.account_id is distinct from item.leader_id
    -- The bid is the next one and carries the bidder's number.
    and new.bid_seq = item.bid_count + 1
    and new.alias_no = alias
    -- The first bid is at least the start price, a later one at least one step above the highest.
    and new.amount_minor >= coalesce(item.current_bid_minor + item.min_increment_minor, item.start_price_minor)
    -- Its time is not before the previous bid and is the database's time.
    and (item.last_bid_at is null or new.placed_at >= item.last_bid_at)
    and abs(extract(epoch from new.placed_at - business_now())) < 60
    -- Its link continues the chain: SHA-256 over the previous link, number, amount, name and time, one per line.
    and new.chain = encode(sha256(convert_to(concat_ws(E'\n', item.chain_head, new.bid_seq::text, money_text(new.amount_minor),
      'Katılımcı ' || alias, utc_text(new.placed_at)), 'UTF8')), 'hex');
  if not coalesce(is_valid, false) then
    raise exception 'the bid breaks a rule of bidding' using errcode = '23514', constraint = 'auction_bids_rules';
  end if;

  -- Step 4: remember the bidder's number and highest bid.
  insert into auction_bidders (account_id, item_id, alias_no, highest_minor)
    values (new.account_id, new.item_id, alias, new.amount_minor)
    on conflict (account_id, item_id) do update set highest_minor = excluded.highest_minor;

  -- Step 5: the bid is now the highest of its item. An auction with 120 seconds or less to go ends 120 seconds after the bid.
  if new.is_lot then
    update live_lots set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias,
      last_bid_at = new.placed_at, bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain,
      updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  else
    extends_end := item.ends_at - new.placed_at <= interval '120 seconds';
    update network_auctions set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias,
      last_bid_at = new.placed_at, bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain,
      ends_at = case when extends_end then new.placed_at + interval '120 seconds' else ends_at end,
      extension_count = extension_count + extends_end::int, updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  end if;
  return null;
end $$;

create or replace function car_named(owner uuid, vehicle uuid)
  returns text
  language sql
  stable security definer
  set search_path = public, pg_temp
as $$
  select concat_ws(' ', model_year, brand, model) from vehicles where account_id = owner and id = vehicle
    and exists (select from accounts where accounts.id = owner and (world_id is null or current_setting('app.worlds', true) = 'on')) $$;

-- allow contract: only the functions above called it
drop function dealers_meet(boolean, uuid);
