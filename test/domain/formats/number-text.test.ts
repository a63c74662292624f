// Numbers and dates as people write them, parsed by one parser for forms and imports.
import { describe, expect, test } from 'vitest';
import { formatOf, plainDay, plainNumber, plainWhole } from '../../../src/domain/formats/number-text.ts';

describe('a number as text', () => {
  test.each([
    ['84.000', null, '84000'],
    ['84,000', null, '84000'],
    ['5.000,50', null, '5000.50'],
    ['5,000.50', null, '5000.50'],
    ['1500,5', 'en', '1500.5'],
    ['1500.50', 'tr', '1500.50'],
    ['₺ 1.250.000', 'tr', '1250000'],
    ['1.234,56', 'en', '1234.56'],
    // Three decimals with a declared format: not guessed.
    ['84.000', 'en', null],
    ['84,000', 'tr', null],
    ['84.000', 'tr', '84000'],
    ['1.2.3', 'tr', null],
    ['12.50.000', null, null],
    ['-5', 'tr', null],
    ['beş bin', 'tr', null],
    ['', null, null],
    ['9'.repeat(41), null, null],
  ] as const)('%s by %s is %s', (text, format, plain) => {
    expect(plainNumber(text, format)).toBe(plain);
  });

  test('whole numbers may have an empty fraction and no other', () => {
    expect(['84.000,00', '84.000', '84000', '84.000,50', ''].map((text) => plainWhole(text, 'tr'))).toEqual([
      84_000,
      84_000,
      84_000,
      null,
      null,
    ]);
  });

  test('groups determine the format before fractions do; plain digits determine nothing', () => {
    expect(formatOf(['14.500', '1.6', '2.0'])).toBe('tr');
    expect(formatOf(['14,500', '1,6'])).toBe('en');
    expect(formatOf(['1500,50', '2018'])).toBe('tr');
    expect(formatOf(['2018', 'AB 123', '17.11.2026'])).toBeNull();
  });
});

test('a date with points is Turkish; with slashes it is left unchanged', () => {
  expect(['17.11.2026', ' 3.1.2026 ', '17/11/2026', '2026-11-17'].map(plainDay)).toEqual([
    '2026-11-17',
    '2026-01-03',
    null,
    null,
  ]);
});
