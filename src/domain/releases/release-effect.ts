// The effect of opening or closing an endpoint on keys: which of them gain or lose it, and which are still refused and why.
import type { Db } from '../../kit/db.ts';
import type { ErrorCode } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { buildCatalog, type CatalogEndpoint } from '../catalog/catalog.ts';
import { type KeyPolicy, type Release, route } from '../keys/key-policy.ts';

export interface HoldingKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'production' | 'sandbox';
  readonly account_id: string;
  readonly account: string;
  /** Null if the key may use the endpoint while it is open. */
  readonly refused: ErrorCode | null;
}

interface HoldingKeyRecord extends Omit<HoldingKey, 'refused'> {
  readonly authorizations: string[];
  readonly suspended: boolean;
}

/** With the platform role: keys that are neither revoked nor expired and hold the endpoint, by account. */
export async function keysHolding(
  db: Db,
  endpoint: CatalogEndpoint,
  sandboxShared: boolean,
  realNow: Date,
): Promise<HoldingKey[]> {
  const found =
    await db.rows<HoldingKeyRecord>(sql`select k.id, k.name, k.environment, k.account_id, a.name as account, k.authorizations,
      a.status <> 'Aktif' as suspended
    from key_endpoints e
    join api_keys k on k.account_id = e.account_id and k.id = e.key_id and k.revoked_at is null
    join accounts a on a.id = k.account_id
    where e.endpoint = ${endpoint.id} and (k.expires_at is null or k.expires_at > ${realNow})
    order by fold_tr(a.name), a.id, k.name, k.id`);
  const catalog = buildCatalog([endpoint]);
  // Evaluated with the API's own rules, as if the endpoint were the only one in the catalog and open.
  const open: Release = { isLive: () => true, sandboxShared };
  return found.map(({ authorizations, suspended, ...key }) => {
    const policy: KeyPolicy = {
      revoked: false,
      expiresAt: null,
      allowedIps: [],
      endpoints: new Set([endpoint.id]),
      environment: key.environment,
      authorizations,
      accountSuspended: suspended,
    };
    return { ...key, refused: route(catalog, open, policy, endpoint.method, endpoint.path).refusal?.code ?? null };
  });
}

export interface Demand {
  /** Valid keys that hold the endpoint, and their accounts: a sign of interest without a vote. */
  readonly keys: number;
  readonly accounts: number;
}

/** With the platform role. */
export async function demandByKeys(db: Db, realNow: Date): Promise<Map<string, Demand>> {
  const rows = await db.rows<Demand & { endpoint: string }>(sql`select e.endpoint, count(*)::int as keys,
      count(distinct e.account_id)::int as accounts
    from key_endpoints e
    join api_keys k on k.account_id = e.account_id and k.id = e.key_id and k.revoked_at is null
    where k.expires_at is null or k.expires_at > ${realNow}
    group by e.endpoint`);
  return new Map(rows.map(({ endpoint, ...demand }) => [endpoint, demand]));
}
