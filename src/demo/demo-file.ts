// The demonstration's sign-ins and key, in a file of DATA_DIR that only its owner can read, because the database stores hashes only.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoSignIn } from './demo-people.ts';

export interface Demo {
  /** The name of the dealer the key belongs to. */
  readonly account: string;
  readonly key: string;
  /** Who may sign in to the panel. */
  readonly people: readonly DemoSignIn[];
}

const fileIn = (dataDir: string): string => join(dataDir, 'demo.json');

/** Null if the file is missing or unreadable. */
export async function readDemoFile(dataDir: string): Promise<Demo | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  try {
    const demo = JSON.parse(text ?? 'null') as Partial<Demo> | null;
    return demo !== null && typeof demo.key === 'string' && Array.isArray(demo.people) ? (demo as Demo) : null;
  } catch {
    return null;
  }
}

/** Written atomically, because a page may read it at any time. */
export async function writeDemoFile(dataDir: string, demo: Demo): Promise<void> {
  const draft = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(demo)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, fileIn(dataDir));
}

export const deleteDemoFile = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });
