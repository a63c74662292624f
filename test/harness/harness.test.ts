// Every harness at its small size, and proof that each can fail.
import { beforeAll, describe, expect, it } from 'vitest';
import { provideMigrated } from '../start/prepared.ts';
import { isPhpMissing } from '../support/php.ts';
import { isRedisMissing } from '../support/redis.ts';
import { HARNESSES } from './run.ts';

const noRedis = isRedisMissing();
const noPhp = isPhpMissing();
beforeAll(provideMigrated);

describe.each(Object.entries(HARNESSES))('%s', (_, { run, small, planted, needsRedis, needsPhp }) => {
  const isMissing = (needsRedis && noRedis) || (needsPhp && noPhp);

  it.skipIf(isMissing)('finds nothing', async () => {
    expect((await run(1, small, false)).violations).toEqual([]);
  });

  it.skipIf(isMissing)('notices a planted bug', async () => {
    expect((await run(1, planted, true)).violations).not.toEqual([]);
  });
});
