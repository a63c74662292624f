// Two dealers whose every text contains their mark, and a walk through everything a key can request.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { addDay, askPeople } from '../../src/domain/agents/agent-writes.ts';
import { CUSTOMER_FIELDS } from '../../src/domain/customers/customer.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { sealFields } from '../../src/domain/vault/sealed-fields.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { apiEndpoints, isList } from '../../src/http/api/api-endpoints.ts';
import { get, type Resource, resource } from '../../src/kit/endpoint.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Log } from '../../src/kit/log.ts';
import type { Param } from '../../src/kit/params.ts';
import { columnsOf, object, text, uuid } from '../../src/kit/schema.ts';
import { own, type Statement, sql, theAccount } from '../../src/kit/sql.ts';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { openSession } from '../../src/postgres/database.ts';
import { resources as realResources } from '../../src/resources/index.ts';
import { type Answer, TEST_ACTOR, type TestService } from '../support/service.ts';
import { fillWrites } from './fill-writes.ts';

const Probe = object({ id: uuid(), brand: text(), plate: text() });

/** The real catalog, and an endpoint that reads one record by its id. */
export const resources: readonly Resource[] = [
  ...realResources,
  resource('Vehicles', 'Araçlar', [
    get('probe/{vehicle_id}', 'vehicles:read', 'read', 'Aktif', ['Probe', 'Deneme'], {
      returns: Probe,
      run: ({ db, params }) => db.last(sql`select ${columnsOf(Probe)} from ${own('vehicles')} where id = ${params.vehicle_id}`),
    }),
  ]),
];
const endpoints = apiEndpoints(resources);
/** Every existing row. */
export const openedEndpoints = endpoints;

/** Makes `own()` filter nothing, so that only row-level security is left. */
export const cutOwn = (statement: Statement): Statement => ({
  ...statement,
  text: statement.text
    .replace(/\(select \* from (\w+) where (?:\w+_)?id = (\$\d+)\)/g, '(select * from $1 where $2::uuid is not null)')
    .replace(
      /\(select \* from (\w+) where account_id = (\$\d+) union all select \* from \w+ where \w+_id = \$\d+\)/g,
      '(select * from $1 where $2::uuid is not null)',
    ),
});

/** Drops the policies of every table, so that only the code's filters are left. */
export async function dropWall(adminUrl: string): Promise<void> {
  const admin = await openSession(adminUrl);
  const tables = await admin.rows<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  for (const { name } of tables) await admin.rows(`alter table ${name} disable row level security, no force row level security`);
  await admin.close();
}

