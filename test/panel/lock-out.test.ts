// Wrong passwords from strangers do not lock a person out of their session or known device, and do not reveal which addresses
// exist.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requestReset } from '../../src/domain/identity/reset-requests.ts';
import { signIn } from '../../src/domain/identity/sign-in.ts';
import { vaultKeys } from '../../src/domain/vault/vault.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

const DEVICE = '__Host-panel-device';
const FROM = { ip: '127.0.0.1', userAgent: null, requestId: 'test' };
let service: TestService;
let accountId: string;
let statements: string[] = [];
beforeAll(async () => {
  service = await testService({
    env: { SMTP_URL: 'smtp://127.0.0.1:9?from=panel@example.com' },
    database: {
      watch: (statement) => {
        statements.push(statement.text.trim().split(' ')[0]!);
        return statement;
      },
    },
  });
  accountId = await service.account();
});
afterAll(() => service.close());
beforeEach(async () => {
  // Refusals are cached for a few seconds.
  service.clock.advance(16 * 60_000);
  await exec(sql`delete from sign_in_failures`);
  await exec(sql`delete from sign_in_locks`);
});

const exec = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));
const tryAs = async (browser: Browser, email: string, password = 'yanlış bir parola'): Promise<number> =>
  (await browser.submit('/panel/giris', { email, password })).status;
const stranger = () => new Browser(service.service.url);
const lock = () => exec(sql`update sign_in_locks set locked_until = now() + interval '1 day' where locked_until is not null`);

/** Wrong passwords of strangers until the name is locked. */
async function lockOut({ email }: TestPerson): Promise<void> {
  for (let n = 0; n < 5; n += 1) expect(await tryAs(stranger(), email)).toBe(422);
  await lock();
  expect(await tryAs(stranger(), email, PASSWORD)).toBe(429);
}

describe('while strangers have locked the name', () => {
  test('the password is accepted again in an open session, and can be changed', async () => {
    const person = await newPerson(service, { accountId });
    const owner = await signedIn(service, person);
    await lockOut(person);
    const again = (password: string) => owner.api('session/reauthenticate', { method: 'POST', body: { password } });
    expect((await again(PASSWORD)).status).toBe(200);
    // The session has its own limit of attempts.
    for (let n = 0; n < 5; n += 1) expect((await again('yanlış bir parola')).json.error.code).toBe('wrong_password');
    await lock();
    expect((await again(PASSWORD)).json.error.code).toBe('too_many_attempts');
    const other = await signedIn(service, await newPerson(service, { accountId }));
    expect((await other.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } })).status).toBe(200);
  });

  test('a device on which the person signed in before can sign in', async () => {
    const person = await newPerson(service, { accountId });
    const known = await signedIn(service, person);
    await known.api('sessions/sign-out-everywhere', { method: 'POST' });
    await lockOut(person);
    expect(await tryAs(known, person.email, PASSWORD)).toBe(303);
    // Strangers gain no attempts by it.
    expect(await tryAs(stranger(), person.email, PASSWORD)).toBe(429);
  });

  test('a device of another person, and one with a forged cookie, cannot', async () => {
    const person = await newPerson(service, { accountId });
    const other = await signedIn(service, await newPerson(service, { accountId }));
    await other.api('sessions/sign-out-everywhere', { method: 'POST' });
    const forged = await signedIn(service, person);
    await forged.api('sessions/sign-out-everywhere', { method: 'POST' });
    const token = forged.cookies.get(DEVICE)!;
    forged.cookies.set(DEVICE, `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`);
    await lockOut(person);
    for (const browser of [other, forged]) expect(await tryAs(browser, person.email, PASSWORD)).toBe(429);
  });

  test('a device shared by several people is known for each of them', async () => {
    const people = [await newPerson(service, { accountId }), await newPerson(service, { accountId })] as const;
    const shared = stranger();
    for (const { email } of people) {
      expect((await shared.signIn(email)).status).toBe(303);
      await shared.api('sessions/sign-out-everywhere', { method: 'POST' });
    }
    for (const person of people) {
      await lockOut(person);
      expect(await tryAs(shared, person.email, PASSWORD)).toBe(303);
      await shared.readSession();
      await shared.api('sessions/sign-out-everywhere', { method: 'POST' });
    }
  });
});

test('attempts from a known device are limited, and lock neither the name nor another device', async () => {
  const person = await newPerson(service, { accountId });
  const known = await signedIn(service, person);
  await known.api('sessions/sign-out-everywhere', { method: 'POST' });
  for (let n = 0; n < 5; n += 1) expect(await tryAs(known, person.email)).toBe(422);
  await lock();
  expect(await tryAs(known, person.email, PASSWORD)).toBe(429);
  expect(await tryAs(stranger(), person.email, PASSWORD)).toBe(303);
});

