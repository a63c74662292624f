// No dealer sees another: two dealers request everything that a key can request, with both layers of isolation or with one of
// them removed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUsage } from '../../src/domain/usage/key-usage.ts';
import type { CallingKey } from '../../src/kit/endpoint.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { type TestService, testService } from '../support/service.ts';
import {
  cutOwn,
  type Dealer,
  dropWall,
  expectOwn,
  fillDealer,
  keptLog,
  leaks,
  neverShown,
  openedEndpoints,
  resources,
  type Seen,
  statusesOf,
  type Walk,
  walk,
} from './dealers.ts';
import { bidOnTheOther } from './fill-writes.ts';

export interface Belts {
  /** Row-level security. */
  readonly rls: boolean;
  /** The filter of `own()`. */
  readonly ownRows: boolean;
}

export interface Run {
  readonly service: TestService;
  readonly log: ReturnType<typeof keptLog>;
  readonly dealers: readonly [Dealer, Dealer];
  readonly seen: readonly [Seen[], Seen[]];
}

export async function run({ rls, ownRows }: Belts, ways: Walk = {}): Promise<Run> {
  const log = keptLog();
  const service = await testService({ resources, log, database: ownRows ? {} : { watch: cutOwn } });
  await service.release('Aktif', ...openedEndpoints.map(({ id }) => id));
  const dealers = [await fillDealer(service, 'Qalfaq', 7), await fillDealer(service, 'Wbetaw', 8)] as const;
  for (const place of [0, 1] as const) await bidOnTheOther(service.database, dealers[place], dealers[1 - place]!);
  if (!rls) await dropWall(service.adminUrl);
  // One after the other: the replies to the first are cached when the second sends the same requests.
  const first = await walk(service, dealers[0], dealers[1], ways);
  const second = await walk(service, dealers[1], dealers[0], ways);
  return { service, log, dealers, seen: [first, second] };
}

/** The tests of one walk, in the `describe` it is called in. */
export function holds(belts: Belts, ways: Walk): void {
  let made: Run;
  beforeAll(async () => {
    made = await run(belts, ways);
  });
  afterAll(() => made?.service.close());

  test('each dealer sees its own data', () => {
    for (const place of [0, 1] as const) expectOwn(made.seen[place], made.dealers[place]);
  });

  test('the walk got every kind of reply', () => {
    for (const seen of made.seen) {
      const statuses = statusesOf(seen);
      expect(statuses).toEqual(expect.arrayContaining([200, 304, 400, 401, 403, 404, 405, 409, 414, 422, 429]));
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(neverShown(seen)).toEqual(['collections/summary', 'exchange-rates', 'exchange-rates/history', 'reports/custom']);
    }
  });

  test('nothing of the other is in any body or header', () => {
    expect(leaks(made.seen[0], made.dealers[1])).toEqual([]);
    expect(leaks(made.seen[1], made.dealers[0])).toEqual([]);
  });

  test("another's record and one that does not exist get the same reply, byte for byte except for id and time", async () => {
    const [mine, other] = made.dealers;
    const ask = async (id: string, language: string) => {
      const answer = await made.service.call(`probe/${id}`, {
        key: mine.keys.all.secret,
        headers: { 'accept-language': language },
      });
      const headers = Object.fromEntries(answer.headers);
      for (const name of ['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        delete headers[name];
      const text = answer.text.replaceAll(answer.json.meta.request_id, '').replaceAll(answer.json.meta.timestamp, '');
      return { status: answer.status, headers, text };
    };
    for (const language of ['en', 'tr']) {
      const absent = await ask(newId(), language);
      expect(absent.status).toBe(404);
      expect(await ask(other.vehicles[0]!, language)).toEqual(absent);
    }
    expect((await ask(mine.vehicles[0]!, 'en').catch(() => null))?.status).toBe(200);
  });

  test("another key's id does not open its log and usage", async () => {
    const [mine, other] = made.dealers;
    const foreign = { id: other.keys.all.id, name: 'x', environment: 'production' } as CallingKey;
    const period = { from: new Date(Date.now() - 86_400_000), end: new Date(Date.now() + 86_400_000) };
    await made.service.database.inTenant(mine.accountId, 'read', async (db) => {
      const usage = await readUsage(db, foreign, period, 'day', 'UTC');
      expect(usage).toMatchObject({ total_requests: 0, p50_ms: null, last_used_at: null, by_endpoint: [], series: [] });
      const log = await db.rows(sql`select 1 from ${own('request_logs')} where key_id = ${foreign.id}`);
      expect(log).toEqual([]);
    });
  });

  test('each tenant table shows a dealer only its own rows', async () => {
    for (const { accountId } of made.dealers) {
      for (const table of TENANT_TABLES.filter((name) => name !== 'audit_log' && name !== 'key_secrets')) {
        const id = table === 'accounts' || table === 'data_sets' ? sql`id` : sql`account_id`;
        const seen = await made.service.database.inTenant(accountId, 'read', (db) =>
          db.rows(sql`select distinct ${id} as account from ${own(table)}`),
        );
        expect(seen, table).toEqual([{ account: accountId }]);
      }
    }
  });

  test("the service's own log names no dealer's data", () => {
    const words = made.dealers.flatMap(({ tag, phone, price, keys }) => [
      tag,
      phone,
      price,
      ...Object.values(keys).map(({ secret }) => secret),
    ]);
    expect(words.filter((word) => made.log.lines.some((line) => line.includes(word.toLowerCase())))).toEqual([]);
  });
}
