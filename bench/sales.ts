// `node bench/sales.ts`: the cost of a collection against a bare server that sends the same statements, the overdue list among
// 600 000 installments against 600, and a statement of 2 000 lines against one of 20. See docs/performance.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readStatement } from '../src/domain/receivables/statement.ts';
import { openDatabase, openSession, type Session } from '../src/postgres/database.ts';
import { type BenchData, DISK_USAGE, galeri, makeData, SMALL_ROWS } from './data.ts';
import { measure } from './measure.ts';
import { choosePins, type Pins, type Server, startGenerator, startServer, startService, stopAll } from './processes.ts';
import { idOf, loadSales, payRows } from './sales-data.ts';
import { median, OF_FLOOR, type Scenario, type Slice, scenarios } from './scenarios.ts';
import { keptValue, type OwnSale, recordCollection } from './statements.ts';

const USAGE = `node bench/sales.ts [options]
  --rounds N      rounds of which the median is taken (5)
  --seconds S     length of one measurement (3)
  --rows N        rows of the dealer with many (600000)
  --patience N    on a busy machine: measure up to N times until others leave it alone (1)
${DISK_USAGE}
  --only a,b      of collect, overdue, statement
  --check         exit 1 when a figure is missed
  --json          one JSON value`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '600000' },
    patience: { type: 'string', default: '1' },
    disk: { type: 'string', default: '0' },
    only: { type: 'string', default: 'collect,overdue,statement' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, patience] = [Number(options.rounds), Number(options.seconds), Number(options.patience)];
const selected = new Set(options.only.split(','));
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

const ROWS_OF_A_SALE = 24;
const FEW_ROWS = 600;
/** Of each account that collects. */
const SALES_TO_PAY = 500;
const LONG = 2016;

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

async function load(session: Session, data: BenchData): Promise<void> {
  const plan = { rowsEach: ROWS_OF_A_SALE, monthsPast: 12 };
  if (selected.has('collect'))
    await loadSales(session, { ...plan, accounts: data.writerIds, salesEach: SALES_TO_PAY, customersEach: 100 });
  if (selected.has('overdue') || selected.has('statement')) {
    const salesEach = Math.ceil(Number(options.rows) / ROWS_OF_A_SALE);
    progress(`loading ${salesEach} sales of ${ROWS_OF_A_SALE} rows`);
    // One customer in a thousand of 25 000 sales has 25; customer 1 gets 42 below.
    await loadSales(session, { ...plan, accounts: [data.big.id], salesEach, customersEach: Math.ceil(salesEach / 4) });
    await loadSales(session, { ...plan, accounts: [data.small.id], salesEach: FEW_ROWS / ROWS_OF_A_SALE, customersEach: 25 });
    await lengthen(session, data.big.id);
  }
  await session.rows('vacuum (analyze)');
  await session.rows('checkpoint');
}

/** The first customer has 42 sales whose installments are all paid: 2 016 lines. */
async function lengthen(session: Session, account: string): Promise<void> {
  const customer = idOf(account, 'customer', 1);
  await session.rows(`set session_replication_role = replica;
    with theirs as (update sales set customer_id = ${customer} where account_id = '${account}' and sale_no <= 'S-2020-0000042' returning id)
      update installments set customer_id = ${customer} where account_id = '${account}' and sale_id in (select id from theirs);
    set session_replication_role = default`);
  const [found] = await session.rows<{ id: string }>(`select ${customer} as id`);
  await payRows(session, account, found!.id, LONG);
}

async function saleIds(session: Session, accounts: readonly string[]): Promise<{ account: string; id: string }[]> {
  // Neighbours are of different accounts.
  return session.rows(
    `select account_id as account, id from sales where account_id = any($1::uuid[]) and sale_no <= $2 order by sale_no, account_id`,
    [accounts, ownFrom()],
  );
}

/** Sales of each account that only the bare server uses: the service's amounts would not match what it sends. */
const OWN_SALES = 20;

async function ownSales(session: Session, accounts: readonly string[]): Promise<Record<string, OwnSale[]>> {
  const found = await session.rows<OwnSale & { account: string }>(
    `select sales.account_id as account, sales.id as sale, sales.plan_id as plan, sales.customer_id as customer, vehicle_id as vehicle,
       (select id from branches where account_id = sales.account_id and is_main) as branch, installments.id as installment, due_date::text as due
     from sales join installments on installments.account_id = sales.account_id and sale_id = sales.id and seq = 1
     where sales.account_id = any($1::uuid[]) and sale_no > $2`,
    [accounts, ownFrom()],
  );
  const of = (id: string) => found.flatMap(({ account, ...own }) => (account === id ? [own] : []));
  return Object.fromEntries(accounts.map((account) => [account, of(account)]));
}

