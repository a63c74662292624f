// Sixteen writers of four dealers, each with a journal of its own, while the service is killed with -9 again and again, then
// PostgreSQL, then both. What they do not know the outcome of they ask for again with the same key. In the end everything that was
// acknowledged is there, once, and history and outbox agree. `--plant` acknowledges before it commits.
//   node test/harness/crash.ts --seed 1 --n 50 [--plant]
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Started } from '../start/process.ts';
import { type Answered, type Asked, aCar, ask, codeOf, dataOf } from './ask.ts';
import { disagreements, gapsIn, readStories } from './history.ts';
import { type Account, type Act, openJournal, readJournals } from './journal.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, end, openWorld, type World } from './world.ts';

const DEALERS = 4;
const WRITERS = 16;
const MAX_SHOWN = 20;
/** Of one wish, over all its tries, and of coming back after a kill. */
const PATIENCE_MS = 120_000;

const PHASES = ['service', 'postgres', 'both'] as const;
type Phase = (typeof PHASES)[number];

export async function crash(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: DEALERS, postgres: 'own' });
  const run: Run = { world, random: createRandom(seed), plant, violations: [], statuses: {}, api: '', stopping: false };
  const paths = Array.from({ length: WRITERS }, (_, number) => join(world.dataDir, `journal-${number}`));
  try {
    let service = await startService(run);
    const writers = paths.map((path, number) => writeOn(run, path, number));
    const away: Record<Phase, number[]> = { service: [], postgres: [], both: [] };
    for (const phase of PHASES) {
      for (let kill = 0; kill < n; kill += 1) {
        await wait(50 + run.random.below(1450));
        const killed = performance.now();
        service = await killOnce(run, phase, service);
        await untilAnswering(run, service);
        away[phase].push(Math.round(performance.now() - killed));
      }
    }
    run.stopping = true;
    await Promise.all(writers);
    const account = await readJournals(paths);
    const problems = await reconcile(run, account);
    return {
      name: 'crash',
      seed,
      n,
      violations: [...run.violations, ...problems].slice(0, MAX_SHOWN),
      figure: {
        acknowledged: account.acknowledged,
        vehicles: account.vehicles.size,
        statuses: run.statuses,
        away_ms: Object.fromEntries(PHASES.map((phase) => [phase, spread(away[phase])])),
      },
    };
  } finally {
    run.stopping = true;
    await world.close();
  }
}

interface Run {
  readonly world: World;
  readonly random: Random;
  readonly plant: boolean;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  api: string;
  stopping: boolean;
}

async function startService(run: Run): Promise<Started> {
  const service = await run.world.serve({ plant: run.plant ? 'early-reply' : undefined });
  run.api = service.ready.api;
  return service;
}

async function killOnce(run: Run, phase: Phase, service: Started): Promise<Started> {
  if (phase !== 'service') await run.world.killPostgres();
  if (phase === 'postgres') return service;
  await end(service.child, 'SIGKILL');
  return startService(run);
}

/** A dealer's read that reaches the database. */
async function untilAnswering(run: Run, service: Started): Promise<void> {
  const { key } = run.world.dealers[0]!;
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await wait(20)) {
    const answer = await ask(run.api, { method: 'GET', path: `vehicles?limit=1&brand=${run.random.below(1e9)}`, key }).catch(
      () => null,
    );
    if (answer?.status === 200) return;
  }
  throw new Error(`the service did not come back (exit code ${service.child.exitCode}): ${service.output().slice(-2000)}`);
}

