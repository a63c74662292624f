// How a connector reads its source: the column of each field, default values, and the translation of the source's values.
import { type Detail, fail, type Text } from '../../../kit/errors.ts';
import { printable } from '../../../kit/text.ts';
import { CUSTOMER_FIELDS, PERSONAL_FIELDS } from '../../customers/customer.ts';
import { NUMBER_FORMATS, type NumberFormat } from '../../formats/number-text.ts';
import { allowedUrl } from '../../net/outbound.ts';
import { type FieldContext, type Fields, Refused } from '../../records/fields.ts';
import { IMPORTED_VEHICLE_FIELDS, WRITE_ONLY_VEHICLE_FIELDS } from '../../stock/vehicle.ts';
import { MAX_COLUMN_LENGTH } from '../feed-row.ts';
import { feedValue } from '../import-target.ts';
import { DELIMITERS, ENCODINGS, type Encoding, MAX_HEADER_ROW } from '../source-form.ts';

export const TRANSPORTS = ['url', 'inline'] as const;
export type Transport = (typeof TRANSPORTS)[number];
export const IMPORT_TARGETS = ['vehicles', 'customers'] as const;
export type ImportTargetName = (typeof IMPORT_TARGETS)[number];
export const KEY_FIELDS = ['external_ref', 'plate', 'phone'] as const;
export type KeyField = (typeof KEY_FIELDS)[number];

type Plain = string | number | boolean;

export interface ConnectorConfig {
  readonly url: string | null;
  readonly delimiter: string | null;
  readonly encoding: Encoding | null;
  readonly record_path: string | null;
  /** The sheet of a workbook; null is the first. */
  readonly sheet: string | null;
  /** The header's row in the spreadsheet, 0 if there is none; null (or absent in older rows): it is found in each file. */
  readonly header_row?: number | null;
  /** The number format; null means the format that each file shows. */
  readonly number_format: NumberFormat | null;
  /** Our field → their column. */
  readonly mapping: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, Plain>>;
  /** Our field → their value → our value. */
  readonly value_map: Readonly<Record<string, Readonly<Record<string, Plain>>>>;
}

const EMPTY: ConnectorConfig = {
  url: null,
  delimiter: null,
  encoding: null,
  record_path: null,
  sheet: null,
  header_row: null,
  number_format: null,
  mapping: {},
  defaults: {},
  value_map: {},
};

/** The fields that a feed may set. The status of a car is not one of them. */
export const FEED_FIELDS: Readonly<Record<ImportTargetName, Fields>> = {
  vehicles: IMPORTED_VEHICLE_FIELDS,
  customers: CUSTOMER_FIELDS,
};
const KEYS: Readonly<Record<ImportTargetName, readonly KeyField[]>> = {
  vehicles: ['external_ref', 'plate'],
  customers: ['external_ref', 'phone'],
};
/** Fields that are written and never shown. */
export const NEVER_SHOWN: ReadonlySet<string> = new Set([...WRITE_ONLY_VEHICLE_FIELDS, ...PERSONAL_FIELDS]);
/** A default for all records would be wrong, and readable in the config. */
const OF_ONE_RECORD: ReadonlySet<string> = new Set([...NEVER_SHOWN].filter((name) => name !== 'purchase_currency'));

export interface ConfigRules {
  readonly transport: Transport;
  readonly target: ImportTargetName;
  readonly keyField: KeyField;
  readonly loopback: boolean;
  readonly context: FieldContext;
}

type ConnectorInput = Readonly<Record<string, unknown>>;

/** Absent members stay unchanged; null clears one. Reports all errors at once. */
export function readConfig(input: ConnectorInput, before: ConnectorConfig | null, rules: ConfigRules): ConnectorConfig {
  const faults: Detail[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const reader = Object.hasOwn(READERS, name) ? READERS[name as keyof ConnectorConfig] : null;
    if (reader === null) faults.push(fault(name, 'unknown_field', NO_MEMBER));
    else read[name] = value === null ? EMPTY[name as keyof ConnectorConfig] : reader(value, faults);
  }
  const config = { ...EMPTY, ...before, ...read };
  const { url } = config;
  if (rules.transport === 'inline' && url !== null) faults.push(fault('url', 'not_allowed', ONLY_FOR_URL));
  if (rules.transport === 'url' && url === null) faults.push(fault('url', 'required', NEEDED));
  refuse('validation_failed', faults);
  requireMapping(config, rules);
  refuse('validation_failed', [...valueFaults(config, rules), ...keyFaults(rules)]);
  return { ...config, url: url === null ? null : targetOf(url, rules.loopback) };
}

