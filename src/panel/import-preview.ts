// A preview of a source's first rows, for mapping its columns to our fields. Nothing is stored.
import { formatOf, type NumberFormat } from '../domain/formats/number-text.ts';
import { isZip } from '../domain/formats/zip.ts';
import { rolesFor } from '../domain/identity/roles.ts';
import { readConnector, type StoredConnector } from '../domain/imports/connector.ts';
import { CONNECTOR_TYPES, type ConnectorType, DELIMITERS, ENCODINGS } from '../domain/imports/connector-config.ts';
import { type Credentials, headersOf, openCredentials, readCredentials } from '../domain/imports/connector-credentials.ts';
import { fetchSource } from '../domain/imports/feed-fetch.ts';
import { guessDelimiter, guessEncoding, guessRecordPath, guessType } from '../domain/imports/feed-guess.ts';
import { FeedFailure } from '../domain/imports/feed-row.ts';
import { readSource, type SourceForm, sheetsOf } from '../domain/imports/feed-source.ts';
import { declaredEncoding, refusePacked } from '../domain/imports/feed-text.ts';
import { MAX_CONTENT_BYTES } from '../domain/imports/import-run.ts';
import { type Field, flagField, oneOfField, Refused, textField, uuidField, type Values } from '../domain/records/fields.ts';
import { Shares } from '../domain/sharing/shares.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { fail, type Text } from '../kit/errors.ts';
import { own, sql } from '../kit/sql.ts';
import { panelPost } from './endpoint.ts';
import type { PanelServices } from './services.ts';

export interface ImportPreview {
  readonly type: ConnectorType;
  /** Null where the type has no delimiter. */
  readonly delimiter: string | null;
  readonly encoding: string;
  readonly record_path: string | null;
  /** The sheets of a workbook, and the one that was read; null where the source is no workbook. */
  readonly sheets: readonly string[] | null;
  readonly sheet: string | null;
  /** How its numbers seem to be written; null where they do not tell. */
  readonly number_format: NumberFormat | null;
  readonly columns: readonly PreviewColumn[];
  readonly rows_seen: number;
}

export interface PreviewColumn {
  readonly name: string;
  /** The first few values that are not empty. */
  readonly samples: readonly string[];
  /** All different values; empty where there are too many for a value map. */
  readonly values: readonly string[];
}

const PREVIEW_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
/** Limits how many previews wait for other servers at once, in total and for one account. */
const fetching = new Shares({ total: 32, each: 4 });
const MAX_ROWS = 200;
const MAX_COLUMNS = 300;
const MAX_SAMPLES = 5;
const MAX_VALUES = 40;
const MAX_VALUE_LENGTH = 80;
/** A workbook of the largest size that a run takes, in base64. */
const MAX_BODY_BYTES = Math.ceil((MAX_CONTENT_BYTES * 4) / 3) + 64 * 1024;

/** A workbook is needed whole, because what is in it is listed at its end; of anything else the beginning is enough. */
const headOf = (bytes: Buffer): Buffer => (isZip(bytes) ? bytes : bytes.subarray(0, PREVIEW_BYTES));

const bytesField: Field<Buffer> = {
  ...textField(1),
  schema: { type: 'string', contentEncoding: 'base64' },
  read: (value) =>
    typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
      ? headOf(Buffer.from(value, 'base64'))
      : new Refused('invalid', {
          en: 'the beginning of the file in base64, or a whole workbook',
          tr: 'dosyanın başının ya da çalışma kitabının tamamının base64 hâli',
        }),
};

const delimiterField: Field<string> = {
  ...textField(1),
  read: (value) =>
    DELIMITERS.find((one) => one === value) ?? new Refused('not_allowed', { en: ', ; tab or |', tr: ', ; sekme ya da |' }),
};

const credentialsField: Field<Readonly<Record<string, unknown>>> = {
  ...textField(1),
  schema: { type: 'object' },
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : new Refused('invalid', { en: 'an object', tr: 'bir nesne' }),
};

const PREVIEW_FIELDS = {
  content: bytesField,
  is_cut: flagField,
  url: textField(2000),
  connector_id: uuidField,
  credentials: credentialsField,
  type: oneOfField(CONNECTOR_TYPES),
  delimiter: delimiterField,
  encoding: oneOfField(ENCODINGS),
  record_path: textField(200),
  sheet: textField(200),
} as const;
type Asked = Values<typeof PREVIEW_FIELDS>;

export const importPreviewRows = [
  panelPost('import/preview', {
    who: rolesFor({ scope: 'import:write', risk: 'sensitive' }),
    door: 'none',
    takes: PREVIEW_FIELDS,
    maxBytes: MAX_BODY_BYTES,
    run: async ({ body, account, services }): Promise<ImportPreview> => {
      try {
        const bytes = body.content ?? (await fetching.during(account.id, () => fetchHead(services, account.id, body)));
        return await previewOf(bytes, body, body.content === undefined || (body.is_cut ?? false));
      } catch (error) {
        if (error instanceof FeedFailure) return refuse(error);
        throw error;
      }
    },
  }),
];

/** The credentials of a saved connector are sent only to its own origin. */
async function fetchHead(
  { database, secrets, loopbackTargets }: PanelServices,
  accountId: string,
  asked: Asked,
): Promise<Buffer> {
  const saved = asked.connector_id === undefined ? null : await savedSource(database, secrets, accountId, asked.connector_id);
  const url = asked.url ?? saved?.url ?? null;
  if (url === null) return fail('content_required');
  const isSame = saved !== null && URL.canParse(url) && saved.url !== null && new URL(url).origin === new URL(saved.url).origin;
  const credentials = asked.credentials ? readCredentials(asked.credentials) : isSame ? saved.credentials : {};
  const rules = { outbound: { loopback: loopbackTargets }, timeoutMs: TIMEOUT_MS };
  const head = await fetchSource(url, headersOf(credentials), { ...rules, maxBytes: PREVIEW_BYTES, isPartWelcome: true });
  return isZip(head) ? fetchSource(url, headersOf(credentials), rules) : head;
}

