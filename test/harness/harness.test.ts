// Every harness at its small size, and proof that each can fail.
import { describe, expect, it } from 'vitest';
import { isRedisMissing } from '../support/redis.ts';
import { HARNESSES } from './run.ts';

const noRedis = isRedisMissing();

describe.each(Object.entries(HARNESSES))('%s', (_, { run, small, planted, needsRedis }) => {
  it.skipIf(needsRedis && noRedis)('finds nothing', async () => {
    expect((await run(1, small, false)).violations).toEqual([]);
  });

  it.skipIf(needsRedis && noRedis)('notices a planted bug', async () => {
    expect((await run(1, planted, true)).violations).not.toEqual([]);
  });
});
