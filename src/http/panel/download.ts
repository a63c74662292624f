// Sends a file that is generated on the way: at the browser's pace, and no further once it has left.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { maskText } from '../../domain/privacy/mask.ts';
import { fail } from '../../kit/errors.ts';
import type { PanelFile } from '../../panel/kit/endpoint.ts';
import { NO_STORE, PIECE_BYTES } from '../wire/reply.ts';
import type { PanelCall, PanelParts } from './call.ts';

/** A failure before the first piece is answered as an error; after that the download breaks off. */
export async function sendFile(
  parts: PanelParts,
  call: PanelCall,
  file: PanelFile,
  response: ServerResponse,
  masked: boolean,
): Promise<void> {
  const pieces = file.pieces[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (masked && first.done !== true && typeof first.value !== 'string') {
    await pieces.return?.();
    fail('not_permitted');
  }
  const shown = file.type === 'application/pdf' ? 'inline' : 'attachment';
  const name = `${shown}; filename="${file.name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  response.writeHead(200, [
    ...['Content-Type', file.type, 'Cache-Control', NO_STORE, 'Content-Disposition', name],
    ...(file.checkedAt === null ? [] : ['Link', `<${file.checkedAt}>; rel="describedby"`]),
    ...['X-Request-Id', call.id, ...parts.common],
  ]);
  const all = async function* () {
    try {
      for (let piece = first; piece.done !== true; piece = await pieces.next())
        yield* inPieces(Buffer.from(masked ? maskText(piece.value as string) : piece.value));
    } finally {
      await pieces.return?.();
    }
  };
  try {
    await pipeline(Readable.from(all()), response);
  } catch (error) {
    response.destroy();
    if (!hasLeft(error)) parts.log.warn('a download broke off', { request_id: call.id, reason: String(error) });
  }
  parts.metrics.answered(200, null, performance.now() - call.started);
}

/** Small pieces, so that the progress of a slow reader is noticed. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const hasLeft = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
