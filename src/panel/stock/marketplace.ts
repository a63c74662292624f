// What only the panel reads of the marketplace: consumers' offers that wait for an answer, over all listings, and the listing of one
// offer, for notifications.
import { rolesFor } from '../../domain/identity/roles.ts';
import type { Currency } from '../../kit/money.ts';
import { paging } from '../../kit/params.ts';
import { own, sql } from '../../kit/sql.ts';
import { listed, panelGet } from '../kit/endpoint.ts';

export interface WaitingOffer {
  readonly id: string;
  readonly listing_id: string;
  readonly vehicle_id: string;
  readonly title: string;
  readonly buyer_name: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface OfferPlace {
  readonly listing_id: string;
}

export const marketplaceEndpoints = [
  panelGet('marketplace/offers', {
    who: rolesFor({ scope: 'marketplace:read', risk: 'read' }),
    databaseRole: 'tenant',
    query: paging,
    run: async ({ db, query, now }) =>
      listed(
        await db.rows<WaitingOffer>(sql`select marketplace_offers.id, listing_id, listings.vehicle_id, title, buyer_name,
            money_text(amount_minor) as amount, marketplace_offers.currency,
            utc_text(marketplace_offers.created_at) as created_at, utc_text(expires_at) as expires_at
          from ${own('marketplace_offers')} join ${own('listings')} on listings.id = listing_id
          where marketplace_offers.status = 'Beklemede' and expires_at > ${now}
          order by expires_at, marketplace_offers.id limit ${query.limit + 1} offset ${query.offset}`),
        query,
      ),
  }),
  panelGet('marketplace/offers/{offer_id}', {
    who: rolesFor({ scope: 'marketplace:read', risk: 'read' }),
    databaseRole: 'tenant',
    run: ({ db, params }): Promise<OfferPlace> =>
      db.one<OfferPlace>(sql`select listing_id from ${own('marketplace_offers')} where id = ${params.offer_id}`),
  }),
];
