// Clients that send too slowly or read nothing: what they hold is bounded per account, given up after a timeout, and blocks no
// other account.
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBody } from '../../src/domain/records/body.ts';
import { textField } from '../../src/domain/records/fields.ts';
import { type BodyReader, get, post, resource } from '../../src/kit/endpoint.ts';
import { fail } from '../../src/kit/errors.ts';
import { integer, object, text, uuid } from '../../src/kit/schema.ts';
import { expectRefusal } from '../contract/expect.ts';
import { until } from '../support/patience.ts';
import { sendForm } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { leave, type RudeClient, rudeClient } from './rude-sockets.ts';

const MB = 1024 * 1024;
const LARGE = 20 * MB;
const STALLED_MS = 5000;
const THING = randomUUID();
let isThere = true;
let bytesOut = 6 * MB;

const requireThing = (id: string) => (id === THING && isThere ? id : fail('not_found'));
const none = createBody({}) as BodyReader<unknown>;
const rows = [
  get('exports', 'tasks:read', 'read', 'Aktif', ['Much', 'Çok'], {
    returns: object({ content: text() }),
    fresh: true,
    run: async () => ({ content: 'x'.repeat(bytesOut) }),
  }),
  get('things/{thing_id}', 'tasks:read', 'read', 'Aktif', ['Thing', 'Şey'], {
    returns: object({ id: uuid() }),
    run: async ({ params }) => ({ id: requireThing(params.thing_id) }),
  }),
  post('things/{thing_id}/content', 'tasks:write', 'write', 'Aktif', ['Fill it', 'Doldur'], {
    bodySchema: createBody({ content: textField(LARGE) }),
    maxBytes: LARGE,
    upload: { maxBytes: LARGE, bodySchema: none as never },
    returns: object({ length: integer() }),
    run: async ({ params, body, file }) => {
      requireThing(params.thing_id);
      return { length: file?.sizeBytes ?? body.content?.length ?? 0 };
    },
  }),
  post('notes', 'tasks:write', 'write', 'Aktif', ['Note', 'Not'], {
    bodySchema: createBody({ content: textField(200_000) }),
    returns: object({ length: integer() }),
    run: async ({ body }) => ({ length: body.content?.length ?? 0 }),
  }),
];

let api: TestService;
let key: string;
let neighbour: string;
let reader: string;
const clients: RudeClient[] = [];
beforeAll(async () => {
  api = await testService({ resources: [resource('Things', 'Şeyler', rows)], stalledMs: STALLED_MS });
  const endpoints = rows.map((endpoint) => endpoint.id);
  key = (await api.key(await api.account(), { endpoints })).secret;
  reader = (await api.key(await api.account(), { endpoints })).secret;
  neighbour = (await api.key(await api.account(), { endpoints })).secret;
});
afterEach(() => {
  leave(clients.splice(0));
  isThere = true;
  bytesOut = 6 * MB;
});
afterAll(() => api.close());

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;
/** Bytes of buffers in use: what is sent here is one shared buffer. */
const buffers = (): number => {
  collect();
  return process.memoryUsage().arrayBuffers;
};

const head = (method: string, path: string, headers: readonly string[] = [], secret = key) =>
  [`${method} /api/v1/${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${secret}`, ...headers, '', ''].join('\r\n');
const JSON_HEAD = (length: number) => ['Content-Type: application/json', `Content-Length: ${length}`];
const FORM_HEAD = ['Content-Type: multipart/form-data; boundary=b', 'Content-Length: 100000'];
const FORM_BEGUN = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';

const open = async (count: number, bytes: string | readonly Buffer[], options: { reads?: boolean } = {}) => {
  const made = await Promise.all(Array.from({ length: count }, () => rudeClient(api.service.url, bytes, options)));
  clients.push(...made);
  return made;
};
const statuses = (of: readonly RudeClient[]) => of.map((one) => one.received().slice(9, 12));
const answered = (of: readonly RudeClient[], status: string) => statuses(of).filter((one) => one === status).length;

const SLOW_BYTES = 30 * MB;

/**
 * Far more than sockets buffer, in small reads, for longer than the timeout. Resolves when it has started; `size` is the bytes
 * received.
 */
async function readSlowly(): Promise<{ size: Promise<number> }> {
  bytesOut = SLOW_BYTES;
  const [client] = await open(1, head('GET', 'exports', [], reader), { reads: false });
  const { socket } = client!;
  let size = 0;
  let sips = 0;
  const fastFrom = performance.now() + 2 * STALLED_MS;
  const all = new Promise<number>((resolve) => {
    socket.on('data', (piece) => {
      size += piece.length;
      sips += 1;
      socket.pause();
      setTimeout(() => socket.resume(), performance.now() < fastFrom ? 20 : 0);
      if (size > SLOW_BYTES) resolve(size);
    });
    socket.once('close', () => resolve(size));
  });
  await until(() => sips > 0);
  bytesOut = 6 * MB;
  return { size: all };
}

