// What a move of 24 months costs over a data set of the size of the sample data.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayIn } from '../../src/kit/clock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { advanceClock } from '../../src/sandbox/world-clock.ts';
import { aBidder, bid, HOUR, inFuture, putUp } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, newKey, sell } from '../support/books.ts';
import { consumerOffers } from '../support/market.ts';
import { loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { offer, publish } from '../writes/network/network.ts';
import { makeWorld } from './worlds.ts';

const DAY = 24 * HOUR;
const RULES = [-3, 0, 5].map((day) => ({ day, channel: 'E-posta', active: true }));
/** Processor time of this process only: the database's is not counted, and the wall clock depends on the load of the machine. */
const MAX_MS = 10_000;

let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const dayFromNow = (days: number): string => dayIn(new Date(api.clock.now().getTime() + days * DAY), 'Asia/Famagusta');

/** 24 cars, 16 customers, 10 sales with plans of up to 24 months, 3 listings with offers, 2 auctions, a membership, 3 other dealers. */
async function sampleWorld(): Promise<{ id: string }> {
  const mine = await aBidder(api);
  const others: Dealer[] = [await aBidder(api), await aBidder(api), await aBidder(api)];
  await loadWallet(api, mine.accountId, '5000.00');
  await admin.rows('update accounts set reminders = $2 where id = $1', [mine.accountId, JSON.stringify(RULES)]);
  await admin.rows('update memberships set price_minor = 15000, period_start = $2, period_end = $3 where account_id = $1', [
    mine.accountId,
    dayFromNow(-10),
    dayFromNow(20),
  ]);
  for (let index = 0; index < 6; index += 1) await customerOf(mine);
  for (let index = 0; index < 10; index += 1) {
    const customer_id = await customerOf(mine, { email: `musteri${index}@example.com` });
    const plan = { installment_count: index < 6 ? 24 : 12, first_due_date: dayFromNow(5 + 2 * index) };
    const sold = { vehicle_id: await carOf(mine), customer_id, currency: 'STG', sale_price: '9600.00', ...plan };
    dataOf(await sell(mine, sold));
  }
  for (let index = 0; index < 3; index += 1) {
    const { listing } = await publish(mine);
    await consumerOffers(api, mine, listing, '9000.00');
    await offer(others[index]!, listing, '9100.00');
    dataOf(
      await mine.post('boost-orders', { listing_id: listing, package: 'Vitrin-7', starts_at: inFuture(api, DAY) }, newKey()),
    );
  }
  for (const seller of [mine, others[0]!]) {
    const auction = await putUp(api, seller, { ends_at: inFuture(api, 2 * DAY) });
    dataOf(await bid(seller === mine ? others[1]! : mine, auction, '8500.00'));
  }
  for (let index = 0; index < 10; index += 1) {
    const car = await carOf(mine);
    if (index < 4) dataOf(await mine.post(`vehicles/${car}/reserve`, { reserved_until: dayFromNow(3 + index) }));
  }
  return makeWorld(admin, await aBidder(api), [mine, ...others]);
}

test('24 months cost this process less than ten seconds of processor time', async () => {
  const world = await sampleWorld();
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const moved = await advanceClock({ writer: api.service.parts.writer }, world, { advanceMs: 730 * DAY });
  const { user, system } = process.cpuUsage(cpu);
  const [steps] = await admin.rows<{ count: number }>(
    'select count(distinct created_at)::int as count from events where account_id = $1',
    [world.id],
  );
  const figures = {
    wallMs: Math.round(performance.now() - from),
    cpuMs: Math.round((user + system) / 1000),
    times: steps!.count,
  };
  console.info(JSON.stringify({ ...figures, ...moved }));
  expect(moved.transitions.installment).toBeGreaterThan(350);
  expect(moved.transitions.membership).toBeGreaterThan(20);
  expect(figures.cpuMs).toBeLessThan(MAX_MS);
});
