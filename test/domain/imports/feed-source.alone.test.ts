// Sources of every kind, well-formed, odd and hostile: what is read of them, or the single error.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FeedFailure, type ImportRow, MAX_ROW_LENGTH, type SourceRow } from '../../../src/domain/imports/feed-row.ts';
import { MAX_SOURCE_BYTES, readSource } from '../../../src/domain/imports/feeds/feed-source.ts';
import { mapRow } from '../../../src/domain/imports/map-row.ts';
import type { SourceForm } from '../../../src/domain/imports/source-form.ts';
import { VEHICLE_FIELDS } from '../../../src/domain/stock/vehicle.ts';

const form = (overrides: Partial<SourceForm>): SourceForm => ({
  type: 'csv',
  delimiter: null,
  encoding: null,
  record_path: null,
  sheet: null,
  ...overrides,
});

/** In chunks of this many bytes, so that every boundary is covered. */
const pieces = (content: string | Buffer, size: number) =>
  async function* () {
    const bytes = Buffer.from(content as string);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

async function read(overrides: Partial<SourceForm>, content: string | Buffer, size = 7): Promise<SourceRow[]> {
  return Array.fromAsync(readSource(form(overrides), pieces(content, size)));
}
const shown = (rows: readonly SourceRow[]) => rows.map((row) => ('cells' in row ? { ...row.cells } : row.problem.code));
const failure = async (overrides: Partial<SourceForm>, content: string | Buffer, size = 65_536): Promise<string> => {
  try {
    return JSON.stringify(shown(await read(overrides, content, size)).slice(0, 5));
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error;
    return error.code;
  }
};

const latin5 = (text: string) =>
  Buffer.from(
    [...text].map(
      (letter) => ({ ş: 0xfe, Ş: 0xde, ğ: 0xf0, ı: 0xfd, İ: 0xdd, ö: 0xf6, ü: 0xfc, ç: 0xe7 })[letter] ?? letter.charCodeAt(0),
    ),
  );

describe('csv', () => {
  test.each([';', ',', '\t', '|'])('with a byte order mark, Turkish headers, quotes and %j between cells', async (delimiter) => {
    const text = `\uFEFFPlaka${delimiter}Model Yılı${delimiter}Açıklama\r\n34 ŞĞ 1${delimiter}2018${delimiter}"17"" jant${delimiter} çelik"\r\n`;
    expect(shown(await read({}, text))).toEqual([
      { Plaka: '34 ŞĞ 1', 'Model Yılı': '2018', Açıklama: `17" jant${delimiter} çelik` },
    ]);
  });

  test.each(['windows-1254', 'iso-8859-9'] as const)('in %s', async (encoding) => {
    expect(shown(await read({ encoding }, latin5('Şehir;Renk\nGirne;gümüş ığ\n')))).toEqual([
      { Şehir: 'Girne', Renk: 'gümüş ığ' },
    ]);
  });

  test('in UTF-16 as a spreadsheet saves it', async () => {
    expect(shown(await read({}, Buffer.from('\uFEFFŞehir\tRenk\nGirne\tgri\n', 'utf16le')))).toEqual([
      { Şehir: 'Girne', Renk: 'gri' },
    ]);
  });

  test('reports Turkish bytes without a declared encoding instead of guessing', async () => {
    expect(await failure({}, latin5('Şehir;Renk\nGirne;gümüş\n'))).toBe('invalid_encoding');
  });

  test('ignores columns without a name, and distinguishes columns of one name by their letters', async () => {
    expect(shown(await read({}, 'A;;B;A\n1;x;2;3\n'))).toEqual([{ 'A (A)': '1', B: '2', 'A (D)': '3' }]);
  });

  test.each([
    ['a million columns', `${'x;'.repeat(1_000_000)}\n`, 'row_too_long'],
    ['a header of one endless word', 'x'.repeat(3_000_000), 'row_too_long'],
    ['a damaged workbook', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(1000)]), 'source_unreadable'],
    ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), 'source_encoded'],
  ])('%s is refused', async (_, content, code) => {
    expect(await failure({}, content)).toBe(code);
  });

  test('an endless line and an open quote stop the reading there', async () => {
    const rows = await read({}, `A;B\n1;2\n3;${'x'.repeat(1_000_000)}`, 1000);
    expect(shown(rows)).toEqual([{ A: '1', B: '2' }, 'too_long']);
    expect(rows[1]).toMatchObject({ row: 2, isLast: true });
    expect(await failure({ delimiter: ';' }, 'x;'.repeat(1_000_000))).toBe('["too_long"]');
    expect((await read({}, 'A;B\n1;2\n3;"4\n5;6\n'))[1]).toMatchObject({
      row: 2,
      isLast: true,
      problem: { code: 'invalid_row' },
    });
  });
});

