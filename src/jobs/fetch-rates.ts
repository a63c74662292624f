// Asks each bank for its bulletin of the day until it is published. Several processes may do it: the database holds the claims
// and the last result of each bank.

import { type Bulletin, BulletinError } from '../domain/exchange-rates/bulletin.ts';
import {
  type Asking,
  BankUnreachable,
  BulletinAbsent,
  fetchBulletin,
  fetchNewest,
  type RateUrls,
} from '../domain/exchange-rates/bulletin-fetch.ts';
import { claimedUntil, daysToFill, expectedDay, type LookState, nextLook } from '../domain/exchange-rates/bulletin-schedule.ts';
import { BulletinEarly, BulletinHeld, storeBulletin } from '../domain/exchange-rates/bulletin-store.ts';
import { RATE_SOURCES, type RateSource } from '../domain/exchange-rates/rates.ts';
import type { OutboundRules } from '../domain/net/outbound.ts';
import type { Times } from '../kit/clock.ts';
import type { Database, Db } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { sql } from '../kit/sql.ts';

export interface RateParts {
  readonly database: Database;
  readonly log: Log;
  readonly outbound: OutboundRules;
  readonly rateUrls: RateUrls;
  readonly signal?: AbortSignal;
  /** The limit for one request; tests set it. */
  readonly timeoutMs?: number;
}

interface Look {
  readonly state: LookState;
  readonly detail: string | null;
}
type Claim = Look & { readonly failures: number; readonly filled_to: string | null };

/** Returns how many bulletins were stored. */
export async function fetchRates(parts: RateParts, times: Times): Promise<number> {
  const stored = await Promise.all(RATE_SOURCES.map((source) => lookAt(parts, source, times)));
  return stored.reduce((sum, count) => sum + count, 0);
}

/** A starting process looks at once at banks whose last look failed, instead of waiting for the planned time. */
export async function lookSooner(database: Database, realNow: Date): Promise<void> {
  await database.onPlatform('write', (db) =>
    db.exec(sql`update rate_looks set next_look_at = least(next_look_at, ${realNow}) where state <> 'current'`),
  );
}

async function lookAt(parts: RateParts, source: RateSource, times: Times): Promise<number> {
  const { realNow } = times;
  const { database, rateUrls, outbound, signal, timeoutMs, log } = parts;
  const url = rateUrls[source];
  if (url === null) return 0;
  const claim = await database.onPlatform('write', (db) => claimLook(db, source, realNow));
  if (claim === undefined) return 0;
  const asking = { source, url, outbound, ...(signal ? { signal } : {}), ...(timeoutMs ? { timeoutMs } : {}) };
  const { stored, filledTo, ...look } = await ask(parts, asking, claim.filled_to, times);
  // Aborted because the process stops: the bank is not to blame, and the next process looks again.
  const isBroken = look.state === 'unreachable' && signal?.aborted === true;
  const failures = look.state === 'unreachable' && !isBroken ? claim.failures + 1 : 0;
  await database.onPlatform('write', async (db) => {
    const after = isBroken ? claim : await lookOutcome(db, source, look, realNow);
    const next = signal?.aborted ? realNow : nextLook(source, after.state, failures, realNow);
    await db.exec(sql`update rate_looks set state = ${after.state}, detail = ${after.detail}, failures = ${failures},
      next_look_at = ${next}, filled_to = ${filledTo} where source = ${source}`);
    logChange(log, source, claim, after);
  });
  return stored;
}

/** Claims the look for a limited time, so that another process takes over if this one dies. */
async function claimLook(db: Db, source: RateSource, realNow: Date): Promise<Claim | undefined> {
  await db.exec(sql`insert into rate_looks (source, next_look_at) values (${source}, ${realNow}) on conflict do nothing`);
  const [claim] = await db.rows<Claim>(sql`update rate_looks set next_look_at = ${claimedUntil(realNow)}
    where source = ${source} and next_look_at <= ${realNow} returning state, detail, failures, filled_to`);
  return claim;
}

interface RateFetch extends Look {
  readonly stored: number;
  readonly filledTo: string | null;
}

