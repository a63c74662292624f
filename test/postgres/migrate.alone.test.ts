// Migrations beside traffic: indexes built concurrently, data in batches that resume, locks that are given up.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { MAX_WAIT_MS } from '../../src/postgres/fair-queue.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { planMigrations } from '../../src/postgres/migration-plan.ts';

let url: string;
let folder: string;
let server: Session;
let name: string;
let session: Session;
beforeEach(async () => {
  name = `t_${randomBytes(6).toString('hex')}`;
  server = await openSession(inject('adminUrl'));
  await server.rows(`create database ${name}`);
  const address = new URL(inject('adminUrl'));
  address.pathname = `/${name}`;
  url = address.href;
  session = await openSession(url);
  folder = await mkdtemp(join(tmpdir(), 'galeri-migrations-'));
  await write('0001-cars', 'create table cars (id int primary key, plate text, folded text)');
  await migrateNow();
});
afterEach(async () => {
  await session.close();
  await server.rows(`drop database ${name} with (force)`);
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (file: string, text: string) => writeFile(join(folder, `${file}.sql`), text);
const at = () => pathToFileURL(`${folder}/`);
const migrateNow = () => migrate(url, undefined, { folder: at() });
const fill = (count: number) =>
  session.rows(`insert into cars (id, plate) select number, 'AB ' || number from generate_series(1, ${count}) number`);
const states = async () =>
  session.rows(`select indisvalid as valid, indisunique as is_unique from pg_index where indexrelid = to_regclass('cars_plate')`);

/** Polled until the migration's statement waits for a lock, or no longer does. */
const untilWaits = (statement: string, waits: boolean) =>
  expect
    .poll(
      async () =>
        (
          await server.rows(`select from pg_stat_activity where datname = $1 and query like $2 and wait_event_type = 'Lock'`, [
            name,
            `%${statement}%`,
          ])
        ).length > 0,
    )
    .toBe(waits);

test('an index is built concurrently: writes continue while it waits for an older transaction', async () => {
  await fill(1000);
  await write('0002-plates', '-- mode: concurrently\ncreate index concurrently if not exists cars_plate on cars (plate);');
  const older = await openSession(url);
  await older.rows('begin');
  await older.rows(`update cars set plate = 'X' where id = 1`);
  const migrated = migrateNow();
  await untilWaits('create index concurrently', true);
  await session.rows(`set lock_timeout = '5s'`);
  await session.rows(`insert into cars (id, plate) values (1001, 'CD 1')`);
  await older.rows('commit');
  await older.close();
  expect(await migrated).toEqual(['0002-plates.sql']);
  expect(await states()).toEqual([{ valid: true, is_unique: false }]);
});

test('an index whose build was interrupted is built again', async () => {
  await fill(10);
  await session.rows(`update cars set plate = 'AB 1' where id = 2`);
  await write('0002-plates', '-- mode: concurrently\ncreate unique index concurrently if not exists cars_plate on cars (plate);');
  await expect(migrateNow()).rejects.toThrow(/duplicate|unique/);
  expect(await states()).toEqual([{ valid: false, is_unique: true }]);
  await session.rows(`update cars set plate = 'AB 2' where id = 2`);
  expect(await migrateNow()).toEqual(['0002-plates.sql']);
  expect(await states()).toEqual([{ valid: true, is_unique: true }]);
});

test('data is changed in batches, and an interrupted run resumes where it was', async () => {
  await fill(100);
  const batch = `update cars set folded = lower(plate)
    where id in (select id from cars where folded is null order by id limit 10) returning 1`;
  await write('0002-folded', `-- mode: batches\n${batch};\n`);
  await session.rows(`create function stop() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$`);
  await session.rows(`create trigger stop before update on cars for each row when (new.id = 35) execute function stop()`);
  await expect(migrateNow()).rejects.toThrow('interrupted');
  const done = () =>
    session.rows(
      'select count(folded)::int as done, count(distinct xmin::text)::int as batches from cars where folded is not null',
    );
  expect(await done()).toEqual([{ done: 30, batches: 3 }]);
  await session.rows('drop trigger stop on cars');
  expect(await migrateNow()).toEqual(['0002-folded.sql']);
  expect(await done()).toEqual([{ done: 100, batches: 10 }]);
  expect(await migrateNow()).toEqual([]);
});

test('a lock that is not free is given up, so that writes do not wait for it, and requested again', async () => {
  await fill(10);
  await write('0002-colour', 'alter table cars add column colour text');
  const holder = await openSession(url);
  await holder.rows('begin; lock table cars in row exclusive mode');
  const migrated = migrateNow();
  await untilWaits('alter table cars', true);
  await untilWaits('alter table cars', false);
  await session.rows(`update cars set plate = 'XY 1' where id = 1`);
  await holder.rows('commit');
  await holder.close();
  expect(await migrated).toEqual(['0002-colour.sql']);
});

test('a migration that PostgreSQL ended in a deadlock with a request runs again', async () => {
  // A sequence is not rolled back, so only the first attempt fails.
  await session.rows('create sequence attempts');
  const first = `if nextval('attempts') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if`;
  await write('0002-colour', `do $$ begin ${first}; end $$; alter table cars add column colour text`);
  expect(await migrateNow()).toEqual(['0002-colour.sql']);
});

describe('a lock is waited for longer than PostgreSQL takes to cancel an autovacuum that holds it', () => {
  // At the same time the lock request would be given up first, and autovacuum keep the table on every attempt.
  beforeEach(() =>
    write(
      '0002-seen',
      `create table seen as select setting::int as ms, name from pg_settings where name in ('lock_timeout', 'deadlock_timeout')`,
    ),
  );
  const seen = () => session.rows<{ ms: number }>('select ms from seen order by name');

  test('and less than requests wait for a connection', async () => {
    await migrateNow();
    const [deadlock, lock] = await seen();
    expect(lock!.ms).toBeGreaterThan(deadlock!.ms);
    expect(lock!.ms).toBeLessThan(MAX_WAIT_MS);
  });

  test('by a role that may not shorten that: less than 2 s', async () => {
    const role = `${name}_owner`;
    await server.rows(`create role ${role} login createrole password 'x'`);
    await server.rows(`alter database ${name} owner to ${role}`);
    await session.rows(`alter table cars owner to ${role}; alter table schema_migrations owner to ${role}`);
    const address = Object.assign(new URL(url), { username: role, password: 'x' });
    try {
      expect(await migrate(address.href, undefined, { folder: at() })).toEqual(['0002-seen.sql']);
      const [deadlock, lock] = await seen();
      expect(lock!.ms).toBeGreaterThan(deadlock!.ms);
      expect(lock!.ms).toBeLessThan(2000);
    } finally {
      await session.rows(`reassign owned by ${role} to current_user; drop owned by ${role}`);
      await server.rows(`alter database ${name} owner to current_user`);
      await server.rows(`drop role ${role}`);
    }
  });
});

test('a migration that lands after one with a higher number is applied too', async () => {
  await write('0003-later', 'alter table cars add column later text');
  expect(await migrateNow()).toEqual(['0003-later.sql']);
  await write('0002-earlier', 'alter table cars add column earlier text');
  expect(await migrateNow()).toEqual(['0002-earlier.sql']);
});

test('a migration that was renumbered after it was applied is the same one', async () => {
  await write('0005-colour', 'alter table cars add column colour text');
  await migrateNow();
  await rename(join(folder, '0005-colour.sql'), join(folder, '0003-colour.sql'));
  await write('0004-doors', 'alter table cars add column doors int');
  expect(await migrateNow()).toEqual(['0004-doors.sql']);
});

/** A repair that adds a column, for a database whose 0001 was `from`. */
async function writeRepair(file: string, from: string, to: string, text: string): Promise<void> {
  await mkdir(join(folder, 'repairs'), { recursive: true });
  const form = (label: string, hash: string) => `-- ${label}: ${hash.padEnd(64, '0')}  0001-cars.sql`;
  await write(`repairs/${file}`, `${form('from', from)}\n${form('to', to)}\n${text}`);
}

test('a migration that was applied in an earlier form is repaired, in as many steps as needed', async () => {
  const [{ hash: now }] = (await session.rows<{ hash: string }>('select hash from schema_migrations')) as [{ hash: string }];
  await session.rows(`update schema_migrations set hash = rpad('a', 64, '0')`);
  await writeRepair('0001-cars.b', 'b', now, 'alter table cars add column second int');
  await writeRepair('0001-cars.a', 'a', 'b', 'alter table cars add column first int');
  await write('0002-later', 'alter table cars add column third int');
  const names = ['repairs/0001-cars.a.sql', 'repairs/0001-cars.b.sql', '0002-later.sql'];
  expect((await planMigrations(url, at())).map(({ name, locks }) => [name, locks[0]?.lock])).toEqual(
    names.map((name) => [name, 'access exclusive']),
  );
  expect(await migrateNow()).toEqual(names);
  expect(await session.rows('select hash from schema_migrations order by name limit 1')).toEqual([{ hash: now }]);
  expect(await session.rows('select first, second, third from cars')).toEqual([]);
  expect(await migrateNow()).toEqual([]);
});

test('a repair that fails changes nothing and names the reason', async () => {
  const [{ hash: now }] = (await session.rows<{ hash: string }>('select hash from schema_migrations')) as [{ hash: string }];
  await session.rows(`update schema_migrations set hash = rpad('a', 64, '0')`);
  await fill(1);
  await writeRepair('0001-cars.a', 'a', now, 'alter table cars add column first int; alter table cars add check (id > 1)');
  await expect(migrateNow()).rejects.toThrow(/0001-cars\.sql was applied in an earlier form and cannot be repaired.*is violated/);
  expect(await session.rows('select hash from schema_migrations')).toEqual([{ hash: 'a'.padEnd(64, '0') }]);
  await expect(session.rows('select first from cars')).rejects.toThrow(/does not exist/);
});

test('a plan names the pending migrations, their locks and estimated duration, and changes nothing', async () => {
  await fill(50_000);
  await session.rows('analyze cars');
  await write('0002-plates', '-- mode: concurrently\ncreate index concurrently if not exists cars_plate on cars (plate)');
  await write(
    '0003-folded',
    `-- mode: batches
update cars set folded = plate where id in (select id from cars where folded is null limit 1000) returning 1`,
  );
  await write(
    '0004-colour',
    'alter table cars add column colour text; create table colours (id int); create index on colours (id)',
  );
  const rows = 50_000;
  expect(await planMigrations(url, at())).toEqual([
    {
      name: '0002-plates.sql',
      mode: 'concurrently',
      locks: [{ table: 'cars', lock: 'share update exclusive', rows }],
      seconds: 1,
    },
    { name: '0003-folded.sql', mode: 'batches', locks: [{ table: 'cars', lock: 'row exclusive', rows }], seconds: 5 },
    {
      name: '0004-colour.sql',
      mode: 'transaction',
      locks: [
        { table: 'cars', lock: 'access exclusive', rows },
        { table: 'colours', lock: 'share', rows: 0 },
      ],
      seconds: 0,
    },
  ]);
  expect(await session.rows('select count(*)::int as applied from schema_migrations')).toEqual([{ applied: 1 }]);
  await write('0001-cars', 'create table cars (id bigint)');
  await expect(planMigrations(url, at())).rejects.toThrow(/0001-cars.sql was changed after it was applied/);
});
