// Connections that reset, stall, trickle and send half requests on every endpoint, while well-behaved clients continue: the
// process survives, they get no 5xx and no broken connection, and afterwards no descriptor is held and memory is back to its
// level. `--plant` removes the error listener of connections that requested CONNECT.
//
//   node test/harness/rude-clients.ts --seed 1 --n 100000 [--plant]
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { type Started, stop } from '../start/process.ts';
import { deadline, PATIENCE_MS } from '../support/patience.ts';
import { aCar, ask, dataOf } from './ask.ts';
import { createRandom } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { beRude, MANNERS, TARGETS, type Targets } from './rude-connections.ts';
import { type Dealer, openWorld } from './world.ts';

/** Concurrent connections; below the service's limit, which is tested elsewhere. */
const RUDE = 150;
const MAX_SHOWN = 20;
/** Halfway through the run memory has its level; smaller runs are not judged. */
const LEVEL_FROM = 5000;
const MAX_GROWTH = 1.2;

export async function rudeClients(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 2, postgres: 'address' });
  const random = createRandom(seed);
  try {
    const service = await world.serve({ plant: plant ? 'deaf-connect' : undefined });
    const run: Run = { service, violations: new Map(), answers: {}, ended: false };
    const onExit = (code: number | null, signal: string | null) => {
      run.ended = true;
      note(run, `the process exited with ${signal ?? code}`);
    };
    service.child.once('exit', onExit);
    const [good, rude] = world.dealers as [Dealer, Dealer];
    const targets = await prepare(service, rude, await world.signIn(rude.accountId));
    const before = await heldBy(service);
    const asking = [READS, WRITES, PAGES].map((ask) => behave(run, ask(service, good, targets)));
    const kinds = Object.keys(TARGETS).flatMap((target) => Object.keys(MANNERS).map((manner) => [target, manner] as const));
    let made = 0;
    let level = 0;
    const beRudeInTurn = async () => {
      while (made < n && !run.ended) {
        const [target, manner] = kinds[made % kinds.length]!;
        made += 1;
        if (made === Math.ceil(n / 2)) level = (await heldBy(service)).bytes;
        await beRude(targets, random, target, manner);
      }
    };
    await Promise.all(Array.from({ length: RUDE }, beRudeInTurn));
    for (const { stop } of asking) await stop();
    const after = await settled(run, before.descriptors, n < LEVEL_FROM ? Number.POSITIVE_INFINITY : level * MAX_GROWTH);
    service.child.off('exit', onExit);
    if (!run.ended) await endWell(run);
    const violations = [...run.violations].slice(0, MAX_SHOWN).map(([what, times]) => `${what} (${times} times)`);
    const held = {
      descriptors: [before.descriptors, after.descriptors],
      resident_mb: [before.bytes, level, after.bytes].map((bytes) => Math.round(bytes / 1e6)),
    };
    return { name: 'rude-clients', seed, n, violations, figure: { connections: made, answers: run.answers, ...held } };
  } finally {
    await world.close();
  }
}

interface Run {
  readonly service: Started;
  /** The count of each. */
  readonly violations: Map<string, number>;
  /** Replies to the well-behaved, by status. */
  readonly answers: Record<string, number>;
  ended: boolean;
}

function note({ violations }: Run, what: string): void {
  violations.set(what, (violations.get(what) ?? 0) + 1);
}

/** It stops when requested, and logs no error of its own. */
async function endWell(run: Run): Promise<void> {
  const code = await stop(run.service);
  if (code !== 0) note(run, `asked to stop, it exited with ${code}`);
  for (const line of run.service.output().split('\n'))
    if (line.includes('"level":"error"')) note(run, `it logged: ${line.slice(line.indexOf('"message"'), 300)}`);
}

const rootOf = ({ ready }: Started): string => new URL('/', ready.api).origin;

/** A vehicle with a photo, whose link leads to the endpoint of files. */
async function prepare({ ready }: Started, { key }: Dealer, token: string): Promise<Targets> {
  const { id: vehicle } = dataOf(await ask(ready.api, { method: 'POST', path: 'vehicles', key, body: aCar('R 1') }));
  const picture = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)]), 'a.jpg');
  const photos = `vehicles/${vehicle}/photos`;
  const sent = await fetch(`${ready.api}${photos}`, { method: 'POST', body: form, headers: { authorization: `Bearer ${key}` } });
  if (sent.status !== 201) throw new Error(`the photo was answered ${await sent.text()}`);
  const file = await fileLink({ ready }, { key, vehicle });
  return { port: Number(new URL(ready.api).port), key, vehicle, file, cookie: `__Host-panel=${token}` };
}

