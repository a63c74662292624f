-- Telling a bid locks each side by raising it, not before as well. The rest is as it was.
create or replace function tell_bid(bid uuid, shown text[], is_extended boolean, first_event text, notice uuid, titles text[], bodies text[], request text,
    at timestamptz, real_at timestamptz) returns void language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off
    set enable_bitmapscan = off as $$
declare
  me uuid := current_account();
  told record;
  item record;
  former uuid;
  sides uuid[];
  resource text;
  reserve text;
  begins text;
  about text;
  is_whole boolean := cardinality(shown) = 1;
  to_seller text := shown[1];
  to_operator text := shown[1];
  before_highest text := shown[1];
  to_me text;
  to_others text;
begin
  select item_id, is_lot, bid_seq into told from auction_bids where account_id = me and id = bid and xmin = pg_current_xact_id()::xid;
  if not found then raise exception 'a bid is told by the transaction that places it' using errcode = '42501'; end if;
  resource := case when told.is_lot then 'live_lot' else 'network_auction' end;
  if told.is_lot then
    select account_id, operator_id, vehicle_id, reserve_price_minor into item from live_lots where id = told.item_id;
  else
    select account_id, account_id as operator_id, vehicle_id, reserve_price_minor into item from network_auctions where id = told.item_id;
  end if;
  if told.bid_seq > 1 then
    select account_id into former from auction_bids where item_id = told.item_id and bid_seq = told.bid_seq - 1;
  end if;
  if not is_whole then
    reserve := coalesce('"' || money_text(item.reserve_price_minor) || '"', 'null');
    to_seller := concat(shown[1], '"', item.vehicle_id, '"', shown[2], '"seller"', shown[3], reserve, shown[4], 'null', shown[5], 'false', shown[6],
      'false', shown[7]);
    to_operator := concat(shown[1], 'null', shown[2], '"viewer"', shown[3], reserve, shown[4], 'null', shown[5], 'false', shown[6], 'false', shown[7]);
    before_highest := concat(shown[1], 'null', shown[2], '"bidder"', shown[3], 'null', shown[4], '"');
    to_me := concat('"', shown[5], 'true', shown[6], 'true', shown[7]);
    to_others := concat('"', shown[5], 'false', shown[6], 'false', shown[7]);
  end if;
  begins := concat('{"id":"', left(first_event, -4));
  about := concat('","timestamp":"', utc_text(at), '","api_version":"v1","account_id":"');
  -- The place of a side is in its events' ids: the alias of those who bid, below it seller and operator.
  select array_agg(side order by side) into sides from (select account_id as side from auction_bidders where item_id = told.item_id
    union select item.account_id union select item.operator_id) everybody;
  -- By the index of ids alone, so that they are locked in the order of ids, as every write does.
  with raised as (update data_sets set version = version + 1, sequence = sequence + 1 + is_extended::int + coalesce(id = former, false)::int
      where id = any(sides) returning id as side, account_id as dealer, kind as environment, sequence as last_number),
    placed as (select raised.*, coalesce(mine.alias_no + 1, (side <> item.account_id)::int) as place, mine.highest_minor
      from raised left join auction_bidders mine on mine.account_id = side and mine.item_id = told.item_id),
    given as (
      select placed.*, resource || '.bid_placed' as type, last_number - is_extended::int - coalesce(side = former, false)::int as number,
        lpad(to_hex(place * 4), 4, '0') as ending from placed
      union all select placed.*, resource || '.outbid', last_number - is_extended::int, lpad(to_hex(place * 4 + 1), 4, '0') from placed where side = former
      union all select placed.*, resource || '.extended', last_number, lpad(to_hex(place * 4 + 2), 4, '0') from placed where is_extended),
    stored as (insert into events (account_id, id, sequence, kind, resource_kind, resource_id, payload, request_id, created_at)
      select side, left(first_event, -4) || ending, number, type, resource, told.item_id,
        concat(begins, ending, '","type":"', type, about, dealer, '","environment":"', environment, '","sequence":', number,
          case when highest_minor is not null then before_highest when side = item.account_id then to_seller else to_operator end,
          case when highest_minor is not null and not is_whole then money_text(highest_minor) end,
          case when highest_minor is null then null when side = me then to_me else to_others end), request, at from given)
  insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, created_at, next_attempt_at)
    select side, gen_random_uuid(), webhooks.id, left(first_event, -4) || ending, type, real_at, real_at from given
    join webhooks on webhooks.account_id = side and status = 'Aktif' and deleted_at is null and events && array['*', type, resource || '.*'];
  if former is not null then
    insert into notifications (account_id, id, kind, title, body, resource_type, resource_id, created_at)
      select former, notice, resource || '.outbid', left(case when locale = 'en' then titles[1] else titles[2] end, 200),
        left(case when locale = 'en' then bodies[1] else bodies[2] end, 2000), resource, told.item_id, at
      from data_sets join accounts on accounts.id = data_sets.account_id where data_sets.id = former;
  end if;
end $$;
