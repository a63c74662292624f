// Records of a JSON source, one at a time. The text is walked without being understood until the list of records is found; then each
// record is cut out and read by itself. Nothing is held but the record under way, however large or deep the rest is.
import { badRow, FeedFailure, LONGEST_ROW, type SourceRow, tooLong } from './feed-row.ts';

/** Names that lead to the list; none where the source is the list itself. */
export async function* readJsonRecords(texts: AsyncIterable<string>, path: readonly string[]): AsyncGenerator<SourceRow> {
  const walk = createWalk(path);
  let row = 0;
  for await (const text of texts) {
    for (const record of walk.read(text)) {
      row += 1;
      yield record === null ? tooLong(row) : rowOf(row, record);
    }
  }
  walk.end();
}

const DEEPEST = 64;
const LONGEST_KEY = 1000;

const unreadable = (en: string, tr: string) => new FeedFailure('source_unreadable', { en, tr });
const broken = () => unreadable('The source is not well-formed JSON', 'Kaynak geçerli bir JSON değil');

interface Level {
  readonly isList: boolean;
  /** Of an object: the member under way, once its name is read. */
  key: string | null;
  expectsKey: boolean;
}

interface Walk {
  /** The records that end in this piece of text; null for one that is too long to be held. */
  read(text: string): (string | null)[];
  end(): void;
}

function createWalk(path: readonly string[]): Walk {
  const levels: Level[] = [];
  let isFound = false;
  let isOver = false;
  /** Depth of the list of records while we are in it. */
  let listDepth = 0;
  let inString = false;
  let isEscaped = false;
  let isKey = false;
  let key = '';
  /** The record under way: what earlier pieces held of it, and whether it is still held. */
  let held = '';
  let isCapturing = false;
  let isLong = false;

  const hold = (piece: string) => {
    if (held.length + piece.length > LONGEST_ROW) isLong = true;
    held = isLong ? '' : held + piece;
  };
  const isList = () =>
    levels.length === path.length && levels.every(({ isList: list, key: name }, place) => !list && name === path[place]);
  const open = (list: boolean) => {
    if (isOver) throw broken();
    if (list && listDepth === 0 && isList()) {
      isFound = true;
      listDepth = levels.length + 1;
    }
    levels.push({ isList: list, key: null, expectsKey: !list });
    if (levels.length > DEEPEST)
      throw unreadable(`The source is nested more than ${DEEPEST} deep`, `Kaynak ${DEEPEST} düzeyden daha derin`);
  };
  const close = (list: boolean) => {
    if (levels.pop()?.isList !== list) throw broken();
    if (levels.length < listDepth) listDepth = 0;
    isOver = levels.length === 0;
  };
  const mark = (char: string) => {
    const level = levels.at(-1);
    if (char === '{' || char === '[') open(char === '[');
    else if (char === '}' || char === ']') close(char === ']');
    else if (char === ',' && level !== undefined) level.expectsKey = !level.isList;
    else if (char === ':' && level !== undefined && !level.isList) level.expectsKey = false;
    else if (char === ',' || char === ':' || isOver || level === undefined) throw broken();
  };
  const readString = (text: string, from: number): number => {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (code === 0x5c) isEscaped = true;
      else if (code === 0x22) {
        inString = false;
        return at;
      }
    }
    return text.length;
  };
  const takeKey = (piece: string, isWhole: boolean) => {
    if (!isKey) return;
    key += piece;
    if (key.length > LONGEST_KEY) throw broken();
    if (!isWhole) return;
    isKey = false;
    levels.at(-1)!.key = nameOf(key);
  };
  const beginString = () => {
    const level = levels.at(-1);
    if (level === undefined || isOver) throw broken();
    inString = true;
    // Inside a record names do not matter: it is read by itself.
    isKey = !isCapturing && level.expectsKey;
    key = '';
  };

  const read = (text: string): (string | null)[] => {
    const records: (string | null)[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (inString) {
        const from = at;
        at = readString(text, from);
        takeKey(text.slice(from, at), !inString);
        continue;
      }
      const char = text[at]!;
      if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
      const isAtList = listDepth > 0 && levels.length === listDepth;
      if (isAtList && isCapturing && (char === ',' || char === ']')) {
        hold(text.slice(start, at));
        records.push(isLong ? null : held);
        isCapturing = false;
      } else if (isAtList && !isCapturing && char !== ',' && char !== ']') {
        isCapturing = true;
        isLong = false;
        held = '';
        start = at;
      }
      if (char === '"') beginString();
      else if (!/[-+.0-9A-Za-z]/.test(char)) mark(char);
      else if (levels.length === 0) throw broken();
    }
    if (isCapturing) hold(text.slice(start));
    return records;
  };
  const end = () => {
    if (inString || !isOver) throw broken();
    if (isFound) return;
    throw new FeedFailure('record_path_not_found', {
      en: 'There is no list of records at record_path',
      tr: 'record_path ile gösterilen yerde bir kayıt listesi yok',
    });
  };
  return { read, end };
}

function nameOf(escaped: string): string {
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
  const given: Record<string, unknown> = Object.create(null);
  flatten(value, '', given);
  return { row, given };
}

/** Objects inside a record are columns with dots in their names: {"arac":{"marka":…}} has the column arac.marka. */
function flatten(value: object, prefix: string, into: Record<string, unknown>): void {
  for (const [name, member] of Object.entries(value)) {
    const column = `${prefix}${name}`.normalize('NFC');
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) flatten(member, `${column}.`, into);
    else if (typeof member === 'string' && member.trim() !== '') into[column] = member.trim();
    else if (typeof member !== 'string' && member !== null) into[column] = member;
  }
}