describe('json', () => {
  const cars = [
    { plaka: 'AB 1', arac: { marka: 'Škoda', fiyat: 1.5 }, foto: [1] },
    { plaka: ' AB 2 ', arac: null, km: '' },
  ];
  const columns = [{ plaka: 'AB 1', 'arac.marka': 'Škoda', 'arac.fiyat': 1.5, foto: [1] }, { plaka: 'AB 2' }];

  test.each([1, 2, 3, 5, 64, 4096])(
    'a list of objects, with nested objects as dotted columns, in chunks of %i bytes',
    async (size) => {
      expect(shown(await read({ type: 'json' }, JSON.stringify(cars, null, 1), size))).toEqual(columns);
      const deep = { meta: { adet: 2, sayfa: [[1], { data: [] }], not: 'a"]},{' }, sonuç: { araçlar: cars }, son: true };
      expect(shown(await read({ type: 'json', record_path: 'sonuç.araçlar' }, JSON.stringify(deep), size))).toEqual(columns);
    },
  );

  test('a record that is not an object, not JSON or too long is a bad row, and the next is read', async () => {
    const long = `{"a":"${'x'.repeat(MAX_ROW_LENGTH)}"}`;
    const text = `[1, "x,]", null, [{}], {"a":}, {"a":tru}, ${long}, {"a":1} {"a":2}, {"a":3}]`;
    expect(shown(await read({ type: 'json' }, text, 1000))).toEqual([
      'invalid_row',
      'invalid_row',
      'invalid_row',
      'invalid_row',
      'invalid_json',
      'invalid_json',
      'too_long',
      'invalid_json',
      { a: 3 },
    ]);
  });

  test('an empty list has no rows', async () => {
    expect(await read({ type: 'json' }, ' [ ] ')).toEqual([]);
  });

  test.each([
    ['nothing', '', 'source_unreadable'],
    ['a word', 'null', 'source_unreadable'],
    ['HTML', '<html><body>Giriş</body></html>', 'source_unreadable'],
    ['a list cut off', '[{"a":1},{"a":', 'source_unreadable'],
    ['a string cut off', '[{"a":"x', 'source_unreadable'],
    ['two documents', '[{"a":1}][{"a":2}]', 'source_unreadable'],
    ['brackets that do not match', '[{"a":1}}', 'source_unreadable'],
    ['an object where the list should be', '{"a":1}', 'record_path_not_found'],
    ['a hundred thousand levels', '['.repeat(100_000), 'source_unreadable'],
    ['a hundred thousand levels inside a record', `[{"a":${'['.repeat(100_000)}`, 'source_unreadable'],
    ['an endless key', `{"${'x'.repeat(100_000)}":1}`, 'source_unreadable'],
  ])('%s is one clear failure', async (_, content, code) => {
    expect(await failure({ type: 'json' }, content)).toBe(code);
  });

  test('another path, and names of an object’s prototype, lead nowhere', async () => {
    for (const record_path of ['x', 'data.x', '__proto__', 'constructor.prototype'])
      expect(await failure({ type: 'json', record_path }, '{"data":{"items":[{"a":1}]}}')).toBe('record_path_not_found');
    expect(shown(await read({ type: 'json' }, '[{"__proto__":{"km":5},"a":1}]'))).toEqual([{ a: 1, '__proto__.km': 5 }]);
  });

  test('reads the same for any content and any chunks', async () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', ']', '}', ',', 'ş', '𝒳', ' '), maxLength: 4 });
    // As JSON carries it: JSON has no -0.
    const value = fc
      .jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('x', '"', '\\', '[', '{', ',', ':', '\n', 'ğ') })
      .map((one): unknown => JSON.parse(JSON.stringify(one)));
    const record = fc.dictionary(key, value, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 5 }),
        value,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (records, other, size, spaced) => {
          const text = JSON.stringify({ önce: other, yol: { liste: records, sonra: other } }, null, spaced ? 2 : 0);
          const rows = await read({ type: 'json', record_path: 'yol.liste' }, text, size);
          const alone = await read({ type: 'json' }, JSON.stringify(records), 1_000_000);
          expect(rows).toEqual(alone);
          expect(rows).toHaveLength(records.length);
          for (const [index, row] of rows.entries()) {
            const plain = Object.entries(records[index]!).filter(
              ([, one]) => typeof one === 'number' || typeof one === 'boolean',
            );
            for (const [name, one] of plain) expect((row as ImportRow).cells[name.normalize('NFC')]).toBe(one);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('twenty megabytes are streamed without being held in memory', async () => {
    const record = JSON.stringify({ plaka: 'AB 1', not: 'x'.repeat(200) });
    const count = Math.floor(MAX_SOURCE_BYTES / (record.length + 1));
    const source = async function* () {
      yield Buffer.from('[');
      for (let at = 0; at < count; at += 1) yield Buffer.from(at === 0 ? record : `,${record}`);
      yield Buffer.from(']');
    };
    let rows = 0;
    let max = 0;
    const before = process.memoryUsage().rss;
    for await (const row of readSource(form({ type: 'json' }), source)) {
      rows = row.row;
      if (rows % 10_000 === 0) max = Math.max(max, process.memoryUsage().rss - before);
    }
    expect(rows).toBe(count);
    expect(max).toBeLessThan(150 * 1024 * 1024);
  });
});

