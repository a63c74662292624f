// Which customers a list shows.
import { startOf } from '../../kit/clock.ts';
import type { Context } from '../../kit/endpoint.ts';
import { momentParam, oneOfParam, textParam, trueParam } from '../../kit/params.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { searchFor } from '../records/search.ts';
import { RISK_LEVELS } from './customer-states.ts';

export const CustomerFilters = {
  q: textParam(80),
  risk_level: oneOfParam(RISK_LEVELS),
  updated_since: momentParam,
  external_ref: textParam(120),
  deleted: trueParam,
} as const;

export function customersWhere(
  query: Context<string, typeof CustomerFilters>['query'],
  timezone: string,
  masked: boolean,
): Sql[] {
  const where = [query.deleted ? sql`deleted_at is not null` : sql`deleted_at is null`];
  if (query.q !== undefined)
    where.push(...searchFor(query.q, masked ? sql`fold_tr(concat_ws(' ', first_name, last_name, company_name))` : undefined));
  if (query.risk_level !== undefined) where.push(sql`risk_level = ${query.risk_level}`);
  if (query.external_ref !== undefined) where.push(sql`external_ref = ${query.external_ref}`);
  if (query.updated_since !== undefined) where.push(sql`updated_at >= ${startOf(query.updated_since, timezone)}`);
  return where;
}
