// The request log in the panel: filters, pages, one line explained, CSV, and who sees what.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWanted, type LogFilter, type LogLine } from '../../src/domain/usage/log-lines.ts';
import { newRequestId } from '../../src/kit/ids.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let admin: Session;
let accountId: string;
let keys: { id: string; secret: string }[];
let owner: Browser;
let viewer: Browser;
let sent: Statement[] = [];

beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  service = await testService({ database: { watch } });
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
  test('every key’s requests stand in one list, newest first, with the key’s name', async () => {
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

  test('a request is found by its id, whatever the time range, and one of nobody is not', async () => {
    const id = await logged('vehicles', keys[0]!.secret);
    expect(ids(await list(`?request_id=${id}&from=2020-01-01&to=2020-01-02`))).toEqual([id]);
    expect(ids(await list(`?request_id=${newRequestId(Date.now())}`))).toEqual([]);
  });

  test('pages follow each other without a gap or a line twice, while new requests come in', async () => {
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

  test('another account’s requests are never there, by any filter', async () => {
    const other = await service.account();
    const key = await service.key(other);
    const id = await logged('vehicles', key.secret);
    expect(ids(await list('?limit=200'))).not.toContain(id);
    expect(ids(await list(`?request_id=${id}`))).toEqual([]);
    expect(ids(await list(`?key=${key.id}`))).toEqual([]);
    expect((await owner.api(`logs/lines/${id}`)).status).toBe(404);
  });

  test('a bad filter is refused by name', async () => {
    for (const bad of ['status=6xx', 'key=1', 'method=BREW', 'before=req_x', 'limit=0', 'error=nope', 'from=yesterday']) {
      const { status, json } = await owner.api(`logs?${bad}`);
      expect([status, json.error?.param], bad).toEqual([400, bad.split('=')[0]]);
    }
  });
});

describe('who sees what', () => {
  test('those who may only look see an address’s network, in the list, a line and the file', async () => {
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

  test('of a request that went through is none', async () => {
    expect(await why(await logged('vehicles', keys[0]!.secret))).toBeNull();
  });

  test('says that the key does not hold the row, and after it was given, that it would go through today', async () => {
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

  test('says that the row is not open yet', async () => {
    const id = await logged('vehicles/export', keys[1]!.secret);
    expect(await why(id)).toMatchObject({ today: 'endpoint_not_active', row_live: false, key: { holds_row: true } });
  });

  test('knows an address list, an expiry and a revocation', async () => {
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

test('the file holds what is filtered, and nothing in it runs in a spreadsheet', async () => {
  await service.call('vehicles', { key: keys[0]!.secret, headers: { 'user-agent': '=HYPERLINK("http://x","y")' } });
  await logged('vehicles', keys[0]!.secret);
  const { status, headers, text } = await owner.api(`logs/export?key=${keys[0]!.id}&status=ok`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/csv');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="galeri-log-\d{4}-\d\d-\d\d\.csv"/);
  const lines = text.trim().split('\r\n');
  expect(lines[0]).toBe(
    'at,request_id,key_name,environment,method,path,endpoint,status,error_code,duration_ms,ip,user_agent,response_bytes',
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

describe('a long log', () => {
  // Well beyond what one search looks at, or sorting everything would be the planner's cheapest way.
  const LINES = 150_000;
  let busy: string;
  let browser: Browser;
  beforeAll(async () => {
    busy = await service.account();
    const made = await Promise.all([1, 2, 3].map(() => service.key(busy)));
    browser = await signedIn(service, await newPerson(service, { accountId: busy }));
    // Request ids that hold their time, as real ones do: the time is written in the alphabet of ids.
    for (const { id } of made) {
      const at = Date.now() - 1000;
      const values = Array.from({ length: LINES / 3 }, (_, n) => [at - n * 1000, newRequestId(at - n * 1000)] as const);
      await admin.rows(
        `insert into request_logs (account_id, key_id, at, request_id, method, path, endpoint, status, error_code, duration_ms, response_bytes)
         select $1, $2, to_timestamp(at / 1000.0), id, 'GET', '/api/v1/vehicles', 'GET vehicles', 200, null, 3, 100
         from unnest($3::float8[], $4::text[]) as given(at, id)`,
        [busy, id, values.map(([time]) => time), values.map(([, text]) => text)],
      );
    }
    await admin.rows('analyze request_logs');
  });

  interface PlanNode {
    'Node Type': string;
    'Relation Name'?: string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    Plans?: PlanNode[];
  }
  const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  /** Rows read from the log by the statements of one call, planned as the service plans. */
  async function rowsRead(path: string): Promise<{ rows: number; kinds: string[] }> {
    sent = [];
    expect((await browser.api(path)).status).toBe(200);
    const statements = sent.filter(({ text }) => text.includes('request_logs') && !text.includes('insert into'));
    const tenant = await openSession(service.urls.tenantUrl);
    const literal = (value: unknown) => (value instanceof Date ? `'${value.toISOString()}'` : `'${String(value)}'`);
    try {
      let rows = 0;
      const kinds: string[] = [];
      for (const { text, values } of statements) {
        await tenant.rows(
          `begin read only; select set_config('app.account_id', '${busy}', true); set local plan_cache_mode = force_generic_plan`,
        );
        await tenant.rows(`prepare asked as ${text}`);
        const [plan] = await tenant.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, timing off, format json) execute asked${values.length > 0 ? `(${values.map(literal)})` : ''}`,
        );
        for (const node of nodesOf(plan!['QUERY PLAN'][0].Plan)) {
          if (!node['Relation Name']?.startsWith('request_logs') || node['Actual Loops'] === 0) continue;
          rows += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
          kinds.push(node['Node Type']);
        }
        await tenant.rows('rollback; deallocate all');
      }
      return { rows, kinds };
    } finally {
      await tenant.close();
    }
  }

  test('a page reads its own rows of each key from the index, however deep it lies', async () => {
    const first = await rowsRead('logs?limit=50');
    expect(first.rows).toBeLessThanOrEqual(3 * 51 + 10);
    expect(first.kinds.every((kind) => kind.startsWith('Index'))).toBe(true);
    const middle = newRequestId(Date.now() - 10_000_000);
    const deep = await rowsRead(`logs?limit=50&before=${middle}`);
    expect(deep.rows).toBeLessThanOrEqual(3 * 51 + 10);
  });

  test('a search for something rare stops after a while, says how far it got, and goes on from there', async () => {
    const { rows } = await rowsRead('logs?status=5xx');
    expect(rows).toBeLessThanOrEqual(2 * 50_000 + 100);
    const { json } = await browser.api('logs?status=5xx');
    expect(json.data.lines).toEqual([]);
    expect(json.data.searched_to).not.toBeNull();
    let { next } = json.data;
    let pages = 1;
    for (; next !== null && pages < 10; pages += 1) {
      const page = (await browser.api(`logs?status=5xx&before=${next}`)).json.data;
      expect(page.lines).toEqual([]);
      expect(page.next ?? '').not.toBe(next);
      next = page.next;
    }
    expect(next).toBeNull();
    expect(pages).toBeGreaterThanOrEqual(LINES / 50_000);
  });

  test('the file holds every line once, newest first, also where a rare one lies behind many others', async () => {
    const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const idsIn = async (filter: string) => {
      const { text } = await browser.api(`logs/export?from=${from}${filter}`);
      const [head, ...lines] = text.trim().split('\r\n');
      expect(head).toContain('request_id');
      return lines.map((line) => line.split(',')[1]!);
    };
    const all = await idsIn('');
    expect(all).toHaveLength(LINES);
    expect(new Set(all).size).toBe(LINES);
    // Ids begin with their time.
    expect(all).toEqual(all.toSorted().toReversed());
    const oldest = all.at(-1)!;
    await admin.rows(`update request_logs set status = 500, error_code = 'internal_error' where request_id = $1`, [oldest]);
    expect(await idsIn('&status=5xx')).toEqual([oldest]);
  });
});
