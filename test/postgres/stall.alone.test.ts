// Waits for the database on a machine that stops for a while: the process is blocked, as a virtual machine is whose host is busy.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue, MAX_WAIT_MS } from '../../src/postgres/fair-queue.ts';
import { onceMoreIfStalled } from '../../src/postgres/waits.ts';

/** Blocks the whole process. */
const stop = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

test('a request that waits for its turn is not refused because the machine stopped', async () => {
  const queue = createFairQueue({ connections: 1 });
  const leave = await queue.enter('one');
  const waiting = queue.enter('other');
  stop(MAX_WAIT_MS + 500);
  // Timers that became due fire first, then what was under way continues.
  await wait(1);
  leave();
  expect(typeof (await waiting)).toBe('function');
});

test('an attempt that failed during a stop is repeated once, any other failure is not', async () => {
  let attempts = 0;
  const failing = (milliseconds: number) => async () => {
    attempts += 1;
    stop(milliseconds);
    throw new Error(`attempt ${attempts}`);
  };
  await expect(onceMoreIfStalled(100, failing(400))).rejects.toThrow('attempt 2');
  attempts = 0;
  await expect(onceMoreIfStalled(60_000, failing(1))).rejects.toThrow('attempt 1');
});
