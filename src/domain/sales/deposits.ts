// Deposits on reserved cars (kapora): money taken before there is a sale. A deposit belongs to the car and the customer,
// independent of the reservation, and ends once: as the sale's first payment, refunded, kept, or reversed.
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Currency, formatMoney, sum } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { appliedAmount } from '../exchange-rates/applied-rate.ts';
import { paymentRate } from '../exchange-rates/payment-rate.ts';
import { writtenSum } from '../formats/written.ts';
import { acceptedAmount, allocate, payableInstallments } from '../installments/allocation.ts';
import { amountWords } from '../installments/money-words.ts';
import { remainingOf } from '../installments/plan-installment.ts';
import { COLLECTION_METHODS, DISPOSITIONS, type Disposition, OFFSET_METHOD } from '../installments/sales-states.ts';
import { currencyField, type Fields, moneyField, nullable, oneOfField, type Values } from '../records/fields.ts';
import { updateStamped } from '../records/record.ts';
import { requireReferences } from '../records/references.ts';
import { activeHold, RESERVATION_FIELDS, reserveVehicle } from '../stock/reservations.ts';
import { lockVehicle, type StoredVehicle, VEHICLE_EDIT_FIELDS } from '../stock/vehicle.ts';
import { readVehicle, type VehicleDetail } from '../stock/vehicle-view.ts';
import { editVehicle, MARK_SOLD_FIELDS, markSold } from '../stock/vehicle-writes.ts';
import { emitCollectionEvent, insertCollections, type NewCollection, readCollections } from './collection.ts';
import type { StoredInstallment } from './installment.ts';
import { badField, type StoredSale } from './sale.ts';
import type { Posting } from './sale-money.ts';
import { requireOpenDay, shareTill } from './till.ts';

const DISPOSITION = { deposit_disposition: nullable(oneOfField(DISPOSITIONS)) } as const satisfies Fields;

export const RESERVE_FIELDS = {
  ...RESERVATION_FIELDS,
  deposit_amount: nullable(moneyField({ above: 0n })),
  deposit_currency: nullable(currencyField),
  deposit_method: oneOfField(COLLECTION_METHODS),
} as const satisfies Fields;
export const VEHICLE_PATCH_FIELDS = { ...VEHICLE_EDIT_FIELDS, ...DISPOSITION } as const satisfies Fields;
export const SOLD_FIELDS = { ...MARK_SOLD_FIELDS, ...DISPOSITION } as const satisfies Fields;

interface OpenDeposit {
  readonly id: string;
  readonly customer_id: string;
  readonly branch_id: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly method: string;
  readonly collected_on: string;
  readonly reservation_id: string | null;
  readonly vehicle_id: string;
}

/** The vehicle is locked. */
async function lockOpenDeposit(db: Db, vehicleId: string): Promise<OpenDeposit | null> {
  const [found] =
    await db.rows<OpenDeposit>(sql`select id, customer_id, branch_id, amount_minor as amount, currency, method, collected_on,
      reservation_id, vehicle_id
    from ${own('collections')} where vehicle_id = ${vehicleId} and deposit_status = 'Açık' for update`);
  return found ?? null;
}