describe('password links', () => {
  const asked = (email: string, token: (value: string) => void) =>
    service.database.onPlatform('write', (db) => {
      const mailOf = (value: string) => {
        token(value);
        return { subject: 'x', text: 'x' };
      };
      return requestReset(db, vaultKeys(service.secrets), { email, from: FROM, mailOf }, service.clock.now());
    });
  const mailsTo = async (email: string): Promise<number> =>
    service.database.onPlatform(
      'read',
      async (db) => (await db.rows(sql`select 1 from mails where recipient = ${email}`)).length,
    );
  const statusOf = async (token: string) => (await stranger().send(`/panel/parola-sifirla/${token}`)).status;

  test('are limited to five a day per person, and stay valid together until one is used', async () => {
    const { email } = await newPerson(service, { accountId });
    const tokens: string[] = [];
    for (let n = 0; n < 7; n += 1) await asked(email, (token) => tokens.push(token));
    expect(await mailsTo(email)).toBe(5);
    const statuses = await Promise.all(tokens.map(statusOf));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404, 404]);
    const used = await stranger().submit(`/panel/parola-sifirla/${tokens[1]}`, { password: 'bambaşka uzun bir cümle' });
    expect(used.status).toBe(303);
    expect(await Promise.all(tokens.map(statusOf))).toEqual(tokens.map(() => 404));
  });

  test('of an owner stay valid while a stranger requests some, and are limited to five a day too', async () => {
    const owner = await signedIn(service, await newPerson(service, { accountId }));
    const seller = await newPerson(service, { accountId, role: 'sales' });
    const { id } = await service.database.onPlatform('read', (db) =>
      db.one<{ id: string }>(sql`select id from members where person_id = ${seller.id}`),
    );
    const make = () => owner.api(`members/${id}/password-reset`, { method: 'POST' });
    const path = new URL((await make()).json.data.link).pathname;
    expect((await stranger().submit('/panel/parola-sifirla', { email: seller.email })).status).toBe(200);
    expect((await stranger().send(path)).status).toBe(200);
    for (let n = 0; n < 4; n += 1) expect((await make()).status).toBe(200);
    expect((await make()).json.error.code).toBe('too_many_attempts');
  });

  test('run the same statements for a known and an unknown address', async () => {
    const { email } = await newPerson(service, { accountId });
    const workFor = async (address: string): Promise<string[]> => {
      statements = [];
      await asked(address, () => {});
      return statements.map((word) => (word === 'release' ? 'rollback' : word));
    };
    const known = await workFor(email);
    expect(known.length).toBeGreaterThan(5);
    expect(await workFor('bilinmeyen@example.com')).toEqual(known);
    expect(await mailsTo('bilinmeyen@example.com')).toBe(0);
  });
});

test('a wrong password takes the same work for a known and an unknown name', async () => {
  const { email } = await newPerson(service, { accountId });
  const workFor = async (address: string): Promise<string[]> => {
    statements = [];
    const body = { ...FROM, email: address, password: 'yanlış bir parola', device: null, local: true };
    expect(await signIn(service.database, body, service.clock.now())).toEqual({ token: null, wait: null });
    // The written values differ; the number of writes does not.
    return statements.map((word) => (word === 'insert' ? 'update' : word));
  };
  const known = await workFor(email);
  expect(known.length).toBeGreaterThan(5);
  expect(await workFor('bilinmeyen@example.com')).toEqual(known);
});

describe('the page of an invitation', () => {
  async function invited(email: string): Promise<string> {
    const owner = await signedIn(service, await newPerson(service, { accountId: await service.account({ name: 'Girne Oto' }) }));
    const body = { email, full_name: 'Davetli', role: 'sales' };
    return new URL((await owner.api('invitations', { method: 'POST', body })).json.data.link).pathname;
  }
  /** Without the parts that differ between any two pages. */
  const plain = (text: string, path: string, email: string) =>
    text
      .replaceAll(path, 'PATH')
      .replaceAll(email, 'EMAIL')
      .replace(/name="csrf" value="[^"]*"/, '');

  test('looks the same and refuses the same whether or not the address is known', async () => {
    const { email: known } = await newPerson(service);
    const pages: unknown[] = [];
    for (const email of [known, 'davetli-kimse@example.com']) {
      const path = await invited(email);
      const shown = await stranger().send(path);
      const weak = await stranger().submit(path, { full_name: 'Davetli', password: 'kısa' });
      const nameless = await stranger().submit(path, { full_name: ' ', password: PASSWORD });
      pages.push([shown, weak, nameless].map(({ status, text }) => [status, plain(text, path, email)]));
    }
    expect(pages[0]).toEqual(pages[1]);
  });

  test('looks the same for a link that is unknown, used or withdrawn', async () => {
    const path = await invited('katilan@example.com');
    expect((await stranger().submit(path, { full_name: 'Davetli', password: PASSWORD })).status).toBe(303);
    const withdrawn = await invited('vazgecilen@example.com');
    await exec(sql`update invitations set revoked_at = now() where email = 'vazgecilen@example.com'`);
    const pages = [];
    for (const link of [path, withdrawn, `/panel/davet/${'x'.repeat(43)}`]) {
      const { status, text } = await stranger().send(link);
      pages.push([status, plain(text, link, '')]);
    }
    expect(pages).toEqual([pages[2], pages[2], pages[2]]);
    expect(pages[2]![0]).toBe(404);
  });
});
