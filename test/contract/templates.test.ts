// The five templates of the specification, each called on all 185 endpoints. Their content is read from the specification's text
// here, not from the code that builds them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Template, templateEndpoints } from '../../src/domain/keys/key-policy.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { filled, type SpecEndpoint, specCategories, specEndpoints, specTemplates } from '../spec/spec-text.ts';
import { type TestService, testService } from '../support/service.ts';
import { refusalFault } from './expect.ts';
import { each, sendPatiently } from './wire.ts';

/** The categories that a template's text names, up to what follows them. */
function categoriesIn(words: string): string[] {
  const names = words.replace(/^categories /, '').replace(/ \(.*\)$/, '');
  return names.split(', ').filter((name) => specCategories.includes(name));
}

const TEMPLATES: readonly [Template, string, number, (endpoint: SpecEndpoint, words: string) => boolean][] = [
  ['read-only', 'Read only', 103, (endpoint) => endpoint.scope.endsWith(':read')],
  ['vehicle', 'Vehicle integration', 26, (endpoint, words) => categoriesIn(words).includes(endpoint.category)],
  ['accounting', 'Accounting integration', 42, (endpoint, words) => categoriesIn(words).includes(endpoint.category)],
  ['full', 'Full dealer-management integration', 174, (endpoint) => endpoint.risk !== 'S'],
  [
    'marketplace',
    'Marketplace integration',
    21,
    (endpoint, words) => categoriesIn(words).includes(endpoint.category) || endpoint.scope === 'vehicles:read',
  ],
];

let api: TestService;
let accountId: string;
beforeAll(async () => {
  api = await testService();
  accountId = await api.account();
});
afterAll(() => api.close());

test('the specification words its five templates as they are read here', () => {
  expect([...specTemplates]).toEqual([
    ['Read only', 'only endpoints whose scope ends in :read, from the whole catalog'],
    ['Vehicle integration', 'categories Vehicles, Vehicle photos, Vehicle videos (read and write)'],
    ['Accounting integration', 'categories Sales, Installment plans, Collections, Payment promises, Documents, Promissory notes'],
    ['Full dealer-management integration', 'all categories except risk level sensitive'],
    ['Marketplace integration', 'Marketplace, Auction requests, plus vehicle read'],
  ]);
});

const getIsLive = new Set(
  specEndpoints.filter((endpoint) => endpoint.method === 'GET' && endpoint.status === 'A').map((endpoint) => endpoint.path),
);

/** The reply of the endpoint to a key that holds it or not; null = 200. */
function expectedCode(endpoint: SpecEndpoint, held: boolean): string | null {
  if (endpoint.method !== 'GET' && endpoint.status === 'Y' && getIsLive.has(endpoint.path)) return 'method_not_allowed';
  if (!held) return 'insufficient_scope';
  return endpoint.status === 'Y' ? 'endpoint_not_active' : null;
}

describe.each(TEMPLATES)('template %s', (template, name, size, holds) => {
  const held = specEndpoints.filter((endpoint) => holds(endpoint, specTemplates.get(name)!));

  test(`holds ${size} endpoints, those the specification names`, () => {
    expect(held).toHaveLength(size);
    expect(templateEndpoints(template, apiEndpoints(resources)).map((endpoint) => endpoint.id)).toEqual(
      held.map((endpoint) => endpoint.id),
    );
  });

  test('answers each of the 185 endpoints as expected', async () => {
    const { secret } = await api.key(accountId, { template });
    const wrong: string[] = [];
    await each(specEndpoints, async (endpoint) => {
      const target = `/api/v1/${filled(endpoint.path, randomUUID())}`;
      const answer = await sendPatiently(api.service.url, { method: endpoint.method, target, key: secret });
      const code = expectedCode(endpoint, held.includes(endpoint));
      const fault = code !== null ? refusalFault(answer, code) : answer.status === 200 ? null : `${answer.status}, not 200`;
      if (fault !== null) wrong.push(`${endpoint.id}: ${fault}`);
    });
    expect(wrong).toEqual([]);
  });
});

test('a key may hold one more endpoint than its template, and one less', async () => {
  const vehicle = specEndpoints.filter((endpoint) => endpoint.category === 'Vehicles').map((endpoint) => endpoint.id);
  const endpoints = [...vehicle.filter((id) => id !== 'GET vehicles/export'), 'GET customers'];
  const { secret } = await api.key(accountId, { endpoints });
  const code = async (path: string) => (await api.call(path, { key: secret })).json.error?.code;
  expect(await code('customers')).toBeUndefined();
  expect(await code('vehicles')).toBeUndefined();
  expect(await code('vehicles/export')).toBe('insufficient_scope');
  expect(await code(`vehicles/${randomUUID()}`)).toBe('endpoint_not_active');
  expect(await code('account')).toBe('insufficient_scope');
});

test('endpoints that share a scope are held separately', async () => {
  const { secret } = await api.key(accountId, { endpoints: ['GET reports/sales-summary'] });
  expect((await api.call('reports/sales-summary', { key: secret })).json.error.code).toBe('endpoint_not_active');
  const refused = await api.call('reports/profit-loss', { key: secret });
  expect(refused.json.error).toMatchObject({ code: 'insufficient_scope', required_scope: 'reports:read' });
  expect(refused.json.error.message).toContain('GET reports/profit-loss');
});
