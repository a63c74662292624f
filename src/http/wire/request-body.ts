// The body of a request, read no further than allowed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, fail } from '../../kit/errors.ts';

/** A body that brings less than this in so long is given up: it holds a place and memory that others could use. 1.6 kB a second. */
const SLOW_AFTER_MS = 10_000;
const MIN_BYTES = 16 * 1024;

/** Callers that wait to be told before they send (`Expect: 100-continue`), as curl does with anything large. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export const awaitsGoAhead = (request: IncomingMessage, response: ServerResponse): unknown => waiting.set(request, response);

/** The caller has gone, or was too slow. Nobody hears the answer, but the log is to call it by its name. */
export const brokenOff = (): Failure =>
  new Failure('validation_failed', {
    details: [{ field: '', code: 'invalid', message: { en: 'The body broke off', tr: 'Gövde yarıda kesildi' } }],
  });

const tooSlow = (): Failure =>
  new Failure('validation_failed', {
    details: [{ field: '', code: 'too_slow', message: { en: 'The body came too slowly', tr: 'Gövde çok yavaş geldi' } }],
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
    let received = 0;
    let isHeld = false;
    const end = (error?: unknown) => {
      clearInterval(look);
      reading.delete(request);
      request.off('data', onPiece).off('end', onEnd).off('close', onClose).off('error', onClose);
      request.on('error', () => {});
      if (error === undefined) resolve();
      else reject(error);
    };
    const look = setInterval(() => {
      if (received < MIN_BYTES && !isHeld) end(tooSlow());
      received = 0;
    }, SLOW_AFTER_MS);
    const onPiece = (piece: Buffer) => {
      received += piece.length;
      try {
        const held = take(piece);
        if (held === undefined) return;
        // While we are the slower ones, the caller is not blamed for it.
        isHeld = true;
        request.pause();
        held.then(() => {
          isHeld = false;
          received = MIN_BYTES;
          request.resume();
        }, end);
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

export const tooLarge = (max: number): never =>
  fail('payload_too_large', {
    words: { allowed: max % (1024 * 1024) === 0 ? `${max / (1024 * 1024)} MB` : `${Math.floor(max / 1024)} kB` },
  });

/** Never inflated: ten kilobytes may hide ten gigabytes. */
export function requirePlain(request: IncomingMessage, allowed: string): void {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') fail('unsupported_media_type', { words: { allowed } });
}

/** Whole in memory; `hold` counts what is. */
export async function readBody(request: IncomingMessage, max: number, hold: (bytes: number) => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) tooLarge(max);
  const pieces: Buffer[] = [];
  let size = 0;
  await readPieces(request, (piece) => {
    size += piece.length;
    if (size > max) tooLarge(max);
    hold(piece.length);
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}
