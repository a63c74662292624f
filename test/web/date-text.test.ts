// Dates as people type them into the panel's date field.
import { describe, expect, it } from 'vitest';
import { isWholeDate, readDate, writeDate } from '../../web/src/parts/input/date-text.ts';

const TODAY = '2026-11-18';

describe('a typed date', () => {
  it.each([
    ['15.8.26', '2026-08-15'],
    ['15.08.2026', '2026-08-15'],
    ['15/08/2026', '2026-08-15'],
    ['15-8-2026', '2026-08-15'],
    ['15 8 26', '2026-08-15'],
    ['15.8', '2026-08-15'],
    ['5', '2026-11-05'],
    ['2026-08-15', '2026-08-15'],
    ['1.1.85', '1985-01-01'],
    ['29.2.24', '2024-02-29'],
    [' bugün ', '2026-11-18'],
    ['YARIN', '2026-11-19'],
    ['tomorrow', '2026-11-19'],
  ])('%s is %s', (typed, day) => expect(readDate(typed, TODAY)).toBe(day));

  it.each(['29.2.26', '31.11.26', '15.13.26', '0.1.26', '15.8.026', 'salı', '', '15.8.26.1'])('%s is none', (typed) =>
    expect(readDate(typed, TODAY)).toBeNull(),
  );

  it('is taken over while it is typed only when its year is whole', () => {
    expect(['15.8.2026', '2026-08-15', '15.8.20', '15.8', '15'].map(isWholeDate)).toEqual([true, true, false, false, false]);
  });

  it('is shown in the language of the panel', () => {
    expect([writeDate('2026-08-05', 'tr'), writeDate('2026-08-05', 'en')]).toEqual(['05.08.2026', '05/08/2026']);
  });
});
