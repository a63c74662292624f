// Rules for migrations that run beside traffic, and the frozen hashes of those that have landed.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modeOf, outlineOf, statementsOf } from '../../src/postgres/migration-file.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');
export const FROZEN = join(FOLDER, 'frozen.txt');
/** Those up to this one landed before the rules. */
const LAST_UNCHECKED = '0064';

export interface MigrationText {
  readonly name: string;
  readonly text: string;
}

export const readTexts = (): MigrationText[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A line per migration, as sha256sum writes it. */
export const frozenText = (migrations: readonly MigrationText[]): string =>
  migrations.map(({ name, text }) => `${hashOf(text)}  ${name}\n`).join('');

/** What differs between the files and the frozen list. */
export function frozenProblems(migrations: readonly MigrationText[], frozen: string): string[] {
  const lines = frozen.split('\n').filter((line) => line !== '');
  const hashes = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const names = new Set(migrations.map(({ name }) => name));
  return [
    ...[...hashes.keys()].filter((name) => !names.has(name)).map((name) => `${name} has landed and is gone`),
    ...migrations.flatMap(({ name, text }) => {
      const hash = hashes.get(name);
      if (hash === undefined) return [`${name} is new: npm run migrations:freeze adds it to frozen.txt`];
      return hash === hashOf(text) ? [] : [`${name} has landed and was changed; changes go into a new file`];
    }),
  ];
}

interface Rule {
  readonly id: string;
  readonly breaks: (outline: string, isNew: (table: string) => boolean, mode: string) => boolean;
  readonly instead: string;
}

const tableOf = (outline: string, pattern: RegExp): string => pattern.exec(outline)?.[1] ?? '';
const altersOld = (outline: string, isNew: (table: string) => boolean): boolean =>
  /^alter table /.test(outline) && !isNew(tableOf(outline, /^alter table (?:if exists )?(?:only )?(?:public\.)?(\w+)/));

/** `-- allow ID: why` in the file allows what a rule refuses. */
const RULES: readonly Rule[] = [
  {
    id: 'index',
    breaks: (outline, isNew, mode) =>
      /^create (unique )?index /.test(outline) &&
      !isNew(tableOf(outline, / on (?:only )?(?:public\.)?(\w+)/)) &&
      !(mode === 'concurrently' && /^create (unique )?index concurrently if not exists /.test(outline)),
    instead: 'create index concurrently if not exists, in a file that begins with -- mode: concurrently',
  },
  {
    id: 'rows',
    breaks: (outline, isNew, mode) => {
      const table = tableOf(outline, /^(?:with .* )?(?:update|delete from) (?:only )?(?:public\.)?(\w+)/);
      return table !== '' && !isNew(table) && !(mode === 'batches' && / limit \d+/.test(outline) && / returning /.test(outline));
    },
    instead: 'batches: a file that begins with -- mode: batches, with one statement that has a limit and returning 1',
  },
  {
    id: 'constraint',
    breaks: (outline, isNew) =>
      altersOld(outline, isNew) &&
      (/ add (constraint \w+ )?(check|foreign key|unique|primary key|exclude)\b/.test(outline) || / references /.test(outline)) &&
      !/ not valid\b/.test(outline) &&
      !/ using index /.test(outline),
    instead: 'add the constraint not valid, and validate it in a later file; unique ones using an index built concurrently',
  },
  {
    id: 'rewrite',
    breaks: (outline, isNew) =>
      altersOld(outline, isNew) &&
      / (set not null|alter (column )?\w+ (set data )?type|set (un)?logged|set tablespace|add column [^,]* (random|clock_timestamp|gen_random_uuid|uuidv7)\()/.test(
        outline,
      ),
    instead: 'a new column, filled in batches; not null through a check constraint that is validated before',
  },
  {
    id: 'contract',
    breaks: (outline, isNew) =>
      /^drop (table|view|function|procedure|trigger|type|column|policy) /.test(outline) ||
      (altersOld(outline, isNew) && / (drop (column|constraint)|rename) /.test(`${outline} `)),
    instead: 'expand now, and contract a version later: -- allow contract: nothing has used it since VERSION',
  },
  {
    id: 'lock',
    breaks: (outline) =>
      /^(lock|cluster|vacuum full|refresh materialized view (?!concurrently)|reindex (?!.*concurrently)|drop index (?!concurrently))/.test(
        outline,
      ),
    instead: 'a way that does not hold a table',
  },
  {
    id: 'mode',
    breaks: (outline, _, mode) => mode === 'transaction' && / concurrently /.test(outline),
    instead: 'a file that begins with -- mode: concurrently',
  },
];

/**
 * Functions are written whole: a function that is made by changing the source of another, or by putting text together, can be read nowhere.
 * No file may allow itself this.
 */
const SOURCE_CHANGES: readonly RegExp[] = [
  /\bpg_get_(functiondef|function_sqlbody|constraintdef|expr|viewdef|triggerdef|ruledef)\b/i,
  /\b(prosrc|prosqlbody|proconfig)\b/i,
  /\bexecute\b[^;]*\bcreate\s+(or\s+replace\s+)?(function|procedure|view)\b/i,
];

const changesSource = (text: string): boolean => {
  const code = statementsOf(text).map((statement) => statement.replace(/--.*$/gm, ''));
  return code.some((statement) => SOURCE_CHANGES.some((pattern) => pattern.test(statement)));
};

/** Of new files only. */
export function ruleProblems(migrations: readonly MigrationText[]): string[] {
  return migrations
    .filter(({ name }) => name.slice(0, 4) > LAST_UNCHECKED)
    .flatMap(({ name, text }) => {
      const outlines = statementsOf(text).map(outlineOf);
      const made = new Set(
        outlines.map((outline) => tableOf(outline, /^create (?:unlogged )?table (?:if not exists )?(?:public\.)?(\w+)/)),
      );
      const mode = modeOf(text);
      const allowed = [...text.matchAll(/^-- allow (\w+): \S/gm)].map(([, id]) => id);
      const broken = RULES.filter(
        ({ id, breaks }) =>
          !allowed.includes(id) && outlines.some((outline) => breaks(outline, (table) => made.has(table), mode)),
      );
      const count = mode === 'batches' && outlines.length !== 1 ? [`${name}: -- mode: batches takes exactly one statement`] : [];
      const source = changesSource(text)
        ? [`${name} breaks the rule "source"; instead: create or replace function with the whole body`]
        : [];
      return [...count, ...source, ...broken.map(({ id, instead }) => `${name} breaks the rule "${id}"; instead: ${instead}`)];
    });
}
