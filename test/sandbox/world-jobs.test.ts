// What jobs and administrators do in production happens in a world by its own clock, and production stays on its clock.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimRun } from '../../src/domain/imports/runs/claim-runs.ts';
import { announceRates } from '../../src/jobs/announce-rates.ts';
import { runTimedTransitions } from '../../src/jobs/run-timed-transitions.ts';
import { lookAfterWorlds, runWorlds } from '../../src/jobs/run-worlds.ts';
import { civilIn, dayIn, startOfDay } from '../../src/kit/clock.ts';
import { newId } from '../../src/kit/ids.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { advanceClock } from '../../src/sandbox/world-clock.ts';
import { aBidder, HOUR } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { carConnector, csvOf, feedCar, newImporter } from '../support/imports.ts';
import { loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { clockRow, eventsAfter, makeWorld } from './worlds.ts';

const DAY = 24 * HOUR;
const ZONE = 'Asia/Famagusta';

let api: TestService;
let admin: Session;
let feeds: Server;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'true' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  feeds = createServer((_, response) => response.end(csvOf([feedCar('FD 1'), feedCar('FD 2')])));
  await new Promise<void>((resolve) => feeds.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  feeds.close();
  await admin.close();
  await api.close();
});

const writer = () => api.service.parts.writer;
const advance = (world: { id: string }, days: number) => advanceClock({ writer: writer() }, world, { advanceMs: days * DAY });
const dayFromNow = (days: number): string => dayIn(new Date(api.clock.now().getTime() + days * DAY), ZONE);
const asWorld = async (dealer: Dealer) => makeWorld(admin, await aBidder(api), [dealer]);

async function saleOf(dealer: Dealer, firstDueIn: number, count: number): Promise<string> {
  const customer_id = await customerOf(dealer, { email: 'ali@example.com' });
  const terms = { currency: 'STG', sale_price: '1200.00', installment_count: count, first_due_date: dayFromNow(firstDueIn) };
  return dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id, ...terms })).id;
}

test('a membership is billed at the end of each period, from the wallet while it lasts', async () => {
  const dealer = await aBidder(api);
  await loadWallet(api, dealer.accountId, '4000.00');
  await admin.rows(`update memberships set price_minor = 150000, period_start = $2, period_end = $3 where account_id = $1`, [
    dealer.accountId,
    dayFromNow(-19),
    dayFromNow(10),
  ]);
  const moved = await advance(await asWorld(dealer), 75);
  expect(moved.transitions).toEqual({ membership: 3 });
  const invoices = await admin.rows<{ status: string; total: number; at: Date; period_start: string }>(
    `select status, total_minor::int as total, created_at as at, period_start::text from membership_invoices
     where account_id = $1 order by invoice_no`,
    [dealer.accountId],
  );
  // 1800.00 each: the wallet pays two of them.
  expect(invoices.map(({ status, total }) => [status, total])).toEqual([
    ['Ödendi', 180_000],
    ['Ödendi', 180_000],
    ['Ödenmedi', 180_000],
  ]);
  for (const { at, period_start } of invoices) expect(at).toEqual(startOfDay(period_start, ZONE));
  const [left] = await admin.rows(
    'select balance_minor::int as left, memberships.status from wallets join memberships using (account_id) where account_id = $1',
    [dealer.accountId],
  );
  expect(left).toEqual({ left: 40_000, status: 'Gecikmiş' });
  // The next bill comes with the next period, not with every step.
  expect((await eventsAfter(admin, dealer.accountId)).filter(({ kind }) => kind === 'membership_invoice.issued')).toHaveLength(3);
});

test('reminders are dropped on each of their days, at the first hour for them, and none is mailed', async () => {
  const dealer = await aBidder(api);
  const rules = [-7, -1, 10].map((day) => ({ day, channel: 'E-posta', active: true }));
  await admin.rows('update accounts set reminders = $2 where id = $1', [dealer.accountId, JSON.stringify(rules)]);
  await saleOf(dealer, 20, 4);
  const installments = await admin.rows<{ id: string; due: string }>(
    'select id, due_date::text as due from installments where account_id = $1 and seq > 0 order by due_date',
    [dealer.accountId],
  );
  const world = await asWorld(dealer);
  const moved = await advance(world, 75);
  const dropped = await admin.rows<{ recipient: string; about: string; at: Date; channel: string }>(
    'select recipient, about_id as about, created_at as at, channel from sandbox_messages where account_id = $1 order by number',
    [dealer.accountId],
  );
  const until = dayIn(moved.to, ZONE);
  const expected = installments
    .flatMap(({ id, due }) =>
      rules.map(({ day }) => ({ id, day: dayIn(new Date(Date.parse(`${due}T12:00:00Z`) + day * DAY), 'UTC') })),
    )
    .filter(({ day }) => day < until)
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
  expect(dropped.filter(({ at }) => dayIn(at, ZONE) < until).map(({ about, at }) => [about, civilIn(at, ZONE)])).toEqual(
    expected.map(({ id, day }) => [id, `${day}T09:00:00`]),
  );
  expect(new Set(dropped.map(({ recipient }) => recipient))).toEqual(new Set(['ali@example.com']));
  expect(moved.transitions.reminder).toBe(dropped.length);
  expect(await admin.rows('select from sent_reminders where account_id = $1', [dealer.accountId])).toHaveLength(dropped.length);
  expect(await admin.rows('select from mails where data_set = $1', [dealer.accountId])).toEqual([]);
});

