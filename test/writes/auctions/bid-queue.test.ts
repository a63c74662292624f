// Bids on one auction or lot wait in the process and not on connections of the database: one works while the next one begins.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { aBidder, aLot, anEvent, bid, putUp } from '../../support/auctions.ts';
import { dataOf } from '../../support/books.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let admin: Session;
let watcher: Session;
let seller: Dealer;
let operator: Dealer;
let bidders: Dealer[];
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  [admin, watcher] = [await openSession(api.adminUrl), await openSession(api.adminUrl)];
  [seller, operator] = [await aBidder(api), await aBidder(api)];
  bidders = await Promise.all(Array.from({ length: 6 }, () => aBidder(api)));
});
afterAll(async () => {
  await admin.close();
  await watcher.close();
  await api.close();
});

/** As in domain/writes/queues.ts. */
const AT_ONCE = 2;

const blocked = async (): Promise<number> =>
  (
    await watcher.rows<{ count: number }>(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  )[0]!.count;

/** Locks the record, sends a bid of every bidder, and returns the largest number of connections that waited for the lock. */
async function waitingAtOnce(
  table: string,
  id: string,
  place: (dealer: Dealer, amount: string) => Promise<Answer>,
): Promise<number> {
  await admin.rows('begin');
  await admin.rows(`select from ${table} where id = $1 for update`, [id]);
  const bids = bidders.map((dealer, at) => place(dealer, `${9000 + at * 1000}.00`));
  let most = 0;
  try {
    await expect.poll(blocked).toBeGreaterThan(0);
    // Each round is a request of every bidder: by then their bids have reached the service too.
    for (let round = 0; round < 5; round += 1) {
      for (const dealer of bidders) await dealer.get('vehicles?limit=1');
      most = Math.max(most, await blocked());
    }
  } finally {
    await admin.rows('commit');
  }
  await Promise.all(bids);
  return most;
}

test('on an auction', async () => {
  const auction = await putUp(api, seller);
  expect(
    await waitingAtOnce('network_auctions', auction.id, (dealer, amount) => bid(dealer, auction, amount)),
  ).toBeLessThanOrEqual(AT_ONCE);
});

test('on a lot', async () => {
  const lot = await aLot(api, seller, await anEvent(api, operator));
  dataOf(await operator.post(`live-auctions/lots/${lot.id}/start`));
  const place = (dealer: Dealer, amount: string) =>
    dealer.post(`live-auctions/lots/${lot.id}/bid`, { amount }, { 'Idempotency-Key': crypto.randomUUID() });
  expect(await waitingAtOnce('live_lots', lot.id, place)).toBeLessThanOrEqual(AT_ONCE);
});
