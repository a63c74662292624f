// Photos sent in parallel, each until it is acknowledged, while the service is repeatedly killed with -9 and readers fetch every
// listed file. No incomplete file is ever served, every acknowledged photo exists once with its files, and after a sweep the
// store holds nothing without a record. `--plant` acknowledges a file before it is stored.
//
//   node test/harness/uploads.ts --seed 1 --n 1000 [--plant]
import { createHash } from 'node:crypto';
import { readdir, stat, utimes } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import type { Started } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { deadline, patience } from '../support/patience.ts';
import { type Answered, aCar, ask, codeOf, dataOf } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

const SENDERS = 64;
const READERS = 4;
const PICTURES = 8;
/** Below the limit of thirty per vehicle. */
const PER_VEHICLE = 20;
const MAX_SHOWN = 20;

export async function uploads(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  const run: Run = {
    world,
    dealer: world.dealers[0]!,
    random: createRandom(seed),
    plant,
    pictures: [],
    vehicles: [],
    sent: new Map(),
    removed: new Set(),
    violations: [],
    statuses: {},
    read: 0,
    api: '',
    stopping: false,
  };
  const kills = Math.max(2, Math.round(n / 100));
  try {
    let service = await startService(run);
    await prepare(run, n);
    const numbers = Array.from({ length: n }, (_, number) => number).values();
    const senders = Promise.all(Array.from({ length: SENDERS }, () => sendAll(run, numbers)));
    const readers = Promise.all(Array.from({ length: READERS }, () => readOn(run)));
    const killed: number[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      // Spread over the run, each at a random moment.
      while (run.sent.size < (n * kill) / (kills + 1) && run.violations.length < MAX_SHOWN) await wait(20);
      await wait(run.random.below(300));
      await end(service.child, 'SIGKILL');
      killed.push(run.sent.size);
      service = await startService(run);
    }
    await senders;
    run.stopping = true;
    await readers;
    const left = await settle(run);
    const problems = [...(await reconcile(run)), ...(await orphans(run))];
    return {
      name: 'uploads',
      seed,
      n,
      violations: [...run.violations, ...problems].slice(0, MAX_SHOWN),
      figure: {
        acknowledged: run.sent.size,
        removed: run.removed.size,
        killed_at: killed,
        files_read: run.read,
        left,
        statuses: run.statuses,
      },
    };
  } finally {
    run.stopping = true;
    await world.close();
  }
}

interface Picture {
  readonly content: Buffer;
  /** Hashes of the resized picture and its thumbnail: the same each time. */
  readonly made: readonly [string, string];
}

interface Photo {
  readonly vehicle: string;
  readonly picture: number;
}

interface Run {
  readonly world: World;
  readonly dealer: Dealer;
  readonly random: Random;
  readonly plant: boolean;
  readonly pictures: Picture[];
  readonly vehicles: string[];
  /** Acknowledged, by id. */
  readonly sent: Map<string, Photo>;
  /** Those whose removal was requested. */
  readonly removed: Set<string>;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  read: number;
  api: string;
  stopping: boolean;
}

async function startService(run: Run): Promise<Started> {
  const service = await run.world.serve({ plant: run.plant ? 'late-files' : undefined });
  run.api = service.ready.api;
  return service;
}

/** Enough vehicles, and the resized form of each picture. */
async function prepare(run: Run, n: number): Promise<void> {
  for (let number = 0; number <= n / PER_VEHICLE; number += 1) run.vehicles.push(await newVehicle(run, `U ${number}`));
  const first = await newVehicle(run, 'U FIRST');
  for (let number = 0; number < PICTURES; number += 1) {
    const content = await drawn(number);
    const answer = await sendPhoto(run, first, `first-${number}`, content);
    if (answer.status !== 201) throw new Error(`the first photo was answered ${answer.text}`);
    const [row] = await run.world.query<{ picture: string; thumbnail: string }>(
      `select encode(f.sha256, 'hex') as picture, encode(t.sha256, 'hex') as thumbnail from vehicle_photos p
        join stored_files f on (f.account_id, f.id) = (p.account_id, p.file_id)
        join stored_files t on (t.account_id, t.id) = (p.account_id, p.thumbnail_id) where p.id = $1`,
      [dataOf(answer).id],
    );
    run.pictures.push({ content, made: [row!.picture, row!.thumbnail] });
    run.sent.set(dataOf(answer).id, { vehicle: first, picture: number });
  }
  run.vehicles.push(first);
}

