// Fields of a body: each kind reads one JSON value and returns the stored value, or an error in both languages.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import type { Deprecation } from '../../kit/endpoint.ts';
import type { Text } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { CURRENCIES, type Currency, parseMoney } from '../../kit/money.ts';
import { foldEnum, readDay, readInstant } from '../../kit/params.ts';
import { printable } from '../../kit/text.ts';
import { deprecatedSchema } from '../catalog/deprecation.ts';
import { nearestName } from '../formats/nearest.ts';
import { writtenCount } from '../formats/written.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The context of a rule besides the value: today's date in the account's time zone. */
export interface FieldContext {
  readonly today: string;
  readonly timeZone: string;
}

export const fieldContext = (now: Date, timeZone: string): FieldContext => ({ today: dayIn(now, timeZone), timeZone });

export interface FieldError {
  readonly field: string;
  readonly code: string;
  /** Never contains the value, because it may be personal data. */
  readonly message: Text;
  /** The probable correct name of a misspelt field. */
  readonly suggestion?: string;
}

export class Refused {
  readonly code: string;
  readonly allowed: Text;
  /** The part of an object or list that is at fault: `painted`, `[2].day`. */
  readonly at: string | null;
  constructor(code: string, allowed: Text, at: string | null = null) {
    this.code = code;
    this.allowed = allowed;
    this.at = at;
  }
}

/** Errors inside an object or a list; their names follow the field's own: `.amount`, `[2].due_date`. */
export class RefusedParts extends Refused {
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super('invalid', { en: 'valid', tr: 'geçerli' });
    this.errors = errors;
  }
}

export interface Field<T> {
  /** Required in a new record. */
  readonly required: boolean;
  /** Whether null clears it. */
  readonly nullable: boolean;
  /** The column's name: the field's (`json` is stored as text), `price_minor` or `address_encrypted`. */
  readonly stored: 'plain' | 'json' | 'minor' | 'encrypted';
  /** JSON Schema, for the reference. */
  readonly schema: JsonSchema;
  /** The default of a new record, for the reference. */
  readonly preset?: Text;
  read(value: unknown, context: FieldContext): T | Refused;
  /** Converts text (a cell, a form field) to a JSON value; text that cannot be converted is passed on for `read` to refuse. */
  fromText(text: string): unknown;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Values<F extends Fields> = { [K in keyof F]?: F[K] extends Field<infer T> ? T : never };

export const required = <T>(field: Field<T>): Field<T> & { readonly required: true } => ({ ...field, required: true });
export const nullable = <T>(field: Field<T>): Field<T | null> => ({ ...field, nullable: true, schema: orNull(field.schema) });
/** Documents the default of a new record; the code that creates the record sets it. */
export const withDefault = <T>(field: Field<T>, en: string, tr: string = en): Field<T> => ({ ...field, preset: { en, tr } });
/** Of a body; a field of a record is `deprecated` (domain/catalog/deprecation.ts). */
export const deprecatedField = <F extends Field<unknown>>(field: F, deprecation: Deprecation): F => ({
  ...field,
  schema: deprecatedSchema(field.schema, deprecation),
});
export const encrypted = <T>(field: Field<T>): Field<T> => ({ ...field, stored: 'encrypted' });

/** A body may have thousands of unknown fields, and each comparison costs time. */
const MAX_SUGGESTIONS = 10;

/** Absent fields stay absent. Reports every error, not only the first. */
export function readFields<F extends Fields>(fields: F, input: Readonly<Record<string, unknown>>, context: FieldContext) {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [name, raw] of Object.entries(input)) {
    if (!Object.hasOwn(fields, name)) {
      errors.push(unknownField(name, errors.length < MAX_SUGGESTIONS ? Object.keys(fields) : []));
      continue;
    }
    const field = fields[name]!;
    const value = raw === null ? null : field.read(raw, context);
    if (value instanceof RefusedParts)
      errors.push(...value.errors.map((error) => ({ ...error, field: `${name}${error.field}` })));
    else if (value instanceof Refused) errors.push(refusal(name, value));
    else if (value === null && !field.nullable) errors.push(requiredField(name));
    else values[name] = value;
  }
  return { values: values as Values<F>, errors };
}

export function missingFields(fields: Fields, values: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(fields)
    .filter((name) => fields[name]!.required && values[name] === undefined)
    .map(requiredField);
}

function requiredField(field: string): FieldError {
  return { field, code: 'required', message: { en: `${field} is required`, tr: `${field} zorunludur` } };
}

