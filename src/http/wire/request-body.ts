// Reads the body of a request, up to a limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, fail } from '../../kit/errors.ts';

/** A body that brings less than MIN_BYTES in this time (1.6 kB a second) is given up, because it occupies a slot and memory. */
const SLOW_AFTER_MS = 10_000;
const MIN_BYTES = 16 * 1024;

/** Callers that wait for 100-continue before they send the body, as curl does with large ones. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export const awaitsGoAhead = (request: IncomingMessage, response: ServerResponse): unknown => waiting.set(request, response);

/** The caller disconnected or was too slow. The reply will not be read, but the log gets the right error code. */
export const brokenOff = (): Failure =>
  new Failure('validation_failed', {
    details: [{ field: '', code: 'invalid', message: { en: 'The body broke off', tr: 'Gövde yarıda kesildi' } }],
  });

const tooSlow = (): Failure =>
  new Failure('validation_failed', {
    details: [{ field: '', code: 'too_slow', message: { en: 'The body came too slowly', tr: 'Gövde çok yavaş geldi' } }],
  });

/** Notifies the reader of a body that the rest will not arrive or is no longer awaited. */
const reading = new WeakMap<IncomingMessage, (why?: Failure) => void>();

/** Requests whose body broke off before it was read; a later reader gets the error. */
const broken = new WeakSet<IncomingMessage>();

/** Requests whose body is not read, and why. */
const givenUp = new WeakMap<IncomingMessage, Failure>();

/** Stops waiting for the rest of the body, because other requests need its slot. */
export function giveUpBody(request: IncomingMessage, why: Failure): void {
  givenUp.set(request, why);
  reading.get(request)?.(why);
}

export function whenBroken(request: IncomingMessage, stop: (why?: Failure) => void): void {
  if (broken.has(request)) stop();
  else reading.set(request, stop);
}

/** False while the caller still waits for 100-continue. */
export const isSending = (request: IncomingMessage): boolean => !waiting.has(request);

/** Called when the parser fails within a body or the connection ends. False where the request had already ended. */
export function breakOff(request: IncomingMessage): boolean {
  const stop = reading.get(request);
  if (stop === undefined && request.complete) return false;
  broken.add(request);
  stop?.();
  return true;
}

/**
 * Reads piece by piece; a promise from `take` pauses the caller. If it throws, reading stops and the connection stays open,
 * because the reply has still to arrive (reply.ts).
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
        // While we are the slower side, the caller's speed is not measured.
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
    whenBroken(request, (why = brokenOff()) => end(why));
    if (givenUp.has(request)) end(givenUp.get(request));
  });
}

export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

export const tooLarge = (max: number): never =>
  fail('payload_too_large', {
    words: { allowed: max % (1024 * 1024) === 0 ? `${max / (1024 * 1024)} MB` : `${Math.floor(max / 1024)} kB` },
  });

/** Compressed bodies are refused, because ten kilobytes may expand to ten gigabytes. */
export function requirePlain(request: IncomingMessage, allowed: string): void {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') fail('unsupported_media_type', { words: { allowed } });
}

/** Reads the whole body into memory; `hold` counts the bytes. */
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
