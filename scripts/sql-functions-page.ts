// docs/sql-functions.md: the functions in migrations/schema.sql, each with its purpose, what runs it in the database, and the TypeScript
// that calls it or writes the table that it guards.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface SqlFunction {
  readonly name: string;
  readonly body: string;
  /** From `comment on function`; null where it has none. */
  readonly comment: string | null;
  readonly isTrigger: boolean;
}

const unquoted = (literal: string): string => literal.replaceAll("''", "'");

export function functionsOf(schema: string): SqlFunction[] {
  const comments = new Map(
    [...schema.matchAll(/^comment on function (\w+)\([^\n]*?\) is '((?:[^']|'')*)';$/gm)].map(([, name, text]) => [
      name!,
      unquoted(text!),
    ]),
  );
  const found = schema.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)\(([\s\S]*?)\$function\$([\s\S]*?)\$function\$;$/gm);
  return [...found].map(([, name, head, body]) => ({
    name: name!,
    body: body!,
    comment: comments.get(name!) ?? null,
    isTrigger: /^ RETURNS trigger$/m.test(head!),
  }));
}

/** Tables, views and functions without a comment. */
export function uncommented(schema: string): string[] {
  const relations = [...schema.matchAll(/^create (table|view) (\w+)/gm)].map(([, kind, name]) => `${kind} ${name}`);
  return [
    ...relations.filter((relation) => !schema.includes(`\ncomment on ${relation} is '`)),
    ...functionsOf(schema)
      .filter(({ comment }) => comment === null)
      .map(({ name }) => `function ${name}`),
  ];
}

interface Schema {
  readonly functions: readonly SqlFunction[];
  readonly triggers: readonly { readonly table: string; readonly runs: string }[];
  readonly relations: readonly { readonly name: string; readonly text: string }[];
}

const TRIGGER = /^CREATE (?:CONSTRAINT )?TRIGGER \w+ .*? ON (\w+) .*EXECUTE FUNCTION (\w+)\(/gm;

export const parseSchema = (text: string): Schema => ({
  functions: functionsOf(text),
  triggers: [...text.matchAll(TRIGGER)].map(([, table, runs]) => ({ table: table!, runs: runs! })),
  relations: [...text.matchAll(/^create (?:table|view) (\w+)[\s\S]*?;$/gm)].map(([made, name]) => ({ name: name!, text: made })),
});

const calls = (name: string, text: string): boolean => new RegExp(`\\b${name}\\(`).test(text);
const triggersOf = (schema: Schema, name: string): string[] => [
  ...new Set(schema.triggers.filter(({ runs }) => runs === name).map(({ table }) => table)),
];
const definitionsOf = (schema: Schema, name: string): string[] =>
  schema.relations.filter(({ text }) => calls(name, text)).map((relation) => relation.name);
const callersOf = (schema: Schema, name: string): string[] =>
  schema.functions.filter((other) => other.name !== name && calls(name, other.body)).map((other) => other.name);

/** What the database itself runs the function for. */
export const usersIn = (schema: Schema, name: string): string[] => [
  ...triggersOf(schema, name).map((table) => `trigger of \`${table}\``),
  ...definitionsOf(schema, name).map((relation) => `definition of \`${relation}\``),
  ...callersOf(schema, name).map((other) => `\`${other}\``),
];

/** Tables that a rule guards, also through the functions that call it. */
const guardedBy = (schema: Schema, name: string): string[] => [
  ...new Set([
    ...triggersOf(schema, name),
    ...definitionsOf(schema, name),
    ...callersOf(schema, name).flatMap((caller) => guardedBy(schema, caller)),
  ]),
];

export interface Source {
  readonly path: string;
  readonly text: string;
}

const readSources = (): Source[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ path: `src/${path}`, text: readFileSync(join(ROOT, 'src', path), 'utf8') }));

const pathsWith = (sources: readonly Source[], pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

export const callingFiles = (name: string, sources: readonly Source[]): string[] =>
  pathsWith(sources, new RegExp(`\\b${name}\\(|\\b(?:from|join) ${name}\\b`));

export const writingFiles = (tables: readonly string[], sources: readonly Source[]): string[] =>
  tables.length === 0
    ? []
    : pathsWith(sources, new RegExp(`\\b(?:insert into|update|delete from) (?:\\$\\{rawSql\\(')?(?:${tables.join('|')})\\b`));

interface Section {
  readonly title: string;
  readonly about: string;
  /** The files are those that write the guarded tables, not those that call the function. */
  readonly isRule: boolean;
  readonly holds: (one: SqlFunction) => boolean;
}

const SECTIONS: readonly Section[] = [
  {
    title: 'What a row may hold',
    about: 'Called by the CHECK constraint of the table. The files have statements that write the table.',
    isRule: true,
    holds: ({ name }) => /_valid$/.test(name),
  },
  {
    title: 'Rules that triggers check',
    about: 'Run by the database when a row is written, or at COMMIT. The files have statements that write the tables.',
    isRule: true,
    holds: ({ isTrigger, name }) => isTrigger || /^require_/.test(name),
  },
  {
    title: 'Functions that statements call',
    about: 'Called by the files, by views and policies, or by other functions.',
    isRule: false,
    holds: () => true,
  },
];

export function sqlFunctionsPage(): string {
  const schema = parseSchema(readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8'));
  const sources = readSources();
  let left = schema.functions;
  const lines = [
    '# SQL functions',
    '',
    '<!-- Generated by `npm run docs` from migrations/schema.sql and src/. Do not edit by hand. -->',
    '',
    `The ${left.length} functions of the database. Their bodies are in [schema.sql](../migrations/schema.sql); a change is a new migration that restates the`,
    'whole function. To follow a bid, read `bidInAuction` in [network-auction-writes.ts](../src/domain/auctions/network-auction-writes.ts): it locks',
    'with `lock_bidding`, refuses with an error code (`refuseBid`), inserts the bid, whose trigger is `take_bid`, and emits events with `tell_bid`.',
  ];
  for (const { title, about, isRule, holds } of SECTIONS) {
    lines.push('', `## ${title}`, '', about, '', '| Function | Purpose | Runs for | TypeScript in src/ |', '|---|---|---|---|');
    for (const one of left.filter(holds)) {
      const paths = isRule ? writingFiles(guardedBy(schema, one.name), sources) : callingFiles(one.name, sources);
      const files = paths.map((path) => `[${path.slice(4)}](../${path})`);
      const cells = [`\`${one.name}\``, one.comment ?? '', usersIn(schema, one.name).join(', '), files.join(', ')];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    }
    left = left.filter((one) => !holds(one));
  }
  return `${lines.join('\n')}\n`;
}
