// The processes of a run: started, pinned, measured and stopped here, each by its own pid.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadJob, LoadResult } from './load.ts';

export interface Server {
  readonly pid: number;
  readonly port: number;
}

export interface Pins {
  readonly server: string | null;
  readonly generator: string | null;
}

/** Server and generator on one core each; PostgreSQL runs anywhere. */
export function choosePins(isPinned: boolean): Pins {
  const possible = process.platform === 'linux' && cpus().length > 1 && existsSync('/usr/bin/taskset');
  return isPinned && possible ? { server: '0', generator: '1' } : { server: null, generator: null };
}

const children = new Set<ChildProcess>();
const pathOf = (file: string): string => new URL(file, import.meta.url).pathname;

function start(program: readonly string[], env: Record<string, string>, pin: string | null): ChildProcess {
  const command = [...(pin === null ? [] : ['taskset', '-c', pin]), ...program];
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** A server that prints its port, and ends when its input does. */
export async function startServer(file: string, env: Record<string, string>, pins: Pins): Promise<Server> {
  const child = start([process.execPath, pathOf(file)], env, pins.server);
  for await (const line of createInterface({ input: child.stdout! })) return { pid: child.pid!, port: Number(line) };
  throw new Error(`${file} did not start`);
}

const QUIET = { METRICS_PORT: '', REDIS_URL: '', DATABASE_URL: '', RATES_TCMB_URL: '', RATES_KKTCMB_URL: '' };

/** A start takes seconds, but a busy machine may leave it little time. */
const START_WITHIN_MS = 120_000;

export interface ServiceOptions {
  readonly nodeOptions?: string;
  /** Of its settings, those that differ. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly only?: 'api' | 'worker';
}

/** The service through its public command, in its production form. Of a worker the port is that of its metrics. */
export async function startService(
  dataDir: string,
  pins: Pins,
  { nodeOptions = '', settings = {}, only }: ServiceOptions = {},
): Promise<Server> {
  const port = await freePort();
  const own = { HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'production', NODE_OPTIONS: nodeOptions };
  const env = { ...QUIET, ...own, [only === 'worker' ? 'METRICS_PORT' : 'PORT']: String(port), ...settings };
  const args = ['serve', '--no-demo', ...(only === undefined ? [] : ['--only', only])];
  const child = start([pathOf('../bin/galeri'), ...args], env, pins.server);
  child.stdout!.resume();
  const until = Date.now() + START_WITHIN_MS;
  while (Date.now() < until && child.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) return { pid: child.pid!, port };
    await wait(50);
  }
  throw new Error('the service did not become ready');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export interface Generator {
  readonly pid: number;
  run(job: LoadJob): Promise<LoadResult>;
}

export function startGenerator(pins: Pins): Generator {
  const pinned = pins.generator === null ? {} : { execPath: 'taskset', execArgv: ['-c', pins.generator, process.execPath] };
  const child = fork(pathOf('load.ts'), [], pinned);
  children.add(child);
  child.on('exit', () => children.delete(child));
  let settle: (answer: { result?: LoadResult; error?: string }) => void = () => {};
  child.on('message', (answer: { result?: LoadResult; error?: string }) => settle(answer));
  child.on('exit', (code, signal) => settle({ error: `the load generator ended (${signal ?? code})` }));
  return {
    pid: child.pid!,
    run: (job) =>
      new Promise((resolve, reject) => {
        settle = ({ result, error }) => (result === undefined ? reject(new Error(error)) : resolve(result));
        child.send(job, (error) => error && reject(error));
      }),
  };
}

export async function stopAll(): Promise<void> {
  await Promise.all([...children].map(stop));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(late);
}

/** Processor time of a process; null where there is no /proc. */
export function cpuSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

/** Processor time of a process and of each of its children (PostgreSQL's backends), by pid. */
export function cpuOfTree(pid: number): ReadonlyMap<number, number> | null {
  try {
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    return new Map([pid, ...below.map(Number)].map((one) => [one, cpuSeconds(one)] as const).filter(isKnown));
  } catch {
    return null;
  }
}

const isKnown = (entry: readonly [number, number | null]): entry is readonly [number, number] => entry[1] !== null;

/**
 * What a tree used in between. A child that ended is left out: subtracting the sums would remove all it ever used (autovacuum
 * workers come and go), and its use since `from` is unknown.
 */
export function cpuBetween(from: ReadonlyMap<number, number> | null, to: ReadonlyMap<number, number> | null): number | null {
  if (from === null || to === null) return null;
  return [...to].reduce((sum, [pid, seconds]) => sum + seconds - (from.get(pid) ?? 0), 0);
}

/** Processor time of a process and everything it has started, ended children included: API processes, drawing processes. */
export function cpuOfAll(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const below = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim().split(' '),
  );
  const children = below.filter(Boolean).map((child) => {
    try {
      return cpuOfAll(Number(child));
    } catch {
      // It has ended since; its parent counts it.
      return 0;
    }
  });
  return fields.reduce((sum, ticks) => sum + ticks, 0) / 100 + children.reduce((sum, one) => sum + one, 0);
}

/** Processor time of the whole machine, all cores together. */
export function busySeconds(): number | null {
  try {
    const [user, nice, system, , , irq, soft, steal] = readFileSync('/proc/stat', 'latin1').split(/\s+/, 9).slice(1).map(Number);
    return (user! + nice! + system! + irq! + soft! + steal!) / 100;
  } catch {
    return null;
  }
}

export function residentMb(pid: number): number | null {
  try {
    const kilobytes = readFileSync(`/proc/${pid}/status`, 'latin1').match(/^VmRSS:\s+(\d+) kB/m);
    return kilobytes === null ? null : Number(kilobytes[1]) / 1024;
  } catch {
    return null;
  }
}
