// A request log of 150 000 lines: what a page and a search read, and a file of all of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newRequestId } from '../../src/kit/ids.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let admin: Session;
let sent: Statement[] = [];
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

// Far more than one search reads, or sorting everything would be the planner's cheapest way.
const LINES = 150_000;
let busy: string;
let browser: Browser;
beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  service = await testService({ database: { watch } });
  admin = await openSession(service.adminUrl);
  busy = await service.account();
  const made = await Promise.all([1, 2, 3].map(() => service.key(busy)));
  browser = await signedIn(service, await newPerson(service, { accountId: busy }));
  // Request ids that encode their time, like real ones.
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
  const textOf = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
  const literal = (value: unknown) => `'${Array.isArray(value) ? `{${value.map(textOf).join()}}` : textOf(value)}'`;
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

test('a page reads only its own rows of each key from the index, at any depth', async () => {
  const first = await rowsRead('logs?limit=50');
  expect(first.rows).toBeLessThanOrEqual(3 * 51 + 10);
  expect(first.kinds.every((kind) => kind.startsWith('Index'))).toBe(true);
  const middle = newRequestId(Date.now() - 10_000_000);
  const deep = await rowsRead(`logs?limit=50&before=${middle}`);
  expect(deep.rows).toBeLessThanOrEqual(3 * 51 + 10);
});

test('a search for a rare line stops after a limit, returns its position, and resumes from there', async () => {
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

test('the file holds every line once, newest first, also when a rare one follows many others', async () => {
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
  // Ids start with their time.
  expect(all).toEqual(all.toSorted().toReversed());
  const oldest = all.at(-1)!;
  await admin.rows(`update request_logs set status = 500, error_code = 'internal_error' where request_id = $1`, [oldest]);
  expect(await idsIn('&status=5xx')).toEqual([oldest]);
});
