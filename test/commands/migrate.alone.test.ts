// `galeri migrate --check` names the pending migrations and changes nothing.
import { afterAll, expect, test } from 'vitest';
import { preparedDataDir } from '../start/prepared.ts';
import { galeri, removeDataDir } from '../start/process.ts';
import { newDataDir } from '../support/data-dir.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeDataDir)));

test('an empty database would be created from one file, and is still empty afterwards', async () => {
  const DATA_DIR = await newDataDir('migrate-check');
  folders.push(DATA_DIR);
  const check = async () => JSON.parse((await galeri(['migrate', '--check', '--json'], { DATA_DIR })).stdout);
  const first = (await check()) as { migrations: { name: string }[] };
  expect(first.migrations[0]!.name).toBe('schema.sql');
  expect(await check()).toEqual(first);
});

test('reports a database that is up to date', async () => {
  const DATA_DIR = await preparedDataDir('migrated', 'migrate-check');
  folders.push(DATA_DIR);
  expect(await galeri(['migrate', '--check'], { DATA_DIR })).toMatchObject({ code: 0, stdout: 'The database is up to date\n' });
});
