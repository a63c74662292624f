// Production does not pay for the isolated sandbox, and SANDBOX=shared is as it was: the same statements for the same requests.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Statement } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { expectRefusal } from '../contract/expect.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { testSandbox } from '../support/worlds.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';

let base: TestDatabase;
beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.close());

interface Watched {
  readonly api: TestService;
  readonly statements: string[];
}

/** Runs a service with the setting; one after the other, as one database has one service. */
async function withSandbox<T>(setting: 'shared' | 'isolated', run: (watched: Watched) => Promise<T>): Promise<T> {
  const statements: string[] = [];
  const watch = (statement: Statement) => {
    statements.push(statement.text);
    return statement;
  };
  const database = openDatabase({ ...base.urls, watch });
  const shared = { ...base, database, close: database.close };
  const api = await testService({ shared, env: { SANDBOX: setting }, sandbox: testSandbox });
  try {
    await openAll(api);
    return await run({ api, statements });
  } finally {
    await api.close();
    await database.close();
  }
}

/**
 * The statements of a dealer's requests, without the log of requests, which is written later. The fewest of several runs: on a busy machine
 * a run may read the key or the next transition again.
 */
async function statementsOf({ api, statements }: Watched, run: (dealer: Dealer) => Promise<unknown>): Promise<string[]> {
  const dealer = await newDealer(api);
  const runs: string[][] = [];
  for (let count = 0; count < 6; count += 1) {
    await api.settled();
    await api.logged();
    statements.length = 0;
    await run(dealer);
    runs.push(statements.filter((text) => !/request_logs|usage_/.test(text)));
  }
  return runs.toSorted((one, other) => one.length - other.length)[0]!;
}

const REQUESTS: readonly (readonly [string, (dealer: Dealer) => Promise<unknown>])[] = [
  ['a cached list', (dealer) => dealer.get('vehicles')],
  ['a record', (dealer) => dealer.get('account')],
  ['a write', (dealer) => dealer.post('vehicles', aCar())],
];

test('a request of production takes the same statements with both settings, none about worlds', async () => {
  const all = async (watched: Watched): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const [name, run] of REQUESTS) found[name] = await statementsOf(watched, run);
    return found;
  };
  const [shared, isolated] = [await withSandbox('shared', all), await withSandbox('isolated', all)];
  expect(isolated).toEqual(shared);
  expect(isolated['a write']!.length).toBeGreaterThan(0);
  expect(JSON.stringify(isolated)).not.toMatch(/world/);
});

test('with SANDBOX=shared a sandbox key reads production and cannot write; a world stays closed, and is open again later', async () => {
  const sandboxOf = (api: TestService, { accountId }: Dealer, secret: string) => dealerWith(api, accountId, secret);
  const [live, secret, id] = await withSandbox('isolated', async ({ api }) => {
    const dealer = await newDealer(api);
    const { secret: key } = await api.key(dealer.accountId, { template: 'full', environment: 'sandbox' });
    return [dealer, key, (await sandboxOf(api, dealer, key).post('vehicles', aCar())).json.data.id] as const;
  });
  await withSandbox('shared', async ({ api }) => {
    const [production, sandbox] = [dealerWith(api, live.accountId, live.key), sandboxOf(api, live, secret)];
    const real = (await production.post('vehicles', aCar())).json.data.id;
    expect((await sandbox.get('vehicles')).text).toBe((await production.get('vehicles')).text);
    expect((await sandbox.get(`vehicles/${real}`)).status).toBe(200);
    expect((await sandbox.get(`vehicles/${id}`)).status).toBe(404);
    expectRefusal(await sandbox.post('vehicles', aCar()), 'sandbox_read_only');
    for (const path of ['', '/clock', '/reset', '/nothing'])
      expectRefusal(await api.call(`/sandbox/v1${path}`, { key: secret }), 'sandbox_not_enabled');
    expectRefusal(await api.call('/sandbox/v1', { key: live.key }), 'sandbox_not_enabled');
  });
  await withSandbox('isolated', async ({ api }) => {
    expect((await sandboxOf(api, live, secret).get('vehicles')).json.data.map((one: { id: string }) => one.id)).toEqual([id]);
  });
});
