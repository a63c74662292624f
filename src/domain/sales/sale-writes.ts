// Selling a car: the sale, its plan, the traded-in car, and the deposit that becomes its first payment, in one write.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { financedAmount, paymentType, saleStatus, totalReceivable } from '../installments/totals.ts';
import type { CreateBody } from '../records/body.ts';
import { keepNumber, nextNumbers } from '../records/number-series.ts';
import { type Columns, insertRecord } from '../records/record.ts';
import { activeHold } from '../stock/reservations.ts';
import { lockNamedVehicle, type StoredVehicle, type VEHICLE_FIELDS } from '../stock/vehicle.ts';
import { addVehicle, requireSellable, sell } from '../stock/vehicle-writes.ts';
import { depositAsPayment } from './deposits.ts';
import { insertInstallments } from './installment.ts';
import { watchInstallments } from './installment-days.ts';
import {
  badField,
  lockBuyer,
  lockSale,
  readDealer,
  refuseSaleConflict,
  requirePeople,
  type SALE_FIELDS,
  type StoredSale,
  unknownReference,
} from './sale.ts';
import { announcePosted, emitPlanEvent, emitSaleEvent, postMoney, showSaleWithPlan } from './sale-money.ts';
import { type PricedTerms, priceTerms, type RequestedPlan, readPlan } from './sale-terms.ts';
import { readSale, type SaleDetail } from './sale-view.ts';

type CreateSaleBody = CreateBody<typeof SALE_FIELDS>;

/** For a sale from another system: its number there, and the fingerprint of its line. */
export interface ImportedSale {
  readonly sale_no?: string | undefined;
  readonly imported_as: string;
}

export async function createSale(work: Work, body: CreateSaleBody, imported?: ImportedSale): Promise<SaleDetail> {
  const { db, today } = work;
  const vehicle = (await lockNamedVehicle(db, body.vehicle_id)) ?? unknownReference('vehicle_id');
  requireSellable(vehicle);
  await requireFree(work, vehicle, body.customer_id);
  const [buyer, dealer] = [await lockBuyer(db, body.customer_id), await readDealer(db)];
  await requirePeople(work, buyer.id, body);
  const currency = body.currency ?? vehicle.currency;
  if (dealer.country === 'TR' && currency !== 'TL' && !body.currency_exemption) refuseCurrency();
  const sale_date = body.sale_date ?? today;
  requireDelivery(body.delivery_due_on, sale_date);
  const terms = termsOf(body);
  const { plan, requested: planAsked } = readPlan(body, sale_date);
  const isCash = plan === null;
  const down_payment = body.down_payment ?? (isCash ? totalReceivable({ ...terms, down_payment: 0n }) : 0n);
  const priced = priceTerms({ ...terms, down_payment, sale_date, plan }, { tradeIn: 'trade_in.amount', total: 'finance_charge' });
  if (buyer.risk_level === 'blocked' && financedAmount({ ...terms, down_payment }) > 0n) fail('customer_blocked');
  const tradeInId = body.trade_in?.vehicle === undefined ? null : newId(work.now.getTime());
  const sale_no = await numberOf(work, imported);
  const branch_id = body.branch_id === undefined ? (vehicle.branch_id as string | null) : body.branch_id;
  const columns = newSale(work, { ...body, currency, sale_date, branch_id }, { ...terms, down_payment }, priced, planAsked);
  const origin = imported === undefined ? {} : { imported_as: imported.imported_as };
  const sale = await insertSale(work, { ...columns, ...origin, sale_no, trade_in_vehicle_id: tradeInId });
  const installments = insertInstallments(work, sale, priced.installments);
  watchInstallments(work, installments);
  const payment = await depositAsPayment(work, sale, installments);
  const posted = payment === null ? null : await postMoney(work, { sale, installments, notes: [] }, payment);
  const [shown, shownPlan] = await showSaleWithPlan(work, sale.id);
  emitSaleEvent(work, 'created', shown);
  emitPlanEvent(work, 'created', shownPlan);
  const takeIn = tradeInId === null ? undefined : () => takeTradeIn(work, body, sale, tradeInId);
  await sell(work, vehicle, { sold_via: 'Satış', sold_at: sale_date, ...(takeIn === undefined ? {} : { alongside: takeIn }) });
  if (posted !== null) await announcePosted(work, posted, []);
  logSale(work, sale, { en: `Sale ${sale.sale_no}`, tr: `Satış yapıldı: ${sale.sale_no}` });
  return readSale(db, sale.id, today);
}