test.each([
  [
    'json',
    JSON.stringify([{ ['x'.repeat(30_000)]: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [at, 1])), a: 1 }]),
  ],
  ['xml', `<r><e><${'x'.repeat(15_000)}>${'<b c="1"/>'.repeat(200)}</${'x'.repeat(15_000)}><a>1</a></e></r>`],
] as const)('%s: an unmappable name is not repeated for each of its members', async (type, content) => {
  expect(shown(await read({ type }, content, 65_536)).map((row) => Object.keys(row))).toEqual([['a']]);
});

describe('xml', () => {
  const text = `<?xml version="1.0"?><!-- <stok> --><stok><bilgi/><arac id="7"><plaka> AB 1 </plaka><motor tip="LPG"><hacim>1.6</hacim></motor>
    <not><![CDATA[a < b]]></not><renk/><renk>gri</renk></arac><arac id="8"><plaka>&#x15e; &amp; 2</plaka></arac></stok>`;
  const cars = [
    { '@id': '7', plaka: 'AB 1', 'motor.@tip': 'LPG', 'motor.hacim': '1.6', not: 'a < b', renk: 'gri' },
    { '@id': '8', plaka: 'Ş & 2' },
  ];

  test.each(['stok.arac', 'arac'])('elements at %s: children by name, attributes with an @', async (record_path) => {
    for (const size of [1, 3, 4096]) expect(shown(await read({ type: 'xml', record_path }, text, size))).toEqual(cars);
  });

  test('without a path, the children of the root', async () => {
    expect(shown(await read({ type: 'xml' }, '<a><b><x>1</x></b><b x="2"/></a>'))).toEqual([{ x: '1' }, { '@x': '2' }]);
  });

  test('in the encoding it declares, or in the configured one', async () => {
    const body = latin5('<s><a><şehir>Iğdır</şehir></a></s>');
    const declared = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1254"?>'), body]);
    expect(shown(await read({ type: 'xml' }, declared, 4096))).toEqual([{ şehir: 'Iğdır' }]);
    expect(shown(await read({ type: 'xml', encoding: 'windows-1254' }, body, 4096))).toEqual([{ şehir: 'Iğdır' }]);
    // As text inside JSON it is UTF-8, regardless of its declaration.
    const asText = '<?xml version="1.0" encoding="windows-1254"?><s><a><şehir>Iğdır</şehir></a></s>';
    expect(shown(await read({ type: 'xml', encoding: 'utf-8' }, asText, 4096))).toEqual([{ şehir: 'Iğdır' }]);
  });

  const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  test.each([
    ['a billion laughs', `<!DOCTYPE s [<!ENTITY l0 "ha">${lol}]><s><a>&l9;</a></s>`],
    ['an entity from a file', '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><s><a>&x;</a></s>'],
    ['a document type from elsewhere', '<!DOCTYPE s SYSTEM "http://127.0.0.1/x.dtd"><s><a/></s>'],
    ['an undeclared entity', '<s><a>&x;</a></s>'],
    ['a hundred thousand levels', `<s>${'<a>'.repeat(100_000)}`],
    ['an endless element', `<s><a>${'x'.repeat(5_000_000)}`],
    ['an endless tag', `<s><a x="${'x'.repeat(5_000_000)}`],
    ['an unknown encoding', '<?xml version="1.0" encoding="x-none"?><s/>'],
    ['a document cut off', '<s><a><b>1</b></a>'],
    ['two roots', '<s/><s/>'],
    ['JSON', '[{"a":1}]'],
    ['nothing', ' '],
  ])('%s is one clear failure', async (_, content) => {
    expect(await failure({ type: 'xml' }, content)).toMatch(/^(source_unreadable|invalid_encoding)$/);
  });

  test('reports a path to nothing', async () => {
    expect(await failure({ type: 'xml', record_path: 'stok.tekne' }, text)).toBe('record_path_not_found');
  });
});