function refusal(name: string, { code, allowed, at }: Refused): FieldError {
  const field = at === null ? name : at.startsWith('[') ? `${name}${at}` : `${name}.${at}`;
  return { field, code, message: { en: `${field} must be ${allowed.en}`, tr: `${field}, ${allowed.tr} olmalı` } };
}

/** `known`: the names of the fields, of which the nearest is suggested. */
export function unknownField(name: string, known: readonly string[] = []): FieldError {
  const field = printable(name);
  const message = { en: `${field} is not a field of this record`, tr: `${field} bu kaydın alanı değil` };
  const suggestion = nearestName(name, known);
  if (suggestion === null) return { field, code: 'unknown_field', message };
  const asked = { en: `${message.en}; did you mean ${suggestion}?`, tr: `${message.tr}; ${suggestion} mi demek istediniz?` };
  return { field, code: 'unknown_field', message: asked, suggestion };
}

function field<T>(schema: JsonSchema, read: Field<T>['read'], fromText: Field<T>['fromText'] = (text) => text): Field<T> {
  return { required: false, nullable: false, stored: 'plain', schema, read, fromText };
}

function orNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return { type: [type, 'null'].flat(), ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest };
}

export interface TextRule {
  readonly min?: number;
  /** Line breaks and tabs are kept. */
  readonly lines?: true;
  /** Normalises different spellings; null if the text does not have this format at all. */
  readonly tidy?: (text: string) => string | null;
  readonly allowed?: Text;
}

/**
 * Refused in names, titles and references: everything but letters, marks, digits, punctuation, symbols and spaces, and a few
 * letters and symbols that are blank. Characters that change the writing direction or have no width make two different names look
 * the same.
 */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]|[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/u;
const SEEN: Text = { en: 'text without invisible characters', tr: 'görünmeyen karakter içermeyen metin' };

/**
 * Unicode NFC, trimmed, inner spaces single, without control characters, in one line without invisible characters; lengths count
 * characters, as the database does.
 */
export function textField(max: number, rule: TextRule = {}): Field<string> {
  const min = rule.min ?? 1;
  const allowed = rule.allowed ?? { en: `text of ${min} to ${max} characters`, tr: `${min}–${max} karakterlik metin` };
  return field({ type: 'string', minLength: min, maxLength: max }, (value) => {
    if (typeof value !== 'string' || !value.isWellFormed()) return new Refused('invalid', allowed);
    const clean = rule.lines ? value.replace(/\r\n?/g, '\n').trim() : value.replace(/\s+/g, ' ').trim();
    if (clean === '') return new Refused('required', allowed);
    // Text that is much too long is refused before any pattern runs on it.
    if (clean.length > 2 * max) return new Refused('too_long', allowed);
    if (rule.lines ? /(?![\n\t])\p{Cc}/u.test(clean) : UNSEEN.test(clean))
      return new Refused('invalid', rule.lines ? allowed : SEEN);
    const text = rule.tidy ? rule.tidy(clean.normalize('NFC')) : clean.normalize('NFC');
    if (text === null) return new Refused('invalid', allowed);
    const length = text.length > max || min > 1 ? [...text].length : text.length;
    return length > max ? new Refused('too_long', allowed) : length < min ? new Refused('invalid', allowed) : text;
  });
}

export function integerField(min: number, max: number | ((context: FieldContext) => number)): Field<number> {
  const wholeNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text);
  const schema = { type: 'integer', minimum: min, ...(typeof max === 'number' ? { maximum: max } : {}) };
  return field(
    schema,
    (value, context) => {
      const limit = typeof max === 'number' ? max : max(context);
      const [from, to] = [writtenCount(min), writtenCount(limit)];
      const allowed = { en: `a whole number from ${from.en} to ${to.en}`, tr: `${from.tr}–${to.tr} arasında bir tam sayı` };
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) return new Refused('invalid', allowed);
      return value < min || value > limit ? new Refused('out_of_range', allowed) : value;
    },
    wholeNumber,
  );
}

export function oneOfField<const V extends readonly string[]>(values: V): Field<V[number]> {
  const allowed = { en: `one of ${values.join(', ')}`, tr: `${values.join(', ')} değerlerinden biri` };
  return field({ type: 'string', enum: values }, (value) => {
    if (typeof value !== 'string') return new Refused('invalid', allowed);
    return values.find((one) => one === foldEnum(value)) ?? new Refused('not_allowed', allowed);
  });
}

