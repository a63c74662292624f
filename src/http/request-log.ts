// The request log and the usage rollups, written off the request's path: batched, in one transaction, a few times a second.
import { bucketOf } from '../domain/latency.ts';
import { type Database, type Db, isUnavailable, sqlState } from '../kit/db.ts';
import type { ErrorCode } from '../kit/errors.ts';
import type { Log } from '../kit/log.ts';
import { sql } from '../kit/sql.ts';

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
  readonly errorCode: ErrorCode | null;
  readonly durationMs: number;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly responseBytes: number;
}

export interface RequestLog {
  record(call: FinishedCall): void;
  /** Writes what is waiting; resolves when it is in the database. */
  flush(): Promise<void>;
  dropped(): number;
  close(): Promise<void>;
}

/** Visible within a second with room to spare; a batch this size takes PostgreSQL a few tens of milliseconds. */
const FLUSH_MS = 200;
const BATCH = 5000;
/** While the database is away calls wait here, oldest dropped first: memory stays bounded, and it is counted. */
const MOST_WAITING = 50_000;

export function createRequestLog(database: Database, log: Log): RequestLog {
  let waiting: FinishedCall[] = [];
  let running: Promise<void> | null = null;
  let dropped = 0;
  let failing = false;

  /** Only what waits now: calls that finish meanwhile wait for the next turn, or a busy node would write tiny batches without end. */
  async function write(): Promise<void> {
    for (let left = waiting.length; left > 0; ) {
      const batch = waiting.splice(0, Math.min(BATCH, left));
      left -= batch.length;
      try {
        await store(batch);
        if (failing) log.info('the request log is written again');
        failing = false;
      } catch (error) {
        if (!failing) log.warn('the request log cannot be written; it is kept in memory', { reason: (error as Error).message });
        failing = true;
        waiting = batch.concat(waiting);
        return;
      }
    }
  }

  /** A line that the database refuses for what it is must not hold up the others: it is found by halving, and left out. */
  async function store(batch: readonly FinishedCall[]): Promise<void> {
    try {
      await database.onPlatform('write', (db) => writeBatch(db, batch));
    } catch (error) {
      if (isUnavailable(error) || sqlState(error) === null) throw error;
      if (batch.length === 1) {
        dropped += 1;
        log.warn('a line of the request log was refused and left out', {
          sqlstate: sqlState(error),
          request_id: batch[0]!.requestId,
        });
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await store(batch.slice(0, middle));
      await store(batch.slice(middle));
    }
  }

  const turn = (): Promise<void> => {
    running ??= write().finally(() => {
      running = null;
    });
    return running;
  };
  const flush = async (): Promise<void> => {
    await running;
    await turn();
  };
  const timer = setInterval(turn, FLUSH_MS);
  timer.unref();

  return {
    record: (call) => {
      if (waiting.length >= MOST_WAITING) {
        waiting.splice(0, BATCH);
        dropped += BATCH;
      }
      waiting.push(call);
    },
    flush,
    dropped: () => dropped,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Calls that differ in nothing but time, id, duration and size: a busy key's batch is a handful of these. */
interface Group {
  readonly like: FinishedCall;
  readonly hour: string;
  calls: number;
  last: Date;
  readonly buckets: Map<number, number>;
}

interface Grouped {
  readonly groups: Group[];
  /** The group of each call, counted from 1 as the database counts. */
  readonly places: number[];
}

function groupCalls(calls: readonly FinishedCall[]): Grouped {
  const found = new Map<string, number>();
  const groups: Group[] = [];
  const places = calls.map((call) => {
    const hour = hourOf(call);
    const name = `${call.secretId}|${call.status}|${call.errorCode}|${hour}|${call.ip}|${call.method}|${call.endpoint}|${call.path}|${call.userAgent}`;
    let place = found.get(name);
    if (place === undefined) {
      place = groups.push({ like: call, hour, calls: 0, last: call.at, buckets: new Map() });
      found.set(name, place);
    }
    const group = groups[place - 1]!;
    const bucket = bucketOf(call.durationMs);
    group.calls += 1;
    group.buckets.set(bucket, (group.buckets.get(bucket) ?? 0) + 1);
    if (call.at > group.last) group.last = call.at;
    return place;
  });
  return { groups, places };
}

const HOUR_MS = 3_600_000;
let lastHour = { number: 0, text: '' };

/** Nearly always the same as the call before. */
function hourOf({ at }: FinishedCall): string {
  const number = Math.floor(at.getTime() / HOUR_MS);
  if (number !== lastHour.number) lastHour = { number, text: new Date(number * HOUR_MS).toISOString() };
  return lastHour.text;
}

async function writeBatch(db: Db, calls: readonly FinishedCall[]): Promise<void> {
  // A crash may lose the last moments of the log, never data: so its commits need not wait for the disk.
  const off = db.exec(sql`set local synchronous_commit = off`);
  const all = groupCalls(calls);
  const each = (pick: (call: FinishedCall) => string | number | null): string => arrayOf(calls.map(pick));
  const group = (pick: (call: FinishedCall) => string | number | null): string =>
    arrayOf(all.groups.map(({ like }) => pick(like)));
  const inserted = db.one<{
    count: number;
    ids: string[] | null;
  }>(sql`with written as (insert into request_logs (account_id, key_id, at, request_id, secret_id, method, path, endpoint,
      status, error_code, duration_ms, ip, user_agent, response_bytes)
    select account_id, key_id, to_timestamp(at / 1000.0), request_id, secret_id, method, path, endpoint, status, error_code, duration_ms, ip,
      user_agent, response_bytes
    from unnest(${arrayOf(all.places)}::int[], ${each((call) => call.at.getTime())}::float8[], ${each((call) => call.requestId)}::text[],
      ${each((call) => call.durationMs)}::real[], ${each((call) => call.responseBytes)}::int[]) as one(place, at, request_id, duration_ms, response_bytes)
    join unnest(${group((call) => call.accountId)}::uuid[], ${group((call) => call.keyId)}::uuid[], ${group((call) => call.secretId)}::uuid[],
      ${group((call) => call.method)}::text[], ${group((call) => call.path)}::text[], ${group((call) => call.endpoint)}::text[],
      ${group((call) => call.status)}::smallint[], ${group((call) => call.errorCode)}::text[], ${group((call) => call.ip)}::text[],
      ${group((call) => call.userAgent)}::text[]) with ordinality
      as alike(account_id, key_id, secret_id, method, path, endpoint, status, error_code, ip, user_agent, place) using (place)
    on conflict do nothing returning request_id)
    select count(*)::int as count, case when count(*) < ${calls.length} then array_agg(request_id) end as ids from written`);
  await off;
  // A batch whose COMMIT was answered by nobody comes again: only what was not there yet is counted.
  const { count, ids } = await inserted;
  const fresh = new Set(ids);
  const counted = count === calls.length ? all : groupCalls(calls.filter((call) => fresh.has(call.requestId)));
  await Promise.all(writeRollups(db, counted.groups));
}

/**
 * A PostgreSQL array as text. The driver's own conversion looks at every element's type and cost more than the rest of a busy
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

interface Sum {
  readonly accountId: string;
  readonly keyId: string;
  readonly by: string;
  readonly part: string;
  calls: number;
  last: Date;
}

/** Sorted, so that two nodes lock rows in one order. */
function addUp(parts: readonly Sum[]): Record<'account' | 'key' | 'by' | 'part' | 'calls' | 'last', string> {
  const all = new Map<string, Sum>();
  for (const part of parts) {
    const name = `${part.keyId} ${part.by} ${part.part}`;
    const sum = all.get(name);
    if (sum === undefined) all.set(name, { ...part });
    else {
      sum.calls += part.calls;
      if (part.last > sum.last) sum.last = part.last;
    }
  }
  const rows = [...all.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  return {
    account: arrayOf(rows.map((row) => row.accountId)),
    key: arrayOf(rows.map((row) => row.keyId)),
    by: arrayOf(rows.map((row) => row.by)),
    part: arrayOf(rows.map((row) => row.part)),
    calls: arrayOf(rows.map((row) => row.calls)),
    last: arrayOf(rows.map((row) => row.last.toISOString())),
  };
}

function writeRollups(db: Db, groups: readonly Group[]): Promise<number>[] {
  const sum = ({ like, calls, last }: Group, by: string, part: string, count = calls): Sum => ({
    accountId: like.accountId,
    keyId: like.keyId,
    by,
    part,
    calls: count,
    last,
  });
  const byCode = addUp(
    groups.map((group) => sum(group, group.hour, `${group.like.endpoint ?? ''}|${group.like.errorCode ?? ''}`)),
  );
  const byBucket = addUp(
    groups.flatMap((group) => [...group.buckets].map(([bucket, count]) => sum(group, group.hour, String(bucket), count))),
  );
  const bySecret = addUp(groups.map((group) => sum(group, group.like.secretId, '')));
  return [
    db.exec(sql`insert into usage_calls (account_id, key_id, hour, endpoint, error_code, calls)
      select a, k, h, split_part(p, '|', 1), split_part(p, '|', 2), n
      from unnest(${byCode.account}::uuid[], ${byCode.key}::uuid[], ${byCode.by}::timestamptz[], ${byCode.part}::text[], ${byCode.calls}::bigint[]) as t(a, k, h, p, n)
      on conflict (account_id, key_id, hour, endpoint, error_code) do update set calls = usage_calls.calls + excluded.calls`),
    db.exec(sql`insert into usage_latency (account_id, key_id, hour, bucket, calls)
      select * from unnest(${byBucket.account}::uuid[], ${byBucket.key}::uuid[], ${byBucket.by}::timestamptz[], ${byBucket.part}::smallint[], ${byBucket.calls}::bigint[])
      on conflict (account_id, key_id, hour, bucket) do update set calls = usage_latency.calls + excluded.calls`),
    db.exec(sql`insert into usage_secrets (account_id, key_id, secret_id, calls, last_used_at)
      select * from unnest(${bySecret.account}::uuid[], ${bySecret.key}::uuid[], ${bySecret.by}::uuid[], ${bySecret.calls}::bigint[], ${bySecret.last}::timestamptz[])
      on conflict (account_id, key_id, secret_id) do update
        set calls = usage_secrets.calls + excluded.calls, last_used_at = greatest(usage_secrets.last_used_at, excluded.last_used_at)`),
  ];
}
