// What the panel shows of keys. With the platform role, because the visible part of a secret is stored beside its hash; every
// statement names the account. Traffic comes from the hourly rollups, never from the log.

import { type EndpointRequest, openEndpointRequest } from '../../domain/keys/key-endpoint-requests.ts';
import { EXPIRING_MS, type KeyConcern, type KeyState, keyConcerns, keyState } from '../../domain/keys/key-health.ts';
import type { Release } from '../../domain/keys/key-policy.ts';
import type { Environment } from '../../domain/keys/key-secret.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { type Db, type InLog, inLog } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import type { Paging } from '../../kit/page.ts';
import { allOf, type Sql, sql } from '../../kit/sql.ts';
import { listed } from '../kit/endpoint.ts';
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
  /** Usage; null while it cannot be read. */
  readonly calls_24h: number | null;
  readonly errors_24h: number | null;
  /** Calls by hour, the present hour last. */
  readonly hours: readonly number[] | null;
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
  /** Null while usage cannot be read. */
  readonly calls: number | null;
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
  secret_id: string;
  secret_created_at: Date;
  /** Secrets of earlier rotations that still work. */
  old_secrets: string[];
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
  const shown = { accountId, found, services, release: await services.release(), realNow };
  const list = (lines: KeyLine[]) => listed(lines, page, total);
  return inLog(
    async (log) => list(linesOf(shown, await readTraffic(log, shown))),
    () => list(linesOf(shown, null)),
  );
}

