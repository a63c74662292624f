// `node bench/day.ts`: how many dealers this machine carries. A working day (bench/dealer-hour.ts) with real webhooks and imports, sent at
// the moments at which they are due, for more and more dealers until the p99 of the requests exceeds 200 ms or something fails. See
// docs/performance.md.
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSession, type Session } from '../src/postgres/database.ts';
import { createRandom } from '../test/harness/random.ts';
import { openMoodyReceiver, type Receiver } from '../test/harness/receiver.ts';
import { startRedis } from '../test/support/redis.ts';
import { type BenchData, DISK_USAGE, makeData, SMALL_ROWS } from './data.ts';
import { CONNECTOR, type DayDealer, EVENTS, HOUR, ONE_IN, perDealerAndHour, requestsOf, STOCK } from './dealer-hour.ts';
import { keepSignedIn, loadWorkingDealers } from './dealers.ts';
import type { Latencies, LoadResult } from './load.ts';
import {
  busySeconds,
  choosePins,
  cpuBetween,
  cpuOfAll,
  cpuOfTree,
  cpuSeconds,
  type Generator,
  type Server,
  startGenerator,
  startService,
  stopAll,
} from './processes.ts';
import { printTable, spreadOf } from './report.ts';
import { median } from './scenarios.ts';

const USAGE = `node bench/day.ts [options]
  --dealers N        where to begin; doubled until the limit is passed (1000)
  --max N            at most so many (32000)
  --refine N         steps between the last number that was carried and the first that was not (2)
  --rounds N         rounds of a step, of which the median is taken (3)
  --seconds S        length of a round (20)
  --connections N    connections of all dealers together (128)
  --workers N        API processes; more than one needs redis-server (1)
${DISK_USAGE}
  --quick            40 and 80 dealers, one short round
  --check            exit 1 when not even the first number is carried
  --json             one JSON value`;

