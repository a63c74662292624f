// An endpoint or a field that is declared deprecated says so in every reply that concerns it, in the description, in the reference
// and in the panel.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deprecated, deprecatedFieldsOf, deprecationFault } from '../../src/domain/catalog/deprecation.ts';
import { answerOf, bodySchemaOf, fieldsOf } from '../../src/domain/catalog/json-schema.ts';
import { createBody } from '../../src/domain/records/body.ts';
import { deprecatedField, objectField, textField, withDefault } from '../../src/domain/records/fields.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { markdownOf } from '../../src/http/docs/markdown/docs-markdown.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { renderDocs } from '../../src/http/docs/pages/docs-page.ts';
import { type Deprecation, get, post, type Resource, resource } from '../../src/kit/endpoint.ts';
import { nullable, object, oneOf, text } from '../../src/kit/schema.ts';
import { sql } from '../../src/kit/sql.ts';
import type { CatalogView, EndpointDetail } from '../../src/panel/developer/catalog.ts';
import { resources } from '../../src/resources/index.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { type TestService, testService } from '../support/service.ts';

const Done = object({ done: text() });
const body = { about: ['Reads.', 'Okur.'] as const, returns: Done, run: async () => ({ done: 'yes' }) };
const thingsWith = (declared: Deprecation): Resource[] => [
  resource('Old things', 'Eski şeyler', [
    get('things', 'tasks:read', 'read', 'Aktif', ['Things', 'Şeyler'], body),
    get('old-things', 'tasks:read', 'read', 'Aktif', ['Old things', 'Eski şeyler'], { ...body, deprecated: declared }),
    get('old-things/{thing_id}', 'tasks:read', 'read', 'Aktif', ['An old thing', 'Eski bir şey'], {
      ...body,
      deprecated: { since: '2026-11-01', sunset: '2027-11-01' },
    }),
  ]),
];

const COLOUR = { since: '2026-11-01', sunset: '2027-12-01', successor: 'paint' } as const;
const ENGINE = { since: '2026-10-05', sunset: '2028-01-01' } as const;
const Car = object({
  paint: text(),
  colour: deprecated(nullable(oneOf(['red', 'blue'])), COLOUR),
  engine: deprecated(object({ size: text() }), ENGINE),
});
const CAR_FIELDS = {
  paint: textField(20),
  tone: deprecatedField(withDefault(textField(20), 'matt', 'mat'), COLOUR),
  wheels: objectField({ rim: deprecatedField(textField(20), ENGINE) }),
};
const cars = resource('Old cars', 'Eski arabalar', [
  get('cars', 'tasks:read', 'read', 'Aktif', ['Cars', 'Arabalar'], {
    about: ['Returns cars.', 'Arabaları verir.'],
    lists: Car,
    synced: true,
    run: async () => ({ json: '[{"paint":"mat","colour":null,"engine":{"size":"1"}}]', count: 1, hasMore: false, version: null }),
  }),
  post('cars', 'tasks:write', 'write', 'Aktif', ['Add a car', 'Araba ekle'], {
    about: ['Adds a car.', 'Araba ekler.'],
    bodySchema: createBody(CAR_FIELDS),
    returns: Done,
    run: async () => ({ done: 'yes' }),
  }),
]);
const catalog = [...thingsWith({ since: '2026-11-01', sunset: '2027-12-24', successor: 'GET things' }), cars];

let api: TestService;
let accountId: string;
let key: string;
beforeAll(async () => {
  api = await testService({ resources: catalog, env: { PUBLIC_URL: 'https://galeri.test' } });
  accountId = await api.account();
  const endpoints = ['GET things', 'GET old-things', 'GET cars', 'POST cars'];
  key = (await api.key(accountId, { name: 'ERP', endpoints })).secret;
});
afterAll(() => api.close());

