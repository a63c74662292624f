import { createHmac, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it, vi } from 'vitest';
import { backupCommand, restoreCommand } from '../../src/commands/backup.ts';
import type { Files } from '../../src/domain/files/file-store.ts';
import { openFiles } from '../../src/domain/files/open-files.ts';
import { readS3Url, type S3Config } from '../../src/domain/files/s3-config.ts';
import { digestOf } from '../../src/domain/keys/key-secret.ts';
import { findKey } from '../../src/domain/keys/keys.ts';
import { backUp } from '../../src/postgres/backup.ts';
import { openSession } from '../../src/postgres/database.ts';
import { restore } from '../../src/postgres/restore.ts';
import {
  ACCOUNT,
  ask,
  bareDatabase,
  base,
  database,
  diskFiles,
  ends,
  filled,
  filledDatabase,
  hashes,
  KEY,
  newDirectory,
  readStored,
  refusal,
  storeFile,
  to,
} from '../support/backups.ts';
import { TEST_SECRET } from '../support/database.ts';
import { openS3 } from '../support/s3.ts';

// Values that a careless text format, a line reader or a second run of a trigger would change.
const ODD = `
  create type mood as enum ('iyi', 'kötü');
  create table "Odd ""one" (
    id bigint generated always as identity primary key, parent bigint references "Odd ""one" (id),
    account_id uuid references accounts (id), "order" text, bytes bytea, list text[], deep int[][], doc jsonb, raw json,
    amount numeric(30, 10), small real, big double precision, at timestamptz, day date, span interval, address inet,
    days daterange, fixed char(5), "state" mood, yes boolean, twice text generated always as ("order" || "order") stored);
  create function meddle() returns trigger language plpgsql as $$ begin new."order" := 'meddled'; return new; end $$;
  create trigger meddle before insert on "Odd ""one" for each row execute function meddle();`;

const ODD_ROWS = `
  alter table "Odd ""one" disable trigger user;
  insert into "Odd ""one" (parent, account_id, "order", bytes, list, deep, doc, raw, amount, small, big, at, day, span, address, days, fixed,
    "state", yes)
  values
    (3, '${ACCOUNT}', E'İstanbul\\u2028ığüşöç\\r\\n\\t"tırnak" \\\\ 🚗', '\\x00ff5c0a22', array['a,b', '{"}', null, '', 'NULL'], '{{1,2},{3,4}}',
     '{"b": 1.10, "a": "ş\\u0001"}', '{"b" : 1,  "b":2}', 12345678901234567890.0123456789, 0.1, 0.1::float8 + 0.2, '2026-03-29 01:59:59.123456+03',
     'infinity', '1 mon 2 days 03:04:05.000006', '2001:db8::1/64', '[2026-01-01,2026-02-01)', 'ab', 'kötü', false),
    (null, null, '', '', '{}', '{}', 'null', '"x"', 'NaN', 'Infinity', '-0', '-infinity', '0044-03-15 BC', '-1 years', '10.0.0.1', 'empty', '',
     null, true),
    (1, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
  -- More than one batch, and the first row of it refers to the last.
  insert into "Odd ""one" ("order") select repeat('ğ', n % 7) from generate_series(4, 1500) n;
  update "Odd ""one" set parent = 1500 where id = 1;
  alter table "Odd ""one" enable trigger user;`;

