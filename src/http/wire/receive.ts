// Bodies of authenticated callers: small ones are read into memory, large ones are written to disk as they arrive and read back
// once complete. Both count on the account's budget, so that unfinished bodies cannot fill memory or disk.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { isTooDeep, MAX_JSON_DEPTH } from '../../domain/formats/json-depth.ts';
import { findJsonFault } from '../../domain/formats/json-fault.ts';
import { fail, type Text } from '../../kit/errors.ts';
import type { Budgets } from './budgets.ts';
import { hasBody, readBody, readPieces, requirePlain, tooLarge } from './request-body.ts';

/** Where a body is stored, and on which budget it counts. */
export interface Receiver {
  readonly budgets: Budgets;
  /** The account, or the person where there is none. */
  readonly owner: string;
  /** The folder for incomplete bodies. */
  readonly incoming: string;
}

/** Larger bodies are received on disk, after the record in their path was found. */
export const IN_MEMORY_BYTES: number = 256 * 1024;
/** Memory for each byte of a parsed body: as bytes, as text and as values. */
const PARSED = 3;

/** A body without a Content-Length may be as long as its endpoint allows. */
export const mayBeLarge = (request: IncomingMessage, max: number): boolean =>
  max > IN_MEMORY_BYTES &&
  (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > IN_MEMORY_BYTES);

/** Reserves an upload slot and a folder until `use` ends. `count` is called with the bytes written there. */
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

/** Reads a JSON object; an empty body is an empty object. Its memory is counted until `use` ends. */
export async function withJson<T>(
  request: IncomingMessage,
  { max, allowed = 'application/json' }: { readonly max: number; readonly allowed?: string },
  receiver: Receiver,
  use: (body: Record<string, unknown>) => Promise<T>,
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

const AN_ARRAY: Text = { en: 'it is an array', tr: 'gelen bir dizi' };
const NO_OBJECT: Text = { en: 'it is a single value', tr: 'gelen tek bir değer' };

/** Names the place and never quotes the text, which may be personal data. */
function faultOf(text: string): Text {
  const fault = findJsonFault(text);
  if (fault === null) return { en: 'it is not valid JSON', tr: 'geçerli JSON değil' };
  const { line, column, isEnd } = fault;
  return isEnd
    ? { en: `it ends too early, at line ${line}, column ${column}`, tr: `erken bitiyor: ${line}. satır, ${column}. sütun` }
    : {
        en: `it is not valid JSON at line ${line}, column ${column}`,
        tr: `${line}. satır ${column}. sütunda geçerli JSON değil`,
      };
}

function parse(body: Buffer): Record<string, unknown> {
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('invalid_json', { words: { fault: faultOf(text) } });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail('invalid_json', { words: { fault: Array.isArray(value) ? AN_ARRAY : NO_OBJECT } });
  if (isTooDeep(value)) fail('validation_failed', { details: [TOO_DEEP] });
  return value as Record<string, unknown>;
}
