import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CUSTOMER_FIELDS, sealedColumns } from '../../../src/domain/customers/customer.ts';
import { readFields } from '../../../src/domain/records/fields.ts';
import { normalPhone } from '../../../src/domain/records/person-fields.ts';
import { deriveSecrets } from '../../../src/domain/vault/secrets.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import { tooMuchGrowth } from '../../patterns/growth.ts';

const context = { today: '2026-11-15', timeZone: 'Asia/Famagusta' };
const read = (fields: Record<string, unknown>) => readFields(CUSTOMER_FIELDS, fields, context);
const codeOf = (field: string, value: unknown) => read({ [field]: value }).errors.map(({ code }) => code)[0];

describe('phones', () => {
  test.each([
    ['0532 123 45 67', '+905321234567'],
    ['(0533) 812-34-56', '+905338123456'],
    ['0542.851.23.45', '+905428512345'],
    ['5321234567', '+905321234567'],
    ['905321234567', '+905321234567'],
    ['+90 532 123 45 67', '+905321234567'],
    ['+90 (0) 532 123 45 67', '+905321234567'],
    ['0090 532 123 45 67', '+905321234567'],
    ['0392 228 12 34', '+903922281234'],
    ['+44 7700 900123', '+447700900123'],
    ['0044 7700 900123', '+447700900123'],
  ])('%j is %j', (written, stored) => {
    expect(read({ phone: written })).toEqual({ values: { phone: stored }, errors: [] });
  });

  test.each([
    '',
    '0532',
    '532123456',
    '2281234',
    '392 228 12 34',
    '05321234567890',
    '+90 532 123',
    'gizli numara',
    '+0 123 456 789',
    5321234567,
  ])('refuses %j', (written) => {
    expect(read({ phone: written }).errors).toHaveLength(1);
  });

  test('the result is always + and 7 to 15 digits, and normalizes to itself', () => {
    const written = fc.stringMatching(/^(\+|00|0|90|5)?[0-9 ()\-.]{5,20}$/);
    fc.assert(
      fc.property(written, (text) => {
        const phone = normalPhone(text);
        if (phone === null) return;
        expect(phone).toMatch(/^\+[1-9][0-9]{6,14}$/);
        expect(normalPhone(phone)).toBe(phone);
      }),
      { numRuns: 2000 },
    );
  });

  test('a mobile number is the same in all its spellings', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (rest) => {
        const number = `5${String(rest).padStart(9, '0')}`;
        const spaced = `${number.slice(0, 3)} ${number.slice(3, 6)}-${number.slice(6)}`;
        for (const written of [
          number,
          `0${number}`,
          `90${number}`,
          `+90${number}`,
          `0090${number}`,
          `0${spaced}`,
          `+90 (0)${spaced}`,
        ])
          expect(normalPhone(written)).toBe(`+90${number}`);
      }),
    );
  });
});

test.each([
  ['email', 'ayse@example.com', undefined],
  ['email', 'ayse@', 'invalid'],
  ['email', 'a b@example.com', 'invalid'],
  ['email', `${'a'.repeat(250)}@example.com`, 'too_long'],
  ['risk_level', 'yüksek', 'not_allowed'],
  ['id_no', '12345 678 901', undefined],
  ['id_no', '', 'required'],
  ['tax_no', '123 456 78 90', undefined],
  ['tax_no', 'MS/1', undefined],
  ['tax_no', '?', 'invalid'],
  ['birth_date', '1985-04-23', undefined],
  ['birth_date', '2026-11-16', 'out_of_range'],
  ['birth_date', '23.04.1985', 'invalid'],
  ['monthly_income', '25000.50', undefined],
  ['monthly_income', '25.000,50', 'invalid_amount'],
  ['status', 'Aktif', 'unknown_field'],
])('%s %j: %s', (field, value, code) => {
  expect(codeOf(field, value)).toBe(code);
});

test('no message repeats a personal value', () => {
  const { errors } = read({
    id_no: 'GIZLI!',
    address: 'GIZLI\u0000',
    monthly_income: 'GIZLI',
    birth_date: 'GIZLI',
    phone: 'GIZLI',
  });
  expect(errors).toHaveLength(5);
  expect(JSON.stringify(errors)).not.toContain('GIZLI');
});

test('a long run of dots does not slow the e-mail rule', async () => {
  expect(codeOf('email', `a@${'.'.repeat(60_000)}@`)).toBe('too_long');
  expect(await tooMuchGrowth((text) => codeOf('email', text), { prefix: 'a@', pump: '.', suffix: '@' }, 10_000)).toBeNull();
});

test('personal values are encrypted, cleared with null, and unchanged when absent', () => {
  const keys = sealingKeys(deriveSecrets('a secret of at least thirty-two characters'), 'account');
  const columns = sealedColumns(keys, 'row', { id_no: null, monthly_income: 2_500_050n });
  expect(Object.keys(columns)).toEqual(['id_no_encrypted', 'id_no_index', 'monthly_income_encrypted']);
  expect(columns).toMatchObject({ id_no_encrypted: null, id_no_index: null });
  expect((columns.monthly_income_encrypted as Buffer).includes(Buffer.from('25000'))).toBe(false);
});
