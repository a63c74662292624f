// The photos of the demonstration's cars.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../../../src/demo/demo-data.ts';
import { dealerOf } from '../../../src/demo/demo-dealer.ts';
import { demoViews, loadDemoPhotos } from '../../../src/demo/demo-photos.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { dataOf } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { dealerWith, openAll } from '../../support/writer.ts';

const dealer = dealerOf(0);
const CARS = 3;
let api: TestService;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  await loadDemo(api.database, api.secrets, { dealers: 1, vehicles: CARS, customers: 0, now: new Date() });
});
afterAll(() => api.close());

const photograph = (signal?: AbortSignal) =>
  loadDemoPhotos(
    { database: api.database, files: api.service.parts.files, realNow: () => new Date(), ...(signal ? { signal } : {}) },
    [dealer],
  );
const ownerOf = async () => dealerWith(api, dealer.id, (await api.key(dealer.id, { template: 'full' })).secret);
interface Row {
  readonly vehicle_id: string;
  readonly position: number;
  readonly size_bytes: number;
  readonly sha256: string;
}
const photos = () =>
  api.database.inTenant(dealer.id, 'read', (db) =>
    db.rows<Row>(sql`select vehicle_id, "position", vehicle_photos.size_bytes, encode(sha256, 'hex') as sha256
      from ${own('vehicle_photos')} join ${own('stored_files')} on stored_files.id = file_id and state = 'kept'
      order by vehicle_id, "position"`),
  );

test('work that is ended before it begins adds nothing', async () => {
  expect(await photograph(AbortSignal.abort())).toBe(0);
  expect(await photos()).toEqual([]);
});

test('every car gets three to five photos of at most 25 kB, which its owner can read; the next call adds nothing', async () => {
  expect(await photograph()).toBe(CARS);
  const found = await photos();
  const byCar = Map.groupBy(found, ({ vehicle_id }) => vehicle_id);
  expect(byCar.size).toBe(CARS);
  for (const [id, rows] of byCar) {
    expect(rows.map(({ position }) => position)).toEqual(demoViews(id).map((_, at) => at + 1));
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(rows.length).toBeLessThanOrEqual(5);
  }
  expect(Math.max(...found.map(({ size_bytes }) => size_bytes))).toBeLessThanOrEqual(25_000);
  expect(new Set(found.map(({ sha256 }) => sha256)).size).toBe(found.length);
  expect(await photograph()).toBe(0);

  const owner = await ownerOf();
  const [shown] = dataOf(await owner.get(`vehicles/${found[0]!.vehicle_id}/photos`)) as [{ url: string; thumbnail_url: string }];
  for (const link of [shown.url, shown.thumbnail_url]) {
    const file = await fetch(new URL(new URL(link).pathname + new URL(link).search, api.service.url));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  }
});

test('they are the same at every load, and do not come back after they were removed', async () => {
  const before = await photos();
  const [{ vehicle_id: first }, { vehicle_id: second }] = [before[0]!, before.at(-1)!];
  await api.database.inTenant(dealer.id, 'write', (db) => db.exec(sql`delete from vehicle_photos where vehicle_id = ${first}`));
  const owner = await ownerOf();
  for (const { id } of dataOf(await owner.get(`vehicles/${second}/photos`)) as { id: string }[])
    dataOf(await owner.delete(`vehicles/${second}/photos/${id}`));
  expect(await photograph()).toBe(1);
  const after = await photos();
  const hashes = (rows: readonly Row[], id: string) =>
    rows.filter(({ vehicle_id }) => vehicle_id === id).map(({ sha256 }) => sha256);
  expect(hashes(after, first)).toEqual(hashes(before, first));
  expect(hashes(after, second)).toEqual([]);
});
