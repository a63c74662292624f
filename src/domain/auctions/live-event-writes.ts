// The platform's writes on live events (P5): create, move, cancel; withdraw a lot, reorder the waiting lots. Each is a write on
// the operator's data set and the sellers'.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { instantField, nullable, required, textField } from '../records/fields.ts';
import { lockVehicle } from '../stock/vehicle.ts';
import { type EventStatus, type LotStatus, MAX_LOT_NO } from './auction-states.ts';
import { returnFromAuction } from './auction-vehicle.ts';
import { type LiveEvent, lookAtEvent, showEvent } from './live-event.ts';
import { emitLiveEvent } from './live-event-notices.ts';
import { type LiveLot, lookAtLot, showLot } from './live-lot.ts';
import { closeIfDone, emitLot } from './live-lot-writes.ts';

export const MOVE_FIELDS = { starts_at: required(instantField) } as const;
export const EVENT_FIELDS = { title: required(textField(200)), ...MOVE_FIELDS } as const;
export const REASON_FIELDS = { reason: nullable(textField(500, { lines: true })) } as const;

/** `work` is the operator's. */
export async function planEvent({ db, now }: Work, body: CreateBody<typeof EVENT_FIELDS>): Promise<LiveEvent> {
  const { title, starts_at } = body;
  const id = newId(now.getTime());
  await db.exec(sql`insert into live_events (account_id, id, is_demo, title, starts_at, created_at, updated_at)
    select ${theAccount}, ${id}, is_demo, ${title}, ${starts_at}, ${now}, ${now} from ${own('accounts')}`);
  return showEvent(await lookAtEvent(db, id));
}

const lockEvent = ({ db }: Work, id: string): Promise<{ status: EventStatus }> =>
  db.one<{ status: EventStatus }>(sql`select status from ${own('live_events')} where id = ${id} for update`);

export async function moveEvent(work: Work, id: string, startsAt: Date): Promise<LiveEvent> {
  const { status } = await lockEvent(work, id);
  if (status !== 'Planlandı') fail('event_closed');
  await work.db.exec(sql`update live_events set starts_at = ${startsAt}, updated_at = ${work.now}
    where account_id = ${theAccount} and id = ${id}`);
  return showEvent(await lookAtEvent(work.db, id));
}

interface LotOf {
  readonly id: string;
  readonly seller_id: string;
  readonly vehicle_id: string;
  readonly lot_no: number;
  readonly status: LotStatus;
}

const lotsOf = ({ db }: Work, id: string): Promise<LotOf[]> => db.rows<LotOf>(sql`select * from lots_of_event(${id})`);

/** Refused while a lot is open. Waiting lots are withdrawn, and their cars return to stock. */
export async function cancelEvent(work: Work, id: string, reason: string | null): Promise<LiveEvent> {
  const waiting = (await lotsOf(work, id)).filter(({ status }) => status === 'Sırada');
  await withLots(work, waiting, async (withdraw) => {
    const { status } = await lockEvent(work, id);
    if (status === 'Bitti' || status === 'İptal') fail('event_closed');
    const now = await lotsOf(work, id);
    if (now.some((lot) => lot.status === 'Açık')) fail('lot_open');
    for (const lot of waiting) await withdraw(lot, reason);
    await work.db.exec(sql`update live_events set status = 'İptal', cancel_reason = ${reason}, updated_at = ${work.now}
      where account_id = ${theAccount} and id = ${id}`);
    await emitLiveEvent(work, id, 'cancelled');
  });
  return showEvent(await lookAtEvent(work.db, id));
}

export async function withdrawLot(work: Work, id: string, reason: string | null): Promise<LiveLot> {
  const { event_id } = await lookAtLot(work.db, id);
  const lot = (await lotsOf(work, event_id)).find((one) => one.id === id)!;
  await withLots(work, [lot], async (withdraw) => {
    await lockEvent(work, event_id);
    await withdraw(lot, reason);
    await closeIfDone(work, event_id);
  });
  return showLot(await lookAtLot(work.db, id), null);
}

/** Locks the cars first, in id order across all dealers; then `run` locks the event. */
async function withLots(
  work: Work,
  lots: readonly LotOf[],
  run: (withdraw: (lot: LotOf, reason: string | null) => Promise<void>) => Promise<void>,
): Promise<void> {
  await work.inAccounts([work.account.id, ...lots.map(({ seller_id }) => seller_id)], async (works) => {
    const vehicles = new Map<string, Awaited<ReturnType<typeof lockVehicle>>>();
    for (const { vehicle_id, seller_id } of lots.toSorted((one, other) => (one.vehicle_id < other.vehicle_id ? -1 : 1)))
      vehicles.set(vehicle_id, await lockVehicle(works.get(seller_id)!.db, vehicle_id));
    await run(async ({ id, seller_id, vehicle_id }, reason) => {
      const seller = works.get(seller_id)!;
      const withdrawn =
        await seller.db.exec(sql`update live_lots set status = 'Çekildi', ended_at = business_now(), note = ${reason},
        updated_at = business_now() where account_id = ${theAccount} and id = ${id} and status = 'Sırada'`);
      if (withdrawn === 0) fail('lot_not_waiting');
      for (const side of new Set([seller, work])) emitLot(side, await lookAtLot(side.db, id), 'withdrawn', ['status']);
      await returnFromAuction(seller, vehicles.get(vehicle_id)!);
    });
  });
}

/** All waiting lots of the event in their new order; they keep the same set of numbers. */
export async function orderLots(work: Work, eventId: string, ids: readonly string[]): Promise<LiveEvent> {
  const { status } = await lockEvent(work, eventId);
  if (status !== 'Planlandı' && status !== 'Canlı') fail('event_closed');
  const waiting = (await lotsOf(work, eventId)).filter((lot) => lot.status === 'Sırada');
  const isSame = waiting.length === ids.length && waiting.every(({ id }) => ids.includes(id));
  if (!isSame || new Set(ids).size < ids.length) fail('lots_changed');
  const numbers = waiting.map(({ lot_no }) => lot_no);
  const sellers = new Map(waiting.map((lot) => [lot.id, lot.seller_id]));
  await work.inAccounts([work.account.id, ...sellers.values()], async (works) => {
    const number = (id: string, lot_no: number) =>
      works.get(sellers.get(id)!)!.db.exec(sql`update live_lots set lot_no = ${lot_no}, updated_at = ${work.now}
        where account_id = ${theAccount} and id = ${id}`);
    // Temporary numbers first: two lots never have the same number.
    for (const [place, id] of ids.entries()) await number(id, MAX_LOT_NO + 1 + place);
    for (const [place, id] of ids.entries()) await number(id, numbers[place]!);
  });
  return showEvent(await lookAtEvent(work.db, eventId));
}
