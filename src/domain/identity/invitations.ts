// Links that let someone in: an invitation into an account, and a link that resets a forgotten password. Only the hash of a
// link's token is stored. The maker's rights are checked again when a link is used, and a change of them ends the link for good
// (triggers in migrations/0015). Everything here uses the platform role.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { addMember, insertPerson, NO_PASSWORD, personByEmail, setPassword } from './people.ts';
import type { Role } from './roles.ts';
import { newToken, tokenDigest } from './sessions.ts';

const DAY_MS = 86_400_000;
const INVITED_FOR_MS = 7 * DAY_MS;
export const RESET_WITHIN_MS = DAY_MS;
/** Links that a person may ask for in 24 hours, and that others may make for them. */
export const RESETS_A_DAY = 5;

export interface NewInvitation {
  readonly accountId: string;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly invitedBy: string;
  /** Someone on the staff, without a sign-in until now. */
  readonly memberId?: string | null;
  /** The consent of an owner or a second administrator, if an administrator invites an owner (owner-requests.ts). */
  readonly decisionId?: string | null;
}

/** Whether a person is currently an owner of the account, which is not suspended. */
const ownsAccount = (person: Sql, account: Sql): Sql => sql`exists (
  select from people op join members om on om.person_id = op.id join accounts oa on oa.id = om.account_id
  where op.id = ${person} and op.disabled_at is null and om.account_id = ${account} and om.role = 'owner' and om.active
    and oa.status = 'Aktif')`;
const isAdmin = (person: Sql): Sql =>
  sql`exists (select from people ap where ap.id = ${person} and ap.is_admin and ap.disabled_at is null)`;

/** `token` goes into the link `/panel/davet/<token>` and is not stored. Ends open invitations of the same address or staff member. */
export async function invite(
  db: Db,
  newInvitation: NewInvitation,
  actor: Actor,
  realNow: Date,
): Promise<{ id: string; token: string; expires_at: Date }> {
  const { accountId, email, fullName, role, invitedBy, memberId = null, decisionId = null } = newInvitation;
  // Not found for a world, whose people cannot sign in: this connection does not see its accounts.
  await db.one(sql`select id from accounts where id = ${accountId}`);
  const { token, digest } = newToken();
  const id = newId(realNow.getTime());
  const expires_at = new Date(realNow.getTime() + INVITED_FOR_MS);
  await db.exec(sql`update invitations set revoked_at = ${realNow} where account_id = ${accountId}
    and (lower(email) = lower(${email}) or member_id = ${memberId}) and accepted_at is null and revoked_at is null`);
  await db.exec(sql`insert into invitations (account_id, id, digest, email, full_name, role, invited_by, member_id, decision_id, expires_at, created_at)
    values (${accountId}, ${id}, ${digest}, ${email}, ${fullName}, ${role}, ${invitedBy}, ${memberId}, ${decisionId}, ${expires_at},
      ${realNow})`);
  await audit(db, actor, 'invitation.created', id, { accountId, after: { email, role } });
  return { id, token, expires_at };
}

/** Mails of one account about invitations to one address in 24 hours; more would let a dealer flood a stranger in the platform's name. */
const INVITATION_MAILS_A_DAY = 5;

/** Whether the invitation that was just made is mailed too; its link is handed over in any case. */
export async function isInvitationMailed(db: Db, accountId: string, email: string, realNow: Date): Promise<boolean> {
  const { made } = await db.one<{ made: number }>(sql`select count(*)::int as made from invitations
    where account_id = ${accountId} and lower(email) = lower(${email}) and created_at > ${new Date(realNow.getTime() - DAY_MS)}`);
  return made <= INVITATION_MAILS_A_DAY;
}

export interface Invitation {
  readonly id: string;
  readonly account_id: string;
  readonly account: string;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  /** The person who already has this address; they join with their own password. */
  readonly person_id: string | null;
  readonly member_id: string | null;
}

