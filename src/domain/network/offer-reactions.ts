// Effects on offers when the car leaves stock, its listing closes, the reservation of an agreement ends, or the offer expires.
import type { Db } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import { withSides } from '../parties/sides.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { lockCars } from './network-cars.ts';
import { lockOffers, OFFER_COLUMNS, type StoredOffer } from './offer.ts';
import { emitOfferEvents, settle } from './offer-events.ts';

/** `work` is the car owner's; the car is locked. */
async function rejectOpen(work: Work, where: Sql, reason: 'vehicle_unavailable' | 'listing_closed'): Promise<void> {
  const open = await lockOffers(work.db, sql`status = 'Beklemede' and ${where}`);
  if (open.length === 0) return;
  for (const offer of open) await settle(work, offer, 'Reddedildi', { reject_reason: reason });
  const buyers = open.map(({ buyer_id }) => buyer_id);
  await withSides(work, buyers, async (of) => {
    const notifies = { sides: ['buyer'], kind: 'network_offer.rejected' } as const;
    for (const offer of open) await emitOfferEvents(of, offer, 'Beklemede', { verb: 'rejected', notifies });
  });
}

export const rejectNetworkOffersOnCar = (
  work: Work,
  { id }: { readonly id: string },
  _how: { readonly except: string | null },
): Promise<void> => rejectOpen(work, sql`vehicle_id = ${id}`, 'vehicle_unavailable');

export const rejectNetworkOffersOnListing = (work: Work, { id }: { readonly id: string }): Promise<void> =>
  rejectOpen(work, sql`listing_id = ${id}`, 'listing_closed');

/** The car that was reserved for the buyer is sold, or released. */
export async function settleOffer(work: Work, { kind, source_id, outcome }: EndedReservation): Promise<void> {
  if (kind !== 'Ağ Teklifi' || source_id === null) return;
  const [offer] = await lockOffers(work.db, sql`id = ${source_id} and status = 'Kabul Edildi'`);
  if (offer === undefined) return;
  const isKept = outcome === 'completed';
  await settle(work, offer, isKept ? 'Tamamlandı' : 'Bozuldu');
  // The buyer is notified that the car is no longer reserved; a completed handover needs no notification.
  const undone = { verb: 'fell_through', notifies: { sides: ['buyer'], kind: 'network_offer.fell_through' } } as const;
  await withSides(work, [offer.buyer_id], (of) =>
    emitOfferEvents(of, offer, 'Kabul Edildi', isKept ? { verb: 'completed' } : undone),
  );
}

/** The maximum number in one transaction; the rest is due again at once. */
const MOST_AT_ONCE = 200;

export const dueNetworkOffers = ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${eitherPartyRows('network_offers')} where status = 'Beklemede' and expires_at <= ${now} and ${without(skip)}
      order by expires_at, id limit ${MOST_AT_ONCE}`,
  );

/** They end for both sides, whichever data set is processed first. */
export async function expireNetworkOffers(work: Work, ids: readonly string[]): Promise<void> {
  const due = await work.db.rows<StoredOffer>(sql`select ${OFFER_COLUMNS} from ${eitherPartyRows('network_offers')}
    where id = any(${ids}::uuid[]) and status = 'Beklemede' and expires_at <= ${work.now} order by expires_at, id`);
  if (due.length === 0) return;
  await withSides(
    work,
    due.flatMap(({ account_id, buyer_id }) => [account_id, buyer_id]),
    async (of) => {
      await lockCars(
        of,
        due.map(({ account_id, vehicle_id }) => ({ owner: account_id, id: vehicle_id })),
      );
      for (const { account_id, id } of due) {
        const seller = of(account_id);
        const [offer] = await lockOffers(seller.db, sql`id = ${id} and status = 'Beklemede' and expires_at <= ${work.now}`);
        if (offer === undefined) continue;
        await settle(seller, offer, 'Süresi Doldu');
        const notifies = { sides: ['seller', 'buyer'], kind: 'network_offer.expired' } as const;
        await emitOfferEvents(of, offer, 'Beklemede', { verb: 'expired', notifies });
      }
    },
  );
}

export async function nextNetworkOfferEnd(db: Db, _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select min(expires_at) as at from ${eitherPartyRows('network_offers')} where status = 'Beklemede' and ${without(skip)}`,
  );
  return at;
}
