// Formulas are text in every file we write, in any disguise; numbers stay numbers.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csvHead, csvLines } from '../../../src/domain/formats/csv-write.ts';

const cell = (value: unknown): string => csvLines(['value'], [{ value }], ';').slice(0, -2);

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\tx',
  '\rx',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  ' =1',
  '  \n=1',
  '\u00a0=1',
  '\u3000＝1',
  '\ufeff=1',
  '\u200b=1',
  '\u200e\u2066=1',
  '"=1',
  "'=1",
  '“=1',
  ' "＝1',
])('%j is written as text', (value) => {
  expect(cell(value).replace(/^"/, '')).toMatch(/^'/);
});

test('a list or any other value that becomes text is checked as that text', () => {
  expect(cell(['=1', 'x'])).toBe(`"'=1,x"`);
});

test('numbers, and text with such a letter further in, are unchanged', () => {
  const values = [-5, 0, 12.5, -7n, true, 'AB 123', 'a=b', '5-3', 'x@example.com', '(+)', '  AB', '"AB"', ''];
  expect(values.map(cell)).toEqual([
    '-5',
    '0',
    '12.5',
    '-7',
    'true',
    'AB 123',
    'a=b',
    '5-3',
    'x@example.com',
    '(+)',
    '  AB',
    '"""AB"""',
    '',
  ]);
});

test('a cell never ends before its end, with any delimiter', () => {
  expect(cell('a;b')).toBe('"a;b"');
  expect(cell('a,b')).toBe('"a,b"');
  expect(cell('a\tb')).toBe('"a\tb"');
  expect(cell('a"\r\nb')).toBe('"a""\r\nb"');
  expect(csvHead(['a', 'b'], ';')).toBe('\ufeffa;b\r\n');
});

test('no other code writes CSV', () => {
  const writers = globSync('src/**/*.ts').filter((path) =>
    /\\uFEFF\$\{|join\((['"])[,;\\t]+\1\)\}?\\r\\n/.test(readFileSync(path, 'utf8')),
  );
  expect(writers).toEqual(['src/domain/formats/csv-write.ts']);
});
