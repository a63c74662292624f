// The number of keys of an account: revoked ones do not count, the same limit in the panel and on the command line, also for
// concurrent requests.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { galeri } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const LIMIT = 5;
let service: TestService;
beforeAll(async () => {
  service = await testService({ env: { KEYS_PER_ACCOUNT: String(LIMIT) } });
});
afterAll(() => service.close());

const make = (browser: Browser, name: string) =>
  browser.api('keys', { method: 'POST', body: { name, environment: 'production', endpoints: ['GET vehicles'] } });

const living = async (accountId: string): Promise<number> => {
  const { count } = await service.database.onPlatform('read', (db) =>
    db.one<{ count: number }>(
      sql`select count(*)::int as count from api_keys where account_id = ${accountId} and revoked_at is null`,
    ),
  );
  return count;
};

test('one more than the limit is refused in the panel, also concurrently; a revoked key makes room', async () => {
  const accountId = await service.account();
  const owner = await signedIn(service, await newPerson(service, { accountId }));
  const made = await Promise.all(Array.from({ length: LIMIT + 4 }, (_, index) => make(owner, `key ${index}`)));
  expect(made.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  const refused = made.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, json }) => `${status} ${json.error.code}`))).toEqual(new Set(['403 plan_limit_reached']));
  expect(refused[0]!.json.error.message).toContain(String(LIMIT));
  expect(await living(accountId)).toBe(LIMIT);
  const { id, name } = made.find(({ status }) => status === 200)!.json.data;
  expect((await owner.api(`keys/${id}/revoke`, { method: 'POST', body: { typed_name: name } })).status).toBe(200);
  expect((await make(owner, 'in its place')).status).toBe(200);
  expect((await make(owner, 'one too many')).status).toBe(403);
  // Another account has its own limit.
  const other = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
  expect((await make(other, 'of another')).status).toBe(200);
});

test('the command line refuses it in one line', async () => {
  const accountId = await service.account();
  const env = {
    DATABASE_URL: service.adminUrl,
    DATA_DIR: await newDataDir('keys'),
    GALERI_SECRET: TEST_SECRET,
    KEYS_PER_ACCOUNT: '1',
  };
  const create = (name: string) =>
    galeri(['key', 'create', '--account', accountId, '--name', name, '--endpoint', 'GET vehicles'], env);
  const first = await create('one');
  expect([first.code, first.stderr]).toEqual([0, '']);
  const second = await create('two');
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^[^\n]*plan_limit_reached[^\n]*\n$/);
  expect(await living(accountId)).toBe(1);
});

test('a setting that is not a number is refused in one line, too', async () => {
  const { code, stderr } = await galeri(['key', 'list', '--account', randomUUID()], {
    KEYS_PER_ACCOUNT: 'many',
    DATA_DIR: await newDataDir('keys'),
  });
  expect([code, stderr.split('\n').length]).toEqual([1, 2]);
});
