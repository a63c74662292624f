// Photos through the API with files in an S3-compatible store: the same as on a disk, also when the store is unavailable.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sweepFiles } from '../../../src/jobs/sweep-files.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { openS3, type S3Server } from '../../support/s3.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let s3: S3Server;
let api: TestService;
let admin: Session;
let dealer: Dealer;
let picture: Buffer;
beforeAll(async () => {
  s3 = await openS3();
  api = await testService({ env: { S3_URL: s3.url } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api);
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();
});
afterEach(() => {
  s3.treat('refused', 0);
});
afterAll(async () => {
  await admin.close();
  await api.close();
  await s3.close();
});

async function upload(vehicle: string, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.set('file', new Blob([picture]), 'IMG_0001.JPG');
  const response = await fetch(`${api.service.url}/api/v1/vehicles/${vehicle}/photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dealer.key}`, ...headers },
    body: form,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  return { status: response.status, json: (await response.json()) as any };
}

const states = () =>
  admin.rows<{ state: string; name: string; sha256: string }>(`select state, name, encode(sha256, 'hex') as sha256
  from stored_files where account_id = '${dealer.accountId}' order by state, name`);
const download = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
/** Makes every file that is not kept due at once. */
const sweepAll = () =>
  sweepFiles(api.database, api.service.parts.files, new Date(Date.now() + 1000), { pendingMs: 0, goneMs: 0, uploadMs: 0 });

test('a photo is stored there, served by our own link, and deleted with its record', async () => {
  const vehicle = await api.vehicle(dealer.accountId);
  const { status, json } = await upload(vehicle);
  expect(status).toBe(201);
  expect(new URL(json.data.url).origin).toBe(api.service.url);
  const got = await download(json.data.url);
  expect([got.status, got.headers.get('content-type'), got.bytes.length]).toEqual([200, 'image/jpeg', json.data.size_bytes]);
  expect(got.headers.get('content-disposition')).toMatch(/^attachment/);
  const kept = await states();
  expect(kept.map(({ state }) => state)).toEqual(['kept', 'kept']);
  expect(kept.map(({ sha256 }) => sha256)).toContain(createHash('sha256').update(got.bytes).digest('hex'));
  // Nothing is stored on this machine.
  for (const { name } of kept) expect(existsSync(join(api.filesDir, name))).toBe(false);
  expect(readdirSync(join(api.filesDir, 'incoming'))).toEqual([]);
  expect((await dealer.delete(`vehicles/${vehicle}/photos/${json.data.id}`)).status).toBe(200);
  expect((await download(json.data.url)).status).toBe(404);
  expect(await sweepAll()).toBe(2);
  for (const { name } of kept) expect(await api.service.parts.files.store.get(name)).toBeNull();
  expect(await states()).toEqual([]);
});

test.each(['refused', 400] as const)(
  'returns 503 when the store is unavailable (%s): nothing is added, and the same key works later',
  async (fate) => {
    const vehicle = await api.vehicle(dealer.accountId);
    const headers = { 'idempotency-key': `s3-${fate}` };
    s3.treat(fate, 1000);
    const away = await upload(vehicle, headers);
    expect([away.status, away.json.error.code]).toEqual([503, 'service_unavailable']);
    expect(JSON.stringify(away.json)).not.toMatch(/S3|127\.0\.0\.1|store/);
    s3.treat('refused', 0);
    expect((await dealer.get(`vehicles/${vehicle}/photos`)).json.data).toEqual([]);
    // The sweep deletes once more what the store may finish writing later.
    expect((await states()).map(({ state }) => state)).toEqual(['gone', 'gone']);
    const later = await upload(vehicle, headers);
    expect(later.status).toBe(201);
    expect((await download(later.json.data.url)).status).toBe(200);
    await sweepAll();
    expect((await states()).map(({ state }) => state)).toEqual(['kept', 'kept']);
    s3.treat(fate, 1000);
    const unread = await download(later.json.data.url);
    expect([unread.status, JSON.parse(unread.bytes.toString()).error.code]).toEqual([503, 'service_unavailable']);
    s3.treat('refused', 0);
    await dealer.delete(`vehicles/${vehicle}/photos/${later.json.data.id}`);
    await sweepAll();
  },
);
