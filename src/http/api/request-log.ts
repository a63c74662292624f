// Writes the request log and the usage rollups a few times a second, in batches of one transaction, so that requests do not wait
// for it.
import { bucketOf } from '../../domain/usage/latency.ts';
import { hasPartitionOfToday } from '../../domain/usage/log-retention.ts';
import { inSavepoint } from '../../domain/writes/write.ts';
import { type Database, type Db, sqlState } from '../../kit/db.ts';
import type { RefusalCode } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { sql } from '../../kit/sql.ts';
import { createMemoryLimiter } from '../rate-limits/rate-limit.ts';
import type { Refusal } from '../wire/reply.ts';
import { createCountedCalls, isRefusedValue, rollUp } from './counted-calls.ts';

export interface FinishedCall {
  readonly accountId: string;
  readonly keyId: string;
  readonly secretId: string;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly endpoint: string | null;
  readonly status: number;
  readonly errorCode: RefusalCode | null;
  readonly durationMs: number;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly responseBytes: number;
  /** JSON: which field was refused and by which rule. */
  readonly refusal: string | null;
  /** The names of the query's parameters, with commas between; their values are never kept. */
  readonly queryNames: string | null;
  /** `mcp`, and the client's name, for calls of an agent. */
  readonly via: string | null;
  readonly client: string | null;
}

export interface RequestLog {
  record(call: FinishedCall): void;
  /** Writes all waiting calls. False: the database did not take them, and they wait for the next turn. */
  flush(): Promise<boolean>;
  dropped(): number;
  close(): Promise<void>;
}

/** Calls are visible well within a second; a batch of this size takes PostgreSQL a few tens of milliseconds. */
const FLUSH_MS = 200;
const BATCH = 5000;
/** Calls that wait while the database is unreachable. Beyond this the oldest are dropped and counted, so that memory stays bounded. */
const MAX_WAITING = 50_000;
/** Of a turn; what is left of a batch waits for the next one. They take one transaction, in which counts of keys are locked. */
const MAX_REFUSALS = 200;

/**
 * Refusals that the rate limit does not cover, and how many lines of each this process stores for a key in a minute, so that a
 * looping caller cannot fill the disk. All are counted. Refusals before the limiter get as many lines as a key with the usual
 * limit could make.
 */
const MAX_LINES_A_MINUTE: ReadonlyMap<RefusalCode | null, number> = new Map([
  ['rate_limit_exceeded', 10],
  ['key_revoked', 60],
  ['key_expired', 60],
  ['ip_not_allowed', 60],
]);

export function createRequestLog(database: Database, log: Log): RequestLog {
  const minute = createMemoryLimiter();
  const lines = createLines(database, log);
  const counted = createCountedCalls(database, log);
  let running: Promise<void> | null = null;
  let failing = false;
  let isAllWritten = true;
  const dropped = () => lines.dropped() + counted.dropped();
  const reportLosses = createLossReport(dropped, log);

  const isLineTooMany = ({ keyId, errorCode }: FinishedCall): boolean => {
    const max = MAX_LINES_A_MINUTE.get(errorCode);
    return max !== undefined && !minute.admit(`${keyId} ${errorCode}`, max).admitted;
  };

  async function write(): Promise<void> {
    try {
      isAllWritten = await lines.write();
      await counted.write();
      if (failing) log.info('the request log can be written again');
      failing = false;
    } catch (error) {
      if (!failing) log.warn('the request log cannot be written; it is kept in memory', { reason: (error as Error).message });
      failing = true;
    }
    reportLosses();
  }

  const turn = (): Promise<void> => {
    running ??= write().finally(() => {
      running = null;
    });
    return running;
  };
  /** Waits for a running turn first, which may have begun before the last call finished. */
  const flush = async (): Promise<boolean> => {
    await running;
    await turn();
    return !failing && isAllWritten;
  };
  const timer = setInterval(turn, FLUSH_MS);
  timer.unref();

  return {
    record: (call) => (isLineTooMany(call) ? counted.add(call) : lines.add(call)),
    flush,
    dropped,
    close: async () => {
      clearInterval(timer);
      await minute.close();
      while (!(await flush())) if (failing) break;
    },
  };
}

const REPORT_EVERY_MS = 60_000;

