// The request log in the panel: filters, pages, one line explained, CSV, and permissions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWanted, type LogFilter, type LogLine } from '../../src/domain/usage/log-lines.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let admin: Session;
let accountId: string;
let keys: { id: string; secret: string }[];
let owner: Browser;
let viewer: Browser;

beforeAll(async () => {
  service = await testService();
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
  keys = [
    await service.key(accountId, { name: 'Muhasebe' }),
    await service.key(accountId, { name: 'Vitrin', template: 'vehicle' }),
  ];
  owner = await signedIn(service, await newPerson(service, { accountId }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  await service.vehicle(accountId);
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

const logged = async (path: string, key: string, method = 'GET'): Promise<string> => {
  const { headers } = await service.call(path, { key, method });
  await service.logged();
  return headers.get('x-request-id')!;
};
const list = async (query = '', browser = owner) => {
  const { status, json } = await browser.api(`logs${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.data as { lines: LogLine[]; next: string | null; searched_to: string | null; position: string };
};
const ids = (page: { lines: LogLine[] }) => page.lines.map(({ request_id }) => request_id);

describe('finding requests', () => {
  test('lists every key’s requests together, newest first, with the key’s name', async () => {
    const first = await logged('vehicles', keys[0]!.secret);
    const second = await logged('customers', keys[1]!.secret);
    const third = await logged('nothing', keys[0]!.secret);
    const page = await list();
    expect(ids(page).slice(0, 3)).toEqual([third, second, first]);
    expect(page.lines.slice(0, 3).map(({ key_name, status, error_code }) => [key_name, status, error_code])).toEqual([
      ['Muhasebe', 404, 'not_found'],
      ['Vitrin', 403, 'insufficient_scope'],
      ['Muhasebe', 200, null],
    ]);
    expect(page.lines[2]!.ip).toBe('127.0.0.1');
  });

  test('each filter narrows, and the live view’s filter agrees with the database’s', async () => {
    await logged('vehicles', keys[1]!.secret, 'HEAD');
    const all = (await list('?limit=200')).lines;
    const filters: LogFilter[] = [
      { key: keys[0]!.id },
      { method: 'HEAD' },
      { path: 'CUSTOM' },
      { status: 'ok' },
      { status: '4xx' },
      { status: '5xx' },
      { status: 'errors' },
      { error: 'insufficient_scope' },
      { key: keys[1]!.id, status: 'errors', path: 'customers' },
    ];
    for (const filter of filters) {
      const query = new URLSearchParams({ ...filter, limit: '200' } as Record<string, string>);
      const found = ids(await list(`?${query}`));
      expect(found, String(query)).toEqual(ids({ lines: all.filter((line) => isWanted(line, filter)) }));
      if (filter.status !== '5xx') expect(found.length, String(query)).toBeGreaterThan(0);
    }
  });

  test('a request is found by its id in any time range; a request without a key is not', async () => {
    const id = await logged('vehicles', keys[0]!.secret);
    expect(ids(await list(`?request_id=${id}&from=2020-01-01&to=2020-01-02`))).toEqual([id]);
    expect(ids(await list(`?request_id=${newRequestId(Date.now())}`))).toEqual([]);
  });

  test('pages have no gaps or duplicates while new requests arrive', async () => {
    for (let call = 0; call < 15; call += 1) await logged('vehicles', keys[call % 2]!.secret);
    const whole = ids(await list('?limit=200'));
    const walked: string[] = [];
    for (let before: string | null = null; ; ) {
      const page = await list(`?limit=4${before === null ? '' : `&before=${before}`}`);
      walked.push(...ids(page));
      await logged('vehicles', keys[0]!.secret);
      before = page.next;
      if (before === null) break;
    }
    expect(walked).toEqual(whole);
  });

  test('another account’s requests never appear, with any filter', async () => {
    const other = await service.account();
    const key = await service.key(other);
    const id = await logged('vehicles', key.secret);
    expect(ids(await list('?limit=200'))).not.toContain(id);
    expect(ids(await list(`?request_id=${id}`))).toEqual([]);
    expect(ids(await list(`?key=${key.id}`))).toEqual([]);
    expect((await owner.api(`logs/lines/${id}`)).status).toBe(404);
  });

  test('refuses an invalid filter by name', async () => {
    for (const bad of ['status=6xx', 'key=1', 'method=BREW', 'before=req_x', 'limit=0', 'error=nope', 'from=yesterday']) {
      const { status, json } = await owner.api(`logs?${bad}`);
      expect([status, json.error?.param], bad).toEqual([400, bad.split('=')[0]]);
    }
  });
});

describe('permissions', () => {
  test('viewers see an address’s network only, in the list, a line and the file', async () => {
    const id = await logged('vehicles', keys[0]!.secret);
    expect((await list('', viewer)).lines[0]!.ip).toBe('127.0.•.•');
    expect((await viewer.api(`logs/lines/${id}`)).json.data.line.ip).toBe('127.0.•.•');
    const file = (await viewer.api('logs/export')).text;
    expect(file).toContain('127.0.•.•');
    expect(file).not.toContain('127.0.0.1');
  });

  test('sales and finance have no log', async () => {
    const sales = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
    for (const path of ['logs', 'logs/timeline', 'logs/export', 'logs/tail', 'usage']) {
      expect((await sales.api(path)).status, path).toBe(403);
    }
  });
});

describe('an explanation', () => {
  const why = async (id: string) => (await owner.api(`logs/lines/${id}`)).json.data.why;

  test('is absent for a successful request', async () => {
    expect(await why(await logged('vehicles', keys[0]!.secret))).toBeNull();
  });

  test('states that the key does not hold the endpoint, and after it was granted, that the request would succeed now', async () => {
    const id = await logged('customers', keys[1]!.secret);
    expect(await why(id)).toMatchObject({
      scope: 'customers:read',
      row_live: true,
      today: 'insufficient_scope',
      key: { id: keys[1]!.id, name: 'Vitrin', holds_row: false },
    });
    await admin.rows('insert into key_endpoints values ($1, $2, $3)', [accountId, keys[1]!.id, 'GET customers']);
    expect(await why(id)).toMatchObject({ today: null, key: { holds_row: true } });
  });

  test('of a refused parameter names it and its rule, and the query’s names without their values', async () => {
    const id = await logged('vehicles?limit=banane&status=Stokta', keys[0]!.secret);
    const { refused, query_names } = (await owner.api(`logs/lines/${id}`, { headers: { 'accept-language': 'tr' } })).json.data;
    expect(refused).toEqual([
      { field: 'limit', code: 'invalid_parameter', message: expect.stringMatching(/^limit, .* olmalı$/) },
    ]);
    expect(query_names).toEqual(['limit', 'status']);
    const [kept] = await admin.rows('select request_logs::text as line from request_logs where request_id = $1', [id]);
    expect(JSON.stringify(kept)).not.toMatch(/banane|Stokta/);
  });

  test('states that the endpoint is not open yet', async () => {
    const id = await logged('vehicles/export', keys[1]!.secret);
    expect(await why(id)).toMatchObject({ today: 'endpoint_not_active', row_live: false, key: { holds_row: true } });
  });

  test('covers an address list, an expiry and a revocation', async () => {
    const key = await service.key(accountId, { limitPerMinute: 2 });
    await service.call('vehicles', { key: key.secret });
    await service.call('vehicles', { key: key.secret });
    const limited = await logged('vehicles', key.secret);
    expect(await why(limited)).toMatchObject({ today: null, key: { limit_per_minute: 2 } });
    await admin.rows(`update api_keys set allowed_ips = '{10.0.0.0/8}' where id = $1`, [key.id]);
    expect(await why(limited)).toMatchObject({ today: 'ip_not_allowed', key: { allowed_ips: 1 } });
    await admin.rows(`update api_keys set expires_at = now() - interval '1 hour' where id = $1`, [key.id]);
    expect(await why(limited)).toMatchObject({ today: 'key_expired' });
    await admin.rows('update api_keys set revoked_at = now() where id = $1', [key.id]);
    expect(await why(limited)).toMatchObject({ today: 'key_revoked' });
  });
});

test('the file holds the filtered lines, and no formulas', async () => {
  await service.call('vehicles', { key: keys[0]!.secret, headers: { 'user-agent': '=HYPERLINK("http://x","y")' } });
  await logged('vehicles', keys[0]!.secret);
  const { status, headers, text } = await owner.api(`logs/export?key=${keys[0]!.id}&status=ok`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/csv');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="galeri-log-\d{4}-\d\d-\d\d\.csv"/);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toBe(
    'at,request_id,key_name,environment,method,path,endpoint,status,error_code,duration_ms,ip,user_agent,response_bytes,via,client',
  );
  expect(lines.length - 1).toBe(ids(await list(`?key=${keys[0]!.id}&status=ok&limit=200`)).length);
  expect(text).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
  expect(text).not.toContain('Vitrin');
});

test('the timeline counts every call of the log, by outcome', async () => {
  const all = (await list('?limit=200')).lines;
  const { json } = await owner.api('logs/timeline');
  expect(json.data.step).toBe('hour');
  expect(json.data.points.length).toBeGreaterThanOrEqual(24);
  const sum = (name: string) =>
    json.data.points.reduce((total: number, point: Record<string, number>) => total + point[name]!, 0);
  expect(sum('ok')).toBe(all.filter(({ status }) => status < 400).length);
  const failed = ({ status }: { status: number }) => status >= 500 && status !== 501;
  expect(sum('refused')).toBe(all.filter((line) => line.status >= 400 && !failed(line)).length);
  expect(sum('failed')).toBe(all.filter(failed).length);
  expect(sum('limited')).toBe(all.filter(({ status }) => status === 429).length);
  const week = await owner.api(`logs/timeline?from=${new Date(Date.now() - 7 * 86_400_000).toISOString()}`);
  expect(week.json.data.step).toBe('day');
  expect(week.json.data.points.length).toBeGreaterThanOrEqual(7);
});
