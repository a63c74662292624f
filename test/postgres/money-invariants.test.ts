// Invariants of money are enforced by the database: every violation is attempted in SQL, with the service's own role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/postgres/database.ts';
import {
  aCollection,
  anAllocation,
  aPromise,
  aReversal,
  aRow,
  aSale,
  asTheService,
  attempt,
  insert,
  type MoneyWorld,
  moneyWorld,
  NEW,
  NEXT,
  paidRow,
  paidSale,
  reversedPayment,
  TODAY,
} from './money-world.ts';

let world: MoneyWorld;
let session: Session;
beforeAll(async () => {
  world = await moneyWorld();
  session = await asTheService(world);
});
afterAll(async () => {
  await session?.close();
  await world?.close();
});

type Attempt = readonly [name: string, expected: string, sql: (w: MoneyWorld) => string];

const attempts = (table: readonly Attempt[]): void => {
  test.each(table)('%s: %s', async (_, expected, text) => {
    expect(await attempt(session, world.account, text(world))).toBe(expected);
  });
};

const denied = (table: string) => `permission denied for table ${table}`;
const payment = (w: MoneyWorld, input = {}, part = {}) =>
  `${aCollection(w, input)} ${anAllocation(w, part)} ${paidRow(w)} ${paidSale(w)}`;
const backOf = (w: MoneyWorld, input = {}) => anAllocation(w, { installment_id: w.rows[0]!.id, amount_minor: -70000, ...input });
const closing = (w: MoneyWorld, input = {}) =>
  insert('till_closings', {
    account_id: w.account,
    id: NEW,
    branch_id: w.branch,
    day: TODAY,
    lines: '[]',
    closed_by: 'Kasa',
    closed_at: TODAY,
    ...input,
  });
const closedThrough = (w: MoneyWorld, day = `'${TODAY}'`) =>
  `update branches set closed_through = ${day} where id = '${w.branch}';`;
const refundOfDeposit = (w: MoneyWorld, input = {}) =>
  aCollection(w, {
    type: 'İade',
    sale_id: null,
    sale_currency: null,
    applied_amount_minor: null,
    amount_minor: -10000,
    vehicle_id: w.heldCar,
    reservation_id: w.deposit.reservation_id,
    ...input,
  });
const closedDeposit = (w: MoneyWorld, status: string) =>
  `update collections set deposit_status = '${status}', deposit_closed_on = '${TODAY}' where id = '${w.deposit.id}';`;

// If these were refused, the refusals below would prove nothing.
describe('accepts what the service itself writes', () => {
  attempts([
    ['a sale with its row', 'accepted', (w) => aSale(w) + aRow(w)],
    ['a payment', 'accepted', payment],
    ['a reversal', 'accepted', (w) => aReversal(w) + backOf(w) + reversedPayment(w)],
    ['a promise', 'accepted', aPromise],
    ['a closed day', 'accepted', (w) => closing(w) + closedThrough(w)],
    ['a refunded deposit', 'accepted', (w) => refundOfDeposit(w) + closedDeposit(w, 'İade Edildi')],
    ['a deposit kept', 'accepted', (w) => closedDeposit(w, 'Gelir')],
  ]);
});

