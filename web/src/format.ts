// Numbers, money and times as people here write them. Money stays text: Intl formats a decimal text exactly, Number() would not.
import type { Locale } from './preferences.ts';

/** The API's currency codes and their ISO codes. */
const ISO: Readonly<Record<string, string>> = { TL: 'TRY', STG: 'GBP', USD: 'USD', EUR: 'EUR' };
const TAGS = { tr: 'tr-TR', en: 'en-GB' } as const;

type Decimal = Intl.StringNumericLiteral;
type Instant = string | number | Date;

export interface Format {
  readonly locale: Locale;
  readonly zone: string;
  /** '1250000.50', 'TL' → ₺1.250.000,50; whole amounts without their zeros where `short`. */
  money(amount: string, currency: string, short?: boolean): string;
  /** '45000.50' → 45.000,50: an amount whose currency is not known. */
  amount(value: string): string;
  number(value: number): string;
  /** 0.123 → %12,3 */
  percent(share: number): string;
  /** A signed change: +%0,25. */
  change(share: number): string;
  /** '48.073200', 'TL' → 48,0732: rates in lira without trailing zeros but at least four digits, others with all six. */
  rate(value: string, quote: string): string;
  km(value: number): string;
  /** 15.11.2026 */
  date(at: Instant): string;
  /** 15 Kas 2026 12:05 */
  dateTime(at: Instant): string;
  /** 12:05:31.204, for logs of one day. */
  time(at: Instant): string;
  /** 3 saat önce */
  relative(at: Instant, now: number): string;
  milliseconds(value: number): string;
  bytes(value: number): string;
}

const made = new Map<string, Format>();

export function formatFor(locale: Locale, zone: string): Format {
  const name = `${locale} ${zone}`;
  let format = made.get(name);
  if (format === undefined) {
    format = newFormat(locale, zone);
    made.set(name, format);
  }
  return format;
}

function newFormat(locale: Locale, zone: string): Format {
  const tag = TAGS[locale];
  const number = new Intl.NumberFormat(tag);
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const change = new Intl.NumberFormat(tag, {
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  });
  const quoted = new Intl.NumberFormat(tag, { minimumFractionDigits: 4, maximumFractionDigits: 6 });
  const computed = new Intl.NumberFormat(tag, { minimumFractionDigits: 6, maximumFractionDigits: 6 });
  const date = new Intl.DateTimeFormat(tag, { timeZone: zone, day: '2-digit', month: '2-digit', year: 'numeric' });
  const day = new Intl.DateTimeFormat(tag, { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' });
  const clock = new Intl.DateTimeFormat(tag, { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const exact = new Intl.DateTimeFormat(tag, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  const amount = new Intl.NumberFormat(tag, { minimumFractionDigits: 2 });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const size = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  return {
    locale,
    zone,
    money: (amount, currency, short = false) => moneyText(tag, amount, currency, short),
    amount: (value) => amount.format(value as Decimal),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    change: (share) => change.format(share),
    rate: (value, quote) => (quote === 'TL' ? quoted : computed).format(value as Decimal),
    km: (value) => `${number.format(value)} km`,
    date: (at) => date.format(new Date(at)),
    dateTime: (at) => `${day.format(new Date(at))} ${clock.format(new Date(at))}`,
    time: (at) => exact.format(new Date(at)),
    relative: (at, now) => relativeText(relative, (new Date(at).getTime() - now) / 1000),
    // One more digit below ten, because many answers take less than a millisecond.
    milliseconds: (value) =>
      value >= 1000
        ? `${size.format(value / 1000)} s`
        : `${value < 10 ? size.format(value) : number.format(Math.round(value))} ms`,
    bytes: (value) => {
      if (value >= 1e9) return `${size.format(value / 1e9)} GB`;
      if (value >= 1e6) return `${size.format(value / 1e6)} MB`;
      return value >= 1000 ? `${size.format(value / 1000)} kB` : `${number.format(value)} B`;
    },
  };
}

function moneyText(tag: string, amount: string, currency: string, short: boolean): string {
  const iso = ISO[currency];
  if (iso === undefined) return `${amount} ${currency}`;
  const digits = short && /^-?\d+(\.0+)?$/.test(amount) ? 0 : 2;
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: iso,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount as Decimal);
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function relativeText(relative: Intl.RelativeTimeFormat, seconds: number): string {
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(Math.trunc(seconds), 'second');
}
