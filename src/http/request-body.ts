// The body of a request, read no further than allowed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTooDeep, MAX_JSON_DEPTH } from '../domain/json-depth.ts';
import { Failure, fail } from '../kit/errors.ts';

/** What is read into memory arrives within this; what is written to disk as it comes has as long as the server gives any request. */
const MOST_READING_MS = 15_000;

/** Callers that wait to be told before they send (`Expect: 100-continue`), as curl does with anything large. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export const awaitsGoAhead = (request: IncomingMessage, response: ServerResponse): unknown => waiting.set(request, response);

/** The caller has gone, or was too slow. Nobody hears the answer, but the log is to call it by its name. */
export const brokenOff = (): Failure =>
  new Failure('validation_failed', {
    details: [{ field: '', code: 'invalid', message: { en: 'The body broke off', tr: 'Gövde yarıda kesildi' } }],
  });

/** What it means to whoever reads a body, or waits for it to end, that it will not. */
const reading = new WeakMap<IncomingMessage, () => void>();

/** Those that broke off before anyone read them; whoever comes to read is told then. */
const broken = new WeakSet<IncomingMessage>();

export function whenBroken(request: IncomingMessage, stop: () => void): void {
  if (broken.has(request)) stop();
  else reading.set(request, stop);
}

/** Whether the caller still waits to be told to send: then nothing is on its way. */
export const isSending = (request: IncomingMessage): boolean => !waiting.has(request);

/** The parser met something that is no body, or the connection ended in the middle of one. False: this request had ended before. */
export function breakOff(request: IncomingMessage): boolean {
  const stop = reading.get(request);
  if (stop === undefined && request.complete) return false;
  broken.add(request);
  stop?.();
  return true;
}

/**
 * Piece by piece; `take` may hold the rest back by a promise. Where it throws, nothing more is read, and the connection is left as it
 * is: whoever answers sees to it that the answer arrives (reply.ts).
 */
export function readPieces(request: IncomingMessage, take: (piece: Buffer) => void | Promise<void>): Promise<void> {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
  return new Promise((resolve, reject) => {
    const end = (error?: unknown) => {
      reading.delete(request);
      request.off('data', onPiece).off('end', onEnd).off('close', onClose).off('error', onClose);
      request.on('error', () => {});
      if (error === undefined) resolve();
      else reject(error);
    };
    const onPiece = (piece: Buffer) => {
      try {
        const held = take(piece);
        if (held === undefined) return;
        request.pause();
        held.then(() => request.resume(), end);
      } catch (error) {
        end(error);
      }
    };
    const onEnd = () => end();
    const onClose = () => end(brokenOff());
    request.on('data', onPiece).on('end', onEnd).on('close', onClose).on('error', onClose);
    whenBroken(request, onClose);
  });
}

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

export const tooLarge = (most: number): never =>
  fail('payload_too_large', {
    words: { allowed: most % (1024 * 1024) === 0 ? `${most / (1024 * 1024)} MB` : `${Math.floor(most / 1024)} kB` },
  });

/** Never inflated: ten kilobytes may hide ten gigabytes. */
export function requirePlain(request: IncomingMessage, allowed: string): void {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') fail('unsupported_media_type', { words: { allowed } });
}

export async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) tooLarge(most);
  const pieces: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => request.destroy(), MOST_READING_MS);
  try {
    await readPieces(request, (piece) => {
      size += piece.length;
      if (size > most) tooLarge(most);
      pieces.push(piece);
    });
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(pieces);
}

const TOO_DEEP = {
  field: '',
  code: 'too_deep',
  message: {
    en: `The body is nested more than ${MAX_JSON_DEPTH} levels deep`,
    tr: `Gövde ${MAX_JSON_DEPTH} düzeyden daha derin`,
  },
};

/** A JSON object; an empty body is an empty one. */
export async function readJson(
  request: IncomingMessage,
  most: number,
  allowed = 'application/json',
): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  requirePlain(request, allowed);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    fail('unsupported_media_type', { words: { allowed } });
  const text = (await readBody(request, most)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('invalid_json');
  if (isTooDeep(value)) fail('validation_failed', { details: [TOO_DEEP] });
  return value as Record<string, unknown>;
}