describe('a sale', () => {
  const set = (text: string) => (w: MoneyWorld) => `update sales set ${text} where id = '${w.cash.id}'`;
  const onTerms = (text: string) => (w: MoneyWorld) => `update sales set ${text} where id = '${w.sale.id}'`;
  attempts([
    ['a second one of a vehicle', 'sales_one_per_vehicle', (w) => aSale(w, { vehicle_id: w.car }) + aRow(w)],
    ['a duplicate number', 'sales_no', (w) => aSale(w, { sale_no: w.sale.sale_no }) + aRow(w)],
    ['a plan of another', 'sales_plan', (w) => aSale(w, { plan_id: w.sale.plan_id }) + aRow(w)],
    [
      'a zero price',
      'sales_sale_price_minor_check',
      (w) => aSale(w, { sale_price_minor: 0, down_payment_minor: 0, status: 'Tamamlandı' }),
    ],
    ['a negative down payment', 'sales_down_payment_minor_check', onTerms('down_payment_minor = -1')],
    ['a negative finance charge', 'sales_finance_charge_minor_check', onTerms('finance_charge_minor = -1')],
    ['a negative trade-in', 'sales_trade_in_amount_minor_check', onTerms('trade_in_amount_minor = -1')],
    ['more traded in than it costs', 'sales_financed_amount_minor_check', onTerms('trade_in_amount_minor = 300001')],
    ['more down than it costs', 'sales_financed_amount_minor_check', onTerms('down_payment_minor = 400001')],
    ['cash with something left to finance', 'sales_cash', set('down_payment_minor = 40000')],
    ['an unknown currency', 'sales_currency_check', (w) => aSale(w, { currency: 'TRY' })],
    ['without its rows', 'sales_sums', aSale],
    ['rows with a smaller sum', 'sales_sums', (w) => aSale(w) + aRow(w, { amount_minor: 49999 })],
    ['rows with a larger sum', 'sales_sums', (w) => aSale(w) + aRow(w, { amount_minor: 50001 })],
    ['a price that its rows do not follow', 'sales_sums', set('sale_price_minor = 60000, down_payment_minor = 60000')],
    ['collected without money', 'sales_sums', set('collected_amount_minor = 100')],
    ['a negative collected amount', 'sales_collected', set('collected_amount_minor = -100')],
    ['forgiven without a record', 'sales_sums', set('discounted_amount_minor = 100')],
    ['more than its total', 'sales_not_above_total', set('collected_amount_minor = 50001')],
    ['completed unpaid', 'sales_completed', set(`status = 'Tamamlandı'`)],
    ['cancelled without a reason', 'sales_cancelled', set(`status = 'İptal', cancelled_at = now()`)],
    ['cancelled with open rows', 'sales_sums', set(`status = 'İptal', cancelled_at = now(), cancel_reason = 'vazgeçti'`)],
    ['a refund while it is active', 'sales_refund', set('refunded_amount_minor = 1')],
    [
      'a refund without its record',
      'sales_sums',
      (w) =>
        `update sales set refunded_amount_minor = 20001, collected_amount_minor = 9999, retained_amount_minor = 9999 where id = '${w.cancelled.id}'`,
    ],
    [
      'more retained than collected',
      'sales_retained',
      (w) => `update sales set retained_amount_minor = 10001 where id = '${w.cancelled.id}'`,
    ],
    ['another currency', denied('sales'), set(`currency = 'TL'`)],
    ['another car', denied('sales'), (w) => `update sales set vehicle_id = '${w.heldCar}' where id = '${w.cash.id}'`],
    ['another customer', denied('sales'), (w) => `update sales set customer_id = '${w.otherCustomer}' where id = '${w.cash.id}'`],
    ['another number', denied('sales'), set(`sale_no = 'S-2026-99999'`)],
    ['deleted', denied('sales'), (w) => `delete from sales where id = '${w.cash.id}'`],
  ]);
});

