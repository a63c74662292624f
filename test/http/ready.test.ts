// A node is ready when its requests can be answered: an old connection that still works is no proof of it.
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
  // All but the connection that asks whether the database is there.
  const letIn = await lockOut(api, 'select 1');
  // What was read a moment ago is answered from memory for up to a second.
  await expect.poll(statuses).toEqual([503, 503]);
  await letIn();
  await expect.poll(statuses).toEqual([200, 200]);
});
