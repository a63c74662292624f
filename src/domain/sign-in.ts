// Signing in: who may try again and when, the password, the code. Every try is counted before it is checked, so that a hundred
// at once are a hundred tries. Passwords are checked outside any transaction: they take longer than the database should wait.
import { createHash } from 'node:crypto';
import type { Database, Db } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import { type Actor, auditOfPerson } from './audit.ts';
import { isPassword } from './people.ts';
import { beginSession, completeSession, type Origin } from './sessions.ts';
import { recoveryDigest, stepOfCode } from './totp.ts';
import { type KeyRing, type Place, unseal } from './vault.ts';

const FREE_TRIES = 5;
const LONGEST_WAIT_S = 900;
const ADDRESS_TRIES = 30;
const ADDRESS_SPAN_MS = 15 * 60_000;

/** Nobody's password: an unknown address takes as long as a known one. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXRoaW5nIHNhbHR5IQ$kWC5XWHaXFVCJ5YLQ8tr0eQZ2b0l2b1dnjBmq6r3wQo';

export const totpPlace = (personId: string): Place => ({
  account: personId,
  table: 'people',
  column: 'totp_secret_encrypted',
  row: personId,
});

const subjectOf = (email: string): Buffer => createHash('sha256').update(email.toLowerCase()).digest();

/** Counts a try; the seconds to wait where it is too early for one. */
export async function countTry(db: Db, email: string, ip: string | null, now: Date): Promise<number | null> {
  const blocked = ip === null ? null : await countAddress(db, ip, now);
  if (blocked !== null) return blocked;
  const subject = subjectOf(email);
  const counted = await db.exec(sql`
    insert into sign_in_locks (subject, failures, last_failed_at) values (${subject}, 1, ${now})
    on conflict (subject) do update set last_failed_at = ${now},
      failures = case when sign_in_locks.last_failed_at < ${new Date(now.getTime() - 86_400_000)} then 1 else sign_in_locks.failures + 1 end,
      locked_until = case when sign_in_locks.failures + 1 < ${FREE_TRIES} then null else ${now}::timestamptz
        + make_interval(secs => least(2 ^ least(sign_in_locks.failures + 1 - ${FREE_TRIES}, 20), ${LONGEST_WAIT_S})) end
      where sign_in_locks.locked_until is null or sign_in_locks.locked_until <= ${now}`);
  if (counted > 0) return null;
  return (await lockedFor(db, email, now)) ?? 1;
}

/** Thirty tries of one address in a quarter of an hour, whatever they try; the seconds to wait where they are used up. */
export async function countAddress(db: Db, ip: string, now: Date): Promise<number | null> {
  const since = new Date(now.getTime() - ADDRESS_SPAN_MS);
  await db.exec(sql`delete from sign_in_failures where at < ${since}`);
  // One at a time for an address: tries that arrive together are all counted.
  await db.exec(sql`select pg_advisory_xact_lock(hashtext(${`galeri.sign-in ${ip}`}))`);
  const [seen] = await db.rows<{ tries: number; oldest: Date | null }>(
    sql`select count(*)::int as tries, min(at) as oldest from sign_in_failures where address = ${ip}`,
  );
  if (seen!.tries >= ADDRESS_TRIES)
    return Math.max(1, Math.ceil((seen!.oldest!.getTime() + ADDRESS_SPAN_MS - now.getTime()) / 1000));
  await db.exec(sql`insert into sign_in_failures (id, address, at) values (${newId()}, ${ip}, ${now})`);
  return null;
}

/** It was right: nothing is held against the person, and this one try not against the address. */
export async function forgetTries(db: Db, email: string, ip: string | null): Promise<void> {
  await db.exec(sql`delete from sign_in_locks where subject = ${subjectOf(email)}`);
  if (ip !== null)
    await db.exec(sql`delete from sign_in_failures where id =
      (select id from sign_in_failures where address = ${ip} order by at desc, id desc limit 1)`);
}

export interface SignInGiven extends Origin {
  readonly email: string;
  readonly password: string;
  readonly requestId: string;
}

/** `token` is what the cookie is to hold; `code` says that the second factor is still to come. */
export type SignInResult =
  | { readonly token: string; readonly code: boolean }
  | { readonly token: null; readonly wait: number | null };

