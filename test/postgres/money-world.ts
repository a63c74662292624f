// A dealer's books with a record of every kind, and statements that try to break them.
import { openSession, type Session } from '../../src/postgres/database.ts';
import { carOf, collect, customerOf, dataOf, newKey, reverse, rowsOf, type Shown, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

export const TODAY = '2026-03-10';

export interface MoneyWorld {
  readonly api: TestService;
  readonly dealer: Dealer;
  readonly account: string;
  readonly customer: string;
  readonly otherCustomer: string;
  readonly car: string;
  /** 1 000.00 down, 3 × 1 000.00; 700.00 paid on the first installment. */
  readonly sale: Shown;
  readonly rows: readonly Shown[];
  readonly paid: Shown;
  /** A second sale of 500.00 cash, not paid, with an open promise. */
  readonly cash: Shown;
  readonly cashRow: Shown;
  readonly promise: Shown;
  readonly reversed: Shown;
  readonly reversal: Shown;
  /** Cancelled, 200.00 of 300.00 refunded. */
  readonly cancelled: Shown;
  readonly heldCar: string;
  readonly deposit: Shown;
  readonly branch: string;
  readonly stranger: {
    readonly account: string;
    readonly car: string;
    readonly customer: string;
    readonly sale: Shown;
    readonly row: Shown;
  };
  close(): Promise<void>;
}

export async function moneyWorld(): Promise<MoneyWorld> {
  const api = await testService({ at: `${TODAY}T09:00:00Z` });
  await openAll(api);
  const dealer = await newDealer(api);
  const [customer, otherCustomer] = [await customerOf(dealer), await customerOf(dealer)];
  const car = await carOf(dealer);
  const terms = { sale_price: '4000.00', down_payment: '1000.00', installment_count: 3 };
  const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, ...terms }));
  const paid = dataOf(await collect(dealer, sale.id, '700.00'));
  const { reversed, reversal } = dataOf(await reverse(dealer, dataOf(await collect(dealer, sale.id, '50.00')).id));
  const cash = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, sale_price: '500.00' }));
  const promise = dataOf(
    await dealer.post('payment-promises', { sale_id: cash.id, amount: '100.00', promised_date: '2026-03-20' }),
  );
  const third = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: customer, sale_price: '900.00' }));
  dataOf(await collect(dealer, third.id, '300.00'));
  const giveBack = { reason: 'vazgeçti', refund_amount: '200.00', refund_method: 'Nakit' };
  const cancelled = dataOf(await dealer.post(`sales/${third.id}/cancel`, giveBack, newKey()));
  const heldCar = await carOf(dealer);
  const held = dataOf(await dealer.post(`vehicles/${heldCar}/reserve`, { customer_id: customer, deposit_amount: '100.00' }));
  const deposit = dataOf(await dealer.get(`collections/${held.reservation.deposit.collection_id}`));
  const other = await newDealer(api);
  const [strangeCar, stranger] = [await carOf(other), await customerOf(other)];
  const strange = dataOf(await sell(other, { vehicle_id: strangeCar, customer_id: stranger, sale_price: '500.00' }));
  return {
    api,
    dealer,
    account: dealer.accountId,
    customer,
    otherCustomer,
    car,
    sale,
    rows: await rowsOf(dealer, sale.id),
    paid,
    cash,
    cashRow: (await rowsOf(dealer, cash.id))[0]!,
    promise,
    reversed,
    reversal,
    cancelled,
    heldCar,
    deposit,
    branch: paid.branch_id,
    stranger: {
      account: other.accountId,
      car: strangeCar,
      customer: stranger,
      sale: strange,
      row: (await rowsOf(other, strange.id))[0]!,
    },
    close: api.close,
  };
}

export const literal = (value: unknown): string => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);

export const insert = (table: string, values: Record<string, unknown>): string =>
  `insert into ${table} (${Object.keys(values)}) values (${Object.values(values).map(literal)});`;

