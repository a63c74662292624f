// A listing as its owner sees it, with its figures. Price and currency are the car's, as they are now.
import type { Db } from '../../kit/db.ts';
import { currency, integer, money, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { CLOSE_REASONS, LISTING_STATUSES } from './stock-states.ts';

/** Consumers' actions since it was published. */
export const ListingStats = object({ views: integer(), favorites: integer(), contacts: integer(), offers: integer() });

export const Listing = object({
  id: uuid(),
  vehicle_id: uuid(),
  title: text('2018 Volkswagen Golf'),
  description: nullable(text()),
  price: money(),
  currency: currency(),
  status: oneOf(LISTING_STATUSES),
  published_at: timestamp(),
  closed_at: nullable(timestamp()),
  close_reason: nullable(oneOf(CLOSE_REASONS)),
  boosted_until: nullable(timestamp()),
  stats: ListingStats,
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Listing = Of<typeof Listing>;

/** For `chosen`, a row of listings, joined with LISTING_BESIDE. */
export const LISTING_SHOWN: Sql = sql`chosen.id, chosen.vehicle_id, chosen.title, chosen.description, beside.price, beside.currency,
  chosen.status, utc_text(chosen.published_at) as published_at, utc_text(chosen.closed_at) as closed_at, chosen.close_reason,
  beside.boosted_until, beside.stats, utc_text(chosen.created_at) as created_at, utc_text(chosen.updated_at) as updated_at`;

export const LISTING_BESIDE: Sql = sql`select money_text(price_minor) as price, currency,
    (select utc_text(max(ends_at)) from ${own('boost_orders')} where boost_orders.listing_id = chosen.id and status = 'Aktif') as boosted_until,
    (select json_build_object('views', coalesce(sum(views), 0), 'favorites', coalesce(sum(favorites), 0),
        'contacts', coalesce(sum(contacts), 0), 'offers',
        (select count(*) from ${own('marketplace_offers')} where marketplace_offers.listing_id = chosen.id))
      from ${own('listing_visits')} where listing_visits.listing_id = chosen.id) as stats
  from ${own('vehicles')} where vehicles.id = chosen.vehicle_id`;

export const readListing = (db: Db, id: string): Promise<Listing> =>
  db.last<Listing>(sql`select ${LISTING_SHOWN}
    from (select * from ${own('listings')} where id = ${id}) chosen cross join lateral (${LISTING_BESIDE}) beside`);
