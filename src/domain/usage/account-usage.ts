// An account's usage over all its keys, summed from the hourly rollups; the request log itself is not read.
import type { Db } from '../../kit/db.ts';
import type { Period } from '../../kit/period.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { total } from './key-usage.ts';
import { quantile } from './latency.ts';
import { isNotOpen, statusOf } from './outcome.ts';

/** Calls by their outcome. */
export interface Counts {
  readonly ok: number;
  /** Refused with a 4xx, or because the endpoint is not open yet; `limited` and `not_open` are among them. */
  readonly refused: number;
  readonly failed: number;
  readonly limited: number;
  /** Not the caller's fault, so it does not count in error rates (see outcome.ts). */
  readonly not_open: number;
}

export interface Latency {
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

/** A point of a series, from `at` to the next point. Hours and days without calls are included. */
export interface Moment extends Counts, Latency {
  readonly at: string;
}

export interface AccountUsage {
  readonly totals: Counts & Latency;
  readonly series: readonly Moment[];
  readonly by_key: readonly (Counts & Latency & { readonly key_id: string })[];
  /** Null for calls that matched no endpoint of the catalog. */
  readonly by_endpoint: readonly (Counts & { readonly endpoint: string | null })[];
  readonly by_error: readonly { readonly code: string; readonly count: number }[];
}

export type Step = 'hour' | 'day';

interface CallsRow {
  at: Date;
  key_id: string;
  endpoint: string;
  error_code: string;
  calls: number;
  not_stored: number;
}

interface LatencyRow {
  at: Date;
  key_id: string;
  bucket: number;
  calls: number;
}

export interface UsageQuestion {
  readonly period: Period;
  readonly step: Step;
  readonly timezone: string;
  readonly key?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** Rollups are hourly, so an hour counts when any part of it is in the period. */
function hoursOf({ period, key }: UsageQuestion): Sql {
  const hours = sql`hour > ${new Date(period.from.getTime() - 3_600_000)} and hour < ${period.end}`;
  // Filtered by key first, because the index begins with the key. Keys themselves may be in another database than their usage.
  const keys = key === undefined ? sql`key_id in (select key_id from ${own('usage_secrets')})` : sql`key_id = ${key}`;
  return sql`${keys} and ${hours}`;
}

/** Hours are counted in UTC, so that the hour which repeats when clocks go back stays two hours; days depend on the account's zone. */
const bucketOf = ({ step, timezone }: UsageQuestion): Sql =>
  step === 'hour' ? sql`hour` : sql`date_trunc('day', hour at time zone ${timezone}) at time zone ${timezone}`;

export async function readAccountUsage(db: Db, question: UsageQuestion): Promise<AccountUsage> {
  const calls = await readCalls(db, question);
  // Durations are not recorded by endpoint, so with that filter they are unknown.
  const latency =
    question.endpoint !== undefined
      ? []
      : await db.rows<LatencyRow>(sql`select ${bucketOf(question)} as at, key_id, bucket::int as bucket, sum(calls)::float8 as calls
          from ${own('usage_latency')} where ${hoursOf(question)} group by 1, 2, 3`);
  return {
    totals: { ...countsOf(calls), ...latencyOf(latency) },
    series: await seriesOf(db, question, calls, latency),
    by_key: groups(calls, (row) => row.key_id).map(([key_id, rows]) => ({
      key_id,
      ...countsOf(rows),
      ...latencyOf(latency.filter((row) => row.key_id === key_id)),
    })),
    by_endpoint: groups(calls, (row) => row.endpoint).map(([endpoint, rows]) => ({
      endpoint: endpoint === '' ? null : endpoint,
      ...countsOf(rows),
    })),
    by_error: groups(
      calls.filter((row) => row.error_code !== ''),
      (row) => row.error_code,
    ).map(([code, rows]) => ({ code, count: total(rows) })),
  };
}

function readCalls(db: Db, question: UsageQuestion): Promise<CallsRow[]> {
  const row = question.endpoint === undefined ? sql`` : sql` and endpoint = ${question.endpoint}`;
  return db.rows<CallsRow>(sql`select ${bucketOf(question)} as at, key_id, endpoint, error_code, sum(calls)::float8 as calls,
      sum(not_stored)::float8 as not_stored
    from ${own('usage_calls')} where ${hoursOf(question)}${row} group by 1, 2, 3, 4`);
}

export interface TimelinePoint extends Counts {
  readonly at: string;
  /** Refused calls that were counted without a line in the log. */
  readonly not_stored: number;
}

/** Calls by outcome for each step of the period: the chart above the log. */
export async function readTimeline(db: Db, question: UsageQuestion): Promise<TimelinePoint[]> {
  const calls = Map.groupBy(await readCalls(db, question), ({ at }) => at.getTime());
  return (await momentsOf(db, question)).map((at) => {
    const rows = calls.get(at.getTime()) ?? [];
    const not_stored = rows.reduce((sum, row) => sum + row.not_stored, 0);
    return { at: at.toISOString(), ...countsOf(rows), not_stored };
  });
}

/** Computed by the database, which knows when days begin in the account's zone, even when clocks change. */
async function momentsOf(db: Db, { period, step, timezone }: UsageQuestion): Promise<Date[]> {
  const last = new Date(period.end.getTime() - 1);
  const steps =
    step === 'hour'
      ? sql`select generate_series(date_trunc('hour', ${period.from}::timestamptz, 'UTC'), ${last}::timestamptz, interval '1 hour') as at`
      : sql`select day at time zone ${timezone} as at from generate_series(date_trunc('day', ${period.from}::timestamptz at time zone ${timezone}),
          ${last}::timestamptz at time zone ${timezone}, interval '1 day') as day`;
  return (await db.rows<{ at: Date }>(steps)).map(({ at }) => at);
}

async function seriesOf(
  db: Db,
  question: UsageQuestion,
  calls: readonly CallsRow[],
  latency: readonly LatencyRow[],
): Promise<Moment[]> {
  const callsAt = Map.groupBy(calls, ({ at }) => at.getTime());
  const latencyAt = Map.groupBy(latency, ({ at }) => at.getTime());
  return (await momentsOf(db, question)).map((at) => ({
    at: at.toISOString(),
    ...countsOf(callsAt.get(at.getTime()) ?? []),
    ...latencyOf(latencyAt.get(at.getTime()) ?? []),
  }));
}

function countsOf(rows: readonly CallsRow[]): Counts {
  const where = (is: (code: string) => boolean) => total(rows.filter(({ error_code }) => is(error_code)));
  const failed = (code: string) => statusOf(code) >= 500 && !isNotOpen(code);
  return {
    ok: where((code) => code === ''),
    refused: where((code) => code !== '' && !failed(code)),
    failed: where(failed),
    limited: where((code) => statusOf(code) === 429),
    not_open: where(isNotOpen),
  };
}

function latencyOf(rows: readonly LatencyRow[]): Latency {
  const histogram = rows.map(({ bucket, calls }) => [bucket, calls] as const);
  return { p50_ms: quantile(histogram, 0.5), p95_ms: quantile(histogram, 0.95), p99_ms: quantile(histogram, 0.99) };
}

/** Busiest first. */
function groups(rows: readonly CallsRow[], by: (row: CallsRow) => string): [string, CallsRow[]][] {
  return [...Map.groupBy(rows, by)].sort(([one, some], [other, others]) => total(others) - total(some) || (one < other ? -1 : 1));
}
