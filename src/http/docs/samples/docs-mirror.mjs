// Keeps a copy of the stock in mirror.json: the first run reads everything, each later one what has changed since.
// It may be stopped at any time; the next run continues where it stopped: GALERI_KEY=gal_prod_… node mirror.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const API = 'https://galeri.example/api/v1';
const FILE = 'mirror.json';
const begin = { since: { changed: '2000-01-01', deleted: '2000-01-01' }, vehicles: {} };
const mirror = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : begin;

function save() {
  writeFileSync(`${FILE}.new`, JSON.stringify(mirror));
  renameSync(`${FILE}.new`, FILE); // whole or not at all
}

async function get(url) {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${process.env.GALERI_KEY}` } });
  if (response.status === 429 || response.status === 503) {
    await wait(1000 * Number(response.headers.get('Retry-After') ?? 5));
    return get(url);
  }
  const { success, data, error } = await response.json();
  if (!success) throw new Error(`${error.code}: ${error.message}`);
  return { data, next: /<([^<>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] };
}

async function walk(list, query, apply) {
  const first = new URLSearchParams({ ...query, updated_since: mirror.since[list], cursor: 'start', limit: '100' });
  for (let url = `${API}/vehicles?${first}`; url; ) {
    const { data, next } = await get(url);
    data.forEach(apply);
    if (data.length > 0) mirror.since[list] = data.at(-1).updated_at; // the walk goes by updated_at
    save();
    url = next;
  }
}

await walk('changed', {}, (vehicle) => {
  mirror.vehicles[vehicle.id] = vehicle;
});
await walk('deleted', { deleted: 'true' }, ({ id }) => {
  delete mirror.vehicles[id];
});
console.log(`${Object.keys(mirror.vehicles).length} vehicles`);
