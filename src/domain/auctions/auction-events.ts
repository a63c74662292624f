// Events and notifications of an accepted bid for the sides of an auction or lot. One statement (`tell_bid`)
// emits them, however many sides there are (docs/decisions/0050-auctions.md).
import type { Db } from '../../kit/db.ts';
import { newEventId, newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { writtenSum } from '../formats/written.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import { eventTail } from '../writes/outbox.ts';
import type { AuctionBid, LotBid } from './bids.ts';
import { type SeenLot, showLot } from './live-lot.ts';
import { type SeenAuction, showAuction } from './network-auction.ts';

export const biddersOf = async (db: Db, id: string): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select bidders_of as id from bidders_of(${id})`)).map((bidder) => bidder.id);

/** A placeholder where the sides get different values. The database cannot store this character, so no other text contains it. */
const SLOT = '\u0000';
const SLOT_JSON = JSON.stringify(SLOT);

/** What each side sees after the bid, and whether the bid moved the end. */
export interface BidPlacedEvent {
  readonly seen: SeenAuction | SeenLot;
  readonly bid: Omit<AuctionBid, 'bidder'> | Omit<LotBid, 'bidder'>;
  readonly isExtended: boolean;
}

/** Sent without waiting, with the last statements of the write. It raises the version of every side, the bidder's included. */
export function emitBidPlaced({ db, now, realNow, requestId, raisesVersion }: Work, event: BidPlacedEvent): void {
  const { bid, isExtended } = event;
  const { titles, bodies } = noticeOf(event);
  db.send(sql`select tell_bid(${bid.id}, ${piecesFor(event, requestId)}::text[], ${isExtended}, ${newEventId(now.getTime())},
    ${newId(now.getTime())}, ${titles}::text[], ${bodies}::text[], ${requestId}, ${now}, ${realNow})`);
  const [resource, path] = resourceOf(event);
  raisesVersion({ kind: `${resource}.bid_placed`, id: event.seen.id, path });
}

function resourceOf({ seen }: BidPlacedEvent): readonly ['live_lot' | 'network_auction', string] {
  const { id } = seen;
  return 'lot_no' in seen ? ['live_lot', `live-auctions/lots/${id}`] : ['network_auction', `network-auctions/${id}`];
}

function piecesFor(placed: BidPlacedEvent, requestId: string | null): string[] {
  const { seen, bid } = placed;
  const [resource, path] = resourceOf(placed);
  const shown = 'lot_no' in seen ? showLot(seen, NO_LINKS) : showAuction(seen, NO_LINKS);
  const differs = { vehicle_id: SLOT, my_role: SLOT, reserve_price: SLOT, my_highest_bid: SLOT, am_i_leading: SLOT };
  const object = { ...shown, ...differs, bid: { ...bid, is_mine: SLOT } };
  const event = { kind: `${resource}.bid_placed`, id: seen.id, path, object } as const;
  return eventTail(event, requestId).split(SLOT_JSON);
}

/** For the former leader, in both languages: the database knows which one to use. */
function noticeOf({ seen, bid }: BidPlacedEvent): { titles: string[]; bodies: string[] } {
  const { brand, model, model_year } = seen.card;
  const car = `${model_year} ${brand} ${model}`;
  const { en, tr } = writtenSum(bid.amount, seen.currency);
  return {
    titles: ['You have been outbid', 'Peyiniz geçildi'],
    bodies: [`${car}: the highest bid is now ${en}.`, `${car}: en yüksek pey artık ${tr}.`],
  };
}
