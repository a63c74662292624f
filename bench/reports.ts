// `node bench/reports.ts`: each report over a dealer's 50 000 sales, 600 000 installments and 500 000 collections, against a plain
// sequential sum over its tables, in alternation in one run. See docs/performance.md.
import { parseArgs } from 'node:util';
import { collectionsSummary } from '../src/domain/reports/collections-summary.ts';
import { customReport } from '../src/domain/reports/custom-report.ts';
import { inventoryAging } from '../src/domain/reports/inventory-aging.ts';
import { marketplacePerformance } from '../src/domain/reports/marketplace-performance.ts';
import { overdueRisk } from '../src/domain/reports/overdue-risk.ts';
import { profitLoss } from '../src/domain/reports/profit-loss.ts';
import { salesSummary } from '../src/domain/reports/sales-summary.ts';
import { salespersonPerformance } from '../src/domain/reports/salesperson-performance.ts';
import type { Db } from '../src/kit/db.ts';
import { sql } from '../src/kit/sql.ts';
import { pidOf, type Spent, spentBy, withBusyYears } from './busy-years.ts';
import { median } from './scenarios.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    sales: { type: 'string', default: '50000' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const USAGE = `node bench/reports.ts [options]
  --rounds N   rounds of which the median is taken (5)
  --sales N    sales of the dealer (50000)
  --check      exit 1 when a report takes more than three times its sum`;

const AT_MOST = 3;
const sales = Number(options.sales);
const progress = (line: string) => process.stderr.write(`${line}\n`);

/** The sum of a table, a minimal query over its rows. */
const SUMS = {
  sales: 'sum(sale_price_minor)',
  installments: 'sum(amount_minor)',
  collections: 'sum(amount_minor)',
  collection_allocations: 'sum(amount_minor)',
  vehicles: 'sum(price_minor)',
  listings: 'count(*)',
  listing_visits: 'sum(views)',
} as const;
type Summed = keyof typeof SUMS;

const account = { now: new Date(), timezone: 'Europe/Istanbul' };
const day = (ago: number) => ({ day: new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10) });
const year = { from: day(365), to: day(0) };
const plain = { convert_to: undefined, rate_date: undefined };
const custom = { ...year, currency: undefined, status: undefined };

interface Measured {
  readonly label: string;
  /** The account of the rows. */
  readonly reads: readonly Summed[];
  readonly run: (db: Db) => Promise<unknown>;
}

const REPORTS: readonly Measured[] = [
  {
    label: 'sales-summary, a year by month',
    reads: ['sales', 'vehicles'],
    run: (db) => salesSummary(db, { ...year, ...plain, group_by: 'month' }, account),
  },
  {
    label: 'sales-summary, a year by brand',
    reads: ['sales', 'vehicles'],
    run: (db) => salesSummary(db, { ...year, ...plain, group_by: 'brand' }, account),
  },
  {
    label: 'collections-summary, a year by month',
    reads: ['installments', 'collections', 'collection_allocations', 'sales'],
    run: (db) => collectionsSummary(db, { ...year, ...plain, group_by: 'month' }, account),
  },
  {
    label: 'inventory-aging',
    reads: ['vehicles'],
    run: (db) => inventoryAging(db, { branch_id: undefined, convert_to: undefined }, account),
  },
  {
    label: 'profit-loss, a year by month',
    reads: ['sales', 'vehicles', 'collections'],
    run: (db) => profitLoss(db, { ...year, ...plain, group_by: 'month' }, account),
  },
  {
    label: 'salesperson-performance, a year',
    reads: ['sales', 'collections', 'installments'],
    run: (db) => salespersonPerformance(db, { ...year, salesperson_id: undefined }, account),
  },
  {
    label: 'overdue-risk',
    reads: ['sales', 'installments'],
    run: (db) => overdueRisk(db, { branch_id: undefined, convert_to: undefined, limit: 25 }, account),
  },
  {
    label: 'marketplace-performance, a year by listing',
    reads: ['listings', 'listing_visits', 'sales', 'vehicles'],
    run: (db) => marketplacePerformance(db, { ...year, group_by: 'listing', limit: undefined, offset: undefined }, account),
  },
  {
    label: 'custom: installments by month, a year',
    reads: ['installments', 'sales'],
    run: (db) =>
      customReport(db, { ...custom, dataset: 'installments', metrics: ['count', 'sum_remaining'], group_by: ['month'] }, account),
  },
];

/** A busy machine must not end the measurement. */
const patiently = (db: Db, run: Measured['run']): Promise<unknown> => {
  db.send(sql`select set_config('statement_timeout', '120000', true)`);
  return run(db);
};

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  return withBusyYears(sales, progress, async ({ id, session, database }) => {
    await session.rows('set max_parallel_workers_per_gather = 0; set enable_indexscan = off; set enable_bitmapscan = off');
    const [report, plain] = [await database.inTenant(id, 'read', pidOf), await pidOf(session)];
    const times = REPORTS.map(() => ({ report: [] as Spent[], sum: [] as Spent[] }));
    for (let round = 0; round <= Number(options.rounds); round += 1)
      for (const [place, { reads, run }] of REPORTS.entries()) {
        const spent = await spentBy(report, () => database.inTenant(id, 'read', (db) => patiently(db, run)));
        const sum = await spentBy(plain, async () => {
          for (const table of reads) await session.rows(`select ${SUMS[table]} from ${table} where account_id = $1`, [id]);
        });
        // The first round only warms the caches.
        if (round > 0) times[place]!.report.push(spent) && times[place]!.sum.push(sum);
      }
    let isMissed = false;
    for (const [place, { label }] of REPORTS.entries()) {
      const { report, sum } = times[place]!;
      const of = (what: 'wall' | 'cpu') => {
        const [took, plainly] = [median(report.map((one) => one[what])), median(sum.map((one) => one[what]))];
        return {
          ratio: took / plainly,
          text: `${took.toFixed(0).padStart(6)} ms ${plainly.toFixed(0).padStart(6)} ms ${(took / plainly).toFixed(2).padStart(6)}×`,
        };
      };
      // Other processes affect wall time, not processor time.
      isMissed ||= of('cpu').ratio > AT_MOST;
      console.log(`${label.padEnd(46)}${of('cpu').text} of the processor,${of('wall').text} in all  to reach ≤ ${AT_MOST}`);
    }
    return options.check && isMissed ? 1 : 0;
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
