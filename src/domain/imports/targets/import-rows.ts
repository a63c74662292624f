// Applies rows to one account's vehicles or customers: the matching record is updated, otherwise one is created. A row that
// cannot be applied does not affect the others.
import type { Clock } from '../../../kit/clock.ts';
import { type Db, sqlState } from '../../../kit/db.ts';
import type { Work } from '../../../kit/work.ts';
import { PLAIN_READING } from '../../formats/cell-text.ts';
import { fieldContext } from '../../records/fields.ts';
import type { Secrets } from '../../vault/secrets.ts';
import { type Actor, audit } from '../../writes/audit.ts';
import type { Writer } from '../../writes/write.ts';
import type { ImportRow, SourceRow } from '../feed-row.ts';
import {
  cellError,
  type Decision,
  feedValue,
  type ImportAccount,
  type ImportMoment,
  type ImportTarget,
  type Outcome,
  type RowFault,
  RowRefusal,
} from '../import-target.ts';
import { customerTarget } from './import-customers.ts';
import { vehicleTarget } from './import-vehicles.ts';

export interface RowError {
  readonly row: number;
  /** Its number in the spreadsheet, as Excel shows it. */
  readonly sheet_row?: number;
  /** Null if the row as a whole is at fault. */
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/** total = created + updated + unchanged + failed. */
export interface ImportSummary {
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  readonly errors: RowError[];
  /** Errors beyond the first ten thousand are counted, not stored. */
  errors_left_out: number;
}

export const IMPORT_KINDS = ['vehicles', 'customers'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export function importTarget(kind: ImportKind, account: ImportAccount, secrets: Secrets): ImportTarget {
  return kind === 'vehicles' ? vehicleTarget(account) : customerTarget(account, secrets);
}

export interface ImportJob {
  readonly writer: Writer;
  readonly account: ImportAccount;
  readonly kind: ImportKind;
  readonly target: ImportTarget;
  readonly rows: AsyncIterable<SourceRow>;
  readonly clock: Clock;
  readonly actor: Actor;
  /** Called with the number of rows done after each batch. */
  readonly progress?: (done: number) => void;
}

/** Rows in one transaction: few enough that other writes do not wait long for its locks. */
const BATCH = 200;
const ERRORS_KEPT = 10_000;
const ATTEMPTS = 5;

export const importRows = (job: ImportJob): Promise<ImportSummary> =>
  importInBatches(job.rows, BATCH, job.progress, (batch) => applyBatch(job, batch));

export async function importInBatches(
  rows: AsyncIterable<SourceRow>,
  size: number,
  progress: ((done: number) => void) | undefined,
  apply: (batch: readonly SourceRow[]) => Promise<readonly RowResult[]>,
): Promise<ImportSummary> {
  const summary: ImportSummary = { total: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], errors_left_out: 0 };
  const finish = async (batch: readonly SourceRow[]) => {
    const results = await apply(batch);
    for (const [index, result] of results.entries()) count(summary, batch[index]!, result);
    progress?.(summary.total);
  };
  let batch: SourceRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    await finish(batch);
    batch = [];
  }
  if (batch.length > 0) await finish(batch);
  return summary;
}

/** The result of a row, or all its errors. */
export type RowResult = { readonly outcome: Outcome } | { readonly errors: readonly RowFault[] };

function count(summary: ImportSummary, { row, at }: SourceRow, result: RowResult): void {
  summary.total += 1;
  if ('outcome' in result) {
    summary[result.outcome] += 1;
    return;
  }
  summary.failed += 1;
  const kept = result.errors.slice(0, ERRORS_KEPT - summary.errors.length);
  summary.errors.push(
    ...kept.map(({ field, code, message }) => ({
      row,
      ...(at === undefined ? {} : { sheet_row: at }),
      field,
      code,
      message: message.en,
    })),
  );
  summary.errors_left_out += result.errors.length - kept.length;
}

/** A batch commits as a whole, including its audit row; after a conflict with another transaction it is repeated as a whole. */
async function applyBatch(job: ImportJob, items: readonly SourceRow[]): Promise<RowResult[]> {
  const now = job.clock.now();
  const moment = { now, ...fieldContext(now, job.account.timezone) };
  const { writer, account, actor } = job;
  return tryAgain(() =>
    writer.write({ dataSet: account.id, account, actor, now }, async (work) => {
      const results = await applyRows(work, job.target, items, moment);
      await auditBatch(job, work.db, items, results);
      return results;
    }),
  );
}

