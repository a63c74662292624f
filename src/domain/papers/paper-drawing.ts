// Papers are drawn in processes of their own, so that a statement of a thousand lines holds up no request. They hold no secret and no
// connection; one that dies or takes too long is replaced, and the paper it was drawing is drawn again once.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../kit/db.ts';
import type { NewFile } from '../../kit/endpoint.ts';
import { newId } from '../../kit/ids.ts';
import { createTurns } from '../sharing/turns.ts';
import { compiledSources } from '../sharing/worker-environment.ts';
import type { DrawnFile } from './draw.ts';
import type { Paper } from './paper.ts';

const PROGRAM = new URL('./paper-worker.ts', import.meta.url);
const MAX_AT_ONCE = 2;
const MAX_WAITING = 200;
/** A paper takes a fraction of a second; on a machine that is busy with everything else, many. */
const MAX_MS = 60_000;
const IDLE_MS = 60_000;

/** A file on disk, ready for the file store (domain/files/stored-files.ts). */
export interface DrawnPaper extends NewFile {
  /** Removes what is still on this disk; the store may have moved the file away. */
  remove(): Promise<void>;
}

const turns = createTurns(MAX_AT_ONCE);
const idle: Worker[] = [];

/** `within`: the folder in which a folder of its own is made, best on the store's file system (`files.incoming`). */
export async function drawPaper(paper: Paper, within: string = tmpdir()): Promise<DrawnPaper> {
  if (turns.size() >= MAX_WAITING) throw new Unavailable('too many papers wait to be drawn');
  const folder = await mkdtemp(join(within, 'paper-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'paper.pdf');
  try {
    const { sizeBytes, sha256 } = await turns.take(() => drawTwice(paper, path));
    const name = randomBytes(16).toString('hex');
    const stored = { id: newId(), name: `${name.slice(0, 2)}/${name.slice(2)}`, contentType: 'application/pdf' };
    return { ...stored, path, sizeBytes, sha256, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function drawTwice(paper: Paper, path: string): Promise<DrawnFile> {
  try {
    return await drawOnce(paper, path);
  } catch (error) {
    if (!(error instanceof Died)) throw error;
    await rm(path, { force: true });
    return drawOnce(paper, path).catch((again: Error) => {
      throw again instanceof Died ? new Unavailable(again.message) : again;
    });
  }
}

async function drawOnce(paper: Paper, path: string): Promise<DrawnFile> {
  let worker = idle.pop();
  while (worker !== undefined && !worker.isAlive) worker = idle.pop();
  worker ??= new Worker();
  try {
    return await worker.draw(paper, path);
  } finally {
    if (worker.isAlive) idle.push(worker);
  }
}

/** The process, not the paper, is at fault. */
class Died extends Error {}

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

  async draw(paper: Paper, path: string): Promise<DrawnFile> {
    clearTimeout(this.#resting);
    this.#hold(true);
    try {
      return await this.#ask(paper, path);
    } finally {
      this.#hold(false);
      this.#resting = setTimeout(() => this.#end(), IDLE_MS);
      this.#resting.unref();
    }
  }

  #ask(paper: Paper, path: string): Promise<DrawnFile> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#end(), MAX_MS);
      const finish = (act: () => void) => {
        clearTimeout(late);
        this.#child.off('message', onMessage).off('exit', onExit).off('error', onError);
        act();
      };
      const onMessage = ({ drawn, failed }: { drawn?: DrawnFile; failed?: string }) =>
        finish(() => (drawn === undefined ? reject(new Error(`a paper could not be drawn: ${failed}`)) : resolve(drawn)));
      const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
        finish(() => reject(new Died(`a drawing process ended (${signal ?? code})`)));
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
