// Settings, branches, staff and the audit log as the panel's pages use them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let viewer: Browser;
let stranger: Browser;
let ownerEmail: string;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ name: 'Girne Oto', city: 'Girne' });
  const person = await newPerson(service, { accountId });
  ownerEmail = person.email;
  owner = await signedIn(service, person);
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  stranger = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
});
afterAll(() => service.close());

const lastAudit = async (action: string) => {
  const log = await owner.api('audit?limit=5');
  return log.json.data.find((line: { action: string }) => line.action === action);
};

describe('settings', () => {
  test('a change is visible to keys at once, and audited with before and after', async () => {
    const key = (await service.key(accountId)).secret;
    expect((await service.call('account', { key })).json.data.name).toBe('Girne Oto');
    const body = {
      name: 'Yeni Girne Oto',
      phone: '0533 812 34 56',
      default_currency: 'EUR',
      rate_source: 'TCMB',
      reservation_days: 10,
    };
    const changed = await owner.api('settings', { method: 'PATCH', body });
    expect(changed.json.data).toMatchObject({ ...body, phone: '+905338123456', city: 'Girne', dealer_network: true });
    const read = (await service.call('account', { key })).json.data;
    expect(read).toMatchObject({ name: 'Yeni Girne Oto', phone: '+905338123456', default_currency: 'EUR' });
    expect(await lastAudit('account.changed')).toMatchObject({
      actor: ownerEmail,
      role: 'owner',
      outcome: 'done',
      before: { name: 'Girne Oto', phone: null, default_currency: 'STG', rate_source: 'KKTCMB', reservation_days: 7 },
      after: {
        name: 'Yeni Girne Oto',
        phone: '+905338123456',
        default_currency: 'EUR',
        rate_source: 'TCMB',
        reservation_days: 10,
      },
    });
  });

  test('grace, retention and reminders are set by the owner, shown to keys, and audited', async () => {
    await service.release('Aktif', 'GET account/settings');
    const fresh = await service.account({ name: 'Hatırlatan Oto' });
    const boss = await signedIn(service, await newPerson(service, { accountId: fresh }));
    const key = (await service.key(fresh)).secret;
    const read = async () => (await service.call('account/settings', { key })).json.data;
    const days = (...all: number[]) => all.map((day) => ({ day, channel: 'WhatsApp', active: false }));
    const before = { overdue_grace_days: 0, document_retention_years: 10, reminders: days(-3, 0, 3, 10) };
    expect(await read()).toMatchObject(before);
    const rules = [
      { day: 7, channel: 'E-posta', active: true },
      { day: -5, channel: 'WhatsApp', active: true },
    ];
    const body = { overdue_grace_days: 3, document_retention_years: 12, reminders: rules };
    const after = { ...body, reminders: rules.toReversed() };
    const changed = await boss.api('settings', { method: 'PATCH', body });
    expect(changed.json.data).toMatchObject(after);
    expect(await read()).toMatchObject(after);
    const [line] = (await boss.api('audit?limit=1')).json.data;
    expect(line).toMatchObject({ action: 'account.changed', before, after });
    // The same again, its rules in another order, changes nothing.
    await boss.api('settings', { method: 'PATCH', body });
    expect(
      (await boss.api('audit?limit=5')).json.data.filter((one: { action: string }) => one.action === 'account.changed'),
    ).toHaveLength(1);
    expect((await boss.api('settings', { method: 'PATCH', body: { reminders: [] } })).json.data.reminders).toEqual([]);
  });

  test.each([
    ['overdue_grace_days', 16, 'overdue_grace_days'],
    ['document_retention_years', 0, 'document_retention_years'],
    ['document_retention_years', 31, 'document_retention_years'],
    ['reminders', null, 'reminders'],
    ['reminders', [{ day: -31, channel: 'WhatsApp', active: true }], 'reminders[0].day'],
    ['reminders', [{ day: 91, channel: 'WhatsApp', active: true }], 'reminders[0].day'],
    ['reminders', [{ day: 1.5, channel: 'WhatsApp', active: true }], 'reminders[0].day'],
    ['reminders', [{ day: 1, channel: 'SMS', active: true }], 'reminders[0].channel'],
    ['reminders', [{ day: 1, channel: 'WhatsApp' }], 'reminders[0].active'],
    ['reminders', [{ day: 1, channel: 'WhatsApp', active: true, text: 'x' }], 'reminders[0].text'],
    [
      'reminders',
      [
        { day: 1, channel: 'WhatsApp', active: true },
        { day: 1, channel: 'WhatsApp', active: false },
      ],
      'reminders[1].day',
    ],
  ])('%s: %j is refused at %s', async (name, value, field) => {
    const refused = await owner.api('settings', { method: 'PATCH', body: { [name]: value } });
    expect([refused.status, refused.json.error.details[0].field]).toEqual([422, field]);
    expect((await viewer.api('settings', { method: 'PATCH', body: { [name]: value } })).status).toBe(403);
  });

  test('a request without changes is not audited', async () => {
    const before = (await owner.api('audit')).json.meta.count;
    expect((await owner.api('settings', { method: 'PATCH', body: { city: 'Girne' } })).status).toBe(200);
    expect((await owner.api('audit')).json.meta.count).toBe(before);
  });

  test.each([
    ['timezone', '+03:00'],
    ['timezone', 'Mars/Olympus'],
    ['reservation_days', 0],
    ['offer_valid_hours', 337],
    ['name', ' '],
    ['email', 'nobody'],
    ['country', 'TR'],
    ['marketplace', false],
    ['status', 'Aktif'],
  ])('refuses %s = %s and changes nothing', async (field, value) => {
    const answer = await owner.api('settings', { method: 'PATCH', body: { [field]: value, city: 'Lefke' } });
    expect(answer.status).toBe(422);
    expect(answer.json.error.details.map((one: { field: string }) => one.field)).toEqual([field]);
    expect((await owner.api('settings')).json.data.city).toBe('Girne');
  });

  test('are limited to the owner', async () => {
    expect((await viewer.api('settings')).status).toBe(403);
    expect((await viewer.api('settings', { method: 'PATCH', body: { city: 'Lefke' } })).status).toBe(403);
  });
});

