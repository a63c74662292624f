// Pages that are made for each request are compressed for browsers that accept it.
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from '../../src/http/wire/compressed.ts';

const PAGE = Buffer.from('<p>Sözleşme</p>'.repeat(200));
const reply = (body: Buffer | null) => ({ status: 200, headers: ['Content-Type', 'text/html'], body, errorCode: null });
const accepting = (encodings?: string) => ({ headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

test('a page is compressed for a caller that accepts gzip, and caches keep both forms apart', async () => {
  const { headers, body } = await compressed(accepting('gzip, deflate, br'), reply(PAGE));
  expect(headers.slice(2)).toEqual(['Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip']);
  expect(gunzipSync(body!)).toEqual(PAGE);
  for (const encodings of [undefined, 'br', 'gzip;q=0', 'br, gzip; q=0.0']) {
    const plain = await compressed(accepting(encodings), reply(PAGE));
    expect([plain.headers.slice(2), plain.body]).toEqual([['Vary', 'Accept-Encoding'], PAGE]);
  }
});

test('a reply without a body or of one packet is sent as it is', async () => {
  for (const short of [reply(null), reply(Buffer.from('<p>Yok</p>'))])
    expect(await compressed(accepting('gzip'), short)).toBe(short);
});
