// A DATA_DIR for a test. Accessible to others, as the service itself creates it: root's PostgreSQL runs as another user.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH = 6e9;
const A_DAY_MS = 86_400_000;

/**
 * A database is a thousand files, created and removed for every test file: on a disk that takes seven times the work, and
 * waiting.
 */
export const isInMemory = hasRoomInMemory();
export const TEMPORARY = isInMemory ? MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY) || /^\S+ \/dev\/shm tmpfs \S*noexec/m.test(readFileSync('/proc/mounts', 'utf8'))) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH;
}

/** Leftovers of a killed run: unlike a disk's temporary folder, memory is not freed at the next start. */
export async function removeLeftOver(): Promise<void> {
  if (!isInMemory) return;
  // Compared with a folder created now: the clock of this process may be a test's.
  const fresh = await newDataDir('now');
  const now = statSync(fresh).mtimeMs;
  rmSync(fresh, { recursive: true });
  for (const name of readdirSync(MEMORY).filter((name) => /^galeri-[a-z0-9-]+-\w{6}$/.test(name))) {
    const path = join(MEMORY, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - made > A_DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

export async function newDataDir(name: string): Promise<string> {
  const made = await mkdtemp(join(TEMPORARY, `galeri-${name}-`));
  await chmod(made, 0o711);
  return made;
}

/** With a cluster and its tables, if the caller has one to copy (`provideMigrated`): creating them costs more than the rest. */
export async function migratedDataDir(name: string): Promise<string> {
  const made = await newDataDir(name);
  if (process.env.MIGRATED_DATA_DIR) copyDataDir(process.env.MIGRATED_DATA_DIR, made);
  return made;
}

/** With its owners: the cluster belongs to PostgreSQL's own user. */
export function copyDataDir(from: string, to: string): void {
  execFileSync('cp', ['-a', `${from}/.`, to]);
}
