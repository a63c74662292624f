// Tasks of several owners: order, concurrency and queue limits.
import { describe, expect, test } from 'vitest';
import { createSemaphore } from '../../../src/domain/sharing/semaphore.ts';
import { takesTurnOf } from '../../../src/domain/sharing/turn-owners.ts';
import { Unavailable } from '../../../src/kit/db.ts';

/** Tasks that end on request, and the order in which they started. */
function tasks() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const task = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { started, task, end };
}

describe('turns', () => {
  test('rotate between owners, regardless of how many tasks each has waiting', async () => {
    const { started, task, end } = tasks();
    const turns = createSemaphore({ atOnce: 1 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => turns.take(name[0]!, task(name)));
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
    expect(await Promise.all(all)).toHaveLength(5);
  });

  test('of one owner leave a place for the others', async () => {
    const { started, task, end } = tasks();
    const turns = createSemaphore({ atOnce: 2, each: 1 });
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => turns.take(name[0]!, task(name)));
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'a2', 'a3']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('of a sandbox are those of its account, also of the next sandbox', async () => {
    const { started, task, end } = tasks();
    const turns = createSemaphore({ atOnce: 2, each: 1 });
    takesTurnOf('sandbox', 'a');
    takesTurnOf('next sandbox', 'a');
    const all = [
      turns.take('sandbox', task('s1')),
      turns.take('a', task('a1')),
      turns.take('next sandbox', task('s2')),
      turns.take('b', task('b1')),
    ];
    expect(started).toEqual(['s1', 'b1']);
    for (const name of ['s1', 'a1', 's2', 'b1']) await end(name);
    expect(await Promise.all(all)).toEqual(['s1', 'a1', 's2', 'b1']);
  });

  test('are refused when too many wait, of one owner or of all', async () => {
    const { task, end } = tasks();
    const turns = createSemaphore({ atOnce: 1, waiting: 3, waitingEach: 2 });
    const all = ['a1', 'a2', 'a3'].map((name) => turns.take('a', task(name)));
    expect([turns.isFull('a'), turns.isFull('b')]).toEqual([true, false]);
    await expect(turns.take('a', task('a4'))).rejects.toThrow(Unavailable);
    all.push(turns.take('b', task('b1')));
    expect(turns.isFull('c')).toBe(true);
    await expect(turns.take('c', task('c1'))).rejects.toThrow(Unavailable);
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('that waited too long are refused, and the rest keep their order', async () => {
    const { started, task, end } = tasks();
    const turns = createSemaphore({ atOnce: 1, waitMs: 20 });
    const first = turns.take('a', task('a1'));
    await expect(turns.take('b', task('b1'))).rejects.toThrow('waited too long');
    const second = turns.take('c', task('c1'));
    await end('a1');
    await end('c1');
    expect([await first, await second, started]).toEqual(['a1', 'c1', ['a1', 'c1']]);
  });

  test('continue after a task fails', async () => {
    const turns = createSemaphore({ atOnce: 1 });
    const failed = turns.take('a', async () => Promise.reject(new Error('broken')));
    const next = turns.take('b', async () => 'done');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
