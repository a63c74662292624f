// What the panel shows of keys. With the platform role, because the visible part of a secret is stored beside its hash; every
// statement names the account. Traffic comes from the hourly rollups, never from the log.

import { type EndpointRequest, openEndpointRequest } from '../../domain/keys/key-endpoint-requests.ts';
import { EXPIRING_MS, type KeyConcern, type KeyState, keyConcerns, keyState } from '../../domain/keys/key-health.ts';
import type { Release } from '../../domain/keys/key-policy.ts';
import type { Environment } from '../../domain/keys/key-secret.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import type { Db } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import type { Paging } from '../../kit/page.ts';
import { allOf, type Sql, sql } from '../../kit/sql.ts';
import type { PanelServices } from '../kit/services.ts';

const HOUR = 3_600_000;
export const SPARK_HOURS = 24;

export interface KeyLine {
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly prefix: string;
  readonly last_four: string;
  readonly state: KeyState;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  readonly limit_per_minute: number;
  readonly allowed_ips: readonly string[];
  readonly endpoint_count: number;
  readonly risks: Readonly<Record<Risk, number>>;
  /** How many of its endpoints are open now. */
  readonly works_today: number;
  readonly last_used_at: string | null;
  readonly calls_24h: number;
  readonly errors_24h: number;
  /** Calls by hour, the present hour last. */
  readonly hours: readonly number[];
  readonly concerns: readonly KeyConcern[];
}

export interface SecretLine {
  readonly id: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: string;
  /** When a rotation ends this secret; null for the current one. */
  readonly expires_at: string | null;
  readonly works: boolean;
  readonly calls: number;
  readonly last_used_at: string | null;
}

export interface LimitRequestLine {
  readonly id: string;
  readonly asked_per_minute: number;
  readonly reason: string | null;
  readonly status: 'pending' | 'approved' | 'refused';
  readonly granted_per_minute: number | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly decided_at: string | null;
}

export interface KeyDetail extends KeyLine {
  readonly endpoints: readonly string[];
  readonly limit_per_hour: number | null;
  readonly limit_per_day: number | null;
  readonly authorizations: readonly string[];
  /** The newest first. */
  readonly secrets: readonly SecretLine[];
  /** The latest request, if any. */
  readonly limit_request: LimitRequestLine | null;
  /** Endpoints that wait for an owner, if any. */
  readonly row_request: EndpointRequest | null;
}

interface KeyRecord {
  id: string;
  name: string;
  environment: Environment;
  prefix: string;
  last_four: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
  limit_per_minute: number;
  limit_per_hour: number | null;
  limit_per_day: number | null;
  allowed_ips: string[];
  authorizations: string[];
  endpoints: string[];
  last_used_at: Date | null;
  old_secret_used: boolean;
}

export interface KeyFilter {
  readonly q?: string | undefined;
  readonly state?: KeyState | undefined;
  readonly environment?: Environment | undefined;
}

function stateCondition(state: KeyState, realNow: Date): Sql {
  const soon = new Date(realNow.getTime() + EXPIRING_MS);
  if (state === 'revoked') return sql`k.revoked_at is not null`;
  if (state === 'expired') return sql`k.revoked_at is null and k.expires_at <= ${realNow}`;
  if (state === 'expiring') return sql`k.revoked_at is null and k.expires_at > ${realNow} and k.expires_at <= ${soon}`;
  return sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${soon})`;
}

export async function readKeyLines(
  db: Db,
  services: PanelServices,
  accountId: string,
  filter: KeyFilter,
  page: Paging,
  realNow: Date,
) {
  const where = [sql`k.account_id = ${accountId}`];
  if (filter.q !== undefined) where.push(sql`strpos(fold_tr(k.name), fold_tr(${filter.q.trim()})) > 0`);
  if (filter.state !== undefined) where.push(stateCondition(filter.state, realNow));
  if (filter.environment !== undefined) where.push(sql`k.environment = ${filter.environment}`);
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from api_keys k where true${allOf(where)}`);
  const found = await findKeys(db, where, page, realNow);
  return { lines: await linesOf(db, services, accountId, found, realNow), total };
}

/** Usable keys come first. */
const findKeys = (db: Db, where: readonly Sql[], page: Paging, realNow: Date): Promise<KeyRecord[]> =>
  db.rows<KeyRecord>(sql`
    select k.id, k.name, k.environment, s.prefix, s.last_four, k.expires_at, k.revoked_at, k.created_at, k.limit_per_minute,
      k.limit_per_hour, k.limit_per_day, k.allowed_ips, k.authorizations,
      array(select endpoint from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id) as endpoints,
      (select max(last_used_at) from usage_secrets u where u.account_id = k.account_id and u.key_id = k.id) as last_used_at,
      exists (select 1 from usage_secrets u join key_secrets o on o.account_id = u.account_id and o.id = u.secret_id
        where u.account_id = k.account_id and u.key_id = k.id and o.id <> s.id and o.expires_at > ${realNow}
          and u.last_used_at > s.created_at) as old_secret_used
    from (select * from api_keys k where true${allOf(where)}
      order by revoked_at is not null, created_at desc, id desc limit ${page.limit + 1} offset ${page.offset}) k
    join lateral (select id, prefix, last_four, created_at from key_secrets where account_id = k.account_id and key_id = k.id
      order by created_at desc, id desc limit 1) s on true
    order by k.revoked_at is not null, k.created_at desc, k.id desc`);

