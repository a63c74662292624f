// The body of a request, read whole and no longer than allowed.
import type { IncomingMessage } from 'node:http';
import { fail } from '../kit/errors.ts';

export async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const tooLarge = () => fail('payload_too_large', { words: { allowed: `${Math.floor(most / 1024)} kB` } });
  if (Number(request.headers['content-length'] ?? 0) > most) tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A JSON object; an empty body is an empty one. */
export async function readJson(request: IncomingMessage, most: number): Promise<Record<string, unknown>> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return {};
  // Never inflated: ten kilobytes may hide ten gigabytes.
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    fail('unsupported_media_type', { words: { allowed: 'application/json' } });
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    fail('unsupported_media_type', { words: { allowed: 'application/json' } });
  const text = (await readBody(request, most)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('invalid_json');
  return value as Record<string, unknown>;
}