async function numberOf(work: Work, imported: ImportedSale | undefined): Promise<string> {
  if (imported?.sale_no === undefined) return (await nextNumbers(work, 'S', 1))[0]!.text;
  keepNumber(work, 'S', imported.sale_no);
  return imported.sale_no;
}

/**
 * A car that is reserved for another customer or a dealer cannot be sold to this one. A consumer's offer leaves it open to any
 * buyer.
 */
async function requireFree({ db }: Work, vehicle: StoredVehicle, customerId: string): Promise<void> {
  if (vehicle.status !== 'Rezerve') return;
  const held = await activeHold(db, vehicle.id);
  if (held === null || held.kind === 'Pazar Teklifi') return;
  const isOpen = held.kind === 'Müşteri' && (held.customer_id === null || held.customer_id === customerId);
  if (!isOpen) fail('vehicle_reserved_for_other');
}

export function refuseCurrency(): never {
  const message = {
    en: 'Dealers in Türkiye must sell in TL; another currency requires currency_exemption',
    tr: 'Türkiye’deki galeri TL ile satar; başka para birimi için currency_exemption gerekir',
  };
  return fail('currency_not_allowed', { details: [{ field: 'currency', code: 'currency_not_allowed', message }] });
}

export function requireDelivery(delivery: string | null | undefined, saleDate: string): void {
  if (delivery && delivery < saleDate)
    badField(
      'delivery_due_on',
      'out_of_range',
      'delivery_due_on must not be before the sale date',
      'delivery_due_on satıştan önce',
    );
}

const termsOf = ({ sale_price, finance_charge = 0n, trade_in }: CreateSaleBody) => ({
  sale_price,
  finance_charge,
  trade_in_amount: trade_in?.amount ?? 0n,
});

type Terms = ReturnType<typeof termsOf> & { readonly down_payment: bigint };

function newSale(
  work: Work,
  body: CreateSaleBody,
  terms: Terms,
  { installments, yearly_rate }: PricedTerms,
  plan: RequestedPlan,
): Columns {
  const { now } = work;
  const { vehicle_id, customer_id, guarantor_ids = [], salesperson_id = null, branch_id = null, sale_date, currency } = body;
  return {
    id: newId(now.getTime()),
    plan_id: newId(now.getTime()),
    external_ref: body.external_ref ?? null,
    vehicle_id,
    customer_id,
    guarantor_ids,
    salesperson_id,
    branch_id,
    sale_date,
    currency,
    currency_exemption: body.currency_exemption ?? null,
    ...priceColumns(terms),
    late_rate_yearly_minor: body.late_rate_yearly ?? null,
    yearly_rate_minor: yearly_rate,
    delivery_due_on: body.delivery_due_on ?? null,
    notes: body.notes ?? null,
    ...plan,
    payment_type: paymentType(installments),
    status: saleStatus('Aktif', totalReceivable(terms)),
    created_at: now,
    updated_at: work.updatedAt(),
  };
}

export const priceColumns = ({ sale_price, trade_in_amount, down_payment, finance_charge }: Terms): Columns => ({
  sale_price_minor: sale_price,
  trade_in_amount_minor: trade_in_amount,
  down_payment_minor: down_payment,
  finance_charge_minor: finance_charge,
});

async function insertSale({ db }: Work, columns: Columns): Promise<StoredSale> {
  await insertRecord(db, 'sales', columns).catch(refuseSaleConflict);
  return (await lockSale(db, columns.id as string))!;
}

/** Its hidden purchase price is its trade-in value. */
async function takeTradeIn(work: Work, { trade_in }: CreateSaleBody, sale: StoredSale, id: string): Promise<void> {
  const vehicle = trade_in!.vehicle as CreateBody<typeof VEHICLE_FIELDS>;
  await addVehicle(
    work,
    { ...vehicle, source: 'Takas', purchase_price: trade_in!.amount!, purchase_currency: sale.currency },
    id,
  );
}

export const logSale = (work: Work, { id, customer_id }: StoredSale, note: { en: string; tr: string }): void =>
  logActivity(work, customer_id, { note, resource_type: 'sale', resource_id: id });
