// Values of JSON written as literals of the languages that the reference prints samples in.

export interface Notation {
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, close: string];
  readonly entry: (name: string, value: string) => string;
  readonly text: (value: string) => string;
  /** Of true, false and null. */
  readonly words: Readonly<Record<string, string>>;
  readonly indent: number;
  /** Stands between the brackets and what they hold in one line. */
  readonly pad: string;
}

const MAX_LINE = 88;

/** In one line where it fits behind `before` characters, otherwise a line for each member. */
export function literal(value: unknown, notation: Notation, depth = 0, before = 0): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return notation.words[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? notation.list : notation.map;
  const members = (write: (member: unknown, name: string) => string): string[] =>
    isList ? value.map((one) => write(one, '')) : Object.entries(value).map(([name, one]) => write(one, name));
  const named = (name: string, text: string) => (isList ? text : notation.entry(name, text));
  const flat = members((one, name) => named(name, literal(one, { ...notation, indent: 0 }, 0, -Infinity)));
  if (flat.length === 0) return open + close;
  const pad = isList ? '' : notation.pad;
  const line = `${open}${pad}${flat.join(', ')}${pad}${close}`;
  const margin = depth * notation.indent;
  if (notation.indent === 0 || before + margin + line.length <= MAX_LINE) return line;
  const inner = ' '.repeat(margin + notation.indent);
  const lines = members((one, name) => inner + named(name, literal(one, notation, depth + 1, name.length + 6)));
  return `${open}\n${lines.join(',\n')},\n${' '.repeat(margin)}${close}`;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const JAVASCRIPT: Notation = {
  list: ['[', ']'],
  map: ['{', '}'],
  entry: (name, value) => `${IDENTIFIER.test(name) ? name : JSON.stringify(name)}: ${value}`,
  text: JSON.stringify,
  words: {},
  indent: 2,
  pad: ' ',
};

export const PYTHON: Notation = {
  list: ['[', ']'],
  map: ['{', '}'],
  entry: (name, value) => `${JSON.stringify(name)}: ${value}`,
  text: JSON.stringify,
  words: { true: 'True', false: 'False', null: 'None' },
  indent: 4,
  pad: '',
};

export const PHP: Notation = {
  list: ['[', ']'],
  map: ['[', ']'],
  entry: (name, value) => `${phpText(name)} => ${value}`,
  text: phpText,
  words: {},
  indent: 4,
  pad: '',
};

/** Between single quotes only those and the backslash mean something; a line break needs double ones. */
function phpText(text: string): string {
  if (!/[\n\r\t]/.test(text)) return `'${text.replace(/['\\]/g, '\\$&')}'`;
  const escaped = text
    .replace(/["$\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
