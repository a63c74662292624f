// API keys as data: created, rotated, limited and revoked here, for the command line and the panel. Every change is audited.

import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { AccountSettings } from '../../kit/work.ts';
import { requireKeyPlace } from '../membership/platform-limits.ts';
import { formatRange, parseRange, type Range } from '../net/address.ts';
import { type Actor, audit } from '../writes/audit.ts';
import type { AgentAccess, AgentCeilings, AgentConfirmation } from './agent-states.ts';
import { authorizeKey } from './key-authorizations.ts';
import type { Authorization, KeyPolicy } from './key-policy.ts';
import { digestOf, type Environment, lastFour, newSecret, publicPrefix } from './key-secret.ts';

/** A key as the API needs it: the secret that was used, the policy and the account. */
export interface LiveKey extends KeyPolicy {
  readonly id: string;
  readonly secretId: string;
  readonly digest: Buffer;
  readonly accountId: string;
  readonly dataSetId: string;
  readonly timezone: string;
  readonly settings: AccountSettings;
  readonly name: string;
  readonly prefix: string;
  /** The key's own expiry, which is shown; `expiresAt` of the policy may be the earlier one of this secret. */
  readonly keyExpiresAt: Date | null;
  readonly limitPerMinute: number;
  readonly limitPerHour: number | null;
  readonly limitPerDay: number | null;
  /** What agents may do with it through /mcp. */
  readonly agents: AgentAccess;
  readonly agentConfirmation: AgentConfirmation;
  readonly agentCeilings: AgentCeilings;
  readonly agentApprovers: readonly string[];
}

interface KeyRow {
  id: string;
  secret_id: string;
  digest: Buffer;
  account_id: string;
  timezone: string;
  country: 'KKTC' | 'TR';
  default_currency: Currency;
  vehicle_limit: number | null;
  account_status: string;
  name: string;
  prefix: string;
  environment: Environment;
  expires_at: Date | null;
  secret_expires_at: Date | null;
  revoked_at: Date | null;
  limit_per_minute: number;
  limit_per_hour: number | null;
  limit_per_day: number | null;
  allowed_ips: string[];
  authorizations: string[];
  endpoints: string[];
  agents: AgentAccess;
  agent_confirmation: AgentConfirmation;
  agent_ceilings: AgentCeilings;
  agent_approvers: string[];
}

/** Finds a key by the hash of its secret. With the platform role, because the account is not known yet. */
export async function findKey(db: Db, digest: Buffer): Promise<LiveKey | null> {
  const [row] = await db.rows<KeyRow>(sql`
    select k.id, s.id as secret_id, s.digest, k.account_id, a.timezone, a.country, a.default_currency, a.vehicle_limit,
      a.status as account_status, k.name, s.prefix, k.environment,
      k.expires_at, s.expires_at as secret_expires_at, k.revoked_at, k.limit_per_minute, k.limit_per_hour, k.limit_per_day,
      k.allowed_ips, k.authorizations, k.agents, k.agent_confirmation, k.agent_ceilings, k.agent_approvers,
      array(select endpoint from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id order by endpoint) as endpoints
    from key_secrets s
    join api_keys k on k.account_id = s.account_id and k.id = s.key_id
    join accounts a on a.id = k.account_id
    where s.digest = ${digest}`);
  return row === undefined ? findMovedKey(db, digest) : toLiveKey(row);
}

/** A key whose account is in another deployment now (galeri account move). It may do nothing here. */
async function findMovedKey(db: Db, digest: Buffer): Promise<LiveKey | null> {
  const [row] = await db.rows<{ id: string; account: string; to: string | null }>(sql`
    select key_id as id, account, public_url as "to" from moved_keys join account_moves on account_moves.id = account
    where digest = ${digest}`);
  if (row === undefined) return null;
  const { id, account, to } = row;
  return {
    id,
    secretId: id,
    digest,
    accountId: account,
    dataSetId: account,
    timezone: 'UTC',
    settings: { country: 'KKTC', default_currency: 'TL', vehicle_limit: null },
    name: '',
    prefix: '',
    keyExpiresAt: null,
    limitPerMinute: 0,
    limitPerHour: null,
    limitPerDay: null,
    revoked: false,
    expiresAt: null,
    allowedIps: [],
    endpoints: new Set(),
    environment: 'production',
    authorizations: [],
    accountSuspended: true,
    moved: { to },
    agents: 'off',
    agentConfirmation: 'panel',
    agentCeilings: {},
    agentApprovers: [],
  };
}

