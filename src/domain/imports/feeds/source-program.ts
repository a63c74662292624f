// The program of a process that reads sources (source-reader.ts): it receives the content in pieces and works on it until the
// caller releases it.
import { serveParent } from '../../sharing/worker-program.ts';
import { FeedFailure, type SourceRow } from '../feed-row.ts';
import type { SourceForm } from '../source-form.ts';
import { readSource } from './feed-source.ts';
import { type PreviewRequest, previewOf } from './source-preview.ts';
import { type SurveyRequest, surveySource } from './source-survey.ts';

export type SourceMessage =
  | { readonly task: 'content'; readonly piece: Uint8Array }
  | { readonly task: 'preview'; readonly request: PreviewRequest }
  | { readonly task: 'survey'; readonly form: SourceForm; readonly request: SurveyRequest }
  | { readonly task: 'rows'; readonly form: SourceForm }
  | { readonly task: 'next' }
  | { readonly task: 'forget' };

export interface RowBatch {
  readonly rows: readonly SourceRow[];
  readonly isLast: boolean;
}

/** A source that cannot be read is an answer, not a failure of the process. */
export interface SourceAnswer<T> {
  readonly value?: T;
  readonly failure?: { readonly code: FeedFailure['code']; readonly text: FeedFailure['text'] };
}

/** Rows are sent in batches that the receiving thread reads in about a millisecond. */
const BATCH_ROWS = 100;
const BATCH_LENGTH = 128 * 1024;

let content: Buffer[] = [];
let reading: AsyncGenerator<SourceRow> | null = null;

async function* pieces(): AsyncGenerator<Buffer> {
  yield* content;
}

async function work(message: SourceMessage): Promise<unknown> {
  switch (message.task) {
    case 'content':
      content.push(Buffer.from(message.piece));
      return null;
    case 'preview':
      return previewOf(Buffer.concat(content), message.request);
    case 'survey':
      return surveySource(message.form, pieces, message.request);
    case 'rows':
      reading = readSource(message.form, pieces);
      return null;
    case 'next':
      return nextBatch(reading!);
    case 'forget':
      await reading?.return(undefined);
      [content, reading] = [[], null];
      return null;
  }
}

async function nextBatch(from: AsyncGenerator<SourceRow>): Promise<RowBatch> {
  const rows: SourceRow[] = [];
  let length = 0;
  while (rows.length < BATCH_ROWS && length < BATCH_LENGTH) {
    const { value, done } = await from.next();
    if (done) return { rows, isLast: true };
    rows.push(value);
    length += lengthOf(value);
  }
  return { rows, isLast: false };
}

const lengthOf = (row: SourceRow): number =>
  'cells' in row ? Object.values(row.cells).reduce((sum: number, value) => sum + String(value).length, 0) : 0;

serveParent(async (message: SourceMessage): Promise<SourceAnswer<unknown>> => {
  try {
    return { value: await work(message) };
  } catch (error) {
    if (!(error instanceof FeedFailure)) throw error;
    return { failure: { code: error.code, text: error.text } };
  }
});
