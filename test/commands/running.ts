// A command that runs until it is stopped, as a separate process: its output and its exit.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { daysAheadEnv } from '../support/days-ahead.ts';

const GALERI = fileURLToPath(new URL('../../bin/galeri', import.meta.url));

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The lines of stdout that are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  lines(): any[];
  readonly code: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** `program` begins the command line: `bin/galeri`, unless the command is in a package. */
export function running(
  args: string[],
  env: Record<string, string>,
  input: string | null = null,
  program: readonly string[] = [GALERI],
): Running {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const [file, ...before] = program;
  const child = spawn(file!, [...before, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...daysAheadEnv(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const code = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    lines: () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    code,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return code;
    },
  };
}
