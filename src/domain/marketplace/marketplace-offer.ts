// A consumer's offer for a listing: its fields, its database row, its API representation and its list filters.
import type { Db } from '../../kit/db.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import {
  columnsOf,
  currency,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Fields, moneyField, nullable, required, textField } from '../records/fields.ts';
import { phoneField } from '../records/person-fields.ts';
import { changedFields } from '../writes/record-events.ts';
import { MARKETPLACE_OFFER_STATUSES, type MarketplaceOfferStatus } from './marketplace-states.ts';

/** The public site's request. The currency is the car's. */
export const CONSUMER_OFFER_FIELDS = {
  buyer_name: required(textField(120)),
  buyer_phone: required(phoneField),
  amount: required(moneyField({ above: 0n })),
  message: nullable(textField(500, { lines: true })),
} as const satisfies Fields;

export const REJECT_FIELDS = { reason: nullable(textField(500, { lines: true })) } as const satisfies Fields;

export const MarketplaceOffer = object({
  id: uuid(),
  listing_id: uuid(),
  buyer_name: text('Mehmet Demir'),
  buyer_phone: text('+905338001122'),
  amount: money(),
  currency: currency(),
  message: maybe(text('Bu hafta görebilir miyim?')),
  status: oneOf(MARKETPLACE_OFFER_STATUSES),
  expires_at: timestamp(),
  responded_at: maybe(timestamp()),
  reject_reason: maybe(text('vehicle_unavailable')),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type MarketplaceOffer = Of<typeof MarketplaceOffer>;

export const readOffer = (db: Db, id: string): Promise<MarketplaceOffer> =>
  db.last<MarketplaceOffer>(sql`select ${columnsOf(MarketplaceOffer)} from ${own('marketplace_offers')} where id = ${id}`);

const HIGHEST_FIRST = rawSql('amount_minor desc, created_at, id');

export async function listOffers(
  db: Db,
  listingId: string,
  status: MarketplaceOfferStatus | undefined,
  page: Paging,
): Promise<Page> {
  await db.one(sql`select from ${own('listings')} where id = ${listingId}`);
  const where = [sql`listing_id = ${listingId}`, ...(status === undefined ? [] : [sql`status = ${status}`])];
  return listPage(db, { table: 'marketplace_offers', shows: MarketplaceOffer, where, order: HIGHEST_FIRST }, page);
}

export interface StoredOffer {
  readonly id: string;
  readonly listing_id: string;
  readonly vehicle_id: string;
  readonly status: MarketplaceOfferStatus;
  readonly expires_at: Date;
}

/** The car is locked if its status matters. */
export const lockOffers = (db: Db, where: Sql): Promise<StoredOffer[]> =>
  db.rows<StoredOffer>(sql`select id, listing_id, vehicle_id, status, expires_at from ${own('marketplace_offers')}
    where ${where} order by created_at, id for update`);

/**
 * Events are sent to other systems, so they contain the offer without the person: name, phone and message are read from `path`.
 */
export function emitOfferEvent(work: Work, verb: string, shown: MarketplaceOffer, before: MarketplaceOffer = shown): void {
  const { id, listing_id } = shown;
  work.emit({
    kind: `marketplace_offer.${verb}`,
    id,
    path: `marketplace/listings/${listing_id}/offers`,
    object: withoutPerson(shown),
    ...changedFields(withoutPerson(before), withoutPerson(shown)),
  });
}

const withoutPerson = ({ buyer_name: _, buyer_phone: __, message: ___, ...rest }: MarketplaceOffer) => rest;
