// A DATA_DIR for a test. Passable for others, as the service itself makes it: root's PostgreSQL runs as another user.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function newDataDir(name: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `galeri-${name}-`));
  await chmod(made, 0o711);
  return made;
}

/** With a cluster and its tables, where whoever runs us has one to copy (`provideMigrated`): creating them costs more than the rest. */
export async function migratedDataDir(name: string): Promise<string> {
  const made = await newDataDir(name);
  if (process.env.MIGRATED_DATA_DIR) copyDataDir(process.env.MIGRATED_DATA_DIR, made);
  return made;
}

/** With its owners: the cluster is PostgreSQL's own user's. */
export function copyDataDir(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to]);
}
