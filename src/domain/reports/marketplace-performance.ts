// The results of the dealer's listings in a period: views, contacts, offers, sales and the cost of boosts.
import { endOf, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { formatMoney } from '../../kit/money.ts';
import { oneOfParam, type ParamValues, paging, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import {
  averageDays,
  planForValues,
  RANGE,
  type ReportAccount,
  ratio,
  ratioText,
  readRange,
  refuse,
  type Sums,
} from './report-frame.ts';
import { LISTING_GROUPS } from './reports-states.ts';

/** Only listings are paged; days are never cut off. */
const { fallback: usualLimit, ...limit } = paging.limit;
const { fallback: usualOffset, ...offset } = paging.offset;

export const MARKETPLACE_PERFORMANCE_QUERY = {
  ...RANGE,
  group_by: withFallback(oneOfParam(LISTING_GROUPS), 'listing'),
  limit,
  offset,
} as const;

const FIGURES = {
  views: integer(),
  favorites: integer(),
  contacts: integer(),
  offers: integer(),
  accepted_offers: integer(),
  contact_rate: nullable(ratio()),
  offer_rate: nullable(ratio()),
  /** Days on which it was «Yayında», counted for each listing. */
  days_live: integer(),
  sold_count: integer(),
  average_days_to_sale: nullable(text('21.5')),
  currency: currency(),
  boost_spend: money('1900.00'),
};
export const MarketplacePerformance = object({
  from: day(),
  to: day(),
  group_by: oneOf(LISTING_GROUPS),
  /** Of all live listings, also those on other pages. */
  totals: object({ listing_count: integer(), ...FIGURES }),
  rows: arrayOf(object({ group: text('2026-10-05'), title: nullable(text('2018 Volkswagen Golf')), ...FIGURES })),
  as_of: day(),
});
type MarketplacePerformance = Of<typeof MarketplacePerformance>;

const COUNTS = ['views', 'favorites', 'contacts', 'offers', 'accepted_offers', 'days_live', 'sold_count'] as const;
const MEASURES = [...COUNTS, 'waited', 'spent'] as const;
type Measured = Sums<(typeof MEASURES)[number]>;

interface Span {
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly timezone: string;
}

export async function marketplacePerformance(
  db: Db,
  query: ParamValues<typeof MARKETPLACE_PERFORMANCE_QUERY>,
  account: ReportAccount,
): Promise<MarketplacePerformance> {
  const { group_by } = query;
  planForValues(db);
  const span = { ...readRange(query, account), timezone: account.timezone };
  const pageParam = (['limit', 'offset'] as const).find((name) => query[name] !== undefined);
  if (group_by === 'day' && pageParam !== undefined)
    refuse(pageParam, { en: 'given only with group_by=listing', tr: 'yalnızca group_by=listing ile verilmiş' });
  const page = group_by === 'day' ? sql`` : sql` limit ${query.limit ?? usualLimit} offset ${query.offset ?? usualOffset}`;
  const { listing_count, all, groups } = await db.one<PerformanceRecord>(statementOf(span, group_by, page));
  return {
    from: span.from,
    to: span.to,
    group_by,
    totals: { listing_count, ...shown(all) },
    rows: groups.map((row) => ({ group: row.group, title: row.title, ...shown(row) })),
    as_of: span.today,
  };
}

type Group = (typeof LISTING_GROUPS)[number];

/** Sums as text, because they may exceed JSON's safe integers. */
interface PerformanceRecord {
  readonly listing_count: number;
  readonly all: Measured;
  readonly groups: readonly (Measured & { readonly group: string; readonly title: string | null })[];
}

const sums = (of: string): Sql => rawSql(MEASURES.map((name) => `coalesce(sum(${of}${name}), 0) as ${name}`).join(', '));
const texts = (of: string): Sql => rawSql(MEASURES.map((name) => `${of}${name}::text as ${name}`).join(', '));

/** Facts are summed once by group; the total is the sum of the groups, also of those on other pages. */
function statementOf(span: Span, group: Group, page: Sql): Sql {
  const rows =
    group === 'listing'
      ? sql`select key as "group", title, ${texts('added.')} from added join chosen on chosen.id = key
          order by published_at desc, key desc${page}`
      : sql`select to_char(key, 'YYYY-MM-DD') as "group", null as title, ${texts('')} from added order by key`;
  return sql`${factsOf(span, group)}, added as materialized (select key, ${sums('')} from facts group by 1)
    select (select count(*)::int from chosen) as listing_count,
      (select row_to_json(item) from (select ${texts('')} from (select ${sums('')} from added) added) item) as all,
      coalesce((select json_agg(row_to_json(item)) from (${rows}) item), '[]'::json) as groups`;
}

/**
 * `chosen` are the listings that were live in the period, `facts` their events by listing or by day, on the day in the dealer's
 * time. A sale counts for the car's newest listing among them, so that it counts once; a boost on the day it was charged.
 */
function factsOf({ from, to, today, timezone }: Span, group: Group): Sql {
  const last = to < today ? to : today;
  const live = sql`tstzmultirange(tstzrange(${startOf({ day: from }, timezone)},
    greatest(${startOf({ day: from }, timezone)}::timestamptz, ${endOf({ day: last }, timezone)}::timestamptz)))`;
  const within = (what: Sql): Sql => sql`${what} between ${from}::date and ${to}::date`;
  const dayOf = (instant: string): Sql => sql`((${rawSql(instant)}) at time zone ${timezone})::date`;
  const key = (listing: string, day: Sql): Sql => (group === 'listing' ? rawSql(listing) : day);
  // Days on which a listing was live twice count once. By listing they are counted, by day each is a separate fact.
  const days = sql`(select id, unnest(range_agg(daterange(${dayOf('lower(piece)')}, ${dayOf("upper(piece) - interval '1 microsecond'")}, '[]'))) as span
    from chosen, unnest(lived) as piece group by id) lived`;
  const daysLive =
    group === 'listing'
      ? sql`id, 0, 0, 0, 0, 0, upper(span) - lower(span), 0, 0, 0 from ${days}`
      : sql`lower(span) + n, 0, 0, 0, 0, 0, 1, 0, 0, 0 from ${days}, generate_series(0, upper(span) - lower(span) - 1) as n`;
  return sql`with chosen as materialized (
      select id, vehicle_id, title, published_at, live * ${live} as lived from ${own('listings')} where live && ${live}),
    sold as (
      select vehicle_id, sale_date as day from ${own('sales')} where status <> 'İptal' and ${within(sql`sale_date`)}
      union all select id, sold_at from ${own('vehicles')}
        where deleted_at is null and status = 'Satıldı' and sold_via = 'Harici' and ${within(sql`sold_at`)}),
    facts (key, ${rawSql(MEASURES.join(', '))}) as (
      select ${key('listing_id', sql`day`)}, views, favorites, contacts, 0, 0, 0, 0, 0, 0 from (
        select listing_id${key('', sql`, day`)}, sum(views) as views, sum(favorites) as favorites, sum(contacts) as contacts
        from ${own('listing_visits')} where ${within(sql`day`)} group by listing_id${key('', sql`, day`)}) visited
        where listing_id in (select id from chosen)
      union all select ${key('listing_id', dayOf('created_at'))}, 0, 0, 0, 1, 0, 0, 0, 0, 0 from ${own('marketplace_offers')}
        where listing_id in (select id from chosen) and ${within(dayOf('created_at'))}
      union all select ${key('listing_id', dayOf('responded_at'))}, 0, 0, 0, 0, 1, 0, 0, 0, 0 from ${own('marketplace_offers')}
        where listing_id in (select id from chosen) and status in ('Kabul Edildi', 'Tamamlandı', 'Bozuldu') and ${within(dayOf('responded_at'))}
      union all select ${daysLive}
      union all select ${key('newest.id', sql`sold.day`)}, 0, 0, 0, 0, 0, 0, 1, greatest(sold.day - newest.published_on, 0), 0 from sold join (
        select distinct on (vehicle_id) id, vehicle_id, ${dayOf('published_at')} as published_on from chosen
        order by vehicle_id, published_at desc, id desc) newest on newest.vehicle_id = sold.vehicle_id
      union all select ${key('listing_id', dayOf('created_at'))}, 0, 0, 0, 0, 0, 0, 0, 0, price_minor from ${own('boost_orders')}
        where listing_id in (select id from chosen) and status <> 'İptal' and ${within(dayOf('created_at'))})`;
}

function shown(row: Measured): Omit<MarketplacePerformance['totals'], 'listing_count'> {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, Number(row[name])])) as Record<(typeof COUNTS)[number], number>;
  const [views, contacts, offers] = [BigInt(row.views), BigInt(row.contacts), BigInt(row.offers)];
  const { days_live, sold_count, ...looks } = counts;
  return {
    ...looks,
    contact_rate: ratioText(contacts, views),
    offer_rate: ratioText(offers, views),
    days_live,
    sold_count,
    average_days_to_sale: averageDays(BigInt(row.waited), sold_count),
    currency: 'TL',
    boost_spend: formatMoney(BigInt(row.spent)),
  };
}
