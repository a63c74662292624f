// When this machine made its last backup of each database: `galeri doctor` reports the age of that of the dealers' database.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { findServer, identityOf } from '../postgres/pooler.ts';

export interface LastBackup {
  readonly at: string;
  readonly directory: string;
}

/** By database, so that a backup of the request log does not hide that the backups of the dealers' database have stopped. */
type LastBackups = Readonly<Record<string, LastBackup>>;

const fileIn = (dataDir: string): string => join(dataDir, 'last-backups.json');

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** A standby has the name of its primary. */
async function databaseOf({ databaseUrl }: Place): Promise<string> {
  if (databaseUrl === null) return 'embedded';
  const options = { acceptsStandby: true };
  return identityOf(await findServer(databaseUrl, options), options);
}

/** A backup is complete without the note, for example if DATA_DIR is read-only. */
export async function noteBackup(place: Place, directory: string): Promise<void> {
  const { dataDir } = place;
  try {
    const note: LastBackup = { at: new Date().toISOString(), directory };
    const notes: LastBackups = { ...(await readNotes(dataDir)), [await databaseOf(place)]: note };
    await writeFile(fileIn(dataDir), `${JSON.stringify(notes)}\n`, { mode: 0o600 });
  } catch {
    // As if there had been no backup.
  }
}

/** Null: none is noted. */
export async function readLastBackup(place: Place): Promise<LastBackup | null> {
  const notes = await readNotes(place.dataDir);
  return Object.keys(notes).length === 0 ? null : (notes[await databaseOf(place)] ?? null);
}

async function readNotes(dataDir: string): Promise<LastBackups> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  return text === null ? {} : (JSON.parse(text) as LastBackups);
}
