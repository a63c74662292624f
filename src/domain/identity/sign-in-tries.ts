// Limits tries of passwords and codes, by person and by network. The database counts over all processes; a refusal is repeated
// from memory for a few seconds, so that a flood of tries hardly loads the database.
import { createHash } from 'node:crypto';
import type { Database, Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { addressGroup } from '../net/address.ts';
import { createSemaphore, type Semaphore } from '../sharing/semaphore.ts';
import { isPasswordLineFull } from './people.ts';

const FREE_TRIES = 5;
const MAX_WAIT_S = 900;
/** After a day without a wrong try the count starts again. */
export const NAME_SPAN_MS = 86_400_000;
const ADDRESS_TRIES = 30;
export const ADDRESS_SPAN_MS = 15 * 60_000;
/** How long a refusal is repeated from memory. Another process may reset the tries, and this one learns of it after this time. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 10_000;
/** How many tries may wait for the database; more would wait longer than people do. */
const MAX_IN_LINE = { waiting: 50, waitingEach: 16 };
const BUSY_WAIT_S = 5;

/** `email` null: only the network is counted. `ip` null: only the name. */
export interface Tried {
  readonly email: string | null;
  readonly ip: string | null;
  /** Tries wait in this queue instead of their network's: one link that many networks use must not fill the queue of everyone. */
  readonly line?: string;
}

/**
 * Tries at the sign-in. Those of a device on which the person has signed in before count for that device alone, so that strangers, also
 * of the same network, do not lock it out.
 */
export const triesOfSignIn = (email: string, ip: string, device: string | null): Tried =>
  device === null ? { email, ip } : { email: `device ${device}`, ip: null };

/** Tries of a code: only a person who gave the right password gets there, so strangers do not use them up. */
export const triesOfCode = (personId: string, ip: string, device: string | null): Tried =>
  device === null ? { email: `code ${personId}`, ip } : triesOfSignIn('', ip, device);

/** Tries of the password in an open session, which count for the session alone. */
export const triesOfSession = (sessionId: string): Tried => ({ email: `session ${sessionId}`, ip: null });

/**
 * All spellings that the database may match to one person have the same key, independent of its locale's treatment of `İ`.
 * Unknown names follow the same rule, so that the counters do not reveal which addresses exist.
 */
export const nameKey = (email: string): string =>
  email.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const subjectOf = (email: string): Buffer => createHash('sha256').update(nameKey(email)).digest();

interface Refusal {
  /** The key under which the refusal is remembered. */
  readonly key: string;
  readonly until: Date;
}

const keysOf = ({ email, ip }: Tried): string[] => [
  ...(email === null ? [] : [`name ${subjectOf(email).toString('base64')}`]),
  ...(ip === null ? [] : [`address ${addressGroup(ip)}`]),
];

interface Memory {
  readonly refused: Map<string, number>;
  readonly turns: Semaphore;
}

const memories = new WeakMap<Database, Memory>();

function memoryOf(database: Database): Memory {
  // One at a time, so that sign-ins never hold more than one of the few platform connections.
  const memory = memories.get(database) ?? {
    refused: new Map(),
    turns: createSemaphore({ atOnce: 1, ...MAX_IN_LINE, what: 'sign-ins' }),
  };
  memories.set(database, memory);
  return memory;
}

const secondsUntil = (until: number, realNow: Date): number => Math.max(1, Math.ceil((until - realNow.getTime()) / 1000));

/** Counts a try and runs `work` in the same transaction; `wait` says after how many seconds the next try is allowed. */
export async function countTry<T>(
  database: Database,
  tried: Tried,
  realNow: Date,
  work: (db: Db) => Promise<T>,
): Promise<{ readonly wait: number } | { readonly wait: null; readonly value: T }> {
  const { refused, turns } = memoryOf(database);
  for (const key of keysOf(tried)) {
    const until = refused.get(key);
    if (until !== undefined && until > realNow.getTime()) return { wait: secondsUntil(until, realNow) };
    refused.delete(key);
  }
  const line = tried.line ?? (tried.ip === null ? `name ${tried.email}` : addressGroup(tried.ip));
  if (turns.isFull(line) || isPasswordLineFull(line)) return { wait: BUSY_WAIT_S };
  const result = await turns.take(line, () =>
    database.onPlatform('write', async (db) => {
      const refusal = await refuseOrCount(db, tried, realNow);
      return refusal === null ? { refusal, value: await work(db) } : { refusal };
    }),
  );
  if (result.refusal === null) return { wait: null, value: result.value };
  const { key, until } = result.refusal;
  if (refused.size >= MAX_REMEMBERED) refused.delete(refused.keys().next().value!);
  refused.set(key, Math.min(until.getTime(), realNow.getTime() + REMEMBERED_MS));
  return { wait: secondsUntil(until.getTime(), realNow) };
}

/** A try is counted before it is checked, so that a hundred at once count as a hundred. A refused try writes nothing. */
async function refuseOrCount(db: Db, { email, ip }: Tried, realNow: Date): Promise<Refusal | null> {
  const locked = email === null ? null : await lockedUntil(db, email, realNow);
  if (locked !== null) return nameRefusal(email!, locked);
  const blocked = ip === null ? null : await countAddress(db, addressGroup(ip), realNow);
  if (blocked !== null) return { key: `address ${addressGroup(ip!)}`, until: blocked };
  return email === null ? null : countName(db, email, realNow);
}

const nameRefusal = (email: string, until: Date): Refusal => ({ key: keysOf({ email, ip: null })[0]!, until });

async function countName(db: Db, email: string, realNow: Date): Promise<Refusal | null> {
  const since = new Date(realNow.getTime() - NAME_SPAN_MS);
  const failures = sql`case when sign_in_locks.last_failed_at < ${since} then 1 else sign_in_locks.failures + 1 end`;
  const counted = await db.exec(sql`
    insert into sign_in_locks (subject, failures, last_failed_at) values (${subjectOf(email)}, 1, ${realNow})
    on conflict (subject) do update set last_failed_at = ${realNow}, failures = ${failures},
      locked_until = case when ${failures} < ${FREE_TRIES} then null else ${realNow}::timestamptz
        + make_interval(secs => least(2 ^ least(${failures} - ${FREE_TRIES}, 20), ${MAX_WAIT_S})) end
      where sign_in_locks.locked_until is null or sign_in_locks.locked_until <= ${realNow}`);
  if (counted > 0) return null;
  // Another try was counted in between, and its lock applies.
  return nameRefusal(email, (await lockedUntil(db, email, realNow)) ?? new Date(realNow.getTime() + 1000));
}

/** The time until which a name is locked; null if it can be tried now. */
export async function lockedUntil(db: Db, email: string, realNow: Date): Promise<Date | null> {
  const [lock] = await db.rows<{ locked_until: Date }>(
    sql`select locked_until from sign_in_locks where subject = ${subjectOf(email)} and locked_until > ${realNow}`,
  );
  return lock?.locked_until ?? null;
}

/** A write of the same cost as an audit row. */
export function writeTryAgain(db: Db, email: string): void {
  db.send(sql`update sign_in_locks set last_failed_at = last_failed_at where subject = ${subjectOf(email)}`);
}

/** Allows thirty tries of one network in a quarter of an hour. Returns the time until which it has to wait once they are used up. */
async function countAddress(db: Db, group: string, realNow: Date): Promise<Date | null> {
  const since = new Date(realNow.getTime() - ADDRESS_SPAN_MS);
  // Tries of one network are counted one after the other, so that those which arrive together in several processes all count.
  await db.exec(sql`select pg_advisory_xact_lock(hashtext(${`galeri.sign-in ${group}`}))`);
  const seen = await db.one<{ tries: number; oldest: Date | null }>(
    sql`select count(*)::int as tries, min(at) as oldest from sign_in_failures where address = ${group} and at > ${since}`,
  );
  if (seen.tries >= ADDRESS_TRIES) return new Date(seen.oldest!.getTime() + ADDRESS_SPAN_MS);
  await db.exec(sql`insert into sign_in_failures (id, address, at) values (${newId()}, ${group}, ${realNow})`);
  return null;
}

/** After a right try the person's count is cleared, and the network gets this one try back. */
export async function forgetTries(db: Db, { email, ip }: Tried): Promise<void> {
  if (email !== null) await db.exec(sql`delete from sign_in_locks where subject = ${subjectOf(email)}`);
  if (ip !== null)
    await db.exec(sql`delete from sign_in_failures where id =
      (select id from sign_in_failures where address = ${addressGroup(ip)} order by at desc, id desc limit 1)`);
}
