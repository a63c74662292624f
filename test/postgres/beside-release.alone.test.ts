// A running release while the next one migrates its database: it reads and writes throughout.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { type TestService, testService } from '../support/service.ts';
import { copyCars, NEXT, newCar, writeNextMigrations } from './next-release.ts';

const CARS = 3000;
let api: TestService;
let admin: Session;
let folder: string;
let migrations: URL;
beforeAll(async () => {
  api = await testService();
  admin = await openSession(api.adminUrl);
  folder = await mkdtemp(join(tmpdir(), 'galeri-next-'));
  migrations = writeNextMigrations(folder);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

test('reads and writes of the previous release are answered while the database is migrated', async () => {
  const accountId = await api.account();
  await api.release('Aktif', 'POST vehicles', 'PATCH vehicles/{vehicle_id}', 'GET vehicles', 'GET vehicles/{vehicle_id}');
  const { secret: key } = await api.key(accountId, { template: 'full' });
  const first = await api.vehicle(accountId);
  await copyCars(admin, first, CARS);
  let isOver = false;
  const answers: { readonly what: string; readonly status: number }[] = [];
  const keep = async (what: string, ask: (turn: number) => ReturnType<TestService['call']>) => {
    for (let turn = 0; !isOver || turn === 0; turn += 1) answers.push({ what, status: (await ask(turn)).status });
  };
  const send = (method: string, path: string, body: object) =>
    api.call(path, { key, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const traffic = Promise.all([
    keep('list', () => api.call('vehicles?limit=5', { key, headers: { 'cache-control': 'no-cache' } })),
    keep('read', () => api.call(`vehicles/${first}`, { key, headers: { 'cache-control': 'no-cache' } })),
    keep('change', (turn) => send('PATCH', `vehicles/${first}`, { km: 84_001 + turn })),
    keep('add', (turn) => send('POST', 'vehicles', { ...newCar, plate: `YY ${1000 + turn}` })),
  ]);
  const applied = await migrate(api.adminUrl, undefined, { folder: migrations }).finally(() => {
    isOver = true;
  });
  await traffic;
  expect(applied).toEqual(Object.keys(NEXT).map((name) => `${name}.sql`));
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  expect(new Set(answers.map(({ what }) => what)).size).toBe(4);
  const [done] = await admin.rows(`select count(*) filter (where shade is not null) >= ${CARS} as is_filled,
    (select convalidated from pg_constraint where conname = 'shade_short') as is_checked from vehicles`);
  expect(done).toEqual({ is_filled: true, is_checked: true });
});
