// How receivables are read, by the plans of the service's own statements: a page costs what it shows, for any number of rows, and
// a customer's statement what the customer has.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idOf, loadSales, payRows } from '../../bench/sales-data.ts';
import { readStatement } from '../../src/domain/receivables/statement.ts';
import { nextInstallmentDay } from '../../src/domain/sales/installment-days.ts';
import { type Statement, sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type PlanNode, planOf } from '../support/plans.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

const [SALES, ROWS, CUSTOMERS] = [1000, 24, 250];
/** 42 sales of 24 installments, each installment paid by a separate record. */
const LINES = 2016;

let api: TestService;
let admin: Session;
let tenant: Session;
let dealer: Dealer;
let customer: string;
let sale: string;
let sent: Statement[] = [];
beforeAll(async () => {
  const watch = (statement: Statement) => {
    sent.push(statement);
    return statement;
  };
  api = await testService({ database: { watch } });
  await openAll(api);
  [admin, tenant] = [await openSession(api.adminUrl), await openSession(api.urls.tenantUrl)];
  dealer = await newDealer(api);
  const others = await Promise.all([1, 2, 3].map(() => newDealer(api)));
  const many = { rowsEach: ROWS, monthsPast: 12 };
  await loadSales(admin, {
    ...many,
    accounts: [dealer, ...others].map(({ accountId }) => accountId),
    salesEach: SALES,
    customersEach: CUSTOMERS,
  });
  for (const { accountId } of [...others, dealer]) await payRows(admin, accountId, null, 3000);
  await markOne();
  await admin.rows('vacuum analyze');
});
afterAll(async () => {
  await tenant?.close();
  await admin?.close();
  await api?.close();
});

/** One customer has 42 of the sales, half of it paid. */
async function markOne(): Promise<void> {
  const account = dealer.accountId;
  const of = `account_id = '${account}'`;
  const [ids] = await admin.rows<{ customer: string; sale: string }>(
    `select ${idOf(account, 'customer', 7)} as customer, ${idOf(account, 'sale', 500)} as sale`,
  );
  [customer, sale] = [ids!.customer, ids!.sale];
  await admin.rows(`set session_replication_role = replica;
    update sales set customer_id = '${customer}' where ${of} and sale_no <= 'S-2020-0000042';
    update installments set customer_id = '${customer}' where ${of} and sale_id in (select id from sales where ${of} and customer_id = '${customer}');
    set session_replication_role = default`);
  await payRows(admin, account, customer, LINES / 2);
}

const TABLES = ['sales', 'installments', 'collections', 'collection_allocations', 'customers', 'payment_promises'];

/** Rows that were read in these tables, and tables that were scanned. */
async function costOf(statements: readonly Statement[], generic: boolean): Promise<{ rows: number; whole: string[] }> {
  const nodes: PlanNode[] = [];
  for (const statement of statements) nodes.push(...(await planOf(tenant, dealer.accountId, statement, generic)));
  const scans = nodes.filter((node) => TABLES.includes(node['Relation Name'] ?? ''));
  const seen = (node: PlanNode) =>
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const whole = scans
    .filter((node) => node['Node Type'] === 'Seq Scan' && seen(node) > 300)
    .map((node) => node['Relation Name']!);
  return { rows: scans.reduce((sum, node) => sum + seen(node) * node['Actual Loops'], 0), whole };
}

async function during(work: () => Promise<unknown>): Promise<Statement[]> {
  await api.logged();
  sent = [];
  await work();
  return sent.filter(
    ({ text }) => TABLES.some((table) => text.includes(`from ${table} where`)) && /^\s*(select|with)/i.test(text),
  );
}

const statementsOf = (path: string) =>
  during(async () => {
    const { status, text } = await dealer.get(path, { 'cache-control': 'no-cache' });
    expect(status, text).toBe(200);
  });

test('connections of the service plan once for all values, and for one processor', async () => {
  const settings = await api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.one(sql`select current_setting('plan_cache_mode') as mode, current_setting('max_parallel_workers_per_gather') as workers`),
  );
  expect(settings).toEqual({ mode: 'force_generic_plan', workers: '0' });
});

const WAYS = [
  ['planned for its values', false],
  ['planned once for all', true],
] as const;

describe.each(WAYS)('a page, %s', (_, generic) => {
  const lists: readonly (readonly [string, number])[] = [
    ['installments/overdue?limit=25', 200],
    ['installments/overdue?limit=25&min_days=60', 200],
    ['installments/overdue?limit=25&min_days=10&max_days=300', 200],
    ['installments/overdue?limit=25&currency=STG', 200],
    ['installments/upcoming?limit=25', 200],
    ['sales?limit=25', 1000],
    ['installment-plans?limit=25', 1000],
    ['collections?limit=25', 200],
  ];
  test.each(lists)('%s reads no more than %i rows', async (path, most) => {
    const statements = await statementsOf(path);
    expect(statements.length).toBeGreaterThan(0);
    const { rows, whole } = await costOf(statements, generic);
    expect(whole).toEqual([]);
    expect(rows).toBeLessThanOrEqual(most);
  });

  test('of a customer’s debts, payments and purchases', async () => {
    for (const path of ['installments?limit=25', 'collections?limit=25', 'sales?limit=25']) {
      const { rows, whole } = await costOf(await statementsOf(`customers/${customer}/${path}`), generic);
      expect([path, whole]).toEqual([path, []]);
      expect(rows, path).toBeLessThanOrEqual(LINES);
    }
  });

  test('of one sale: its plan, its money, itself', async () => {
    for (const path of ['', '/installment-plan', '/collections']) {
      const { rows, whole } = await costOf(await statementsOf(`sales/${sale}${path}`), generic);
      expect([path, whole]).toEqual([path, []]);
      expect(rows, path).toBeLessThanOrEqual(300);
    }
  });

  test('of a statement: no more than the customer’s rows, a few times', async () => {
    const range = {
      customer_id: customer,
      currency: 'STG',
      from: '2000-01-01',
      to: '2100-01-01',
      today: '2026-11-16',
      limit: 25,
      offset: 0,
    } as const;
    let lines = 0;
    const statements = await during(() =>
      api.database.inTenant(dealer.accountId, 'read', async (db) => {
        lines = (await readStatement(db, range)).lines.length;
      }),
    );
    expect([lines, statements.length > 0]).toEqual([25, true]);
    const { rows, whole } = await costOf(statements, generic);
    expect(whole).toEqual([]);
    expect(rows).toBeLessThanOrEqual(4 * LINES);
  });

  test('of the next timed transitions: no more than the rows of a few days', async () => {
    const statements = await during(() =>
      api.database.inTenant(dealer.accountId, 'read', (db) => nextInstallmentDay(db, 'Asia/Famagusta', [])),
    );
    const { rows, whole } = await costOf(statements, generic);
    expect(whole).toEqual([]);
    expect(rows).toBeLessThanOrEqual((SALES * 5) / 28);
  });
});

describe.each(WAYS)('a payment, %s', (_, generic) => {
  test('reads its sale and no more', async () => {
    const statements = await during(async () => {
      const headers = { 'idempotency-key': `plans-${generic}` };
      const { status, text } = await dealer.post('collections', { sale_id: sale, amount: '5.00', currency: 'STG' }, headers);
      expect(status, text).toBe(201);
    });
    expect(statements.length).toBeGreaterThan(3);
    const { rows, whole } = await costOf(statements, generic);
    expect(whole).toEqual([]);
    expect(rows).toBeLessThanOrEqual(100);
  });
});