async function writeOn(run: Run, path: string, number: number): Promise<void> {
  const dealer = run.world.dealers[number % DEALERS]!;
  const random = createRandom(run.random.below(2 ** 31));
  const journal = await openJournal(path);
  const live: string[] = [];
  try {
    for (let count = 1; !run.stopping; count += 1) {
      const act = nextAct(random, live, `w${number}-${count}`, `W${number} ${count}`);
      await journal.write(act);
      const answer = await untilTold(run, dealer, act);
      if (answer === null) return;
      const expected = act.asked === 'create' ? 201 : 200;
      if (answer.status !== expected) {
        run.violations.push(`${JSON.stringify(act)} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
        return;
      }
      const { id } = dataOf(answer) as { id: string };
      await journal.write({ key: act.key, told: answer.status, id });
      if (act.asked === 'create') live.push(id);
    }
  } finally {
    await journal.close();
  }
}

function nextAct(random: Random, live: string[], key: string, plate: string): Act {
  const price = `${1000 + random.below(1e6)}.${10 + random.below(90)}`;
  const chosen = random.below(10);
  if (live.length === 0 || chosen < 5) return { key, asked: 'create', plate, price };
  const place = random.below(live.length);
  if (chosen < 8) return { key, asked: 'reprice', id: live[place]!, price };
  return { key, asked: 'delete', id: live.splice(place, 1)[0]! };
}

function requestFor(act: Act, { key }: Dealer): Asked {
  const keys = { key, idempotencyKey: act.key };
  if (act.asked === 'create') return { method: 'POST', path: 'vehicles', ...keys, body: aCar(act.plate, { price: act.price }) };
  if (act.asked === 'reprice') return { method: 'PATCH', path: `vehicles/${act.id}`, ...keys, body: { price: act.price } };
  return { method: 'DELETE', path: `vehicles/${act.id}`, ...keys };
}

/** The same request until there is an answer; null where none came in time. */
async function untilTold(run: Run, dealer: Dealer, act: Act): Promise<Answered | null> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await wait(100)) {
    const answer = await ask(run.api, requestFor(act, dealer)).catch(() => null);
    const status = answer === null ? 'none' : String(answer.status);
    run.statuses[status] = (run.statuses[status] ?? 0) + 1;
    if (answer === null || answer.status === 503) continue;
    if (answer.status === 409 && codeOf(answer) === 'idempotency_in_progress') continue;
    return answer;
  }
  run.violations.push(`${JSON.stringify(act)} was never answered`);
  return null;
}

/** The journals against the API and, for what the API does not show, the tables. */
async function reconcile(run: Run, { vehicles, open }: Account): Promise<string[]> {
  const problems = open.map((act) => `${JSON.stringify(act)} was never answered`);
  if (vehicles.size === 0) problems.push('nothing was acknowledged');
  const shown = new Map<string, { plate: string; price: string; isDeleted: boolean }>();
  for (const dealer of run.world.dealers) {
    for (const isDeleted of [false, true]) {
      for (const { id, plate, price } of await listVehicles(run, dealer, isDeleted)) shown.set(id, { plate, price, isDeleted });
    }
  }
  for (const [id, { plate, price, isDeleted }] of vehicles) {
    const there = shown.get(id);
    if (there === undefined) problems.push(`${plate} was acknowledged and is lost`);
    else if (there.plate !== plate || there.price !== price || there.isDeleted !== isDeleted)
      problems.push(`${plate} should be ${JSON.stringify({ price, isDeleted })} and is ${JSON.stringify(there)}`);
  }
  for (const [id, { plate }] of shown) if (!vehicles.has(id)) problems.push(`${plate} is there and nobody was told so`);
  for (const { accountId } of run.world.dealers) {
    for (const story of await readStories(run.world, accountId)) {
      problems.push(...disagreements(story));
      const due = vehicles.get(story.id)?.history;
      if (due?.join() !== story.history.join()) problems.push(`${story.plate}: history should be ${due} and is ${story.history}`);
    }
    problems.push(...(await gapsIn(run.world, accountId)));
  }
  return problems;
}

type Listed = { id: string; plate: string; price: string };

async function listVehicles(run: Run, { key }: Dealer, isDeleted: boolean): Promise<Listed[]> {
  const all: Listed[] = [];
  for (;;) {
    const path = `vehicles?limit=100&offset=${all.length}${isDeleted ? '&deleted=true' : ''}`;
    const answer = await ask(run.api, { method: 'GET', path, key });
    if (answer.status !== 200) throw new Error(`the list could not be read: ${answer.text}`);
    const page = dataOf(answer) as Listed[];
    all.push(...page);
    if (page.length < 100) return all;
  }
}

function spread(milliseconds: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 50 });
  report(await crash(seed, n, plant));
}
