// A large file is imported in bounded memory.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, findAccount } from '../../../src/domain/accounts/accounts.ts';
import { openImportFile } from '../../../src/domain/imports/files/import-file.ts';
import { importRows, importTarget } from '../../../src/domain/imports/targets/import-rows.ts';
import type { Actor } from '../../../src/domain/writes/audit.ts';
import { createClock } from '../../../src/kit/clock.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testWriter } from '../../support/test-writer.ts';

const actor: Actor = { type: 'system', name: 'test' };
let base: TestDatabase;
beforeAll(async () => {
  base = await testDatabase();
});
afterAll(() => base.close());

const golf = (plate: string) => ({
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: '2018',
  km: '84000',
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Beyaz',
  plate,
  city: 'Lefkoşa',
  price: '14500',
});

test('a file of twenty megabytes goes through in bounded memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'galeri-import-'));
  const path = join(folder, 'big.csv');
  const columns = Object.keys(golf(''));
  const line = (row: number) => Object.values(golf(`A ${row}`)).join(';');
  const lines = Array.from({ length: 5000 }, (_, index) => `${line(index + 1)};R${index};${'x'.repeat(4000)}`);
  await writeFile(path, `${[...columns, 'external_ref', 'description'].join(';')}\n${lines.join('\n')}\n`);
  lines.length = 0;

  const { id } = await base.database.onPlatform('write', (db) => createAccount(db, { name: 'Galeri' }, actor, new Date()));
  const account = (await base.database.onPlatform('read', (db) => findAccount(db, id)))!;
  const target = importTarget('vehicles', account, base.secrets);
  const rows = (await openImportFile(path)).rows(Object.keys(target.fields));
  const done: number[] = [];
  const held: number[] = [];
  const progress = (count: number) => {
    done.push(count);
    // What is still held after a collection, not what waits for one.
    if (count % 1000 === 0) held.push(heapAfterCollection());
  };
  const summary = await importRows({
    writer: testWriter(base),
    account,
    kind: 'vehicles',
    target,
    rows,
    clock: createClock(),
    actor,
    progress,
  });
  expect(summary).toMatchObject({ total: 5000, created: 5000 });
  expect([done.length, done.at(-1)]).toEqual([25, 5000]);
  // Between the first and the last look lie 16 MB of rows.
  expect(held.at(-1)! - held[0]!).toBeLessThan(6 * 1024 * 1024);
  await rm(folder, { recursive: true });
});

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
