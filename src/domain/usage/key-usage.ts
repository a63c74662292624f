// A key's usage, summed from the hourly rollups; the request log itself is not read.
import type { Db } from '../../kit/db.ts';
import type { CallingKey } from '../../kit/endpoint.ts';
import type { Period } from '../../kit/period.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import { quantile } from './latency.ts';
import { type Errors, EVERY_ERROR, statusOf } from './outcome.ts';

interface CallsRow {
  endpoint: string;
  error_code: string;
  calls: number;
}

export const total = (rows: readonly { calls: number }[]): number => rows.reduce((sum, row) => sum + row.calls, 0);
const rate = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000);

export async function readUsage(
  db: Db,
  key: Pick<CallingKey, 'id' | 'name' | 'environment'>,
  period: Period,
  groupBy: 'day' | 'hour',
  timezone: string,
  counted: Errors = EVERY_ERROR,
) {
  // Rollups are hourly, so an hour counts when any part of it is in the period.
  const hours = sql`key_id = ${key.id} and hour > ${new Date(period.from.getTime() - 3_600_000)} and hour < ${period.end}`;
  // Hours are counted in UTC, so that the hour which repeats when clocks go back stays two hours; days depend on the account's zone.
  const bucket = groupBy === 'hour' ? sql`hour` : sql`date_trunc('day', hour at time zone ${timezone}) at time zone ${timezone}`;
  const [calls, series, latency, [use]] = await Promise.all([
    db.rows<CallsRow>(sql`select endpoint, error_code, sum(calls)::float8 as calls from ${own('usage_calls')}
      where ${hours} group by endpoint, error_code`),
    db.rows<{ at: Date; count: number; errors: number }>(sql`select ${bucket} as at, sum(calls)::float8 as count,
        ${counted.calls} as errors
      from ${own('usage_calls')} where ${hours} group by ${rawSql('1')} order by ${rawSql('1')}`),
    db.rows<{ bucket: number; calls: number }>(sql`select bucket, sum(calls)::float8 as calls from ${own('usage_latency')}
      where ${hours} group by bucket`),
    db.rows<{ last_used_at: Date | null }>(
      sql`select max(last_used_at) as last_used_at from ${own('usage_secrets')} where key_id = ${key.id}`,
    ),
  ]);
  const errors = calls.filter((row) => counted.has(row.error_code));
  const serverErrors = errors.filter((row) => statusOf(row.error_code) >= 500);
  const histogram = latency.map((row) => [row.bucket, row.calls] as const);
  const all = total(calls);
  return {
    key_id: key.id,
    key_name: key.name,
    environment: key.environment,
    period: { from: period.from.toISOString(), to: new Date(period.end.getTime() - 1).toISOString() },
    total_requests: all,
    successful_requests: total(calls.filter((row) => row.error_code === '')),
    client_errors: total(errors) - total(serverErrors),
    server_errors: total(serverErrors),
    rate_limited: total(errors.filter((row) => statusOf(row.error_code) === 429)),
    error_rate: rate(total(errors), all),
    p50_ms: quantile(histogram, 0.5),
    p95_ms: quantile(histogram, 0.95),
    last_used_at: use?.last_used_at?.toISOString() ?? null,
    by_endpoint: sumBy(calls, (row) => row.endpoint).map(([endpoint, rows]) => ({
      endpoint: endpoint === '' ? null : endpoint,
      count: total(rows),
      error_rate: rate(total(rows.filter((row) => counted.has(row.error_code))), total(rows)),
    })),
    by_error_code: sumBy(
      calls.filter((row) => row.error_code !== ''),
      (row) => row.error_code,
    ).map(([code, rows]) => ({ code, count: total(rows) })),
    series: series.map(({ at, count, errors: failed }) => ({ at: at.toISOString(), count, errors: failed })),
  };
}

/** Groups, busiest first. */
function sumBy(rows: readonly CallsRow[], by: (row: CallsRow) => string): [string, CallsRow[]][] {
  return [...Map.groupBy(rows, by)].sort(([one, some], [other, others]) => total(others) - total(some) || (one < other ? -1 : 1));
}