const NAMES = ['deprecation', 'sunset', 'link'];
const said = async (path: string, sent?: object): Promise<(string | null)[]> => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) };
  const { headers } = await api.call(`/api/v1/${path}`, sent === undefined ? { key } : { key, ...json });
  return NAMES.map((name) => headers.get(name));
};
const NOTHING = [null, null, null];
const at = (day: string) => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`;

describe('the replies of a deprecated endpoint', () => {
  const OLD = [
    at('2026-11-01'),
    'Fri, 24 Dec 2027 00:00:00 GMT',
    '<https://galeri.test/docs/old-things#get-old-things>; rel="deprecation", <https://galeri.test/api/v1/things>; rel="successor-version"',
  ];

  test('name the day, the end and the successor, also when they refuse', async () => {
    expect(await said('old-things')).toEqual(OLD);
    expect(await said('old-things?colour=1')).toEqual(OLD);
  });

  test('without a successor, to a key that does not hold it', async () => {
    const other = await said('old-things/0190a6c0-0000-7000-8000-000000000000');
    expect(other[2]).toBe('<https://galeri.test/docs/old-things#get-old-things-thing_id>; rel="deprecation"');
  });

  test('other endpoints say nothing', async () => {
    expect(await said('things')).toEqual(NOTHING);
  });
});

describe('the replies of an endpoint with deprecated fields', () => {
  const page = (id: string) => `<https://galeri.test/docs/old-cars#${id}>; rel="deprecation"`;

  test('name the first days and the page of each field that the reply has', async () => {
    expect(await said('cars')).toEqual([
      at('2026-10-05'),
      'Wed, 01 Dec 2027 00:00:00 GMT',
      `${page('get-cars.colour')}, ${page('get-cars.engine')}`,
    ]);
    expect(await said('cars?fields=paint,colour')).toEqual([
      at('2026-11-01'),
      'Wed, 01 Dec 2027 00:00:00 GMT',
      page('get-cars.colour'),
    ]);
  });

  test('say nothing where the reply has none of them', async () => {
    expect(await said('cars?fields=paint')).toEqual(NOTHING);
    expect(await said('cars?limit=0')).toEqual(NOTHING);
  });

  test('name the fields that the body of a write had, also within an object', async () => {
    expect(await said('cars', { paint: 'mat' })).toEqual(NOTHING);
    expect(await said('cars', { paint: 'mat', tone: 'mat', wheels: {} })).toEqual([
      at('2026-11-01'),
      'Wed, 01 Dec 2027 00:00:00 GMT',
      page('post-cars.tone'),
    ]);
    expect((await said('cars', { wheels: { rim: 'x' } }))[2]).toBe(page('post-cars.wheels.rim'));
  });
});

