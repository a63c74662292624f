// Runs the chosen harnesses at their small size, and proves that each can fail.
import { beforeAll, describe, expect, it } from 'vitest';
import { provideMigrated } from '../start/prepared.ts';
import { isPhpMissing } from '../support/php.ts';
import { isRedisMissing } from '../support/redis.ts';
import { type Group, HARNESSES } from './run.ts';
import { takeDeadlocks } from './world.ts';

export const inGroup = (group: Group) => (name: string) => HARNESSES[name]!.group === group;

export function tryHarnesses(isChosen: (name: string) => boolean, { plants = true } = {}): void {
  const noRedis = isRedisMissing();
  const noPhp = isPhpMissing();
  const chosen = Object.entries(HARNESSES).filter(([name]) => isChosen(name));
  beforeAll(provideMigrated);

  describe.each(chosen)('%s', (_, { run, small, planted, needsRedis, needsPhp }) => {
    const isMissing = (needsRedis && noRedis) || (needsPhp && noPhp);

    it.skipIf(isMissing)('finds no violation', async () => {
      takeDeadlocks();
      expect((await run(1, small, false)).violations).toEqual([]);
      expect(takeDeadlocks(), 'deadlocks that PostgreSQL counted').toBe(0);
    });

    if (!plants) return;
    // A race that is only possible is not lost in every run, least of all on a busy machine: one seed of three is enough.
    it.skipIf(isMissing)('notices a planted bug', async () => {
      const violations: string[] = [];
      for (let seed = 1; seed <= 3 && violations.length === 0; seed += 1)
        violations.push(...(await run(seed, planted, true)).violations);
      expect(violations).not.toEqual([]);
    });
  });
}
