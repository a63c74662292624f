// A preview of a source's first rows, for mapping its columns to our fields. Nothing is stored.
import { isZip } from '../../domain/formats/zip.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { readConnector, type StoredConnector } from '../../domain/imports/connectors/connector.ts';
import {
  type Credentials,
  headersOf,
  openCredentials,
  readCredentials,
} from '../../domain/imports/connectors/connector-credentials.ts';
import { FeedFailure } from '../../domain/imports/feed-row.ts';
import { fetchSource } from '../../domain/imports/feeds/feed-fetch.ts';
import type { ImportPreview } from '../../domain/imports/feeds/source-preview.ts';
import { previewSource } from '../../domain/imports/feeds/source-reader.ts';
import { MAX_CONTENT_BYTES } from '../../domain/imports/runs/import-run.ts';
import { CONNECTOR_TYPES, DELIMITERS, ENCODINGS, MAX_HEADER_ROW } from '../../domain/imports/source-form.ts';
import {
  type Field,
  flagField,
  integerField,
  oneOfField,
  Refused,
  textField,
  uuidField,
  type Values,
} from '../../domain/records/fields.ts';
import { Quota } from '../../domain/sharing/quota.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { panelPost } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';

const PREVIEW_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
/** Limits how many previews wait for other servers at once, in total and for one account. */
const fetching = new Quota({ total: 32, each: 4 });
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
  header_row: integerField(0, MAX_HEADER_ROW),
} as const;
type PreviewBody = Values<typeof PREVIEW_FIELDS>;

/** A preview with what the account knows where a file says nothing. */
export interface FilePreview extends ImportPreview {
  readonly usual: { readonly city: string | null; readonly currency: Currency };
}

export const importPreviewEndpoints = [
  panelPost('import/preview', {
    who: rolesFor({ scope: 'import:write', risk: 'sensitive' }),
    databaseRole: 'none',
    bodySchema: PREVIEW_FIELDS,
    maxBytes: MAX_BODY_BYTES,
    run: async ({ body, account, services, left }): Promise<FilePreview> => {
      const { content, type, delimiter, encoding, record_path, sheet, header_row } = body;
      const bytes = content ?? (await fetchHead(services, account.id, body, left).catch(refuseFetch));
      const isCut = content === undefined || (body.is_cut ?? false);
      const form = { type, delimiter, encoding, record_path, sheet, header_row };
      const preview = await previewSource(bytes, { ...form, isCut }, account.id, left).catch(refuseSource);
      const usual = await services.database.inTenant(account.id, 'read', (db) =>
        db.one<FilePreview['usual']>(sql`select city, default_currency as currency from ${own('accounts')}`),
      );
      return { ...preview, usual };
    },
  }),
];

const fetchHead = (services: PanelServices, accountId: string, body: PreviewBody, left: AbortSignal): Promise<Buffer> =>
  fetching.during(accountId, () => fetchBeginning(services, accountId, body, left));

/** The credentials of a saved connector are sent only to its own origin. */
async function fetchBeginning(
  { database, secrets, loopbackTargets }: PanelServices,
  accountId: string,
  body: PreviewBody,
  signal: AbortSignal,
): Promise<Buffer> {
  const saved = body.connector_id === undefined ? null : await savedSource(database, secrets, accountId, body.connector_id);
  const url = body.url ?? saved?.url ?? null;
  if (url === null) return fail('content_required');
  const isSame = saved !== null && URL.canParse(url) && saved.url !== null && new URL(url).origin === new URL(saved.url).origin;
  const credentials = body.credentials ? readCredentials(body.credentials) : isSame ? saved.credentials : {};
  const rules = { outbound: { loopback: loopbackTargets }, timeoutMs: TIMEOUT_MS, signal };
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

const FETCH_FAILURES = ['source_unreachable', 'source_http_error', 'source_too_large', 'source_cut_off', 'url_not_allowed'];

/** The source could not be fetched. */
function refuseFetch(error: unknown): never {
  if (!(error instanceof FeedFailure) || !FETCH_FAILURES.includes(error.code)) return refuseSource(error);
  const { code, text } = error;
  const details = [{ field: 'url', code, message: text }];
  return fail(code === 'url_not_allowed' ? 'url_not_allowed' : 'source_unreachable', { details, words: { why: text } });
}

const FIELD_OF: Readonly<Record<string, string>> = {
  record_path_not_found: 'record_path',
  invalid_encoding: 'encoding',
  sheet_not_found: 'sheet',
  header_not_found: 'header_row',
};

/** The source could not be read. */
function refuseSource(error: unknown): never {
  if (!(error instanceof FeedFailure)) throw error;
  const { code, text } = error;
  const details = [{ field: FIELD_OF[code] ?? 'content', code, message: text }];
  return fail('source_unreadable', { details, words: { why: text } });
}
