// Endpoints that move money or stock permanently require an Idempotency-Key: exactly those of the contract, refused without one,
// and documented.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBody } from '../../src/domain/records/body.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { post, resource } from '../../src/kit/endpoint.ts';
import { object, text } from '../../src/kit/schema.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { expectRefusal } from './expect.ts';

const REQUIRED = [
  'POST collections',
  'POST collections/{collection_id}/reverse',
  'POST sales',
  'DELETE sales/{sale_id}',
  'POST sales/{sale_id}/cancel',
  'POST wallet/topup-requests',
  'POST boost-orders',
];

test('the endpoints that require one are those of the contract that are built', () => {
  const endpoints = apiEndpoints(resources);
  expect(REQUIRED.filter((id) => !endpoints.some((endpoint) => endpoint.id === id))).toEqual([]);
  const built = endpoints.filter(({ body, method }) => body !== null && method !== 'GET');
  const marked = built.filter(({ body }) => body!.idempotency === 'required').map(({ id }) => id);
  expect(marked).toEqual(built.map(({ id }) => id).filter((id) => REQUIRED.includes(id)));
});

describe('an endpoint that requires one', () => {
  const done = {
    bodySchema: createBody({}),
    returns: object({ done: text() }),
    run: async (): Promise<{ done: string }> => ({ done: 'yes' }),
  };
  const endpoint = (path: string, more: object) =>
    post(path, 'tasks:write', 'write', 'Aktif', [path, `${path} (tr)`], { ...done, ...more });
  const made = resource('Things', 'Şeyler', [endpoint('wants', { idempotency: 'required' }), endpoint('takes', {})]);
  let api: TestService;
  let key: string;
  beforeAll(async () => {
    api = await testService({ resources: [made] });
    ({ secret: key } = await api.key(await api.account(), { endpoints: made.endpoints.map(({ id }) => id) }));
  });
  afterAll(() => api.close());

  const ask = (path: string, headers: Record<string, string>) =>
    api.call(path, { key, method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });

  test('is refused without it, also as a dry run', async () => {
    expectRefusal(await ask('wants', {}), 'idempotency_key_required');
    expectRefusal(await ask('wants', { 'x-dry-run': 'true' }), 'idempotency_key_required');
    expect((await ask('wants', { 'idempotency-key': 'one' })).status).toBe(200);
    expect((await ask('takes', {})).status).toBe(200);
  });

  test('documents it, and no other does', () => {
    const options = { publicUrl: 'https://galeri.test', isLive: () => true, today: '2026-10-02' };
    // biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
    const { paths, components } = buildOpenApi(apiEndpoints([made]), options) as any;
    for (const [path, isRequired] of [
      ['/wants', true],
      ['/takes', false],
    ] as const) {
      const refs: string[] = paths[path].post.parameters.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1));
      const named = refs.map((ref) => components.parameters[ref]).filter(({ name }) => name === 'Idempotency-Key');
      expect(named.map(({ required }) => required)).toEqual([isRequired]);
      const refusal = paths[path].post.responses[400];
      const codes = (refusal.$ref ? components.responses[refusal.$ref.split('/').at(-1)] : refusal)['x-error-codes'];
      expect(codes.includes('idempotency_key_required')).toBe(isRequired);
    }
  });
});