describe('the description and the reference', () => {
  const endpoints = apiEndpoints(catalog);
  const options = { publicUrl: 'https://galeri.test', isLive: () => true, today: '2026-11-20' };
  const view = { ...options, base: 'https://galeri.test', api: 'https://galeri.test/api/v1', endpoints };
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
  const { paths, components } = buildOpenApi(endpoints, options) as any;

  test('say so of an endpoint', () => {
    expect(paths['/old-things'].get).toMatchObject({ deprecated: true, 'x-sunset': '2027-12-24', 'x-successor': 'GET things' });
    expect(paths['/old-things'].get.description).toContain('Use `GET things` instead.');
    expect(Object.keys(paths['/old-things'].get.responses['200'].headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset']),
    );
    expect(paths['/things'].get).not.toHaveProperty('deprecated');
    expect(paths['/things'].get.responses['200'].headers).not.toHaveProperty('Sunset');
    const page = renderDocs(endpoints, { ...options, locale: 'tr' }, '/old-things')!;
    expect(page).toContain('2026-11-01 tarihinden beri kullanımdan kaldırılıyor; en az 2027-12-24 tarihine kadar çalışır.');
  });

  test('say so of a field, at the field and not at its type', () => {
    const marks = { deprecated: true, 'x-deprecated-since': '2026-11-01', 'x-sunset': '2027-12-01', 'x-successor': 'paint' };
    const { Car: car, CarEngine: engine, CreateCarRequest: request } = components.schemas;
    expect(car.properties.colour).toMatchObject(marks);
    expect(car.properties.colour.description).toContain('Use `paint` instead.');
    expect(car.properties.engine).toMatchObject({ $ref: '#/components/schemas/CarEngine', deprecated: true });
    expect(engine).toEqual({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });
    expect(car.properties.paint).toEqual({ type: 'string' });
    expect(request.properties.tone).toMatchObject({ ...marks, type: 'string' });
    expect(request.properties.tone.description).toMatch(/^Deprecated since 2026-11-01; .* Default: matt\.$/);
    expect(Object.keys(paths['/cars'].get.responses['200'].headers)).toContain('Deprecation');
  });

  test('have the field at the address that the header names', () => {
    const page = renderDocs(endpoints, { ...options, locale: 'en' }, '/old-cars')!;
    for (const id of ['get-cars.colour', 'get-cars.engine', 'post-cars.tone', 'post-cars.wheels.rim'])
      expect(page).toContain(`id="${id}"`);
    expect(page).toContain('Deprecated since 2026-11-01; it works at least until 2027-12-01.');
    expect(markdownOf('/old-cars', { ...view, locale: 'tr' } as never)).toContain(
      '2026-11-01 tarihinden beri kullanımdan kaldırılıyor',
    );
  });
});

describe('the panel', () => {
  const detail = async (who: Browser, slug: string) => (await who.api(`catalog/${slug}`)).json.data as EndpointDetail;

  test('shows which keys of the account called the endpoint in the last 30 days', async () => {
    const owner = await signedIn(api, await newPerson(api, { accountId }));
    const admin = await signedIn(api, await newPerson(api, { admin: true }));
    const otherAccount = await api.account();
    const call = async (account: string, name: string, endpoints: string[]) => {
      const { secret } = await api.key(account, { name, endpoints });
      await api.call('/api/v1/old-things', { key: secret });
    };
    await call(accountId, 'Site', ['GET old-things']);
    await call(accountId, 'Yetkisiz', ['GET things']);
    await call(otherAccount, 'Başka', ['GET old-things']);
    await said('old-things');
    await api.logged();
    const seen = (await detail(owner, 'get-old-things')).deprecation!;
    expect(seen).toMatchObject({ endpoint: { successor: 'GET things' }, fields: [], key_count: 2 });
    expect(seen.keys.map(({ name }) => name)).toEqual(['ERP', 'Site']);
    expect((await detail(admin, 'get-old-things')).deprecation).toMatchObject({ key_count: 3, keys: [] });
    await api.database.onPlatform('write', (db) =>
      db.exec(sql`update usage_calls set hour = hour - interval '31 days' where account_id = ${accountId}`),
    );
    expect((await detail(owner, 'get-old-things')).deprecation).toMatchObject({ key_count: 0, keys: [] });
  });

  test('shows deprecated fields, and marks endpoints in the list', async () => {
    const owner = await signedIn(api, await newPerson(api, { accountId }));
    const list = await detail(owner, 'get-cars');
    expect(list.deprecation).toMatchObject({ endpoint: null });
    expect(list.deprecation!.fields).toEqual([
      { path: 'colour', ...COLOUR },
      { path: 'engine', ...ENGINE },
    ]);
    expect(list.reply!.fields.filter((field) => field.deprecated).map(({ path }) => path)).toEqual(['colour', 'engine']);
    expect((await detail(owner, 'get-things')).deprecation).toBeNull();
    const { rows } = (await owner.api('catalog')).json.data as CatalogView;
    expect(rows.filter((row) => row.deprecated).map(({ id }) => id)).toEqual(['GET old-things', 'GET old-things/{thing_id}']);
  });
});

describe('a declaration', () => {
  test('promises twelve months and names an endpoint that exists', () => {
    expect(() => apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-10-31' }))).toThrow('less than 12 months');
    expect(() => apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-11-01', successor: 'GET nothing' }))).toThrow(
      'not in the catalog',
    );
    expect(apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-11-01', successor: 'GET things' }))).toHaveLength(3);
  });

  test('of a field promises twelve months too', () => {
    const short = { since: '2026-11-01', sunset: '2027-10-31' };
    expect(() => deprecated(text(), short)).toThrow('less than 12 months');
    expect(() => deprecatedField(textField(5), short)).toThrow('less than 12 months');
  });

  test.each([
    ['the catalog', resources],
    ['this test', catalog],
  ])('of a field names a field beside it, in %s', (_, declared) => {
    for (const { id, body: made } of apiEndpoints(declared)) {
      if (made === null) continue;
      const { taken, answered } = deprecatedFieldsOf(made);
      const names = [answerOf(made).wire, ...(made.bodySchema ? [bodySchemaOf(made.bodySchema)] : [])].flatMap(fieldsOf);
      for (const field of [...taken, ...answered]) {
        const isKnown = (name: string) => names.some(({ path }) => path === name);
        expect(deprecationFault(`${id} ${field.path}`, field, isKnown)).toBeNull();
      }
    }
  });
});
