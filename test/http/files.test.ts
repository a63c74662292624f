// Signed links: what opens them, what does not, and that a file is never served as a page.
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signLink } from '../../src/domain/files/file-links.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { expectRefusal, REQUEST_ID } from '../contract/expect.ts';
import { send } from '../contract/wire.ts';
import { aJpeg, download, fileParts, sendForm } from '../support/pictures.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

interface Uploaded {
  readonly path: string;
  readonly url: string;
  readonly thumbnail_url: string;
  readonly expires_at: string;
  readonly size_bytes: number;
}

async function upload(whose = dealer, bytes?: Buffer): Promise<Uploaded> {
  const path = `vehicles/${await api.vehicle(whose.accountId)}/photos`;
  const answer = await sendForm({ url: api.service.url, key: whose.key }, path, fileParts(bytes ?? (await aJpeg(800, 600))));
  expect(answer.status, answer.text).toBe(201);
  return { ...answer.json.data, path: `${path}/${answer.json.data.id}` };
}

const tokenOf = (url: string): string => new URL(url).pathname.slice('/files/'.length);
const ask = (token: string, method = 'GET'): Promise<Answer> => send(api.service.url, { method, target: `/files/${token}` });
const fileOf = (url: string): string => {
  const id = Buffer.from(tokenOf(url), 'base64url').toString('hex', 16, 32);
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
const recordOf = (whose: Dealer, id: string) =>
  api.database.inTenant(whose.accountId, 'read', (db) =>
    db.one<{ name: string; sha256: Buffer }>(sql`select name, sha256 from ${own('stored_files')} where id = ${id}`),
  );

test('a link returns the complete file as a download, without a key, cacheable only by the reader', async () => {
  const photo = await upload();
  expect(photo.url).toMatch(new RegExp(`^${api.service.url}/files/[\\w-]{70}$`));
  for (const url of [photo.url, photo.thumbnail_url]) {
    const { response, bytes } = await download(url);
    const { sha256 } = await recordOf(dealer, fileOf(url));
    expect(response.status).toBe(200);
    expect(createHash('sha256').update(bytes).digest()).toEqual(sha256);
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f-]{36}\.jpg"$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(response.headers.get('x-request-id')).toMatch(REQUEST_ID);
    const [, seconds] = /^private, max-age=(\d+)$/.exec(response.headers.get('cache-control')!)!;
    expect(Number(seconds)).toBeLessThanOrEqual(900);
    expect(response.headers.get('set-cookie')).toBeNull();
  }
  expect((await download(photo.url)).bytes.length).toBe(photo.size_bytes);
  const head = await ask(tokenOf(photo.url), 'HEAD');
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(photo.size_bytes)]);
});

test('every read returns a new link, valid for a quarter of an hour', async () => {
  const { path } = await upload();
  const before = Date.now();
  const { data } = (await dealer.get(path)).json;
  expect(Date.parse(data.expires_at) - before).toBeGreaterThan(898_000);
  expect(Date.parse(data.expires_at) - before).toBeLessThan(905_000);
});

