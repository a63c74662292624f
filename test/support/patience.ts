// How long tests wait. Each limit is written for an idle machine with two cores; a slower or busier machine gets it multiplied.
import { setTimeout as wait } from 'node:timers/promises';

const ROUNDS = 40_000_000;
/** The duration of the rounds on the reference machine, while it is idle. */
const REFERENCE_MS = 50;

/** The factor by which this machine is slower at this moment; never below 1. */
export function measureSlowness(): number {
  const from = performance.now();
  let sum = 0;
  for (let round = 0; round < ROUNDS; round++) sum = Math.imul(sum ^ (round & 255), 16_777_619);
  return Math.max(1, (performance.now() - from) / REFERENCE_MS, sum === 0 ? 1 : 0);
}

/** Measured when the run starts (vitest.config.ts); a harness that is started from the shell measures for itself. */
export const slowness = Number(process.env.TEST_SLOWNESS ?? measureSlowness());

export const patience = (ms: number): number => Math.ceil(ms * slowness);

/** The limit of a single wait. It ends a test that hangs and asserts nothing, so it is far above what anything takes. */
export const PATIENCE_MS = patience(120_000);

/**
 * Becomes true when the time is over. The load may have come after the start of the run, so the machine is measured again first.
 */
export function deadline(ms = 120_000, measure: () => number = measureSlowness): () => boolean {
  const from = performance.now();
  let limit = patience(ms);
  return () => {
    if (performance.now() - from <= limit) return false;
    limit = Math.max(limit, ms * measure());
    return performance.now() - from > limit;
  };
}

/** Waits until it holds; on timeout the error names what was waited for. */
export async function until(holds: () => unknown, what = String(holds)): Promise<void> {
  for (const isOver = deadline(); !(await holds()); await wait(20)) {
    if (isOver()) throw new Error(`never came true: ${what}`);
  }
}