/** Usable keys come first. */
const findKeys = (db: Db, where: readonly Sql[], page: Paging, realNow: Date): Promise<KeyRecord[]> =>
  db.rows<KeyRecord>(sql`
    select k.id, k.name, k.environment, s.prefix, s.last_four, k.expires_at, k.revoked_at, k.created_at, k.limit_per_minute,
      k.limit_per_hour, k.limit_per_day, k.allowed_ips, k.authorizations,
      array(select endpoint from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id) as endpoints,
      s.id as secret_id, s.created_at as secret_created_at,
      array(select o.id from key_secrets o where o.account_id = k.account_id and o.key_id = k.id and o.id <> s.id
        and o.expires_at > ${realNow}) as old_secrets
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

interface UsedSecret {
  key_id: string;
  secret_id: string;
  calls: number;
  last_used_at: Date;
}

interface Traffic {
  readonly hours: readonly HourOfKey[];
  readonly secrets: readonly UsedSecret[];
}

interface ShownKeys {
  readonly accountId: string;
  readonly found: readonly KeyRecord[];
  readonly services: PanelServices;
  readonly release: Release;
  readonly realNow: Date;
}

const firstHour = (realNow: Date): number => Math.floor(realNow.getTime() / HOUR) - (SPARK_HOURS - 1);

async function readTraffic(log: Db, { accountId, found, realNow }: ShownKeys): Promise<Traffic> {
  const keys = sql`account_id = ${accountId} and key_id = any(${found.map((key) => key.id)}::uuid[])`;
  const hours = await log.rows<HourOfKey>(sql`select key_id, hour, sum(calls)::float8 as calls,
      ${TROUBLE.calls} as errors
    from usage_calls where ${keys} and hour >= ${new Date(firstHour(realNow) * HOUR)} group by key_id, hour`);
  const secrets = await log.rows<UsedSecret>(
    sql`select key_id, secret_id, calls::float8 as calls, last_used_at from usage_secrets where ${keys}`,
  );
  return { hours, secrets };
}

/** Without traffic nothing is concluded from it. */
function linesOf(shown: ShownKeys, traffic: Traffic | null): KeyLine[] {
  if (traffic === null) return shown.found.map((key) => lineOf(shown, key, null));
  const hours = Map.groupBy(traffic.hours, (row) => row.key_id);
  const secrets = Map.groupBy(traffic.secrets, (row) => row.key_id);
  return shown.found.map((key) => lineOf(shown, key, { hours: hours.get(key.id) ?? [], secrets: secrets.get(key.id) ?? [] }));
}

function lineOf({ services, release, realNow }: ShownKeys, key: KeyRecord, traffic: Traffic | null): KeyLine {
  const endpoints = key.endpoints.map((id) => services.catalog.byId.get(id)).filter((endpoint) => endpoint !== undefined);
  const count = (risk: Risk) => endpoints.filter((endpoint) => endpoint.risk === risk).length;
  const state = keyState(key, realNow);
  const { last_used_at, calls, errors, hours, old_secret_used } =
    traffic === null ? WITHOUT_TRAFFIC : trafficOf(key, traffic, firstHour(realNow));
  const any_address = key.allowed_ips.length === 0;
  const facts = { ...key, state, any_address, old_secret_used };
  // A key whose use is not known is judged as one that has just been used.
  const used =
    traffic === null ? { last_used_at: realNow, calls: 0, errors: 0 } : { last_used_at, calls: calls!, errors: errors! };
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
    last_used_at: last_used_at?.toISOString() ?? null,
    calls_24h: calls,
    errors_24h: errors,
    hours,
    concerns: keyConcerns({ ...facts, ...used }, realNow),
  };
}

const WITHOUT_TRAFFIC = { last_used_at: null, calls: null, errors: null, hours: null, old_secret_used: false } as const;

function trafficOf(key: KeyRecord, traffic: Traffic, first: number) {
  const hours = new Array<number>(SPARK_HOURS).fill(0);
  for (const { hour, calls } of traffic.hours) {
    const index = Math.floor(hour.getTime() / HOUR) - first;
    if (index < SPARK_HOURS) hours[index]! += calls;
  }
  const latest = traffic.secrets.map(({ last_used_at }) => last_used_at.getTime());
  return {
    hours,
    calls: traffic.hours.reduce((sum, row) => sum + row.calls, 0),
    errors: traffic.hours.reduce((sum, row) => sum + row.errors, 0),
    last_used_at: latest.length === 0 ? null : new Date(Math.max(...latest)),
    old_secret_used: traffic.secrets.some(
      ({ secret_id, last_used_at }) => key.old_secrets.includes(secret_id) && last_used_at > key.secret_created_at,
    ),
  };
}

export async function readKeyDetail(
  db: Db,
  services: PanelServices,
  accountId: string,
  id: string,
  realNow: Date,
): Promise<InLog<KeyDetail>> {
  const found = await findKeys(db, [sql`k.account_id = ${accountId}`, sql`k.id = ${id}`], { limit: 1, offset: 0 }, realNow);
  const [key] = found;
  if (key === undefined) fail('not_found');
  const secrets = await db.rows<Pick<SecretLine, 'id' | 'prefix' | 'last_four' | 'created_at' | 'expires_at'>>(sql`
    select id, prefix, last_four, created_at, expires_at
    from key_secrets where account_id = ${accountId} and key_id = ${id} order by created_at desc, id desc limit 20`);
  const [request] = await db.rows<LimitRequestLine>(sql`select id, asked_per_minute, reason, status, granted_per_minute, note,
      created_at, decided_at
    from limit_requests where account_id = ${accountId} and key_id = ${id} order by created_at desc, id desc limit 1`);
  const row_request = await openEndpointRequest(db, accountId, id);
  const shown = { accountId, found, services, release: await services.release(), realNow };
  const detail = (traffic: Traffic | null): KeyDetail => {
    const [line] = linesOf(shown, traffic);
    return {
      ...line!,
      endpoints: services.catalog.endpoints
        .filter((endpoint) => key.endpoints.includes(endpoint.id))
        .map((endpoint) => endpoint.id),
      limit_per_hour: key.limit_per_hour,
      limit_per_day: key.limit_per_day,
      authorizations: key.authorizations,
      secrets: secrets.map((secret) => secretLine(secret, line!, traffic, realNow)),
      limit_request: request ?? null,
      row_request,
    };
  };
  return inLog(
    async (log) => detail(await readTraffic(log, shown)),
    () => detail(null),
  );
}

function secretLine(
  secret: Pick<SecretLine, 'id' | 'prefix' | 'last_four' | 'created_at' | 'expires_at'>,
  { state }: KeyLine,
  traffic: Traffic | null,
  realNow: Date,
): SecretLine {
  const ended = state === 'revoked' || state === 'expired';
  const used = traffic?.secrets.find(({ secret_id }) => secret_id === secret.id);
  return {
    ...secret,
    calls: traffic === null ? null : (used?.calls ?? 0),
    last_used_at: used?.last_used_at.toISOString() ?? null,
    works: !ended && (secret.expires_at === null || new Date(secret.expires_at) > realNow),
  };
}
