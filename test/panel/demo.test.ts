// Users of the demonstration: every sign-in from another address is refused, and other users are not affected.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReset, findInvitation, invite } from '../../src/domain/identity/invitations.ts';
import { codeAt, stepAt } from '../../src/domain/identity/totp.ts';
import { countAdmins } from '../../src/domain/keys/second-administrator.ts';
import { sql } from '../../src/kit/sql.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

const ELSEWHERE = { 'x-forwarded-for': '203.0.113.7' };
let service: TestService;
let accountId = '';
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
});
afterAll(() => service.close());

const codeNow = (secret: string) => codeAt(secret, stepAt(service.clock.now()));

async function demoPerson(overrides: { admin?: boolean } = {}): Promise<TestPerson> {
  const person = await newPerson(service, overrides.admin ? { admin: true } : { accountId });
  await service.database.onPlatform('write', (db) => db.exec(sql`update people set is_demo = true where id = ${person.id}`));
  return person;
}

describe('from another address', () => {
  test('the right password is answered like a wrong one, counted and logged', async () => {
    const { email } = await demoPerson();
    const wrong = await new Browser(service.service.url).submit('/panel/giris', { email, password: 'something else' }, ELSEWHERE);
    const right = await new Browser(service.service.url).submit('/panel/giris', { email, password: PASSWORD }, ELSEWHERE);
    const message = (text: string) => /<p class="note"[^>]*>([^<]*)</.exec(text)?.[1];
    expect([right.status, message(right.text)]).toEqual([wrong.status, message(wrong.text)]);
    expect(right.headers.getSetCookie().join()).not.toContain('__Host-panel=');
    const refusals = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select action, after from audit_log where actor = ${email} and outcome = 'denied' order by id`),
    );
    expect(refusals).toEqual([
      { action: 'session.refused', after: { because: 'password' } },
      { action: 'session.refused', after: { because: 'demo' } },
    ]);
    expect((await new Browser(service.service.url).signIn(email)).status).toBe(303);
  });

  test('a session that started here opens nothing: not the panel, its API, a page or the pending second factor', async () => {
    const browser = await signedIn(service, await demoPerson({ admin: true }));
    expect((await browser.api('admin/accounts', { headers: ELSEWHERE })).status).toBe(401);
    expect((await browser.api('v1/vehicles', { headers: ELSEWHERE })).status).toBe(401);
    const change = { method: 'PATCH', body: { full_name: 'Someone' }, headers: ELSEWHERE };
    expect((await browser.api('me', change)).status).toBe(401);
    expect((await browser.send('/panel', { headers: ELSEWHERE })).headers.get('location')).toMatch(/^\/panel\/giris/);
    expect((await browser.api('admin/accounts')).status).toBe(200);

    const { secret } = (await browser.api('me/totp', { method: 'POST' })).json.data;
    await browser.api('me/totp/confirm', { method: 'POST', body: { code: codeNow(secret) } });
    service.clock.advance(60_000);
    const { email } = (await browser.readSession()).json.data.person;
    const pending = new Browser(service.service.url);
    await pending.submit('/panel/giris', { email, password: PASSWORD });
    const code = await pending.submit('/panel/giris/kod', { code: codeNow(secret) }, ELSEWHERE);
    expect(code.headers.get('location') ?? '').not.toBe('/panel');
    expect((await pending.api('session', { headers: ELSEWHERE })).status).toBe(401);
  });

  test('a password link sets one, which opens nothing there either', async () => {
    const person = await demoPerson();
    const { token } = await service.database.onPlatform('write', (db) =>
      createReset(db, person.id, { by: null }, TEST_ACTOR, service.clock.now()),
    );
    const browser = new Browser(service.service.url);
    const password = 'kısa değil ve yeni';
    expect((await browser.submit(`/panel/parola-sifirla/${token}`, { password }, ELSEWHERE)).status).toBe(303);
    expect((await browser.submit('/panel/giris', { email: person.email, password }, ELSEWHERE)).status).toBe(422);
    expect((await new Browser(service.service.url).signIn(person.email, password)).status).toBe(303);
  });

  test('an invitation into another account is not accepted', async () => {
    const person = await demoPerson();
    const other = await service.account();
    const owner = await newPerson(service, { accountId: other });
    const body = { accountId: other, email: person.email, fullName: 'Kişi', role: 'owner', invitedBy: owner.id } as const;
    const { token } = await service.database.onPlatform('write', (db) => invite(db, body, TEST_ACTOR, service.clock.now()));
    const browser = new Browser(service.service.url);
    expect((await browser.submit(`/panel/davet/${token}`, { password: PASSWORD }, ELSEWHERE)).status).toBe(422);
    const still = await service.database.onPlatform('read', (db) => findInvitation(db, token, service.clock.now()));
    expect(still?.person_id).toBe(person.id);
  });
});

test('other users sign in from anywhere, and see the demonstration only if they belong to it', async () => {
  const person = await newPerson(service, { accountId });
  const browser = new Browser(service.service.url);
  expect((await browser.submit('/panel/giris', { email: person.email, password: PASSWORD }, ELSEWHERE)).status).toBe(303);
  expect((await browser.api('session', { headers: ELSEWHERE })).json.data.demo).toBe(false);
  await service.database.onPlatform('write', (db) => db.exec(sql`update accounts set is_demo = true where id = ${accountId}`));
  expect((await browser.api('session', { headers: ELSEWHERE })).json.data.demo).toBe(true);
});

test("the demonstration's administrator does not count as a second administrator", async () => {
  const count = () => service.database.onPlatform('read', (db) => countAdmins(db));
  const before = await count();
  await demoPerson({ admin: true });
  expect(await count()).toBe(before);
  await newPerson(service, { admin: true });
  expect(await count()).toBe(before + 1);
});
