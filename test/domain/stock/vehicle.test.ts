import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingFields, readFields } from '../../../src/domain/records/fields.ts';
import {
  newVehicle,
  normalPlate,
  type StoredVehicle,
  VEHICLE_FIELDS,
  vehicleChanges,
} from '../../../src/domain/stock/vehicle.ts';
import { closedFields } from '../../../src/domain/stock/vehicle-locks.ts';
import { formatMoney } from '../../../src/kit/money.ts';

const context = { today: '2026-11-15', timeZone: 'Europe/Istanbul' };
const read = (fields: Record<string, unknown>) => readFields(VEHICLE_FIELDS, fields, context);
const codeOf = (field: string, value: unknown) => read({ [field]: value }).errors.map(({ code }) => code)[0];

describe('plates', () => {
  test.each([
    ['ab 123', 'AB 123'],
    ['  34   abc\t123 ', '34 ABC 123'],
    ['34 ist 01', '34 IST 01'],
    ['34 İst 01', '34 IST 01'],
    ['34 ıst 01', '34 IST 01'],
    ['34 i\u0307st 01', '34 IST 01'],
  ])('%j is %j', (written, stored) => {
    expect(read({ plate: written })).toEqual({ values: { plate: stored }, errors: [] });
  });

  test('a second normalization changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalPlate(normalPlate(text))).toBe(normalPlate(text));
      }),
    );
  });

  test('are 2 to 15 characters', () => {
    expect(codeOf('plate', 'A')).toBe('invalid');
    expect(codeOf('plate', 'A'.repeat(16))).toBe('too_long');
    expect(codeOf('plate', 'A'.repeat(100_000))).toBe('too_long');
    expect(codeOf('plate', 'AB\u0000123')).toBe('invalid');
    expect(codeOf('plate', 'AB\ud800123')).toBe('invalid');
  });
});

describe('money', () => {
  test('every amount of at most twelve and two digits is parsed exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (minor) => {
        expect(read({ price: formatMoney(minor) }).values.price).toBe(minor);
      }),
    );
  });

  test('a number is parsed from its shortest text', () => {
    expect(read({ price: 0.1 }).values.price).toBe(10n);
    expect(read({ price: 14_500 }).values.price).toBe(1_450_000n);
  });

  test.each(['1.000,50', '1,000.50', '941.666', 941.666, '1e3', 1e21, '-5', '', '₺5', '1234567890123', null, true, Number.NaN])(
    'refuses %j',
    (value) => {
      expect(['invalid_amount', 'required']).toContain(codeOf('price', value));
    },
  );

  test('a price is above zero, a cost may be zero', () => {
    expect(codeOf('price', '0.00')).toBe('out_of_range');
    expect(read({ customs_fee: '0' }).values.customs_fee).toBe(0n);
  });
});

