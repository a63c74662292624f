// Sixteen writers of four dealers, each with its own journal, while the service, then PostgreSQL, then both are repeatedly killed
// with -9. Requests with an unknown outcome are repeated with the same key. At the end everything acknowledged exists once, and
// history and outbox agree. `--plant` acknowledges before it commits.
//
//   node test/harness/crash.ts --seed 1 --n 50 [--plant]
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, aCar, ask, askUntilAnswered, dataOf, type HarnessRequest } from './ask.ts';
import { disagreements, gapsIn, readStories } from './history.ts';
import { type Account, type Act, openJournal, readJournals } from './journal.ts';
import { type KilledService, startKilled, type Victim } from './killed-service.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report, spread } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

const DEALERS = 4;
const WRITERS = 16;
const MAX_SHOWN = 20;
const VICTIMS: readonly Victim[] = ['service', 'postgres', 'both'];

export async function crash(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: DEALERS, postgres: 'own' });
  const random = createRandom(seed);
  const paths = Array.from({ length: WRITERS }, (_, number) => join(world.dataDir, `journal-${number}`));
  let stop = () => {};
  try {
    const service = await startKilled(world, random, { plant: plant ? 'early-reply' : undefined });
    const run: Run = { world, random, service, violations: [], statuses: {}, stopping: false };
    stop = () => {
      run.stopping = true;
    };
    const writers = paths.map((path, number) => writeOn(run, path, number));
    const away: Partial<Record<Victim, number[]>> = {};
    for (const victim of VICTIMS) {
      for (let kill = 0; kill < n; kill += 1) {
        await wait(50 + random.below(1450));
        away[victim] = [...(away[victim] ?? []), await service.kill(victim)];
      }
    }
    stop();
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
        away_ms: Object.fromEntries(Object.entries(away).map(([victim, times]) => [victim, spread(times)])),
      },
    };
  } finally {
    stop();
    await world.close();
  }
}

interface Run {
  readonly world: World;
  readonly random: Random;
  readonly service: KilledService;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  stopping: boolean;
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
      const answer = await untilAnswered(run, dealer, act);
      if (answer === null) return;
      const expected = act.asked === 'create' ? 201 : 200;
      if (answer.status !== expected) {
        run.violations.push(`${JSON.stringify(act)} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
        return;
      }
      const { id } = dataOf(answer) as { id: string };
      await journal.write({ key: act.key, answered: answer.status, id });
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

function requestFor(act: Act, { key }: Dealer): HarnessRequest {
  const keys = { key, idempotencyKey: act.key };
  if (act.asked === 'create') return { method: 'POST', path: 'vehicles', ...keys, body: aCar(act.plate, { price: act.price }) };
  if (act.asked === 'reprice') return { method: 'PATCH', path: `vehicles/${act.id}`, ...keys, body: { price: act.price } };
  return { method: 'DELETE', path: `vehicles/${act.id}`, ...keys };
}

async function untilAnswered(run: Run, dealer: Dealer, act: Act): Promise<Answered | null> {
  const answer = await askUntilAnswered(run.service.api, requestFor(act, dealer), (status) => {
    run.statuses[status] = (run.statuses[status] ?? 0) + 1;
  });
  if (answer === null) run.violations.push(`${JSON.stringify(act)} was never answered`);
  return answer;
}

/** Compares the journals with the API and, for what the API does not show, with the tables. */
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
  for (const [id, { plate }] of shown) if (!vehicles.has(id)) problems.push(`${plate} exists but was never acknowledged`);
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
    const answer = await ask(run.service.api(), { method: 'GET', path, key });
    if (answer.status !== 200) throw new Error(`the list could not be read: ${answer.text}`);
    const page = dataOf(answer) as Listed[];
    all.push(...page);
    if (page.length < 100) return all;
  }
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 50 });
  report(await crash(seed, n, plant));
}
