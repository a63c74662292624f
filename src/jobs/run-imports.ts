// Runs imports: claims a run, applies its rows in small batches, and pauses in between so that requests are not delayed.
import { setTimeout as wait } from 'node:timers/promises';
import { FEED_FIELDS } from '../domain/imports/connectors/connector-config.ts';
import { headersOf, openCredentials } from '../domain/imports/connectors/connector-credentials.ts';
import { FeedFailure, type SourceRow } from '../domain/imports/feed-row.ts';
import { fetchSource } from '../domain/imports/feeds/feed-fetch.ts';
import { openRunSource, type RunSource } from '../domain/imports/feeds/source-reader.ts';
import type { SourceSurvey } from '../domain/imports/feeds/source-survey.ts';
import { dayFields, numberFields } from '../domain/imports/import-target.ts';
import { mapRow } from '../domain/imports/map-row.ts';
import { type ClaimedRun, claimRun, keepClaim, startDueRuns } from '../domain/imports/runs/claim-runs.ts';
import { readContent } from '../domain/imports/runs/import-content.ts';
import {
  applyBatch,
  ClaimLost,
  finishRun,
  keepFetched,
  type OpenRun,
  openRun,
  startRun,
} from '../domain/imports/runs/import-progress.ts';
import type { SourceForm } from '../domain/imports/source-form.ts';
import type { OutboundRules } from '../domain/net/outbound.ts';
import { keepRenewing } from '../domain/writes/lease.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { createFailureLog } from './failure-log.ts';

export interface ImportParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundRules;
  /** SANDBOX=isolated: worlds are open, and their imports run. */
  readonly worlds?: boolean;
  /** Set by tests: the limit for a fetch, the poll interval, rows per transaction, and the pause per millisecond of work. */
  readonly fetchTimeoutMs?: number;
  readonly pollMs?: number;
  readonly batchRows?: number;
  readonly pauseRatio?: number;
}

export interface Importer {
  /** Looks for waiting runs now instead of waiting for the next poll. */
  nudge(): void;
  /** Works until no run waits or is in progress. Returns the number of runs that ended. */
  drain(): Promise<number>;
  /** Stops after the current batch and releases the run, which another process continues at once. */
  close(): Promise<void>;
}

const MAX_AT_ONCE = 2;
const POLL_MS = 1000;
/** How often due schedules are looked for; they are precise to minutes only. */
const DUE_MS = 10_000;
/** Small batches, so that requests never wait long for their locks or for the processor. */
const BATCH_ROWS = 20;
/** The pause after each batch, relative to its duration: imports may be slow, requests may not. */
const PAUSE_RATIO = 1;
/** A run that was claimed this often without committing a row is ended, because it seems to kill its process. */
const MAX_ATTEMPTS = 5;
export const MAX_ROWS = 200_000;

export function startImporter(parts: ImportParts): Importer {
  const { writer, clock, log } = parts;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let ended = 0;
  let looking: Promise<void> | null = null;
  let dueLooked = Number.NEGATIVE_INFINITY;

  const carryOne = async (claimed: ClaimedRun): Promise<void> => {
    try {
      if (await carry(parts, claimed, stopping.signal)) ended += 1;
    } catch (error) {
      // The run is continued from its last committed row once its claim has expired.
      log.warn('an import could not be carried on; it will be tried again', { reason: (error as Error).message });
    }
  };
  const take = async (): Promise<void> => {
    if (performance.now() - dueLooked > DUE_MS) {
      await startDueRuns(writer, clock.now());
      dueLooked = performance.now();
    }
    while (!stopping.signal.aborted && underWay.size < MAX_AT_ONCE) {
      const claimed = await claimRun(writer.database, clock.realNow(), parts.worlds ?? false);
      if (claimed === null) return;
      const carried = carryOne(claimed).finally(() => {
        underWay.delete(carried);
        nudge();
      });
      underWay.add(carried);
    }
  };
  const look = (): Promise<void> => {
    looking ??= take().finally(() => {
      looking = null;
    });
    return looking;
  };
  const trouble = createFailureLog(log, 'looking for imports');
  const nudge = () => {
    if (stopping.signal.aborted) return;
    look().then(trouble.worked, trouble.failed);
  };
  const poll = setInterval(nudge, parts.pollMs ?? POLL_MS);

  return {
    nudge,
    drain: async () => {
      const before = ended;
      dueLooked = Number.NEGATIVE_INFINITY;
      for (;;) {
        await looking?.catch(() => {});
        await look();
        if (underWay.size === 0) return ended - before;
        await Promise.race(underWay);
      }
    },
    close: async () => {
      stopping.abort();
      clearInterval(poll);
      await looking?.catch(() => {});
      await Promise.allSettled([...underWay]);
    },
  };
}

/** True if the run has ended, false if it was released for another process. */
async function carry(parts: ImportParts, claimed: ClaimedRun, stopping: AbortSignal): Promise<boolean> {
  const { writer, clock } = parts;
  const { database } = writer;
  const stopRenewing = keepRenewing(clock, (until) => keepClaim(database, claimed, until));
  try {
    const run = await openRun(writer, claimed);
    const timed = { ...parts, clock: clockOf(clock, run) };
    await startRun(writer, run, timed.clock);
    const failure = claimed.attempts > MAX_ATTEMPTS ? INTERRUPTED : await runImport(timed, run, stopping);
    if (failure === 'stopped') {
      await keepClaim(database, claimed, null);
      return false;
    }
    await finishRun(writer, run, timed.clock, failure);
    if (failure !== null) reportFailure(parts.log, run, failure);
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  } finally {
    stopRenewing();
  }
}

/** A world has a clock of its own. */
const clockOf = (clock: Clock, { world }: OpenRun): Clock => (world === null ? clock : { ...clock, now: world.now });