describe('backup and restore', () => {
  it('restores every row of every table unchanged', async () => {
    const [source, target] = [await filledDatabase(), await database()];
    for (const { adminUrl } of [source, target]) await ask(adminUrl, ODD);
    await ask(source.adminUrl, ODD_ROWS);
    const before = await hashes(source.adminUrl);
    expect(Object.values(before).filter((hash) => !hash.startsWith('0 ')).length).toBeGreaterThan(17);

    const options = to(source.adminUrl);
    const done = await backUp(options);
    expect(done).toMatchObject({ tables: Object.keys(before).length, directory: options.directory });
    const back = await restore(to(target.adminUrl, { directory: options.directory }));
    expect(await hashes(target.adminUrl)).toEqual(before);
    expect(back).toEqual({ ...done, rows: done.rows - 1, skipped: 1 });

    // The identity continues where it was, the trigger works again, and the reference is enforced as before.
    const odd = target.adminUrl;
    const [next] = await ask(odd, `insert into "Odd ""one" (yes) values (true) returning id::int, "order"`);
    expect(next).toEqual({ id: 1501, order: 'meddled' });
    expect(await refusal(ask(odd, `insert into "Odd ""one" (parent) values (9999)`))).toMatch(/foreign key/);
  });

  it('keeps keys valid and row-level security on', async () => {
    const [source, target] = [await filled(), await database()];
    const options = to(source.adminUrl);
    await backUp(options);
    await restore(to(target.adminUrl, { directory: options.directory }));
    const found = await target.database.onPlatform('read', (db) => findKey(db, digestOf(source.key, target.secrets.pepper)));
    expect(found).toMatchObject({ accountId: ACCOUNT, name: 'Anahtar', authorizations: ['live_auction_bid'] });
    const open = await ask(
      target.adminUrl,
      `select relname from pg_class where relname like 'request\\_logs%' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  it('is one snapshot despite concurrent writes', async () => {
    const source = await database();
    // A wide table is between the two tables of the sum, so that the second is read well after the first.
    await ask(
      source.adminUrl,
      `insert into usage_calls values ('${ACCOUNT}', '${KEY}', now(), '', '', 1000000);
       insert into usage_latency select '${ACCOUNT}', '${KEY}', now() + make_interval(hours => n), 1, n from generate_series(1, 40000) n;
       insert into usage_secrets values ('${ACCOUNT}', '${KEY}', '${KEY}', 0, now())`,
    );
    let [moves, stop] = [0, false];
    const writer = (async () => {
      const session = await openSession(source.adminUrl);
      for (; !stop; moves += 1)
        await session.rows('begin; update usage_calls set calls = calls - 1; update usage_secrets set calls = calls + 1; commit');
      await session.close();
    })();
    while (moves < 10) await sleep(1);
    const options = to(source.adminUrl);
    const started = moves;
    await backUp(options);
    const during = moves - started;
    stop = true;
    await writer;
    expect(during).toBeGreaterThan(10);

    const target = await database();
    await restore(to(target.adminUrl, { directory: options.directory }));
    const [row] = await ask(
      target.adminUrl,
      `select (select sum(calls) from usage_calls) + (select sum(calls) from usage_secrets) as total, (select calls from usage_secrets) as moved`,
    );
    expect(Number(row!.total)).toBe(1_000_000);
    expect(Number(row!.moved)).toBeGreaterThan(0);
  });

  it('includes the files that records keep, readable by their owner only, and no others', async () => {
    const [source, target] = [await filledDatabase(), await database()];
    const [files, options] = [diskFiles(), to(source.adminUrl)];
    const content = randomBytes(200_000);
    const kept = await storeFile(source.adminUrl, files, content);
    const others = [
      await storeFile(source.adminUrl, files, randomBytes(10), 'pending'),
      await storeFile(source.adminUrl, files, randomBytes(10), 'gone'),
    ];
    fs.mkdirSync(join(files.incoming, 'x'), { recursive: true });
    fs.writeFileSync(join(files.incoming, 'x', 'half'), 'an upload under way');
    expect(await backUp({ ...options, files })).toMatchObject({ files: 1, missing_files: 0 });
    for (const entry of fs.readdirSync(options.directory, { recursive: true, withFileTypes: true }))
      expect(fs.statSync(join(entry.parentPath, entry.name)).mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600);
    expect(fs.statSync(options.directory).mode & 0o777).toBe(0o700);
    expect(fs.readdirSync(join(options.directory, 'files'), { recursive: true })).toHaveLength(2);

    const back = { ...to(target.adminUrl, { directory: options.directory }), files: diskFiles() };
    // As where a service has been started before.
    fs.mkdirSync(back.files.incoming, { recursive: true });
    expect(await restore(back)).toMatchObject({ files: 1 });
    expect(await readStored(back.files, kept)).toEqual(content);
    for (const name of others) expect(await readStored(back.files, name)).toBeNull();
    expect(fs.readdirSync(back.files.incoming)).toEqual([]);
  });

  it('copies files from an S3 store to a disk, and from there into an S3 store', async () => {
    const s3 = await openS3();
    ends.push(() => s3.close());
    const inS3 = async (): Promise<Files> => openFiles({ dataDir: newDirectory('data'), s3: readS3Url(s3.url) as S3Config });
    const [source, target] = [await filledDatabase(), await database()];
    const [files, options] = [await inS3(), to(source.adminUrl)];
    const content = randomBytes(100_000);
    const name = await storeFile(source.adminUrl, files, content);
    await backUp({ ...options, files });
    await files.store.delete(name);
    const back = to(target.adminUrl, { directory: options.directory, files: await inS3() });
    await restore(back);
    expect(await readStored(files, name)).toEqual(content);
  });

  it('names files that are missing or changed in the store, and includes the rest', async () => {
    const source = await filledDatabase();
    const [files, options] = [diskFiles(), to(source.adminUrl)];
    const [whole, lost, damaged] = await Promise.all(
      [1, 2, 3].map((size) => storeFile(source.adminUrl, files, randomBytes(size * 1000))),
    );
    await files.store.delete(lost!);
    fs.truncateSync(join(files.folder, damaged!), 10);
    expect(await backUp({ ...options, files })).toMatchObject({ files: 1, missing_files: 2 });
    const manifest = JSON.parse(fs.readFileSync(join(options.directory, 'manifest.json'), 'utf8'));
    expect(manifest.missing.toSorted()).toEqual([lost, damaged].toSorted());
    expect(manifest.files.map(({ path }: { path: string }) => path)).toEqual([whole]);
    const target = await database();
    await restore(to(target.adminUrl, { directory: options.directory }));
  });

  it('restores no file whose bytes have changed in the backup', async () => {
    const [source, target] = [await filledDatabase(), await database()];
    const [files, options] = [diskFiles(), to(source.adminUrl)];
    const name = await storeFile(source.adminUrl, files, randomBytes(1000));
    await backUp({ ...options, files });
    fs.writeFileSync(join(options.directory, 'files', name), randomBytes(1000));
    const back = to(target.adminUrl, { directory: options.directory });
    expect(await refusal(restore(back))).toMatch(/is damaged/);
    expect(await readStored(back.files, name)).toBeNull();
  });

  it('removes files from the store again when the restore fails', async () => {
    const [source, target] = [await filledDatabase(), await database()];
    const [files, options] = [diskFiles(), to(source.adminUrl)];
    const name = await storeFile(source.adminUrl, files, randomBytes(1000));
    await backUp({ ...options, files });
    await ask(target.adminUrl, `alter table vehicles add constraint never check (km < 0)`);
    const back = to(target.adminUrl, { directory: options.directory });
    expect(await refusal(restore(back))).toMatch(/never/);
    expect(await readStored(back.files, name)).toBeNull();
  });

  it('works for a role that is not a superuser', async () => {
    const role = `t_${randomBytes(6).toString('hex')}`;
    await ask(inject('adminUrl'), `create role ${role} login createrole password 'plain'`);
    ends.push(() => ask(inject('adminUrl'), `drop role ${role}`));
    const url = new URL(await bareDatabase(inject('adminUrl'), role));
    url.username = role;
    url.password = 'plain';
    const options = to((await filled()).adminUrl);
    await backUp(options);
    await restore(to(url.href, { directory: options.directory }));
    expect(await hashes(url.href)).toEqual(await hashes((await filled()).adminUrl));
    expect((await backUp(to(url.href))).rows).toBeGreaterThan(2500);
  });
});

describe('a backup is refused', () => {
  it('into a directory that is not empty', async () => {
    const options = to((await filled()).adminUrl);
    fs.mkdirSync(options.directory);
    await backUp(options);
    expect(await refusal(backUp(options))).toMatch(/is not empty/);
    const file = join(base, 'a-file');
    fs.writeFileSync(file, '');
    expect(await refusal(backUp({ ...options, directory: file }))).toMatch(/is not a directory/);
  });

  it('through a role that would not see every row', async () => {
    const { urls } = await filled();
    expect(await refusal(backUp(to(urls.platformUrl)))).toMatch(/may not see every row of/);
  });

  it('and leaves nothing when it fails', async () => {
    const options = to((await filled()).adminUrl);
    const failed = await refusal(
      backUp({
        ...options,
        progress: () => {
          throw new Error('stopped half way');
        },
      }),
    );
    expect(failed).toBe('stopped half way');
    expect(fs.readdirSync(base).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(fs.existsSync(options.directory)).toBe(false);
  });
});

describe('the commands', () => {
  it('print one JSON value, name the location of the secret, and refuse in one line', async () => {
    const [source, target] = [await filled(), await database()];
    const directory = newDirectory();
    const [stdout, stderr] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const outputOf = (stream: typeof stdout) => stream.mock.calls.map(([text]) => `${text}`).join('');
    for (const stream of [stdout, stderr]) stream.mockImplementation(() => true);
    vi.stubEnv('DATA_DIR', newDirectory('data'));
    try {
      vi.stubEnv('DATABASE_URL', source.adminUrl);
      expect(await refusal(backupCommand.run([directory]))).toMatch(/the secret is missing/);
      vi.stubEnv('GALERI_SECRET', TEST_SECRET);
      await backupCommand.run([directory, '--json']);
      expect(JSON.parse(outputOf(stdout))).toMatchObject({ directory, tables: expect.any(Number), bytes: expect.any(Number) });
      expect(outputOf(stderr)).toMatch(/SECRET IS NOT IN THE BACKUP.*GALERI_SECRET/);
      const kept = fs.readFileSync(join(directory, 'manifest.json'), 'utf8');
      expect(kept).not.toContain(TEST_SECRET);
      expect(kept).toContain(createHmac('sha256', TEST_SECRET).update('galeri backup fingerprint').digest('hex'));

      vi.stubEnv('DATABASE_URL', target.adminUrl);
      await restoreCommand.run([directory]);
      expect(outputOf(stdout)).toMatch(/Restored \d+ rows of \d+ tables/);
      expect(outputOf(stderr)).toMatch(/1 expired lines of the request log/);
      expect(await hashes(target.adminUrl)).toEqual(await hashes(source.adminUrl));
      expect(await refusal(restoreCommand.run([directory]))).toMatch(/already holds data/);
      expect(await refusal(backupCommand.run([]))).toMatch(/an argument is missing/);
    } finally {
      vi.unstubAllEnvs();
      for (const stream of [stdout, stderr]) stream.mockRestore();
    }
  });
});
