// A worker is a process that does expensive work on users' files, so that the work does not delay requests. It holds no secret
// and no connection, runs at a lower priority, can be killed when it takes too long, and ends after some idle time.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { compiledSources } from './worker-environment.ts';

export interface WorkerProgram {
  /** A file that calls `serveParent` (worker-program.ts). */
  readonly program: URL;
  readonly idleMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The largest heap in megabytes. A worker that needs more is ended by Node with SIGABRT. */
  readonly maxHeapMb?: number;
}

export interface AskOptions {
  readonly maxMs: number;
  /** Ends the work, and the process with it. */
  readonly signal?: AbortSignal;
}

/** The process ended before it answered; its reason need not be the work. */
export class WorkerDied extends Error {
  readonly signal: NodeJS.Signals | null;
  /** Whether it may have started the work. */
  readonly hasStarted: boolean;
  constructor(message: string, signal: NodeJS.Signals | null, hasStarted: boolean) {
    super(message);
    this.signal = signal;
    this.hasStarted = hasStarted;
  }
}

/** The work took longer than `maxMs`. */
export class WorkerTooSlow extends Error {}

/** The caller's signal ended the work. */
export class WorkerAborted extends Error {}

/** The work itself failed, in the worker. */
export class WorkerFailed extends Error {}

export interface Worker {
  ask<T>(message: object, options: AskOptions): Promise<T>;
}

export interface Workers {
  /** Starts a process if none is idle. Call `giveBack` when it is no longer needed. */
  take(): Worker;
  giveBack(worker: Worker): void;
  /** Takes a worker while the work runs. */
  use<T>(work: (worker: Worker) => Promise<T>): Promise<T>;
}

export function createWorkers(program: WorkerProgram): Workers {
  const idle: WorkerProcess[] = [];
  const take = (): WorkerProcess => {
    let worker = idle.pop();
    while (worker !== undefined && !worker.isAlive) worker = idle.pop();
    return worker ?? new WorkerProcess(program);
  };
  const giveBack = (worker: Worker): void => {
    if ((worker as WorkerProcess).isAlive) idle.push(worker as WorkerProcess);
  };
  return {
    take,
    giveBack,
    async use(work) {
      const worker = take();
      try {
        return await work(worker);
      } finally {
        giveBack(worker);
      }
    },
  };
}

interface Answer<T> {
  readonly done?: T;
  readonly failed?: string;
}

class WorkerProcess implements Worker {
  readonly #child: ChildProcess;
  readonly #idleMs: number;
  #resting: NodeJS.Timeout | undefined;
  isAlive = true;

  constructor({ program, idleMs, env = {}, maxHeapMb }: WorkerProgram) {
    this.#idleMs = idleMs;
    this.#child = fork(program, [], {
      execArgv: maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`],
      env: { ...compiledSources(), ...env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    this.#child
      .on('error', () => this.#end())
      .once('exit', () => {
        this.isAlive = false;
      });
    this.#hold(false);
  }

  async ask<T>(message: object, options: AskOptions): Promise<T> {
    clearTimeout(this.#resting);
    this.#hold(true);
    try {
      return await this.#answerTo<T>(message, options);
    } finally {
      this.#hold(false);
      this.#resting = setTimeout(() => this.#end(), this.#idleMs);
      this.#resting.unref();
    }
  }

  #answerTo<T>(message: object, { maxMs, signal }: AskOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new WorkerAborted('the work was aborted'));
      let reason: Error | null = null;
      const endFor = (error: Error) => {
        reason = error;
        this.#end();
      };
      const late = setTimeout(() => endFor(new WorkerTooSlow(`the work took longer than ${maxMs} ms`)), maxMs);
      const onAbort = () => endFor(new WorkerAborted('the work was aborted'));
      const finish = (act: () => void) => {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
        this.#child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = ({ done, failed }: Answer<T>) =>
        finish(() => (failed === undefined ? resolve(done as T) : reject(new WorkerFailed(failed))));
      const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
        finish(() => reject(reason ?? new WorkerDied(`the process ended (${signal ?? code})`, signal, true)));
      const onError = (error: Error) => finish(() => reject(reason ?? new WorkerDied(error.message, null, false)));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#child.on('message', onMessage).on('exit', onExit).on('error', onError);
      this.#child.send(message, (error) => error && onError(error));
    });
  }

  #end(): void {
    // A failing `kill` emits an error, which calls this function again.
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }

  /** An idle process does not keep this one alive. */
  #hold(isHeld: boolean): void {
    const act = isHeld ? 'ref' : 'unref';
    this.#child[act]();
    this.#child.channel?.[act]();
  }
}
