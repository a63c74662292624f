// A notice that cannot be taken in: the handler of an event must not throw, and what was kept may not be trusted.
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
const said: string[] = [];

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  changes = await openChanges({
    url: base.urls.platformUrl,
    clock: createClock(),
    alone: true,
    report: (what) => said.push(what),
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
  'news %s that a listener throws at: the channel is begun anew, everything kept is forgotten, and the process goes on',
  async (_, newsOf) => {
    said.length = 0;
    const throwsAt = await aDataSet();
    let forgotten = 0;
    const heard: string[] = [];
    changes.onChange(({ id }) => {
      if (id === throwsAt) throw new Error('planted');
      heard.push(id);
    });
    // Another's failure to forget keeps nobody else from it.
    changes.onRestored(() => {
      forgotten += 1;
      if (forgotten === 1) throw new Error('planted');
    });
    changes.onRestored(() => {
      forgotten += 10;
    });
    const uncaught = await uncaughtDuring(async () => {
      await admin.rows(newsOf(throwsAt));
      // Twice, because forgetting failed the first time.
      await expect.poll(() => forgotten).toBeGreaterThanOrEqual(22);
      await expect.poll(() => changes.isCurrent()).toBe(true);
      await admin.rows(`notify galeri_changes, 'key:after'`);
      await expect.poll(() => heard).toContain('after');
    });
    expect(uncaught).toEqual([]);
    expect(said.slice(0, 2)).toEqual(['lost', 'restored']);
  },
);
