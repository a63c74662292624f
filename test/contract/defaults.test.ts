// An optional field with a default documents it, in both languages: checked for every endpoint that creates a record.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { newId } from '../../src/kit/ids.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { dealerWith } from '../support/writer.ts';
import { makeWorld, REQUESTS, type World } from './requests.ts';

type Schema = Readonly<Record<string, unknown>>;

const making = apiEndpoints(resources).filter(({ method, body }) => method === 'POST' && body?.bodySchema !== undefined);

describe('defaults', () => {
  let api: TestService;
  let world: World;
  beforeAll(async () => {
    api = await testService();
    const ids = apiEndpoints(resources).flatMap(({ id, body }) => (body === null ? [] : [id]));
    await api.release('Aktif', ...ids);
    world = await makeWorld(api, ids);
  });
  afterAll(() => api?.close());

  it.each(making.map((endpoint) => [endpoint.id, endpoint] as const))('of %s are documented', async (id, { body }) => {
    const { properties, required = [] } = body!.bodySchema!.schema as { properties: Record<string, Schema>; required?: string[] };
    const request = await REQUESTS[id]!(world);
    const fields = Object.fromEntries(Object.entries(request.body ?? {}).filter(([name]) => required.includes(name)));
    const dealer = dealerWith(api, world.accountId, world.key);
    const { status, json } = await dealer.post(request.path, fields, { 'X-Dry-Run': 'true', 'Idempotency-Key': newId() });
    // Some need one of several fields; then there is no default.
    if (status >= 400) return expect(Object.keys(fields)).not.toEqual(Object.keys(request.body ?? {}));
    const filled = Object.keys(properties).filter((name) => !(name in fields) && (json.data[name] ?? null) !== null);
    const undocumented = filled.filter((name) => !/^Default: /.test(String(properties[name]!.description)));
    expect(undocumented, id).toEqual([]);
    for (const name of filled) expect(properties[name]!['x-description-tr'], name).toMatch(/^Varsayılan: /);
  });
});
