// Migrations that have landed are frozen, and new ones do not stop traffic.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/postgres/migrate.ts';
import { statementsOf } from '../../src/postgres/migration-file.ts';
import { readRepairs, repair } from '../../src/postgres/migration-repairs.ts';
import { FROZEN, frozenProblems, frozenText, readTexts, ruleProblems } from './migrations.ts';

test('every migration is as it landed', () => {
  expect(frozenProblems(readTexts(), readFileSync(FROZEN, 'utf8'))).toEqual([]);
});

test('every repair leads to a migration of this version, in one or more steps', async () => {
  const repairs = await readRepairs(MIGRATIONS);
  const landed = frozenText(readTexts());
  const { applied } = repair(
    repairs.map(({ from }) => from),
    repairs,
  );
  expect(repairs).toHaveLength(11);
  for (const { name, hash } of applied) expect(landed).toContain(`${hash}  ${name}\n`);
});

test('a changed, a removed and a new file are noticed', () => {
  const frozen = frozenText([
    { name: '0001-a.sql', text: 'select 1' },
    { name: '0002-b.sql', text: 'select 2' },
  ]);
  const now = [
    { name: '0001-a.sql', text: 'select 11' },
    { name: '0003-c.sql', text: 'select 3' },
  ];
  expect(frozenProblems(now, frozen).map((problem) => problem.split(' ').slice(0, 4).join(' '))).toEqual([
    '0002-b.sql has landed and',
    '0001-a.sql has landed and',
    '0003-c.sql is new: npm',
  ]);
});

test('new migrations keep the rules', () => {
  expect(ruleProblems(readTexts())).toEqual([]);
});

const BATCH = 'update cars set a = 1 where id in (select id from cars where a is null limit 1000) returning 1';
describe('the rules', () => {
  test.each([
    ['index', 'create index cars_a on cars (a)'],
    ['index', 'create unique index if not exists cars_a on only cars (a)'],
    ['index', '-- mode: concurrently\ncreate index concurrently cars_a on cars (a)'],
    ['mode', 'create index concurrently if not exists cars_a on cars (a)'],
    ['rows', 'update cars set a = 1'],
    ['rows', 'with old as (select 1)\n  delete from cars where a = 1'],
    ['rows', '-- mode: batches\nupdate cars set a = 1 where a is null returning 1'],
    ['constraint', 'alter table cars add constraint a_positive check (a > 0)'],
    ['constraint', 'alter table cars add column owner uuid references owners'],
    ['rewrite', 'alter table cars alter column a set not null'],
    ['rewrite', 'alter table cars alter a type bigint'],
    ['rewrite', 'alter table cars add column token uuid default gen_random_uuid()'],
    ['contract', 'drop function tell_bid(uuid)'],
    ['contract', 'alter table cars drop column a'],
    ['contract', 'alter table cars rename to vehicles'],
    ['lock', 'lock table cars'],
    ['lock', 'drop index cars_a'],
  ])('%s: refuses %s', (id, text) => {
    expect(ruleProblems([{ name: '0099-x.sql', text }]).map((problem) => /rule "(\w+)"/.exec(problem)?.[1])).toContain(id);
    expect(ruleProblems([{ name: '0064-x.sql', text }])).toEqual([]);
    const allowed = `${text.startsWith('-- mode') ? '' : `-- allow ${id}: a reason\n`}${text}\n-- allow ${id}: a reason`;
    expect(ruleProblems([{ name: '0099-x.sql', text: allowed }]).filter((problem) => problem.includes(`"${id}"`))).toEqual([]);
  });

  test.each([
    'create table cars (a int check (a > 0)); create index cars_a on cars (a); insert into cars values (1); update cars set a = 2',
    '-- mode: concurrently\ncreate unique index concurrently if not exists cars_a on cars (a)',
    `-- mode: batches\n${BATCH}`,
    'alter table cars add column b text, add constraint b_known check (b in (1)) not valid',
    'alter table cars validate constraint b_known',
    `create or replace function f() returns void language sql as $$ update cars set a = 1; delete from cars $$; comment on table cars is 'drop table x; -- no'`,
  ])('allow %s', (text) => {
    expect(ruleProblems([{ name: '0099-x.sql', text }])).toEqual([]);
  });

  test.each([
    `do $$ begin execute replace(pg_get_functiondef('tell_bid(uuid)'::regprocedure), 'a', 'b'); end $$`,
    'select PG_GET_FUNCTIONDEF(1)',
    `do $$ declare body text := (select prosrc from pg_proc where proname = 'f'); begin execute body; end $$`,
    `create function pg_temp.fold() returns void language plpgsql as $$ begin
       execute format('create function %I() returns boolean language sql as %L', 'f', 'select true'); end $$`,
    `do $$ begin execute 'create' || ' table x ()'; execute 'CREATE OR  REPLACE VIEW v as select 1'; end $$`,
  ])('source: refuses %s, and no comment allows it', (text) => {
    const refused = [expect.stringContaining('rule "source"')];
    expect(ruleProblems([{ name: '0082-x.sql', text }])).toEqual(refused);
    expect(ruleProblems([{ name: '0082-x.sql', text: `-- allow source: a reason\n${text}` }])).toEqual(refused);
    expect(ruleProblems([{ name: '0064-x.sql', text }])).toEqual([]);
  });

  test('a comment may name what the rule about sources refuses', () => {
    const text = `-- pg_get_functiondef is refused\ncreate function f() returns int language sql as $$
      -- not made by pg_get_functiondef
      select 1 $$`;
    expect(ruleProblems([{ name: '0099-x.sql', text }])).toEqual([]);
  });

  test('a file in batches has one statement', () => {
    expect(ruleProblems([{ name: '0099-x.sql', text: `-- mode: batches\n${BATCH}; ${BATCH}` }])).toHaveLength(1);
  });
});

test('statements are told apart by semicolons outside strings, names, bodies and comments', () => {
  const text = `select 'a;''b'; -- one; two\nselect ";" /* ; */; do $x$ begin; $$;$$ end $x$;\n`;
  expect(statementsOf(text)).toEqual([`select 'a;''b'`, `select ";"`, 'do $x$ begin; $$;$$ end $x$']);
});
