// The sandbox's own endpoints in the panel: who may use them, and that they show, move and replace the world of the account.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { dropMessage } from '../../src/domain/worlds/messages.ts';
import { sql } from '../../src/kit/sql.ts';
import { SANDBOX_RULES } from '../../src/sandbox/people/rules.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { type TestService, testService } from '../support/service.ts';

const DAY = 86_400_000;
const ENDPOINTS = [
  ['GET', 'world'],
  ['POST', 'world/reset'],
  ['POST', 'world/clock'],
  ['GET', 'world/rules'],
  ['GET', 'world/messages'],
] as const;

let api: TestService;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' } });
});
afterAll(() => api.close());

const personIn = async (accountId: string, role: 'owner' | 'developer' | 'finance' | 'sales' | 'viewer') =>
  signedIn(api, await newPerson(api, { accountId, role }));

/** An owner with an empty world. */
async function ownerOfWorld() {
  const accountId = await api.account();
  const owner = await personIn(accountId, 'owner');
  const { json } = await owner.api('world/reset', { method: 'POST', body: { data: 'empty', keep_webhooks: true } });
  return { accountId, owner, worldId: json.data.id as string };
}

/** How many sandboxes the account has or had. */
const worldsOf = async (accountId: string): Promise<number> =>
  (
    await api.database.onPlatform('read', (db) =>
      db.one<{ count: number }>(sql`select count(*)::int as count from worlds where owner_id = ${accountId}`),
    )
  ).count;

test('no bank account of the platform is shown, because nothing of a sandbox is paid for', async () => {
  const admin = await signedIn(api, await newPerson(api, { admin: true }));
  const account = { bank: 'Ziraat', holder: 'Galeri A.Ş.', iban: 'TR33 0006 1005 1978 6457 8413 26' };
  expect((await admin.api('admin/bank-accounts', { method: 'POST', body: account })).status).toBe(200);
  const { owner } = await ownerOfWorld();
  expect((await owner.api('wallet/bank-accounts')).json.data).toHaveLength(1);
  expect((await owner.api('sandbox/wallet/bank-accounts')).json.data).toEqual([]);
});

test('the address of its showroom begins with sandbox-, so that it takes none that a dealer may want', async () => {
  const { owner, worldId } = await ownerOfWorld();
  const change = (slug: string) => owner.api('sandbox/settings/showroom', { method: 'PATCH', body: { slug } });
  const refused = await change('guzel-oto');
  expect([refused.status, refused.json.error.details[0]]).toMatchObject([422, { field: 'slug', code: 'invalid' }]);
  expect((await change(`sandbox-${worldId.slice(-8)}`)).status).toBe(200);
});

describe('who may use it', () => {
  test.each(['finance', 'sales', 'viewer'] as const)('%s is refused everywhere, and no world is made', async (role) => {
    const accountId = await api.account();
    const person = await personIn(accountId, role);
    expect((await person.api('session')).json.data.may_use_sandbox).toBe(false);
    for (const prefix of ['', 'sandbox/'])
      for (const [method, path] of ENDPOINTS) {
        const refused = await person.api(`${prefix}${path}`, { method, body: {} });
        expect([refused.status, refused.json.error.code], path).toEqual([403, 'not_permitted']);
      }
    for (const path of ['sandbox/session', 'sandbox/v1/vehicles'])
      expect((await person.api(path)).json.error.code).toBe('not_permitted');
    expect(await worldsOf(accountId)).toBe(0);
  });

  test('an administrator who views the account reads its world, and neither makes nor changes one', async () => {
    const accountId = await api.account();
    const admin = await signedIn(api, await newPerson(api, { admin: true }));
    await admin.api('session/look', { method: 'POST', body: { account_id: accountId } });
    await admin.readSession();
    expect((await admin.api('session')).json.data.may_use_sandbox).toBe(true);
    for (const path of ['world', 'sandbox/world', 'sandbox/v1/vehicles'])
      expect((await admin.api(path)).json.error.code, path).toBe('not_found');
    expect(await worldsOf(accountId)).toBe(0);
    const owner = await personIn(accountId, 'owner');
    await owner.api('world/reset', { method: 'POST', body: { data: 'empty', keep_webhooks: true } });
    expect((await admin.api('sandbox/world')).status).toBe(200);
    const moved = await admin.api('sandbox/world/clock', { method: 'POST', body: { advance: '1d' } });
    expect([moved.status, moved.json.error.code]).toEqual([403, 'look_only']);
  });
});

