// migrations/schema.sql explains itself: tables, views and functions have comments in plain English.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callingFiles, functionsOf, parseSchema, uncommented, usersIn, writingFiles } from '../../scripts/sql-functions-page.ts';
import { refusedWords } from '../support/refused-words.ts';

const SCHEMA = readFileSync('migrations/schema.sql', 'utf8');
const REFUSED = refusedWords();

test('every table, view and function has a comment', () => {
  expect(functionsOf(SCHEMA).length).toBeGreaterThan(90);
  expect(uncommented(SCHEMA)).toEqual([]);
});

test('comments, also those in function bodies, avoid words that plain English does not need', () => {
  const comments = [...SCHEMA.matchAll(/^ *-- (?!contains: ).*$|^comment on .* is '.*';$/gm)].map(([line]) => line);
  expect(comments.length).toBeGreaterThan(300);
  expect(comments.filter((line) => REFUSED.test(line))).toEqual([]);
});

const SMALL = `
CREATE OR REPLACE FUNCTION check_car()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin perform require_wheels(new.id); return null; end $function$;
comment on function check_car() is 'Runs the rule for a car''s row.';

CREATE OR REPLACE FUNCTION require_wheels(car uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$ begin perform 1; end $function$;

create table cars (
  id uuid
);
comment on table cars is 'Cars.';
CREATE TRIGGER checked AFTER INSERT ON cars FOR EACH ROW EXECUTE FUNCTION check_car();
create table wheels (
  id uuid
);
`;

test('what has no comment is named', () => {
  expect(uncommented(SMALL)).toEqual(['table wheels', 'function require_wheels']);
});

test('a function is listed with its comment, its triggers, its callers and the files that use it', () => {
  const [check, rule] = functionsOf(SMALL);
  expect(check).toMatchObject({ name: 'check_car', comment: "Runs the rule for a car's row.", isTrigger: true });
  expect(usersIn(parseSchema(SMALL), check!.name)).toEqual(['trigger of `cars`']);
  expect(usersIn(parseSchema(SMALL), rule!.name)).toEqual(['`check_car`']);
  const sources = [
    { path: 'src/a.ts', text: 'sql`select require_wheels(${id})`' },
    { path: 'src/b.ts', text: 'sql`insert into cars (id) values (${id})`' },
    { path: 'src/c.ts', text: 'const require_wheels_of = 1; sql`select from cars`' },
  ];
  expect(callingFiles('require_wheels', sources)).toEqual(['src/a.ts']);
  expect(writingFiles(['cars'], sources)).toEqual(['src/b.ts']);
});
