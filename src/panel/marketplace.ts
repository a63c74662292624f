// What only the panel asks of the marketplace: where a consumer's offer stands, for a notification that speaks of it.
import { rolesFor } from '../domain/identity/roles.ts';
import { own, sql } from '../kit/sql.ts';
import { panelGet } from './endpoint.ts';

export interface OfferPlace {
  readonly listing_id: string;
}

export const marketplaceRows = [
  panelGet('marketplace/offers/{offer_id}', {
    who: rolesFor({ scope: 'marketplace:read', risk: 'read' }),
    door: 'tenant',
    run: ({ db, params }): Promise<OfferPlace> =>
      db.one<OfferPlace>(sql`select listing_id from ${own('marketplace_offers')} where id = ${params.offer_id}`),
  }),
];
