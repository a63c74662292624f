// Below routing: how the server handles invalid requests, and what it serves beside the API.
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
import { expectRefusal, expectSuccess, REQUEST_ID } from '../contract/expect.ts';
import { type Exchange, exchange } from '../contract/raw-socket.ts';
import { send } from '../contract/wire.ts';
import { type TestService, testService } from '../support/service.ts';

let api: TestService;
let key: string;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await freePort();
  api = await testService({ env: { METRICS_PORT: String(metricsPort), FAILED_AUTH_LIMIT: '100000' } });
  const accountId = await api.account();
  await api.vehicle(accountId);
  key = (await api.key(accountId)).secret;
});
afterAll(() => api.close());

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

type Bytes = string | readonly (string | Buffer)[];

const raw = (bytes: Bytes, until: 'closed' | number = 1): Promise<Exchange> =>
  exchange(api.service.url, typeof bytes === 'string' ? [bytes] : bytes, until);

/** A valid request, to be broken by a test. */
const request = (path: string, { method = 'GET', headers = [] as string[], body = '', version = '1.1' } = {}): string =>
  [`${method} ${path} HTTP/${version}`, 'Host: x', `Authorization: Bearer ${key}`, ...headers, '', body].join('\r\n');

/** Exactly one reply, in the envelope, after which the connection is closed. */
async function expectUnreadable(bytes: Bytes, code = 'invalid_parameter'): Promise<void> {
  const { replies, rest } = await raw(bytes, 'closed');
  expect(replies.map(({ status }) => status)).toHaveLength(1);
  expectRefusal(replies[0]!, code);
  expect(replies[0]!.headers.get('connection')).toBe('close');
  expect(rest).toBe('');
}

describe('sizes', () => {
  const target = (length: number) => `/api/v1/vehicles?brand=${'a'.repeat(length - 23)}`;

  test('a target of 8192 bytes is accepted, one of 8193 returns 414', async () => {
    const read = await raw(request(target(8192)));
    expect(read.replies.map(({ json }) => json.error.code)).toEqual(['invalid_parameter']);
    const refused = await raw(request(target(8193)));
    expectRefusal(refused.replies[0]!, 'uri_too_long');
    expect(refused.replies).toHaveLength(1);
  });

  test('an endless target returns 414 as well', async () => {
    await expectUnreadable(request(target(40_000)), 'uri_too_long');
  });

  test('headers above 16 KiB return 431', async () => {
    await expectUnreadable(request('/api/v1/vehicles', { headers: [`X-Big: ${'a'.repeat(20_000)}`] }), 'headers_too_large');
    const many = Array.from({ length: 300 }, (_, index) => `X-Header-${index}: ${'a'.repeat(60)}`);
    await expectUnreadable(request('/api/v1/vehicles', { headers: many }), 'headers_too_large');
  });

  test('either of them in several packets is refused as one or the other, once', async () => {
    const start = request('/api/v1/vehicles', { headers: ['X-Big: '] }).slice(0, -4);
    const pieces = ['a'.repeat(9000), 'a'.repeat(9000)];
    for (const bytes of [
      [`GET /api/v1/vehicles?brand=`, ...pieces],
      [start, ...pieces],
    ]) {
      const { replies, rest } = await raw(bytes, 'closed');
      expect(replies).toHaveLength(1);
      expectRefusal(replies[0]!, replies[0]!.status === 414 ? 'uri_too_long' : 'headers_too_large');
      expect(rest).toBe('');
    }
  });

  test('an unexpected body is not read, and the reply still arrives', async () => {
    const big = 'a'.repeat(2_000_000);
    const headers = [`Content-Length: ${big.length}`, 'Content-Type: application/json'];
    const { replies } = await raw(request('/api/v1/vehicles', { method: 'POST', headers, body: big }), 'closed');
    expect(replies).toHaveLength(1);
    expectRefusal(replies[0]!, 'method_not_allowed');
    expect(replies[0]!.headers.get('connection')).toBe('close');
  });
});

