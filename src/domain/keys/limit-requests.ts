// Raising a key's per-minute limit: requested by the dealer (or started by an administrator), decided by an administrator.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { addBanner } from '../notifications/banner-writes.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { ALONE_UP_TO } from './four-eyes.ts';
import { limitKey } from './keys.ts';
import { canBeSecond, twoAdministratorsDecide } from './second-administrator.ts';

export interface Decider {
  readonly personId: string;
  readonly actor: Actor;
  readonly realNow: Date;
  /** The deployment's setting. */
  readonly fourEyes: boolean;
}

/** The granted limit decides, not the requested one. */
const needsSecond = async (db: Db, perMinute: number, fourEyes: boolean): Promise<boolean> =>
  perMinute > ALONE_UP_TO && (await twoAdministratorsDecide(db, fourEyes));

interface Pending {
  account_id: string;
  key_id: string;
  key_name: string;
  revoked: boolean;
  asked_per_minute: number;
  first_by: string | null;
  first_per_minute: number | null;
}

/** Locks the request, so that two administrators decide one after another and the second learns that it is decided. */
async function lockPending(db: Db, id: string): Promise<Pending> {
  const request = await db.one<Pending & { status: string }>(sql`select r.account_id, r.key_id, r.asked_per_minute,
      r.first_by, r.first_per_minute, r.status, k.name as key_name, k.revoked_at is not null as revoked
    from limit_requests r join api_keys k on k.account_id = r.account_id and k.id = r.key_id
    where r.id = ${id} for update of r`);
  if (request.status !== 'pending') fail('decided_meanwhile');
  return request;
}

/**
 * With the platform role. The limit applies at once, or, if two administrators are needed, once a second one has granted the same
 * number; a different number starts again as a first approval. Returns true once it applies.
 */
export async function approveRequest(
  db: Db,
  id: string,
  { perMinute, note }: { readonly perMinute: number; readonly note: string | null },
  { personId, actor, realNow, fourEyes }: Decider,
): Promise<boolean> {
  const request = await lockPending(db, id);
  if (request.revoked) fail('key_ended');
  const alone = !(await needsSecond(db, perMinute, fourEyes));
  if (!alone) {
    if (request.first_by === null || request.first_per_minute !== perMinute) {
      await proposeLimit(db, id, request, perMinute, { personId, actor, realNow });
      return false;
    }
    if (!(await canBeSecond(db, request.first_by, personId))) fail('second_person_required');
  }
  await decide(db, id, request, { status: 'approved', granted: perMinute, note, personId, realNow, alone });
  await limitKey(db, request.key_id, perMinute, actor);
  await audit(db, actor, 'limit_request.approved', id, {
    accountId: request.account_id,
    before: { asked_per_minute: request.asked_per_minute },
    after: { granted_per_minute: perMinute, note },
  });
  const key = { id: request.key_id, name: request.key_name };
  await addBanner(db, request.account_id, { kind: 'limit.approved', data: { key, per_minute: perMinute, note } }, realNow);
  return true;
}

/** Records the first of two approvals. */
async function proposeLimit(
  db: Db,
  id: string,
  { account_id: accountId, asked_per_minute }: Pending,
  perMinute: number,
  { personId, actor, realNow }: Omit<Decider, 'fourEyes'>,
): Promise<void> {
  await db.exec(sql`update limit_requests set first_by = ${personId}, first_per_minute = ${perMinute}, first_at = ${realNow}
    where account_id = ${accountId} and id = ${id}`);
  await audit(db, actor, 'limit_request.proposed', id, {
    accountId,
    before: { asked_per_minute },
    after: { granted_per_minute: perMinute },
  });
}

/** With the platform role. */
export async function refuseRequest(db: Db, id: string, note: string, { personId, actor, realNow }: Decider): Promise<void> {
  const request = await lockPending(db, id);
  await decide(db, id, request, { status: 'refused', granted: null, note, personId, realNow, alone: false });
  await audit(db, actor, 'limit_request.refused', id, {
    accountId: request.account_id,
    before: { asked_per_minute: request.asked_per_minute },
    after: { note },
  });
  const key = { id: request.key_id, name: request.key_name };
  const facts = { key, per_minute: request.asked_per_minute, note };
  await addBanner(db, request.account_id, { kind: 'limit.refused', data: facts }, realNow);
}

interface Decision {
  readonly status: 'approved' | 'refused';
  readonly granted: number | null;
  readonly note: string | null;
  readonly personId: string;
  readonly realNow: Date;
  /** Whether one administrator was enough. */
  readonly alone: boolean;
}

async function decide(db: Db, id: string, { account_id }: Pending, decision: Decision): Promise<void> {
  const { status, granted, note, personId, realNow, alone } = decision;
  await db.exec(sql`update limit_requests set status = ${status}, granted_per_minute = ${granted}, note = ${note}, alone = ${alone},
    decided_by = ${personId}, decided_at = ${realNow} where account_id = ${account_id} and id = ${id}`);
}

/**
 * An administrator sets a limit without a request. A high limit becomes the administrator's own request, which waits for a second
 * one; a pending request of the dealer has to be decided first. Returns true once the limit applies.
 */
export async function raiseLimit(
  db: Db,
  keyId: string,
  { perMinute, reason }: { readonly perMinute: number; readonly reason: string },
  { personId, actor, realNow, fourEyes }: Decider,
): Promise<boolean> {
  const key = await db.one<{ account_id: string; revoked: boolean }>(
    sql`select account_id, revoked_at is not null as revoked from api_keys where id = ${keyId} for update`,
  );
  if (key.revoked) fail('key_ended');
  if (!(await needsSecond(db, perMinute, fourEyes))) {
    await limitKey(db, keyId, perMinute, actor);
    return true;
  }
  const id = newId(realNow.getTime());
  const made =
    await db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by, created_at,
      first_by, first_per_minute, first_at)
    values (${key.account_id}, ${id}, ${keyId}, ${perMinute}, ${reason}, ${personId}, ${realNow}, ${personId}, ${perMinute}, ${realNow})
    on conflict do nothing`);
  if (made === 0) fail('limit_request_pending');
  await audit(db, actor, 'limit_request.created', id, {
    accountId: key.account_id,
    after: { key_id: keyId, asked_per_minute: perMinute, reason },
  });
  return false;
}
