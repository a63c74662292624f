// The end of a network auction: the result, the winner's reservation, and the events and notifications of each side, in one
// transaction.
import { allAnswers } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { writtenSum } from '../formats/written.ts';
import { addNotification, type NewNotification } from '../notifications/notification.ts';
import { holdSides, withSides } from '../parties/sides.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import { hold } from '../stock/reservations.ts';
import type { StoredVehicle } from '../stock/vehicle.ts';
import { biddersOf } from './auction-events.ts';
import { returnFromAuction } from './auction-vehicle.ts';
import { lookAtAuction, type NetworkAuction, type SeenAuction, showAuction } from './network-auction.ts';

export interface AuctionEnd {
  readonly how: 'Satıldı' | 'Satılmadı' | 'İptal';
  readonly reason: string | null;
  /** Otherwise the seller ended it, and is not notified. */
  readonly byClock: boolean;
}

/** The car and the auction are locked, and `work` is the seller's. */
export async function endAuction(work: Work, vehicle: StoredVehicle, { id }: SeenAuction, end: AuctionEnd): Promise<void> {
  const bidders = await biddersOf(work.db, id);
  const everybody = [work.account.id, ...bidders];
  await work.inAccounts(everybody, async (works) => {
    holdSides((account) => works.get(account)!, everybody);
    const { leader_id } = await work.db.one<{ leader_id: string | null }>(sql`update network_auctions
      set status = ${end.how === 'İptal' ? 'İptal' : 'Bitti'}, result = ${end.how === 'İptal' ? null : end.how},
        end_reason = ${end.reason}, ended_at = business_now(), updated_at = business_now()
      where account_id = ${theAccount} and id = ${id} returning leader_id`);
    const winner = end.how === 'Satıldı' ? leader_id : null;
    const sides = [...works.values()];
    const shown = await allAnswers(sides.map(({ db }) => lookAtAuction(db, id)));
    for (const [index, side] of sides.entries())
      await emitAuctionEnd(side, work, showAuction(shown[index]!, NO_LINKS), { ...end, winner });
    if (winner === null) await returnFromAuction(work, vehicle);
    else await hold(work, vehicle, { kind: 'İhale', counterparty_id: winner, source_id: id });
  });
}

interface AuctionEndEvent extends AuctionEnd {
  readonly winner: string | null;
}

async function emitAuctionEnd(
  side: Work,
  seller: Work,
  shown: NetworkAuction,
  { how, byClock, winner }: AuctionEndEvent,
): Promise<void> {
  const { id, title } = shown;
  const emit = (verb: string) =>
    side.emit({
      kind: `network_auction.${verb}`,
      id,
      path: `network-auctions/${id}`,
      object: shown,
      changed: ['status', ...(how === 'İptal' ? [] : ['result'])],
    });
  emit(how === 'İptal' ? 'cancelled' : 'ended');
  const resource = { resource_type: 'network_auction', resource_id: id };
  const amount = shown.current_bid ?? '0.00';
  const { en, tr } = writtenSum(amount, shown.currency);
  if (side.account.id === seller.account.id) {
    const outcome =
      how === 'Satıldı'
        ? { en: `${title} was sold for ${en}.`, tr: `${title} ${tr} karşılığında satıldı.` }
        : { en: `${title} was not sold.`, tr: `${title} satılmadı.` };
    const heading = { en: 'Your auction has ended', tr: 'Müzayedeniz bitti' };
    if (byClock) await addNotification(side, { kind: 'network_auction.ended', title: heading, body: outcome, ...resource });
    return;
  }
  const isWon = side.account.id === winner;
  emit(isWon ? 'won' : 'lost');
  await addNotification(side, {
    kind: isWon ? 'network_auction.won' : 'network_auction.lost',
    title: isWon
      ? { en: 'You have won the auction', tr: 'Müzayedeyi kazandınız' }
      : { en: 'The auction has ended', tr: 'Müzayede bitti' },
    body: isWon
      ? { en: `${title} is yours for ${en}.`, tr: `${title} ${tr} karşılığında sizin oldu.` }
      : { en: `You did not win ${title}.`, tr: `${title} size kalmadı.` },
    ...resource,
  });
}

/**
 * The seller released the winner's reservation: the auction fell through, the winner is notified, and the two no longer see each
 * other's phone number.
 */
export async function auctionFellThrough(work: Work, { kind, outcome, source_id }: EndedReservation): Promise<void> {
  if (kind !== 'İhale' || outcome === 'completed') return;
  const [fallen] = await work.db.rows<{
    leader_id: string;
  }>(sql`update network_auctions set result = 'Bozuldu', updated_at = ${work.now}
    where account_id = ${theAccount} and id = ${source_id} and result = 'Satıldı' returning leader_id`);
  if (fallen === undefined) return;
  const id = source_id!;
  await withSides(work, [fallen.leader_id], async (of) => {
    for (const account of [work.account.id, fallen.leader_id]) {
      const side = of(account);
      const shown = showAuction(await lookAtAuction(side.db, id), NO_LINKS);
      const previous = { result: 'Satıldı' };
      const event = { id, path: `network-auctions/${id}`, object: shown, changed: ['result'], previous };
      side.emit({ kind: 'network_auction.fell_through', ...event });
      if (account !== work.account.id) await addNotification(side, fellThrough('network_auction', id, shown.title));
    }
  });
}

/** For the winner of an auction or a lot. */
export const fellThrough = (of: 'network_auction' | 'live_lot', id: string, title: string): NewNotification => ({
  kind: `${of}.fell_through`,
  title: { en: 'A car that you won is no longer held for you', tr: 'Kazandığınız aracın rezervasyonu kaldırıldı' },
  body: {
    en: `The seller released ${title}; the agreement is cancelled.`,
    tr: `Satıcı, ${title} rezervasyonunu kaldırdı; anlaşma bozuldu.`,
  },
  resource_type: of,
  resource_id: id,
});
