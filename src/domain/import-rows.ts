// Applies rows to one account's vehicles or customers: the record a row is about is updated, otherwise it is created, and a row
// that cannot be applied spoils no other.
import type { Clock } from '../kit/clock.ts';
import { type Database, type Db, sqlState } from '../kit/db.ts';
import { currencyFromFeed } from '../kit/money.ts';
import { sql } from '../kit/sql.ts';
import { type Actor, audit } from './audit.ts';
import { type FieldError, fieldContext } from './fields.ts';
import { customerTarget } from './import-customers.ts';
import type { BadRow, ImportRow } from './import-file.ts';
import { type ImportAccount, type ImportTarget, type Outcome, RowRefusal } from './import-target.ts';
import { vehicleTarget } from './import-vehicles.ts';
import type { Secrets } from './secrets.ts';

export interface RowError {
  readonly row: number;
  /** null where the row as a whole is at fault. */
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
  /** Errors beyond the first ten thousand are counted, not kept. */
  errors_left_out: number;
}

export const IMPORT_KINDS = ['vehicles', 'customers'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export function importTarget(kind: ImportKind, account: ImportAccount, secrets: Secrets): ImportTarget {
  return kind === 'vehicles' ? vehicleTarget(account) : customerTarget(account, secrets);
}

export interface ImportJob {
  readonly database: Database;
  readonly account: ImportAccount;
  readonly kind: ImportKind;
  readonly target: ImportTarget;
  readonly rows: AsyncIterable<ImportRow | BadRow>;
  readonly clock: Clock;
  readonly actor: Actor;
  /** Called with the number of rows done after each batch. */
  readonly progress?: (done: number) => void;
}

/** Rows in one transaction: few enough that nobody waits long behind its locks. */
const BATCH = 200;
const ERRORS_KEPT = 10_000;
const ATTEMPTS = 5;

export async function importRows(job: ImportJob): Promise<ImportSummary> {
  const summary: ImportSummary = { total: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], errors_left_out: 0 };
  const finish = async (batch: readonly (ImportRow | BadRow)[]) => {
    for (const result of await applyBatch(job, batch)) count(summary, result);
    job.progress?.(summary.total);
  };
  let batch: (ImportRow | BadRow)[] = [];
  for await (const row of job.rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    await finish(batch);
    batch = [];
  }
  if (batch.length > 0) await finish(batch);
  return summary;
}

type RowResult = { readonly outcome: Outcome } | { readonly errors: readonly RowError[] };

function count(summary: ImportSummary, result: RowResult): void {
  summary.total += 1;
  if ('outcome' in result) {
    summary[result.outcome] += 1;
    return;
  }
  summary.failed += 1;
  const kept = result.errors.slice(0, ERRORS_KEPT - summary.errors.length);
  summary.errors.push(...kept);
  summary.errors_left_out += result.errors.length - kept.length;
}

/** All of a batch commits together, its audit row included; where another transaction was in the way, it is tried again whole. */
async function applyBatch(job: ImportJob, batch: readonly (ImportRow | BadRow)[]): Promise<RowResult[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await job.database.inTenant(job.account.id, 'write', async (db) => {
        const results = await applyRows(job, db, batch);
        await auditBatch(job, db, batch, results);
        return results;
      });
    } catch (error) {
      if (!['40001', '40P01', '55P03'].includes(sqlState(error) ?? '') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function applyRows(job: ImportJob, db: Db, batch: readonly (ImportRow | BadRow)[]): Promise<RowResult[]> {
  const now = job.clock.now();
  const context = fieldContext(now, job.account.timezone);
  const results: RowResult[] = [];
  for (const item of batch) {
    if ('problem' in item) {
      results.push({ errors: [{ row: item.row, ...item.problem }] });
      continue;
    }
    const prepared = job.target.prepare(readGiven(job.target, item.given), context);
    results.push(
      'errors' in prepared
        ? { errors: rowErrors(item.row, prepared.errors) }
        : await inSavepoint(job.target, db, item.row, () => prepared.apply(db, now)),
    );
  }
  return results;
}

/** Text stands for what its field takes; banks' currency codes become ours. */
function readGiven({ fields }: ImportTarget, given: ImportRow['given']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string' || !Object.hasOwn(fields, name)) return [name, value];
      return [name, fields[name]!.fromText(name.endsWith('currency') ? currencyFromFeed(value) : value)];
    }),
  );
}

/** What a row wrote before it failed is taken back, and only that. */
async function inSavepoint(target: ImportTarget, db: Db, row: number, work: () => Promise<Outcome>): Promise<RowResult> {
  try {
    // The savepoint and the row's first statement leave together: one round trip less for each row.
    const [, outcome] = await Promise.all([db.exec(sql`savepoint import_row`), work()]);
    await db.exec(sql`release savepoint import_row`);
    return { outcome };
  } catch (error) {
    const errors = error instanceof RowRefusal ? error.errors : refusalOf(target, error);
    if (errors === null) throw error;
    await db.exec(sql`rollback to savepoint import_row`);
    return { errors: rowErrors(row, errors) };
  }
}

/** null for a failure that is not the row's own. */
function refusalOf(target: ImportTarget, error: unknown): readonly (FieldError | RowFault)[] | null {
  const conflict = target.conflict(error);
  if (conflict !== null) return [conflict];
  // Data exceptions and checks: the fields' own rules should have met them first, but a row must not stop the file.
  const state = sqlState(error) ?? '';
  if (!state.startsWith('22') && state !== '23514' && state !== '23505') return null;
  return [{ field: null, code: 'invalid', message: { en: 'The database refused the row' } }];
}

interface RowFault {
  readonly field: null;
  readonly code: string;
  readonly message: { readonly en: string };
}

const rowErrors = (row: number, errors: readonly (FieldError | RowFault)[]): RowError[] =>
  errors.map(({ field, code, message }) => ({ row, field, code, message: message.en }));

async function auditBatch(
  job: ImportJob,
  db: Db,
  batch: readonly { row: number }[],
  results: readonly RowResult[],
): Promise<void> {
  const number = (outcome: Outcome) => results.filter((result) => 'outcome' in result && result.outcome === outcome).length;
  const [created, updated] = [number('created'), number('updated')];
  if (created + updated === 0) return;
  const rows = [batch[0]!.row, batch.at(-1)!.row];
  await audit(db, job.actor, `${job.kind}.imported`, job.account.id, {
    accountId: job.account.id,
    after: { rows, created, updated },
  });
}