describe('an installment of a plan', () => {
  const edited = (w: MoneyWorld) => `update sales set notes = 'yarın gelecek' where id = '${w.cash.id}';`;
  const set = (text: string) => (w: MoneyWorld) => `update installments set ${text} where id = '${w.cashRow.id}'`;
  attempts([
    ['negative', 'installments_amount_minor_check', set('amount_minor = -1')],
    ['a negative paid amount', 'installments_paid_amount_minor_check', set('paid_amount_minor = -1')],
    ['a negative discount', 'installments_discounted_amount_minor_check', set('discounted_amount_minor = -1')],
    [
      'paid above its amount',
      'installments_not_above_amount',
      set(`paid_amount_minor = 50001, status = 'Ödendi', paid_at = '${TODAY}'`),
    ],
    ['paid and still waiting', 'installments_status', set('paid_amount_minor = 100')],
    ['settled without money', 'installments_status', set(`status = 'Ödendi', paid_at = '${TODAY}'`)],
    ['paid without a day', 'installments_paid_at', set(`paid_amount_minor = 50000, status = 'Ödendi'`)],
    ['paid without money', 'installments_allocated', (w) => paidRow(w)],
    ['paid like its sale, without money', 'installments_allocated', (w) => paidRow(w) + paidSale(w)],
    ['another amount than its sale', 'sales_sums', set('amount_minor = 49999')],
    ['the same beside an edit of its sale', 'sales_sums', (w) => edited(w) + set('amount_minor = 49999')(w)],
    ['the same before an edit of its sale', 'sales_sums', (w) => `${set('amount_minor = 49999')(w)}; ${edited(w)}`],
    [
      'the same beside an edit of its sale in a step',
      'sales_sums',
      (w) => `savepoint step; ${edited(w)} release savepoint step; ${set('amount_minor = 49999')(w)}`,
    ],
    [
      'the same beside an edit of its sale that was undone',
      'sales_sums',
      (w) => `savepoint step; ${edited(w)} rollback to savepoint step; ${set('amount_minor = 49999')(w)}`,
    ],
    ['cancelled while its sale is active', 'sales_sums', set(`status = 'İptal'`)],
    ['a second one of a place', 'installments_seq', (w) => aRow(w, { sale_id: w.cash.id, plan_id: w.cash.plan_id })],
    ['down payment in another place', 'installments_kind', (w) => aSale(w) + aRow(w, { seq: 1 })],
    ['of another plan', 'sales_sums', (w) => aSale(w) + aRow(w, { plan_id: w.sale.plan_id })],
    ['in another currency than its sale', 'installments_sale', (w) => aSale(w) + aRow(w, { currency: 'TL' })],
    ['of another customer', 'installments_sale', (w) => aSale(w) + aRow(w, { customer_id: w.otherCustomer })],
    ['born paid', 'installments_new', (w) => aSale(w) + aRow(w, { paid_amount_minor: 50000, status: 'Ödendi', paid_at: TODAY })],
    ['moved to another sale', denied('installments'), (w) => set(`sale_id = '${w.sale.id}'`)(w)],
    ['deleted from its sale', 'sales_sums', (w) => `delete from installments where id = '${w.cashRow.id}'`],
    [
      'deleted with its money',
      'collection_allocations_account_id_installment_id_fkey',
      (w) => `delete from installments where id = '${w.rows[0]!.id}'`,
    ],
  ]);
});

