-- A bid tells its sides itself, in its own transaction (docs/decisions/0053-a-bid-tells-its-sides.md). Before, it left its news for a worker.
drop table auction_news;

-- What is bid on is looked at before it is locked, so that the lock is held shorter; what bids change of it comes with the lock.
drop function lock_bidding(uuid, boolean, bigint);
create function lock_bidding(wanted uuid, is_lot boolean, amount bigint) returns table (seller_id uuid, is_own boolean, is_leader boolean,
    status text, starts_at timestamptz, ends_at timestamptz, extension_count integer, start_price_minor bigint,
    min_increment_minor bigint, current_bid_minor bigint, bid_count integer, alias_no integer, chain_head text, reserve_met boolean, would_meet_reserve boolean, at timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  me uuid := current_account();
  item record;
begin
  if is_lot then
    select lot.account_id, lot.operator_id, lot.status, null::timestamptz as starts_at, null::timestamptz as ends_at, null::integer as extension_count,
      lot.start_price_minor, lot.min_increment_minor, lot.reserve_price_minor, lot.current_bid_minor, lot.leader_id, lot.last_bid_at, lot.bid_count, lot.bidder_count,
      lot.chain_head into item from live_lots lot
      where lot.id = wanted and exists (select from live_events event where event.id = lot.event_id and dealers_meet(event.is_demo, me)) for update;
  else
    select auction.account_id, auction.account_id as operator_id, auction.status, auction.starts_at, auction.ends_at, auction.extension_count,
      auction.start_price_minor, auction.min_increment_minor, auction.reserve_price_minor, auction.current_bid_minor, auction.leader_id, auction.last_bid_at, auction.bid_count,
      auction.bidder_count, auction.chain_head into item from network_auctions auction
      where auction.id = wanted and dealers_meet(auction.is_demo, me) for update;
  end if;
  if not found then return; end if;
  return query select item.account_id, me in (item.account_id, item.operator_id), coalesce(item.leader_id = me, false), item.status, item.starts_at,
    item.ends_at, item.extension_count, item.start_price_minor, item.min_increment_minor, item.current_bid_minor, item.bid_count,
    coalesce((select bidder.alias_no from auction_bidders bidder where bidder.account_id = me and bidder.item_id = wanted), item.bidder_count + 1),
    item.chain_head, item.bid_count > 0 and (item.reserve_price_minor is null or item.current_bid_minor >= item.reserve_price_minor),
    item.reserve_price_minor is null or amount >= item.reserve_price_minor,
    greatest(business_now(), item.last_bid_at);
end $$;

-- As before, but for the news.
create or replace function take_bid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  item record;
  known integer;
  alias integer;
  prolongs boolean := false;
begin
  if new.is_lot then
    select account_id, operator_id, status = 'Açık' as is_open, null::timestamptz as ends_at, null::integer as extension_count, start_price_minor,
      min_increment_minor, reserve_price_minor, current_bid_minor, leader_id, last_bid_at, bid_count, bidder_count, chain_head
      into item from live_lots where id = new.item_id for update;
  else
    select account_id, account_id as operator_id, status = 'Canlı' and starts_at <= new.placed_at and new.placed_at < ends_at as is_open, ends_at,
      extension_count, start_price_minor, min_increment_minor, reserve_price_minor, current_bid_minor, leader_id, last_bid_at, bid_count,
      bidder_count, chain_head
      into item from network_auctions where id = new.item_id for update;
  end if;
  select alias_no into known from auction_bidders where account_id = new.account_id and item_id = new.item_id;
  alias := coalesce(known, item.bidder_count + 1);
  if not coalesce(item.is_open and new.account_id not in (item.account_id, item.operator_id)
    and new.account_id is distinct from item.leader_id and new.bid_seq = item.bid_count + 1 and new.alias_no = alias
    and new.amount_minor >= coalesce(item.current_bid_minor + item.min_increment_minor, item.start_price_minor)
    and (item.last_bid_at is null or new.placed_at >= item.last_bid_at)
    and abs(extract(epoch from new.placed_at - business_now())) < 60
    and new.chain = encode(sha256(convert_to(concat_ws(E'\n', item.chain_head, new.bid_seq::text, money_text(new.amount_minor),
      'Katılımcı ' || alias, utc_text(new.placed_at)), 'UTF8')), 'hex'), false)
  then raise exception 'this bid does not fit what stands' using errcode = '23514', constraint = 'auction_bids_rules';
  end if;
  insert into auction_bidders (account_id, item_id, alias_no, highest_minor)
    values (new.account_id, new.item_id, alias, new.amount_minor)
    on conflict (account_id, item_id) do update set highest_minor = excluded.highest_minor;
  if new.is_lot then
    update live_lots set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias, last_bid_at = new.placed_at,
      bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain, updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  else
    prolongs := item.ends_at - new.placed_at <= interval '120 seconds';
    update network_auctions set current_bid_minor = new.amount_minor, leader_id = new.account_id, leader_alias_no = alias,
      last_bid_at = new.placed_at, bid_count = new.bid_seq, bidder_count = greatest(bidder_count, alias), chain_head = new.chain,
      ends_at = case when prolongs then new.placed_at + interval '120 seconds' else ends_at end,
      extension_count = extension_count + prolongs::int, updated_at = new.placed_at
      where account_id = item.account_id and id = new.item_id;
  end if;
  return null;
end $$;

-- Tells seller, operator and everybody who has bid of the bid that this transaction has placed. `shown` is what they are told of it, cut where
-- it differs from one to the other: the car's id, their role, the reserve, their own highest bid, whether they lead, whether the bid is theirs;
-- of what would be too long there is one piece. The data sets are held in the order in which everybody takes them.
create function tell_bid(bid uuid, shown text[], is_extended boolean, first_event text, notice uuid, titles text[], bodies text[], request text,
    at timestamptz, real_at timestamptz) returns void language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  me uuid := current_account();
  told record;
  item record;
  former uuid;
  sides uuid[];
  resource text;
begin
  select item_id, is_lot, bid_seq into told from auction_bids where account_id = me and id = bid and xmin = pg_current_xact_id()::xid;
  if not found then raise exception 'a bid is told by the transaction that places it' using errcode = '42501'; end if;
  resource := case when told.is_lot then 'live_lot' else 'network_auction' end;
  if told.is_lot then
    select account_id, operator_id, vehicle_id, reserve_price_minor into item from live_lots where id = told.item_id;
  else
    select account_id, account_id as operator_id, vehicle_id, reserve_price_minor into item from network_auctions where id = told.item_id;
  end if;
  select account_id into former from auction_bids where item_id = told.item_id and bid_seq = told.bid_seq - 1;
  select array_agg(side) into sides from (select account_id as side from auction_bidders where item_id = told.item_id
    union select item.account_id union select item.operator_id) everybody;
  perform from data_sets where id = any(sides) order by id for no key update;
  with raised as (update data_sets set version = version + 1, sequence = sequence + 1 + is_extended::int + coalesce(id = former, false)::int
      where id = any(sides) returning id as side, account_id as dealer, kind as environment,
        sequence - 1 - is_extended::int - coalesce(id = former, false)::int as number_before),
    rendered as (select raised.*, case when cardinality(shown) = 1 then shown[1] else concat(
        shown[1], case when side = item.account_id then '"' || item.vehicle_id || '"' else 'null' end,
        shown[2], case when side = item.account_id then '"seller"' when mine.item_id is null then '"viewer"' else '"bidder"' end,
        shown[3], coalesce('"' || case when side in (item.account_id, item.operator_id) then money_text(item.reserve_price_minor) end || '"', 'null'),
        shown[4], coalesce('"' || money_text(mine.highest_minor) || '"', 'null'),
        shown[5], (side = me)::text, shown[6], (side = me)::text, shown[7]) end as tail
      from raised left join auction_bidders mine on mine.account_id = side and mine.item_id = told.item_id),
    given as (select side, tail, dealer, environment, resource || '.' || verb as type,
        number_before + row_number() over (partition by side order by place) as number,
        left(first_event, -4) || lpad((row_number() over (order by side, place))::text, 4, '0') as event_id
      from rendered, (values ('bid_placed', 1), ('outbid', 2), ('extended', 3)) as verbs (verb, place)
      where place = 1 or place = 2 and side = former or place = 3 and is_extended),
    stored as (insert into events (account_id, id, sequence, kind, resource_kind, resource_id, payload, request_id, created_at)
      select side, event_id, number, type, resource, told.item_id, concat('{"id":"', event_id, '","type":"', type, '","timestamp":"', utc_text(at),
        '","api_version":"v1","account_id":"', dealer, '","environment":"', environment, '","sequence":', number, tail), request, at from given)
  insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, created_at, next_attempt_at)
    select side, gen_random_uuid(), webhooks.id, event_id, type, real_at, real_at from given
    join webhooks on webhooks.account_id = side and status = 'Aktif' and deleted_at is null and events && array['*', type, resource || '.*'];
  if former is not null then
    insert into notifications (account_id, id, kind, title, body, resource_type, resource_id, created_at)
      select former, notice, resource || '.outbid', left(case when locale = 'en' then titles[1] else titles[2] end, 200),
        left(case when locale = 'en' then bodies[1] else bodies[2] end, 2000), resource, told.item_id, at
      from data_sets join accounts on accounts.id = data_sets.account_id where data_sets.id = former;
  end if;
end $$;

do $$
declare
  made regprocedure;
begin
  foreach made in array array['lock_bidding(uuid, boolean, bigint)',
      'tell_bid(uuid, text[], boolean, text, uuid, text[], text[], text, timestamptz, timestamptz)']::regprocedure[] loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to galeri_app', made);
  end loop;
end $$;
