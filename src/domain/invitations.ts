// Ways in that are handed over as a link: an invitation into an account, and a link by which a forgotten password is set anew.
// Only the hash of what the link holds is kept. On the platform door throughout.
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import { type Actor, audit } from './audit.ts';
import { addMember, insertPerson, personByEmail, setPassword } from './people.ts';
import type { Role } from './roles.ts';
import { newToken, tokenDigest } from './sessions.ts';

const DAY_MS = 86_400_000;
const INVITED_FOR_MS = 7 * DAY_MS;
const RESET_WITHIN_MS = DAY_MS;

export interface NewInvitation {
  readonly accountId: string;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly invitedBy: string;
  /** Someone on the staff, without a sign-in until now. */
  readonly memberId?: string | null;
}

/** `token` goes into the link `/panel/davet/<token>` and is not seen again. An open invitation of the same address ends. */
export async function invite(
  db: Db,
  given: NewInvitation,
  actor: Actor,
  now: Date,
): Promise<{ id: string; token: string; expires_at: Date }> {
  const { accountId, email, fullName, role, invitedBy, memberId = null } = given;
  const { token, digest } = newToken();
  const id = newId(now.getTime());
  const expires_at = new Date(now.getTime() + INVITED_FOR_MS);
  await db.exec(sql`update invitations set revoked_at = ${now} where account_id = ${accountId} and lower(email) = lower(${email})
    and accepted_at is null and revoked_at is null`);
  await db.exec(sql`insert into invitations (account_id, id, digest, email, full_name, role, invited_by, member_id, expires_at, created_at)
    values (${accountId}, ${id}, ${digest}, ${email}, ${fullName}, ${role}, ${invitedBy}, ${memberId}, ${expires_at}, ${now})`);
  await audit(db, actor, 'invitation.created', id, { accountId, after: { email, role } });
  return { id, token, expires_at };
}

export interface Invitation {
  readonly id: string;
  readonly account_id: string;
  readonly account: string;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  /** Who has the address already: they join with the password they have. */
  readonly person_id: string | null;
  readonly member_id: string | null;
}

/** Null for one that is unknown, used, called back or too old. */
export async function findInvitation(db: Db, token: string, now: Date): Promise<Invitation | null> {
  const [found] = await db.rows<Invitation>(sql`
    select i.id, i.account_id, a.name as account, i.email, i.full_name, i.role, i.member_id,
      (select p.id from people p where lower(p.email) = lower(i.email)) as person_id
    from invitations i join accounts a on a.id = i.account_id
    where i.digest = ${tokenDigest(token)} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}`);
  return found ?? null;
}

/** `passwordHash` of someone new; null for someone whose password was checked. Null where the invitation was used meanwhile. */
export async function acceptInvitation(
  db: Db,
  invitation: Invitation,
  given: { readonly passwordHash: string | null; readonly fullName: string },
  actor: Omit<Actor, 'type' | 'name' | 'personId'>,
  now: Date,
): Promise<string | null> {
  const { id, account_id: accountId, email, role, member_id: memberId } = invitation;
  const taken = await db.exec(sql`update invitations set accepted_at = ${now}
    where account_id = ${accountId} and id = ${id} and accepted_at is null and revoked_at is null`);
  if (taken === 0) return null;
  const known = await personByEmail(db, email);
  // Between the page and its form the address may have got an owner, whose password nobody checked.
  if ((known === null) !== (given.passwordHash !== null)) return null;
  const { fullName } = given;
  const personId = known?.id ?? (await insertPerson(db, { email, passwordHash: given.passwordHash!, fullName, isAdmin: false }));
  const who: Actor = { type: 'panel', name: email, personId, ...actor };
  await addMember(db, { accountId, personId, fullName, role, email, memberId }, who);
  await audit(db, who, 'invitation.accepted', id, { accountId });
  return personId;
}

export async function revokeInvitation(db: Db, accountId: string, id: string, actor: Actor, now: Date): Promise<boolean> {
  const changed = await db.exec(sql`update invitations set revoked_at = ${now}
    where account_id = ${accountId} and id = ${id} and accepted_at is null and revoked_at is null`);
  if (changed === 1) await audit(db, actor, 'invitation.revoked', id, { accountId });
  return changed === 1;
}

/** `token` goes into the link `/panel/parola-sifirla/<token>`. Earlier links of the person end. */
export async function createReset(
  db: Db,
  personId: string,
  made: { readonly by: string | null; readonly accountId?: string },
  actor: Actor,
  now: Date,
): Promise<{ token: string; expires_at: Date }> {
  const { token, digest } = newToken();
  const expires_at = new Date(now.getTime() + RESET_WITHIN_MS);
  await db.exec(sql`update password_resets set used_at = ${now} where person_id = ${personId} and used_at is null`);
  await db.exec(sql`insert into password_resets (id, digest, person_id, made_by, expires_at, created_at)
    values (${newId(now.getTime())}, ${digest}, ${personId}, ${made.by}, ${expires_at}, ${now})`);
  await audit(db, actor, 'password.reset_made', personId, made.accountId === undefined ? {} : { accountId: made.accountId });
  return { token, expires_at };
}

export async function findReset(db: Db, token: string, now: Date): Promise<{ person_id: string; email: string } | null> {
  const [found] = await db.rows<{ person_id: string; email: string }>(sql`
    select r.person_id, p.email from password_resets r join people p on p.id = r.person_id and p.disabled_at is null
    where r.digest = ${tokenDigest(token)} and r.used_at is null and r.expires_at > ${now}`);
  return found ?? null;
}

/** False where the link was used meanwhile. Ends every session of the person. */
export async function spendReset(
  db: Db,
  token: string,
  passwordHash: string,
  actor: Omit<Actor, 'type' | 'name' | 'personId'>,
  now: Date,
): Promise<boolean> {
  const found = await findReset(db, token, now);
  if (found === null) return false;
  const used = await db.exec(
    sql`update password_resets set used_at = ${now} where digest = ${tokenDigest(token)} and used_at is null`,
  );
  if (used === 0) return false;
  await setPassword(db, found.person_id, passwordHash, null);
  await audit(db, { type: 'panel', name: found.email, personId: found.person_id, ...actor }, 'password.reset', found.person_id);
  return true;
}