/** The cause is logged for the operator; the dealer sees only the code. */
function reportFailure(log: Log, { runId, dataSet }: OpenRun, { code, cause }: FeedFailure): void {
  log.info('an import failed', { run: runId, account: dataSet, code, reason: cause instanceof Error ? cause.message : '' });
}

const INTERRUPTED = new FeedFailure('import_interrupted', {
  en: 'The import was interrupted several times and stopped; start it again',
  tr: 'İçe aktarma art arda kesildi; yeniden çalıştırın',
});

/** Null if the whole source was imported. */
async function runImport(parts: ImportParts, run: OpenRun, stopping: AbortSignal): Promise<FeedFailure | 'stopped' | null> {
  try {
    if (run.contentEncoding === null) await fetchContent(parts, run, stopping);
    const source = await openRunSource(formOf(run), readContent(parts.writer.database, run.keys, run), stopping);
    try {
      // The whole source is read before anything is written, so that a source that is broken at its end is not imported halfway.
      const survey = await surveyed(run, source);
      readAs(run, survey);
      return (await applySource(parts, run, source, stopping)) ? null : 'stopped';
    } finally {
      await source.close();
    }
  } catch (error) {
    if (stopping.aborted) return 'stopped';
    if (error instanceof FeedFailure) return error;
    throw error;
  }
}

async function fetchContent(
  { writer, clock, outbound, fetchTimeoutMs }: ImportParts,
  run: OpenRun,
  signal: AbortSignal,
): Promise<void> {
  const { config, credentials_encrypted, id } = run.connector;
  const headers = headersOf(openCredentials(run.keys, id, credentials_encrypted));
  const rules = { outbound, signal, ...(fetchTimeoutMs === undefined ? {} : { timeoutMs: fetchTimeoutMs }) };
  await keepFetched(writer, run, clock, await fetchSource(config.url ?? '', headers, rules));
}

function formOf({ connector: { type, config }, contentEncoding }: OpenRun): SourceForm {
  const { delimiter, record_path, sheet, header_row = null, mapping } = config;
  const encoding = contentEncoding === 'utf-8' ? 'utf-8' : config.encoding;
  return { type, delimiter, record_path, sheet, header_row, encoding, mappedColumns: Object.values(mapping) };
}

/** By the connector's number format, otherwise as the column or else the whole file writes its numbers. */
function readAs(run: OpenRun, { numbers, numbersBy, daysBy, letters }: SourceSurvey): void {
  const { mapping, number_format } = run.connector.config;
  run.survey.reading = (field) => {
    const column = mapping[field] ?? '';
    return { numbers: number_format ?? numbersBy[column] ?? numbers, days: daysBy[column] ?? 'day first' };
  };
  run.survey.letters = letters;
}

/** Refuses a source that cannot be read to its end or that lacks a column. */
async function surveyed({ connector }: OpenRun, source: RunSource): Promise<SourceSurvey> {
  const { mapping } = connector.config;
  const fields = FEED_FIELDS[connector.target];
  const columnsOf = (names: readonly string[]) => names.flatMap((field) => mapping[field] ?? []);
  const [numberColumns, dayColumns] = [columnsOf(numberFields(fields)), columnsOf(dayFields(fields))];
  const survey = await source.survey({ columns: Object.values(mapping), numberColumns, dayColumns, maxRows: MAX_ROWS });
  const { rows, hasColumns, missing, broken } = survey;
  if (rows > MAX_ROWS) throw tooManyRows();
  if (broken !== null) throw brokenAt(broken.row, broken.problem);
  if (!hasColumns && rows === 0 && connector.type === 'csv')
    throw new FeedFailure('source_empty', { en: 'The source is empty', tr: 'Kaynak boş' });
  if (missing.length > 0 && (rows > 0 || connector.type === 'csv')) throw missingColumns(missing);
  return survey;
}

const tooManyRows = () =>
  new FeedFailure('too_many_rows', {
    en: `A run takes at most ${MAX_ROWS} rows`,
    tr: `Bir çalıştırma en çok ${MAX_ROWS} satır alır`,
  });

const brokenAt = (row: number, { code, message }: { code: string; message: { en: string; tr: string } }) =>
  new FeedFailure(code === 'too_long' ? 'row_too_long' : 'source_unreadable', {
    en: `Row ${row}: ${message.en}`,
    tr: `Satır ${row}: ${message.tr}`,
  });

function missingColumns(names: readonly string[]): FeedFailure {
  const shown = names.slice(0, 10).join(', ');
  return new FeedFailure('missing_column', {
    en: `The source lacks mapped columns: ${shown}`,
    tr: `Kaynakta eşlenen sütunlar yok: ${shown}`,
  });
}

/** False if it stopped because the worker stops. Rows that are committed already are skipped. */
async function applySource(parts: ImportParts, run: OpenRun, source: RunSource, stopping: AbortSignal): Promise<boolean> {
  const { config, target } = run.connector;
  const { batchRows = BATCH_ROWS, pauseRatio = PAUSE_RATIO } = parts;
  const fields = FEED_FIELDS[target];
  let batch: SourceRow[] = [];
  const apply = async (): Promise<void> => {
    const from = performance.now();
    await applyBatch(parts.writer, run, parts.clock, batch);
    batch = [];
    if (pauseRatio > 0) await wait((performance.now() - from) * pauseRatio);
  };
  for await (const row of source.rows()) {
    if (row.row <= run.lastRow) continue;
    batch.push('cells' in row ? mapRow(config, fields, row) : row);
    if (batch.length < batchRows) continue;
    await apply();
    if (stopping.aborted) return false;
  }
  if (batch.length > 0) await apply();
  return true;
}