describe('money', () => {
  const set = (text: string) => (w: MoneyWorld) => `update collections set ${text} where id = '${w.paid.id}'`;
  const other = { currency: 'TL', rate_pair: 'STG-TL', exchange_rate: 40, rate_date: TODAY, rate_source: 'manuel' };
  attempts([
    ['nothing', 'collections_amount_minor_check', (w) => payment(w, { amount_minor: 0, applied_amount_minor: 0 })],
    ['a negative payment', 'collections_sign', (w) => payment(w, { amount_minor: -10000, applied_amount_minor: -10000 })],
    [
      'for no sale',
      'collections_sale',
      (w) => aCollection(w, { sale_id: null, sale_currency: null, applied_amount_minor: null }),
    ],
    ['a duplicate number', 'collections_receipt', (w) => payment(w, { receipt_no: w.paid.receipt_no })],
    ['of another customer than the sale', 'collections_party', (w) => payment(w, { customer_id: w.otherCustomer })],
    ['in another sale currency', 'collections_party', (w) => payment(w, { ...other, currency: 'STG', sale_currency: 'TL' })],
    ['another currency without a rate', 'collections_rate', (w) => payment(w, { currency: 'TL' })],
    ['a rate where there is none to need', 'collections_rate', (w) => payment(w, { ...other, currency: 'STG' })],
    ['less applied than paid', 'collections_same_currency', (w) => payment(w, { amount_minor: 10001 })],
    ['more interest than money', 'collections_late_interest', (w) => payment(w, { late_interest_amount_minor: 10001 })],
    ['a discount that is money', 'collections_method', (w) => payment(w, { type: 'İndirim', discount_reason: 'Silme' })],
    ['a discount without a reason', 'collections_discount', (w) => payment(w, { type: 'İndirim', method: null })],
    ['set off without a deposit', 'collections_offset', (w) => payment(w, { method: 'Mahsup' })],
    ['paired with a stranger', 'collections_pair', (w) => payment(w, { paired_id: w.paid.id })],
    ['nowhere', 'collections_allocated', aCollection],
    ['allocated in part', 'collections_allocated', (w) => payment(w, {}, { amount_minor: 9999 })],
    ['allocated above what it is', 'collections_allocated', (w) => payment(w, {}, { amount_minor: 10001 })],
    ['allocated as a discount', 'collections_allocated', (w) => payment(w, {}, { is_discount: true })],
    [
      'taken from one row for another',
      'collections_allocated',
      (w) => payment(w, {}, { amount_minor: 20000 }) + anAllocation(w, { place: 2, amount_minor: -10000 }),
    ],
    ['to a row of another sale', 'installments_allocated', (w) => payment(w, {}, { installment_id: w.rows[1]!.id })],
    ['more than its row', 'installments_allocated', (w) => aCollection(w) + anAllocation(w)],
    [
      'more to it afterwards',
      'collections_allocated',
      (w) => anAllocation(w, { collection_id: w.paid.id, place: 2 }) + paidRow(w) + paidSale(w),
    ],
    [
      'more to it beside an edit of it',
      'collections_allocated',
      (w) =>
        `${set('deposit_closed_on = null')(w)}; ${anAllocation(w, { collection_id: w.paid.id, place: 2 })} ${paidRow(w)} ${paidSale(w)}`,
    ],
    [
      'refunded while the sale is active',
      'sales_sums',
      (w) => aCollection(w, { type: 'İade', amount_minor: -100, applied_amount_minor: -100 }),
    ],
    [
      'refunded a second time',
      'collections_one_refund',
      (w) => aCollection(w, { type: 'İade', sale_id: w.cancelled.id, amount_minor: -100, applied_amount_minor: -100 }),
    ],
    ['on a closed day', 'collections_open_day', (w) => closing(w) + closedThrough(w) + payment(w)],
    ['edited', denied('collections'), set('amount_minor = 1')],
    ['with another date', denied('collections'), set(`collected_on = '2026-01-01'`)],
    ['deleted', denied('collections'), (w) => `delete from collections where id = '${w.paid.id}'`],
    [
      'its allocation edited',
      denied('collection_allocations'),
      (w) => `update collection_allocations set amount_minor = 1 where collection_id = '${w.paid.id}'`,
    ],
    [
      'its allocation deleted',
      denied('collection_allocations'),
      (w) => `delete from collection_allocations where collection_id = '${w.paid.id}'`,
    ],
  ]);
});

