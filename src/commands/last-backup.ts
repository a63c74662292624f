// When this machine made its last backup: `galeri doctor` reports its age.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LastBackup {
  readonly at: string;
  readonly directory: string;
}

const fileIn = (dataDir: string): string => join(dataDir, 'last-backup.json');

/** A backup is complete without the note, for example if DATA_DIR is read-only. */
export async function noteBackup(dataDir: string, directory: string): Promise<void> {
  const note: LastBackup = { at: new Date().toISOString(), directory };
  await writeFile(fileIn(dataDir), `${JSON.stringify(note)}\n`, { mode: 0o600 }).catch(() => {});
}

export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as LastBackup);
}
