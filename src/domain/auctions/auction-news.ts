// What the sides of an auction or lot are told of accepted bids. A bid leaves its news with itself; they are told here, in order and each
// as it left the auction, by a worker or by whatever ends it. So bidding waits for nobody's data set but the bidder's own.
import { allAnswers, type Db } from '../../kit/db.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addNotification, type NotificationKind } from '../notifications/notification.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import { aliasOf } from './bid-rules.ts';
import type { Item } from './bids.ts';
import { lookAtLot, type SeenLot, showLot } from './live-lot.ts';
import { lookAtAuction, type SeenAuction, showAuction } from './network-auction.ts';

export const biddersOf = async (db: Db, id: string): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select bidders_of as id from bidders_of(${id})`)).map((bidder) => bidder.id);

interface News {
  readonly bid_seq: number;
  readonly bid_id: string;
  readonly bidder_id: string;
  readonly former_leader_id: string | null;
  readonly amount_minor: bigint;
  readonly alias_no: number;
  readonly placed_at: Date;
  readonly chain: string;
  readonly ends_at: Date | null;
  readonly extension_count: number | null;
  readonly is_extended: boolean;
  readonly reserve_met: boolean;
}

/** What a side had bid before the news begin, and from which bid on it belongs to those who are told. */
interface Before {
  readonly first: number | null;
  readonly highest: bigint | null;
}

/** `seller` is the work on the seller's data set, `works` those of everybody who is told. */
export async function tellNews(works: ReadonlyMap<string, Work>, seller: Work, item: Item): Promise<void> {
  const taken = await seller.db.rows<News>(sql`delete from auction_news where account_id = ${theAccount} and item_id = ${item.id}
    returning bid_seq, bid_id, bidder_id, former_leader_id, amount_minor, alias_no, placed_at, chain, ends_at, extension_count, is_extended, reserve_met`);
  if (taken.length === 0) return;
  const news = taken.toSorted((one, other) => one.bid_seq - other.bid_seq);
  const sides = [...works.values()];
  const [seen, before] = await allAnswers([
    allAnswers(
      sides.map(({ db }): Promise<SeenAuction | SeenLot> => (item.isLot ? lookAtLot(db, item.id) : lookAtAuction(db, item.id))),
    ),
    allAnswers(sides.map(({ db }) => beforeOf(db, item.id, news[0]!.bid_seq))),
  ]);
  for (const [index, side] of sides.entries()) await tellSide(side, item, seen[index]!, before[index]!, news);
}

/** Of one auction or lot, where nothing else happens to it; `seller` is its seller's work. */
export async function tellNewsOf(seller: Work, item: Item): Promise<void> {
  const { db, account } = seller;
  const operators = item.isLot
    ? await db.rows<{ id: string }>(sql`select operator_id as id from ${own('live_lots')} where id = ${item.id}`)
    : [];
  const sides = [account.id, ...operators.map(({ id }) => id), ...(await biddersOf(db, item.id))];
  await seller.inAccounts(sides, (works) => tellNews(works, seller, item));
}

const beforeOf = (db: Db, id: string, seq: number): Promise<Before> =>
  db.one<Before>(sql`select min(bid_seq) as first, max(amount_minor) filter (where bid_seq < ${seq}) as highest
    from ${own('auction_bids')} where item_id = ${id}`);

async function tellSide(
  side: Work,
  item: Item,
  seen: SeenAuction | SeenLot,
  { first, highest }: Before,
  news: readonly News[],
): Promise<void> {
  const me = side.account.id;
  let mine = highest;
  for (const one of news) {
    if (one.bidder_id === me) mine = one.amount_minor;
    // Of what went on before their first bid a bidder is not told.
    if (first !== null && one.bid_seq < first) continue;
    const object = { ...shownAfter(seen, one, me, mine), bid: bidIn(one, item, me) };
    const emit = (verb: string) => {
      const [kind, path] = item.isLot ? ['live_lot', 'live-auctions/lots'] : ['network_auction', 'network-auctions'];
      side.emit({ kind: `${kind}.${verb}` as `${string}.${string}`, id: item.id, path: `${path}/${item.id}`, object });
    };
    emit('bid_placed');
    if (one.former_leader_id === me) {
      emit('outbid');
      await notifyOutbid(side, item, one, seen);
    }
    if (one.is_extended) emit('extended');
  }
}

/** The auction or lot as this bid left it. */
function shownAfter(seen: SeenAuction | SeenLot, news: News, me: string, mine: bigint | null) {
  const then = {
    current_bid_minor: news.amount_minor,
    leader_alias_no: news.alias_no,
    bid_count: news.bid_seq,
    chain_head: news.chain,
    reserve_met: news.reserve_met,
    is_leader: news.bidder_id === me,
    my_highest_minor: mine,
    server_time: news.placed_at,
    updated_at: news.placed_at,
    winner: null,
  };
  if ('lot_no' in seen) return showLot({ ...seen, ...then, status: 'Açık', ended_at: null }, NO_LINKS);
  const [ends_at, extension_count] = [news.ends_at!, news.extension_count!];
  return showAuction({ ...seen, ...then, ends_at, extension_count, status: 'Canlı', result: null }, NO_LINKS);
}

const bidIn = (news: News, { id, isLot }: Item, me: string) => ({
  id: news.bid_id,
  ...(isLot ? { lot_id: id } : { auction_id: id }),
  bid_seq: news.bid_seq,
  amount: formatMoney(news.amount_minor),
  bidder_alias: aliasOf(news.alias_no),
  is_mine: news.bidder_id === me,
  placed_at: news.placed_at.toISOString(),
  chain: news.chain,
});

async function notifyOutbid(side: Work, { id, isLot }: Item, news: News, seen: SeenAuction | SeenLot): Promise<void> {
  const { brand, model, model_year } = seen.card;
  const car = `${model_year} ${brand} ${model}`;
  const amount = `${formatMoney(news.amount_minor)} ${seen.currency}`;
  const kind: NotificationKind = isLot ? 'live_lot.outbid' : 'network_auction.outbid';
  await addNotification(side, {
    kind,
    title: { en: 'Somebody has bid more', tr: 'Teklifiniz geçildi' },
    body: { en: `${car}: the highest bid is now ${amount}.`, tr: `${car}: en yüksek teklif artık ${amount}.` },
    resource_type: isLot ? 'live_lot' : 'network_auction',
    resource_id: id,
  });
}