describe('unread replies', () => {
  test('are bounded per account, block no other, and are cut after a timeout; slow readers are not', async () => {
    const slow = await readSlowly();
    const before = buffers();
    await open(60, head('GET', 'exports'), { reads: false });
    // Once all sixty are answered one way or the other, the account is asked to retry.
    await until(async () => (await api.call('exports', { key })).status === 503);
    expect(buffers() - before).toBeLessThan(150 * MB);
    const refused = await api.call('exports', { key });
    expectRefusal(refused, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    // Small requests are answered throughout, and so are other accounts.
    expect((await api.call(`things/${THING}`, { key })).status).toBe(200);
    expect((await api.call('exports', { key: neighbour })).text.length).toBeGreaterThan(6 * MB);
    await until(async () => (await api.call('exports', { key })).status === 200);
    expect(await slow.size).toBeGreaterThan(SLOW_BYTES);
  });

  test('many that wait on one connection are counted, and released with it', async () => {
    bytesOut = 4 * MB;
    let openedAt = Number.NEGATIVE_INFINITY;
    await until(async () => {
      // A busy machine may not prepare all replies before the connection is given up: then another one asks.
      if (performance.now() - openedAt > STALLED_MS) {
        openedAt = performance.now();
        await open(1, head('GET', 'exports').repeat(40), { reads: false });
      }
      return (await api.call('exports', { key })).status === 503;
    });
    leave(clients.splice(0));
    await until(async () => (await api.call('exports', { key })).status === 200);
  });
});

describe('bodies that never arrive', () => {
  test('large ones for a record that does not exist are answered before they are read', async () => {
    const bytes = [Buffer.from(head('POST', `things/${randomUUID()}/content`, JSON_HEAD(LARGE))), Buffer.alloc(MB, ' ')];
    const [client] = await open(1, bytes);
    await client!.closed;
    expect(client!.received()).toMatch(/^HTTP\/1\.1 404 /);
    const form = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${MB}`];
    const [other] = await open(1, head('POST', `things/${randomUUID()}/content`, form) + FORM_BEGUN);
    await other!.closed;
    expect(other!.received()).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('but with an answered idempotency key that reply is returned again, for any state of the record', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(MB) });
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const send = (input = body) => api.call(`things/${THING}/content`, { key, method: 'POST', headers, body: input });
    const first = await send();
    expect(first.json.data).toEqual({ length: MB });
    isThere = false;
    const again = await send();
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expectRefusal(await send(JSON.stringify({ content: 'y'.repeat(MB) })), 'idempotency_key_reused');
    expectRefusal(
      await api.call(`things/${THING}/content`, {
        key,
        method: 'POST',
        headers: { 'content-type': headers['content-type'] },
        body,
      }),
      'not_found',
    );
  });

  test('large stalled ones are on disk, not in memory', async () => {
    const before = buffers();
    const most = Buffer.alloc(19 * MB, ' ');
    await open(12, [Buffer.from(head('POST', `things/${THING}/content`, JSON_HEAD(LARGE))), most]);
    await until(() => clients.every(({ socket }) => socket.writableLength === 0));
    expect(buffers() - before - most.length).toBeLessThan(60 * MB);
    leave(clients.splice(0));
    await until(async () => (await readdir(`${api.filesDir}/incoming`)).length === 0);
    const whole = await api.call(`things/${THING}/content`, {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'ğ'.repeat(9 * MB) }),
    });
    expect(whole.json.data).toEqual({ length: 9 * MB });
  });

  test('more of them than an account may hold are refused, and another account succeeds', async () => {
    const bytes = [Buffer.from(head('POST', `things/${THING}/content`, JSON_HEAD(LARGE))), Buffer.alloc(15 * MB, ' ')];
    const all = await open(20, bytes);
    await until(() => answered(all, '503') >= 3);
    const form = [{ name: 'file', value: Buffer.from('abc') }];
    expect((await sendForm({ url: api.service.url, key: neighbour }, `things/${THING}/content`, form)).status).toBe(200);
  });

  test('small ones in memory are bounded per account', async () => {
    const bytes = [Buffer.from(head('POST', 'notes', JSON_HEAD(250_000))), Buffer.alloc(200_000, ' ')];
    const all = await open(400, bytes);
    await until(() => answered(all, '503') >= 60);
    expect(answered(all, '503')).toBeLessThan(100);
    const note = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"content":"a"}' };
    expect((await api.call('notes', { key: neighbour, ...note })).status).toBe(200);
  });

  test('two thousand of one dealer leave room for the requests of another', async () => {
    const all = await open(2100, `${head('POST', 'notes', JSON_HEAD(100))}{`);
    await until(() => answered(all, '503') + answered(all, '422') >= 1600);
    expect((await api.call(`things/${THING}`, { key: neighbour })).status).toBe(200);
  });
});

describe('trickling uploads', () => {
  test('one dealer has a share of the places, and gets an error when it is too slow', async () => {
    const all = await open(300, head('POST', `things/${THING}/content`, FORM_HEAD) + FORM_BEGUN);
    const drip = setInterval(() => {
      for (const { socket } of all) if (socket.writable) socket.write('x');
    }, 1000);
    try {
      await until(() => answered(all, '503') + answered(all, '422') >= 300 - 64);
      const form = [{ name: 'file', value: Buffer.from('abc') }];
      expect((await sendForm({ url: api.service.url, key: neighbour }, `things/${THING}/content`, form)).status).toBe(200);
      await until(() => answered(all, '503') + answered(all, '422') === 300);
      const slow = all.filter((one) => one.received().includes('"code":"too_slow"'));
      expect(slow.length).toBeGreaterThanOrEqual(64);
      expect(answered(slow, '422')).toBe(slow.length);
      await until(async () => (await sendForm({ url: api.service.url, key }, `things/${THING}/content`, form)).status === 200);
      expect(await readdir(`${api.filesDir}/incoming`)).toEqual([]);
    } finally {
      clearInterval(drip);
    }
  });
});