interface HourOfKey {
  key_id: string;
  hour: Date;
  calls: number;
  errors: number;
}

async function linesOf(
  db: Db,
  services: PanelServices,
  accountId: string,
  found: readonly KeyRecord[],
  realNow: Date,
): Promise<KeyLine[]> {
  const first = Math.floor(realNow.getTime() / HOUR) - (SPARK_HOURS - 1);
  const release = await services.release();
  const hours = await db.rows<HourOfKey>(sql`select key_id, hour, sum(calls)::float8 as calls,
      ${TROUBLE.calls} as errors
    from usage_calls where account_id = ${accountId} and key_id = any(${found.map((key) => key.id)}::uuid[])
      and hour >= ${new Date(first * HOUR)} group by key_id, hour`);
  const byKey = Map.groupBy(hours, (row) => row.key_id);
  return found.map((key) => lineOf(key, byKey.get(key.id) ?? [], first, services, release, realNow));
}

function lineOf(
  key: KeyRecord,
  traffic: readonly HourOfKey[],
  first: number,
  services: PanelServices,
  release: Release,
  realNow: Date,
): KeyLine {
  const hours = new Array<number>(SPARK_HOURS).fill(0);
  for (const { hour, calls } of traffic) {
    const index = Math.floor(hour.getTime() / HOUR) - first;
    if (index < SPARK_HOURS) hours[index]! += calls;
  }
  const calls = traffic.reduce((sum, row) => sum + row.calls, 0);
  const errors = traffic.reduce((sum, row) => sum + row.errors, 0);
  const endpoints = key.endpoints.map((id) => services.catalog.byId.get(id)).filter((endpoint) => endpoint !== undefined);
  const count = (risk: Risk) => endpoints.filter((endpoint) => endpoint.risk === risk).length;
  const state = keyState(key, realNow);
  const any_address = key.allowed_ips.length === 0;
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    prefix: key.prefix,
    last_four: key.last_four,
    state,
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
    limit_per_minute: key.limit_per_minute,
    allowed_ips: key.allowed_ips,
    endpoint_count: key.endpoints.length,
    risks: { read: count('read'), write: count('write'), destructive: count('destructive'), sensitive: count('sensitive') },
    works_today: endpoints.filter((endpoint) => release.isLive(endpoint.id)).length,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    calls_24h: calls,
    errors_24h: errors,
    hours,
    concerns: keyConcerns({ ...key, state, calls, errors, any_address }, realNow),
  };
}

export async function readKeyDetail(
  db: Db,
  services: PanelServices,
  accountId: string,
  id: string,
  realNow: Date,
): Promise<KeyDetail> {
  const found = await findKeys(db, [sql`k.account_id = ${accountId}`, sql`k.id = ${id}`], { limit: 1, offset: 0 }, realNow);
  const [key] = found;
  if (key === undefined) fail('not_found');
  const [line] = await linesOf(db, services, accountId, found, realNow);
  const secrets = await db.rows<Omit<SecretLine, 'works'>>(sql`
    select s.id, s.prefix, s.last_four, s.created_at, s.expires_at, coalesce(u.calls, 0)::float8 as calls, u.last_used_at
    from key_secrets s left join usage_secrets u on u.account_id = s.account_id and u.key_id = s.key_id and u.secret_id = s.id
    where s.account_id = ${accountId} and s.key_id = ${id} order by s.created_at desc, s.id desc limit 20`);
  const [request] = await db.rows<LimitRequestLine>(sql`select id, asked_per_minute, reason, status, granted_per_minute, note,
      created_at, decided_at
    from limit_requests where account_id = ${accountId} and key_id = ${id} order by created_at desc, id desc limit 1`);
  const ended = line!.state === 'revoked' || line!.state === 'expired';
  return {
    ...line!,
    endpoints: services.catalog.endpoints
      .filter((endpoint) => key.endpoints.includes(endpoint.id))
      .map((endpoint) => endpoint.id),
    limit_per_hour: key.limit_per_hour,
    limit_per_day: key.limit_per_day,
    authorizations: key.authorizations,
    secrets: secrets.map((secret) => ({
      ...secret,
      works: !ended && (secret.expires_at === null || new Date(secret.expires_at) > realNow),
    })),
    limit_request: request ?? null,
    row_request: await openEndpointRequest(db, accountId, id),
  };
}
