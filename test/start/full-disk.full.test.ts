// The disk of a running service fills up: writes that cannot be stored are refused, no acknowledged write is lost, and freeing
// space is enough to recover.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../../src/postgres/database.ts';
import { copyDataDir, newDataDir } from '../support/data-dir.ts';
import { aJpeg, fileParts, sendForm } from '../support/pictures.ts';
import { aCar } from '../support/writer.ts';
import { preparedDataDir } from './prepared.ts';
import { eventually, galeri, removeDataDir, type Started, start, stop } from './process.ts';

const made: string[] = [];
let service: Started | undefined;
afterAll(async () => {
  if (service) await stop(service);
  for (const folder of made) {
    spawnSync('umount', [join(folder, 'disk')], { stdio: 'ignore' });
    await removeDataDir(folder);
  }
});

test('a full disk: 503 until there is room, and every acknowledged write exists', async ({ skip }) => {
  if (process.geteuid?.() !== 0 || process.platform !== 'linux') skip('needs root on Linux to mount a small disk');
  const folder = await newDataDir('full-disk');
  const disk = join(folder, 'disk');
  made.push(folder);
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=0755', 'full-disk', disk]).status !== 0)
    skip('mount is not permitted here');
  const prepared = await preparedDataDir('migrated', 'roomy');
  made.push(prepared);
  const DATA_DIR = join(disk, 'data');
  mkdirSync(DATA_DIR, { mode: 0o711 });
  copyDataDir(prepared, DATA_DIR);
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await galeri([...args, '--json'], { DATA_DIR });
    if (code !== 0) throw new Error(`galeri ${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { id: account } = await cli('account', 'create', '--name', 'Dolu Oto');
  const { key } = await cli('key', 'create', '--account', account, '--name', 'k', '--template', 'full', '--per-minute', '6000');
  service = await start(['bin/galeri', 'serve', '--no-demo', '--live', 'all'], { DATA_DIR });
  const { api } = service.ready;

  const acknowledged: string[] = [];
  const add = async (): Promise<number> => {
    const plate = `AB ${acknowledged.length} ${randomUUID().slice(0, 8)}`.toUpperCase();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${api}vehicles`, { method: 'POST', headers, body: JSON.stringify(aCar({ plate })) });
    const reply = (await response.json()) as { success: boolean; data?: { id: string }; meta: { request_id: string } };
    expect(reply.meta.request_id).toMatch(/^req_/);
    if (response.status === 201) acknowledged.push(reply.data!.id);
    return response.status;
  };
  const many = (count: number) => Promise.all(Array.from({ length: count }, add));
  const ready = async () => (await fetch(new URL('/readyz', api))).status;
  const list = async () => (await fetch(`${api}vehicles?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status;
  const password = readFileSync(join(DATA_DIR, 'postgres.password'), 'utf8').trim();
  const socket = encodeURIComponent(join(DATA_DIR, 'postgres/socket'));
  const sql = async (text: string) => {
    const admin = await openSession(`postgres://galeri_admin:${password}@${socket}/galeri`);
    return admin.rows(text).finally(() => admin.close().catch(() => {}));
  };
  const sendPhoto = async () =>
    (await sendForm({ url: new URL(api).origin, key }, `vehicles/${acknowledged[0]}/photos`, fileParts(await aJpeg(900, 700))))
      .status;

  expect(new Set(await many(10))).toEqual(new Set([201]));
  fill(join(disk, 'junk'));
  // Existing pages may still accept a few.
  const whileFull: number[] = [];
  for (let round = 0; round < 20; round += 1) whileFull.push(...(await many(5)));
  expect(new Set(whileFull.filter((status) => status !== 201))).toEqual(new Set([503]));
  expect(service.output()).toContain('No space left on device');
  expect(await sendPhoto()).toBe(503);
  expect([await list(), await ready()]).toEqual([200, 200]);

  // A failed checkpoint makes PostgreSQL restart: during that, and while it accepts no connection, reads wait too.
  await expect(sql('checkpoint')).rejects.toThrow();
  for (const status of await many(20)) expect([201, 503]).toContain(status);

  rmSync(join(disk, 'junk'));
  await eventually(async () => (await add()) === 201 && (await list()) === 200 && (await ready()) === 200);
  expect(await sendPhoto()).toBe(201);
  expect(new Set(await many(10))).toEqual(new Set([201]));
  // And no refused write exists.
  const stored = (await sql('select id from vehicles')).map(({ id }) => id);
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  expect(await stop(service)).toBe(0);
  service = undefined;
  execFileSync('umount', [disk]);
});

/** To the last byte. */
function fill(file: string): void {
  const into = openSync(file, 'w');
  const sizes = [1_000_000, 4096, 512];
  for (const size of sizes) {
    const bytes = Buffer.alloc(size);
    try {
      for (;;) writeSync(into, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(into);
}
