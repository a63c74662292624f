// One migration file: its statements, and how it is run. The mode is its first line (docs/decisions/0077-migrations-beside-traffic.md).

/**
 * `transaction`: all of it in one transaction. `concurrently`: statement by statement outside a transaction, as `create index
 * concurrently` requires. `batches`: its one statement repeatedly, in a transaction each, until it affects no more rows.
 */
export type MigrationMode = 'transaction' | 'concurrently' | 'batches';

const MODE = /^-- mode: (\S+)/;

export function modeOf(text: string): MigrationMode {
  const mode = MODE.exec(text)?.[1] ?? 'transaction';
  if (mode !== 'transaction' && mode !== 'concurrently' && mode !== 'batches')
    throw new Error(`there is no mode "${mode}" for migrations`);
  return mode;
}

interface Part {
  readonly kind: 'code' | 'comment' | 'quoted' | 'end';
  readonly text: string;
}

/** Comments, strings, quoted names and dollar-quoted bodies are each one part; semicolons end statements. */
function* partsOf(text: string): Generator<Part> {
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const found = partAt(text, at);
    if (found === null) {
      at += 1;
      continue;
    }
    if (at > from) yield { kind: 'code', text: text.slice(from, at) };
    yield found;
    at += found.text.length;
    from = at;
  }
  if (from < text.length) yield { kind: 'code', text: text.slice(from) };
}

function partAt(text: string, at: number): Part | null {
  const upTo = (mark: string, begin: number): string => {
    const end = text.indexOf(mark, begin);
    return text.slice(at, end === -1 ? text.length : end + mark.length);
  };
  if (text.startsWith('--', at)) return { kind: 'comment', text: upTo('\n', at) };
  if (text.startsWith('/*', at)) return { kind: 'comment', text: upTo('*/', at + 2) };
  const char = text[at]!;
  if (char === ';') return { kind: 'end', text: ';' };
  // A doubled quote is parsed as two adjacent strings, which together give the same text.
  if (char === "'" || char === '"') return { kind: 'quoted', text: upTo(char, at + 1) };
  const tag = char === '$' ? /^\$[a-z_]{0,30}\$/.exec(text.slice(at, at + 32))?.[0] : undefined;
  return tag === undefined ? null : { kind: 'quoted', text: upTo(tag, at + tag.length) };
}

/** Without comments, in order. */
export function statementsOf(text: string): string[] {
  const statements: string[] = [''];
  for (const part of partsOf(text)) {
    if (part.kind === 'end') statements.push('');
    else if (part.kind !== 'comment') statements[statements.length - 1] += part.text;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

/** The words of a statement in lower case, without the contents of strings and bodies: they show its kind. */
export function outlineOf(statement: string): string {
  let outline = '';
  for (const { kind, text } of partsOf(statement))
    outline += kind === 'quoted' && !text.startsWith('"') ? "''" : text.replaceAll('"', '');
  return outline.replace(/\s+/g, ' ').trim().toLowerCase();
}