/**
 * The account is not suspended, the sender is still one of its owners or an administrator, the invited person is not a member
 * yet, and an owner invited by an administrator was agreed to, or is the account's first.
 */
const mayBeAccepted = (realNow: Date): Sql => sql`i.accepted_at is null and i.revoked_at is null and i.expires_at > ${realNow}
  and exists (select from accounts ia where ia.id = i.account_id and ia.status = 'Aktif')
  and (${ownsAccount(sql`i.invited_by`, sql`i.account_id`)} or ${isAdmin(sql`i.invited_by`)})
  and not exists (select from members im join people ip on ip.id = im.person_id
    where im.account_id = i.account_id and im.active and lower(ip.email) = lower(i.email))
  and (i.role <> 'owner' or i.decision_id is not null or ${ownsAccount(sql`i.invited_by`, sql`i.account_id`)}
    or not (exists (select from members om where om.account_id = i.account_id and om.role = 'owner' and om.person_id is not null)
      or exists (select from people ap where ap.is_admin and lower(ap.email) = lower(i.email))))`;

/** Null if the link is unknown, used, revoked or expired, or its maker has lost the right to create it. */
export async function findInvitation(db: Db, token: string, realNow: Date): Promise<Invitation | null> {
  const [found] = await db.rows<Invitation>(sql`
    select i.id, i.account_id, a.name as account, i.email, i.full_name, i.role, i.member_id,
      (select p.id from people p where lower(p.email) = lower(i.email)) as person_id
    from invitations i join accounts a on a.id = i.account_id
    where i.digest = ${tokenDigest(token)} and ${mayBeAccepted(realNow)}`);
  return found ?? null;
}

/**
 * `passwordHash`: of a new person; null for a person whose password was checked. Returns null if the invitation has ended in the
 * meantime.
 */
export async function acceptInvitation(
  db: Db,
  invitation: Invitation,
  signUp: { readonly passwordHash: string | null; readonly fullName: string },
  actor: Omit<Actor, 'type' | 'name' | 'personId'>,
  realNow: Date,
): Promise<string | null> {
  const { id, account_id: accountId, email, role, member_id: memberId } = invitation;
  // Two concurrent invitations for the first owner are accepted one after another.
  await db.rows(sql`select id from accounts where id = ${accountId} for no key update`);
  const taken = await db.exec(sql`update invitations i set accepted_at = ${realNow}
    where i.account_id = ${accountId} and i.id = ${id} and ${mayBeAccepted(realNow)}`);
  if (taken === 0) return null;
  const known = await personByEmail(db, email);
  // Someone may have registered the address after the page was shown, and their password was not checked.
  if ((known === null) !== (signUp.passwordHash !== null)) return null;
  const { fullName } = signUp;
  const personId = known?.id ?? (await insertPerson(db, { email, passwordHash: signUp.passwordHash!, fullName, isAdmin: false }));
  const who: Actor = { type: 'panel', name: email, personId, ...actor };
  await addMember(db, { accountId, personId, fullName, role, email, memberId }, who);
  await audit(db, who, 'invitation.accepted', id, { accountId });
  return personId;
}

export async function revokeInvitation(db: Db, accountId: string, id: string, actor: Actor, realNow: Date): Promise<boolean> {
  const changed = await db.exec(sql`update invitations set revoked_at = ${realNow}
    where account_id = ${accountId} and id = ${id} and accepted_at is null and revoked_at is null`);
  if (changed === 1) await audit(db, actor, 'invitation.revoked', id, { accountId });
  return changed === 1;
}

/** Who made the link, as an owner of which account; `by` is null for a link that a person asked for themselves. */
export interface ResetMaker {
  readonly by: string | null;
  readonly accountId?: string;
}

