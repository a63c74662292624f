// Who may try a password or code again, and when: by person and by network. The database counts, over all processes; what it has
// refused is refused from memory for a few seconds, so that a flood of tries costs it next to nothing.
import { createHash } from 'node:crypto';
import type { Database, Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { addressGroup } from '../net/address.ts';
import { createTurns, type Turns } from '../sharing/turns.ts';
import { passwordsInLine } from './people.ts';

const FREE_TRIES = 5;
const MAX_WAIT_S = 900;
/** After a day without a wrong one, counting begins anew. */
export const NAME_SPAN_MS = 86_400_000;
const ADDRESS_TRIES = 30;
export const ADDRESS_SPAN_MS = 15 * 60_000;
/** How long a refusal is repeated without asking: so soon is known here what another process has forgotten. */
const REMEMBERED_MS = 5000;
const MAX_REMEMBERED = 10_000;
/** Tries in line for the database, and passwords in line to be checked: more would wait longer than anyone does. */
const MAX_IN_LINE = 50;
const BUSY_WAIT_S = 5;

/** `email` null: only the network is counted. `ip` null: only the name. */
export interface Tried {
  readonly email: string | null;
  readonly ip: string | null;
}

/**
 * One for every spelling by which the database may find one person, whatever its locale makes of `İ`; and no finer for a name that
 * nobody has, or the counters would tell the two apart.
 */
export const nameKey = (email: string): string =>
  email.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const subjectOf = (email: string): Buffer => createHash('sha256').update(nameKey(email)).digest();

interface Refusal {
  /** Of memory: what has to wait. */
  readonly key: string;
  readonly until: Date;
}

const keysOf = ({ email, ip }: Tried): string[] => [
  ...(email === null ? [] : [`name ${subjectOf(email).toString('base64')}`]),
  ...(ip === null ? [] : [`address ${addressGroup(ip)}`]),
];

interface Memory {
  readonly refused: Map<string, number>;
  readonly turns: Turns;
}

const memories = new WeakMap<Database, Memory>();

function memoryOf(database: Database): Memory {
  // One at a time: of the few connections to the platform's tables, sign-ins never hold more than one.
  const memory = memories.get(database) ?? { refused: new Map(), turns: createTurns(1) };
  memories.set(database, memory);
  return memory;
}

const secondsUntil = (until: number, now: Date): number => Math.max(1, Math.ceil((until - now.getTime()) / 1000));

/** Counts a try and does what comes after it in the same transaction; `wait` says in how many seconds one may try again. */
export async function countTry<T>(
  database: Database,
  tried: Tried,
  now: Date,
  work: (db: Db) => Promise<T>,
): Promise<{ readonly wait: number } | { readonly wait: null; readonly value: T }> {
  const { refused, turns } = memoryOf(database);
  for (const key of keysOf(tried)) {
    const until = refused.get(key);
    if (until !== undefined && until > now.getTime()) return { wait: secondsUntil(until, now) };
    refused.delete(key);
  }
  if (turns.size() >= MAX_IN_LINE || passwordsInLine() >= MAX_IN_LINE) return { wait: BUSY_WAIT_S };
  const result = await turns.take(() =>
    database.onPlatform('write', async (db) => {
      const refusal = await refuseOrCount(db, tried, now);
      return refusal === null ? { refusal, value: await work(db) } : { refusal };
    }),
  );
  if (result.refusal === null) return { wait: null, value: result.value };
  const { key, until } = result.refusal;
  if (refused.size >= MAX_REMEMBERED) refused.delete(refused.keys().next().value!);
  refused.set(key, Math.min(until.getTime(), now.getTime() + REMEMBERED_MS));
  return { wait: secondsUntil(until.getTime(), now) };
}

/** Every try is counted before it is checked, so that a hundred at once are a hundred tries. A refused one writes nothing. */
async function refuseOrCount(db: Db, { email, ip }: Tried, now: Date): Promise<Refusal | null> {
  const locked = email === null ? null : await lockedUntil(db, email, now);
  if (locked !== null) return nameRefusal(email!, locked);
  const blocked = ip === null ? null : await countAddress(db, addressGroup(ip), now);
  if (blocked !== null) return { key: `address ${addressGroup(ip!)}`, until: blocked };
  return email === null ? null : countName(db, email, now);
}

const nameRefusal = (email: string, until: Date): Refusal => ({ key: keysOf({ email, ip: null })[0]!, until });

async function countName(db: Db, email: string, now: Date): Promise<Refusal | null> {
  const since = new Date(now.getTime() - NAME_SPAN_MS);
  const failures = sql`case when sign_in_locks.last_failed_at < ${since} then 1 else sign_in_locks.failures + 1 end`;
  const counted = await db.exec(sql`
    insert into sign_in_locks (subject, failures, last_failed_at) values (${subjectOf(email)}, 1, ${now})
    on conflict (subject) do update set last_failed_at = ${now}, failures = ${failures},
      locked_until = case when ${failures} < ${FREE_TRIES} then null else ${now}::timestamptz
        + make_interval(secs => least(2 ^ least(${failures} - ${FREE_TRIES}, 20), ${MAX_WAIT_S})) end
      where sign_in_locks.locked_until is null or sign_in_locks.locked_until <= ${now}`);
  if (counted > 0) return null;
  // Another try came between: whatever it locked is locked.
  return nameRefusal(email, (await lockedUntil(db, email, now)) ?? new Date(now.getTime() + 1000));
}

/** Until when a name has to wait; null where it may be tried now. */
export async function lockedUntil(db: Db, email: string, now: Date): Promise<Date | null> {
  const [lock] = await db.rows<{ locked_until: Date }>(
    sql`select locked_until from sign_in_locks where subject = ${subjectOf(email)} and locked_until > ${now}`,
  );
  return lock?.locked_until ?? null;
}

/** Thirty tries of one network in a quarter of an hour, whatever they try; until when it has to wait where they are used up. */
async function countAddress(db: Db, group: string, now: Date): Promise<Date | null> {
  const since = new Date(now.getTime() - ADDRESS_SPAN_MS);
  // One at a time for a network: tries that arrive together, in whichever process, are all counted.
  await db.exec(sql`select pg_advisory_xact_lock(hashtext(${`galeri.sign-in ${group}`}))`);
  const seen = await db.one<{ tries: number; oldest: Date | null }>(
    sql`select count(*)::int as tries, min(at) as oldest from sign_in_failures where address = ${group} and at > ${since}`,
  );
  if (seen.tries >= ADDRESS_TRIES) return new Date(seen.oldest!.getTime() + ADDRESS_SPAN_MS);
  await db.exec(sql`insert into sign_in_failures (id, address, at) values (${newId()}, ${group}, ${now})`);
  return null;
}

/** It was right: nothing is held against the person, and this one try not against the network. */
export async function forgetTries(db: Db, { email, ip }: Tried): Promise<void> {
  if (email !== null) await db.exec(sql`delete from sign_in_locks where subject = ${subjectOf(email)}`);
  if (ip !== null)
    await db.exec(sql`delete from sign_in_failures where id =
      (select id from sign_in_failures where address = ${addressGroup(ip)} order by at desc, id desc limit 1)`);
}
