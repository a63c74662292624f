// What every endpoint of the catalog must have in the description: texts, refusals, headers, names. An endpoint without them
// fails here.
import { describe, expect, it } from 'vitest';
import { EVENT_KINDS } from '../../src/domain/writes/event-kinds.ts';
import { apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { memberNamesOf } from '../../src/http/docs/openapi/openapi-enums.ts';
import { pathWords, queryWords } from '../../src/http/docs/openapi/param-words.ts';
import { ERRORS } from '../../src/kit/errors.ts';
import { resources } from '../../src/resources/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Any = any;

const endpoints = apiEndpoints(resources);
const built = endpoints.filter(({ body }) => body !== null);
const everyEndpoint = describeFor(() => true);

function describeFor(
  only: (id: string) => boolean,
  isLive = (id: string) => endpoints.find((endpoint) => endpoint.id === id)!.body !== null,
): Any {
  return buildOpenApi(endpoints, { publicUrl: 'https://galeri.test', isLive, today: '2026-10-02', only: ({ id }) => only(id) });
}

const operationOf = (id: string): Any => {
  const [method, path] = id.split(' ') as [string, string];
  return everyEndpoint.paths[`/${path}`][method.toLowerCase()];
};
const codesOf = (id: string, status: number): string[] => {
  const response = operationOf(id).responses[status];
  if (response === undefined) return [];
  return (response.$ref ? everyEndpoint.components.responses[response.$ref.split('/').at(-1)] : response)['x-error-codes'];
};
const headersOf = (id: string): string[] =>
  operationOf(id).parameters.flatMap(({ $ref }: Any) => ($ref === undefined ? [] : [$ref.split('/').at(-1)]));

describe('every built endpoint', () => {
  it.each(built.map((endpoint) => [endpoint.id, endpoint] as const))('%s has a description in both languages', (id, { body }) => {
    const [en, tr] = body!.about ?? ['', ''];
    for (const text of [en, tr]) {
      expect(text).toMatch(/[.!]$/);
    }
    // A sentence that says what the endpoint does: «One task.» is none.
    expect(en).toMatch(/^[A-Z][a-z]*s \S+ \S/);
    expect(tr.split(' ').length, tr).toBeGreaterThan(1);
    expect(en).not.toBe(tr);
    expect(operationOf(id).description).toContain(en);
    expect(operationOf(id)['x-description-tr']).toContain(tr);
    for (const kind of body!.emits ?? []) {
      expect(EVENT_KINDS).toContain(kind);
      expect(operationOf(id).description).toContain(`\`${kind}\``);
    }
    for (const code of body!.refuses ?? []) expect(codesOf(id, body!.refusesAs?.[code] ?? ERRORS[code].status)).toContain(code);
  });

  it('describes each of its parameters', () => {
    for (const { id, path, params } of endpoints) {
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) expect(pathWords(name!), `${id} {${name}}`).not.toBeNull();
      for (const name of Object.keys(params)) expect(queryWords(name), `${id} ?${name}`).not.toBeNull();
    }
    for (const [id, found] of built.map((endpoint) => [endpoint.id, operationOf(endpoint.id)] as const)) {
      for (const parameter of found.parameters.filter(({ $ref }: Any) => $ref === undefined)) {
        expect(parameter.description, `${id} ${parameter.name}`).toMatch(/\.$/);
        expect(parameter['x-description-tr'], `${id} ${parameter.name}`).toMatch(/\.$/);
      }
    }
  });

  it('has 409 where its own work can refuse, also for reads', () => {
    expect(codesOf('GET exchange-rates', 409)).toEqual(['rate_not_available']);
    expect(codesOf('GET exchange-rates/{currency_pair}', 409)).toEqual(['rate_not_available']);
    expect(codesOf('GET vehicles/export', 409)).toEqual(['export_too_large']);
    expect(codesOf('GET vehicles', 409)).toEqual([]);
    expect(codesOf('POST vehicles', 409)).toEqual(
      expect.arrayContaining(['plate_in_use', 'chassis_in_use', 'external_ref_in_use', 'idempotency_in_progress']),
    );
  });

  it('accepts If-Match, and returns 412, only where the record has an ETag', () => {
    const taking = built.filter(({ id }) => headersOf(id).includes('IfMatch')).map(({ id }) => id);
    expect(taking).toEqual(built.filter(({ id }) => codesOf(id, 412).length > 0).map(({ id }) => id));
    expect(taking).toEqual(expect.arrayContaining(['PATCH vehicles/{vehicle_id}', 'POST vehicles/{vehicle_id}/reserve']));
    for (const id of taking) expect(id).not.toMatch(/^GET|webhooks|photos\/\{|bulk|^POST (vehicles|customers|tasks)$/);
  });

  it('requires a body for every PATCH', () => {
    const patches = built.filter(({ method }) => method === 'PATCH');
    expect(patches.length).toBeGreaterThan(5);
    for (const { id } of patches) expect(operationOf(id).requestBody.required, id).toBe(true);
  });

  it('documents the headers of its replies', () => {
    for (const { id, body, method } of built) {
      const headers = Object.keys(operationOf(id).responses[body!.successStatus ?? 200].headers);
      expect(headers, id).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit']));
      expect(headers.includes('Idempotent-Replayed'), id).toBe(method !== 'GET');
      expect(headers.includes('Dry-Run'), id).toBe(method !== 'GET');
      expect(headers.includes('Link'), id).toBe(isList(body));
      expect(headers.includes('Location'), id).toBe(body!.successStatus === 201);
    }
  });

  it('has an example of every refusal it names, without placeholders', () => {
    const responses = [
      ...built.flatMap(({ id }) => Object.values(operationOf(id).responses) as Any[]),
      ...(Object.values(everyEndpoint.components.responses) as Any[]),
    ].filter((response) => response['x-error-codes'] !== undefined);
    expect(responses.length).toBeGreaterThan(20);
    for (const response of responses) {
      const { schema, examples } = response.content['application/json'];
      expect(schema).toEqual({ $ref: '#/components/schemas/ErrorResponse' });
      expect(Object.keys(examples)).toEqual(response['x-error-codes']);
      for (const [code, { value }] of Object.entries(examples) as [keyof typeof ERRORS, Any][]) {
        expect(value.error.code).toBe(code);
        // Each `{name}` of the message has become a value, which is never the name itself.
        const pattern = ERRORS[code].en.split(/\{(\w+)\}/);
        for (const [at, name] of pattern.entries())
          if (at % 2 === 1) expect(value.error.message, code).not.toContain(`${pattern[at - 1]}${name}${pattern[at + 1]}`);
      }
    }
  });

  it('states which refusals are replayed with their key, and when to retry', () => {
    const headers = (id: string, status: number): string[] => {
      const found = operationOf(id).responses[status];
      return Object.keys((found.$ref ? everyEndpoint.components.responses[found.$ref.split('/').at(-1)] : found).headers);
    };
    for (const status of [403, 409, 422]) expect(headers('POST vehicles', status)).toContain('Idempotent-Replayed');
    for (const status of [409, 429, 503]) expect(headers('POST vehicles', status)).toContain('Retry-After');
    expect(headers('GET vehicles', 403)).not.toContain('Idempotent-Replayed');
    expect(headers('GET vehicles/export', 409)).not.toContain('Retry-After');
    expect(headers('POST vehicles', 400)).not.toContain('Idempotent-Replayed');
    expect(everyEndpoint.components.parameters.DryRun.schema.pattern).toBe('^(true|false)$');
  });

  it('accepts a date or an instant as one string', () => {
    const { schema } = operationOf('GET developer/usage').parameters.find(({ name }: Any) => name === 'from');
    expect(schema.type).toBe('string');
    expect(schema).not.toHaveProperty('anyOf');
  });

  it('has an example for a required header, and no optional header that a converter would fill in', () => {
    for (const parameter of Object.values(everyEndpoint.components.parameters) as Any[]) {
      const { example, examples, schema } = parameter;
      if (parameter.required) {
        expect(example).toMatch(/^[!-~]+$/);
        continue;
      }
      expect([example, examples, schema.default, schema.enum, schema.example, schema.examples], parameter.name).toEqual(
        Array(6).fill(undefined),
      );
    }
  });
});

describe('names', () => {
  it('are the same for every set of a key’s endpoints', () => {
    const wholes = everyEndpoint.components.schemas;
    const keys = built.map(({ id }) => [id]);
    for (const ids of [...keys, ['POST vehicles', 'PATCH tasks/{task_id}'], ['DELETE vehicles/{vehicle_id}']]) {
      const { components, paths } = describeFor((id) => ids.includes(id));
      for (const [name, schema] of Object.entries(components.schemas)) expect(schema, `${ids} ${name}`).toEqual(wholes[name]);
      for (const id of ids) {
        const [method, path] = id.split(' ') as [string, string];
        expect(paths[`/${path}`][method.toLowerCase()]).toEqual(operationOf(id));
      }
    }
  });

  it('are used for every object and set of values: none is inline', () => {
    const inPlace: string[] = [];
    const walk = (node: Any, at: string, named: boolean): void => {
      if (typeof node !== 'object' || node === null) return;
      if (!named && (node.properties !== undefined || (Array.isArray(node.enum) && node.enum.length > 1))) inPlace.push(at);
      for (const [key, value] of Object.entries(node)) {
        if (key !== 'example' && key !== 'examples') walk(value, `${at}/${key}`, false);
      }
    };
    walk(everyEndpoint.paths, 'paths', false);
    walk(everyEndpoint.webhooks, 'webhooks', false);
    for (const [kind, parts] of Object.entries(everyEndpoint.components) as [string, Any][]) {
      for (const [name, part] of Object.entries(parts)) walk(part, `${kind}/${name}`, kind === 'schemas');
    }
    // A field could be called `properties` or `enum`; none is.
    expect(inPlace).toEqual([]);
  });

  it('name what they are: no numbers, no position in the document', () => {
    const names = Object.keys(everyEndpoint.components.schemas);
    expect(names.filter((name) => /\d/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['Vehicle', 'VehicleDetail', 'VehicleList', 'VehicleStatus', 'Currency', 'Event', 'ErrorCode']),
    );
  });

  it('of members are words of plain letters, one for each value', () => {
    const enums = (Object.values(everyEndpoint.components.schemas) as Any[]).filter((schema) => schema.enum?.length > 1);
    expect(enums.length).toBeGreaterThan(30);
    for (const schema of enums) {
      const names = schema['x-enum-varnames'];
      expect(schema['x-enumNames']).toEqual(names);
      expect(names).toHaveLength(schema.enum.length);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
    }
    expect(memberNamesOf(["Auction'da", 'Satıldı', 'Otomatik Durduruldu', 'STG-TL', 'vehicle.created', 'utf-8'])).toEqual([
      ...['AuctionDa', 'Satildi', 'OtomatikDurduruldu', 'StgTl', 'VehicleCreated', 'Utf8'],
    ]);
  });
});

describe('webhooks', () => {
  it('has one entry with one payload for every kind of event', () => {
    expect(Object.keys(everyEndpoint.webhooks)).toEqual(EVENT_KINDS);
    for (const [kind, { post }] of Object.entries(everyEndpoint.webhooks) as [string, Any][]) {
      const { schema, example } = post.requestBody.content['application/json'];
      expect(schema).toEqual({ $ref: '#/components/schemas/Event' });
      expect(Object.keys(example), kind).toEqual(Object.keys(everyEndpoint.components.schemas.Event.properties));
      expect(example.type).toBe(kind);
      expect(post.parameters.map(({ name }: Any) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      expect(example.resource.path).not.toContain('{');
    }
    for (const kind of ['customer.created', 'guarantor.updated', 'wallet_topup.requested']) {
      const { object } = everyEndpoint.webhooks[kind].post.requestBody.content['application/json'].example.data;
      expect(
        Object.keys(object).filter((name) => !/(^|_)id$/.test(name)),
        kind,
      ).toEqual([]);
    }
  });

  it('is omitted for a key that holds none of its endpoints', () => {
    expect(describeFor((id) => id === 'GET vehicles')).not.toHaveProperty('webhooks');
    expect(describeFor((id) => id === 'GET webhooks')).toHaveProperty('webhooks');
  });
});
