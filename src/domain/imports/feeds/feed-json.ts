// Reads the records of a JSON source one at a time. The text is scanned without being parsed until the list of records is found;
// then each record is cut out and parsed separately. Only one record is in memory, however large or deep the rest is.
import { badRow, FeedFailure, MAX_COLUMN_LENGTH, MAX_ROW_LENGTH, type SourceRow, tooLong } from '../feed-row.ts';

/** `path`: names that lead to the list; empty if the source is the list itself. */
export async function* readJsonRecords(texts: AsyncIterable<string>, path: readonly string[]): AsyncGenerator<SourceRow> {
  const walk = new Walk(path);
  let row = 0;
  for await (const text of texts) {
    for (const record of walk.read(text)) {
      row += 1;
      yield record === null ? tooLong(row) : rowOf(row, record);
    }
  }
  walk.end();
}

const MAX_DEPTH = 64;
const MAX_KEY_LENGTH = 1000;

const unreadable = (en: string, tr: string) => new FeedFailure('source_unreadable', { en, tr });
const broken = () => unreadable('The source is not well-formed JSON', 'Kaynak geçerli bir JSON değil');

interface Level {
  readonly isList: boolean;
  /** The name of the object's current member, once it is read. */
  key: string | null;
  expectsKey: boolean;
}

class Walk {
  readonly #path: readonly string[];
  readonly #levels: Level[] = [];
  #isFound = false;
  #isOver = false;
  /** The depth of the list of records while the scan is inside it. */
  #listDepth = 0;
  #inString = false;
  #isEscaped = false;
  #isKey = false;
  #key = '';
  /** The beginning of the current record from earlier pieces, and whether it is still being collected. */
  #held = '';
  #isCapturing = false;
  #isLong = false;

  constructor(path: readonly string[]) {
    this.#path = path;
  }

  /** The records that end in this piece of text; null for a record that is too long. */
  read(text: string): (string | null)[] {
    const records: (string | null)[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (this.#inString) {
        at = this.#readString(text, at);
        continue;
      }
      const char = text[at]!;
      if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
      const isEnd = char === ',' || char === ']';
      const isAtList = this.#listDepth > 0 && this.#levels.length === this.#listDepth;
      if (isAtList && this.#isCapturing && isEnd) {
        this.#hold(text.slice(start, at));
        records.push(this.#isLong ? null : this.#held);
        this.#isCapturing = false;
      } else if (isAtList && !this.#isCapturing && !isEnd) {
        [this.#isCapturing, this.#isLong, this.#held] = [true, false, ''];
        start = at;
      }
      if (char === '"') this.#beginString();
      else if (!/[-+.0-9A-Za-z]/.test(char)) this.#mark(char);
      else if (this.#levels.length === 0) throw broken();
    }
    if (this.#isCapturing) this.#hold(text.slice(start));
    return records;
  }

  end(): void {
    if (this.#inString || !this.#isOver) throw broken();
    if (this.#isFound) return;
    throw new FeedFailure('record_path_not_found', {
      en: 'There is no list of records at record_path',
      tr: 'record_path ile gösterilen yerde bir kayıt listesi yok',
    });
  }

  #hold(piece: string): void {
    if (this.#held.length + piece.length > MAX_ROW_LENGTH) this.#isLong = true;
    this.#held = this.#isLong ? '' : this.#held + piece;
  }

  #mark(char: string): void {
    const level = this.#levels.at(-1);
    if (char === '{' || char === '[') this.#open(char === '[');
    else if (char === '}' || char === ']') this.#close(char === ']');
    else if (char === ',' && level !== undefined) level.expectsKey = !level.isList;
    else if (char === ':' && level !== undefined && !level.isList) level.expectsKey = false;
    else if (char === ',' || char === ':' || level === undefined) throw broken();
  }

  #open(isList: boolean): void {
    if (this.#isOver) throw broken();
    if (isList && this.#listDepth === 0 && this.#isAtPath()) {
      this.#isFound = true;
      this.#listDepth = this.#levels.length + 1;
    }
    this.#levels.push({ isList, key: null, expectsKey: !isList });
    if (this.#levels.length > MAX_DEPTH)
      throw unreadable(`The source is nested more than ${MAX_DEPTH} deep`, `Kaynak ${MAX_DEPTH} düzeyden daha derin`);
  }

  #isAtPath(): boolean {
    const path = this.#path;
    return this.#levels.length === path.length && this.#levels.every(({ isList, key }, index) => !isList && key === path[index]);
  }

  #close(isList: boolean): void {
    if (this.#levels.pop()?.isList !== isList) throw broken();
    if (this.#levels.length < this.#listDepth) this.#listDepth = 0;
    this.#isOver = this.#levels.length === 0;
  }

  #beginString(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) throw broken();
    this.#inString = true;
    // Inside a record names are not needed, because the record is parsed separately.
    this.#isKey = !this.#isCapturing && level.expectsKey;
    this.#key = '';
  }

  /** The index of the string's last character, or the end of the text if the string continues in the next piece. */
  #readString(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === 0x5c) this.#isEscaped = true;
      else if (code === 0x22) {
        this.#inString = false;
        break;
      }
    }
    if (this.#isKey) this.#takeKey(text.slice(from, at));
    return at;
  }

  #takeKey(piece: string): void {
    this.#key += piece;
    if (this.#key.length > MAX_KEY_LENGTH) throw broken();
    if (this.#inString) return;
    this.#isKey = false;
    this.#levels.at(-1)!.key = decodeName(this.#key);
  }
}

function decodeName(escaped: string): string {
  try {
    return (JSON.parse(`"${escaped}"`) as string).normalize('NFC');
  } catch {
    throw broken();
  }
}

function rowOf(row: number, text: string): SourceRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return badRow(row, 'invalid_json', { en: 'The record is not valid JSON', tr: 'Kayıt geçerli JSON değil' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return badRow(row, 'invalid_row', { en: 'The record is not a JSON object', tr: 'Kayıt bir JSON nesnesi değil' });
  const cells: Record<string, unknown> = Object.create(null);
  flatten(value, '', cells);
  return { row, cells };
}

/** Members of objects inside a record become columns with dots in their names: {"arac":{"marka":…}} has the column arac.marka. */
function flatten(value: object, prefix: string, into: Record<string, unknown>): void {
  for (const [name, member] of Object.entries(value)) {
    const column = `${prefix}${name}`.normalize('NFC');
    if (column.length > MAX_COLUMN_LENGTH) continue;
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) flatten(member, `${column}.`, into);
    else if (typeof member === 'string' && member.trim() !== '') into[column] = member.trim();
    else if (typeof member !== 'string' && member !== null) into[column] = member;
  }
}
