// One or two dealers do the worst they may (all expensive work that docs/reliability.md lists, all at once and each kind alone),
// while another sends ordinary requests: it always gets a reply. At full size its p99 for hot reads, cold reads and writes is
// compared with its p99 alone, in alternating slices. `--plant` gives connections to the first to ask.
//
//   node test/harness/fairness.ts --seed 1 --n 36 [--plant]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { workbookOfElements } from '../support/workbooks.ts';
import { aCar, ask, type HarnessRequest } from './ask.ts';
import { GREEDY_KINDS, type Greed, type Greedy, type GreedyKind } from './fairness-greedy.ts';
import { type PanelAccess, signedIn } from './fairness-panel.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

/** From this many rounds there are enough samples for a p99, and the ratios are judged. */
const JUDGED_ROUNDS = 7;
const MAX_RATIO = 3;
const SLICE_MS = 5000;
/** In a small run: a fixed number of requests, without a time limit. */
const SMALL_PASSES = 8;
const MAX_SHOWN = 20;
const STOCK = 9900;
const STOCK_CITY = 'Girne';
/** Rows of a workbook that greedy dealers preview: half a second of work. */
const WORKBOOK_ELEMENTS = 400_000;
/** The number of waiting writes of one dealer while its writes are blocked. */
const BACKLOG = 12;
/** The default of DATABASE_CONNECTIONS. */
const CONNECTIONS = 6;

export async function fairness(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 3, postgres: 'address' });
  const [quiet, ...greedy] = world.dealers as [Dealer, ...Dealer[]];
  try {
    await fillStock(world);
    const { api } = (await world.serve({ plant: plant ? 'no-turns' : undefined, env: { SANDBOX: 'isolated' } })).ready;
    const run: Run = {
      world,
      api,
      quiet,
      greedy,
      picture: await drawn(),
      workbook: workbookOfElements(WORKBOOK_ELEMENTS).toString('base64'),
      sandboxKeys: new Map(await Promise.all(greedy.map(async (dealer) => [dealer, await sandboxKey(world, dealer)] as const))),
      panels: new Map(await Promise.all(greedy.map(async (dealer) => [dealer, await signedIn(world, api, dealer)] as const))),
      violations: [],
      asked: 0,
      started: 0,
      prefix: `F${seed}`,
    };
    await openConnections(run);
    for (const count of [1, 2]) await whileOthersStandStill(run, greedy.slice(0, count));
    const figure: Record<string, unknown> = {};
    for (const count of plant ? [] : [1, 2]) figure[`beside ${count}`] = await compare(run, greedy.slice(0, count), n);
    const { violations, asked } = run;
    return { name: 'fairness', seed, n, violations: violations.slice(0, MAX_SHOWN), figure: { asked, ...figure } };
  } finally {
    await world.close();
  }
}

interface Run {
  readonly world: World;
  readonly api: string;
  readonly quiet: Dealer;
  readonly greedy: readonly Dealer[];
  /** In base64. */
  readonly picture: string;
  readonly workbook: string;
  readonly sandboxKeys: ReadonlyMap<Dealer, string>;
  readonly panels: ReadonlyMap<Dealer, PanelAccess>;
  readonly violations: string[];
  readonly prefix: string;
  asked: number;
  /** Greedy processes so far. */
  started: number;
}

/** The stock that exports and slow reads cover. */
async function fillStock({ query, dealers }: World): Promise<void> {
  await query(
    `insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
       price_minor, currency, stock_date, created_at)
     select account, gen_random_uuid(), 'Renault', 'Mégane', 2015, n, 'Benzin', 'Manuel', 'Sedan', 'Gümüş', 'S ' || n, $3,
       1000000 + n, 'TL', current_date, now() - n * interval '1 minute' from unnest($1::uuid[]) account, generate_series(1, $2::int) n`,
    [dealers.map(({ accountId }) => accountId), STOCK, STOCK_CITY],
  );
  await query('analyze');
}

const sandboxKey = async ({ command }: World, { accountId }: Dealer): Promise<string> => {
  const of = ['--account', accountId, '--name', 'sandbox', '--environment', 'sandbox', '--template', 'full'];
  return JSON.parse(await command('key', 'create', ...of, '--per-minute', '1000000', '--json')).key;
};

