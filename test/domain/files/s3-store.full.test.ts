// The S3 store, against a real server.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, SettingError } from '../../../src/config.ts';
import { openFiles } from '../../../src/domain/files/open-files.ts';
import { readS3Url, type S3Config } from '../../../src/domain/files/s3-config.ts';
import { createS3Store } from '../../../src/domain/files/s3-store.ts';
import { isUnavailable, Unavailable } from '../../../src/kit/db.ts';
import { openS3, type S3Server } from '../../support/s3.ts';

let s3: S3Server;
const folder = mkdtempSync(join(tmpdir(), 'galeri-s3-test-'));
beforeAll(async () => {
  s3 = await openS3();
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  s3.treat('refused', 0);
});

const configOf = (url: string): S3Config => readS3Url(url) as S3Config;
/** Short enough to fail in a test. */
const TIMING = { idleMs: 500, totalMs: 3000, backoffMs: 10 };
const storeAt = (url = s3.url) => createS3Store(configOf(url), TIMING);

function newObject(size: number) {
  const content = randomBytes(size);
  const random = randomBytes(16).toString('hex');
  const path = join(folder, random);
  writeFileSync(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    name: `${random.slice(0, 2)}/${random.slice(2)}`,
    path,
    content,
    meta: { contentType: 'image/webp', sizeBytes: size, sha256 },
  };
}

async function read(store: ReturnType<typeof storeAt>, name: string): Promise<Buffer | null> {
  const found = await store.get(name);
  if (found === null) return null;
  const content = await buffer(found.stream);
  expect(content.length).toBe(found.sizeBytes);
  return content;
}

test.each([1, 70_000, 6_000_000])('%i bytes are stored, read back the same, and deleted', async (size) => {
  const store = storeAt();
  const { name, path, content, meta } = newObject(size);
  expect(await store.get(name)).toBeNull();
  await store.put(name, path, meta);
  expect(await read(store, name)).toEqual(content);
  // Repeating it has the same result: a write that was tried twice.
  await store.put(name, path, meta);
  expect(await read(store, name)).toEqual(content);
  await store.delete(name);
  expect(await store.get(name)).toBeNull();
  await store.delete(name);
});

test('a file is sent with its length, its type and the checksum that the store verifies', async () => {
  let got: IncomingHttpHeaders = {};
  const { store, close } = await stub(
    () => ({ status: 200 }),
    (headers) => {
      got = headers;
    },
  );
  const { name, path, meta } = newObject(1234);
  await store.put(name, path, meta);
  expect(got).toMatchObject({ 'content-length': '1234', 'content-type': 'image/webp', 'x-amz-content-sha256': meta.sha256 });
  expect(got['transfer-encoding']).toBeUndefined();
  await close();
});

describe('a connection that breaks', () => {
  test.each(['refused', 300, 500_000] as const)('once (%s) is retried, and the file is complete', async (fate) => {
    const store = storeAt();
    const { name, path, content, meta } = newObject(2_000_000);
    s3.treat(fate, 1);
    await store.put(name, path, meta);
    expect(await read(store, name)).toEqual(content);
  });

  test.each(['refused', 300, 500_000] as const)('every time (%s) is an unavailable store; later it works', async (fate) => {
    const store = storeAt();
    const { name, path, content, meta } = newObject(2_000_000);
    s3.treat(fate, 1000);
    s3.connections = 0;
    await expect(store.put(name, path, meta)).rejects.toBeInstanceOf(Unavailable);
    expect(s3.connections).toBe(3);
    s3.treat('refused', 0);
    await store.put(name, path, meta);
    expect(await read(store, name)).toEqual(content);
  });

  test('while a file is read ends the reading: a partial file is not taken as complete', async () => {
    const cut = createServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x'.repeat(400), () => response.destroy());
    });
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve));
    const store = storeAt(`http://K:S@127.0.0.1:${(cut.address() as AddressInfo).port}/bucket`);
    const found = await store.get('ab/cd');
    expect(found!.sizeBytes).toBe(1000);
    await expect(buffer(found!.stream)).rejects.toThrow();
    await new Promise((resolve) => cut.close(resolve));
  });
});

/** Answers as configured; counts the requests. */
async function stub(
  answer: (calls: number) => { status: number; body?: string } | 'silence',
  see: (headers: IncomingHttpHeaders) => void = () => {},
) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    const reply = answer(calls);
    see(request.headers);
    request.resume();
    if (reply !== 'silence') response.writeHead(reply.status).end(reply.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = storeAt(`http://K:S@127.0.0.1:${(server.address() as AddressInfo).port}/bucket`);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { store, asked: () => calls, close };
}

