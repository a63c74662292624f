// Home: a dealer's open work by role and currency, and the administrator's; one request each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import type { AdminHome } from '../../src/panel/admin/home.ts';
import type { Overview } from '../../src/panel/home/overview.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { aDealer, carOf, collect, customerOf, dataOf, reverse, sell } from '../support/books.ts';
import { consumerOffers, listedCar } from '../support/market.ts';
import { aJpeg, fileParts, sendForm } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { generate, soldCar } from '../writes/documents/papers.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService({ at: '2026-11-16T10:00:00Z' });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const deskOf = async (browser: Browser): Promise<Overview['desk']> =>
  (dataOf(await browser.api('overview')) as unknown as Overview).desk;

async function sold(currency: string, sale_date: string, first_due_date: string, installment_count: number): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer, { first_name: 'Ali', last_name: 'Veli' })];
  const terms = { sale_price: `${installment_count}00.00`, currency, sale_date, first_due_date, installment_count };
  return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms })).id;
}
const pay = async (saleId: string, currency: string, amount: string, collected_on: string): Promise<string> =>
  dataOf(await collect(dealer, saleId, amount, { currency, collected_on })).id;

test('today’s open work by currency, and this month beside the same days of the last', async () => {
  const quiet = await deskOf(owner);
  expect(quiet).toMatchObject({ today: '2026-11-16', overdue: [], due_today: [], sold: [], tasks_due: 0, long_in_stock: 0 });
  const stg = await sold('STG', '2026-10-10', '2026-10-16', 3);
  await pay(stg, 'STG', '50.00', '2026-10-16');
  const eur = await sold('EUR', '2026-11-02', '2026-11-16', 2);
  await pay(eur, 'EUR', '30.00', '2026-11-16');
  const bounced = await pay(eur, 'EUR', '20.00', '2026-11-16');
  dataOf(await reverse(dealer, bounced, { reversed_on: '2026-11-16' }));
  await sold('EUR', '2026-10-20', '2026-12-01', 1); // After the same day of the previous month: not compared.
  const desk = await deskOf(owner);
  expect(desk.overdue).toEqual([{ currency: 'STG', count: 1, amount: '50.00' }]);
  // The account's own currency first.
  expect(desk.due_today).toEqual([
    { currency: 'STG', count: 1, amount: '100.00' },
    { currency: 'EUR', count: 1, amount: '70.00' },
  ]);
  expect(desk.sold).toEqual([
    { currency: 'STG', count: 0, amount: '0.00', before_count: 1, before: '300.00' },
    { currency: 'EUR', count: 1, amount: '200.00', before_count: 0, before: '0.00' },
  ]);
  expect(desk.collected).toMatchObject([
    { currency: 'STG', amount: '0.00', before: '50.00' },
    { currency: 'EUR', amount: '30.00', before: '0.00' },
  ]);
  // Twelve months, each with its place.
  const months = desk.year!.find(({ currency }) => currency === 'STG')!.months;
  expect([months.length, months[0]!.month, months[10]]).toEqual([
    12,
    '2025-12',
    { month: '2026-10', sold: '300.00', collected: '50.00' },
  ]);
  expect(desk.events[0]).toMatchObject({ kind: expect.any(String), at: expect.any(String) });
  expect(new Set(desk.events.map(({ kind }) => kind))).toEqual(new Set(['vehicle', 'sale', 'collection']));
  expect(desk.events.filter((one) => one.kind === 'vehicle').every((one) => one.vehicle_id === one.id)).toBe(true);
  expect(desk.stock_ages.map(({ bucket }) => bucket)).toEqual(['0-30', '31-60', '61-90', '91+']);
});

test('the newest events come with the photo of their car, or what its drawing needs', async () => {
  const plain = await carOf(dealer, { body_type: 'SUV', color: 'Siyah' });
  const photographed = await carOf(dealer);
  const sent = await sendForm(
    { url: api.service.url, key: dealer.key },
    `vehicles/${photographed}/photos`,
    fileParts(await aJpeg()),
  );
  expect(sent.status).toBe(201);
  const { events } = await deskOf(owner);
  const eventOf = (id: string) => events.find((event) => event.id === id)!;
  expect(eventOf(plain)).toMatchObject({ body_type: 'SUV', color: 'Siyah', thumbnail_url: null });
  const photo = await fetch(eventOf(photographed).thumbnail_url!);
  expect([photo.status, photo.headers.get('content-type')?.split('/')[0]]).toEqual([200, 'image']);
});

test('promises, tasks, reservations, old stock; a deleted or sold vehicle is not in stock', async () => {
  const [early, late] = [await carOf(dealer, { price: '10.00', currency: 'TL' }), await carOf(dealer)];
  await admin.rows(`update vehicles set stock_date = '2026-09-16' where id = $1`, [early]); // 61 days ago.
  await admin.rows(`update vehicles set stock_date = '2026-09-17' where id = $1`, [late]);
  dataOf(await dealer.post('tasks', { title: 'Ara', due_at: '2026-11-16' }));
  dataOf(await dealer.post('tasks', { title: 'Sonra ara', due_at: '2026-11-17' }));
  dataOf(await dealer.post(`vehicles/${late}/reserve`, { reserved_until: '2026-11-18' }));
  const desk = await deskOf(owner);
  expect(desk).toMatchObject({ tasks_due: 1, reservations_ending: 1, long_in_stock: 1 });
  expect(desk.stock_value!.find(({ currency }) => currency === 'TL')).toMatchObject({ count: 1, amount: '10.00' });
});

