// An import file that is deleted or cannot be opened: only its own request fails.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queueRun } from '../../../src/domain/imports/runs/import-run.ts';
import type { Db } from '../../../src/kit/db.ts';
import type { UploadedFile } from '../../../src/kit/file.ts';
import type { Work } from '../../../src/kit/work.ts';
import { uncaughtDuring } from '../../support/uncaught.ts';

test('the file is not opened before it is read', async () => {
  const slow =
    <T>(value: T) =>
    async () => {
      await wait(30);
      return value;
    };
  const stored = { id: 'c', allowed: true, status: 'Aktif', transport: 'inline' };
  const db = { rows: slow([]), one: slow(stored), exec: slow(1), last: slow(stored) } as unknown as Db;
  const work = {
    db,
    now: new Date(),
    actor: { type: 'api_key', name: 'x' },
    keys: {},
    updatedAt: () => new Date(),
  } as unknown as Work;
  const file: UploadedFile = { path: '/nowhere/file', folder: '/nowhere', sizeBytes: 10, sha256: '' };
  let failure: unknown;
  const uncaught = await uncaughtDuring(async () => {
    failure = await queueRun(work, 'c', {}, file).catch((error) => error);
  });
  expect(failure).toMatchObject({ code: 'ENOENT' });
  expect(uncaught).toEqual([]);
});
