// The same endpoints through the panel: a person with a role instead of a key with a policy.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../src/domain/identity/roles.ts';
import { openSession } from '../../../src/postgres/database.ts';
import { type Browser, newPerson, signedIn } from '../../panel/people.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, aPerson } from '../../support/writer.ts';

let api: TestService;
let accountId: string;
const browsers = new Map<Role, Browser>();
beforeAll(async () => {
  api = await testService();
  accountId = await api.account();
  for (const role of ROLES) browsers.set(role, await signedIn(api, await newPerson(api, { accountId, role })));
});
afterAll(() => api.close());

const as = (role: Role): Browser => browsers.get(role)!;
const post = (role: Role, path: string, body: unknown) => as(role).api(`v1/${path}`, { method: 'POST', body });

test('sales staff add customers, guarantors, activities and tasks; viewers and developers may not', async () => {
  for (const role of ROLES) {
    const may = ['owner', 'finance', 'sales'].includes(role);
    const status = may ? 201 : 403;
    const customer = await post(role, 'customers', aPerson());
    expect(customer.status, role).toBe(status);
    const id = may ? customer.json.data.id : await api.customer(accountId);
    expect((await post(role, `customers/${id}/guarantors`, aPerson())).status, role).toBe(status);
    expect((await post(role, `customers/${id}/activity`, { kind: 'Not', note: 'x' })).status, role).toBe(status);
    expect((await post(role, 'tasks', { title: 'x', customer_id: id })).status, role).toBe(status);
    expect((await as(role).api(`v1/customers/${id}`, { method: 'DELETE' })).status, role).toBe(may ? 200 : 403);
  }
});

test('a write is audited with the person who made it', async () => {
  const { json } = await post('sales', 'customers', aPerson());
  const admin = await openSession(api.adminUrl);
  try {
    const [row] = await admin.rows(
      `select actor_type, role, action from audit_log where target = '${json.data.id}' and account_id = '${accountId}'`,
    );
    expect(row).toEqual({ actor_type: 'panel', role: 'sales', action: 'POST customers' });
  } finally {
    await admin.close();
  }
});

test('masks phone and e-mail of a guarantor for viewers only', async () => {
  const customer = (await post('owner', 'customers', aPerson())).json.data.id;
  await post('owner', `customers/${customer}/guarantors`, aPerson({ email: 'kefil@example.com' }));
  const seen = async (role: Role) => (await as(role).api(`v1/customers/${customer}/guarantors`)).json.data[0];
  expect(await seen('sales')).toMatchObject({ phone: '+905331234567', email: 'kefil@example.com' });
  expect(await seen('viewer')).toMatchObject({ phone: '+90533•••••67', email: 'k•••@example.com' });
});

test('capabilities follow the role', async () => {
  const scopes = async (role: Role) => (await as(role).api('v1/account/capabilities')).json.data.key.scopes;
  expect(await scopes('sales')).toContain('customers:write');
  expect(await scopes('viewer')).not.toContain('customers:write');
  expect(await scopes('viewer')).toContain('customers:read');
});

test('a vehicle’s history names the person and shows no key their address', async () => {
  const car = (await post('sales', 'vehicles', aCar())).json.data;
  const [entry] = (await as('viewer').api(`v1/vehicles/${car.id}/history`)).json.data;
  expect(entry.actor.type).toBe('panel');
  expect(entry.actor.name).not.toContain('@');
  expect(entry.actor.name.length).toBeGreaterThan(0);
});
