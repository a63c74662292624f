// Members of an account: inviting, changing rights, removing, and regaining access.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeMember } from '../../src/domain/identity/members.ts';
import type { Db } from '../../src/kit/db.ts';
import type { Failure } from '../../src/kit/errors.ts';
import { sql } from '../../src/kit/sql.ts';
import { until } from '../support/patience.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
let ownerPerson: TestPerson;
let owner: Browser;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ name: 'Girne Oto' });
  ownerPerson = await newPerson(service, { accountId });
  owner = await signedIn(service, ownerPerson);
});
afterAll(() => service.close());

const member = async (email: string) =>
  (await owner.api('members?limit=100')).json.data.find((line: { email: string }) => line.email === email);
const pathOf = (link: string) => new URL(link).pathname;

describe('an invitation', () => {
  const body = { email: 'yeni@example.com', full_name: 'Yeni Kişi', role: 'finance' };

  test('is a link that creates a member, once', async () => {
    const made = await owner.api('invitations', { method: 'POST', body });
    expect(made.json.data).toMatchObject({ email: body.email });
    expect(made.json.data.link).toMatch(/^http:\/\/.+\/panel\/davet\/[\w-]{43}$/);
    const pending = (await owner.api('invitations')).json.data;
    expect(pending).toHaveLength(1);
    expect(pending[0]).toMatchObject({ ...body, expired: false });
    expect(JSON.stringify(pending)).not.toContain(made.json.data.link.split('/').at(-1));
    const guest = new Browser(service.service.url);
    const path = pathOf(made.json.data.link);
    const joined = await guest.submit(path, {
      full_name: 'Yeni Kişi',
      password: 'uzun ve iyi parola',
      password_again: 'uzun ve iyi parola',
    });
    expect(joined.status).toBe(303);
    expect((await guest.readSession()).json.data.account).toMatchObject({ id: accountId, role: 'finance' });
    expect((await owner.api('invitations')).json.data).toEqual([]);
    expect(await member(body.email)).toMatchObject({
      full_name: 'Yeni Kişi',
      role: 'finance',
      active: true,
      works_elsewhere: false,
    });
    expect((await new Browser(service.service.url).send(path)).status).not.toBe(200);
  });

  test('of an existing member is refused', async () => {
    const answer = await owner.api('invitations', {
      method: 'POST',
      body: { ...body, email: 'YENI@example.com', role: 'owner' },
    });
    expect(answer.json.error.code).toBe('already_member');
  });

  test('that was revoked opens nothing', async () => {
    const made = await owner.api('invitations', { method: 'POST', body: { ...body, email: 'geri@example.com' } });
    const [line] = (await owner.api('invitations')).json.data;
    expect((await owner.api(`invitations/${line.id}`, { method: 'DELETE' })).json.data).toEqual({ revoked: true });
    expect((await owner.api(`invitations/${line.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await new Browser(service.service.url).send(pathOf(made.json.data.link))).status).not.toBe(200);
  });

  test('gives a staff member a sign-in without duplicating them', async () => {
    const staff = (await owner.api('staff', { method: 'POST', body: { full_name: 'Ali Satıcı', role: 'sales' } })).json.data;
    const made = await owner.api('invitations', {
      method: 'POST',
      body: { email: 'ali@example.com', full_name: 'Ali Satıcı', role: 'sales', member_id: staff.id },
    });
    const guest = new Browser(service.service.url);
    const fields = { full_name: 'Ali Satıcı', password: 'uzun ve iyi parola', password_again: 'uzun ve iyi parola' };
    expect((await guest.submit(pathOf(made.json.data.link), fields)).status).toBe(303);
    expect(await member('ali@example.com')).toMatchObject({ id: staff.id });
    expect((await owner.api('staff?q=Ali')).json.data).toHaveLength(1);
  });

  test('of another account cannot be seen or revoked', async () => {
    await owner.api('invitations', { method: 'POST', body: { ...body, email: 'gizli@example.com' } });
    const [line] = (await owner.api('invitations')).json.data;
    const other = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
    expect((await other.api('invitations')).json.data).toEqual([]);
    expect((await other.api(`invitations/${line.id}`, { method: 'DELETE' })).status).toBe(404);
  });
});

describe('a change of rights', () => {
  test('takes effect at once: sessions with the old rights end', async () => {
    const person = await newPerson(service, { accountId, role: 'sales' });
    const browser = await signedIn(service, person);
    const { id } = await member(person.email);
    expect((await browser.api('audit')).status).toBe(403);
    expect((await owner.api(`members/${id}`, { method: 'PATCH', body: { role: 'owner' } })).json.data).toEqual({ changed: true });
    expect((await browser.api('session')).status).toBe(401);
    await browser.signIn(person.email);
    expect((await browser.api('audit')).status).toBe(200);
    const [line] = (await owner.api('audit?subject=member&limit=1')).json.data;
    expect(line).toMatchObject({
      action: 'member.role_changed',
      target: id,
      before: { role: 'sales', active: true },
      after: { role: 'owner', active: true },
    });
    expect((await owner.api(`members/${id}`, { method: 'PATCH', body: { active: false } })).status).toBe(200);
    expect((await browser.api('session')).status).toBe(401);
    await browser.signIn(person.email);
    expect((await browser.readSession()).json.data.account).toBeNull();
    expect((await browser.api('staff')).status).toBe(403);
  });

  test('of the caller continues with a new cookie', async () => {
    const person = await newPerson(service, { accountId, role: 'owner' });
    const browser = await signedIn(service, person);
    const before = browser.cookieText();
    const { id } = await member(person.email);
    expect((await browser.api(`members/${id}`, { method: 'PATCH', body: { role: 'viewer' } })).status).toBe(200);
    expect(browser.cookieText()).not.toBe(before);
    expect((await browser.readSession()).json.data.account.role).toBe('viewer');
    const old = new Browser(service.service.url);
    old.cookies.set('__Host-panel', /__Host-panel=([\w-]+)/.exec(before)![1]!);
    expect((await old.api('session')).status).toBe(401);
  });

  test('keeps the last owner', async () => {
    const alone = await newPerson(service, { accountId: await service.account() });
    const browser = await signedIn(service, alone);
    const [line] = (await browser.api('members')).json.data;
    for (const body of [{ role: 'viewer' }, { active: false }])
      expect((await browser.api(`members/${line.id}`, { method: 'PATCH', body })).json.error.code).toBe('last_owner');
  });

  test('keeps the last owner even when two leave concurrently: the second waits for the first', async () => {
    const account = await service.account();
    await newPerson(service, { accountId: account });
    await newPerson(service, { accountId: account });
    const { database } = service;
    const [one, two] = await database.onPlatform('read', (db) =>
      db.rows<{ id: string }>(sql`select id from members where account_id = ${account}`),
    );
    const stepDown = (db: Db, id: string) => changeMember(db, account, id, { role: 'viewer' }, TEST_ACTOR, new Date());
    const steppedDown = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = database.onPlatform('write', async (db) => {
      await stepDown(db, one!.id);
      steppedDown.resolve();
      await mayCommit.promise;
    });
    await steppedDown.promise;
    const second = database
      .onPlatform('write', (db) => stepDown(db, two!.id))
      .then(
        () => 'stepped down',
        (error: Failure) => error.code,
      );
    await until(() =>
      database.onPlatform('read', async (db) => (await db.rows(sql`select 1 from pg_locks where not granted`)).length > 0),
    );
    mayCommit.resolve();
    await first;
    expect(await second).toBe('last_owner');
  });

  test('asks for the password again when it was given long ago', async () => {
    const person = await newPerson(service, { accountId, role: 'owner' });
    const browser = await signedIn(service, person);
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`update sessions set reauthenticated_at = now() - interval '11 minutes' where person_id = ${person.id}`),
    );
    const { id } = await member(ownerPerson.email);
    for (const [method, path, body] of [
      ['PATCH', `members/${id}`, { role: 'viewer' }],
      ['POST', `members/${id}/password-reset`, {}],
      ['POST', 'invitations', { email: 'a@example.com', full_name: 'A', role: 'viewer' }],
    ] as const)
      expect((await browser.api(path, { method, body })).json.error.code).toBe('reauthentication_required');
    expect((await browser.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } })).status).toBe(200);
    expect((await browser.api(`members/${id}/password-reset`, { method: 'POST' })).status).toBe(200);
  });

  test('of a member of another account returns 404', async () => {
    const other = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
    const { id } = await member(ownerPerson.email);
    expect((await other.api(`members/${id}`, { method: 'PATCH', body: { active: false } })).status).toBe(404);
    expect((await other.api(`members/${id}/password-reset`, { method: 'POST' })).status).toBe(404);
  });
});

describe('a password link', () => {
  test('sets a new password and ends open sessions', async () => {
    const person = await newPerson(service, { accountId, role: 'sales' });
    const browser = await signedIn(service, person);
    const { id } = await member(person.email);
    const made = await owner.api(`members/${id}/password-reset`, { method: 'POST' });
    const password = 'bambaşka bir parola';
    const path = pathOf(made.json.data.link);
    expect((await new Browser(service.service.url).submit(path, { password, password_again: password })).status).toBe(303);
    expect((await browser.api('session')).status).toBe(401);
    expect((await new Browser(service.service.url).signIn(person.email, password)).status).toBe(303);
    expect((await new Browser(service.service.url).send(path)).status).not.toBe(200);
  });

  test('is not created for a person who works elsewhere too: it would open that account as well', async () => {
    const person = await newPerson(service, { accountId, role: 'sales' });
    const elsewhere = await service.account();
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`insert into members (account_id, id, person_id, full_name, role)
        values (${elsewhere}, gen_random_uuid(), ${person.id}, 'Kişi', 'owner')`),
    );
    const { id, works_elsewhere } = await member(person.email);
    expect(works_elsewhere).toBe(true);
    expect((await owner.api(`members/${id}/password-reset`, { method: 'POST' })).json.error.code).toBe('works_elsewhere');
  });
});

test('the role table names every catalog endpoint once, each with the owner', async () => {
  const table = (await owner.api('roles')).json.data as { rows: { id: string; roles: string[]; risk: string }[] }[];
  const rows = table.flatMap((category) => category.rows);
  expect(table).toHaveLength(28);
  expect(new Set(rows.map((row) => row.id)).size).toBe(185);
  expect(rows.every((row) => row.roles.includes('owner'))).toBe(true);
  expect(rows.some((row) => row.risk !== 'read' && row.roles.includes('viewer'))).toBe(false);
});
