// Notices when PostgreSQL stops answering. A connection that a firewall forgot, or whose machine froze, gives neither an answer
// nor an error, so the time without an answer is measured here. It is counted in ticks of our own timer: a process that was
// suspended does not mistake its own pause for silence.

/** Longer than the statement_timeout of the pools, so that a living PostgreSQL always answers first. */
export const DEADLINE_MS = 8000;
/** After this time without any answer a pool on which work waits has stopped making progress. */
const STALLED_MS = 3000;
const TICK_MS = 250;

export interface Silence {
  /** Calls `expire` unless the returned function, which reports the answer, is called before the deadline. */
  awaitAnswer(expire: () => void): () => void;
  /** Whether work has been waiting for 3 s without any answer. */
  isStalled(): boolean;
  close(): void;
}

/** `isWorkWaiting`: whether anything waits for a connection. */
export function watchSilence(deadlineMs: number, isWorkWaiting: () => boolean = () => false): Silence {
  const awaited = new Set<{ ticks: number; readonly expire: () => void }>();
  let stalledTicks = 0;
  const tick = (): void => {
    stalledTicks = awaited.size > 0 || isWorkWaiting() ? stalledTicks + 1 : 0;
    for (const one of awaited) {
      one.ticks += 1;
      if (one.ticks * TICK_MS <= deadlineMs) continue;
      awaited.delete(one);
      one.expire();
    }
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    awaitAnswer: (expire) => {
      const one = { ticks: 0, expire };
      awaited.add(one);
      return () => {
        // The end of an expired connection is not an answer.
        if (awaited.delete(one)) stalledTicks = 0;
      };
    },
    isStalled: () => stalledTicks * TICK_MS >= STALLED_MS,
    close: () => clearInterval(timer),
  };
}

/** The first answer is awaited with one deadline, the following ones with another. */
export function patientAfter(first: Silence, others: Silence): Silence {
  let next = first;
  return {
    ...others,
    awaitAnswer: (expire) => {
      const silence = next;
      next = others;
      return silence.awaitAnswer(expire);
    },
  };
}

/** Resolves when the work is done or the time has passed, whichever is first. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, milliseconds);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
