// Cancelling a sale: the car returns to stock, payments are refunded or kept, and all dependent records end.
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { refundedAmount } from '../exchange-rates/applied-rate.ts';
import { paymentRate } from '../exchange-rates/payment-rate.ts';
import { amountWords } from '../installments/money-words.ts';
import { cancelInstallments, isOpen } from '../installments/plan-installment.ts';
import { refundCeiling, settleCancellation } from '../installments/refund.ts';
import { COLLECTION_METHODS, DISPOSITIONS, type Disposition } from '../installments/sales-states.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  type Fields,
  moneyField,
  oneOfField,
  rateField,
  required,
  textField,
  withDefault,
} from '../records/fields.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { openDepositOn } from '../stock/reservations.ts';
import { lockVehicle, lockVehicles, type StoredVehicle } from '../stock/vehicle.ts';
import { removeReturned, returnToStock } from '../stock/vehicle-writes.ts';
import { emitCollectionEvent, insertCollections, type NewCollection, readCollections } from './collection.ts';
import { updateInstallments } from './installment.ts';
import { cancelNotes, refuseCancelWithNotes } from './note-reactions.ts';
import { cancelOpenPromise } from './promise-reactions.ts';
import { badField, readDealer, type StoredSale } from './sale.ts';
import { emitPlanEvent, emitSaleEvent, type LockedSale, lockSaleWithInstallments, showSaleWithPlan } from './sale-money.ts';
import { readSale, type SaleDetail } from './sale-view.ts';
import { logSale } from './sale-writes.ts';
import { refuseSettling } from './salesperson.ts';
import { requireOpenDay, shareTill } from './till.ts';

export const CANCEL_FIELDS = {
  reason: required(textField(500, { min: 3 })),
  refund_amount: moneyField(),
  refund_method: oneOfField(COLLECTION_METHODS),
  refund_currency: withDefault(currencyField, "the sale's", 'satışınki'),
  exchange_rate: rateField,
  trade_in_disposition: withDefault(oneOfField(DISPOSITIONS), '`iade`'),
} as const satisfies Fields;
type CancelSaleBody = CreateBody<typeof CANCEL_FIELDS>;

/** A sale without collections. */
export async function deleteSale(work: Work, id: string): Promise<SaleDetail> {
  return cancel(work, id, { reason: 'silindi' }, (sale) => {
    if (sale.collected_amount_minor !== 0n) fail('sale_has_collections');
  });
}

export const cancelSale = (work: Work, id: string, body: CancelSaleBody): Promise<SaleDetail> => cancel(work, id, body, () => {});