describe('no other token opens anything', () => {
  test('a token that differs from ours in one bit', async () => {
    const { url } = await upload();
    const token = tokenOf(url);
    const bytes = Buffer.from(token, 'base64url');
    const flipped = Array.from(bytes, (byte, at) => bytes.with(at, byte ^ 1)).map((other) =>
      Buffer.from(other).toString('base64url'),
    );
    // The last letter has unused bits: another letter may encode the same bytes.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const respelt = [...letters].map((letter) => token.slice(0, -1) + letter).filter((other) => other !== token);
    const shapes = [
      '',
      'x',
      token.slice(1),
      `${token}A`,
      `${token}=`,
      `${token}/`,
      `/${token}`,
      `../files/${token}`,
      `${token}%00`,
    ];
    const stories = [
      '..%2f..%2fetc%2fpasswd',
      'a'.repeat(70),
      `${token}.${token}`,
      encodeURIComponent('🚗'),
      token.toLowerCase(),
    ];
    for (const other of [...flipped, ...respelt, ...shapes, ...stories]) expectRefusal(await ask(other), 'not_found');
    expect((await ask(token)).status).toBe(200);
    expect((await ask(`${token}?download=1`)).status).toBe(200);
  });

  test('a token signed with another secret, or with an address of another length', async () => {
    const { url } = await upload();
    const forged = signLink(Buffer.alloc(32, 1), api.service.url, dealer.accountId, fileOf(url), new Date());
    expectRefusal(await ask(tokenOf(forged.url)), 'not_found');
    expectRefusal(await send(api.service.url, { target: '/files' }), 'not_found');
    expectRefusal(await send(api.service.url, { target: '/filesystem' }), 'not_found');
  });

  test("a token for another dealer's file, even one that we signed ourselves", async () => {
    const stranger = await newDealer(api);
    const { url } = await upload();
    const crossed = signLink(api.secrets.files, api.service.url, stranger.accountId, fileOf(url), new Date());
    expectRefusal(await ask(tokenOf(crossed.url)), 'not_found');
    const unknown = signLink(api.secrets.files, api.service.url, newId(), fileOf(url), new Date());
    expectRefusal(await ask(tokenOf(unknown.url)), 'not_found');
    const nothing = signLink(api.secrets.files, api.service.url, dealer.accountId, newId(), new Date());
    expectRefusal(await ask(tokenOf(nothing.url)), 'not_found');
  });

  test('a token after its expiry', async () => {
    const { url, path } = await upload();
    const token = tokenOf(url);
    api.clock.advance(890_000);
    expect((await ask(token)).status).toBe(200);
    api.clock.advance(20_000);
    try {
      expectRefusal(await ask(token), 'link_expired');
      // Reading the record again gives one that opens.
      const { data } = (await dealer.get(path)).json;
      expect((await ask(tokenOf(data.url))).status).toBe(200);
    } finally {
      api.clock.advance(-910_000);
    }
  });

  test('a token once its photo is deleted, or while its write is not committed', async () => {
    const { url, thumbnail_url, path } = await upload();
    await dealer.delete(path);
    for (const link of [url, thumbnail_url]) expectRefusal(await ask(tokenOf(link)), 'not_found');
    const pending = newId();
    await api.database.inTenant(dealer.accountId, 'write', (db) =>
      db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, created_at, state_at)
        values (${dealer.accountId}, ${pending}, ${`ab/${'0'.repeat(30)}`}, 'image/jpeg', 1, ${Buffer.alloc(32)}, now(), now())`),
    );
    const early = signLink(api.secrets.files, api.service.url, dealer.accountId, pending, new Date());
    expectRefusal(await ask(tokenOf(early.url)), 'not_found');
  });
});

test('only reading is allowed', async () => {
  const { url } = await upload();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await ask(tokenOf(url), method);
    expectRefusal(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
});

test('a file that is missing in the store returns 404, and an unreadable one is not a page either', async () => {
  const { url } = await upload();
  const { name } = await recordOf(dealer, fileOf(url));
  await rm(`${api.filesDir}/${name}`);
  const answer = await ask(tokenOf(url));
  expectRefusal(answer, 'not_found');
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});

describe('no upload is served as a page', () => {
  const HTML = '<!doctype html><script>alert(1)</script>';

  test('html with a picture’s name is refused', async () => {
    const path = `vehicles/${await api.vehicle(dealer.accountId)}/photos`;
    for (const bytes of [
      HTML,
      `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`,
      `GIF89a${HTML}`,
    ])
      expectRefusal(
        await sendForm({ url: api.service.url, key: dealer.key }, path, fileParts(Buffer.from(bytes))),
        'unsupported_media_type',
      );
  });

  test('html after a picture is not in the re-encoded file', async () => {
    const { url, thumbnail_url } = await upload(dealer, Buffer.concat([await aJpeg(), Buffer.from(HTML)]));
    for (const link of [url, thumbnail_url]) {
      const { response, bytes } = await download(link);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(bytes.includes('script')).toBe(false);
    }
  });

  test('even from the disk: its type is the one in our record', async () => {
    const { url } = await upload();
    const { name } = await recordOf(dealer, fileOf(url));
    await writeFile(`${api.filesDir}/${name}`, HTML);
    const { response } = await download(url);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
