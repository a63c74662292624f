// /sandbox/v1/openapi.json: valid, without a key, and true to the replies.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../contract/expect.ts';
import { type TestService, testService } from '../support/service.ts';
import { testSandbox } from '../support/worlds.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
let description: any;
let api: TestService;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' }, sandbox: testSandbox });
  const answer = await api.call('/sandbox/v1/openapi.json');
  expect(answer.status).toBe(200);
  description = answer.json;
});
afterAll(() => api.close());

test('Redocly finds no problem', async () => {
  const rules = { 'operation-operationId': 'error', 'operation-tag-defined': 'error', 'spec-strict-refs': 'error' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});

test('it describes exactly the paths and methods that are served', async () => {
  const { secret: key } = await api.key(await api.account(), { endpoints: ['POST vehicles'], environment: 'sandbox' });
  for (const [path, methods] of Object.entries<object>(description.paths)) {
    const answer = await api.call(`/sandbox/v1${path.replace(/\/$/, '')}`, { key, method: 'DELETE' });
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')!.toLowerCase().split(', ').toSorted()).toEqual(Object.keys(methods).toSorted());
  }
});

test('replies have the fields that it names', async () => {
  const { secret: key } = await api.key(await api.account(), { endpoints: ['POST vehicles'], environment: 'sandbox' });
  const { schemas } = description.components;
  const fieldsOf = (name: string) => Object.keys(schemas[name].properties).toSorted();
  const read = async (path: string, body?: object) => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await api.call(`/sandbox/v1${path}`, { key, ...(body === undefined ? {} : post) })).json.data;
  };
  expect(Object.keys(await read('')).toSorted()).toEqual(fieldsOf('SandboxWorld'));
  expect(Object.keys((await read('')).counts)).toEqual(Object.keys(schemas.SandboxWorld.properties.counts.properties));
  expect(Object.keys(await read('/clock')).toSorted()).toEqual(fieldsOf('SandboxClock'));
  expect(Object.keys(await read('/clock', { advance: '1d' })).toSorted()).toEqual(fieldsOf('SandboxClockMoved'));
});

test('it is absent without isolated sandboxes, and /openapi.json has nothing of it', async () => {
  expect((await api.call('/openapi.json')).text).not.toContain('/sandbox/v1');
  const shared = await testService();
  expectRefusal(await shared.call('/sandbox/v1/openapi.json'), 'sandbox_not_enabled');
  await shared.close();
});
