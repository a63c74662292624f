// Every promise in docs/reliability.md names proofs that exist, and the tier in which they run.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GREEDY_KINDS } from '../harness/fairness-greedy.ts';
import { QUICK_HARNESSES } from '../harness/quick-harnesses.ts';
import { expensiveIn, missingProofs, promisesIn, tierOf } from './promises.ts';

const PAGE = readFileSync('docs/reliability.md', 'utf8');
const PROMISES = promisesIn(PAGE);
const EXPENSIVE = expensiveIn(PAGE);

test('finds promises', () => {
  expect(PROMISES.length).toBeGreaterThan(40);
});

test.each(PROMISES)('$promise', ({ proofs, tier }) => {
  expect(proofs).not.toEqual([]);
  expect(missingProofs(proofs)).toEqual([]);
  expect(tier).toBe(tierOf(proofs, QUICK_HARNESSES));
});

test.each(EXPENSIVE)('the expensive work $work has a bound, a turn and a test that exists', ({ bound, turn, proofs }) => {
  expect([bound, turn]).not.toContain('');
  expect(proofs).not.toEqual([]);
  expect(missingProofs(proofs)).toEqual([]);
});

test('every greedy kind of the harness is listed as expensive work, and no other', () => {
  expect([...new Set(EXPENSIVE.flatMap(({ kinds }) => kinds))].toSorted()).toEqual([...GREEDY_KINDS].toSorted());
});

test('detects a missing proof and a wrong tier', () => {
  const [row] = promisesIn('| Promise | Proven by | Tier |\n|---|---|---|\n| A | `test/start/`, `gone.test.ts` | quick |\n\n');
  expect(missingProofs(row!.proofs)).toEqual(['test/start/gone.test.ts']);
  expect(tierOf(['test/cluster/cache.full.test.ts'], [])).toBe('all');
  expect(tierOf(['test/harness/links.ts'], ['links'])).toBe('quick, all');
});