const policies = new Map<string, ReadonlySet<string>>();
const MAX_POLICIES = 1000;

/** Most keys come from a template and hold the same endpoints, so they share one set instead of some kilobytes each. */
function policyOf(endpoints: readonly string[]): ReadonlySet<string> {
  const name = endpoints.join('|');
  const policy = policies.get(name) ?? new Set(endpoints);
  if (policies.size >= MAX_POLICIES) policies.clear();
  policies.set(name, policy);
  return policy;
}

function toLiveKey(row: KeyRow): LiveKey {
  const ends = [row.expires_at, row.secret_expires_at].filter((end) => end !== null).map((end) => end.getTime());
  return {
    id: row.id,
    secretId: row.secret_id,
    digest: row.digest,
    accountId: row.account_id,
    dataSetId: row.account_id,
    timezone: row.timezone,
    settings: { country: row.country, default_currency: row.default_currency, vehicle_limit: row.vehicle_limit },
    name: row.name,
    prefix: row.prefix,
    keyExpiresAt: row.expires_at,
    limitPerMinute: row.limit_per_minute,
    limitPerHour: row.limit_per_hour,
    limitPerDay: row.limit_per_day,
    revoked: row.revoked_at !== null,
    expiresAt: ends.length > 0 ? Math.min(...ends) : null,
    allowedIps: row.allowed_ips.map((text) => parseRange(text)!),
    endpoints: policyOf(row.endpoints),
    environment: row.environment,
    authorizations: row.authorizations,
    accountSuspended: row.account_status !== 'Aktif',
    agents: row.agents,
    agentConfirmation: row.agent_confirmation,
    agentCeilings: row.agent_ceilings,
    agentApprovers: row.agent_approvers,
  };
}

export interface NewKey {
  readonly accountId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly endpoints: readonly string[];
  readonly expiresAt: Date | null;
  readonly limitPerMinute: number;
  readonly limitPerHour: number | null;
  readonly limitPerDay: number | null;
  readonly allowedIps: readonly Range[];
  /** Given by the caller alone, as on the command line, and recorded as such a decision. The panel gives none. */
  readonly authorizations: readonly Authorization[];
}

/** The visible properties of a key. */
export interface PublicKey {
  id: string;
  account_id: string;
  name: string;
  environment: Environment;
  prefix: string;
  last_four: string;
  status: 'Aktif' | 'Süresi doldu' | 'İptal';
  expires_at: Date | null;
  limit_per_minute: number;
  limit_per_hour: number | null;
  limit_per_day: number | null;
  allowed_ips: string[];
  authorizations: string[];
  endpoint_count: number;
  revoked_at: Date | null;
  created_at: Date;
}

/** The default of KEYS_PER_ACCOUNT. Each key has its own rate limit, so their number has to be limited too. */
export const KEYS_PER_ACCOUNT: number = 200;

/** The secret is returned here and not stored. */
export async function createKey(
  db: Db,
  pepper: Buffer,
  key: NewKey,
  actor: Actor,
  keysPerAccount = KEYS_PER_ACCOUNT,
): Promise<{ id: string; secret: string; prefix: string }> {
  await requireKeyPlace(db, key.accountId, keysPerAccount);
  const id = newId();
  await db.exec(sql`insert into api_keys (account_id, id, name, environment, expires_at, limit_per_minute, limit_per_hour, limit_per_day,
      allowed_ips)
    values (${key.accountId}, ${id}, ${key.name}, ${key.environment}, ${key.expiresAt}, ${key.limitPerMinute}, ${key.limitPerHour},
      ${key.limitPerDay}, ${key.allowedIps.map(formatRange)})`);
  if (key.authorizations.length > 0) {
    const { realNow } = await db.one<{ realNow: Date }>(sql`select ${DATABASE_NOW} as "realNow"`);
    await authorizeKey(db, id, key.authorizations, { personId: null, actor, realNow, fourEyes: false });
  }
  await db.exec(sql`insert into key_endpoints (account_id, key_id, endpoint)
    select ${key.accountId}::uuid, ${id}::uuid, unnest(${key.endpoints}::text[])`);
  const secret = await addSecret(db, pepper, key.accountId, id, key.environment);
  await audit(db, actor, 'key.created', id, {
    accountId: key.accountId,
    after: {
      name: key.name,
      environment: key.environment,
      expires_at: key.expiresAt,
      limit_per_minute: key.limitPerMinute,
      limit_per_hour: key.limitPerHour,
      limit_per_day: key.limitPerDay,
      allowed_ips: key.allowedIps.map(formatRange),
      authorizations: key.authorizations,
      endpoint_count: key.endpoints.length,
    },
  });
  return { id, secret, prefix: publicPrefix(secret) };
}

