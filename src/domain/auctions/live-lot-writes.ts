// Writes on a lot: the auctioneer opens it, dealers bid, the auctioneer closes it. They change the data of several dealers,
// because the lot and the car are the seller's. Lock order: car, event, lot.
import { allAnswers } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { type Of, object } from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { addNotification } from '../notifications/notification.ts';
import { requireCapability } from '../parties/capability.ts';
import { holdSides, withSides } from '../parties/sides.ts';
import { NO_LINKS } from '../parties/vehicle-card.ts';
import type { CreateBody } from '../records/body.ts';
import { flagField, nullable, textField, withDefault } from '../records/fields.ts';
import { hold } from '../stock/reservations.ts';
import { lockVehicle, type StoredVehicle } from '../stock/vehicle.ts';
import { fellThrough } from './auction-end.ts';
import { biddersOf, emitBidPlaced } from './auction-events.ts';
import type { EventStatus } from './auction-states.ts';
import { returnFromAuction } from './auction-vehicle.ts';
import { LotBid, lockForBid, placeBid, standingAfter } from './bids.ts';
import { emitLiveEvent } from './live-event-notices.ts';
import { findLot, LiveLot, lookAtLot, type SeenLot, showLot } from './live-lot.ts';
import type { Showing } from './network-auction-writes.ts';

/** How early an event can be opened. */
const EARLY_MS = 15 * 60_000;

interface Kept {
  readonly seller_id: string;
  readonly operator_id: string;
  readonly event_id: string;
  readonly vehicle_id: string;
}

/** The seller of the lot, for the operator of its event. */
export async function operatedLot({ db, account }: Work, id: string): Promise<Kept> {
  await requireCapability(db, 'live_auctions');
  const kept = await db.one<Kept>(sql`select * from keeper_of_lot(${id})`);
  if (kept.operator_id !== account.id) fail('not_operator');
  return kept;
}

interface StoredEvent {
  readonly status: EventStatus;
  readonly starts_at: Date;
  readonly at: Date;
}

const lockEvent = ({ db }: Work, id: string): Promise<StoredEvent> =>
  db.one<StoredEvent>(
    sql`select status, starts_at, business_now() as at from ${own('live_events')} where id = ${id} for no key update`,
  );

export async function startLot(work: Work, id: string, { linkTo }: Showing): Promise<LiveLot> {
  const { seller_id, event_id } = await operatedLot(work, id);
  const event = await lockEvent(work, event_id);
  await work.inAccounts([work.account.id, seller_id], async (works) => {
    const seller = works.get(seller_id)!;
    await seller.db.exec(sql`select from ${own('live_lots')} where id = ${id} for update`);
    const lot = await lookAtLot(work.db, id);
    if (event.status === 'Bitti' || event.status === 'İptal') fail('event_closed');
    if (lot.status !== 'Sırada') fail('lot_not_waiting');
    if (event.starts_at.getTime() - event.at.getTime() > EARLY_MS) fail('event_not_started');
    const { open } = await work.db.one<{ open: boolean }>(
      sql`select exists (select from lots_of_event(${event_id}) where status = 'Açık') as open`,
    );
    if (open) fail('another_lot_open');
    await seller.db.exec(sql`update live_lots set status = 'Açık', opened_at = ${event.at}, updated_at = ${event.at}
      where account_id = ${theAccount} and id = ${id}`);
    await emitLotEvents([...works.values()], id, 'started', ['status', 'opened_at']);
  });
  if (event.status === 'Planlandı') {
    await work.db.exec(sql`update live_events set status = 'Canlı', updated_at = ${event.at}
      where account_id = ${theAccount} and id = ${event_id}`);
    await emitLiveEvent(work, event_id, 'started');
  }
  return showLot(await lookAtLot(work.db, id), linkTo);
}

/** To each of these dealers, as each may see it. */
async function emitLotEvents(sides: readonly Work[], id: string, verb: string, changed: readonly string[]): Promise<SeenLot[]> {
  const seen = await allAnswers(sides.map(({ db }) => lookAtLot(db, id)));
  for (const [index, side] of sides.entries()) emitLot(side, seen[index]!, verb, changed);
  return seen;
}

export const emitLot = (side: Work, seen: SeenLot, verb: string, changed: readonly string[] = []): void =>
  side.emit({
    kind: `live_lot.${verb}`,
    id: seen.id,
    path: `live-auctions/lots/${seen.id}`,
    object: showLot(seen, NO_LINKS),
    changed,
  });

export const LotBidPlaced = object({ bid: LotBid, lot: LiveLot });

export async function bidOnLot(work: Work, id: string, amount: bigint, showing: Showing): Promise<Of<typeof LotBidPlaced>> {
  const item = { id, isLot: true };
  const { locked, seen } = await lockForBid(work.db, item, amount, findLot);
  if (seen.status !== 'Açık') fail('lot_not_open');
  const bid = placeBid(work, item, locked, amount);
  const after = { ...seen, ...standingAfter(seen, locked, bid, amount, showing) };
  const { id: bidId, bidder, ...rest } = bid;
  const placed = { id: bidId, lot_id: id, ...rest };
  if (!showing.isDry) emitBidPlaced(work, { seen: after, bid: placed, isExtended: false });
  return { bid: { ...placed, bidder }, lot: showLot(after, showing.linkTo) };
}

