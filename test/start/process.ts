// Starts the service as a person does, and waits for its output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { daysAheadEnv } from '../support/days-ahead.ts';
import { deadline } from '../support/patience.ts';

export interface Started {
  readonly child: ChildProcess;
  /** The line that reports readiness. */
  readonly ready: { api: string; docs: string; demo_key?: string; curl?: string };
  readonly output: () => string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const CLEAN = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...daysAheadEnv() };

export function launch(command: string[], env: Record<string, string>): ChildProcess {
  return spawn(command[0]!, command.slice(1), { env: { ...CLEAN, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
}

export async function start(command: string[], env: Record<string, string>): Promise<Started> {
  const child = launch(command, { PORT: '0', ...env });
  let output = '';
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const ready = await new Promise<Started['ready']>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const line = output.split('\n').find((text) => text.includes('"message":"ready"'));
      if (line) resolve(JSON.parse(line));
    });
    child.on('exit', (code) => reject(new Error(`it exited with ${code} before it was ready: ${errors}${output}`)));
  });
  return { child, ready, output: () => output };
}

export async function finish(child: ChildProcess, input = ''): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  // A process that is killed, or ends without reading, leaves its input unread.
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export const galeri = (args: string[], env: Record<string, string>, input = ''): Promise<Finished> =>
  finish(launch(['bin/galeri', ...args], env), input);

export async function stop({ child }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  return code;
}

/** The postmaster of a DATA_DIR, for any location of its cluster. */
export async function postmasterPid(dataDir: string): Promise<number | null> {
  const recorded = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => null);
  const folder = recorded === null ? join(dataDir, 'postgres') : (JSON.parse(recorded) as { folder: string }).folder;
  const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number(text.split('\n')[0]);
}

export const removeDataDir = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true });

export async function get(
  url: string,
  key?: string,
): Promise<{ status: number; json: { data: unknown[]; error?: { code: string } } }> {
  const response = await fetch(url, key ? { headers: { authorization: `Bearer ${key}` } } : {});
  return { status: response.status, json: (await response.json()) as never };
}

export async function eventually<T>(what: () => Promise<T | null | false>): Promise<T> {
  for (const isOver = deadline(); !isOver(); ) {
    const value = await what().catch(() => null);
    if (value !== null && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not happen in time');
}