describe('the session', () => {
  test('is the same in both environments, with the account and the time of each', async () => {
    const { accountId, owner, worldId } = await ownerOfWorld();
    await owner.api('sandbox/world/clock', { method: 'POST', body: { advance: '2d' } });
    const [live, inWorld] = [(await owner.api('session')).json.data, (await owner.api('sandbox/session')).json.data];
    expect(live).toMatchObject({ may_use_sandbox: true, account: { id: accountId }, clock_offset_ms: 0 });
    expect(inWorld).toMatchObject({ account: { id: worldId, role: 'owner', name: live.account.name }, csrf: live.csrf });
    expect(inWorld.clock_offset_ms).toBeGreaterThan(DAY);
    expect(Object.keys(inWorld.account).sort()).toEqual(Object.keys(live.account).sort());
  });
});

describe('the world', () => {
  test('a reset replaces it, and is in the audit log of the account', async () => {
    const { accountId, owner, worldId } = await ownerOfWorld();
    await owner.api('sandbox/branches', { method: 'POST', body: { name: 'Eski Şube', city: 'Girne' } });
    const reset = await owner.api('sandbox/world/reset', { method: 'POST', body: { data: 'empty', keep_webhooks: false } });
    expect(reset.json.data).toMatchObject({ data: 'empty', counts: { vehicles: { count: 0, limit: 1000 } } });
    expect(reset.json.data.id).not.toBe(worldId);
    expect((await owner.api('sandbox/branches')).text).not.toContain('Eski Şube');
    expect((await owner.api('sandbox/world')).json.data).toMatchObject({ id: reset.json.data.id });
    const acts = (await owner.api('audit')).json.data.map(({ action }: { action: string }) => action);
    expect(acts.filter((action: string) => action === 'sandbox.reset')).toHaveLength(2);
    expect(await worldsOf(accountId)).toBe(2);
  });

  test('the clock moves forward by a duration and to a day, and what is wrong is refused', async () => {
    const { owner } = await ownerOfWorld();
    const clock = (body: object) => owner.api('sandbox/world/clock', { method: 'POST', body });
    const { from, to } = (await clock({ advance: '30d' })).json.data;
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * DAY);
    const day = new Date(Date.parse(to) + 5 * DAY).toISOString().slice(0, 10);
    expect((await clock({ to: day })).status).toBe(200);
    expect((await clock({ to: from })).json.error.code).toBe('clock_moves_forward');
    expect((await clock({ to: '2099-01-01' })).json.error.code).toBe('clock_out_of_range');
    expect((await clock({})).json.error.details[0].field).toBe('advance');
    expect((await owner.api('sandbox/world')).json.data.clock).toMatchObject({ status: 'ready', move: null, failure: null });
  });

  test('rules and messages are read by page and filter', async () => {
    const { owner, worldId } = await ownerOfWorld();
    expect((await owner.api('sandbox/world/rules')).json.data).toEqual(JSON.parse(JSON.stringify(SANDBOX_RULES)));
    const keys = sealingKeys(api.service.parts.secrets, worldId);
    await api.database.inTenant(worldId, 'write', async (db) => {
      for (const [place, channel] of (['E-posta', 'SMS', 'E-posta'] as const).entries())
        await dropMessage(db, keys, { channel, to: `kisi${place}@example.com`, text: `Metin ${place}` }, api.clock.now());
    });
    const page = (await owner.api('sandbox/world/messages?limit=2')).json;
    expect(page.data.map(({ text }: { text: string }) => text)).toEqual(['Metin 2', 'Metin 1']);
    expect(page.meta).toMatchObject({ has_more: true });
    expect((await owner.api('sandbox/world/messages?channel=E-posta')).json.data).toHaveLength(2);
    expect((await owner.api('sandbox/world/messages?to=KISI1@example.com')).json.data).toHaveLength(1);
  });
});

test('a service without isolated sandboxes has neither switch nor world', async () => {
  const shared = await testService();
  try {
    const owner = await signedIn(shared, await newPerson(shared, { accountId: await shared.account(), role: 'owner' }));
    expect((await owner.api('session')).json.data.may_use_sandbox).toBe(false);
    for (const path of ['world', 'sandbox/world', 'sandbox/session'])
      expect((await owner.api(path)).json.error.code, path).toBe('sandbox_not_enabled');
  } finally {
    await shared.close();
  }
});
