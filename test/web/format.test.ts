// Numbers, money, times and search as readers in Türkiye and Northern Cyprus expect them.
import { describe, expect, it } from 'vitest';
import { compareTexts, fold, matches } from '../../web/src/fold.ts';
import { formatFor } from '../../web/src/format.ts';
import { plateText } from '../../web/src/parts/plate-text.ts';
import { parseSearch, searchOf, stringifySearch } from '../../web/src/search-params.ts';

const tr = formatFor('tr', 'Europe/Istanbul');
const en = formatFor('en', 'Europe/Istanbul');

describe('money', () => {
  it.each([
    ['1250000.50', 'TL', '₺1.250.000,50', '₺1,250,000.50'],
    ['1250000.50', 'STG', '£1.250.000,50', '£1,250,000.50'],
    ['5.00', 'USD', '$5,00', '$5.00'],
    ['12345678901234567.89', 'TL', '₺12.345.678.901.234.567,89', '₺12,345,678,901,234,567.89'],
    ['10.00', 'XYZ', '10.00 XYZ', '10.00 XYZ'],
  ])('%s %s', (amount, currency, turkish, english) => {
    expect(tr.money(amount, currency)).toBe(turkish);
    expect(en.money(amount, currency)).toBe(english);
  });

  it('leaves out zeros only at the end', () => {
    expect(tr.money('14500.00', 'STG', true)).toBe('£14.500');
    expect(tr.money('14500.10', 'STG', true)).toBe('£14.500,10');
    expect([tr.amount('45000.50'), en.amount('45000.50')]).toEqual(['45.000,50', '45,000.50']);
  });
});

describe('times', () => {
  it('are shown in the time zone of the account', () => {
    expect(tr.dateTime('2026-11-15T09:05:00Z')).toBe('15 Kas 2026 12:05');
    expect(en.dateTime('2026-11-15T21:30:00Z')).toBe('16 Nov 2026 00:30');
    expect(tr.date('2026-11-15T21:30:00Z')).toBe('16.11.2026');
    expect(tr.time('2026-11-15T09:05:07.031Z')).toBe('12:05:07,031');
  });

  it('are shown relative to now', () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    expect(tr.relative('2026-11-15T09:00:00Z', now)).toBe('3 saat önce');
    expect(tr.relative('2026-11-14T09:00:00Z', now)).toBe('dün');
    expect(en.relative('2026-11-15T12:59:59Z', now)).toBe('in 59 minutes');
    expect(tr.relative('2026-11-15T12:00:00Z', now)).toBe('şimdi');
  });
});

it('writes shares, distances, durations and sizes', () => {
  expect(tr.percent(0.123)).toBe('%12,3');
  expect(en.percent(0.123)).toBe('12.3%');
  expect(tr.change(0.0025)).toBe('+%0,25');
  expect(en.change(-0.001)).toBe('-0.10%');
  expect(tr.rate('48.073200', 'TL')).toBe('48,0732');
  expect(tr.rate('44.969205', 'TL')).toBe('44,969205');
  expect(en.rate('1.155370', 'EUR')).toBe('1.155370');
  expect(tr.km(125_000)).toBe('125.000 km');
  expect(tr.milliseconds(12.4)).toBe('12 ms');
  expect(tr.milliseconds(1_250)).toBe('1,3 s');
  expect(tr.bytes(1_530)).toBe('1,5 kB');
  expect([tr.bytes(999_000), tr.bytes(1_740_100)]).toEqual(['999 kB', '1,7 MB']);
});

describe('search', () => {
  it.each([
    ['api', 'API anahtarları'],
    ['API', 'api anahtarları'],
    ['ILAN', 'İlan ver'],
    ['ılan', 'İLAN'],
    ['musteri', 'Müşteriler'],
    ['gunluk istek', 'İstek günlükleri'],
    ['citroen', 'CITROËN C3'],
    ['', 'anything'],
  ])('%s finds %s', (typed, text) => expect(matches(typed, text)).toBe(true));

  it('needs every word', () => expect(matches('api yok', 'API anahtarları')).toBe(false));
  it('folds a combining dot away', () => expect(fold('I\u0307STANBUL')).toBe('istanbul'));
  it('sorts as Turkish does', () => {
    expect(['Çelik', 'Dal', 'Can', 'İlk', 'Işık'].sort(compareTexts('tr'))).toEqual(['Can', 'Çelik', 'Dal', 'Işık', 'İlk']);
  });
});

it.each([
  ['ab123', 'AB 123'],
  ['ABC 123', 'ABC 123'],
  ['z ab123', 'Z AB 123'],
  ['zab123', 'ZAB 123'],
  ['34abc123', '34 ABC 123'],
  ['XYZ-999 özel', 'XYZ-999 özel'],
])('reads the plate %s as %s', (typed, shown) => expect(plateText(typed)).toBe(shown.replaceAll(' ', '\u00a0')));

describe('the address', () => {
  it('holds filters as plain text, what is empty not at all', () => {
    expect(stringifySearch({ durum: "Auction'da", q: 'golf gti', bos: '', yok: undefined, offset: 25 })).toBe(
      '?durum=Auction%27da&q=golf+gti&offset=25',
    );
    expect(parseSearch('?durum=Auction%27da&q=golf+gti&offset=25')).toEqual({ durum: "Auction'da", q: 'golf gti', offset: '25' });
    expect(stringifySearch({})).toBe('');
  });

  it('keeps only what the screen knows', () => {
    expect(searchOf('q', 'offset')({ q: 'a', offset: 25, drop: 'x' })).toEqual({ q: 'a', offset: '25' });
  });
});
