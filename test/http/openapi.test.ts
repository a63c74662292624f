import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { createBody } from '../../src/domain/records/body.ts';
import { moneyField, required, textField } from '../../src/domain/records/fields.ts';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { operationIdOf, schemaNameOf } from '../../src/http/docs/openapi/openapi-names.ts';
import { get, patch, post, resource } from '../../src/kit/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../src/kit/errors.ts';
import { oneOfParam } from '../../src/kit/params.ts';
import { currency, integer, money, nullable, object, oneOf, text, timestamp, uuid } from '../../src/kit/schema.ts';
import { resources } from '../../src/resources/index.ts';

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters: { name?: string; in?: string; required?: boolean; description?: string; schema?: unknown; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { $ref?: string; headers?: Record<string, unknown>; content?: Record<string, { schema: never }> }>;
  [extension: `x-${string}`]: string;
}

interface Description {
  openapi: string;
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string; 'x-name-tr': string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Record<string, never>>>;
}

const endpoints = apiEndpoints(resources);
const shipped = (id: string): boolean => endpoints.find((endpoint) => endpoint.id === id)?.status === 'Aktif';
const publicUrl = 'https://galeri.test';

const describeEndpoints = (
  of: readonly ApiEndpoint[],
  isLive = shipped,
  only?: (endpoint: ApiEndpoint) => boolean,
): Description =>
  buildOpenApi(of, { publicUrl, isLive, today: '2026-10-02', ...(only === undefined ? {} : { only }) }) as unknown as Description;

