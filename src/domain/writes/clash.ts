// Two transactions in each other's way: a deadlock or a failed serialization. Nothing of the one that lost happened, so it is tried again.
import { setTimeout as wait } from 'node:timers/promises';
import { sqlState, Unavailable } from '../../kit/db.ts';
import { OutOfOrder } from './stamps.ts';

/** A second and a half in all, in growing waits: dealers who act on each other hold each other's data sets for as long as a commit takes. */
export const MAX_TRIES = 12;
const LONGEST_WAIT_MS = 200;

export const waitAfter = (tries: number): Promise<void> =>
  wait(Math.min(2 ** tries * 5, LONGEST_WAIT_MS) * (0.5 + Math.random()));

/** Serialization failure and deadlock. Nothing else is tried again. */
export const isClash = (error: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(error) ?? '') || error instanceof OutOfOrder;

/** For a transaction that does not go through the writer, which tries again itself: `run` is the whole of it. */
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
