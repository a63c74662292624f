// Excel workbooks as a source: those of Excel, LibreOffice and Sheets, and hostile ones.
import { describe, expect, test } from 'vitest';
import { FeedFailure, type SourceRow } from '../../../src/domain/imports/feed-row.ts';
import { readSource } from '../../../src/domain/imports/feeds/feed-source.ts';
import type { SourceForm } from '../../../src/domain/imports/source-form.ts';
import { sheetRows, type TestBook, workbookFile, zipFile } from '../../support/workbooks.ts';

const FORM: SourceForm = { type: 'csv', delimiter: null, encoding: null, record_path: null, sheet: null };

const pieces = (bytes: Buffer, size = 1000) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

const read = (bytes: Buffer, sheet: string | null = null): Promise<SourceRow[]> =>
  Array.fromAsync(readSource({ ...FORM, sheet }, pieces(bytes)));
const readBook = (book: TestBook, sheet: string | null = null) => read(workbookFile(book), sheet);
const cellsOf = (rows: readonly SourceRow[]) =>
  rows.map((row) => {
    if (!('cells' in row)) return row.problem.code;
    return row.broken === undefined ? { ...row.cells } : Object.values(row.broken)[0]!.code;
  });

const failure = async (bytes: Buffer, sheet: string | null = null): Promise<string> => {
  try {
    await read(bytes, sheet);
  } catch (error) {
    if (error instanceof FeedFailure) return error.code;
    throw error;
  }
  return 'none';
};

