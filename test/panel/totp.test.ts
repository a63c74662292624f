// The second factor: the codes, setting it up, the second step of signing in, and recovery without the phone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeAt, newTotpSecret, stepAt, stepOfCode } from '../../src/domain/identity/totp.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
});
afterAll(() => service.close());

const codeNow = (secret: string, steps = 0) => codeAt(secret, stepAt(service.clock.now()) + steps);

describe('codes', () => {
  test('match RFC 6238', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const vectors: [number, string][] = [
      [59, '287082'],
      [1111111109, '081804'],
      [1234567890, '005924'],
      [20000000000, '353130'],
    ];
    for (const [seconds, code] of vectors) expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code);
  });

  test('are accepted one step early or late, not two', () => {
    const secret = newTotpSecret();
    const now = new Date('2026-11-15T10:00:00Z');
    const step = stepAt(now);
    for (const near of [-1, 0, 1]) expect(stepOfCode(secret, codeAt(secret, step + near), now)).toBe(step + near);
    for (const far of [-2, 2]) expect(stepOfCode(secret, codeAt(secret, step + far), now)).toBeNull();
    expect(stepOfCode(secret, '12345', now)).toBeNull();
  });
});

async function setUp(): Promise<{ person: TestPerson; browser: Browser; secret: string; recovery: string[] }> {
  const person = await newPerson(service, { accountId });
  const browser = await signedIn(service, person);
  const { secret, uri } = (await browser.api('me/totp', { method: 'POST' })).json.data;
  expect(uri).toContain(`secret=${secret}&issuer=Galeri`);
  const confirm = (code: string) => browser.api('me/totp/confirm', { method: 'POST', body: { code } });
  expect((await confirm('000000')).json.error.code).toBe('wrong_code');
  const done = await confirm(codeNow(secret));
  expect(done.json.data.recovery_codes).toHaveLength(10);
  // The code that confirmed it is used up.
  service.clock.advance(60_000);
  return { person, browser, secret, recovery: done.json.data.recovery_codes };
}

describe('signing in with it', () => {
  test('needs the code after the password; until then the cookie opens nothing', async () => {
    const { person, secret } = await setUp();
    const browser = new Browser(service.service.url);
    const first = await browser.submit('/panel/giris?next=/panel/katalog', { email: person.email, password: PASSWORD });
    expect(first.headers.get('location')).toBe('/panel/giris/kod?next=%2Fpanel%2Fkatalog');
    expect((await browser.api('session')).status).toBe(401);
    expect((await browser.send('/panel')).headers.get('location')).toContain('/panel/giris');
    const waiting = browser.cookieText();
    const path = first.headers.get('location')!;
    expect((await browser.submit(path, { code: '000000' })).status).toBe(422);
    const second = await browser.submit(path, { code: codeNow(secret) });
    expect(second.status).toBe(303);
    expect(second.headers.get('location')).toBe('/panel/katalog');
    expect((await browser.api('session')).json.data.person.has_totp).toBe(true);
    expect((await browser.api('session', { headers: { cookie: waiting } })).status).toBe(401);
  });

  test('accepts a code once', async () => {
    const { person, secret } = await setUp();
    const code = codeNow(secret);
    const give = async () => {
      const browser = new Browser(service.service.url);
      await browser.submit('/panel/giris', { email: person.email, password: PASSWORD });
      return (await browser.submit('/panel/giris/kod', { code })).status;
    };
    expect([await give(), await give()]).toEqual([303, 422]);
  });

  test('accepts each recovery code once, in any spelling', async () => {
    const { person, recovery } = await setUp();
    const give = async (code: string) => {
      const browser = new Browser(service.service.url);
      await browser.submit('/panel/giris', { email: person.email, password: PASSWORD });
      return (await browser.submit('/panel/giris/kod', { code })).status;
    };
    expect(await give(recovery[0]!.toLowerCase().replace('-', ' '))).toBe(303);
    expect(await give(recovery[0]!)).toBe(422);
    expect(await give(recovery[1]!)).toBe(303);
  });

  test('prevents guessing: five wrong codes are delayed, and the step expires soon', async () => {
    const { person, secret } = await setUp();
    const browser = new Browser(service.service.url);
    await browser.submit('/panel/giris', { email: person.email, password: PASSWORD });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await browser.submit('/panel/giris/kod', { code: '111111' })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    service.clock.advance(11 * 60_000);
    expect((await browser.submit('/panel/giris/kod', { code: codeNow(secret) })).headers.get('location')).toBe('/panel/giris');
  });
});

describe('the secret', () => {
  test('is encrypted in the database, the recovery codes are hashes', async () => {
    const { person, secret, recovery } = await setUp();
    const [row] = await service.database.onPlatform('read', (db) =>
      db.rows<{ text: string }>(sql`select people::text as text from people where id = ${person.id}`),
    );
    for (const word of [secret, Buffer.from(secret).toString('hex'), ...recovery, Buffer.from(recovery[0]!).toString('hex')])
      expect(row!.text).not.toContain(word);
  });

  test('is not replaced while it is in use, and is removed with the password', async () => {
    const { person, browser } = await setUp();
    expect((await browser.api('me/totp', { method: 'POST' })).status).toBe(409);
    service.clock.advance(11 * 60_000);
    expect((await browser.api('me/totp', { method: 'DELETE' })).json.error.code).toBe('reauthentication_required');
    await browser.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } });
    expect((await browser.api('me/totp', { method: 'DELETE' })).status).toBe(200);
    expect((await new Browser(service.service.url).signIn(person.email)).headers.get('location')).toBe('/panel');
  });

  test('is removed by the owner for a person who lost phone and codes, and by no one for themselves', async () => {
    const owner = await signedIn(service, await newPerson(service, { accountId }));
    const { person, browser } = await setUp();
    const lines = (await owner.api('members?limit=100')).json.data as { id: string; email: string; has_totp: boolean }[];
    const { id } = lines.find(({ email }) => email === person.email)!;
    expect((await browser.api(`members/${id}/totp`, { method: 'DELETE' })).status).toBe(409);
    expect((await owner.api(`members/${id}/totp`, { method: 'DELETE' })).status).toBe(200);
    expect((await browser.api('session')).status).toBe(401);
    expect((await new Browser(service.service.url).signIn(person.email)).headers.get('location')).toBe('/panel');
    const log = (await owner.api('audit?limit=5')).json.data as { action: string }[];
    expect(log.map(({ action }) => action)).toContain('totp.removed');
  });

  test('is removed by an administrator for anyone but themselves', async () => {
    const admin = await newPerson(service, { admin: true });
    const window = await signedIn(service, admin);
    const { person } = await setUp();
    expect((await window.api(`admin/people/${person.id}/totp`, { method: 'DELETE' })).status).toBe(200);
    expect((await new Browser(service.service.url).signIn(person.email)).headers.get('location')).toBe('/panel');
    expect((await window.api(`admin/people/${admin.id}/totp`, { method: 'DELETE' })).status).toBe(409);
  });
});
