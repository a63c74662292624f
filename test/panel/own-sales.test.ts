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
  const due = { sale_date: '2026-11-02', first_due_date: '2026-11-10', installment_count: 2 };
  const terms = { sale_price: '3000.00', down_payment: '1000.00', ...due };
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

const change = (sale: string, body: object) => seller.api(`v1/sales/${sale}`, { method: 'PATCH', body: body as never });
const codeOf = ({ status, json }: { status: number; json: Shown }): string => json.error?.code ?? String(status);

test("does not make another's sale their own, and may hand over an own one", async () => {
  const memberId = dataOf(await seller.api('session')).account.member_id;
  expect(codeOf(await change(foreign, { salesperson_id: memberId }))).toBe('not_permitted');
  expect(codeOf(await take('v1/collections', foreign))).toBe('not_permitted');
  expect(codeOf(await change(foreign, { notes: 'arandı', salesperson_id: null }))).toBe('200');
  const given = await sold({ salesperson_id: memberId });
  expect(codeOf(await change(given, { salesperson_id: null }))).toBe('200');
  expect(codeOf(await change(given, { salesperson_id: memberId }))).toBe('not_permitted');
});

test('gives no discount by an agreed rate, puts nothing off, and returns no money by cancelling', async () => {
  const memberId = dataOf(await seller.api('session')).account.member_id;
  const sale = await sold({ salesperson_id: memberId });
  const rate = { currency: 'TL', exchange_rate: '40.000000' };
  expect(codeOf(await take('v1/collections', sale, rate))).toBe('not_permitted');
  const restructure = { from: '2026-12-01', installment_count: 12, reason: 'istedi' };
  expect(codeOf(await change(sale, { restructure }))).toBe('not_permitted');
  const cancel = (body: object) =>
    seller.api(`v1/sales/${sale}/cancel`, { method: 'POST', body: { reason: 'vazgeçti', ...body }, headers: newKey() });
  dataOf(await collect(dealer, sale, '50.00'));
  expect(codeOf(await cancel({ refund_method: 'Nakit' }))).toBe('not_permitted');
  expect(codeOf(await cancel({ refund_amount: '0.00' }))).toBe('not_permitted');
  expect(dataOf(await dealer.get(`sales/${sale}`))).toMatchObject({ status: 'Aktif', collected_amount: '50.00' });
  const empty = await sold({ salesperson_id: memberId });
  expect(codeOf(await seller.api(`v1/sales/${empty}`, { method: 'DELETE', headers: newKey() }))).toBe('200');
});

test('files and the calendar are of own sales, and files of all collections and notes are not given', async () => {
  const own = dataOf(await seller.api('receivables/calendar?month=2026-11')) as unknown as Shown[];
  const all = dataOf(await owner.api('receivables/calendar?month=2026-11')) as unknown as Shown[];
  const open = (days: Shown[]) => days.reduce((sum, { open_count, paid_count }) => sum + open_count + paid_count, 0);
  expect(open(own)).toBeLessThan(open(all));
  const day = 'receivables/calendar/rows?day=2026-11-10&limit=100';
  const sales = async (browser: Browser) =>
    (dataOf(await browser.api(day)) as unknown as Shown[]).map(({ sale_id }) => sale_id as string);
  expect(await sales(owner)).toContain(foreign);
  expect(await sales(seller)).not.toContain(foreign);
  const numberOf = async (sale: string) => dataOf(await dealer.get(`sales/${sale}`)).sale_no as string;
  const [ownNo, foreignNo] = [await numberOf((await sales(seller))[0]!), await numberOf(foreign)];
  for (const list of ['sales', 'overdue']) {
    const [mine, theirs] = [await seller.api(`lists/${list}.csv`), await owner.api(`lists/${list}.csv`)];
    expect([mine.text.includes(ownNo), mine.text.includes(foreignNo), theirs.text.includes(foreignNo)], list).toEqual([
      true,
      false,
      true,
    ]);
  }
  for (const list of ['collections', 'promissory-notes'])
    expect((await seller.api(`lists/${list}.csv`)).json.error.code, list).toBe('not_permitted');
});
