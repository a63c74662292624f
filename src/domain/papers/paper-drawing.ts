// Papers are drawn in separate processes, so that a statement of a thousand lines delays no request. Accounts take turns, and one account
// never uses every process. The processes hold no secret and no connection. If one dies, its paper is drawn once more; a paper that
// exceeds the time limit is refused, because a second try would take as long.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../kit/db.ts';
import type { NewFile } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { createTurns } from '../sharing/turns.ts';
import { compiledSources } from '../sharing/worker-environment.ts';
import type { DrawnFile } from './draw.ts';
import type { Paper } from './paper.ts';

const PROGRAM = new URL('./paper-worker.ts', import.meta.url);
const MAX_AT_ONCE = 2;
const MAX_WAITING = 200;
const MAX_WAITING_EACH = 50;
/** About a hundred and fifty pages: some seconds of drawing. */
export const MAX_PAPER_LINES = 5000;
/** A paper takes a fraction of a second; on a machine that is busy with everything else, many. */
const MAX_MS = 60_000;
const IDLE_MS = 60_000;

/** A file on disk, ready for the file store (domain/files/stored-files.ts). */
export interface DrawnPaper extends NewFile {
  /** Removes what is still on this disk; the store may have moved the file away. */
  remove(): Promise<void>;
}

const turns = createTurns({
  atOnce: MAX_AT_ONCE,
  each: MAX_AT_ONCE - 1,
  waiting: MAX_WAITING,
  waitingEach: MAX_WAITING_EACH,
  what: 'papers',
});
const idle: Worker[] = [];

/** `within` is the folder in which a new folder is made, best on the store's file system (`files.incoming`). */
export async function drawPaper(
  paper: Paper,
  accountId: string,
  within: string = tmpdir(),
  maxMs: number = MAX_MS,
): Promise<DrawnPaper> {
  if (linesOf(paper) > MAX_PAPER_LINES) tooLong();
  const folder = await mkdtemp(join(within, 'paper-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'paper.pdf');
  try {
    const { sizeBytes, sha256 } = await turns.take(accountId, () => drawTwice(paper, path, maxMs));
    const name = randomBytes(16).toString('hex');
    const stored = { id: newId(), name: `${name.slice(0, 2)}/${name.slice(2)}`, contentType: 'application/pdf' };
    return { ...stored, path, sizeBytes, sha256, remove };
  } catch (error) {
    await remove();
    throw error;
  }
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
    en: `so late that the document has at most ${MAX_PAPER_LINES} lines`,
    tr: `belge en çok ${MAX_PAPER_LINES} satır olacak kadar yakın bir tarih`,
  };
  return fail('invalid_parameter', { param: 'from', words: { allowed } });
}

async function drawTwice(paper: Paper, path: string, maxMs: number): Promise<DrawnFile> {
  try {
    return await drawOnce(paper, path, maxMs);
  } catch (error) {
    if (!(error instanceof Died)) throw error;
    await rm(path, { force: true });
    return drawOnce(paper, path, maxMs).catch((again: Error) => {
      throw again instanceof Died ? new Unavailable(again.message) : again;
    });
  }
}

async function drawOnce(paper: Paper, path: string, maxMs: number): Promise<DrawnFile> {
  let worker = idle.pop();
  while (worker !== undefined && !worker.isAlive) worker = idle.pop();
  worker ??= new Worker();
  try {
    return await worker.draw(paper, path, maxMs);
  } finally {
    if (worker.isAlive) idle.push(worker);
  }
}

/** The process, not the paper, is at fault. */
class Died extends Error {}

/** The paper took longer than MAX_MS. */
class TooSlow extends Unavailable {}

class Worker {
  readonly #child: ChildProcess;
  #resting: NodeJS.Timeout | undefined;
  isAlive = true;

  constructor() {
    this.#child = fork(PROGRAM, [], {
      execArgv: [],
      env: compiledSources(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    this.#child
      .on('error', () => this.#end())
      .once('exit', () => {
        this.isAlive = false;
      });
    this.#hold(false);
  }

  async draw(paper: Paper, path: string, maxMs: number): Promise<DrawnFile> {
    clearTimeout(this.#resting);
    this.#hold(true);
    try {
      return await this.#ask(paper, path, maxMs);
    } finally {
      this.#hold(false);
      this.#resting = setTimeout(() => this.#end(), IDLE_MS);
      this.#resting.unref();
    }
  }

  #ask(paper: Paper, path: string, maxMs: number): Promise<DrawnFile> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        this.#end();
      }, maxMs);
      const finish = (act: () => void) => {
        clearTimeout(late);
        this.#child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = ({ drawn, failed }: { drawn?: DrawnFile; failed?: string }) =>
        finish(() => (drawn === undefined ? reject(new Error(`a paper could not be drawn: ${failed}`)) : resolve(drawn)));
      const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
        finish(() =>
          reject(isLate ? new TooSlow('a paper took too long to draw') : new Died(`a drawing process ended (${signal ?? code})`)),
        );
      const onError = (error: Error) => finish(() => reject(new Died(`no drawing process: ${error.message}`)));
      this.#child.on('message', onMessage).on('exit', onExit).on('error', onError);
      this.#child.send({ paper, path }, (error) => error && onError(error));
    });
  }

  #end(): void {
    // A failing `kill` emits an error, which calls this function again.
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#child.kill('SIGKILL');
  }

  /** An idle process does not keep this one alive. */
  #hold(isHeld: boolean): void {
    const act = isHeld ? 'ref' : 'unref';
    this.#child[act]();
    this.#child.channel?.[act]();
  }
}