describe('a workbook', () => {
  test('returns texts, numbers, dates and booleans as Excel stores them', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="171" formatCode="#,##0.00\\ &quot;day&quot;"/>
      <numFmt numFmtId="172" formatCode="[$-41F]d mmmm yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs></styleSheet>`;
    const strings =
      '<si><t>Plaka</t></si><si><r><rPr><b/></rPr><t>Fiy</t></r><r><t>at</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si><si><t>34 ABC 12</t></si>';
    const sheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>Alış</t></is></c><c r="D1" t="inlineStr"><is><t>Hasar</t></is></c><c r="E1" t="str"><v>Kat</v></c><c r="F1" t="inlineStr"><is><t>Giriş</t></is></c></row>
      <row r="2"/><row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" s="3"><v>14500.300000000001</v></c><c r="C3" s="1"><v>45992</v></c><c r="D3" t="b"><v>1</v></c><c r="E3"><f>1+1</f><v>2</v></c><c r="F3" s="4"><v>45992.75</v></c></row>
      <row><c t="inlineStr"><is><t>AB 1</t></is></c><c><v>1E3</v></c><c s="2"><v>45993</v></c></row>`;
    expect(cellsOf(await readBook({ sheets: { Stok: sheet }, strings, styles }))).toEqual([
      { Plaka: '34 ABC 12', Fiyat: 14500.3, Alış: '2025-12-01', Hasar: true, Kat: 2, Giriş: '2025-12-01 18:00:00' },
      { Plaka: 'AB 1', Fiyat: 1000, Alış: '2025-12-02' },
    ]);
  });

  test('of another producer: prefixes, dates from 1904, other folders, its first sheet or the named one', async () => {
    const rows =
      '<x:row><x:c t="inlineStr"><x:is><x:t>Gün</x:t></x:is></x:c></x:row><x:row><x:c s="1"><x:v>44530</x:v></x:c></x:row>';
    const parts = [
      { name: 'xl/worksheets/sheet1.xml', content: `<x:worksheet xmlns:x="y"><x:sheetData>${rows}</x:sheetData></x:worksheet>` },
    ];
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>';
    const book = { sheets: { Bir: '', İki: sheetRows([['a'], ['b']]) }, parts, styles, properties: '<workbookPr date1904="1"/>' };
    expect(cellsOf(await readBook(book))).toEqual([{ Gün: '2025-12-01' }]);
    expect(cellsOf(await readBook(book, 'İki'))).toEqual([{ a: 'b' }]);
    expect(await failure(workbookFile(book), 'Üç')).toBe('sheet_not_found');
  });

  test('is read under any name, and its columns are found even if no row fills them', async () => {
    const seen: string[] = [];
    const bytes = workbookFile({ sheets: { a: sheetRows([['Plaka', 'Marka', '', 'Marka']]) } });
    expect(await Array.fromAsync(readSource(FORM, pieces(bytes, 3), { see: (column) => seen.push(column) }))).toEqual([]);
    expect(seen).toEqual(['Plaka', 'Marka (B)', 'Marka (D)']);
  });

  test('never evaluates a formula: one without a stored value, or that failed, is an error of its cell', async () => {
    const head = sheetRows([['Plaka', 'KM']]);
    const row = (cell: string) => `<row><c t="inlineStr"><is><t>AB 1</t></is></c><c r="B2"${cell}</c></row>`;
    const rows = `${head}${row('><f>WEBSERVICE("http://127.0.0.1")</f>')}${row(' t="e"><f>1/0</f><v>#DIV/0!</v>')}${row(' t="str"><f>A1</f><v>77</v>')}${row(' t="s"><v>9</v>')}${row('><v>NaN</v>')}`;
    expect(cellsOf(await readBook({ sheets: { a: rows } }))).toEqual([
      'formula_without_value',
      'formula_error',
      { Plaka: 'AB 1', KM: '77' },
      'invalid_cell',
      'invalid_cell',
    ]);
  });
});

describe('a hostile file', () => {
  test('that unpacks to much more than its size, or to hundreds of megabytes, is refused before it is unpacked', async () => {
    const content = Buffer.alloc(20 * 1024 * 1024, '<row/>');
    const name = 'xl/worksheets/sheet1.xml';
    const bomb = workbookFile({ parts: [{ name, content }], sheets: { a: '' } });
    expect(bomb.length).toBeLessThan(100 * 1024);
    const before = process.memoryUsage().rss;
    expect(await failure(bomb)).toBe('source_too_large');
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `x${index}`, content: 'x', says: { size: 1024 * 1024 } }));
    expect(await failure(workbookFile({ parts: many, sheets: { a: '' } }))).toBe('source_too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  test('that declares less than it unpacks to, or other bytes, is refused while it is unpacked', async () => {
    const rows = sheetRows([['a'], ['b'.repeat(5000)]]);
    const content = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const part = (says: object) =>
      workbookFile({ sheets: { a: '' }, parts: [{ name: 'xl/worksheets/sheet1.xml', content, says }] });
    expect(await failure(part({ size: 200 }))).toBe('source_unreadable');
    expect(await failure(part({ crc: 7 }))).toBe('source_unreadable');
    expect(await failure(part({ flags: 1 }))).toBe('source_unreadable');
    expect(await failure(part({ method: 12 }))).toBe('source_unreadable');
  });

  test('that is not a workbook, is truncated, or has odd or too many names is refused', async () => {
    const whole = workbookFile({ sheets: { a: sheetRows([['a'], ['b']]) } });
    for (const cut of [5, 40, 200, whole.length - 30, whole.length - 1])
      expect(await failure(whole.subarray(0, cut)), `cut at ${cut}`).toBe('source_unreadable');
    const zip = (...names: string[]) => zipFile(names.map((name) => ({ name, content: 'x' })));
    for (const names of [['a.txt'], ['../../etc/x'], ['/x'], ['C:\\x'], ['a', 'A'], ['mimetype', 'content.xml']])
      expect(await failure(zip(...names)), names.join()).toBe('source_unreadable');
    expect(await failure(zip(...Array.from({ length: 1001 }, (_, index) => `f${index}`)))).toBe('source_too_large');
  });

  test('with a document type, recursive entities, or external parts is refused or ignored', async () => {
    const dtd = '<!DOCTYPE w [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
    const content = `${dtd}<worksheet><sheetData><row><c t="inlineStr"><is><t>&b;&c;</t></is></c></row></sheetData></worksheet>`;
    for (const name of ['xl/worksheets/sheet1.xml', 'xl/workbook.xml', 'xl/styles.xml', 'xl/sharedStrings.xml', '_rels/.rels'])
      expect(await failure(workbookFile({ sheets: { a: '' }, parts: [{ name, content }] })), name).toBe('source_unreadable');
    const away = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="http://127.0.0.1/x.xml" TargetMode="External"/></Relationships>`;
    const book = { sheets: { a: sheetRows([['a'], ['b']]) }, parts: [{ name: 'xl/_rels/workbook.xml.rels', content: away }] };
    expect(await failure(workbookFile(book))).toBe('sheet_not_found');
  });

  test('with invalid cell addresses is refused', async () => {
    const relations = (target: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="x/officeDocument" Target="${target}"/></Relationships>`;
    for (const target of ['//[', 'http://', 'http://a b:99999/', 'file://%zz', '//:x'])
      expect(
        await failure(workbookFile({ sheets: { a: '' }, parts: [{ name: '_rels/.rels', content: relations(target) }] })),
        target,
      ).toBe('source_unreadable');
  });

  test('with a million texts too many, or one long text that every row refers to, is refused in bounded memory', async () => {
    const many = '<si><t>aaaaaaaaaa</t></si>'.repeat(1_000_001);
    expect(await failure(workbookFile({ sheets: { a: sheetRows([['a'], ['b']]) }, strings: many }))).toBe('source_too_large');
    const noise = Array.from({ length: 3000 }, (_, index) => index.toString(36)).join('');
    const rows = `<row><c t="inlineStr"><is><t>a</t></is></c></row>${'<row><c t="s"><v>0</v></c></row>'.repeat(20_000)}`;
    expect(await failure(workbookFile({ sheets: { a: rows }, strings: `<si><t>${noise}</t></si>` }))).toBe('source_too_large');
  });

  test('with a million rows is read row by row', async () => {
    const rows = Array.from({ length: 1_000_000 }, (_, index) => `<row><c><v>${(index * 7919) % 99_991}</v></c></row>`).join('');
    const bytes = workbookFile({ sheets: { a: `${sheetRows([['a']])}${rows}` } });
    let count = 0;
    let top = 0;
    const before = process.memoryUsage().heapUsed;
    for await (const _ of readSource(FORM, pieces(bytes, 65_536))) {
      count += 1;
      if (count % 10_000 === 0) top = Math.max(top, process.memoryUsage().heapUsed - before);
      if (count > 100_000) break;
    }
    expect(count).toBe(100_001);
    expect(top).toBeLessThan(150 * 1024 * 1024);
  });

  test('with a cell at the last address costs no more than its cell', async () => {
    const rows =
      '<row><c r="XFD1" t="inlineStr"><is><t>a</t></is></c></row><row><c r="ZZZZ1"><v>1</v></c><c r="XFD2"><v>2</v></c></row>';
    expect(cellsOf(await readBook({ sheets: { a: rows } }))).toEqual([{ a: 2 }]);
  });
});