type Ask = () => Promise<{ readonly status: number; readonly wanted: number; readonly what: string }>;

const agent = new Agent({ keepAlive: true });

function fetchPage(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, timeout: PATIENCE_MS }, (answer) => {
      answer.resume().on('error', reject);
      answer.on('end', () => resolve(answer.statusCode!));
    });
    sent.on('timeout', () => sent.destroy(new Error('no reply in time')));
    sent.on('error', reject).end();
  });
}

/** What well-behaved clients do repeatedly: each its own kind of request. */
const READS = ({ ready }: Started, { key }: Dealer): Ask => {
  return async () => ({
    status: (await ask(ready.api, { method: 'GET', path: 'vehicles', key })).status,
    wanted: 200,
    what: 'a list',
  });
};

const WRITES = ({ ready }: Started, { key }: Dealer): Ask => {
  let count = 0;
  return async () => {
    count += 1;
    const body = aCar(`G ${count}`);
    const { status } = await ask(ready.api, { method: 'POST', path: 'vehicles', key, idempotencyKey: `good-${count}`, body });
    return { status, wanted: 201, what: 'a write' };
  };
};

const PAGES = (service: Started, _: Dealer, targets: Targets): Ask => {
  let count = 0;
  const paths = ['/healthz', '/docs', '/panel/giris', 'file', '/readyz', '/openapi.json'];
  return async () => {
    count += 1;
    const path = paths[count % paths.length]!;
    if (path === 'file') targets.file = await fileLink(service, targets);
    return { status: await fetchPage(`${rootOf(service)}${path === 'file' ? targets.file : path}`), wanted: 200, what: path };
  };
};

/** The link of the photo, as it is listed now. */
async function fileLink({ ready }: Pick<Started, 'ready'>, { key, vehicle }: Pick<Targets, 'key' | 'vehicle'>): Promise<string> {
  const [photo] = dataOf(await ask(ready.api, { method: 'GET', path: `vehicles/${vehicle}/photos`, key }));
  return new URL(photo.url).pathname;
}

function behave(run: Run, asks: Ask): { stop(): Promise<void> } {
  let stopping = false;
  const loop = async () => {
    while (!stopping && !run.ended) {
      try {
        const { status, wanted: expected, what } = await asks();
        run.answers[status] = (run.answers[status] ?? 0) + 1;
        if (status !== expected) note(run, `${what} of a well-behaved client was answered ${status}`);
      } catch (error) {
        note(run, `a well-behaved client got no answer: ${(error as Error).message}`);
      }
      await wait(10);
    }
  };
  const done = loop();
  return {
    stop: () => {
      stopping = true;
      return done;
    },
  };
}

interface Held {
  readonly bytes: number;
  readonly descriptors: number;
}

async function heldBy({ child }: Started): Promise<Held> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const descriptors = await readdir(`/proc/${child.pid}/fd`).catch(() => []);
  return { bytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024, descriptors: descriptors.length };
}

/** A few more descriptors are kept connections of the well-behaved, of the database and of a drawing process. */
const SPARE_DESCRIPTORS = 25;

async function settled(run: Run, descriptors: number, maxBytes: number): Promise<Held> {
  for (const isOver = deadline(30_000); !run.ended; await wait(200)) {
    const held = await heldBy(run.service);
    const [tooMany, tooMuch] = [held.descriptors > descriptors + SPARE_DESCRIPTORS, held.bytes > maxBytes];
    if (!tooMany && !tooMuch) return held;
    if (!isOver()) continue;
    if (tooMany) note(run, `${held.descriptors} descriptors are held, ${descriptors} before`);
    if (tooMuch) note(run, `memory stays at ${held.bytes} bytes, more than ${maxBytes}`);
    return held;
  }
  return { bytes: 0, descriptors: 0 };
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 100_000 });
  report(await rudeClients(seed, n, plant));
}