export const currencyField: Field<Currency> = field(
  { type: 'string', enum: CURRENCIES },
  (value) =>
    CURRENCIES.find((one) => one === value) ??
    new Refused('invalid_currency', { en: `one of ${CURRENCIES.join(', ')}`, tr: `${CURRENCIES.join(', ')} değerlerinden biri` }),
);

/** In minor units. The amount must be greater than `above`. */
export function moneyField({ above }: { above: bigint } = { above: -1n }): Field<bigint> {
  const allowed =
    above < 0n
      ? { en: 'an amount such as 1500 or 1500.50', tr: '1500 ya da 1500.50 gibi bir tutar' }
      : { en: 'an amount above zero, such as 1500 or 1500.50', tr: '1500 ya da 1500.50 gibi sıfırdan büyük bir tutar' };
  const schema = { type: ['string', 'number'], pattern: '^\\d{1,12}(\\.\\d{1,2})?$', examples: ['14500.00'] };
  const money = field(schema, (value) => {
    const minor = typeof value === 'string' || typeof value === 'number' ? parseMoney(value) : null;
    if (minor === null) return new Refused('invalid_amount', allowed);
    return minor > above ? minor : new Refused('out_of_range', allowed);
  });
  return { ...money, stored: 'minor' };
}

/** In minor units, positive or negative. */
export const signedMoneyField: Field<bigint> = {
  ...moneyField(),
  schema: { type: ['string', 'number'], pattern: '^-?\\d{1,12}(\\.\\d{1,2})?$', examples: ['-250.50'] },
  read: (value, context) => {
    const isNegative = typeof value === 'number' ? value < 0 : typeof value === 'string' && value.startsWith('-');
    if (!isNegative) return moneyField().read(value, context);
    const minor = moneyField().read(typeof value === 'number' ? -value : (value as string).slice(1), context);
    return minor instanceof Refused ? minor : -minor;
  },
};

/** The last stored day, so that days computed from it still have a four-digit year. */
const LAST_YEAR = 2999;
const LAST_DAY = `${LAST_YEAR}-12-31`;
const TOO_LATE: Text = { en: `a date up to ${LAST_DAY}`, tr: `en geç ${LAST_DAY} olan bir tarih` };

/** A calendar day; `past` refuses one after today. */
export function dayField(rule: { past?: true } = {}): Field<string> {
  const allowed = rule.past
    ? { en: 'a date such as 1985-04-23, not after today', tr: '1985-04-23 gibi, bugünden sonra olmayan bir tarih' }
    : { en: 'a date such as 2026-11-15', tr: '2026-11-15 gibi bir tarih' };
  const past = { en: 'a date not after today', tr: 'bugünden sonra olmayan bir tarih' };
  return field({ type: 'string', format: 'date' }, (value, { today }) => {
    const day = typeof value === 'string' ? readDay(value) : null;
    if (day === null) return new Refused('invalid', allowed);
    if (rule.past && day > today) return new Refused('out_of_range', past);
    return day > LAST_DAY ? new Refused('out_of_range', TOO_LATE) : day;
  });
}

/** An instant with its time and zone: for an end, because a day alone would mean its beginning. */
export const exactInstantField: Field<Date> = field({ type: 'string', format: 'date-time' }, (value, context) => {
  const allowed = {
    en: 'an instant with time and zone, such as 2026-11-15T09:00:00Z',
    tr: '2026-11-15T09:00:00Z gibi, saati ve saat dilimi belli bir an',
  };
  return typeof value === 'string' && readInstant(value) !== null
    ? instantField.read(value, context)
    : new Refused('invalid', allowed);
});

/** An instant, or a day, which means its beginning in the account's time zone. */
export const instantField: Field<Date> = field({ type: 'string', format: 'date-time' }, (value, { timeZone }) => {
  const day = typeof value === 'string' ? readDay(value) : null;
  const at = day !== null ? startOfDay(day, timeZone) : typeof value === 'string' ? readInstant(value) : null;
  const allowed = {
    en: 'an instant such as 2026-11-15T09:00:00Z, or a date',
    tr: '2026-11-15T09:00:00Z gibi bir an ya da tarih',
  };
  if (at === null) return new Refused('invalid', allowed);
  return at.getUTCFullYear() > LAST_YEAR ? new Refused('out_of_range', TOO_LATE) : at;
});

export const flagField: Field<boolean> = field(
  { type: 'boolean' },
  (value) => (typeof value === 'boolean' ? value : new Refused('invalid', { en: 'true or false', tr: 'true ya da false' })),
  (text) => (/^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text),
);

