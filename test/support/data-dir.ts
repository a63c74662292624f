// A DATA_DIR for a test. Passable for others, as the service itself makes it: root's PostgreSQL runs as another user.
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function newDataDir(name: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), `galeri-${name}-`));
  await chmod(made, 0o711);
  return made;
}
