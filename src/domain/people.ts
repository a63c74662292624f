// People who sign in to the panel. Passwords are kept as argon2id in the PHC form, so that the cost can be raised later.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import { type Actor, audit } from './audit.ts';

const derive = promisify(argon2);

/** 19 MiB, two passes: what OWASP asks at least, about 80 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

export const SHORTEST_PASSWORD = 12;

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
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254)
    throw new PersonRefusal(`"${email}" is not an e-mail address`);
  return email;
}

export function checkPassword(password: string): string {
  if (password.length < SHORTEST_PASSWORD)
    throw new PersonRefusal(`the password must have at least ${SHORTEST_PASSWORD} characters`);
  if (password.length > 1000) throw new PersonRefusal('the password must have at most 1000 characters');
  return password;
}

/** A platform administrator for the panel. */
export async function createAdmin(db: Db, email: string, passwordHash: string, actor: Actor): Promise<{ id: string }> {
  const id = newId();
  await insertPerson(db, id, email, passwordHash, true);
  await audit(db, actor, 'admin.created', id, { after: { email } });
  return { id };
}

/** The account's first member, who may do everything in it. */
export async function createOwner(
  db: Db,
  accountId: string,
  email: string,
  passwordHash: string,
  actor: Actor,
): Promise<{ id: string }> {
  const personId = newId();
  await insertPerson(db, personId, email, passwordHash, false);
  const id = newId();
  await db.exec(sql`insert into members (account_id, id, person_id, full_name, role)
    values (${accountId}, ${id}, ${personId}, ${email.split('@')[0]}, 'owner')`);
  await audit(db, actor, 'member.created', id, { accountId, after: { email, role: 'owner' } });
  return { id };
}

async function insertPerson(db: Db, id: string, email: string, passwordHash: string, isAdmin: boolean): Promise<void> {
  const made =
    await db.exec(sql`insert into people (id, email, password_hash, is_admin) values (${id}, ${email}, ${passwordHash}, ${isAdmin})
    on conflict do nothing`);
  if (made === 0) throw new PersonRefusal(`there is already a person with the e-mail address ${email}`);
}
