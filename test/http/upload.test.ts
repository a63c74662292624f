// Forms with a file: what is read of them, what is refused and when, and that nothing of them is left.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceFiles, keepFiles, newFile } from '../../src/domain/files/stored-files.ts';
import { createBody } from '../../src/domain/records/body.ts';
import { flagField, integerField, nullable as nullableField, textField } from '../../src/domain/records/fields.ts';
import { type BodyReader, get, post, resource } from '../../src/kit/endpoint.ts';
import { fail } from '../../src/kit/errors.ts';
import type { UploadedFile } from '../../src/kit/file.ts';
import { integer, nullable, object, text, uuid } from '../../src/kit/schema.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { expectRefusal } from '../contract/expect.ts';
import { exchange } from '../contract/raw-socket.ts';
import { until } from '../support/patience.ts';
import { type FormPart, sendForm } from '../support/pictures.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';

const MAX_BYTES = 100_000;
const Seen = object({
  size: nullable(integer()),
  sha256: nullable(text()),
  bytes: nullable(text()),
  caption: nullable(text()),
  position: nullable(integer()),
});
interface Note {
  readonly caption?: string | null;
  readonly position?: number;
  readonly refuse?: boolean;
}
const takes: BodyReader<Note> = createBody({
  caption: nullableField(textField(50)),
  position: integerField(1, 9),
  refuse: flagField,
});
/** Holds a request where a test needs to inspect it. */
const atWork: (path: string) => Promise<void> = async () => {};

let made = 0;
const madeOf = async ({ path }: UploadedFile) => {
  made += 1;
  return [await newFile(path, 'text/plain')];
};

const endpoints = [
  get('looks', 'tasks:read', 'read', 'Aktif', ['Look', 'Bak'], {
    returns: object({ ok: text() }),
    run: async () => ({ ok: '' }),
  }),
  post('looks', 'tasks:write', 'write', 'Aktif', ['Look at a file', 'Dosyaya bak'], {
    bodySchema: takes,
    upload: { maxBytes: MAX_BYTES, bodySchema: takes },
    returns: Seen,
    run: async ({ file, body: { caption = null, position = null, refuse } }) => {
      if (file !== null) await atWork(file.path);
      if (refuse) fail('conflict');
      const bytes = file === null ? null : (await readFile(file.path)).toString('latin1').slice(0, 20);
      return { size: file?.sizeBytes ?? null, sha256: file?.sha256 ?? null, bytes, caption, position: position as number | null };
    },
  }),
  post('keeps', 'tasks:write', 'write', 'Aktif', ['Keep a file', 'Dosyayı sakla'], {
    upload: { maxBytes: MAX_BYTES, bodySchema: takes, stores: madeOf },
    returns: object({ id: uuid() }),
    run: async ({ work, files: [file], body }) => {
      await keepFiles(work, [file!.id]);
      if (body.refuse) fail('conflict');
      if (body.caption === 'fail') throw new Error('planted');
      return { id: file!.id };
    },
  }),
  post('large', 'tasks:write', 'write', 'Aktif', ['Much JSON', 'Çok JSON'], {
    bodySchema: createBody({ content: textField(3_000_000, { lines: true }) }),
    maxBytes: 4 * 1024 * 1024,
    returns: object({ length: integer() }),
    run: async ({ body }) => ({ length: body.content?.length ?? 0 }),
  }),
];

let api: TestService;
let accountId: string;
let key: string;
beforeAll(async () => {
  api = await testService({ resources: [resource('Looks', 'Bakışlar', endpoints)] });
  accountId = await api.account();
  key = (await api.key(accountId, { endpoints: endpoints.map((endpoint) => endpoint.id) })).secret;
});
afterAll(() => api.close());

const look = (parts: FormData | readonly FormPart[], headers?: Record<string, string>, path = 'looks'): Promise<Answer> =>
  sendForm({ url: api.service.url, key }, path, parts, headers);