export const NEW = '00000000-0000-4000-8000-000000000001';
export const NEXT = '00000000-0000-4000-8000-000000000002';

/** Money for the unpaid cash sale, as the service would write it; `given` holds the wrong values. */
export const aCollection = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  insert('collections', {
    account_id: w.account,
    id: NEW,
    number: 1,
    receipt_no: 'T-2026-90001',
    type: 'Tahsilat',
    sale_id: w.cash.id,
    customer_id: w.customer,
    branch_id: w.branch,
    amount_minor: 10000,
    currency: 'STG',
    sale_currency: 'STG',
    applied_amount_minor: 10000,
    method: 'Nakit',
    collected_on: TODAY,
    ...overrides,
  });

export const anAllocation = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  insert('collection_allocations', {
    account_id: w.account,
    collection_id: NEW,
    place: 1,
    installment_id: w.cashRow.id,
    is_discount: false,
    amount_minor: 10000,
    ...overrides,
  });

/** The installment and the sale after a payment of 100.00. */
export const paidRow = (w: MoneyWorld, paid = 10000): string =>
  `update installments set paid_amount_minor = ${paid}, status = 'Kısmi Ödendi' where id = '${w.cashRow.id}';`;
export const paidSale = (w: MoneyWorld, paid = 10000): string =>
  `update sales set collected_amount_minor = ${paid} where id = '${w.cash.id}';`;

/** A second sale like the cash one, of the given vehicle. */
export const aSale = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  insert('sales', {
    account_id: w.account,
    id: NEW,
    plan_id: NEXT,
    sale_no: 'S-2026-90001',
    vehicle_id: w.heldCar,
    customer_id: w.customer,
    sale_date: TODAY,
    currency: 'STG',
    sale_price_minor: 50000,
    down_payment_minor: 50000,
    payment_type: 'Peşin',
    ...overrides,
  });

export const aRow = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  insert('installments', {
    account_id: w.account,
    id: NEXT,
    sale_id: NEW,
    plan_id: NEXT,
    customer_id: w.customer,
    seq: 0,
    kind: 'Peşinat',
    due_date: TODAY,
    original_due_date: TODAY,
    due_day: 10,
    amount_minor: 50000,
    currency: 'STG',
    ...overrides,
  });

export const aPromise = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  insert('payment_promises', {
    account_id: w.account,
    id: NEW,
    customer_id: w.customer,
    sale_id: w.sale.id,
    promised_date: '2026-03-20',
    amount_minor: 100,
    currency: 'STG',
    ...overrides,
  });

export const aReversal = (w: MoneyWorld, overrides: Record<string, unknown> = {}): string =>
  aCollection(w, {
    type: 'Ters Kayıt',
    sale_id: w.sale.id,
    amount_minor: -70000,
    applied_amount_minor: -70000,
    reverses_id: w.paid.id,
    reversal_reason: 'yanlış giriş',
    ...overrides,
  });
export const reversedPayment = (w: MoneyWorld): string =>
  `update collections set status = 'İptal Edildi', reversed_by_id = '${NEW}' where id = '${w.paid.id}';
  update installments set paid_amount_minor = 0, status = 'Bekliyor' where id = '${w.rows[0]!.id}';
  update sales set collected_amount_minor = 0 where id = '${w.sale.id}';`;

/** Connects like the service: the application's role, for one dealer. Always rolled back. */
export async function attempt(session: Session, account: string, text: string): Promise<string> {
  await session.rows(`begin; select set_config('app.account_id', '${account}', true)`);
  try {
    await session.rows(`${text}; set constraints all immediate`);
    return 'accepted';
  } catch (error) {
    const { code, constraint, message } = error as { code: string; constraint?: string; message: string };
    return constraint ?? (code === '42501' ? message : `${code} ${message}`);
  } finally {
    await session.rows('rollback');
  }
}

export const asTheService = (w: MoneyWorld): Promise<Session> => openSession(w.api.urls.tenantUrl);
