// The board of collections: a card for each sale, filtered, sorted and paged in the database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import type { BoardView } from '../../src/panel/sales/receivables.ts';
import { openSession } from '../../src/postgres/database.ts';
import { aDealer, carOf, collect, customerOf, dataOf, type Shown, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let seller: string;
let branch: string;
let sales: Record<'old' | 'large' | 'lira' | 'today', string>;

beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  const person = await newPerson(api, { accountId: dealer.accountId });
  owner = await signedIn(api, person);
  seller = dataOf(await owner.api('session')).account.member_id;
  branch = newId(0);
  const admin = await openSession(api.adminUrl);
  await admin.rows(`insert into branches (account_id, id, name) values ($1, $2, 'Çarşı')`, [dealer.accountId, branch]);
  await admin.close();
  sales = {
    old: await sold('Eski', '2026-08-01', { count: 3, salesperson_id: seller }),
    large: await sold('Çok', '2026-10-01', { count: 2, each: '5000.00', branch_id: branch, car: { plate: 'ZZ 987' } }),
    lira: await sold('Lira', '2026-09-01', { count: 1, each: '90000.00', currency: 'TL' }),
    today: await sold('Bugün', '2026-11-16', { count: 1 }),
  };
});
afterAll(() => api.close());

interface Terms {
  readonly count: number;
  readonly each?: string;
  readonly car?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** Monthly installments, all of them due by the day of the test. */
async function sold(last_name: string, first: string, { count, each = '100.00', car = {}, ...rest }: Terms): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer, car), await customerOf(dealer, { first_name: 'Ali', last_name })];
  const month = Number(first.slice(5, 7));
  const installments = Array.from({ length: count }, (_, at) => ({
    due_date: `2026-${String(month + at).padStart(2, '0')}-${first.slice(8)}`,
    amount: each,
  }));
  const sale_price = `${Number(each) * count}.00`;
  const terms = { sale_price, currency: 'STG', sale_date: '2026-01-02', installments, ...rest };
  return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms })).id;
}

const board = async (query = ''): Promise<BoardView> =>
  dataOf(await owner.api(`receivables/board${query}`)) as unknown as BoardView;
const overdue = async (query = ''): Promise<string[]> => (await board(query)).overdue.cards.map(({ sale_id }) => sale_id);

test('a card holds all overdue installments of a sale: their sum, the oldest delay and how many', async () => {
  const { overdue: lane, due_today } = await board();
  expect(lane.totals).toEqual([
    { currency: 'STG', count: 2, amount: '10300.00' },
    { currency: 'TL', count: 1, amount: '90000.00' },
  ]);
  const card = lane.cards.find(({ sale_id }) => sale_id === sales.old)!;
  expect(card).toMatchObject({
    count: 3,
    amount: '300.00',
    days_overdue: 107,
    row_no: 1,
    row_count: 3,
    customer: { name: 'Ali Eski' },
    vehicle: { thumbnail_url: null, body_type: expect.any(String) },
    promise: null,
    last_contact_at: null,
  });
  // The reminder is about the oldest one.
  expect(card.reminder).toMatchObject({ installment_id: card.installment_id, amount: '100.00' });
  expect(due_today.cards.map(({ sale_id, count }) => [sale_id, count])).toEqual([[sales.today, 1]]);
});

test('cards are sorted by delay, by amount within a currency, or by the last contact', async () => {
  expect(await overdue()).toEqual([sales.old, sales.lira, sales.large]);
  // The account's own currency first.
  expect(await overdue('?sort=amount')).toEqual([sales.large, sales.old, sales.lira]);
  const { customer } = (await board()).overdue.cards.find(({ sale_id }) => sale_id === sales.old)!;
  dataOf(await dealer.post(`customers/${customer.id}/activity`, { kind: 'Arama', note: 'Arandı' }));
  expect(await overdue('?sort=contact')).toEqual([sales.lira, sales.large, sales.old]);
  expect((await owner.api('receivables/board?sort=name')).status).toBe(400);
});

test('cards are searched by customer and plate, and filtered by branch and by salesperson', async () => {
  expect(await overdue('?q=cok')).toEqual([sales.large]);
  expect(await overdue('?q=zz987')).toEqual([sales.large]);
  expect(await overdue('?mine=true')).toEqual([sales.old]);
  expect(await overdue(`?branch_id=${branch}`)).toEqual([sales.large]);
  // The totals are those of the cards.
  expect((await board('?mine=true')).overdue.totals).toEqual([{ currency: 'STG', count: 1, amount: '300.00' }]);
});

test('a lane is read page by page', async () => {
  const page = await owner.api('receivables/board/overdue?limit=2');
  expect(page.json.data.map(({ sale_id }: Shown) => sale_id)).toEqual([sales.old, sales.lira]);
  expect(page.json.meta).toMatchObject({ has_more: true });
  const next = await owner.api('receivables/board/overdue?limit=2&offset=2');
  expect(next.json.data.map(({ sale_id }: Shown) => sale_id)).toEqual([sales.large]);
  expect(next.json.meta).toMatchObject({ has_more: false });
  expect((await owner.api('receivables/board/unpaid')).status).toBe(404);
});

test('a promise for today and a payment of today are cards of their own lanes', async () => {
  const promise = { sale_id: sales.large, amount: '700.00', promised_date: '2026-11-16' };
  dataOf(await dealer.post('payment-promises', promise));
  dataOf(await collect(dealer, sales.old, '50.00'));
  const { promised_today, collected_today, overdue: late } = await board();
  expect(promised_today.cards).toMatchObject([{ sale_id: sales.large, amount: '700.00', days_overdue: 0, installment_id: null }]);
  expect(promised_today.cards[0]!.reminder).toMatchObject({ sale_id: sales.large });
  expect(collected_today.cards).toMatchObject([
    { sale_id: sales.old, amount: '50.00', receipt_no: expect.stringContaining('T-') },
  ]);
  expect(late.cards.find(({ sale_id }) => sale_id === sales.large)).toMatchObject({ promise: { amount: '700.00' } });
});

test('the board shows whether customers are reminded by a rule, and whether this hour allows a message', async () => {
  expect(await board()).toMatchObject({ has_reminder_rule: false, is_reminder_hour: true });
  const reminders = [{ day: 0, channel: 'WhatsApp', active: true }];
  dataOf(await owner.api('settings', { method: 'PATCH', body: { reminders } }));
  expect(await board()).toMatchObject({ has_reminder_rule: true });
  api.clock.advance(12 * 3_600_000);
  const later = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  expect(dataOf(await later.api('receivables/board'))).toMatchObject({ is_reminder_hour: false });
});