async function cancel(work: Work, id: string, body: CancelSaleBody, require: (sale: StoredSale) => void): Promise<SaleDetail> {
  const { db, now, today } = work;
  const { sale, installments, notes, vehicle, tradeIn } = await lockAll(work, id);
  if (sale.status === 'İptal') fail('sale_already_cancelled');
  require(sale);
  refuseCancelWithNotes(notes);
  const disposition = body.trade_in_disposition ?? 'iade';
  if (body.trade_in_disposition === 'kalsın' && sale.trade_in_amount_minor === 0n)
    badField('trade_in_disposition', 'not_allowed', 'This sale has no trade-in', 'Bu satışta takas yok');
  const isReturned = disposition === 'iade' && tradeIn !== null;
  if (isReturned && !(await isReturnable(work, tradeIn))) fail('trade_in_not_returnable');
  const settled = await settle(work, sale, body, disposition);
  refuseSettling(work, sale, settled.refunded_amount);
  if (settled.refunded_amount === 0n) refuseTermsOfRefund(body);
  const refundId = settled.refunded_amount === 0n ? null : await giveBack(work, sale, body, settled.refunded_amount);
  updateInstallments(work, cancelInstallments(installments.filter(isOpen)));
  db.send(sql`update sales set status = 'İptal', cancelled_at = ${now}, cancel_reason = ${body.reason},
      refunded_amount_minor = ${settled.refunded_amount}, retained_amount_minor = ${settled.retained_amount},
      collected_amount_minor = collected_amount_minor - ${settled.refunded_amount}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  const [shown, plan] = await showSaleWithPlan(work, id);
  emitSaleEvent(work, 'cancelled', shown);
  await returnToStock(work, vehicle);
  emitPlanEvent(work, 'cancelled', plan);
  cancelNotes(work, notes);
  await cancelOpenPromise(work, id);
  await work.consequences.saleCancelled(work, sale);
  if (refundId !== null) emitCollectionEvent(work, 'refunded', (await readCollections(db, [refundId]))[0]!);
  if (isReturned) await removeReturned(work, tradeIn, 'müşteriye iade');
  logSale(work, sale, {
    en: `Sale ${sale.sale_no} cancelled: ${body.reason}`,
    tr: `${sale.sale_no} numaralı satış iptal edildi: ${body.reason}`,
  });
  return readSale(db, id, today);
}

/** As for a deleted car: in stock, without an open deposit. */
const isReturnable = async ({ db }: Work, { id, status, deleted_at }: StoredVehicle): Promise<boolean> =>
  status === 'Stokta' && deleted_at === null && (await openDepositOn(db, id)) === null;

interface Locked extends LockedSale {
  readonly vehicle: StoredVehicle;
  readonly tradeIn: StoredVehicle | null;
}

/** Cars first, in id order, then the sale and its installments. */
async function lockAll({ db }: Work, id: string): Promise<Locked> {
  const cars = await db.one<{ vehicle_id: string; trade_in_vehicle_id: string | null }>(
    sql`select vehicle_id, trade_in_vehicle_id from ${own('sales')} where id = ${id}`,
  );
  const tradeInId = cars.trade_in_vehicle_id;
  await lockVehicles(db, [cars.vehicle_id, ...(tradeInId === null ? [] : [tradeInId])]);
  const vehicle = await lockVehicle(db, cars.vehicle_id);
  const tradeIn = tradeInId === null ? null : await lockVehicle(db, tradeInId);
  return { ...(await lockSaleWithInstallments(db, id))!, vehicle, tradeIn };
}

async function settle(work: Work, sale: StoredSale, { refund_amount }: CancelSaleBody, tradeIn: Disposition) {
  const { db, today } = work;
  const { country } = await readDealer(db);
  const { kind } = await db.one<{ kind: string }>(sql`select kind from ${own('customers')} where id = ${sale.customer_id}`);
  const of = {
    country,
    sale_date: sale.sale_date,
    payment_type: sale.payment_type,
    customerIsCompany: kind === 'Kurumsal',
    collected_amount: sale.collected_amount_minor,
    trade_in_amount: sale.trade_in_amount_minor,
  };
  const settled = settleCancellation(of, { refund: refund_amount ?? null, tradeIn, today });
  if (!('refused' in settled)) {
    // A car that is kept counts as a payment, so both together may exceed the maximum of one amount.
    requireStorable('refund_amount', settled.refunded_amount);
    requireStorable('refund_amount', settled.retained_amount);
    return settled;
  }
  const limit = amountWords(refundCeiling(of, tradeIn));
  const message =
    settled.refused === 'retention_not_allowed'
      ? { en: `refund_amount must be ${limit.en}`, tr: `refund_amount ${limit.tr} olmalı` }
      : { en: `refund_amount must be at most ${limit.en}`, tr: `refund_amount en çok ${limit.tr} olabilir` };
  return fail(settled.refused, { words: { limit }, details: [{ field: 'refund_amount', code: settled.refused, message }] });
}

/** Without a refund, its details in the request are an error. */
function refuseTermsOfRefund({ refund_currency, exchange_rate }: CancelSaleBody): void {
  for (const [name, value] of Object.entries({ refund_currency, exchange_rate }))
    if (value !== undefined)
      badField(name, 'not_allowed', `${name} goes with a refund, and nothing is given back`, `İade yok: ${name} verilmez`);
}

/** In the sale's currency, or in one in which a payment was received. */
async function giveBack(work: Work, sale: StoredSale, body: CancelSaleBody, refund: bigint): Promise<string> {
  const { db, today } = work;
  const { refund_method: method, refund_currency: currency = sale.currency, exchange_rate: agreed } = body;
  if (method === undefined)
    return badField('refund_method', 'required', 'refund_method is required with a refund', 'İade için refund_method zorunludur');
  if (currency !== sale.currency && !(await wasReceived(work, sale.id, currency))) refuseRefundCurrency();
  const till = await shareTill(db, sale.branch_id);
  requireOpenDay(till, today);
  const rate = await paymentRate(db, { debt: sale.currency, paid: currency, day: today, agreed });
  const amount = refundedAmount(refund, currency, sale.currency, rate?.rate ?? null);
  requireStorable('refund_amount', amount);
  if (amount === 0n)
    badField('refund_amount', 'out_of_range', `This is worth 0.00 ${currency}`, `Bu tutar 0,00 ${currency} ediyor`);
  const refunded: NewCollection = {
    type: 'İade',
    sale: { id: sale.id, currency: sale.currency },
    customer_id: sale.customer_id,
    branch_id: till.branch_id,
    amount: -amount,
    currency,
    applied: -refund,
    rate,
    method,
    collected_on: today,
  };
  return (await insertCollections(work, [refunded], []))[0]!.id;
}

async function wasReceived({ db }: Work, saleId: string, currency: Currency): Promise<boolean> {
  const found =
    await db.rows(sql`select id from ${own('collections')} where sale_id = ${saleId} and type = 'Tahsilat' and status = 'Geçerli'
    and currency = ${currency} limit 1`);
  return found.length > 0;
}

function refuseRefundCurrency(): never {
  const message = {
    en: 'A refund must be in the currency of the sale or of a collection for it',
    tr: 'İade, satışın ya da alınmış bir tahsilatın para biriminde olur',
  };
  return fail('refund_currency_not_received', {
    details: [{ field: 'refund_currency', code: 'refund_currency_not_received', message }],
  });
}
