// The lifetime of a session, what ends it, what sensitive actions require, and switching accounts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSession } from '../../src/domain/identity/sessions.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { newPerson, PASSWORD, signedIn } from './people.ts';

const MINUTE = 60_000;
let service: TestService;
let accountId: string;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
});
afterAll(() => service.close());

const exec = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));

describe('lasts', () => {
  test('half an hour without use', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    service.clock.advance(29 * MINUTE);
    expect((await browser.api('session')).status).toBe(200);
    service.clock.advance(29 * MINUTE);
    expect((await browser.api('session')).status).toBe(200);
    service.clock.advance(31 * MINUTE);
    expect((await browser.api('session')).json.error.code).toBe('session_required');
  });

  test('a quarter of an hour for an administrator', async () => {
    const browser = await signedIn(service, await newPerson(service, { admin: true }));
    service.clock.advance(14 * MINUTE);
    expect((await browser.api('session')).status).toBe(200);
    service.clock.advance(16 * MINUTE);
    expect((await browser.api('session')).status).toBe(401);
  });

  test('twelve hours at most, despite use', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    for (let used = 0; used < 12 * 60 - 25; used += 25) {
      service.clock.advance(25 * MINUTE);
      expect((await browser.api('session')).status, `${used} minutes`).toBe(200);
    }
    service.clock.advance(25 * MINUTE);
    expect((await browser.api('session')).status).toBe(401);
  });
});

