// The same write asked for twice happens once. The record of a key is inserted before the effect, in the effect's own transaction:
// whoever comes second waits for the first to end and then reads its reply, and a crash leaves nothing "in progress" behind.
import { createHash } from 'node:crypto';
import { seal, unseal } from '../../domain/vault/vault.ts';
import { type Db, sqlState } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
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
export function readIdempotencyKey(given: readonly string[] | undefined, isRequired: boolean): string | null {
  if (given === undefined) return isRequired ? fail('idempotency_key_required') : null;
  if (given.length !== 1 || !VISIBLE_ASCII.test(given[0]!)) fail('idempotency_key_invalid');
  return given[0]!;
}

/** What makes two requests the same: the row, the path's parameters and the body's JSON, whatever order its fields came in. */
export function fingerprintOf(endpoint: string, params: Readonly<Record<string, string>>, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([endpoint, params, canonical(body ?? null)]))
    .digest();
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  // Pairs, because a field may be called __proto__.
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, canonical(inner)]);
}

/** null: this request is the first, and its reply is to be kept. */
export async function firstReply(db: Db, keys: SealingKeys, write: KeyedWrite, now: Date): Promise<FirstReply | null> {
  const isFirst = await db
    .exec(
      sql`insert into idempotency (account_id, key, endpoint, fingerprint, created_at)
        values (${theAccount}, ${write.key}, ${write.endpoint}, ${write.fingerprint}, ${now}) on conflict do nothing`,
    )
    .catch((error) => {
      // The first one is still at work after as long as we wait for a lock.
      if (sqlState(error) === '55P03') return fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
      throw error;
    });
  if (isFirst === 1) return null;
  return (await knownReply(db, keys, write))!;
}

/** What the key was answered, if it was: another request under the same key is refused. */
export async function knownReply(db: Db, keys: SealingKeys, write: KeyedWrite): Promise<FirstReply | null> {
  const [stored] = await db.rows<{ endpoint: string; fingerprint: Buffer; status: number; body_encrypted: Buffer }>(
    sql`select endpoint, fingerprint, status, body_encrypted from ${own('idempotency')} where key = ${write.key}`,
  );
  if (stored === undefined) return null;
  if (stored.endpoint !== write.endpoint || !stored.fingerprint.equals(write.fingerprint)) fail('idempotency_key_reused');
  return { status: stored.status, body: Buffer.from(unseal(keys.ring, cellOf(keys, write.key), stored.body_encrypted)) };
}

export function keepReply(db: Db, keys: SealingKeys, key: string, { status, body }: FirstReply): void {
  const sealed = seal(keys.ring, cellOf(keys, key), body.toString('utf8'));
  db.send(
    sql`update idempotency set status = ${status}, body_encrypted = ${sealed} where account_id = ${theAccount} and key = ${key}`,
  );
}

const cellOf = ({ account }: SealingKeys, row: string) => ({ account, table: 'idempotency', column: 'body_encrypted', row });
