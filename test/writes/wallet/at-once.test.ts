// Concurrency: a wallet that covers ten boosts pays for ten, and the ledger agrees; concurrent writes do not exceed a plan's
// limits.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proveBooks } from '../../../src/domain/wallet/books.ts';
import { newId } from '../../../src/kit/ids.ts';
import { own, rawSql, sql, theAccount } from '../../../src/kit/sql.ts';
import { openSession } from '../../../src/postgres/database.ts';
import { newPerson, signedIn } from '../../panel/people.ts';
import { aDealer, carOf, dataOf, newKey, type Shown, verdictOf } from '../../support/books.ts';
import { eventsOf } from '../../support/events.ts';
import { listedCar } from '../../support/market.ts';
import { until } from '../../support/patience.ts';
import { loadWallet } from '../../support/platform.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T09:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
});
afterAll(() => api.close());

const counted = (answers: readonly string[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const one of answers) found[one] = (found[one] ?? 0) + 1;
  return found;
};

test('open top-up requests total at most twelve digits, also for concurrent requests', async () => {
  const asking = await aDealer(api);
  const ask = () => asking.post('wallet/topup-requests', { amount: '400000000000.00' }, newKey());
  const answers = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(counted(answers.map(verdictOf))).toEqual({ '201': 2, '422 validation_failed': 2 });
  expect(answers.find(({ status }) => status === 422)!.json.error.details[0].field).toBe('amount');
  expect(dataOf(await asking.get('wallet')).pending_topups).toBe('800000000000.00');
  // Includes one created before this rule.
  await api.database.inTenant(asking.accountId, 'write', (db) =>
    db.exec(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, created_at, updated_at)
      values (${theAccount}, ${newId()}, 90000000000000, 'TL', 'Havale/EFT', now(), now())`),
  );
  expect(dataOf(await asking.get('wallet')).pending_topups).toBe('999999999999.99');
});

test('a purchase holds no listing while it waits for the car', async () => {
  const buying = await aDealer(api);
  await loadWallet(api, buying.accountId, '1000.00');
  const car = await carOf(buying);
  const listing = await listedCar(buying, car);
  const [seller, admin] = [await openSession(api.adminUrl), await openSession(api.adminUrl)];
  try {
    // A sale locks the car, then its listing.
    await seller.rows('begin');
    await seller.rows(`select id from vehicles where id = '${car}' for update`);
    const bought = buying.post('boost-orders', { listing_id: listing.id, package: 'Acil-7' }, newKey());
    await until(async () => {
      const waiting = await admin.rows(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.length > 0;
    }, 'the purchase waits for the car');
    expect(await seller.rows(`select id from listings where id = '${listing.id}' for update nowait`)).toHaveLength(1);
    await seller.rows('commit');
    expect((await bought).status).toBe(201);
  } finally {
    await Promise.all([seller.close(), admin.close()]);
  }
});

test('a hundred concurrent purchases from a wallet that covers ten: ten succeed', async () => {
  // 10 × 600.00 and a remainder that does not cover another.
  await loadWallet(api, dealer.accountId, '6599.99');
  const listings: string[] = [];
  for (let number = 0; number < 20; number += 1) listings.push((await listedCar(dealer, await carOf(dealer))).id);
  // Five of each: two of a kind never overlap, so they are consecutive.
  const orders = listings.flatMap((listing_id) =>
    Array.from({ length: 5 }, (_, turn) => ({
      listing_id,
      package: 'Acil-7',
      starts_at: new Date(Date.UTC(2026, 2, 3 + turn * 8, 9)).toISOString(),
    })),
  );
  const answers = await Promise.all(orders.map((order) => dealer.post('boost-orders', order, newKey())));
  expect(counted(answers.map(verdictOf))).toEqual({ 201: 10, '402 insufficient_balance': 90 });
  expect(dataOf(await dealer.get('wallet')).balance).toBe('599.99');
  const spent = dataOf(await dealer.get('wallet/transactions?type=Boost&limit=100')) as Shown[];
  expect(spent).toHaveLength(10);
  expect(spent.map(({ balance_after }) => balance_after)).toEqual(
    Array.from({ length: 10 }, (_, place) => `${599 + place * 600}.99`),
  );
  expect(dataOf(await dealer.get('boost-orders?limit=100'))).toHaveLength(10);
  const created = (await eventsOf(api, dealer.accountId)).filter(({ kind }) => kind === 'boost_order.created');
  expect(created).toHaveLength(10);
  expect((await api.database.onPlatform('read', proveBooks)).imbalance).toBe(0n);
});

describe('a plan’s limits hold for concurrent writes of the last place', () => {
  const limit = (column: string, count: number | null) =>
    api.database.inTenant(dealer.accountId, 'write', (db) =>
      db.exec(sql`update accounts set ${rawSql(column)} = ${count} where id = ${theAccount}`),
    );
  const countOf = async (rows: string): Promise<number> =>
    api.database.inTenant(dealer.accountId, 'read', async (db) =>
      Number((await db.one<{ count: bigint }>(sql`select count(*) from ${own('members')} where ${rawSql(rows)}`)).count),
    );
  /** One place is free, five requests compete for it. */
  const oneOfFive = { ok: 1, plan_limit_reached: 4 };
  const sorted = (answers: readonly { status: number; json: Shown }[]) =>
    counted(answers.map(({ status, json }) => (status < 300 ? 'ok' : json.error.code)));

  test('vehicles and listings, through the API', async () => {
    const used = dataOf(await dealer.get('membership/usage'));
    const cars = [await carOf(dealer), await carOf(dealer), await carOf(dealer), await carOf(dealer), await carOf(dealer)];
    await limit('listing_limit', used.listings.used + 1);
    expect(sorted(await Promise.all(cars.map((car) => dealer.post(`vehicles/${car}/publish`))))).toEqual(oneOfFive);
    await limit('listing_limit', null);
    await limit('vehicle_limit', used.vehicles.used + cars.length + 1);
    const added = await Promise.all(
      [1, 2, 3, 4, 5].map((number) => dealer.post('vehicles', aCar({ plate: `LM ${100 + number}` }))),
    );
    expect(sorted(added), added.map(({ text }) => text).join('\n')).toEqual(oneOfFive);
    await limit('vehicle_limit', null);
  });

  test('staff, branches and keys, in the panel', async () => {
    const owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
    const usage = async () => dataOf(await dealer.get('membership/usage'));
    const post = (path: string, body: (number: number) => object) =>
      Promise.all([1, 2, 3, 4, 5].map((number) => owner.api(path, { method: 'POST', body: body(number) })));
    await limit('staff_limit', (await usage()).staff.used + 1);
    const staff = await post('staff', (number) => ({ full_name: `Personel ${number}`, role: 'sales' }));
    expect(sorted(staff), staff[0]!.text).toEqual(oneOfFive);
    await limit('branch_limit', (await usage()).branches.used + 1);
    const branches = await post('branches', (number) => ({ name: `Şube ${number}`, city: 'Girne' }));
    expect(sorted(branches), branches[0]!.text).toEqual(oneOfFive);
    await limit('api_key_limit', (await usage()).api_keys.used + 1);
    const keys = await post('keys', (number) => ({
      name: `Anahtar ${number}`,
      environment: 'production',
      endpoints: ['GET account'],
    }));
    expect(sorted(keys), keys[0]!.text).toEqual(oneOfFive);
    expect(await countOf("full_name like 'Personel %'")).toBe(1);
  });

  test('all refusals of a day emit one event, although they stored nothing else; the next day emits again', async () => {
    const emitted = async () =>
      (await eventsOf(api, dealer.accountId)).filter(({ kind }) => kind === 'membership.limit_reached').length;
    expect(await emitted()).toBe(1);
    api.clock.advance(86_400_000);
    await limit('vehicle_limit', 0);
    for (const plate of ['LM 200', 'LM 201'])
      expect(verdictOf(await dealer.post('vehicles', aCar({ plate })))).toBe('403 plan_limit_reached');
    expect(await emitted()).toBe(2);
    await limit('vehicle_limit', null);
  });
});
