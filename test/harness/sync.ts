// A stock that twenty writers add to, edit and delete from, and sales on which they collect, while both are walked and mirrored: each
// walk returns every vehicle that exists throughout exactly once, and the mirrors that follow `updated_since` equal the tables at the end. `--plant` walks by
// offset, and then assigns `updated_at` outside the data set's lock: each must be noticed.
//
//   node test/harness/sync.ts --seed 1 --n 4000 [--plant]
import { setTimeout as wait } from 'node:timers/promises';
import { startRedis } from '../support/redis.ts';
import { aCar, askInRace, codeOf, dataOf, type HarnessRequest } from './ask.ts';
import { createRandom } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type MirroredRecord, MONEY_LISTS, type MoneyMirror, moneyDifferences, openSales, writeMoney } from './sync-sales.ts';
import { openWorld, type Plant, type World } from './world.ts';

const WRITERS = 20;
/** Edited, never deleted. */
const KEPT = 60;
const MAX_SHOWN = 20;

export async function sync(seed: number, n: number, plant: boolean): Promise<Report> {
  if (!plant) return syncWith(seed, n);
  const planted = [await syncWith(seed, n, 'offset-walk'), await syncWith(seed, n, 'early-stamp')];
  // Every planted bug must be noticed.
  const violations = planted.every((one) => one.violations.length > 0) ? planted.flatMap((one) => one.violations) : [];
  return { ...planted[0]!, violations, figure: { found: planted.map((one) => one.violations.length) } };
}

async function syncWith(seed: number, n: number, plant?: Plant): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  try {
    const options = { env: { REDIS_URL: redis.url }, plant };
    // Readers have a separate service: sharing one with twenty writers they would see too little of what happens between two
    // commits.
    const [{ api }, { api: readApi }] = [(await world.serve(options)).ready, (await world.serve(options)).ready];
    const run: Run = {
      world,
      api,
      readApi,
      key: world.dealers[0]!.key,
      violations: [],
      isPlanted: plant !== undefined,
      isWriting: true,
    };
    const kept: string[] = [];
    for (let number = 0; number < KEPT; number += 1) kept.push(await add(run, `KEPT ${number}`));
    const sales = await openSales((request) => act(run, request));
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      write(run, { kept, sales }, seed * 1000 + index, Math.ceil(n / WRITERS)),
    );
    const readers = Promise.all([walkOn(run, kept), mirror(run), mirrorMoney(run)]);
    await Promise.all(writers);
    run.isWriting = false;
    const [walks, { known, passes }, money] = await readers;
    run.violations.push(...(await differences(world, known)), ...(await moneyDifferences(world, money)));
    const figure = { writes: n, writers: WRITERS, walks, passes, records: known.size, collections: money.collections.size };
    return { name: 'sync', seed, n, violations: run.violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
    await redis.stop();
  }
}

interface Run {
  readonly world: World;
  readonly api: string;
  readonly readApi: string;
  readonly key: string;
  readonly violations: string[];
  readonly isPlanted: boolean;
  isWriting: boolean;
}

const act = async ({ api, key }: Run, request: Omit<HarnessRequest, 'key'>) => askInRace(api, { ...request, key });

async function add(run: Run, plate: string): Promise<string> {
  const made = await act(run, { method: 'POST', path: 'vehicles', body: aCar(plate) });
  if (made.status !== 201) throw new Error(`a car could not be added: ${made.text}`);
  return (dataOf(made) as { id: string }).id;
}

interface Targets {
  readonly kept: readonly string[];
  readonly sales: readonly string[];
}

/** It deletes only vehicles it added; all writers edit those that stay. */
async function write(run: Run, { kept, sales }: Targets, seed: number, count: number): Promise<void> {
  const random = createRandom(seed);
  const mine: string[] = [];
  const collected: string[] = [];
  // A planted bug that was noticed needs no more.
  for (let number = 0; number < count && !(run.isPlanted && run.violations.length > 0); number += 1) {
    const dice = random.below(6);
    if (dice > 3) {
      const fault = await writeMoney((request) => act(run, request), sales, random, collected);
      if (fault !== null) run.violations.push(fault);
      continue;
    }
    const own = random.below(2) === 0 ? mine.at(-1) : undefined;
    if (dice === 0) mine.push(await add(run, `W${seed} ${number}`));
    else if (dice === 1 && mine.length > 0) await expectOk(run, { method: 'DELETE', path: `vehicles/${mine.shift()}` });
    else
      await expectOk(run, { method: 'PATCH', path: `vehicles/${own ?? random.pick(kept)}`, body: { km: random.below(900_000) } });
  }
}

