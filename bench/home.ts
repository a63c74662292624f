// `node bench/home.ts`: the request of the dealer's home screen over 50 000 sales, against the first page of the list of sales,
// in alternation in one run: processor time of PostgreSQL and of this process. See docs/performance.md.
import { parseArgs } from 'node:util';
import { listSales } from '../src/domain/sales/sale-list.ts';
import type { Db } from '../src/kit/db.ts';
import { overviewEndpoints } from '../src/panel/home/overview.ts';
import { pidOf, spentBy, withBusyYears } from './busy-years.ts';
import { median } from './scenarios.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    sales: { type: 'string', default: '50000' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const USAGE = `node bench/home.ts [options]
  --rounds N   rounds of which the median is taken (5)
  --sales N    sales of the dealer (50000)
  --check      exit 1 when home takes more than ten times a page`;

/** Processor time is counted in hundredths of a second. */
const TIMES = 25;
const AT_MOST = 10;
const IN_STOCK = 500;
const sales = Number(options.sales);
const progress = (line: string) => process.stderr.write(`${line}\n`);

const now = new Date();
const account = { role: 'owner', timezone: 'Europe/Istanbul' } as const;
const home = (db: Db) => overviewEndpoints[0]!.run({ db, account, now, realNow: now } as never);
const page = (db: Db) =>
  listSales(db, {} as never, { ...account, now, today: now.toISOString().slice(0, 10) } as never, false, {
    limit: 25,
    offset: 0,
  });

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  return withBusyYears(sales, progress, async ({ id, session, database }) => {
    // Sold vehicles are not in stock; a large dealer has some hundred.
    await session.rows('set session_replication_role = replica');
    await session.rows(
      `update vehicles set status = 'Satıldı' where account_id = $1 and id not in (select id from vehicles where account_id = $1 order by id limit ${IN_STOCK})`,
      [id],
    );
    await session.rows('set session_replication_role = default');
    await session.rows('vacuum (analyze) vehicles');
    const backend = await database.inTenant(id, 'read', pidOf);
    const measure = async (work: (db: Db) => Promise<unknown>) => {
      const before = process.cpuUsage();
      const { cpu, wall } = await spentBy(backend, async () => {
        for (let times = 0; times < TIMES; times += 1) await database.inTenant(id, 'read', work);
      });
      const { user, system } = process.cpuUsage(before);
      return { postgres: cpu / TIMES, node: (user + system) / 1000 / TIMES, wall: wall / TIMES };
    };
    const measured = { home: [] as Awaited<ReturnType<typeof measure>>[], page: [] as Awaited<ReturnType<typeof measure>>[] };
    for (let round = 0; round <= Number(options.rounds); round += 1)
      for (const [name, work] of [
        ['home', home],
        ['page', page],
      ] as const) {
        const spent = await measure(work);
        // The first round only warms the caches.
        if (round > 0) measured[name].push(spent);
      }
    const of = (name: 'home' | 'page', what: 'postgres' | 'node' | 'wall') => median(measured[name].map((one) => one[what]));
    const whole = (name: 'home' | 'page') => of(name, 'postgres') + of(name, 'node');
    for (const name of ['home', 'page'] as const)
      console.log(
        `${name.padEnd(6)}${of(name, 'postgres').toFixed(2).padStart(8)} ms of PostgreSQL,${of(name, 'node').toFixed(2).padStart(7)} ms of Node,` +
          `${of(name, 'wall').toFixed(1).padStart(7)} ms in all`,
      );
    const ratio = whole('home') / whole('page');
    console.log(`home takes ${ratio.toFixed(1)} times the processor time of a page, target ≤ ${AT_MOST}`);
    return options.check && ratio > AT_MOST ? 1 : 0;
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
