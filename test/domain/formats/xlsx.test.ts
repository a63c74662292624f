// Workbooks that we write: reading them returns the same content, numbers and dates are native, and no text is a formula.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openWorkbook } from '../../../src/domain/formats/xlsx-read.ts';
import { writeXlsx, type XlsxSheet } from '../../../src/domain/formats/xlsx-write.ts';
import { openZip, unpack } from '../../../src/domain/formats/zip.ts';

const bytesOf = async (sheets: readonly XlsxSheet[]): Promise<Buffer> => Buffer.concat(await Array.fromAsync(writeXlsx(sheets)));
const back = async (bytes: Buffer, sheet: string | null = null) =>
  (await Array.fromAsync((await openWorkbook(bytes)).rows(sheet))).map(({ cells }) => cells.map(({ value }) => value));
const LIMITS = { entries: 100, bytes: 1e7, ratio: 1000 };
const partOf = async (bytes: Buffer, name: string): Promise<string> =>
  Buffer.concat(await Array.fromAsync(unpack(openZip(bytes, LIMITS).get(name)!))).toString();

const text = (title: string) => ({ title, kind: 'text' as const });

describe('a workbook that we write', () => {
  test('has native numbers, amounts, ratios and dates, and texts as texts', async () => {
    const columns = [
      text('Plaka'),
      { title: 'KM', kind: 'number' },
      { title: 'Fiyat', kind: 'money' },
      { title: 'Oran', kind: 'ratio' },
      { title: 'Gün', kind: 'day' },
      text('Var'),
    ] as const;
    const rows = [
      ['34 ABC 12', 5000, '-14500.50', '0.8125', '2026-11-15', true],
      ['007', 0, '1234567890123456.78', null, 'yarın', false],
    ];
    const bytes = await bytesOf([{ name: 'Araçlar', columns, rows }]);
    expect(await back(bytes)).toEqual([
      ['Plaka', 'KM', 'Fiyat', 'Oran', 'Gün', 'Var'],
      ['34 ABC 12', 5000, -14500.5, 0.8125, '2026-11-15', true],
      // Numbers with more digits than Excel keeps stay exact, as text.
      ['007', 0, '1234567890123456.78', 'yarın', false],
    ]);
    const xml = await partOf(bytes, 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<c r="C2" s="2"><v>-14500.50</v></c>');
    expect(xml).toContain('<c r="E2" s="4"><v>46341</v></c>');
  });

  test('never has a formula, for any start of a text', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("http://x","y")', "'=1", '<f>1+1</f>'];
    const bytes = await bytesOf([{ name: 'a', columns: [text('=A1')], rows: texts.map((one) => [one]) }]);
    const xml = await partOf(bytes, 'xl/worksheets/sheet1.xml');
    expect(xml).not.toMatch(/<f[ >]/);
    expect(xml.match(/<c /g)?.length).toBe(texts.length + 1);
    expect(xml.match(/t="inlineStr"/g)?.length).toBe(texts.length + 1);
  });

  test('returns any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1, maxLength: 5 }), async (texts) => {
        const rows = await back(await bytesOf([{ name: 'a', columns: [text('a')], rows: texts.map((one) => [one]) }]));
        const kept = texts.map((one) => one.toWellFormed().trim()).filter((one) => one !== '');
        expect(rows.slice(1).map(([one]) => one)).toEqual(kept);
      }),
      { numRuns: 20 },
    );
  });

  test('has valid sheet names, and the same bytes for the same rows', async () => {
    const sheets = ['Satış: [2026]/11', 'x'.repeat(40), 'X'.repeat(40), ''].map((name) => ({
      name,
      columns: [text('a')],
      rows: [['b']],
    }));
    const bytes = await bytesOf(sheets);
    const names = (await openWorkbook(bytes)).sheets;
    expect(names).toEqual(['Satış   2026  11', 'x'.repeat(31), `${'X'.repeat(27)} 3`, 'Sayfa']);
    expect(await back(bytes, 'Sayfa')).toEqual([['a'], ['b']]);
    expect((await bytesOf(sheets)).equals(bytes)).toBe(true);
  });

  test('ends with the failure of its source', async () => {
    const rows = async function* () {
      yield ['a'];
      throw new Error('gone');
    };
    await expect(bytesOf([{ name: 'a', columns: [text('a')], rows: rows() }])).rejects.toThrow('gone');
  });
});
