// What of an endpoint is deprecated, and which keys still call it.
import { type DeprecatedField, deprecatedFieldsOf, eachOnce } from '../../domain/catalog/deprecation.ts';
import type { Db } from '../../kit/db.ts';
import type { Deprecation } from '../../kit/endpoint.ts';
import { sql } from '../../kit/sql.ts';
import type { ServedEndpoint } from '../kit/services.ts';

export interface DeprecationView {
  /** Null if only fields are deprecated. */
  readonly endpoint: Deprecation | null;
  readonly fields: readonly DeprecatedField[];
  /** Keys that called the endpoint in the last 30 days: of the account, or of all accounts outside of one. */
  readonly key_count: number;
  /** Those keys, of the account only. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly environment: string }[];
}

const CALLED_WITHIN_MS = 30 * 86_400_000;

/** Bodies are not kept, so a key counts that called the endpoint, whichever fields it sent or read. */
export async function readDeprecation(
  db: Db,
  { id, body }: ServedEndpoint,
  accountId: string | null,
  realNow: Date,
): Promise<DeprecationView | null> {
  if (body === null) return null;
  const { taken, answered } = deprecatedFieldsOf(body);
  const fields = eachOnce([...taken, ...answered]);
  if (body.deprecated === undefined && fields.length === 0) return null;
  const since = new Date(realNow.getTime() - CALLED_WITHIN_MS);
  const callers = sql`api_keys k where k.revoked_at is null and exists (select 1 from usage_calls u
    where u.account_id = k.account_id and u.key_id = k.id and u.hour >= ${since} and u.endpoint = ${id}
      and u.error_code <> 'insufficient_scope')`;
  const found = { endpoint: body.deprecated ?? null, fields };
  if (accountId === null) {
    const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from ${callers}`);
    return { ...found, key_count: count, keys: [] };
  }
  const keys = await db.rows<DeprecationView['keys'][number]>(
    sql`select k.id, k.name, k.environment from ${callers} and k.account_id = ${accountId} order by k.name, k.id`,
  );
  return { ...found, key_count: keys.length, keys };
}
