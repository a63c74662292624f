// A move whose process is killed again and again ends in the same state as one that is not: in every table of the world.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { dayIn } from '../../src/kit/clock.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { aBidder, bid, HOUR, inFuture, putUp } from '../support/auctions.ts';
import { carOf, customerOf, dataOf, newKey, sell } from '../support/books.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';
import { loadWallet } from '../support/platform.ts';
import { testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { offer, publish } from '../writes/network/network.ts';
import type { ChildConfig } from './clock-child.ts';
import { makeWorld } from './worlds.ts';

const DAY = 24 * HOUR;
const DAYS = 120;
const MAX_CHILDREN = 60;

let base: TestDatabase;
let server: Session;
let world: string;
const copy = `k_${Math.random().toString(36).slice(2, 10)}`;
beforeAll(async () => {
  base = await testDatabase();
  server = await openSession(inject('adminUrl'));
  const api = await testService({ shared: base });
  await openAll(api);
  const admin = await openSession(base.adminUrl);
  const dayFromNow = (days: number) => dayIn(new Date(api.clock.now().getTime() + days * DAY), 'Asia/Famagusta');
  const [mine, other]: [Dealer, Dealer] = [await aBidder(api), await aBidder(api)];
  await loadWallet(api, mine.accountId, '5000.00');
  const rules = JSON.stringify([-3, 5].map((day) => ({ day, channel: 'E-posta', active: true })));
  await admin.rows('update accounts set reminders = $2 where id = $1', [mine.accountId, rules]);
  await admin.rows('update memberships set price_minor = 15000, period_end = $2 where account_id = $1', [
    mine.accountId,
    dayFromNow(20),
  ]);
  for (const first of [4, 9, 15]) {
    const customer_id = await customerOf(mine, { email: `m${first}@example.com` });
    const sold = { vehicle_id: await carOf(mine), customer_id, currency: 'STG', sale_price: '2400.00' };
    dataOf(await sell(mine, { ...sold, installment_count: 4, first_due_date: dayFromNow(first) }));
  }
  dataOf(await mine.post(`vehicles/${await carOf(mine)}/reserve`, { reserved_until: dayFromNow(2) }));
  const { listing } = await publish(mine);
  dataOf(await mine.post('boost-orders', { listing_id: listing, package: 'Vitrin-7', starts_at: inFuture(api, DAY) }, newKey()));
  await offer(other, listing, '9000.00');
  dataOf(await bid(mine, await putUp(api, other, { ends_at: inFuture(api, 2 * DAY) }), '8500.00'));
  ({ id: world } = await makeWorld(admin, await aBidder(api), [mine, other]));
  await admin.close();
  await api.close();
  const name = new URL(base.adminUrl).pathname.slice(1);
  await server.rows('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await server.rows(`create database ${copy} template ${name}`);
});
afterAll(async () => {
  await server.rows(`drop database ${copy} with (force)`);
  await server.close();
  await base.close();
});

const inCopy = (url: string): string => Object.assign(new URL(url), { pathname: `/${copy}` }).href;

/** The result of the move, or null if the process was killed. */
async function child(config: ChildConfig): Promise<Record<string, unknown> | null> {
  const process = fork(new URL('./clock-child.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let moved: Record<string, unknown> | null = null;
  process.on('message', (message) => {
    moved = message as Record<string, unknown>;
  });
  process.send(config);
  await once(process, 'exit');
  return moved;
}

/** Of the real clock, of the process, or drawn at random. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  data_sets: ['version', 'written_in'],
  audit_log: ['created_at', 'at'],
  sandbox_messages: ['number', 'text_encrypted'],
  worlds: ['clock_claim', 'clock_claimed_until', 'offset_ms', 'progress'],
};
const MADE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|evt_[0-9a-z]{26}/g;

type Dump = Readonly<Record<string, readonly string[]>>;

async function dump(session: Session): Promise<Dump> {
  const tables = await session.rows<{ name: string }>(`select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.column_name = 'account_id' or c.table_name = 'worlds')
    group by 1 order by 1`);
  const rows: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const found = await session.rows<{ row: Record<string, unknown> }>(`select to_jsonb(one) as row from "${name}" one`);
    rows[name] = found.map(({ row }) => {
      for (const column of LEFT_OUT[name] ?? []) delete row[column];
      return JSON.stringify(row);
    });
  }
  return rows;
}

/** Ids that were made since have no name. */
const normal = (rows: Dump, known: ReadonlySet<string>): Dump =>
  Object.fromEntries(
    Object.entries(rows).map(([table, lines]) => [
      table,
      lines.map((line) => line.replace(MADE, (id) => (known.has(id) ? id : 'made'))).sort(),
    ]),
  );

test('kills on the way change nothing about the end', async () => {
  const [straight, broken] = [await openSession(base.adminUrl), await openSession(inCopy(base.adminUrl))];
  try {
    const known = new Set(JSON.stringify(await dump(straight)).match(MADE));
    const to = new Date(Date.now() + DAYS * DAY).toISOString();
    const config = { secret: TEST_SECRET, world, to };
    const once = await child({ ...config, urls: base.urls, dies: null });
    const urls = { tenantUrl: inCopy(base.urls.tenantUrl), platformUrl: inCopy(base.urls.platformUrl) };
    let [kills, moved] = [0, null as Record<string, unknown> | null];
    for (; moved === null && kills < MAX_CHILDREN; kills += 1) {
      // Some before the first step, most on the way.
      const dies = { afterWrites: kills % 5 === 0 ? 2 + kills : 10 + ((kills * 7) % 11), afterMs: kills % 4 };
      moved = await child({ ...config, urls, dies });
      if (moved !== null) break;
      const [clock] = await broken.rows<{ status: string }>('select status from worlds where id = $1', [world]);
      expect(['ready', 'advancing']).toContain(clock!.status);
      // As if the time of its claim had passed.
      await broken.rows(`update worlds set clock_claimed_until = clock_timestamp() where status = 'advancing'`);
    }
    expect(kills).toBeGreaterThan(5);
    expect(moved).toEqual({ ...once, from: expect.any(String) });
    const [one, other] = [normal(await dump(straight), known), normal(await dump(broken), known)];
    for (const table of Object.keys(one)) expect(other[table], table).toEqual(one[table]);
    expect(one.events!.length).toBeGreaterThan(40);
  } finally {
    await straight.close();
    await broken.close();
  }
});
