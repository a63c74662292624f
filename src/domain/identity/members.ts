// Members of an account who sign in: their role, whether they are active, and how they regain access. With the platform role, where
// people and sessions are. A change of rights ends the member's sessions, and an account always keeps one owner.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { requireStaffPlace } from '../membership/platform-limits.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { createReset } from './invitations.ts';
import { clearTotp } from './people.ts';
import type { Role } from './roles.ts';
import { endSessionsOf } from './sessions.ts';

export interface Member {
  readonly id: string;
  readonly full_name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly branch: string | null;
  readonly has_totp: boolean;
  /** Null if the member has no session now. */
  readonly last_seen_at: string | null;
  readonly created_at: string;
  /** True for a member of several accounts: a password link for them would open more than this account. */
  readonly works_elsewhere: boolean;
}

export const listMembers = (db: Db, accountId: string, { limit, offset }: { limit: number; offset: number }): Promise<Member[]> =>
  db.rows<Member>(sql`
    select m.id, m.full_name, p.email, m.role, m.active, b.name as branch, p.totp_confirmed_at is not null as has_totp,
      utc_text((select max(s.last_seen_at) from sessions s where s.person_id = p.id and s.current_account = m.account_id)) as last_seen_at,
      utc_text(m.created_at) as created_at, ${worksElsewhere}
    from members m join people p on p.id = m.person_id
    left join branches b on b.account_id = m.account_id and b.id = m.branch_id
    where m.account_id = ${accountId}
    order by m.active desc, fold_tr(m.full_name), m.id limit ${limit + 1} offset ${offset}`);

const worksElsewhere = sql`(p.is_admin or exists (select from members other
  where other.person_id = p.id and other.account_id <> m.account_id and other.active)) as works_elsewhere`;

interface Stored {
  readonly person_id: string;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly active: boolean;
  readonly works_elsewhere: boolean;
}

/** Locks all owners too, so that two owners who leave at once do not both assume that the other stays. */
async function lockMember(db: Db, accountId: string, id: string): Promise<Stored> {
  await db.rows(
    sql`select id from members where account_id = ${accountId} and (id = ${id} or role = 'owner') order by id for update`,
  );
  return db.one<Stored>(sql`select m.person_id, p.email, m.full_name, m.role, m.active, ${worksElsewhere}
    from members m join people p on p.id = m.person_id where m.account_id = ${accountId} and m.id = ${id}`);
}

/** Returns the person whose sessions have to be renewed. */
export async function changeMember(
  db: Db,
  accountId: string,
  id: string,
  change: { readonly role?: Role; readonly active?: boolean },
  actor: Actor,
  realNow: Date,
): Promise<{ personId: string; changed: boolean }> {
  const stored = await lockMember(db, accountId, id);
  const { role = stored.role, active = stored.active } = change;
  const changed = role !== stored.role || active !== stored.active;
  if (!changed) return { personId: stored.person_id, changed };
  if (active && !stored.active) await requireStaffPlace(db, accountId);
  const staysOwner = role === 'owner' && active;
  if (stored.role === 'owner' && stored.active && !staysOwner && (await otherOwners(db, accountId, id)) === 0) fail('last_owner');
  await db.exec(sql`update members set role = ${role}, active = ${active}, updated_at = ${realNow}
    where account_id = ${accountId} and id = ${id}`);
  await raiseVersion(db, accountId);
  await audit(
    db,
    actor,
    active === stored.active ? 'member.role_changed' : active ? 'member.activated' : 'member.deactivated',
    id,
    {
      accountId,
      before: { role: stored.role, active: stored.active },
      after: { role, active },
    },
  );
  return { personId: stored.person_id, changed };
}

async function otherOwners(db: Db, accountId: string, id: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`select count(*)::int as count from members m
    join people p on p.id = m.person_id and p.disabled_at is null
    where m.account_id = ${accountId} and m.id <> ${id} and m.role = 'owner' and m.active`);
  return row!.count;
}

/** Replies about staff are cached by the version of the account's data, so it has to rise. */
const raiseVersion = (db: Db, accountId: string): Promise<number> =>
  db.exec(sql`update data_sets set version = version + 1 where id = ${accountId}`);

/** Ends a person's sessions in this account, except the one that acts, so that a cookie that leaked earlier is worthless. */
export const endSessionsIn = (db: Db, accountId: string, personId: string, except: string): Promise<number> =>
  db.exec(sql`delete from sessions where person_id = ${personId} and current_account = ${accountId} and id <> ${except}`);

export interface ResetLink {
  readonly token: string;
  readonly expires_at: Date;
  readonly email: string;
  readonly full_name: string;
}

/**
 * A link that sets a member's password. Its holder can act as that person, so an owner may create one only for a member of this
 * account alone.
 */
export async function memberReset(
  db: Db,
  accountId: string,
  id: string,
  by: string,
  actor: Actor,
  realNow: Date,
): Promise<ResetLink> {
  const { person_id, email, full_name, active, works_elsewhere } = await lockMember(db, accountId, id);
  if (!active) fail('conflict');
  if (works_elsewhere) fail('works_elsewhere');
  return { ...(await createReset(db, person_id, { by, accountId }, actor, realNow)), email, full_name };
}

/** For a member who lost phone and recovery codes. Only the platform may do it for a member of several accounts. */
export async function removeMemberTotp(db: Db, accountId: string, id: string, actor: Actor): Promise<void> {
  const { person_id, works_elsewhere } = await lockMember(db, accountId, id);
  if (works_elsewhere) fail('works_elsewhere');
  await clearTotp(db, person_id);
  await endSessionsOf(db, person_id, null);
  await audit(db, actor, 'totp.removed', id, { accountId });
}

export interface PendingInvitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly expires_at: string;
  readonly expired: boolean;
  readonly created_at: string;
}

/** Open invitations, and those that expired within the last month. */
export const listInvitations = (
  db: Db,
  accountId: string,
  realNow: Date,
  { limit, offset }: { limit: number; offset: number },
): Promise<PendingInvitation[]> =>
  db.rows<PendingInvitation>(sql`
    select i.id, i.email, i.full_name, i.role, p.full_name as invited_by, utc_text(i.expires_at) as expires_at,
      i.expires_at <= ${realNow} as expired, utc_text(i.created_at) as created_at
    from invitations i join people p on p.id = i.invited_by
    where i.account_id = ${accountId} and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > ${new Date(realNow.getTime() - 30 * 86_400_000)}
    order by i.created_at desc, i.id desc limit ${limit + 1} offset ${offset}`);

/**
 * A member is edited, not invited again, because an invitation would silently give them another role. `memberId` names a member
 * of the staff who does not sign in yet.
 */
export async function requireInvitable(db: Db, accountId: string, email: string, memberId: string | null): Promise<void> {
  const [found] = await db.rows(sql`select 1 from members m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.active and lower(p.email) = lower(${email})`);
  if (found !== undefined) fail('already_member');
  if (memberId === null) return;
  const member = await db.one<{ person_id: string | null; active: boolean }>(
    sql`select person_id, active from members where account_id = ${accountId} and id = ${memberId}`,
  );
  if (member.person_id !== null) fail('already_member');
  if (!member.active) fail('conflict');
}