const operationsOf = ({ paths }: Description): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.slice(1)}`,
      operation,
    ]),
  );

/** The codes that a response names, null if it is not a refusal. */
function codesIn({ components }: Description, response: { $ref?: string }): ErrorCode[] | null {
  const found = response.$ref === undefined ? response : components.responses![response.$ref.split('/').at(-1)!]!;
  return (found as { 'x-error-codes'?: ErrorCode[] })['x-error-codes'] ?? null;
}

const operation = (description: Description, id: string): Operation =>
  operationsOf(description).find(([found]) => found === id)![1];

async function problemsOf(description: Description): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    // Beyond the recommended set: what client generators need.
    rules: {
      'operation-operationId': 'error',
      'operation-tag-defined': 'error',
      'operation-singular-tag': 'error',
      'component-name-unique': 'error',
      'spec-strict-refs': 'error',
      'parameter-description': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const Part = object({ id: uuid(), label: nullable(oneOf(['a', 'b'])) }).meta({ id: 'SparePart' });
const Thing = object({
  id: uuid(),
  price: money(),
  old_price: nullable(money()),
  currency: currency(),
  note: nullable(text('like new')),
  size: integer(),
  part: nullable(Part),
  created_at: timestamp(),
});
const nothing = async () => Promise.reject(new Error('not run'));

const fabricated = apiEndpoints([
  resource('Things', 'Şeyler', [
    get('things', 'vehicles:read', 'read', 'Aktif', ['List things', 'Şeyleri listele'], {
      query: { kind: oneOfParam(['new', 'used']) },
      lists: Thing,
      run: nothing,
    }),
    get('things/{thing_id}', 'vehicles:read', 'read', 'Aktif', ['Read a thing', 'Şeyi getir'], { returns: Thing, run: nothing }),
    get('things/now', 'vehicles:read', 'read', 'Aktif', ['Read now', 'Şu anı getir'], {
      returns: Part,
      fresh: true,
      run: nothing,
    }),
    post('things', 'vehicles:write', 'write', 'Yakında', ['Add a thing', 'Şey ekle'], {
      bodySchema: createBody({ price: required(moneyField()), note: required(textField(80)) }),
      returns: Thing,
      run: nothing,
    }),
    patch('things/{thing_id}', 'vehicles:write', 'sensitive', 'Yakında', ['Edit a thing', 'Şeyi düzenle']),
    get('things/rates/{currency_pair}', 'vehicles:read', 'read', 'Yakında', ['Read a rate', 'Kuru getir']),
  ]),
]);
const isShipped = (id: string): boolean => fabricated.find((endpoint) => endpoint.id === id)?.status === 'Aktif';

describe('the description of the whole catalog', () => {
  const description = describeEndpoints(endpoints);
  const operations = operationsOf(description);

  it('has no linter problem except one pair of paths', async () => {
    expect(await problemsOf(description)).toEqual([
      // Both are the specification's paths. No request can match both: event_id is a uuid, `lots` is not.
      'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: ' +
        '`/live-auctions/{event_id}/lots` and `/live-auctions/lots/{lot_id}`.',
    ]);
  });

  it('has every endpoint once, each with a unique operationId', () => {
    expect(operations.map(([id]) => id).toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
    expect(operations).toHaveLength(185);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(185);
  });

  it('states name, category, scope, risk and status of every endpoint', () => {
    for (const endpoint of endpoints) {
      const found = operation(description, endpoint.id);
      expect(found).toMatchObject({
        summary: endpoint.name.en,
        tags: [endpoint.category],
        'x-name-tr': endpoint.name.tr,
        'x-scope': endpoint.scope,
        'x-risk': endpoint.risk,
        'x-status': endpoint.status,
      });
    }
    expect(description.tags).toHaveLength(28);
    for (const tag of description.tags) {
      expect(tag['x-name-tr']).toBe(resources.find(({ category }) => category.en === tag.name)!.category.tr);
      expect(tag.description, tag.name).not.toMatch(/^Endpoints of/);
    }
  });

  it('shows the status in force, not the one shipped', () => {
    const opened = describeEndpoints(endpoints, (id) => id === 'GET sales');
    expect(operation(opened, 'GET sales')['x-status']).toBe('Aktif');
    expect(operation(opened, 'GET vehicles')['x-status']).toBe('Yakında');
    expect(operation(description, 'GET sales')['x-status']).toBe('Yakında');
  });

  it('invents no shape for an endpoint without a body', () => {
    for (const endpoint of endpoints.filter(({ body }) => body === null)) {
      const { responses, requestBody } = operation(description, endpoint.id);
      expect(requestBody).toBeUndefined();
      expect(Object.keys(responses).filter((status) => status < '4')).toEqual(['200']);
      expect(responses['200']).not.toHaveProperty('content');
      expect(responses['501']).toEqual({ $ref: '#/components/responses/ComingSoon' });
      for (const status of ['401', '403', '429', '503']) expect(responses[status]).toBeDefined();
    }
  });

  it('states the current reply of a coming endpoint: 405 where its path is open for GET, 501 elsewhere', () => {
    expect(operation(description, 'POST vehicles').responses['405']).toBeDefined();
    expect(operation(description, 'POST vehicles').description).toContain('405');
    expect(operation(description, 'POST sales').responses['405']).toBeUndefined();
    expect(operation(description, 'POST sales').description).toContain('501');
    expect(operation(description, 'GET vehicles').description).not.toContain('Coming soon');
  });

  it('has the parameters of each endpoint with their defaults', () => {
    const { parameters } = operation(description, 'GET vehicles');
    expect(parameters.find(({ name }) => name === 'limit')).toMatchObject({
      in: 'query',
      description: 'Number of records per page. A whole number from 1 to 100.',
      'x-description-tr': 'Bir sayfadaki kayıt sayısı. 1–100 arasında bir tam sayı.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    });
    for (const endpoint of endpoints) {
      const names = operation(description, endpoint.id).parameters.flatMap(({ name, in: place }) =>
        place === 'header' ? [] : (name ?? []),
      );
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(names, endpoint.id).toEqual([...inPath, ...Object.keys(endpoint.params)]);
    }
  });

  it('lists every error code under its status', () => {
    const declared = Object.values(ERRORS).map(({ status }) => String(status));
    for (const [id, { responses }] of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const codes = codesIn(description, response);
        expect(codes === null, `${id} ${status}`).toBe(status < '4' || status === '304');
        for (const code of codes ?? []) {
          expect(declared).toContain(String(ERRORS[code].status));
          const usual = endpoints.find((endpoint) => endpoint.id === id)?.body?.refusesAs?.[code] ?? ERRORS[code].status;
          if (status !== 'default') expect(String(usual), `${id} ${status} ${code}`).toBe(status);
        }
      }
    }
    const { enum: closed, 'x-extensible-enum': open } = description.components.schemas!.ErrorCode! as Record<string, unknown>;
    expect([closed, open]).toEqual([undefined, Object.keys(ERRORS)]);
  });

  it('names the address it is served at', () => {
    expect(description.openapi).toBe('3.1.1');
    expect(description.servers).toEqual([{ url: 'https://galeri.test/api/v1' }]);
    expect(description.info.description).toContain('https://galeri.test/docs');
    const slashed = buildOpenApi(endpoints, {
      publicUrl: 'https://galeri.test/',
      isLive: shipped,
      today: '2026-10-02',
    }) as unknown as Description;
    expect(slashed.servers).toEqual(description.servers);
  });

  it('uses the specification’s names for its shapes', () => {
    expect(Object.keys(description.components.schemas!)).toEqual(expect.arrayContaining(['Account', 'Vehicle', 'Customer']));
    expect(Object.keys(description.components.schemas!.Vehicle!.properties!)).toHaveLength(17);
  });
});

describe('a description for one key', () => {
  it('holds only its endpoints and the components they use', async () => {
    const description = describeEndpoints(endpoints, shipped, (endpoint) => endpoint.id === 'GET customers');
    expect(operationsOf(description).map(([id]) => id)).toEqual(['GET customers']);
    expect(description.tags.map(({ name }) => name)).toEqual(['Customers']);
    expect(Object.keys(description.components.schemas!)).toEqual([
      ...['ApiError', 'Customer', 'CustomerList', 'ErrorCode', 'ErrorDetail', 'ErrorResponse', 'ListMeta', 'Meta', 'RiskLevel'],
      'SortOrder',
    ]);
    expect(description.components.responses).not.toHaveProperty('ComingSoon');
    expect(await problemsOf(description)).toEqual([]);
  });

  it('does not change the description for everyone', () => {
    describeEndpoints(endpoints, shipped, () => false);
    expect(operationsOf(describeEndpoints(endpoints))).toHaveLength(185);
  });
});

describe('the features of endpoints', () => {
  const description = describeEndpoints(fabricated, isShipped);

  it('have no linter problem', async () => {
    expect(await problemsOf(description)).toEqual([]);
  });

  it('wrap a list and an object in their envelopes', () => {
    const list = operation(description, 'GET things').responses['200']!;
    expect(list.content!['application/json']!.schema).toEqual({ $ref: '#/components/schemas/ThingList' });
    expect(description.components.schemas!.ThingList).toMatchObject({
      required: ['success', 'data', 'meta'],
      properties: {
        success: { const: true },
        data: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        meta: { $ref: '#/components/schemas/ListMeta' },
      },
    });
    expect(Object.keys(list.headers!)).toEqual(expect.arrayContaining(['X-Request-Id', 'RateLimit', 'ETag', 'Link']));
    const one = operation(description, 'GET things/{thing_id}').responses['200']!;
    expect(one.content!['application/json']!.schema).toEqual({ $ref: '#/components/schemas/ThingResponse' });
    expect(description.components.schemas!.ThingResponse).toMatchObject({
      // The same shape under another path is the same component.
      properties: { data: { $ref: '#/components/schemas/Thing' }, meta: { $ref: '#/components/schemas/Meta' } },
    });
    expect(one.headers).not.toHaveProperty('Link');
  });

  it('show which replies can be 304 and which records can be absent', () => {
    expect(operation(description, 'GET things').responses).toHaveProperty('304');
    expect(operation(description, 'GET things/now').responses).not.toHaveProperty('304');
    expect(operation(description, 'GET things/now').responses['200']!.headers).not.toHaveProperty('ETag');
    expect(operation(description, 'GET things').responses).not.toHaveProperty('404');
    expect(operation(description, 'GET things/{thing_id}').responses).toHaveProperty('404');
  });

  it('describe the body of an endpoint, which may hold nothing else', () => {
    const { requestBody, responses } = operation(description, 'POST things');
    expect(requestBody!.content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/CreateThingRequest' });
    expect(description.components.schemas!.CreateThingRequest).toMatchObject({
      required: ['price', 'note'],
      additionalProperties: false,
    });
    for (const status of ['409', '413', '415', '422', '501']) expect(responses).toHaveProperty(status);
  });

  it('show shapes in short, open to new fields, with named parts separately', () => {
    expect(description.components.schemas!.Thing).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        price: { type: 'string', pattern: expect.any(String), examples: ['941.66'] },
        old_price: { type: ['string', 'null'], pattern: expect.any(String), examples: ['941.66'] },
        currency: { $ref: '#/components/schemas/Currency' },
        note: { type: ['string', 'null'], examples: ['like new'] },
        size: { type: 'integer' },
        part: { anyOf: [{ $ref: '#/components/schemas/SparePart' }, { type: 'null' }] },
        created_at: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'price', 'old_price', 'currency', 'note', 'size', 'part', 'created_at'],
    });
    expect(description.components.schemas!.SparePart!.properties).toEqual({
      id: { type: 'string', format: 'uuid' },
      label: { anyOf: [{ $ref: '#/components/schemas/SparePartLabel' }, { type: 'null' }] },
    });
  });

  it('accept a uuid for an id in a path, and text elsewhere', () => {
    const place = (id: string) => operation(description, id).parameters[0];
    expect(place('PATCH things/{thing_id}')).toEqual({
      name: 'thing_id',
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    });
    expect(place('GET things/rates/{currency_pair}')).toMatchObject({ in: 'path', required: true, schema: { type: 'string' } });
  });

  it('refuse two different schemas with one name', () => {
    const other = object({ id: integer() }).meta({ id: 'SparePart' });
    const clash = apiEndpoints([
      resource('A', 'A', [
        get('a', 'vehicles:read', 'read', 'Aktif', ['A', 'A'], { returns: Part, run: nothing }),
        get('b', 'vehicles:read', 'read', 'Aktif', ['B', 'B'], { returns: other, run: nothing }),
      ]),
    ]);
    expect(() => describeEndpoints(clash)).toThrow('two different schemas are called SparePart');
  });
});

describe('names', () => {
  // Generated clients call these: a published name stays.
  it.each([
    ['GET', 'vehicles', 'getVehicles'],
    ['GET', 'vehicles/{vehicle_id}', 'getVehicle'],
    ['GET', 'vehicles/{vehicle_id}/history', 'getVehicleHistory'],
    ['POST', 'vehicles', 'createVehicle'],
    ['PATCH', 'vehicles/{vehicle_id}', 'updateVehicle'],
    ['DELETE', 'vehicles/{vehicle_id}', 'deleteVehicle'],
    ['POST', 'vehicles/{vehicle_id}/mark-sold', 'markVehicleSold'],
    ['POST', 'vehicles/bulk-create', 'bulkCreateVehicles'],
    ['POST', 'customers/{customer_id}/activity', 'createCustomerActivity'],
    ['GET', 'account/branches/{branch_id}', 'getAccountBranch'],
    ['POST', 'webhooks/{webhook_id}/deliveries/{delivery_id}/retry', 'retryWebhookDelivery'],
    ['GET', 'exchange-rates/{currency_pair}', 'getExchangeRate'],
    ['GET', 'developer/rate-limit', 'getDeveloperRateLimit'],
  ] as const)('%s %s is %s', (method, path, name) => {
    expect(operationIdOf({ method, path })).toBe(name);
  });

  it('name a shape after what it is', () => {
    expect(schemaNameOf({ method: 'GET', path: 'vehicles' }, true)).toBe('Vehicle');
    expect(schemaNameOf({ method: 'GET', path: 'vehicles/{vehicle_id}' }, false)).toBe('VehicleDetail');
    expect(schemaNameOf({ method: 'POST', path: 'vehicles' }, false)).toBe('CreateVehicleResult');
  });
});
