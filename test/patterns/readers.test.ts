// What reads outside text without a pattern works in proportion to it too, in whichever pieces it comes.
import { describe, expect, test } from 'vitest';
import { NoEventStream, readEventStream } from '../../src/domain/formats/event-stream.ts';
import { FeedFailure } from '../../src/domain/imports/feed-row.ts';
import { guessDelimiter, guessEncoding, guessRecordPath, guessType } from '../../src/domain/imports/feeds/feed-guess.ts';
import { readSource } from '../../src/domain/imports/feeds/feed-source.ts';
import type { SourceForm } from '../../src/domain/imports/source-form.ts';
import { clientAddress, parseRange } from '../../src/domain/net/address.ts';
import { matchesEtag } from '../../src/http/api/response-cache.ts';
import { localeOf } from '../../src/http/wire/reply.ts';
import { tooMuchGrowth } from './growth.ts';

describe('guessing the form of a source', () => {
  test.each([
    ['<', 'a', ''],
    ['', '<a ', ''],
    ['', '<a', ''],
    ['<a>', '<!--', ''],
    ['', '<a b="', ''],
    ['', '<a>', ''],
    ['', '"', '\\'],
    ['', '"\\', ''],
    ['{', '"a', ''],
    ['', '{"a":', ''],
    ['{"a":', '[ ', ''],
    [`${'{"":'.repeat(60)}[`, '[{},', ''],
    ['', ' ', 'x'],
    ['', ';', ''],
    ['', '\r', ''],
  ])('from %j and then %j', async (prefix, pump, suffix) => {
    const guess = (text: string) => [
      guessEncoding(Buffer.from(text)),
      guessType(text),
      guessDelimiter(text),
      guessRecordPath('json', text),
      guessRecordPath('xml', text),
    ];
    expect(await tooMuchGrowth(guess, { prefix, pump, suffix }, 10_000)).toBeNull();
  });
});

/** Small pieces: whatever is looked at again with each of them shows. */
const PIECE = 64;
const inPieces = (text: string) =>
  async function* () {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  };

const readAll = (type: SourceForm['type'], record_path: string | null) => async (text: string) => {
  try {
    for await (const _ of readSource({ type, record_path, delimiter: null, encoding: null, sheet: null }, inPieces(text)));
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error;
  }
};

describe('reading a source', () => {
  test.each([
    ['csv', 'a;b\n', '"', ''],
    ['csv', 'a;b\n', '"a', ''],
    ['csv', 'a;b\n', '""', ''],
    ['csv', 'a;b\n"', 'x\n', ''],
    ['csv', 'a;b\n', 'x;y\n', ''],
    ['csv', '', ';', '\n'],
    ['csv', '', 'a', ''],
    ['csv', '', ' ', ''],
    ['csv', '', '\r', 'a'],
    ['csv', '', 'a;', `\n${';'.repeat(5000)}`],
    ['json', '', '[', ''],
    ['json', '[', '{"a":1},', ''],
    ['json', '[{"a":"', '\\"', ''],
    ['json', '[{', '"a":1,', ''],
    ['json', `[{"${'x'.repeat(5000)}":{`, '"a":1,', '"b":1}}]'],
    ['json', '{"', 'x', ''],
    ['json', '{"a":[', '1,', ''],
    ['json', '[', '                                {}  ,', ''],
    ['xml', '', '<', ''],
    ['xml', '<a', ' b="', ''],
    ['xml', '<a ', 'b', '="1"/>'],
    ['xml', '<!--', '-', ''],
    ['xml', '<a>', '<!-- -->', ''],
    ['xml', '<a>', '&amp;', ''],
    ['xml', '<a><b>', '<![CDATA[x]]>', ''],
    ['xml', '<a>', '<b/>', ''],
    ['xml', `<a><${'x'.repeat(5000)}>`, '<b c="1"/>', ''],
    ['xml', '', ' ', ''],
    ['xml', '<?x', '?', ''],
  ] as const)('%s, number %#', async (type, prefix, pump, suffix) => {
    const path = type === 'xml' ? 'a.b' : null;
    expect(await tooMuchGrowth(readAll(type, path), { prefix, pump, suffix }, 6000)).toBeNull();
  });
});

describe('reading an event stream', () => {
  const read = async (text: string) => {
    try {
      for await (const _ of readEventStream(inPieces(text)()));
    } catch (error) {
      if (!(error instanceof NoEventStream)) throw error;
    }
  };
  test.each([
    ['data: ', 'x', '\n\n'],
    ['', 'data: x\n', '\n'],
    ['', 'id: 1\ndata: x\n\n', ''],
    ['', ':\n\n', ''],
    ['', '\n', ''],
    ['data', ':', '\n\n'],
    ['', '\r', '\n'],
  ])('from %j and then %j', async (prefix, pump, suffix) => {
    expect(await tooMuchGrowth(read, { prefix, pump, suffix }, 6000)).toBeNull();
  });
});

describe('reading a header', () => {
  const trusted = ['127.0.0.0/8', '10.0.0.0/8'].map((range) => parseRange(range)!);
  test.each([
    ['X-Forwarded-For', (text: string) => clientAddress('127.0.0.1', text, trusted), '10.0.0.1,'],
    ['X-Forwarded-For', (text: string) => clientAddress('127.0.0.1', text, trusted), ' '],
    ['X-Forwarded-For', (text: string) => clientAddress('127.0.0.1', text, trusted), ':'],
    ['If-None-Match', (text: string) => matchesEtag(text, '"x"'), '"y", '],
    ['If-None-Match', (text: string) => matchesEtag(text, '"x"'), ' '],
    ['Accept-Language', localeOf, 'tr;q=0.1,'],
  ] as const)('%s', async (_, work, pump) => {
    expect(await tooMuchGrowth(work, { prefix: '', pump, suffix: '' })).toBeNull();
  });
});
