// A seat in a live room: a person who took it with a recent password bids and sells there while they stay, and nowhere else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { aBidder, aLot, anEvent } from '../support/auctions.ts';
import { dataOf, type Shown } from '../support/books.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';
import { openRoom } from './room.ts';

let api: TestService;
let operator: Dealer;
let seller: Dealer;
let bidder: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  [operator, seller, bidder] = [await aBidder(api), await aBidder(api), await aBidder(api)];
});
afterAll(() => api?.close());

const change = (set: ReturnType<typeof sql>) =>
  api.database.onPlatform('write', (db) => db.exec(sql`update sessions set ${set} where true`));
/** Moves the time of the last password back by this much. */
const age = (minutes: number) => change(sql`reauthenticated_at = now() - make_interval(mins => ${minutes})`);
const bid = async (browser: Browser, lot: Shown, amount: string): Promise<string> => {
  const { status, json } = await browser.api(`v1/live-auctions/lots/${lot.id}/bid`, { method: 'POST', body: { amount } });
  return status === 201 ? 'taken' : json.error.code;
};
const seat = (browser: Browser, event: Shown, method = 'POST') => browser.api(`live-auctions/${event.id}/seat`, { method });

async function openLot() {
  const event = await anEvent(api, operator);
  const lot = await aLot(api, seller, event);
  dataOf(await operator.post(`live-auctions/lots/${lot.id}/start`));
  return { event, lot };
}

test('taken with a recent password, it is valid in this room while its page is open, and for four hours at most', async () => {
  const [{ event, lot }, other] = [await openLot(), await anEvent(api, operator)];
  const elsewhere = await aLot(api, seller, other);
  dataOf(await operator.post(`live-auctions/lots/${elsewhere.id}/start`));
  const sales = await signedIn(api, await newPerson(api, { accountId: bidder.accountId, role: 'sales' }));
  await age(11);
  expect(await bid(sales, lot, '8000.00')).toBe('reauthentication_required');
  expect((await seat(sales, event)).json.error.code).toBe('reauthentication_required');
  await age(9);
  expect((await seat(sales, event, 'GET')).json.data).toEqual({ taken: false, may_be_taken: true });
  expect((await seat(sales, event)).json.data.taken).toBe(true);
  await age(180);
  expect(await bid(sales, lot, '8000.00')).toBe('taken');
  expect((await seat(sales, event, 'GET')).json.data).toEqual({ taken: true, may_be_taken: false });
  // Nowhere else, and for nothing else.
  expect(await bid(sales, elsewhere, '8000.00')).toBe('reauthentication_required');
  expect((await sales.api('v1/webhooks', { method: 'POST', body: {} })).status).toBe(403);
  // The open page keeps it, and keeps the session.
  const room = await openRoom(sales, event.id);
  await change(sql`seat_seen_at = now() - interval '1 minute', last_seen_at = now() - interval '20 minutes'`);
  await until(async () => {
    const rows = await api.database.onPlatform('read', (db) =>
      db.rows(sql`select from sessions where seat_seen_at > now() - interval '30 seconds' and last_seen_at = seat_seen_at`),
    );
    return rows.length > 0;
  });
  await room.close();
  await change(sql`seat_seen_at = now() - interval '3 minutes'`);
  expect(await bid(sales, lot, '8100.00')).toBe('reauthentication_required');
  await change(sql`seat_seen_at = now(), seat_taken_at = now() - interval '241 minutes'`);
  expect(await bid(sales, lot, '8100.00')).toBe('reauthentication_required');
});

test('the auctioneer sells from it; another account or a viewing administrator has none', async () => {
  const { event, lot } = await openLot();
  const person = await newPerson(api, { accountId: operator.accountId, role: 'owner' });
  const auctioneer = await signedIn(api, person);
  await seat(auctioneer, event);
  await age(60);
  await auctioneer.api('session/account', { method: 'POST', body: { account_id: operator.accountId } });
  const end = () => auctioneer.api(`v1/live-auctions/lots/${lot.id}/end`, { method: 'POST', body: {} });
  expect((await end()).json.error.code).toBe('reauthentication_required');
  await age(1);
  await seat(auctioneer, event);
  await age(60);
  expect((await end()).json.data.status).toBe('Satılmadı');
});

test('a person who may only watch takes no seat', async () => {
  const { event } = await openLot();
  const viewer = await signedIn(api, await newPerson(api, { accountId: bidder.accountId, role: 'viewer' }));
  expect((await seat(viewer, event)).json.error.code).toBe('not_permitted');
  expect((await seat(viewer, event, 'GET')).json.error.code).toBe('not_permitted');
});
