// The clock of a world: everything that is due on the way happens at its own time, across kinds and dealers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayIn, startOfDay } from '../../src/kit/clock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { advanceClock, type ClockMove } from '../../src/sandbox/world-clock.ts';
import { aBidder, bid, HOUR, inFuture, putUp } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, newKey, sell } from '../support/books.ts';
import { loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { offer, publish } from '../writes/network/network.ts';
import { clockRow, eventsAfter, makeWorld, sequenceOf } from './worlds.ts';

const DAY = 24 * HOUR;
const ZONE = 'Asia/Famagusta';

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

const advance = (world: { id: string }, to: ClockMove) => advanceClock({ writer: api.service.parts.writer }, world, to);
const dayFromNow = (days: number): string => dayIn(new Date(api.clock.now().getTime() + days * DAY), ZONE);
const days = (count: number): ClockMove => ({ advanceMs: count * DAY });

async function saleOf(dealer: Dealer, firstDueIn: number, overrides: Record<string, unknown> = {}): Promise<string> {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
  const terms = { currency: 'STG', sale_price: '1000.00', down_payment: '100.00', installment_count: 3, ...overrides };
  return dataOf(await sell(dealer, { vehicle_id, customer_id, ...terms, first_due_date: dayFromNow(firstDueIn) })).id;
}

/** A dealer with a record of several kinds, another who offers and bids, and their world. */
async function aWorld() {
  const [mine, other] = [await aBidder(api), await aBidder(api)];
  await loadWallet(api, mine.accountId, '5000.00');
  const reserved = await carOf(mine);
  dataOf(await mine.post(`vehicles/${reserved}/reserve`, { reserved_until: dayFromNow(2) }));
  const sale = await saleOf(mine, 10);
  dataOf(await mine.post('payment-promises', { sale_id: sale, amount: '50.00', promised_date: dayFromNow(5) }));
  const { listing } = await publish(mine);
  dataOf(
    await mine.post('boost-orders', { listing_id: listing, package: 'Vitrin-7', starts_at: inFuture(api, 3 * HOUR) }, newKey()),
  );
  await offer(other, (await publish(mine)).listing, '9000.00', { expires_at: inFuture(api, 30 * HOUR) });
  const auction = await putUp(api, other, { ends_at: inFuture(api, 40 * HOUR) });
  dataOf(await bid(mine, auction, '8500.00'));
  return { world: await makeWorld(admin, await aBidder(api), [mine, other]), mine, other, reserved };
}

test('records of every kind change at their own time, in order, for both dealers', async () => {
  const { world, mine, other } = await aWorld();
  const [before, theirs] = [await sequenceOf(admin, mine.accountId), await sequenceOf(admin, other.accountId)];
  const from = (await clockRow(admin, world.id)).now;
  const to = new Date(from.getTime() + 45 * DAY);
  const moved = await advance(world, to);
  const events = await eventsAfter(admin, mine.accountId, before);
  expect(moved).toMatchObject({
    to,
    events: events.length,
    transitions: { boost_order: 2, network_auction: 1, reservation: 1, payment_promise: 1, network_offer: 1, installment: 5 },
  });
  expect(Math.abs(moved.from.getTime() - from.getTime())).toBeLessThan(60_000);
  const times = events.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const midnight = (day: number) => startOfDay(dayFromNow(day), ZONE).getTime();
  const at = (kind: string) => events.filter((one) => one.kind === kind).map((one) => one.at.getTime());
  expect(at('vehicle.reservation_released')).toEqual([midnight(3)]);
  expect(at('payment_promise.broken')).toEqual([midnight(6)]);
  expect(at('installment.due_soon').slice(0, 1)).toEqual([midnight(7)]);
  // The down payment is overdue first.
  expect(at('installment.overdue').slice(0, 2)).toEqual([midnight(1), midnight(11)]);
  expect(at('boost_order.finished')[0]! - at('boost_order.started')[0]!).toBe(7 * DAY);
  // The other dealer's auction ends for both at the same time.
  const auction = (await eventsAfter(admin, other.accountId, theirs)).filter(({ kind }) => kind === 'network_auction.ended');
  expect(auction).toHaveLength(1);
  expect((await admin.rows('select ended_at from network_auctions where account_id = $1', [other.accountId]))[0]).toEqual({
    ended_at: auction[0]!.at,
  });
  const { status, now, target_at } = await clockRow(admin, world.id);
  expect({ status, target_at }).toEqual({ status: 'ready', target_at: null });
  expect(now.getTime()).toBeGreaterThanOrEqual(to.getTime());
});

test('two calls for the same world run one after the other', async () => {
  const { world } = await aWorld();
  const [one, two] = await Promise.all([advance(world, days(3)), advance(world, days(3))]);
  const [first, second] = one.from < two.from ? [one, two] : [two, one];
  expect(second.from.getTime()).toBeGreaterThanOrEqual(first.to.getTime());
  expect(second.to.getTime() - first.from.getTime()).toBeGreaterThanOrEqual(6 * DAY);
});

test('the clock moves forward only, at most five years from the beginning of the world', async () => {
  const world = await makeWorld(admin, await aBidder(api), [await aBidder(api)]);
  const refused = (to: ClockMove) =>
    advance(world, to).then(
      () => null,
      (error: { code: string }) => error.code,
    );
  expect(await refused(new Date(Date.now() - DAY))).toBe('clock_moves_forward');
  expect(await refused({ advanceMs: 0 })).toBe('clock_moves_forward');
  expect(await refused(days(6 * 365))).toBe('clock_out_of_range');
  await advance(world, days(5 * 365));
  expect(await refused(days(3))).toBe('clock_out_of_range');
  expect((await clockRow(admin, world.id)).status).toBe('ready');
});

test('a transition that fails stops the clock there and is named; the next call tries it again and continues', async () => {
  const { world, mine, reserved } = await aWorld();
  await admin.rows(
    `create function refuse_planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
  );
  await admin.rows(`create trigger planted before update on reservations for each row when (old.vehicle_id = '${reserved}')
    execute function refuse_planted()`);
  const from = (await clockRow(admin, world.id)).now;
  const target = new Date(from.getTime() + 20 * DAY);
  await expect(advance(world, target)).rejects.toMatchObject({ code: 'conflict' });
  const [{ id }] = (await admin.rows<{ id: string }>('select id from reservations where vehicle_id = $1', [reserved])) as [
    { id: string },
  ];
  const stopped = await clockRow(admin, world.id);
  expect(stopped).toMatchObject({ status: 'failed', reached_at: startOfDay(dayFromNow(3), ZONE), target_at: target });
  expect(stopped.failure).toMatch(new RegExp(`^reservation ${id}: .*planted`));
  const before = await eventsAfter(admin, mine.accountId);
  expect(before.every(({ at }) => at <= stopped.reached_at!)).toBe(true);
  await admin.rows('drop trigger planted on reservations');
  // What was counted before the failure stays counted.
  expect(await advance(world, target)).toMatchObject({
    from: expect.any(Date),
    transitions: { reservation: 1, boost_order: 2, installment: 3 },
  });
  const times = (await eventsAfter(admin, mine.accountId)).map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(await clockRow(admin, world.id)).toMatchObject({ status: 'ready', failure: null });
});

test('another call after a failure starts from where the clock stopped', async () => {
  const { world } = await aWorld();
  const reached = new Date((await clockRow(admin, world.id)).now.getTime() + DAY);
  await admin.rows(
    `update worlds set status = 'failed', failure = 'reservation', reached_at = $2::timestamptz, target_at = $2::timestamptz + interval '9 days',
    progress = '{"requested":"+1"}' where id = $1`,
    [world.id, reached],
  );
  const moved = await advance(world, days(1));
  expect([moved.from, moved.to]).toEqual([reached, new Date(reached.getTime() + DAY)]);
});

test('a move waits for the process that moves the clock, and continues the same move once that process is dead', async () => {
  const { world } = await aWorld();
  const { now } = await clockRow(admin, world.id);
  const target = new Date(now.getTime() + 20 * DAY);
  const requested = target.toISOString();
  const progress = { from: now.toISOString(), requested, sequence: 0, transitions: { boost_order: 7 } };
  await admin.rows(
    `update worlds set status = 'advancing', reached_at = $2, target_at = $3, progress = $4, clock_claim = gen_random_uuid(),
    clock_claimed_until = clock_timestamp() + interval '1 hour' where id = $1`,
    [world.id, now, target, JSON.stringify(progress)],
  );
  const moving = advance(world, target);
  let isDone = false;
  void moving.then(() => {
    isDone = true;
  });
  // Other moves are not delayed by one that waits.
  await advance((await aWorld()).world, days(1));
  expect([isDone, (await clockRow(admin, world.id)).reached_at]).toEqual([false, now]);
  await admin.rows('update worlds set clock_claimed_until = clock_timestamp() where id = $1', [world.id]);
  expect(await moving).toMatchObject({ from: now, to: target, transitions: { boost_order: 9, reservation: 1 } });
});

test('the clock of a world that was removed is not moved', async () => {
  const { world } = await aWorld();
  await admin.rows('update worlds set removed_at = now() where id = $1', [world.id]);
  await expect(advance(world, days(1))).rejects.toMatchObject({ code: 'sandbox_reset' });
});

test('a move whose world is reset on the way is refused as a reset', async () => {
  const { world } = await aWorld();
  const { writer } = api.service.parts;
  let writes = 0;
  const reset: typeof writer = {
    ...writer,
    write: async (call, run) => {
      writes += 1;
      if (writes === 8) await admin.rows('update worlds set removed_at = now() where id = $1', [world.id]);
      return writer.write(call, run);
    },
  };
  await expect(advanceClock({ writer: reset }, world, days(30))).rejects.toMatchObject({ code: 'sandbox_reset' });
  expect(writes).toBe(8);
});
