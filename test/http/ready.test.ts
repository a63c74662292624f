// A node is ready when its requests can be answered: an old connection that still works is no proof of it.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';

let api: TestService;
let server: Session;
beforeAll(async () => {
  api = await testService();
  server = await openSession(inject('adminUrl'));
});
afterAll(async () => {
  await server?.close();
  await api?.close();
});

test('a node whose requests get no connection is not ready, and is again once they do', async () => {
  const { secret } = await api.key(await api.account(), { endpoints: ['GET account'] });
  const database = new URL(api.adminUrl).pathname.slice(1);
  const statuses = async () => [(await api.call('/readyz')).status, (await api.call('account', { key: secret })).status];
  expect(await statuses()).toEqual([200, 200]);
  await server.rows(`alter database "${database}" with allow_connections false`);
  // All but the one that asks whether the database is there.
  await server.rows(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and query <> $2 and backend_type = $3',
    [database, 'select 1', 'client backend'],
  );
  await api.call('account', { key: secret });
  expect(await statuses()).toEqual([503, 503]);
  await server.rows(`alter database "${database}" with allow_connections true`);
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([200, 200]);
});
