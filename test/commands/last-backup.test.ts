// `galeri doctor` reports the last backup of the dealers' database, although another database was backed up since.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMachine } from '../../src/commands/doctor/check-machine.ts';
import { noteBackup } from '../../src/commands/last-backup.ts';
import { readConfig } from '../../src/config.ts';
import { newDataDir } from '../support/data-dir.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';

let main: TestDatabase;
let logs: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  main = await testDatabase();
  logs = await testDatabase();
  dataDir = await newDataDir('last-backup');
});
afterAll(async () => {
  await logs?.close();
  await main?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const configOf = (DATABASE_URL?: string) =>
  readConfig({ DATA_DIR: dataDir, GALERI_SECRET: TEST_SECRET, ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }) });
const found = async (url?: string) => {
  const findings = await checkMachine(configOf(url), () => false);
  return findings.find(({ name }) => name === 'backup')!;
};

test('a backup of the log database is no backup of the dealers', async () => {
  expect(await found(main.adminUrl)).toMatchObject({ status: 'warning', detail: expect.stringContaining('never run') });
  await noteBackup(configOf(logs.adminUrl), '/backups/log');
  expect(await found(main.adminUrl)).toMatchObject({ status: 'warning', detail: expect.stringContaining('never run') });
  await noteBackup(configOf(main.adminUrl), '/backups/main');
  await noteBackup(configOf(logs.adminUrl), '/backups/log');
  expect(await found(main.adminUrl)).toMatchObject({ status: 'ok', detail: expect.stringContaining('/backups/main') });
});

test('nor is it one of the embedded server', async () => {
  expect(await found()).toMatchObject({ status: 'warning' });
  await noteBackup(configOf(), '/backups/embedded');
  expect(await found()).toMatchObject({ status: 'ok', detail: expect.stringContaining('/backups/embedded') });
});
