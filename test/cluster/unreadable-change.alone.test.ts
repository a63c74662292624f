// A notification that cannot be processed: the event handler must not throw, and the cache must not be trusted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { createClock } from '../../src/kit/clock.ts';
import { type Changes, openChanges } from '../../src/postgres/changes.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { uncaughtDuring } from '../support/uncaught.ts';

let base: TestDatabase;
let admin: Session;
let changes: Changes;
const reported: string[] = [];

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  changes = await openChanges({
    url: base.urls.platformUrl,
    clock: createClock(),
    alone: true,
    report: (what) => reported.push(what),
  });
});
afterAll(async () => {
  await changes.close();
  await admin.close();
  await base.close();
});

const aDataSet = async (): Promise<string> => {
  const actor = { type: 'cli', name: 'test' } as const;
  return (await base.database.onPlatform('write', (db) => createAccount(db, { name: 'Galeri' }, actor, new Date()))).id;
};

test.each([
  ['of a data set', (id: string) => `update data_sets set version = version + 1 where id = '${id}'`],
  ['on the channel', (id: string) => `notify galeri_changes, 'key:${id}'`],
])(
  'a notification %s that a listener throws at: the channel reconnects, all caches are cleared, and the process continues',
  async (_, newsOf) => {
    reported.length = 0;
    const throwsAt = await aDataSet();
    let forgotten = 0;
    const received: string[] = [];
    changes.onChange(({ id }) => {
      if (id === throwsAt) throw new Error('planted');
      received.push(id);
    });
    // One cache that fails to clear does not keep the others from clearing.
    changes.onRestored(() => {
      forgotten += 1;
      if (forgotten === 1) throw new Error('planted');
    });
    changes.onRestored(() => {
      forgotten += 10;
    });
    const uncaught = await uncaughtDuring(async () => {
      await admin.rows(newsOf(throwsAt));
      // Twice, because clearing failed the first time.
      await expect.poll(() => forgotten).toBeGreaterThanOrEqual(22);
      await expect.poll(() => changes.isCurrent()).toBe(true);
      await admin.rows(`notify galeri_changes, 'key:after'`);
      await expect.poll(() => received).toContain('after');
    });
    expect(uncaught).toEqual([]);
    expect(reported.slice(0, 2)).toEqual(['lost', 'restored']);
  },
);
