// Papers are drawn in separate processes, so that a statement of a thousand lines does not delay requests. Accounts take turns,
// and one account never uses every process. The processes hold no secret and no connection. If one dies, its paper is drawn once
// more; a paper that exceeds the time limit is refused, because a second try would take as long.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import type { NewFile } from '../../../kit/file.ts';
import { newId } from '../../../kit/ids.ts';
import { createSemaphore } from '../../sharing/semaphore.ts';
import { createWorkers, WorkerDied, WorkerTooSlow } from '../../sharing/worker-process.ts';
import type { Paper } from '../paper.ts';
import type { DrawnFile } from './draw.ts';
import type { DrawingJob } from './paper-worker.ts';

const PROGRAM = new URL('./paper-worker.ts', import.meta.url);
const MAX_AT_ONCE = 2;
const MAX_WAITING = 200;
const MAX_WAITING_EACH = 50;
/** About a hundred and fifty pages: some seconds of drawing. */
export const MAX_PAPER_LINES = 5000;
/** A paper takes a fraction of a second; on a busy machine, many seconds. */
const MAX_MS = 60_000;
const IDLE_MS = 60_000;

/** A file on disk, ready for the file store (domain/files/stored-files.ts). */
export interface DrawnPaper extends NewFile {
  /** Removes the file if it is still on this disk; the store may have moved it. */
  remove(): Promise<void>;
}

const turns = createSemaphore({
  atOnce: MAX_AT_ONCE,
  each: MAX_AT_ONCE - 1,
  waiting: MAX_WAITING,
  waitingEach: MAX_WAITING_EACH,
  what: 'papers',
});
/** Of this process. */
export const paperQueue = turns.load;
const drawers = createWorkers({ program: PROGRAM, idleMs: IDLE_MS });

/** Several papers are one file. A new folder is created inside `within`, best on the store's file system (`files.incoming`). */
export async function drawPaper(
  paper: Paper | readonly Paper[],
  accountId: string,
  within: string = tmpdir(),
  maxMs: number = MAX_MS,
): Promise<DrawnPaper> {
  const papers = Array.isArray(paper) ? (paper as readonly Paper[]) : [paper as Paper];
  if (sumOf(papers.map(linesOf)) > MAX_PAPER_LINES) tooLong();
  const folder = await mkdtemp(join(within, 'paper-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'paper.pdf');
  try {
    const { sizeBytes, sha256 } = await turns.take(accountId, () =>
      drawTwice(papers.length === 1 ? { paper: papers[0]!, path } : { papers, path }, path, maxMs),
    );
    const name = randomBytes(16).toString('hex');
    const stored = { id: newId(), name: `${name.slice(0, 2)}/${name.slice(2)}`, contentType: 'application/pdf' };
    return { ...stored, path, sizeBytes, sha256, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The pages as SVG pictures, for a page that shows a document. */
export async function drawPages(paper: Paper, accountId: string): Promise<readonly string[]> {
  if (linesOf(paper) > MAX_PAPER_LINES) tooLong();
  return turns.take(accountId, () =>
    asUnavailable(() => drawers.use((one) => one.ask<string[]>({ paper, path: null }, { maxMs: MAX_MS }))),
  );
}

/** The lines of a paper's tables, which decide how long drawing takes. */
function linesOf(paper: Paper): number {
  if (paper.code === 'hesap_ekstresi') return sumOf(paper.statements.map(({ lines }) => lines.length));
  if (paper.code === 'rapor') return sumOf(paper.tables.map(({ rows }) => rows.length));
  return 0;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function tooLong(): never {
  const allowed = {
    en: `a later date: the document can have at most ${MAX_PAPER_LINES} lines`,
    tr: `belge en çok ${MAX_PAPER_LINES} satır olacak kadar yakın bir tarih`,
  };
  return fail('invalid_parameter', { param: 'from', words: { allowed } });
}

function drawTwice(job: DrawingJob, path: string, maxMs: number): Promise<DrawnFile> {
  const drawOnce = () => drawers.use((drawer) => drawer.ask<DrawnFile>(job, { maxMs }));
  return asUnavailable(() =>
    drawOnce().catch(async (error) => {
      if (!(error instanceof WorkerDied)) throw error;
      await rm(path, { force: true });
      return drawOnce();
    }),
  );
}

async function asUnavailable<T>(draw: () => Promise<T>): Promise<T> {
  try {
    return await draw();
  } catch (error) {
    if (error instanceof WorkerTooSlow) throw new Unavailable('a paper took too long to draw');
    if (error instanceof WorkerDied) throw new Unavailable(`a drawing process ended: ${error.message}`);
    throw new Error(`a paper could not be drawn: ${(error as Error).message}`);
  }
}
