// Every status that a row can be brought to answer, of every row: documented, and of the documented shape (checked by ajv).
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRow, apiRows } from '../../src/http/api/api-rows.ts';
import { resources } from '../../src/resources/index.ts';
import { makeWorld, REQUESTS, type RowRequest, type World } from '../contract/requests.ts';
import { type Sent, send } from '../contract/wire.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { areToolsMissing } from './tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Any = any;

const rows = apiRows(resources).filter(({ body }) => body !== null);

describe.skipIf(areToolsMissing())('every reply', () => {
  let api: TestService;
  let world: World;
  let document: Any;
  let validate: (name: string, value: unknown) => string | null;

  beforeAll(async () => {
    api = await testService();
    await api.release('Aktif', ...rows.map(({ id }) => id));
    world = await makeWorld(
      api,
      rows.map(({ id }) => id),
    );
    document = (await api.call('/openapi.json')).json;
    validate = validatorOf(document);
  });
  afterAll(() => api?.close());

  it.each(rows.map((row) => [row.id, row] as const))(
    'of %s is documented and of the shape that is documented',
    async (_, row) => {
      const request = await REQUESTS[row.id]!(world);
      const seen = new Set<number>();
      for (const sent of await variantsOf(row, request)) {
        const answer = await send(api.service.url, sent);
        expect(faultOf(row, answer), `${sent.method} ${sent.target} ${answer.text.slice(0, 300)}`).toBeNull();
        seen.add(answer.status);
      }
      const provoked = [
        row.body!.answers ?? 200,
        400,
        401,
        403,
        ...(row.path.includes('_id}') ? [404] : []),
        ...(row.body!.takes ? [415, 422] : []),
      ];
      expect([...seen].toSorted()).toEqual(expect.arrayContaining(provoked));
    },
  );

  /** The request itself, and what each step before the row's own work refuses. */
  async function variantsOf(row: ApiRow, { path, query, body }: RowRequest): Promise<Sent[]> {
    const key = world.key;
    const { secret: other } = await api.key(world.accountId, {
      endpoints: [row.id === 'GET account' ? 'GET vehicles' : 'GET account'],
    });
    const target = `/api/v1/${path}${query === undefined ? '' : `?${query}`}`;
    const json = { 'content-type': 'application/json' };
    const given = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
    const base = { method: row.method, target, key, ...given };
    const absent = `/api/v1/${row.path.replace(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('_id') ? randomUUID() : 'TL-TL'))}`;
    return [
      ...(row.method === 'GET' ? [] : [{ ...base, headers: { ...base.headers, 'x-dry-run': 'true' } }]),
      { ...base, key: undefined },
      { ...base, key: other },
      { ...base, target: `${target}${query === undefined ? '?' : '&'}nothing=1` },
      ...(row.path.includes('{') ? [{ ...base, target: absent }] : []),
      ...(row.method === 'GET' ? [] : [{ ...base, headers: { ...base.headers, 'idempotency-key': 'not visible' } }]),
      ...(row.body!.takes === undefined
        ? []
        : [
            { ...base, headers: json, body: '{"nothing":1}' },
            { ...base, headers: json, body: '{' },
            { ...base, headers: { 'content-type': 'text/plain' }, body: 'x' },
          ]),
      base,
    ];
  }

  function faultOf(row: ApiRow, { status, json }: Answer): string | null {
    const described = document.paths[`/${row.path}`][row.method.toLowerCase()].responses[status];
    if (described === undefined) return `${status} is not documented`;
    const response = described.$ref ? document.components.responses[described.$ref.split('/').at(-1)] : described;
    const codes = response['x-error-codes'];
    if (codes !== undefined && !codes.includes(json.error.code)) return `${status} ${json.error.code} is not documented`;
    return validate(response.content['application/json'].schema.$ref.split('/').at(-1), json);
  }
});

/** A component by its name; null where the value is as it says. */
function validatorOf(document: Any): (name: string, value: unknown) => string | null {
  const load = createRequire(import.meta.url);
  const Ajv = load('./node_modules/ajv/dist/2020.js').default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  load('./node_modules/ajv-formats').default(ajv);
  ajv.addSchema(document, 'document');
  return (name, value) => {
    const check = ajv.getSchema(`document#/components/schemas/${name}`);
    return check(value) ? null : `${name}: ${ajv.errorsText(check.errors)}`;
  };
}
