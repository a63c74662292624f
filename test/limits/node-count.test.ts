// How many nodes share a limit while nodes start and end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NodeCount } from '../../src/http/rate-limits/node-count.ts';

const KEPT = 65_000;

let now = 0;
let nodes: NodeCount;
/** The count is read four times a second, as the limiter does. */
function pass(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    vi.advanceTimersByTime(250);
    nodes.largest();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  nodes = new NodeCount(() => now, KEPT);
});
afterEach(() => {
  vi.useRealTimers();
});

test('a node that was killed counts until what it admitted is out of the window', () => {
  now = 3;
  pass(1000);
  now = 2;
  pass(KEPT - 1000);
  expect([nodes.largest(), nodes.sharing()]).toEqual([3, 3]);
  pass(1500);
  expect([nodes.largest(), nodes.sharing()]).toEqual([2, 2]);
});

test('of two nodes that were killed, the second counts for its own window', () => {
  now = 3;
  pass(1000);
  now = 2;
  pass(KEPT - 2000);
  now = 1;
  pass(3000);
  expect(nodes.largest()).toBe(2);
});

test.each(['before', 'after'])('a node that ended in order needs no share, if that is known %s the database sees it', (order) => {
  now = 3;
  pass(100_000);
  if (order === 'before') nodes.end(200_000);
  expect(nodes.sharing()).toBe(order === 'before' ? 2 : 3);
  now = 2;
  pass(500);
  if (order === 'after') nodes.end(200_000);
  for (let second = 0; second < 70; second += 1) {
    expect(nodes.sharing()).toBe(2);
    pass(1000);
  }
  expect(nodes.largest()).toBe(2);
});

test('several that end in order, one after the other', () => {
  now = 5;
  pass(100_000);
  for (let left = 4; left > 1; left -= 1) {
    nodes.end(100_000);
    pass(250);
    now = left;
    pass(2000);
    expect(nodes.sharing()).toBe(left);
  }
});

test('one that ended in order hides none that was there before it began', () => {
  // One without Redis is killed, another starts in its place and ends in order: the first may have used its share.
  now = 3;
  pass(10_000);
  now = 2;
  pass(1000);
  now = 3;
  pass(10_000);
  nodes.end(10_000);
  now = 2;
  pass(10_000);
  expect(nodes.sharing()).toBe(3);
});

test('it is known whether a node ended within the window', () => {
  now = 1;
  pass(1000);
  now = 2;
  pass(1000);
  expect(nodes.hasFallen()).toBe(false);
  now = 1;
  pass(1000);
  now = 2;
  pass(1000);
  expect(nodes.hasFallen()).toBe(true);
  pass(KEPT);
  expect(nodes.hasFallen()).toBe(false);
});
