// Writes on keys in the panel. domain/keys/keys.ts does them, as for the command line; this file decides who may do what.

import { decideEndpointRequest, lockEndpointRequest } from '../../domain/keys/key-endpoint-requests.ts';
import { changeKey, createKey, endpointsOf, KeyRefusal, revokeKey, rotateKey, setPolicy } from '../../domain/keys/keys.ts';
import { parseRange } from '../../domain/net/address.ts';
import type { CreateBody } from '../../domain/records/body.ts';
import { type Actor, audit } from '../../domain/writes/audit.ts';
import { sqlState } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type Asking, knownEndpoints, requireConfirmation, requireOwnerFor, requireTyped } from './key-confirmation.ts';
import {
  FREE_PER_MINUTE,
  type KEY_POLICY,
  type KEY_SETTINGS,
  type LIMIT_REQUEST,
  type NEW_KEY,
  type REVOCATION,
  type ROTATION,
  type ROW_CONFIRMATION,
  refuseOverlap,
  refusePast,
  refuseTaken,
  refuseTooMuch,
} from './key-fields.ts';
import { askOwners, requireRightsOf, splitEndpoints } from './key-rights.ts';

export interface Acting extends Asking {
  readonly actor: Actor;
}

/** The only reply that contains a secret. */
export interface SecretOnce {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  /** How many endpoints wait for an owner. */
  readonly requested: number;
}

interface OwnKey {
  id: string;
  name: string;
  limit_per_minute: number;
  revoked: boolean;
  ended: boolean;
}

/** Locks a key of the account; another dealer's key is not found. */
const ownKey = ({ db, account, realNow }: Asking, id: string): Promise<OwnKey> =>
  db.one(sql`select id, name, limit_per_minute, revoked_at is not null as revoked,
      revoked_at is not null or coalesce(expires_at <= ${realNow}, false) as ended
    from api_keys where account_id = ${account.id} and id = ${id} for update`);

const unlessTaken = async <T>({ locale }: Asking, act: Promise<T>): Promise<T> => {
  try {
    return await act;
  } catch (error) {
    return sqlState(error) === '23505' ? refuseTaken(locale) : Promise.reject(error);
  }
};

export async function makeKey(acting: Acting, body: CreateBody<typeof NEW_KEY>): Promise<SecretOnce> {
  const { db, account, services, locale, realNow, actor } = acting;
  refusePast(locale, body.expires_at, realNow);
  const { granted: endpoints, requested } = splitEndpoints(acting, knownEndpoints(acting, body.endpoints), body.ask_owner);
  requireConfirmation(acting, endpoints, body.name, body);
  const made = await unlessTaken(
    acting,
    createKey(
      db,
      services.secrets.pepper,
      {
        accountId: account.id,
        name: body.name,
        environment: body.environment,
        endpoints,
        expiresAt: body.expires_at ?? null,
        limitPerMinute: body.limit_per_minute ?? FREE_PER_MINUTE,
        limitPerHour: body.limit_per_hour ?? null,
        limitPerDay: body.limit_per_day ?? null,
        allowedIps: (body.allowed_ips ?? []).map((range) => parseRange(range)!),
        authorizations: [],
      },
      actor,
      services.keysPerAccount,
    ),
  );
  if (body.ask_per_minute) await askMore(acting, made.id, body.ask_per_minute, body.ask_reason ?? null);
  await askOwners(acting, { id: made.id, name: body.name }, requested);
  return { id: made.id, name: body.name, secret: made.secret, requested: requested.length };
}

export async function changeSettings(acting: Acting, id: string, body: CreateBody<typeof KEY_SETTINGS>): Promise<void> {
  const { db, account, locale, realNow, actor } = acting;
  const key = await ownKey(acting, id);
  if (key.revoked) fail('key_ended');
  requireOwnerFor(acting, await endpointsOf(db, account.id, id));
  refusePast(locale, body.expires_at, realNow);
  refuseTooMuch(locale, body.limit_per_minute, key.limit_per_minute);
  await unlessTaken(acting, changeKey(db, id, body, actor));
}

