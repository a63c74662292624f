// `migrations/schema.sql`: the schema after the migrations that it names, generated from them (scripts/freeze-migrations.ts). A
// new database is created from this one file instead of from every migration.
import { readFile } from 'node:fs/promises';
import type { Applied } from './migration-repairs.ts';

export interface Baseline {
  readonly contains: readonly Applied[];
  readonly text: string;
}

const CONTAINS = /^-- contains: ([0-9a-f]{64}) {2}(\S+)$/gm;

/** For an empty database: null if the folder has none, or if it contains a migration that is not wanted or has another form. */
export async function findBaseline(folder: URL, migrations: readonly Applied[]): Promise<Baseline | null> {
  const text = await readFile(new URL('schema.sql', folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const contains = [...text.matchAll(CONTAINS)].map(([, hash, name]) => ({ hash: hash!, name: name! }));
  const isWanted = (form: Applied) => migrations.some(({ name, hash }) => name === form.name && hash === form.hash);
  return contains.every(isWanted) ? { text, contains } : null;
}
