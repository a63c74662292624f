// A running import. Its changes are committed together with its progress, and only by the worker that holds the claim: a worker
// that was presumed dead and returns finds that it lost the claim, and stops.
import { type Clock, dayIn } from '../../../kit/clock.ts';
import { Rollback, sqlState } from '../../../kit/db.ts';
import type { Locale, Text } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import { own, rawSql, sql, theAccount } from '../../../kit/sql.ts';
import type { SealingKeys, Work } from '../../../kit/work.ts';
import { type CellReading, PLAIN_READING } from '../../formats/cell-text.ts';
import { addNotification } from '../../notifications/notification.ts';
import { sealingKeys } from '../../vault/vault.ts';
import { findWorld, type World } from '../../worlds/world.ts';
import { type Actor, audit } from '../../writes/audit.ts';
import { SYSTEM, type WriteCall, type Writer } from '../../writes/write.ts';
import type { StoredConnector } from '../connectors/connector.ts';
import { NEVER_SHOWN } from '../connectors/connector-config.ts';
import type { FeedFailure, SourceRow } from '../feed-row.ts';
import type { ImportAccount, ImportMoment, ImportTarget } from '../import-target.ts';
import { feedTarget } from '../targets/import-feed.ts';
import { applyRows, type RowResult } from '../targets/import-rows.ts';
import { dropContent, keepContent } from './import-content.ts';
import { createImportDryRun, type ImportDryRun } from './import-dry-run.ts';
import { type ImportRun, readRun } from './import-run.ts';
import { MAX_ROWS_KEPT, sealRow } from './mend-row.ts';

export interface Claim {
  readonly dataSet: string;
  readonly runId: string;
  readonly claim: string;
}

export interface OpenRun extends Claim {
  readonly keys: SealingKeys;
  readonly account: ImportAccount & { readonly locale: Locale };
  readonly connector: StoredConnector;
  readonly actor: Actor;
  readonly isDry: boolean;
  readonly personId: string | null;
  readonly target: ImportTarget;
  /** How its cells are read, and the letters of their columns: found in the source before its rows are applied. */
  readonly survey: { reading: (field: string) => CellReading; letters: Readonly<Record<string, string>> };
  readonly dryRun: ImportDryRun | null;
  /** For a run in a world: its writes have the world's time, and are refused once its clock has moved. */
  readonly world: RunWorld | null;
  contentEncoding: 'utf-8' | 'connector' | null;
  /** Rows up to this number are committed. */
  lastRow: number;
  errorsKept: number;
  /** Refused rows that are kept to be corrected. */
  rowsKept: number;
}

interface RunWorld {
  readonly id: string;
  readonly offsetMs: number;
  readonly now: () => Date;
}

/** The clock of a world, followed from its last reading: it may be a little late, and is not ahead of what others read. */
function followWorld({ id, offsetMs, now }: World): RunWorld {
  const readAt = performance.now();
  return { id, offsetMs, now: () => new Date(now.getTime() + performance.now() - readAt) };
}

/** Another worker has the run, or it has ended. */
export class ClaimLost extends Rollback {}

/** Further row errors are counted but not stored. */
const MAX_ERRORS_KEPT = 10_000;
const ATTEMPTS = 5;

export async function openRun({ database, secrets }: Writer, claim: Claim): Promise<OpenRun> {
  const { dataSet, runId } = claim;
  const { run, connector, account } = await database.inTenant(dataSet, 'read', async (db) => {
    const run =
      await db.one<StoredRun>(sql`select connector_id, dry_run, content_encoding, last_row, errors_kept, actor_type, actor_name, person_id
      from ${own('import_runs')} where id = ${runId}`);
    const connector =
      await db.one<StoredConnector>(sql`select id, name, type, transport, target, config, key_field, schedule, status,
      credentials_encrypted from ${own('import_connectors')} where id = ${run.connector_id}`);
    const account = await db.one<OpenRun['account'] & { readonly world_id: string | null }>(
      sql`select id, timezone, country, default_currency, locale, world_id from ${own('accounts')}`,
    );
    return { run, connector, account };
  });
  const { world_id } = account;
  const found = world_id === null ? null : await database.onPlatform('read', (db) => findWorld(db, world_id));
  const world = found && followWorld(found);
  const keys = sealingKeys(secrets, dataSet);
  // Assigned below, because the dry run needs the target and the target needs the dry run's count.
  let dryRun: ImportDryRun | null = null;
  const rules = { target: connector.target, keyField: connector.key_field, account, keys };
  const survey: OpenRun['survey'] = { reading: () => PLAIN_READING, letters: {} };
  const target = feedTarget({ ...rules, reading: (field) => survey.reading(field), createdBefore: () => dryRun?.created() ?? 0 });
  if (run.dry_run) dryRun = createImportDryRun(connector.target, connector.key_field, target);
  return {
    ...claim,
    keys,
    account,
    connector,
    actor: { type: run.actor_type, name: run.actor_name },
    isDry: run.dry_run,
    personId: run.person_id,
    target,
    survey,
    dryRun,
    world,
    contentEncoding: run.content_encoding,
    // A dry run keeps its progress in memory, so another worker starts from the beginning; nothing was written that could be
    // duplicated.
    lastRow: run.dry_run ? 0 : run.last_row,
    errorsKept: run.dry_run ? 0 : run.errors_kept,
    rowsKept: 0,
  };
}

