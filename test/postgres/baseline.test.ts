// A new database is created from migrations/schema.sql and equals one to which every migration was applied.
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { baselineText, schemaText, seedRows } from '../../scripts/schema-text.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { MIGRATIONS, type MigrateOptions, migrate, readMigrations } from '../../src/postgres/migrate.ts';
import { planMigrations } from '../../src/postgres/migration-plan.ts';

let server: Session;
let replayed: Session;
let folder: string;
const made: { name: string; session: Session }[] = [];
beforeAll(async () => {
  server = await openSession(inject('adminUrl'));
  folder = await mkdtemp(join(tmpdir(), 'galeri-baseline-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  replayed = (await newDatabase({ withBaseline: false })).session;
});
afterAll(async () => {
  for (const { name, session } of made) {
    await session.close();
    await server.rows(`drop database ${name} with (force)`);
  }
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function newDatabase(options: MigrateOptions | null) {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await server.rows(`create database ${name}`);
  const address = new URL(inject('adminUrl'));
  address.pathname = `/${name}`;
  const session = await openSession(address.href);
  made.push({ name, session });
  const progress: string[] = [];
  const applied = options === null ? [] : await migrate(address.href, (line) => progress.push(line), options);
  return { url: address.href, session, progress, applied };
}

const history = (session: Session) => session.rows('select name, hash from schema_migrations order by name');
const ownMigrations = () => ({ folder: pathToFileURL(`${folder}/`) });

test('a new database has the schema, the rows and the list of migrations of one that applied each', async () => {
  const { session, progress, applied } = await newDatabase({});
  expect(progress).toEqual(['Creating the schema']);
  expect(applied).toEqual((await readMigrations()).map(({ name }) => name));
  expect(await schemaText(session)).toBe(await schemaText(replayed));
  expect(await seedRows(session)).toEqual(await seedRows(replayed));
  expect(await history(session)).toEqual(await history(replayed));
});

// Versions of PostgreSQL print the same definitions differently.
test.skipIf(process.env.TEST_ON === '15')('migrations/schema.sql is as generated: npm run migrations:freeze', async () => {
  expect(await readFile(new URL('schema.sql', MIGRATIONS), 'utf8')).toBe(await baselineText(replayed));
});

test('migrations that are newer than the file are applied after it', async () => {
  await writeFile(join(folder, '9001-later.sql'), 'alter table vehicles add column shade text');
  const planned = await planMigrations((await newDatabase(null)).url, ownMigrations().folder);
  expect(planned.map(({ name }) => name)).toEqual(['schema.sql', '9001-later.sql']);
  const { progress, session } = await newDatabase(ownMigrations());
  expect(progress).toEqual(['Creating the schema', 'Applying 9001-later.sql']);
  expect(await session.rows('select shade from vehicles')).toEqual([]);
});

test('the file is not used if a migration in it is not in the list, or has another form', async () => {
  const { progress } = await newDatabase({ only: (name) => name <= '0002-panel.sql' });
  expect(progress).toEqual(['Applying 0001-foundation.sql', 'Applying 0002-panel.sql']);
  const first = join(folder, '0001-foundation.sql');
  await writeFile(first, `${await readFile(first, 'utf8')}\n-- changed\n`);
  const other = await newDatabase({ ...ownMigrations(), only: (name) => name <= '0001-foundation.sql' });
  expect(other.progress).toEqual(['Applying 0001-foundation.sql']);
});