/** `token` goes into the link `/panel/parola-sifirla/<token>`. Earlier links stay valid until one is used. */
export async function createReset(
  db: Db,
  personId: string,
  { by, accountId }: ResetMaker,
  actor: Actor,
  realNow: Date,
): Promise<{ token: string; expires_at: Date }> {
  const { token, digest } = newToken();
  const expires_at = new Date(realNow.getTime() + RESET_WITHIN_MS);
  await lockPerson(db, personId);
  if (by !== null && (await resetsOfDay(db, personId, true, realNow)) >= RESETS_A_DAY) tooManyResets();
  await db.exec(sql`insert into password_resets (id, digest, person_id, made_by, made_as_owner_of, expires_at, created_at)
    values (${newId(realNow.getTime())}, ${digest}, ${personId}, ${by}, ${accountId ?? null}, ${expires_at}, ${realNow})`);
  await audit(db, actor, 'password.reset_made', personId, accountId === undefined ? {} : { accountId });
  return { token, expires_at };
}

/** Those of the last 24 hours that others made, or that the person asked for. */
export async function resetsOfDay(db: Db, personId: string, byOthers: boolean, realNow: Date): Promise<number> {
  const { made } = await db.one<{ made: number }>(sql`select count(*)::int as made from password_resets
    where person_id = ${personId} and (made_by is not null) = ${byOthers} and created_at > ${new Date(realNow.getTime() - DAY_MS)}`);
  return made;
}

function tooManyResets(): never {
  const seconds = DAY_MS / 1000;
  return fail('too_many_attempts', { headers: { 'Retry-After': String(seconds) }, words: { seconds } });
}

/** The person's row is locked before any of their links, in the same order as the triggers that end links. */
export const lockPerson = (db: Db, personId: string): Promise<unknown> =>
  db.rows(sql`select id from people where id = ${personId} for no key update`);

/**
 * A link that a person asked for themselves; one by an owner, for a member of only that account; or one by an administrator, for an
 * administrator who has no password yet.
 */
const maySetPassword = (realNow: Date): Sql => sql`r.used_at is null and r.expires_at > ${realNow} and p.disabled_at is null
  and case
    when r.made_by is null then true
    when r.made_as_owner_of is null then p.is_admin and p.password_hash = ${NO_PASSWORD} and ${isAdmin(sql`r.made_by`)}
    else not p.is_admin and ${ownsAccount(sql`r.made_by`, sql`r.made_as_owner_of`)}
      and exists (select from members m where m.account_id = r.made_as_owner_of and m.person_id = p.id and m.active)
      and not exists (select from members m where m.account_id <> r.made_as_owner_of and m.person_id = p.id and m.active)
  end`;

interface Reset {
  readonly person_id: string;
  readonly email: string;
  readonly made_by: string | null;
}

/** Null if the link is unknown, used or expired, or its maker has lost the right to create it. */
export async function findReset(db: Db, token: string, realNow: Date): Promise<Reset | null> {
  const [found] = await db.rows<Reset>(sql`
    select r.person_id, p.email, r.made_by from password_resets r join people p on p.id = r.person_id
    where r.digest = ${tokenDigest(token)} and ${maySetPassword(realNow)}`);
  return found ?? null;
}

/** Ends every session of the person. False if the link has ended in the meantime. */
export async function spendReset(
  db: Db,
  token: string,
  passwordHash: string,
  actor: Omit<Actor, 'type' | 'name' | 'personId'>,
  realNow: Date,
): Promise<boolean> {
  const seen = await findReset(db, token, realNow);
  if (seen === null) return false;
  await lockPerson(db, seen.person_id);
  const found = await findReset(db, token, realNow);
  if (found === null) return false;
  // The maker of the link may know this administrator's password, so the two do not count as two administrators.
  if (found.made_by !== null)
    await db.exec(sql`update people set admin_made_by = ${found.made_by} where id = ${found.person_id} and is_admin`);
  await setPassword(db, found.person_id, passwordHash, null);
  await audit(db, { type: 'panel', name: found.email, personId: found.person_id, ...actor }, 'password.reset', found.person_id);
  return true;
}
