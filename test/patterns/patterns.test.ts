// No pattern and no reader of outside text takes more than its length of work: at eight times the text, about eight times the work.
import { describe, expect, test } from 'vitest';
import { guessDelimiter, guessRecordPath, guessType } from '../../src/domain/feed-guess.ts';
import { collectPatterns } from './collect.ts';
import { tooMuchGrowth, worstOf } from './growth.ts';

const { patterns, made } = collectPatterns(['src/**/*.{ts,js,mjs}', 'web/src/**/*.{ts,tsx,js}']);
const files = Map.groupBy(patterns, ({ place }) => place.split(':')[0]!);
const known = new Map<string, string | null>();

/** One line where it grows; the same pattern in another place is not measured again. */
function problemOf(source: string, flags: string): string | null {
  const name = `/${source}/${flags}`;
  if (!known.has(name)) {
    const worst = worstOf(source, flags);
    known.set(
      name,
      worst === null ? null : `${name} takes ${worst.growth} times the work for 8 times ${JSON.stringify(worst.attack)}`,
    );
  }
  return known.get(name)!;
}

describe('every regular expression of the sources', () => {
  test('is found, and none is put together at run time', () => {
    expect(patterns.length).toBeGreaterThan(200);
    expect(made).toEqual([]);
  });

  test.each([...files.keys()])('of %s works in proportion to its text', (file) => {
    const problems = files.get(file)!.map(({ place, source, flags }) => [place, problemOf(source, flags)] as const);
    expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
  });
});

describe('the measure finds', () => {
  test.each([
    ['what is exponential', /^(a+)+$/],
    ['alternatives for one letter', /^(?:a|\w)*$/],
    ['white space before an end', /\s+$/],
    ['a separator with space round it', /\s*,\s*/],
    ['two runs of one class', /^\w+\d*x$/],
    ['a tag without an end', /<(\/?)([^\s!?/<>]+)(?:"[^"]*"|'[^']*'|[^"'<>])*?(\/?)>/g],
    ['a text without an end', /"((?:[^"\\]|\\.)*)"\s*:/g],
    ['an address with many dots', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
    ['a comment without an end', /<!--.*?-->/g],
    ['anything between two words', /key=.*value/],
  ])('%s', (_, { source, flags }) => {
    expect(worstOf(source, flags)).not.toBeNull();
  });

  test.each([/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, /\s+/g, /^\s*(\w+)\s*=/, /^(\d{1,9})(?:\.(\d{1,8}))?$/])(
    'nothing in %s',
    ({ source, flags }) => {
      expect(worstOf(source, flags)).toBeNull();
    },
  );
});

describe('guessing the form of a source', () => {
  test.each([
    ['<', 'a', ''],
    ['', '<a ', ''],
    ['', '<a', ''],
    ['<a>', '<!--', ''],
    ['', '<a b="', ''],
    ['', '<a>', ''],
    ['', '"', '\\'],
    ['', '"\\', ''],
    ['{', '"a', ''],
    ['', '{"a":', ''],
    ['{"a":', '[ ', ''],
    [`${'{"":'.repeat(60)}[`, '[{},', ''],
    ['', ' ', 'x'],
    ['', ';', ''],
    ['', '\r', ''],
  ])('from %j and then %j', (prefix, pump, suffix) => {
    const guess = (text: string) => [
      guessType(text),
      guessDelimiter(text),
      guessRecordPath('json', text),
      guessRecordPath('xml', text),
    ];
    expect(tooMuchGrowth(guess, { prefix, pump, suffix }, 10_000)).toBeNull();
  });
});
