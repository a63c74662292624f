// How long work waits for connections, altogether.

export interface Waits {
  timed<T>(turn: Promise<T>): Promise<T>;
  waits(): { readonly count: number; readonly seconds: number };
}

export function createWaits(): Waits {
  let [count, seconds] = [0, 0];
  return {
    timed: async (turn) => {
      const since = performance.now();
      try {
        return await turn;
      } finally {
        count += 1;
        seconds += (performance.now() - since) / 1000;
      }
    },
    waits: () => ({ count, seconds }),
  };
}

// A virtual machine can stop for a second or more while its host gives the processors to others. A wait that expired because of that
// gets its time once more, since nothing could happen in between.
const LATE_MS = 200;

/** Whether a wait that should have ended after `limitMs` ended so late that this process itself must have been stopped. */
const wasStalled = (since: number, limitMs: number): boolean => performance.now() - since > limitMs + LATE_MS;

/** Calls `expire` after `limitMs`, or after twice that if the process was stopped. Returns a function that ends the wait. */
export function expireUnlessStalled(limitMs: number, expire: () => void): () => void {
  const since = performance.now();
  let timer = setTimeout(() => {
    if (wasStalled(since, limitMs)) timer = setTimeout(expire, limitMs);
    else expire();
  }, limitMs);
  return () => clearTimeout(timer);
}

/** Repeats an attempt that failed after more than its limit. */
export async function onceMoreIfStalled<T>(limitMs: number, attempt: () => Promise<T>): Promise<T> {
  const since = performance.now();
  try {
    return await attempt();
  } catch (error) {
    if (wasStalled(since, limitMs)) return attempt();
    throw error;
  }
}