async function addSecret(db: Db, pepper: Buffer, accountId: string, keyId: string, environment: Environment): Promise<string> {
  const secret = newSecret(environment);
  await db.exec(sql`insert into key_secrets (account_id, id, key_id, digest, prefix, last_four)
    values (${accountId}, ${newId()}, ${keyId}, ${digestOf(secret, pepper)}, ${publicPrefix(secret)}, ${lastFour(secret)})`);
  return secret;
}

/** The database's time, for commands. The panel passes the service's clock, which a test may move. */
const DATABASE_NOW = rawSql('now()');

const publicKeys = (where: Sql): Sql => sql`
  select k.id, k.account_id, k.name, k.environment, s.prefix, s.last_four,
    case when k.revoked_at is not null then 'İptal' when k.expires_at <= now() then 'Süresi doldu' else 'Aktif' end as status,
    k.expires_at, k.limit_per_minute, k.limit_per_hour, k.limit_per_day, k.allowed_ips, k.authorizations,
    (select count(*)::int from key_endpoints e where e.account_id = k.account_id and e.key_id = k.id) as endpoint_count,
    k.revoked_at, k.created_at
  from api_keys k
  join lateral (select prefix, last_four from key_secrets where account_id = k.account_id and key_id = k.id
    order by created_at desc, id desc limit 1) s on true
  where ${where} order by k.created_at desc, k.id desc`;

export const listKeys = (db: Db, accountId: string): Promise<PublicKey[]> =>
  db.rows(publicKeys(sql`k.account_id = ${accountId}`));

export const readKey = (db: Db, id: string): Promise<PublicKey> => db.one(publicKeys(sql`k.id = ${id}`));

interface LockedKey {
  account_id: string;
  name: string;
  environment: Environment;
  expires_at: Date | null;
  revoked_at: Date | null;
  limit_per_minute: number;
  limit_per_hour: number | null;
  limit_per_day: number | null;
  allowed_ips: string[];
}

/** Locks the key's row, so that two changes of one key happen one after the other. */
const lockKey = (db: Db, id: string): Promise<LockedKey> =>
  db.one(sql`select account_id, name, environment, expires_at, revoked_at, limit_per_minute, limit_per_hour, limit_per_day, allowed_ips
    from api_keys where id = ${id} for update`);

export async function revokeKey(db: Db, id: string, actor: Actor, reason: string | null = null): Promise<PublicKey> {
  const key = await lockKey(db, id);
  if (key.revoked_at === null) {
    await db.exec(
      sql`update api_keys set revoked_at = now(), updated_at = now() where account_id = ${key.account_id} and id = ${id}`,
    );
    await audit(db, actor, 'key.revoked', id, { accountId: key.account_id, ...(reason === null ? {} : { after: { reason } }) });
  }
  return readKey(db, id);
}

export class KeyRefusal extends Error {}