describe('is ended by', () => {
  test('another session of the same person, by its line in the list', async () => {
    const person = await newPerson(service, { accountId });
    const [here, there] = [await signedIn(service, person), await signedIn(service, person)];
    const lines = (await here.api('sessions')).json.data;
    expect(lines.map((line: { current: boolean }) => line.current).sort()).toEqual([false, true]);
    const other = lines.find((line: { current: boolean }) => !line.current);
    expect((await here.api(`sessions/${other.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await there.api('session')).status).toBe(401);
    expect((await here.api('session')).status).toBe(200);
  });

  test('no other person', async () => {
    const [one, other] = [await newPerson(service, { accountId }), await newPerson(service, { accountId })];
    const [mine, theirs] = [await signedIn(service, one), await signedIn(service, other)];
    const [line] = (await theirs.api('sessions')).json.data;
    expect((await mine.api(`sessions/${line.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await theirs.api('session')).status).toBe(200);
  });

  test('signing out everywhere', async () => {
    const person = await newPerson(service, { accountId });
    const browsers = [await signedIn(service, person), await signedIn(service, person)];
    expect((await browsers[0]!.api('sessions/sign-out-everywhere', { method: 'POST' })).json.data).toEqual({ ended: 2 });
    for (const browser of browsers) expect((await browser.api('session')).status).toBe(401);
  });

  test('a new password: the others end, this one continues with a new cookie', async () => {
    const person = await newPerson(service, { accountId });
    const [here, there] = [await signedIn(service, person), await signedIn(service, person)];
    const before = here.cookieText();
    const wish = { password: PASSWORD, new_password: 'bambaşka uzun bir cümle' };
    expect((await here.api('me/password', { method: 'POST', body: { ...wish, password: 'wrong' } })).json.error.code).toBe(
      'wrong_password',
    );
    expect((await here.api('me/password', { method: 'POST', body: { ...wish, new_password: 'kısa' } })).json.error).toMatchObject(
      {
        code: 'validation_failed',
        details: [{ field: 'new_password' }],
      },
    );
    expect((await here.api('me/password', { method: 'POST', body: wish })).status).toBe(200);
    expect((await there.api('session')).status).toBe(401);
    expect((await here.api('session')).status).toBe(200);
    expect((await here.api('session', { headers: { cookie: before } })).status).toBe(401);
    expect((await here.submit('/panel/cikis', {})).status).toBe(303);
    expect((await here.signIn(person.email)).status).toBe(422);
    expect((await here.signIn(person.email, wish.new_password)).status).toBe(303);
  });

  test('a twenty-first session of the same person: the least recently used ends, and that is audited', async () => {
    const person = await newPerson(service, { accountId });
    const first = await signedIn(service, person);
    const begin = (pending: boolean) =>
      service.database.onPlatform('write', (db) =>
        beginSession(db, person.id, { ip: '127.0.0.1', userAgent: null }, service.clock.now(), { pending }),
      );
    service.clock.advance(1000);
    for (let count = 0; count < 25; count += 1) await begin(true);
    for (let count = 0; count < 19; count += 1) await begin(false);
    expect((await first.api('session')).status).toBe(200);
    await begin(false);
    expect((await first.api('session')).status).toBe(401);
    const [counted] = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select count(signed_in_at)::int as open, (count(*) - count(signed_in_at))::int as pending,
          (select array_agg(after) from audit_log where person_id = ${person.id} and action = 'session.ended_oldest') as audited
        from sessions where person_id = ${person.id}`),
    );
    expect(counted).toEqual({ open: 20, pending: 20, audited: [{ ended: 1 }] });
  });

  test('being disabled, or removed from the account', async () => {
    const person = await newPerson(service, { accountId, role: 'sales' });
    const browser = await signedIn(service, person);
    await exec(sql`update members set active = false where person_id = ${person.id}`);
    expect((await browser.api('session')).json.data).toMatchObject({ account: null, accounts: [] });
    expect((await browser.api('v1/vehicles')).status).toBe(403);
    await exec(sql`update people set disabled_at = now() where id = ${person.id}`);
    expect((await browser.api('session')).status).toBe(401);
  });
});

describe('sensitive actions', () => {
  test('ask for the password again after ten minutes', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const start = () => browser.api('me/totp', { method: 'POST' });
    expect((await start()).status).toBe(200);
    service.clock.advance(11 * MINUTE);
    expect((await start()).json.error.code).toBe('reauthentication_required');
    const again = (password: string) => browser.api('session/reauthenticate', { method: 'POST', body: { password } });
    expect((await again('wrong password')).json.error.code).toBe('wrong_password');
    expect((await start()).status).toBe(403);
    expect((await again(PASSWORD)).status).toBe(200);
    expect((await start()).status).toBe(200);
  });

  test('password guesses there are delayed as at the sign-in', async () => {
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    const guess = () => browser.api('session/reauthenticate', { method: 'POST', body: { password: 'wrong password' } });
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(422);
    // The first delay is a second, each further one twice as long: a slow machine may reach the next.
    let waiting = await guess();
    for (let count = 0; count < 8 && waiting.status === 422; count += 1) waiting = await guess();
    expect(waiting.json.error.code).toBe('too_many_attempts');
    expect(waiting.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('accounts', () => {
  test('one person works in several, with the role in each, with a new cookie after each switch', async () => {
    const second = await service.account();
    const person = await newPerson(service, { accountId, role: 'viewer' });
    await exec(sql`insert into members (account_id, id, person_id, full_name, role)
      values (${second}, gen_random_uuid(), ${person.id}, 'x', 'finance')`);
    const browser = await signedIn(service, person);
    const before = browser.cookieText();
    const answer = await browser.api('session/account', { method: 'POST', body: { account_id: second } });
    expect(answer.json.data.account).toMatchObject({ id: second, role: 'finance' });
    expect(answer.json.data.csrf).toBe(browser.csrf);
    expect((await browser.api('session', { headers: { cookie: before } })).status).toBe(401);
    expect((await browser.readSession()).json.data.account).toMatchObject({ id: second, role: 'finance' });
    await browser.submit('/panel/cikis', {});
    await browser.signIn(person.email);
    expect((await browser.readSession()).json.data.accounts).toHaveLength(2);
  });

  test('refuses an account that the person does not belong to', async () => {
    const foreign = await service.account();
    const browser = await signedIn(service, await newPerson(service, { accountId }));
    expect((await browser.api('session/account', { method: 'POST', body: { account_id: foreign } })).status).toBe(404);
    expect((await browser.readSession()).json.data.account.id).toBe(accountId);
  });

  test('a suspended one can be read and not changed; the session itself continues', async () => {
    const suspended = await service.account();
    const browser = await signedIn(service, await newPerson(service, { accountId: suspended }));
    await exec(sql`update accounts set status = 'Askıda' where id = ${suspended}`);
    expect((await browser.readSession()).json.data.account.status).toBe('Askıda');
    expect((await browser.api('v1/vehicles')).status).toBe(200);
    expect((await browser.api('v1/vehicles', { method: 'POST' })).json.error.code).toBe('account_suspended');
    expect((await browser.api('me', { method: 'PATCH', body: { theme: 'dark' } })).status).toBe(200);
  });
});

describe('an administrator', () => {
  test('views an account and changes nothing in it, and the view is audited', async () => {
    const person = await newPerson(service, { admin: true });
    const browser = await signedIn(service, person);
    expect((await browser.api('v1/vehicles')).status).toBe(403);
    const look = await browser.api('session/look', { method: 'POST', body: { account_id: accountId } });
    expect(look.json.data).toMatchObject({ look: true, account: { id: accountId, role: 'viewer', member_id: null } });
    expect((await browser.api('v1/vehicles')).status).toBe(200);
    for (const [path, method] of [
      ['v1/vehicles', 'POST'],
      ['session/look', 'POST'],
    ] as const)
      expect(['look_only', 'not_permitted']).toContain((await browser.api(path, { method })).json.error.code);
    const ended = await browser.api('session/end-look', { method: 'POST' });
    expect(ended.json.data).toMatchObject({ look: false, account: null });
    expect((await browser.api('v1/vehicles')).status).toBe(403);
    const rows = await service.database.onPlatform('read', (db) =>
      db.rows<{ action: string; outcome: string; account_id: string }>(
        sql`select action, outcome, account_id from audit_log where person_id = ${person.id} order by created_at, id`,
      ),
    );
    expect(rows).toContainEqual({ action: 'account.looked_at', outcome: 'done', account_id: accountId });
    expect(rows).toContainEqual({ action: 'denied', outcome: 'denied', account_id: accountId });
  });

  test('a former one sees nothing of it', async () => {
    const person = await newPerson(service, { admin: true });
    const browser = await signedIn(service, person);
    await browser.api('session/look', { method: 'POST', body: { account_id: accountId } });
    await exec(sql`update people set is_admin = false where id = ${person.id}`);
    expect((await browser.api('v1/vehicles')).status).toBe(403);
    expect((await browser.readSession()).json.data).toMatchObject({ look: false, account: null });
  });
});

test('name, language, theme and density belong to the person; unknown fields are refused in their language', async () => {
  const browser = await signedIn(service, await newPerson(service, { accountId }));
  const change = (body: unknown) => browser.api('me', { method: 'PATCH', body });
  const wish = { full_name: '  Ayşe   Öz ', locale: 'tr', theme: 'dark', density: 'compact' };
  expect((await change(wish)).json.data).toEqual({ ...wish, full_name: 'Ayşe Öz' });
  const session = (await browser.readSession()).json.data;
  expect(session.preferences).toEqual({ locale: 'tr', theme: 'dark', density: 'compact' });
  const refused = (await change({ theme: 'pink', is_admin: true })).json.error;
  expect(refused.message).toBe('Bazı alanlar geçerli değil');
  expect(refused.details.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
    ['theme', 'not_allowed'],
    ['is_admin', 'unknown_field'],
  ]);
});
