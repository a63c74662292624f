// A refused row, corrected by the person who sent the file and imported without the file. The row and its result commit together, and
// a row that is imported already is not imported again.
import { fail } from '../../../kit/errors.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import { printable } from '../../../kit/text.ts';
import type { SealingKeys, Work } from '../../../kit/work.ts';
import { type CellReading, PLAIN_READING } from '../../formats/cell-text.ts';
import { fieldContext } from '../../records/fields.ts';
import { type CellAddress, seal, unseal } from '../../vault/vault.ts';
import { audit } from '../../writes/audit.ts';
import type { StoredConnector } from '../connectors/connector.ts';
import { FEED_FIELDS, type ImportTargetName, NEVER_SHOWN } from '../connectors/connector-config.ts';
import type { ImportAccount, Outcome } from '../import-target.ts';
import { settleRow } from '../map-row.ts';
import { feedTarget } from '../targets/import-feed.ts';
import { applyRows } from '../targets/import-rows.ts';

type Cells = Readonly<Record<string, unknown>>;

/** The row as it was mapped, and how its cells were read. */
export interface KeptRow {
  readonly cells: Cells;
  readonly readings: Readonly<Record<string, CellReading>>;
}

/** The names in stored rows, which a release before this one may have written. */
interface SealedRow {
  readonly given: Cells;
  readonly readings: KeptRow['readings'];
}

const sealedCell = (keys: SealingKeys, id: string): CellAddress => ({
  account: keys.account,
  table: 'import_row_errors',
  column: 'row_encrypted',
  row: id,
});

/** Longer rows are not kept, and only the first of a run: together they take at most 32 MB. */
const MAX_ROW_LENGTH = 16 * 1024;
export const MAX_ROWS_KEPT: number = 2000;

/** Null if the row is too long to be kept. */
export function sealRow(keys: SealingKeys, id: string, row: KeptRow): Buffer | null {
  const text = JSON.stringify({ given: row.cells, readings: row.readings } satisfies SealedRow);
  return text.length > MAX_ROW_LENGTH ? null : seal(keys.ring, sealedCell(keys, id), text);
}

interface RefusedRow {
  readonly run_id: string;
  readonly connector_id: string;
  readonly row_number: number;
  readonly mended_as: Outcome | null;
  readonly kept: { readonly id: string; readonly row: Buffer } | null;
}

/** The row of an error, for the person who sent its file only. */
async function refusedRow(work: Pick<Work, 'db'>, runId: string, errorId: string, personId: string): Promise<RefusedRow> {
  const { db } = work;
  const run = await db.one<{ connector_id: string; person_id: string | null; dry_run: boolean; finished_at: Date | null }>(
    sql`select connector_id, person_id, dry_run, finished_at from ${own('import_runs')} where id = ${runId} for update`,
  );
  if (run.person_id !== personId || run.dry_run) fail('not_found');
  if (run.finished_at === null) fail('run_in_progress');
  const error = await db.one<{ row_number: number; mended_as: Outcome | null }>(
    sql`select row_number, mended_as from ${own('import_row_errors')} where id = ${errorId} and run_id = ${runId}`,
  );
  const [kept = null] = await db.rows<{
    id: string;
    row: Buffer;
  }>(sql`select id, row_encrypted as row from ${own('import_row_errors')}
    where run_id = ${runId} and row_number = ${error.row_number} and row_encrypted is not null order by id limit 1`);
  return { run_id: runId, connector_id: run.connector_id, ...error, kept };
}

function unsealRow(keys: SealingKeys, { id, row }: NonNullable<RefusedRow['kept']>): KeptRow {
  const { given, readings } = JSON.parse(unseal(keys.ring, sealedCell(keys, id), row)) as SealedRow;
  return { cells: given, readings };
}

const connectorOf = ({ db }: Pick<Work, 'db'>, id: string): Promise<StoredConnector> =>
  db.one<StoredConnector>(sql`select id, name, type, transport, target, config, key_field, schedule, status, credentials_encrypted
    from ${own('import_connectors')} where id = ${id}`);

/** A field of the row; the value of one that is never shown stays hidden and can be typed again. */
export interface MendableField {
  readonly field: string;
  readonly value: string | null;
  readonly is_hidden: boolean;
}

export interface MendableRow {
  readonly target: ImportTargetName;
  readonly fields: readonly MendableField[];
}