function refuse(code: 'validation_failed' | 'bad_mapping', details: Detail[]): void {
  if (details.length > 0) fail(code, { details, words: { fields: details.map(({ field }) => field).join(', ') } });
}

const fault = (path: string, code: string, message: Text): Detail => ({ field: printable(`config.${path}`, 200), code, message });

const NO_MEMBER = { en: 'This is not a member of config', tr: 'config içinde böyle bir üye yok' };
const NEEDED = { en: 'url is required for a connector with transport url', tr: 'url taşımalı bağlayıcıda adres zorunludur' };
const ONLY_FOR_URL = {
  en: 'url is not allowed: the content of this connector is sent with each run',
  tr: 'İçeriği her çalıştırmada gönderilen bağlayıcının adresi olmaz',
};

type Reader = (value: unknown, faults: Detail[]) => unknown;
const oneOf =
  (name: string, allowed: readonly string[], shown: string): Reader =>
  (value, faults) => {
    const found = allowed.find((one) => one === (typeof value === 'string' ? value.toLowerCase() : value));
    if (found === undefined)
      faults.push(fault(name, 'not_allowed', { en: `Give one of ${shown}`, tr: `Şunlardan birini verin: ${shown}` }));
    return found ?? null;
  };

const MAX_FIELDS = 100;
const MAX_WORDS = 500;
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_COLUMN_LENGTH && !/\p{Cc}/u.test(value);
const isPlain = (value: unknown): value is Plain =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 2000;
const isObject = (value: unknown): value is ConnectorInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readEach<T>(
  value: unknown,
  faults: Detail[],
  { name, max, what, each }: { name: string; max: number; what: Text; each(value: unknown, path: string): T | undefined },
): Record<string, T> {
  if (!isObject(value) || Object.keys(value).length > max) {
    faults.push(
      fault(name, 'invalid', { en: `Give an object of at most ${max} members`, tr: `En çok ${max} üyeli bir nesne verin` }),
    );
    return {};
  }
  const read: [string, T][] = [];
  for (const [key, one] of Object.entries(value)) {
    const path = `${name}.${key}`;
    const got = key.length <= MAX_COLUMN_LENGTH ? each(one, path) : undefined;
    if (got === undefined) faults.push(fault(path, 'invalid', what));
    else read.push([key.normalize('NFC').trim(), got]);
  }
  return Object.fromEntries(read);
}

const COLUMN: Text = { en: 'Give the name of a column', tr: 'Bir sütunun adını verin' };
const VALUE: Text = { en: 'Give a text, a number or true/false', tr: 'Bir metin, sayı ya da true/false verin' };
const PATH = /^[^.\s][^.]*(\.[^.]+){0,15}$/;

const READERS: Readonly<Record<keyof ConnectorConfig, Reader>> = {
  url: (value, faults) => {
    if (typeof value === 'string') return value;
    faults.push(fault('url', 'invalid', { en: 'Give an https address', tr: 'Bir https adresi verin' }));
    return null;
  },
  delimiter: oneOf('delimiter', DELIMITERS, ', ; tab |'),
  encoding: oneOf('encoding', ENCODINGS, ENCODINGS.join(', ')),
  record_path: (value, faults) => {
    if (isName(value) && PATH.test(value.trim())) return value.normalize('NFC').trim();
    const message = {
      en: 'Give names with dots between them, such as stok.arac',
      tr: 'stok.arac gibi noktalarla ayrılmış adlar verin',
    };
    faults.push(fault('record_path', 'invalid', message));
    return null;
  },
  sheet: (value, faults) => {
    if (isName(value)) return value.normalize('NFC').trim();
    faults.push(fault('sheet', 'invalid', { en: 'Give the name of a sheet', tr: 'Bir sayfanın adını verin' }));
    return null;
  },
  header_row: (value, faults) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_HEADER_ROW) return value;
    const message = {
      en: `Give the number of the header's row, up to ${MAX_HEADER_ROW}; 0 if there is none`,
      tr: `Başlık satırının numarasını verin (en çok ${MAX_HEADER_ROW}); başlık yoksa 0`,
    };
    faults.push(fault('header_row', 'invalid', message));
    return null;
  },
  number_format: oneOf('number_format', NUMBER_FORMATS, NUMBER_FORMATS.join(', ')),
  mapping: (value, faults) =>
    readEach(value, faults, {
      name: 'mapping',
      max: MAX_FIELDS,
      what: COLUMN,
      each: (one) => (isName(one) ? one.normalize('NFC').trim() : undefined),
    }),
  defaults: (value, faults) =>
    readEach(value, faults, {
      name: 'defaults',
      max: MAX_FIELDS,
      what: VALUE,
      each: (one) => (isPlain(one) ? one : undefined),
    }),
  value_map: (value, faults) =>
    readEach(value, faults, {
      name: 'value_map',
      max: MAX_FIELDS,
      what: {
        en: 'Send an object that maps values of the source to ours',
        tr: 'Kaynaktaki değerleri bizim değerlerimizle eşleyen bir nesne verin',
      },
      each: (words, path) =>
        isObject(words)
          ? readEach(words, faults, {
              name: path,
              max: MAX_WORDS,
              what: VALUE,
              each: (one) => (isPlain(one) ? one : undefined),
            })
          : undefined,
    }),
};

