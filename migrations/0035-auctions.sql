-- Auctions among dealers, requests for a live event, live events with their lots, and the bids of both.

-- Business time by the database's own clock (docs/decisions/0050-auctions.md): it alone says when a bid was placed and whether an auction
-- has ended, whatever the clock of the node that asks.
create function business_now() returns timestamptz language sql volatile security definer set search_path = public, pg_temp as $$
  select date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' from test_clock $$;

-- An auction is its seller's; the others see what network_auction_seen shows them.
create table network_auctions (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  -- Of the seller: dealers of the demonstration and real ones never meet.
  is_demo boolean not null,
  vehicle_id uuid not null,
  title text not null check (length(title) between 1 and 200),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  start_price_minor bigint not null check (start_price_minor > 0 and start_price_minor < 100000000000000),
  min_increment_minor bigint not null check (min_increment_minor > 0 and min_increment_minor < 100000000000000),
  reserve_price_minor bigint check (reserve_price_minor >= start_price_minor and reserve_price_minor < 100000000000000),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  original_ends_at timestamptz not null,
  extension_count integer not null default 0 check (extension_count >= 0),
  status text not null check (status in ('Planlandı', 'Canlı', 'Bitti', 'İptal')),
  result text check (result in ('Satıldı', 'Satılmadı', 'Bozuldu')),
  end_reason text check (length(end_reason) between 1 and 500),
  ended_at timestamptz,
  current_bid_minor bigint,
  leader_id uuid,
  leader_alias_no integer,
  last_bid_at timestamptz,
  bid_count integer not null default 0,
  bidder_count integer not null default 0,
  chain_head text not null check (chain_head ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  check (ends_at > starts_at and ends_at >= original_ends_at),
  check ((extension_count = 0) = (ends_at = original_ends_at)),
  check ((status = 'Bitti') = (result is not null)),
  check ((status in ('Bitti', 'İptal')) = (ended_at is not null)),
  check ((bid_count = 0) = (current_bid_minor is null)),
  check ((bid_count = 0) = (leader_id is null)),
  check (leader_id <> account_id),
  check (current_bid_minor >= start_price_minor),
  check (result is null or result = 'Satılmadı' or bid_count > 0)
);
create unique index network_auctions_one_open on network_auctions (account_id, vehicle_id) where status in ('Planlandı', 'Canlı');
create index network_auctions_vehicle on network_auctions (account_id, vehicle_id, created_at desc);
create index network_auctions_due on network_auctions (account_id, ends_at) where status in ('Planlandı', 'Canlı');
create index network_auctions_ending on network_auctions (ends_at) where status = 'Canlı';
create index network_auctions_starting on network_auctions (starts_at) where status = 'Planlandı';
create unique index network_auctions_id on network_auctions (id);
create index network_auctions_list on network_auctions (is_demo, status, ends_at, id);
create index network_auctions_walk on network_auctions (is_demo, created_at, id);

-- A live event is its operator's.
create table live_events (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  is_demo boolean not null,
  title text not null check (length(title) between 1 and 200),
  starts_at timestamptz not null,
  status text not null default 'Planlandı' check (status in ('Planlandı', 'Canlı', 'Bitti', 'İptal')),
  cancel_reason text check (length(cancel_reason) between 1 and 500),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create unique index live_events_id on live_events (id);
create index live_events_list on live_events (is_demo, status, starts_at, id);
create index live_events_walk on live_events (is_demo, created_at, id);

create table auction_requests (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  vehicle_id uuid not null,
  -- The event that the dealer wishes; another dealer's, so no reference leads there.
  event_id uuid,
  start_price_minor bigint not null check (start_price_minor > 0 and start_price_minor < 100000000000000),
  reserve_price_minor bigint check (reserve_price_minor >= start_price_minor and reserve_price_minor < 100000000000000),
  min_increment_minor bigint check (min_increment_minor > 0 and min_increment_minor < 100000000000000),
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  note text check (length(note) between 1 and 2000),
  status text not null default 'Beklemede' check (status in ('Beklemede', 'Onaylandı', 'Reddedildi', 'İptal')),
  decision_note text check (length(decision_note) between 1 and 2000),
  decided_at timestamptz,
  lot_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  check ((status = 'Onaylandı') = (lot_id is not null)),
  check ((status in ('Onaylandı', 'Reddedildi')) = (decided_at is not null))
);
create unique index auction_requests_one_open on auction_requests (account_id, vehicle_id) where status = 'Beklemede';
create index auction_requests_list on auction_requests (account_id, created_at desc, id desc);
create index auction_requests_waiting on auction_requests (status, created_at, id);

-- A lot is its seller's.
create table live_lots (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  event_id uuid not null,
  operator_id uuid not null,
  lot_no integer not null check (lot_no between 1 and 99999),
  vehicle_id uuid not null,
  request_id uuid not null,
  currency text not null check (currency in ('TL', 'STG', 'USD', 'EUR')),
  start_price_minor bigint not null check (start_price_minor > 0 and start_price_minor < 100000000000000),
  min_increment_minor bigint not null check (min_increment_minor > 0 and min_increment_minor < 100000000000000),
  reserve_price_minor bigint check (reserve_price_minor >= start_price_minor and reserve_price_minor < 100000000000000),
  status text not null default 'Sırada' check (status in ('Sırada', 'Açık', 'Satıldı', 'Satılmadı', 'Çekildi', 'Bozuldu')),
  opened_at timestamptz,
  ended_at timestamptz,
  note text check (length(note) between 1 and 500),
  current_bid_minor bigint,
  leader_id uuid,
  leader_alias_no integer,
  last_bid_at timestamptz,
  bid_count integer not null default 0,
  bidder_count integer not null default 0,
  chain_head text not null check (chain_head ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, vehicle_id) references vehicles (account_id, id),
  foreign key (account_id, request_id) references auction_requests (account_id, id),
  check ((status in ('Sırada', 'Açık')) = (ended_at is null)),
  check (status in ('Sırada', 'Çekildi') = (opened_at is null)),
  check ((bid_count = 0) = (current_bid_minor is null)),
  check ((bid_count = 0) = (leader_id is null)),
  check (leader_id <> account_id and leader_id <> operator_id),
  check (current_bid_minor >= start_price_minor),
  check (status not in ('Satıldı', 'Bozuldu') or bid_count > 0)
);
create unique index live_lots_one_standing on live_lots (account_id, vehicle_id) where status in ('Sırada', 'Açık');
create unique index live_lots_place on live_lots (event_id, lot_no);
create unique index live_lots_one_open on live_lots (event_id) where status = 'Açık';
create unique index live_lots_id on live_lots (id);
create index live_lots_walk on live_lots (event_id, created_at, id);

-- A bid is its bidder's, for an auction or a lot of somebody else. Append-only.
create table auction_bids (
  account_id uuid not null references data_sets (id),
  id uuid not null,
  item_id uuid not null,
  is_lot boolean not null,
  bid_seq integer not null check (bid_seq > 0),
  amount_minor bigint not null check (amount_minor > 0 and amount_minor < 100000000000000),
  alias_no integer not null check (alias_no > 0),
  placed_at timestamptz not null,
  chain text not null check (chain ~ '^[0-9a-f]{64}$'),
  primary key (account_id, id)
);
create unique index auction_bids_place on auction_bids (item_id, bid_seq);
create index auction_bids_mine on auction_bids (account_id, item_id, bid_seq);

-- Under which name a dealer bids in an auction, and how far they have gone.
create table auction_bidders (
  account_id uuid not null references data_sets (id),
  item_id uuid not null,
  alias_no integer not null check (alias_no > 0),
  highest_minor bigint not null,
  primary key (account_id, item_id)
);
create unique index auction_bidders_place on auction_bidders (item_id, alias_no);

-- Accepted bids that the sides have not been told of yet: written with the bid, told by a worker or by whatever ends the auction. So a bid
-- waits for no data set but its bidder's own, however many dealers hear of it.
create table auction_news (
  account_id uuid not null references data_sets (id),
  item_id uuid not null,
  is_lot boolean not null,
  bid_seq integer not null,
  bid_id uuid not null,
  bidder_id uuid not null,
  former_leader_id uuid,
  amount_minor bigint not null,
  alias_no integer not null,
  placed_at timestamptz not null,
  chain text not null,
  -- As the bid left the auction; null of a lot.
  ends_at timestamptz,
  extension_count integer,
  is_extended boolean not null,
  reserve_met boolean not null,
  primary key (account_id, item_id, bid_seq)
);

select raise_wall(tenant::regclass) from unnest(array['network_auctions', 'live_events', 'auction_requests', 'live_lots', 'auction_bids',
  'auction_bidders', 'auction_news']) as tenant;
grant select, insert on network_auctions, live_events, auction_requests, live_lots, auction_bids to galeri_app;
grant select on auction_bidders to galeri_app;
grant select, delete on auction_news to galeri_app;
-- Prices, the reserve and what bids have made of it are nobody's to change.
grant update (status, result, end_reason, ended_at, updated_at) on network_auctions to galeri_app;
grant update (starts_at, status, cancel_reason, updated_at) on live_events to galeri_app;
grant update (event_id, start_price_minor, reserve_price_minor, min_increment_minor, note, status, decision_note, decided_at, lot_id,
  updated_at) on auction_requests to galeri_app;
grant update (lot_no, status, opened_at, ended_at, note, updated_at) on live_lots to galeri_app;

-- What administrators look at, and where the worker finds news.
create policy platform on auction_requests to galeri_platform using (true) with check (true);
create policy platform on live_events to galeri_platform using (true) with check (true);
create policy platform on live_lots to galeri_platform using (true) with check (true);
create policy platform on auction_news to galeri_platform using (true) with check (true);
grant select on auction_requests, live_events, live_lots, auction_news to galeri_platform;

-- Only along the ways there are, whoever asks.
create function check_auction_move() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status, new.status) not in (('Planlandı', 'Canlı'), ('Planlandı', 'İptal'), ('Canlı', 'Bitti'))
    or old.status = new.status and old.result is distinct from new.result and not (old.result = 'Satıldı' and new.result = 'Bozuldu')
  then raise exception 'an auction does not go from % to %', old.status, new.status using errcode = '23514', constraint = 'network_auctions_moves';
  end if;
  return new;
end $$;
create trigger moves before update on network_auctions for each row execute function check_auction_move();

create function check_lot_move() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status, new.status) not in (('Sırada', 'Açık'), ('Sırada', 'Çekildi'), ('Açık', 'Satıldı'),
      ('Açık', 'Satılmadı'), ('Satıldı', 'Bozuldu'))
    or old.lot_no <> new.lot_no and old.status <> 'Sırada'
  then raise exception 'a lot does not go from % to %', old.status, new.status using errcode = '23514', constraint = 'live_lots_moves';
  end if;
  return new;
