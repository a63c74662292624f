// Every panel endpoint against callers who are not signed in: anonymous, a key, a foreign page. New endpoints are covered
// automatically. Roles and other dealers' ids are in matrix.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/domain/identity/roles.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import type { PanelEndpoint } from '../../src/panel/kit/endpoint.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let key: string;
const browsers = new Map<Role | 'admin', Browser>();
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  key = (await service.key(accountId)).secret;
  for (const role of ROLES) browsers.set(role, await signedIn(service, await newPerson(service, { accountId, role })));
  browsers.set('admin', await signedIn(service, await newPerson(service, { admin: true })));
});
afterAll(() => service.close());

/** With ids that name nothing. */
const pathOf = (endpoint: PanelEndpoint): string => endpoint.path.replace(/\{\w+\}/g, newId());

/** A field that no endpoint has: an authorized caller gets an error, and nothing is done. */
const PROBE = { no_row_has_this_field: true };

/** Streams stay open: only their status counts. */
async function knock(
  browser: Browser,
  endpoint: PanelEndpoint,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  if (endpoint.stream === null) return browser.api(path, { method: endpoint.method, body: PROBE, headers });
  const response = await fetch(`${browser.url}/panel/api/${path}`, { headers: { cookie: browser.cookieText(), ...headers } });
  if (response.status === 200) {
    await response.body!.cancel();
    return { status: 200, headers: response.headers, text: '', json: undefined };
  }
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

describe.each(panelEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('refuses requests without a session, and keys', async () => {
    const anonymous = new Browser(service.service.url);
    const authorization = `Bearer ${key}`;
    for (const headers of [{}, { authorization }, { authorization, cookie: '__Host-panel=x' }] as Record<string, string>[]) {
      const answer = await knock(anonymous, endpoint, pathOf(endpoint), headers);
      expect([answer.status, answer.json.error.code]).toEqual([401, 'session_required']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  test.runIf(endpoint.method !== 'GET')('does nothing for a foreign page, a missing token, or another kind of body', async () => {
    const browser = browsers.get(endpoint.who === 'admin' ? 'admin' : 'owner')!;
    const other = browsers.get('viewer')!.csrf;
    const { method } = endpoint;
    const cases: [string, Record<string, string>, number, string][] = [
      ['no token', { 'x-csrf-token': '' }, 403, 'foreign_request'],
      ["another session's token", { 'x-csrf-token': other }, 403, 'foreign_request'],
      ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'foreign_request'],
      ['a subdomain', { 'sec-fetch-site': 'same-site' }, 403, 'foreign_request'],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['text', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ];
    for (const [what, headers, status, code] of cases) {
      const answer = await browser.api(pathOf(endpoint), { method, body: PROBE, headers });
      expect([answer.status, answer.json.error.code], what).toEqual([status, code]);
    }
  });
});

describe('the origin of a request', () => {
  const change = (headers: Record<string, string | undefined>) => {
    const browser = browsers.get('owner')!;
    const all = { cookie: browser.cookieText(), 'content-type': 'application/json', 'x-csrf-token': browser.csrf, ...headers };
    const input = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    // Node's fetch() sends no Sec-Fetch-Site.
    return fetch(`${browser.url}/panel/api/me`, { method: 'PATCH', headers: Object.fromEntries(input), body: '{}' });
  };

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 200],
    [{ 'sec-fetch-site': undefined, origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'null' }, 403],
    [{ 'sec-fetch-site': undefined }, 403],
  ])('%o is answered %i', async (headers, status) => {
    // Node's fetch adds only sec-fetch-mode; headers not named here are not sent.
    expect((await change(headers)).status).toBe(status);
  });

  test("accepts the service's own origin from a browser that sends no more", async () => {
    expect((await change({ origin: service.service.url })).status).toBe(200);
  });
});

describe('entry points', () => {
  test('a cookie never gives access to the API', async () => {
    const browser = browsers.get('owner')!;
    for (const path of ['vehicles', 'account', 'developer/usage']) {
      const answer = await service.call(path, { headers: { cookie: browser.cookieText(), 'x-csrf-token': browser.csrf } });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'key_missing']);
    }
  });

  test('a denial is audited with person and address', async () => {
    // A new person: of repeated refusals only the first few are audited.
    const browser = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
    const answer = await browser.api('v1/vehicles', { method: 'POST' });
    const [row] = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select actor_type, role, outcome, target, ip, after from audit_log
        where request_id = ${answer.json.meta.request_id}`),
    );
    expect(row).toEqual({
      actor_type: 'panel',
      role: 'viewer',
      outcome: 'denied',
      target: 'POST v1/vehicles',
      ip: '127.0.0.1',
      after: { because: 'not_permitted' },
    });
  });

  test('only signed-in callers learn that a path is unknown', async () => {
    expect((await new Browser(service.service.url).api('no/such/thing')).status).toBe(401);
    expect((await browsers.get('viewer')!.api('no/such/thing')).status).toBe(404);
    expect((await browsers.get('viewer')!.api('session', { method: 'DELETE' })).status).toBe(405);
  });

  test('refuses bodies that are not JSON, too large or not an object', async () => {
    const send = (raw: string) => browsers.get('owner')!.api('me', { method: 'PATCH', raw });
    expect((await send('{')).json.error.code).toBe('invalid_json');
    expect((await send('[]')).json.error.code).toBe('invalid_json');
    expect((await send(JSON.stringify({ full_name: 'x'.repeat(600_000) }))).status).toBe(413);
  });
});
