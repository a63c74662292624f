// No pattern takes more than linear work: at eight times the text, about eight times the work.
import { describe, expect, test } from 'vitest';
import { collectPatterns } from './collect.ts';
import { worstOf } from './growth.ts';

const { patterns, made } = collectPatterns(['src/**/*.{ts,js,mjs}', 'web/src/**/*.{ts,tsx,js}']);
const files = Map.groupBy(patterns, ({ place }) => place.split(':')[0]!);
const known = new Map<string, string | null>();

/** One line where it grows; the same pattern in another place is not measured again. */
async function problemOf(source: string, flags: string): Promise<string | null> {
  const name = `/${source}/${flags}`;
  if (!known.has(name)) {
    const worst = await worstOf(source, flags);
    known.set(
      name,
      worst === null ? null : `${name} takes ${worst.growth} times the work for 8 times ${JSON.stringify(worst.attack)}`,
    );
  }
  return known.get(name)!;
}

describe('every regular expression of the sources', () => {
  test('is found, and none is built at run time', () => {
    expect(patterns.length).toBeGreaterThan(200);
    expect(made).toEqual([]);
  });

  test.each([...files.keys()])('of %s takes linear work', async (file) => {
    for (const { place, source, flags } of files.get(file)!) expect(await problemOf(source, flags), place).toBeNull();
  });
});

describe('the measurement finds', () => {
  test.each([
    ['what is exponential', /^(a+)+$/],
    ['alternatives for one letter', /^(?:a|\w)*$/],
    ['white space before an end', /\s+$/],
    ['a separator with space round it', /\s*,\s*/],
    ['two runs of one class', /^\w+\d*x$/],
    ['an endless tag', /<(\/?)([^\s!?/<>]+)(?:"[^"]*"|'[^']*'|[^"'<>])*?(\/?)>/g],
    ['an endless text', /"((?:[^"\\]|\\.)*)"\s*:/g],
    ['an address with many dots', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
    ['an endless comment', /<!--.*?-->/g],
    ['anything between two words', /key=.*value/],
  ])('%s', async (_, { source, flags }) => {
    expect(await worstOf(source, flags)).not.toBeNull();
  });

  test.each([/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, /\s+/g, /^\s*(\w+)\s*=/, /^(\d{1,9})(?:\.(\d{1,8}))?$/])(
    'nothing in %s',
    async ({ source, flags }) => {
      expect(await worstOf(source, flags)).toBeNull();
    },
  );
});
