import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BadRow, ImportRow } from '../../../src/domain/imports/feed-row.ts';
import { openImportFile } from '../../../src/domain/imports/files/import-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galeri-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FIELDS = ['brand', 'plate', 'km', 'description'];

async function read(content: string | Buffer, name = 'file.csv'): Promise<(ImportRow | BadRow)[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  return Array.fromAsync((await openImportFile(path)).rows(FIELDS));
}
const cellsOf = (rows: (ImportRow | BadRow)[]) => rows.map((row) => ('cells' in row ? row.cells : row.problem.code));

describe('csv', () => {
  test.each([',', ';', '\t'])('detects the delimiter %j', async (delimiter) => {
    const text = [`brand${delimiter} plate `, `Citroën${delimiter}AB 123`].join('\n');
    expect(await read(text)).toEqual([{ row: 1, at: 2, cells: { brand: 'Citroën', plate: 'AB 123' } }]);
  });

  test('accepts a byte order mark, quotes, line breaks in cells, other commas and Turkish letters', async () => {
    const text = '\uFEFF"plate";"brand";description\r\n"34 ŞĞİ 1";"Škoda, ""Özel""";"bir\niki; üç"\r\n';
    expect(cellsOf(await read(text))).toEqual([{ plate: '34 ŞĞİ 1', brand: 'Škoda, "Özel"', description: 'bir\niki; üç' }]);
  });

  test.each(['\n', '\r\n', '\r'])('accepts lines that end in %j', async (end) => {
    expect(cellsOf(await read(['plate,km', 'A 1,5', 'A 2,6', ''].join(end)))).toEqual([
      { plate: 'A 1', km: '5' },
      { plate: 'A 2', km: '6' },
    ]);
  });

  test('an empty cell is absent; rows without any filled cell are skipped', async () => {
    expect(await read('plate,km\n\nA 1,\n , \n,\nA 2,7\n')).toEqual([
      { row: 1, at: 3, cells: { plate: 'A 1' } },
      { row: 2, at: 6, cells: { plate: 'A 2', km: '7' } },
    ]);
  });

  test('a row with more or fewer cells is a bad row, and the next is read', async () => {
    const rows = await read('plate,km\nA 1\nA 2,5,6\nA 3,7\n');
    expect(cellsOf(rows)).toEqual(['wrong_cell_count', 'wrong_cell_count', { plate: 'A 3', km: '7' }]);
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3]);
  });

  test('a stray quote stays in its cell', async () => {
    expect(cellsOf(await read('plate,description\nA 1,17" jant\nA 2,x\n'))).toEqual([
      { plate: 'A 1', description: '17" jant' },
      { plate: 'A 2', description: 'x' },
    ]);
  });

  test('a quote that is never closed ends the reading with a bad row', async () => {
    expect(cellsOf(await read('plate,km\nA 1,5\nA 2,"6\nA 3,7\n'))).toEqual([{ plate: 'A 1', km: '5' }, 'invalid_row']);
    expect(cellsOf(await read(`plate,km\nA 1,5\nA 2,"${'x\n'.repeat(100_000)}`))).toEqual([
      { plate: 'A 1', km: '5' },
      'too_long',
    ]);
  });

  test('a line of a million empty cells ends the reading with a bad row', async () => {
    expect(cellsOf(await read(`plate,km\nA 1,5\n${','.repeat(1_000_000)}\n`))).toEqual([{ plate: 'A 1', km: '5' }, 'too_long']);
  });

  test('a nameless column is allowed while it is empty', async () => {
    expect(cellsOf(await read('plate;km;\nA 1;5;\nA 2;6;x\n'))).toEqual([{ plate: 'A 1', km: '5' }, 'unknown_field']);
  });

  test.each([
    ['an unknown column', 'plate,colour,gizli\nA 1,x,y\n', /unknown columns "colour", "gizli"; allowed are brand, plate, km/],
    ['a column twice', 'plate,km,plate\n', /has the column "plate" more than once/],
    ['no column', ',,\n', /no column names/],
    ['an empty file', '', /is empty/],
    ['a file of blanks', '\uFEFF \n\n', /is empty/],
    ['an endless header', `${'x,'.repeat(100_000)}\n`, /header of .* is longer than/],
    ['a header of one endless word', 'x'.repeat(3_000_000), /header of .* is longer than/],
    ['UTF-16', Buffer.from('\uFEFFplate,km\nA 1,5\n', 'utf16le'), /is not UTF-8/],
    ['Latin-5', Buffer.concat([Buffer.from('plate,brand\nA 1,'), Buffer.of(0xde), Buffer.from('koda\n')]), /is not UTF-8/],
    ['a letter cut at the end', Buffer.concat([Buffer.from('plate,brand\nA 1,'), Buffer.of(0xc5)]), /is not UTF-8/],
  ])('%s is one clear error for the file', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  test('a file with late invalid UTF-8 returns nothing', async () => {
    const path = join(folder, 'late.csv');
    await writeFile(path, Buffer.concat([Buffer.from(`plate,km\n${'A 1,5\n'.repeat(50_000)}`), Buffer.of(0xff)]));
    await expect(openImportFile(path)).rejects.toThrow('is not UTF-8');
  });

  test('other delimiters inside quoted cells do not count', async () => {
    for (const cell of ['",;,,"', '"a,b\n,,c"', '"say ""x"",,,"']) {
      const [row] = await read(`plate;description\nP;${cell}\nQ;${cell}\n`, 'quoted.csv');
      expect(row).toMatchObject({ cells: { plate: 'P' } });
    }
  });

  test('reads back any cells, for any chunks', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ş', '"', ',', ';', '\n', '\r\n', '𝒳', ' b') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';'),
        fc.nat(70_000),
        async (cells, delimiter, pad) => {
          const quoted = cells.map((text) => `P${delimiter}"${text.replaceAll('"', '""')}"`);
          const filler = `F${delimiter}"${'x'.repeat(Math.min(pad, 60_000))}"\n${'F;'.replace(';', delimiter)}y\n`;
          const rows = await read(`plate${delimiter}description\n${filler}${quoted.join('\n')}\n`, 'random.csv');
          expect(cellsOf(rows).slice(2)).toEqual(
            cells.map((text) => (text.trim() === '' ? { plate: 'P' } : { plate: 'P', description: text.trim() })),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('ndjson', () => {
  const lines = (...rows: string[]) => read(rows.join('\n'), 'file.ndjson');

  test('accepts one object per line; skips blank lines, and treats null and empty text as absent', async () => {
    const rows = await lines('{"brand":"Škoda","km":5,"plate":null}', '', '  ', '{"plate":" A 1 ","brand":""}\r', '');
    expect(rows).toEqual([
      { row: 1, cells: { brand: 'Škoda', km: 5 } },
      { row: 2, cells: { plate: 'A 1' } },
    ]);
  });

  test('a line that is not an object is a bad row, and the next is read', async () => {
    const rows = await lines('{"km":', '[1]', 'null', '"x"', '{"km":1}', `{"brand":"${'x'.repeat(70_000)}"}`, '{"km":2}');
    expect(cellsOf(rows)).toEqual([
      'invalid_json',
      'invalid_row',
      'invalid_row',
      'invalid_row',
      { km: 1 },
      'too_long',
      { km: 2 },
    ]);
    expect(rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('a line of a hundred megabytes is not held in memory', async () => {
    const path = join(folder, 'long.ndjson');
    await writeFile(path, Buffer.alloc(100 * 1024 * 1024, 'x'));
    const before = process.memoryUsage().rss;
    const rows = await Array.fromAsync((await openImportFile(path)).rows(FIELDS));
    expect(cellsOf(rows)).toEqual(['too_long']);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024);
  });

  test('a line with extreme nesting is a bad row, and the next is read', async () => {
    const deep = `{"km":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect(cellsOf(await lines(deep, '{"km":1}'))).toEqual(['too_deep', { km: 1 }]);
  });

  test('a name like __proto__ is an ordinary name', async () => {
    const [row] = await lines('{"__proto__":{"km":5}}');
    expect(Object.keys((row as ImportRow).cells)).toEqual(['__proto__']);
  });
});

test('refuses an unknown file format', async () => {
  await expect(openImportFile(join(folder, 'absent.csv'))).rejects.toThrow('there is no file');
  await expect(openImportFile(folder)).rejects.toThrow('must end in .csv, .xlsx or .ndjson');
  await expect(openImportFile(join(folder, 'x.xls'))).rejects.toThrow('must end in .csv, .xlsx or .ndjson');
  await expect(openImportFile('/dev/null/x.csv')).rejects.toThrow('there is no file');
});
