// Signing in: a plain form, wrong passwords, delays, and where it leads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../../src/domain/identity/people.ts';
import { sql } from '../../src/kit/sql.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
let owner: TestPerson;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ name: 'Çınar Oto' });
  owner = await newPerson(service, { accountId });
});
afterAll(() => service.close());

/** Another address for each test that fails deliberately: thirty attempts from one address reach its limit. */
const forgetFailures = () =>
  service.database.onPlatform('write', async (db) => {
    await db.exec(sql`delete from sign_in_failures`);
    await db.exec(sql`delete from sign_in_locks`);
  });

describe('the page', () => {
  test('is plain HTML with no script, a strict policy, and one form', async () => {
    const page = await new Browser(service.service.url).send('/panel/giris', { headers: { 'accept-language': 'tr' } });
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script|<style| style=| on\w+=/i);
    expect(page.text).toContain('<html lang="tr">');
    expect(page.text).toContain('Panele giriş');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'self'; style-src 'self'`);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const css = await new Browser(service.service.url).send('/panel/giris.css');
    expect(css.headers.get('content-type')).toContain('text/css');
    expect(css.text.length).toBeLessThan(12_000);
    expect(page.text.length + css.text.length).toBeLessThan(30_000);
  });

  test('uses the requested language', async () => {
    const browser = new Browser(service.service.url);
    expect((await browser.send('/panel/giris')).text).toContain('Sign in to the panel');
    expect((await browser.send('/panel/giris?lang=tr')).text).toContain('Panele giriş');
    expect((await browser.send('/panel/giris?lang=en', { headers: { 'accept-language': 'tr' } })).text).toContain('Sign in');
  });

  test('shows no demo sign-ins outside a demonstration', async () => {
    expect((await new Browser(service.service.url).send('/panel/giris')).text).not.toContain('class="demo"');
  });
});

describe('signing in', () => {
  test('with the form sets a host-only cookie and leads into the panel', async () => {
    const browser = new Browser(service.service.url);
    const answer = await browser.submit('/panel/giris', { email: owner.email, password: PASSWORD });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/panel');
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-panel='))!;
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    const session = (await browser.api('session')).json.data;
    expect(session).toMatchObject({
      person: { email: owner.email, is_admin: false, has_totp: false },
      account: { id: accountId, name: 'Çınar Oto', role: 'owner' },
      accounts: [{ id: accountId, role: 'owner' }],
      look: false,
      demo: false,
    });
  });

  test('leads to the requested page, and never to another site', async () => {
    const landing = async (next: string) =>
      (
        await new Browser(service.service.url).submit(`/panel/giris?next=${encodeURIComponent(next)}`, {
          email: owner.email,
          password: PASSWORD,
        })
      ).headers.get('location');
    expect(await landing('/panel/araclar?status=Stokta&page=2')).toBe('/panel/araclar?status=Stokta&page=2');
    for (const evil of [
      '//evil.example',
      'https://evil.example/panel',
      '/panel/../api',
      '/\\evil.example',
      '/panel//evil',
      'javascript:1',
    ])
      expect(await landing(evil), evil).toBe('/panel');
  });

  test('without a session every screen leads to the sign-in and back', async () => {
    const answer = await new Browser(service.service.url).send('/panel/araclar?status=Stokta');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/panel/giris?next=%2Fpanel%2Faraclar%3Fstatus%3DStokta');
  });

  test('gives the same reply for a wrong password, an unknown address and a disabled person', async () => {
    const disabled = await newPerson(service, { accountId });
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`update people set disabled_at = now() where id = ${disabled.id}`),
    );
    const say = async (email: string, password: string) => {
      const { status, text } = await new Browser(service.service.url).submit('/panel/giris', { email, password });
      return { status, note: /role="alert">([^<]*)/.exec(text)?.[1] };
    };
    const wrong = await say(owner.email, 'not the password');
    expect(wrong).toEqual({ status: 422, note: 'The e-mail address or the password is wrong.' });
    expect(await say('nobody@example.com', 'not the password')).toEqual(wrong);
    expect(await say(disabled.email, PASSWORD)).toEqual(wrong);
    await forgetFailures();
  });

  test('creates a new session each time; the previous one ends', async () => {
    const browser = await signedIn(service, owner);
    const before = browser.cookies.get('__Host-panel');
    browser.cookies.delete('__Host-panel');
    await browser.signIn(owner.email);
    expect(browser.cookies.get('__Host-panel')).not.toBe(before);
  });

  test('refuses a foreign form: no token, a token of another browser, another site', async () => {
    const fields = { email: owner.email, password: PASSWORD };
    const other = new Browser(service.service.url);
    const foreign = /name="csrf" value="([^"]*)"/.exec((await other.send('/panel/giris')).text)![1]!;
    for (const [more, headers] of [
      [{ csrf: '' }, {}],
      [{ csrf: foreign }, {}],
      [{}, { 'sec-fetch-site': 'cross-site' }],
      [{}, { 'sec-fetch-site': 'same-site' }],
    ] as const) {
      const browser = new Browser(service.service.url);
      await browser.send('/panel/giris');
      const answer = await browser.submit('/panel/giris', { ...fields, ...more }, headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(browser.cookies.has('__Host-panel')).toBe(false);
    }
  });
});

describe('guessing', () => {
  /** A delay of a second may be over before a busy machine asks again. */
  const holdLocks = () =>
    service.database.onPlatform('write', (db) =>
      db.exec(sql`update sign_in_locks set locked_until = locked_until + interval '1 hour' where locked_until is not null`),
    );

  const lockSeconds = async () => {
    const locks = await service.database.onPlatform('read', (db) =>
      db.rows<{ seconds: number }>(sql`select extract(epoch from locked_until - last_failed_at)::int as seconds
        from sign_in_locks where locked_until is not null`),
    );
    return locks.map(({ seconds }) => seconds);
  };

  test('are delayed after five, longer each time, also for the right password', async () => {
    const person = await newPerson(service, { accountId });
    const browser = new Browser(service.service.url);
    const tryWith = async (password: string) => {
      const { status, text } = await browser.submit('/panel/giris', { email: person.email, password });
      return { status, wait: /in (\d+ \w+)\./.exec(text)?.[1] };
    };
    for (let count = 0; count < 4; count += 1) expect(await tryWith('wrong password')).toEqual({ status: 422, wait: undefined });
    for (const seconds of [1, 2, 4, 8, 16, 32]) {
      expect(await tryWith('wrong password')).toEqual({ status: 422, wait: undefined });
      expect(await lockSeconds()).toEqual([seconds]);
      await holdLocks();
      expect(await tryWith(PASSWORD)).toEqual({ status: 429, wait: expect.stringMatching(/^(60|61) minutes$/) });
      service.clock.advance(3_600_000 + seconds * 1000);
    }
    expect((await tryWith(PASSWORD)).status).toBe(303);
    await forgetFailures();
  });

  test('of an unknown address lock it the same way', async () => {
    const browser = new Browser(service.service.url);
    const fields = { email: 'no-one@example.com', password: 'wrong password' };
    for (let count = 0; count < 5; count += 1) expect((await browser.submit('/panel/giris', fields)).status).toBe(422);
    await holdLocks();
    expect((await browser.submit('/panel/giris', fields)).status).toBe(429);
    await forgetFailures();
  });

  test('sent concurrently are all counted', async () => {
    const person = await newPerson(service, { accountId });
    const wrong = () =>
      new Browser(service.service.url).submit('/panel/giris', { email: person.email, password: 'wrong password' });
    await wrong();
    // Enough that the next one locks for minutes, on a machine of any speed.
    await service.database.onPlatform('write', (db) => db.exec(sql`update sign_in_locks set failures = 14`));
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await wrong()).status));
    expect(statuses.filter((status) => status === 422)).toHaveLength(1);
    await forgetFailures();
  });

  test('from one address are stopped after thirty, for all names, and allowed again after a quarter of an hour', async () => {
    const browser = new Browser(service.service.url);
    for (let count = 0; count < 30; count += 1)
      expect((await browser.submit('/panel/giris', { email: `x${count}@example.com`, password: 'wrong password' })).status).toBe(
        422,
      );
    expect((await browser.submit('/panel/giris', { email: owner.email, password: PASSWORD })).status).toBe(429);
    service.clock.advance(15 * 60_000 + 1000);
    expect((await browser.submit('/panel/giris', { email: owner.email, password: PASSWORD })).status).toBe(303);
    await forgetFailures();
  });

  test('are audited, without the password', async () => {
    const person = await newPerson(service, { accountId });
    await new Browser(service.service.url).submit('/panel/giris', { email: person.email, password: 'hunter2 hunter2' });
    const rows = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select action, outcome, ip, request_id, after from audit_log where person_id = ${person.id}`),
    );
    expect(rows).toMatchObject([{ action: 'session.refused', outcome: 'denied', after: { because: 'password' } }]);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
    await forgetFailures();
  });
});