interface StoredRun {
  readonly connector_id: string;
  readonly dry_run: boolean;
  readonly content_encoding: 'utf-8' | 'connector' | null;
  readonly last_row: number;
  readonly errors_kept: number;
  readonly actor_type: Actor['type'];
  readonly actor_name: string;
  readonly person_id: string | null;
}

const callOf = ({ dataSet, account, actor, world }: OpenRun, now: Date): WriteCall => ({
  dataSet,
  account,
  actor,
  now,
  ...(world === null ? {} : { world: { id: world.id, offsetMs: world.offsetMs } }),
});

/** Locks the run's row first, so that another worker that assumes it holds the run waits and then finds that it does not. */
async function requireClaim({ db }: Work, { runId, claim }: Claim): Promise<{ status: ImportRun['status'] }> {
  const [held] = await db.rows<{ status: ImportRun['status'] }>(sql`select status from ${own('import_runs')}
    where id = ${runId} and claim = ${claim} and status in ('Sırada', 'Çalışıyor') for update`);
  if (held === undefined) throw new ClaimLost('the run is not held any more');
  return held;
}

export function startRun(writer: Writer, run: OpenRun, clock: Clock): Promise<void> {
  const now = clock.now();
  return writer.write(callOf(run, now), async (work) => {
    const { db } = work;
    const { status } = await requireClaim(work, run);
    if (run.isDry) await resetDryRun(work, run.runId);
    if (status === 'Çalışıyor') return;
    await db.exec(sql`update import_runs set status = 'Çalışıyor', started_at = ${now}, updated_at = ${work.updatedAt()}
      where account_id = ${theAccount} and id = ${run.runId}`);
    await markConnector(work, run, 'Çalışıyor');
    await emitRunEvent(work, run, 'started');
  });
}

async function resetDryRun({ db }: Work, runId: string): Promise<void> {
  await db.exec(sql`delete from import_row_errors where account_id = ${theAccount} and run_id = ${runId}`);
  await db.exec(sql`update import_runs set total_rows = 0, created_count = 0, updated_count = 0, unchanged_count = 0, error_count = 0,
    last_row = 0, errors_kept = 0 where account_id = ${theAccount} and id = ${runId}`);
}

/** Stores the fetched source, so that a worker that continues the run has the same rows with the same numbers. */
export async function keepFetched(writer: Writer, run: OpenRun, clock: Clock, bytes: Buffer): Promise<void> {
  await writer.write(callOf(run, clock.now()), async (work) => {
    await requireClaim(work, run);
    await keepContent(work.db, run.keys, run.runId, [bytes]);
    await work.db.exec(
      sql`update import_runs set content_encoding = 'connector' where account_id = ${theAccount} and id = ${run.runId}`,
    );
  });
  run.contentEncoding = 'connector';
}

/** Commits rows, their errors, the counts and the last row's number in one transaction. */
export async function applyBatch(writer: Writer, run: OpenRun, clock: Clock, rows: readonly SourceRow[]): Promise<void> {
  const now = clock.now();
  const moment = { now, today: dayIn(now, run.account.timezone), timeZone: run.account.timezone };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { results, kept } = await writer.write(callOf(run, now), async (work) => {
        await requireClaim(work, run);
        const results =
          run.dryRun === null ? await applyRows(work, run.target, rows, moment) : await dryRunRows(work, run, rows, moment);
        return { results, kept: await record(work, run, rows, results) };
      });
      run.dryRun?.remember(rows, results, moment);
      run.lastRow = rows.at(-1)!.row;
      run.errorsKept += kept;
      return;
    } catch (error) {
      // An import may wait for a lock longer than a request can, so it retries.
      if (sqlState(error) !== '55P03' || attempt === ATTEMPTS) throw error;
    }
  }
}

