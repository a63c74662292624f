// Refusals that do not count towards a limit: all are counted, and a few lines a minute of each kind are stored, for any flood.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';

let service: TestService;
let admin: Session;
let accountId: string;
let browser: Browser;
beforeAll(async () => {
  service = await testService();
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
  browser = await signedIn(service, await newPerson(service, { accountId }));
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

type Key = Awaited<ReturnType<TestService['key']>>;

const limitedKey = async (): Promise<Key> => {
  const key = await service.key(accountId, { limitPerMinute: 1 });
  await service.call('account', { key: key.secret });
  return key;
};
const KINDS: readonly [code: string, lines: number, make: () => Promise<Key>][] = [
  ['rate_limit_exceeded', 10, limitedKey],
  ['ip_not_allowed', 60, () => service.key(accountId, { allowedIps: [parseRange('203.0.113.7')!] })],
  ['key_expired', 60, () => service.key(accountId, { expiresAt: new Date(Date.now() - 3_600_000) })],
  [
    'key_revoked',
    60,
    async () => {
      const key = await service.key(accountId);
      await service.database.onPlatform('write', (db) => revokeKey(db, key.id, TEST_ACTOR));
      await service.settled();
      return key;
    },
  ],
];

/** Over several flushes of the log, like a real flood. */
async function flood({ secret }: Key, times: number, path = 'vehicles'): Promise<void> {
  for (let sent = 0; sent < times; sent += 50) {
    await Promise.all(Array.from({ length: Math.min(50, times - sent) }, () => service.call(path, { key: secret })));
    await service.logged();
  }
}

const storedOf = async ({ id }: Key, code: string) => {
  const [row] = await admin.rows(
    `select (select count(*)::int from request_logs where key_id = $1 and error_code = $2) as lines,
      (select sum(calls)::int from usage_calls where key_id = $1 and error_code = $2) as counted,
      (select sum(not_stored)::int from usage_calls where key_id = $1) as not_stored,
      (select sum(calls)::int from usage_latency where key_id = $1) as measured,
      (select sum(calls)::int from usage_secrets where key_id = $1) as of_secret`,
    [id, code],
  );
  return row;
};

describe.each(KINDS)('%s', (code, lines, make) => {
  test(`every one is counted, ${lines} lines are stored`, async () => {
    const key = await make();
    const admitted = code === 'rate_limit_exceeded' ? 1 : 0;
    await flood(key, 220);
    const all = 220 + admitted;
    expect(await storedOf(key, code)).toEqual({ lines, counted: 220, not_stored: 220 - lines, measured: all, of_secret: all });
  });

  test('of one key, not of another', async () => {
    const [one, other] = [await make(), await make()];
    await flood(one, 100);
    await flood(other, 5);
    expect(await storedOf(other, code)).toMatchObject({ lines: 5, counted: 5, not_stored: 0 });
  });
});

test('requests that count towards the limit are stored line by line', async () => {
  const key = await service.key(accountId);
  await flood(key, 45, 'nothing/here');
  expect(await storedOf(key, 'not_found')).toMatchObject({ lines: 45, counted: 45, not_stored: 0 });
});

test("usage, traffic and the log's timeline include those without a line", async () => {
  const key = await limitedKey();
  await flood(key, 60);
  await admin.rows(`update api_keys set limit_per_minute = 1000 where id = $1`, [key.id]);
  await service.settled();
  const usage = (await service.call('developer/usage', { key: key.secret })).json.data;
  expect(usage).toMatchObject({ total_requests: 61, successful_requests: 1, client_errors: 60, rate_limited: 60 });
  expect(usage.by_error_code).toEqual([{ code: 'rate_limit_exceeded', count: 60 }]);
  expect(usage.by_endpoint).toContainEqual({ endpoint: 'GET vehicles', count: 60, error_rate: 1 });

  const traffic = (await browser.api(`usage?key=${key.id}`)).json.data;
  expect(traffic.totals).toMatchObject({ refused: 60, limited: 60 });

  const { points } = (await browser.api(`logs/timeline?key=${key.id}`)).json.data;
  const sum = (name: string) => points.reduce((all: number, point: Record<string, number>) => all + point[name]!, 0);
  expect([sum('refused'), sum('not_stored')]).toEqual([60, 50]);

  const page = (await browser.api(`logs?key=${key.id}&error=rate_limit_exceeded&limit=200`)).json.data;
  expect(page.lines).toHaveLength(10);
  const file = await browser.send(`/panel/api/logs/export?key=${key.id}&error=rate_limit_exceeded`);
  expect(file.text.trim().split('\n')).toHaveLength(11);
});

test('ten times the refusals take no more disk space, with or without a key', async () => {
  const size = async () => {
    await service.logged();
    const [row] = await admin.rows<{ bytes: number }>(
      `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r'`,
    );
    return row!.bytes;
  };
  const grownBy = async (keys: readonly (string | undefined)[], times: number) => {
    const before = await size();
    for (const key of keys)
      for (let sent = 0; sent < times; sent += 50)
        await Promise.all(Array.from({ length: 50 }, () => service.call('vehicles', key === undefined ? {} : { key })));
    return (await size()) - before;
  };
  const made = await Promise.all(KINDS.map(([, , make]) => make()));
  const keys = [undefined, `gal_prod_${'x'.repeat(36)}`, ...made.map(({ secret }) => secret)];
  const [few, many] = [await grownBy(keys, 100), await grownBy(keys, 1000)];
  // Line by line it would be 4000 lines, more than a megabyte.
  expect(many).toBeLessThan(Math.max(2 * few, 300_000));
});

test('repeated refusals of a person do not fill the audit log', async () => {
  const viewer = await newPerson(service, { accountId, role: 'viewer' });
  const watcher = await signedIn(service, viewer);
  for (let sent = 0; sent < 60; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => watcher.api('v1/vehicles', { method: 'POST' })));
  const [row] = await admin.rows(`select count(*)::int as denials from audit_log where outcome = 'denied' and person_id = $1`, [
    viewer.id,
  ]);
  expect(row).toEqual({ denials: 10 });
});