describe('branches and staff', () => {
  const branchNamed = async (name: string) =>
    (await owner.api('branches')).json.data.find((branch: { name: string }) => branch.name === name);

  test('a branch is added, changed, found by every member and by no stranger', async () => {
    const made = await owner.api('branches', {
      method: 'POST',
      body: { name: 'Lefkoşa', city: 'Lefkoşa', phone: '0392 228 00 00' },
    });
    expect(made.json.data).toMatchObject({
      name: 'Lefkoşa',
      phone: '+903922280000',
      is_main: false,
      vehicle_count: 0,
      removable: true,
    });
    const { id } = made.json.data;
    expect((await owner.api(`branches/${id}`, { method: 'PATCH', body: { phone: null } })).json.data.phone).toBeNull();
    expect((await viewer.api('branches')).json.data.map((one: { name: string }) => one.name)).toEqual(['Merkez', 'Lefkoşa']);
    expect((await viewer.api(`branches/${id}`, { method: 'PATCH', body: { city: 'x' } })).status).toBe(403);
    expect((await stranger.api(`branches/${id}`, { method: 'PATCH', body: { city: 'x' } })).status).toBe(404);
    expect((await stranger.api(`branches/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await stranger.api(`branches/${id}/main`, { method: 'POST' })).status).toBe(404);
  });

  test('refuses two with one name, in any spelling', async () => {
    const answer = await owner.api('branches', { method: 'POST', body: { name: 'LEFKOŞA', city: 'Lefkoşa' } });
    expect(answer.json.error.code).toBe('branch_name_taken');
  });

  test('the main mark moves and is never lost', async () => {
    const { id } = await branchNamed('Lefkoşa');
    const first = await branchNamed('Merkez');
    expect((await owner.api(`branches/${first.id}`, { method: 'DELETE' })).json.error.code).toBe('main_branch');
    expect((await owner.api(`branches/${id}/main`, { method: 'POST' })).json.data.is_main).toBe(true);
    expect((await branchNamed('Merkez')).is_main).toBe(false);
    await Promise.all([id, first.id, id, first.id].map((one) => owner.api(`branches/${one}/main`, { method: 'POST' })));
    const all = (await owner.api('branches')).json.data as { is_main: boolean }[];
    expect(all.filter((branch) => branch.is_main)).toHaveLength(1);
    // Nor without the service: the database enforces one.
    const unmark = service.database.onPlatform('write', (db) =>
      db.exec(sql`update branches set is_main = false where account_id = ${accountId}`),
    );
    await expect(unmark).rejects.toThrow(/one main branch/);
  });

  test('a person without a sign-in is kept with role and branch, and then the branch cannot be deleted', async () => {
    const { id: branch_id } = (await owner.api('branches', { method: 'POST', body: { name: 'Mağusa', city: 'Gazimağusa' } })).json
      .data;
    const made = await owner.api('staff', { method: 'POST', body: { full_name: 'Ayşe Öztürk', role: 'sales', branch_id } });
    expect(made.json.data).toMatchObject({ full_name: 'Ayşe Öztürk', branch: 'Mağusa', active: true, signs_in: false });
    const { id } = made.json.data;
    expect((await owner.api(`branches/${branch_id}`, { method: 'DELETE' })).json.error.code).toBe('branch_in_use');
    expect((await viewer.api('staff?q=ozturk')).json.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await viewer.api(`staff?branch_id=${branch_id}&active=true&role=sales`)).json.meta.count).toBe(1);
    expect((await stranger.api(`staff/${id}`, { method: 'PATCH', body: { role: 'owner' } })).status).toBe(404);
    const off = await owner.api(`staff/${id}`, { method: 'PATCH', body: { active: false, branch_id: null } });
    expect(off.json.data).toMatchObject({ active: false, branch_id: null });
    expect(await lastAudit('member.changed')).toMatchObject({
      before: { active: true, branch_id },
      after: { active: false, branch_id: null },
    });
    expect((await owner.api(`branches/${branch_id}`, { method: 'DELETE' })).json.data).toEqual({ removed: true });
  });

  test('a branch with a vehicle cannot be deleted', async () => {
    const { id } = (await owner.api('branches', { method: 'POST', body: { name: 'Güzelyurt', city: 'Güzelyurt' } })).json.data;
    await service.vehicle(accountId, { branch_id: id });
    expect(await branchNamed('Güzelyurt')).toMatchObject({ vehicle_count: 1, removable: false });
    expect((await owner.api(`branches/${id}`, { method: 'DELETE' })).json.error.code).toBe('branch_in_use');
  });

  test('a branch of another account is refused', async () => {
    const foreign = (await stranger.api('branches')).json.data[0].id;
    const answer = await owner.api('staff', { method: 'POST', body: { full_name: 'Can', role: 'sales', branch_id: foreign } });
    expect(answer.status).toBe(422);
    expect(answer.json.error.details[0]).toMatchObject({ field: 'branch_id', code: 'unknown' });
  });

  test('role and access of a person who signs in are not changed here, name and branch are', async () => {
    const line = (await owner.api('staff?role=viewer')).json.data[0];
    expect((await owner.api(`staff/${line.id}`, { method: 'PATCH', body: { role: 'owner' } })).json.error.code).toBe(
      'member_signs_in',
    );
    expect((await owner.api(`staff/${line.id}`, { method: 'PATCH', body: { active: false } })).json.error.code).toBe(
      'member_signs_in',
    );
    expect((await owner.api(`staff/${line.id}`, { method: 'PATCH', body: { full_name: 'Veli Kaya' } })).json.data.full_name).toBe(
      'Veli Kaya',
    );
  });
});

describe('the audit log', () => {
  test('is filtered by subject, actor, outcome and time, and paged', async () => {
    const subjects = (await owner.api('audit/subjects')).json.data;
    expect(subjects).toEqual([...subjects].sort());
    expect(subjects).toEqual(expect.arrayContaining(['account', 'branch', 'denied', 'member']));
    const branch = (await owner.api('audit?subject=branch&limit=100')).json.data as { action: string }[];
    expect(branch.length).toBeGreaterThan(3);
    expect(branch.every(({ action }) => action.startsWith('branch.'))).toBe(true);
    const denied = (await owner.api('audit?outcome=denied')).json.data;
    expect(denied[0]).toMatchObject({ action: 'denied', role: 'viewer', outcome: 'denied' });
    expect((await owner.api(`audit?actor=${encodeURIComponent(ownerEmail)}&outcome=denied`)).json.data).toEqual([]);
    expect((await owner.api('audit?to=2020-01-01')).json.data).toEqual([]);
    const [first, second] = [await owner.api('audit?limit=2'), await owner.api('audit?limit=2&offset=2')];
    expect(first.json.meta.has_more).toBe(true);
    expect(new Set([...first.json.data, ...second.json.data].map((line: { id: string }) => line.id)).size).toBe(4);
  });

  test('shows only the account’s own lines, to its owner only', async () => {
    expect((await viewer.api('audit')).status).toBe(403);
    const foreign = (await stranger.api('audit?limit=100')).json.data as { target: string }[];
    const own = new Set(((await owner.api('audit?limit=100')).json.data as { id: string }[]).map(({ id }) => id));
    expect(foreign.some((line) => own.has((line as unknown as { id: string }).id))).toBe(false);
  });
});
