// Reads a central bank's daily bulletin from its XML. A bulletin that is not exactly in the bank's form is refused as a whole;
// nothing is guessed.
import { currencyFromFeed } from '../../kit/money.ts';
import { readDay } from '../../kit/params.ts';
import { printable } from '../../kit/text.ts';
import { readXml, type XmlElement, XmlError } from '../formats/xml.ts';
import { BASES, type Base, divideHalfUp, type LiraRate, type LiraRates, type RateSource } from './rates.ts';

/** Why a bulletin was not stored: a clause such as "its USD is …" or "it is dated …". */
export class BulletinError extends Error {}

export interface Bulletin {
  readonly source: RateSource;
  readonly rateDate: string;
  readonly bulletinNo: string | null;
  readonly rates: LiraRates;
}

export const MAX_BULLETIN_BYTES = 1_000_000;
const MAX_DEPTH = 8;

interface Format {
  readonly root: string;
  /** The path from the root to the currencies. */
  readonly path: readonly string[];
  readonly number: string;
  readonly names: { readonly code: string; readonly unit: string } & Readonly<Record<keyof LiraRate, string>>;
  day(root: XmlElement): string | null;
}

const FORMATS: Readonly<Record<RateSource, Format>> = {
  TCMB: {
    root: 'Tarih_Date',
    path: ['Currency'],
    number: 'Bulten_No',
    names: {
      code: 'CurrencyCode',
      unit: 'Unit',
      buying: 'ForexBuying',
      selling: 'ForexSelling',
      banknote_buying: 'BanknoteBuying',
      banknote_selling: 'BanknoteSelling',
    },
    // The date is given twice, once in American notation; where the two differ the bulletin is refused.
    day: (root) => {
      const day = dayFrom(/^(\d\d)\.(\d\d)\.(\d{4})$/.exec(fieldOf(root, 'Tarih') ?? ''));
      const again = fieldOf(root, 'Date');
      const [, month, date, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(again ?? '') ?? [];
      return again === null || `${year}-${month}-${date}` === day ? day : null;
    },
  },
  KKTCMB: {
    root: 'KKTCMB_Doviz_Kurlari',
    path: ['Resmi_Kurlar', 'Resmi_Kur'],
    number: 'Duyuru_No',
    names: {
      code: 'Sembol',
      unit: 'Birim',
      buying: 'Doviz_Alis',
      selling: 'Doviz_Satis',
      banknote_buying: 'Efektif_Alis',
      banknote_selling: 'Efektif_Satis',
    },
    day: (root) => dayFrom(/^(\d\d)\/(\d\d)\/(\d{4})$/.exec(fieldOf(root, 'Kur_Tarihi') ?? '')),
  },
};

/** The currency reform: before this day a lira was a millionth of today's. */
const FIRST_DAY = '2005-01-01';

export function readBulletin(source: RateSource, bytes: Uint8Array): Bulletin {
  const format = FORMATS[source];
  const root = rootOf(bytes);
  if (root.name !== format.root)
    throw new BulletinError(`it is not a bulletin of ${source}: its root element is ${shown(root.name)}, not ${format.root}`);
  const rateDate = format.day(root);
  if (rateDate === null) throw new BulletinError('its date cannot be read');
  if (rateDate < FIRST_DAY) throw new BulletinError(`it is dated ${rateDate}, before the currency reform of 2005`);
  const bulletinNo = fieldOf(root, format.number);
  if (bulletinNo !== null && !/^[\w ./-]{1,40}$/.test(bulletinNo))
    throw new BulletinError(`its number ${shown(bulletinNo)} is invalid`);
  return { source, rateDate, bulletinNo, rates: ratesOf(currenciesOf(root, format), format) };
}

function rootOf(bytes: Uint8Array): XmlElement {
  try {
    return readXml(bytes, { bytes: MAX_BULLETIN_BYTES, depth: MAX_DEPTH });
  } catch (error) {
    throw error instanceof XmlError ? new BulletinError(error.message) : error;
  }
}

function currenciesOf(root: XmlElement, { path }: Format): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [root],
  );
}

function ratesOf(currencies: readonly XmlElement[], format: Format): LiraRates {
  const rates = new Map<string, LiraRate>();
  for (const currency of currencies) {
    const base = currencyFromFeed(fieldOf(currency, format.names.code) ?? '');
    if (!BASES.some((one) => one === base)) continue;
    if (rates.has(base)) throw new BulletinError(`it has ${base} twice`);
    rates.set(base, rateOf(currency, base, format));
  }
  const missing = BASES.filter((base) => !rates.has(base));
  if (missing.length > 0) throw new BulletinError(`it is incomplete: ${missing.join(', ')} missing`);
  return Object.fromEntries(rates) as Record<Base, LiraRate>;
}

function rateOf(currency: XmlElement, base: string, { names }: Format): LiraRate {
  const unit = fieldOf(currency, names.unit);
  if (unit === null || !/^[1-9]\d{0,5}$/.test(unit)) throw new BulletinError(`it has no ${names.unit} for ${base}`);
  const value = (name: string): bigint | null => {
    const text = fieldOf(currency, name);
    return text === null ? null : perUnit(text, BigInt(unit), `${name} of ${base}`);
  };
  const [buying, selling] = [value(names.buying), value(names.selling)];
  if (buying === null || selling === null) throw new BulletinError(`it is incomplete: ${base} lacks a rate`);
  const [banknote_buying, banknote_selling] = [value(names.banknote_buying), value(names.banknote_selling)];
  const crossed =
    buying > selling || (banknote_buying !== null && banknote_selling !== null && banknote_buying > banknote_selling);
  if (crossed) throw new BulletinError(`it buys ${base} for more than it sells it for`);
  return { buying, selling, banknote_buying, banknote_selling };
}

/** Plain decimals only, without sign, exponent or comma. */
const DECIMAL = /^(\d{1,9})(?:\.(\d{1,8}))?$/;
const MAX_RATE_MILLIONTHS = 1_000_000n * 1_000_000n;

/** The rate of one unit in millionths, rounded half up. */
function perUnit(text: string, unit: bigint, what: string): bigint {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new BulletinError(`its ${what} is ${shown(text)}, which is not a valid rate`);
  const millionths = divideHalfUp(BigInt(whole + fraction) * 1_000_000n, unit * 10n ** BigInt(fraction.length));
  if (millionths === 0n || millionths >= MAX_RATE_MILLIONTHS)
    throw new BulletinError(`its ${what} is ${shown(text)}, which is not a valid rate`);
  return millionths;
}

/** The attribute or the only child element of that name. An empty value counts as absent, and two elements are refused. */
function fieldOf({ name: owner, attributes, children }: XmlElement, name: string): string | null {
  const found = [attributes[name], ...children.filter((child) => child.name === name).map(({ text }) => text)];
  const present = found.filter((text) => text !== undefined);
  if (present.length > 1) throw new BulletinError(`its ${owner} has ${name} more than once`);
  return present[0]?.trim() || null;
}

function dayFrom(match: RegExpExecArray | null): string | null {
  return match === null ? null : readDay(`${match[3]}-${match[2]}-${match[1]}`);
}

/** The bank's text quoted in our messages: shortened and without control characters. */
const shown = (text: string): string => `"${printable(text, 40)}"`;
