// Sessions of the panel: rows that can be deleted, found by the hash of the cookie's token. Everything here uses the platform role.
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { auditOfPerson } from '../writes/audit.ts';
import type { Role } from './roles.ts';

const MINUTE = 60_000;
export const IDLE_MS = 30 * MINUTE;
export const ADMIN_IDLE_MS = 15 * MINUTE;
export const MAX_SESSION_MS = 12 * 60 * MINUTE;
/** How long a password counts as recently given. */
export const RECENT_MS = 10 * MINUTE;
/** How long a seat in a live room is kept at most, and how long after its page has disconnected. */
export const SEAT_MS = 4 * 60 * MINUTE;
export const SEAT_AWAY_MS = 2 * MINUTE;
/** A seat's use is recorded at most this often. */
const SEAT_SEEN_EVERY_MS = MINUTE / 2;
/** The time limit for giving the code after the password. */
const CODE_WITHIN_MS = 10 * MINUTE;
/** Sessions of one person. One more ends the session that was unused longest. */
export const MAX_SESSIONS = 20;
/** `last_seen_at` is written at most this often, so that a read is not a write each time. */
const SEEN_EVERY_MS = MINUTE;

/** The token for the cookie and the digest that is stored. */
export function newToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: tokenDigest(token) };
}

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
}

export interface LiveSession {
  readonly id: string;
  readonly person_id: string;
  readonly email: string;
  readonly full_name: string;
  readonly locale: Locale | null;
  readonly theme: string;
  readonly density: string;
  readonly is_admin: boolean;
  readonly has_totp: boolean;
  /** A session of the demonstration, valid on this machine only. */
  readonly demo: boolean;
  /** The password was right but the code was not given yet; until then the session allows nothing else. */
  readonly pending: boolean;
  readonly look: boolean;
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly default_currency: Currency;
    readonly status: 'Aktif' | 'Askıda';
    readonly role: Role;
    readonly member_id: string | null;
  } | null;
  readonly reauthenticated_at: Date | null;
  /** The live event in whose room the person has a seat: a password confirmation at that time stays valid there. */
  readonly seat: { readonly eventId: string; readonly isStale: boolean } | null;
  /** Whether `last_seen_at` is old enough to be written again. */
  readonly stale: boolean;
}

interface SessionRecord {
  digest: Buffer;
  id: string;
  person_id: string;
  email: string;
  full_name: string;
  locale: Locale | null;
  theme: string;
  density: string;
  is_admin: boolean;
  has_totp: boolean;
  demo: boolean;
  look: boolean;
  signed_in_at: Date | null;
  reauthenticated_at: Date | null;
  seat_event_id: string | null;
  seat_taken_at: Date | null;
  seat_seen_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
  account_id: string | null;
  account_name: string;
  timezone: string;
  default_currency: Currency;
  status: 'Aktif' | 'Askıda';
  role: Role | null;
  member_id: string | null;
}

/** Null if the session is unknown, ended or expired, or the person may no longer sign in. */
export async function findSession(db: Db, token: string, realNow: Date): Promise<LiveSession | null> {
  const [row] = await readSessions(db, sql`s.digest = ${tokenDigest(token)}`);
  return row === undefined ? null : liveSession(row, realNow);
}

/** Those of many tokens that are valid, in one query. */
export async function findSessions(db: Db, tokens: readonly string[], realNow: Date): Promise<Map<string, LiveSession>> {
  const byDigest = new Map(tokens.map((token) => [tokenDigest(token).toString('hex'), token]));
  const rows = await readSessions(
    db,
    sql`s.digest in (select decode(hex, 'hex') from unnest(${[...byDigest.keys()]}::text[]) hex)`,
  );
  const live = rows.map((row) => [byDigest.get(row.digest.toString('hex'))!, liveSession(row, realNow)] as const);
  return new Map(live.filter((one): one is [string, LiveSession] => one[1] !== null));
}

