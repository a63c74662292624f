// Effects on swaps when a car leaves stock, a listing closes, the reservation of an agreement ends, or the request expires.
import { type Db, sqlState } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { counterpartyRows, eitherPartyRows } from '../parties/counterparty-rows.ts';
import { withSides } from '../parties/sides.ts';
import { release } from '../stock/reservations.ts';
import { lockVehicle } from '../stock/vehicle.ts';
import { OutOfOrder } from '../writes/stamps.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { lockCars } from './network-cars.ts';
import type { TradeSide } from './network-states.ts';
import type { WorkByAccount } from './offer-events.ts';
import { lockTrades, type StoredTrade, TRADE_COLUMNS } from './trade.ts';
import { CANCELLED, emitTradeEvents, settleTrade, type TradeEvent } from './trade-events.ts';

/**
 * This write has locked a data set by now, which a write that holds the request through its other car may wait for. To avoid a
 * deadlock this lock is not waited for: the write is repeated.
 */
async function withoutWaiting<T>(locked: Promise<T>): Promise<T> {
  return locked.catch((error: unknown) => {
    throw sqlState(error) === '55P03' ? new OutOfOrder('a swap or its other car is held by another write') : error;
  });
}
const NOW = sql`for update nowait`;
const lockNow = (
  of: WorkByAccount,
  { account_id, id }: Pick<StoredTrade, 'account_id' | 'id'>,
  where: Sql,
): Promise<StoredTrade[]> => withoutWaiting(lockTrades(of(account_id).db, sql`id = ${id} and ${where}`, NOW));

interface Ending {
  readonly status: 'Reddedildi' | 'İptal';
  readonly reason: 'vehicle_unavailable' | 'listing_closed' | null;
}

const REJECTED: TradeEvent = { verb: 'rejected', notifies: { sides: ['requester'], kind: 'trade_request.rejected' } };

/** Open requests; `work` is the car owner's; the car is locked. */
async function endOpen(work: Work, open: readonly StoredTrade[], { status, reason }: Ending): Promise<void> {
  if (open.length === 0) return;
  await withSides(
    work,
    open.flatMap(({ account_id, requester_id }) => [account_id, requester_id]),
    async (of) => {
      for (const { account_id, id } of open) {
        const [trade] = await lockNow(of, { account_id, id }, sql`status = 'Beklemede'`);
        if (trade === undefined) continue;
        await settleTrade(of(account_id), trade, status, reason);
        await emitTradeEvents(of, trade, 'Beklemede', status === 'İptal' ? CANCELLED : REJECTED);
      }
    },
  );
}

const openIn = ({ db }: Work, rows: Sql, where: Sql): Promise<StoredTrade[]> =>
  db.rows<StoredTrade>(sql`select ${TRADE_COLUMNS} from ${rows} where status = 'Beklemede' and ${where} order by id`);

/** Requests for the car are rejected; the recipients of requests that offered it are notified that it is gone. */
export async function endTradesOfCar(work: Work, { id }: { readonly id: string }): Promise<void> {
  const requests = await openIn(work, own('trade_requests'), sql`requested_vehicle_id = ${id}`);
  await endOpen(work, requests, { status: 'Reddedildi', reason: 'vehicle_unavailable' });
  const offered = await openIn(work, counterpartyRows('trade_requests'), sql`offered_vehicle_id = ${id}`);
  await endOpen(work, offered, { status: 'İptal', reason: null });
}

export async function endTradesOfListing(work: Work, { id }: { readonly id: string }): Promise<void> {
  const requests = await openIn(work, own('trade_requests'), sql`requested_listing_id = ${id}`);
  await endOpen(work, requests, { status: 'Reddedildi', reason: 'listing_closed' });
}

/** One of the two cars is sold, or released; `work` is its owner's. */
export async function settleSwap(work: Work, { kind, source_id, outcome }: EndedReservation): Promise<void> {
  if (kind !== 'Takas' || source_id === null) return;
  const [named] = await work.db.rows<StoredTrade>(
    sql`select ${TRADE_COLUMNS} from ${eitherPartyRows('trade_requests')} where id = ${source_id}`,
  );
  if (named === undefined) return;
  await withSides(work, [named.account_id, named.requester_id], async (of) => {
    const [trade] = await lockNow(of, named, sql`true`);
    if (trade === undefined) return;
    if (outcome === 'completed') await carSold(work, of, trade);
    else await fallThrough(work, of, trade);
  });
}