describe('a reversal', () => {
  const whole = (w: MoneyWorld, input = {}, part = {}) => aReversal(w, input) + backOf(w, part) + reversedPayment(w);
  attempts([
    ['a second one', 'collections_one_reversal', (w) => whole(w, { reverses_id: w.reversed.id })],
    ['of a reversal', 'collections_exact_reversal', (w) => whole(w, { reverses_id: w.reversal.id })],
    [
      'of less',
      'collections_exact_reversal',
      (w) => whole(w, { amount_minor: -60000, applied_amount_minor: -60000 }, { amount_minor: -60000 }),
    ],
    ['of interest that was not paid', 'collections_same_currency', (w) => whole(w, { late_interest_amount_minor: -1 })],
    ['by another way', 'collections_exact_reversal', (w) => whole(w, { method: 'Havale/EFT' })],
    ['from another row', 'collections_exact_reversal', (w) => whole(w, {}, { installment_id: w.rows[1]!.id })],
    [
      'with rows beside',
      'collections_allocated',
      (w) =>
        whole(w) +
        backOf(w, { place: 2, amount_minor: 100, installment_id: w.rows[1]!.id }) +
        backOf(w, { place: 3, amount_minor: -100, installment_id: w.rows[2]!.id }),
    ],
    ['that the original does not know of', 'collections_exact_reversal', (w) => aReversal(w) + backOf(w)],
    ['without a reason', 'collections_reversal', (w) => whole(w, { reversal_reason: null })],
    [
      'that never happened',
      'collections_exact_reversal',
      (w) => `update collections set status = 'İptal Edildi', reversed_by_id = '${w.reversal.id}' where id = '${w.paid.id}'`,
    ],
    [
      'without a record',
      'collections_reversed',
      (w) => `update collections set status = 'İptal Edildi' where id = '${w.paid.id}'`,
    ],
    [
      'undone',
      'collections_kept',
      (w) => `update collections set status = 'Geçerli', reversed_by_id = null where id = '${w.reversed.id}'`,
    ],
  ]);
});

describe('a deposit', () => {
  const set = (text: string) => (w: MoneyWorld) => `update collections set ${text} where id = '${w.deposit.id}'`;
  const deposit = (w: MoneyWorld, input = {}) =>
    aCollection(w, {
      type: 'Kapora',
      sale_id: null,
      sale_currency: null,
      applied_amount_minor: null,
      vehicle_id: w.heldCar,
      deposit_status: 'Açık',
      ...input,
    });
  attempts([
    ['a second open one on a car', 'collections_one_open_deposit', deposit],
    ['for no car', 'collections_sale', (w) => deposit(w, { vehicle_id: null })],
    ['neither open nor ended', 'collections_deposit_kept', set('deposit_status = null')],
    ['ended without a day', 'collections_deposit_closed', set(`deposit_status = 'Gelir'`)],
    ['refunded without a record', 'collections_deposits', (w) => closedDeposit(w, 'İade Edildi')],
    ['set off without a record', 'collections_deposits', (w) => closedDeposit(w, 'Mahsup Edildi')],
    [
      'a smaller refund',
      'collections_deposits',
      (w) => refundOfDeposit(w, { amount_minor: -9999 }) + closedDeposit(w, 'İade Edildi'),
    ],
    ['refunded and still open', 'collections_deposits', refundOfDeposit],
    ['ended twice', 'collections_kept', (w) => closedDeposit(w, 'Gelir') + closedDeposit(w, 'İade Edildi')],
    ['of a payment', 'collections_deposit', (w) => payment(w, { deposit_status: 'Açık' })],
  ]);
});

describe('a promise', () => {
  const set = (text: string) => (w: MoneyWorld) => `update payment_promises set ${text} where id = '${w.promise.id}'`;
  attempts([
    ['a second open one of a sale', 'payment_promises_one_open', (w) => aPromise(w, { sale_id: w.cash.id })],
    ['of nothing', 'payment_promises_amount_minor_check', (w) => aPromise(w, { amount_minor: 0 })],
    ['in another currency than the sale', 'payment_promises_sale', (w) => aPromise(w, { currency: 'TL' })],
    ['of another customer', 'payment_promises_sale', (w) => aPromise(w, { customer_id: w.otherCustomer })],
    ['kept without a time', 'payment_promises_resolved', set(`status = 'Tutuldu'`)],
    ['moved to another sale', denied('payment_promises'), (w) => set(`sale_id = '${w.sale.id}'`)(w)],
    ['deleted', denied('payment_promises'), (w) => `delete from payment_promises where id = '${w.promise.id}'`],
  ]);
});

