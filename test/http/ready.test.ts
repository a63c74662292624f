// A node is ready when its requests can be answered: an old connection that still works does not prove it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockOut } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';

let api: TestService;
beforeAll(async () => {
  api = await testService();
});
afterAll(() => api?.close());

test('a node whose requests get no connection is not ready, and is again once they do', async () => {
  const { secret } = await api.key(await api.account(), { endpoints: ['GET account'] });
  const statuses = async () => [(await api.call('/readyz')).status, (await api.call('account', { key: secret })).status];
  expect(await statuses()).toEqual([200, 200]);
  // All except the connection that checks the database.
  const letIn = await lockOut(api, 'select 1');
  // Recent reads are answered from memory for up to a second.
  await expect.poll(statuses).toEqual([503, 503]);
  await letIn();
  await expect.poll(statuses).toEqual([200, 200]);
});