const ownFrom = (): string => `S-2020-${String(SALES_TO_PAY - OWN_SALES).padStart(7, '0')}`;

async function startFloor(session: Session, data: BenchData, pins: Pins): Promise<Server> {
  const sales = await ownSales(session, data.writerIds);
  const account = data.writerIds[0]!;
  // Only the recording knows its amounts.
  const recorded = await recordCollection(data, account, sales[account]!.shift()!);
  const file = join(data.dataDir, 'collection.json');
  await writeFile(file, JSON.stringify(recorded, keptValue));
  const accounts = Object.fromEntries(data.writers.map((key, index) => [`Bearer ${key}`, data.writerIds[index]]));
  const env = { STATEMENTS_FILE: file, ACCOUNTS: JSON.stringify(accounts), SALES: JSON.stringify(sales) };
  return startServer('servers/statements.ts', { ...env, TENANT_URL: data.connected.urls.tenantUrl }, pins);
}

async function collecting(session: Session, data: BenchData): Promise<Scenario> {
  const keyOf = new Map(data.writerIds.map((id, index) => [id, data.writers[index]!]));
  const requests = (await saleIds(session, data.writerIds)).map(({ account, id }) => ({
    method: 'POST',
    path: '/api/v1/collections',
    headers: {
      Authorization: `Bearer ${keyOf.get(account)}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'bench-########',
    },
    body: JSON.stringify({ sale_id: id, amount: '1.25', currency: 'STG' }),
  }));
  const write = scenarios(data, '', 'start').find(({ name }) => name === 'write')!;
  return {
    name: 'collect',
    label: 'POST collections, 16 connections over 8 accounts',
    server: 'service',
    status: 201,
    requests,
    mixed: true,
    connections: 16,
    against: write.against!,
  };
}

const overdue = (name: string, label: string, keys: readonly string[]): Scenario => ({
  name,
  label,
  server: 'service',
  status: 200,
  connections: 16,
  requests: keys.map((key) => ({ path: '/api/v1/installments/overdue?limit=25', headers: { Authorization: `Bearer ${key}` } })),
});

/** The keys of the bench also hold the endpoints measured here. */
async function openRows(session: Session, data: BenchData): Promise<void> {
  const endpoints = ['POST collections', 'GET installments/overdue'];
  await session.rows(
    `insert into key_endpoints (account_id, key_id, endpoint) select account_id, id, row from api_keys, unnest($2::text[]) row
       where account_id = any($1::uuid[]) on conflict do nothing`,
    [[...data.writerIds, data.big.id, data.small.id], endpoints],
  );
  for (const endpoint of endpoints) await galeri(data.dataDir, 'release', 'activate', endpoint);
}

/** Milliseconds of a page of the statement, read as the panel reads it. */
async function statementTimes(
  { connected: { urls }, big }: BenchData,
  session: Session,
): Promise<{ long: number; short: number }> {
  const database = openDatabase({ ...urls, connections: 1 });
  const [ids] = await session.rows<{ long: string; short: string }>(
    `select ${idOf(big.id, 'customer', 1)} as long, (select customer_id from sales where account_id = '${big.id}' group by 1 having count(*) = 1 limit 1) as short`,
  );
  const times = { long: [] as number[], short: [] as number[] };
  const range = { currency: 'STG', from: '2000-01-01', to: '2100-01-01', today: '2026-11-16', limit: 25, offset: 0 } as const;
  try {
    for (let round = 0; round < 10 * rounds; round += 1)
      for (const name of ['long', 'short'] as const) {
        const from = performance.now();
        await database.inTenant(big.id, 'read', (db) => readStatement(db, { ...range, customer_id: ids![name] }));
        times[name].push(performance.now() - from);
      }
  } finally {
    await database.close();
  }
  return { long: median(times.long), short: median(times.short) };
}

const of = (slices: readonly Slice[] | undefined, read: (slice: Slice) => number | null): number =>
  median((slices ?? []).flatMap((slice) => read(slice) ?? []));
const cpuOf = ({ cpuUs, databaseCpuUs }: Slice) => (cpuUs ?? 0) + (databaseCpuUs ?? 0);

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const data = await makeData(progress, SMALL_ROWS, undefined, options.disk);
  const session = await openSession(data.connected.adminUrl);
  try {
    await load(session, data);
    const pins = choosePins(false);
    const service = await startService(data.dataDir, pins);
    await openRows(session, data);
    const chosen: Scenario[] = [];
    if (selected.has('collect')) {
      const collect = await collecting(session, data);
      chosen.push(collect, {
        ...collect,
        name: 'collect-floor',
        label: 'its statements alone, sent by a bare server',
        server: 'statements',
      });
    }
    if (selected.has('overdue'))
      chosen.push(
        overdue('overdue-many', `installments/overdue of ${options.rows} rows`, data.big.keys),
        overdue('overdue-few', `installments/overdue of ${FEW_ROWS} rows`, data.small.keys),
      );
    const found: Figure[] = [];
    if (chosen.length > 0) {
      const file = join(data.dataDir, 'raw.json');
      await writeFile(file, JSON.stringify({ status: 200, headers: { 'Content-Length': '2' }, body: '{}' }));
      const servers = new Map([
        ['service' as const, service],
        ['insert' as const, await startServer('servers/insert.ts', { DATABASE_URL: data.bareUrl }, pins)],
        ['raw' as const, await startServer('servers/raw.ts', { REPLY_FILE: file }, pins)],
        ...(selected.has('collect') ? [['statements' as const, await startFloor(session, data, pins)] as const] : []),
      ]);
      const generator = startGenerator(pins);
      const slices = await measure({ servers, generator, data, progress, rounds, seconds, connections: 16, patience }, chosen);
      found.push(...figuresOf(slices));
      for (const { name, label } of chosen) progress(`${label}: ${JSON.stringify(slices.get(name)!.at(-1))}`);
    }
    if (selected.has('statement')) {
      const { long, short } = await statementTimes(data, session);
      found.push({ label: `a page of a statement of ${LONG} lines, ms`, value: long });
      found.push({ label: 'against one of 24 lines', value: long / short });
    }
    print(found);
    const isMissed = ({ value, atMost = Infinity, atLeast = 0 }: Figure) => value > atMost || value < atLeast;
    return options.check && found.some(isMissed) ? 1 : 0;
  } finally {
    await session.close();
    await stopAll();
    await data.close();
  }
}

function figuresOf(slices: ReadonlyMap<string, readonly Slice[]>): Figure[] {
  const found: Figure[] = [];
  const collect = slices.get('collect');
  if (collect !== undefined) {
    const floor = slices.get('collect-floor')!;
    const rates = collect.map(({ ratio }, round) => ratio / floor[round]!.ratio);
    found.push({ label: 'POST collections against its statements alone', value: median(rates), atLeast: OF_FLOOR });
    const work = of(collect, (slice) => slice.work) / of(floor, (slice) => slice.work);
    found.push({ label: 'the same by processor time', value: work, atLeast: OF_FLOOR });
    found.push({ label: 'POST collections against a bare INSERT', value: of(collect, ({ ratio }) => ratio) });
    found.push({ label: 'its statements alone against a bare INSERT', value: of(floor, ({ ratio }) => ratio) });
    found.push({ label: 'collections a second', value: of(collect, ({ rps }) => rps) });
    found.push({ label: 'µs of Node', value: of(collect, ({ cpuUs }) => cpuUs) });
    found.push({ label: 'µs of PostgreSQL', value: of(collect, ({ databaseCpuUs }) => databaseCpuUs) });
  }
  const [many, few] = [slices.get('overdue-many'), slices.get('overdue-few')];
  if (many !== undefined && few !== undefined) {
    const times = many.map((slice, round) => few[round]!.ratio / slice.ratio);
    found.push({ label: `overdue of ${options.rows} rows against ${FEW_ROWS}, time`, value: median(times), atMost: 1.5 });
    found.push({ label: 'the same by processor time', value: median(many.map(cpuOf)) / median(few.map(cpuOf)), atMost: 1.5 });
  }
  return found;
}

function print(found: readonly Figure[]): void {
  if (options.json) console.log(JSON.stringify(found));
  else
    for (const { label, value, atMost, atLeast } of found) {
      const bound = atMost !== undefined ? `to reach ≤ ${atMost}` : atLeast !== undefined ? `to reach ≥ ${atLeast}` : '';
      console.log(`${label.padEnd(60)} ${value.toFixed(3).padStart(10)}  ${bound}`);
    }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stopAll());

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
