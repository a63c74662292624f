// Makes a write with an Idempotency-Key happen once. The key is inserted before the effect, in the same transaction: a second
// request waits for the first to end, violates the primary key, and reads the first reply. A crash leaves no key "in progress".
import { hash } from 'node:crypto';
import { seal, unseal } from '../../domain/vault/vault.ts';
import { type Db, Rollback, sqlState } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { SealingKeys } from '../../kit/work.ts';

export interface KeyedWrite {
  readonly key: string;
  readonly endpoint: string;
  readonly fingerprint: Buffer;
}

export interface FirstReply {
  readonly status: number;
  readonly body: Buffer;
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/** The header as it was sent, or null where there is none. */
export function readIdempotencyKey(headers: readonly string[] | undefined, isRequired: boolean): string | null {
  if (headers === undefined) return isRequired ? fail('idempotency_key_required') : null;
  if (headers.length !== 1 || !VISIBLE_ASCII.test(headers[0]!)) fail('idempotency_key_invalid');
  return headers[0]!;
}

/** Identifies equal requests: the endpoint, the path's parameters and the body's JSON, in any order of fields. */
export function fingerprintOf(endpoint: string, params: Readonly<Record<string, string>>, body: unknown): Buffer {
  return hash('sha256', JSON.stringify([endpoint, params, canonical(body ?? null)]), 'buffer');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  // Pairs, because a field may be called __proto__.
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, canonical(inner)]);
}

/** Rolls back the write: the key has a reply already, or another request with it is still running. */
export class KeyTaken extends Rollback {}

/**
 * Inserts the key, together with the write's first statement. The returned function stores the reply: in the same insert if that was
 * not sent yet, as in a write that sends all its statements together, and otherwise by an update.
 */
export function claimKey(db: Db, keys: SealingKeys, write: KeyedWrite, realNow: Date): (reply: FirstReply) => void {
  let kept: SealedReply | null = null;
  let hasLeft = false;
  const claim = () => {
    hasLeft = true;
    return insertion(write, realNow, kept);
  };
  db.send(claim, (error) => {
    // Not a Failure: in a bulk write, whose items fail one by one, the first item would take it for its own error.
    throw ['23505', WAITED].includes(sqlState(error) ?? '') ? new KeyTaken('the key is taken') : error;
  });
  return (reply) => {
    kept = sealReply(keys, write, reply);
    if (!hasLeft) return;
    db.send(sql`update idempotency set status = ${kept.status}, body_encrypted = ${kept.body}
      where account_id = ${theAccount} and key = ${write.key}`);
  };
}

/** Stores a refusal as the reply to a key. If another request with the key was answered first, returns that reply. */
export async function keepRefusal(
  db: Db,
  keys: SealingKeys,
  write: KeyedWrite,
  realNow: Date,
  reply: FirstReply,
): Promise<FirstReply> {
  const isFirst = await db
    .exec(sql`${insertion(write, realNow, sealReply(keys, write, reply))} on conflict do nothing`)
    .catch(refuseWaiting);
  return isFirst === 1 ? reply : (await knownReply(db, keys, write))!;
}

const insertion = (write: KeyedWrite, realNow: Date, reply: SealedReply | null): Sql =>
  sql`insert into idempotency (account_id, key, endpoint, fingerprint, status, body_encrypted, created_at)
    values (${theAccount}, ${write.key}, ${write.endpoint}, ${write.fingerprint}, ${reply?.status ?? null},
      ${reply?.body ?? null}, ${realNow})`;

/** SQLSTATE of a lock timeout: the first request is still running. */
const WAITED = '55P03';

function refuseWaiting(error: unknown): never {
  if (sqlState(error) === WAITED) fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
  throw error;
}

/** The first reply to the key, or null. A different request with the same key is refused. */
export async function knownReply(db: Db, keys: SealingKeys, write: KeyedWrite): Promise<FirstReply | null> {
  type Stored = { endpoint: string | null; fingerprint: Buffer; status: number; body_encrypted: Buffer };
  // Always returns a row, so that it can be the only statement of a read.
  const stored = await db.last<Stored>(sql`select endpoint, fingerprint, status, body_encrypted
    from (select 1) always left join ${own('idempotency')} on key = ${write.key}`);
  if (stored.endpoint === null) return null;
  if (stored.endpoint !== write.endpoint || !stored.fingerprint.equals(write.fingerprint)) fail('idempotency_key_reused');
  return { status: stored.status, body: Buffer.from(unseal(keys.ring, cellOf(keys, write.key), stored.body_encrypted)) };
}

/** Stores the reply to a key that was claimed before; null frees the key. */
export async function storeReply(db: Db, keys: SealingKeys, write: KeyedWrite, reply: FirstReply | null): Promise<void> {
  const kept = reply === null ? null : sealReply(keys, write, reply);
  const freed = kept === null ? sql`, created_at = '-infinity'` : sql``;
  await db.exec(sql`update idempotency set status = ${kept?.status ?? null}, body_encrypted = ${kept?.body ?? null}${freed}
    where account_id = ${theAccount} and key = ${write.key}`);
}

interface SealedReply {
  readonly status: number;
  readonly body: Buffer;
}

const sealReply = (keys: SealingKeys, { key }: KeyedWrite, { status, body }: FirstReply): SealedReply => ({
  status,
  body: seal(keys.ring, cellOf(keys, key), body),
});

const cellOf = ({ account }: SealingKeys, row: string) => ({ account, table: 'idempotency', column: 'body_encrypted', row });
