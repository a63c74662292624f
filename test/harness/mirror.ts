// The mirror programs of both clients, run as an integrator runs them, follow a stock that twenty writers change: vehicles are
// added, edited, deleted and restored, photos added and removed. The program is repeatedly killed with -9 and resumes from what
// it saved; at the end its copy equals the table. `--plant` runs one that resumes from the time it last saved, and one that
// forgets its position: each must be noticed.
//
//   node test/harness/mirror.ts --seed 1 --n 5000 [--plant]
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { finish, launch } from '../start/process.ts';
import { startRedis } from '../support/redis.ts';
import { aCar, askInRace, codeOf, dataOf } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { openWorld, type World } from './world.ts';

const WRITERS = 20;
/** For each vehicle of the stock. */
const WRITES_PER_CAR = 2;
const BULK = 100;
const MAX_SHOWN = 20;
const START = '2000-01-01T00:00:00Z';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A mirror program, and its line that a planted bug changes. */
interface Language {
  readonly name: string;
  /** Puts program and client into the folder; returns the command that runs it. */
  readonly install: (folder: string, change: (source: string) => string) => Promise<string[]>;
  readonly place: string;
  readonly bugs: readonly string[];
}

const TYPESCRIPT: Language = {
  name: 'mirror',
  install: async (folder, change) => {
    const client = join(folder, 'node_modules/@galeri/client');
    await mkdir(client, { recursive: true });
    await cp(`${ROOT}sdk/typescript/package.json`, join(client, 'package.json'));
    // Compiled for the first of them.
    const compiled = join(folder, '../client');
    const tsc = `${ROOT}node_modules/.bin/tsc`;
    if (!existsSync(compiled)) await promisify(execFile)(tsc, ['-p', `${ROOT}sdk/typescript`, '--outDir', join(compiled, 'esm')]);
    await cp(compiled, join(client, 'dist'), { recursive: true });
    const program = join(folder, 'mirror.mts');
    await writeFile(program, change(await readFile(`${ROOT}sdk/typescript/examples/mirror.mts`, 'utf8')));
    return [process.execPath, program];
  },
  place: 'const since = newestChange(deleted);',
  bugs: [
    `const since = existsSync(file) ? (await import('node:fs')).statSync(file).mtime.toISOString() : '${START}';`,
    `const since = '${START}';`,
  ],
};

const PHP: Language = {
  name: 'mirror-php',
  install: async (folder, change) => {
    await mkdir(join(folder, 'examples'));
    await cp(`${ROOT}sdk/php/Galeri.php`, join(folder, 'Galeri.php'));
    const program = join(folder, 'examples/mirror.php');
    await writeFile(program, change(await readFile(`${ROOT}sdk/php/examples/mirror.php`, 'utf8')));
    return ['php', program];
  },
  place: '$since = newestChange($copies, $deleted);',
  bugs: [
    `clearstatcache(); $since = is_file($file) ? gmdate('Y-m-d\\TH:i:s\\Z', filemtime($file) + 1) : '${START}';`,
    `$since = '${START}';`,
  ],
};

export const mirror = (seed: number, n: number, plant: boolean): Promise<Report> => mirrorIn(TYPESCRIPT, seed, n, plant);
export const mirrorPhp = (seed: number, n: number, plant: boolean): Promise<Report> => mirrorIn(PHP, seed, n, plant);

async function mirrorIn(language: Language, seed: number, n: number, plant: boolean): Promise<Report> {
  const redis = await startRedis();
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  try {
    const options = { env: { REDIS_URL: redis.url } };
    // As with a load balancer: a write on one is read on the other.
    const [{ api }, { api: readApi }] = [(await world.serve(options)).ready, (await world.serve(options)).ready];
    const run: Run = { world, api, key: world.dealers[0]!.key, isWriting: true, photographed: new Map() };
    const programs = await install(language, world.dataDir, new URL(readApi).origin, plant ? language.bugs : [language.place]);
    const stock = await addStock(run, n);
    const written = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => write(run, stock, index, createRandom(seed * 1000 + index))),
    ).finally(async () => {
      // A write on one service is visible on the other a second later.
      await wait(1500);
      run.isWriting = false;
    });
    const following = programs.map((program, index) => follow(run, program, createRandom(seed + index)));
    const [, ...followed] = await Promise.all([written, ...following]);
    const found: string[][] = [];
    for (const { copies, violations } of followed) found.push([...violations, ...(await differences(run, copies))]);
    // Every planted bug must be noticed.
    const violations = found.every((one) => one.length > 0) ? found.flatMap((one) => one.slice(0, MAX_SHOWN)) : [];
    const figure = {
      writes: n * WRITES_PER_CAR,
      writers: WRITERS,
      runs: followed.map(({ runs }) => runs),
      kills: followed.map(({ kills }) => kills),
      records: followed.map(({ copies }) => Object.keys(copies).length),
      found: found.map((one) => one.length),
    };
    return { name: language.name, seed, n, violations, figure };
  } finally {
    await world.close();
    await redis.stop();
  }
}

/** A program for each way to store its position: its own, or planted ones. */
async function install(language: Language, dataDir: string, url: string, places: readonly string[]): Promise<Program[]> {
  const programs: Program[] = [];
  for (const [index, place] of places.entries()) {
    const folder = join(dataDir, `mirror-${index}`);
    await mkdir(folder);
    const command = await language.install(folder, (source) => {
      if (!source.includes(language.place)) throw new Error(`the program has no line "${language.place}"`);
      return source.replace(language.place, place);
    });
    programs.push({ command, file: join(folder, 'vehicles.json'), url });
  }
  return programs;
}