describe('the till', () => {
  const reopened = (w: MoneyWorld) =>
    `update till_closings set reopened_by = 'Sahip', reopened_at = now(), reopen_reason = 'eksik' where id = '${NEW}'; ${closedThrough(w, 'null')}`;
  attempts([
    ['a day closed twice', 'till_closings_day', (w) => closing(w) + closing(w, { id: NEXT })],
    ['closed without a closing', 'till_closings_days', (w) => closedThrough(w)],
    ['a closing that closes nothing', 'till_closings_days', (w) => closing(w)],
    ['opened without a word', 'till_closings_days', (w) => closing(w) + closedThrough(w) + closedThrough(w, 'null')],
    ['reopened, as it should be', 'accepted', (w) => closing(w) + closedThrough(w) + reopened(w)],
    ['reopened twice', 'till_closings_kept', (w) => closing(w) + closedThrough(w) + reopened(w) + reopened(w)],
    ['with other counts', denied('till_closings'), () => `update till_closings set lines = '[1]'`],
    ['deleted', denied('till_closings'), () => 'delete from till_closings'],
  ]);
});

describe('history cannot change', () => {
  attempts([
    ['history of a car', denied('vehicle_history'), () => `update vehicle_history set event = 'created'`],
    ['history of a car', denied('vehicle_history'), () => 'delete from vehicle_history'],
    ['the customer activity', denied('customer_activity'), () => `update customer_activity set occurred_at = now()`],
    ['the customer activity', denied('customer_activity'), () => 'delete from customer_activity'],
    ['events', denied('events'), () => 'delete from events'],
    ['the audit log', denied('audit_log'), () => `update audit_log set actor = 'nobody'`],
    ['the audit log', denied('audit_log'), () => 'delete from audit_log'],
    ['numbers', denied('number_series'), () => 'delete from number_series'],
    [
      'one hold on a car',
      'reservations_one_active',
      (w) => insert('reservations', { account_id: w.account, id: NEW, vehicle_id: w.heldCar, kind: 'Müşteri' }),
    ],
    [
      'one car of a plate in stock',
      'vehicles_plate',
      (w) =>
        `update vehicles set plate = (select plate from vehicles where id = '${w.car}'), status = 'Stokta' where id in ('${w.car}', '${w.heldCar}')`,
    ],
    [
      'one customer of an identity number',
      'customers_id_no',
      (w) =>
        `update customers set id_no_index = (select id_no_index from customers where id = '${w.customer}') where id = '${w.otherCustomer}'`,
    ],
    [
      'one main branch',
      'branches_one_main',
      (w) => insert('branches', { account_id: w.account, id: NEW, name: 'Şube', city: 'Girne', is_main: true }),
    ],
  ]);
});

describe('another dealer', () => {
  const wall = (table: string) => `new row violates row-level security policy for table "${table}"`;
  attempts([
    ['their sale', wall('sales'), (w) => aSale(w, { account_id: w.stranger.account })],
    ['their money', wall('collections'), (w) => aCollection(w, { account_id: w.stranger.account })],
    ['their row', wall('installments'), (w) => aRow(w, { account_id: w.stranger.account })],
    ['a sale of their car', 'sales_account_id_vehicle_id_fkey', (w) => aSale(w, { vehicle_id: w.stranger.car }) + aRow(w)],
    ['a sale to their customer', 'sales_account_id_customer_id_fkey', (w) => aSale(w, { customer_id: w.stranger.customer })],
    ['a row of their sale', 'installments_sale', (w) => aRow(w, { sale_id: w.stranger.sale.id })],
    ['money for their sale', 'collections_party', (w) => aCollection(w, { sale_id: w.stranger.sale.id })],
    [
      'money to their row',
      'collection_allocations_account_id_installment_id_fkey',
      (w) => aCollection(w) + anAllocation(w, { installment_id: w.stranger.row.id }),
    ],
    ['a promise for their sale', 'payment_promises_sale', (w) => aPromise(w, { sale_id: w.stranger.sale.id })],
  ]);
});
