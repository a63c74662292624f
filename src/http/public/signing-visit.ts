// A visit to a signing link: its recipient, and what of its document may be shown. A guessed or altered link finds no recipient,
// whichever part of it is wrong.
import type { IncomingMessage } from 'node:http';
import { readSigning, type Signing, sessionHash } from '../../domain/documents/signing/signing.ts';
import { findLinked, type Linked, readToken } from '../../domain/documents/signing/signing-link.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import type { Writer } from '../../domain/writes/write.ts';
import type { Database } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';
import type { CatchUp } from '../api/catch-up.ts';
import { requireWorld, type Worlds } from '../api/worlds.ts';

export interface Visitor {
  readonly id: string;
  readonly now: Date;
  readonly realNow: Date;
  readonly ip: string;
  readonly userAgent: string | null;
}

export interface Visit {
  readonly dataSet: string;
  readonly account: { readonly id: string; readonly timezone: string };
  /** The isolated sandbox of the document; null in production. */
  readonly world: OpenWorld | null;
  readonly linked: Linked;
  /** The session that a code opened in this browser, or null. */
  readonly session: Buffer | null;
  readonly signing: Signing;
}

interface VisitParts {
  readonly database: Database;
  readonly catchUp: CatchUp;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
}

/** One cookie per link: its path is the link's. */
type LinkCookie = '__Secure-sign' | '__Secure-page';

export const linkCookie = (name: LinkCookie, path: string, session: string): string =>
  `${name}=${session}; Path=${path}; Secure; HttpOnly; SameSite=Lax`;

export function sessionIn(request: IncomingMessage, cookie: LinkCookie): Buffer | null {
  for (const part of (request.headers.cookie ?? '').slice(0, 8192).split(';')) {
    const [name, value = ''] = part.trim().split('=', 2) as [string, string?];
    if (name === cookie) return /^[\w-]{43}$/.test(value) ? sessionHash(value) : null;
  }
  return null;
}

/** Null for an unknown link. Timed transitions that are due run first. */
export async function openVisit(
  { database, catchUp, worlds }: VisitParts,
  token: string,
  visitor: Visitor,
  request: IncomingMessage,
): Promise<Visit | null> {
  const read = readToken(token);
  if (read === null) return null;
  const { dataSet } = read;
  const linked = await database.inTenant(dataSet, 'read', (db) => findLinked(db, read));
  if (linked === null) return null;
  const { kind, ...account } = await database.inTenant(dataSet, 'read', (db) =>
    db.last<Visit['account'] & { readonly kind: string }>(
      sql`select accounts.id, accounts.timezone, data_sets.kind from ${own('accounts')} cross join ${own('data_sets')}`,
    ),
  );
  // Sandboxes are closed with SANDBOX=shared.
  if (kind === 'sandbox' && worlds === null) return null;
  const world = kind === 'sandbox' ? await requireWorld(worlds, dataSet) : null;
  const { realNow } = visitor;
  const now = world?.now ?? visitor.now;
  await catchUp.ensure({ dataSetId: dataSet, accountId: account.id, timezone: account.timezone, world }, now);
  const session = sessionIn(request, '__Secure-sign');
  const signing = await database.inTenant(dataSet, 'read', (db) => readSigning(db, linked, { now, realNow, session }));
  return { dataSet, account, world, linked, session, signing };
}

/** The actor for the audit log. The holder of a link has not proved a name. */
export const visitorOf = ({ id, ip, userAgent }: Visitor, name: string): Actor => ({
  type: 'system',
  name,
  ip,
  userAgent,
  requestId: id,
});

export const signerOf = (visitor: Visitor): Actor => visitorOf(visitor, 'signing page');

export function writeForVisit<T>(
  { writer, worlds }: { readonly writer: Writer; readonly worlds: Worlds | null },
  visitor: Visitor,
  { dataSet, account, world }: Pick<Visit, 'dataSet' | 'account' | 'world'>,
  run: (work: Work) => Promise<T>,
  actor: Actor = signerOf(visitor),
): Promise<T> {
  const call = { dataSet, account, actor, requestId: visitor.id, now: visitor.now };
  if (world === null) return writer.write(call, run);
  return worlds!.write(world, (now) => writer.write({ ...call, now: now.now, world: now }, run));
}