export const HAMMER_FIELDS = {
  award: withDefault(nullable(flagField), 'sold where the reserve is met', 'taban fiyata ulaşıldıysa satılır'),
  note: nullable(textField(500, { lines: true })),
} as const;

/** Sold if the highest bid meets the reserve; with `award` also below it, with the seller's consent. */
export async function hammer(
  work: Work,
  id: string,
  { award, note = null }: CreateBody<typeof HAMMER_FIELDS>,
  { linkTo, isDry }: Showing,
): Promise<LiveLot> {
  const { seller_id, event_id, vehicle_id } = await operatedLot(work, id);
  await work.inAccounts([work.account.id, seller_id], async (works) => {
    const seller = works.get(seller_id)!;
    const vehicle = await lockVehicle(seller.db, vehicle_id);
    await lockEvent(work, event_id);
    await seller.db.exec(sql`select from ${own('live_lots')} where id = ${id} for update`);
    const lot = await lookAtLot(work.db, id);
    if (lot.status !== 'Açık') fail('lot_not_open');
    if (award && lot.bid_count === 0) fail('no_bids');
    const bidders = await biddersOf(work.db, id);
    await strike(work, seller, vehicle, lot, bidders, { isSold: lot.reserve_met || award === true, note });
  });
  await closeIfDone(work, event_id);
  const seen = await lookAtLot(work.db, id);
  // A dry run does not reveal the leader.
  return showLot(isDry ? { ...seen, winner: null } : seen, linkTo);
}

async function strike(
  work: Work,
  seller: Work,
  vehicle: StoredVehicle,
  { id }: SeenLot,
  bidders: readonly string[],
  { isSold, note }: { isSold: boolean; note: string | null },
): Promise<void> {
  const everybody = [work.account.id, seller.account.id, ...bidders];
  await work.inAccounts(everybody, async (works) => {
    holdSides((account) => works.get(account)!, everybody);
    const { leader_id } = await seller.db.one<{ leader_id: string | null }>(sql`update live_lots
      set status = ${isSold ? 'Satıldı' : 'Satılmadı'}, ended_at = business_now(), updated_at = business_now(), note = ${note}
      where account_id = ${theAccount} and id = ${id} returning leader_id`);
    const seen = await emitLotEvents([...works.values()], id, isSold ? 'sold' : 'unsold', ['status', 'ended_at']);
    await notifySeller(seller, seen[0]!, isSold);
    if (!isSold) return void (await returnFromAuction(seller, vehicle));
    const winner = works.get(leader_id!)!;
    const won = await lookAtLot(winner.db, id);
    emitLot(winner, won, 'won', ['status']);
    await addNotification(winner, {
      kind: 'live_lot.won',
      title: { en: 'The lot is yours', tr: 'Lot sizin' },
      body: { en: `${carOf(won)} is yours.`, tr: `${carOf(won)} sizin oldu.` },
      resource_type: 'live_lot',
      resource_id: id,
    });
    await hold(seller, vehicle, { kind: 'Canlı Müzayede', counterparty_id: leader_id, source_id: id });
  });
}

const carOf = ({ card }: SeenLot): string => `${card.model_year} ${card.brand} ${card.model}`;

async function notifySeller(seller: Work, seen: SeenLot, isSold: boolean): Promise<void> {
  await addNotification(seller, {
    kind: isSold ? 'live_lot.sold' : 'live_lot.unsold',
    title: isSold ? { en: 'Your lot was sold', tr: 'Lotunuz satıldı' } : { en: 'Your lot was not sold', tr: 'Lotunuz satılmadı' },
    body: { en: `Lot ${seen.lot_no}: ${carOf(seen)}`, tr: `Lot ${seen.lot_no}: ${carOf(seen)}` },
    resource_type: 'live_lot',
    resource_id: seen.id,
  });
}

/** The event is locked. It ends when no lot is waiting or open. */
export async function closeIfDone(work: Work, eventId: string): Promise<void> {
  const closed = await work.db.exec(sql`update live_events set status = 'Bitti', updated_at = business_now()
    where account_id = ${theAccount} and id = ${eventId} and status = 'Canlı'
      and not exists (select from lots_of_event(${eventId}) lot where lot.status in ('Sırada', 'Açık'))`);
  if (closed > 0) await emitLiveEvent(work, eventId, 'ended');
}

/** The seller released the winner's reservation. */
export async function lotFellThrough(work: Work, { kind, outcome, source_id }: EndedReservation): Promise<void> {
  if (kind !== 'Canlı Müzayede' || outcome === 'completed') return;
  const [fallen] = await work.db.rows<{ leader_id: string }>(sql`update live_lots set status = 'Bozuldu', updated_at = ${work.now}
    where account_id = ${theAccount} and id = ${source_id} and status = 'Satıldı' returning leader_id`);
  if (fallen === undefined) return;
  await withSides(work, [fallen.leader_id], async (of) => {
    for (const account of [work.account.id, fallen.leader_id]) {
      const seen = await lookAtLot(of(account).db, source_id!);
      emitLot(of(account), seen, 'fell_through', ['status']);
      if (account !== work.account.id) await addNotification(of(account), fellThrough('live_lot', source_id!, carOf(seen)));
    }
  });
}