const readSessions = (db: Db, which: Sql): Promise<SessionRecord[]> =>
  db.rows<SessionRecord>(sql`
    select s.digest, s.id, s.person_id, p.email, p.full_name, p.locale, p.theme, p.density, p.is_admin, p.totp_confirmed_at is not null as has_totp,
      p.is_demo as demo, s.look, s.signed_in_at, s.reauthenticated_at, s.seat_event_id, s.seat_taken_at, s.seat_seen_at,
      s.created_at, s.last_seen_at, a.id as account_id, a.name as account_name, a.timezone, a.default_currency, a.status, m.role, m.id as member_id
    from sessions s
    join people p on p.id = s.person_id and p.disabled_at is null
    left join accounts a on a.id = s.current_account
    left join members m on m.account_id = s.current_account and m.person_id = s.person_id and m.active
    where ${which}`);

function liveSession(row: SessionRecord, realNow: Date): LiveSession | null {
  if (isOver(row, realNow)) return null;
  const {
    digest: _,
    account_id,
    account_name,
    timezone,
    default_currency,
    status,
    role,
    member_id,
    signed_in_at,
    created_at,
    last_seen_at,
    seat_event_id: _seat,
    seat_taken_at: _taken,
    seat_seen_at: _seen,
    ...rest
  } = row;
  const looking = row.look && row.is_admin;
  const account =
    account_id === null || (role === null && !looking)
      ? null
      : {
          id: account_id,
          name: account_name,
          timezone,
          default_currency,
          status,
          role: looking ? ('viewer' as const) : role!,
          member_id: looking ? null : member_id,
        };
  return {
    ...rest,
    look: looking,
    pending: signed_in_at === null,
    account,
    seat: looking ? null : seatOf(row, realNow),
    stale: realNow.getTime() - last_seen_at.getTime() > SEEN_EVERY_MS,
  };
}

function seatOf({ seat_event_id, seat_taken_at, seat_seen_at }: SessionRecord, realNow: Date): LiveSession['seat'] {
  if (seat_event_id === null) return null;
  const [taken, seen] = [seat_taken_at!, seat_seen_at!].map((at) => realNow.getTime() - at.getTime()) as [number, number];
  return taken > SEAT_MS || seen > SEAT_AWAY_MS ? null : { eventId: seat_event_id, isStale: seen > SEAT_SEEN_EVERY_MS };
}

function isOver({ is_admin, signed_in_at, created_at, last_seen_at }: SessionRecord, realNow: Date): boolean {
  const at = realNow.getTime();
  if (signed_in_at === null) return at - created_at.getTime() > CODE_WITHIN_MS;
  return at - last_seen_at.getTime() > (is_admin ? ADMIN_IDLE_MS : IDLE_MS) || at - created_at.getTime() > MAX_SESSION_MS;
}

export async function touchSession(db: Db, id: string, { ip, userAgent }: Origin, realNow: Date): Promise<void> {
  await db.exec(sql`update sessions set last_seen_at = ${realNow}, ip = ${ip}, user_agent = ${userAgent} where id = ${id}`);
}

/** Returns the token for the cookie. The session begins in the account that the person used last, or in their first. */
export async function beginSession(
  db: Db,
  personId: string,
  { ip, userAgent }: Origin,
  realNow: Date,
  { pending }: { pending: boolean },
): Promise<string> {
  await db.exec(sql`delete from sessions where last_seen_at < ${new Date(realNow.getTime() - MAX_SESSION_MS)}`);
  const { token, digest } = newToken();
  await db.exec(sql`insert into sessions (id, digest, person_id, current_account, signed_in_at, reauthenticated_at, created_at,
      last_seen_at, ip, user_agent)
    values (${newId(realNow.getTime())}, ${digest}, ${personId}, (
      select m.account_id from members m where m.person_id = ${personId} and m.active
      order by (select max(s.last_seen_at) from sessions s where s.person_id = ${personId} and s.current_account = m.account_id)
        desc nulls last, m.created_at limit 1),
      ${pending ? null : realNow}, ${realNow}, ${realNow}, ${realNow}, ${ip}, ${userAgent})`);
  await endOldest(db, personId, pending);
  return token;
}

