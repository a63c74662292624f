// Texts on which a pattern's work grows fastest, built from the pattern itself: its parts, repeated after each of its prefixes,
// and ended by something it does not match, so that it must backtrack over all of it.

/** `pump` is repeated between the two. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const ALWAYS = ['a', '0', ' ', '\n', '!'];
const SUFFIXES = ['', '\n', '!', '\u0001'];
const MAX_LETTERS = 14;
const MAX_PREFIXES = 16;

export function* attacksOn(source: string): Generator<Attack> {
  const { letters, beginnings } = partsOf(source);
  for (const pump of [...letters, ...beginnings])
    for (const prefix of ['', ...beginnings]) for (const suffix of SUFFIXES) yield { prefix, pump, suffix };
  for (const one of letters)
    for (const other of letters) if (one !== other) yield { prefix: '', pump: one + other, suffix: '\u0001' };
}

/** A class and one character of it. */
const CLASSES: Readonly<Record<string, string>> = { s: ' ', d: '0', w: 'a', S: 'a', D: 'a', W: ' ', P: 'a', p: '\u0001' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '', B: '' };

/** The characters that occur in a pattern, and for each place in it a text that leads there. */
function partsOf(source: string): { letters: string[]; beginnings: string[] } {
  const letters = new Set<string>();
  const beginnings = new Set<string>();
  const groups: string[] = [];
  let text = '';
  for (let at = 0; at < source.length; ) {
    const { kind, chars, end } = tokenAt(source, at);
    at = end;
    if (kind === 'open') groups.push(text);
    else if (kind === 'close') groups.pop();
    else if (kind === 'or') text = groups.at(-1) ?? '';
    else {
      for (const char of chars) letters.add(char);
      text += chars[0] ?? '';
      if (chars.length > 0) beginnings.add(text);
    }
  }
  return {
    letters: [...new Set([...ALWAYS, ...letters])].slice(0, MAX_LETTERS + ALWAYS.length),
    beginnings: [...beginnings].slice(0, MAX_PREFIXES),
  };
}

interface Token {
  readonly kind: 'open' | 'close' | 'or' | 'chars';
  /** What it matches; the first is used in its place. */
  readonly chars: readonly string[];
  readonly end: number;
}

function tokenAt(source: string, at: number): Token {
  const char = source[at]!;
  const chars = (...found: string[]) => ({ kind: 'chars', chars: found.filter(Boolean), end: at + 1 }) as const;
  if (char === '(') return { kind: 'open', chars: [], end: at + /^\((\?(<?[=!]|:|<\w+>))?/.exec(source.slice(at))![0].length };
  if (char === ')') return { kind: 'close', chars: [], end: at + 1 };
  if (char === '|') return { kind: 'or', chars: [], end: at + 1 };
  if (char === '[') return classAt(source, at);
  if (char === '\\') return escapeAt(source, at);
  if (char === '{') return { ...chars(), end: source.indexOf('}', at) + 1 };
  return '^$*+?'.includes(char) ? chars() : chars(char === '.' ? 'a' : char);
}

function escapeAt(source: string, at: number): Token {
  const code = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|[pP]\{\w+\})/i.exec(source.slice(at));
  const next = source[at + 1]!;
  const hex = code?.[1] ?? code?.[2];
  const char = hex === undefined ? (CLASSES[next] ?? ESCAPES[next] ?? next) : String.fromCharCode(Number.parseInt(hex, 16));
  return { kind: 'chars', chars: char === '' ? [] : [char], end: at + (code?.[0].length ?? 2) };
}

function classAt(source: string, start: number): Token {
  const isNot = source[start + 1] === '^';
  const members: string[] = [];
  let at = start + (isNot ? 2 : 1);
  while (source[at] !== ']') {
    const isEscape = source[at] === '\\';
    const token = isEscape ? escapeAt(source, at) : { chars: [source[at]!], end: at + 1 };
    members.push(...token.chars);
    at = token.end;
  }
  // What it refuses is worth trying too, but something it matches comes first.
  const taken = isNot ? ['a', '0', ' ', '-'].filter((char) => !members.includes(char)).slice(0, 1) : [];
  return { kind: 'chars', chars: [...taken, ...members], end: at + 1 };
}
