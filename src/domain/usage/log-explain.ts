// Why a request was refused, in terms of the key's rules, and whether the same request would be refused today.
import type { Db } from '../../kit/db.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { decide, type KeyPolicy, type Release } from '../keys/key-policy.ts';
import { parseRange } from '../net/address.ts';
import type { LogLine } from './log-lines.ts';

/** The key's current properties that an explanation needs. */
export interface KeyNow {
  readonly id: string;
  readonly name: string;
  readonly revoked_at: string | null;
  readonly expires_at: string | null;
  readonly limit_per_minute: number;
  /** The number of allowed address ranges; 0 means any address. */
  readonly allowed_ips: number;
  readonly holds_row: boolean;
}

export interface Explanation {
  readonly key: KeyNow;
  /** The scope of the requested endpoint. */
  readonly scope: string | null;
  readonly row_live: boolean;
  /** The error code that the same request would get now; null if it would be allowed. */
  readonly today: string | null;
}

interface KeyRow {
  name: string;
  environment: 'production' | 'sandbox';
  revoked_at: Date | null;
  expires_at: Date | null;
  limit_per_minute: number;
  allowed_ips: string[];
  authorizations: string[];
  endpoints: string[];
  suspended: boolean;
}

export async function explain(db: Db, catalog: Catalog, release: Release, line: LogLine, realNow: Date): Promise<Explanation> {
  const key = await db.one<KeyRow>(sql`select name, environment, revoked_at, expires_at, limit_per_minute, allowed_ips,
      authorizations, array(select endpoint from ${own('key_endpoints')} where key_id = ${line.key_id}) as endpoints,
      (select status <> 'Aktif' from ${own('accounts')}) as suspended
    from ${own('api_keys')} where id = ${line.key_id}`);
  const endpoint = line.endpoint === null ? undefined : catalog.byId.get(line.endpoint);
  const call = {
    method: line.method,
    path: pathBehind(line.path),
    ip: line.ip ?? '',
    realNow: realNow.getTime(),
    withinLimit: true,
  };
  return {
    key: {
      id: line.key_id,
      name: key.name,
      revoked_at: key.revoked_at?.toISOString() ?? null,
      expires_at: key.expires_at?.toISOString() ?? null,
      limit_per_minute: key.limit_per_minute,
      allowed_ips: key.allowed_ips.length,
      holds_row: line.endpoint !== null && key.endpoints.includes(line.endpoint),
    },
    scope: endpoint?.scope ?? null,
    row_live: endpoint !== undefined && release.isLive(endpoint.id),
    today: decide(catalog, release, policyOf(key), call)?.code ?? null,
  };
}

function policyOf(key: KeyRow): KeyPolicy {
  return {
    revoked: key.revoked_at !== null,
    expiresAt: key.expires_at?.getTime() ?? null,
    allowedIps: key.allowed_ips.map((text) => parseRange(text)!),
    endpoints: new Set(key.endpoints),
    environment: key.environment,
    authorizations: key.authorizations,
    accountSuspended: key.suspended,
  };
}

/** The path after /api/v1/, as in the catalog. */
const pathBehind = (path: string): string => path.replace(/^.*?\/api\/v1\//, '');
