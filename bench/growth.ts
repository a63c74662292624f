// `node bench/growth.ts`: what more accounts cost on one database: the idle service with its worker and its PostgreSQL, the paths of a
// dealer, and the administrators' screens, with 10 accounts and then with more of them in the same run. See docs/performance.md.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSession, type Session } from '../src/postgres/database.ts';
import { type BenchData, galeri, makeData, SMALL_ROWS } from './data.ts';
import { giveSalesCars, keepSignedIn, loadWorkingDealers, openEndpoints, type Stock, saleOf, signOwnersIn } from './dealers.ts';
import type { LoadRequest } from './load.ts';
import { measure } from './measure.ts';
import {
  choosePins,
  cpuBetween,
  cpuOfAll,
  cpuOfTree,
  type Server,
  startGenerator,
  startServer,
  startService,
  stopAll,
} from './processes.ts';
import { printTable, spreadOf } from './report.ts';
import { loadSales } from './sales-data.ts';
import { median, PATH, type Scenario, type Slice, type Slices, scenarios } from './scenarios.ts';

const USAGE = `node bench/growth.ts [options]
  --accounts N,N,N  sizes in growing order; the others are compared with the first (10,2000,20000)
  --rounds N        rounds of which the median is taken (5)
  --seconds S       length of one measurement (3)
  --idle S          length of an idle measurement; shorter than 60 misses the jobs of each minute (60)
  --connections N   keep-alive connections (4)
  --patience N      on a busy machine: measure up to N times until others leave it alone (1)
  --quick           10, 100 and 500 accounts, short rounds
  --check           exit 1 when a figure is missed
  --json            one JSON value`;

const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    idle: { type: 'string' },
    connections: { type: 'string', default: '4' },
    patience: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { quick } = options;
const sizes = (options.accounts ?? (quick ? '10,100,500' : '10,2000,20000')).split(',').map(Number);
const rounds = Number(options.rounds ?? (quick ? 2 : 5));
const seconds = Number(options.seconds ?? (quick ? 0.5 : 3));
const idleSeconds = Number(options.idle ?? (quick ? 2 : 60));
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

/** `makeData` without the accounts of many keys. The paths of a dealer use these at every size. */
const FIRST_ACCOUNTS = 10;
const DEALER_AT_MOST = 1.2;
const SCREEN_AT_MOST = 3;
/** Of each of the accounts that take collections. */
const SALES_TO_PAY = 50;
const ROWS_OF_A_SALE = 24;
const STOCK: Stock = {
  cars: 10,
  sales: 2,
  rowsOfASale: 6,
  customers: 3,
  endpoints: ['GET vehicles', 'GET sales', 'POST collections'],
};
const LEAD_MS = Math.min(10, idleSeconds) * 1000;

/** Cores used by an idle deployment; more than one is possible. */
interface Idle {
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
}

interface Size {
  readonly accounts: number;
  readonly idle: readonly Idle[];
  readonly slices: Slices;
}

interface People {
  readonly owner: string;
  readonly admin: string;
}

