import { describe, expect, it } from 'vitest';
import { formatFor } from '../../web/src/format.ts';
import { wholeToSend } from '../../web/src/parts/form/form-amount.ts';
import { patchesOf, percentOf, priceBy } from '../../web/src/screens/vehicles/bulk/bulk-values.ts';
import { brandsWith, modelsWith } from '../../web/src/screens/vehicles/car-models.ts';
import { UNTOUCHED, withPart } from '../../web/src/screens/vehicles/condition-values.ts';
import { createBody, editBody, isLocked, newVehicleForm } from '../../web/src/screens/vehicles/form-values.ts';
import { shareText } from '../../web/src/screens/vehicles/share-text.ts';

describe('prices by percent', () => {
  it('reads a percentage as people write it, above 0 and up to 100', () => {
    expect(['7,5', '7.5', '%10', '100', '0,01'].map(percentOf)).toEqual([750n, 750n, 1000n, 10_000n, 1n]);
    for (const none of ['', '0', '100,01', '-5', '7,555', 'on', '1e1']) expect(percentOf(none), none).toBeUndefined();
  });

  it('works to the cent, half up, on amounts no binary fraction could hold', () => {
    expect(priceBy('10000.01', 'down', 750n)).toBe('9250.01');
    expect(priceBy('0.50', 'up', 100n)).toBe('0.51');
    expect(priceBy('999999999999.99', 'up', 1n)).toBe('1000099999999.99');
    expect(priceBy('14500.00', 'down', 10_000n)).toBe('0.00');
  });

  it('changes only the ticked fields of each vehicle', () => {
    const cars = [{ id: 'a', price: '100.00' }] as never;
    const values = { ...BULK, priceWay: 'up', percent: '10', branch_id: '' };
    expect(patchesOf(cars, ['price'], values)).toEqual([{ id: 'a', price: '110.00' }]);
    expect(patchesOf(cars, ['branch_id', 'city'], values)).toEqual([{ id: 'a', branch_id: null, city: 'Girne' }]);
    expect(patchesOf(cars, ['price'], { ...BULK, price: '1.250,50' })).toEqual([{ id: 'a', price: '1250.50', currency: 'TL' }]);
  });
});

const BULK = {
  price: '',
  currency: 'TL',
  priceWay: 'set',
  percent: '',
  round_to: '',
  city: 'Girne',
  branch_id: 'b',
  source: 'Takas',
  stock_date: '',
};

describe("a vehicle's form", () => {
  const form = newVehicleForm('STG', { id: '', city: 'Girne' }, '2026-11-15');

  it('sends the filled-in fields of a new vehicle in the format of the API', () => {
    expect(createBody({ ...form, km: '84.000', price: '17.250,50', brand: 'Kia', trim: ' ' })).toEqual({
      brand: 'Kia',
      city: 'Girne',
      km: 84_000,
      price: '17250.50',
      currency: 'STG',
      stock_date: '2026-11-15',
      source: 'Satın Alma',
    });
    // An unreadable number is sent as typed, and the server's error is shown at the field.
    expect(['on bin', '8.40', '84,000', '2 021'].map(wholeToSend)).toEqual(['on bin', '8.40', 84_000, 2021]);
  });

  it('sends the equipment as a list, and null once it is cleared', () => {
    const equipment = 'Klima, Cam tavan;ABS,\n ';
    expect(createBody({ ...form, equipment, engine_cc: '1.598' })).toMatchObject({
      equipment: ['Klima', 'Cam tavan', 'ABS'],
      engine_cc: 1598,
    });
    expect(createBody(form).equipment).toBeUndefined();
    expect(editBody({ ...form, equipment: ' ' }, ['equipment']).equipment).toBeNull();
    expect(editBody(form, []).equipment).toBeUndefined();
  });

  it('gives a body part one state at a time, in the fixed order of parts', () => {
    const painted = withPart(withPart(UNTOUCHED, 'Tavan', 'painted'), 'Motor Kaputu', 'painted');
    expect(painted).toMatchObject({ painted: ['Motor Kaputu', 'Tavan'], locally_painted: [], replaced: [] });
    expect(withPart(painted, 'Tavan', 'locally_painted')).toMatchObject({
      painted: ['Motor Kaputu'],
      locally_painted: ['Tavan'],
    });
    expect(withPart(painted, 'Tavan', 'original')).toMatchObject({
      painted: ['Motor Kaputu'],
      locally_painted: [],
      replaced: [],
    });
  });

  it('sends the changed fields of an existing vehicle; a write-only field only when typed or cleared', () => {
    const values = {
      ...form,
      trim: '',
      color: 'Mor',
      chassis_no: '',
      'chassis_no?clear': true,
      engine_no: 'X',
      'engine_no?clear': true,
    };
    expect(editBody(values, ['trim', 'color', 'chassis_no?clear', 'engine_no', 'engine_no?clear'])).toEqual({
      trim: null,
      color: 'Mor',
      chassis_no: null,
      engine_no: 'X',
    });
  });

  it('locks the fields that cannot change in the status of the vehicle', () => {
    expect(['price', 'km', 'plate', 'chassis_no'].map((name) => isLocked('Satıldı', name))).toEqual([true, false, true, false]);
    expect(['price', 'currency', 'km'].map((name) => isLocked("Auction'da", name))).toEqual([true, true, false]);
    expect(isLocked('Rezerve', 'price')).toBe(false);
  });
});

describe('suggested words', () => {
  it('are the dealer’s own first, then those of the list, each once', () => {
    expect(brandsWith(['Lada', 'TOYOTA']).slice(0, 3)).toEqual(['Lada', 'TOYOTA', 'Alfa Romeo']);
    expect(brandsWith(['TOYOTA'])).not.toContain('Toyota');
    expect(modelsWith(['Golf R'], ' volkswagen')).toEqual(expect.arrayContaining(['Golf R', 'Golf', 'Passat']));
    expect(modelsWith([], 'Bilinmeyen')).toEqual([]);
  });
});

describe('the message about a car', () => {
  const car = {
    brand: 'Toyota',
    model: 'Corolla',
    model_year: 2021,
    trim: null,
    km: 48_500,
    fuel_type: 'Hibrit',
    transmission: 'Otomatik',
    color: 'Gümüş',
    city: 'Girne',
    plate: 'GZL 001',
    price: '17250.50',
    currency: 'STG',
    engine_cc: 1798,
    power_hp: null,
    equipment: ['Klima', 'Cam tavan'],
  } as never;
  const textIn = (locale: 'tr' | 'en') =>
    shareText(car, 'Akdeniz Oto', locale, formatFor(locale, 'Asia/Famagusta')).replaceAll('\u00a0', ' ');

  it('has the name, the facts, the price and the dealer in the language of the panel, and not the plate', () => {
    expect(textIn('tr').split('\n')).toEqual([
      '*2021 Toyota Corolla*',
      '48.500 km · Hibrit · Otomatik · 1.798 cc · Gümüş · Girne',
      'Klima, Cam tavan',
      '*£17.250,50*',
      'Akdeniz Oto',
    ]);
    expect(textIn('en')).toContain('48,500 km · Hybrid · Automatic · 1,798 cc');
    expect(textIn('en')).toContain('£17,250.50');
    expect(textIn('tr') + textIn('en')).not.toContain('GZL');
  });
});
