// People who sign in to the panel. Passwords are kept as argon2id in the PHC form, so that the cost can be raised later.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type Field, Refused } from '../records/fields.ts';
import { isEmail } from '../records/person-fields.ts';
import { createTurns } from '../sharing/turns.ts';
import { type Actor, audit } from '../writes/audit.ts';
import type { Role } from './roles.ts';
import { endSessionsOf } from './sessions.ts';

const deriveNow = promisify(argon2);

/** 19 MiB, two passes: what OWASP asks at least, about 80 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

export const MIN_PASSWORD_LENGTH = 12;

/** The API shares the process: no more than two at once, the others wait their turn. */
const turns = createTurns(2);
export const passwordsInLine = (): number => turns.size();

const derive = (...given: Parameters<typeof deriveNow>): Promise<Buffer> => turns.take(() => deriveNow(...given));

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', { message: Buffer.from(password.normalize('NFC')), nonce: salt, ...COST });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(tag)}`;
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) return false;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const tag = Buffer.from(match[5]!, 'base64');
  const message = Buffer.from(password.normalize('NFC'));
  const nonce = Buffer.from(match[4]!, 'base64');
  const made = await derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: tag.length });
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

/** What is wrong with a new password, in both languages; null for nothing. Long, not the e-mail address, not one key held down. */
export function passwordFault(password: string, email: string): Text | null {
  if (password.length < MIN_PASSWORD_LENGTH)
    return { en: `at least ${MIN_PASSWORD_LENGTH} characters`, tr: `en az ${MIN_PASSWORD_LENGTH} karakter` };
  if (password.length > 1000) return { en: 'at most 1000 characters', tr: 'en çok 1000 karakter' };
  const plain = password.toLowerCase();
  const name = email.toLowerCase().split('@')[0]!;
  if (new Set(plain).size < 5 || plain === email.toLowerCase() || (name.length > 5 && plain.startsWith(name)))
    return { en: 'harder to guess than this', tr: 'daha zor tahmin edilir bir parola' };
  return null;
}

/** A field of a body: the rule itself is passwordFault(), which knows whose it is. */
export const passwordField: Field<string> = {
  required: false,
  nullable: false,
  stored: 'plain',
  schema: { type: 'string', format: 'password' },
  // As it is: neither trimmed nor tidied.
  read: (value) =>
    typeof value === 'string' && value !== '' && value.length <= 1000 && value.isWellFormed()
      ? value
      : new Refused('invalid', { en: 'a password', tr: 'bir parola' }),
  fromText: (text) => text,
};

/** A new password ends every other session, and (a trigger) every link that was handed out before it. */
export async function setPassword(db: Db, personId: string, passwordHash: string, keepSession: string | null): Promise<void> {
  await db.exec(sql`update people set password_hash = ${passwordHash}, password_changed_at = now(), updated_at = now()
    where id = ${personId}`);
  await endSessionsOf(db, personId, keepSession);
}

/** No password hashes to this: nobody signs in with it until a link has been used. */
export const NO_PASSWORD = 'none';

const nameFrom = (email: string): string => email.split('@')[0]!.slice(0, 120);

/**
 * A platform administrator for the panel. One who was taken out comes back as the same person, and brings nothing along. Whoever
 * makes one in the panel is handed the link, and is remembered for that: the two do not count as two.
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

/** Vouched for from outside the panel: a person of their own from now on, whoever made them. Null where there is no such one. */
export async function confirmAdmin(db: Db, email: string, actor: Actor): Promise<{ id: string } | null> {
  const [person] = await db.rows<{ id: string }>(sql`update people set admin_made_by = null
    where lower(email) = lower(${email}) and is_admin and disabled_at is null returning id`);
  if (person === undefined) return null;
  await audit(db, actor, 'admin.confirmed', person.id, { after: { email } });
  return person;
}

/** Neither the old password nor the old second factor opens anything again. Null where nobody of that address was taken out. */
async function enableAgain(db: Db, email: string, passwordHash: string, fullName: string): Promise<string | null> {
  const [person] = await db.rows<{ id: string }>(sql`update people set disabled_at = null, disabled_by = null,
      full_name = ${fullName}
    where lower(email) = lower(${email}) and is_admin and disabled_at is not null returning id`);
  if (person === undefined) return null;
  await setPassword(db, person.id, passwordHash, null);
  await clearTotp(db, person.id);
  return person.id;
}

/** The account's first member, who may do everything in it. */
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

export interface NewMember {
  readonly accountId: string;
  readonly personId: string;
  readonly fullName: string;
  readonly role: Role;
  readonly email: string;
  /** Someone on the staff, without a sign-in until now. */
  readonly memberId?: string | null;
}

/** Someone who signs in; with this role in this account. A member who was put out before comes back as the same one. */
export async function addMember(db: Db, given: NewMember, actor: Actor): Promise<{ id: string }> {
  const { accountId, personId, fullName, role, email, memberId = null } = given;
  // They stay the member they are: sales and tasks of theirs name it. Not where that would make one person two members.
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

/** Null where there is nobody; checked outside any transaction, so the hash is fetched first. */
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

/** The second factor and what stood in for it; without one, the password alone signs in until another is set up. */
export const clearTotp = (db: Db, personId: string): Promise<number> =>
  db.exec(
    sql`update people set totp_secret_encrypted = null, totp_confirmed_at = null, recovery_digests = '{}' where id = ${personId}`,
  );