const { values: options } = parseArgs({
  options: {
    dealers: { type: 'string' },
    max: { type: 'string' },
    refine: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '128' },
    workers: { type: 'string', default: '1' },
    disk: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { quick } = options;
const number = (given: string | undefined, full: number, small: number): number => Number(given ?? (quick ? small : full));
const begin = number(options.dealers, 1000, 40);
const most = number(options.max, 32_000, 80);
const refine = number(options.refine, 2, 0);
const rounds = number(options.rounds, 3, 1);
const seconds = number(options.seconds, 20, 2);
const workers = Number(options.workers);
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

const P99_AT_MOST_MS = 200;
/** How long deliveries and imports of a round may take after it. */
const DONE_WITHIN_MS = 30_000;
const SETUP_AT_ONCE = 8;

interface Round {
  readonly result: LoadResult;
  /** Errors, replies that never came, and deliveries and imports that were not done in time. */
  readonly failed: number;
  readonly delivered: number;
  /** Until the last delivery and import after the round, in seconds. */
  readonly done: number;
  /** Cores used. */
  readonly service: number;
  readonly postgres: number;
  readonly generator: number;
  readonly others: number;
}

interface Step {
  readonly dealers: number;
  readonly rounds: readonly Round[];
  readonly p99Ms: number;
  readonly isCarried: boolean;
}

interface Bench {
  readonly data: BenchData;
  readonly session: Session;
  readonly service: Server;
  readonly generator: Generator;
  readonly receiver: Receiver;
  readonly dealers: DayDealer[];
}

/** So many dealers: those that exist, and new ones. */
async function dealersUpTo(bench: Bench, count: number): Promise<readonly DayDealer[]> {
  const { data, session, dealers } = bench;
  const missing = count - dealers.length;
  if (missing > 0) {
    progress(`loading ${missing} dealers`);
    const loaded = await loadWorkingDealers(session, data.connected.secrets.pepper, missing, STOCK);
    const fed = loaded.filter((_, place) => place % ONE_IN === 0);
    const connectors = new Map<string, string>();
    await Promise.all(
      Array.from({ length: SETUP_AT_ONCE }, async () => {
        for (let dealer = fed.shift(); dealer !== undefined; dealer = fed.shift())
          connectors.set(dealer.id, await connectProgram(bench, dealer.id, dealer.key));
      }),
    );
    dealers.push(...loaded.map((dealer) => ({ ...dealer, connector: connectors.get(dealer.id) ?? null })));
    await session.rows('vacuum (analyze)');
    await session.rows('checkpoint');
  }
  return dealers.slice(0, count);
}

/** A webhook and the connector of a feed, through the API. Returns the connector. */
async function connectProgram({ service, receiver }: Bench, account: string, key: string): Promise<string> {
  const post = async (path: string, body: unknown): Promise<{ id: string; secret: string }> => {
    const reply = await fetch(`http://127.0.0.1:${service.port}/api/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`POST ${path} was answered ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as { data: { id: string; secret: string } }).data;
  };
  const { secret } = await post('webhooks', { url: `${receiver.url}${account}`, events: EVENTS });
  receiver.expect(account, secret);
  return (await post('import/connectors', CONNECTOR)).id;
}

/** Deliveries and imports that are not done. */
async function openWork(session: Session): Promise<number> {
  const [row] = await session.rows<{ open: number }>(
    `select (select count(*) from webhook_deliveries where status = 'Bekliyor')::int
       + (select count(*) from import_runs where finished_at is null)::int as open`,
  );
  return row!.open;
}

async function measureRound(bench: Bench, dealers: readonly DayDealer[]): Promise<Round> {
  const { data, session, service, generator, receiver } = bench;
  const postgres = data.connected.embedded!.pid()!;
  await keepSignedIn(session);
  const requests = requestsOf(dealers, seconds);
  const spent = () => ({
    at: performance.now() / 1000,
    service: cpuOfAll(service.pid),
    generator: cpuSeconds(generator.pid) ?? 0,
    self: cpuSeconds(process.pid) ?? 0,
    postgres: cpuOfTree(postgres),
    machine: busySeconds() ?? 0,
  });
  const [from, delivered, problems] = [spent(), receiver.accepted(), receiver.problems.length];
  const connections = Number(options.connections);
  const result = await generator.run({ port: service.port, requests, atMoments: true, connections, seconds });
  const to = spent();
  const ended = performance.now();
  let open = await openWork(session);
  for (; open > 0 && performance.now() - ended < DONE_WITHIN_MS; open = await openWork(session)) await wait(50);
  const took = to.at - from.at;
  const cores = (name: 'service' | 'generator' | 'self' | 'machine') => (to[name] - from[name]) / took;
  const ofPostgres = (cpuBetween(from.postgres, to.postgres) ?? 0) / took;
  const ours = cores('service') + cores('generator') + cores('self') + ofPostgres;
  const refused = Object.entries(result.statuses).reduce((sum, [status, count]) => sum + (/^[23]/.test(status) ? 0 : count), 0);
  if (refused > 0) progress(`  not answered as expected: ${JSON.stringify(result.statuses)}`);
  return {
    result,
    failed: refused + open + receiver.problems.length - problems,
    delivered: receiver.accepted() - delivered,
    done: (performance.now() - ended) / 1000,
    service: cores('service'),
    postgres: ofPostgres,
    generator: cores('generator'),
    others: Math.max(0, cores('machine') - ours) / cpus().length,
  };
}

async function measureStep(bench: Bench, count: number): Promise<Step> {
  const dealers = await dealersUpTo(bench, count);
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    measured.push(await measureRound(bench, dealers));
    const { result, failed, delivered, others } = measured.at(-1)!;
    progress(
      `${count} dealers, round ${round} of ${rounds}: ${result.count} requests, p50 ${result.p50Ms.toFixed(1)}, p99 ${result.p99Ms.toFixed(1)} ms, ` +
        `${failed} failed, ${delivered} webhooks delivered, others ${(others * 100).toFixed(0)} %`,
    );
  }
  const p99Ms = median(measured.map(({ result }) => result.p99Ms));
  return {
    dealers: count,
    rounds: measured,
    p99Ms,
    isCarried: p99Ms <= P99_AT_MOST_MS && measured.every(({ failed }) => failed === 0),
  };
}

/** Doubles until the limit is passed, then looks between. */
async function findLimit(bench: Bench): Promise<Step[]> {
  const steps: Step[] = [];
  const measure = async (count: number): Promise<boolean> => {
    steps.push(await measureStep(bench, count));
    return steps.at(-1)!.isCarried;
  };
  progress('warming up');
  await measureRound(bench, await dealersUpTo(bench, begin));
  let [carried, refused] = [0, 0];
  for (let count = begin; refused === 0 && count <= most; count *= 2)
    if (await measure(count)) carried = count;
    else refused = count;
  for (let left = refine; left > 0 && refused > 0; left -= 1) {
    const between = Math.round((carried + refused) / 2);
    if (await measure(between)) carried = between;
    else refused = between;
  }
  return steps.sort((one, other) => one.dealers - other.dealers);
}

const carriedOf = (steps: readonly Step[]): number =>
  Math.max(0, ...steps.filter(({ isCarried }) => isCarried).map(({ dealers }) => dealers));

/** The slowest kinds of the largest step that was carried, or of the smallest. */
function slowest(steps: readonly Step[]): [string, Latencies][] {
  const step = steps.findLast(({ isCarried }) => isCarried) ?? steps[0]!;
  return Object.entries(step.rounds.at(-1)!.result.kinds ?? {}).sort(([, one], [, other]) => other.p99Ms - one.p99Ms);
}

function report(steps: readonly Step[]): number {
  const carried = carriedOf(steps);
  const isMost = steps.every(({ isCarried }) => isCarried);
  const others = median(steps.flatMap((step) => step.rounds.map((round) => round.others)));
  const of = (step: Step, read: (round: Round) => number) => median(step.rounds.map(read));
  const rows = steps.map((step) => ({
    dealers: step.dealers,
    per_second: of(step, ({ result }) => result.rps),
    p50_ms: of(step, ({ result }) => result.p50Ms),
    p99_ms: step.p99Ms,
    spread: spreadOf(step.rounds.map(({ result }) => result.p99Ms)),
    failed: step.rounds.reduce((sum, { failed }) => sum + failed, 0),
    delivered: step.rounds.reduce((sum, { delivered }) => sum + delivered, 0),
    done_s: of(step, ({ done }) => done),
    service_cores: of(step, ({ service }) => service),
    postgres_cores: of(step, ({ postgres }) => postgres),
    generator_cores: of(step, ({ generator }) => generator),
    carried: step.isCarried,
  }));
  if (options.json) {
    const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length };
    const assumed = Object.fromEntries(HOUR.map(({ kind, perHour }) => [kind, perHour]));
    const settings = { rounds, seconds, workers, connections: Number(options.connections) };
    console.log(
      JSON.stringify({
        machine,
        ...settings,
        assumed_per_dealer_and_hour: assumed,
        others,
        carried,
        is_most: isMost,
        steps: rows,
      }),
    );
  } else {
    console.log(
      `\n${perDealerAndHour.toFixed(1)} requests per dealer and hour (bench/dealer-hour.ts), ${workers} API process(es).`,
    );
    console.log(
      `Median of ${rounds} rounds of ${seconds} s, ${cpus().length} cores shared with the generator, Node ${process.version}.\n`,
    );
    printTable([
      [
        'dealers',
        'req/s',
        'p50 ms',
        'p99 ms',
        'spread',
        'failed',
        'webhooks',
        'done after s',
        'service',
        'PostgreSQL',
        'generator',
        '',
      ],
      ...rows.map((row) => [
        String(row.dealers),
        row.per_second.toFixed(0),
        row.p50_ms.toFixed(1),
        row.p99_ms.toFixed(1),
        `± ${(row.spread * 100).toFixed(0)} %`,
        String(row.failed),
        String(row.delivered),
        row.done_s.toFixed(1),
        ...[row.service_cores, row.postgres_cores, row.generator_cores].map((cores) => cores.toFixed(2)),
        row.carried ? '✓' : '✗',
      ]),
    ]);
    const named = slowest(steps).slice(0, 3);
    console.log(`\nslowest kinds: ${named.map(([kind, { p99Ms }]) => `${kind} p99 ${p99Ms.toFixed(1)} ms`).join(', ')}`);
    if (others > 0.1) console.log(`Other processes used ${(others * 100).toFixed(0)} % of the machine.`);
    console.log(`This machine carries ${isMost ? 'at least ' : ''}${carried} dealers at p99 ≤ ${P99_AT_MOST_MS} ms.`);
  }
  return options.check && carried < begin ? 1 : 0;
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  if (!(begin >= ONE_IN && most >= begin)) throw new Error(`--dealers takes ${ONE_IN} or more, --max at least as many`);
  const redis = workers > 1 ? await startRedis() : null;
  const receiver = await openMoodyReceiver(createRandom(1), { fails: 0, hangs: 0, resets: 0, hangMs: 0 });
  const data = await makeData(progress, SMALL_ROWS, 0, options.disk);
  const session = await openSession(data.connected.adminUrl, { deadlineMs: null });
  try {
    const pins = choosePins(false);
    const shared: Record<string, string> = redis === null ? {} : { WORKERS: String(workers), REDIS_URL: redis.url };
    const settings = { LIVE: 'all', ALLOW_LOOPBACK_TARGETS: 'on', ...shared };
    const service = await startService(data.dataDir, pins, { settings });
    const steps = await findLimit({ data, session, service, generator: startGenerator(pins), receiver, dealers: [] });
    return report(steps);
  } finally {
    await stopAll();
    await session.close();
    await data.close();
    await receiver.close();
    await redis?.stop();
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
