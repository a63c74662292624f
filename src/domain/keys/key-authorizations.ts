// Special authorizations of a key (bids, running a live auction): given by two administrators, taken away by one. With the platform role.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { audit } from '../writes/audit.ts';
import { type Decided, type Decider, proposeDecision } from './admin-decisions.ts';
import { AUTHORIZATIONS, type Authorization } from './key-policy.ts';

interface AuthorizedKey {
  readonly account_id: string;
  readonly authorizations: readonly Authorization[];
  readonly revoked: boolean;
}

async function lockKey(db: Db, keyId: string): Promise<AuthorizedKey> {
  const key = await db.one<AuthorizedKey>(
    sql`select account_id, authorizations, revoked_at is not null as revoked from api_keys where id = ${keyId} for update`,
  );
  if (key.revoked) fail('key_ended');
  return key;
}

export async function authorizeKey(
  db: Db,
  keyId: string,
  requested: readonly Authorization[],
  by: Decider,
): Promise<Decided | { readonly waits: false }> {
  const { account_id: accountId, authorizations } = await lockKey(db, keyId);
  const next = AUTHORIZATIONS.filter((one) => requested.includes(one));
  if (next.every((one) => authorizations.includes(one))) {
    await setAuthorizations(db, keyId, { authorizations: next, decisionId: null }, by);
    return { waits: false };
  }
  const details = { authorizations: next, before: authorizations };
  const decided = await proposeDecision(db, { kind: 'key_authorization', accountId, subject: keyId, amount: null, details }, by);
  if (!decided.waits) await setAuthorizations(db, keyId, { authorizations: next, decisionId: decided.id }, by);
  return decided;
}

export async function setAuthorizations(
  db: Db,
  keyId: string,
  { authorizations, decisionId }: { readonly authorizations: readonly Authorization[]; readonly decisionId: string | null },
  { actor, realNow }: Pick<Decider, 'actor' | 'realNow'>,
): Promise<void> {
  const { account_id: accountId, authorizations: before } = await lockKey(db, keyId);
  await db.exec(sql`update api_keys set authorizations = ${authorizations}, decision_id = coalesce(${decisionId}::uuid, decision_id),
      updated_at = ${realNow} where account_id = ${accountId} and id = ${keyId}`);
  const after = { authorizations };
  await audit(db, actor, 'key.authorized', keyId, { accountId, before: { authorizations: before }, after });
}
