// People who sign in to the panel. Passwords are kept as argon2id in the PHC form, so that the cost can be raised later.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { requireStaffPlace } from '../membership/platform-limits.ts';
import { type Field, Refused } from '../records/fields.ts';
import { isEmail } from '../records/person-fields.ts';
import { createSemaphore } from '../sharing/semaphore.ts';
import { type Actor, audit } from '../writes/audit.ts';
import type { Role } from './roles.ts';
import { endSessionsOf } from './sessions.ts';

const deriveNow = promisify(argon2);

/** 19 MiB and two passes: OWASP's minimum, about 80 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

export const MIN_PASSWORD_LENGTH = 12;

/** At most two at once, because the API runs in the same process, and one of each network, so that no network stops the others. */
const turns = createSemaphore({ atOnce: 2, each: 1, waiting: 50, waitingEach: 16, what: 'passwords' });

/** Whether this network has so many passwords waiting that another one is refused. */
export const isPasswordLineFull = (network: string): boolean => turns.isFull(network);

/** The owner of passwords that are given on the command line. */
export const COMMAND_LINE = 'command line';

/** `network` is the address group of the caller, or COMMAND_LINE. */
export async function hashPassword(password: string, network: string): Promise<string> {
  const salt = randomBytes(16);
  const message = Buffer.from(password.normalize('NFC'));
  const tag = await turns.take(network, () => deriveNow('argon2id', { message, nonce: salt, ...COST }));
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(tag)}`;
}

export async function isPassword(password: string, hash: string, network: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) return false;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const tag = Buffer.from(match[5]!, 'base64');
  const message = Buffer.from(password.normalize('NFC'));
  const nonce = Buffer.from(match[4]!, 'base64');
  const parameters = { message, nonce, memory, passes, parallelism, tagLength: tag.length };
  const made = await turns.take(network, () => deriveNow('argon2id', parameters));
  return timingSafeEqual(made, tag);
}

export class PersonRefusal extends Error {}

export function checkEmail(email: string): string {
  if (email.length > 254 || !isEmail(email)) throw new PersonRefusal(`"${email}" is not an e-mail address`);
  return email;
}

export function checkPassword(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw new PersonRefusal(`the password must have at least ${MIN_PASSWORD_LENGTH} characters`);
  if (password.length > 1000) throw new PersonRefusal('the password must have at most 1000 characters');
  if (new Set(password).size < 5) throw new PersonRefusal('the password must have at least five different characters');
  return password;
}

/** What is wrong with a new password, or null: it must be long, not the e-mail address, and not one repeated character. */
export function passwordFault(password: string, email: string): Text | null {
  if (password.length < MIN_PASSWORD_LENGTH)
    return { en: `at least ${MIN_PASSWORD_LENGTH} characters long`, tr: `en az ${MIN_PASSWORD_LENGTH} karakterli` };
  if (password.length > 1000) return { en: 'at most 1000 characters long', tr: 'en çok 1000 karakterli' };
  const plain = password.toLowerCase();
  const name = email.toLowerCase().split('@')[0]!;
  if (new Set(plain).size < 5 || plain === email.toLowerCase() || (name.length > 5 && plain.startsWith(name)))
    return { en: 'harder to guess', tr: 'tahmini daha zor' };
  return null;
}

/** The body field for a password. The rule itself is passwordFault(), which needs to know the person's address. */
export const passwordField: Field<string> = {
  required: false,
  nullable: false,
  stored: 'plain',
  schema: { type: 'string', format: 'password' },
  // A password is taken as it is, not trimmed or normalised.
  read: (value) =>
    typeof value === 'string' && value !== '' && value.length <= 1000 && value.isWellFormed()
      ? value
      : new Refused('invalid', { en: 'a password', tr: 'bir parola' }),
  fromText: (text) => text,
};

/** Ends every other session of the person; a trigger also ends every link that was handed out before. */
export async function setPassword(db: Db, personId: string, passwordHash: string, keepSession: string | null): Promise<void> {
  await db.exec(sql`update people set password_hash = ${passwordHash}, password_changed_at = now(), updated_at = now()
    where id = ${personId}`);
  await endSessionsOf(db, personId, keepSession);
}

/** A hash that no password has: the person cannot sign in until they set a password by a link. */
export const NO_PASSWORD = 'none';

const nameFrom = (email: string): string => email.split('@')[0]!.slice(0, 120);

/**
 * Creates a platform administrator. One who was disabled is enabled again as the same person, with a new password and no second
 * factor. An administrator who creates another in the panel gets the link and could use it, so the two do not count as two
 * administrators.
 */
export async function createAdmin(
  db: Db,
  email: string,
  passwordHash: string,
  actor: Actor,
  fullName = nameFrom(email),
): Promise<{ id: string }> {
  const back = await enableAgain(db, email, passwordHash, fullName);
  const id = back ?? (await insertPerson(db, { email, passwordHash, fullName, isAdmin: true }));
  await db.exec(sql`update people set admin_made_by = ${actor.personId ?? null} where id = ${id}`);
  await audit(db, actor, 'admin.created', id, { after: back === null ? { email } : { email, again: true } });
  return { id };
}

/**
 * Confirms on the command line that this administrator and their creator are different people. Null if there is no such
 * administrator.
 */
export async function confirmAdmin(db: Db, email: string, actor: Actor): Promise<{ id: string } | null> {
  const [person] = await db.rows<{ id: string }>(sql`update people set admin_made_by = null
    where lower(email) = lower(${email}) and is_admin and disabled_at is null returning id`);
  if (person === undefined) return null;
  await audit(db, actor, 'admin.confirmed', person.id, { after: { email } });
  return person;
}

/** Replaces the old password and removes the second factor. Null if no disabled administrator has this address. */
async function enableAgain(db: Db, email: string, passwordHash: string, fullName: string): Promise<string | null> {
  const [person] = await db.rows<{ id: string }>(sql`update people set disabled_at = null, disabled_by = null,
      full_name = ${fullName}
    where lower(email) = lower(${email}) and is_admin and disabled_at is not null returning id`);
  if (person === undefined) return null;
  await setPassword(db, person.id, passwordHash, null);
  await clearTotp(db, person.id);
  return person.id;
}

/** Creates the account's first member, its owner. */
export async function createOwner(
  db: Db,
  accountId: string,
  email: string,
  passwordHash: string,
  actor: Actor,
  fullName = nameFrom(email),
): Promise<{ id: string }> {
  const personId = await insertPerson(db, { email, passwordHash, fullName, isAdmin: false });
  return addMember(db, { accountId, personId, fullName, role: 'owner', email }, actor);
}

/** A person who signs in with a role, for the demonstration. */
export async function createMember(
  db: Db,
  { accountId, fullName, role, email }: Pick<NewMember, 'accountId' | 'fullName' | 'role' | 'email'>,
  passwordHash: string,
  actor: Actor,
): Promise<{ id: string }> {
  const personId = await insertPerson(db, { email, passwordHash, fullName, isAdmin: false });
  return addMember(db, { accountId, personId, fullName, role, email }, actor);
}

export interface NewMember {
  readonly accountId: string;
  readonly personId: string;
  readonly fullName: string;
  readonly role: Role;
  readonly email: string;
  /** Someone on the staff, without a sign-in until now. */
  readonly memberId?: string | null;
}

/** Adds a person who signs in with this role. A former member is activated again instead of being added twice. */
export async function addMember(db: Db, newMember: NewMember, actor: Actor): Promise<{ id: string }> {
  const { accountId, personId, fullName, role, email, memberId = null } = newMember;
  if (!(await isActive(db, accountId, personId, memberId))) await requireStaffPlace(db, accountId);
  // The existing member is kept, because their sales and tasks refer to it, unless that would make one person two members.
  const joined =
    memberId === null
      ? 0
      : await db.exec(sql`update members set person_id = ${personId}, role = ${role}, active = true, updated_at = now()
          where account_id = ${accountId} and id = ${memberId} and person_id is null
            and not exists (select from members where account_id = ${accountId} and person_id = ${personId})`);
  if (joined === 1) {
    await audit(db, actor, 'member.joined', memberId!, { accountId, after: { email, role } });
    return { id: memberId! };
  }
  const { id } = await db.one<{ id: string }>(sql`insert into members (account_id, id, person_id, full_name, role)
    values (${accountId}, ${newId()}, ${personId}, ${fullName}, ${role})
    on conflict (account_id, person_id) where person_id is not null
      do update set role = excluded.role, active = true, updated_at = now()
    returning id`);
  await audit(db, actor, 'member.created', id, { accountId, after: { email, role } });
  return { id };
}

/** An existing member takes no further place of the plan. */
const isActive = async (db: Db, accountId: string, personId: string, memberId: string | null): Promise<boolean> =>
  (
    await db.rows(sql`select 1 from members where account_id = ${accountId} and active
      and (person_id = ${personId} or (id = ${memberId}::uuid and person_id is null)) limit 1`)
  ).length > 0;

export interface NewPerson {
  readonly email: string;
  readonly passwordHash: string;
  readonly fullName: string;
  readonly isAdmin: boolean;
}

export async function insertPerson(db: Db, { email, passwordHash, fullName, isAdmin }: NewPerson): Promise<string> {
  const id = newId();
  const made = await db.exec(sql`insert into people (id, email, password_hash, full_name, is_admin)
    values (${id}, ${email}, ${passwordHash}, ${fullName}, ${isAdmin}) on conflict do nothing`);
  if (made === 0) throw new PersonRefusal(`there is already a person with the e-mail address ${email}`);
  return id;
}

export async function personByEmail(db: Db, email: string): Promise<{ id: string; email: string } | null> {
  const [person] = await db.rows<{ id: string; email: string }>(
    sql`select id, email from people where lower(email) = lower(${email})`,
  );
  return person ?? null;
}

/** The hash is fetched first because passwords are checked outside any transaction. */
export async function passwordHashOf(db: Db, personId: string): Promise<string> {
  return (await db.one<{ password_hash: string }>(sql`select password_hash from people where id = ${personId}`)).password_hash;
}

export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly status: 'Aktif' | 'Askıda';
}

/** The accounts a person works in, by name. */
export const membershipsOf = (db: Db, personId: string): Promise<Membership[]> =>
  db.rows(sql`select a.id, a.name, m.role, a.status from members m join accounts a on a.id = m.account_id
    where m.person_id = ${personId} and m.active order by fold_tr(a.name), a.id`);

/** Removes the second factor and its recovery codes: until a new one is set up, the password alone signs in. */
export const clearTotp = (db: Db, personId: string): Promise<number> =>
  db.exec(
    sql`update people set totp_secret_encrypted = null, totp_confirmed_at = null, recovery_digests = '{}' where id = ${personId}`,
  );