/** Gives the key a new secret; old ones stay valid for `overlapMs`. An expired or revoked key cannot be rotated. */
export async function rotateKey(
  db: Db,
  pepper: Buffer,
  id: string,
  overlapMs: number,
  actor: Actor,
  realNow: Date | null = null,
): Promise<{ key: PublicKey; secret: string }> {
  const { account_id, environment, expires_at, revoked_at } = await lockKey(db, id);
  if (revoked_at !== null) throw new KeyRefusal('a revoked key cannot be rotated; create a new one');
  const time = realNow === null ? DATABASE_NOW : sql`${realNow}::timestamptz`;
  const { expired } = await db.one<{ expired: boolean }>(
    sql`select coalesce(${expires_at}::timestamptz <= ${time}, false) as expired`,
  );
  if (expired) throw new KeyRefusal('an expired key cannot be rotated; create a new one');
  await db.exec(sql`update key_secrets set expires_at = least(expires_at, ${time} + make_interval(secs => ${overlapMs / 1000}))
    where account_id = ${account_id} and key_id = ${id} and (expires_at is null or expires_at > ${time})`);
  const secret = await addSecret(db, pepper, account_id, id, environment);
  await audit(db, actor, 'key.rotated', id, { accountId: account_id, after: { overlap_seconds: overlapMs / 1000 } });
  return { key: await readKey(db, id), secret };
}

/** Properties that can be changed besides the policy. The environment cannot: it is part of the secret. */
export interface KeyChanges {
  readonly name?: string;
  readonly expires_at?: Date | null;
  readonly limit_per_minute?: number;
  readonly limit_per_hour?: number | null;
  readonly limit_per_day?: number | null;
  readonly allowed_ips?: readonly string[];
}

/** Writes and audits only what differs. Ranges have the form that formatRange makes. */
export async function changeKey(
  db: Db,
  id: string,
  changes: KeyChanges,
  actor: Actor,
  action = 'key.changed',
): Promise<PublicKey> {
  const key = await lockKey(db, id);
  const differs = (Object.keys(changes) as (keyof KeyChanges)[]).filter(
    (name) => changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(key[name]),
  );
  if (differs.length > 0) {
    const { name, expires_at, limit_per_minute, limit_per_hour, limit_per_day, allowed_ips } = { ...key, ...changes };
    await db.exec(sql`update api_keys set name = ${name}, expires_at = ${expires_at}, limit_per_minute = ${limit_per_minute},
        limit_per_hour = ${limit_per_hour}, limit_per_day = ${limit_per_day}, allowed_ips = ${allowed_ips}, updated_at = now()
      where account_id = ${key.account_id} and id = ${id}`);
    const facts = (of: KeyChanges) => Object.fromEntries(differs.map((field) => [field, of[field]]));
    await audit(db, actor, action, id, { accountId: key.account_id, before: facts(key), after: facts(changes) });
  }
  return readKey(db, id);
}

export const limitKey = (db: Db, id: string, perMinute: number, actor: Actor): Promise<PublicKey> =>
  changeKey(db, id, { limit_per_minute: perMinute }, actor, 'key.limited');

export async function endpointsOf(db: Db, accountId: string, id: string): Promise<string[]> {
  const rows = await db.rows<{ endpoint: string }>(
    sql`select endpoint from key_endpoints where account_id = ${accountId} and key_id = ${id} order by endpoint`,
  );
  return rows.map((row) => row.endpoint);
}

/** Replaces the whole policy: endpoints that are not named are removed. */
export async function setPolicy(
  db: Db,
  id: string,
  endpoints: readonly string[],
  actor: Actor,
): Promise<{ added: string[]; removed: string[] }> {
  const { account_id } = await lockKey(db, id);
  const before = await endpointsOf(db, account_id, id);
  const added = endpoints.filter((endpoint) => !before.includes(endpoint));
  const removed = before.filter((endpoint) => !endpoints.includes(endpoint));
  if (removed.length > 0)
    await db.exec(
      sql`delete from key_endpoints where account_id = ${account_id} and key_id = ${id} and endpoint = any(${removed}::text[])`,
    );
  if (added.length > 0)
    await db.exec(sql`insert into key_endpoints (account_id, key_id, endpoint)
      select ${account_id}::uuid, ${id}::uuid, unnest(${added}::text[])`);
  if (added.length + removed.length > 0)
    await audit(db, actor, 'key.policy_changed', id, {
      accountId: account_id,
      before: { endpoint_count: before.length, removed },
      after: { endpoint_count: endpoints.length, added },
    });
  return { added, removed };
}
