// Invariants of auctions and lots, queried over the whole database without row-level security, and from the services' replies.
import { firstBroken } from '../../src/domain/auctions/bid-rules.ts';
import { ask, dataOf } from './ask.ts';
import type { AuctionTable } from './auction-bidders.ts';
import { gapsIn } from './history.ts';
import type { World } from './world.ts';

/** Auctions and lots alike. */
const ITEMS = `items as (
  select account_id as seller, id, vehicle_id, status, result = 'Satıldı' as is_sold, leader_id, current_bid_minor, bid_count, start_price_minor,
    min_increment_minor, reserve_price_minor, ends_at, ended_at, extension_count, 'network_auction' as kind, 'İhale' as held_as, 'ended' as closing from network_auctions
  union all
  select account_id, id, vehicle_id, status, status = 'Satıldı', leader_id, current_bid_minor, bid_count, start_price_minor, min_increment_minor,
    reserve_price_minor, null, ended_at, 0, 'live_lot', 'Canlı Müzayede', case status when 'Satıldı' then 'sold' else 'unsold' end from live_lots),
  bids as (select b.*, lag(amount_minor) over w as before, lag(account_id) over w as former, lag(placed_at) over w as placed_before,
    row_number() over w as place from auction_bids b window w as (partition by item_id order by bid_seq, placed_at, id))`;

/** Each returns no rows, or the violations. */
const CHECKS: Readonly<Record<string, string>> = {
  'it has not ended': `select id, status from items where status not in ('Bitti', 'Satıldı', 'Satılmadı') or ended_at is null`,
  'bids are not numbered 1, 2, 3': `select item_id, bid_seq, place from bids where bid_seq <> place
    union all select id, bid_count, (select count(*) from bids where item_id = items.id) from items
      where bid_count <> (select count(*) from bids where item_id = items.id)`,
  'a bid is not a step above the one before': `select item_id, bid_seq, amount_minor, before from bids join items on items.id = item_id
    where amount_minor < coalesce(before + min_increment_minor, start_price_minor)`,
  'a bidder outbid themselves, or time went backwards': `select item_id, bid_seq from bids where former = account_id or placed_at < placed_before`,
  'the seller has bid': `select item_id from bids join items on items.id = item_id where bids.account_id = seller`,
  'a bid came after the end': `select item_id, bid_seq, placed_at, ended_at from bids join items on items.id = item_id
    where placed_at > ended_at`,
  'the winner is not who bid most': `select id, leader_id, current_bid_minor from items where bid_count > 0 and (leader_id, current_bid_minor) is distinct from
    (select (account_id, amount_minor) from bids where item_id = items.id order by amount_minor desc limit 1)`,
  'it was sold although the reserve was not met, or not sold although it was': `select id, is_sold from items
    where is_sold <> (bid_count > 0 and (reserve_price_minor is null or current_bid_minor >= reserve_price_minor))`,
  'the vehicle is not held for the winner, or held without one': `select items.id, v.status, is_sold from items
    join vehicles v on v.account_id = seller and v.id = vehicle_id
    where v.status <> case when is_sold then 'Rezerve' else 'Stokta' end or is_sold::int <> (select count(*) from reservations r where r.account_id = seller
      and r.vehicle_id = items.vehicle_id and r.status = 'Aktif' and r.kind = held_as and r.source_id = items.id and r.counterparty_id = leader_id)
      or is_sold::int <> (select count(*) from reservations r where r.account_id = seller and r.vehicle_id = items.vehicle_id)`,
  'the seller did not receive each bid once, in order, and then the end once': `select id, received from items
    cross join lateral (select string_agg(case split_part(e.kind, '.', 2) when 'bid_placed' then payload::json #>> '{data,object,bid,bid_seq}' else 'end' end, ' '
      order by sequence) as received from events e where account_id = seller and resource_id = items.id and e.kind in (items.kind || '.bid_placed', items.kind || '.' || closing)) t
    where received is distinct from (select string_agg(n::text, ' ' order by n) || ' end' from generate_series(1, bid_count) n) and bid_count > 0`,
  'a bidder did not receive each bid after their first, once and in order': `select items.id, b.account_id, received from items
    join auction_bidders b on b.item_id = items.id
    cross join lateral (select string_agg(case split_part(e.kind, '.', 2) when 'bid_placed' then payload::json #>> '{data,object,bid,bid_seq}' else 'end' end, ' '
      order by sequence) as received from events e where account_id = b.account_id and resource_id = items.id and e.kind in (items.kind || '.bid_placed', items.kind || '.' || closing)) t
    where received is distinct from (select string_agg(n::text, ' ' order by n) || ' end'
      from generate_series((select min(bid_seq) from bids where item_id = items.id and account_id = b.account_id), bid_count) n)`,
  'outbid, won or lost were not emitted as often as they happened': `select items.id, b.account_id, outbid, won, lost from items join auction_bidders b on b.item_id = items.id
    cross join lateral (select count(*) filter (where e.kind = items.kind || '.outbid') as outbid, count(*) filter (where e.kind = items.kind || '.won') as won,
      count(*) filter (where e.kind = items.kind || '.lost') as lost from events e where e.account_id = b.account_id and e.resource_id = items.id) t
    where outbid <> (select count(*) from bids where item_id = items.id and former = b.account_id)
      or won <> (is_sold and leader_id = b.account_id)::int or lost <> (items.kind = 'network_auction' and not (is_sold and leader_id = b.account_id))::int
      or outbid <> (select count(*) from notifications n where n.account_id = b.account_id and n.resource_id = items.id and n.kind = items.kind || '.outbid')`,
  'the end moved without a matching event': `select id, extension_count from items where extension_count <>
    (select count(*) from events e where e.account_id = seller and e.resource_id = items.id and e.kind = 'network_auction.extended')`,
};