class DryRunDone extends Error {}

/** Applies the rows as a real run would and rolls them back; only the results are kept. */
async function dryRunRows(work: Work, run: OpenRun, rows: readonly SourceRow[], moment: ImportMoment): Promise<RowResult[]> {
  const early = rows.map((row) => run.dryRun!.known(row, moment));
  const late = rows.filter((_, index) => early[index] === null);
  let results: RowResult[] = [];
  await work
    .step(async () => {
      results = await applyRows(work, run.target, late, moment);
      throw new DryRunDone();
    })
    .catch((error) => {
      if (!(error instanceof DryRunDone)) throw error;
    });
  return early.map((known) => known ?? results.shift()!);
}

async function record(work: Work, run: OpenRun, rows: readonly SourceRow[], results: readonly RowResult[]): Promise<number> {
  const { db, now } = work;
  const count = (outcome: string) => results.filter((result) => 'outcome' in result && result.outcome === outcome).length;
  const errors = results.flatMap((result, index) =>
    'errors' in result ? result.errors.map((error) => ({ ...error, row: rows[index]! })) : [],
  );
  const kept = errors.slice(0, Math.max(0, MAX_ERRORS_KEPT - run.errorsKept));
  if (kept.length > 0) {
    // Sorted, so that the errors of one row are listed in the order of its fields.
    const ids = kept.map(() => newId(now.getTime())).sort();
    const messages = (locale: Locale) => kept.map(({ message }) => message[locale]);
    await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message, value, sheet_row,
        sheet_column, message_tr, message_en, row_encrypted, created_at)
      select ${theAccount}, error.id, ${run.runId}, number, key, field, code, message, value, sheet_row, sheet_column, message_tr,
        message_en, row, ${now}
      from unnest(${ids}::uuid[], ${kept.map(({ row }) => row.row)}::int[],
        ${kept.map(({ row }) => keyOf(run, row))}::text[], ${kept.map(({ field }) => field)}::text[], ${kept.map(({ code }) => code)}::text[],
        ${messages(run.account.locale)}::text[], ${kept.map(({ row, field }) => refusedValue(run, row, field))}::text[],
        ${kept.map(({ row }) => row.at ?? null)}::int[], ${kept.map(({ field }) => letterOf(run, field))}::text[],
        ${messages('tr')}::text[], ${messages('en')}::text[], ${rowsToKeep(run, kept, ids)}::bytea[])
        as error(id, number, key, field, code, message, value, sheet_row, sheet_column, message_tr, message_en, row)`);
  }
  await db.exec(sql`update import_runs set total_rows = total_rows + ${rows.length}, created_count = created_count + ${count('created')},
      updated_count = updated_count + ${count('updated')}, unchanged_count = unchanged_count + ${count('unchanged')},
      error_count = error_count + ${results.filter((result) => 'errors' in result).length}, last_row = ${rows.at(-1)!.row},
      errors_kept = errors_kept + ${kept.length}, attempts = 0, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${run.runId}`);
  return kept.length;
}

const letterOf = ({ connector, survey }: OpenRun, field: string | null): string | null =>
  survey.letters[connector.config.mapping[field ?? ''] ?? ''] ?? null;

/** The refused rows, each beside its first error, for the person who sent the file; of a dry run none. */
function rowsToKeep(run: OpenRun, errors: readonly { readonly row: SourceRow }[], ids: readonly string[]): (Buffer | null)[] {
  return errors.map(({ row }, index) => {
    const isFirst = errors[index - 1]?.row !== row;
    if (run.personId === null || run.isDry || !isFirst || !('cells' in row) || run.rowsKept >= MAX_ROWS_KEPT) return null;
    const numbersAndDays = Object.keys(row.cells).filter((field) => run.connector.config.mapping[field] !== undefined);
    const readings = Object.fromEntries(numbersAndDays.map((field) => [field, run.survey.reading(field)]));
    run.rowsKept += 1;
    return sealRow(run.keys, ids[index]!, { cells: row.cells, readings });
  });
}

const MAX_KEY_LENGTH = 120;

/** The key of a row is visible to everyone who sees its errors. */
const keyOf = ({ connector }: OpenRun, row: SourceRow): string | null =>
  shortOf('cells' in row ? row.cells[connector.key_field] : undefined);

/** The value of the refused field, for the person who sent the file; write-only values are not stored. */
const refusedValue = (run: OpenRun, row: SourceRow, field: string | null): string | null =>
  field === null || NEVER_SHOWN.has(field) || run.personId === null
    ? null
    : shortOf('cells' in row ? row.cells[field] : undefined);

function shortOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return [...String(value).replace(/\p{C}/gu, '')].slice(0, MAX_KEY_LENGTH).join('');
}

const EVERY_ROW_FAILED: Text = {
  en: 'Every row failed; see the row errors',
  tr: 'Bütün satırlar hatalı; satır hatalarına bakın',
};

/** Ends the run and deletes its content. */
export function finishRun(writer: Writer, run: OpenRun, clock: Clock, failure: FeedFailure | null): Promise<void> {
  const now = clock.now();
  return writer.write(callOf(run, now), async (work) => {
    await requireClaim(work, run);
    const { total_rows: total, error_count: errors } = await readRun(work.db, run.runId);
    const isFailed = failure !== null || (total > 0 && errors === total);
    const status = isFailed ? 'Başarısız' : errors === 0 ? 'Tamamlandı' : 'Kısmen Tamamlandı';
    const why = failure === null ? { code: 'every_row_failed', text: EVERY_ROW_FAILED } : failure;
    await work.db.exec(sql`update import_runs set status = ${status}, finished_at = ${now}, updated_at = ${work.updatedAt()}, claim = null,
        claimed_until = null, failure_code = ${isFailed ? why.code : null},
        failure_message = ${isFailed ? why.text[run.account.locale].slice(0, 500) : null}
      where account_id = ${theAccount} and id = ${run.runId}`);
    await dropContent(work.db, run.runId);
    await markConnector(work, run, status);
    const shown = await emitRunEvent(work, run, isFailed ? 'failed' : 'finished');
    await addRunNotification(work, run, shown);
    const { created_count: created, updated_count: updated, dry_run } = shown;
    const after = { status, dry_run, total, created, updated, errors };
    await audit(work.db, run.actor, 'import_run.finished', run.runId, { accountId: run.account.id, after });
  });
}

async function markConnector({ db, updatedAt }: Work, { connector }: OpenRun, status: ImportRun['status']): Promise<void> {
  await db.exec(sql`update ${rawSql('import_connectors')} set last_run_status = ${status}, updated_at = ${updatedAt()}
    where account_id = ${theAccount} and id = ${connector.id}`);
}

async function emitRunEvent(work: Work, { runId }: OpenRun, verb: 'started' | 'finished' | 'failed'): Promise<ImportRun> {
  const shown = await readRun(work.db, runId);
  work.emit({ kind: `import_run.${verb}`, id: runId, path: `import/runs/${runId}`, object: shown });
  return shown;
}

/** A run that a person started is always reported; a scheduled run only if something failed. */
async function addRunNotification(work: Work, { connector }: OpenRun, run: ImportRun): Promise<void> {
  if (run.dry_run || (run.trigger === 'Zamanlı' && run.status === 'Tamamlandı')) return;
  const { created_count: created, updated_count: updated, unchanged_count: same, error_count: errors } = run;
  const isFailed = run.status === 'Başarısız';
  // The run ends later, in the worker, so the dealer who started it is notified of the result.
  await addNotification(
    { ...work, actor: SYSTEM },
    {
      kind: isFailed ? 'import_run.failed' : 'import_run.finished',
      title: isFailed ? { en: 'Import failed', tr: 'İçe aktarma başarısız' } : { en: 'Import finished', tr: 'İçe aktarma bitti' },
      body: {
        en: `${connector.name}: ${created} created, ${updated} updated, ${same} unchanged, ${errors} with errors.${withDot(run.failure_message)}`,
        tr: `${connector.name}: ${created} yeni, ${updated} güncellenen, ${same} aynı, ${errors} hatalı.${withDot(run.failure_message)}`,
      },
      resource_type: 'import_run',
      resource_id: run.id,
    },
  );
}

const withDot = (text: string | null): string => (text === null ? '' : ` ${text}.`);
