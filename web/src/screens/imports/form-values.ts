// A connector as form texts, and as the body of its rows. Maps are JSON texts, because forms and drafts hold only text.
import { NUMBER_FORMATS, type NumberFormat } from '../../../../src/domain/formats/number-text.ts';
import type { TypedBody } from '../../rows.ts';
import { fieldsOf, specOf, type Target } from './fields.ts';
import { inOrder, type Mapping } from './guess-mapping.ts';
import type { ValueMap } from './guess-values.ts';
import type { Connector, Preview } from './wire.ts';

export const CREDENTIALS = ['username', 'password', 'token', 'headers'] as const;

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
  mapping: '{}',
  defaults: '{}',
  value_map: '{}',
  key_field: 'plate',
  schedule: 'Elle',
  /** The authentication of the address: '' for none, basic, token, headers, or `keep` for the stored one. */
  login: '',
  username: '',
  password: '',
  token: '',
  headers: '',
};
export type ConnectorValues = Readonly<Record<keyof typeof EMPTY, string>>;

export const newConnectorForm = (target: Target): ConnectorValues => ({ ...EMPTY, target, key_field: keyOf(target, {}) });

export function connectorForm({ name, type, transport, target, config, key_field, schedule, has_credentials }: Connector) {
  return {
    ...EMPTY,
    ...{ name, target, transport, type, key_field, schedule },
    url: config.url ?? '',
    delimiter: config.delimiter ?? '',
    encoding: config.encoding ?? '',
    record_path: config.record_path ?? '',
    sheet: config.sheet ?? '',
    number_format: config.number_format ?? '',
    mapping: JSON.stringify(inOrder(target, config.mapping)),
    defaults: JSON.stringify(inOrder(target, texts(config.defaults))),
    value_map: JSON.stringify(inOrder(target, config.value_map)),
    login: has_credentials ? 'keep' : '',
  } satisfies ConnectorValues;
}

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

export const targetOf = ({ target }: ConnectorValues): Target => (target === 'customers' ? 'customers' : 'vehicles');
export const mappingOf = ({ mapping }: ConnectorValues): Mapping => JSON.parse(mapping) as Mapping;
export const defaultsOf = ({ defaults }: ConnectorValues): Readonly<Record<string, string>> =>
  JSON.parse(defaults) as Record<string, string>;
export const numberFormatOf = ({ number_format }: ConnectorValues): NumberFormat | null =>
  NUMBER_FORMATS.find((one) => one === number_format) ?? null;
export const valueMapOf = ({ value_map }: ConnectorValues): ValueMap => JSON.parse(value_map) as ValueMap;

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

/** Whole numbers are sent as numbers, everything else as text. */
function defaultsBody(target: Target, defaults: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(defaults).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    given.map(([field, value]) => {
      const isWhole = specOf(target, field)?.kind === 'whole' && /^\d{1,9}$/.test(value.trim());
      return [field, isWhole ? Number(value) : value.trim()];
    }),
  );
}

/** Without options that are not set, and without value maps of fields that no longer have a column. */
function configBody(values: ConnectorValues): Record<string, unknown> {
  const target = targetOf(values);
  const mapping = Object.fromEntries(
    fieldsOf(target)
      .map((field) => [field, mappingOf(values)[field] ?? ''])
      .filter(([, column]) => column !== ''),
  );
  const map = Object.entries(valueMapOf(values))
    .filter(([field]) => field in mapping)
    .map(([field, pairs]) => [field, Object.fromEntries(Object.entries(pairs).filter(([, to]) => to !== ''))] as const)
    .filter(([, pairs]) => Object.keys(pairs).length > 0);
  return {
    ...(values.transport === 'url' ? { url: values.url.trim() } : {}),
    ...(values.type === 'csv' && values.delimiter !== '' ? { delimiter: values.delimiter } : {}),
    ...(values.encoding === '' ? {} : { encoding: values.encoding }),
    ...(values.type !== 'csv' && values.record_path.trim() !== '' ? { record_path: values.record_path.trim() } : {}),
    ...(values.type === 'csv' && values.sheet !== '' ? { sheet: values.sheet } : {}),
    ...(values.number_format === '' ? {} : { number_format: values.number_format }),
    mapping,
    defaults: defaultsBody(target, defaultsOf(values)),
    value_map: Object.fromEntries(map),
  };
}

/** `{…}` stores, null deletes, undefined leaves unchanged. */
export function credentialsBody(values: ConnectorValues, hadAny: boolean): Record<string, unknown> | null | undefined {
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

export function createBody(values: ConnectorValues): TypedBody<'POST v1/import/connectors'> {
  const credentials = credentialsBody(values, false);
  return {
    name: values.name.trim(),
    type: values.type || 'csv',
    transport: values.transport,
    target: values.target,
    config: configBody(values),
    key_field: values.key_field,
    schedule: values.transport === 'url' ? values.schedule : 'Elle',
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** Only the changed fields; the target cannot change. */
export function editBody(values: ConnectorValues, before: Connector): TypedBody<'PATCH v1/import/connectors/{connector_id}'> {
  const now = editable(values);
  const then = editable(connectorForm(before));
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name]));
  const credentials = credentialsBody(values, before.has_credentials);
  return { ...Object.fromEntries(changed), ...(credentials === undefined ? {} : { credentials }) };
}

/** Members that are left out stay unchanged, so removed ones are sent as null. */
function editable(values: ConnectorValues): Record<string, unknown> {
  const { target: _, credentials: __, config, ...rest } = createBody(values);
  return { ...rest, config: { ...NOTHING, ...(config as object) } };
}

const NOTHING = { url: null, delimiter: null, encoding: null, record_path: null, sheet: null, number_format: null };
