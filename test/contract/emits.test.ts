// Every write emits the kinds of event that its endpoint declares, and no others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { payloadOf } from './payload.ts';
import { makeWorld, neededHeaders, REQUESTS, type World } from './requests.ts';
import { send } from './wire.ts';

const endpoints = apiEndpoints(resources).filter(({ body, method }) => body !== null && method !== 'GET');
/** A worker emits the start and end of a run, not the request itself. */
const LATER = /^import_run\./;

let api: TestService;
let world: World;

beforeAll(async () => {
  api = await testService();
  const ids = apiEndpoints(resources).flatMap(({ id, body }) => (body === null ? [] : [id]));
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
});
afterAll(() => api?.close());

describe('events', () => {
  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('of %s are the declared ones', async (id, endpoint) => {
    const { method, body } = endpoint;
    const request = await REQUESTS[id]!(world);
    const payload = payloadOf(request);
    const { status, headers, text } = await send(api.service.url, {
      ...payload,
      method,
      target: `/api/v1/${request.path}`,
      key: world.key,
      headers: { ...payload.headers, ...neededHeaders(endpoint) },
    });
    expect(status, text).toBe(body!.successStatus ?? 200);
    const found = await api.database.inTenant(world.accountId, 'read', (db) =>
      db.rows<{ kind: string }>(sql`select kind from ${own('events')} where request_id = ${headers.get('x-request-id')}`),
    );
    const declared = (body!.emits ?? []).filter((kind) => !LATER.test(kind));
    for (const { kind } of found) expect(declared).toContain(kind);
    expect(found.length > 0).toBe(declared.length > 0);
  });
});
