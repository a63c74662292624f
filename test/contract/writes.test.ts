// Every writing endpoint with a body: what the contract promises of any write, checked for each.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { readerOfAnswer } from '../../src/http/api/path-record.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { expectRefusal } from './expect.ts';
import { payloadOf } from './payload.ts';
import { type EndpointRequest, makeWorld, neededHeaders, REQUESTS, type World } from './requests.ts';
import { send } from './wire.ts';

const all = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
const writes = all.filter((endpoint) => endpoint.method !== 'GET');

let api: TestService;
let world: World;
let admin: Session;
let sandboxKey: string;
beforeAll(async () => {
  api = await testService();
  const ids = all.map((endpoint) => endpoint.id);
  await api.release('Aktif', ...ids);
  world = await makeWorld(api, ids);
  admin = await openSession(api.adminUrl);
  ({ secret: sandboxKey } = await api.key(world.accountId, { endpoints: ids, environment: 'sandbox' }));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

interface Twist {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

function ask(
  endpoint: ApiEndpoint,
  request: EndpointRequest,
  { key = world.key, headers = {}, ...twist }: Twist = {},
): Promise<Answer> {
  const payload = payloadOf('body' in twist ? { body: twist.body } : request);
  return send(api.service.url, {
    ...payload,
    method: endpoint.method,
    target: `/api/v1/${request.path}`,
    key,
    headers: { ...neededHeaders(endpoint), ...payload.headers, ...headers },
  });
}

const build = (endpoint: ApiEndpoint): Promise<EndpointRequest> => Promise.resolve(REQUESTS[endpoint.id]!(world));

/** Counts of everything that a write may store. */
async function traces(): Promise<string> {
  const tables = ['events', 'audit_log', 'idempotency', 'vehicle_history', 'webhook_deliveries', 'notifications'];
  const [row] = await admin.rows<Record<string, bigint>>(
    `select ${tables.map((name) => `(select count(*) from ${name} where account_id = $1) as ${name}`)},
      (select version from data_sets where id = $1) as version`,
    [world.accountId],
  );
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

describe.each(writes.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('returns the first reply again for the same Idempotency-Key, and has one effect', async () => {
    const request = await build(endpoint);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await ask(endpoint, request, { headers });
    expect(first.status).toBe(endpoint.body!.successStatus ?? 200);
    const left = await traces();
    const again = await ask(endpoint, request, { headers });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first, again].map((reply) => reply.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const versionless = (text: string) => text.replace(/"version":\d+/, '');
    expect(versionless(await traces())).toBe(versionless(left));
    const other = await send(api.service.url, {
      method: 'POST',
      target: '/api/v1/vehicles',
      key: world.key,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...(await REQUESTS['POST vehicles']!(world)).body!, km: 77 }),
    });
    expectRefusal(other, 'idempotency_key_reused');
  });

  test('in a dry run returns the same reply, and stores nothing', async () => {
    const request = await build(endpoint);
    const before = await traces();
    const dry = await ask(endpoint, request, { headers: { 'x-dry-run': 'true', 'idempotency-key': randomUUID() } });
    expect([dry.status, dry.headers.get('dry-run')]).toEqual([endpoint.body!.successStatus ?? 200, 'true']);
    // These have no record.
    expect([dry.headers.get('etag'), dry.headers.get('location')]).toEqual([null, null]);
    expect(await traces()).toBe(before);
    const real = await ask(endpoint, request, { headers: { 'x-dry-run': 'false' } });
    expect([real.status, real.headers.get('dry-run')]).toEqual([dry.status, null]);
    expect(Object.keys(real.json.data)).toEqual(Object.keys(dry.json.data));
  });

  test('has the new ETag of the record it returns, and the location of a new one', async () => {
    const request = await build(endpoint);
    const key = { 'idempotency-key': randomUUID() };
    const answer = await ask(endpoint, request, { headers: key });
    const again = await ask(endpoint, request, { headers: key });
    const [etag, location] = [answer.headers.get('etag'), answer.headers.get('location')];
    expect(['etag', 'location'].map((name) => again.headers.get(name))).toEqual([etag, location]);
    const reader = readerOfAnswer(all, endpoint);
    expect(etag !== null).toBe(reader !== undefined && !reader.body!.fresh);
    if (etag !== null) {
      const params = Object.fromEntries(endpoint.path.split('/').map((part, place) => [part, request.path.split('/')[place]]));
      const path = reader!.path.replace(/\{\w+\}/g, (name) => params[name] ?? answer.json.data.id);
      const read = await api.call(path, { key: world.key });
      // A deleted record is gone, under any name.
      if (endpoint.method !== 'DELETE' || read.status === 200) expect(read.headers.get('etag')).toBe(etag);
    }
    // Several records have no single location.
    expect(location !== null).toBe(endpoint.body!.successStatus === 201 && !Array.isArray(answer.json.data));
    if (location === null) return;
    expect(location.startsWith(`${api.service.parts.publicUrl()}/api/v1/`)).toBe(true);
    const { status, json } = await api.call(new URL(location).pathname, { key: world.key });
    expect(status).toBe(200);
    const { creates } = endpoint.body!;
    const created = creates === undefined ? answer.json.data : answer.json.data[creates];
    if (Array.isArray(json.data)) expect(json.data.map(({ id }: { id: string }) => id)).toContain(created.id);
    else expect(json.data.id).toBe(created.id);
  });

  test('compares If-Match where the record has an ETag, and refuses it elsewhere', async () => {
    const request = await build(endpoint);
    const places = [endpoint.path, endpoint.path.slice(0, endpoint.path.lastIndexOf('/'))];
    const reader = all.find(
      (one) =>
        one.method === 'GET' && places.includes(one.path) && one.path.endsWith('}') && !isList(one.body) && !one.body!.fresh,
    );
    if (reader === undefined) {
      const refused = await ask(endpoint, request, { headers: { 'if-match': '*' } });
      expectRefusal(refused, 'invalid_parameter');
      expect(refused.json.error.param).toBe('If-Match');
    } else {
      expectRefusal(await ask(endpoint, request, { headers: { 'if-match': 'W/"other"' } }), 'precondition_failed');
      expect((await ask(endpoint, request, { headers: { 'if-match': '*' } })).status).toBe(endpoint.body!.successStatus ?? 200);
    }
  });

  test('is in the audit log once, with its request', async () => {
    const answer = await ask(endpoint, await build(endpoint));
    const lines = await admin.rows(`select action, actor_type from audit_log where request_id = $1`, [
      answer.headers.get('x-request-id'),
    ]);
    expect(lines).toEqual([{ action: endpoint.id, actor_type: 'api_key' }]);
  });

  test('is refused to a sandbox key while the sandbox shows the real data', async () => {
    expectRefusal(await ask(endpoint, await build(endpoint), { key: sandboxKey }), 'sandbox_read_only');
  });

  if (endpoint.body!.bodySchema !== undefined) {
    test('refuses unknown fields, and bodies that are not a JSON object', async () => {
      const request = await build(endpoint);
      const before = await traces();
      for (const name of ['account_id', 'id', 'created_at', 'no_such_field', '__proto__', 'constructor']) {
        const body = JSON.stringify(request.body ?? {}).replace(
          /^\{/,
          `{"${name}":"${randomUUID()}"${request.body && Object.keys(request.body as object).length > 0 ? ',' : ''}`,
        );
        const answer = await ask(endpoint, request, { body });
        expectRefusal(answer, 'validation_failed');
        expect(answer.json.error.details.map(({ field }: { field: string }) => field)).toContain(name);
      }
      for (const body of ['{', '[]', '"x"', 'null', '1']) {
        const answer = await ask(endpoint, request, { body, headers: { 'content-length': String(body.length) } });
        expectRefusal(answer, 'invalid_json');
      }
      // If no field is required, an empty body is valid and may succeed.
      const { required, minProperties } = endpoint.body!.bodySchema!.schema;
      if ((required ?? minProperties) !== undefined)
        expectRefusal(await ask(endpoint, request, { body: '', headers: { 'content-length': '0' } }), 'validation_failed');
      expectRefusal(
        await ask(endpoint, request, { body: '{}', headers: { 'content-type': 'text/plain' } }),
        'unsupported_media_type',
      );
      const large = endpoint.body!.maxBytes ?? 256 * 1024;
      expectRefusal(await ask(endpoint, request, { body: `{"x":"${'y'.repeat(large)}"}` }), 'payload_too_large');
      expect(await traces()).toBe(before);
    });
  }
});
