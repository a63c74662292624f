// Which characters a name may have, and which days and instants a record may hold.
import { describe, expect, test } from 'vitest';
import { addDays, addMonths } from '../../../src/domain/clock/days.ts';
import { dayField, instantField, Refused, textField } from '../../../src/domain/records/fields.ts';

const context = { today: '2026-11-15', timeZone: 'Asia/Famagusta' };
const isRefused = (value: unknown): boolean => value instanceof Refused;
const name = (text: string) => textField(80).read(text, context);

describe('a name', () => {
  test('has letters, marks, digits, punctuation, symbols and spaces of any language', () => {
    for (const text of [
      'Ayşe Nur Çağlayan-Öz',
      "O'Brien & Sons",
      'محمد',
      'Ελένη',
      '山田',
      'Nº 5 (A/B) #1 €',
      'Golf 1.6 🚗',
      'e\u0301',
    ])
      expect(name(text), text).toBe(text.normalize('NFC'));
  });

  test('has no character that is not seen', () => {
    const unseen =
      '\u202a \u202e \u2066 \u2069 \u200e \u200f \u061c \u200b \u200c \u200d \u2060 \u00ad \u180e \u034f \u115f \u3164 \uffa0 \u2800';
    const others = ['\u{e0041}', '\ue000', '\u0007', '\u2028x', '\ufff9'];
    for (const one of [...unseen.split(' '), ...others])
      expect(isRefused(name(`Ali${one}Veli`)), one.codePointAt(0)!.toString(16)).toBe(one !== '\u2028x');
  });

  test('may be followed by notes that keep their joined pictures', () => {
    const family = '👨\u200d👩\u200d👧';
    expect(textField(80, { lines: true }).read(`geldiler ${family}`, context)).toBe(`geldiler ${family}`);
  });
});

describe('a day', () => {
  test('that is stored lies before the year 3000, and so does an instant', () => {
    expect(dayField().read('2999-12-31', context)).toBe('2999-12-31');
    for (const day of ['3000-01-02', '9999-12-31', '1899-12-31', '0001-01-01'])
      expect([isRefused(dayField().read(day, context)), isRefused(instantField.read(day, context))], day).toEqual([true, true]);
    expect(instantField.read('2999-12-31T12:00:00Z', context)).toEqual(new Date('2999-12-31T12:00:00Z'));
    for (const at of ['3000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '2999-12-31T23:59:59-14:00'])
      expect(isRefused(instantField.read(at, context)), at).toBe(true);
  });

  test('that a filter names is reckoned from without leaving the years of four digits', () => {
    expect([addDays('9999-12-31', 1), addMonths('9999-12-01', 1), addMonths('9999-11-30', 1)]).toEqual([
      ...['9999-12-31', '9999-12-31', '9999-12-30'],
    ]);
  });
});
