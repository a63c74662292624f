// A Redis for a test file: on loopback, in a temporary folder, keeping nothing on disk except snapshots that a test makes (`SAVE`).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { deadline } from './patience.ts';

export interface TestRedis {
  readonly url: string;
  readonly pid: () => number;
  /** Ends it like a power cut. */
  kill(): Promise<void>;
  /** Marked as counting for longer than a window: a node that joins does not make the others wait. */
  hasCountedLong(): Promise<void>;
  /** Deletes everything in it, as FLUSHALL does. */
  empty(): Promise<void>;
  /** Rejects unless the reply begins like this. */
  command(text: string, expected: string): Promise<void>;
  /** Again on the same port, with what its last snapshot has. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * For `describe.skipIf`: true, with a warning, if redis-server is not installed. In CI it is always false: there `startRedis`
 * reports the missing program as a failure.
 */
export function isRedisMissing(): boolean {
  const missing = spawnSync('redis-server', ['--version']).status !== 0;
  if (!missing || process.env.CI) return false;
  console.warn(
    'SKIPPED: redis-server is not on PATH, so the tests with several nodes do not run (Debian: apt install redis-server)',
  );
  return true;
}

export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'galeri-redis-'));
  let port = await freePort();
  let child = await launch(port, dir, options).catch(async () => {
    // Another program has taken the port since.
    port = await freePort();
    return launch(port, dir, options);
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid!,
    kill,
    hasCountedLong: () => command(port, 'SET galeri:limits:since 1', '+OK'),
    empty: () => command(port, 'FLUSHALL', '+OK'),
    command: (text, expected) => command(port, text, expected),
    restart: async () => {
      await kill();
      child = await launch(port, dir, options);
    },
    stop: async () => {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, dir: string, more: readonly string[]): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir, ...more];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  let failed: Error | null = null;
  child.on('error', (error) => {
    failed = error;
  });
  for (const isOver = deadline(); !(await answers(port)); await wait(20)) {
    if (failed !== null || child.exitCode !== null || isOver()) {
      child.kill('SIGKILL');
      throw new Error(`redis-server did not start: ${(failed as Error | null)?.message ?? `exit code ${child.exitCode}`}`);
    }
  }
  return child;
}

/** True once a PING is answered. */
const answers = (port: number): Promise<boolean> =>
  command(port, 'PING', '+PONG').then(
    () => true,
    () => false,
  );

function command(port: number, text: string, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`));
    const done = (reply: string) => {
      socket.destroy();
      if (reply.startsWith(expected)) resolve();
      else reject(new Error(`Redis answered ${text} with: ${reply}`));
    };
    socket.setTimeout(1000, () => done('nothing'));
    socket.once('error', ({ message }) => done(message));
    socket.once('data', (reply) => done(reply.toString()));
  });
}
