// Figures of the dealer's marketplace over a period: published and closed listings, views, contacts and offers.
import { dayIn, type Moment } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { integer, nullable, number, type Of, object } from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import { readSpan } from '../exchange-rates/rate-table.ts';

export const MarketplaceStats = object({
  active: integer(),
  suspended: integer(),
  published_in_period: integer(),
  closed_in_period: integer(),
  views: integer(),
  favorites: integer(),
  contacts: integer(),
  offers: integer(),
  accepted_offers: integer(),
  contact_rate: nullable(number()),
  offer_rate: nullable(number()),
});
export type MarketplaceStats = Of<typeof MarketplaceStats>;

const USUAL_DAYS = 30;

interface StatsQuery {
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

/** Without bounds, the last thirty days up to today. */
export function statsSpan({ from, to }: StatsQuery, now: Date, timezone: string) {
  const last = to ?? { day: dayIn(now, timezone) };
  const lastDay = 'at' in last ? dayIn(last.at, timezone) : last.day;
  const usual = new Date(Date.parse(`${lastDay}T00:00:00Z`) - (USUAL_DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  return readSpan({ from: from ?? { day: usual }, to: last }, timezone);
}

type Counted = Record<Exclude<keyof MarketplaceStats, 'contact_rate' | 'offer_rate'>, number>;

/** Each event counts on its own day, in the dealer's time; `active` and `suspended` are current. */
export async function readMarketplaceStats(db: Db, query: StatsQuery, now: Date, timezone: string): Promise<MarketplaceStats> {
  const { from, to } = statsSpan(query, now, timezone);
  const within = (instant: string) =>
    sql`(${rawSql(instant)} at time zone ${timezone})::date between ${from}::date and ${to}::date`;
  const counted = await db.last<Counted>(sql`select listed.*, visited.*, offered.* from
    (select count(*) filter (where status = 'Yayında')::int as active, count(*) filter (where status = 'Askıda')::int as suspended,
      count(*) filter (where ${within('published_at')})::int as published_in_period,
      count(*) filter (where ${within('closed_at')})::int as closed_in_period from ${own('listings')}) listed,
    (select coalesce(sum(views), 0)::float8 as views, coalesce(sum(favorites), 0)::float8 as favorites,
      coalesce(sum(contacts), 0)::float8 as contacts from ${own('listing_visits')} where day between ${from}::date and ${to}::date) visited,
    (select count(*) filter (where ${within('created_at')})::int as offers,
      count(*) filter (where status in ('Kabul Edildi', 'Tamamlandı', 'Bozuldu') and ${within('responded_at')})::int as accepted_offers
      from ${own('marketplace_offers')}) offered`);
  const { views, contacts, offers } = counted;
  return { ...counted, contact_rate: rateOf(contacts, views), offer_rate: rateOf(offers, views) };
}

/** Four decimals, rounded half up; null if there were no views. Computed in integers, so that no rate is slightly too small. */
export function rateOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  return Number((BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole))) / 10_000;
}
