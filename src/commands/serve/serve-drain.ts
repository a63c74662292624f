// When a serving process stops: at once after a failure; after a signal first unready, and still accepting for a while.
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../kit/log.ts';
import { watchFailures } from './serve-failures.ts';

/** Ctrl-C in a terminal reaches this process twice when npm started it, and only a later signal is another wish. */
const SAME_SIGNAL_MS = 1000;

export interface StopWatch {
  readonly stops: Promise<'signal' | 'failure'>;
  /** Aborted by a second signal. */
  readonly hurry: AbortSignal;
}

/** From now on SIGINT, SIGTERM and uncaught exceptions stop the service instead of ending the process. */
export function watchForStop(log: Log): StopWatch {
  const hurry = new AbortController();
  const stops = new Promise<'signal' | 'failure'>((resolve) => {
    let firstAt: number | null = null;
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        resolve('signal');
        firstAt ??= performance.now();
        if (performance.now() - firstAt > SAME_SIGNAL_MS) hurry.abort();
      });
    watchFailures(log, () => {
      resolve('failure');
      hurry.abort();
    });
  });
  return { stops, hurry: hurry.signal };
}

/** Resolves when connections may be refused. */
export async function waitForStop(
  { stops, hurry }: StopWatch,
  drainSeconds: number,
  api: { drain(): void } | null,
  log: Log,
): Promise<void> {
  const cause = await stops;
  if (cause === 'failure' || drainSeconds === 0 || api === null) return;
  api.drain();
  log.info('draining: not ready, still accepting; a second signal ends this', { seconds: drainSeconds });
  await wait(drainSeconds * 1000, undefined, { signal: hurry }).catch(() => {});
}
