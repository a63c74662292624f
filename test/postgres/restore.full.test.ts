import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { backUp, type Manifest } from '../../src/postgres/backup.ts';
import { openSession } from '../../src/postgres/database.ts';
import { MIGRATIONS, migrate } from '../../src/postgres/migrate.ts';
import { readRepairs } from '../../src/postgres/migration-repairs.ts';
import { inOrder, restore } from '../../src/postgres/restore.ts';
import {
  ask,
  bareDatabase,
  base,
  database,
  diskFiles,
  ends,
  filled,
  hashes,
  newDirectory,
  refusal,
  to,
} from '../support/backups.ts';
import { isPostgres15Missing, startPostgres15 } from '../support/postgres15.ts';

describe('the order of the tables', () => {
  const table = (name: string) => ({ name, columns: [], whole: true });
  const key = (child: string, parent: string) => ({ name: '', child, parent, deferrable: false });
  const names = (tables: string[], keys: ReturnType<typeof key>[]) => inOrder(tables.map(table), keys).map(({ name }) => name);

  it('puts referenced tables first, and terminates also for a cycle', () => {
    expect(names(['a', 'b', 'c'], [key('a', 'b'), key('b', 'c'), key('b', 'b')])).toEqual(['c', 'b', 'a']);
    expect(names(['a', 'b', 'c'], [key('a', 'b'), key('b', 'a'), key('c', 'a')])).toEqual(['a', 'b', 'c']);
  });
});

describe('a restore is refused', () => {
  const made = async () => {
    const options = to((await filled()).adminUrl);
    await backUp(options);
    return options.directory;
  };
  const change = (directory: string, alter: (manifest: { -readonly [K in keyof Manifest]: Manifest[K] }) => void) => {
    const file = join(directory, 'manifest.json');
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest;
    alter(manifest);
    fs.writeFileSync(file, JSON.stringify(manifest));
  };

  it('when a file is damaged, missing or truncated', async () => {
    const target = await database();
    const directory = await made();
    const file = join(directory, 'tables', 'vehicles.ndjson.gz');
    const bytes = fs.readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    fs.writeFileSync(file, bytes);
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/vehicles\.ndjson\.gz is damaged/);
    fs.rmSync(file);
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/vehicles\.ndjson\.gz cannot be read \(ENOENT\)/);
    fs.truncateSync(join(directory, 'manifest.json'), 100);
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/manifest\.json .* is damaged/);
    expect(await refusal(restore(to(target.adminUrl, { directory: base })))).toMatch(/holds no backup/);
  });

  it('as a whole, when one of its last rows cannot be loaded', async () => {
    const target = await database();
    const before = await hashes(target.adminUrl);
    const directory = await made();
    // Checksums that match a row which violates a constraint: only the database can detect it.
    const file = join(directory, 'tables', 'vehicles.ndjson.gz');
    const bad = gzipSync(gunzipSync(fs.readFileSync(file)).toString().replaceAll('"LPG"', '"Kömür"'));
    fs.writeFileSync(file, bad);
    change(directory, (manifest) => {
      const sha256 = createHash('sha256').update(bad).digest('hex');
      manifest.tables = manifest.tables.map((table) => (table.name === 'vehicles' ? { ...table, sha256 } : table));
    });
    const options = to(target.adminUrl, { directory });
    expect(await refusal(restore(options))).toMatch(/vehicles_valid/);
    expect(await hashes(target.adminUrl)).toEqual(before);
    const triggers = await ask(target.adminUrl, `select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`);
    expect(triggers).toEqual([]);
    // Nothing is left that would stop the next one.
    await restore({ ...options, directory: await made() });
  });

  it('into a database or a folder that is not empty', async () => {
    const target = await database();
    const directory = await made();
    await ask(target.adminUrl, `insert into releases (endpoint, status) values ('GET vehicles', 'Aktif')`);
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/already holds data \(releases\)/);
    await ask(target.adminUrl, 'delete from releases');
    const files = diskFiles();
    const options = to(target.adminUrl, { directory, files });
    fs.mkdirSync(join(files.folder, 'ab'), { recursive: true });
    fs.writeFileSync(join(files.folder, 'ab', 'of another deployment'), '');
    expect(await refusal(restore(options))).toMatch(/is not empty/);
  });

  it('while a service runs on the database', async () => {
    const target = await database();
    const service = await openSession(target.adminUrl);
    await service.rows(`select pg_advisory_lock_shared(hashtext('galeri.nodes'))`);
    const directory = await made();
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/a service runs on this database/);
    await service.close();
  });

  it('with another secret, unless forced', async () => {
    const target = await database();
    const options = to(target.adminUrl, { directory: await made(), secret: 'another secret that is long enough for this' });
    expect(await refusal(restore(options))).toMatch(/made with a different secret/);
    await restore({ ...options, force: true });
  });

  it('when it comes from a newer version, or one with another history', async () => {
    const target = await database();
    const directory = await made();
    change(directory, (manifest) => {
      manifest.migrations = [...manifest.migrations, { name: '9999-tomorrow.sql', hash: '' }];
    });
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/newer version \(migration 9999-tomorrow\.sql\)/);
    change(directory, (manifest) => {
      manifest.migrations = [{ name: manifest.migrations[0]!.name, hash: 'x' }];
    });
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(/differs from the one in this version/);
  });

  it('when it comes from an earlier form of a migration, with the way to fix it', async () => {
    const target = await database();
    const directory = await made();
    const { from } = (await readRepairs(MIGRATIONS)).find(({ name }) => name.startsWith('repairs/0062-'))!;
    change(directory, (manifest) => {
      manifest.migrations = manifest.migrations.map((applied) => (applied.name === from.name ? from : applied));
    });
    expect(await refusal(restore(to(target.adminUrl, { directory })))).toMatch(
      /0062-cheaper-writes\.sql was changed later; restore it with that commit, then start this version/,
    );
  });
});