interface Run {
  readonly world: World;
  readonly api: string;
  readonly key: string;
  isWriting: boolean;
  /** The time of a vehicle's last photo. */
  readonly photographed: Map<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: harnesses read arbitrary JSON
async function act(run: Run, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<any> {
  const answer = await askInRace(run.api, { method, path, body, key: run.key });
  if (answer.status < 300) return dataOf(answer);
  throw new Error(`${method} ${path}: ${answer.status} ${codeOf(answer)}`);
}

async function addStock(run: Run, n: number): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < n; from += BULK) {
    const vehicles = Array.from({ length: Math.min(BULK, n - from) }, (_, number) => aCar(`S ${from + number}`));
    const { results } = await act(run, 'POST', 'vehicles/bulk-create', { vehicles });
    ids.push(...results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/** All writers edit vehicles of the first half; each has its own part of the second half for all other writes. */
async function write(run: Run, stock: readonly string[], index: number, random: Random): Promise<void> {
  const shared = stock.slice(0, stock.length / 2);
  const live = stock.slice(stock.length / 2).filter((_, place) => place % WRITERS === index);
  const deleted: string[] = [];
  const photos: { readonly vehicle: string; readonly id: string }[] = [];
  const acts: readonly (() => Promise<unknown>)[] = [
    () => act(run, 'PATCH', `vehicles/${random.pick(shared)}`, { km: random.below(900_000) }),
    async () => live.push((await act(run, 'POST', 'vehicles', aCar(`W${index} ${random.below(1e9)}`))).id),
    async () => {
      const [vehicle] = live.splice(random.below(live.length), 1);
      if (vehicle === undefined) return;
      await act(run, 'DELETE', `vehicles/${vehicle}`);
      deleted.push(vehicle);
    },
    async () => {
      const vehicle = deleted.shift();
      if (vehicle === undefined) return;
      await act(run, 'POST', `vehicles/${vehicle}/restore`);
      live.push(vehicle);
    },
    async () => {
      if (live.length === 0) return;
      const vehicle = random.pick(live);
      const { id, created_at } = await act(run, 'POST', `vehicles/${vehicle}/photos`, { url: 'https://example.com/a.jpg' });
      photos.push({ vehicle, id });
      run.photographed.set(vehicle, created_at);
    },
    async () => {
      const { vehicle, id } = photos.shift() ?? {};
      if (vehicle !== undefined && live.includes(vehicle)) await act(run, 'DELETE', `vehicles/${vehicle}/photos/${id}`);
    },
  ];
  for (let left = Math.ceil((stock.length * WRITES_PER_CAR) / WRITERS); left > 0; left -= 1) await random.pick(acts)();
}

interface Program {
  readonly command: string[];
  readonly file: string;
  readonly url: string;
}

type Copies = Record<string, { id: string; updated_at: string; deleted: boolean }>;

interface Followed {
  readonly copies: Copies;
  readonly runs: number;
  readonly kills: number;
  readonly violations: readonly string[];
}

/**
 * Runs it repeatedly while there are writers, and once more after them. The first is killed in the middle of its walk, then one
 * in two.
 */
async function follow(run: Run, program: Program, random: Random): Promise<Followed> {
  const violations: string[] = [];
  let kills = 0;
  let usualMs = 500;
  for (let runs = 1; ; runs += 1) {
    const isLast = !run.isWriting;
    const isFirst = !existsSync(program.file);
    const startedAt = Date.now();
    const child = launch([...program.command, program.file], { GALERI_KEY: run.key, GALERI_URL: program.url });
    const finished = finish(child);
    if (isFirst) await untilSaved(program.file, finished);
    else if (!isLast && random.chance(0.5)) await Promise.race([wait(random.below(usualMs)), finished]);
    else await finished;
    child.kill('SIGKILL');
    const { code, stdout, stderr } = await finished;
    if (code === null) kills += 1;
    else if (code !== 0) violations.push(`the program exited with ${code}: ${stderr.slice(0, 500)}`);
    else usualMs = Date.now() - startedAt;
    if (!isFirst && stdout.includes(`live vehicles changed since ${START}`))
      violations.push('it started from the beginning, although it had saved its position');
    if (!isLast) continue;
    if (kills === 0) violations.push('it was never killed');
    return { copies: JSON.parse(await readFile(program.file, 'utf8')), runs, kills, violations };
  }
}

async function untilSaved(file: string, finished: Promise<unknown>): Promise<void> {
  let isOver = false;
  void finished.then(() => {
    isOver = true;
  });
  while (!isOver && !existsSync(file)) await wait(1);
}

async function differences({ world, photographed }: Run, copies: Copies): Promise<string[]> {
  const table = await world.query<{ id: string; shown: string; deleted: boolean }>(
    'select id, list_json as shown, deleted_at is not null as deleted from vehicles where account_id = $1',
    [world.dealers[0]!.accountId],
  );
  const found = Object.keys(copies).length;
  const made = table.length === found ? [] : [`the mirror has ${found} cars, the table ${table.length}`];
  const wrong = table.filter(
    ({ id, shown, deleted }) => !isDeepStrictEqual({ ...copies[id] }, { ...JSON.parse(shown), deleted }),
  );
  const old = [...photographed].filter(([id, at]) => (copies[id]?.updated_at ?? '') < at);
  return [
    ...made,
    ...wrong.map(({ id, shown }) => `the mirror has ${JSON.stringify(copies[id])}, the table ${shown}`),
    ...old.map(([id, at]) => `${id} got a photo at ${at}, which its updated_at does not reflect`),
  ];
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 5000 });
  report(await mirror(seed, n, plant));
}