test('reports are dropped every Monday at eight', async () => {
  const dealer = await aBidder(api);
  await admin.rows(
    `insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
     values ($1, $2, 'sales-summary', 'Haftalık', 'patron@example.com', $3, now())`,
    [dealer.accountId, newId(), dayFromNow(0)],
  );
  const { transitions } = await advance(await asWorld(dealer), 28);
  const at = await admin.rows<{ at: Date }>(
    'select created_at as at from sandbox_messages where account_id = $1 order by number',
    [dealer.accountId],
  );
  expect(transitions.report_mail).toBe(at.length);
  expect(at.length).toBeGreaterThanOrEqual(3);
  for (const { at: day } of at) {
    expect(civilIn(day, ZONE).slice(11)).toBe('08:00:00');
    expect(new Date(`${dayIn(day, ZONE)}T12:00:00Z`).getUTCDay()).toBe(1);
  }
});

test('a scheduled import runs once after a move, by the clock of the world', async () => {
  const dealer = await aBidder(api);
  const url = `http://127.0.0.1:${(feeds.address() as AddressInfo).port}/feed`;
  const { id } = dataOf(await dealer.post('import/connectors', carConnector({ transport: 'url', schedule: 'Saatlik' }, { url })));
  const world = await asWorld(dealer);
  const { to } = await advance(world, 30);
  const runs = () =>
    admin.rows<{ status: string; at: Date }>('select status, created_at as at from import_runs where connector_id = $1', [id]);
  expect(await runs()).toEqual([{ status: 'Sırada', at: to }]);
  const [{ next }] = (await admin.rows<{ next: Date }>('select next_run_at as next from import_connectors where id = $1', [
    id,
  ])) as [{ next: Date }];
  expect(next.getTime()).toBeGreaterThan(to.getTime());
  // Not while the sandbox is closed.
  expect(await claimRun(api.database, api.clock.realNow(), false)).toBeNull();
  const importer = newImporter(api, { worlds: true });
  await importer.drain();
  await importer.close();
  expect((await runs()).map(({ status }) => status)).toEqual(['Tamamlandı']);
  const cars = await admin.rows<{ at: Date }>('select created_at as at from vehicles where account_id = $1', [dealer.accountId]);
  expect(cars).toHaveLength(2);
  for (const { at } of cars) expect(at.getTime()).toBeGreaterThanOrEqual(to.getTime());
});

test('runs of sandboxes take turns as runs of their account, also after resets, and do not delay its own', async () => {
  const [greedy, other] = [await aBidder(api), await aBidder(api)];
  const queued = async (dealer: Dealer): Promise<string> => {
    const { id } = dataOf(await dealer.post('import/connectors', carConnector({}, {})));
    return dataOf(await dealer.post(`import/connectors/${id}/run`, { content: csvOf([feedCar(`FD ${newId()}`)]) })).id;
  };
  const queuedInSandbox = async (): Promise<string> => {
    const dealer = await aBidder(api);
    const run = await queued(dealer);
    await admin.rows('update worlds set removed_at = now() where owner_id = $1', [greedy.accountId]);
    await makeWorld(admin, greedy, [dealer]);
    return run;
  };
  const claimed = async () => (await claimRun(api.database, api.clock.realNow(), true))?.runId;
  const ended = (run: string, startedAgo: string) =>
    admin.rows(
      `update import_runs set status = 'Tamamlandı', started_at = now() - $2::interval, finished_at = now(), claimed_until = null
        where id = $1`,
      [run, startedAgo],
    );
  const before = await queued(other);
  expect(await claimed()).toBe(before);
  await ended(before, '1 hour');
  const first = await queuedInSandbox();
  expect(await claimed()).toBe(first);
  await ended(first, '1 minute');

  const [second, others] = [await queuedInSandbox(), await queued(other)];
  expect([await claimed(), await claimed()]).toEqual([others, second]);
  // The second one still runs.
  const third = await queuedInSandbox();
  expect(await claimed()).toBeUndefined();
  const own = await queued(greedy);
  expect(await claimed()).toBe(own);
  for (const run of [others, second, own]) await ended(run, '1 minute');
  expect(await claimed()).toBe(third);
  await ended(third, '1 minute');
});