end $$;
create trigger moves before update on live_lots for each row execute function check_lot_move();

create function check_event_move() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and (old.status, new.status) not in (('Planlandı', 'Canlı'), ('Planlandı', 'İptal'), ('Canlı', 'Bitti'), ('Canlı', 'İptal'))
  then raise exception 'an event does not go from % to %', old.status, new.status using errcode = '23514', constraint = 'live_events_moves';
  end if;
  return new;
end $$;
create trigger moves before update on live_events for each row execute function check_event_move();

create function check_request_move() returns trigger language plpgsql as $$
begin
  if old.status <> 'Beklemede'
  then raise exception 'a decided request does not change' using errcode = '23514', constraint = 'auction_requests_moves';
  end if;
  return new;
end $$;
create trigger moves before update on auction_requests for each row execute function check_request_move();

-- What holds of every bid, in the database too: it is the next one, high enough, of neither seller nor leader, before the end, and its
-- chain is right. It then becomes what stands.
create function take_bid() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  insert into auction_news (account_id, item_id, is_lot, bid_seq, bid_id, bidder_id, former_leader_id, amount_minor, alias_no, placed_at, chain,
      ends_at, extension_count, is_extended, reserve_met)
    values (item.account_id, new.item_id, new.is_lot, new.bid_seq, new.id, new.account_id, item.leader_id, new.amount_minor, alias, new.placed_at,
      new.chain, case when prolongs then new.placed_at + interval '120 seconds' else item.ends_at end,
      item.extension_count + prolongs::int, prolongs, item.reserve_price_minor is null or new.amount_minor >= item.reserve_price_minor);
  return null;