/** At most three of each kind. */
export async function brokenAuctions(world: World, { accepted }: AuctionTable): Promise<string[]> {
  const found: string[] = [];
  for (const [what, text] of Object.entries(CHECKS))
    for (const row of (await world.query(`with ${ITEMS} ${text}`)).slice(0, 3))
      found.push(`${what}: ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}`);
  const stored = new Map(
    (
      await world.query<{ item_id: string; bid_seq: number; text: string }>(
        `select item_id, bid_seq, concat_ws(' ', account_id, money_text(amount_minor), chain) as text from auction_bids`,
      )
    ).map(({ item_id, bid_seq, text }) => [`${item_id} ${bid_seq}`, text]),
  );
  for (const { item, seq, bidder, amount, chain } of accepted)
    if (stored.get(`${item.id} ${seq}`) !== `${bidder} ${amount} ${chain}`)
      found.push(`bid ${seq} of ${amount} on ${item.id} was acknowledged, and is not what is stored`);
  for (const { accountId } of world.dealers) found.push(...(await gapsIn(world, accountId)));
  return found;
}

type Log = Parameters<typeof firstBroken>[1][number][];

/** The hash chain of each is valid as a bidder reads it, and seller and bidders receive the same result. */
export async function brokenLogs({ query }: World, { items, api, bidders, seller }: AuctionTable): Promise<string[]> {
  const found: string[] = [];
  const read = async (key: string, path: string) => {
    const answer = await ask(api(), { method: 'GET', path, key });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return dataOf(answer);
  };
  const { key } = bidders[0]!;
  const logOf = async (id: string): Promise<Log> => {
    const log: Log = [];
    for (let offset = 0; ; offset += 100) {
      const page = (await read(key, `network-auctions/${id}/bids?limit=100&offset=${offset}`)) as Log;
      log.push(...page);
      if (page.length < 100) return log.toReversed();
    }
  };
  // The API returns the last twenty of a lot.
  const logOfLot = (id: string): Promise<Log> =>
    query(
      `select bid_seq, money_text(amount_minor) as amount, 'Katılımcı ' || alias_no as bidder_alias, utc_text(placed_at) as placed_at, chain
       from auction_bids where item_id = $1 order by bid_seq`,
      [id],
    );
  for (const { id, isLot } of items) {
    const broken = firstBroken(id, await (isLot ? logOfLot(id) : logOf(id)));
    if (broken !== null) found.push(`the chain of ${id} breaks at bid ${broken}`);
    if (isLot) continue;
    const results = [await read(seller.key, `network-auctions/${id}/winner`), await read(key, `network-auctions/${id}/winner`)];
    if (results[0].sold !== results[1].sold || results[0].amount !== results[1].amount) found.push(`${id} has two results`);
  }
  return found;
}
