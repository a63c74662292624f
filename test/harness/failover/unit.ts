// A process of the service under a supervisor, as its systemd unit: started again a second after it has ended on its own.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { launch } from '../../start/process.ts';
import { end } from '../../support/child-processes.ts';
import { deadline } from '../../support/patience.ts';

export interface Unit {
  readonly name: string;
  /** Until it is ready. */
  start(more?: Program): Promise<void>;
  /** SIGTERM and the end of its requests, or an immediate end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** How often it ended on its own while it was ready. */
  readonly failures: readonly string[];
  /** The end of its output. */
  output(): string;
}

export interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const READY = /"message":"(?:ready|the worker runs without the API)"/;
const KEPT = 20_000;

export function createUnit(name: string, first: Program): Unit {
  let program = first;
  let child: ChildProcess | null = null;
  let output = '';
  let isWanted = false;
  const failures: string[] = [];

  /** False if it ended before it was ready: the database may be away. */
  const run = async (): Promise<boolean> => {
    const started = launch([...program.command], { ...program.env });
    child = started;
    const ready = Promise.withResolvers<boolean>();
    let isReady = false;
    const hear = (chunk: unknown) => {
      output = `${output}${chunk}`.slice(-KEPT);
      if (isReady || !READY.test(output)) return;
      isReady = true;
      ready.resolve(true);
    };
    output = '';
    started.stdout!.on('data', hear);
    started.stderr!.on('data', hear);
    started.once('exit', (code, signal) => {
      ready.resolve(false);
      if (!isWanted || !isReady) return;
      failures.push(`${name} ended on its own with ${code ?? signal}: ${output.slice(-500)}`);
      wait(1000).then(() => (isWanted ? keepStarting() : undefined));
    });
    return ready.promise;
  };
  const keepStarting = async (): Promise<void> => {
    for (const isOver = deadline(); isWanted && !(await run()); await wait(1000))
      if (isOver()) throw new Error(`${name} did not start: ${output.slice(-2000)}`);
  };
  return {
    name,
    failures,
    output: () => output,
    start: async (other) => {
      program = other ?? program;
      isWanted = true;
      await keepStarting();
    },
    stop: async (signal) => {
      isWanted = false;
      if (child !== null) await end(child, signal);
    },
  };
}
