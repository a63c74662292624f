// A connector as the values of its form, and as the body of its endpoints.
import { NUMBER_FORMATS, type NumberFormat } from '../../../../src/domain/formats/number-text.ts';
import type { RawBody } from '../../endpoints.ts';
import { filled } from '../../parts/form/form-body.ts';
import { isSame } from '../../parts/form/form-state.ts';
import { fieldsOf, specOf, type Target } from './fields.ts';
import { inOrder, type Mapping } from './guess-mapping.ts';
import type { ValueMap } from './guess-values.ts';
import type { Connector, Preview } from './wire.ts';

export const CREDENTIALS = ['username', 'password', 'token', 'headers'] as const;

/** Our field → its value in records that have none. */
export type Defaults = Readonly<Record<string, string>>;

const EMPTY = {
  name: '',
  target: 'vehicles',
  transport: 'inline',
  url: '',
  type: '',
  delimiter: '',
  encoding: '',
  record_path: '',
  sheet: '',
  number_format: '',
  /** The row that a person chose as the header; '' for the one that is found. */
  header_row: '',
  mapping: {} as Mapping,
  defaults: {} as Defaults,
  value_map: {} as ValueMap,
  key_field: 'plate',
  schedule: 'Elle',
  /** The authentication of the address: '' for none, basic, token, headers, or `keep` for the stored one. */
  login: '',
  username: '',
  password: '',
  token: '',
  headers: '',
};
export type ConnectorValues = Readonly<typeof EMPTY>;

export const newConnectorForm = (target: Target): ConnectorValues => ({ ...EMPTY, target, key_field: keyOf(target, {}) });

export function connectorForm(connector: Connector): ConnectorValues {
  const { name, type, transport, target, config, key_field, schedule, has_credentials } = connector;
  return {
    ...EMPTY,
    name,
    target,
    transport,
    type,
    key_field,
    schedule,
    url: config.url ?? '',
    delimiter: config.delimiter ?? '',
    encoding: config.encoding ?? '',
    record_path: config.record_path ?? '',
    sheet: config.sheet ?? '',
    number_format: config.number_format ?? '',
    header_row: config.header_row === null || config.header_row === undefined ? '' : String(config.header_row),
    mapping: inOrder(target, config.mapping),
    defaults: inOrder(target, texts(config.defaults)),
    value_map: inOrder(target, config.value_map) as ValueMap,
    login: has_credentials ? 'keep' : '',
  };
}

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

export const targetOf = ({ target }: ConnectorValues): Target => (target === 'customers' ? 'customers' : 'vehicles');
/** A map with one entry set, or without it where the value is empty. */
export function withEntry<T extends Readonly<Record<string, unknown>>>(map: T, name: string, value: T[string] | ''): T {
  const { [name]: _, ...others } = map;
  return (value === '' ? others : { ...map, [name]: value }) as T;
}
export const numberFormatOf = ({ number_format }: ConnectorValues): NumberFormat | null =>
  NUMBER_FORMATS.find((one) => one === number_format) ?? null;

/**
 * Prefers plate or phone: records that were added by hand have no external reference, so matching by that would import them twice.
 */
export function keyOf(target: Target, mapping: Mapping): string {
  const usual = target === 'vehicles' ? 'plate' : 'phone';
  return mapping[usual] === undefined && mapping.external_ref !== undefined ? 'external_ref' : usual;
}

export const ENCODINGS: readonly string[] = ['utf-8', 'windows-1254', 'iso-8859-9', 'utf-16le'];

/** The format that the preview detected becomes part of the form, so that the next file is read the same way. */
export const foundIn = ({
  type,
  delimiter,
  encoding,
  record_path,
  sheets,
  sheet,
  number_format,
}: Preview): Partial<ConnectorValues> => ({
  type,
  delimiter: delimiter ?? '',
  // Other encodings are declared by the file itself.
  encoding: ENCODINGS.includes(encoding) ? encoding : '',
  record_path: record_path ?? '',
  // The first sheet need not be named: next month's file may call it differently.
  sheet: sheet === null || sheet === sheets?.[0] ? '' : sheet,
  number_format: number_format ?? '',
});

type CreateBody = WithConfig<RawBody<'POST v1/import/connectors'>>;
type EditBody = WithConfig<RawBody<'PATCH v1/import/connectors/{connector_id}'>>;
/** The endpoints take any object as configuration and check it against the connector's type; these are the members they know. */
type WithConfig<Body> = Omit<Body, 'config' | 'credentials'> & {
  readonly config?: Config | undefined;
  readonly credentials?: Credentials | null | undefined;
};
type Config = { readonly [K in keyof Connector['config']]?: Connector['config'][K] | string | undefined };
type Credentials = Readonly<
  Partial<Record<'username' | 'password' | 'token', string> & Record<'headers', Readonly<Record<string, string>>>>
