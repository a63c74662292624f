// `admin confirm`: the solution when all administrators were created by the same one.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adminCommand } from '../../src/commands/account/account.ts';
import { createAdmin, NO_PASSWORD } from '../../src/domain/identity/people.ts';
import { canBeSecond } from '../../src/domain/keys/second-administrator.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';

let base: TestDatabase;
let folder = '';
beforeAll(async () => {
  base = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'galeri-admin-'));
  Object.assign(process.env, { DATABASE_URL: base.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await base.close();
  await rm(folder, { recursive: true, force: true });
});

test('confirms an administrator of the panel as a separate person', async () => {
  const { database } = base;
  const first = await database.onPlatform('write', (db) =>
    createAdmin(db, 'ilk@example.com', NO_PASSWORD, { type: 'cli', name: 'test' }),
  );
  const actor = { type: 'panel', name: 'ilk@example.com', personId: first.id } as const;
  const second = await database.onPlatform('write', (db) => createAdmin(db, 'ikinci@example.com', NO_PASSWORD, actor));
  const areTwo = () => database.onPlatform('read', (db) => canBeSecond(db, first.id, second.id));
  expect(await areTwo()).toBe(false);
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await adminCommand.run(['confirm', '--email', 'Ikinci@example.com', '--json']);
  expect(JSON.parse(String(written.mock.calls[0]![0]))).toEqual({ id: second.id });
  written.mockRestore();
  expect(await areTwo()).toBe(true);
  await expect(adminCommand.run(['confirm', '--email', 'kimse@example.com'])).rejects.toThrow('there is no administrator');
});
