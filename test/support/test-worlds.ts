// Worlds of the isolated sandbox in a test's own database, with a store for their files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Country, createAccount } from '../../src/domain/accounts/accounts.ts';
import { openFiles } from '../../src/domain/files/open-files.ts';
import type { World } from '../../src/domain/worlds/world.ts';
import type { WorldData } from '../../src/domain/worlds/world-states.ts';
import type { Times } from '../../src/kit/clock.ts';
import type { Database } from '../../src/kit/db.ts';
import { type DatabaseOptions, openDatabase } from '../../src/postgres/database.ts';
import { resetWorld, type WorldParts } from '../../src/sandbox/create-world.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { testWriter } from './test-writer.ts';

export interface TestWorlds extends TestDatabase {
  readonly parts: WorldParts;
  /** Where the files are. */
  readonly folder: string;
  times(): Times;
  owner(name?: string, country?: Country): Promise<string>;
  /** Another connection to the same database. */
  reopen(options: Partial<DatabaseOptions>): Database;
  /** A new world for the owner. */
  world(owner: string, data?: WorldData): Promise<World>;
}

export async function testWorlds(options: Parameters<typeof testDatabase>[0] = {}): Promise<TestWorlds> {
  const base = await testDatabase(options);
  const folder = await mkdtemp(join(tmpdir(), 'galeri-worlds-'));
  const writer = testWriter(base);
  const files = openFiles({ dataDir: folder });
  const parts: WorldParts = { writer, files: () => files, publicUrl: () => 'https://galeri.example.com' };
  const reopened: Database[] = [];
  const times = () => writer.clock.times();
  return {
    ...base,
    parts,
    folder,
    times,
    owner: async (name = 'Deneme Oto', country = 'KKTC') => {
      const account = { name, country };
      const actor = { type: 'system', name: 'test' } as const;
      return (await base.database.onPlatform('write', (db) => createAccount(db, account, actor, times().now))).id;
    },
    world: (owner, data = 'empty') => resetWorld(parts, owner, { data, keepWebhooks: true }, times()),
    reopen: (options) => {
      const database = openDatabase({ ...base.urls, ...options });
      reopened.push(database);
      return database;
    },
    close: async () => {
      await Promise.all(reopened.map((one) => one.close()));
      await base.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
