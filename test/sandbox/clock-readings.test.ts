// No reading of a sandbox's clock is before an earlier one: in any process, by SQL and by TypeScript, and while the clock stops to be moved.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRooms } from '../../src/domain/auctions/live-room.ts';
import { createWorlds, type Worlds } from '../../src/http/api/worlds.ts';
import { createClock } from '../../src/kit/clock.ts';
import { sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { beginMove } from '../../src/sandbox/clock-row.ts';
import { resetWorld } from '../../src/sandbox/create-world.ts';
import { advanceClock } from '../../src/sandbox/world-clock.ts';
import { aBidder, anEvent, HOUR, inFuture, putUp } from '../support/auctions.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { setWorldClock, testSandbox } from '../support/worlds.ts';
import { openAll } from '../support/writer.ts';
import { makeWorld } from './worlds.ts';

const DAY = 24 * HOUR;

let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' }, sandbox: testSandbox });
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

/** As in a process whose estimate of the database's time is wrong by that much. */
function worldsIn(aheadMs: number): Worlds {
  const clock = createClock();
  clock.advance(aheadMs);
  const ensure = () => Promise.reject(new Error('the sandbox is there'));
  return createWorlds({ database: api.database, clock, ensure });
}

/** With an auction of the dealer, and a sandbox key of the owner that reads it. */
async function aWorld() {
  const [owner, dealer] = [await aBidder(api), await aBidder(api)];
  const auction = await putUp(api, dealer, { ends_at: inFuture(api, 2 * DAY) });
  const endpoints = ['GET network-auctions', 'GET network-auctions/{auction_id}'];
  const { secret: key } = await api.key(owner.accountId, { endpoints, environment: 'sandbox' });
  return { owner, auction, key, world: await makeWorld(admin, owner, [dealer]) };
}

const bySql = (dataSet: string): Promise<Date> =>
  api.database.inTenant(
    dataSet,
    'write',
    async (db) => (await db.one<{ at: Date }>(sql`select business_now() as at`)).at,
    () => [],
  );
const waitsForLock = async () =>
  (await admin.rows(`select from pg_locks where locktype = 'advisory' and not granted`)).length > 0;

test('processes whose clocks differ, SQL and moves read one clock', async () => {
  const { owner, world } = await aWorld();
  const [ahead, behind] = [worldsIn(HOUR), worldsIn(-HOUR)];
  const readings: Date[] = [];
  for (let round = 0; round < 2; round += 1) {
    readings.push((await ahead.of(owner.accountId)).now, await bySql(world.id), (await behind.of(owner.accountId)).now);
    readings.push((await ahead.of(owner.accountId)).now);
    const { from, to } = await advanceClock({ writer: api.service.parts.writer }, world, { advanceMs: 60_000 });
    readings.push(from, to, (await behind.of(owner.accountId)).now, await bySql(world.id));
  }
  expect(readings.map((at) => at.getTime())).toEqual(readings.map((at) => at.getTime()).toSorted((a, b) => a - b));
});

test.each(['a request', 'SQL'])(
  'a reading by %s waits for a clock that stops, and is the time at which it has stopped',
  async (by) => {
    const { owner, world } = await aWorld();
    const [stopped, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const move = api.database.onPlatform('write', async (db) => {
      const begun = await beginMove(db, world.id, { advanceMs: DAY });
      stopped.resolve();
      await held.promise;
      return begun!;
    });
    await stopped.promise;
    let isRead = false;
    const reading = (
      by === 'SQL'
        ? bySql(world.id)
        : worldsIn(0)
            .of(owner.accountId)
            .then(({ now }) => now)
    ).finally(() => {
      isRead = true;
    });
    await until(async () => isRead || (await waitsForLock()));
    held.resolve();
    expect(await reading).toEqual((await move).reached);
  },
);

test('a request that has read the clock shows that time, also if the clock stops while it reads', async () => {
  const { world, auction, key } = await aWorld();
  const locked = await openSession(api.adminUrl);
  try {
    await locked.rows('begin');
    await locked.rows('lock table network_auctions in access exclusive mode');
    const reading = api.call(`/api/v1/network-auctions/${auction.id}`, { key });
    await until(
      async () =>
        (await admin.rows(`select from pg_locks where not granted and relation = 'network_auctions'::regclass`)).length > 0,
    );
    const { reached } = (await api.database.onPlatform('write', (db) => beginMove(db, world.id, { advanceMs: DAY })))!;
    await locked.rows('rollback');
    const { data } = (await reading).json;
    expect(Date.parse(data.server_time)).toBeLessThanOrEqual(reached.getTime());
  } finally {
    await locked.close();
  }
});

test('a read shows an auction that the moving clock is about to end as it is', async () => {
  const { world, key, auction } = await aWorld();
  const { id, ends_at } = auction;
  const reachedAt = new Date(ends_at);
  await setWorldClock(api.database, world.id, { status: 'advancing', reachedAt, targetAt: new Date(reachedAt.getTime() + DAY) });
  for (const path of ['network-auctions', `network-auctions/${id}`]) {
    const { status, json } = await api.call(`/api/v1/${path}`, { key });
    expect([status, [json.data].flat()]).toMatchObject([200, [{ id, status: 'Canlı', server_time: reachedAt.toISOString() }]]);
  }
});

test('the live room of an event in a sandbox shows the time of the sandbox', async () => {
  const [{ id: inside }, { id: outside }] = [await anEvent(api, await aBidder(api)), await anEvent(api, await aBidder(api))];
  const { world } = await aWorld();
  await admin.rows('update live_events set world_id = $2 where id = $1', [inside, world.id]);
  const reachedAt = new Date(Date.now() + 3 * DAY);
  await setWorldClock(api.database, world.id, { status: 'advancing', reachedAt, targetAt: reachedAt });
  const questions = [inside, outside].map((eventId) => ({ eventId, since: null }));
  const rooms = await api.database.onPlatform('read', (db) => readRooms(db, questions));
  const [time, production] = rooms.map((room) => room!.message.server_time);
  expect(time).toBe(reachedAt.toISOString());
  expect(Date.parse(production!)).toBeLessThan(reachedAt.getTime() - 2 * DAY);
});

test('a sandbox begins at a time that its clock has reached', async () => {
  const owner = await aBidder(api);
  const { writer } = api.service.parts;
  const files = () => Promise.reject(new Error('an empty sandbox has no files'));
  const late = new Date(Date.now() + HOUR);
  const how = { data: 'empty', keepWebhooks: true } as const;
  const { startedAt, now } = await resetWorld({ writer, files }, owner.accountId, how, { now: late, realNow: late });
  expect(startedAt.getTime()).toBeLessThanOrEqual(now.getTime());
});