describe('a row in our fields', () => {
  const mapping = { plate: 'Plaka', transmission: 'Vites', external_ref: 'No', model_year: 'Yıl', city: 'Şehir' };
  const map = (
    fields: Record<string, unknown>,
    more: { defaults?: Record<string, string | number>; value_map?: Record<string, Record<string, string | number>> } = {},
  ) => mapRow({ mapping, defaults: {}, value_map: {}, ...more }, VEHICLE_FIELDS, { row: 3, cells: fields }).cells;

  test('has what is mapped and nothing else', () => {
    expect(map({ Plaka: 'AB 1', Renk: 'gri', constructor: 'x' })).toEqual({ plate: 'AB 1' });
  });

  test('translates values, fills in missing ones, and keeps existing ones', () => {
    const words = {
      value_map: { transmission: { Düz: 'Manuel', '1': 'Otomatik' } },
      defaults: { city: 'Girne', model_year: 2020 },
    };
    expect(map({ Vites: 'Düz', Yıl: '2018' }, words)).toEqual({ transmission: 'Manuel', model_year: '2018', city: 'Girne' });
    expect(map({ Vites: 'Düz'.normalize('NFD') }, words)).toMatchObject({ transmission: 'Manuel' });
    expect(map({ Vites: 1 }, words)).toEqual({ transmission: 'Otomatik', model_year: 2020, city: 'Girne' });
    expect(map({ Vites: 'toString' }, words)).toMatchObject({ transmission: 'toString' });
  });

  test('numbers of a JSON source become their digits in a text field', () => {
    expect(map({ No: 4711, Yıl: 2018 })).toEqual({ external_ref: '4711', model_year: 2018 });
  });
});
