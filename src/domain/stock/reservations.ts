// Reserving a car: for a customer until a day, or for the other side of an agreement until it ends. A car has at most one active
// reservation, which is the only guard against promising it twice, so all reservations are created, released and completed here.
import { startOfDay } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { type Detail, fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { addNotification } from '../notifications/notification.ts';
import {
  dayField,
  type Field,
  type Fields,
  nullable,
  Refused,
  textField,
  uuidField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { ERASED_WORDS, updateStamped, violatedConstraint } from '../records/record.ts';
import { requireReferences } from '../records/references.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import type { RESERVATION_KINDS } from './stock-states.ts';
import { lockVehicle, lockVehicles, type StoredVehicle } from './vehicle.ts';
import { changeVehicle, emitVehicleEvent } from './vehicle-change.ts';
import { type Change, recordHistory } from './vehicle-history.ts';
import { readVehicle, type VehicleDetail } from './vehicle-view.ts';

const MAX_DAYS = 90;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const heldUntilField: Field<string> = {
  ...dayField(),
  read: (value, context) => {
    const day = dayField().read(value, context);
    if (day instanceof Refused) return day;
    const last = dayAfter(context.today, MAX_DAYS);
    const allowed = { en: `a date from today to ${last}`, tr: `bugünden ${last} gününe kadar bir tarih` };
    return day < context.today || day > last ? new Refused('out_of_range', allowed) : day;
  },
};

export const RESERVATION_FIELDS = {
  customer_id: nullable(uuidField),
  reserved_until: withDefault(nullable(heldUntilField), 'as the account’s settings say', 'hesabın ayarlarına göre'),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;
type ReserveBody = Values<typeof RESERVATION_FIELDS>;

type Kind = (typeof RESERVATION_KINDS)[number];

/** The holder and the end of a reservation. Only reservations for customers have an end date. */
export interface Hold {
  readonly kind: Kind;
  readonly customer_id?: string | null;
  /** The other dealer. */
  readonly counterparty_id?: string | null;
  /** The offer, trade request, auction, lot or marketplace offer that it belongs to. */
  readonly source_id?: string | null;
  readonly reserved_until?: string | null;
  readonly note?: string | null;
}

/** A deposit that is taken with the reservation: its history entry and its events. */
export interface WithDeposit {
  /** The reservation's id, to which the deposit already refers. */
  readonly id: string;
  readonly changes: readonly Change[];
  readonly alongside: () => Promise<void>;
}

interface Held {
  readonly id: string;
  readonly kind: Kind;
  readonly customer_id: string | null;
  readonly reserved_until: string | null;
  readonly note: string | null;
}

/** Reservations for the winner of an auction, in which the car still is; all others take the car from stock. */
const FROM_AUCTION: ReadonlySet<Kind> = new Set(['İhale', 'Canlı Müzayede']);

/** The vehicle is locked. Refuses a car that is not free. */
export async function hold(
  work: Work,
  vehicle: StoredVehicle,
  newHold: Hold,
  deposit: WithDeposit | null = null,
): Promise<VehicleDetail> {
  const { db, now } = work;
  requireHoldable(vehicle, newHold.kind);
  const { kind, customer_id = null, counterparty_id = null, source_id = null, reserved_until = null } = newHold;
  const { note = null } = newHold;
  await db
    .exec(sql`insert into reservations (account_id, id, vehicle_id, kind, customer_id, counterparty_id, source_id, reserved_until,
        note, created_at, updated_at)
      values (${theAccount}, ${deposit?.id ?? newId(now.getTime())}, ${vehicle.id}, ${kind}, ${customer_id}, ${counterparty_id}, ${source_id},
        ${reserved_until}, ${note}, ${now}, ${now})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'reservations_one_active') return fail('vehicle_reserved');
      throw error;
    });
  endAfter(work, reserved_until);
  return changeVehicle(work, vehicle, {
    columns: { status: 'Rezerve' },
    history: 'reserved',
    note,
    leftFor: source_id,
    otherChanges: [...changesOfHold({}, { kind, customer_id, reserved_until }), ...(deposit?.changes ?? [])],
    events: ['reserved', 'status_changed'],
    listing: 'suspended',
    alongside: deposit?.alongside,
  });
}

function requireHoldable({ deleted_at, status }: StoredVehicle, kind: Kind): void {
  if (deleted_at !== null) fail('vehicle_deleted');
  if (status === 'Satıldı') fail('vehicle_already_sold');
  if (status === 'Rezerve') fail('vehicle_reserved');
  if (status === "Auction'da" && !FROM_AUCTION.has(kind)) fail('vehicle_in_auction');
}

/** The reservation is valid until the end of its last day. */
const endOfHold = (day: string, timezone: string): Date => startOfDay(dayAfter(day, 1), timezone);

function endAfter(work: Work, day: string | null): void {
  if (day !== null) work.endsAt(endOfHold(day, work.account.timezone));
}

const SHOWN_OF_HOLD = ['kind', 'customer_id', 'reserved_until'] as const;
type ShownHold = Partial<Pick<Held, (typeof SHOWN_OF_HOLD)[number]>>;

const changesOfHold = (before: ShownHold, after: ShownHold): Change[] =>
  SHOWN_OF_HOLD.map((column) => ({
    field: `reservation.${column}`,
    old: before[column] ?? null,
    new: after[column] ?? null,
  })).filter((change) => change.old !== change.new);

const OUTCOMES = { Serbest: 'released', 'Süresi Doldu': 'expired', Tamamlandı: 'completed' } as const;

/** The properties of the ended reservation that changeVehicle needs. */
const WHAT_OF_DEPOSIT: Detail = {
  field: 'deposit_disposition',
  code: 'required',
  message: {
    en: 'deposit_disposition is required: iade returns the deposit, kalsın keeps it',
    tr: 'Kaporanın geri mi verileceğini (iade), kalacağını mı (kalsın) belirtin',
  },
};

interface EndedHold {
  readonly otherChanges: readonly Change[];
  readonly ended: EndedReservation | null;
}

/** Ends the active reservation, if any: released, expired, or completed because the car is sold. */
export async function endHold({ db, now }: Work, vehicle: StoredVehicle, as: keyof typeof OUTCOMES): Promise<EndedHold> {
  const [held] = await db.rows<Held & { readonly source_id: string | null }>(sql`update reservations
    set status = ${as}, updated_at = ${now}
    where account_id = ${theAccount} and vehicle_id = ${vehicle.id} and status = 'Aktif'
    returning id, kind, customer_id, reserved_until, note, source_id`);
  if (held === undefined) return { otherChanges: [], ended: null };
  // An expired reservation leaves the deposit open; a request that ends it decides on the deposit.
  if (as !== 'Süresi Doldu' && (await openDepositOn(db, vehicle.id)) === held.customer_id && held.customer_id !== null)
    fail('deposit_open', { details: [WHAT_OF_DEPOSIT] });
  const { id, kind, source_id } = held;
  return { otherChanges: changesOfHold(held, {}), ended: { id, kind, source_id, vehicle_id: vehicle.id, outcome: OUTCOMES[as] } };
}

/** Returns the car to stock, even without a reservation, because an import can create a «Rezerve» car. */
export async function release(work: Work, vehicle: StoredVehicle, as: 'Serbest' | 'Süresi Doldu'): Promise<VehicleDetail> {
  return changeVehicle(work, vehicle, {
    ...(await endHold(work, vehicle, as)),
    columns: { status: 'Stokta' },
    history: 'reservation_released',
    events: ['reservation_released', 'status_changed'],
    listing: 'resumed',
  });
}

/**
 * For a customer of the dealer, or without naming one. Reserving again for the same customer changes the existing reservation.
 */
export async function reserveVehicle(
  work: Work,
  id: string,
  body: ReserveBody,
  deposit: WithDeposit | null = null,
): Promise<VehicleDetail> {
  const { db } = work;
  const vehicle = await lockVehicle(db, id);
  await requireReferences(db, [['customer_id', 'customers', body.customer_id]]);
  const held = vehicle.status === 'Rezerve' ? await activeHold(db, id) : null;
  if (held !== null && held.kind === 'Müşteri' && held.customer_id !== null && held.customer_id === body.customer_id)
    return changeHold(work, vehicle, held, body, deposit);
  const reserved_until = body.reserved_until ?? (await usualEnd(work));
  const { customer_id = null, note = null } = body;
  return hold(work, vehicle, { kind: 'Müşteri', customer_id, reserved_until, note }, deposit);
}

/** The customer with the open deposit on the car. */
export async function openDepositOn(db: Db, vehicleId: string): Promise<string | null> {
  const [found] = await db.rows<{ customer_id: string }>(
    sql`select customer_id from ${own('collections')} where vehicle_id = ${vehicleId} and deposit_status = 'Açık'`,
  );
  return found?.customer_id ?? null;
}

export async function activeHold(db: Db, vehicleId: string): Promise<Held | null> {
  const [held] = await db.rows<Held>(sql`select id, kind, customer_id, reserved_until, note
    from ${own('reservations')} where vehicle_id = ${vehicleId} and status = 'Aktif'`);
  return held ?? null;
}

async function usualEnd({ db, today }: Work): Promise<string> {
  const { reservation_days } = await db.one<{ reservation_days: number }>(sql`select reservation_days from ${own('accounts')}`);
  return dayAfter(today, reservation_days);
}

/** Absent fields stay unchanged. Without a day the reservation is extended by the usual time, but never shortened. */
async function changeHold(
  work: Work,
  vehicle: StoredVehicle,
  held: Held,
  body: ReserveBody,
  deposit: WithDeposit | null,
): Promise<VehicleDetail> {
  const { db, now } = work;
  const usual = body.reserved_until ? null : await usualEnd(work);
  const reserved_until = body.reserved_until ?? [held.reserved_until ?? '', usual!].sort().at(-1)!;
  const note = body.note === undefined ? held.note : body.note;
  const changes = [...changesOfHold(held, { ...held, reserved_until }), ...(deposit?.changes ?? [])];
  if (changes.length === 0 && note === held.note) return readVehicle(db, vehicle.id);
  await db.exec(sql`update reservations set reserved_until = ${reserved_until}, note = ${note},
    updated_at = ${now} where account_id = ${theAccount} and id = ${held.id}`);
  endAfter(work, reserved_until);
  recordHistory(work, vehicle.id, 'reserved', changes, note, held.customer_id);
  await updateStamped(work, 'vehicles', vehicle.id);
  const shown = await readVehicle(db, vehicle.id);
  emitVehicleEvent(work, shown, 'reserved', changes);
  await deposit?.alongside();
  return shown;
}

const PASSED = (today: string) => sql`status = 'Aktif' and reserved_until < ${today}`;
const MAX_AT_ONCE = 200;

export const dueReservations = ({ db, today }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('reservations')} where ${PASSED(today)} and ${without(skip)} order by vehicle_id limit ${MAX_AT_ONCE}`,
  );

/** Releases cars whose last reserved day has passed. */
export async function expireReservations(work: Work, ids: readonly string[]): Promise<void> {
  const { db, today } = work;
  const passed = sql`id = any(${ids}::uuid[]) and ${PASSED(today)}`;
  const due = await db.rows<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('reservations')} where ${passed} order by vehicle_id`,
  );
  // All of them are locked before the first is written, because the write locks the data set, which comes after every car.
  await lockVehicles(
    db,
    due.map(({ vehicle_id }) => vehicle_id),
  );
  for (const { vehicle_id } of due) {
    const vehicle = await lockVehicle(db, vehicle_id);
    // Checked again under the lock, because the reservation may have been extended or released in between.
    const [still] = await db.rows<Held>(
      sql`select id from ${own('reservations')} where vehicle_id = ${vehicle_id} and ${passed}`,
    );
    if (still !== undefined) await expire(work, vehicle);
  }
}

async function expire(work: Work, vehicle: StoredVehicle): Promise<void> {
  // An import may have changed the car's status since: then only the reservation ends.
  if (vehicle.status !== 'Rezerve' || vehicle.deleted_at !== null) {
    const { ended } = await endHold(work, vehicle, 'Süresi Doldu');
    if (ended !== null) await work.consequences.reservationEnded(work, ended);
    return;
  }
  await release(work, vehicle, 'Süresi Doldu');
  const car = `${vehicle.brand} ${vehicle.model} (${vehicle.plate})`;
  const isOpen = (await openDepositOn(work.db, vehicle.id)) !== null;
  const open = isOpen ? { en: ' A deposit is still open on it.', tr: ' Üzerindeki kapora hâlâ açık.' } : { en: '', tr: '' };
  await addNotification(work, {
    kind: 'vehicle.reservation_released',
    title: { en: 'A reservation has ended', tr: 'Rezervasyonun süresi doldu' },
    body: { en: `${car} is back in stock.${open.en}`, tr: `${car} yeniden stokta.${open.tr}` },
    resource_type: 'vehicle',
    resource_id: vehicle.id,
  });
}

/** When the next reservation ends, in the account's time zone. */
export async function nextReservationEnd(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { day } = await db.one<{ day: string | null }>(
    sql`select min(reserved_until) as day from ${own('reservations')}
      where status = 'Aktif' and reserved_until is not null and ${without(skip)}`,
  );
  return day === null ? null : endOfHold(day, timezone);
}

/**
 * Removes notes about an erased customer from reservations and from car histories, which also keep earlier versions of a note.
 */
export async function forgetHoldsOf({ db }: Work, customerId: string): Promise<number> {
  db.send(sql`update vehicle_history set note = ${ERASED_WORDS}
    where account_id = ${theAccount} and customer_id = ${customerId} and note is not null`);
  return db.exec(sql`update reservations set note = null
    where account_id = ${theAccount} and customer_id = ${customerId} and note is not null`);
}