/** Removing endpoints needs no confirmation; adding endpoints does. */
export async function changePolicy(acting: Acting, id: string, body: CreateBody<typeof KEY_POLICY>) {
  const { db, account, actor } = acting;
  const key = await ownKey(acting, id);
  if (key.revoked) fail('key_ended');
  const chosen = knownEndpoints(acting, body.endpoints);
  const held = new Set(await endpointsOf(db, account.id, id));
  const added = chosen.filter((endpoint) => !held.has(endpoint));
  const { granted, requested } = splitEndpoints(acting, added, body.ask_owner);
  requireConfirmation(acting, granted, key.name, body);
  await askOwners(acting, { id, name: key.name }, requested);
  const kept = chosen.filter((endpoint) => !requested.includes(endpoint));
  return { ...(await setPolicy(db, id, kept, actor)), requested };
}

export async function giveNewSecret(acting: Acting, id: string, body: CreateBody<typeof ROTATION>): Promise<SecretOnce> {
  const { db, account, services, locale, realNow, actor } = acting;
  refuseOverlap(locale, body.overlap_seconds);
  const key = await ownKey(acting, id);
  if (key.ended) fail('key_ended');
  if (body.overlap_seconds === 0) requireTyped(locale, key.name, body.typed_name);
  const held = await endpointsOf(db, account.id, id);
  requireOwnerFor(acting, held);
  await requireRightsOf(acting, id, held);
  const [newest] = await db.rows<{
    id: string;
  }>(sql`select id from key_secrets where account_id = ${account.id} and key_id = ${id}
    order by created_at desc, id desc limit 1`);
  if (newest?.id !== body.secret_id) fail('rotated_meanwhile');
  try {
    const { secret } = await rotateKey(db, services.secrets.pepper, id, body.overlap_seconds * 1000, actor, realNow);
    return { id, name: key.name, secret, requested: 0 };
  } catch (error) {
    if (error instanceof KeyRefusal) fail('key_ended');
    throw error;
  }
}

/** The owner adds the requested endpoints that they saw, with the same confirmations as for endpoints that they pick. */
export async function confirmEndpoints(acting: Acting, id: string, requestId: string, body: CreateBody<typeof ROW_CONFIRMATION>) {
  const { db, account, session, actor, realNow } = acting;
  const key = await ownKey(acting, id);
  if (key.revoked) fail('key_ended');
  const requested = await lockEndpointRequest(db, account.id, id, requestId);
  const seen = new Set(body.endpoints);
  if (seen.size !== requested.length || requested.some((endpoint) => !seen.has(endpoint))) fail('conflict');
  const held = await endpointsOf(db, account.id, id);
  const added = knownEndpoints(acting, requested).filter((endpoint) => !held.includes(endpoint));
  requireConfirmation(acting, added, key.name, body);
  const request = { accountId: account.id, keyId: id, id: requestId };
  await decideEndpointRequest(db, request, 'confirmed', session.person.id, actor, realNow);
  await setPolicy(db, id, [...held, ...added], actor);
}

export async function refuseEndpoints(
  { db, account, session, actor, realNow }: Acting,
  id: string,
  requestId: string,
): Promise<void> {
  await lockEndpointRequest(db, account.id, id, requestId);
  const request = { accountId: account.id, keyId: id, id: requestId };
  await decideEndpointRequest(db, request, 'refused', session.person.id, actor, realNow);
}

export async function endKey(acting: Acting, id: string, body: CreateBody<typeof REVOCATION>): Promise<void> {
  const key = await ownKey(acting, id);
  requireTyped(acting.locale, key.name, body.typed_name);
  await revokeKey(acting.db, id, acting.actor, body.reason ?? null);
}

export async function requestLimit(acting: Acting, id: string, body: CreateBody<typeof LIMIT_REQUEST>): Promise<void> {
  const key = await ownKey(acting, id);
  if (key.ended) fail('key_ended');
  await askMore(acting, id, body.asked_per_minute, body.reason);
}

async function askMore({ db, account, session, actor }: Acting, keyId: string, perMinute: number, reason: string | null) {
  const made = await db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
    values (${account.id}, ${newId()}, ${keyId}, ${perMinute}, ${reason}, ${session.person.id})
    on conflict (account_id, key_id) where status = 'pending' do nothing`);
  if (made === 0) fail('limit_request_pending');
  await audit(db, actor, 'key.limit_requested', keyId, { accountId: account.id, after: { asked_per_minute: perMinute, reason } });
}
