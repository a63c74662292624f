// A salesperson takes money for their own sales and sees their own figures: no discount, no reversal, no sales of colleagues.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Overview } from '../../src/panel/home/overview.ts';
import type { BoardView } from '../../src/panel/sales/receivables.ts';
import { aDealer, carOf, collect, customerOf, dataOf, newKey, type Shown, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let seller: Browser;
let owner: Browser;
let own: string;
let foreign: string;

beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  seller = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
  const memberId = dataOf(await seller.api('session')).account.member_id;
  own = await sold({ salesperson_id: memberId, sale_price: '3000.00' });
  foreign = await sold({ sale_price: '9000.00' });
});
afterAll(() => api.close());

async function sold(fields: object): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
  const terms = { down_payment: '1000.00', sale_date: '2026-11-02', first_due_date: '2026-11-10', installment_count: 2 };
  return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms, ...fields })).id;
}

const take = (path: string, sale_id: string, overrides: object = {}) =>
  seller.api(path, { method: 'POST', body: { sale_id, amount: '100.00', currency: 'STG', ...overrides }, headers: newKey() });

test('takes the down payment and installments of own sales, and not of others', async () => {
  expect((await take('collections/preview', own)).status).toBe(200);
  expect((await take('v1/collections', own)).status).toBe(201);
  for (const path of ['collections/preview', 'v1/collections'])
    expect((await take(path, foreign)).json.error.code).toBe('not_permitted');
  expect(dataOf(await dealer.get(`sales/${foreign}`)).collected_amount).toBe('0.00');
});

test('gives no discount, reverses nothing, does not close the till', async () => {
  const discount = { amount: '0.00', discount_amount: '10.00', discount_reason: 'Anlaşma' };
  expect((await take('v1/collections', own, discount)).json.error.code).toBe('not_permitted');
  const { id } = dataOf(await collect(dealer, own, '50.00'));
  const reversed = await seller.api(`v1/collections/${id}/reverse`, {
    method: 'POST',
    body: { reason: 'yanlış' },
    headers: newKey(),
  });
  expect(reversed.json.error.code).toBe('not_permitted');
  expect((await seller.api('till/closings', { method: 'POST', body: {} })).json.error.code).toBe('not_permitted');
  expect((await owner.api(`v1/collections/${id}`)).json.data.status).toBe('Geçerli');
});

test('sees the figures of own sales on the board and at home, and no turnover', async () => {
  const ids = async (browser: Browser) =>
    (dataOf(await browser.api('receivables/board')) as unknown as BoardView).overdue.cards.map(({ sale_id }) => sale_id);
  expect(await ids(seller)).toEqual([own]);
  expect((await ids(owner)).toSorted()).toEqual([own, foreign].toSorted());
  const desk = async (browser: Browser) => (dataOf(await browser.api('overview')) as unknown as Overview).desk;
  const [mine, all] = [await desk(seller), await desk(owner)];
  expect([mine.is_own, all.is_own]).toEqual([true, false]);
  expect(mine.sold).toMatchObject([{ currency: 'STG', count: 1, amount: '3000.00' }]);
  expect(all.sold).toMatchObject([{ currency: 'STG', count: 2, amount: '12000.00' }]);
  expect(mine.year![0]!.months.at(-1)).toEqual({ month: '2026-11', sold: '3000.00', collected: '150.00' });
  expect(all.year![0]!.months).toHaveLength(12);
  expect(mine.events.filter(({ kind }) => kind === 'sale').map(({ id }: Shown) => id)).toEqual([own]);
  for (const path of ['v1/reports/sales-summary', 'receivables/aging', 'receivables/cash-flow'])
    expect((await seller.api(path)).status, path).toBe(403);
});
