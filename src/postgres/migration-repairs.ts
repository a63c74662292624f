// Repairs of migrations that landed and were edited later. A database that applied the earlier form gets the same result as the
// edited one (docs/decisions/0077-migrations-beside-traffic.md). New migrations are frozen and need none.
import { readdir, readFile } from 'node:fs/promises';

/** A migration as the database recorded it. */
export interface Applied {
  readonly name: string;
  readonly hash: string;
}

export interface Repair {
  /** The file, as progress and plans show it. */
  readonly name: string;
  readonly from: Applied;
  readonly to: Applied;
  readonly text: string;
}

export async function readRepairs(folder: URL): Promise<Repair[]> {
  const repairs = new URL('repairs/', folder);
  const names = await readdir(repairs).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, repairs), 'utf8');
      const name = `repairs/${file}`;
      return { name, from: readForm(name, FROM.exec(text)), to: readForm(name, TO.exec(text)), text };
    }),
  );
}

const FROM = /^-- from: ([0-9a-f]{64}) {2}(\S+)$/m;
const TO = /^-- to: ([0-9a-f]{64}) {2}(\S+)$/m;

function readForm(file: string, found: RegExpExecArray | null): Applied {
  if (found === null) throw new Error(`${file} has no lines "-- from: HASH  NAME" and "-- to: HASH  NAME"`);
  return { hash: found[1]!, name: found[2]! };
}

/** Which repairs a database needs, in order, and the migrations that it has after them. A form may need several. */
export function repair(applied: readonly Applied[], repairs: readonly Repair[]): { repairs: Repair[]; applied: Applied[] } {
  const needed: Repair[] = [];
  const after = applied.map((form) => {
    for (;;) {
      const next = repairs.find(({ from }) => from.name === form.name && from.hash === form.hash);
      if (next === undefined) return form;
      needed.push(next);
      form = next.to;
    }
  });
  return { repairs: needed, applied: after };
}