describe('a backup of an older version', () => {
  const history = newDirectory('migrations');
  fs.cpSync(join(import.meta.dirname, '..', '..', 'migrations'), history, { recursive: true });
  // A later version: a column filled from the old rows, and a new row.
  fs.writeFileSync(
    join(history, '9001-later.sql'),
    `alter table vehicles add column shout text not null default ''; update vehicles set shout = upper(plate);
     insert into releases (endpoint, status) values ('GET made-by-migration', 'Aktif');`,
  );
  const migrations = pathToFileURL(`${history}/`);

  it('is loaded into the tables of its version, which are then migrated', async () => {
    const url = await bareDatabase();
    const options = to((await filled()).adminUrl);
    await backUp(options);
    await restore({ ...to(url, { directory: options.directory }), migrations });
    const [row] = await ask(url, `select count(*)::int as count from vehicles where shout = upper(plate) and shout <> ''`);
    expect(row).toEqual({ count: 2500 });

    // And a backup of the new version replaces what its migrations put into an empty database.
    const again = to(url);
    await ask(url, `update releases set status = 'Yakında'`);
    await backUp(again);
    const other = await bareDatabase();
    await migrate(other, undefined, { folder: migrations });
    await restore({ ...to(other, { directory: again.directory }), migrations });
    expect(await hashes(other)).toEqual(await hashes(url));

    const ahead = await bareDatabase();
    await migrate(ahead, undefined, { folder: migrations });
    expect(await refusal(restore({ ...to(ahead, { directory: options.directory }), migrations }))).toMatch(
      /older \(.*\) than this database \(9001-later\.sql\)/,
    );
  });
});

it('loads a backup of a database that got its migrations in another order', async () => {
  const folder = newDirectory('migrations');
  fs.cpSync(join(import.meta.dirname, '..', '..', 'migrations'), folder, { recursive: true });
  const add = (name: string, column: string) =>
    fs.writeFileSync(
      join(folder, name),
      `alter table vehicles add column ${column} text; update vehicles set ${column} = '${column}'`,
    );
  const migrations = pathToFileURL(`${folder}/`);
  const source = to((await filled()).adminUrl);
  await backUp(source);
  const adminUrl = await bareDatabase();
  await restore(to(adminUrl, { directory: source.directory }));
  add('9002-later.sql', 'whisper');
  await migrate(adminUrl, undefined, { folder: migrations });
  const without = to(adminUrl);
  await backUp(without);
  add('9001-earlier.sql', 'shout');
  await migrate(adminUrl, undefined, { folder: migrations });
  const complete = to(adminUrl);
  await backUp(complete);
  for (const { directory } of [without, complete]) {
    const url = await bareDatabase();
    await restore({ ...to(url, { directory }), migrations });
    expect(await ask(url, `select count(*)::int as count from vehicles where whisper = 'whisper' and shout = 'shout'`)).toEqual([
      { count: 2500 },
    ]);
  }
});

describe.skipIf(isPostgres15Missing())('another major version', () => {
  it('accepts a backup of this one, and returns it', async () => {
    const old = await startPostgres15();
    ends.push(old.stop);
    const url = await bareDatabase(old.url);
    const source = await filled();
    const options = to(source.adminUrl);
    await backUp(options);
    await restore(to(url, { directory: options.directory }));
    const there = await hashes(url);
    expect(there).toEqual(await hashes(source.adminUrl));

    const back = to(url);
    await backUp(back);
    const target = await database();
    await restore(to(target.adminUrl, { directory: back.directory }));
    expect(await hashes(target.adminUrl)).toEqual(there);
  });
});
