// A visit to a signing link: whom it belongs to, and what of its document may be shown. A link that was guessed or altered leads to
// nobody, whichever part of it is wrong.
import type { IncomingMessage } from 'node:http';
import { readSigning, type Signing, sessionHash } from '../../domain/documents/signing/signing.ts';
import { findLinked, type Linked, readToken } from '../../domain/documents/signing/signing-link.ts';
import type { Writer } from '../../domain/writes/write.ts';
import type { Database } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { Actor, Work } from '../../kit/work.ts';
import type { CatchUp } from '../api/catch-up.ts';

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
  readonly linked: Linked;
  /** The session that a code opened in this browser; null where none was. */
  readonly session: Buffer | null;
  readonly signing: Signing;
}

interface VisitParts {
  readonly database: Database;
  readonly catchUp: CatchUp;
}

/** Of one link: the cookie is sent to this link's addresses only. */
const COOKIE = '__Secure-sign';

export const signingCookie = (path: string, session: string): string =>
  `${COOKIE}=${session}; Path=${path}; Secure; HttpOnly; SameSite=Lax`;

function sessionIn(request: IncomingMessage): Buffer | null {
  for (const part of (request.headers.cookie ?? '').slice(0, 8192).split(';')) {
    const [name, value = ''] = part.trim().split('=', 2) as [string, string?];
    if (name === COOKIE) return /^[\w-]{43}$/.test(value) ? sessionHash(value) : null;
  }
  return null;
}

/** Null where the link leads nowhere. What the clock has ended is ended first. */
export async function openVisit(
  { database, catchUp }: VisitParts,
  token: string,
  { now, realNow }: Visitor,
  request: IncomingMessage,
): Promise<Visit | null> {
  const read = readToken(token);
  if (read === null) return null;
  const { dataSet } = read;
  const linked = await database.inTenant(dataSet, 'read', (db) => findLinked(db, read));
  if (linked === null) return null;
  const account = await database.onPlatform('read', (db) =>
    db.one<Visit['account']>(
      sql`select a.id, a.timezone from data_sets d join accounts a on a.id = d.account_id where d.id = ${dataSet}`,
    ),
  );
  await catchUp.ensure({ dataSetId: dataSet, accountId: account.id, timezone: account.timezone }, now);
  const session = sessionIn(request);
  const signing = await database.inTenant(dataSet, 'read', (db) => readSigning(db, linked, { now, realNow, session }));
  return { dataSet, account, linked, session, signing };
}

/** Whoever holds the link: they have no name here that was proved. */
export const signerOf = ({ id, ip, userAgent }: Visitor): Actor => ({
  ...{ type: 'system', name: 'signing page', ip, userAgent, requestId: id },
});

export const writeForVisit = <T>(
  writer: Writer,
  visitor: Visitor,
  { dataSet, account }: Visit,
  run: (work: Work) => Promise<T>,
): Promise<T> => writer.write({ dataSet, account, actor: signerOf(visitor), requestId: visitor.id, now: visitor.now }, run);
