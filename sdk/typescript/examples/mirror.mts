// Keeps a copy of a dealer's vehicles, sales with their installments, or collections in a file. Run it as often as you like, for
// example from cron; it can be killed at any time.
//   GALERI_KEY=… GALERI_URL=https://galeri.example node mirror.mts vehicles.json [vehicles|sales|collections]
// With Node 24; earlier versions run TypeScript with `npx tsx mirror.mts`.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Galeri } from '@galeri/client';

type Row = { id: string; updated_at: string };
type Copy = Row & { deleted: boolean };

const [file = 'vehicles.json', list = 'vehicles'] = process.argv.slice(2);
const galeri = new Galeri({ key: process.env.GALERI_KEY ?? '', url: process.env.GALERI_URL ?? '' });
const copies: Record<string, Copy> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

/** Sales and collections are never deleted. A change of an installment changes its sale. */
function changes(since: string, deleted: boolean): AsyncIterable<Row> {
  if (list === 'sales') return galeri.each('/sales', { query: { updated_since: since, include: 'installments' } });
  if (list === 'collections') return galeri.each('/collections', { query: { updated_since: since } });
  return galeri.each('/vehicles', { query: { updated_since: since, ...(deleted ? { deleted } : {}) } });
}

for (const deleted of list === 'vehicles' ? [false, true] : [false]) {
  const since = newestChange(deleted);
  let read = 0;
  for await (const record of changes(since, deleted)) {
    // A record may come more than once, and may have been deleted or restored between the two walks: the newest state is kept.
    const known = copies[record.id];
    if (known === undefined || known.updated_at <= record.updated_at) copies[record.id] = { ...record, deleted };
    read += 1;
    if (read % 100 === 0) save();
  }
  save();
  console.log(`${read} ${deleted ? 'deleted' : 'live'} ${list} changed since ${since}`);
}

/** Where to go on: changes come oldest first, so nothing older than the newest copy is missing. */
function newestChange(deleted: boolean): string {
  const changes = Object.values(copies).filter((copy) => copy.deleted === deleted);
  return (
    changes
      .map((copy) => copy.updated_at)
      .sort()
      .at(-1) ?? '2000-01-01T00:00:00Z'
  );
}

/** Whole or not at all. In a database of your own, a record is one row and saving it one statement. */
function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(copies));
  renameSync(`${file}.new`, file);
}
