// Which vehicles a list shows.
import { startOf } from '../../kit/clock.ts';
import type { Context } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import {
  flagParam,
  integerParam,
  momentParam,
  moneyParam,
  oneOfParam,
  textParam,
  trueParam,
  uuidParam,
} from '../../kit/params.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { searchFor } from '../records/search.ts';
import { VEHICLE_STATUSES } from './stock-states.ts';

export const VehicleFilters = {
  q: textParam(80),
  status: oneOfParam(VEHICLE_STATUSES),
  brand: textParam(80),
  model: textParam(80),
  city: textParam(60),
  plate: textParam(20),
  branch_id: uuidParam,
  year_min: integerParam(1900, 2200),
  year_max: integerParam(1900, 2200),
  price_min: moneyParam,
  price_max: moneyParam,
  currency: oneOfParam(CURRENCIES),
  is_marketplace_visible: flagParam,
  updated_since: momentParam,
  external_ref: textParam(120),
  deleted: trueParam,
} as const;

/** The list's filters as conditions; they combine with AND. Texts are compared as in search: `lefkosa` finds Lefkoşa. */
export function vehiclesWhere(query: Context<string, typeof VehicleFilters>['query'], timezone: string): Sql[] {
  if ((query.price_min ?? query.price_max) !== undefined && query.currency === undefined) {
    // 1 000 TL and 1 000 STG are not comparable, so a price bound needs a currency.
    fail('invalid_parameter', {
      param: 'currency',
      words: { allowed: { en: 'given with price_min and price_max', tr: 'price_min ve price_max ile birlikte dolu' } },
    });
  }
  const where = [query.deleted ? sql`deleted_at is not null` : sql`deleted_at is null`];
  if (query.q !== undefined) where.push(...searchFor(query.q));
  if (query.status !== undefined) where.push(sql`status = ${query.status}`);
  if (query.brand !== undefined) where.push(sql`fold_tr(brand) = fold_tr(${query.brand})`);
  if (query.model !== undefined) where.push(sql`fold_tr(model) = fold_tr(${query.model})`);
  if (query.city !== undefined) where.push(sql`fold_tr(city) = fold_tr(${query.city})`);
  if (query.plate !== undefined) where.push(sql`replace(plate, ' ', '') = replace(upper(${query.plate}), ' ', '')`);
  if (query.branch_id !== undefined) where.push(sql`branch_id = ${query.branch_id}`);
  if (query.year_min !== undefined) where.push(sql`model_year >= ${query.year_min}`);
  if (query.year_max !== undefined) where.push(sql`model_year <= ${query.year_max}`);
  if (query.price_min !== undefined) where.push(sql`price_minor >= ${query.price_min}`);
  if (query.price_max !== undefined) where.push(sql`price_minor <= ${query.price_max}`);
  if (query.currency !== undefined) where.push(sql`currency = ${query.currency}`);
  if (query.is_marketplace_visible !== undefined) where.push(sql`is_marketplace_visible = ${query.is_marketplace_visible}`);
  if (query.external_ref !== undefined) where.push(sql`external_ref = ${query.external_ref}`);
  if (query.updated_since !== undefined) where.push(sql`updated_at >= ${startOf(query.updated_since, timezone)}`);
  return where;
}
