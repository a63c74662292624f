// Uploaded pictures are resized in separate processes: a decoder of untrusted bytes has no secret and no connection there, can be
// killed when it takes too long, and releases its memory when it is idle.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { newFile } from '../files/stored-files.ts';
import { createSemaphore } from '../sharing/semaphore.ts';
import { createWorkers, WorkerDied, WorkerTooSlow } from '../sharing/worker-process.ts';
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

/** Encoded again on white, small enough for every paper. */
export async function redrawLogo({ path, folder }: UploadedFile, accountId: string): Promise<NewFile> {
  if (!(await looksLike(path, [JPEG, PNG]))) notALogo();
  const picture = join(folder, 'logo.jpg');
  await draw(accountId, { path, picture, thumbnail: null });
  return newFile(picture, 'image/jpeg');
}

async function draw(accountId: string, files: Omit<ResizeJob, 'maxPixels'>): Promise<void> {
  const job = { ...files, maxPixels: MAX_MEGAPIXELS * 1_000_000 };
  const result = await turns.take(accountId, () => resize(job));
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
  const allowed = { en: 'an undamaged JPEG or PNG image', tr: 'bozuk olmayan bir JPEG ya da PNG resmi' };
  return fail('unsupported_media_type', { words: { allowed } });
}

function notAnImage(): never {
  const allowed = { en: 'an undamaged JPEG, PNG or WebP image', tr: 'bozuk olmayan bir JPEG, PNG ya da WebP fotoğrafı' };
  return fail('unsupported_media_type', { words: { allowed } });
}

function tooManyPixels(): never {
  const message = { en: `file has more than ${MAX_MEGAPIXELS} megapixels`, tr: `file ${MAX_MEGAPIXELS} megapikselden büyük` };
  return fail('image_too_large', {
    words: { limit: MAX_MEGAPIXELS },
    details: [{ field: 'file', code: 'image_too_large', message }],
  });
}

/** Two malloc arenas, because each keeps the memory it once used. */
const workers = createWorkers({ program: PROGRAM, idleMs: IDLE_MS, env: { MALLOC_ARENA_MAX: '2' } });
/** Accounts take turns, so that an account which sends many pictures does not delay the others. */
const turns = createSemaphore({ atOnce: MAX_AT_ONCE, waiting: MAX_WAITING, waitMs: MAX_WAITING_MS, what: 'pictures' });

/** Of this process. */
export const pictureQueue = turns.load;

/** Signals of a crashed decoder. Other reasons for its end (out of memory, an operator) are not the picture's fault. */
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

async function resize(job: ResizeJob): Promise<ResizeResult> {
  try {
    return await workers.use((worker) => worker.ask<ResizeResult>(job, { maxMs: MAX_MS }));
  } catch (error) {
    if (error instanceof WorkerTooSlow) return 'unreadable';
    if (!(error instanceof WorkerDied)) throw new Unavailable(`a picture could not be drawn: ${(error as Error).message}`);
    if (CRASHES.includes(error.signal)) return 'unreadable';
    const what = error.hasStarted ? 'a drawing process ended' : 'no drawing process';
    throw new Unavailable(`${what}: ${error.message}`);
  }
}