/** `place` of the size: numbers of writes begin again with each load generator, and an Idempotency-Key may not. */
function paths(
  data: BenchData,
  { owner, admin }: People,
  place = 0,
): { readonly dealer: Scenario[]; readonly screens: Scenario[] } {
  const named = (name: string) => scenarios(data, '', 'start').find((one) => one.name === name)!;
  const read = (name: string, label: string, path: string, headers: Record<string, string>): Scenario => ({
    name,
    label,
    server: 'service',
    requests: [{ path, headers }],
    status: 200,
  });
  const panel = (name: string, label: string, path: string, cookie: string): Scenario =>
    read(name, label, `/panel/api/${path}`, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
  const key = { Authorization: `Bearer ${data.small.keys[0]}`, 'Cache-Control': 'no-cache' };
  const own = ({ headers, body = '', ...request }: LoadRequest): LoadRequest => ({
    ...request,
    headers: { ...headers, 'Idempotency-Key': `size-${place}-########` },
    body: body.replace('########', `${place}########`),
  });
  const { requests, status } = named('write');
  const cars = requests.slice(0, 4).map(own);
  const paid = collections(data).map(own);
  return {
    dealer: [
      { ...named('hot'), label: 'hot read' },
      { ...named('cold'), label: 'cold read' },
      read('list', 'list of sales, not from memory', '/api/v1/sales?limit=25', key),
      { name: 'write', label: 'a car is added', server: 'service', requests: cars, status },
      { name: 'collect', label: 'a collection', server: 'service', requests: paid, status: 201, mixed: true },
      panel('home', "the panel's home", 'overview', owner),
    ],
    screens: [
      panel('admin-accounts', 'administrator: accounts', 'admin/accounts?limit=25', admin),
      panel('admin-search', 'administrator: search for an account', 'admin/accounts?limit=25&q=k%C3%BC%C3%A7%C3%BCk', admin),
      panel('admin-usage', 'administrator: an account with its usage', `admin/accounts/${data.small.id}`, admin),
      panel('admin-releases', 'administrator: releases', 'admin/releases', admin),
      panel('admin-home', 'administrator: home of the platform', 'admin/home', admin),
    ],
  };
}

const collections = ({ writers, writerIds }: BenchData): LoadRequest[] =>
  Array.from({ length: SALES_TO_PAY }, (_, sale) =>
    writerIds.slice(4).map((account, place) => ({
      method: 'POST',
      path: '/api/v1/collections',
      headers: { Authorization: `Bearer ${writers[4 + place]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ sale_id: saleOf(account, sale + 1), amount: '1.25', currency: 'STG' }),
    })),
  ).flat();

/** What the paths of a dealer read, in the first accounts. */
async function prepareFirst(session: Session, data: BenchData): Promise<People> {
  const collecting = data.writerIds.slice(4);
  const plan = { salesEach: SALES_TO_PAY, rowsEach: ROWS_OF_A_SALE, customersEach: 20, monthsPast: 12 };
  await loadSales(session, { ...plan, accounts: [data.small.id, ...collecting] });
  await giveSalesCars(session, [data.small.id, ...collecting]);
  await openEndpoints(session, [data.small.id, ...collecting], ['GET sales', 'POST collections']);
  const [owner, admin] = await signOwnersIn(session, [data.small.id, null]);
  return { owner: owner!, admin: admin! };
}

async function grow(session: Session, data: BenchData, from: number, to: number): Promise<void> {
  progress(`from ${from} to ${to} accounts`);
  await loadWorkingDealers(session, data.connected.secrets.pepper, to - from, STOCK);
  await session.rows('vacuum (analyze)');
  await session.rows('checkpoint');
}

async function measureIdle(data: BenchData, api: Server, worker: Server): Promise<Idle> {
  const postgres = data.connected.embedded!.pid()!;
  const spent = () => ({
    at: performance.now(),
    api: cpuOfAll(api.pid),
    worker: cpuOfAll(worker.pid),
    postgres: cpuOfTree(postgres),
  });
  const from = spent();
  await wait(idleSeconds * 1000);
  const to = spent();
  const share = (used: number) => (used * 1000) / (to.at - from.at);
  return {
    api: share(to.api - from.api),
    worker: share(to.worker - from.worker),
    postgres: share(cpuBetween(from.postgres, to.postgres) ?? 0),
  };
}

/** The API and its worker as processes of their own, so that each one's processor time is known. */
async function measureSize(session: Session, data: BenchData, people: People, accounts: number): Promise<Size> {
  const pins = choosePins(false);
  // Work that came with the accounts, such as the day's first look for reminders, is no idle time.
  await galeri(data.dataDir, 'worker', 'drain');
  const settings = { DATABASE_URL: data.connected.adminUrl, LIVE: 'all' };
  const api = await startService(data.dataDir, pins, { settings, only: 'api' });
  const worker = await startService(data.dataDir, pins, { settings, only: 'worker' });
  try {
    await wait(LEAD_MS);
    const idle: Idle[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`${accounts} accounts: idle, round ${round} of ${rounds}`);
      idle.push(await measureIdle(data, api, worker));
    }
    await keepSignedIn(session);
    const raw = await startServer('servers/raw.ts', { REPLY_FILE: await keepReply(data, api.port) }, pins);
    const servers = new Map([['service', api] as const, ['raw', raw] as const]);
    const { dealer, screens } = paths(data, people, sizes.indexOf(accounts));
    const [connections, patience] = [Number(options.connections), Number(options.patience)];
    const bench = { servers, generator: startGenerator(pins), data, progress, rounds, seconds, connections, patience };
    return { accounts, idle, slices: await measure(bench, [...dealer, ...screens]) };
  } finally {
    await stopAll();
  }
}

/** The bytes that the bare server returns. */
async function keepReply(data: BenchData, port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { Authorization: `Bearer ${data.small.keys[0]}` } });
  const body = await reply.text();
  if (reply.status !== 200) throw new Error(`the service answered ${reply.status}: ${body.slice(0, 300)}`);
  const folder = join(data.dataDir, 'bench');
  await mkdir(folder, { recursive: true });
  const headers = { 'Content-Type': reply.headers.get('content-type'), 'Content-Length': Buffer.byteLength(body) };
  await writeFile(join(folder, 'raw.json'), JSON.stringify({ status: 200, headers, body }));
  return join(folder, 'raw.json');
}

interface Figure {
  readonly name: string;
  readonly label: string;
  /** For each size: processor time in hot reads of the bare server, or cores. */
  readonly cost: readonly number[];
  readonly spread: readonly number[];
  /** Against the first size. */
  readonly growth: readonly number[];
  /** The same by wall time. */
  readonly slower: readonly number[] | null;
  readonly atMost: number;
}

/** Processor time for a request, counted in requests to the bare server beside it: other work on the machine slows both. */
const costOf = ({ work, ratio }: Slice): number => 1 / (work ?? ratio);

function figuresOf(found: readonly Size[], chosen: { readonly dealer: Scenario[]; readonly screens: Scenario[] }): Figure[] {
  const against = (values: readonly number[]) => values.map((value) => value / values[0]!);
  const total = ({ api, worker, postgres }: Idle) => api + worker + postgres;
  const figure = (
    name: string,
    label: string,
    atMost: number,
    of: (size: Size) => number[],
    wall: ((size: Size) => number) | null,
  ) => {
    const cost = found.map((size) => median(of(size)));
    const spread = found.map((size) => spreadOf(of(size)));
    return { name, label, cost, spread, growth: against(cost), slower: wall && against(found.map(wall)), atMost };
  };
  const path = (atMost: number) => (one: Scenario) => {
    const slices = (size: Size) => size.slices.get(one.name)!;
    const time = (size: Size) => 1 / median(slices(size).map(({ ratio }) => ratio));
    return figure(one.name, one.label, atMost, (size) => slices(size).map(costOf), time);
  };
  return [
    figure('idle', 'idle: API, worker and PostgreSQL', DEALER_AT_MOST, ({ idle }) => idle.map(total), null),
    ...chosen.dealer.map(path(DEALER_AT_MOST)),
    ...chosen.screens.map(path(SCREEN_AT_MOST)),
  ];
}

function report(found: readonly Size[], figures: readonly Figure[]): number {
  const reached = ({ growth, atMost }: Figure) => Math.max(...growth) <= atMost;
  const others = median(found.flatMap(({ slices }) => [...slices.values()].flat().map((slice) => slice.others ?? 0)));
  const idle = found.map((size) => {
    const of = (name: keyof Idle) => Number(median(size.idle.map((one) => one[name])).toPrecision(3));
    return { accounts: size.accounts, api: of('api'), worker: of('worker'), postgres: of('postgres') };
  });
  if (options.json) {
    const settings = { accounts: sizes, rounds, seconds, idleSeconds, others };
    console.log(JSON.stringify({ ...settings, idle, figures: figures.map((one) => ({ ...one, reached: reached(one) })) }));
  } else {
    const times = (value: number) => `${value.toFixed(2)}×`;
    const more = found.slice(1);
    console.log(`\nProcessor time against ${sizes[0]} accounts, median of ${rounds} rounds; in brackets wall time.\n`);
    printTable([
      [
        'path',
        ...found.map(({ accounts }) => `cost with ${accounts}`),
        ...more.map(({ accounts }) => `${accounts}`),
        'target',
        '',
      ],
      ...figures.map((one) => [
        one.label,
        ...one.cost.map((cost, place) => `${cost.toPrecision(3)} ± ${(one.spread[place]! * 100).toFixed(0)} %`),
        ...more.map((_, place) => `${times(one.growth[place + 1]!)}${one.slower ? ` (${times(one.slower[place + 1]!)})` : ''}`),
        `≤ ${one.atMost}×`,
        reached(one) ? '✓' : '✗',
      ]),
    ]);
    console.log('\nThe cost of a path is in requests to a bare server, measured beside it; that of idle time in cores:\n');
    printTable([
      ['accounts', 'API', 'worker', 'PostgreSQL'],
      ...idle.map(({ accounts, api, worker, postgres }) => [accounts, api, worker, postgres].map(String)),
    ]);
    if (others > 0.1) console.log(`\nOther processes used ${(others * 100).toFixed(0)} % of the machine.`);
  }
  return options.check && !figures.every(reached) ? 1 : 0;
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (!sizes.every((size, place) => Number.isInteger(size) && size >= (place === 0 ? FIRST_ACCOUNTS : sizes[place - 1]! + 1)))
    throw new Error(`--accounts takes growing numbers from ${FIRST_ACCOUNTS} on`);
  const data = await makeData(progress, SMALL_ROWS, 0);
  const session = await openSession(data.connected.adminUrl, { deadlineMs: null });
  try {
    const people = await prepareFirst(session, data);
    const found: Size[] = [];
    let accounts = FIRST_ACCOUNTS;
    for (const size of sizes) {
      await grow(session, data, accounts, size);
      accounts = size;
      found.push(await measureSize(session, data, people, size));
    }
    return report(found, figuresOf(found, paths(data, people)));
  } finally {
    await session.close();
    await stopAll();
    await data.close();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    void stopAll();
  });
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  return 1;
});
