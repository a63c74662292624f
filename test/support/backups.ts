// Shared by the tests of backup and restore: a deployment with a row in every table, and hashes for comparison.
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, inject } from 'vitest';
import { openDiskStore } from '../../src/domain/files/disk-store.ts';
import type { Files } from '../../src/domain/files/file-store.ts';
import { createKey } from '../../src/domain/keys/keys.ts';
import type { BackupOptions } from '../../src/postgres/backup.ts';
import { openSession } from '../../src/postgres/database.ts';
import { TEMPORARY } from './data-dir.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from './database.ts';

export const base = fs.mkdtempSync(join(TEMPORARY, 'galeri-backup-'));
/** Undone in reverse order at the end of the test file. */
export const ends: (() => Promise<unknown>)[] = [async () => fs.rmSync(base, { recursive: true })];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

export const newDirectory = (name = 'backup') => join(base, `${name}-${randomBytes(4).toString('hex')}`);

/** A separate empty folder for files. */
export function diskFiles(): Files & { folder: string } {
  const folder = newDirectory('files');
  return { store: openDiskStore(folder), incoming: join(folder, 'incoming'), folder };
}

export const to = (adminUrl: string, more: Partial<BackupOptions> = {}): BackupOptions => ({
  adminUrl,
  directory: newDirectory(),
  files: diskFiles(),
  secret: TEST_SECRET,
  ...more,
});

export async function ask<T = Record<string, string>>(url: string, sql: string): Promise<T[]> {
  const session = await openSession(url);
  return session.rows<T>(sql).finally(() => session.close());
}

export async function database(): Promise<TestDatabase> {
  const made = await testDatabase();
  ends.push(() => made.close());
  return made;
}

/** An empty database, without even our tables. */
export async function bareDatabase(serverUrl = inject('adminUrl'), owner = 'default'): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await ask(serverUrl, `create database ${name} owner ${owner}`);
  ends.push(() => ask(serverUrl, `drop database ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** One hash per table over its rows; for the request log, over the days that are kept. */
export async function hashes(url: string): Promise<Record<string, string>> {
  const session = await openSession(url);
  try {
    await session.rows(`set timezone = 'UTC'`);
    const tables = await session.rows<{ name: string }>(`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'`);
    const found: Record<string, string> = {};
    for (const { name } of tables) {
      const kept = name === 'request_logs' ? `where at > now() - interval '31 days'` : '';
      const [row] = await session.rows<{ hash: string }>(`select count(*) || ' ' ||
        coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from "${name.replaceAll('"', '""')}" t ${kept}`);
      found[name] = row!.hash;
    }
    return found;
  } finally {
    await session.close();
  }
}

export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it worked',
    (error: Error) => error.message,
  );

export const ACCOUNT = '0199c5f2-0000-7000-8000-000000000001';
export const [BRANCH, PERSON, KEY] = ['2', '3', '4'].map((digit) => ACCOUNT.replace(/1$/, digit)) as [string, string, string];

const EVERY_TABLE = `
  insert into deployment default values;
  insert into accounts (id, name, city, country, default_currency, timezone, rate_source)
    values ('${ACCOUNT}', 'Işık Oto "Şube" Ğ', 'Lefkoşa', 'KKTC', 'STG', 'Asia/Nicosia', 'KKTCMB');
  insert into data_sets (id, account_id, kind, version) values ('${ACCOUNT}', '${ACCOUNT}', 'production', 41);
  insert into branches (account_id, id, name, is_main) values ('${ACCOUNT}', '${BRANCH}', 'Merkez', true);
  insert into people (id, email, full_name, password_hash) values ('${PERSON}', 'a@example.com', 'Çağrı Öztürk', 'x');
  insert into members (account_id, id, person_id, full_name, role, branch_id)
    values ('${ACCOUNT}', '${PERSON}', '${PERSON}', 'Çağrı Öztürk', 'owner', '${BRANCH}');
  insert into releases (endpoint, status, changed_at) values ('GET vehicles', 'Yakında', '2026-01-01 00:00:00.000001Z');
  insert into audit_log (id, actor_type, actor, action, target, before, after)
    values (gen_random_uuid(), 'cli', 'ş', 'a', 'b', null, '{"ı": [1, null, "\\n"]}');
  insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city, price_minor,
      currency, stock_date, branch_id)
    select '${ACCOUNT}', gen_random_uuid(), 'Tofaş', E'Şahin\\n' || n, 1990, n, 'LPG', 'Manuel', 'Sedan', 'Beyaz', 'AB ' || n, 'Girne', n,
      'TL', '2026-01-31', '${BRANCH}' from generate_series(1, 2500) n;
  insert into customers (account_id, id, first_name, last_name, phone, id_no_encrypted, id_no_index)
    values ('${ACCOUNT}', gen_random_uuid(), 'İsmail', 'Ağa', '+905551112233', '\\x00010203ff', '\\xfe');
  select keep_request_log((now() at time zone 'UTC')::date - 40, 1000, 47);
  insert into request_logs (account_id, key_id, at, request_id, method, path, status, duration_ms, response_bytes)
    select '${ACCOUNT}', '${KEY}', now() - make_interval(days => d, secs => 0.000001), 'r' || d, 'GET', '/', 200, 0.1 + d, 1
    from unnest(array[0, 1, 20, 40]) d;
  insert into usage_calls values ('${ACCOUNT}', '${KEY}', now(), '', '', 9007199254740993);
  insert into usage_latency values ('${ACCOUNT}', '${KEY}', now(), 3, 1);
  insert into usage_secrets values ('${ACCOUNT}', '${KEY}', '${KEY}', 1, now())`;

export async function filledDatabase(): Promise<TestDatabase & { key: string }> {
  const made = await database();
  await ask(made.adminUrl, EVERY_TABLE);
  const { secret } = await made.database.onPlatform('write', (db) =>
    createKey(
      db,
      made.secrets.pepper,
      {
        accountId: ACCOUNT,
        name: 'Anahtar',
        environment: 'production',
        endpoints: ['GET vehicles'],
        expiresAt: null,
        limitPerMinute: 60,
        limitPerHour: null,
        limitPerDay: null,
        allowedIps: [],
        authorizations: ['live_auction_bid'],
      },
      { type: 'cli', name: 'test' },
    ),
  );
  return { ...made, key: secret };
}

let shared: Promise<TestDatabase & { key: string }> | undefined;

/** One for the whole test file: a backup only reads it. */
export function filled(): Promise<TestDatabase & { key: string }> {
  shared ??= filledDatabase();
  return shared;
}

/** In the store and in the table, as a write leaves one. */
export async function storeFile(adminUrl: string, files: Files, content: Buffer, state = 'kept'): Promise<string> {
  const random = randomBytes(16).toString('hex');
  const name = `${random.slice(0, 2)}/${random.slice(2)}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const path = join(base, random);
  fs.writeFileSync(path, content);
  await files.store.put(name, path, { contentType: 'image/webp', sizeBytes: content.length, sha256 });
  fs.rmSync(path, { force: true });
  await ask(
    adminUrl,
    `insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
      values ('${ACCOUNT}', gen_random_uuid(), '${name}', 'image/webp', ${content.length}, '\\x${sha256}', '${state}', now(), now())`,
  );
  return name;
}

export async function readStored(files: Files, name: string): Promise<Buffer | null> {
  const found = await files.store.get(name);
  return found === null ? null : buffer(found.stream);
}
