// Runs of a connector: queueing one with its content, and reading its counts and row errors.
import { createReadStream } from 'node:fs';
import type { Db } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import type { UploadedFile } from '../../../kit/file.ts';
import { newId } from '../../../kit/ids.ts';
import { columnsOf, flag, integer, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../../kit/schema.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { type Field, flagField, Refused, textField, type Values, withDefault } from '../../records/fields.ts';
import { lockConnector, RUN_STATUSES, requireImport, requireNoRun, type StoredConnector } from '../connectors/connector.ts';
import { keepContent } from './import-content.ts';

export const TRIGGERS = ['Elle', 'Zamanlı'] as const;

export const ImportRun = object({
  id: uuid(),
  connector_id: uuid(),
  trigger: oneOf(TRIGGERS),
  dry_run: flag(),
  status: oneOf(RUN_STATUSES),
  total_rows: integer(),
  created_count: integer(),
  updated_count: integer(),
  unchanged_count: integer(),
  error_count: integer(),
  started_at: nullable(timestamp()),
  finished_at: nullable(timestamp()),
  failure_code: nullable(text('source_unreachable')),
  failure_message: nullable(text('Kaynağa ulaşılamadı')),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type ImportRun = Of<typeof ImportRun>;

export const ImportRowError = object({
  id: uuid(),
  run_id: uuid(),
  row_number: integer(),
  key: nullable(text('AB 123')),
  field: nullable(text('model_year')),
  code: text('invalid'),
  message: text(),
  created_at: timestamp(),
});
export type ImportRowError = Of<typeof ImportRowError>;

export const MAX_CONTENT_BYTES: number = 10 * 1024 * 1024;

/** The text of a whole file. Its size is limited by the request. */
const contentField: Field<string> = {
  ...textField(1),
  schema: { type: 'string', minLength: 1 },
  read: (value) =>
    typeof value === 'string' && value !== '' && value.isWellFormed()
      ? value
      : new Refused('invalid', { en: 'the text of the file', tr: 'dosyanın metni' }),
};

export const RUN_FORM_FIELDS = { dry_run: withDefault(flagField, '`false`') } as const;
export const RUN_FIELDS = { ...RUN_FORM_FIELDS, content: contentField } as const;
export type RunRequest = Values<typeof RUN_FIELDS>;

export const readRun = (db: Db, id: string): Promise<ImportRun> =>
  db.one<ImportRun>(sql`select ${columnsOf(ImportRun)} from ${own('import_runs')} where id = ${id}`);

/** Queues a run for any worker. */
export async function queueRun(work: Work, connectorId: string, body: RunRequest, file: UploadedFile | null): Promise<ImportRun> {
  await requireImport(work.db);
  const connector = await lockConnector(work, connectorId);
  await requireNoRun(work.db, connectorId);
  if (connector.status !== 'Aktif') fail('connector_passive');
  const content = contentOf(connector, body, file);
  const { type, name, fullName = name, personId = null } = work.actor;
  const id = await addRun(work, connector.id, {
    trigger: 'Elle',
    dry_run: body.dry_run ?? false,
    actor_type: type,
    actor_name: fullName,
    person_id: personId,
    content_encoding: content === null ? null : file === null ? 'utf-8' : 'connector',
  });
  if (content !== null) await keepContent(work.db, work.keys, id, content);
  return readRun(work.db, id);
}

function contentOf(
  { transport }: StoredConnector,
  { content }: RunRequest,
  file: UploadedFile | null,
): AsyncIterable<Buffer> | null {
  if (transport === 'url') {
    if (content === undefined && file === null) return null;
    const message = {
      en: 'Content is not allowed: this connector fetches it from its URL',
      tr: 'Bu bağlayıcı kendi adresini okur',
    };
    const field = file === null ? 'content' : 'file';
    return fail('validation_failed', { details: [{ field, code: 'not_allowed', message }] });
  }
  if (file !== null) return file.sizeBytes === 0 ? fail('content_required') : fileBytes(file.path);
  if (content === undefined) return fail('content_required');
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) fail('payload_too_large', { words: { allowed: '10 MB' } });
  return pieces(content);
}

/** Opened only when it is read, because an error of a stream without a reader would end the process. */
async function* fileBytes(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** Encodes piece by piece, never splitting a surrogate pair. */
async function* pieces(content: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; ) {
    let end = Math.min(at + 65_536, content.length);
    if (end < content.length && /[\uD800-\uDBFF]/.test(content[end - 1]!)) end += 1;
    yield Buffer.from(content.slice(at, end));
    at = end;
  }
}

interface NewRun {
  readonly trigger: (typeof TRIGGERS)[number];
  readonly dry_run: boolean;
  readonly actor_type: string;
  readonly actor_name: string;
  /** The person who sent the file; null if there is none. */
  readonly person_id: string | null;
  readonly content_encoding: 'utf-8' | 'connector' | null;
}

/** The connector is locked and has no other run in progress. */
export async function addRun({ db, now, updatedAt }: Work, connectorId: string, run: NewRun): Promise<string> {
  const id = newId(now.getTime());
  await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, actor_type, actor_name, person_id,
      content_encoding, created_at, updated_at)
    values (${theAccount}, ${id}, ${connectorId}, ${run.trigger}, ${run.dry_run}, ${run.actor_type}, ${run.actor_name},
      ${run.person_id}, ${run.content_encoding}, ${now}, ${updatedAt()})`);
  await db.exec(sql`update import_connectors set last_run_at = ${now}, last_run_status = 'Sırada', updated_at = ${updatedAt()}
    where account_id = ${theAccount} and id = ${connectorId}`);
  return id;
}

/** Row errors store the row's key, which may be the phone or the external reference of an erased customer. */
export async function forgetRowErrors({ db }: Work, customerId: string): Promise<void> {
  await db.exec(sql`delete from import_row_errors where account_id = ${theAccount} and key is not null and exists (
    select from ${own('customers')} where id = ${customerId} and (key = external_ref
      or right(regexp_replace(key, '\\D', '', 'g'), 10) = right(regexp_replace(phone, '\\D', '', 'g'), 10)))`);
}
