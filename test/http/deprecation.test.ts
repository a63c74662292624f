// An endpoint that is declared deprecated says so in every reply, in the description and in the reference.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { renderDocs } from '../../src/http/docs/pages/docs-page.ts';
import { type Deprecation, get, resource } from '../../src/kit/endpoint.ts';
import { object, text } from '../../src/kit/schema.ts';
import { type TestService, testService } from '../support/service.ts';

const Done = object({ done: text() });
const body = { about: ['Reads.', 'Okur.'] as const, returns: Done, run: async () => ({ done: 'yes' }) };
const thingsWith = (deprecated: Deprecation) => [
  resource('Old things', 'Eski şeyler', [
    get('things', 'tasks:read', 'read', 'Aktif', ['Things', 'Şeyler'], body),
    get('old-things', 'tasks:read', 'read', 'Aktif', ['Old things', 'Eski şeyler'], { ...body, deprecated }),
    get('old-things/{thing_id}', 'tasks:read', 'read', 'Aktif', ['An old thing', 'Eski bir şey'], {
      ...body,
      deprecated: { since: '2026-11-01', sunset: '2027-11-01' },
    }),
  ]),
];
const catalog = thingsWith({ since: '2026-11-01', sunset: '2027-12-24', successor: 'GET things' });

let api: TestService;
let key: string;
beforeAll(async () => {
  api = await testService({ resources: catalog, env: { PUBLIC_URL: 'https://galeri.test' } });
  key = (await api.key(await api.account(), { endpoints: ['GET things', 'GET old-things'] })).secret;
});
afterAll(() => api.close());

const NAMES = ['deprecation', 'sunset', 'link'];
const said = async (path: string): Promise<(string | null)[]> => {
  const { headers } = await api.call(`/api/v1/${path}`, { key });
  return NAMES.map((name) => headers.get(name));
};

describe('the replies of a deprecated endpoint', () => {
  const OLD = [
    `@${Date.UTC(2026, 10, 1) / 1000}`,
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
    expect(await said('things')).toEqual([null, null, null]);
  });
});

test('the description and the reference say so', () => {
  const endpoints = apiEndpoints(catalog);
  const options = { publicUrl: 'https://galeri.test', isLive: () => true, today: '2026-11-20' };
  const { paths } = buildOpenApi(endpoints, options) as { paths: Record<string, { get: Record<string, unknown> }> };
  expect(paths['/old-things']!.get).toMatchObject({ deprecated: true, 'x-sunset': '2027-12-24' });
  expect(paths['/old-things']!.get.description).toContain('Use `GET things` instead.');
  expect(paths['/things']!.get).not.toHaveProperty('deprecated');
  const page = renderDocs(endpoints, { ...options, locale: 'tr' }, '/old-things')!;
  expect(page).toContain('2026-11-01 tarihinden beri kullanımdan kaldırılıyor; en az 2027-12-24 tarihine kadar çalışır.');
});

test('a declaration promises twelve months and names an endpoint that exists', () => {
  expect(() => apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-10-31' }))).toThrow('less than 12 months');
  expect(() => apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-11-01', successor: 'GET nothing' }))).toThrow(
    'not in the catalog',
  );
  expect(apiEndpoints(thingsWith({ since: '2026-11-01', sunset: '2027-11-01', successor: 'GET things' }))).toHaveLength(3);
});
