// The harness failover at its small size. Each of its planted bugs must be found, so they have a test of their own.
import { describe, expect, it } from 'vitest';
import { areMachinesMissing } from './failover/database-machines.ts';
import { failover } from './failover.ts';
import { HARNESSES } from './run.ts';

describe.skipIf(areMachinesMissing())('failover', () => {
  const { small, planted } = HARNESSES.failover!;

  it('finds no violation', async () => {
    expect((await failover(1, small, false)).violations).toEqual([]);
  });

  it('notices each planted bug', async () => {
    const { violations, figure } = await failover(1, planted, true);
    expect(figure.found, violations.join('\n')).toEqual([
      'acknowledged before the commit',
      'no deadline',
      'asynchronous standby promoted',
    ]);
  });
});
