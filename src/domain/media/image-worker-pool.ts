// Uploaded pictures are resized in separate processes: a decoder that reads strangers' bytes has no secret and no connection
// there, can be killed when it takes too long, and gives its memory back when it is idle.
import { type ChildProcess, fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../kit/db.ts';
import type { NewFile, UploadedFile } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { newFile } from '../files/stored-files.ts';
import { createTurns } from '../sharing/turns.ts';
import { compiledSources } from '../sharing/worker-environment.ts';
import type { ResizeJob, ResizeResult } from './image-resize.ts';

export const MAX_PHOTO_BYTES: number = 8 * 1024 * 1024;
const MAX_MEGAPIXELS = 40;
const PROGRAM = new URL('./image-worker.ts', import.meta.url);

/** Each worker uses one processor and up to some hundred megabytes; uploads beyond MAX_WAITING are refused at once. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 300;
/** Much shorter than the time after which an upload counts as abandoned (OLD_UPLOAD_MS). */
const MAX_WAITING_MS = 240_000;
const MAX_MS = 20_000;
const IDLE_MS = 30_000;

/** The picture, then its thumbnail. */
export async function resizePhoto({ path, folder }: UploadedFile, accountId: string): Promise<readonly NewFile[]> {
  if (!(await looksLike(path, [JPEG, PNG, WEBP]))) notAnImage();
  const [picture, thumbnail] = [join(folder, 'picture.jpg'), join(folder, 'thumbnail.jpg')];
  await draw(accountId, { path, picture, thumbnail });
  return [await newFile(picture, 'image/jpeg'), await newFile(thumbnail, 'image/jpeg')];
}

/** Drawn anew on white, small enough for every paper to carry it. */
export async function redrawLogo({ path, folder }: UploadedFile, accountId: string): Promise<NewFile> {
  if (!(await looksLike(path, [JPEG, PNG]))) notALogo();
  const picture = join(folder, 'logo.jpg');
  await draw(accountId, { path, picture, thumbnail: null });
  return newFile(picture, 'image/jpeg');
}

async function draw(accountId: string, files: Omit<ResizeJob, 'maxPixels'>): Promise<void> {
  const job = { ...files, maxPixels: MAX_MEGAPIXELS * 1_000_000 };
  const result = await inTurn(accountId, (worker) => worker.resize(job));
  if (result === 'too_large') tooManyPixels();
  if (result === 'unreadable') (files.thumbnail === null ? notALogo : notAnImage)();
}

const JPEG = /^\xff\xd8\xff/;
const PNG = /^\x89PNG\r\n\x1a\n/;
const WEBP = /^RIFF[\s\S]{4}WEBP/;

async function looksLike(path: string, signatures: readonly RegExp[]): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return signatures.some((signature) => signature.test(head));
  } finally {
    await handle.close();
  }
}

function notALogo(): never {
  const allowed = { en: 'a whole JPEG or PNG picture', tr: 'bozuk olmayan bir JPEG ya da PNG resmi' };
  return fail('unsupported_media_type', { words: { allowed } });
}

function notAnImage(): never {
  const allowed = { en: 'a whole JPEG, PNG or WebP picture', tr: 'bozuk olmayan bir JPEG, PNG ya da WebP fotoğrafı' };
  return fail('unsupported_media_type', { words: { allowed } });
}

function tooManyPixels(): never {
  const message = { en: `file has more than ${MAX_MEGAPIXELS} megapixels`, tr: `file ${MAX_MEGAPIXELS} megapikselden büyük` };
  return fail('image_too_large', {
    words: { limit: MAX_MEGAPIXELS },
    details: [{ field: 'file', code: 'image_too_large', message }],
  });
}

interface ImageWorker {
  resize(job: ResizeJob): Promise<ResizeResult>;
  readonly isAlive: boolean;
}

const idle: ImageWorker[] = [];
/** Accounts take turns, so that an account which sends many pictures does not delay the others. */
const turns = createTurns({ atOnce: MAX_AT_ONCE, waiting: MAX_WAITING, waitMs: MAX_WAITING_MS, what: 'pictures' });

const inTurn = <T>(accountId: string, work: (worker: ImageWorker) => Promise<T>): Promise<T> =>
  turns.take(accountId, async () => {
    let worker = idle.pop();
    while (worker !== undefined && !worker.isAlive) worker = idle.pop();
    worker ??= startImageWorker();
    try {
      return await work(worker);
    } finally {
      if (worker.isAlive) idle.push(worker);
    }
  });

/** Signals of a crashed decoder. Other reasons for its end (out of memory, an operator) are not the picture's fault. */
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

function startImageWorker(): ImageWorker {
  // Two malloc arenas, because each keeps the memory it once used.
  const env = { ...compiledSources(), MALLOC_ARENA_MAX: '2' };
  const child = fork(PROGRAM, [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  // Pictures wait for requests, not requests for pictures.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let isAlive = true;
  let resting: NodeJS.Timeout | undefined;
  const end = () => {
    // A failing `kill` emits an error, which calls this function again.
    if (!isAlive) return;
    isAlive = false;
    child.kill('SIGKILL');
  };
  // `ask` reports it to the waiting upload; an idle worker ends silently.
  child.on('error', end).once('exit', () => {
    isAlive = false;
  });
  hold(child, false);
  return {
    get isAlive() {
      return isAlive;
    },
    async resize(job) {
      clearTimeout(resting);
      hold(child, true);
      try {
        return await ask(child, job, end);
      } finally {
        hold(child, false);
        resting = setTimeout(end, IDLE_MS);
        resting.unref();
      }
    },
  };
}

/** An idle worker does not keep the parent process alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const act = isHeld ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
}

function ask(child: ChildProcess, job: ResizeJob, end: () => void): Promise<ResizeResult> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, MAX_MS);
    const finish = (act: () => void) => {
      clearTimeout(late);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      act();
    };
    const onMessage = ({ result, failed }: { result?: ResizeResult; failed?: string }) =>
      finish(() => (result === undefined ? reject(new Unavailable(`a picture could not be drawn: ${failed}`)) : resolve(result)));
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      finish(() =>
        isLate || CRASHES.includes(signal)
          ? resolve('unreadable')
          : reject(new Unavailable(`a drawing process ended by itself (${signal ?? code})`)),
      );
    const onError = (error: Error) => finish(() => reject(new Unavailable(`no drawing process: ${error.message}`)));
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(job, (error) => error && onError(error));
  });
}
