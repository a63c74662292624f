// Pages that are made for each request, compressed for browsers that accept it: a document of two pages is 65 kB of HTML, 8 kB with
// gzip. Only for pages that show nothing of the request itself: a length that a caller can vary would disclose the rest.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Reply } from './reply.ts';

const gzipInThread = promisify(gzip);

/** One packet holds less, so that compressing it saves nothing. */
const MIN_BYTES = 1200;

export const acceptsGzip = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers['accept-encoding'] ?? ''));

export async function compressed(request: Pick<IncomingMessage, 'headers'>, reply: Reply): Promise<Reply> {
  const { body, headers } = reply;
  if (body === null || body.length < MIN_BYTES) return reply;
  const varied = [...headers, 'Vary', 'Accept-Encoding'];
  if (!acceptsGzip(request)) return { ...reply, headers: varied };
  return { ...reply, headers: [...varied, 'Content-Encoding', 'gzip'], body: await gzipInThread(body) };
}
