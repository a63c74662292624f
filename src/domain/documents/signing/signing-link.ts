// The link with which one recipient signs one document. It cannot be guessed (256 random bits), and only its hash is stored.
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../../kit/db.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';

const RANDOM_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

/** The link contains its data set, so that no other data set is searched. */
export interface SigningToken {
  readonly dataSet: string;
  readonly hash: Buffer;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function readToken(token: string): SigningToken | null {
  if (!TOKEN.test(token)) return null;
  const hex = Buffer.from(token, 'base64url').subarray(0, 16).toString('hex');
  return { dataSet: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), hash: hashOf(token) };
}

/** A new link each time: old ones cannot be recovered from their hashes, and stay valid as long as the document. */
export async function newSigningLink({ db, now, keys }: Work, recipientId: string): Promise<string> {
  const token = Buffer.concat([Buffer.from(keys.account.replaceAll('-', ''), 'hex'), randomBytes(RANDOM_BYTES)]).toString(
    'base64url',
  );
  await db.exec(sql`insert into signing_links (account_id, token_hash, recipient_id, created_at)
    values (${theAccount}, ${hashOf(token)}, ${recipientId}, ${now})`);
  return `/sign/${token}`;
}

/** The recipient and the document of a link, in any state. */
export interface Linked {
  readonly recipient_id: string;
  readonly document_id: string;
}

export async function findLinked(db: Db, { hash }: SigningToken): Promise<Linked | null> {
  const [found] =
    await db.rows<Linked>(sql`select document_recipients.id as recipient_id, document_id from ${own('signing_links')}
    join ${own('document_recipients')} on document_recipients.id = recipient_id where token_hash = ${hash}`);
  return found ?? null;
}
