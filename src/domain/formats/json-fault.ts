// Where a text stops being JSON. JSON.parse names a position for some faults only, and quotes the text, which may be personal data.

export interface JsonFault {
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** The text ends before the value does. */
  readonly isEnd: boolean;
}

/** The first fault, or null if there is none. Works without recursion, because callers choose the depth. */
export function findJsonFault(text: string): JsonFault | null {
  const at = faultAt(text);
  if (at === null) return null;
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1, isEnd: at >= text.length };
}

/** What may come next: a value, the first or a further member, or what follows a value. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | 'after';

function faultAt(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length || next !== 'after' || open.length > 0) {
    const letter = text[at];
    const last = open.at(-1);
    if (next === 'after') {
      if (last === undefined) return at;
      if (letter === ',') {
        next = last === '{' ? 'name' : 'value';
        at += 1;
      } else if (letter === (last === '{' ? '}' : ']')) {
        open.pop();
        at += 1;
      } else return at;
    } else if ((next === 'name or }' && letter === '}') || (next === 'value or ]' && letter === ']')) {
      open.pop();
      next = 'after';
      at += 1;
    } else if (next === 'name' || next === 'name or }') {
      const end = letter === '"' ? endOfString(text, at) : { at, isWhole: false };
      if (!end.isWhole) return end.at;
      at = skipSpace(text, end.at);
      if (text[at] !== ':') return at;
      next = 'value';
      at += 1;
    } else if (letter === '{' || letter === '[') {
      open.push(letter);
      next = letter === '{' ? 'name or }' : 'value or ]';
      at += 1;
    } else {
      const end = endOfScalar(text, at);
      if (!end.isWhole) return end.at;
      next = 'after';
      at = end.at;
    }
    at = skipSpace(text, at);
  }
  return null;
}

interface End {
  /** The end of the value, or the place of its fault. */
  readonly at: number;
  readonly isWhole: boolean;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at]!)) at += 1;
  return at;
}

const WORDS = ['true', 'false', 'null'];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function endOfScalar(text: string, at: number): End {
  if (text[at] === '"') return endOfString(text, at);
  const word = WORDS.find((one) => text.startsWith(one, at));
  if (word !== undefined) return { at: at + word.length, isWhole: true };
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? { at: NUMBER.lastIndex, isWhole: true } : { at, isWhole: false };
}

const ESCAPED = '"\\/bfnrt';
const HEX = /[0-9a-fA-F]{4}/y;

function endOfString(text: string, from: number): End {
  let at = from + 1;
  while (at < text.length) {
    const letter = text[at]!;
    if (letter === '"') return { at: at + 1, isWhole: true };
    if (letter < ' ') return { at, isWhole: false };
    if (letter === '\\') {
      const escaped = text[at + 1];
      HEX.lastIndex = at + 2;
      const isRight = escaped === 'u' ? HEX.test(text) : escaped !== undefined && ESCAPED.includes(escaped);
      if (!isRight) return { at, isWhole: false };
      at += escaped === 'u' ? 6 : 2;
    } else at += 1;
  }
  return { at, isWhole: false };
}