test('owners see how their people sign in, are refused and delayed; other dealers do not', async () => {
  const second = await service.account();
  const person = await newPerson(service, { accountId, role: 'sales' });
  await service.database.onPlatform('write', (db) =>
    addMember(db, { accountId: second, personId: person.id, fullName: 'X', role: 'viewer', email: person.email }, TEST_ACTOR),
  );
  const browser = new Browser(service.service.url);
  for (let count = 0; count < 5; count += 1)
    await browser.submit('/panel/giris', { email: person.email, password: 'wrong password' });
  service.clock.advance(2000);
  expect((await browser.signIn(person.email)).status).toBe(303);
  const seenBy = async (account: string) => {
    const reader = await signedIn(service, await newPerson(service, { accountId: account }));
    const found = await reader.api(`audit?subject=session&actor=${encodeURIComponent(person.email)}`);
    return found.json.data.map(({ action, outcome, role }: Record<string, string>) => `${action} ${outcome} ${role}`);
  };
  const refused = new Array(4).fill('session.refused denied');
  const expected = ['session.began done', 'session.locked denied', ...refused];
  expect(await seenBy(accountId)).toEqual(expected.map((line) => `${line} sales`));
  expect(await seenBy(second)).toEqual(expected.map((line) => `${line} viewer`));
  expect(await seenBy(await service.account())).toEqual([]);
  await forgetFailures();
});

describe('signing out', () => {
  test('ends the session itself: the old cookie opens nothing', async () => {
    const browser = await signedIn(service, owner);
    const cookie = browser.cookieText();
    const answer = await browser.submit('/panel/cikis', {});
    expect(answer.headers.get('location')).toBe('/panel/giris?cikis=1');
    expect(browser.cookies.has('__Host-panel')).toBe(false);
    expect((await browser.api('session', { headers: { cookie } })).status).toBe(401);
  });

  test('works with the token of the panel, and not without one', async () => {
    const browser = await signedIn(service, owner);
    const send = (csrf: string) =>
      browser.send('/panel/cikis', {
        method: 'POST',
        raw: new URLSearchParams({ csrf }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await send('')).status).toBe(403);
    expect((await browser.api('session')).status).toBe(200);
    expect((await send(browser.csrf)).status).toBe(303);
    expect((await browser.api('session')).status).toBe(401);
  });
});
