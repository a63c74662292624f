// The calendar of installments and the cash flow, figure by figure.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDealer, carOf, collect, customerOf, dataOf, reverse, type Shown, sell } from '../support/books.ts';
import { moveClock } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});
afterAll(() => api.close());

/** Installments of 100, monthly from the given day. */
async function sold(currency: string, first_due_date: string, installment_count: number): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ali', last_name: 'Veli' })];
  const terms = { sale_price: `${installment_count}00.00`, currency, sale_date: '2026-01-02', first_due_date, installment_count };
  return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms })).id;
}

const pay = async (saleId: string, currency: string, amount: string, collected_on: string): Promise<string> =>
  dataOf(await collect(dealer, saleId, amount, { currency, collected_on })).id;
const flowIn = async (currency: string): Promise<Shown | undefined> =>
  (dataOf(await owner.api('receivables/cash-flow')) as Shown[]).find((flow) => flow.currency === currency);

test('the cash flow: past due and received, future due and expected, by currency', async () => {
  expect(dataOf(await owner.api('receivables/cash-flow'))).toEqual([]);
  // May to October are past, November to the next October are ahead.
  const stg = await sold('STG', '2026-04-20', 9);
  await pay(stg, 'STG', '200.00', '2026-05-20'); // April, and May on its day.
  await pay(stg, 'STG', '100.00', '2026-06-21'); // June, a day late.
  const bounced = await pay(stg, 'STG', '100.00', '2026-07-01'); // July in time, but reversed since.
  dataOf(await reverse(dealer, bounced, { reversed_on: '2026-10-05' }));
  const flow = (await flowIn('STG'))!;
  const of = (month: string) => flow.months.find((one: Shown) => one.month === month);
  expect(flow.months).toHaveLength(18);
  expect([flow.months[0].month, flow.months[17].month]).toEqual(['2026-05', '2027-10']);
  expect(of('2026-05')).toEqual({
    month: '2026-05',
    due: '100.00',
    collected: '200.00',
    expected: null,
    paid_out: '0.00',
    expected_out: null,
  });
  expect(of('2026-07')).toMatchObject({ due: '100.00', collected: '100.00' });
  expect(of('2026-10')).toMatchObject({ due: '100.00', collected: '-100.00' });
  // Of 600 that were due from May to October, only May's 100 came in time and stayed.
  expect(flow.share).toBe('16.67');
  expect(of('2026-11')).toEqual({
    month: '2026-11',
    due: '100.00',
    collected: null,
    expected: '16.67',
    paid_out: null,
    expected_out: '0.00',
  });
  expect(of('2027-01')).toMatchObject({ due: '0.00', expected: '0.00' });
  // Nothing was due in dollars before: there is no basis for an expectation.
  await sold('USD', '2026-12-01', 1);
  expect(await flowIn('USD')).toMatchObject({ share: null });
  expect((await flowIn('USD'))!.months[7]).toMatchObject({ month: '2026-12', due: '100.00', collected: null, expected: null });
  expect(await flowIn('EUR')).toBeUndefined();
});

test('ageing: within a currency, the largest debtor first', async () => {
  await sold('STG', '2026-12-01', 12);
  await sold('STG', '2026-12-01', 2);
  const { rows } = dataOf(await owner.api('receivables/aging')) as unknown as { rows: Shown[] };
  // The account's own currency first.
  expect([...new Set(rows.map(({ currency }) => currency))]).toEqual(['STG', 'USD']);
  const pounds = rows.filter(({ currency }) => currency === 'STG').map(({ total }) => Number(total));
  expect(pounds).toHaveLength(3);
  expect(pounds).toEqual(pounds.toSorted((a, b) => b - a));
  expect(pounds[0]).toBe(1200);
});

