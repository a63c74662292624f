// Checks whether the built panel is up to date: the build recorded a hash of every source file.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** The sources that have changed since the build; null while the panel is not built. */
export async function changedPanelSources(project: string = PROJECT): Promise<string[] | null> {
  const record = await readFile(join(project, 'dist', 'panel', 'sources.json'), 'utf8').catch(() => null);
  if (record === null) return null;
  const built = Object.entries(JSON.parse(record) as Record<string, string>);
  const fresh = await Promise.all(built.map(async ([path, hash]) => (await hashOf(join(project, path))) === hash));
  return built.filter((_, index) => !fresh[index]).map(([path]) => path);
}

async function hashOf(path: string): Promise<string | null> {
  const content = await readFile(path).catch(() => null);
  return content === null ? null : createHash('sha256').update(content).digest('hex');
}
