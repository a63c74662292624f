// Every row of the panel, whoever wrote it, against everyone who might knock: nobody, a key, each role, a stranger's ids, a
// foreign page. A new row is covered unasked.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/domain/roles.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { PanelRow } from '../../src/panel/endpoint.ts';
import { panelRows } from '../../src/panel/index.ts';
import { openSession } from '../../src/postgres/database.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { fillDealer } from '../tenancy/dealers.ts';
import { Browser, newPerson, signedIn } from './people.ts';

type Knocker = Role | 'admin' | 'stranger';
const KNOCKERS: readonly Knocker[] = [...ROLES, 'admin', 'stranger'];

let service: TestService;
let accountId: string;
let key: string;
const browsers = new Map<Knocker, Browser>();
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  key = (await service.key(accountId)).secret;
  for (const role of ROLES) browsers.set(role, await signedIn(service, await newPerson(service, { accountId, role })));
  browsers.set('admin', await signedIn(service, await newPerson(service, { admin: true })));
  browsers.set('stranger', await signedIn(service, await newPerson(service)));
});
afterAll(() => service.close());

/** With ids that name nothing. */
const pathOf = (row: PanelRow, id = newId()): string => row.path.replace(/\{\w+\}/g, id);

/** A field no row has: whoever is let through is told so, and nothing is done. */
const PROBE = { no_row_has_this_field: true };