/** Shows the tenants' role every row of every table. What the platform's role sees is left as it is: it has no other layer. */
export async function openWall(adminUrl: string): Promise<void> {
  const admin = await openSession(adminUrl);
  const tables = await admin.rows<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity`,
  );
  for (const { name } of tables)
    await admin.rows(`create policy opened on ${name} for all to galeri_app using (true) with check (true)`);
  await admin.close();
}

export interface Dealer {
  /** In every text of this dealer and in none of the other. */
  readonly tag: string;
  readonly phone: string;
  readonly price: string;
  readonly accountId: string;
  readonly vehicles: string[];
  readonly customers: string[];
  readonly keys: Record<
    'all' | 'narrow' | 'sandbox' | 'revoked' | 'expired' | 'elsewhere' | 'limited',
    { id: string; secret: string }
  >;
  /** One id of each table that has them. */
  readonly records: ReadonlyMap<string, string>;
  /** Everything that belongs to this dealer alone. */
  readonly marks: Set<string>;
  readonly requests: string[];
}

export async function fillDealer(service: TestService, tag: string, digit: number): Promise<Dealer> {
  const word = (what: string) => `${tag} ${what}`;
  const phone = `+90533${String(digit).repeat(5)}`;
  const price = `${String(digit).repeat(6)}.37`;
  const accountId = await service.account({
    name: word('Galeri'),
    legal_name: word('Ltd'),
    city: word('city'),
    phone: `${phone}11`,
    email: `${tag}@example.com`,
  });
  const branch = newId();
  const member = newId();
  await service.database.onPlatform('write', async (db) => {
    await db.exec(
      sql`insert into branches (account_id, id, name, city, phone) values (${accountId}, ${branch}, ${word('branch')}, ${word('town')}, ${`${phone}12`})`,
    );
    await db.exec(
      sql`insert into members (account_id, id, full_name, role, branch_id) values (${accountId}, ${member}, ${word('person')}, 'sales', ${branch})`,
    );
    await db.exec(sql`insert into invitations (account_id, id, digest, email, full_name, role, invited_by, expires_at)
      values (${accountId}, ${newId()}, ${randomBytes(32)}, ${`${tag}.new@example.com`}, ${word('invited')}, 'viewer', ${member}, now())`);
    await db.exec(
      sql`insert into notices (account_id, id, kind, data) values (${accountId}, ${newId()}, 'note', ${{ about: tag }})`,
    );
  });
  await service.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`insert into endpoint_votes (account_id, endpoint, use_case, person_id)
      values (${accountId}, 'GET tasks', ${word('use')}, ${member})`);
    await db.exec(sql`insert into saved_views (account_id, id, person_id, screen, name, query)
      values (${accountId}, ${newId()}, ${member}, 'vehicles', ${word('view')}, '')`);
  });
  const vehicles: string[] = [];
  const customers: string[] = [];
  for (const [place, status] of ['Stokta', 'Rezerve', "Auction'da", 'Satıldı'].entries()) {
    vehicles.push(
      await service.vehicle(accountId, {
        brand: word('brand'),
        model: word('model'),
        color: word('color'),
        plate: `${tag} ${place}`,
        city: word('city'),
        trim: word('trim'),
        description: word('description'),
        external_ref: word(`ref ${place}`),
        chassis_no: word(`chassis ${place}`),
        engine_no: word('engine'),
        branch_id: branch,
        price_minor: BigInt(price.replace('.', '')),
        status,
        is_marketplace_visible: place % 2 === 0,
        deleted_at: place === 3 ? new Date() : null,
      }),
    );
  }
  const sealing = sealingKeys(service.secrets, accountId);
  for (const [place, risk_level] of ['low', 'medium', 'high', 'blocked'].entries()) {
    const id = newId();
    customers.push(
      await service.customer(accountId, {
        id,
        first_name: word('first'),
        last_name: word('last'),
        phone: `${phone}2${place}`,
        email: `${tag}.${place}@example.com`,
        note: word('note'),
        external_ref: word(`ref ${place}`),
        risk_level,
        ...sealFields(sealing, 'customers', id, CUSTOMER_FIELDS, { id_no: word(`id ${place}`), address: word('address') }),
      }),
    );
  }
  await service.database.inTenant(accountId, 'write', (db) =>
    fillWrites(db, sealing, { vehicle: vehicles[1]!, customer: customers[0]!, word }),
  );
  // So many that the deep page, which is read in another way, has rows too.
  await service.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
        price_minor, currency, stock_date)
      select ${theAccount}, gen_random_uuid(), ${word('many')}, ${word('model')}, 2020, 5, 'Dizel', 'Manuel', 'SUV', ${word('color')},
        ${tag} || ' m' || n, ${word('city')}, 100, 'STG', '2026-01-01' from generate_series(1, 520) n`),
  );
  const keys = await makeKeys(service, accountId, tag);
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
      values (${accountId}, ${newId()}, ${keys.all.id}, 600, ${word('reason')}, ${member})`),
  );
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`insert into key_row_requests (account_id, id, key_id, endpoints, asked_by, created_at)
      values (${accountId}, ${newId()}, ${keys.all.id}, ${[word('row')]}, ${member}, now())`),
  );
  await service.database.inTenant(accountId, 'write', async (db) => {
    const write = {
      id: newId(),
      keyId: keys.all.id,
      endpoint: 'POST vehicles',
      path: word('path'),
      money: [],
      client: word('client'),
    };
    await askPeople(db, sealing, write, { shown: word('preview') }, new Date());
    await addDay(db, keys.all.id, { day: '2026-01-01', currency: '', calls: 1 });
  });
  const records = await recordsOf(service, accountId);
  const ids = [accountId, branch, member, ...vehicles, ...customers, ...Object.values(keys).map(({ id }) => id)];
  return {
    tag,
    phone,
    price,
    accountId,
    vehicles,
    customers,
    keys,
    records,
    marks: new Set([tag, phone, `"${price}"`, ...ids]),
    requests: [],
  };
}

async function recordsOf({ adminUrl }: TestService, accountId: string): Promise<Map<string, string>> {
  const admin = await openSession(adminUrl);
  try {
    const tables = await admin.rows<{ name: string }>(
      `select table_name as name from information_schema.columns where table_name = any($1) and column_name = 'id' and data_type = 'uuid'
        and table_name not in ('accounts', 'data_sets')`,
      [[...TENANT_TABLES]],
    );
    const parts = tables.map(
      ({ name }) => `(select '${name}' as name, id from ${name} where account_id = $1 order by id limit 1)`,
    );
    const found = await admin.rows<{ name: string; id: string }>(parts.join(' union all '), [accountId]);
    return new Map(found.map(({ name, id }) => [name, id]));
  } finally {
    await admin.close();
  }
}

/** The possible meanings of a parameter of that name: `offer_id` is an offer of the network or of the marketplace. */
function recordsNamed(name: string, { records, vehicles }: Dealer): string[] {
  const noun = name.replace(/y?_id$/, '');
  const found = [...records].filter(([table]) => table.includes(noun)).map(([, id]) => id);
  return found.length > 0 ? found : [vehicles[0]!];
}

/** The endpoint's paths with the other dealer's records in them. */
function pathsTo(path: string, dealer: Dealer): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => recordsNamed(name!, dealer));
  return Array.from({ length: Math.max(...named.map(({ length }) => length)) }, (_, turn) =>
    named.reduce((built, ids) => built.replace(/\{\w+\}/, ids[turn % ids.length]!), path),
  );
}

async function makeKeys(service: TestService, accountId: string, tag: string): Promise<Dealer['keys']> {
  const key = (name: string, overrides: Parameters<TestService['key']>[1] = {}) =>
    service.key(accountId, { name: `${tag} ${name}`, ...overrides });
  const revoked = await key('revoked');
  await service.database.onPlatform('write', (db) => revokeKey(db, revoked.id, TEST_ACTOR));
  return {
    all: await key('all', { endpoints: endpoints.map((endpoint) => endpoint.id), authorizations: [...AUTHORIZATIONS] }),
    narrow: await key('narrow', { endpoints: ['GET account'] }),
    sandbox: await key('sandbox', { environment: 'sandbox' }),
    revoked,
    expired: await key('expired', { expiresAt: new Date(Date.now() - 60_000) }),
    elsewhere: await key('elsewhere', { allowedIps: [parseRange('203.0.113.7')!] }),
    limited: await key('limited', { limitPerMinute: 1 }),
  };
}

export interface Seen {
  readonly what: string;
  readonly answer: Answer;
  /** Status, headers and body, in lower case. */
  readonly text: string;
}

export interface Walk {
  readonly walked?: typeof endpoints;
  /** Only the first of the words of each dealer. */
  readonly isBrief?: boolean;
}

/**
 * Everything `mine` can be shown, requested in every way, also with the other's words and ids; only of `walked` endpoints, if
 * given.
 */
export async function walk(
  service: TestService,
  mine: Dealer,
  other: Dealer,
  { walked = endpoints, isBrief = false }: Walk,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  const ask = async (
    path: string,
    key: string | undefined,
    options: { method?: string; headers?: Record<string, string> } = {},
  ) => {
    const answer = await service.call(path, {
      ...(key ? { key } : {}),
      ...options,
      headers: { 'user-agent': mine.tag, ...options.headers },
    });
    seen.push({ what: `${options.method ?? 'GET'} ${path}`, answer, text: wholeText(answer) });
    const id = answer.headers.get('x-request-id');
    if (id !== null && key !== undefined) mine.requests.push(id);
    return answer;
  };
  const { all, narrow, sandbox, ...refused } = mine.keys;
  await askLists(ask, all.secret, mine, other, { walked, isBrief });
  for (const key of [narrow, sandbox, ...Object.values(refused), refused.limited]) {
    for (const path of ['account', 'vehicles', 'developer/usage', 'developer/request-logs', '/openapi.json'])
      await ask(path, key.secret);
  }
  await askWrongly(ask, all.secret, mine);
  for (const key of [all, narrow, sandbox])
    for (const path of ['/openapi.json', '/postman.json', '/docs']) await ask(path, key.secret);
  // Every endpoint, so that refusals are covered too; then what the log and usage recorded of all this.
  for (const endpoint of walked) {
    const own = mine.vehicles[0]!;
    await ask(endpoint.path.replace(/\{\w+\}/g, own), all.secret, { method: endpoint.method });
  }
  await service.logged();
  const pages = ['limit=100', 'limit=100&offset=100', 'limit=100&offset=200'];
  for (const key of [all, narrow, sandbox]) {
    for (const path of [
      'developer/usage',
      'developer/usage?group_by=hour',
      ...pages.map((page) => `developer/request-logs?${page}`),
    ])
      await ask(path, key.secret);
  }
  // Last, because a requested path is in the caller's own log.
  for (const endpoint of walked.filter(({ path }) => path.includes('{')))
    for (const path of pathsTo(endpoint.path, other)) await ask(path, all.secret, { method: endpoint.method });
  return seen;
}

type Ask = (
  path: string,
  key: string | undefined,
  options?: { method?: string; headers?: Record<string, string> },
) => Promise<Answer>;

/** Every endpoint with a body: plain, page by page, with each parameter alone, and with the other dealer's values. */
async function askLists(ask: Ask, key: string, mine: Dealer, other: Dealer, { walked, isBrief }: Required<Walk>): Promise<void> {
  for (const endpoint of walked.filter(({ body, method, path }) => body !== null && method === 'GET' && !path.includes('{'))) {
    await ask(endpoint.path, key);
    if (isList(endpoint.body))
      for (const page of ['limit=100', 'limit=100&offset=2', 'limit=1&offset=1', 'limit=20&offset=505'])
        await ask(`${endpoint.path}?${page}`, key);
    for (const [name, param] of Object.entries(endpoint.params)) {
      for (const value of valuesFor(name, param, mine, other, isBrief)) {
        const target = `${endpoint.path}?${name}=${encodeURIComponent(value)}`;
        const { status } = await ask(target, key);
        // An amount is refused without its currency.
        if (status === 400 && 'currency' in endpoint.params) await ask(`${target}&currency=STG`, key);
      }
    }
  }
}

function valuesFor(name: string, { schema }: Param<unknown>, mine: Dealer, other: Dealer, isBrief: boolean): string[] {
  if (Array.isArray(schema.enum)) return schema.enum as string[];
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'integer') return [String(schema.minimum), String(schema.maximum), '200', '404', '2020'];
  if (schema.format === 'uuid') {
    const ofEachKind = ['branches', 'members', 'vehicles', 'customers', 'api_keys'].map((table) => other.records.get(table)!);
    return [...new Set([mine.vehicles[0]!, other.accountId, ...ofEachKind, ...recordsNamed(name, other)])];
  }
  if (schema.anyOf !== undefined) return [new Date().toISOString().slice(0, 10), new Date(Date.now() - 60_000).toISOString()];
  if (schema.pattern === '^req_') return [...mine.requests.slice(-1), ...other.requests.slice(-2)];
  if (String(schema.pattern).startsWith('^\\d')) return ['0', mine.price, other.price];
  if (isBrief) return [mine.tag, other.tag];
  const words = ({ tag, phone }: Dealer) => [
    tag,
    `${tag} brand`,
    `${tag} model`,
    `${tag} city`,
    `${tag} 0`,
    `${phone}20`,
    `${tag}.0@example.com`,
  ];
  return [...words(mine), ...words(other), 'GET vehicles', '%', '_', "' or true --"];
}

async function askWrongly(ask: Ask, key: string, mine: Dealer): Promise<void> {
  const wrong = [
    `vehicles/${mine.tag}`,
    'nothing/here',
    'vehicles?limit=0',
    'vehicles?offset=-1',
    'vehicles?status=x',
    'vehicles?colour=x',
    'vehicles?limit=1&limit=2',
  ];
  wrong.push(
    'customers?q=%00',
    'developer/usage?from=x',
    'developer/request-logs?offset=x',
    'customers?updated_since=2026-02-30',
  );
  for (const path of wrong)
    for (const language of ['en', 'tr']) await ask(path, key, { headers: { 'accept-language': language } });
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) await ask('vehicles', key, { method });
  await ask(`vehicles?brand=${'x'.repeat(9000)}`, key);
  await ask('vehicles', key, { headers: { 'if-none-match': '*' } });
  await ask('account', key, { headers: { 'x-account-id': 'x', 'x-forwarded-for': '1.2.3.4' } });
  for (const strange of [undefined, 'gal_prod_x', key.slice(0, -1), `${key}x`]) await ask('vehicles', strange);
}

function wholeText({ status, headers, text: body }: Answer): string {
  return `${status}\n${[...headers].map(([name, value]) => `${name}: ${decodeURIComponent(value.replace(/%(?![0-9a-f]{2})/gi, ''))}`).join('\n')}\n\n${body}`.toLowerCase();
}

const REQUEST_ID = /req_[0-9a-z]{26}/g;

/**
 * What of `other` is in the replies: empty if the isolation holds. There are thousands of requests, so their ids are looked up in
 * a set.
 */
export function leaks(seen: readonly Seen[], other: Dealer): string[] {
  const marks = [...other.marks, ...other.records.values()].map((mark) => mark.toLowerCase());
  const requests = new Set(other.requests);
  expect(other.requests.filter((id) => id.replace(REQUEST_ID, '') !== '')).toEqual([]);
  return seen.flatMap(({ what, text }) => {
    const ids = (text.match(REQUEST_ID) ?? []).filter((id) => requests.has(id));
    return [...marks.filter((mark) => text.includes(mark)), ...new Set(ids)].map((mark) => `${what}: ${mark}`);
  });
}

/** Lists and figures that no request returned, because they need more than one parameter at a time, or a bank's rates. */
export function neverShown(seen: readonly Seen[]): string[] {
  const shown = new Set(seen.filter(({ answer }) => answer.status === 200).map(({ what }) => what.split('?')[0]));
  const lists = openedEndpoints.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  return lists.map(({ path }) => path).filter((path) => !shown.has(`GET ${path}`));
}

/** The statuses that occurred, so that a walk which was refused everywhere does not count as a proof. */
export function statusesOf(seen: readonly Seen[]): number[] {
  return [...new Set(seen.map(({ answer }) => answer.status))].sort();
}

export function expectOwn(seen: readonly Seen[], mine: Dealer): void {
  const found = (path: string, mark: string) =>
    seen.some(({ what, text }) => what.startsWith(`GET ${path}`) && text.includes(mark.toLowerCase()));
  for (const path of ['account', 'vehicles', 'customers', 'developer/request-logs'])
    expect(found(path, mine.tag), path).toBe(true);
  expect(found('vehicles?limit=20&offset=505', mine.tag)).toBe(true);
  for (const path of ['developer/usage', 'developer/request-logs']) expect(found(path, mine.keys.all.id), path).toBe(true);
  expect(found('developer/request-logs', `vehicles/${mine.tag}`)).toBe(true);
}

/** The service's own log, captured. */
export function keptLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string, facts?: Record<string, unknown>) =>
    void lines.push(`${message} ${JSON.stringify(facts ?? {})}`.toLowerCase());
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}
