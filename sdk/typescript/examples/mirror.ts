// Keeps a copy of a dealer's vehicles in a file. Run it as often as you like, for example from cron; it can be killed at any time.
//   GALERI_KEY=… GALERI_URL=https://galeri.example node mirror.ts vehicles.json
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type components, Galeri } from '@galeri/client';

type Copy = components['schemas']['Vehicle'] & { deleted: boolean };

const file = process.argv[2] ?? 'vehicles.json';
const galeri = new Galeri({ key: process.env.GALERI_KEY ?? '', url: process.env.GALERI_URL ?? '' });
const copies: Record<string, Copy> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

for (const deleted of [false, true]) {
  const since = newestChange(deleted);
  let read = 0;
  for await (const vehicle of galeri.each('/vehicles', { query: { updated_since: since, ...(deleted ? { deleted } : {}) } })) {
    // A vehicle may come more than once, and may have been deleted or restored between the two walks: the newest state is kept.
    const known = copies[vehicle.id];
    if (known === undefined || known.updated_at <= vehicle.updated_at) copies[vehicle.id] = { ...vehicle, deleted };
    read += 1;
    if (read % 100 === 0) save();
  }
  save();
  console.log(`${read} ${deleted ? 'deleted' : 'live'} vehicles changed since ${since}`);
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

/** Whole or not at all. In a database of your own, a vehicle is one row and saving it one statement. */
function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(copies));
  renameSync(`${file}.new`, file);
}
