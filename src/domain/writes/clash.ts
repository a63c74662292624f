// Conflicts between two transactions: a deadlock or a serialization failure. The failed one was rolled back, so it is repeated.
import { setTimeout as wait } from 'node:timers/promises';
import { sqlState, Unavailable } from '../../kit/db.ts';
import { OutOfOrder } from './stamps.ts';

/**
 * A second and a half in total, with growing pauses: dealers who act on each other hold each other's data sets for the length of
 * a commit.
 */
export const MAX_TRIES = 12;
const LONGEST_WAIT_MS = 200;

export const waitAfter = (tries: number): Promise<void> =>
  wait(Math.min(2 ** tries * 5, LONGEST_WAIT_MS) * (0.5 + Math.random()));

/** Serialization failure and deadlock. No other error is retried. */
export const isClash = (error: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(error) ?? '') || error instanceof OutOfOrder;

/** For a transaction outside the writer, which has its own retries: `run` is the whole transaction. */
export async function againAfterClash<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isClash(error)) throw error;
      if (tries >= MAX_TRIES) throw new Unavailable('other writes were in the way every time', { cause: error });
      await waitAfter(tries);
    }
  }
}
