// developer/request-logs: a key's requests, within a second; only its own, and without secrets.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import { openSession } from '../../src/postgres/database.ts';
import { testDatabase } from '../support/database.ts';
import { deadline } from '../support/patience.ts';
import { type Answer, TEST_ACTOR, type TestService, testService } from '../support/service.ts';

const HOUR = 3_600_000;

let service: TestService;
let accountId: string;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ country: 'KKTC' });
  await service.vehicle(accountId);
});
afterAll(() => service.close());

type Entry = Record<string, string | number | null>;

async function readLog(secret: string, query = ''): Promise<Entry[]> {
  await service.logged();
  const { status, json } = await service.call(`developer/request-logs${query}`, { key: secret });
  expect(status).toBe(200);
  return json.data;
}
const idOf = (answer: Answer): string => answer.headers.get('x-request-id')!;

/** The rows of a key as they are stored, as text. */
async function storedLog(keyId: string): Promise<string> {
  await service.logged();
  const admin = await openSession(service.adminUrl);
  const rows = await admin.rows<{ row: string }>(`select r::text as row from request_logs r where key_id = '${keyId}'`);
  await admin.close();
  return rows.map(({ row }) => row).join('\n');
}

describe('one entry', () => {
  test('has exactly the fields of the contract', async () => {
    const { id, secret } = await service.key(accountId, { name: 'fields' });
    const before = Date.now();
    const answer = await service.call('vehicles?limit=5', {
      key: secret,
      headers: { 'user-agent': 'Dealer/1.0 (ğüş)'.normalize('NFKD').replace(/[^\x20-\x7e]/g, '') },
    });
    const after = Date.now();
    const [entry] = await readLog(secret);
    expect(Object.keys(entry!)).toEqual([
      'request_id',
      'timestamp',
      'method',
      'path',
      'endpoint',
      'status',
      'error_code',
      'duration_ms',
      'ip',
      'user_agent',
      'response_bytes',
      'key_id',
      'key_name',
      'environment',
    ]);
    expect(entry).toMatchObject({
      request_id: idOf(answer),
      method: 'GET',
      path: '/api/v1/vehicles',
      endpoint: 'GET vehicles',
      status: 200,
      error_code: null,
      ip: '127.0.0.1',
      user_agent: 'Dealer/1.0 (gus)',
      response_bytes: Number(answer.headers.get('content-length')),
      key_id: id,
      key_name: 'fields',
      environment: 'production',
    });
    expect(entry!.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // The node's clock is the database's: the same machine here, so within moments of ours.
    const at = Date.parse(entry!.timestamp as string);
    expect(at).toBeGreaterThan(before - 1000);
    expect(at).toBeLessThan(after + 1000);
    expect(entry!.duration_ms).toBeGreaterThan(0);
    expect(entry!.duration_ms).toBeLessThan(after - before + 1000);
  });

  test.each([
    ['a refusal', 'vehicles?limit=0', {}, { endpoint: 'GET vehicles', status: 400, error_code: 'invalid_parameter' }],
    [
      'an unknown path',
      'nothing/here',
      {},
      { path: '/api/v1/nothing/here', endpoint: null, status: 404, error_code: 'not_found' },
    ],
    ['an alias', 'vehicles.php', {}, { path: '/api/v1/vehicles.php', endpoint: 'GET vehicles', status: 200 }],
    ['a row not yet open', 'sales', {}, { endpoint: 'GET sales', status: 501, error_code: 'endpoint_not_active' }],
    [
      'a method not open',
      'vehicles',
      { method: 'POST' },
      { method: 'POST', endpoint: 'POST vehicles', status: 405, error_code: 'method_not_allowed' },
    ],
    ['a method unknown there', 'vehicles', { method: 'PUT' }, { method: 'PUT', endpoint: null, status: 405 }],
    ['encoded letters', 'vehicle%73', {}, { path: '/api/v1/vehicle%73', endpoint: 'GET vehicles', status: 200 }],
    ['no user agent to speak of', 'vehicles', { headers: { 'user-agent': '' } }, { status: 200 }],
  ] as const)('%s', async (_, path, options, expected) => {
    const { secret } = await service.key(accountId);
    const answer = await service.call(path, { key: secret, ...options });
    const [entry] = await readLog(secret, `?request_id=${idOf(answer)}`);
    expect(entry).toMatchObject({ request_id: idOf(answer), response_bytes: Buffer.byteLength(answer.text), ...expected });
  });

  test('a 304 and a HEAD have no bytes', async () => {
    const { secret } = await service.key(accountId);
    const { headers } = await service.call('vehicles', { key: secret });
    const unchanged = await service.call('vehicles', { key: secret, headers: { 'if-none-match': headers.get('etag')! } });
    const head = await service.call('vehicles', { key: secret, method: 'HEAD' });
    const log = await readLog(secret);
    const entry = (answer: Answer) => log.find(({ request_id }) => request_id === idOf(answer));
    expect(entry(unchanged)).toMatchObject({ status: 304, error_code: null, response_bytes: 0 });
    expect(entry(head)).toMatchObject({ method: 'HEAD', response_bytes: 0 });
  });

  test('a key refused before the limiter has its refusals in its log', async () => {
    const limited = await service.key(accountId, { limitPerMinute: 1 });
    await service.call('vehicles', { key: limited.secret });
    const elsewhere = await service.key(accountId, { allowedIps: [parseRange('203.0.113.7')!] });
    const expired = await service.key(accountId, { expiresAt: new Date(Date.now() - HOUR) });
    const revoked = await service.key(accountId);
    await service.database.onPlatform('write', (db) => revokeKey(db, revoked.id, TEST_ACTOR));
    await service.settled();
    for (const { secret } of [limited, elsewhere, expired, revoked]) await service.call('vehicles', { key: secret });
    await service.logged();
    const admin = await openSession(service.adminUrl);
    const codes = await admin.rows<{ error_code: string }>(
      `select error_code from request_logs where key_id = any($1::uuid[]) and error_code is not null`,
      [[limited, elsewhere, expired, revoked].map(({ id }) => id)],
    );
    await admin.close();
    expect(codes.map(({ error_code }) => error_code).sort()).toEqual([
      'ip_not_allowed',
      'key_expired',
      'key_revoked',
      'rate_limit_exceeded',
    ]);
  });

  test.each(['NULL', '"', '\\', 'a"b\\"c', '{x,y}', "'; drop table request_logs; --", '\t\x80\xff', '%s %00', '\\u0000'])(
    'stores the User-Agent unchanged, without harm: %j',
    async (name) => {
      const { secret } = await service.key(accountId);
      await raw(
        `GET /api/v1/a"b\\c{d},e HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nUser-Agent: x${name}x\r\nConnection: close\r\n\r\n`,
      );
      const [entry] = await readLog(secret);
      expect(entry).toMatchObject({ status: 404, endpoint: null, path: '/api/v1/a"b\\c{d},e' });
      // Except control characters, which no log line may hold.
      expect(entry!.user_agent).toBe(`x${name}x`.replace(/\p{Cc}/gu, '?'));
    },
  );

  test('an absolute address is logged without its query', async () => {
    const { secret } = await service.key(accountId);
    await raw(
      `GET http://example.com/api/v1/vehicles?brand=secret HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    );
    const [entry] = await readLog(secret);
    expect(entry).toMatchObject({ status: 200, endpoint: 'GET vehicles', user_agent: null });
    expect(entry!.path).not.toContain('secret');
  });
});

function raw(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.service.url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    socket
      .on('error', reject)
      .on('close', () => resolve())
      .resume();
  });
}

describe('shows', () => {
  test('a finished request is in the log within a second', async () => {
    const { secret } = await service.key(accountId);
    for (let time = 0; time < 5; time += 1) {
      const answer = await service.call('vehicles', { key: secret });
      const isOver = deadline(1000);
      let found: Entry[] = [];
      while (found.length === 0 && !isOver()) {
        found = (await service.call(`developer/request-logs?request_id=${idOf(answer)}`, { key: secret })).json.data;
      }
      expect(found).toHaveLength(1);
    }
  });

  test('only the calling key: neither another of the account nor another account', async () => {
    const mine = await service.key(accountId);
    const sibling = await service.key(accountId);
    const stranger = await service.key(await service.account());
    const theirs: string[] = [];
    for (const { secret } of [sibling, stranger]) theirs.push(idOf(await service.call('vehicles', { key: secret })));
    const own = idOf(await service.call('vehicles', { key: mine.secret }));
    expect((await readLog(mine.secret)).map(({ request_id }) => request_id)).toEqual([own]);
    for (const id of theirs) expect(await readLog(mine.secret, `?request_id=${id}`)).toEqual([]);
  });

  test('newest first, page by page, with links; past the end an empty page', async () => {
    const { secret } = await service.key(accountId);
    const ids: string[] = [];
    for (let time = 0; time < 12; time += 1) ids.unshift(idOf(await service.call('account', { key: secret })));
    await service.logged();
    // The calls that read the log are themselves logged: a fixed end excludes them. By the service's own clock, which may differ
    // by some milliseconds from this process's.
    const to = service.clock.now().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seen: string[] = [];
    for (let offset = 0; offset < 12; offset += 5) {
      const answer = await service.call(`developer/request-logs?limit=5&offset=${offset}&to=${to}`, { key: secret });
      expect(answer.json.meta).toEqual({ limit: 5, offset, count: Math.min(5, 12 - offset) });
      expect(answer.headers.get('link')?.includes('rel="next"') ?? false).toBe(offset < 10);
      expect(answer.headers.get('etag')).toBeNull();
      expect(answer.headers.get('cache-control')).toBe('no-store');
      seen.push(...answer.json.data.map(({ request_id }: Entry) => request_id as string));
    }
    // Of calls within one millisecond, the order is that of their ids.
    expect(seen).toEqual(ids.toSorted().reverse());
    const beyond = await service.call('developer/request-logs?offset=999999999', { key: secret });
    expect(beyond.json).toMatchObject({ data: [], meta: { limit: 25, offset: 999_999_999, count: 0 } });
    for (const query of ['offset=-1', 'offset=1.5', 'limit=101', 'limit=0', 'bytes=1']) {
      expect((await service.call(`developer/request-logs?${query}`, { key: secret })).status, query).toBe(400);
    }
  });
});

describe('filters', () => {
  let secret: string;
  const made: Record<string, string> = {};
  beforeAll(async () => {
    secret = (await service.key(accountId)).secret;
    made.list = idOf(await service.call('vehicles', { key: secret }));
    made.account = idOf(await service.call('account', { key: secret }));
    made.wrong = idOf(await service.call('vehicles?limit=0', { key: secret }));
    made.unknown = idOf(await service.call('vehicles?x=1', { key: secret }));
    made.absent = idOf(await service.call('nothing', { key: secret }));
    made.post = idOf(await service.call('vehicles', { key: secret, method: 'POST' }));
  });
  const found = async (query: string) => {
    const names = new Map(Object.entries(made).map(([name, id]) => [id, name]));
    return (await readLog(secret, `?limit=100&${query}`))
      .map(({ request_id }) => names.get(request_id as string))
      .filter((name) => name !== undefined)
      .sort();
  };

  test.each([
    ['status=400', ['unknown', 'wrong']],
    ['status=404', ['absent']],
    ['method=POST', ['post']],
    ['endpoint=GET%20vehicles', ['list', 'unknown', 'wrong']],
    ['endpoint=GET+account', ['account']],
    ['error_code=unknown_parameter', ['unknown']],
    ['status=400&error_code=invalid_parameter', ['wrong']],
    ['method=GET&status=405', []],
  ])('%s', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test('request_id finds the one', async () => {
    expect(await found(`request_id=${made.post}`)).toEqual(['post']);
    expect(await found(`request_id=${newRequestId(Date.now())}`)).toEqual([]);
  });

  test('refuses and names invalid parameters', async () => {
    for (const query of [
      'status=abc',
      'status=99',
      'method=get',
      'error_code=nope',
      'request_id=5',
      'from=yesterday',
      'to=2026-02-30',
      'endpoint=',
    ]) {
      const { status, json } = await service.call(`developer/request-logs?${query}`, { key: secret });
      expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_parameter', query.split('=')[0]]);
    }
  });
});

describe('from and to', () => {
  const ZONE = 'Asia/Famagusta';
  let secret: string;
  /** Noon of this account's yesterday, and moments around its two midnights. */
  const moments: Record<string, number> = {};
  beforeAll(async () => {
    const key = await service.key(accountId);
    secret = key.secret;
    const yesterday = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(Date.now() - 24 * HOUR);
    moments.day = Date.parse(`${yesterday}T00:00:00Z`);
    const midnight = [2, 3]
      .map((offset) => moments.day! - offset * HOUR)
      .find((at) => new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', hourCycle: 'h23' }).format(at) === '00')!;
    Object.assign(moments, {
      last: midnight - 1,
      first: midnight,
      noon: midnight + 12 * HOUR,
      late: midnight + 24 * HOUR - 1,
      next: midnight + 24 * HOUR,
    });
    const { requestLog } = service.service.parts;
    for (const day of [3, 0]) await rotateRequestLog(service.database, new Date(Date.now() - day * 24 * HOUR));
    for (const name of ['last', 'first', 'noon', 'late', 'next']) {
      const at = new Date(moments[name]!);
      requestLog.record({
        accountId,
        keyId: key.id,
        secretId: key.id,
        at,
        requestId: newRequestId(at.getTime()),
        method: 'GET',
        path: `/${name}`,
        endpoint: null,
        status: 200,
        errorCode: null,
        durationMs: 1,
        ip: '::1',
        userAgent: null,
        responseBytes: 0,
        refusal: null,
        queryNames: null,
        via: null,
        client: null,
      });
    }
  });
  const found = async (query: string) =>
    (await readLog(secret, `?limit=100&${query}`)).map(({ path }) => (path as string).slice(1)).filter((name) => name in moments);
  const iso = (at: number) => new Date(at).toISOString();

  test('a date is a whole day of the account, both ends included', async () => {
    const day = iso(moments.day!).slice(0, 10);
    expect(await found(`from=${day}&to=${day}`)).toEqual(['late', 'noon', 'first']);
    expect(await found(`to=${day}`)).toEqual(['late', 'noon', 'first', 'last']);
    expect(await found(`from=${day}`)).toEqual(['next', 'late', 'noon', 'first']);
  });

  test('an instant is that instant, included, in any offset', async () => {
    expect(await found(`from=${iso(moments.first!)}&to=${iso(moments.noon!)}`)).toEqual(['noon', 'first']);
    expect(await found(`from=${iso(moments.first! + 1)}&to=${iso(moments.late!)}`)).toEqual(['late', 'noon']);
    const inIstanbul = `${iso(moments.noon! + 3 * HOUR).slice(0, 19)}%2B03:00`;
    expect(await found(`from=${inIstanbul}&to=${inIstanbul}`)).toEqual(['noon']);
  });

  test('refuses a reversed or too long range', async () => {
    for (const query of [`from=${iso(moments.noon!)}&to=${iso(moments.first!)}`, `from=${iso(Date.now() - 60 * 24 * HOUR)}`]) {
      const { status, json } = await service.call(`developer/request-logs?${query}`, { key: secret });
      expect([status, json.error.param]).toEqual([400, 'from']);
    }
  });
});

describe('stores no secret:', () => {
  test('no query string and no key from the header or the query', async () => {
    const { id, secret } = await service.key(accountId);
    await service.call('customers?q=kirmizi-kalem', { key: secret });
    await service.call(`vehicles?api_key=${secret}`, { key: secret });
    await service.call(`vehicles?${secret}`, { key: secret });
    const stored = await storedLog(id);
    expect(stored.split('\n')).toHaveLength(3);
    for (const part of ['kirmizi-kalem', '?', secret]) expect(stored).not.toContain(part);
  });

  test.each([
    ['in the path', (secret: string) => ({ path: `vehicles/${secret}` })],
    ['after an encoded question mark', (secret: string) => ({ path: `vehicles%3Fapi_key=${secret}` })],
    ['in the name of the client', (secret: string) => ({ path: 'vehicles', headers: { 'user-agent': `curl ${secret}` } })],
  ])('no key that was put where none belongs: %s', async (_, place) => {
    const { id, secret } = await service.key(accountId);
    const { path, ...options } = place(secret) as { path: string; headers?: Record<string, string> };
    await service.call(path, { key: secret, ...options });
    const stored = await storedLog(id);
    expect(stored).not.toBe('');
    expect(stored).not.toContain(secret);
  });
});

test('writes waiting lines when the service stops', async () => {
  const base = await testDatabase();
  const own = await testService({ shared: base });
  const { id, secret } = await own.key(await own.account());
  for (let time = 0; time < 20; time += 1) await own.call('vehicles', { key: secret });
  await own.close();
  const admin = await openSession(base.adminUrl);
  const [row] = await admin.rows(`select (select count(*)::int from request_logs where key_id = '${id}') as logged,
    (select sum(calls)::int from usage_calls where key_id = '${id}') as counted`);
  await admin.close();
  await base.close();
  expect(row).toEqual({ logged: 20, counted: 20 });
});
