// Writes on an auction request: the dealer creates, edits and withdraws it; the platform approves or rejects it (P4). While it is
// pending the car stays in stock.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addNotification } from '../notifications/notification.ts';
import { requireCapability } from '../parties/capability.ts';
import type { CreateBody } from '../records/body.ts';
import { integerField, moneyField, nullable, required, textField, uuidField, withDefault } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { lockNamedVehicle, lockVehicle } from '../stock/vehicle.ts';
import { changeVehicle } from '../stock/vehicle-change.ts';
import {
  type AuctionRequest,
  emitRequestEvent,
  lockRequest,
  type REQUEST_FIELDS,
  type RequestEdit,
  showRequest,
} from './auction-request.ts';
import { type EventStatus, MAX_LOT_NO } from './auction-states.ts';
import { badField, requireFree } from './auction-vehicle.ts';
import { firstLink } from './bid-rules.ts';

export async function askForAuction(work: Work, body: CreateBody<typeof REQUEST_FIELDS>): Promise<AuctionRequest> {
  const { db, now } = work;
  await requireCapability(db, 'live_auctions');
  const vehicle = await requireFree(db, await lockNamedVehicle(db, body.vehicle_id));
  const { start_price, reserve_price = null, min_increment = null, event_id = null, note = null } = body;
  requireReserve(start_price, reserve_price);
  requireStep(start_price, min_increment);
  if (event_id !== null) await requireOpenEvent(db, event_id);
  const id = newId(now.getTime());
  await db
    .exec(sql`insert into auction_requests (account_id, id, vehicle_id, event_id, start_price_minor, reserve_price_minor, min_increment_minor,
        currency, note, created_at, updated_at)
      values (${theAccount}, ${id}, ${vehicle.id}, ${event_id}, ${start_price}, ${reserve_price}, ${min_increment}, ${vehicle.currency}, ${note},
        ${now}, ${work.updatedAt()})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'auction_requests_one_open') fail('request_already_open');
      throw error;
    });
  const shown = await showRequest(db, id);
  emitRequestEvent(work, 'created', shown);
  return shown;
}

function requireReserve(start: bigint, reserve: bigint | null): void {
  if (reserve !== null && reserve < start)
    badField('reserve_price', 'out_of_range', 'reserve_price must be at least start_price', 'en az start_price');
}

/** The bid after one at the start price must be possible too. */
const requireStep = (start: bigint, step: bigint | null): void =>
  requireStorable(step === null ? 'start_price' : 'min_increment', start + (step ?? USUAL_INCREMENT));

/** An event that does not exist and one that is not visible are refused with the same error. */
async function requireOpenEvent(db: Db, id: string): Promise<void> {
  const [event] = await db.rows<{ status: EventStatus }>(sql`select status from keeper_of_event(${id})`);
  if (event?.status !== 'Planlandı') fail('event_not_open');
}

export async function editRequest(work: Work, id: string, body: RequestEdit): Promise<AuctionRequest> {
  const { db } = work;
  await requireCapability(db, 'live_auctions');
  const stored = await lockRequest(db, id);
  if (stored.status !== 'Beklemede') fail('request_closed');
  const edited = { ...stored, ...body };
  requireReserve(edited.start_price, edited.reserve_price);
  requireStep(edited.start_price, edited.min_increment);
  if (body.event_id != null && body.event_id !== stored.event_id) await requireOpenEvent(db, body.event_id);
  const before = await showRequest(db, id);
  const names = ['start_price', 'reserve_price', 'min_increment', 'event_id', 'note'] as const;
  if (names.every((name) => edited[name] === stored[name])) return before;
  await db.exec(sql`update auction_requests set start_price_minor = ${edited.start_price}, reserve_price_minor = ${edited.reserve_price},
      min_increment_minor = ${edited.min_increment}, event_id = ${edited.event_id}, note = ${edited.note}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  const shown = await showRequest(db, id);
  emitRequestEvent(work, 'updated', shown, before);
  return shown;
}

export async function withdrawRequest(work: Work, id: string): Promise<AuctionRequest> {
  await requireCapability(work.db, 'live_auctions');
  const stored = await lockRequest(work.db, id);
  if (stored.status !== 'Beklemede') fail('request_closed');
  return cancelRequest(work, id);
}

async function cancelRequest(work: Work, id: string): Promise<AuctionRequest> {
  const { db } = work;
  const before = await showRequest(db, id);
  await db.exec(sql`update auction_requests set status = 'İptal', updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  const shown = await showRequest(db, id);
  emitRequestEvent(work, 'cancelled', shown, before);
  return shown;
}

/** The car has left stock, so it can no longer be sold in an event. */
export async function cancelRequestsFor(work: Work, { id }: { readonly id: string }): Promise<void> {
  const waiting = await work.db.rows<{ id: string }>(
    sql`select id from ${own('auction_requests')} where vehicle_id = ${id} and status = 'Beklemede' for update`,
  );
  for (const request of waiting) await cancelRequest(work, request.id);
}

export const DECISION_FIELDS = { note: nullable(textField(2000, { lines: true })) } as const;
export const APPROVAL_FIELDS = {
  event_id: required(uuidField),
  lot_no: withDefault(nullable(integerField(1, MAX_LOT_NO)), 'the next free number', 'sıradaki boş numara'),
  min_increment: withDefault(nullable(moneyField({ above: 0n })), 'the request’s, else 100.00', 'talepteki, yoksa 100,00'),
  ...DECISION_FIELDS,
} as const;
export type Approval = CreateBody<typeof APPROVAL_FIELDS>;

const USUAL_INCREMENT = 10_000n;

/** By the platform; `work` is the dealer's. Creates the lot and assigns the car to the event. */
export async function approveRequest(work: Work, id: string, approval: Approval): Promise<AuctionRequest> {
  const { db, now } = work;
  const { vehicle_id } = await showRequest(db, id);
  const vehicle = await lockVehicle(db, vehicle_id);
  const [event] = await db.rows<{ operator_id: string }>(sql`select operator_id from keeper_of_event(${approval.event_id})`);
  if (event === undefined) return fail('event_not_open');
  return work.inAccounts([work.account.id, event.operator_id], async (works) => {
    const operator = works.get(event.operator_id)!;
    // Under the event's lock, so that two concurrent approvals get two numbers.
    const { status } = await operator.db.one<{ status: EventStatus }>(
      sql`select status from ${own('live_events')} where id = ${approval.event_id} for update`,
    );
    if (status !== 'Planlandı' && status !== 'Canlı') fail('event_not_open');
    const stored = await lockRequest(db, id);
    if (stored.status !== 'Beklemede') fail('request_closed');
    const [suspended] = await db.rows(sql`select id from ${own('accounts')} where status = 'Askıda'`);
    if (suspended !== undefined) fail('account_suspended');
    if (vehicle.status !== 'Stokta' || vehicle.deleted_at !== null) fail('vehicle_not_in_stock');
    const lots = await db.rows<{ lot_no: number }>(sql`select lot_no from lots_of_event(${approval.event_id})`);
    const taken = lots.map(({ lot_no }) => lot_no);
    const lotNo = approval.lot_no ?? Math.max(0, ...taken) + 1;
    if (taken.includes(lotNo)) fail('lot_no_taken', { words: { lot_no: String(lotNo) } });
    if (approval.min_increment != null) requireStep(stored.start_price, approval.min_increment);
    const lotId = newId(now.getTime());
    await db.exec(sql`insert into live_lots (account_id, id, event_id, operator_id, lot_no, vehicle_id, request_id, currency, start_price_minor,
        min_increment_minor, reserve_price_minor, chain_head, created_at, updated_at)
      values (${theAccount}, ${lotId}, ${approval.event_id}, ${event.operator_id}, ${lotNo}, ${vehicle_id}, ${id}, ${stored.currency},
        ${stored.start_price}, ${approval.min_increment ?? stored.min_increment ?? USUAL_INCREMENT}, ${stored.reserve_price},
        ${firstLink(lotId)}, ${now}, ${now})`);
    const shown = await decide(work, id, { status: 'Onaylandı', lot_id: lotId, note: approval.note ?? null });
    await changeVehicle(work, vehicle, {
      columns: { status: "Auction'da" },
      history: 'status_changed',
      events: ['status_changed'],
      listing: { closed: 'ihalede' },
      leftFor: lotId,
    });
    return shown;
  });
}

export async function rejectRequest(work: Work, id: string, note: string | null): Promise<AuctionRequest> {
  const stored = await lockRequest(work.db, id);
  if (stored.status !== 'Beklemede') fail('request_closed');
  return decide(work, id, { status: 'Reddedildi', lot_id: null, note });
}

interface Decision {
  readonly status: 'Onaylandı' | 'Reddedildi';
  readonly lot_id: string | null;
  readonly note: string | null;
}

async function decide(work: Work, id: string, { status, lot_id, note }: Decision): Promise<AuctionRequest> {
  const { db, now } = work;
  const before = await showRequest(db, id);
  await db.exec(sql`update auction_requests set status = ${status}, lot_id = ${lot_id}, decision_note = ${note}, decided_at = ${now},
      updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`);
  const shown = await showRequest(db, id);
  const isApproved = status === 'Onaylandı';
  emitRequestEvent(work, isApproved ? 'approved' : 'rejected', shown, before);
  await addNotification(work, {
    kind: isApproved ? 'auction_request.approved' : 'auction_request.rejected',
    title: isApproved
      ? { en: 'Your car is in the live auction', tr: 'Aracınız canlı müzayedede' }
      : { en: 'Your auction request was rejected', tr: 'Müzayede talebiniz reddedildi' },
    body: note === null ? { en: 'The platform has decided.', tr: 'Platform karar verdi.' } : { en: note, tr: note },
    resource_type: 'auction_request',
    resource_id: id,
  });
  return shown;
}