test.each([
  ['500, 503, then fine', (calls: number) => ({ status: [500, 503, 204][calls - 1]! }), 3, true],
  ['429, then fine', (calls: number) => ({ status: [429, 204][calls - 1]! }), 2, true],
  ['500 always', () => ({ status: 500 }), 3, false],
  ['403', () => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }), 1, false],
  ['silence', () => 'silence' as const, 3, false],
])('a store that answers %s', async (_, answer, tries, works) => {
  const { store, asked, close } = await stub(answer);
  const failure = await store.delete('ab/cd').then(
    () => null,
    (error) => error,
  );
  expect([failure === null, asked()]).toEqual([works, tries]);
  if (failure !== null) expect(isUnavailable(failure)).toBe(true);
  await close();
});

describe('at start', () => {
  const opened = (url: string) => openFiles({ dataDir: join(folder, 'data'), s3: configOf(url) });

  test('the store is probed, and the probe leaves nothing', async () => {
    const { incoming } = await opened(s3.url);
    expect(readdirSync(incoming)).toEqual([]);
  });

  test.each([
    ['a wrong secret', (url: string) => url.replace('S3RVER:S3RVER', 'S3RVER:WRONGSECRET'), /403 SignatureDoesNotMatch/],
    ['a wrong key', (url: string) => url.replace('S3RVER:S3RVER', 'NOBODY:WRONGSECRET'), /403 InvalidAccessKeyId/],
    ['a missing bucket', (url: string) => url.replace('galeri-test', 'no-such-bucket'), /404 NoSuchBucket/],
    ['no server', () => 'http://K:WRONGSECRET@127.0.0.1:1/bucket', /ECONNREFUSED/],
  ])('%s is reported in one line, without the secret', async (_, change, expected) => {
    const { message } = await opened(change(s3.url)).then(
      () => new Error('it worked'),
      (error: Error) => error,
    );
    expect(message).toMatch(expected);
    expect(message).toMatch(/^S3_URL: [^\n]+$/);
    expect(message).not.toContain('WRONGSECRET');
  });
});

describe('S3_URL', () => {
  test('is parsed with its folders, its region and percent-encoding', () => {
    expect(
      readConfig({ S3_URL: 'https://AK%2FIA:se%2Fcr%2Bet%40@s3.example.com:9000/my-bucket/a/b?region=eu-central-1' }).s3,
    ).toEqual({
      origin: 'https://s3.example.com:9000',
      bucket: 'my-bucket',
      prefix: 'a/b/',
      region: 'eu-central-1',
      accessKey: 'AK/IA',
      secretKey: 'se/cr+et@',
    });
    expect(readConfig({ S3_URL: 'https://K:S@s3.example.com/my-bucket' }).s3).toMatchObject({ prefix: '', region: 'us-east-1' });
    expect(readConfig({}).s3).toBeNull();
  });

  test.each([
    's3://K:TOPSECRET@host/bucket',
    'host/bucket',
    'https://host/bucket',
    'https://K@host/bucket',
    'https://:TOPSECRET@host/bucket',
    'https://K:TOPSECRET@host',
    'https://K:TOPSECRET@host/',
    'https://K:TOPSECRET@host/B',
    'https://K:TOPSECRET@host/Bucket_Name',
    'https://K:TOPSECRET@host/bucket/a b',
    'https://K:TOPSECRET@host/bucket/%2e%2e',
    'https://K:TOPSECRET@host/bucket?regio=x',
    'https://K:TOPSECRET@host/bucket?region=',
    'https://K:TOPSECRET@host/bucket#x',
    'https://K%zz:TOPSECRET@host/bucket',
    'https://K:TOP/SECRET@host/bucket',
  ])('%s is refused in one line that does not repeat it', (S3_URL) => {
    const refusal = (() => {
      try {
        return readConfig({ S3_URL });
      } catch (error) {
        return error as Error;
      }
    })();
    expect(refusal).toBeInstanceOf(SettingError);
    expect((refusal as Error).message).toMatch(/^S3_URL must be like [^\n]+$/);
    expect((refusal as Error).message).not.toMatch(/TOPSECRET|TOP|bucket\//);
  });
});
