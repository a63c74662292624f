// Writes that want one record wait for each other in the order in which they came, two at a time.
import { expect, test, vi } from 'vitest';
import { createQueues } from '../../src/domain/writes/queues.ts';

test('two at a time, in order, and no line waits for another', async () => {
  const lines = createQueues();
  const came: number[] = [];
  const leave: (() => void)[] = [];
  const enter = async (number: number) => {
    leave[number] = await lines.enter('one');
    came.push(number);
  };
  const all = [1, 2, 3, 4].map(enter);
  await Promise.all(all.slice(0, 2));
  (await lines.enter('another'))();
  expect(came).toEqual([1, 2]);
  leave[2]!();
  await all[2];
  expect(came).toEqual([1, 2, 3]);
  leave[1]!();
  await all[3];
  leave[3]!();
  leave[4]!();
  expect(came).toEqual([1, 2, 3, 4]);
  await enter(5);
  expect(came.at(-1)).toBe(5);
});

test('who has waited too long is told so, and the place goes to the next', async () => {
  vi.useFakeTimers();
  try {
    const lines = createQueues();
    const [first] = await Promise.all([lines.enter('one'), lines.enter('one')]);
    const tooLong = expect(lines.enter('one')).rejects.toThrow('at once');
    await vi.advanceTimersByTimeAsync(5001);
    await tooLong;
    const next = lines.enter('one');
    first();
    await vi.advanceTimersByTimeAsync(1);
    expect(await next).toBeTypeOf('function');
  } finally {
    vi.useRealTimers();
  }
});
