// /readyz while the connections of a pool are silent and PostgreSQL itself answers: the probe's own connection is no proof.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/kit/db.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { type Cable, layCable } from '../support/cable.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';

let base: TestDatabase;
let cable: Cable;
let database: Database;
let api: TestService;
beforeAll(async () => {
  base = await testDatabase();
  cable = await layCable(base.urls.platformUrl);
  const tenantUrl = base.urls.tenantUrl.replace(new URL(base.urls.tenantUrl).host, new URL(cable.url).host);
  // No deadline ends the silent connections during the test, so that only the check of progress can notice them.
  database = openDatabase({ tenantUrl, platformUrl: cable.url, deadlineMs: 600_000 });
  api = await testService({ shared: { ...base, database } });
});
afterAll(async () => {
  await database?.close();
  await api?.close();
  await cable?.close();
  await base?.close();
});

test('a node on whose pool work waits for 3 s without progress is not ready, although the database answers the probe', async () => {
  const { secret } = await api.key(await api.account(), { endpoints: ['GET account'] });
  const isReady = async () => (await api.call('/readyz')).status;
  expect(await isReady()).toBe(200);
  cable.hang();
  expect(await isReady()).toBe(200);
  // Work that waits for the pool.
  void api.call('account', { key: secret }).catch(() => null);
  await expect.poll(isReady).toBe(503);
});
