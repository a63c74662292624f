// Records of an XML source, one at a time, as columns: child elements by their names, attributes by their names with an @ prefix.
import { type XmlElement, XmlError, XmlTooLarge, xmlRecords } from '../../formats/xml.ts';
import { xmlTags } from '../../formats/xml-tags.ts';
import { FeedFailure, MAX_COLUMN_LENGTH, MAX_ROW_LENGTH, type SourceRow } from '../feed-row.ts';

const MAX_DEPTH = 32;
const MAX_ELEMENTS = 10_000_000;
const ANY = '*';

/** `path`: names that lead to the records, with or without the root's name; empty if the records are the root's children. */
export async function* readXmlRecords(
  texts: () => AsyncIterable<string>,
  path: readonly string[],
  maxBytes: number,
): AsyncGenerator<SourceRow> {
  const names = path.length === 0 ? [ANY, ANY] : (await rootOf(texts())) === path[0] ? path : [ANY, ...path];
  // The text is decoded already, so it is passed on as UTF-8 with a byte order mark, which overrides its declaration.
  const limits = { bytes: maxBytes * 4 + 3, depth: MAX_DEPTH, record: MAX_ROW_LENGTH, elements: MAX_ELEMENTS };
  let row = 0;
  try {
    for await (const element of xmlRecords(bytesOf(texts()), names, limits)) {
      row += 1;
      const cells: Record<string, unknown> = Object.create(null);
      flatten(element, '', cells);
      yield { row, cells };
    }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const [code, tr] =
      error instanceof XmlTooLarge
        ? (['source_too_large', 'Kaynak çok büyük; daha küçük dosyalara bölün'] as const)
        : (['source_unreadable', 'Kaynak okunamadı; XML’i kontrol edin'] as const);
    throw new FeedFailure(code, { en: `The source cannot be read: ${error.message}`, tr });
  }
  if (row > 0 || path.length === 0) return;
  throw new FeedFailure('record_path_not_found', {
    en: 'There is no element at record_path',
    tr: 'record_path ile gösterilen yerde bir öğe yok',
  });
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.of(0xef, 0xbb, 0xbf);
  for await (const text of texts) yield Buffer.from(text);
}

/** The name of the first tag that is not a declaration or inside a comment; null if there is none within the row limit. */
async function rootOf(texts: AsyncIterable<string>): Promise<string | null> {
  let head = '';
  let looked = 0;
  for await (const text of texts) {
    head += text;
    // Scanned again only when the text has doubled, not with every small piece.
    if (head.length < 2 * looked) continue;
    looked = head.length;
    const root = firstTag(head);
    if (root !== null || head.length > MAX_ROW_LENGTH) return root;
  }
  return firstTag(head);
}

function firstTag(head: string): string | null {
  for (const { name } of xmlTags(head)) return name.normalize('NFC');
  return null;
}

/** If several elements have one name, the first non-empty one counts. */
function flatten(element: XmlElement, prefix: string, into: Record<string, unknown>): void {
  const put = (column: string, text: string) => {
    if (text !== '' && column.length <= MAX_COLUMN_LENGTH && into[column] === undefined) into[column] = text;
  };
  for (const [name, value] of Object.entries(element.attributes)) put(`${prefix}@${name}`.normalize('NFC'), value.trim());
  for (const child of element.children) {
    const column = `${prefix}${child.name}`.normalize('NFC');
    put(column, child.text);
    if (column.length <= MAX_COLUMN_LENGTH) flatten(child, `${column}.`, into);
  }
}
