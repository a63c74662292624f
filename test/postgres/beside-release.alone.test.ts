// A release that is running while the next one migrates its database: it reads and writes throughout.
import { cpSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { type TestService, testService } from '../support/service.ts';

const CARS = 3000;
/** What the next release brings: a column, its values in batches, an index and a constraint. */
const NEXT = {
  '9001-shade': 'alter table vehicles add column shade text',
  '9002-shades': `-- mode: batches
update vehicles set shade = lower(color)
where (account_id, id) in (select account_id, id from vehicles where shade is null limit 500) returning 1`,
  '9003-shade-index': `-- mode: concurrently
create index concurrently if not exists vehicles_shade on vehicles (account_id, shade)`,
  '9004-shade-known': `alter table vehicles add constraint shade_short check (length(shade) < 100) not valid`,
  '9005-shade-checked': 'alter table vehicles validate constraint shade_short',
};

let api: TestService;
let admin: Session;
let folder: string;
beforeAll(async () => {
  api = await testService();
  admin = await openSession(api.adminUrl);
  folder = await mkdtemp(join(tmpdir(), 'galeri-next-'));
  cpSync(join(import.meta.dirname, '../../migrations'), folder, { recursive: true });
  for (const [name, text] of Object.entries(NEXT)) writeFileSync(join(folder, `${name}.sql`), text);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
  await rm(folder, { recursive: true, force: true });
});

test('reads and writes of the release before are answered while the database is migrated', async () => {
  const accountId = await api.account();
  await api.release('Aktif', 'POST vehicles', 'PATCH vehicles/{vehicle_id}', 'GET vehicles', 'GET vehicles/{vehicle_id}');
  const { secret: key } = await api.key(accountId, { template: 'full' });
  const first = await api.vehicle(accountId);
  const columns = `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
    where attrelid = 'vehicles'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'plate', 'list_json')`;
  const [{ list }] = (await admin.rows<{ list: string }>(columns)) as [{ list: string }];
  await admin.rows(
    `insert into vehicles (id, plate, ${list}) select gen_random_uuid(), 'ZZ ' || number, ${list}
      from vehicles, generate_series(1, ${CARS}) number where id = '${first}'`,
  );
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
  const applied = await migrate(api.adminUrl, undefined, { folder: pathToFileURL(`${folder}/`) }).finally(() => {
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

const newCar = {
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Beyaz',
  city: 'Lefkoşa',
  price: '14500.00',
  currency: 'STG',
};
