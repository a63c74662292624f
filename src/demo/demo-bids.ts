// Bids in the auctions and lots of the demonstration, placed as any bid is: with their chain, events and notifications.

import { nextMinimum } from '../domain/auctions/bid-rules.ts';
import { findLot } from '../domain/auctions/live-lot.ts';
import { bidOnLot } from '../domain/auctions/live-lot-writes.ts';
import { findAuction } from '../domain/auctions/network-auction.ts';
import { bidInAuction } from '../domain/auctions/network-auction-writes.ts';
import { NO_LINKS } from '../domain/parties/vehicle-card.ts';
import { SYSTEM, type Writer } from '../domain/writes/write.ts';
import { own, sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { demoAuctionIds } from './demo-auctions.ts';
import type { DemoDealer } from './demo-dealer.ts';

interface DemoBidding {
  readonly id: string;
  readonly isLot: boolean;
  /** One bid each, in this order. The last is not the first dealer, so that there is something for them to bid on. */
  readonly bidders: readonly DemoDealer[];
}

const SHOWING = { linkTo: NO_LINKS, isDry: false };

/** For the first three dealers. Auctions and lots that have a bid already are left as they are. */
export async function loadDemoBids(writer: Writer, dealers: readonly DemoDealer[], now: Date): Promise<void> {
  const [first, second, third] = dealers;
  if (first === undefined || second === undefined || third === undefined) return;
  const ids = demoAuctionIds(first);
  const biddings: readonly DemoBidding[] = [
    { id: ids.auction_id, isLot: false, bidders: [third, first, third] },
    { id: ids.own_auction_id, isLot: false, bidders: [second, third, second, third] },
    { id: ids.bid_lot_id, isLot: true, bidders: [first, third] },
    { id: ids.open_lot_id, isLot: true, bidders: [third] },
  ];
  for (const bidding of biddings) await bidAll(writer, bidding, now);
}

async function bidAll(writer: Writer, { id, isLot, bidders }: DemoBidding, now: Date): Promise<void> {
  for (const [place, dealer] of bidders.entries()) {
    const account = await writer.database.inTenant(dealer.id, 'read', (db) =>
      db.one<{ id: string; timezone: string }>(sql`select id, timezone from ${own('accounts')}`),
    );
    const isPlaced = await writer.write({ dataSet: dealer.id, account, actor: SYSTEM, now }, (work) =>
      bidOnce(work, { id, isLot }, place),
    );
    if (!isPlaced) return;
  }
}

/** False if the item has another number of bids already. */
export async function bidOnce(work: Work, { id, isLot }: Omit<DemoBidding, 'bidders'>, place: number): Promise<boolean> {
  const [seen] = isLot ? await findLot(work.db, id) : await findAuction(work.db, id);
  if (seen?.bid_count !== place) return false;
  const { start_price_minor: start, min_increment_minor: step, current_bid_minor: current } = seen;
  // Sometimes a bidder offers more than the minimum.
  const amount = nextMinimum({ start, step, current }) + (place % 2 === 0 ? 0n : 2n * step);
  if (isLot) await bidOnLot(work, id, amount, SHOWING);
  else await bidInAuction(work, id, amount, SHOWING);
  return true;
}
