// Carries imports: takes a run, brings its rows in a few at a time, and leaves room for everyone else in between.
import { setTimeout as wait } from 'node:timers/promises';
import { type ClaimedRun, claimRun, keepClaim, startDueRuns } from '../domain/imports/claim-runs.ts';
import { FEED_FIELDS } from '../domain/imports/connector-config.ts';
import { headersOf, openCredentials } from '../domain/imports/connector-credentials.ts';
import { fetchSource } from '../domain/imports/feed-fetch.ts';
import { FeedFailure, type SourceRow } from '../domain/imports/feed-row.ts';
import { mapRow, readSource, type SourceForm } from '../domain/imports/feed-source.ts';
import { readContent } from '../domain/imports/import-content.ts';
import {
  applyBatch,
  ClaimLost,
  finishRun,
  keepFetched,
  type OpenRun,
  openRun,
  startRun,
} from '../domain/imports/import-progress.ts';
import type { OutboundRules } from '../domain/net/outbound.ts';
import { keepRenewing } from '../domain/writes/lease.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';

export interface ImportParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundRules;
  /** For tests: of one fetch, how often is looked, rows in one transaction, how long is paused for each millisecond of work. */
  readonly fetchTimeoutMs?: number;
  readonly pollMs?: number;
  readonly batchRows?: number;
  readonly pauseRatio?: number;
}

export interface Importer {
  /** Something may wait: look now rather than with the next look. */
  nudge(): void;
  /** Until nothing waits and nothing is under way. Gives the number of runs ended meanwhile. */
  drain(): Promise<number>;
  /** Stops after the batch under way; what is left of a run goes on elsewhere, at once. */
  close(): Promise<void>;
}

const MAX_AT_ONCE = 2;
const POLL_MS = 1000;
/** A schedule is a matter of minutes. */
const DUE_MS = 10_000;
/** Few enough that a request never waits long behind their locks or for the processor. */
const BATCH_ROWS = 20;
/** A feed has all night; a request has not. */
const PAUSE_RATIO = 1;
/** Taken so often without a single row done, it ends: something about it kills whoever carries it. */
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
      // Not ended: once its claim has run out it is taken up again where it stands.
      log.warn('an import could not be carried on; it will be tried again', { reason: (error as Error).message });
    }
  };
  const take = async (): Promise<void> => {
    if (performance.now() - dueLooked > DUE_MS) {
      await startDueRuns(writer, clock.now());
      dueLooked = performance.now();
    }
    while (!stopping.signal.aborted && underWay.size < MAX_AT_ONCE) {
      const claimed = await claimRun(writer.database, clock.now());
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
  const nudge = () => {
    if (stopping.signal.aborted) return;
    look().catch((error: Error) => log.warn('imports could not be looked for', { reason: error.message }));
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

/** True when the run has ended, false when it was given up to whoever comes next. */
async function carry(parts: ImportParts, claimed: ClaimedRun, stopping: AbortSignal): Promise<boolean> {
  const { writer, clock } = parts;
  const { database } = writer;
  const stopRenewing = keepRenewing(clock, (until) => keepClaim(database, claimed, until));
  try {
    const run = await openRun(writer, claimed);
    await startRun(writer, run, clock);
    const failure = claimed.attempts > MAX_ATTEMPTS ? INTERRUPTED : await runImport(parts, run, stopping);
    if (failure === 'stopped') {
      await keepClaim(database, claimed, null);
      return false;
    }
    await finishRun(writer, run, clock, failure);
    if (failure !== null) reportFailure(parts.log, run, failure);
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  } finally {
    stopRenewing();
  }
}

/** Why is for whoever runs the service; the dealer is told the code. */
function reportFailure(log: Log, { runId, dataSet }: OpenRun, { code, cause }: FeedFailure): void {
  log.info('an import failed', { run: runId, account: dataSet, code, reason: cause instanceof Error ? cause.message : '' });
}

const INTERRUPTED = new FeedFailure('import_interrupted', {
  en: 'The import was interrupted again and again; run it once more',
  tr: 'İçe aktarma art arda kesildi; yeniden çalıştırın',
});

/** null: everything that could be brought in is in. */
async function runImport(parts: ImportParts, run: OpenRun, stopping: AbortSignal): Promise<FeedFailure | 'stopped' | null> {
  try {
    if (run.contentEncoding === null) await fetchContent(parts, run, stopping);
    const source = sourceOf(parts, run);
    // Looked through before anything is written: a source that is broken at its end has not been imported to its middle.
    if (run.lastRow === 0) await checkSource(run, source, stopping);
    return (await applySource(parts, run, source, stopping)) ? null : 'stopped';
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

interface Source {
  rows(see?: (column: string) => void): AsyncGenerator<SourceRow>;
}

function sourceOf({ writer }: ImportParts, run: OpenRun): Source {
  const { type, config } = run.connector;
  const encoding = run.contentEncoding === 'utf-8' ? 'utf-8' : config.encoding;
  const form: SourceForm = { type, delimiter: config.delimiter, record_path: config.record_path, encoding };
  return { rows: (see) => readSource(form, () => readContent(writer.database, run.keys, run), see) };
}

async function checkSource({ connector }: OpenRun, source: Source, stopping: AbortSignal): Promise<void> {
  const missing = new Set(Object.values(connector.config.mapping));
  let hasColumns = false;
  let rows = 0;
  const see = (column: string) => {
    hasColumns = true;
    missing.delete(column);
  };
  for await (const row of source.rows(see)) {
    rows += 1;
    stopping.throwIfAborted();
    if (rows > MAX_ROWS) throw tooManyRows();
    if ('problem' in row && row.isLast) throw brokenAt(row.row, row.problem);
  }
  if (!hasColumns && rows === 0 && connector.type === 'csv')
    throw new FeedFailure('source_empty', { en: 'The source is empty', tr: 'Kaynak boş' });
  if (missing.size > 0 && (rows > 0 || connector.type === 'csv')) throw missingColumns([...missing]);
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

/** False when it stopped half-way because the worker stops. Rows that are done already are read past. */
async function applySource(parts: ImportParts, run: OpenRun, source: Source, stopping: AbortSignal): Promise<boolean> {
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
    batch.push('given' in row ? mapRow(config, fields, row) : row);
    if (batch.length < batchRows) continue;
    await apply();
    if (stopping.aborted) return false;
  }
  if (batch.length > 0) await apply();
  return true;
}