/** While calls are dropped, their number is logged once a minute. */
export function createLossReport(dropped: () => number, log: Log, elapsed: () => number = performance.now.bind(performance)) {
  let reported = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (): void => {
    const lost = dropped() - reported;
    if (lost === 0 || elapsed() - reportedAt < REPORT_EVERY_MS) return;
    log.warn('calls were dropped from the request log', { calls: lost, since_start: dropped() });
    reported += lost;
    reportedAt = elapsed();
  };
}

/** Calls that wait for their line in the log. Throws where writing fails; the calls then stay for the next try. */
function createLines(database: Database, log: Log) {
  let waiting: FinishedCall[] = [];
  let dropped = 0;
  return {
    add(call: FinishedCall): void {
      if (waiting.length >= MAX_WAITING) {
        waiting.splice(0, BATCH);
        dropped += BATCH;
      }
      waiting.push(call);
    },
    /**
     * Writes only the calls that wait now; otherwise a busy node would write tiny batches without end. False: some of them wait for the
     * next turn.
     */
    async write(): Promise<boolean> {
      let isAll = true;
      for (let left = waiting.length; left > 0; ) {
        const batch = waiting.splice(0, Math.min(BATCH, left));
        left -= batch.length;
        const refused: Refused = { stored_without_texts: 0, dropped: 0, reason: '' };
        try {
          const rest = await store(database, batch, refused);
          waiting.push(...rest);
          isAll &&= rest.length === 0;
        } catch (error) {
          waiting = batch.concat(waiting);
          throw error;
        }
        dropped += refused.dropped;
        if (refused.reason !== '') log.warn('lines of the request log were refused', { ...refused });
      }
      return isAll;
    },
    dropped: () => dropped,
  };
}

/** Lines that are not stored as they are. */
interface Refused {
  stored_without_texts: number;
  dropped: number;
  reason: string;
}

/** Returns the lines that are left for the next turn. */
async function store(database: Database, batch: readonly FinishedCall[], refused: Refused): Promise<FinishedCall[]> {
  try {
    await database.onPlatform('write', (db) => writeBatch(db, batch));
    return [];
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    return database.onPlatform('write', (db) => storeParts(db, batch, refused));
  }
}

/**
 * A line that the database refuses must not block or lose others, so it is found by bisection. It is stored without the caller's
 * texts, and dropped if it is refused without them.
 */
async function storeParts(db: Db, batch: readonly FinishedCall[], refused: Refused): Promise<FinishedCall[]> {
  const parts = [batch];
  for (let refusals = 0; parts.length > 0 && refusals < MAX_REFUSALS; ) {
    const part = parts.pop()!;
    const refusal = await refusalOf(db, part);
    if (refusal === null) continue;
    refusals += 1;
    const middle = Math.ceil(part.length / 2);
    if (part.length > 1) parts.push(part.slice(middle), part.slice(0, middle));
    else {
      refused.reason = refusal.message;
      if ((await refusalOf(db, part.map(withoutTexts))) === null) refused.stored_without_texts += 1;
      else refused.dropped += 1;
    }
  }
  return parts.flat();
}

const NO_PARTITION = '23514';

/** Why the database refuses a value of these lines; null: they are stored. Throws any other failure, after which all lines are kept. */
async function refusalOf(db: Db, calls: readonly FinishedCall[]): Promise<Error | null> {
  try {
    await inSavepoint(db, () => writeBatch(db, calls));
    return null;
  } catch (error) {
    // A line has a wrong time if today has a partition. Otherwise the job that makes them has failed, and the lines wait for it.
    if (isRefusedValue(error) && (sqlState(error) !== NO_PARTITION || (await hasPartitionOfToday(db)))) return error as Error;
    throw error;
  }
}

const withoutTexts = (call: FinishedCall): FinishedCall => ({
  ...call,
  path: '?',
  userAgent: null,
  refusal: null,
  queryNames: null,
  client: null,
});

interface Grouped {
  /**
   * One call of each kind; calls of a kind differ only in time, id, duration and size. A batch of a busy key has a handful of
   * kinds.
   */
  readonly kinds: FinishedCall[];
  /** The index of each call's kind, starting at 1 as SQL arrays do. */
  readonly indexes: number[];
}

function groupCalls(calls: readonly FinishedCall[]): Grouped {
  const found = new Map<string, number>();
  const kinds: FinishedCall[] = [];
  const indexes = calls.map((call) => {
    const name = `${call.secretId}|${call.status}|${call.errorCode}|${call.ip}|${call.method}|${call.endpoint}|${call.path}|${call.userAgent}|${call.queryNames}|${call.refusal}|${call.client}|${call.via}`;
    let index = found.get(name);
    if (index === undefined) {
      index = kinds.push(call);
      found.set(name, index);
    }
    return index;
  });
  return { kinds, indexes };
}

