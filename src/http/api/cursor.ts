// Cursors: a position in a list, signed, so that it cannot be forged, changed or used with another list.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WalkPosition } from '../../kit/page.ts';

const LIFE_MS = 24 * 3_600_000;

/** `list`: data set, endpoint and filters; a cursor is valid only for these. */
export function signCursor(secret: Buffer, list: string, after: WalkPosition, realNow: Date): string {
  const content = Buffer.from(JSON.stringify([realNow.getTime() + LIFE_MS, ...after])).toString('base64url');
  return `${content}.${signatureOf(secret, list, content)}`;
}

/** The record after which the page begins: null at the start of a walk, undefined for a cursor of another list or an expired one. */
export function readCursor(secret: Buffer, list: string, cursor: string, realNow: Date): WalkPosition | null | undefined {
  if (cursor === 'start') return null;
  const [content = '', signature = '', ...more] = cursor.split('.');
  const [received, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, list, content))];
  if (more.length > 0 || received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
  const [endsAt, ...after] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [number, ...string[]];
  return endsAt > realNow.getTime() ? after : undefined;
}

/** When a cursor says that it was made; not verified, so it decides only which refusal a cursor gets that is not valid. */
export function cursorTime(cursor: string): number | null {
  try {
    const [endsAt] = JSON.parse(Buffer.from(cursor.split('.')[0]!, 'base64url').toString()) as [unknown];
    return typeof endsAt === 'number' ? endsAt - LIFE_MS : null;
  } catch {
    return null;
  }
}

const signatureOf = (secret: Buffer, list: string, content: string): string =>
  createHmac('sha256', secret).update(`${list}\n${content}`).digest('base64url').slice(0, 32);
