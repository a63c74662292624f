// Both banks' bulletins as they publish them, and every way in which one can be wrong: refused as a whole, in one line.
import { describe, expect, test } from 'vitest';
import { BulletinError, MAX_BULLETIN_BYTES, readBulletin } from '../../../src/domain/exchange-rates/bulletin.ts';
import { RATE_SOURCES, type RateSource, rateText } from '../../../src/domain/exchange-rates/rates.ts';
import { QUOTES, xmlOf } from '../../support/bulletins.ts';

const DAY = '2026-11-13';
const read = (source: RateSource, xml: string | Buffer) => readBulletin(source, Buffer.from(xml as string));

function refusal(source: RateSource, xml: string | Buffer): string {
  try {
    read(source, xml);
  } catch (error) {
    expect(error).toBeInstanceOf(BulletinError);
    const { message } = error as Error;
    expect(message).not.toMatch(/[\n\p{Cc}]/u);
    expect(message.length).toBeLessThan(220);
    return message;
  }
  throw new Error('it was accepted');
}

describe.each(RATE_SOURCES)('%s', (source) => {
  const xml = xmlOf(source, { day: DAY, number: '2026/211' });
  const [buying, selling] = source === 'TCMB' ? ['ForexBuying', 'ForexSelling'] : ['Doviz_Alis', 'Doviz_Satis'];
  const [unit, banknote] = source === 'TCMB' ? ['Unit', 'BanknoteBuying'] : ['Birim', 'Efektif_Alis'];
  const withQuote = (value: string) => xml.replace(`<${buying}>48.0732</${buying}>`, `<${buying}>${value}</${buying}>`);

  test('is read as the bank publishes it, other currencies ignored', () => {
    const { rates, ...about } = read(source, xml);
    expect(about).toEqual({ source, rateDate: DAY, bulletinNo: '2026/211' });
    expect(Object.keys(rates).sort()).toEqual(['EUR', 'STG', 'USD']);
    expect(rates.STG).toEqual({
      buying: 64_726_800n,
      selling: 65_064_300n,
      banknote_buying: 64_681_500n,
      banknote_selling: 65_161_800n,
    });
    expect(rates.USD.buying).toBe(48_073_200n);
  });

  test('values are divided by their unit exactly, and rounded half-up once if digits remain', () => {
    const of = (value: string, per: string) =>
      rateText(
        read(source, xmlOf(source, { day: DAY, unit: per, quotes: { ...QUOTES, USD: [value, value, '', ''] } })).rates.USD.buying,
      );
    expect(of('4807.32', '100')).toBe('48.073200');
    expect(of('4807.3215', '100')).toBe('48.073215');
    expect(of('100', '3')).toBe('33.333333');
    expect(of('200', '3')).toBe('66.666667');
    expect(of('0.00000050', '1')).toBe('0.000001');
    expect(of('1.0000005', '1')).toBe('1.000001');
    expect(of('1.00000049', '1')).toBe('1.000000');
    expect(of('48', '1')).toBe('48.000000');
  });

  test('without banknotes it has none; without a number it has no number', () => {
    const quotes = { ...QUOTES, GBP: ['64.7268', '65.0643', '', ''] as const };
    expect(read(source, xmlOf(source, { day: DAY, quotes })).rates.STG).toMatchObject({
      banknote_buying: null,
      banknote_selling: null,
    });
    expect(read(source, xmlOf(source, { day: DAY, number: '' })).bulletinNo).toBeNull();
    expect(read(source, xml.replace(/ Bulten_No="[^"]*"|<Duyuru_No>.*?<\/Duyuru_No>/, '')).bulletinNo).toBeNull();
  });

  test.each(['UTF-8', 'ISO-8859-9', 'windows-1254', 'UTF-16'])('is read in %s', (encoding) => {
    const declared = xml.replace('encoding="UTF-8"', `encoding="${encoding}"`);
    // Of the bulletin's letters, İ, Ğ and Ş have different codes in the two Turkish encodings and in Unicode.
    const turkish = declared.replaceAll('İ', '\u00dd').replaceAll('Ğ', '\u00d0').replaceAll('Ş', '\u00de');
    const bytes =
      encoding === 'UTF-8'
        ? Buffer.from(declared)
        : encoding === 'UTF-16'
          ? Buffer.from(`\ufeff${declared}`, 'utf16le')
          : Buffer.from(turkish, 'latin1');
    expect(read(source, bytes).rates.USD.selling).toBe(48_159_800n);
  });

  test.each([
    ['nothing', '', /it is empty/],
    ['a page of a web server', '<!doctype html><html><body>Bulunamadı<br></body></html>', /./],
    ['a page that is well-formed', '<html><body/></html>', /not a bulletin of/],
    ['half of it', xml.slice(0, 700), /not well-formed/],
    ['all of it twice', xml.trim() + xml.replace(/<\?.*?\?>/g, '').trim(), /not well-formed/],
    ["the other bank's", xmlOf(source === 'TCMB' ? 'KKTCMB' : 'TCMB', { day: DAY }), /not a bulletin of/],
    ['no date', xml.replace(/ (Tarih|Date)="[^"]*"|<Kur_Tarihi>.*?<\/Kur_Tarihi>/g, ''), /date/],
    ['a day that does not exist', xml.replaceAll('13.11.2026', '31.02.2026').replaceAll('13/11/2026', '31/02/2026'), /date/],
    ['a date in another form', xml.replaceAll('13.11.2026', '2026-11-13').replaceAll('13/11/2026', '13.11.2026'), /date/],
    ['a day of the old lira', xmlOf(source, { day: '2004-12-31' }), /before the currency reform of 2005/],
    ['a number that is none', xmlOf(source, { day: DAY, number: '\u202e2026' }), /number/],
    ['a currency missing', xmlOf(source, { day: DAY, quotes: { USD: QUOTES.USD, EUR: QUOTES.EUR } }), /incomplete: STG missing/],
    ['all missing', xmlOf(source, { day: DAY, quotes: {} }), /STG, EUR, USD missing/],
    ['a rate missing', withQuote(''), /incomplete: USD lacks a rate/],
    ['a rate twice', withQuote(`48.0732</${buying}><${buying}>48.0732`), /more than once/],
    ['buying above selling', withQuote('48.1599'), /buys USD for more/],
    ['zero', withQuote('0.0000'), /not a valid rate/],
    ['less than a millionth', withQuote('0.0000004'), /not a valid rate/],
    ['a negative one', withQuote('-48.0732'), /not a valid rate/],
    ['NaN', withQuote('NaN'), /not a valid rate/],
    ['Infinity', withQuote('Infinity'), /not a valid rate/],
    ['an exponent', withQuote('4.8e1'), /not a valid rate/],
    ['a comma', withQuote('48,0732'), /not a valid rate/],
    ['thousands', withQuote('1.048.0732'), /not a valid rate/],
    ['hexadecimal', withQuote('0x30'), /not a valid rate/],
    ['other digits', withQuote('４８.0732'), /not a valid rate/],
    ['a huge one', withQuote('1000000'), /not a valid rate/],
    ['a hugely long one', withQuote('9'.repeat(5000)), /not a valid rate/],
    ['more digits than any bank has', withQuote('48.073200001'), /not a valid rate/],
    ['an element for a value', withQuote('<x>48.0732</x>'), /lacks a rate/],
    ['no unit', xml.replace(`<${unit}>1</${unit}>`, ''), new RegExp(`no ${unit}`)],
    ['a unit of zero', xmlOf(source, { day: DAY, unit: '0' }), new RegExp(`no ${unit}`)],
    ['a unit of a half', xmlOf(source, { day: DAY, unit: '0.5' }), new RegExp(`no ${unit}`)],
    ['a banknote of zero', xml.replace(new RegExp(`<${banknote}>48.*?<`), `<${banknote}>0<`), /not a valid rate/],
    ['a document type', xml.replace('?>', '?><!DOCTYPE x>'), /document type/],
    [
      'entities that grow',
      xml
        .replace('?>', '?><!DOCTYPE x [<!ENTITY a "9999999999"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>')
        .replace('48.0732', '&b;'),
      /document type|undefined entity/,
    ],
    [
      'an entity that reads a file',
      xml.replace('?>', '?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>').replace('48.0732', '&f;'),
      /document type|undefined entity/,
    ],
    ['an undeclared entity', withQuote('&rate;'), /undefined entity/],
    ['endless elements', '<a>'.repeat(10_000), /deep/],
    ['another encoding', xml.replace('UTF-8', 'UTF-7'), /encoding/],
    ['bytes that its encoding does not know', Buffer.concat([Buffer.from(xml), Buffer.from([0xff, 0xfe])]), /bytes/],
    ['a NUL', xml.replace('48.0732', '48.\u00000732'), /not well-formed/],
    ['a megabyte and more', `${xml}${' '.repeat(MAX_BULLETIN_BYTES)}`, /larger than/],
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)), /./],
  ])('refuses %s', (_, input, declared) => {
    expect(refusal(source, input)).toMatch(declared);
  });

  test('refuses a currency that occurs twice, even with the same rates', () => {
    const [one] = /<(Currency|Resmi_Kur)\b[\s\S]*?<\/\1>/.exec(xml)!;
    expect(refusal(source, xml.replace(one, one + one))).toMatch(/twice/);
  });

  test('accepts a selling rate equal to the buying rate', () => {
    expect(read(source, withQuote('48.1598')).rates.USD.buying).toBe(48_159_800n);
    expect(selling).toBeDefined();
  });
});

test('TCMB: refuses two dates that disagree', () => {
  expect(refusal('TCMB', xmlOf('TCMB', { day: DAY }).replace('Date="11/13/2026"', 'Date="11/12/2026"'))).toMatch(/date/);
  expect(read('TCMB', xmlOf('TCMB', { day: DAY }).replace(' Date="11/13/2026"', '')).rateDate).toBe(DAY);
});
