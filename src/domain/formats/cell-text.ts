// Cells as dealers write them: `84.000 km`, `620.000 TL`, `£13,500`, `2019 model`, `15.8.26`. Text with more than one meaning is
// not read.
import type { Currency } from '../../kit/money.ts';
import { foldWord } from './fold-text.ts';
import { formatOf, type NumberFormat, plainNumber, plainWhole } from './number-text.ts';

/** Names and signs of currencies, folded. */
export const CURRENCY_WORDS: Readonly<Record<Currency, readonly string[]>> = {
  TL: ['₺', 'tl', 'try', 'turklirasi', 'lira', 'tltry'],
  STG: ['£', 'stg', 'gbp', 'sterlin', 'sterling', 'pound', 'pounds', 'paund', 'ingilizsterlini', 'ingilizlirasi'],
  USD: ['$', 'usd', 'dolar', 'dollar', 'dollars', 'amerikandolari', 'us$'],
  EUR: ['€', 'eur', 'euro', 'avro'],
};

const BY_WORD: ReadonlyMap<string, Currency> = new Map(
  (Object.keys(CURRENCY_WORDS) as Currency[]).flatMap((currency) => CURRENCY_WORDS[currency].map((word) => [word, currency])),
);

/** The currency that a word or sign names, or null. */
export function currencyOfWord(text: string): Currency | null {
  const bare = text.trim().replace(/\.$/, '');
  return BY_WORD.get(bare) ?? BY_WORD.get(foldWord(bare)) ?? null;
}

/** Longer than any amount with its words. */
const MAX_LENGTH = 60;

const spaced = (text: string): string => text.replace(/[\s\u00a0\u2007\u2009\u202f]+/g, ' ').trim();

/** The letters and signs at both ends of a number, and the number between them. */
function partsOf(text: string): { before: string; number: string; after: string } | null {
  const clean = spaced(text);
  if (clean === '' || clean.length > MAX_LENGTH) return null;
  const first = clean.search(/\d/);
  if (first < 0) return null;
  let last = clean.length - 1;
  while (!/\d/.test(clean[last]!)) last -= 1;
  return { before: clean.slice(0, first).trim(), number: clean.slice(first, last + 1), after: clean.slice(last + 1).trim() };
}

const TIMES: Readonly<Record<string, bigint>> = { bin: 1000n, milyon: 1_000_000n, mn: 1_000_000n };

/** A multiplier before the currency: `620 bin TL`. */
function multiplierIn(after: string): { times: bigint; rest: string } {
  const word = /^\p{L}+/u.exec(after)?.[0] ?? '';
  const times = TIMES[foldWord(word)];
  return times === undefined ? { times: 1n, rest: after } : { times, rest: after.slice(word.length).trim() };
}

/** Groups of three with spaces or apostrophes between them: 1 250 000. */
const SPACED = /^\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d{1,2})?$/;
const ONE_GROUP = /^\d{1,3}[.,]\d{3}$/;

