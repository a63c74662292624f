// A DATA_DIR that has been used before. Created once per run, by the first test file that needs it, and copied for each test:
// creating a cluster, its tables and the demonstration costs five times as much as starting one.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inject } from 'vitest';
import { copyDataDir, newDataDir } from '../support/data-dir.ts';
import { galeri, start, stop } from './process.ts';

/** `migrated`: empty tables, as before a first start. `served`: after a first start, with the demonstration. */
export type Prepared = 'migrated' | 'served';

const MAKE: Readonly<Record<Prepared, (dataDir: string) => Promise<void>>> = {
  migrated: async (DATA_DIR) => {
    const { code, stderr } = await galeri(['account', 'list', '--json'], { DATA_DIR });
    if (code !== 0) throw new Error(stderr);
  },
  served: async (DATA_DIR) => {
    await stop(await start(['bin/galeri', 'serve'], { DATA_DIR }));
  },
};

/** A separate copy in a new folder, which the test removes. */
export async function preparedDataDir(kind: Prepared, name: string): Promise<string> {
  const original = await made(kind);
  const dataDir = await newDataDir(name);
  // Where PostgreSQL's user has no access, the cluster is elsewhere and belongs to its DATA_DIR alone.
  if (standsElsewhere(original)) await MAKE[kind](dataDir);
  else copyDataDir(original, dataDir);
  return dataDir;
}

/** For the harnesses, which also run without tests: their worlds start as copies (`migratedDataDir`). */
export async function provideMigrated(): Promise<void> {
  const original = await made('migrated');
  if (!standsElsewhere(original)) process.env.MIGRATED_DATA_DIR = original;
}

const standsElsewhere = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres.json'));

async function made(kind: Prepared): Promise<string> {
  const original = join(inject('preparedDir'), kind);
  const [ready, failed] = [`${original}.ready`, `${original}.failed`];
  if (existsSync(ready)) return original;
  try {
    await mkdir(original, { mode: 0o711 });
  } catch {
    // Another test file is creating it.
    while (!existsSync(ready)) {
      if (existsSync(failed)) throw new Error(`the DATA_DIR that tests copy could not be ${kind}`);
      await wait(50);
    }
    return original;
  }
  try {
    await MAKE[kind](original);
    await writeFile(ready, '');
    return original;
  } catch (error) {
    await writeFile(failed, '');
    await rm(original, { recursive: true, force: true });
    throw error;
  }
}