const drawn = async (): Promise<string> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 1600, height: 1200, channels: 3, background: { r: 30, g: 90, b: 120 }, noise } as const;
  return (await sharp({ create }).jpeg({ quality: 80 }).toBuffer()).toString('base64');
};

/** Opens the whole pool before anything is counted: opening a connection takes long on a busy machine. */
async function openConnections({ api, world }: Run): Promise<void> {
  const read = ({ key }: Dealer) => ask(api, { ...COLD, key });
  for (let pass = 0; pass < 5; pass += 1) await Promise.all(world.dealers.flatMap((dealer) => [read(dealer), read(dealer)]));
}

/**
 * The writes of the others wait for a lock that the harness holds, each with its connection, and more of them queue. Every
 * request of the quiet dealer is answered. No clock decides this: either there is a connection for it or not.
 */
async function whileOthersStandStill(run: Run, greedy: readonly Dealer[]): Promise<void> {
  const { world, api, violations } = run;
  const lock = await world.session();
  try {
    await lock.rows('begin');
    await lock.rows('select from data_sets where id = any($1::uuid[]) for update', [greedy.map(({ accountId }) => accountId)]);
    const backlog = Promise.allSettled(
      greedy.flatMap(({ key }) => Array.from({ length: BACKLOG }, () => ask(api, { ...newCar(run), key }))),
    );
    const standing = await untilStanding(world);
    const max = greedy.length === 1 ? CONNECTIONS / 2 : CONNECTIONS - 1;
    if (standing > max) violations.push(`${greedy.length} dealers hold ${standing} of ${CONNECTIONS} connections`);
    await askAll(run, `while ${greedy.length} other dealers' writes are blocked`);
    await lock.rows('rollback');
    await backlog;
  } finally {
    await lock.close();
  }
}

/** The number of the service's connections that wait for a lock, once it no longer grows. */
async function untilStanding({ query }: World): Promise<number> {
  const count = async () =>
    (await query<{ n: number }>('select count(distinct pid)::int as n from pg_locks where not granted'))[0]!.n;
  for (let [last, same] = [0, 0]; ; await wait(20)) {
    const now = await count();
    same = now === last ? same + 1 : 0;
    last = now;
    // One dealer alone reaches two.
    if (last >= 2 && same >= 5) return last;
  }
}

const LIST = 'vehicles?limit=25';
const COLD = { method: 'GET', path: LIST, headers: { 'cache-control': 'no-cache' } } as const;
const HOT = { method: 'GET', path: LIST } as const;

const newCar = (run: Run) => {
  run.asked += 1;
  return { method: 'POST', path: 'vehicles', body: aCar(`${run.prefix} ${run.asked}`) } as const;
};

const MEASURED = ['hot', 'cold', 'write'] as const;
type Measured = (typeof MEASURED)[number];
/** Milliseconds. */
type Samples = Record<Measured, number[]>;

const noSamples = (): Samples => ({ hot: [], cold: [], write: [] });

/** One of each kind in sequence; the list is read once in between, so that the hot read finds it cached. */
async function askAll(run: Run, when: string, samples: Samples = noSamples()): Promise<void> {
  const answered = async (what: Measured | null, request: Omit<HarnessRequest, 'key'>) => {
    const from = performance.now();
    const { status, text } = await ask(run.api, { ...request, key: run.quiet.key });
    if (what !== null) samples[what].push(performance.now() - from);
    if (status >= 300) run.violations.push(`${what ?? 'a read'} was answered ${status} ${when}: ${text.slice(0, 200)}`);
  };
  await answered('write', newCar(run));
  await answered('cold', COLD);
  await answered(null, HOT);
  for (let count = 0; count < 3; count += 1) await answered('hot', HOT);
}

async function slice(run: Run, when: string, isJudged: boolean, samples: Samples): Promise<void> {
  const until = performance.now() + SLICE_MS;
  for (let pass = 0; isJudged ? performance.now() < until : pass < SMALL_PASSES; pass += 1) {
    await askAll(run, when, samples);
    await wait(3);
  }
}