/** The payment is recorded before the car is reserved, because its number is taken before the data set is locked. */
export async function reserveWithDeposit(work: Work, id: string, body: Values<typeof RESERVE_FIELDS>): Promise<VehicleDetail> {
  const { db } = work;
  const { deposit_amount, deposit_currency, deposit_method, ...reservation } = body;
  const vehicle = await lockVehicle(db, id);
  const deposit = depositFrom(body, vehicle);
  if (deposit === null) return reserveVehicle(work, id, reservation);
  const open = await lockOpenDeposit(db, id);
  const held = await activeHold(db, id);
  const isHis = held !== null && held.customer_id === deposit.customer_id;
  // A car that is not free, or is reserved for another customer, is refused for that reason.
  if (open !== null && !isSame(open, deposit) && (vehicle.status === 'Stokta' || isHis)) fail('deposit_exists');
  if (open !== null) return reserveVehicle(work, id, reservation);
  const reservation_id = isHis ? held.id : newId(work.now.getTime());
  const collection = await takeDeposit(work, vehicle, deposit, reservation_id);
  return reserveVehicle(work, id, reservation, {
    id: reservation_id,
    changes: [
      { field: 'reservation.deposit_amount', old: null, new: formatMoney(deposit.amount) },
      { field: 'reservation.deposit_currency', old: null, new: deposit.currency },
    ],
    alongside: () =>
      emitDepositEvent(work, 'created', collection, (amount) => ({
        en: `Deposit taken: ${amount.en}`,
        tr: `Kapora alındı: ${amount.tr}`,
      })),
  });
}

interface NewDeposit {
  readonly customer_id: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly method: (typeof COLLECTION_METHODS)[number];
}

function depositFrom(body: Values<typeof RESERVE_FIELDS>, vehicle: StoredVehicle): NewDeposit | null {
  const { deposit_amount: amount, deposit_currency, deposit_method, customer_id } = body;
  if (!amount) {
    for (const [name, value] of Object.entries({ deposit_currency, deposit_method }))
      if (value)
        badField(
          'deposit_amount',
          'required',
          `deposit_amount is required with ${name}`,
          `${name} ile birlikte deposit_amount zorunludur`,
        );
    return null;
  }
  if (!customer_id) return badField('customer_id', 'required', 'A deposit needs a customer', 'Kapora için müşteri gerekir');
  return { customer_id, amount, currency: deposit_currency ?? vehicle.currency, method: deposit_method ?? 'Nakit' };
}

const isSame = (open: OpenDeposit, deposit: NewDeposit): boolean =>
  open.customer_id === deposit.customer_id &&
  open.amount === deposit.amount &&
  open.currency === deposit.currency &&
  open.method === deposit.method;

async function takeDeposit(work: Work, vehicle: StoredVehicle, deposit: NewDeposit, reservation_id: string): Promise<string> {
  const { db, today } = work;
  await requireReferences(db, [['customer_id', 'customers', deposit.customer_id]]);
  const till = await shareTill(db, vehicle.branch_id as string | null);
  requireOpenDay(till, today);
  const { branch_id } = till;
  const money: NewCollection = {
    type: 'Kapora',
    ...deposit,
    branch_id,
    collected_on: today,
    vehicle_id: vehicle.id,
    reservation_id,
    deposit_status: 'Açık',
  };
  return (await insertCollections(work, [money], []))[0]!.id;
}

type Verb = 'created' | 'refunded' | 'deposit_kept';

async function emitDepositEvent(work: Work, verb: Verb, id: string, words: (amount: Text) => Text): Promise<void> {
  const [shown] = await readCollections(work.db, [id]);
  const { amount, currency, customer_id } = shown!;
  emitCollectionEvent(work, verb, shown!);
  const note = words(writtenSum(amount.replace('-', ''), currency));
  logActivity(work, customer_id, { note, resource_type: 'collection', resource_id: id });
}

/** An edit that also decides on the open deposit. */
export async function editWithDeposit(
  work: Work,
  id: string,
  { deposit_disposition: disposition, ...edit }: Values<typeof VEHICLE_PATCH_FIELDS>,
): Promise<VehicleDetail> {
  if (!disposition) return editVehicle(work, id, edit);
  const vehicle = await lockVehicle(work.db, id);
  const isReleased = edit.status === 'Stokta' && vehicle.status === 'Rezerve';
  const settled = await dispose(work, id, disposition, isReleased);
  await editVehicle(work, id, edit);
  await settled();
  await updateStamped(work, 'vehicles', id);
  return readVehicle(work.db, id);
}

