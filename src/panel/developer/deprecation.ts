// What of an endpoint is deprecated, and which keys still call it.
import { type DeprecatedField, deprecatedFieldsOf, eachOnce } from '../../domain/catalog/deprecation.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { Deprecation } from '../../kit/endpoint.ts';
import { sql } from '../../kit/sql.ts';
import { readLogFirst } from '../kit/log-first.ts';
import type { ServedEndpoint } from '../kit/services.ts';

export interface DeprecationView {
  /** Null if only fields are deprecated. */
  readonly endpoint: Deprecation | null;
  readonly fields: readonly DeprecatedField[];
  /** Keys that called the endpoint in the last 30 days: of the account, or of all accounts outside of one; null while usage cannot be read. */
  readonly key_count: number | null;
  /** Those keys, of the account only. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly environment: string }[];
}

const CALLED_WITHIN_MS = 30 * 86_400_000;

/** Bodies are not kept, so a key counts that called the endpoint, whichever fields it sent or read. */
export async function readDeprecation(
  database: Database,
  { id, body }: ServedEndpoint,
  accountId: string | null,
  realNow: Date,
): Promise<DeprecationView | null> {
  if (body === null) return null;
  const { taken, answered } = deprecatedFieldsOf(body);
  const fields = eachOnce([...taken, ...answered]);
  if (body.deprecated === undefined && fields.length === 0) return null;
  const found = { endpoint: body.deprecated ?? null, fields };
  const callers = await readLogFirst(database, (log) => readCallers(log, id, accountId, realNow));
  if (callers === null) return { ...found, key_count: null, keys: [] };
  const of = accountId === null ? sql`true` : sql`account_id = ${accountId}`;
  const keys = await database.onPlatform('read', (db) =>
    db.rows<DeprecationView['keys'][number]>(sql`select id, name, environment from api_keys
      where revoked_at is null and id = any(${callers}::uuid[]) and ${of} order by name, id`),
  );
  return { ...found, key_count: keys.length, keys: accountId === null ? [] : keys };
}

/** By key, because the index of usage begins with the account and the key. */
async function readCallers(log: Db, endpoint: string, accountId: string | null, realNow: Date): Promise<string[]> {
  const since = new Date(realNow.getTime() - CALLED_WITHIN_MS);
  const of = accountId === null ? sql`true` : sql`account_id = ${accountId}`;
  const found = await log.rows<{ key_id: string }>(sql`select key_id
    from (select distinct account_id, key_id from usage_secrets where ${of}) k
    where exists (select 1 from usage_calls u where u.account_id = k.account_id and u.key_id = k.key_id and u.hour >= ${since}
      and u.endpoint = ${endpoint} and u.error_code <> 'insufficient_scope')`);
  return found.map(({ key_id }) => key_id);
}