async function savedSource(
  database: PanelServices['database'],
  secrets: PanelServices['secrets'],
  accountId: string,
  id: string,
): Promise<{ url: string | null; credentials: Credentials }> {
  const { config, credentials_encrypted } = await database.inTenant(accountId, 'read', async (db) => {
    await readConnector(db, id);
    return db.one<Pick<StoredConnector, 'config' | 'credentials_encrypted'>>(
      sql`select config, credentials_encrypted from ${own('import_connectors')} where id = ${id}`,
    );
  });
  return { url: config.url, credentials: openCredentials(sealingKeys(secrets, accountId), id, credentials_encrypted) };
}

async function previewOf(bytes: Buffer, asked: Asked, isCut: boolean): Promise<ImportPreview> {
  if (isZip(bytes)) return previewWorkbook(bytes, asked);
  refusePacked(bytes);
  const encoding = asked.encoding ?? guessEncoding(bytes);
  const head = new TextDecoder(encoding).decode(bytes);
  const type = asked.type ?? guessType(head);
  const declared = type === 'xml' && asked.encoding === undefined ? declaredEncoding(bytes) : null;
  const form: SourceForm = {
    type,
    delimiter: type === 'csv' ? (asked.delimiter ?? guessDelimiter(head)) : null,
    encoding: declared === null ? encoding : null,
    record_path: type === 'csv' ? null : (asked.record_path ?? guessRecordPath(type, head)),
    sheet: null,
  };
  const { columns, rows } = await readColumns(form, isCut && type === 'csv' ? toLastLine(bytes) : bytes, isCut);
  const shown = { type, delimiter: form.delimiter, encoding: declared?.toLowerCase() ?? encoding, record_path: form.record_path };
  return { ...shown, sheets: null, sheet: null, number_format: numbersIn(columns), columns, rows_seen: rows };
}

async function previewWorkbook(bytes: Buffer, asked: Asked): Promise<ImportPreview> {
  const sheets = await sheetsOf(bytes);
  const sheet = asked.sheet ?? null;
  const form: SourceForm = { type: 'csv', delimiter: null, encoding: null, record_path: null, sheet };
  const { columns, rows } = await readColumns(form, bytes, false);
  const shown = { type: 'csv' as const, delimiter: null, encoding: 'utf-8', record_path: null };
  return { ...shown, sheets, sheet: sheet ?? sheets[0] ?? null, number_format: null, columns, rows_seen: rows };
}

const numbersIn = (columns: readonly PreviewColumn[]): NumberFormat | null =>
  formatOf(columns.flatMap(({ samples, values }) => (values.length > 0 ? values : samples)));

/** Drops the last row, which may be cut. */
const toLastLine = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || bytes.length);

async function readColumns(form: SourceForm, bytes: Buffer, isCut: boolean): Promise<{ columns: PreviewColumn[]; rows: number }> {
  const seen = new Map<string, { samples: string[]; values: Set<string> }>();
  const see = (name: string) => {
    if (!seen.has(name) && seen.size < MAX_COLUMNS) seen.set(name, { samples: [], values: new Set() });
  };
  let rows = 0;
  try {
    for await (const row of readSource(form, once(bytes), see)) {
      if ('problem' in row) continue;
      rows += 1;
      for (const [name, value] of Object.entries(row.given)) note(seen.get(name), value);
      if (rows === MAX_ROWS) break;
    }
  } catch (error) {
    // The source ends in the middle because we cut it, so the error is ignored.
    if (!(error instanceof FeedFailure) || !isCut || seen.size === 0) throw error;
  }
  if (seen.size === 0) throw new FeedFailure('source_empty', NOTHING);
  const columns = [...seen].map(([name, { samples, values }]) => ({
    name,
    samples,
    values: values.size > MAX_VALUES ? [] : [...values],
  }));
  return { columns, rows };
}

const NOTHING: Text = { en: 'There are no columns in it', tr: 'İçinde sütun yok' };

const once = (bytes: Buffer) =>
  async function* () {
    yield bytes;
  };

function note(column: { samples: string[]; values: Set<string> } | undefined, value: unknown): void {
  if (column === undefined) return;
  const text = String(value).replace(/\p{C}/gu, ' ').slice(0, MAX_VALUE_LENGTH);
  if (column.samples.length < MAX_SAMPLES) column.samples.push(text);
  if (column.values.size <= MAX_VALUES) column.values.add(text);
}

const FETCH_FAILURES = ['source_unreachable', 'source_http_error', 'source_too_large', 'source_cut_off'];
const FIELD_OF: Readonly<Record<string, string>> = {
  record_path_not_found: 'record_path',
  invalid_encoding: 'encoding',
  sheet_not_found: 'sheet',
  url_not_allowed: 'url',
};

function refuse({ code, text }: FeedFailure): never {
  const isFetch = FETCH_FAILURES.includes(code);
  const field = FIELD_OF[code] ?? (isFetch ? 'url' : 'content');
  const details = [{ field, code, message: text }];
  if (code === 'url_not_allowed') return fail('url_not_allowed', { details });
  return fail(isFetch ? 'source_unreachable' : 'source_unreadable', { details, words: { why: text } });
}
