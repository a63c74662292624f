// How long PostgreSQL may go without an answer.
import { expect, test } from 'vitest';
import { isUnavailable } from '../../src/kit/db.ts';
import { rawSql } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { testDatabase } from '../support/database.ts';

test('a connection without an answer is given up, and the error says so', async () => {
  const base = await testDatabase();
  const database = openDatabase({ ...base.urls, deadlineMs: 200 });
  const failure = await database
    .onPlatform('read', (db) => db.last(rawSql('select pg_sleep(3)')))
    .catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
  expect(String(failure)).toContain('did not answer in time');
  await database.close();
  await base.close();
});
