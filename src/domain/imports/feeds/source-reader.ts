// Uploaded and fetched sources are read in separate processes with limits of time and memory: a workbook of a few hundred
// kilobytes may hold millions of elements. Previews take turns by account; only one run of each account is processed at a time
// (claim-runs.ts).
import { Unavailable } from '../../../kit/db.ts';
import { createSemaphore } from '../../sharing/semaphore.ts';
import { createWorkers, type Worker, WorkerAborted, WorkerDied, WorkerTooSlow } from '../../sharing/worker-process.ts';
import { FeedFailure, type SourceRow } from '../feed-row.ts';
import type { SourceForm } from '../source-form.ts';
import type { ImportPreview, PreviewRequest } from './source-preview.ts';
import type { RowBatch, SourceAnswer, SourceMessage } from './source-program.ts';
import type { SourceSurvey, SurveyRequest } from './source-survey.ts';

const MAX_PREVIEW_MS = 30_000;
/** The largest allowed sources take about ten seconds; on a busy machine, more. */
const MAX_RUN_MS = 90_000;
/**
 * A source has at most 20 MB; the texts of a workbook, which are in memory while its sheet is read, take at most about 100 MB.
 */
const MAX_HEAP_MB = 256;
const IDLE_MS = 60_000;
const FORGET_MS = 5000;
const PIECE_BYTES = 256 * 1024;

const readers = createWorkers({
  program: new URL('./source-program.ts', import.meta.url),
  idleMs: IDLE_MS,
  maxHeapMb: MAX_HEAP_MB,
});
const previews = createSemaphore({
  atOnce: 2,
  each: 1,
  waiting: 100,
  waitingEach: 10,
  waitMs: 30_000,
  what: 'previews of imports',
});

class ReaderDied extends Unavailable {}

export function previewSource(
  bytes: Buffer,
  request: PreviewRequest,
  accountId: string,
  signal: AbortSignal,
  maxMs: number = MAX_PREVIEW_MS,
): Promise<ImportPreview> {
  const preview = async () => {
    const source = await openSource([bytes], signal, maxMs);
    try {
      return await source.ask<ImportPreview>({ task: 'preview', request });
    } finally {
      await source.close();
    }
  };
  // A process that ends for another reason than the source is replaced once.
  const again = (error: unknown) => (error instanceof ReaderDied ? preview() : Promise.reject(error));
  return previews.take(accountId, () => preview().catch(again), signal);
}

export interface RunSource {
  survey(request: SurveyRequest): Promise<SourceSurvey>;
  rows(): AsyncGenerator<SourceRow>;
  /** Must be called when the source is no longer needed. */
  close(): Promise<void>;
}

export async function openRunSource(
  form: SourceForm,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal: AbortSignal,
  maxMs: number = MAX_RUN_MS,
): Promise<RunSource> {
  const source = await openSource(bytes, signal, maxMs);
  return {
    survey: (request) => source.ask({ task: 'survey', form, request }),
    rows: async function* () {
      await source.ask({ task: 'rows', form });
      for (;;) {
        const { rows, isLast } = await source.ask<RowBatch>({ task: 'next' });
        for (const row of rows) yield withoutPrototype(row);
        if (isLast) return;
      }
    },
    close: source.close,
  };
}

/** Between processes an object gets a prototype, whose members are not columns of the source. */
const withoutPrototype = (row: SourceRow): SourceRow =>
  'cells' in row ? { ...row, cells: Object.assign(Object.create(null), row.cells) } : row;

interface OpenSource {
  ask<T>(message: SourceMessage): Promise<T>;
  close(): Promise<void>;
}

async function openSource(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  signal: AbortSignal,
  maxMs: number,
): Promise<OpenSource> {
  const reader = readers.take();
  const ask = <T>(message: SourceMessage) => askReader<T>(reader, message, signal, maxMs);
  // A reader that has ended or does not answer is not used again.
  const close = () =>
    reader.ask({ task: 'forget' }, { maxMs: FORGET_MS }).then(
      () => readers.giveBack(reader),
      () => {},
    );
  try {
    for await (const chunk of bytes)
      for (let at = 0; at < chunk.length; at += PIECE_BYTES)
        await ask({ task: 'content', piece: chunk.subarray(at, at + PIECE_BYTES) });
    return { ask, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function askReader<T>(reader: Worker, message: SourceMessage, signal: AbortSignal, maxMs: number): Promise<T> {
  const { value, failure } = await reader.ask<SourceAnswer<T>>(message, { maxMs, signal }).catch((error) => {
    throw failureOf(error, maxMs);
  });
  if (failure !== undefined) throw new FeedFailure(failure.code, failure.text);
  return value as T;
}

function failureOf(error: unknown, maxMs: number): unknown {
  if (error instanceof WorkerTooSlow) {
    const seconds = Math.round(maxMs / 1000);
    return new FeedFailure('source_too_large', {
      en: `Reading the source takes longer than ${seconds} seconds; split it into smaller files`,
      tr: `Kaynağın okunması ${seconds} saniyeden uzun sürüyor; daha küçük dosyalara bölün`,
    });
  }
  // Node ends a process whose heap is full with this signal.
  if (error instanceof WorkerDied && error.signal === 'SIGABRT') {
    return new FeedFailure('source_too_large', {
      en: 'Reading the source takes too much memory; split it into smaller files',
      tr: 'Kaynağın okunması çok fazla bellek istiyor; daha küçük dosyalara bölün',
    });
  }
  if (error instanceof WorkerDied) return new ReaderDied(`a process that read a source ended: ${error.message}`);
  return error instanceof WorkerAborted ? new Unavailable('a source was no longer read, because its caller left') : error;
}