export async function readRefusedRow(work: Work, runId: string, errorId: string, personId: string): Promise<MendableRow> {
  const row = await refusedRow(work, runId, errorId, personId);
  if (row.kept === null) return fail('not_found');
  const { target } = await connectorOf(work, row.connector_id);
  const { cells } = unsealRow(work.keys, row.kept);
  const fields = Object.keys(FEED_FIELDS[target]).map((field): MendableField => {
    const value = cells[field];
    const isHidden = NEVER_SHOWN.has(field) && value !== undefined;
    return { field, value: value === undefined || isHidden ? null : String(value), is_hidden: isHidden };
  });
  return { target, fields };
}

export type MendedValues = Readonly<Record<string, string | null>>;

export interface Mended {
  readonly outcome: Outcome;
}

/** `values`: the changed fields; null and empty text remove one. A row that still has errors is refused with them, and stays. */
export async function mendRow(
  work: Work,
  runId: string,
  errorId: string,
  personId: string,
  values: MendedValues,
): Promise<Mended> {
  const row = await refusedRow(work, runId, errorId, personId);
  if (row.mended_as !== null) return { outcome: row.mended_as };
  if (row.kept === null) return fail('not_found');
  const connector = await connectorOf(work, row.connector_id);
  const outcome = await applyMended(work, connector, unsealRow(work.keys, row.kept), values);
  const { db, now } = work;
  await db.exec(sql`update import_row_errors set mended_at = ${now}, mended_as = ${outcome}, row_encrypted = null, value = null
    where account_id = ${theAccount} and run_id = ${runId} and row_number = ${row.row_number}`);
  await countMended(work, runId, outcome);
  const after = { row: row.row_number, outcome };
  await audit(db, work.actor, 'import_run.row_mended', runId, { accountId: work.account.id, after });
  return { outcome };
}

async function applyMended(work: Work, connector: StoredConnector, kept: KeptRow, values: MendedValues): Promise<Outcome> {
  const { db, keys, now } = work;
  const fields = FEED_FIELDS[connector.target];
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0)
    fail('validation_failed', {
      details: unknown.map((field) => ({ field: printable(field), code: 'unknown_field', message: NO_FIELD })),
    });
  const account = await db.one<ImportAccount>(sql`select id, timezone, country, default_currency from ${own('accounts')}`);
  const cells = Object.fromEntries(
    Object.entries({ ...kept.cells, ...values }).filter(([, value]) => value !== null && value !== ''),
  );
  const reading = (field: string) => (Object.hasOwn(values, field) ? PLAIN_READING : (kept.readings[field] ?? PLAIN_READING));
  const target = feedTarget({ target: connector.target, keyField: connector.key_field, account, keys, reading });
  const moment = { now, ...fieldContext(now, account.timezone) };
  const [result] = await applyRows(work, target, [{ row: 1, ...settleRow(cells, fields) }], moment);
  if ('outcome' in result!) return result.outcome;
  const details = result!.errors.map(({ field, code, message }) => ({ field: field ?? connector.key_field, code, message }));
  return fail('validation_failed', { details, words: { fields: details.map(({ field }) => field).join(', ') } });
}

const NO_FIELD = { en: 'This is not a field that a file can set', tr: 'Bu, bir dosyanın yazabileceği bir alan değil' };

/** The counts as if the row had been right in the file. */
async function countMended({ db, updatedAt }: Work, runId: string, outcome: Outcome): Promise<void> {
  const one = (name: Outcome) => (name === outcome ? 1 : 0);
  await db.exec(sql`update import_runs set created_count = created_count + ${one('created')}, updated_count = updated_count + ${one('updated')},
      unchanged_count = unchanged_count + ${one('unchanged')}, error_count = error_count - 1, updated_at = ${updatedAt()},
      status = case when error_count = 1 then 'Tamamlandı' else 'Kısmen Tamamlandı' end,
      failure_code = null, failure_message = null
    where account_id = ${theAccount} and id = ${runId}`);
  await db.exec(sql`update import_connectors set last_run_status = run.status, updated_at = ${updatedAt()} from (select * from ${own('import_runs')}) run
    where import_connectors.account_id = ${theAccount} and run.id = ${runId} and import_connectors.id = run.connector_id
      and not exists (select from (select * from ${own('import_runs')}) later
        where later.connector_id = run.connector_id and later.created_at > run.created_at)`);
}
