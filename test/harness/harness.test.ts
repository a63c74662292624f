// Every harness at its small size, and proof that each can fail.
import { describe, expect, it } from 'vitest';
import { HARNESSES } from './run.ts';

describe.each(Object.entries(HARNESSES))('%s', (_, { run, small }) => {
  it('finds nothing', async () => {
    expect((await run(1, small, false)).violations).toEqual([]);
  }, 240_000);

  it('notices a planted bug', async () => {
    expect((await run(1, Math.min(small, 1000), true)).violations).not.toEqual([]);
  }, 120_000);
});