function bareNumber(number: string): string | null {
  if (!/[ '’]/.test(number)) return number;
  return SPACED.test(number) ? number.replace(/[ '’]/g, '') : null;
}

export interface CellAmount {
  /** Plain decimal text, 13500.50. */
  readonly amount: string;
  /** The currency that is written beside the number. */
  readonly currency: Currency | null;
}

export type AmountFault = 'invalid' | 'ambiguous';

/**
 * `mixed`: the column has numbers of both formats, so that 13.500 may be thirteen thousand five hundred or thirteen and a half.
 */
export type CellNumbers = NumberFormat | 'mixed' | null;

/** `,-` after a price, and the dash of 620.000-TL. */
const PRICE_TAG = /^(?:[.,][-–—]+|[-–—](?=[\p{L}\p{Sc}]))/u;

/** An amount with its currency before or after it; `620.000,-` and `13.500.-` end as price tags do. */
export function readAmount(text: string, format: CellNumbers): CellAmount | AmountFault {
  const parts = partsOf(text);
  if (parts === null) return 'invalid';
  const { times, rest } = multiplierIn(parts.after.replace(PRICE_TAG, '').trim());
  const before = parts.before === '' ? null : currencyOfWord(parts.before);
  const tail = rest.replace(/[.,][-–—]+$/, '').trim();
  const after = tail === '' ? null : currencyOfWord(tail);
  if ((parts.before !== '' && before === null) || (tail !== '' && after === null)) return 'invalid';
  if (before !== null && after !== null && before !== after) return 'invalid';
  const bare = bareNumber(parts.number);
  if (bare === null) return 'invalid';
  const currency = before ?? after;
  const plain = amountText(bare, times, before !== null, format);
  return typeof plain === 'object' ? { amount: plain.amount, currency } : plain;
}

function amountText(bare: string, times: bigint, isAfterSign: boolean, format: CellNumbers): { amount: string } | AmountFault {
  // £13,500 and 13.500 £ are written in one way only: no amount has three decimals.
  const isEnglish = isAfterSign && ONE_GROUP.test(bare) && bare.includes(',');
  if (format === 'mixed' && ONE_GROUP.test(bare) && !isEnglish) return 'ambiguous';
  if (times > 1n && ONE_GROUP.test(bare)) return 'ambiguous';
  const plain = plainNumber(bare, isEnglish ? 'en' : format === 'mixed' ? null : format);
  if (plain === null) return ONE_GROUP.test(bare) ? 'ambiguous' : 'invalid';
  return { amount: times === 1n ? plain : multiplied(plain, times) };
}

/** 1.25 × 1 000 000, exactly. */
function multiplied(plain: string, times: bigint): string {
  const [whole = '', rest = ''] = plain.split('.');
  const minor = (BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'))) * times;
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`.replace(/\.00$/, '');
}

/** The currency that the text of an amount names, or null. */
export function currencyIn(text: string): Currency | null {
  const read = readAmount(text, 'tr');
  if (typeof read === 'object') return read.currency;
  const english = readAmount(text, 'en');
  return typeof english === 'object' ? english.currency : null;
}

/** The units of a whole number, folded, by field. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  km: ['km', 'kms', 'kilometre', 'kilometer', 'kilometers', 'kmde'],
  model_year: ['model', 'modeli', 'yili', 'yil'],
  engine_cc: ['cc', 'cm3', 'cm', 'ccm', 'cm³'],
  power_hp: ['hp', 'bg', 'ps', 'bhp', 'beygir'],
  doors: ['kapi', 'kapili', 'doors', 'door'],
  seats: ['kisi', 'kisilik', 'koltuk', 'seats', 'seat'],
  owners: ['sahip', 'sahibi', 'kullanici', 'owners', 'owner'],
};

const ZERO_KM = ['sifir', 'sifirkm', 'new', 'brandnew'];

/** A whole number with its unit: 84.000 km, 2019 model, 1.598 cc, and 1,6 as the litres of an engine. Null if it is not one. */
export function readWhole(field: string, text: string, format: CellNumbers): number | null {
  if (field === 'km' && ZERO_KM.includes(foldWord(text))) return 0;
  const parts = partsOf(text);
  if (parts === null) return null;
  const litres = field === 'engine_cc' ? litresIn(parts) : null;
  if (litres !== null) return litres;
  const units = UNITS[field] ?? [];
  const isUnit = (word: string) => word === '' || units.includes(foldWord(word));
  const cubic = field === 'engine_cc' && /cm ?3$/i.test(parts.number);
  const { times, rest } = multiplierIn(parts.after);
  const bare = bareNumber(cubic ? parts.number.replace(/ ?cm ?3$/i, '') : parts.number);
  if (bare === null || !isUnit(parts.before) || !isUnit(rest.replace(/[.'’]$/, ''))) return null;
  if (times > 1n && (ONE_GROUP.test(bare) || field !== 'km')) return null;
  const whole =
    times > 1n
      ? wholeOf(multiplied(plainNumber(bare, null) ?? '0', times))
      : plainWhole(bare, format === 'mixed' ? null : format);
  return whole;
}

const wholeOf = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

/** 1,6 and 1.6 litres are 1 600 cm³; three decimals are a group of thousands. */
function litresIn({ before, number, after }: { before: string; number: string; after: string }): number | null {
  if (before !== '' || !['', 'l', 'lt', 'litre', 'liter'].includes(foldWord(after))) return null;
  const [, whole, tenth] = /^(\d)[.,](\d)$/.exec(number) ?? [];
  return whole === undefined ? null : Number(whole) * 1000 + Number(tenth) * 100;
}

/** Which part of 05/08/2026 is the day. */
export type DayOrder = 'day first' | 'month first' | 'mixed';

const MONTHS: readonly (readonly string[])[] = [
  ['ocak', 'oca', 'january', 'jan'],
  ['subat', 'sub', 'february', 'feb'],
  ['mart', 'mar', 'march'],
  ['nisan', 'nis', 'april', 'apr'],
  ['mayis', 'may'],
  ['haziran', 'haz', 'june', 'jun'],
  ['temmuz', 'tem', 'july', 'jul'],
  ['agustos', 'agu', 'august', 'aug'],
  ['eylul', 'eyl', 'september', 'sep', 'sept'],
  ['ekim', 'eki', 'october', 'oct'],
  ['kasim', 'kas', 'november', 'nov'],
  ['aralik', 'ara', 'december', 'dec'],
];

/** Days that Excel counts from 1900, of 1955 to 2100. */
const FIRST_SERIAL = 20_000;
const LAST_SERIAL = 73_500;

/** A day in ISO format, in any spelling; null if it is not a day or has two meanings. */
export function readDayCell(text: string | number, order: DayOrder = 'day first'): string | null {
  if (typeof text === 'number') return serialDay(text);
  const clean = spaced(text)
    .replace(/ (?:\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?)$/, '')
    .replace(/[,.] ?$/, '');
  if (clean.length > MAX_LENGTH) return null;
  if (/^\d{5}$/.test(clean)) return serialDay(Number(clean));
  const iso = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:T\S{0,30})?$/.exec(clean);
  if (iso !== null) return dayOf(iso[1]!, Number(iso[2]), Number(iso[3]));
  const numbers = /^(\d{1,2}) ?([-./]) ?(\d{1,2}) ?[-./] ?(\d{2}|\d{4})$/.exec(clean);
  if (numbers !== null)
    return dayOfNumbers(Number(numbers[1]), Number(numbers[3]), numbers[4]!, numbers[2] === '/' ? order : 'day first');
  const words = clean.split(/[ ,./-]+/);
  if (words.length !== 3) return null;
  const [first, second, year] = words as [string, string, string];
  const [day, month] = /^\d/.test(first) ? [first, second] : [second, first];
  const number = MONTHS.findIndex((names) => names.includes(foldWord(month))) + 1;
  return number === 0 || !/^\d{1,2}$/.test(day) || !/^(?:\d{2}|\d{4})$/.test(year) ? null : dayOf(year, number, Number(day));
}

function dayOfNumbers(first: number, second: number, year: string, order: DayOrder): string | null {
  if (order === 'mixed' && first !== second) return null;
  return order === 'month first' ? dayOf(year, first, second) : dayOf(year, second, first);
}

const serialDay = (serial: number): string | null =>
  Number.isInteger(serial) && serial >= FIRST_SERIAL && serial <= LAST_SERIAL
    ? new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10)
    : null;

/** Years of two digits: 26 is 2026, 85 is 1985. */
const CENTURY_ENDS = 50;

function dayOf(year: string, month: number, day: number): string | null {
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < CENTURY_ENDS ? 2000 : 1900);
  const at = new Date(Date.UTC(full, month - 1, day));
  const isDay = at.getUTCFullYear() === full && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isDay ? at.toISOString().slice(0, 10) : null;
}

/** The order of the dates with slashes: month first only if one of them can be nothing else. */
export function dayOrderOf(texts: Iterable<string>): DayOrder {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const text of texts) {
    const [, first, second] = /^\s*(\d{1,2})\/(\d{1,2})\/\d{2,4}/.exec(text.slice(0, MAX_LENGTH)) ?? [];
    if (first === undefined) continue;
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  return isMonthFirst ? (isDayFirst ? 'mixed' : 'month first') : 'day first';
}

const YES = ['evet', 'e', 'var', 'x', 'yes', 'y', 'true', 'dogru', '1', 'ok', 'verildi'];
const NO = ['hayir', 'h', 'yok', 'no', 'n', 'false', 'yanlis', '0', 'degil'];

/** Evet/Hayır, Var/Yok, ✓: null if it is neither. */
export function readFlag(text: string): boolean | null {
  const word = foldWord(text);
  if (YES.includes(word) || /^[✓✔☑]$/u.test(text.trim())) return true;
  return NO.includes(word) || /^[-–—✗✘☐]$/u.test(text.trim()) ? false : null;
}

/** The number of a cell without currency and unit, as evidence of the file's number format. */
export function numberTextIn(text: string): string | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  const isKnown = (word: string) =>
    word === '' || currencyOfWord(word) !== null || Object.values(UNITS).some((units) => units.includes(foldWord(word)));
  const tail = parts.after.replace(/^[.,]?[-–—]+/, '').trim();
  return isKnown(parts.before) && isKnown(tail) ? parts.number : null;
}

/** How a column writes its numbers: null if they do not show it. */
export function numbersOf(texts: Iterable<string>): CellNumbers {
  const numbers = [...texts].flatMap((text) => (/^[£$€]\s?\d{1,3},\d{3}$/.test(text.trim()) ? [] : (numberTextIn(text) ?? [])));
  const tr = numbers.filter((number) => /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(number)).length;
  const en = numbers.filter((number) => /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/.test(number)).length;
  const isTorn = Math.min(tr, en) * 3 > Math.max(tr, en);
  return isTorn ? 'mixed' : formatOf(numbers);
}

/** How the cells of a column are to be read. */
export interface CellReading {
  readonly numbers: CellNumbers;
  readonly days: DayOrder;
}

export const PLAIN_READING: CellReading = { numbers: null, days: 'day first' };