export async function markSoldWithDeposit(
  work: Work,
  id: string,
  { deposit_disposition: disposition, ...body }: Values<typeof SOLD_FIELDS>,
): Promise<VehicleDetail> {
  if (!disposition) return markSold(work, id, body);
  await lockVehicle(work.db, id);
  return markSold(work, id, body, await dispose(work, id, disposition, true));
}

/** Closes the deposit and returns its events. While it holds the car for the customer, it is closed only with the reservation. */
async function dispose(work: Work, vehicleId: string, disposition: Disposition, endsHold: boolean): Promise<() => Promise<void>> {
  const { db, today } = work;
  const open = (await lockOpenDeposit(db, vehicleId)) ?? fail('no_open_deposit');
  const held = await activeHold(db, vehicleId);
  if (!endsHold && held !== null && held.customer_id === open.customer_id)
    badField(
      'deposit_disposition',
      'not_allowed',
      'The car is still reserved for the customer',
      'Araç hâlâ müşteri için rezerve edilmiş durumda',
    );
  if (disposition === 'kalsın') {
    closeDeposit(work, open.id, 'Gelir', today);
    return () =>
      emitDepositEvent(work, 'deposit_kept', open.id, (amount) => ({
        en: `Deposit kept: ${amount.en}`,
        tr: `Kapora gelir olarak yazıldı: ${amount.tr}`,
      }));
  }
  const { branch_id, customer_id, currency, method, reservation_id } = open;
  requireOpenDay(await shareTill(db, branch_id), today);
  const refund: NewCollection = {
    type: 'İade',
    customer_id,
    branch_id,
    currency,
    method,
    reservation_id,
    amount: -open.amount,
    collected_on: today,
    vehicle_id: vehicleId,
  };
  const [made] = await insertCollections(work, [refund], []);
  closeDeposit(work, open.id, 'İade Edildi', today);
  return () =>
    emitDepositEvent(work, 'refunded', made!.id, (amount) => ({
      en: `Deposit returned: ${amount.en}`,
      tr: `Kapora iade edildi: ${amount.tr}`,
    }));
}

const closeDeposit = ({ db, updatedAt }: Work, id: string, status: string, on: string): void =>
  db.send(
    sql`update collections set deposit_status = ${status}, deposit_closed_on = ${on}, updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );

/** The buyer's open deposit as the first payment of their sale; null if there is none. The vehicle is locked. */
export async function depositAsPayment(
  work: Work,
  sale: StoredSale,
  installments: readonly StoredInstallment[],
): Promise<Posting | null> {
  const { db } = work;
  const open = await lockOpenDeposit(db, sale.vehicle_id);
  if (open === null || open.customer_id !== sale.customer_id) return null;
  const { customer_id, branch_id, amount, currency, vehicle_id, reservation_id } = open;
  const on = [sale.sale_date, open.collected_on].sort()[1]!;
  const rate = await paymentRate(db, { debt: sale.currency, paid: currency, day: on });
  const payable = payableInstallments(installments, null);
  const openInstallments = 'refused' in payable ? [] : payable.installments;
  const balance = sum(openInstallments.map(remainingOf));
  const worth = appliedAmount(amount, currency, sale.currency, rate?.rate ?? null);
  const applied = acceptedAmount(worth, 0n, balance, { currenciesDiffer: rate !== null });
  if (applied === null) return fail('amount_exceeds_balance', { words: { outstanding: amountWords(balance) } });
  const { money } = allocate(openInstallments, { money: applied })!;
  closeDeposit(work, open.id, 'Mahsup Edildi', on);
  const both = { customer_id, branch_id, currency, method: OFFSET_METHOD, collected_on: on };
  return {
    on,
    money,
    discount: [],
    collections: [
      { ...both, type: 'Mahsup', amount: -amount, vehicle_id, reservation_id },
      { ...both, type: 'Tahsilat', sale: { id: sale.id, currency: sale.currency }, amount, applied, rate, allocations: money },
    ],
  };
}
