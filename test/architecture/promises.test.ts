// Every promise in docs/reliability.md names proofs that exist, and the tier in which they run.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { QUICK_HARNESSES } from '../harness/quick-harnesses.ts';
import { missingProofs, promisesIn, tierOf } from './promises.ts';

const PROMISES = promisesIn(readFileSync('docs/reliability.md', 'utf8'));

test('there are promises', () => {
  expect(PROMISES.length).toBeGreaterThan(40);
});

test.each(PROMISES)('$promise', ({ proofs, tier }) => {
  expect(proofs).not.toEqual([]);
  expect(missingProofs(proofs)).toEqual([]);
  expect(tier).toBe(tierOf(proofs, QUICK_HARNESSES));
});

test('a proof that does not exist, and a wrong tier, are noticed', () => {
  const [row] = promisesIn('| Promise | Proven by | Tier |\n|---|---|---|\n| A | `test/start/`, `gone.test.ts` | quick |\n\n');
  expect(missingProofs(row!.proofs)).toEqual(['test/start/gone.test.ts']);
  expect(tierOf(['test/cluster/cache.full.test.ts'], [])).toBe('all');
  expect(tierOf(['test/harness/links.ts'], ['links'])).toBe('quick, all');
});
