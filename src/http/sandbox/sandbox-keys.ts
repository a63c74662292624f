// Idempotency-Key for resets and moves of the clock. They take longer than one transaction, so a key is claimed first and renewed while the
// action runs; the claim of a process that died ends after a few seconds, and the same request then continues.
import { hash } from 'node:crypto';
import type { Secrets } from '../../domain/vault/secrets.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, keepsVersion } from '../../kit/db.ts';
import { Failure, fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { type FirstReply, type KeyedWrite, knownReply, storeReply } from '../api/idempotency.ts';

export interface KeyParts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

const RENEW_MS = 2000;
const CLAIM_MS = 10_000;

/** A space keeps it apart from the keys of requests, which have none: both are records of the production account. */
const storedKey = (key: string): string => `sandbox ${hash('sha256', key, 'base64url')}`;

/** Runs `act` once for a key; a repeated request gets the first reply. Refusals that a later try may not meet are not stored. */
export async function once(
  { database, secrets, clock }: KeyParts,
  ownerId: string,
  keyed: KeyedWrite,
  act: () => Promise<FirstReply>,
): Promise<{ readonly reply: FirstReply; readonly isReplay: boolean }> {
  const write = { ...keyed, key: storedKey(keyed.key) };
  const keys = sealingKeys(secrets, ownerId);
  const { key } = write;
  const claim = (isRenewed: boolean) =>
    database.inTenant(
      ownerId,
      'write',
      (db) => {
        const [now, ended] = [clock.realNow(), new Date(clock.realNow().getTime() - CLAIM_MS)];
        return db.exec(sql`insert into idempotency (account_id, key, endpoint, fingerprint, created_at)
          values (${theAccount}, ${key}, ${write.endpoint}, ${write.fingerprint}, ${now})
          on conflict (account_id, key) do update set created_at = excluded.created_at where idempotency.status is null
            and idempotency.fingerprint = excluded.fingerprint and (${isRenewed} or idempotency.created_at < ${ended}::timestamptz)`);
      },
      keepsVersion,
    );
  if ((await claim(false)) === 0) {
    const isDone = await database.inTenant(ownerId, 'read', (db) =>
      db.last<{ done: boolean }>(
        sql`select exists (select from ${own('idempotency')} where key = ${key} and (status is not null
          or fingerprint <> ${write.fingerprint})) as done`,
      ),
    );
    if (!isDone.done) fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
    return { reply: (await database.inTenant(ownerId, 'read', (db) => knownReply(db, keys, write)))!, isReplay: true };
  }
  const renewing = setInterval(() => void claim(true).catch(() => {}), RENEW_MS);
  const end = (reply: FirstReply | null) =>
    database.inTenant(ownerId, 'write', (db) => storeReply(db, keys, write, reply), keepsVersion);
  try {
    const reply = await act();
    await end(reply);
    return { reply, isReplay: false };
  } catch (error) {
    if (error instanceof Failure) await end(null);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}
