// Proposed stamps of one process: they rise, and a write ends after those that proposed before it.
import { expect, test, vi } from 'vitest';
import { createStamps } from '../../src/domain/writes/stamps.ts';

const NOW = new Date('2026-01-01T09:00:00Z');

test('a proposal is later than every stamp that the process knows', () => {
  const stamps = createStamps();
  expect(stamps.propose('one', NOW)).toEqual(NOW);
  expect(stamps.propose('one', NOW).getTime()).toBe(NOW.getTime() + 1);
  expect(stamps.propose('other', NOW)).toEqual(NOW);
  stamps.note('one', new Date(NOW.getTime() + 60_000));
  expect(stamps.propose('one', NOW).getTime()).toBe(NOW.getTime() + 60_001);
});

test('a write waits for those of its data set that proposed before it, and for no others', async () => {
  const stamps = createStamps();
  const [first, second, third] = [stamps.propose('one', NOW), stamps.propose('one', NOW), stamps.propose('one', NOW)];
  expect(stamps.turn('one', first)).toBeNull();
  expect(stamps.turn('other', stamps.propose('other', NOW))).toBeNull();
  const turn = stamps.turn('one', third);
  stamps.end('one', second);
  stamps.end('one', first);
  await turn;
  expect(stamps.turn('one', third)).toBeNull();
});

test('a write that takes long is not waited for', async () => {
  const stamps = createStamps();
  stamps.propose('one', NOW);
  await stamps.turn('one', stamps.propose('one', NOW));
});

test('a write waits for any number of earlier ones while they end one after the other', async () => {
  vi.useFakeTimers();
  try {
    const stamps = createStamps();
    const earlier = Array.from({ length: 20 }, () => stamps.propose('one', NOW));
    let hasTurn = false;
    const turn = stamps.turn('one', stamps.propose('one', NOW))!.then(() => {
      hasTurn = true;
    });
    for (const one of earlier) {
      await vi.advanceTimersByTimeAsync(90);
      expect(hasTurn).toBe(false);
      stamps.end('one', one);
    }
    await turn;
  } finally {
    vi.useRealTimers();
  }
});
