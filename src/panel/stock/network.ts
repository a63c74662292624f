// Search for cars in the network: by words, price, year and mileage, in any order. The API's endpoint
// matches whole names and has one order (domain/marketplace/listing-list.ts).
import { signLink } from '../../domain/files/file-links.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { carWhere } from '../../domain/marketplace/listing-list.ts';
import { NETWORK_SORTS } from '../../domain/marketplace/marketplace-states.ts';
import { findNetworkCards } from '../../domain/marketplace/network-card.ts';
import { requireCapability } from '../../domain/parties/capability.ts';
import { searchFor } from '../../domain/records/search.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { integerParam, moneyParam, oneOfParam, type ParamValues, paging, textParam, withFallback } from '../../kit/params.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';
import { listed, panelGet } from '../kit/endpoint.ts';

const NetworkFilters = {
  q: textParam(100),
  currency: oneOfParam(CURRENCIES),
  price_min: moneyParam,
  price_max: moneyParam,
  year_min: integerParam(1900, 2100),
  km_max: integerParam(0, 10_000_000),
} as const;

/** Prices of different currencies are not compared, so the currency comes first. The newest first among equals. */
const ORDERS: Readonly<Record<(typeof NETWORK_SORTS)[number], Sql>> = {
  newest: rawSql('created_at desc, id desc'),
  price_asc: rawSql('currency, price_minor, created_at desc, id desc'),
  price_desc: rawSql('currency, price_minor desc, created_at desc, id desc'),
  year: rawSql('model_year desc, created_at desc, id desc'),
  km: rawSql('km, created_at desc, id desc'),
};

/** What a card shows of the car and of who has it. */
const SEARCHED = sql`fold_tr(concat_ws(' ', title, brand, model, model_year, fuel_type, transmission, body_type, color, city, seller_name))`;

function whereOf({ q, year_min, km_max, ...prices }: ParamValues<typeof NetworkFilters>): Sql[] {
  const where = carWhere(prices);
  if (q !== undefined) where.push(...searchFor(q, SEARCHED));
  if (year_min !== undefined) where.push(sql`model_year >= ${year_min}`);
  if (km_max !== undefined) where.push(sql`km <= ${km_max}`);
  return where;
}

export const networkEndpoints = [
  panelGet('network/cars', {
    who: rolesFor({ scope: 'marketplace:read', risk: 'read' }),
    databaseRole: 'tenant',
    query: { ...paging, ...NetworkFilters, sort: withFallback(oneOfParam(NETWORK_SORTS), 'newest') },
    run: async ({ db, query: { limit, offset, sort, ...filters }, services, realNow }) => {
      const where = whereOf(filters);
      await requireCapability(db, 'dealer_network');
      const linkTo = (fileId: string, owner: string) =>
        signLink(services.secrets.files, services.publicUrl(), owner, fileId, realNow);
      return listed(await findNetworkCards(db, { where, order: ORDERS[sort], limit, offset }, linkTo), { limit, offset });
    },
  }),
];