const file = (value: string | Buffer = 'hello'): FormPart => ({ name: 'file', value: Buffer.from(value) });
const incoming = (): Promise<string[]> => readdir(`${api.filesDir}/incoming`);
const fields = ({ json }: Answer): string[] =>
  json.error.details.map((one: { field: string; code: string }) => `${one.field} ${one.code}`);

/** A form as bytes, for forms that no client would build. */
const raw = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call('looks', {
    key,
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
    body: body as string,
  });
const rawPart = (head: string, body = 'x') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const RAW_FILE = rawPart('Content-Disposition: form-data; name="file"; filename="a"', 'abc');

describe('is read', () => {
  test('byte for byte, with its texts as their values, in any order', async () => {
    const bytes = Buffer.alloc(MAX_BYTES, 'ğ\r\n--');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const texts = [
      { name: 'caption', value: ' Ön  konsol ' },
      { name: 'position', value: '3' },
    ];
    for (const parts of [
      [file(bytes), ...texts],
      [...texts, file(bytes)],
    ]) {
      const { status, json } = await look(parts);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ size: MAX_BYTES, sha256, caption: 'Ön konsol', position: 3 });
    }
    expect(await incoming()).toEqual([]);
  });

  test('with any file name, and without one', async () => {
    for (const name of ['../../etc/passwd', 'a".html', 'Ğ\u202e.jpg', 'x'.repeat(2000), ''])
      expect((await look([{ ...file(), fileName: name }])).json.data.bytes).toBe('hello');
    const nameless = await raw(`${rawPart('Content-Disposition: form-data; name="file"', 'abc')}--b--\r\nwhat follows`);
    expect(nameless.json.data.bytes).toBe('abc');
    expect(await incoming()).toEqual([]);
  });

  test('an empty text part as absent, as browsers send it', async () => {
    const { json } = await look([file(), { name: 'caption', value: '' }, { name: 'position', value: '' }]);
    expect(json.data).toMatchObject({ caption: null, position: null });
  });

  test('beside JSON, where the endpoint accepts both', async () => {
    const json = await api.call('looks', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"position":2}',
    });
    expect(json.json.data).toMatchObject({ size: null, position: 2 });
    const other = await api.call('looks', { key, method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    expectRefusal(other, 'unsupported_media_type');
    expect(other.json.error.message).toContain('multipart/form-data');
    const only = await api.call('keeps', { key, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expectRefusal(only, 'unsupported_media_type');
  });

  test('from a client that waits for 100 Continue, like curl', async () => {
    const body = `${RAW_FILE}--b--\r\n`;
    const head = [
      'POST /api/v1/looks HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ];
    const socket = connect(Number(new URL(api.service.url).port), '127.0.0.1');
    const received: string[] = [];
    const next = () => new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    received.push(await next());
    socket.write(body);
    received.push(await next());
    socket.destroy();
    expect(received[0]).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(received[1]).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('is refused', () => {
  test.each<[string, readonly FormPart[], readonly string[]]>([
    ['without a file', [{ name: 'caption', value: 'x' }], ['file required']],
    ['with two', [file(), file()], ['file repeated']],
    ['with a file of another name', [file(), { name: 'photo', value: Buffer.from('x') }], ['photo unknown_field']],
    ['with a text twice', [file(), { name: 'caption', value: 'a' }, { name: 'caption', value: 'a' }], ['caption repeated']],
    ['with a text it does not have', [file(), { name: 'account_id', value: 'a' }], ['account_id unknown_field']],
    ['with __proto__', [file(), { name: '__proto__', value: 'a' }], ['__proto__ unknown_field']],
    ['with an invalid text for its field', [file(), { name: 'position', value: '1.5' }], ['position invalid']],
    ['with an endless text', [file(), { name: 'caption', value: 'x'.repeat(40_000) }], ['caption too_long']],
    [
      'with a thousand parts',
      [file(), ...Array.from({ length: 1000 }, (_, index) => ({ name: `p${index}`, value: 'x' }))],
      [' out_of_range'],
    ],
  ])('%s', async (_, parts, faults) => {
    const answer = await look(parts);
    expectRefusal(answer, 'validation_failed');
    expect(fields(answer)).toEqual(faults);
    expect(await incoming()).toEqual([]);
  });

  test.each<[string, string]>([
    ['that is none', 'no form at all'],
    ['that is empty', ''],
    ['that does not end', RAW_FILE],
    ['that breaks off in the head of a part', `${RAW_FILE}--b\r\nContent-Dispo`],
    ['that breaks off in the file', RAW_FILE.slice(0, -4)],
    ['of parts without names', `${rawPart('Content-Disposition: form-data')}--b--\r\n`],
    ['of nothing', '--b--\r\n'],
    [
      'with a form inside',
      `${rawPart('Content-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=c', '--c\r\n\r\nx\r\n--c--')}--b--\r\n`,
    ],
    ['with an endless head', `--b\r\n${'X-Head: y\r\n'.repeat(5000)}\r\nabc\r\n--b--\r\n`],
  ])('a form %s', async (_, body) => {
    expectRefusal(await raw(body), 'validation_failed');
    expect(await incoming()).toEqual([]);
  });

  test('without a boundary, and compressed', async () => {
    expectRefusal(await raw(RAW_FILE, { 'content-type': 'multipart/form-data' }), 'unsupported_media_type');
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip'])
      expectRefusal(await raw(RAW_FILE, { 'content-encoding': encoding }), 'unsupported_media_type');
  });

  test('one byte too long, and the caller learns of it while still sending', async () => {
    expect((await look([file(Buffer.alloc(MAX_BYTES))])).status).toBe(200);
    for (const size of [MAX_BYTES + 1, MAX_BYTES + 70_000, 20_000_000]) {
      const answer = await look([file(Buffer.alloc(size))]);
      expectRefusal(answer, 'payload_too_large');
      expect(answer.json.error.message).toContain('97 kB');
    }
    expect(await incoming()).toEqual([]);
  });

  test('as soon as it is too long, also in chunks and without a length', async () => {
    const head = [
      'POST /api/v1/looks HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Transfer-Encoding: chunked',
    ];
    const start = RAW_FILE.slice(0, -5);
    const piece = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    // It never ends: the reply must come before the end.
    const sent = [`${head.join('\r\n')}\r\n\r\n${piece(start)}`, piece('x'.repeat(60_000)), piece('x'.repeat(60_000))];
    const { replies } = await exchange(api.service.url, sent, 'closed');
    expect(replies).toHaveLength(1);
    expectRefusal(replies[0]!, 'payload_too_large');
    expect(replies[0]!.headers.get('connection')).toBe('close');
    // Parts without a file count too.
    const preamble = [`${head.join('\r\n')}\r\n\r\n`, piece('x'.repeat(90_000)), piece('x'.repeat(90_000))];
    const other = await exchange(api.service.url, preamble, 'closed');
    expectRefusal(other.replies[0]!, 'payload_too_large');
    expect(await incoming()).toEqual([]);
  });

  test('with one reply, for an invalid body', async () => {
    const head = `POST /api/v1/looks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { replies, rest } = await exchange(api.service.url, [head, '5\r\n--b\r\n\r\n', 'what is this\r\n\r\n'], 'closed');
    expect([replies.map(({ status }) => status), rest]).toEqual([[422], '']);
    expect(await incoming()).toEqual([]);
  });

  test('and nothing is left when the client disconnects', async () => {
    const socket = connect(Number(new URL(api.service.url).port), '127.0.0.1');
    const head = `POST /api/v1/looks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000\r\n\r\n`;
    socket.write(head + RAW_FILE.slice(0, -5) + 'x'.repeat(20_000));
    await until(async () => (await incoming()).length === 1);
    socket.destroy();
    await until(async () => (await incoming()).length === 0);
    expect((await look([file()])).status).toBe(200);
  });
});

test('a disk that cannot be written is not the caller’s fault', async () => {
  const folder = `${api.filesDir}/incoming`;
  await rm(folder, { recursive: true });
  await writeFile(folder, 'no folder');
  try {
    expect((await look([file()])).status).toBeGreaterThanOrEqual(500);
  } finally {
    await rm(folder);
    await mkdir(folder);
  }
  expect((await look([file()])).status).toBe(200);
});

describe('the same form twice', () => {
  test('is one write if its bytes are the same, with any file name', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await look([file('one'), { name: 'caption', value: 'a' }], headers);
    const again = await look(
      [
        { name: 'caption', value: 'a' },
        { ...file('one'), fileName: 'other.png', type: 'image/png' },
      ],
      headers,
    );
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expectRefusal(await look([file('two'), { name: 'caption', value: 'a' }], headers), 'idempotency_key_reused');
    expectRefusal(await look([file('one'), { name: 'caption', value: 'b' }], headers), 'idempotency_key_reused');
  });
});

describe('a stored file', () => {
  interface Line {
    readonly id: string;
    readonly name: string;
    readonly state: string;
  }
  const lines = (): Promise<Line[]> =>
    api.database.inTenant(accountId, 'read', (db) =>
      db.rows<Line>(sql`select id, name, state from ${own('stored_files')} order by created_at, id`),
    );
  const objects = async (): Promise<string[]> => {
    const found = await readdir(api.filesDir, { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`.slice(api.filesDir.length + 1));
  };
  const keep = (texts: Record<string, string> = {}, headers?: Record<string, string>) =>
    look([file('kept'), ...Object.entries(texts).map(([name, value]) => ({ name, value }))], headers, 'keeps');

  test('is kept with its write, under its own name', async () => {
    const { status, json } = await keep();
    expect(status).toBe(200);
    const [line] = (await lines()).filter(({ id }) => id === json.data.id);
    expect(line).toMatchObject({ state: 'kept' });
    expect(await readFile(`${api.filesDir}/${line!.name}`, 'utf8')).toBe('kept');
  });

  test.each<[string, () => Promise<Answer>, number]>([
    ['refused', () => keep({ refuse: 'true' }), 409],
    ['refused under a key, which is remembered', () => keep({ refuse: 'true' }, { 'idempotency-key': randomUUID() }), 409],
    ['that failed', () => keep({ caption: 'fail' }), 500],
    ['only tried', () => keep({}, { 'x-dry-run': 'true' }), 200],
    ['whose fields were refused', () => keep({ position: 'x' }), 422],
  ])('is removed at once after a write %s', async (_, act, status) => {
    const before = [await lines(), await objects()];
    expect((await act()).status).toBe(status);
    expect([await lines(), await objects()]).toEqual(before);
  });

  test('is not duplicated by a replay, nor processed again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await keep({}, headers);
    const before = [await lines(), await objects(), made];
    expect((await keep({}, headers)).text).toBe(first.text);
    expect([await lines(), await objects(), made]).toEqual(before);
  });

  test('cannot be kept once it was given up', async () => {
    const [gone] = [await newFile(import.meta.filename, 'text/plain')];
    const kept = api.database.inTenant(accountId, 'write', async (db) => {
      await announceFiles(db, [gone], new Date());
      await db.exec(sql`update stored_files set state = 'gone' where id = ${gone.id}`);
      await keepFiles({ db, now: new Date() } as never, [gone.id]);
    });
    await expect(kept).rejects.toThrow('cleared away');
  });
});

test('JSON may be as large as its endpoint allows', async () => {
  const body = (length: number) => JSON.stringify({ content: 'x'.repeat(length) });
  const ask = (text: string) =>
    api.call('large', { key, method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  expect((await ask(body(3_000_000))).json.data.length).toBe(3_000_000);
  const over = await ask(body(4 * 1024 * 1024));
  expectRefusal(over, 'payload_too_large');
  expect(over.json.error.message).toContain('4 MB');
});
