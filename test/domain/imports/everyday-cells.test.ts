// Every cell of the table is read as what its writer meant, and never as something else.
import { describe, expect, test } from 'vitest';
import { CUSTOMER_KINDS, RISK_LEVELS } from '../../../src/domain/customers/customer-states.ts';
import {
  currencyIn,
  dayOrderOf,
  numbersOf,
  readAmount,
  readDayCell,
  readFlag,
  readWhole,
} from '../../../src/domain/formats/cell-text.ts';
import { headCurrency } from '../../../src/domain/imports/head-currency.ts';
import { valueOfWord } from '../../../src/domain/imports/value-words.ts';
import { BODY_TYPES, FUEL_TYPES, TRANSMISSIONS, VEHICLE_SOURCES } from '../../../src/domain/stock/stock-states.ts';
import { CURRENCIES } from '../../../src/kit/money.ts';
import { AMOUNTS, DAYS, FLAGS, WHOLES, WORDS } from './everyday-cells.ts';

describe('a cell as dealers write it', () => {
  test('the table has at least 300 of them, each once', () => {
    const all = [AMOUNTS, WHOLES, DAYS, FLAGS, WORDS].flat().map((one) => JSON.stringify(one));
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each(AMOUNTS.map(([text, expected, format = null]) => ({ text, expected, format })))(
    'the amount $text is $expected',
    ({ text, expected, format }) => {
      const read = readAmount(text, format);
      expect(typeof read === 'string' ? read : [read.amount, read.currency ?? []].flat().join(' ')).toBe(expected);
    },
  );

  test.each(WHOLES.map(([field, text, expected, format = null]) => ({ field, text, expected, format })))(
    'as $field, $text is $expected',
    ({ field, text, expected, format }) => {
      expect(readWhole(field, text, format)).toBe(expected);
    },
  );

  test.each(DAYS.map(([text, expected, order = 'day first' as const]) => ({ text, expected, order })))(
    'the day $text is $expected',
    ({ text, expected, order }) => {
      expect(readDayCell(text, order)).toBe(expected);
    },
  );

  test.each(FLAGS)('the flag %j is %j', (text, expected) => {
    expect(readFlag(text)).toBe(expected);
  });

  const VALUES: Readonly<Record<string, readonly string[]>> = {
    transmission: TRANSMISSIONS,
    fuel_type: FUEL_TYPES,
    body_type: BODY_TYPES,
    source: VEHICLE_SOURCES,
    currency: CURRENCIES,
    risk_level: RISK_LEVELS,
    kind: CUSTOMER_KINDS,
    drive: ['Önden', 'Arkadan', '4x4'],
    steering: ['Sol', 'Sağ'],
  };
  test.each(WORDS)('as %s, %j is %j', (field, word, expected) => {
    expect(valueOfWord(field, VALUES[field]!, word)).toBe(expected);
  });
});

describe('a column', () => {
  test.each([
    ['Fiyat (STG)', 'STG'],
    ['Fiyat £', 'STG'],
    ['Satış Fiyatı GBP', 'STG'],
    ['FİYAT(TL)', 'TL'],
    ['Fiyat ₺', 'TL'],
    ['price_usd', 'USD'],
    ['Fiyat/Euro', 'EUR'],
    ['Fiyat', null],
    ['Fiyat (TL/STG)', null],
    ['TL veya £', null],
  ])('named %j has the currency %j', (column, currency) => {
    expect(headCurrency(column)).toBe(currency);
  });

  test('shows how its numbers are written; neither format is guessed where both occur as often', () => {
    expect(numbersOf(['13.500 £', '9.750 £'])).toBe('tr');
    expect(numbersOf(['13,500', '9,750'])).toBe('en');
    expect(numbersOf(['13500', '9750'])).toBeNull();
    expect(numbersOf(['13.500', '9,750'])).toBe('mixed');
    expect(numbersOf(['£13,500', '9.750 £'])).toBe('tr');
    expect(numbersOf(['1.250.000,50', '9,750'])).toBe('mixed');
    expect(numbersOf(['1.250.000', '13.500', '14.750', '9.750', '9,750'])).toBe('tr');
  });

  test('shows whether the month comes first in its dates', () => {
    expect(dayOrderOf(['05/08/2026', '15/08/2026'])).toBe('day first');
    expect(dayOrderOf(['05/08/2026', '11/25/2026'])).toBe('month first');
    expect(dayOrderOf(['25/08/2026', '11/25/2026'])).toBe('mixed');
  });

  test('names the currency beside its amounts', () => {
    expect(['13.500 £', '£13,500', '620.000 TL', '620.000'].map(currencyIn)).toEqual(['STG', 'STG', 'TL', null]);
  });
});