/** Every mapped field exists, every required field has a column or a default, and the key field is mapped. */
function requireMapping({ mapping, defaults, value_map }: ConnectorConfig, { target, keyField }: ConfigRules): void {
  const fields = FEED_FIELDS[target];
  const unknown = { en: 'This is not a field that a feed can set', tr: 'Bu, bir kaynağın yazabileceği bir alan değil' };
  const faults = Object.entries({ mapping, defaults, value_map }).flatMap(([part, members]) =>
    Object.keys(members)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => fault(`${part}.${name}`, 'unknown_field', unknown)),
  );
  const missing = {
    en: 'This field is required: map it or give a default',
    tr: 'Bu alan zorunlu: eşleyin ya da varsayılan verin',
  };
  for (const [name, field] of Object.entries(fields)) {
    if (field.required && !Object.hasOwn(mapping, name) && !Object.hasOwn(defaults, name))
      faults.push(fault(`mapping.${name}`, 'required', missing));
  }
  const key = { en: 'Rows are matched by this field: map it to a column', tr: 'Satırlar bu alanla eşleşir: bir sütuna eşleyin' };
  if (
    KEYS[target].includes(keyField) &&
    !Object.hasOwn(mapping, keyField) &&
    !faults.some(({ field }) => field === `config.mapping.${keyField}`)
  )
    faults.push(fault(`mapping.${keyField}`, 'required', key));
  refuse('bad_mapping', faults);
}

function keyFaults({ target, keyField }: ConfigRules): Detail[] {
  const allowed = KEYS[target];
  if (allowed.includes(keyField)) return [];
  const message = { en: `Give one of ${allowed.join(', ')}`, tr: `Şunlardan birini verin: ${allowed.join(', ')}` };
  return [{ field: 'key_field', code: 'not_allowed', message }];
}

/** Default values and translated words must be valid values of their fields. */
function valueFaults({ defaults, value_map }: ConnectorConfig, { target, context }: ConfigRules): Detail[] {
  const fields = FEED_FIELDS[target];
  const entries = [
    ...Object.entries(defaults).map(([name, value]) => ({ path: `defaults.${name}`, name, value })),
    ...Object.entries(value_map).flatMap(([name, words]) =>
      Object.entries(words).map(([from, value]) => ({ path: `value_map.${name}.${from}`, name, value })),
    ),
  ];
  const personal = {
    en: 'A fixed value is not allowed here, because this field differs for each record; map it to a column',
    tr: 'Bu alan tek bir kayda aittir ve gösterilmez; bir sütuna eşleyin',
  };
  return entries.flatMap(({ path, name, value }) => {
    if (OF_ONE_RECORD.has(name)) return [fault(path, 'not_allowed', personal)];
    const read = fields[name]!.read(feedValue(fields, name, value), context);
    return read instanceof Refused ? [fault(path, read.code, read.allowed)] : [];
  });
}

function targetOf(text: string, loopback: boolean): string {
  const url = allowedUrl(text, { loopback });
  if (url === null) {
    const message = { en: 'url must be a public https address', tr: 'url herkese açık bir https adresi olmalı' };
    return fail('url_not_allowed', { details: [fault('url', 'url_not_allowed', message)] });
  }
  return url.href;
}
