// Access that is handed over: invitations and password links.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReset, findInvitation, invite, revokeInvitation } from '../../src/domain/identity/invitations.ts';
import type { Role } from '../../src/domain/identity/roles.ts';
import { sql } from '../../src/kit/sql.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

const DAY = 86_400_000;
const NEW_PASSWORD = 'bambaşka uzun bir cümle';
let service: TestService;
let accountId: string;
let owner: TestPerson;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ name: 'Surlariçi <Motors>' });
  owner = await newPerson(service, { accountId });
});
afterAll(() => service.close());

const newInvitation = (email: string, role: Role = 'sales') =>
  service.database.onPlatform('write', (db) =>
    invite(db, { accountId, email, fullName: 'Davetli Kişi', role, invitedBy: owner.id }, TEST_ACTOR, service.clock.now()),
  );
const newReset = (person: TestPerson) =>
  service.database.onPlatform('write', (db) =>
    createReset(db, person.id, { by: owner.id, accountId }, TEST_ACTOR, service.clock.now()),
  );

describe('an invitation', () => {
  test('makes a new person a member, signed in, with that account and role', async () => {
    const { token } = await newInvitation('yeni@example.com');
    const browser = new Browser(service.service.url);
    const page = await browser.send(`/panel/davet/${token}?lang=tr`);
    expect(page.text).toContain('Surlariçi &lt;Motors&gt; sizi davet ediyor');
    expect(page.text).toContain('Satış');
    expect((await browser.submit(`/panel/davet/${token}`, { full_name: 'Yeni Kişi', password: 'kısa' })).status).toBe(422);
    expect((await browser.submit(`/panel/davet/${token}`, { full_name: ' ', password: NEW_PASSWORD })).status).toBe(422);
    const answer = await browser.submit(`/panel/davet/${token}`, { full_name: 'Yeni Kişi', password: NEW_PASSWORD });
    expect(answer.status).toBe(303);
    expect((await browser.readSession()).json.data).toMatchObject({
      person: { email: 'yeni@example.com', full_name: 'Yeni Kişi' },
      account: { id: accountId, role: 'sales' },
    });
    expect((await new Browser(service.service.url).send(`/panel/davet/${token}`)).status).toBe(404);
    expect((await new Browser(service.service.url).signIn('yeni@example.com', NEW_PASSWORD)).status).toBe(303);
  });

  test('refuses names with invisible characters or characters that change the writing direction', async () => {
    const { token } = await newInvitation('gorunmez@example.com');
    const browser = new Browser(service.service.url);
    const named = (full_name: string) => browser.submit(`/panel/davet/${token}`, { full_name, password: NEW_PASSWORD });
    for (const unseen of ['\u202e', '\u200b', '\u2066', '\u3164', '\u0007'])
      expect((await named(`Noter${unseen}Ali`)).status, JSON.stringify(unseen)).toBe(422);
    expect((await named('Noter   Ali')).status).toBe(303);
    expect((await browser.readSession()).json.data.person.full_name).toBe('Noter Ali');
  });

  test('asks an existing person for their password, and never for a new one', async () => {
    const known = await newPerson(service, { accountId: await service.account() });
    const { token } = await newInvitation(known.email.toUpperCase(), 'viewer');
    const browser = new Browser(service.service.url);
    expect((await browser.send(`/panel/davet/${token}`)).text).not.toContain('new-password');
    expect((await browser.submit(`/panel/davet/${token}`, { full_name: 'Biri', password: NEW_PASSWORD })).status).toBe(422);
    const joined = await browser.submit(`/panel/davet/${token}`, { full_name: 'Biri', password: PASSWORD });
    expect(joined.status).toBe(303);
    expect((await browser.readSession()).json.data).toMatchObject({ account: { id: accountId, role: 'viewer' } });
    expect((await browser.readSession()).json.data.accounts).toHaveLength(2);
  });

  test('asks a signed-in person for nothing, and applies to them', async () => {
    const known = await newPerson(service, { accountId: await service.account() });
    const browser = await signedIn(service, known);
    const { token } = await newInvitation(known.email, 'finance');
    expect((await browser.send(`/panel/davet/${token}`)).text).not.toContain('type="password"');
    expect((await browser.submit(`/panel/davet/${token}`, {})).status).toBe(303);
    expect((await browser.readSession()).json.data.account).toMatchObject({ id: accountId, role: 'finance' });
  });

  test('ends after seven days, when it is revoked, and when a newer one is sent', async () => {
    const statusOf = async (token: string) => (await new Browser(service.service.url).send(`/panel/davet/${token}`)).status;
    const called = await newInvitation('a@example.com');
    await service.database.onPlatform('write', (db) =>
      revokeInvitation(db, accountId, called.id, TEST_ACTOR, service.clock.now()),
    );
    expect(await statusOf(called.token)).toBe(404);
    const first = await newInvitation('b@example.com');
    const second = await newInvitation('b@example.com');
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([404, 200]);
    const late = await newInvitation('c@example.com');
    const later = new Date(service.clock.now().getTime() + 7 * DAY + 1000);
    expect(await service.database.onPlatform('read', (db) => findInvitation(db, late.token, later))).toBeNull();
    expect(await statusOf('x'.repeat(43))).toBe(404);
    expect(await statusOf('short')).toBe(404);
  });

  test('two concurrent uses of one link create one member', async () => {
    const { token } = await newInvitation('ikisi@example.com');
    const statuses = await Promise.all(
      ['Bir', 'İki'].map(
        async (full_name) =>
          (await new Browser(service.service.url).submit(`/panel/davet/${token}`, { full_name, password: NEW_PASSWORD })).status,
      ),
    );
    expect(statuses.sort()).toEqual([303, 404]);
  });

  test('stores only the hash of the link’s token', async () => {
    const { token, id } = await newInvitation('d@example.com');
    const [row] = await service.database.onPlatform('read', (db) =>
      db.rows<{ text: string }>(sql`select invitations::text as text from invitations where id = ${id}`),
    );
    expect(row!.text).not.toContain(token);
    expect(row!.text).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('a password link', () => {
  test('sets it once and ends every session', async () => {
    const person = await newPerson(service, { accountId });
    const browser = await signedIn(service, person);
    const { token } = await newReset(person);
    const other = new Browser(service.service.url);
    expect((await other.submit(`/panel/parola-sifirla/${token}`, { password: 'aaaaaaaaaaaaaa' })).status).toBe(422);
    const answer = await other.submit(`/panel/parola-sifirla/${token}`, { password: NEW_PASSWORD });
    expect(answer.headers.get('location')).toBe('/panel/giris?parola=1');
    expect((await browser.api('session')).status).toBe(401);
    expect((await other.send(`/panel/parola-sifirla/${token}`)).status).toBe(404);
    expect((await other.signIn(person.email)).status).toBe(422);
    expect((await other.signIn(person.email, NEW_PASSWORD)).status).toBe(303);
  });

  test('ends after a day and after another password change, but not after a newer link', async () => {
    const person = await newPerson(service, { accountId });
    const statusOf = async (token: string) =>
      (await new Browser(service.service.url).send(`/panel/parola-sifirla/${token}`)).status;
    const [first, second] = [await newReset(person), await newReset(person)];
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([200, 200]);
    const browser = await signedIn(service, person);
    await browser.api('me/password', { method: 'POST', body: { password: PASSWORD, new_password: NEW_PASSWORD } });
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([404, 404]);
    const third = await newReset(person);
    service.clock.advance(DAY + 1000);
    expect(await statusOf(third.token)).toBe(404);
  });
});
