import { describe, expect, it } from 'vitest';
import { amountOf, signedAmountOf } from '../../web/src/parts/form/form-amount.ts';
import { changed, filtersOf, yearOf } from '../../web/src/screens/vehicles/search.ts';

describe('the address of the list of vehicles', () => {
  it('reads amounts as people here write them, and nothing else', () => {
    const same = ['1250000', '1.250.000', '1250000,00', '1.250.000,0', '1,250,000', ' ₺1.250.000 '];
    expect(same.map(amountOf).map(Number)).toEqual(same.map(() => 1_250_000));
    expect(['1500,5', '1500.50', '0,99'].map(amountOf)).toEqual(['1500.5', '1500.50', '0.99']);
    for (const none of ['', 'çok', '-5', '1.25.000', '1,2,3', '1500.505', '1e3', '1234567890123'])
      expect(amountOf(none), none).toBeUndefined();
  });

  it('reads amounts below zero where they are allowed', () => {
    expect(['-700', '−1.250,50', ' - 5', '700'].map(signedAmountOf)).toEqual(['-700', '-1250.50', '-5', '700']);
    for (const none of ['', '-', '--5', '5-']) expect(signedAmountOf(none), none).toBeUndefined();
  });

  it('reads years of four digits', () => {
    expect(['1998', ' 2024 '].map(yearOf)).toEqual(['1998', '2024']);
    for (const none of ['98', '20I9', '1899', '2201', '19981']) expect(yearOf(none), none).toBeUndefined();
  });

  it('goes back to the first page with every change, and keeps the size of a page', () => {
    expect(changed({ offset: '50', limit: '50', brand: 'BMW' }, { city: 'Girne' }, 'TL')).toEqual({
      limit: '50',
      brand: 'BMW',
      city: 'Girne',
    });
  });

  it('drops the model with its brand, and bounds with their currency', () => {
    expect(changed({ brand: 'BMW', model: 'X5' }, { brand: 'Ford' }, 'TL')).toEqual({ brand: 'Ford' });
    expect(changed({ currency: 'STG', price_min: '5', price_max: '9' }, { currency: '' }, 'TL')).toEqual({ currency: '' });
  });

  it('takes a bound without a currency in the dealer’s own, and never changes one that was chosen', () => {
    expect(changed({}, { price_max: '9' }, 'STG')).toEqual({ price_max: '9', currency: 'STG' });
    expect(changed({ currency: 'EUR' }, { price_min: '5' }, 'STG')).toEqual({ price_min: '5', currency: 'EUR' });
  });

  it('leaves the page one is on out of a view', () => {
    expect(filtersOf({ brand: 'BMW', offset: '25', limit: '100' })).toEqual({ brand: 'BMW' });
  });
});
