// Signing in with password and code. sign-in-tries.ts decides whether a try is allowed. Passwords are checked outside any transaction,
// because hashing takes longer than a transaction should be open.
import type { Database, Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { addressGroup } from '../net/address.ts';
import { type CellAddress, type KeyRing, unseal } from '../vault/vault.ts';
import { type Actor, auditOfPerson } from '../writes/audit.ts';
import { isPassword } from './people.ts';
import { beginSession, completeSession, type Origin } from './sessions.ts';
import { countTry, forgetTries, lockedUntil, nameKey, triesOfCode, triesOfSignIn, writeTryAgain } from './sign-in-tries.ts';
import { recoveryDigest, stepOfCode } from './totp.ts';

/** Checked for an unknown address, so that it takes as long as a known one. */
const UNKNOWN_HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXRoaW5nIHNhbHR5IQ$kWC5XWHaXFVCJ5YLQ8tr0eQZ2b0l2b1dnjBmq6r3wQo';

export const totpCell = (personId: string): CellAddress => ({
  account: personId,
  table: 'people',
  column: 'totp_secret_encrypted',
  row: personId,
});

export interface SignInInput extends Origin {
  readonly email: string;
  readonly password: string;
  readonly requestId: string;
  /** The device's id, if the person has signed in on it before. */
  readonly device: string | null;
  /** The request comes directly from this machine; only then can people of the demonstration sign in. */
  readonly local: boolean;
}

/** `token` goes into the cookie; `code` means that the second factor is still required. */
export type SignInResult =
  | { readonly token: string; readonly code: boolean }
  | { readonly token: null; readonly wait: number | null };

export async function signIn(database: Database, input: SignInInput, realNow: Date): Promise<SignInResult> {
  const email = input.email.trim().slice(0, 254);
  const tries = triesOfSignIn(email, input.ip, input.device);
  const tried = await countTry(database, tries, realNow, (db) => findPerson(db, email));
  if (tried.wait !== null) return { token: null, wait: tried.wait };
  const person = tried.value;
  const line = input.device === null ? addressGroup(input.ip) : tries.email!;
  const right = await isPassword(input.password, person?.password_hash ?? UNKNOWN_HASH, line);
  if (person === undefined) {
    await database.onPlatform('write', (db) => refuseUnknown(db, tries.email!, realNow));
    return { token: null, wait: null };
  }
  const origin = { ip: input.ip, userAgent: input.userAgent };
  const actor = { type: 'panel', name: person.email, personId: person.id, requestId: input.requestId, ...origin } as const;
  return database.onPlatform('write', async (db) => {
    // The same answer as for a wrong password, so that another machine cannot find out whether a demonstration password is right.
    const because = !right ? 'password' : person.is_demo && !input.local ? 'demo' : null;
    if (because !== null) {
      await auditRefusal(db, actor, because, tries.email!, realNow);
      return { token: null, wait: null };
    }
    // Where a code is required, tries are cleared only after it; otherwise the code could be guessed five at a time for ever.
    if (!person.has_totp) {
      await forgetTries(db, tries);
      await auditOfPerson(db, actor, 'session.began');
    }
    return { token: await beginSession(db, person.id, origin, realNow, { pending: person.has_totp }), code: person.has_totp };
  });
}

interface PersonRecord {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly has_totp: boolean;
  readonly is_demo: boolean;
}

/** Finds the person only by a spelling whose tries are counted under their key. */
async function findPerson(db: Db, email: string): Promise<PersonRecord | undefined> {
  const [person] =
    await db.rows<PersonRecord>(sql`select id, email, password_hash, is_demo, totp_confirmed_at is not null as has_totp
    from people
    where lower(email) = lower(${email}) and disabled_at is null`);
  return person !== undefined && nameKey(person.email) === nameKey(email) ? person : undefined;
}

/** Audited once for each lock that begins; tries during it are refused from memory and would fill the log. */
async function auditRefusal(
  db: Db,
  actor: Actor & { readonly personId: string },
  because: 'password' | 'code' | 'demo',
  counted: string,
  realNow: Date,
): Promise<void> {
  const until = await lockedUntil(db, counted, realNow);
  const after = until === null ? { because } : { because, wait_seconds: Math.ceil((until.getTime() - realNow.getTime()) / 1000) };
  await auditOfPerson(db, actor, until === null ? 'session.refused' : 'session.locked', { outcome: 'denied', after });
}

/**
 * Runs the statements that a wrong password of a known person takes, so that the response time does not reveal which names are
 * known.
 */
async function refuseUnknown(db: Db, counted: string, realNow: Date): Promise<void> {
  await lockedUntil(db, counted, realNow);
  await db.rows(sql`select account_id, role from members where person_id = ${newId()} and active order by account_id`);
  writeTryAgain(db, counted);
}

export interface CodeInput extends Origin {
  readonly sessionId: string;
  readonly personId: string;
  readonly email: string;
  readonly code: string;
  /** The device's id, if the person has signed in on it before. */
  readonly device: string | null;
  readonly requestId: string;
}

/** The second step of signing in. */
export async function giveCode(database: Database, vault: KeyRing, input: CodeInput, realNow: Date): Promise<SignInResult> {
  const { ip, userAgent, email, personId, requestId } = input;
  const actor = { type: 'panel', name: email, personId, requestId, ip, userAgent } as const;
  const tries = triesOfCode(personId, ip, input.device);
  const tried = await countTry(database, tries, realNow, async (db): Promise<SignInResult> => {
    const how = await spendCode(db, vault, personId, input.code, realNow);
    if (how === null) {
      await auditRefusal(db, actor, 'code', tries.email!, realNow);
      return { token: null, wait: null };
    }
    await forgetTries(db, tries);
    await forgetTries(db, triesOfSignIn(email, ip, input.device));
    await auditOfPerson(db, actor, 'session.began', { after: { second_factor: how } });
    return { token: await completeSession(db, input.sessionId, realNow), code: false };
  });
  return tried.wait === null ? tried.value : { token: null, wait: tried.wait };
}

/** Spends a code of the app or a recovery code; null for a wrong one. */
export async function spendCode(
  db: Db,
  vault: KeyRing,
  personId: string,
  code: string,
  realNow: Date,
): Promise<'app' | 'recovery' | null> {
  const [person] = await db.rows<{ sealed: Buffer | null }>(
    sql`select totp_secret_encrypted as sealed from people where id = ${personId} for update`,
  );
  if (person === undefined || person.sealed === null) return null;
  const step = stepOfCode(unseal(vault, totpCell(personId), person.sealed), code, realNow);
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