async function expectOk(run: Run, request: Omit<HarnessRequest, 'key'>): Promise<void> {
  const answer = await act(run, request);
  if (answer.status !== 200) run.violations.push(`${request.method} ${request.path}: ${answer.status} ${codeOf(answer)}`);
}

interface Car {
  readonly id: string;
  readonly km: number;
  readonly updated_at: string;
}

/** Page by page, following the links. */
async function* pages<Row = Car>({ key }: Run, from: string): AsyncGenerator<Row[]> {
  for (let next: string | undefined = from; next !== undefined; ) {
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${key}`, 'cache-control': 'no-cache' } });
    if (answer.status === 503) {
      await wait(100);
      continue;
    }
    if (answer.status !== 200) throw new Error(`${next}: ${answer.status} ${await answer.text()}`);
    yield ((await answer.json()) as { data: Row[] }).data;
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
}

/** Walks until the writers are done, and once more. */
async function walkOn(run: Run, kept: readonly string[]): Promise<number> {
  for (let walks = 1; ; walks += 1) {
    const isLast = !run.isWriting;
    const seen = new Map<string, number>();
    for await (const cars of pages(run, `${run.readApi}vehicles?limit=7&cursor=start`))
      for (const { id } of cars) seen.set(id, (seen.get(id) ?? 0) + 1);
    for (const id of kept)
      if (seen.get(id) !== 1) run.violations.push(`walk ${walks}: ${id} was seen ${seen.get(id) ?? 0} times`);
    if (isLast) return walks;
  }
}

/**
 * An integrator's copy: the last seen state of each vehicle, deleted ones marked. Follows the writers, and runs once more after
 * them.
 */
async function mirror(run: Run): Promise<{ known: Map<string, Car & { deleted: boolean }>; passes: number }> {
  const known = new Map<string, Car & { deleted: boolean }>();
  const since = { live: '2000-01-01', deleted: '2000-01-01' };
  for (let passes = 1; ; passes += 1) {
    const isLast = !run.isWriting;
    for (const which of ['live', 'deleted'] as const) {
      const filter = `${which === 'deleted' ? '&deleted=true' : ''}&updated_since=${since[which]}`;
      for await (const cars of pages(run, `${run.readApi}vehicles?limit=10&cursor=start${filter}`))
        for (const car of cars) {
          if ((known.get(car.id)?.updated_at ?? '') <= car.updated_at)
            known.set(car.id, { ...car, deleted: which === 'deleted' });
          if (car.updated_at > since[which]) since[which] = car.updated_at;
        }
    }
    if (isLast) return { known, passes };
  }
}

/** The same for sales and collections, which are never deleted. */
async function mirrorMoney(run: Run): Promise<MoneyMirror> {
  const known: Record<keyof MoneyMirror, Map<string, MirroredRecord>> = { sales: new Map(), collections: new Map() };
  const since = { sales: '2000-01-01', collections: '2000-01-01' };
  for (;;) {
    const isLast = !run.isWriting;
    for (const [list, path] of Object.entries(MONEY_LISTS) as [keyof MoneyMirror, string][])
      for await (const rows of pages<MirroredRecord>(run, `${run.readApi}${path}&cursor=start&updated_since=${since[list]}`))
        for (const row of rows) {
          if ((known[list].get(row.id)?.updated_at ?? '') <= row.updated_at) known[list].set(row.id, row);
          if (row.updated_at > since[list]) since[list] = row.updated_at;
        }
    if (isLast) return known as MoneyMirror;
  }
}

async function differences({ query, dealers }: World, known: ReadonlyMap<string, Car & { deleted: boolean }>): Promise<string[]> {
  const table = await query<{ id: string; km: number; deleted: boolean }>(
    'select id, km, deleted_at is not null as deleted from vehicles where account_id = $1',
    [dealers[0]!.accountId],
  );
  const wrong = table.filter(({ id, km, deleted }) => known.get(id)?.km !== km || known.get(id)?.deleted !== deleted);
  const made = table.length === known.size ? [] : [`the mirror has ${known.size} cars, the table ${table.length}`];
  return [
    ...made,
    ...wrong.map((car) => `the mirror has ${JSON.stringify(known.get(car.id))}, the table ${JSON.stringify(car)}`),
  ];
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 4000 });
  report(await sync(seed, n, plant));
}
