// The listings in a list: the dealer's own, or the cards of the network.
import type { Context } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { listPage, type Page } from '../../kit/page.ts';
import { moneyParam, oneOfParam, textParam, withFallback } from '../../kit/params.ts';
import { allOf, own, type Sql, sql } from '../../kit/sql.ts';
import { hasCapability, requireCapability } from '../parties/capability.ts';
import { LISTING_BESIDE, LISTING_SHOWN } from '../stock/listing-view.ts';
import { LISTING_STATUSES } from '../stock/stock-states.ts';
import { LISTING_SCOPES } from './marketplace-states.ts';
import { listNetworkCards } from './network-card.ts';

export const ListingFilters = {
  scope: withFallback(oneOfParam(LISTING_SCOPES), 'own'),
  status: oneOfParam(LISTING_STATUSES),
  brand: textParam(80),
  model: textParam(80),
  price_min: moneyParam,
  price_max: moneyParam,
  currency: oneOfParam(CURRENCIES),
  city: textParam(60),
} as const;
type Listings = Context<string, typeof ListingFilters>;

/** Filters on the car; they combine with AND. */
export function carWhere(query: Partial<Listings['query']>): Sql[] {
  if ((query.price_min ?? query.price_max) !== undefined && query.currency === undefined)
    fail('invalid_parameter', {
      param: 'currency',
      words: { allowed: { en: 'given with price_min and price_max', tr: 'price_min ve price_max ile birlikte dolu' } },
    });
  const where: Sql[] = [];
  if (query.brand !== undefined) where.push(sql`fold_tr(brand) = fold_tr(${query.brand})`);
  if (query.model !== undefined) where.push(sql`fold_tr(model) = fold_tr(${query.model})`);
  if (query.city !== undefined) where.push(sql`fold_tr(city) = fold_tr(${query.city})`);
  if (query.price_min !== undefined) where.push(sql`price_minor >= ${query.price_min}`);
  if (query.price_max !== undefined) where.push(sql`price_minor <= ${query.price_max}`);
  if (query.currency !== undefined) where.push(sql`currency = ${query.currency}`);
  return where;
}

type ListingQuery = Pick<Listings, 'db' | 'query' | 'page' | 'linkTo'>;

export const listListings = (query: ListingQuery): Promise<Page> =>
  query.query.scope === 'own' ? listOwnListings(query) : listNetwork(query);

async function listNetwork({ db, query, page, linkTo }: ListingQuery): Promise<Page> {
  const allowed = {
    en: 'omitted with scope=network, which returns only «Yayında» listings',
    tr: 'yalnızca «Yayında» ilanları getiren scope=network ile boş',
  };
  if (query.status !== undefined) fail('invalid_parameter', { param: 'status', words: { allowed } });
  const where = carWhere(query);
  await requireCapability(db, 'dealer_network');
  return listNetworkCards(db, where, page, linkTo);
}

/** Empty while the account is not on the marketplace. */
async function listOwnListings({ db, query, page }: ListingQuery): Promise<Page> {
  const ofCar = carWhere(query);
  const where = [
    ...((await hasCapability(db, 'marketplace')) ? [] : [sql`false`]),
    ...(query.status === undefined ? [] : [sql`status = ${query.status}`]),
    ...(ofCar.length === 0 ? [] : [sql`vehicle_id in (select id from ${own('vehicles')} where true${allOf(ofCar)})`]),
  ];
  return listPage(db, { table: 'listings', shows: LISTING_SHOWN, beside: LISTING_BESIDE, where, timely: true }, page);
}
