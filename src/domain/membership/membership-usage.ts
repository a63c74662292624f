// The usage of each limit. Only additions are refused; calls per month are shown and not limited.
import { dayIn, startOfDay } from '../../kit/clock.ts';
import { type Db, type InLog, inLog } from '../../kit/db.ts';
import { day, integer, nullable, type Of, object } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { LIMIT_COLUMNS } from './membership.ts';
import { LIMITS, type LimitName } from './membership-states.ts';

const Used = object({ used: integer(), limit: nullable(integer()), remaining: nullable(integer()) });
type Used = Of<typeof Used>;

export const MembershipUsage = object({
  ...(Object.fromEntries(LIMITS.map((name) => [name, Used])) as Record<LimitName, typeof Used>),
  /** The calendar month, in the account's time zone, in which calls are counted. */
  period: object({ start: day(), end: day() }),
});
export type MembershipUsage = Of<typeof MembershipUsage>;

/** Calls are counted in the log's database, the rest in the dealer's. */
export async function readMembershipUsage(db: Db, timezone: string, now: Date): Promise<InLog<MembershipUsage>> {
  const period = monthOf(dayIn(now, timezone));
  const [from, to] = [startOfDay(period.start, timezone), startOfDay(period.next, timezone)];
  const row = await db.one<Record<string, number | null>>(sql`select
      (select count(*)::int from ${own('vehicles')} where deleted_at is null and status <> 'Satıldı') as vehicles,
      (select count(*)::int from ${own('listings')} where status <> 'Kapandı') as listings,
      (select count(*)::int from ${own('members')} where active) as staff,
      (select count(*)::int from ${own('branches')}) as branches,
      (select count(*)::int from ${own('api_keys')} where revoked_at is null) as api_keys,
      vehicle_limit, listing_limit, staff_limit, branch_limit, api_key_limit, monthly_request_limit
    from ${own('accounts')}`);
  const calls = sql`select coalesce(sum(calls), 0)::int as calls from ${own('usage_calls')} where hour >= ${from} and hour < ${to}`;
  return inLog(async (log) => {
    const { calls: monthly_api_requests } = await log.last<{ calls: number }>(calls);
    return usageOf({ ...row, monthly_api_requests }, period);
  });
}

function usageOf(row: Readonly<Record<string, number | null>>, period: Month): MembershipUsage {
  const used = (name: LimitName): Used => {
    const limit = row[LIMIT_COLUMNS[name]] ?? null;
    return { used: row[name]!, limit, remaining: limit === null ? null : Math.max(limit - row[name]!, 0) };
  };
  return {
    ...(Object.fromEntries(LIMITS.map((name) => [name, used(name)])) as Record<LimitName, Used>),
    period: { start: period.start, end: period.end },
  };
}

type Month = Readonly<{ start: string; end: string; next: string }>;

function monthOf(today: string): Month {
  const [year, month] = today.split('-').map(Number) as [number, number];
  const first = (offset: number, date = 1) => new Date(Date.UTC(year, month - 1 + offset, date)).toISOString().slice(0, 10);
  return { start: first(0), end: first(1, 0), next: first(1) };
}