test('while the clock runs at its usual pace, what falls due happens in the world, and not in production', async () => {
  const [inside, outside] = [await aBidder(api), await aBidder(api)];
  const cars = new Map<Dealer, string>();
  for (const dealer of [inside, outside]) {
    cars.set(dealer, await carOf(dealer));
    dataOf(await dealer.post(`vehicles/${cars.get(dealer)}/reserve`, { reserved_until: dayFromNow(5) }));
  }
  const statusOf = async (dealer: Dealer) =>
    (await admin.rows<{ status: string }>('select status from vehicles where id = $1', [cars.get(dealer)]))[0]!.status;
  const world = await asWorld(inside);
  // The world is ten days ahead without a move, as if that time had passed while no process ran.
  await admin.rows('update worlds set offset_ms = $2 where id = $1', [world.id, 10 * DAY]);
  expect(await runTimedTransitions(writer(), api.clock.now())).toBe(0);
  expect(await statusOf(inside)).toBe('Rezerve');
  expect(await runWorlds(writer(), api.clock.realNow())).toBe(1);
  expect([await statusOf(inside), await statusOf(outside)]).toEqual(['Stokta', 'Rezerve']);
  expect(await runWorlds(writer(), api.clock.realNow())).toBe(0);
});

test('a reminder that a new sale needs before anything else is due is found', async () => {
  const dealer = await aBidder(api);
  await admin.rows('update accounts set reminders = $2 where id = $1', [
    dealer.accountId,
    JSON.stringify([{ day: -20, channel: 'E-posta', active: true }]),
  ]);
  await saleOf(dealer, 25, 1);
  const world = await asWorld(dealer);
  const due = async () =>
    (await admin.rows<{ at: Date }>('select next_due_at as at from data_sets where id = $1', [world.id]))[0]!.at;
  const before = await due();
  await lookAfterWorlds(writer(), api.clock.realNow());
  expect(civilIn(await due(), ZONE)).toBe(`${dayFromNow(5)}T09:00:00`);
  expect((await due()).getTime()).toBeLessThan(before.getTime());
});

test('a move that no process finishes is finished by the worker', async () => {
  const dealer = await aBidder(api);
  const world = await asWorld(dealer);
  const { now } = await clockRow(admin, world.id);
  const target = new Date(now.getTime() + DAY);
  const abandon = (seconds: number) =>
    admin.rows(
      `update worlds set status = 'advancing', reached_at = $2, target_at = $3, clock_claim = gen_random_uuid(), progress = $4,
         clock_claimed_until = clock_timestamp() - $5 * interval '1 second' where id = $1`,
      [world.id, now, target, JSON.stringify({ from: now.toISOString(), requested: '', sequence: 0, transitions: {} }), seconds],
    );
  await abandon(30);
  await lookAfterWorlds(writer(), api.clock.realNow());
  expect((await clockRow(admin, world.id)).status).toBe('advancing');
  await abandon(200);
  await lookAfterWorlds(writer(), api.clock.realNow());
  expect(await clockRow(admin, world.id)).toMatchObject({ status: 'ready', target_at: null });
});

test('a new bulletin of the bank is an event in a world too, at its time, while sandboxes are open', async () => {
  const [dealer, closed] = [await aBidder(api), await aBidder(api)];
  const world = await asWorld(dealer);
  await asWorld(closed);
  await advance(world, 3);
  const notified = async (account: Dealer) =>
    (await eventsAfter(admin, account.accountId)).filter(({ kind }) => kind === 'exchange_rate.updated');
  const soon = new Date();
  await storeBulletinFor(api.database, 'KKTCMB', { day: dayFromNow(0) }, soon);
  await announceRates({ writer: writer(), worlds: true }, () => ({ now: soon, realNow: soon }));
  const events = await notified(dealer);
  expect(events).toHaveLength(1);
  expect(events[0]!.at.getTime()).toBeGreaterThan(Date.now() + 2 * DAY);
  await storeBulletinFor(api.database, 'KKTCMB', { day: dayFromNow(0), number: '2026/999' }, soon);
  await announceRates({ writer: writer() }, () => ({ now: soon, realNow: soon }));
  expect(await notified(dealer)).toHaveLength(1);
});
