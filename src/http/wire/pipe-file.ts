// A stored file as the body of a reply.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { OpenFile } from '../../domain/files/file-store.ts';

/** A reader who takes nothing for this long is disconnected. */
const IDLE_MS = 60_000;

/** Sends the bytes after the headers, at the reader's pace; none for HEAD. */
export async function pipeFile(request: IncomingMessage, response: ServerResponse, { stream }: OpenFile): Promise<void> {
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  response.setTimeout(IDLE_MS, () => response.destroy());
  // A reply that breaks off is shorter than its Content-Length, so readers notice it.
  await pipeline(stream, response).catch(() => response.destroy());
}