>;

/** Whole numbers are sent as numbers, everything else as text. */
function defaultsBody(target: Target, defaults: Defaults): Connector['config']['defaults'] {
  const filled = Object.entries(defaults).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    filled.map(([field, value]) => {
      const isWhole = specOf(target, field)?.kind === 'whole' && /^\d{1,9}$/.test(value.trim());
      return [field, isWhole ? Number(value) : value.trim()];
    }),
  );
}

/** Without options that are not set, and without value maps of fields that no longer have a column. */
function configBody(values: ConnectorValues): Config {
  const target = targetOf(values);
  const isCsv = values.type === 'csv';
  const mapping = Object.fromEntries(
    fieldsOf(target)
      .map((field) => [field, values.mapping[field] ?? ''])
      .filter(([, column]) => column !== ''),
  );
  const map = Object.entries(values.value_map)
    .filter(([field]) => field in mapping)
    .map(([field, pairs]) => [field, Object.fromEntries(Object.entries(pairs).filter(([, to]) => to !== ''))] as const)
    .filter(([, pairs]) => Object.keys(pairs).length > 0);
  return {
    url: values.transport === 'url' ? values.url.trim() : undefined,
    delimiter: isCsv && values.delimiter !== '' ? values.delimiter : undefined,
    encoding: filled(values.encoding),
    record_path: isCsv ? undefined : filled(values.record_path),
    sheet: isCsv && values.sheet !== '' ? values.sheet : undefined,
    header_row: isCsv && values.header_row !== '' ? Number(values.header_row) : undefined,
    number_format: filled(values.number_format),
    mapping,
    defaults: defaultsBody(target, values.defaults),
    value_map: Object.fromEntries(map),
  };
}

/** `{…}` stores, null deletes, undefined leaves unchanged. */
export function credentialsBody(values: ConnectorValues, hadAny: boolean): Credentials | null | undefined {
  const { login, username, password, token } = values;
  if (values.transport !== 'url' || login === '') return hadAny ? null : undefined;
  if (login === 'keep') return undefined;
  if (login === 'basic') return { username, password };
  if (login === 'token') return { token: token.trim() };
  return { headers: headersOf(values.headers) };
}

/** `X-Api-Key: abc`, one per line. */
function headersOf(lines: string): Record<string, string> {
  const pairs = lines.split('\n').map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim()));
  return Object.fromEntries(pairs.filter(([name]) => name !== '').map(([name, value = '']) => [name, value]));
}

export const createBody = (values: ConnectorValues): CreateBody => ({
  name: filled(values.name),
  type: values.type || 'csv',
  transport: values.transport,
  target: values.target,
  config: configBody(values),
  key_field: values.key_field,
  schedule: values.transport === 'url' ? values.schedule : 'Elle',
  credentials: credentialsBody(values, false),
});

/** Only the changed fields; the target cannot change. */
export function editBody(values: ConnectorValues, before: Connector): EditBody {
  const now = editable(values);
  const then = editable(connectorForm(before));
  const changed = <T>(value: T, old: T): T | undefined => (isSame(value, old) ? undefined : value);
  return {
    name: changed(now.name, then.name),
    type: changed(now.type, then.type),
    transport: changed(now.transport, then.transport),
    config: changed(now.config, then.config),
    key_field: changed(now.key_field, then.key_field),
    schedule: changed(now.schedule, then.schedule),
    credentials: credentialsBody(values, before.has_credentials),
  };
}

/** Options that are left out stay unchanged, so removed ones are sent as null; a name cannot be removed. */
function editable(values: ConnectorValues) {
  const { name, type, transport, config, key_field, schedule } = createBody(values);
  const { url, delimiter, encoding, record_path, sheet, header_row, number_format, mapping, defaults, value_map } = config ?? {};
  return {
    name: name ?? '',
    type,
    transport,
    config: {
      url: url ?? null,
      delimiter: delimiter ?? null,
      encoding: encoding ?? null,
      record_path: record_path ?? null,
      sheet: sheet ?? null,
      header_row: header_row ?? null,
      number_format: number_format ?? null,
      mapping,
      defaults,
      value_map,
    },
    key_field,
    schedule,
  };
}
