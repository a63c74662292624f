// The session cookie, its session, and CSRF tokens.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { findSession, type LiveSession, type Origin, touchSession } from '../../domain/identity/sessions.ts';
import { addressGroup } from '../../domain/net/address.ts';
import type { Database } from '../../kit/db.ts';
import type { Budgets } from '../wire/budgets.ts';
import { isLocalRequest } from '../wire/local-request.ts';

/** `__Host-` limits the cookie to this host over TLS (or loopback), so that no other site or subdomain can set it. */
const SESSION_COOKIE = '__Host-panel';
/** Binds forms of people who are not signed in to their browser. */
const FORM_COOKIE = '__Host-panel-form';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export const sessionCookie = (token: string | null): string =>
  token === null ? `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}` : `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}`;
export const formCookie = (value: string): string => `${FORM_COOKIE}=${value}; ${ATTRIBUTES}`;

export const sessionTokenOf = (request: IncomingMessage): string | null => cookieOf(request, SESSION_COOKIE);
export const formValueOf = (request: IncomingMessage): string | null => cookieOf(request, FORM_COOKIE);

/** Accepts only values of the form that we issue. */
function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').slice(0, 8192).split(';')) {
    const [key, value = ''] = part.trim().split('=', 2) as [string, string?];
    if (key === name) return /^[\w-]{20,100}$/.test(value) ? value : null;
  }
  return null;
}

/** The session of a request, or null. Updates `last_seen_at`. Callers have to refuse a pending session. */
export async function sessionOf(
  { database, budgets }: { readonly database: Database; readonly budgets: Budgets },
  request: IncomingMessage,
  origin: Origin,
  realNow: Date,
): Promise<LiveSession | null> {
  const token = sessionTokenOf(request);
  if (token === null) return null;
  const session = await budgets.strangers.during(addressGroup(origin.ip), () =>
    database.onPlatform('read', (db) => findSession(db, token, realNow)),
  );
  if (session?.demo && !isLocalRequest(request)) return null;
  if (session?.stale && !session.pending)
    await database.onPlatform('write', (db) => touchSession(db, session.id, origin, realNow));
  return session;
}

/** Derived from the session's id, so nothing is stored and another session's token is useless. */
export const csrfToken = (secret: Buffer, bound: string): string =>
  createHmac('sha256', secret).update(`csrf ${bound}`).digest('base64url');

export function isCsrfToken(secret: Buffer, bound: string, received: string | undefined): boolean {
  const expected = Buffer.from(csrfToken(secret, bound));
  const got = Buffer.from(received ?? '');
  return got.length === expected.length && timingSafeEqual(got, expected);
}
