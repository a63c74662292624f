// The panel's preview and the API always agree: for every endpoint, with each template and its opposite, the previewed reply is
// what the key really gets over HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCatalog } from '../../src/domain/catalog/catalog.ts';
import { TEMPLATES, templateEndpoints } from '../../src/domain/keys/key-policy.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import type { CatalogView } from '../../src/panel/developer/catalog.ts';
import { releaseOf } from '../../web/src/screens/endpoint-picker/release.ts';
import { type PreviewedKey, type Verdict, verdictOf } from '../../web/src/screens/keys/preview.ts';
import { each, sendPatiently } from '../contract/wire.ts';
import { filled } from '../spec/spec-text.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const WRITABLE = 'POST vehicles';

let service: TestService;
let accountId: string;
let owner: Browser;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
});
afterAll(() => service.close());

/** The panel's data: the catalog and the setup as it loads them. */
async function panel() {
  const view = (await owner.api('catalog')).json.data as CatalogView;
  const catalog = buildCatalog(view.rows);
  const { sandbox_shared } = (await owner.api('key-setup')).json.data;
  return { catalog, release: releaseOf(catalog, sandbox_shared) };
}

const KEY: Omit<PreviewedKey, 'endpoints'> = {
  environment: 'production',
  allowedIps: [],
  expiresAt: null,
  revoked: false,
  authorizations: [],
  accountSuspended: false,
};

/** Sends what was previewed; returns the difference in words, or null. */
async function differs(secret: string, method: string, path: string, verdict: Verdict): Promise<string | null> {
  const answer = await sendPatiently(service.service.url, { method, target: `/api/v1/${path}`, key: secret });
  const code = answer.status < 400 ? null : answer.json.error.code;
  // After the policy comes the endpoint itself: an unknown id is its own 404.
  const through = verdict.code === null && (code === null || (code === 'not_found' && verdict.row?.includes('{') === true));
  return through || (code === verdict.code && answer.status === verdict.status)
    ? null
    : `${method} ${path}: previewed ${verdict.status} ${verdict.code}, answered ${answer.status} ${code}`;
}

describe.each(TEMPLATES)('template %s', (template) => {
  test.each(['held', 'not held'])('%s: 185 endpoints answer as previewed', async (side) => {
    const { catalog, release } = await panel();
    const chosen = new Set(templateEndpoints(template, catalog.endpoints).map((endpoint) => endpoint.id));
    const endpoints = catalog.endpoints.map((endpoint) => endpoint.id).filter((id) => chosen.has(id) === (side === 'held'));
    const { secret } = await service.key(accountId, { endpoints });
    const wrong: string[] = [];
    expect(catalog.endpoints).toHaveLength(185);
    await each(catalog.endpoints, async (endpoint) => {
      const path = filled(endpoint.path, randomUUID());
      const probe = { method: endpoint.method, path: `/api/v1/${path}`, ip: '127.0.0.1', now: Date.now() };
      const verdict = verdictOf(catalog, release, { ...KEY, endpoints: new Set(endpoints) }, probe);
      const fault = await differs(secret, endpoint.method, path, verdict);
      if (fault !== null) wrong.push(fault);
    });
    expect(wrong).toEqual([]);
  });
});

describe('besides the policy', () => {
  const endpoints = ['GET vehicles', WRITABLE];
  const previewed = async (overrides: Partial<PreviewedKey>, method = 'GET', path = 'vehicles') => {
    const { catalog, release } = await panel();
    const key = { ...KEY, endpoints: new Set(endpoints), ...overrides };
    return verdictOf(catalog, release, key, { method, path, ip: '127.0.0.1', now: Date.now() });
  };

  test.each([
    ['an address outside the list', ['203.0.113.0/24'], 'ip_not_allowed'],
    ['an address inside it', ['127.0.0.0/8'], null],
  ])('%s', async (_, allowedIps, code) => {
    const { secret } = await service.key(accountId, {
      endpoints,
      allowedIps: allowedIps.map((range) => parseRange(range)!),
    });
    const verdict = await previewed({ allowedIps });
    expect(verdict.code).toBe(code);
    expect(await differs(secret, 'GET', 'vehicles', verdict)).toBeNull();
  });

  test('a key that has expired', async () => {
    const expiresAt = new Date(Date.now() - 1000);
    const { secret } = await service.key(accountId, { endpoints, expiresAt });
    const verdict = await previewed({ expiresAt: expiresAt.getTime() });
    expect(verdict.code).toBe('key_expired');
    expect(await differs(secret, 'GET', 'vehicles', verdict)).toBeNull();
  });

  test.each([
    ['GET', 'nothing/here'],
    ['DELETE', 'vehicles'],
    ['GET', 'vehicles.php'],
    ['GET', 'vehicles/'],
    ['GET', 'Vehicles'],
    ['POST', 'vehicles'],
  ])('%s %s', async (method, path) => {
    const { secret } = await service.key(accountId, { endpoints });
    expect(await differs(secret, method, path, await previewed({}, method, path))).toBeNull();
  });

  test('an endpoint that is opened while the panel is open', async () => {
    const { secret } = await service.key(accountId, { endpoints: ['GET vehicles/{vehicle_id}'] });
    const path = `vehicles/${randomUUID()}`;
    const look = () => previewed({ endpoints: new Set(['GET vehicles/{vehicle_id}']) }, 'GET', path);
    expect((await look()).code).toBe('endpoint_not_active');
    expect(await differs(secret, 'GET', path, await look())).toBeNull();
    await service.release('Aktif', 'GET vehicles/{vehicle_id}');
    expect((await look()).code).toBeNull();
    expect(await differs(secret, 'GET', path, await look())).toBeNull();
    await service.release('Yakında', 'GET vehicles/{vehicle_id}');
  });
});