/** Pending sessions are counted separately, so that someone who only knows the password cannot end all the others. */
async function endOldest(db: Db, personId: string, pending: boolean): Promise<void> {
  const ended = await db.exec(sql`delete from sessions where id in (select id from sessions
    where person_id = ${personId} and (signed_in_at is null) = ${pending}
    order by last_seen_at desc, id desc offset ${MAX_SESSIONS})`);
  if (ended > 0 && !pending)
    await auditOfPerson(db, { type: 'system', name: 'sessions', personId }, 'session.ended_oldest', { after: { ended } });
}

/** Gives the session a new token, so that a token which leaked before a change of rights is worthless after it. */
export async function renewSession(db: Db, id: string): Promise<string> {
  const { token, digest } = newToken();
  await db.exec(sql`update sessions set digest = ${digest} where id = ${id}`);
  return token;
}

/** After the right code the session is complete, and its twelve hours begin. */
export async function completeSession(db: Db, id: string, realNow: Date): Promise<string> {
  const { person_id } = await db.one<{ person_id: string }>(sql`update sessions
    set signed_in_at = ${realNow}, created_at = ${realNow}, last_seen_at = ${realNow} where id = ${id} returning person_id`);
  await endOldest(db, person_id, false);
  return renewSession(db, id);
}

export async function reauthenticated(db: Db, id: string, realNow: Date): Promise<void> {
  await db.exec(sql`update sessions set reauthenticated_at = ${realNow} where id = ${id}`);
}

/** A seat in the room of a live event; one per session. */
export async function takeSeat(db: Db, id: string, eventId: string, realNow: Date): Promise<void> {
  await db.exec(
    sql`update sessions set seat_event_id = ${eventId}, seat_taken_at = ${realNow}, seat_seen_at = ${realNow} where id = ${id}`,
  );
}

/** For sessions that still have their seat. Following an auction counts as using the panel. */
export async function keepSeats(db: Db, ids: readonly string[], realNow: Date): Promise<void> {
  await db.exec(sql`update sessions set seat_seen_at = ${realNow}, last_seen_at = ${realNow} where id = any(${ids}::uuid[])`);
}

/** Switches to another account of the person. False if they are not a member of it. */
export async function enterAccount(db: Db, id: string, personId: string, accountId: string): Promise<boolean> {
  const changed = await db.exec(sql`update sessions set current_account = ${accountId}, look = false, ${noSeat} where id = ${id}
    and exists (select from members where account_id = ${accountId} and person_id = ${personId} and active)`);
  return changed === 1;
}

const noSeat = sql`seat_event_id = null, seat_taken_at = null, seat_seen_at = null`;

/** An administrator begins to view an account, or ends it (null). */
export async function lookAt(db: Db, id: string, accountId: string | null): Promise<void> {
  await db.exec(sql`update sessions set current_account = ${accountId}, look = ${accountId !== null}, ${noSeat}
    where id = ${id}`);
}

/** Ends one of the person's own sessions. False if it does not exist. */
export async function endSession(db: Db, id: string, personId: string): Promise<boolean> {
  return (await db.exec(sql`delete from sessions where id = ${id} and person_id = ${personId}`)) === 1;
}

export function endSessionsOf(db: Db, personId: string, except: string | null): Promise<number> {
  return db.exec(sql`delete from sessions where person_id = ${personId} and id is distinct from ${except}`);
}

export interface SessionLine {
  readonly id: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly account: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
}

/** The person's valid sessions, newest first. */
export const listSessions = (db: Db, personId: string, realNow: Date): Promise<SessionLine[]> =>
  db.rows(sql`select s.id, s.ip, s.user_agent, a.name as account, utc_text(s.created_at) as created_at,
      utc_text(s.last_seen_at) as last_seen_at
    from sessions s join people p on p.id = s.person_id left join accounts a on a.id = s.current_account
    where s.person_id = ${personId} and s.signed_in_at is not null
      and s.last_seen_at > ${realNow}::timestamptz - make_interval(secs => case when p.is_admin then ${ADMIN_IDLE_MS / 1000}::float8 else ${IDLE_MS / 1000} end)
      and s.created_at > ${new Date(realNow.getTime() - MAX_SESSION_MS)}
    order by s.last_seen_at desc, s.id desc`);