/** Streams stay open: what counts is how they are answered. */
async function knock(browser: Browser, row: PanelRow, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  if (row.stream === null) return browser.api(path, { method: row.method, body: PROBE, headers });
  const response = await fetch(`${browser.url}/panel/api/${path}`, { headers: { cookie: browser.cookieText(), ...headers } });
  if (response.status === 200) {
    await response.body!.cancel();
    return { status: 200, headers: response.headers, text: '', json: undefined };
  }
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

function mayKnock(row: PanelRow, who: Knocker): boolean {
  if (row.who === 'person') return true;
  if (row.who === 'admin') return who === 'admin';
  if (who === 'admin' || who === 'stranger') return false;
  return row.who === 'member' || row.who.includes(who);
}

describe.each(panelRows.map((row) => [row.id, row] as const))('%s', (_, row) => {
  test('opens to those it names and to nobody else', async () => {
    for (const who of KNOCKERS) {
      const answer = await knock(browsers.get(who)!, row, pathOf(row));
      if (mayKnock(row, who)) {
        expect([401, 403, 405, 500, 503], `${who}: ${answer.text}`).not.toContain(answer.status);
        if (row.method !== 'GET') expect(answer.json.error.code, who).toBe('validation_failed');
      } else expect([answer.status, answer.json.error.code], who).toEqual([403, 'not_permitted']);
      expect(answer.headers.get('cache-control'), who).toBe('no-store');
    }
  });

  test('does not open without a session, nor to a key', async () => {
    const nobody = new Browser(service.service.url);
    const authorization = `Bearer ${key}`;
    for (const headers of [{}, { authorization }, { authorization, cookie: '__Host-panel=x' }] as Record<string, string>[]) {
      const answer = await knock(nobody, row, pathOf(row), headers);
      expect([answer.status, answer.json.error.code]).toEqual([401, 'session_required']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  test.runIf(row.method !== 'GET')('does nothing for a foreign page, a missing token, or another kind of body', async () => {
    const browser = browsers.get(row.who === 'admin' ? 'admin' : 'owner')!;
    const other = browsers.get('viewer')!.csrf;
    const { method } = row;
    const cases: [string, Record<string, string>, number, string][] = [
      ['no token', { 'x-csrf-token': '' }, 403, 'foreign_request'],
      ["another session's token", { 'x-csrf-token': other }, 403, 'foreign_request'],
      ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'foreign_request'],
      ['a subdomain', { 'sec-fetch-site': 'same-site' }, 403, 'foreign_request'],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
      ['text', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ];
    for (const [what, headers, status, code] of cases) {
      const answer = await browser.api(pathOf(row), { method, body: PROBE, headers });
      expect([answer.status, answer.json.error.code], what).toEqual([status, code]);
    }
  });
});

describe('where a request comes from', () => {
  const change = (headers: Record<string, string | undefined>) => {
    const browser = browsers.get('owner')!;
    const all = { cookie: browser.cookieText(), 'content-type': 'application/json', 'x-csrf-token': browser.csrf, ...headers };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    // fetch() of Node sends no Sec-Fetch-Site by itself.
    return fetch(`${browser.url}/panel/api/me`, { method: 'PATCH', headers: Object.fromEntries(given), body: '{}' });
  };

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 200],
    [{ 'sec-fetch-site': undefined, origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'null' }, 403],
    [{ 'sec-fetch-site': undefined }, 403],
  ])('%o is answered %i', async (headers, status) => {
    // Node's fetch adds sec-fetch-mode only; what is not named here is not sent.
    expect((await change(headers)).status).toBe(status);
  });

  test("the service's own origin is enough for a browser that says no more", async () => {
    expect((await change({ origin: service.service.url })).status).toBe(200);
  });
});

describe('doors', () => {
  test('a cookie never opens the API', async () => {
    const browser = browsers.get('owner')!;
    for (const path of ['vehicles', 'account', 'developer/usage']) {
      const answer = await service.call(path, { headers: { cookie: browser.cookieText(), 'x-csrf-token': browser.csrf } });
      expect([answer.status, answer.json.error.code]).toEqual([401, 'key_missing']);
    }
  });

  test('a denial is written down with who and from where', async () => {
    // Someone new: of those who are refused over and over only the first few are written down.
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

  test('an unknown path is told only to those who are signed in', async () => {
    expect((await new Browser(service.service.url).api('no/such/thing')).status).toBe(401);
    expect((await browsers.get('viewer')!.api('no/such/thing')).status).toBe(404);
    expect((await browsers.get('viewer')!.api('session', { method: 'DELETE' })).status).toBe(405);
  });

  test('bodies that are no JSON, too large or no object are refused', async () => {
    const send = (raw: string) => browsers.get('owner')!.api('me', { method: 'PATCH', raw });
    expect((await send('{')).json.error.code).toBe('invalid_json');
    expect((await send('[]')).json.error.code).toBe('invalid_json');
    expect((await send(JSON.stringify({ full_name: 'x'.repeat(600_000) }))).status).toBe(413);
  });
});

test('nothing of another dealer is shown or changed, whatever ids are sent', async () => {
  const other = await fillDealer(service, 'foreigntag', 7);
  const foreign = await newPerson(service, { accountId: other.accountId });
  await signedIn(service, foreign);
  const admin = await openSession(service.adminUrl);
  try {
    const tables = [
      'branches',
      'members',
      'api_keys',
      'key_secrets',
      'key_endpoints',
      'invitations',
      'limit_requests',
      'saved_views',
      'notices',
      'endpoint_votes',
      'accounts',
    ];
    const dump = async () => {
      const texts: string[][] = [];
      // One after the other: a single connection has one statement at a time.
      for (const table of tables) {
        const column = table === 'accounts' ? 'id' : 'account_id';
        const found = `select t::text as text from ${table} t where ${column} = $1 order by 1`;
        texts.push((await admin.rows<{ text: string }>(found, [other.accountId])).map(({ text }) => text));
      }
      return texts;
    };
    const before = await dump();
    const ids = (
      await admin.rows<{ id: string }>(
        tables
          .filter((table) => !['key_endpoints', 'endpoint_votes', 'accounts'].includes(table))
          .map((table) => `select id from ${table} where account_id = '${other.accountId}'`)
          .concat(
            `select id from sessions where person_id = '${foreign.id}'`,
            `select '${foreign.id}'::uuid`,
            `select '${other.accountId}'::uuid`,
          )
          .join(' union '),
      )
    ).map(({ id }) => id);
    const owner = browsers.get('owner')!;
    for (const row of panelRows) {
      if (!mayKnock(row, 'owner') || row.stream !== null) continue;
      for (const id of row.path.includes('{') ? ids : [newId()]) {
        const sent = row.method === 'GET' || !row.path.includes('{') ? PROBE : {};
        const answer = await owner.api(pathOf(row, id), { method: row.method, body: sent });
        if (row.path.includes('{')) expect([403, 404, 422], `${row.id} ${id} ${answer.text}`).toContain(answer.status);
        expect(answer.text.toLowerCase(), row.id).not.toContain('foreigntag');
        expect(answer.text, row.id).not.toContain(other.accountId);
      }
    }
    expect(await dump()).toEqual(before);
    expect(await admin.rows('select 1 from sessions where person_id = $1', [foreign.id])).toHaveLength(1);
  } finally {
    await admin.close();
  }
});