test('a figure links to a list of exactly what it counts', async () => {
  const ids = async (path: string) => ((await owner.api(path)).json.data as { id: string }[]).map(({ id }) => id);
  const [soon, later, listed] = [await carOf(dealer), await carOf(dealer), await carOf(dealer)];
  dataOf(await dealer.post(`vehicles/${soon}/reserve`, { reserved_until: '2026-11-16' }));
  dataOf(await dealer.post(`vehicles/${later}/reserve`, { reserved_until: '2026-11-19' }));
  const { id: listingId } = await listedCar(dealer, listed);
  const offers = [await consumerOffers(api, dealer, listingId, '100.00'), await consumerOffers(api, dealer, listingId, '200.00')];
  const { sale } = await soldCar(dealer);
  const paper = async (code: string) => dataOf(await generate(dealer, sale.id, code));
  const [sent, draft] = [await paper('odeme_plani'), await paper('teslim_tutanagi')];
  dataOf(await dealer.post(`sale-documents/${sent.id}/send`, { channel: 'Bağlantı' }));
  const desk = await deskOf(owner);
  const reserved = await ids('vehicles/list?reserved_days_max=2');
  expect(reserved).toContain(soon);
  expect(reserved).not.toContain(later);
  expect(reserved).toHaveLength(desk.reservations_ending);
  expect(await ids('vehicles/list?days_min=61')).toHaveLength(desk.long_in_stock);
  expect(await ids('v1/tasks?status=Yapılacak&due_before=2026-11-17')).toHaveLength(desk.tasks_due!);
  expect(await ids('documents/waiting')).toEqual([sent.id]);
  expect(desk.documents_waiting).toBe(1);
  expect(draft.status).toBe('Taslak');
  expect((await ids('marketplace/offers')).sort()).toEqual(offers.map(({ id }) => id).sort());
  expect(desk.market_offers).toBe(2);
  // A consumer's offer makes an enquiry.
  expect(desk.new_enquiries).toBeGreaterThan(0);
  expect(await ids('enquiries?stage=Yeni')).toHaveLength(desk.new_enquiries!);
});

test('each role sees its own part: sales no stock value, a developer no money', async () => {
  const as = async (role: 'sales' | 'developer' | 'viewer') =>
    deskOf(await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role })));
  expect(await as('sales')).toMatchObject({ stock_value: null, overdue: [], is_own: true });
  expect(await as('viewer')).toMatchObject({ stock_value: null, overdue: [{ currency: 'STG' }], is_own: false });
  const developer = await as('developer');
  expect(developer).toMatchObject({ overdue: null, due_today: null, sold: null, collected: null, stock_value: null });
  expect([(await deskOf(owner)).expense_proposals, developer.expense_proposals]).toEqual([0, null]);
  expect(developer).toMatchObject({ tasks_due: null, new_enquiries: null, documents_waiting: null, market_offers: null });
  expect(await as('sales')).toMatchObject({ auctions_with_bids: 0 });
});

test('another dealer’s desk is empty', async () => {
  const other = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
  const { stock_ages, is_own, ...desk } = await deskOf(other);
  expect(Object.values(desk).filter((value) => (Array.isArray(value) ? value.length > 0 : value !== 0))).toEqual(['2026-11-16']);
  expect([is_own, stock_ages.every(({ count }) => count === 0)]).toEqual([false, true]);
});

test('the administrator: open work, dealers with errors, late jobs, disk usage', async () => {
  const platform = await signedIn(api, await newPerson(api, { admin: true }));
  const home = async (): Promise<AdminHome> => (await platform.api('admin/home')).json.data;
  const before = await home();
  expect(before.late).toEqual([]);
  expect(before.database_bytes).toBeGreaterThan(1e6);
  expect(before.disk!.free_bytes).toBeLessThanOrEqual(before.disk!.total_bytes);
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const [{ id: keyId }] = (await admin.rows('select id from api_keys where account_id = $1 limit 1', [dealer.accountId])) as [
    { id: string },
  ];
  await admin.rows(
    `insert into usage_calls (account_id, key_id, hour, endpoint, error_code, calls) values ($1, $2, $3, 'GET vehicles', 'internal_error', 7)
     on conflict do nothing`,
    [dealer.accountId, keyId, hour],
  );
  await admin.rows(
    `insert into limit_requests (id, account_id, key_id, asked_by, asked_per_minute, created_at)
     select $1, $2, $3, id, 100, now() from people limit 1`,
    [newId(Date.now()), dealer.accountId, keyId],
  );
  const now = await home();
  expect(now.limit_requests).toBe(before.limit_requests + 1);
  expect(now.troubled!.find(({ id }) => id === dealer.accountId)!.errors_24h).toBeGreaterThanOrEqual(7);
});