/** Missed bulletins are stored first, so that the newest is compared with the day before it, even on a first start. */
async function ask(parts: RateParts, asking: Asking, done: string | null, times: Times): Promise<RateFetch> {
  const newest = await orRefusal(fetchNewest(asking, times.realNow));
  if (newest instanceof BankUnreachable) return { state: 'unreachable', detail: newest.message, stored: 0, filledTo: done };
  const { stored, filledTo } = await fillGaps(parts, asking, done, times);
  const last = newest instanceof BulletinError ? newest : await orRefusal(store(parts, newest, times));
  if (last instanceof BulletinError) return { state: stateOf(last), detail: last.message, stored, filledTo };
  return { state: 'current', detail: null, stored: stored + last, filledTo };
}

const orRefusal = <T>(work: Promise<T>): Promise<T | BulletinError> =>
  work.catch((error: unknown) => {
    if (error instanceof BulletinError) return error;
    throw error;
  });

/** Returns 1 if the bulletin was new or changed. */
async function store({ database, log }: RateParts, found: Bulletin, times: Times): Promise<number> {
  const { outcome, bulletin } = await database.onPlatform('write', (db) =>
    storeBulletin(db, found, { ...times, actor: { type: 'system', name: 'Galeri' } }),
  );
  const facts = { source: bulletin.source, rate_date: bulletin.rateDate, bulletin_no: bulletin.bulletinNo };
  if (outcome === 'stored') log.info('exchange rates imported', facts);
  if (outcome === 'replaced') log.info('exchange rates corrected by the bank', facts);
  return outcome === 'unchanged' ? 0 : 1;
}

/**
 * Fetches bulletins of missed days, and of the days before the first start, each once by its date. A holiday has no bulletin, so
 * a refusal is not retried.
 */
async function fillGaps(
  parts: RateParts,
  asking: Asking,
  done: string | null,
  times: Times,
): Promise<Pick<RateFetch, 'stored' | 'filledTo'>> {
  let stored = 0;
  let filledTo = done;
  for (const day of daysToFill(asking.source, done, times.realNow)) {
    const known = await parts.database.onPlatform('read', (db) =>
      db.rows(sql`select from exchange_rates where source = ${asking.source} and rate_date = ${day}::date limit 1`),
    );
    if (known.length === 0) {
      const found = await orRefusal(fetchBulletin({ ...asking, day }).then((bulletin) => store(parts, bulletin, times)));
      if (found instanceof BankUnreachable) break;
      if (!(found instanceof BulletinError)) stored += found;
    }
    filledTo = day;
  }
  return { stored, filledTo };
}

function stateOf(error: BulletinError): LookState {
  if (error instanceof BankUnreachable) return 'unreachable';
  if (error instanceof BulletinHeld) return 'held';
  return error instanceof BulletinEarly || error instanceof BulletinAbsent ? 'waiting' : 'refused';
}

/**
 * After a successful answer: `current` if the expected day's bulletin is stored, `waiting` if the bank still has an older one.
 */
async function lookOutcome(db: Db, source: RateSource, look: Look, realNow: Date): Promise<Look> {
  if (look.state !== 'current' && look.state !== 'waiting') return look;
  const expected = expectedDay(source, realNow);
  const found = await db.rows(
    sql`select from exchange_rates where source = ${source} and rate_date >= ${expected}::date limit 1`,
  );
  if (found.length > 0) return { state: 'current', detail: null };
  return { state: 'waiting', detail: `the bulletin of ${expected} is not out yet` };
}

/** Logs only changes, so that a bank that is unreachable for a week is one line and not seven hundred. */
function logChange(log: Log, source: RateSource, before: Look, after: Look): void {
  const { state, detail } = after;
  if (before.state === state && (state === 'unreachable' || before.detail === detail)) return;
  const facts = { source, reason: detail };
  if (state === 'unreachable')
    log.warn('the rates of a bank cannot be fetched: the worker retries, the last rates stay in force', facts);
  if (state === 'refused') log.warn('a bulletin is refused: the last rates stay', facts);
  if (state === 'held')
    log.warn(
      `a bulletin is held back: the last rates stay, unless galeri rates fetch --source ${source} --force imports it`,
      facts,
    );
  if (state === 'waiting') log.info('a bulletin is awaited', facts);
  if (state === 'current' && before.state !== 'new') log.info('exchange rates are up to date', { source });
}