/** An import can wait for a lock longer than a request can. */
export async function tryAgain<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (sqlState(error) !== '55P03' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The part of a row that can be checked without the database. */
type ReadRow = { readonly values: unknown } | { readonly errors: readonly RowFault[] };

interface Batch {
  readonly target: ImportTarget;
  readonly moment: ImportMoment;
  readonly rows: readonly ReadRow[];
}

function readRow(target: ImportTarget, item: SourceRow, moment: ImportMoment): ReadRow {
  if ('problem' in item) return { errors: [item.problem] };
  const { cells, faults = [] } = item;
  const { values, errors } = target.read(valuesOf(target, cells), moment);
  const { fields, reading = () => PLAIN_READING } = target;
  const shown = errors.map((error) => cellError(fields, error, cells[error.field], reading(error.field)));
  return shown.length + faults.length > 0 ? { errors: [...faults, ...shown] } : { values };
}

export function valuesOf(
  { fields, reading = () => PLAIN_READING }: ImportTarget,
  cells: ImportRow['cells'],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, feedValue(fields, name, value, reading(name))]));
}

/**
 * First all rows together, their statements sent without waiting for each other; if the database refuses one of them, again row
 * by row. Most files have no such row, and a batch then takes a few round trips instead of one or more for each row.
 */
export async function applyRows(
  work: Work,
  target: ImportTarget,
  items: readonly SourceRow[],
  moment: ImportMoment,
): Promise<RowResult[]> {
  const batch: Batch = { target, moment, rows: items.map((item) => readRow(target, item, moment)) };
  const readable = batch.rows.filter((row) => 'values' in row).map((row) => row.values);
  const known = await batch.target.load(work.db, readable);
  try {
    return await work.step(() => applyTogether(work, batch, known));
  } catch (error) {
    if (refusalOf(batch.target, error) === null) throw error;
    return await applyOneByOne(work, batch, known);
  }
}

/** One after another: events are in the order of the rows, and the first refusal counts. */
async function applyTogether(work: Work, batch: Batch, loaded: readonly Stored[]): Promise<RowResult[]> {
  const known = [...loaded];
  const results: RowResult[] = [];
  for (const row of batch.rows) {
    const decision = decide(batch, known, row);
    if (!('errors' in decision) && decision.outcome !== 'unchanged') {
      await decision.write(work);
      remember(known, decision.stored);
    }
    results.push('errors' in decision ? decision : { outcome: decision.outcome });
  }
  return results;
}

/** Only the refused row's own writes are rolled back; the next rows are decided without it. */
async function applyOneByOne(work: Work, batch: Batch, loaded: readonly Stored[]): Promise<RowResult[]> {
  const known = [...loaded];
  const results: RowResult[] = [];
  for (const row of batch.rows) {
    const decision = decide(batch, known, row);
    if ('errors' in decision || decision.outcome === 'unchanged') {
      results.push(decision);
      continue;
    }
    try {
      await work.step(() => decision.write(work));
      remember(known, decision.stored);
      results.push({ outcome: decision.outcome });
    } catch (error) {
      const refusal = refusalOf(batch.target, error);
      if (refusal === null) throw error;
      results.push({ errors: [refusal] });
    }
  }
  return results;
}

type Stored = { readonly id: string };

function decide(
  { target, moment }: Batch,
  known: readonly Stored[],
  row: ReadRow,
): Decision<Stored> | { errors: readonly RowFault[] } {
  if ('errors' in row) return { errors: row.errors };
  try {
    return target.decide(known, row.values, moment);
  } catch (error) {
    if (error instanceof RowRefusal) return { errors: error.errors };
    throw error;
  }
}

function remember(known: Stored[], stored: Stored): void {
  const index = known.findIndex(({ id }) => id === stored.id);
  if (index < 0) known.push(stored);
  else known[index] = stored;
}

/** Null for a failure that the row did not cause. */
function refusalOf(target: ImportTarget, error: unknown): RowFault | null {
  const conflict = target.conflict(error);
  if (conflict !== null) return conflict;
  // Data exceptions and check violations: the fields' own rules should catch them first, but a row must not stop the file.
  const state = sqlState(error) ?? '';
  return state.startsWith('22') || state === '23514' || state === '23505'
    ? { field: null, code: 'invalid', message: { en: 'The database refused the row', tr: 'Veritabanı satırı kabul etmedi' } }
    : null;
}

async function auditBatch(job: ImportJob, db: Db, items: readonly SourceRow[], results: readonly RowResult[]): Promise<void> {
  const number = (outcome: Outcome) => results.filter((result) => 'outcome' in result && result.outcome === outcome).length;
  const [created, updated] = [number('created'), number('updated')];
  if (created + updated === 0) return;
  const rows = [items[0]!.row, items.at(-1)!.row];
  await audit(db, job.actor, `${job.kind}.imported`, job.account.id, {
    accountId: job.account.id,
    after: { rows, created, updated },
  });
}
