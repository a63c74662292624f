// What each role may use of the catalog through the panel, and how it is shown. Every endpoint for every role is in
// matrix.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayUse, ROLES, type Role, rolesFor } from '../../src/domain/identity/roles.ts';
import { maskEmail, maskPhone } from '../../src/domain/privacy/mask.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const endpoints = apiEndpoints(resources);

describe('the table', () => {
  test('has this many endpoints for each role', () => {
    const counts = Object.fromEntries(ROLES.map((role) => [role, endpoints.filter((endpoint) => mayUse(role, endpoint)).length]));
    expect(counts).toEqual({ owner: 185, developer: 41, finance: 163, sales: 145, viewer: 101 });
  });

  test('an owner may do everything, a viewer changes nothing and reads nothing sensitive', () => {
    for (const endpoint of endpoints) {
      expect(rolesFor(endpoint), endpoint.id).toContain('owner');
      if (mayUse('viewer', endpoint)) expect([endpoint.method, endpoint.risk], endpoint.id).toEqual(['GET', 'read']);
    }
  });

  test('sensitive endpoints are for the owner, for finance where they concern money, and for auction sellers', () => {
    const rolesById = Object.fromEntries(
      endpoints
        .filter((endpoint) => endpoint.risk === 'sensitive')
        .map((endpoint) => [endpoint.id, rolesFor(endpoint).join(' ')]),
    );
    const money = ['POST wallet/topup-requests', 'GET reports/profit-loss', 'GET reports/overdue-risk'];
    const of = (id: string) =>
      money.includes(id) ? 'owner finance' : id.includes('-auctions/') ? 'owner finance sales' : 'owner';
    for (const [id, roles] of Object.entries(rolesById)) expect(roles, id).toBe(of(id));
    expect(Object.keys(rolesById)).toHaveLength(11);
  });

  test('sales takes money but reverses nothing and sees no turnover; a developer neither sells nor collects', () => {
    const may = (role: Role, id: string) => mayUse(role, endpoints.find((endpoint) => endpoint.id === id)!);
    expect([may('sales', 'POST collections'), may('developer', 'POST collections')]).toEqual([true, false]);
    const office = ['POST collections/{collection_id}/reverse', 'GET reports/sales-summary'];
    for (const id of [...office, 'PATCH installments/{installment_id}', 'POST promissory-notes'])
      expect([may('sales', id), may('finance', id), may('developer', id)], id).toEqual([false, true, false]);
    for (const id of ['POST vehicles', 'POST sales', 'POST customers'])
      expect([may('sales', id), may('finance', id), may('developer', id)], id).toEqual([true, true, false]);
    for (const id of ['POST webhooks', 'GET webhooks'])
      expect([may('sales', id), may('developer', id)], id).toEqual([false, true]);
  });
});

describe('through the panel', () => {
  let service: TestService;
  let accountId: string;
  const browsers = new Map<Role, Browser>();
  beforeAll(async () => {
    service = await testService();
    accountId = await service.account();
    for (const role of ROLES) browsers.set(role, await signedIn(service, await newPerson(service, { accountId, role })));
  });
  afterAll(() => service.close());

  test('an endpoint with a body works, whether or not it is live for keys', async () => {
    await service.vehicle(accountId, { brand: 'Togg' });
    await service.release('Yakında', 'GET vehicles');
    const key = (await service.key(accountId)).secret;
    expect((await service.call('vehicles', { key })).status).toBe(501);
    const list = await browsers.get('sales')!.api('v1/vehicles?limit=1');
    expect(list.status).toBe(200);
    expect(list.json.data).toMatchObject([{ brand: 'Togg' }]);
    expect(list.headers.get('cache-control')).toBe('no-store');
    // The tag of the form's record, for its save; a role that sees only a part of it has nothing to save.
    expect(list.headers.get('etag')).not.toBeNull();
    expect((await browsers.get('viewer')!.api('v1/vehicles?limit=1')).headers.get('etag')).toBeNull();
    expect((await browsers.get('sales')!.api('v1/vehicles?limit=0')).json.error.code).toBe('invalid_parameter');
    await service.release('Aktif', 'GET vehicles');
  });

  test('links lead through the same base path', async () => {
    for (const plate of ['LL 1', 'LL 2']) await service.vehicle(accountId, { plate });
    const list = await browsers.get('viewer')!.api('v1/vehicles?limit=1');
    expect(list.headers.get('link')).toContain('/panel/api/v1/vehicles?limit=1&offset=1>; rel="next"');
  });

  test('masks phone and e-mail of customers for viewers only', async () => {
    await service.customer(accountId, { phone: '+905331234567', email: 'ayse@example.com' });
    const [seen] = (await browsers.get('viewer')!.api('v1/customers')).json.data;
    expect([seen.phone, seen.email]).toEqual(['+90533•••••67', 'a•••@example.com']);
    const [whole] = (await browsers.get('sales')!.api('v1/customers')).json.data;
    expect([whole.phone, whole.email]).toEqual(['+905331234567', 'ayse@example.com']);
    // The cached replies of keys are not affected.
    const key = (await service.key(accountId)).secret;
    expect((await service.call('customers', { key })).json.data[0].phone).toBe('+905331234567');
  });

  test('masks distinguish two values and reveal no more', () => {
    expect(maskPhone('+905331234567')).toBe('+90533•••••67');
    expect(maskPhone('+1234567')).toBe('•••');
    expect(maskEmail('x@y.z')).toBe('x•••@y.z');
  });
});