describe('invalid bytes get one reply in the envelope, and the connection ends', () => {
  test.each([
    ['an unknown version', 'GET /api/v1/vehicles HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['one word', 'HELLO\r\n\r\n'],
    ['a method that HTTP does not know', 'BREW /api/v1/vehicles HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a relative target', 'GET api/v1/vehicles HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /api/v1/ vehicles HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a colon', 'GET /api/v1/vehicles HTTP/1.1\r\nHost x\r\n\r\n'],
    ['a header with a space before its colon', 'GET /api/v1/vehicles HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', 'GET /api/v1/vehicles HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2\r\n\r\n'],
    ['a NUL in a header', 'GET /api/v1/vehicles HTTP/1.1\r\nHost: x\0\r\n\r\n'],
    ['two different lengths', 'POST /api/v1/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length that is none', 'POST /api/v1/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\nab'],
    ['a negative length', 'POST /api/v1/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\nab'],
  ])('%s', (_, bytes) => expectUnreadable(bytes));
});

describe('a request inside a request is never answered', () => {
  const smuggled = () => request('/api/v1/account');
  const withBody = (headers: string[], body: string) => request('/api/v1/vehicles', { method: 'POST', headers, body });

  test.each([
    ['Content-Length and chunked', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunked and Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
    ['an encoding that is not chunked', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunked that is not last', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '0\r\n\r\n'],
    ['an encoding after a tab', ['Transfer-Encoding:\tchunked', 'Content-Length: 5'], '0\r\n\r\n'],
    ['a chunk size that is none', ['Transfer-Encoding: chunked'], '0x5\r\nhello\r\n0\r\n\r\n'],
    ['the same length twice', ['Content-Length: 5', 'Content-Length: 5'], 'hello'],
  ])('%s: one reply, then the end', async (_, headers, body) => {
    const { replies } = await raw(withBody(headers, body + smuggled()), 'closed');
    expect(replies).toHaveLength(1);
    expect([400, 405]).toContain(replies[0]!.status);
    expectRefusal(replies[0]!, replies[0]!.json.error.code);
  });

  test('a HEAD that is refused with its body unread is still answered', async () => {
    const bytes = 'HEAD /no-such HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n';
    const { hostname, port } = new URL(api.service.url);
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.end(bytes));
      socket.on('data', (chunk) => (received += chunk)).on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 404 [\s\S]*\r\n\r\n$/);
  });

  test.each(['POST', 'GET'])('in the body of a %s, by length or in chunks', async (method) => {
    const inner = smuggled();
    const byLength = { method, headers: [`Content-Length: ${inner.length}`], body: inner };
    const chunks = {
      method,
      headers: ['Transfer-Encoding: chunked'],
      body: `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    };
    for (const body of [byLength, chunks]) {
      // Our own request ends the connection if the first reply has not: everything before it is all there was.
      const last = request('/healthz', { headers: ['Connection: close'] });
      const { replies } = await raw(request('/api/v1/vehicles', body) + last, 'closed');
      expect(replies[0]!.status).toBe(method === 'GET' ? 200 : 405);
      const after = replies[0]!.headers.get('connection') === 'close' ? [] : [{ status: 'ok', version: VERSION }];
      expect(replies.slice(1).map(({ json }) => json)).toEqual(after);
    }
  });
});

describe('several requests on one connection', () => {
  test('sent together are answered one by one, in order', async () => {
    const paths = ['/api/v1/vehicles?limit=1', '/api/v1/no-such-path', '/healthz', '/api/v1/account', '/api/v1/vehicles?limit=0'];
    const { replies, rest } = await raw(paths.map((path) => request(path)).join(''), paths.length);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 200, 400]);
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBeGreaterThanOrEqual(4);
    expect(rest).toBe('');
  });

  test('a valid one followed by junk is answered before the junk is refused', async () => {
    const { replies } = await raw(`${request('/api/v1/vehicles?limit=1')}JUNK\r\n\r\n`, 'closed');
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  });

  test('HEAD among them has no body that could be confused with the next reply', async () => {
    const answer = await send(api.service.url, { method: 'HEAD', target: '/api/v1/vehicles', key });
    expectRefusal(answer, 'method_not_allowed', { method: 'HEAD' });
    expect((await send(api.service.url, { target: '/api/v1/account', key })).status).toBe(200);
  });
});

describe('unusual but readable requests', () => {
  test('HTTP/1.0 is answered and the connection ends', async () => {
    const { replies } = await raw(request('/api/v1/vehicles', { version: '1.0' }), 'closed');
    expect(replies).toHaveLength(1);
    expectSuccess(replies[0]!, { list: true });
  });

  test('HTTP/1.0 without any header, or a line without a version, is a missing key', async () => {
    for (const bytes of ['GET /api/v1/vehicles HTTP/1.0\r\n\r\n', 'GET /api/v1/vehicles\r\n\r\n']) {
      const { replies } = await raw(bytes, 'closed');
      expect(replies).toHaveLength(1);
      expectRefusal(replies[0]!, 'key_missing');
    }
  });

  test('without Host there is still one reply in the envelope', async () => {
    const { replies } = await raw(`GET /api/v1/account HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    expect(replies).toHaveLength(1);
    expect([200, 400]).toContain(replies[0]!.status);
    expect(replies[0]!.headers.get('x-request-id')).toMatch(REQUEST_ID);
  });

  test('two Authorization headers are a malformed key, in either order and if one is valid', async () => {
    const junk = 'Authorization: Bearer junk';
    for (const headers of [[junk], [`Authorization: Bearer ${key}`], [`AUTHORIZATION: Bearer ${key}`]]) {
      const { replies } = await raw(request('/api/v1/vehicles', { headers }));
      expectRefusal(replies[0]!, 'key_malformed');
    }
    const first = `GET /api/v1/vehicles HTTP/1.1\r\nHost: x\r\n${junk}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    expectRefusal((await raw(first)).replies[0]!, 'key_malformed');
  });

  test('an absolute target is read from its path, for any host', async () => {
    for (const base of ['http://other.example', 'https://other.example:8443', 'HTTP://other.example']) {
      const { replies } = await raw(request(`${base}/api/v1/vehicles?limit=1`));
      expect(replies).toHaveLength(1);
      expectSuccess(replies[0]!, { list: true });
      expect(replies[0]!.json.meta).toEqual({ limit: 1, offset: 0, count: 1 });
    }
    expectRefusal((await raw(request('http://other.example/api/v1/no-such-path'))).replies[0]!, 'not_found');
  });

  test('Expect: 100-continue and Upgrade change nothing', async () => {
    const expecting = request('/api/v1/vehicles', { method: 'POST', headers: ['Expect: 100-continue', 'Content-Length: 5'] });
    const refused = await raw(expecting);
    expect(refused.replies).toHaveLength(1);
    expectRefusal(refused.replies[0]!, 'method_not_allowed');
    const other = await raw(request('/api/v1/account', { headers: ['Expect: something-else'] }));
    expect(other.replies.map(({ status }) => status)).toEqual([200]);
    const upgrade = await raw(request('/api/v1/account', { headers: ['Connection: Upgrade', 'Upgrade: websocket'] }));
    expect(upgrade.replies.map(({ status }) => status)).toEqual([200]);
  });

  test('CONNECT is refused in the envelope', async () => {
    const { replies } = await raw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 'closed');
    expect(replies).toHaveLength(1);
    expect(replies[0]!.json.success).toBe(false);
    expect(replies[0]!.headers.get('x-request-id')).toMatch(REQUEST_ID);
  });

  test('OPTIONS * and TRACE are refused in the envelope', async () => {
    const [star] = (await raw(request('*', { method: 'OPTIONS' }))).replies;
    expect([404, 405]).toContain(star!.status);
    expect(star!.json.success).toBe(false);
    const [trace] = (await raw(request('/api/v1/vehicles', { method: 'TRACE' }))).replies;
    expectRefusal(trace!, 'method_not_allowed');
    expect(trace!.text).not.toContain(key);
  });
});

describe('besides the endpoints', () => {
  const ask = (target: string, more = {}) => send(api.service.url, { target, ...more });

  test('/healthz and /readyz answer without a key, to GET and HEAD', async () => {
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ status });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      const post = await ask(path, { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('every page has a request id', async () => {
    for (const path of ['/', '/healthz', '/readyz', '/openapi.json', '/postman.json', '/docs', '/docs/docs.css']) {
      expect((await ask(path)).headers.get('x-request-id') ?? '', path).toMatch(REQUEST_ID);
    }
  });

  // biome-ignore format: one list
  const NOWHERE = ['/nothing-here', '/api', '/api/', '/api/v2/vehicles', '/api/v1x', '/API/v1/vehicles', '//api/v1/vehicles', '/healthz/', '/metrics'];

  test('an unknown path returns 404 in the envelope, with a key and without, in both languages', async () => {
    for (const path of NOWHERE) {
      for (const headers of [{}, { authorization: `Bearer ${key}` }, { 'accept-language': 'tr' }]) {
        const { status, json } = await ask(path, { headers });
        expect([status, Object.keys(json), json.error.code], path).toEqual([404, ['success', 'error', 'meta'], 'not_found']);
        const message = 'accept-language' in headers ? 'Bulunamadı' : 'Not found';
        expect(json.error.message).toBe(message);
      }
    }
  });

  test('an unknown path has the headers of every other refusal', async () => {
    for (const path of NOWHERE) expectRefusal(await ask(path), 'not_found');
    expectRefusal(await ask('/healthz', { method: 'DELETE' }), 'method_not_allowed');
  });

  test('/api/v1 itself requires a key first, and then returns 404', async () => {
    for (const path of ['/api/v1', '/api/v1/', '/api/v1?limit=1', '/api/v1/?limit=1', '/api/v1//']) {
      expectRefusal(await ask(path), 'key_missing');
      expectRefusal(await ask(path, { key }), 'not_found');
    }
  });

  test('/metrics is on its own port only, and counts replies by status and code', async () => {
    await ask('/api/v1/vehicles', { key });
    const metrics = await send(`http://127.0.0.1:${metricsPort}`, { target: '/metrics' });
    expect(metrics.status).toBe(200);
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(metrics.text).toMatch(/^galeri_requests_total\{status="200",code=""\} [1-9]\d*$/m);
    expect(metrics.text).toMatch(/^galeri_requests_total\{status="401",code="key_missing"\} [1-9]\d*$/m);
    expect(metrics.text).not.toContain(key.slice(13));
    expect((await send(`http://127.0.0.1:${metricsPort}`, { target: '/api/v1/vehicles', key })).status).toBe(404);
  });
});
