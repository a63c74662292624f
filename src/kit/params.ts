// Query parameters: each kind describes its valid values in both languages, and nothing is clamped or guessed.
import type { Moment } from './clock.ts';
import { fail, type Text } from './errors.ts';
import { isUuid } from './ids.ts';
import { parseMoney } from './money.ts';
import { printable } from './text.ts';

export interface Param<T> {
  allowed: Text;
  /** JSON Schema of the text on the wire, for OpenAPI. */
  schema: Readonly<Record<string, unknown>>;
  /** undefined means: not allowed. */
  read(text: string): T | undefined;
  fallback?: T;
  required?: true;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type ParamValues<Q extends Params> = {
  [K in keyof Q]: Q[K] extends Param<infer T> & ({ fallback: unknown } | { required: true }) ? T : ParamValue<Q[K]>;
};
type ParamValue<P> = P extends Param<infer T> ? T | undefined : never;

const both = (text: string): Text => ({ en: text, tr: text });

/** `0`, or a digit 1–9 followed by digits, nine at most: `05`, `+5`, `5.0`, `1e2` and an empty value are refused. */
const INTEGER = /^(0|[1-9]\d{0,8})$/;

export function integerParam(min: number, max: number): Param<number> {
  return {
    allowed: { en: `a whole number from ${min} to ${max}`, tr: `${min}–${max} arasında bir tam sayı` },
    schema: { type: 'integer', minimum: min, maximum: max },
    read: (text) => {
      const value = INTEGER.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function withFallback<T>(param: Param<T>, fallback: T): Param<T> & { fallback: T } {
  return { ...param, fallback, schema: { ...param.schema, default: fallback } };
}

/** A parameter that must be given. */
export const requiredParam = <T>(param: Param<T>): Param<T> & { required: true } => ({ ...param, required: true });

/** Compared after NFC with the curly apostrophes folded (`Auction’da` = `Auction'da`), otherwise exactly. */
export function foldEnum(text: string): string {
  return text.normalize('NFC').replace(/[\u2018\u2019\u02BC]/g, "'");
}

export function oneOfParam<const V extends readonly string[]>(values: V): Param<V[number]> {
  return {
    allowed: { en: `one of ${values.join(', ')}`, tr: `${values.join(', ')} değerlerinden biri` },
    schema: { type: 'string', enum: values },
    read: (text) => values.find((value) => value === foldEnum(text)),
  };
}

export const flagParam: Param<boolean> = {
  allowed: { en: 'true or false', tr: 'true ya da false' },
  schema: { type: 'boolean' },
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/** A flag that has only the value true: `deleted=true`. */
export const trueParam: Param<true> = {
  allowed: both('true'),
  schema: { type: 'boolean', const: true },
  read: (text) => (text === 'true' ? true : undefined),
};

export function textParam(maxLength: number): Param<string> {
  return {
    allowed: { en: `text of 1 to ${maxLength} characters`, tr: `1–${maxLength} karakterlik metin` },
    schema: { type: 'string', minLength: 1, maxLength: maxLength },
    // A NUL cannot be stored, so it cannot match either; PostgreSQL would refuse the whole statement.
    read: (text) => (text.trim() !== '' && text.length <= maxLength && !text.includes('\0') ? text : undefined),
  };
}

export const uuidParam: Param<string> = {
  allowed: { en: 'a UUID', tr: 'bir UUID' },
  schema: { type: 'string', format: 'uuid' },
  read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
};

export const moneyParam: Param<bigint> = {
  allowed: { en: 'an amount such as 1500 or 1500.50', tr: '1500 ya da 1500.50 gibi bir tutar' },
  schema: { type: 'string', pattern: '^\\d{1,12}(\\.\\d{1,2})?$' },
  read: (text) => parseMoney(text) ?? undefined,
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/** An existing calendar date (`2026-02-30` is not one), or null. */
export function readDay(text: string): string | null {
  if (!DAY.test(text)) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && at.getUTCFullYear() >= 1900 ? text : null;
}

export function readInstant(text: string): Date | null {
  if (!INSTANT.test(text) || readDay(text.slice(0, 10)) === null) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}

export const dayParam: Param<string> = {
  allowed: { en: 'a date such as 2026-11-15', tr: '2026-11-15 gibi bir tarih' },
  schema: { type: 'string', format: 'date' },
  read: (text) => readDay(text) ?? undefined,
};

export const momentParam: Param<Moment> = {
  allowed: {
    en: 'a date (2026-11-15) or an instant (2026-11-15T09:00:00Z)',
    tr: 'bir tarih (2026-11-15) ya da an (2026-11-15T09:00:00Z)',
  },
  // One string type: generators turn «either a date or an instant» into a union.
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d(T.+)?$', examples: ['2026-11-15', '2026-11-15T09:00:00Z'] },
  read: (text) => {
    const day = readDay(text);
    if (day !== null) return { day };
    const at = readInstant(text);
    return at === null ? undefined : { at };
  },
};

export const paging = { limit: withFallback(integerParam(1, 100), 25), offset: withFallback(integerParam(0, 999_999_999), 0) };

/** An opaque text here; http/api/cursor.ts knows its content. */
export const cursorParam: Param<string> = {
  allowed: {
    en: 'start, or the cursor of a next link of this list with the same filters, at most 24 hours old, without offset',
    tr: 'start ya da bu listenin aynı filtrelerle verdiği, en çok 24 saatlik next bağlantısındaki imleç (offset ile birlikte değil)',
  },
  schema: { type: 'string', minLength: 1, maxLength: 500 },
  read: (text) => (text !== '' && text.length <= 500 ? text : undefined),
};

/** The parameters of every list of the catalog; the panel's own lists are paged only. */
export const listParams = { ...paging, cursor: cursorParam };

/** Reads the query string of an endpoint: every error names the parameter and its valid values. */
export function readQuery<Q extends Params>(raw: string, params: Q): ParamValues<Q> {
  const values: Record<string, unknown> = {};
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const [name, text] = splitPair(part);
    const param = Object.hasOwn(params, name) ? params[name]! : null;
    if (param === null) {
      const known = Object.keys(params);
      const allowed = known.length > 0 ? both(known.join(', ')) : { en: 'no parameters', tr: 'yok' };
      fail('unknown_parameter', { param: printable(name) || '(empty)', words: { allowed } });
    }
    if (Object.hasOwn(values, name)) {
      fail('invalid_parameter', { param: name, words: { allowed: { en: 'given once', tr: 'istekte tek' } } });
    }
    const value = text === null ? undefined : param.read(text);
    if (value === undefined) fail('invalid_parameter', { param: name, words: { allowed: param.allowed } });
    values[name] = value;
  }
  for (const [name, param] of Object.entries(params)) {
    if (Object.hasOwn(values, name)) continue;
    if (param.required) fail('invalid_parameter', { param: name, words: { allowed: param.allowed } });
    if (param.fallback !== undefined) values[name] = param.fallback;
  }
  return values as ParamValues<Q>;
}

function splitPair(part: string): [string, string | null] {
  const at = part.indexOf('=');
  const name = decode(at < 0 ? part : part.slice(0, at));
  return [name ?? printable(part), at < 0 ? '' : decode(part.slice(at + 1))];
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
