// Workbooks for tests, built part by part, so that broken and hostile ones can be built too.
import { crc32, deflateRawSync } from 'node:zlib';

export interface TestPart {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the directory declares about it, if that differs. */
  readonly says?: { readonly size?: number; readonly crc?: number; readonly flags?: number; readonly method?: number };
  readonly stored?: true;
}

/** A zip file with sizes in its headers, as Excel writes them. */
export function zipFile(parts: readonly TestPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, says = {}, stored } of parts) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const title = Buffer.from(name);
    const method = says.method ?? (stored ? 0 : 8);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(says.flags ?? 0, 6);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(says.crc ?? crc32(bytes), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(says.size ?? bytes.length, 22);
    head.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    head.copy(entry, 8, 6, 28);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(offset, 42);
    pieces.push(head, title, packed);
    directory.push(entry, title);
    offset += head.length + title.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface TestBook {
  /** The rows of each sheet as XML. */
  readonly sheets?: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  readonly properties?: string;
  /** Parts that replace the usual ones. */
  readonly parts?: readonly TestPart[];
}

/** A workbook in Excel's layout: texts separately, the sheets by their relations. */
export function workbookFile({ sheets = {}, strings, styles, properties = '', parts = [] }: TestBook): Buffer {
  const names = Object.keys(sheets);
  const targets = [
    ...names.map(
      (_, index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    ),
    `<Relationship Id="rId90" Type="${OFFICE}/styles" Target="styles.xml"/>`,
    `<Relationship Id="rId91" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/>`,
  ];
  const usual: TestPart[] = [
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content: `<Relationships><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="${OFFICE}">${properties}<sheets>${names
        .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${targets.join('')}</Relationships>` },
    ...names.map((name, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
    })),
    ...(styles === undefined ? [] : [{ name: 'xl/styles.xml', content: styles }]),
    ...(strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` }]),
  ];
  const replaced = new Set(parts.map(({ name }) => name));
  return zipFile([...usual.filter(({ name }) => !replaced.has(name)), ...parts]);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const letter = (index: number): string => String.fromCharCode(65 + index);

/** Rows of texts and numbers, with inline texts. */
export const sheetRows = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows
    .map((row, at) => {
      const cells = row.map((value, index) => {
        const place = `${letter(index)}${at + 1}`;
        if (value === null) return '';
        if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
        return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
      });
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    })
    .join('');

/** A workbook of some hundred kilobytes whose shared strings are `count` elements that are not strings. */
export function workbookOfElements(count: number): Buffer {
  // Names differ here and there, because a part that compresses better than 100 to 1 is refused for that.
  const elements = Array.from({ length: count }, (_, at) => (at % 40 === 0 ? `<q${(at * 7919).toString(36)}/>` : '<a/>'));
  return workbookFile({ sheets: { Stok: sheetRows([['Plaka'], ['AB 1']]) }, strings: elements.join('') });
}