async function carSold(work: Work, of: WorkByAccount, trade: StoredTrade): Promise<void> {
  if (trade.status !== 'Kabul Edildi') return;
  const recipient = of(trade.account_id);
  const isRequested = work.account.id === trade.account_id;
  const [requestedSold, offeredSold] = [trade.is_requested_sold || isRequested, trade.is_offered_sold || !isRequested];
  const status = requestedSold && offeredSold ? 'Tamamlandı' : 'Kabul Edildi';
  await recipient.db.exec(sql`update trade_requests set is_requested_sold = ${requestedSold}, is_offered_sold = ${offeredSold},
      status = ${status}, updated_at = ${recipient.now}
    where account_id = ${theAccount} and id = ${trade.id}`);
  if (status === 'Tamamlandı') await emitTradeEvents(of, trade, 'Kabul Edildi', { verb: 'completed' });
}

/** The other car is released too, unless it is sold; releasing it calls this function again, which notifies that side. */
async function fallThrough(work: Work, of: WorkByAccount, trade: StoredTrade): Promise<void> {
  const isRecipient = work.account.id === trade.account_id;
  const [mine, theirs] = isRecipient ? (['recipient', 'requester'] as const) : (['requester', 'recipient'] as const);
  /** The side that released the car is not notified; the other side is. */
  const undone = (side: TradeSide): TradeEvent => ({
    verb: 'fell_through',
    sides: [side],
    notifies: { sides: [side], kind: 'trade_request.fell_through' },
  });
  if (trade.status === 'Bozuldu') return emitTradeEvents(of, trade, 'Kabul Edildi', undone(mine));
  if (trade.status !== 'Kabul Edildi') return;
  if (trade.is_requested_sold || trade.is_offered_sold) fail('trade_in_progress');
  await settleTrade(of(trade.account_id), trade, 'Bozuldu');
  await emitTradeEvents(of, trade, 'Kabul Edildi', { verb: 'fell_through', sides: [mine] });
  const other = of(isRecipient ? trade.requester_id : trade.account_id);
  if (!(await releaseOther(other, isRecipient ? trade.offered_vehicle_id : trade.requested_vehicle_id, trade.id)))
    await emitTradeEvents(of, trade, 'Kabul Edildi', undone(theirs));
}

/** False if it is no longer reserved for this swap. */
async function releaseOther(work: Work, vehicleId: string, tradeId: string): Promise<boolean> {
  const { db } = work;
  await withoutWaiting(db.exec(sql`select from ${own('vehicles')} where id = ${vehicleId} for update nowait`));
  const vehicle = await lockVehicle(db, vehicleId);
  const [held] = await db.rows(sql`select id from ${own('reservations')}
    where vehicle_id = ${vehicleId} and status = 'Aktif' and source_id = ${tradeId}`);
  if (held === undefined) return false;
  await release(work, vehicle, 'Serbest');
  return true;
}

const MOST_AT_ONCE = 200;

export const dueTrades = ({ db, now }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${eitherPartyRows('trade_requests')} where status = 'Beklemede' and expires_at <= ${now} and ${without(skip)}
      order by id limit ${MOST_AT_ONCE}`,
  );

/** They end for both sides, whichever data set is processed first. */
export async function expireTrades(work: Work, ids: readonly string[]): Promise<void> {
  const due = await work.db.rows<StoredTrade>(sql`select ${TRADE_COLUMNS} from ${eitherPartyRows('trade_requests')}
    where id = any(${ids}::uuid[]) and status = 'Beklemede' and expires_at <= ${work.now} order by id`);
  if (due.length === 0) return;
  await withSides(
    work,
    due.flatMap(({ account_id, requester_id }) => [account_id, requester_id]),
    async (of) => {
      await lockCars(
        of,
        due.map(({ account_id, requested_vehicle_id }) => ({ owner: account_id, id: requested_vehicle_id })),
      );
      for (const { account_id, id } of due) {
        const [trade] = await lockNow(of, { account_id, id }, sql`status = 'Beklemede' and expires_at <= ${work.now}`);
        if (trade === undefined) continue;
        await settleTrade(of(account_id), trade, 'Süresi Doldu');
        const notifies = { sides: ['recipient', 'requester'], kind: 'trade_request.expired' } as const;
        await emitTradeEvents(of, trade, 'Beklemede', { verb: 'expired', notifies });
      }
    },
  );
}

export async function nextTradeEnd(db: Db, _timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select min(expires_at) as at from ${eitherPartyRows('trade_requests')} where status = 'Beklemede' and ${without(skip)}`,
  );
  return at;
}
