// A table as a file: the same rows in both formats, read no faster than they are consumed, and with turns for other work between
// its pages.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type FileTable, writeTable } from '../../../src/domain/formats/table-write.ts';
import { openWorkbook } from '../../../src/domain/formats/xlsx-read.ts';
import type { XlsxCell } from '../../../src/domain/formats/xlsx-write.ts';
import { openZip, unpack } from '../../../src/domain/formats/zip.ts';

const COLUMNS = [
  { title: 'Ad', kind: 'text' },
  { title: 'Tutar', kind: 'money' },
  { title: 'Adet', kind: 'number' },
  { title: 'Gün', kind: 'day' },
  { title: 'Zaman', kind: 'moment' },
] as const;
const ROW = ['=1+1', '-14500.50', 3, '2026-11-15', '2026-11-15T09:30:00'] as const;
const PAGES = 100;
const ROWS_PER_PAGE = 100;

/** Pages that arrive like a database's answers: not in the same turn. */
function table(pages: number, seen: { pulled: number } = { pulled: 0 }): FileTable {
  const rows = async function* (): AsyncGenerator<readonly (readonly XlsxCell[])[]> {
    for (; seen.pulled < pages; seen.pulled += 1) {
      await turn();
      yield Array.from({ length: ROWS_PER_PAGE }, (_, index) => [
        `${ROW[0]} ${seen.pulled * ROWS_PER_PAGE + index}`,
        ...ROW.slice(1),
      ]);
    }
  };
  return { name: 'Liste', columns: COLUMNS, pages: rows() };
}

const bytesOf = async (form: 'csv' | 'xlsx', of: FileTable, locale: 'tr' | 'en' = 'tr'): Promise<Buffer> =>
  Buffer.concat((await Array.fromAsync(writeTable(form, of, locale))).map((piece) => Buffer.from(piece)));

describe('a table as a file', () => {
  test('has amounts as the reader’s spreadsheet expects them, and no formulas', async () => {
    const lines = (locale: 'tr' | 'en') => bytesOf('csv', table(1), locale).then((bytes) => bytes.toString().split('\r\n'));
    expect((await lines('tr')).slice(0, 2)).toEqual([
      '\ufeffAd;Tutar;Adet;Gün;Zaman',
      '\'=1+1 0;"-14500,50";3;2026-11-15;2026-11-15T09:30:00',
    ]);
    expect((await lines('en')).slice(0, 2)).toEqual([
      '\ufeffAd,Tutar,Adet,Gün,Zaman',
      "'=1+1 0,-14500.50,3,2026-11-15,2026-11-15T09:30:00",
    ]);
  });

  test('is the same table in Excel, with native numbers, dates and times', async () => {
    const bytes = await bytesOf('xlsx', table(1));
    const rows = await Array.fromAsync((await openWorkbook(bytes)).rows(null));
    expect(rows.length).toBe(ROWS_PER_PAGE + 1);
    expect(rows[1]!.cells.map(({ value }) => value).slice(0, 4)).toEqual(['=1+1 0', -14500.5, 3, '2026-11-15']);
    const sheet = openZip(bytes, { entries: 100, bytes: 1e7, ratio: 1000 }).get('xl/worksheets/sheet1.xml')!;
    const xml = Buffer.concat(await Array.fromAsync(unpack(sheet))).toString();
    expect(xml).toContain('<c r="D2" s="4"><v>46341</v></c><c r="E2" s="5"><v>46341.395833</v></c>');
    expect(xml).not.toMatch(/<f[ >]/);
  });

  test.each(['csv', 'xlsx'] as const)('of 10 000 rows as %s yields to other work between its pages', async (form) => {
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; turns += 1) await turn();
    })();
    const bytes = await bytesOf(form, table(PAGES));
    isOver = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(PAGES);
    const text = form === 'csv' ? bytes.toString() : '';
    const count =
      form === 'csv' ? text.split('\r\n').length - 2 : (await Array.fromAsync((await openWorkbook(bytes)).rows(null))).length - 1;
    expect(count).toBe(PAGES * ROWS_PER_PAGE);
  });

  test.each(['csv', 'xlsx'] as const)(
    'as %s reads only as fast as it is consumed, so that its length takes no memory',
    async (form) => {
      const seen = { pulled: 0 };
      const pieces = writeTable(form, table(PAGES * 10, seen), 'tr');
      // An archive starts with its small parts.
      for (let taken = 0; taken < 20; taken += 1) await pieces.next();
      for (let waited = 0; waited < 200; waited += 1) await turn();
      expect(seen.pulled).toBeGreaterThan(0);
      expect(seen.pulled).toBeLessThan(PAGES);
      await pieces.return(undefined);
    },
  );
});
