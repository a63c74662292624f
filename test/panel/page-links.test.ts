// Keys and people share cached pages of a list, each through its own base path: every link leads through the caller's own base
// path, no matter who filled the cache.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const lists = resources
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ method, body, scope }) => method === 'GET' && body !== null && 'lists' in body && scope !== 'developer:read');

let service: TestService;
let dealer: Dealer;
let owner: Browser;
let viewer: Browser;
let vehicle: string;
beforeAll(async () => {
  service = await testService();
  await openAll(service);
  dealer = await newDealer(service);
  for (let count = 0; count < 3; count += 1) vehicle = await service.vehicle(dealer.accountId);
  const { accountId } = dealer;
  owner = await signedIn(service, await newPerson(service, { accountId }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
});
afterAll(() => service.close());

const SURFACES = {
  '/api/v1/': (path: string) => dealer.get(path),
  '/panel/api/v1/': (path: string) => owner.api(`v1/${path}`),
  '/panel/api/try/': (path: string) => owner.api(`try/${path}`),
} as const;
type Surface = keyof typeof SURFACES;

/** The part between the service's address and the path, in every link. */
async function prefixesNamed(surface: Surface, path: string): Promise<string[]> {
  const { status, headers, text } = await SURFACES[surface](path);
  expect(status, `${surface}${path} ${text}`).toBe(200);
  return [...headers.get('link')!.matchAll(/<([^>]*)>/g)].map(([, link]) => {
    expect(link!.startsWith(service.service.url)).toBe(true);
    return link!.slice(service.service.url.length, link!.indexOf(path.split('?')[0]!));
  });
}

test('finds lists to request', () => expect(lists.length).toBeGreaterThan(8));

describe.each([
  ['/api/v1/', '/panel/api/v1/'],
  ['/panel/api/v1/', '/api/v1/'],
] as const)('%s first, then %s', (first, second) => {
  // Another test must not have cached it: each pair requests its own page.
  const offset = first === '/api/v1/' ? 1 : 2;
  test.each(
    lists.map((endpoint) => endpoint.path).filter((path) => !path.includes('{') || /^[^{]*\{vehicle_id\}[^{]*$/.test(path)),
  )('%s', async (path) => {
    const needs = path === 'exchange-rates/history' ? 'pair=EUR-TL&from=2026-01-01&to=2026-01-31&' : '';
    const page = `${path.replace('{vehicle_id}', vehicle)}?${needs}limit=1&offset=${offset}`;
    for (const surface of [first, second, first])
      for (const named of await prefixesNamed(surface, page)) expect(named).toBe(surface);
  });
});

test('next and prev, aliases and the playground alike', async () => {
  for (const path of ['vehicles?limit=1&offset=1&status=Stokta', 'vehicles.php?limit=1&offset=1'])
    for (const surface of Object.keys(SURFACES) as Surface[])
      expect(await prefixesNamed(surface, path)).toEqual([surface, surface]);
});

test('the same state has the same tag on both, and the tag of a masked record is not sent', async () => {
  const path = 'customers?limit=1&offset=1';
  const [key, person, masked] = [await dealer.get(path), await owner.api(`v1/${path}`), await viewer.api(`v1/${path}`)];
  expect(key.headers.get('etag')).toBe(person.headers.get('etag'));
  expect(masked.headers.get('etag')).toBeNull();
  expect(masked.headers.get('link')).toBe(person.headers.get('link'));
});

test('no header of the API names the panel', async () => {
  for (const surface of ['/panel/api/v1/', '/api/v1/'] as const) {
    const { headers } = await SURFACES[surface]('vehicles?limit=2&offset=1');
    if (surface === '/api/v1/') expect(JSON.stringify([...headers])).not.toContain('panel');
  }
});