describe('the other fields', () => {
  test('the model year is at most the next year', () => {
    expect(read({ model_year: 2027 }).errors).toEqual([]);
    expect(codeOf('model_year', 2028)).toBe('out_of_range');
    expect(codeOf('model_year', 1949)).toBe('out_of_range');
    expect(codeOf('model_year', '2019')).toBe('invalid');
    expect(codeOf('model_year', 2019.5)).toBe('invalid');
    expect(VEHICLE_FIELDS.model_year.fromText('2019')).toBe(2019);
    expect(codeOf('model_year', VEHICLE_FIELDS.model_year.fromText('20I9'))).toBe('invalid');
  });

  test.each([
    ['km', -1, 'out_of_range'],
    ['km', 2_000_001, 'out_of_range'],
    ['fuel_type', 'dizel', 'not_allowed'],
    ['fuel_type', 5, 'invalid'],
    ['currency', 'GBP', 'invalid_currency'],
    ['purchase_currency', 'TRY', 'invalid_currency'],
    ['branch_id', 'x', 'invalid'],
    ['stock_date', '2026-02-30', 'invalid'],
    ['brand', '   ', 'required'],
    ['brand', null, 'required'],
    ['brand', 'x'.repeat(81), 'too_long'],
    ['status', 'Satıldı', 'unknown_field'],
    ['account_id', 'x', 'unknown_field'],
    ['__proto__x', 'x', 'unknown_field'],
  ])('%s %j is %s', (field, value, code) => {
    expect(codeOf(field, value)).toBe(code);
  });

  test('lengths count characters, not their encoding', () => {
    expect(read({ brand: '𝒳'.repeat(80) }).errors).toEqual([]);
    expect(codeOf('brand', '𝒳'.repeat(81))).toBe('too_long');
  });

  test('null clears optional fields', () => {
    expect(read({ trim: null, chassis_no: null })).toEqual({ values: { trim: null, chassis_no: null }, errors: [] });
  });

  test('a description keeps its lines, a chassis number loses its spaces', () => {
    const { values } = read({ description: ' bir\r\niki ', chassis_no: 'wvw zzz 1kz 6w' });
    expect(values).toEqual({ description: 'bir\niki', chassis_no: 'WVWZZZ1KZ6W' });
  });

  test('reports all errors, in both languages and without the value', () => {
    const { errors } = read({ km: 'gizli', chassis_no: 'GIZLI'.repeat(50) });
    expect(errors.map(({ field }) => field)).toEqual(['km', 'chassis_no']);
    expect(errors[0]).toMatchObject({
      field: 'km',
      code: 'invalid',
      message: { tr: 'km, 0–2.000.000 arasında bir tam sayı olmalı' },
    });
    expect(JSON.stringify(errors)).not.toMatch(/gizli/i);
  });

  test('required fields of a vehicle', () => {
    expect(missingFields(VEHICLE_FIELDS, { brand: 'VW' }).map(({ field }) => field)).toEqual([
      'model',
      'model_year',
      'km',
      'fuel_type',
      'transmission',
      'body_type',
      'color',
      'plate',
      'city',
      'price',
    ]);
  });
});

test('a new vehicle defaults to the account currency, its costs to that of the price', () => {
  const defaults = { currency: 'STG', today: '2026-11-15', now: new Date('2026-11-15T10:00:00Z') } as const;
  expect(newVehicle({ brand: 'VW' }, {}, defaults)).toMatchObject({
    brand: 'VW',
    currency: 'STG',
    purchase_currency: null,
    stock_date: '2026-11-15',
    status: 'Stokta',
    created_at: defaults.now,
  });
  expect(newVehicle({ currency: 'EUR', customs_fee: 5n }, {}, defaults)).toMatchObject({
    purchase_currency: 'EUR',
    customs_fee_minor: 5n,
  });
  expect(newVehicle({ purchase_price: 5n, purchase_currency: 'USD' }, {}, defaults).purchase_currency).toBe('USD');
});

test('only another value is a change', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const stored = {
    currency: 'STG',
    price_minor: 100n,
    trim: null,
    created_at: at,
    purchase_currency: null,
  } as Partial<StoredVehicle> as StoredVehicle;
  expect(vehicleChanges(stored, { price: 100n, trim: null, currency: 'STG' }, { created_at: new Date(at) })).toEqual({});
  expect(vehicleChanges(stored, { price: 101n, trim: 'GT', other_costs: 7n }, {})).toEqual({
    price_minor: 101n,
    trim: 'GT',
    other_costs_minor: 7n,
    purchase_currency: 'STG',
  });
});

test('a sold vehicle locks the fields of the sale, an auctioned one those that bidders saw; the rest can change', () => {
  const closed = (...input: Parameters<typeof closedFields>) =>
    closedFields(...input).map(({ field, code }) => `${field} ${code}`);
  const changes = { price_minor: 1n, km: 5, purchase_price_minor: 1n, brand: 'x', color: 'x' };
  expect(closed('Satıldı', 'Satıldı', changes)).toEqual(['price vehicle_locked', 'brand vehicle_locked']);
  expect(closed("Auction'da", "Auction'da", changes)).toEqual(
    ['price', 'km', 'brand'].map((field) => `${field} vehicle_in_auction`),
  );
  // Checked against the vehicle's next state, too.
  for (const status of ['Satıldı', "Auction'da"] as const) expect(closed(status, 'Stokta', changes)).toEqual([]);
  for (const status of ['Stokta', 'Rezerve'] as const) expect(closed(status, status, changes)).toEqual([]);
});
