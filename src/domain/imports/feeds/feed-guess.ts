// Guesses the format of a source from its first bytes. A person sees the guess and can correct it.
import { xmlTags } from '../../formats/xml-tags.ts';
import { MAX_ROW_LENGTH } from '../feed-row.ts';
import { type ConnectorType, DELIMITERS, type Encoding } from '../source-form.ts';
import { markOf } from './feed-text.ts';

export function guessType(head: string): ConnectorType {
  const first = head.trimStart()[0];
  return first === '<' ? 'xml' : first === '[' || first === '{' ? 'json' : 'csv';
}

/** Text that is not UTF-8 is taken for windows-1254, which spreadsheets of a Turkish Windows write. The last letter may be cut. */
export function guessEncoding(head: Buffer): Encoding {
  const marked = markOf(head);
  if (marked !== null) return marked;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1254';
  }
}

/** Lines that are searched for the delimiter. */
export const HEAD_LINES = 20;

/** `sep=;` in the first line, which Excel writes and reads. */
export const declaredDelimiter = (head: string): string | null => /^(?:\uFEFF)?sep=([,;|\t])[\r\n]/i.exec(head)?.[1] ?? null;

/** A quoted cell, which may hold any delimiter and line break; the last may continue after the head. */
const QUOTED = /(^|[,;|\t\r\n])"(?:[^"]|"")*(?:"|$)/g;

/** The candidate that divides most lines into the same number of cells. */
export function likelyDelimiter(head: string, delimiters: readonly string[]): string {
  const declared = declaredDelimiter(head);
  if (declared !== null && delimiters.includes(declared)) return declared;
  const lines = head
    .slice(0, MAX_ROW_LENGTH)
    .replace(QUOTED, '$1')
    .split(/[\r\n]+/)
    .slice(0, HEAD_LINES);
  const score = (delimiter: string): number => {
    const times = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(delimiter).length - 1;
      if (count > 0) times.set(count, (times.get(count) ?? 0) + 1);
    }
    return Math.max(0, ...[...times].map(([count, all]) => count * all));
  };
  return delimiters.toSorted((one, other) => score(other) - score(one))[0]!;
}

export const guessDelimiter = (head: string): string => likelyDelimiter(head.trimStart(), DELIMITERS);

/** Longer heads and deeper nesting are not examined. */
const MAX_HEAD_LENGTH = 256 * 1024;
const MAX_DEPTH = 64;

/** The path to the records; null if the source itself is the list of records. */
export function guessRecordPath(type: ConnectorType, head: string): string | null {
  const beginning = head.slice(0, MAX_HEAD_LENGTH);
  return type === 'json' ? guessJsonPath(beginning) : type === 'xml' ? guessXmlPath(beginning) : null;
}

/** The path to the first list of objects that can be reached through object members alone. */
function guessJsonPath(head: string): string | null {
  const open: { readonly isList: boolean; name: string }[] = [];
  let text = '';
  let isInNewList = false;
  for (let at = 0; at < head.length && open.length <= MAX_DEPTH; at += 1) {
    const char = head[at]!;
    if (char === ' ' || char === '\n' || char === '\r' || char === '\t') continue;
    const parent = open.at(-1);
    if (char === '"') {
      const end = endOfString(head, at + 1);
      text = head.slice(at + 1, end);
      at = end;
    } else if (char === ':' && parent !== undefined) parent.name = text;
    else if (char === '}' || char === ']') open.pop();
    else if (char === '{' || char === '[') {
      if (open.length === 0 && char === '[') return null;
      const path = open.slice(0, -1);
      if (char === '{' && isInNewList && path.every(({ isList }) => !isList)) return path.map(({ name }) => name).join('.');
      open.push({ isList: char === '[', name: '' });
    }
    isInNewList = char === '[';
  }
  return null;
}

/** The index of the string's closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** The first element that has two children of one name holds the records. */
function guessXmlPath(head: string): string | null {
  const open: { readonly name: string; readonly seen: Set<string> }[] = [];
  for (const { name, kind } of xmlTags(head)) {
    const parent = open.at(-1);
    if (kind === 'close') open.pop();
    else if (open.length > MAX_DEPTH) return null;
    else {
      if (parent?.seen.has(name)) return open.length === 1 ? null : [...open.map((one) => one.name), name].join('.');
      parent?.seen.add(name);
      if (kind === 'open') open.push({ name, seen: new Set() });
    }
  }
  return null;
}