async function newVehicle({ api, dealer }: Run, plate: string): Promise<string> {
  const answer = await ask(api, { method: 'POST', path: 'vehicles', key: dealer.key, body: aCar(plate) });
  if (answer.status !== 201) throw new Error(`a vehicle was answered ${answer.text}`);
  return dataOf(answer).id;
}

/** Noise, so that half of a file never equals the whole. */
const drawn = (number: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 480 + number * 32,
      height: 360,
      channels: 3,
      background: { r: 30 * number, g: 90, b: 120 },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

const agent = new Agent({ keepAlive: true, maxSockets: SENDERS + READERS });
const BOUNDARY = 'a-boundary-that-no-picture-holds';

/** As curl sends a file; throws without a complete reply. */
function sendPhoto({ api, dealer }: Run, vehicle: string, idempotencyKey: string, content: Buffer): Promise<Answered> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="IMG.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return exchange(`${api}vehicles/${vehicle}/photos`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${dealer.key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(body.length),
      'idempotency-key': idempotencyKey,
    },
    body,
  }).then(({ status, content: bytes }) => ({ status, replayed: false, text: bytes.toString() }));
}

interface Exchange {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}

function exchange(
  url: string,
  { method = 'GET', headers = {}, body }: Exchange = {},
): Promise<{ status: number; content: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers, timeout: patience(60_000) }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('error', reject);
      incoming.on('end', () => {
        if (!incoming.complete) return reject(new Error('the reply was cut off'));
        resolve({ status: incoming.statusCode!, content: Buffer.concat(pieces) });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no reply in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function sendAll(run: Run, numbers: Iterator<number>): Promise<void> {
  for (let next = numbers.next(); !next.done; next = numbers.next()) {
    const number = next.value;
    const vehicle = run.vehicles[Math.floor(number / PER_VEHICLE)]!;
    const picture = number % PICTURES;
    const answer = await untilAnswered(run, () => sendPhoto(run, vehicle, `photo-${number}`, run.pictures[picture]!.content));
    if (answer === null) return;
    if (answer.status !== 201) {
      run.violations.push(`photo ${number} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
      continue;
    }
    const { id } = dataOf(answer);
    run.sent.set(id, { vehicle, picture });
    if (number % 10 === 9) await remove(run, vehicle, id);
  }
}

async function remove(run: Run, vehicle: string, id: string): Promise<void> {
  run.removed.add(id);
  const path = `vehicles/${vehicle}/photos/${id}`;
  const request = { method: 'DELETE', path, key: run.dealer.key, idempotencyKey: `remove-${id}` } as const;
  const answer = await untilAnswered(run, () => ask(run.api, request));
  if (answer !== null && answer.status !== 200) run.violations.push(`removing ${id} was answered ${answer.status}`);
}

/** The same request with the same key until there is a reply; null if none came in time. */
async function untilAnswered(run: Run, send: () => Promise<Answered>): Promise<Answered | null> {
  for (const isOver = deadline(180_000); !isOver(); await wait(100)) {
    const answer = await send().catch(() => null);
    const status = answer === null ? 'none' : String(answer.status);
    run.statuses[status] = (run.statuses[status] ?? 0) + 1;
    if (answer === null || answer.status === 503) continue;
    if (answer.status === 409 && codeOf(answer) === 'idempotency_in_progress') continue;
    return answer;
  }
  run.violations.push('a request was never answered');
  return null;
}

interface Listed {
  readonly id: string;
  readonly url: string;
  readonly thumbnail_url: string;
  readonly position: number;
}

async function photosOf({ api, dealer }: Run, vehicle: string): Promise<Listed[]> {
  const answer = await ask(api, { method: 'GET', path: `vehicles/${vehicle}/photos?limit=100`, key: dealer.key });
  if (answer.status !== 200) throw new Error(`photos were answered ${answer.status}`);
  return dataOf(answer);
}

/** The hash of a file as it is served now, or the status instead. The link's port may be from before the kill. */
async function fetched({ api }: Run, link: string): Promise<string> {
  const { status, content } = await exchange(new URL(new URL(link).pathname, api).href);
  return status === 200 ? createHash('sha256').update(content).digest('hex') : String(status);
}

/** Every listed file is complete; only one whose removal was requested may be gone by the time it is fetched. */
async function readOn(run: Run): Promise<void> {
  const random = createRandom(run.random.below(2 ** 31));
  while (!run.stopping) {
    const photos = await photosOf(run, random.pick(run.vehicles)).catch(() => []);
    if (photos.length === 0) await wait(50);
    for (const { id, url, thumbnail_url } of photos.slice(-4)) {
      for (const [place, link] of [url, thumbnail_url].entries()) {
        const got = await fetched(run, link).catch(() => null);
        if (got === null || got === '503') continue;
        run.read += 1;
        if (got === '404' && run.removed.has(id)) continue;
        if (!run.pictures.some(({ made }) => made[place] === got))
          run.violations.push(`${place === 0 ? 'the picture' : 'the thumbnail'} of ${id} was served as ${got}`);
      }
    }
  }
}

/** Makes everything unfinished old and sweeps it as a worker does. Returns what there was. */
async function settle(run: Run): Promise<Record<string, number>> {
  const states = await run.world.query<{ state: string; count: bigint }>(
    `select state, count(*) from stored_files where state <> 'kept' group by state`,
  );
  await run.world.query(`update stored_files set state_at = state_at - interval '1 day' where state <> 'kept'`);
  const incoming = join(run.world.dataDir, 'files', 'incoming');
  const broken = await readdir(incoming);
  for (const name of broken) await utimes(join(incoming, name), 0, 0);
  await run.world.command('worker', 'drain');
  return { ...Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])), uploads: broken.length };
}

/** Compares what was acknowledged with what is listed and served. */
async function reconcile(run: Run): Promise<string[]> {
  const problems: string[] = [];
  for (const vehicle of run.vehicles) {
    const photos = await photosOf(run, vehicle);
    const due = [...run.sent].filter(([id, photo]) => photo.vehicle === vehicle && !run.removed.has(id)).map(([id]) => id);
    const listed = new Set(photos.map(({ id }) => id));
    for (const id of due) if (!listed.has(id)) problems.push(`${id} was acknowledged and is lost`);
    for (const id of listed) if (!due.includes(id)) problems.push(`${id} exists but was never acknowledged, or it was removed`);
    if (photos.some(({ position }, index) => position !== index + 1)) problems.push(`the photos of ${vehicle} have gaps`);
    for (const { id, url, thumbnail_url } of photos) {
      const { made } = run.pictures[run.sent.get(id)?.picture ?? 0]!;
      const got = [await fetched(run, url), await fetched(run, thumbnail_url)];
      if (got.join() !== made.join()) problems.push(`${id} is served as ${got} and not as ${made}`);
    }
  }
  return problems;
}

/** Objects without a row, rows without an object or a record, and leftovers of uploads. */
async function orphans({ world }: Run): Promise<string[]> {
  const folder = join(world.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lying = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const rows = await world.query<{ name: string; state: string; size_bytes: number; used: boolean }>(
    `select name, state, size_bytes, exists (select from vehicle_photos p
      where p.account_id = f.account_id and f.id in (p.file_id, p.thumbnail_id)) as used from stored_files f`,
  );
  const known = new Set(rows.map(({ name }) => name));
  const problems = lying.filter((name) => !known.has(name)).map((name) => `${name} is in the store and no row names it`);
  for (const { name, state, size_bytes, used } of rows) {
    if (state !== 'kept' || !used) problems.push(`the row of ${name} is ${state}, ${used ? '' : 'not '}used by a photo`);
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.size !== size_bytes) problems.push(`${name} should have ${size_bytes} bytes and has ${found?.size ?? 'none'}`);
  }
  return problems;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 1000 });
  report(await uploads(seed, n, plant));
}