/**
 * Lines and rollups are written in one statement, so that they always agree: a batch whose COMMIT was not confirmed is written
 * again, and only lines that were not there yet are counted.
 */
async function writeBatch(db: Db, calls: readonly FinishedCall[]): Promise<void> {
  const { kinds, indexes } = groupCalls(calls);
  const each = (pick: (call: FinishedCall) => string | number): string => arrayOf(calls.map(pick));
  const kind = (pick: (call: FinishedCall) => string | number | null): string => arrayOf(kinds.map(pick));
  // Commits of the log need not wait for the disk, because losing its last moments in a crash is acceptable.
  const off = db.exec(sql`set local synchronous_commit = off`);
  const written = db.exec(sql`with given as materialized (
      select account_id, key_id, to_timestamp(at / 1000.0) as at, request_id, secret_id, method, path, endpoint, status, error_code,
        duration_ms, ip, user_agent, response_bytes, refusal, query_names, via, client, bucket, date_trunc('hour', to_timestamp(at / 1000.0), 'UTC') as hour
      from unnest(${arrayOf(indexes)}::int[], ${each((call) => call.at.getTime())}::float8[], ${each((call) => call.requestId)}::text[],
        ${each((call) => call.durationMs)}::real[], ${each((call) => call.responseBytes)}::int[],
        ${each((call) => bucketOf(call.durationMs))}::smallint[]) as one(place, at, request_id, duration_ms, response_bytes, bucket)
      join unnest(${kind((call) => call.accountId)}::uuid[], ${kind((call) => call.keyId)}::uuid[], ${kind((call) => call.secretId)}::uuid[],
        ${kind((call) => call.method)}::text[], ${kind((call) => storable(call.path))}::text[], ${kind((call) => call.endpoint)}::text[],
        ${kind((call) => call.status)}::smallint[], ${kind((call) => call.errorCode)}::text[], ${kind((call) => call.ip)}::text[],
        ${kind((call) => orNull(call.userAgent))}::text[], ${kind((call) => orNull(call.refusal))}::jsonb[],
        ${kind((call) => orNull(call.queryNames))}::text[], ${kind((call) => call.via)}::text[],
        ${kind((call) => orNull(call.client))}::text[]) with ordinality
        as alike(account_id, key_id, secret_id, method, path, endpoint, status, error_code, ip, user_agent, refusal, query_names, via,
          client, place)
        using (place)),
    written as (insert into request_logs (account_id, key_id, at, request_id, secret_id, method, path, endpoint, status, error_code,
        duration_ms, ip, user_agent, response_bytes, refusal, query_names, via, client)
      select account_id, key_id, at, request_id, secret_id, method, path, endpoint, status, error_code, duration_ms, ip, user_agent,
        response_bytes, refusal, query_names, via, client from given on conflict do nothing returning request_id),
    counted as materialized (select account_id, key_id, secret_id, coalesce(endpoint, '') as endpoint,
      coalesce(error_code, '') as error_code, bucket, at, hour, 1 as calls, 0 as not_stored from given join written using (request_id)),
    ${rollUp}`);
  // Both are awaited, because an unhandled rejection would end the service.
  await Promise.all([off, written]);
}

/** PostgreSQL refuses jsonb with half a pair of surrogates or a NUL, which JSON writes as escapes. */
export const refusalText = (refusal: Refusal): string =>
  JSON.stringify(refusal, (_, value) => (typeof value === 'string' ? storable(value) : value));

const orNull = (text: string | null): string | null => (text === null ? null : storable(text));

/** Headers arrive as latin-1 and may contain anything: control characters are replaced (PostgreSQL cannot store NUL). */
function storable(text: string): string {
  if (PLAIN.test(text) && !text.includes('gal_')) return text;
  return text.replace(UNSTORABLE, (found) => (found.length === 1 ? '?' : `${found.slice(0, 9)}…`)).toWellFormed();
}

const PLAIN = /^[\x20-\x7e]*$/;

/** Control characters, and API keys that were pasted into a URL or header. */
const UNSTORABLE = /\p{Cc}|gal_(?:prod|sand)_\w{20,}/gu;

/**
 * A PostgreSQL array as text. The driver's own conversion checks the type of every element and cost more than the rest of a busy
 * node's log.
 */
function arrayOf(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else text += /["\\]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
  }
  return `${text}}`;
}
