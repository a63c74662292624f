// The parser of external XML, as feeds use it: in any chunks, in little memory, and within its limits.
import { describe, expect, test } from 'vitest';
import { readXml, type XmlElement, XmlError, xmlRecords } from '../../../src/domain/formats/xml.ts';

const LIMITS = { bytes: 10_000_000, depth: 8, record: 100_000, elements: 2_000_000 };
const FEED = `<?xml version="1.0" encoding="UTF-8"?>
<araclar tarih="2026-11-15"><!-- <arac>bu değil</arac> --><meta><arac>bu da değil</arac></meta>
<arac no="1"><marka>Škoda &amp; Şahin</marka><donanim><![CDATA[<ABS> ]]>&#304;</donanim><bos/></arac>
<arac no="2"><marka>  İthal  </marka><ad ad="a"/></arac></araclar>`;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(bytes: AsyncIterable<Uint8Array>, path: readonly string[], limits = LIMITS): Promise<XmlElement[]> {
  const found: XmlElement[] = [];
  for await (const record of xmlRecords(bytes, path, limits)) found.push(record);
  return found;
}

const message = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error) => {
      expect(error).toBeInstanceOf(XmlError);
      return (error as Error).message;
    },
  );

describe('records', () => {
  test('are those at the path and no others, the same for any chunks', async () => {
    const whole = await all(inPieces(Buffer.from(FEED), 1_000_000), ['araclar', 'arac']);
    expect(whole.map(({ attributes }) => attributes.no)).toEqual(['1', '2']);
    expect(whole[0]!.children.map(({ name, text }) => [name, text])).toEqual([
      ['marka', 'Škoda & Şahin'],
      ['donanim', '<ABS> İ'],
      ['bos', ''],
    ]);
    expect(whole[1]!.children[0]!.text).toBe('İthal');
    for (const size of [1, 2, 3, 7, 64]) expect(await all(inPieces(Buffer.from(FEED), size), ['araclar', 'arac'])).toEqual(whole);
  });

  test('a path without elements gives none; an attribute is never a way into an object', async () => {
    expect(await all(inPieces(Buffer.from(FEED), 50), ['araclar', 'araba'])).toEqual([]);
    const [odd] = await all(inPieces(Buffer.from('<a><b __proto__="x" constructor="y"/></a>'), 5), ['a', 'b']);
    expect(odd!.attributes).toEqual(Object.assign(Object.create(null), { ['__proto__']: 'x', constructor: 'y' }));
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('arrive while the document is still arriving, and are not kept', async () => {
    let count = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<r>');
      for (;;) {
        count += 1;
        yield Buffer.from(`<i n="${count}">${'x'.repeat(1000)}</i>`);
      }
    }
    let seen = 0;
    for await (const record of xmlRecords(endless(), ['r', 'i'], { ...LIMITS, bytes: 1e12 })) {
      seen += 1;
      expect(record.attributes.n).toBe(String(seen));
      if (seen === 5000) break;
    }
    expect(count).toBeLessThan(5100);
  });
});

describe('limits', () => {
  const forEver = async function* (head: string, piece: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    for (;;) yield Buffer.from(piece);
  };
  test.each([
    ['a comment', '<r><!--', 'x'.repeat(10_000), /a part of it is larger/],
    ['text between records', '<r>', 'x'.repeat(10_000), /a part of it is larger/],
    ['a record', '<r><i>', '<k>v</k>', /a record is larger/],
    ['a value', '<r><i>', 'x'.repeat(10_000), /larger than/],
    ['an attribute', '<r><i k="', 'x'.repeat(10_000), /a part of it is larger/],
    ['attributes', '<r><i', Array.from({ length: 500 }, (_, at) => ` a${at}="1"`).join(''), /./],
    ['a name', '<r><', 'x'.repeat(10_000), /a part of it is larger/],
    ['a document type', '<!DOCTYPE r [', '<!ENTITY a "b">', /a part of it is larger|document type/],
    ['a nest of elements', '<r>', '<i>', /more than 8 levels deep/],
    ['elements', '<r>', '<k/>'.repeat(1000), /more than 2000000 elements/],
    ['the whole', '<r>', '<k>v</k>'.repeat(1000), /larger than 10000000 bytes/],
  ])('%s without an end is refused early', async (_, head, piece, expected) => {
    expect(await message(all(forEver(head, piece), ['r', 'i']))).toMatch(expected);
  });
});

test.each(['toString', 'constructor', '__proto__', 'nbsp', 'xxe'])('the entity %s is undeclared', (name) => {
  expect(() => readXml(Buffer.from(`<a>&${name};</a>`), LIMITS)).toThrow(XmlError);
});