export async function signIn(database: Database, given: SignInGiven, now: Date): Promise<SignInResult> {
  const email = given.email.trim().slice(0, 254);
  const tried = await database.onPlatform('write', async (db) => {
    const wait = await countTry(db, email, given.ip, now);
    if (wait !== null) return { wait, person: undefined };
    const [person] = await db.rows<{ id: string; email: string; password_hash: string; has_totp: boolean; is_admin: boolean }>(
      sql`select id, email, password_hash, is_admin, totp_confirmed_at is not null as has_totp from people
        where lower(email) = lower(${email}) and disabled_at is null`,
    );
    return { wait: null, person };
  });
  if (tried.wait !== null) return { token: null, wait: tried.wait };
  const { person } = tried;
  const right = await isPassword(given.password, person?.password_hash ?? NOBODY);
  if (person === undefined) return { token: null, wait: null };
  const origin = { ip: given.ip, userAgent: given.userAgent };
  const actor = { type: 'panel', name: person.email, personId: person.id, requestId: given.requestId, ...origin } as const;
  return database.onPlatform('write', async (db) => {
    if (!right) {
      await auditRefusal(db, actor, 'password', now);
      return { token: null, wait: null };
    }
    // Where a code is asked for, the tries are forgotten only after it: else the code could be guessed five at a time for ever.
    if (!person.has_totp) {
      await forgetTries(db, email, given.ip);
      await auditOfPerson(db, actor, 'session.began');
    }
    return { token: await beginSession(db, person.id, origin, now, { pending: person.has_totp }), code: person.has_totp };
  });
}

/** Once for each wait that begins: tries in the middle of one are not even looked at, and would fill the log. */
async function auditRefusal(
  db: Db,
  actor: Actor & { readonly personId: string },
  because: 'password' | 'code',
  now: Date,
): Promise<void> {
  const wait = await lockedFor(db, actor.name, now);
  const after = wait === null ? { because } : { because, wait_seconds: wait };
  await auditOfPerson(db, actor, wait === null ? 'session.refused' : 'session.locked', { outcome: 'denied', after });
}

/** The seconds until an address may be tried again; null where it may be now. */
async function lockedFor(db: Db, email: string, now: Date): Promise<number | null> {
  const [lock] = await db.rows<{ locked_until: Date }>(
    sql`select locked_until from sign_in_locks where subject = ${subjectOf(email)} and locked_until > ${now}`,
  );
  return lock === undefined ? null : Math.ceil((lock.locked_until.getTime() - now.getTime()) / 1000);
}

export interface CodeGiven extends Origin {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly code: string;
  readonly requestId: string;
}

/** The second step of signing in. */
export async function giveCode(database: Database, vault: KeyRing, given: CodeGiven, now: Date): Promise<SignInResult> {
  const { ip, userAgent, email, personId, requestId } = given;
  const actor = { type: 'panel', name: email, personId, requestId, ip, userAgent } as const;
  return database.onPlatform('write', async (db) => {
    const wait = await countTry(db, email, ip, now);
    if (wait !== null) return { token: null, wait };
    const how = await spendCode(db, vault, personId, given.code, now);
    if (how === null) {
      await auditRefusal(db, actor, 'code', now);
      return { token: null, wait: null };
    }
    await forgetTries(db, email, ip);
    await auditOfPerson(db, actor, 'session.began', { after: { second_factor: how } });
    return { token: await completeSession(db, given.sessionId, now), code: false };
  });
}

/** A code of the app or a recovery code, used up by this; null for a wrong one. */
export async function spendCode(
  db: Db,
  vault: KeyRing,
  personId: string,
  code: string,
  now: Date,
): Promise<'app' | 'recovery' | null> {
  const [person] = await db.rows<{ sealed: Buffer | null }>(
    sql`select totp_secret_encrypted as sealed from people where id = ${personId} for update`,
  );
  if (person === undefined || person.sealed === null) return null;
  const step = stepOfCode(unseal(vault, totpPlace(personId), person.sealed), code, now);
  if (step !== null) {
    const used = await db.exec(
      sql`update people set totp_last_step = ${step} where id = ${personId} and totp_last_step < ${step}`,
    );
    return used === 1 ? 'app' : null;
  }
  const digest = recoveryDigest(code);
  const used = await db.exec(sql`update people set recovery_digests = array_remove(recovery_digests, ${digest}::bytea)
    where id = ${personId} and ${digest}::bytea = any(recovery_digests)`);
  return used === 1 ? 'recovery' : null;
}
