// Other dealers' published cars as a dealer of the network sees them: the card, the listing's price and the seller's name; never
// the plate, the vehicle's id or its views. Read from the view `network_listings`, which has no other columns.
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { type Page, type Paging, stepOf } from '../../kit/page.ts';
import { nullable, type Of, object, optional, uuid } from '../../kit/schema.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { Party } from '../parties/party.ts';
import { cardJson, type LinkTo, type StoredCard, shownCard, VehicleCard } from '../parties/vehicle-card.ts';
import { Listing, readListing } from '../stock/listing-view.ts';

const { id, title, price, currency, published_at, ...ownOnly } = Listing.shape;
/** A listing as its owner sees it, or as a card: without the owner's own fields, and with `vehicle_id` null. */
export const ShownListing = object({
  id,
  vehicle_id: nullable(uuid()),
  title,
  description: optional(ownOnly.description),
  price,
  currency,
  vehicle: optional(VehicleCard),
  seller: optional(Party),
  status: optional(ownOnly.status),
  published_at,
  closed_at: optional(ownOnly.closed_at),
  close_reason: optional(ownOnly.close_reason),
  boosted_until: optional(ownOnly.boosted_until),
  stats: optional(ownOnly.stats),
  created_at: optional(ownOnly.created_at),
  updated_at: optional(ownOnly.updated_at),
});
export type ShownListing = Of<typeof ShownListing>;

interface StoredNetworkListing {
  readonly id: string;
  readonly title: string;
  readonly price: string;
  readonly currency: ShownListing['currency'];
  readonly card: StoredCard;
  readonly seller: { readonly account_id: string; readonly name: string; readonly city: string | null };
  readonly published_at: string;
  readonly last: string;
}

const SELECT_LIST = sql`id, title, money_text(price_minor) as price, currency, ${cardJson('chosen')} as card, utc_text(published_at) as published_at,
  json_build_object('account_id', account_id, 'name', seller_name, 'city', seller_city) as seller`;

const shownListing = ({ last: _, card, ...listing }: StoredNetworkListing, linkTo: LinkTo): ShownListing => {
  const { id, title, price, currency, seller, published_at } = listing;
  return { id, vehicle_id: null, title, price, currency, vehicle: shownCard(card, linkTo), seller, published_at };
};

const NEWEST_FIRST = { where: [], order: rawSql('created_at desc, id desc'), position: rawSql('null') };

/**
 * In any order, for people: pages have an offset instead of a cursor. Returns one more than the page size if there is a next
 * page.
 */
export async function findNetworkCards(
  db: Db,
  { where, order, limit, offset }: { where: readonly Sql[]; order: Sql; limit: number; offset: number },
  linkTo: LinkTo,
): Promise<ShownListing[]> {
  const found = await db.rows<StoredNetworkListing>(sql`select ${SELECT_LIST}, null as last
    from (select * from network_listings where true${allOf(where)} order by ${order} limit ${limit + 1} offset ${offset}) chosen
    order by ${order}`);
  return found.map((listing) => shownListing(listing, linkTo));
}

export async function listNetworkCards(db: Db, filters: readonly Sql[], page: Paging, linkTo: LinkTo): Promise<Page> {
  const { where, order, position } = page.walk === undefined ? NEWEST_FIRST : stepOf(page.walk);
  const found = await db.rows<StoredNetworkListing>(sql`select ${SELECT_LIST}, ${position} as last
    from (select * from network_listings where true${allOf([...filters, ...where])}
      order by ${order} limit ${page.limit + 1} offset ${page.offset}) chosen`);
  const hasMore = found.length > page.limit;
  const shown = found.slice(0, page.limit).map((listing) => shownListing(listing, linkTo));
  const last = hasMore && page.walk !== undefined ? JSON.parse(found[page.limit - 1]!.last) : null;
  return { json: JSON.stringify(shown), count: shown.length, hasMore, last, version: null };
}

/** The dealer's own listing in full, another dealer's as its card while it is published. */
export async function readShownListing(db: Db, listingId: string, linkTo: LinkTo): Promise<ShownListing> {
  const [mine, [card]] = await allAnswers([
    db.rows(sql`select from ${own('listings')} where id = ${listingId}`),
    db.rows<StoredNetworkListing>(
      sql`select ${SELECT_LIST}, null as last from (select * from network_listings where id = ${listingId}) chosen`,
    ),
  ]);
  if (mine.length > 0) return readListing(db, listingId);
  return card === undefined ? fail('not_found') : shownListing(card, linkTo);
}