/** All kinds at once, then each kind alone, and so on: all at once, the slowest kind leaves little for a dealer's other kinds. */
const APPETITES: readonly (readonly GreedyKind[])[] = [GREEDY_KINDS, ...GREEDY_KINDS.map((kind) => [kind])];

interface Compared {
  readonly alone: Samples;
  readonly beside: Samples;
  /** The replies to the greedy dealers. */
  readonly answers: Record<string, number>;
}

/** Alone, beside them, alone, beside them: a temporary slowdown of the machine affects both. */
async function compare(run: Run, greedy: readonly Dealer[], rounds: number): Promise<Record<string, unknown>> {
  const isJudged = rounds >= JUDGED_ROUNDS;
  const found = new Map<string, Compared>();
  for (let round = 0; round < rounds; round += 1) {
    const kinds = APPETITES[round % APPETITES.length]!;
    const name = kinds.length > 1 ? 'everything' : kinds[0]!;
    const compared = found.get(name) ?? { alone: noSamples(), beside: noSamples(), answers: {} };
    found.set(name, compared);
    await slice(run, 'alone', isJudged, compared.alone);
    const others = greedy.map((dealer) => beGreedy(run, dealer, kinds));
    await wait(1000);
    await slice(run, `beside ${greedy.length} greedy dealers (${name})`, isJudged, compared.beside);
    for (const answers of await Promise.all(others.map(stop)))
      for (const [what, count] of Object.entries(answers)) compared.answers[what] = (compared.answers[what] ?? 0) + count;
  }
  const all = [...found.values()];
  const together = Object.fromEntries(MEASURED.map((what) => [what, comparison(all, what)]));
  for (const [what, { p99_ratio: ratio }] of Object.entries(together))
    if (isJudged && ratio > MAX_RATIO)
      run.violations.push(`${what}: p99 ${ratio}× beside ${greedy.length} dealers, at most ${MAX_RATIO}×`);
  const each = [...found].map(([name, compared]) => {
    const ratios = MEASURED.map((what) => [what, comparison([compared], what).p99_ratio] as const);
    return [name, { ...Object.fromEntries(ratios), answers: compared.answers }] as const;
  });
  return { ...together, ...Object.fromEntries(each) };
}

function comparison(all: readonly Compared[], what: Measured) {
  const [alone, beside] = [all.flatMap((one) => one.alone[what]), all.flatMap((one) => one.beside[what])];
  const at = (samples: readonly number[], share: number) =>
    samples.toSorted((one, other) => one - other)[Math.ceil(samples.length * share) - 1] ?? 0;
  const ms = (value: number) => Math.round(value * 10) / 10;
  const ratio = (share: number) => Math.round((at(beside, share) / at(alone, share)) * 100) / 100;
  const [alone_p99_ms, beside_p99_ms] = [ms(at(alone, 0.99)), ms(at(beside, 0.99))];
  return { p50_ratio: ratio(0.5), p99_ratio: ratio(0.99), alone_p99_ms, beside_p99_ms, samples: beside.length };
}

const PROGRAM = fileURLToPath(new URL('./fairness-greedy.ts', import.meta.url));

function beGreedy(run: Run, dealer: Dealer, kinds: readonly GreedyKind[]): ChildProcess {
  run.started += 1;
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Other dealers' programs run on other machines: here they have a lower priority than the service.
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  const greed: Greed = {
    api: run.api,
    key: dealer.key,
    sandboxKey: run.sandboxKeys.get(dealer)!,
    prefix: `G${run.started}`,
    kinds,
    city: STOCK_CITY,
    picture: run.picture,
    workbook: run.workbook,
    panel: run.panels.get(dealer)!,
  };
  child.send(greed);
  return child;
}

async function stop(child: ChildProcess): Promise<Greedy> {
  const message = once(child, 'message');
  child.send('stop');
  const [greedy] = (await Promise.race([message, once(child, 'exit').then(() => [{}])])) as [Greedy];
  return greedy;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 36 });
  report(await fairness(seed, n, plant));
}