end $$;
create trigger takes after insert on auction_bids for each row execute function take_bid();

-- Dealers who may see each other's auctions.
create function dealers_meet(one_demo boolean, other uuid) returns boolean language sql stable security definer
  set search_path = public, pg_temp as $$
  select coalesce((select is_demo = one_demo from accounts where id = other), false) $$;

-- Locks what is bid on and reads the clock under the lock: what a bid of this amount is judged by. Nothing where the caller may not see it.
create function lock_bidding(wanted uuid, is_lot boolean, amount bigint) returns table (seller_id uuid, is_own boolean, is_leader boolean,
    status text, starts_at timestamptz, ends_at timestamptz, start_price_minor bigint, min_increment_minor bigint, current_bid_minor bigint,
    bid_count integer, alias_no integer, chain_head text, would_meet_reserve boolean, at timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  me uuid := current_account();
  item record;
begin
  if is_lot then
    select lot.account_id, lot.operator_id, lot.status, null::timestamptz as starts_at, null::timestamptz as ends_at, lot.start_price_minor,
      lot.min_increment_minor, lot.reserve_price_minor, lot.current_bid_minor, lot.leader_id, lot.last_bid_at, lot.bid_count, lot.bidder_count,
      lot.chain_head into item from live_lots lot
      where lot.id = wanted and exists (select from live_events event where event.id = lot.event_id and dealers_meet(event.is_demo, me)) for update;
  else
    select auction.account_id, auction.account_id as operator_id, auction.status, auction.starts_at, auction.ends_at, auction.start_price_minor,
      auction.min_increment_minor, auction.reserve_price_minor, auction.current_bid_minor, auction.leader_id, auction.last_bid_at, auction.bid_count,
      auction.bidder_count, auction.chain_head into item from network_auctions auction
      where auction.id = wanted and dealers_meet(auction.is_demo, me) for update;
  end if;
  if not found then return; end if;
  return query select item.account_id, me in (item.account_id, item.operator_id), coalesce(item.leader_id = me, false), item.status, item.starts_at,
    item.ends_at, item.start_price_minor, item.min_increment_minor, item.current_bid_minor, item.bid_count,
    coalesce((select bidder.alias_no from auction_bidders bidder where bidder.account_id = me and bidder.item_id = wanted), item.bidder_count + 1),
    item.chain_head, item.reserve_price_minor is null or amount >= item.reserve_price_minor,
    greatest(business_now(), item.last_bid_at);
end $$;

-- A dealer as others see them, and a car as its card (as the views of 0029 have them).
create function party_of(dealer uuid, with_phone boolean) returns json language sql stable security definer set search_path = public, pg_temp as $$
  select case when with_phone and phone is not null then json_build_object('account_id', id, 'name', name, 'city', city, 'phone', phone)
    else json_build_object('account_id', id, 'name', name, 'city', city) end
  from accounts where id = dealer $$;

create function card_of(owner uuid, vehicle uuid) returns json language sql stable security definer set search_path = public, pg_temp as $$
  select row_to_json(shown) from (select account_id, brand, model, model_year, km, fuel_type, transmission, body_type, color, city, photos, condition
    from vehicle_cards where account_id = owner and vehicle_id = vehicle) shown $$;

-- The winner of an auction or lot and its seller may call each other, unless it fell through.
create or replace view dealer_agreements as
  select account_id as one, buyer_id as other from network_offers where status in ('Kabul Edildi', 'Tamamlandı')
  union all
  select account_id, requester_id from trade_requests where status in ('Kabul Edildi', 'Tamamlandı')
  union all
  select account_id, leader_id from network_auctions where result = 'Satıldı'
  union all
  select account_id, leader_id from live_lots where status = 'Satıldı';
create index network_auctions_won on network_auctions (account_id, leader_id) where result = 'Satıldı';
create index live_lots_won on live_lots (account_id, leader_id) where status = 'Satıldı';

-- An auction as the dealer of this transaction may see it: the reserve and the car's id are the seller's, names are the two sides' after the end.
create function network_auction_seen(wanted uuid) returns table (id uuid, seller_id uuid, is_seller boolean, vehicle_id uuid, card json, seller json,
    title text, currency text, start_price_minor bigint, min_increment_minor bigint, reserve_price_minor bigint, has_reserve boolean,
    reserve_met boolean, starts_at timestamptz, ends_at timestamptz, original_ends_at timestamptz, extension_count integer, status text, result text,
    ended_at timestamptz, current_bid_minor bigint, leader_alias_no integer, bid_count integer, chain_head text, is_bidder boolean,
    my_highest_minor bigint, is_leader boolean, winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language sql volatile security definer set search_path = public, pg_temp as $$
  select auction.id, auction.account_id, auction.account_id = me, case when auction.account_id = me then auction.vehicle_id end,
    card_of(auction.account_id, auction.vehicle_id), party_of(auction.account_id, result = 'Satıldı' and leader_id = me), title, currency,
    start_price_minor, min_increment_minor, case when auction.account_id = me then reserve_price_minor end, reserve_price_minor is not null,
    bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor), starts_at, ends_at, original_ends_at,
    extension_count, status, result, ended_at, current_bid_minor, leader_alias_no, bid_count, chain_head, mine.alias_no is not null,
    mine.highest_minor, coalesce(leader_id = me, false),
    case when result in ('Satıldı', 'Bozuldu') and me in (auction.account_id, leader_id)
      then party_of(leader_id, result = 'Satıldı' and auction.account_id = me) end,
    auction.created_at, auction.updated_at, business_now()
  from (select current_account() as me) caller cross join network_auctions auction
  left join auction_bidders mine on mine.account_id = me and mine.item_id = auction.id
  where auction.id = wanted and (auction.account_id = me or dealers_meet(auction.is_demo, me)) $$;

create function role_in(seller uuid, item uuid) returns text language sql stable security definer set search_path = public, pg_temp as $$
  select case when seller = current_account() then 'seller'
    when exists (select from auction_bidders where account_id = current_account() and item_id = item) then 'bidder' else 'viewer' end $$;

-- Which auctions a page shows: those that run by their end, then those that will, then those that are over; a walk goes by creation.
create function network_auctions_page(wanted_status text, wanted_role text, wanted_brand text, wanted_currency text, before timestamptz,
    walks boolean, after_at timestamptz, after_id uuid, rows integer, skipped integer)
  returns table (id uuid, position_at timestamptz) language sql stable security definer set search_path = public, pg_temp as $$
  with me as (select id, is_demo from accounts where id = current_account())
  select chosen.id, chosen.created_at from (
    select auction.id, auction.created_at, row_number() over (order by
      case when walks then 0 when auction.status = 'Canlı' then 1 when auction.status = 'Planlandı' then 2 else 3 end,
      case when walks then null when auction.status = 'Canlı' then auction.ends_at when auction.status = 'Planlandı' then auction.starts_at end,
      case when walks then auction.created_at else auction.ended_at end desc, auction.id desc) as place
    from network_auctions auction, me
    where auction.is_demo = me.is_demo and (wanted_status is null or auction.status = wanted_status)
      and (wanted_role is null or role_in(auction.account_id, auction.id) = wanted_role)
      and (wanted_currency is null or auction.currency = wanted_currency) and (before is null or auction.ends_at < before)
      and (wanted_brand is null or exists (select from vehicles where vehicles.account_id = auction.account_id and vehicles.id = auction.vehicle_id
        and fold_tr(brand) = fold_tr(wanted_brand)))
      and (after_id is null or (auction.created_at, auction.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

-- Sellers in whose auctions the clock has decided something that is not written yet.
create function late_sellers(wanted uuid) returns setof uuid language sql volatile security definer set search_path = public, pg_temp as $$
  select distinct auction.account_id from network_auctions auction, business_now() as at
  where (wanted is null or auction.id = wanted)
    and (status = 'Canlı' and ends_at <= at or status = 'Planlandı' and starts_at <= at) $$;

create function bids_seen(wanted uuid, before_seq integer, rows integer, skipped integer) returns table (id uuid, bid_seq integer, amount_minor bigint,
    alias_no integer, is_mine boolean, placed_at timestamptz, chain text, bidder json)
  language sql stable security definer set search_path = public, pg_temp as $$
  select bid.id, bid.bid_seq, bid.amount_minor, bid.alias_no, bid.account_id = current_account(), bid.placed_at, bid.chain,
    case when item.winner_id = bid.account_id then party_of(bid.account_id, item.is_bound) end
  from (select case when account_id = current_account() and result in ('Satıldı', 'Bozuldu') then leader_id end as winner_id, result = 'Satıldı' as is_bound
      from network_auctions where network_auctions.id = wanted and (account_id = current_account() or dealers_meet(is_demo, current_account()))
    union all select case when lot.account_id = current_account() and lot.status in ('Satıldı', 'Bozuldu') then leader_id end, lot.status = 'Satıldı'
      from live_lots lot join live_events event on event.id = lot.event_id where lot.id = wanted and dealers_meet(event.is_demo, current_account())) item
  join auction_bids bid on bid.item_id = wanted and (before_seq is null or bid.bid_seq < before_seq)
  order by bid.bid_seq desc limit rows offset skipped $$;

-- Whom the news of an auction or lot concerns besides its seller, for the worker that tells them.
create function bidders_of(wanted uuid) returns setof uuid language sql stable security definer set search_path = public, pg_temp as $$
  select account_id from auction_bidders where item_id = wanted order by account_id $$;

create function live_event_seen(wanted uuid) returns table (id uuid, operator_id uuid, title text, starts_at timestamptz, status text, lot_count integer,
    sold_count integer, current_lot_id uuid, operator json, is_operator boolean, created_at timestamptz, updated_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
  select event.id, event.account_id, title, starts_at, status,
    (select count(*)::int from live_lots where event_id = event.id), (select count(*)::int from live_lots where event_id = event.id and live_lots.status in ('Satıldı', 'Bozuldu')),
    (select live_lots.id from live_lots where event_id = event.id and live_lots.status = 'Açık'), party_of(event.account_id, false),
    event.account_id = current_account(), event.created_at, event.updated_at
  from live_events event where event.id = wanted and (event.account_id = current_account() or dealers_meet(is_demo, current_account())) $$;

create function live_events_page(wanted_status text, from_at timestamptz, to_at timestamptz, walks boolean, after_at timestamptz, after_id uuid, rows integer,
    skipped integer) returns table (id uuid, position_at timestamptz) language sql stable security definer set search_path = public, pg_temp as $$
  with me as (select id, is_demo from accounts where id = current_account())
  select chosen.id, chosen.created_at from (
    select event.id, event.created_at, row_number() over (order by
      case when walks then 0 when status = 'Canlı' then 1 when status = 'Planlandı' then 2 else 3 end,
      case when walks then null when status in ('Canlı', 'Planlandı') then starts_at end,
      case when walks then event.created_at else starts_at end desc, event.id desc) as place
    from live_events event, me where event.is_demo = me.is_demo and (wanted_status is null or status = wanted_status)
      and (from_at is null or starts_at >= from_at) and (to_at is null or starts_at < to_at)
      and (after_id is null or (event.created_at, event.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

create function live_lot_seen(wanted uuid) returns table (id uuid, seller_id uuid, operator_id uuid, event_id uuid, lot_no integer, is_seller boolean,
    is_operator boolean, vehicle_id uuid, card json, seller json, currency text, start_price_minor bigint, min_increment_minor bigint,
    reserve_price_minor bigint, has_reserve boolean, reserve_met boolean, status text, current_bid_minor bigint, bid_count integer,
    leader_alias_no integer, is_bidder boolean, my_highest_minor bigint, is_leader boolean, opened_at timestamptz, ended_at timestamptz, chain_head text,
    winner json, created_at timestamptz, updated_at timestamptz, server_time timestamptz)
  language sql volatile security definer set search_path = public, pg_temp as $$
  select lot.id, lot.account_id, lot.operator_id, lot.event_id, lot_no, lot.account_id = me, lot.operator_id = me,
    case when lot.account_id = me then lot.vehicle_id end, card_of(lot.account_id, lot.vehicle_id),
    party_of(lot.account_id, lot.status = 'Satıldı' and leader_id = me), currency, start_price_minor, min_increment_minor,
    case when me in (lot.account_id, lot.operator_id) then reserve_price_minor end, reserve_price_minor is not null,
    bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor), lot.status, current_bid_minor, bid_count,
    leader_alias_no, mine.alias_no is not null, mine.highest_minor, coalesce(leader_id = me, false), opened_at, ended_at, chain_head,
    case when lot.status in ('Satıldı', 'Bozuldu') and me in (lot.account_id, leader_id)
      then party_of(leader_id, lot.status = 'Satıldı' and lot.account_id = me) end,
    lot.created_at, lot.updated_at, business_now()
  from (select current_account() as me) caller cross join live_lots lot join live_events event on event.id = lot.event_id
  left join auction_bidders mine on mine.account_id = me and mine.item_id = lot.id
  where lot.id = wanted and (me in (lot.account_id, lot.operator_id) or dealers_meet(event.is_demo, me)) $$;

create function live_lots_page(wanted_event uuid, wanted_status text, walks boolean, after_at timestamptz, after_id uuid, rows integer, skipped integer)
  returns table (id uuid, position_at timestamptz) language sql stable security definer set search_path = public, pg_temp as $$
  select chosen.id, chosen.created_at from (
    select lot.id, lot.created_at, row_number() over (order by case when walks then null else lot_no end, lot.created_at desc, lot.id desc) as place
    from live_lots lot where lot.event_id = wanted_event and (wanted_status is null or lot.status = wanted_status)
      and (after_id is null or (lot.created_at, lot.id) < (after_at, after_id))
    order by place limit rows offset skipped) chosen order by place $$;

-- Whose an auction, lot or event is: the first question of whoever acts on another dealer's.
create function keeper_of_lot(wanted uuid) returns table (seller_id uuid, operator_id uuid, event_id uuid, vehicle_id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select lot.account_id, lot.operator_id, lot.event_id, lot.vehicle_id from live_lots lot join live_events event on event.id = lot.event_id
  where lot.id = wanted and dealers_meet(event.is_demo, current_account()) $$;

create function keeper_of_event(wanted uuid) returns table (operator_id uuid, status text) language sql stable security definer
  set search_path = public, pg_temp as $$
  select account_id, status from live_events where id = wanted and dealers_meet(is_demo, current_account()) $$;

-- Everybody who has to do with an event: its operator, the sellers of its lots and those who bid on one.
create function sides_of_event(wanted uuid) returns setof uuid language sql stable security definer set search_path = public, pg_temp as $$
  select account_id from live_events where id = wanted
  union select account_id from live_lots where event_id = wanted
  union select bidder.account_id from live_lots lot join auction_bidders bidder on bidder.item_id = lot.id where lot.event_id = wanted $$;

create function lots_of_event(wanted uuid) returns table (id uuid, seller_id uuid, vehicle_id uuid, lot_no integer, status text) language sql stable security definer
  set search_path = public, pg_temp as $$
  select id, account_id, vehicle_id, lot_no, status from live_lots where event_id = wanted order by lot_no $$;

do $$
declare
  made regprocedure;
begin
  foreach made in array array['business_now()', 'dealers_meet(boolean, uuid)', 'lock_bidding(uuid, boolean, bigint)', 'party_of(uuid, boolean)',
      'card_of(uuid, uuid)', 'network_auction_seen(uuid)', 'role_in(uuid, uuid)', 'late_sellers(uuid)', 'bids_seen(uuid, integer, integer, integer)',
      'network_auctions_page(text, text, text, text, timestamptz, boolean, timestamptz, uuid, integer, integer)', 'bidders_of(uuid)', 'take_bid()',
      'live_event_seen(uuid)', 'live_events_page(text, timestamptz, timestamptz, boolean, timestamptz, uuid, integer, integer)', 'live_lot_seen(uuid)',
      'live_lots_page(uuid, text, boolean, timestamptz, uuid, integer, integer)', 'keeper_of_lot(uuid)', 'keeper_of_event(uuid)', 'sides_of_event(uuid)',
      'lots_of_event(uuid)']::regprocedure[] loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to galeri_app', made);
  end loop;
end $$;
grant execute on function business_now() to galeri_platform;
