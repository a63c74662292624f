import { describe, expect, it } from 'vitest';
import { columnWord, guessMapping, keepMapping, missingIn } from '../../web/src/screens/imports/guess-mapping.ts';
import { guessValue, guessValues, unreadable, valuesToMap } from '../../web/src/screens/imports/guess-values.ts';

describe('which column is which field', () => {
  it('reads the headers of a Turkish stock list, whatever their case, marks and units', () => {
    const columns = ['PLAKA', 'Marka', 'Model', 'Model Yılı', 'KM', 'Yakıt', 'Vites', 'Kasa Tipi', 'Renk', 'Şehir', 'Fiyat (TL)'];
    expect(guessMapping('vehicles', columns)).toEqual({
      plate: 'PLAKA',
      brand: 'Marka',
      model: 'Model',
      model_year: 'Model Yılı',
      km: 'KM',
      fuel_type: 'Yakıt',
      transmission: 'Vites',
      body_type: 'Kasa Tipi',
      color: 'Renk',
      city: 'Şehir',
      price: 'Fiyat (TL)',
    });
  });

  it('tells apart what is alike: prices, models, numbers', () => {
    const columns = [
      'Alış Fiyatı',
      'Satış Fiyatı',
      'Üretim Yılı',
      'Stok No',
      'Motor No',
      'ŞASİ NO',
      'İl',
      'Kilometre',
      'Döviz Cinsi',
    ];
    expect(guessMapping('vehicles', columns)).toEqual({
      purchase_price: 'Alış Fiyatı',
      price: 'Satış Fiyatı',
      model_year: 'Üretim Yılı',
      external_ref: 'Stok No',
      engine_no: 'Motor No',
      chassis_no: 'ŞASİ NO',
      city: 'İl',
      km: 'Kilometre',
      currency: 'Döviz Cinsi',
    });
  });

  it('knows our own names, English ones, and names within a path or an attribute', () => {
    expect(guessMapping('vehicles', ['model_year', 'make', 'arac.plaka', '@renk'])).toEqual({
      model_year: 'model_year',
      brand: 'make',
      plate: 'arac.plaka',
      color: '@renk',
    });
    expect(['Model Yılı *', 'Fiyat (TL)', 'İLAN NO', 'a/b/Şehir'].map(columnWord)).toEqual([
      'modelyili',
      'fiyat',
      'ilanno',
      'sehir',
    ]);
  });

  it('reads a list of customers', () => {
    expect(
      guessMapping('customers', ['Müşteri Adı', 'Soyadı', 'Cep Telefonu', 'E-Posta', 'T.C. Kimlik No', 'Doğum Tarihi']),
    ).toEqual({
      first_name: 'Müşteri Adı',
      last_name: 'Soyadı',
      phone: 'Cep Telefonu',
      email: 'E-Posta',
      id_no: 'T.C. Kimlik No',
      birth_date: 'Doğum Tarihi',
    });
  });

  it('gives no column to two fields, and none where it does not know', () => {
    expect(guessMapping('vehicles', ['Fiyat', 'Tutar', 'Tramer', 'Boya'])).toEqual({ price: 'Fiyat' });
    expect(guessMapping('vehicles', ['', '—', '??'])).toEqual({});
  });

  it('keeps what was chosen as long as the file has it, and guesses the rest', () => {
    const chosen = { brand: 'Üretici Firma', price: 'Etiket' } as const;
    expect(keepMapping('vehicles', chosen, ['Etiket', 'Fiyat', 'Marka'])).toEqual({ price: 'Etiket', brand: 'Marka' });
  });

  it('tells which required fields nothing gives', () => {
    const mapping = guessMapping('customers', ['Ad', 'Soyad']);
    expect(missingIn('customers', mapping, {})).toEqual(['phone']);
    expect(missingIn('customers', mapping, { phone: '0533 000 00 00' })).toEqual([]);
  });
});

describe('which value is which', () => {
  it('reads what feeds write for gears, fuels, bodies and currencies', () => {
    const guess = (field: 'transmission' | 'fuel_type' | 'body_type' | 'currency', ...seen: string[]) =>
      seen.map((value) => guessValue('vehicles', field, value));
    expect(guess('transmission', 'Düz', 'DÜZ VİTES', 'otomatik', 'Triptonik')).toEqual([
      'Manuel',
      'Manuel',
      'Otomatik',
      'Yarı Otomatik',
    ]);
    expect(guess('fuel_type', 'Motorin', 'LPG & Benzin', 'BENZİN', 'Hybrid', 'Kömür')).toEqual([
      'Dizel',
      'Benzin+LPG',
      'Benzin',
      'Hibrit',
      undefined,
    ]);
    expect(guess('body_type', 'Pick Up', 'Jeep', 'SW', 'Diğer')).toEqual(['Pick-up', 'SUV', 'Station Wagon', 'Diğer']);
    expect(guess('currency', '₺', 'GBP', 'Sterlin', '€')).toEqual(['TL', 'STG', 'STG', 'EUR']);
    expect(guessValue('customers', 'risk_level', 'Yüksek')).toBe('high');
  });

  it('asks only about values the service would refuse, and keeps what was answered', () => {
    expect(valuesToMap('vehicles', 'transmission', ['Manuel', 'Düz', 'otomatik'])).toEqual(['Düz', 'otomatik']);
    expect(valuesToMap('vehicles', 'currency', ['TRY', 'TL', 'Dolar'])).toEqual(['Dolar']);
    expect(guessValues('vehicles', 'transmission', ['Düz', 'CVT', 'Robot'], { CVT: 'Yarı Otomatik' })).toEqual({
      Düz: 'Manuel',
      CVT: 'Yarı Otomatik',
    });
  });

  it('sees in the samples what a run would refuse', () => {
    expect(unreadable('vehicles', 'price', ['1250000', '1250000.50', '1.250.000,50'])).toBe('1.250.000,50');
    expect(unreadable('vehicles', 'km', ['84000', '84.000'])).toBe('84.000');
    expect(unreadable('vehicles', 'model_year', ['2019', '20I9'])).toBe('20I9');
    expect(unreadable('vehicles', 'stock_date', ['2026-11-15', '15.11.2026'])).toBe('15.11.2026');
    expect(unreadable('vehicles', 'fuel_type', ['Dizel', 'Motorin'])).toBe('Motorin');
    expect(unreadable('vehicles', 'fuel_type', ['Dizel', 'Motorin'], { Motorin: 'Dizel' })).toBeUndefined();
    expect(unreadable('vehicles', 'brand', ['Renault'])).toBeUndefined();
  });
});