export const uuidField: Field<string> = field({ type: 'string', format: 'uuid' }, (value) =>
  typeof value === 'string' && isUuid(value) ? value.toLowerCase() : new Refused('invalid', { en: 'a uuid', tr: 'bir uuid' }),
);

/** A list of values of one kind. The first invalid item makes the list invalid. */
export function listField<T>(item: Field<T>, max: number, min = 0): Field<T[]> {
  const allowed = { en: `a list of ${min} to ${max} values`, tr: `${min}–${max} değerlik liste` };
  const schema = { type: 'array', items: item.schema, minItems: min, maxItems: max };
  return field(schema, (value, context) => {
    if (!Array.isArray(value)) return new Refused('invalid', allowed);
    if (value.length > max || value.length < min) return new Refused('out_of_range', allowed);
    const read: T[] = [];
    for (const [index, one] of value.entries()) {
      const got = item.read(one, context);
      if (got instanceof RefusedParts)
        return new RefusedParts(got.errors.map((error) => ({ ...error, field: `[${index}]${error.field}` })));
      if (got instanceof Refused) return got;
      read.push(got);
    }
    return read;
  });
}

/** Different texts in the given order, stored as JSON. A text that is repeated is kept once; a cell separates them with commas, semicolons or bars. */
export function distinctTextsField(item: Field<string>, max: number): Field<string[]> {
  const list = listField(item, max);
  return {
    ...list,
    stored: 'json',
    read: (value, context) => {
      const texts = list.read(value, context);
      if (texts instanceof Refused) return texts;
      const folded = texts.map((text) => text.toLocaleLowerCase('tr'));
      return texts.filter((_, index) => folded.indexOf(folded[index]!) === index);
    },
    fromText: (text) => text.split(/[,;|\n]/).filter((part) => part.trim() !== ''),
  };
}

/** An object of fields, each read by its own rule. */
export function objectField<F extends Fields>(fields: F): Field<Values<F>> {
  const required = Object.keys(fields).filter((name) => fields[name]!.required);
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
  const of = field<Values<F>>(schema, (value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return new Refused('invalid', { en: 'an object', tr: 'bir nesne' });
    const { values, errors } = readFields(fields, value as Readonly<Record<string, unknown>>, context);
    const reported = new Set(errors.map((error) => error.field));
    const all = [...errors, ...missingFields(fields, values).filter((error) => !reported.has(error.field))];
    return all.length === 0 ? values : new RefusedParts(all.map((error) => ({ ...error, field: `.${error.field}` })));
  });
  return { ...of, stored: 'json' };
}

/** In hundredths of a percent, from 0 to `max` whole percents. */
export function percentField(max: number): Field<bigint> {
  const allowed = {
    en: `a percentage from 0 to ${max}, such as 30 or 30.50`,
    tr: `0–${max} arasında, 30 ya da 30.50 gibi bir yüzde`,
  };
  const percent = field({ type: ['string', 'number'], pattern: '^\\d{1,3}(\\.\\d{1,2})?$', examples: ['30.00'] }, (value) => {
    const hundredths = typeof value === 'string' || typeof value === 'number' ? parseMoney(value) : null;
    if (hundredths === null) return new Refused('invalid', allowed);
    return hundredths > BigInt(max) * 100n ? new Refused('out_of_range', allowed) : hundredths;
  });
  return { ...percent, stored: 'minor' };
}

/** In millionths; above zero, at most six digits after the decimal point. */
export const rateField: Field<bigint> = field(
  { type: ['string', 'number'], pattern: '^\\d{1,6}(\\.\\d{1,6})?$', examples: ['64.500000'] },
  (value) => {
    const allowed = { en: 'a rate above zero, such as 64.5', tr: '64.5 gibi sıfırdan büyük bir kur' };
    const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(
      typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '',
    );
    if (match === null) return new Refused('invalid', allowed);
    const millionths = BigInt(match[1]!) * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0'));
    return millionths > 0n ? millionths : new Refused('out_of_range', allowed);
  },
);

/** One of a few whole numbers. */
export function oneOfNumberField<const V extends readonly number[]>(values: V): Field<V[number]> {
  const allowed = { en: `one of ${values.join(', ')}`, tr: `${values.join(', ')} değerlerinden biri` };
  return field(
    { type: 'integer', enum: values },
    (value) => values.find((one) => one === value) ?? new Refused('not_allowed', allowed),
    (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text),
  );
}
