// People for tests of the panel, and a browser made of fetch: it keeps cookies, signs in through the real form and sends what the
// panel's pages would send.
import { argon2Sync, randomBytes } from 'node:crypto';
import { addMember, insertPerson } from '../../src/domain/identity/people.ts';
import type { Role } from '../../src/domain/identity/roles.ts';
import { type Answer, TEST_ACTOR, type TestService } from '../support/service.ts';

export const PASSWORD = 'doğru at pil zımba';
const passwordHash = cheapHash(PASSWORD);
let made = 0;

/**
 * Same format, minimal cost: a real hash takes 80 ms of a core per sign-in. A password that is set through the panel has the full
 * cost.
 */
function cheapHash(password: string): string {
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message: password.normalize('NFC'), nonce, ...cost });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`;
}

export interface TestPerson {
  readonly id: string;
  readonly email: string;
}

/** A person who signs in; with a role in an account, or without one. */
export async function newPerson(
  { database }: TestService,
  overrides: { accountId?: string; role?: Role; admin?: boolean } = {},
): Promise<TestPerson> {
  const email = `kisi${++made}@example.com`;
  const fullName = `Kişi ${made}`;
  return database.onPlatform('write', async (db) => {
    const id = await insertPerson(db, { email, passwordHash, fullName, isAdmin: overrides.admin ?? false });
    if (overrides.accountId !== undefined)
      await addMember(
        db,
        { accountId: overrides.accountId, personId: id, fullName, role: overrides.role ?? 'owner', email },
        TEST_ACTOR,
      );
    return { id, email };
  });
}

export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The raw body, instead of JSON. */
  readonly raw?: string | Buffer;
}

export class Browser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  csrf = '';
  constructor(url: string) {
    this.url = url;
  }

  async send(path: string, { method = 'GET', headers = {}, raw }: Sent = {}): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', cookie: this.cookieText(), ...headers },
      ...(raw === undefined ? {} : { body: typeof raw === 'string' ? raw : new Uint8Array(raw) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
  }

  /** A call of the panel's pages to /panel/api. */
  api(path: string, { method = 'GET', body, headers = {}, raw }: Sent = {}): Promise<Answer> {
    const changes = method !== 'GET';
    return this.send(`/panel/api/${path}`, {
      method,
      headers: { ...(changes ? { 'content-type': 'application/json', 'x-csrf-token': this.csrf } : {}), ...headers },
      ...(changes ? { raw: raw ?? JSON.stringify(body ?? {}) } : {}),
    });
  }

  /** Opens a page, fills its only form and submits it. */
  async submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const page = await this.send(path, { headers });
    const action = /<form[^>]* action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? path;
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name!, value!.replaceAll('&amp;', '&')] as const,
    );
    const raw = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields }).toString();
    return this.send(action, {
      method: 'POST',
      raw,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  async signIn(email: string, password = PASSWORD): Promise<Answer> {
    const answer = await this.submit('/panel/giris', { email, password });
    if (answer.status === 303) await this.readSession();
    return answer;
  }

  async readSession(): Promise<Answer> {
    const session = await this.api('session');
    if (session.status === 200) this.csrf = session.json.data.csrf;
    return session;
  }

  cookieText(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep(cookie: string): void {
    const [pair, ...attributes] = cookie.split('; ');
    const [name, value] = pair!.split('=', 2) as [string, string];
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Signed in through the form. */
export async function signedIn(service: TestService, person: TestPerson): Promise<Browser> {
  const browser = new Browser(service.service.url);
  const answer = await browser.signIn(person.email);
  if (answer.status !== 303 || browser.csrf === '') throw new Error(`could not sign in: ${answer.status} ${answer.text}`);
  return browser;
}