test('the calendar: days by currency, with their installments; a cancelled sale is in neither', async () => {
  const eur = await sold('EUR', '2026-11-10', 2);
  await pay(eur, 'EUR', '40.00', '2026-11-10');
  const paid = await sold('EUR', '2026-11-10', 1);
  await pay(paid, 'EUR', '100.00', '2026-11-10');
  await sold('TL', '2026-11-10', 1);
  const cancelled = await sold('TL', '2026-11-10', 1);
  dataOf(await dealer.delete(`sales/${cancelled}`, { 'idempotency-key': 'calendar-cancel' }));
  const days = dataOf(await owner.api('receivables/calendar?month=2026-11')) as Shown[];
  expect(days.filter(({ day }) => day === '2026-11-10')).toEqual([
    { day: '2026-11-10', currency: 'EUR', open_count: 1, remaining: '60.00', paid_count: 1 },
    { day: '2026-11-10', currency: 'TL', open_count: 1, remaining: '100.00', paid_count: 0 },
  ]);
  const rows = dataOf(await owner.api('receivables/calendar/rows?day=2026-11-10')) as Shown[];
  expect(rows.map(({ currency, remaining, status, days_overdue }) => [currency, remaining, status, days_overdue])).toEqual([
    ['EUR', '60.00', 'Kısmi Ödendi', 6],
    ['TL', '100.00', 'Bekliyor', 6],
    ['EUR', '0.00', 'Ödendi', 0],
  ]);
  expect(rows[0]).toMatchObject({ customer: 'Ali Veli', row_no: 1, row_count: 2, sale_id: eur });
  // Page by page.
  const page = await owner.api('receivables/calendar/rows?day=2026-11-10&limit=2&offset=2');
  expect(page.json.data.map(({ id }: Shown) => id)).toEqual([rows[2]!.id]);
  expect((await owner.api('receivables/calendar/rows?day=2026-11')).status).toBe(400);
  expect(dataOf(await owner.api('receivables/calendar?month=9999-12'))).toEqual([]);
});

test('an expired reservation ends on the panel’s screens at once', async () => {
  const [car, customer] = [await carOf(dealer), await customerOf(dealer)];
  const hold = { customer_id: customer, reserved_until: '2026-11-16', deposit_amount: '500.00', deposit_currency: 'STG' };
  dataOf(await dealer.post(`vehicles/${car}/reserve`, hold));
  const deposits = async () => dataOf(await owner.api(`receivables/open-deposits?vehicle_id=${car}`));
  expect(await deposits()).toMatchObject([{ amount: '500.00', currency: 'STG', customer_id: customer, is_held: true }]);
  api.clock.advance(15 * 3_600_000);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  expect(await deposits()).toMatchObject([{ amount: '500.00', is_held: false }]);
  dataOf(await dealer.patch(`vehicles/${car}`, { deposit_disposition: 'kalsın' }));
  expect(await deposits()).toEqual([]);
});

test('the cash flow excludes cancelled sales, and counts a deposit that was set off', async () => {
  const other = await aDealer(api);
  const reader = await signedIn(api, await newPerson(api, { accountId: other.accountId }));
  const flow = async (): Promise<Shown> => (dataOf(await reader.api('receivables/cash-flow')) as Shown[])[0]!;
  const terms = { sale_price: '300.00', currency: 'STG', sale_date: '2026-05-02', installment_count: 3 };
  const bought = async (overrides: object = {}): Promise<string> => {
    const [vehicle_id, customer_id] = [await carOf(other), await customerOf(other)];
    return dataOf(await sell(other, { vehicle_id, customer_id, ...terms, first_due_date: '2026-05-20', ...overrides })).id;
  };
  await bought({ first_due_date: '2026-09-20' });
  const before = await flow();
  // Two installments paid in time, then cancelled with a refund: it owes nothing and expects nothing.
  const cancelled = await bought();
  dataOf(await collect(other, cancelled, '200.00', { currency: 'STG', collected_on: '2026-05-10' }));
  const refund = { reason: 'vazgeçti', refund_method: 'Nakit' };
  dataOf(await other.post(`sales/${cancelled}/cancel`, refund, { 'idempotency-key': 'cash-flow-cancel' }));
  expect(await flow()).toEqual(before);
  // A deposit that became a payment: its money counts on the day of the set-off.
  const [car, customer] = [await carOf(other), await customerOf(other)];
  const hold = { customer_id: customer, reserved_until: '2026-11-20', deposit_amount: '40.00', deposit_currency: 'STG' };
  dataOf(await other.post(`vehicles/${car}/reserve`, hold));
  const sale = { vehicle_id: car, customer_id: customer, ...terms, sale_date: '2026-11-16', first_due_date: '2026-11-20' };
  dataOf(await sell(other, sale));
  await moveClock(api, '2026-12-01T10:00:00Z');
  const later = await signedIn(api, await newPerson(api, { accountId: other.accountId }));
  const [own] = dataOf(await later.api('receivables/cash-flow')) as Shown[];
  expect(own!.months.find((one: Shown) => one.month === '2026-11')).toMatchObject({ due: '200.00', collected: '40.00' });
});
