// Which sales a list shows.
import { dayIn, type Moment } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Context } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { momentParam, oneOfParam, textParam, trueParam, uuidParam } from '../../kit/params.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { requireCustomer } from '../customers/customer-view.ts';
import { LEGAL_STAGES, PAYMENT_TYPES, SALE_STATUSES, type SaleStatus, TITLE_STATUSES } from '../installments/sales-states.ts';
import { searchFor } from '../records/search.ts';
import { hasOverdue } from './plan.ts';
import { installmentSums, SHOWN_SALE } from './sale-view.ts';

export const SaleFilters = {
  status: oneOfParam(SALE_STATUSES),
  customer_id: uuidParam,
  vehicle_id: uuidParam,
  salesperson_id: uuidParam,
  branch_id: uuidParam,
  currency: oneOfParam(CURRENCIES),
  payment_type: oneOfParam(PAYMENT_TYPES),
  from: momentParam,
  to: momentParam,
  overdue: trueParam,
  legal_stage: oneOfParam(LEGAL_STAGES),
  title: oneOfParam(TITLE_STATUSES),
  invoice: oneOfParam(['none']),
  external_ref: textParam(120),
  q: textParam(80),
} as const;

const EQUAL = [
  'status',
  'customer_id',
  'vehicle_id',
  'salesperson_id',
  'branch_id',
  'currency',
  'payment_type',
  'legal_stage',
  'external_ref',
] as const;

const NEWEST_FIRST = rawSql('sale_date desc, created_at desc, id desc');

type Day = { readonly today: string; readonly timezone: string };

type SaleQuery = Context<string, typeof SaleFilters>['query'];

export const listSales = (db: Db, query: SaleQuery, day: Day, masked: boolean, page: Paging): Promise<Page> =>
  pageOfSales(db, salesWhere(query, day, masked), day.today, page);

export function salesWhere(query: SaleQuery, { today, timezone }: Day, masked: boolean): Sql[] {
  const where: Sql[] = daysBetween('sale_date', query, timezone);
  for (const name of EQUAL) if (query[name] !== undefined) where.push(sql`${rawSql(name)} = ${query[name]}`);
  if (query.title !== undefined) where.push(sql`title_status = ${query.title}`);
  if (query.invoice !== undefined) where.push(sql`invoice_no is null and status <> 'İptal'`);
  if (query.overdue) where.push(hasOverdue(today));
  if (query.q !== undefined) where.push(...searchFor(query.q, searchedSale(masked)));
  return where;
}

export async function listSalesOf(
  db: Db,
  customerId: string,
  status: SaleStatus | undefined,
  today: string,
  page: Paging,
): Promise<Page> {
  await requireCustomer(db, customerId);
  return pageOfSales(
    db,
    [sql`customer_id = ${customerId}`, ...(status === undefined ? [] : [sql`status = ${status}`])],
    today,
    page,
  );
}

const pageOfSales = (db: Db, where: readonly Sql[], today: string, page: Paging): Promise<Page> =>
  listPage(
    db,
    { table: 'sales', shows: SHOWN_SALE, beside: installmentSums(today), where, order: NEWEST_FIRST, timely: true },
    page,
  );

/** Number, plate and customer. Callers who see masked phones cannot search by phone. */
export const searchedSale = (masked: boolean): Sql => sql`(fold_tr(sale_no) || ' '
  || (select fold_tr(plate || ' ' || replace(plate, ' ', '')) from ${own('vehicles')} where vehicles.id = sales.vehicle_id) || ' '
  || (select ${masked ? sql`fold_tr(first_name || ' ' || last_name)` : sql`search`} from ${own('customers')} where customers.id = sales.customer_id))`;

/** Conditions on a date column; an instant is converted to the account's day. Both ends are included. */
export function daysBetween(
  column: string,
  { from, to }: { from?: Moment | undefined; to?: Moment | undefined },
  timezone: string,
): Sql[] {
  const dayOf = (moment: Moment) => ('at' in moment ? dayIn(moment.at, timezone) : moment.day);
  const [first, last] = [from, to].map((moment) => (moment === undefined ? undefined : dayOf(moment)));
  if (first !== undefined && last !== undefined && first > last)
    fail('invalid_parameter', {
      param: 'from',
      words: { allowed: { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' } },
    });
  return [
    ...(first === undefined ? [] : [sql`${rawSql(column)} >= ${first}::date`]),
    ...(last === undefined ? [] : [sql`${rawSql(column)} <= ${last}::date`]),
  ];
}

/** The names in the panel's list of sales; the API's own list has ids only. */
export interface SaleName {
  readonly id: string;
  readonly sale_no: string;
  readonly customer: string;
  readonly vehicle: string;
  readonly plate: string;
}

export const readSaleNames = (db: Db, ids: readonly string[]): Promise<SaleName[]> =>
  db.rows<SaleName>(sql`select sales.id, sale_no, coalesce(company_name, first_name || ' ' || last_name) as customer, brand || ' ' || model as vehicle, plate
    from ${own('sales')} join ${own('customers')} on customers.id = customer_id join ${own('vehicles')} on vehicles.id = vehicle_id
    where sales.id = any(${ids}::uuid[])`);
