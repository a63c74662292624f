// Endpoints of a key that its maker may not use themselves: the maker requests them, and an owner confirms. With the platform role.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';

export interface EndpointRequest {
  readonly id: string;
  readonly endpoints: readonly string[];
  readonly asked_by_name: string;
  readonly created_at: string;
}

/** A later request for the same key adds to the open one. */
export async function askForEndpoints(
  db: Db,
  { accountId, keyId, endpoints }: { readonly accountId: string; readonly keyId: string; readonly endpoints: readonly string[] },
  personId: string,
  actor: Actor,
  realNow: Date,
): Promise<void> {
  await db.exec(sql`insert into key_row_requests (account_id, id, key_id, endpoints, asked_by, created_at)
    values (${accountId}, ${newId(realNow.getTime())}, ${keyId}, ${endpoints}, ${personId}, ${realNow})
    on conflict (account_id, key_id) where status = 'pending' do update set endpoints =
      array(select distinct unnest(key_row_requests.endpoints || excluded.endpoints) order by 1)`);
  await audit(db, actor, 'key.rows_requested', keyId, { accountId, after: { endpoints } });
}

export async function openEndpointRequest(db: Db, accountId: string, keyId: string): Promise<EndpointRequest | null> {
  const [open] =
    await db.rows<EndpointRequest>(sql`select r.id, r.endpoints, p.full_name as asked_by_name, utc_text(r.created_at) as created_at
    from key_row_requests r join people p on p.id = r.asked_by
    where r.account_id = ${accountId} and r.key_id = ${keyId} and r.status = 'pending'`);
  return open ?? null;
}

/** Locked. Another dealer's request is not found. */
export async function lockEndpointRequest(db: Db, accountId: string, keyId: string, id: string): Promise<readonly string[]> {
  const { status, endpoints } = await db.one<{ status: string; endpoints: string[] }>(sql`select status, endpoints
    from key_row_requests where account_id = ${accountId} and key_id = ${keyId} and id = ${id} for update`);
  if (status !== 'pending') fail('decided_meanwhile');
  return endpoints;
}

export async function decideEndpointRequest(
  db: Db,
  { accountId, keyId, id }: { readonly accountId: string; readonly keyId: string; readonly id: string },
  status: 'confirmed' | 'refused',
  personId: string,
  actor: Actor,
  realNow: Date,
): Promise<void> {
  await db.exec(sql`update key_row_requests set status = ${status}, decided_by = ${personId}, decided_at = ${realNow}
    where account_id = ${accountId} and id = ${id}`);
  await audit(db, actor, `key.rows_${status}`, keyId, { accountId });
}

/** Endpoints of the key that an owner has confirmed for its maker. */
export async function confirmedEndpoints(db: Db, accountId: string, keyId: string): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ endpoint: string }>(sql`select distinct unnest(endpoints) as endpoint from key_row_requests
    where account_id = ${accountId} and key_id = ${keyId} and status = 'confirmed'`);
  return new Set(rows.map(({ endpoint }) => endpoint));
}

/** A key that a developer made or changed, with its endpoints that no owner has confirmed. */
export interface DevelopedKey {
  readonly id: string;
  readonly name: string;
  readonly made_by: string;
  readonly endpoints: readonly string[];
}

/** Until an owner has seen the list; keys made under this rule are not in it, because their further endpoints are confirmed. */
export const keysOfDevelopers = (db: Db, accountId: string): Promise<DevelopedKey[]> =>
  db.rows<DevelopedKey>(sql`
    select k.id, k.name, a.actor as made_by,
      array(select e.endpoint from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id and not exists (
        select from key_row_requests r where r.account_id = k.account_id and r.key_id = k.id and r.status = 'confirmed'
          and e.endpoint = any(r.endpoints))) as endpoints
    from api_keys k join accounts on accounts.id = k.account_id and accounts.keys_reviewed_at is null
    cross join lateral (select actor from audit_log a where a.account_id = k.account_id and a.target = k.id::text
      and a.action in ('key.created', 'key.policy_changed') and a.role = 'developer' order by a.created_at limit 1) a
    where k.account_id = ${accountId} and k.revoked_at is null order by k.created_at, k.id limit 200`);

export async function markKeysReviewed(db: Db, accountId: string, actor: Actor, realNow: Date): Promise<void> {
  await db.exec(sql`update accounts set keys_reviewed_at = ${realNow} where id = ${accountId} and keys_reviewed_at is null`);
  await audit(db, actor, 'keys.reviewed', accountId, { accountId });
}
