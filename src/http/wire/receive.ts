// Bodies of callers who are known: what is small is read into memory, what is large is written to disk as it comes and read back once it
// is whole. Both are counted for the account, so that nobody fills memory or disk with bodies that never end.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { isTooDeep, MAX_JSON_DEPTH } from '../../domain/formats/json-depth.ts';
import { fail } from '../../kit/errors.ts';
import type { Budgets } from './budgets.ts';
import { hasBody, readBody, readPieces, requirePlain, tooLarge } from './request-body.ts';

/** Where a body goes, and whose it is. */
export interface Receiver {
  readonly budgets: Budgets;
  /** The account; of someone without one, the person. */
  readonly owner: string;
  /** The folder for what is still on its way. */
  readonly incoming: string;
}

/** Larger ones go by way of the disk, and the record they are meant for is looked for first. */
export const IN_MEMORY_BYTES: number = 256 * 1024;
/** Bytes, text and values of a body that is parsed, for each of its bytes. */
const PARSED = 3;

/** Whether it may be: a body without a length may be as long as its row allows. */
export const mayBeLarge = (request: IncomingMessage, max: number): boolean =>
  max > IN_MEMORY_BYTES &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > IN_MEMORY_BYTES);

/** A place among those who send much and a folder, both until `use` ends, whichever way. `count` takes what is written there. */
export async function inFolder<T>(
  { budgets, owner, incoming }: Receiver,
  use: (folder: string, count: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  return budgets.uploads.during(owner, async () => {
    const disk = budgets.diskBytes.hold(owner);
    const folder = join(incoming, randomBytes(16).toString('hex'));
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await use(folder, disk.add);
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      disk.release();
    }
  });
}

/** A JSON object; an empty body is an empty one. What it takes of memory is counted until `use` ends. */
export async function withJson<T>(
  request: IncomingMessage,
  { max, allowed = 'application/json' }: { readonly max: number; readonly allowed?: string },
  receiver: Receiver,
  use: (given: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  if (!hasBody(request)) return use({});
  requirePlain(request, allowed);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    fail('unsupported_media_type', { words: { allowed } });
  const memory = receiver.budgets.bodyBytes.hold(receiver.owner);
  try {
    if (!mayBeLarge(request, max)) return await use(parse(await readBody(request, max, memory.add)));
    return await use(parse(await readByDisk(request, max, receiver, memory.add)));
  } finally {
    memory.release();
  }
}

function readByDisk(request: IncomingMessage, max: number, receiver: Receiver, hold: (bytes: number) => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) tooLarge(max);
  return inFolder(receiver, async (folder, count) => {
    const path = join(folder, 'body');
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const written = finished(file);
    written.catch(() => {});
    let size = 0;
    try {
      await readPieces(request, (piece) => {
        size += piece.length;
        if (size > max) tooLarge(max);
        count(piece.length);
        if (file.write(piece)) return;
        return Promise.race([new Promise<void>((resolve) => file.once('drain', resolve)), written]);
      });
      file.end();
      await written;
    } finally {
      file.destroy();
    }
    hold(size * PARSED);
    return readFile(path);
  });
}

const TOO_DEEP = {
  field: '',
  code: 'too_deep',
  message: {
    en: `The body is nested more than ${MAX_JSON_DEPTH} levels deep`,
    tr: `Gövde ${MAX_JSON_DEPTH} düzeyden daha derin`,
  },
};

function parse(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    fail('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('invalid_json');
  if (isTooDeep(value)) fail('validation_failed', { details: [TOO_DEEP] });
  return value as Record<string, unknown>;
}
