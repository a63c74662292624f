// Leftover files are removed according to the table only, and nothing else is.
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Files } from '../../src/domain/files/file-store.ts';
import { announceFiles, keepFiles, newFile } from '../../src/domain/files/stored-files.ts';
import { fileAges, sweepFiles } from '../../src/jobs/sweep-files.ts';
import { drainWork, workSettings } from '../../src/jobs/worker.ts';
import type { NewFile } from '../../src/kit/file.ts';
import { createLog } from '../../src/kit/log.ts';
import { own, sql } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { type TestService, testService } from '../support/service.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
let api: TestService;
let files: Files;
let account: string;
beforeAll(async () => {
  api = await testService();
  files = api.service.parts.files;
});
beforeEach(async () => {
  account = await api.account();
});
afterAll(() => api.close());

let made = 0;

/** In the store and in the table, in that state for this long. */
async function aFile(state: 'pending' | 'kept' | 'gone', ageMs: number, of = account): Promise<NewFile> {
  const path = join(files.incoming, `test-${++made}`);
  writeFileSync(path, `content ${made}`);
  const file = await newFile(path, 'image/jpeg');
  const at = new Date(Date.now() - ageMs);
  await api.database.inTenant(of, 'write', async (db) => {
    await announceFiles(db, [file], at);
    await db.exec(sql`update stored_files set state = ${state} where account_id = ${of} and id = ${file.id}`);
  });
  await files.store.put(file.name, path, file);
  return file;
}

const isThere = async ({ name }: NewFile, of = files): Promise<boolean> => {
  const found = await of.store.get(name);
  found?.stream.destroy();
  return found !== null;
};
const rowsOf = async (of = account): Promise<string[]> => {
  const rows = await api.database.inTenant(of, 'read', (db) =>
    db.rows<{ id: string }>(sql`select id from ${own('stored_files')}`),
  );
  return rows.map(({ id }) => id);
};
const sweep = (using: Files = files) => sweepFiles(api.database, using, new Date());

test('removes files of unfinished writes and of deleted records with their rows; the others stay', async () => {
  const other = await api.account();
  const due = [await aFile('pending', HOUR + MINUTE), await aFile('gone', 11 * MINUTE), await aFile('pending', 5 * HOUR, other)];
  const kept = [await aFile('kept', 100 * HOUR), await aFile('pending', HOUR - MINUTE), await aFile('gone', 9 * MINUTE)];
  expect(await sweep()).toBe(3);
  for (const file of due) expect(await isThere(file)).toBe(false);
  for (const file of kept) expect(await isThere(file)).toBe(true);
  expect((await rowsOf()).sort()).toEqual(kept.map(({ id }) => id).sort());
  expect(await rowsOf(other)).toEqual([]);
  expect(await sweep()).toBe(0);
});

test('during the recovery window it keeps files of deleted records; files of unfinished writes are removed as before', async () => {
  const [abandoned, late] = [await aFile('pending', HOUR + MINUTE), await aFile('gone', 7 * DAY + MINUTE)];
  const kept = [await aFile('gone', HOUR), await aFile('gone', 7 * DAY - MINUTE)];
  expect(await sweepFiles(api.database, files, new Date(), fileAges(7))).toBe(2);
  for (const file of [abandoned, late]) expect(await isThere(file)).toBe(false);
  for (const file of kept) expect(await isThere(file)).toBe(true);
  expect((await rowsOf()).sort()).toEqual(kept.map(({ id }) => id).sort());
  expect(await sweep()).toBe(2);
});

test('the worker keeps them for RECOVERY_DAYS', async () => {
  const file = await aFile('gone', 3 * DAY);
  const drain = (env: Record<string, string>) =>
    drainWork({
      ...workSettings(readConfig({ RATES_TCMB_URL: '', RATES_KKTCMB_URL: '', ...env })),
      writer: api.service.parts.writer,
      files,
      clock: api.clock,
      log: createLog('silent'),
    });
  await drain({ RECOVERY_DAYS: '4' });
  expect(await isThere(file)).toBe(true);
  await drain({ RECOVERY_DAYS: '2' });
  expect(await isThere(file)).toBe(false);
});

test('sweeps more than one batch in one run', async () => {
  const many: NewFile[] = [];
  while (many.length < 230) many.push(await aFile('gone', HOUR));
  expect(await sweep()).toBe(230);
  expect(await rowsOf()).toEqual([]);
  for (const file of many) expect(await isThere(file)).toBe(false);
});

test('a late write can no longer keep what was swept', async () => {
  const file = await aFile('pending', 2 * HOUR);
  await sweep();
  const late = api.database.inTenant(account, 'write', (db) => keepFiles({ db, now: new Date() } as Work, [file.id]));
  await expect(late).rejects.toThrow(/cleared away/);
});

test('a file that cannot be deleted keeps its row, and blocks no other', async () => {
  const [stuck, free] = [await aFile('gone', HOUR), await aFile('gone', HOUR)];
  const refusing: Files = {
    ...files,
    store: {
      ...files.store,
      delete: (name) => (name === stuck.name ? Promise.reject(new Error('it is stuck')) : files.store.delete(name)),
    },
  };
  await expect(sweep(refusing)).rejects.toThrow('it is stuck');
  expect(await isThere(free)).toBe(false);
  expect(await rowsOf()).toEqual([stuck.id]);
  expect(await sweep()).toBe(1);
  expect(await rowsOf()).toEqual([]);
});

test('removes old leftovers of interrupted uploads; current uploads stay', async () => {
  const folders = ['old', 'new'].map((name) => join(files.incoming, name));
  for (const folder of folders) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'upload'), 'half of it');
  }
  const long = new Date(Date.now() - HOUR);
  utimesSync(folders[0]!, long, long);
  await sweep();
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, true]);
  expect(readdirSync(files.incoming)).toContain('new');
});
