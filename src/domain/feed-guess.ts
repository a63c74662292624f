// What a source most likely is, from its first bytes: for a person who then looks at it and says so if it is something else.
import { type ConnectorType, DELIMITERS, type Encoding } from './connector-config.ts';
import { markOf } from './feed-text.ts';

export function guessType(head: string): ConnectorType {
  const first = head.trimStart()[0];
  return first === '<' ? 'xml' : first === '[' || first === '{' ? 'json' : 'csv';
}

/** Text that is not UTF-8 is what spreadsheets of a Turkish Windows write. The last letter may be cut. */
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

/** The one that the first line has most of. */
export function guessDelimiter(head: string): string {
  const line = head.trimStart().split(/[\r\n]/, 1)[0]!;
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.toSorted((one, other) => count(other) - count(one))[0]!;
}

/** Where the records stand; null where they are what the source itself holds. */
export const guessRecordPath = (type: ConnectorType, head: string): string | null =>
  type === 'json' ? guessJsonPath(head) : type === 'xml' ? guessXmlPath(head) : null;

/** The first list of objects that names alone lead to. */
function guessJsonPath(head: string): string | null {
  const open: { readonly isList: boolean; name: string }[] = [];
  for (const match of head.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    const [token, name] = match;
    const parent = open.at(-1);
    if (name !== undefined && parent !== undefined) parent.name = name;
    else if (token === '}' || token === ']') open.pop();
    else if (token === '{' || token === '[') {
      if (open.length === 0 && token === '[') return null;
      const isRecords = token === '[' && /^\s*\{/.test(head.slice(match.index + 1, match.index + 1000));
      if (isRecords && open.every(({ isList }) => !isList)) return open.map((one) => one.name).join('.');
      open.push({ isList: token === '[', name: '' });
    }
  }
  return null;
}

/** The first element that has two children of one name holds the records. */
function guessXmlPath(head: string): string | null {
  const text = head.replace(/<!--[\s\S]*?(-->|$)|<\?[\s\S]*?(\?>|$)|<!\[CDATA\[[\s\S]*?(\]\]>|$)/g, '');
  const open: { readonly name: string; readonly seen: Set<string> }[] = [];
  for (const [, closes, name, ends] of text.matchAll(/<(\/?)([^\s!?/<>]+)(?:"[^"]*"|'[^']*'|[^"'<>])*?(\/?)>/g)) {
    if (closes === '/') open.pop();
    else {
      const parent = open.at(-1);
      if (parent?.seen.has(name!)) return open.length === 1 ? null : [...open.map((one) => one.name), name].join('.');
      parent?.seen.add(name!);
      if (ends !== '/') open.push({ name: name!, seen: new Set() });
    }
  }
  return null;
}
