import { describe, expect, it } from 'vitest';
import {
  connectorForm,
  createBody,
  credentialsBody,
  editBody,
  keyOf,
  newConnectorForm,
} from '../../web/src/screens/imports/form-values.ts';
import { guessMapping, keepMapping, missingIn } from '../../web/src/screens/imports/guess-mapping.ts';
import { guessValue, unreadable, valuesToMap } from '../../web/src/screens/imports/guess-values.ts';

describe('which column is which field', () => {
  it('reads the headers of a Turkish stock list in any case, with marks and units', () => {
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

  it('distinguishes similar columns: prices, models, numbers', () => {
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

  it('names the required fields that have neither a column nor a default', () => {
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

  it('asks only about values the service would refuse', () => {
    expect(valuesToMap('vehicles', 'transmission', ['Manuel', 'Düz', 'otomatik', 'Robot'])).toEqual(['Robot']);
    expect(valuesToMap('vehicles', 'currency', ['TRY', 'TL', 'Dolar', 'CHF'])).toEqual(['CHF']);
    expect(valuesToMap('customers', 'reminder_opt_out', ['Evet', 'hayır', 'belki'])).toEqual(['belki']);
  });

  it('sees in the samples what a run would refuse', () => {
    expect(unreadable('vehicles', 'price', ['1250000', '1250000.50', '1.250.000,50', '12.50.000'])).toBe('12.50.000');
    expect(unreadable('vehicles', 'km', ['84000', '84.000', 'bilinmiyor'])).toBe('bilinmiyor');
    expect(unreadable('vehicles', 'km', ['84.000'], { reading: { numbers: 'tr', days: 'day first' } })).toBeUndefined();
    expect(unreadable('vehicles', 'km', ['84.000'], { reading: { numbers: 'en', days: 'day first' } })).toBe('84.000');
    expect(unreadable('vehicles', 'model_year', ['2019', '20I9'])).toBe('20I9');
    expect(unreadable('vehicles', 'stock_date', ['2026-11-15', '15.11.2026', '11/15/2026'])).toBe('11/15/2026');
    expect(unreadable('vehicles', 'fuel_type', ['Dizel', 'Motorin', 'Kömür'])).toBe('Kömür');
    expect(unreadable('vehicles', 'fuel_type', ['Dizel', 'Kömür'], { map: { Kömür: 'Dizel' } })).toBeUndefined();
    expect(unreadable('vehicles', 'brand', ['Renault'])).toBeUndefined();
  });
});

describe("a connector's form", () => {
  const mapping = { plate: 'Plaka', transmission: 'Vites' };
  const made = {
    ...newConnectorForm('vehicles'),
    name: ' Stok ',
    type: 'csv',
    delimiter: ';',
    encoding: 'windows-1254',
    record_path: 'kalan',
    mapping,
    defaults: { km: '0', city: ' Girne ', color: ' ' },
    value_map: { transmission: { Düz: 'Manuel', Robot: '' }, fuel_type: { Motorin: 'Dizel' } },
  };
  const body = {
    name: 'Stok',
    type: 'csv',
    transport: 'inline',
    target: 'vehicles',
    key_field: 'plate',
    schedule: 'Elle',
    config: {
      delimiter: ';',
      encoding: 'windows-1254',
      mapping,
      defaults: { km: 0, city: 'Girne' },
      value_map: { transmission: { Düz: 'Manuel' } },
    },
  };
  const saved = {
    ...body,
    id: 'c',
    status: 'Aktif',
    has_credentials: true,
    last_run_at: null,
    last_run_status: null,
    config: { url: null, record_path: null, ...body.config },
  } as unknown as Parameters<typeof connectorForm>[0];

  it('sends what was chosen, numbers as numbers, and nothing of fields without a column', () => {
    expect(createBody(made)).toEqual(body);
    const json = { ...made, type: 'json', transport: 'url', url: ' https://a.example.com/stok ', schedule: 'Günlük' };
    expect(createBody(json)).toMatchObject({
      schedule: 'Günlük',
      config: { url: 'https://a.example.com/stok', record_path: 'kalan' },
    });
    expect(createBody(json).config).toHaveProperty('delimiter', undefined);
  });

  it('sends the changed fields of an edit, and null for removed options', () => {
    const form = { ...connectorForm(saved), login: 'keep' };
    // Credentials belong to an address; where files are sent there are none to keep.
    expect(editBody(form, saved)).toEqual({ credentials: null });
    expect(editBody(form, { ...saved, has_credentials: false })).toEqual({});
    expect(editBody({ ...form, name: 'Yeni' }, { ...saved, has_credentials: false })).toEqual({ name: 'Yeni' });
    const other = editBody({ ...form, type: 'xml', encoding: '', record_path: 'a.b' }, { ...saved, has_credentials: false });
    expect(other).toMatchObject({ type: 'xml', config: { delimiter: null, encoding: null, record_path: 'a.b', url: null } });
  });

  it('keeps, deletes or replaces credentials, as chosen', () => {
    const url = { ...made, transport: 'url' };
    expect(credentialsBody({ ...url, login: 'keep' }, true)).toBeUndefined();
    expect(credentialsBody({ ...url, login: '' }, true)).toBeNull();
    expect(credentialsBody({ ...url, login: '' }, false)).toBeUndefined();
    expect(credentialsBody({ ...url, login: 'basic', username: 'a', password: ' b ' }, true)).toEqual({
      username: 'a',
      password: ' b ',
    });
    expect(credentialsBody({ ...url, login: 'headers', headers: 'X-Key: a:b\n\n X-Two : c' }, false)).toEqual({
      headers: { 'X-Key': 'a:b', 'X-Two': 'c' },
    });
  });

  it('matches by what records made by hand have too', () => {
    expect(keyOf('vehicles', { plate: 'Plaka', external_ref: 'İlan No' })).toBe('plate');
    expect(keyOf('customers', { external_ref: 'Cari' })).toBe('external_ref');
    expect(keyOf('customers', {})).toBe('phone');
  });
});
