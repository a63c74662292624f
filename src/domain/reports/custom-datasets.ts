// The data sets of a custom report: their source, their date column, and the SQL of each measure and group.
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { COLLECTION_STATUSES, INSTALLMENT_STATUSES, SALE_STATUSES } from '../installments/sales-states.ts';
import { isOverdueOn } from '../sales/installment.ts';
import { LISTING_STATUSES, VEHICLE_STATUSES } from '../stock/stock-states.ts';
import { total } from './report-frame.ts';
import type { CustomGroup, Dataset, Metric } from './reports-states.ts';

export interface Records {
  /** Records are named `r`, joined tables have their own names. */
  readonly from: Sql;
  readonly where: Sql;
  /** Filtered by `from` and `to`. */
  readonly day: string;
  readonly currency: string;
  readonly statuses: readonly string[];
  readonly groups: Readonly<Partial<Record<Exclude<CustomGroup, 'month' | 'day' | 'currency'>, string>>>;
  /** The sum of a measure, or the sum that is divided by the count for an average. */
  readonly metrics: Readonly<Partial<Record<Exclude<Metric, 'count'>, Sql>>>;
}

const sales = (groups: readonly CustomGroup[]): Records => ({
  from: groups.includes('brand')
    ? sql`(select sales.*, brand from ${own('sales')} join ${own('vehicles')} on vehicles.id = vehicle_id) r`
    : sql`(select * from ${own('sales')}) r`,
  where: sql`true`,
  day: 'sale_date',
  currency: 'currency',
  statuses: SALE_STATUSES,
  groups: {
    status: 'status',
    branch: 'branch_id::text',
    salesperson: 'salesperson_id::text',
    brand: 'brand',
    customer: 'customer_id::text',
  },
  metrics: {
    sum_sale_price: total(sql`sale_price_minor`),
    sum_financed: total(sql`financed_amount_minor`),
    avg_sale_price: total(sql`sale_price_minor`),
  },
});

/** Branch and salesperson are the sale's, which is joined only for them. */
const installments = (today: string, groups: readonly CustomGroup[]): Records => ({
  from: groups.some((group) => group === 'branch' || group === 'salesperson')
    ? sql`(select installments.*, branch_id, salesperson_id from ${own('installments')} join ${own('sales')} on sales.id = sale_id) r`
    : sql`(select * from ${own('installments')}) r`,
  where: sql`true`,
  day: 'due_date',
  currency: 'currency',
  statuses: INSTALLMENT_STATUSES,
  groups: {
    status: 'status',
    branch: 'branch_id::text',
    salesperson: 'salesperson_id::text',
    kind: 'kind',
    customer: 'customer_id::text',
  },
  metrics: {
    sum_amount: total(sql`amount_minor`),
    sum_remaining: total(sql`remaining_amount_minor`),
    sum_overdue: total(sql`remaining_amount_minor`, isOverdueOn(today)),
  },
});

/** Discounts and their reversals are not included; an amount applied to a sale counts in the sale's currency. */
const collections = (applied: boolean): Records => ({
  from: sql`(select * from ${own('collections')}) r`,
  where: applied ? sql`method is not null and sale_id is not null` : sql`method is not null`,
  day: 'collected_on',
  currency: applied ? 'sale_currency' : 'currency',
  statuses: COLLECTION_STATUSES,
  groups: { status: 'status', branch: 'branch_id::text', method: 'method', kind: 'type', customer: 'customer_id::text' },
  metrics: { sum_amount: total(sql`amount_minor`), sum_applied: total(sql`applied_amount_minor`) },
});

/** A sold car no longer ages. */
const vehicles = (today: string): Records => ({
  from: sql`(select * from ${own('vehicles')}) r`,
  where: sql`deleted_at is null`,
  day: 'stock_date',
  currency: 'currency',
  statuses: VEHICLE_STATUSES,
  groups: { status: 'status', branch: 'branch_id::text', brand: 'brand' },
  metrics: {
    sum_price: total(sql`price_minor`),
    avg_age_days: total(
      sql`(case when status = 'Satıldı' then coalesce(sold_at, ${today}::date) else ${today}::date end) - stock_date`,
    ),
  },
});

/** Branch, brand and currency are the car's; views and contacts are those of the listing's whole life. */
const listings = (timezone: string): Records => ({
  from: sql`(select listings.status, (published_at at time zone ${timezone})::date as published_on, vehicles.currency, branch_id, brand,
      visited.views, visited.contacts
    from ${own('listings')} join ${own('vehicles')} on vehicles.id = vehicle_id cross join lateral
      (select sum(views) as views, sum(contacts) as contacts from ${own('listing_visits')} where listing_id = listings.id) visited) r`,
  where: sql`true`,
  day: 'published_on',
  currency: 'currency',
  statuses: LISTING_STATUSES,
  groups: { status: 'status', branch: 'branch_id::text', brand: 'brand' },
  metrics: { sum_views: total(sql`views`), sum_contacts: total(sql`contacts`) },
});

export function recordsOf(
  dataset: Dataset,
  { metrics, groups }: { readonly metrics: readonly Metric[]; readonly groups: readonly CustomGroup[] },
  { today, timezone }: { readonly today: string; readonly timezone: string },
): Records {
  if (dataset === 'sales') return sales(groups);
  if (dataset === 'listings') return listings(timezone);
  if (dataset === 'installments') return installments(today, groups);
  return dataset === 'collections' ? collections(metrics.includes('sum_applied')) : vehicles(today);
}

/** The column that records are grouped by. */
export function groupOf({ day, currency, groups }: Records, group: CustomGroup): Sql {
  if (group === 'month' || group === 'day') return rawSql(day);
  return rawSql(group === 'currency' ? currency : groups[group]!);
}

/** How the group is written, from the column of its name. */
export const writtenGroup = (group: CustomGroup): Sql =>
  rawSql(group === 'month' ? `to_char("month", 'YYYY-MM')` : group === 'day' ? `to_char("day", 'YYYY-MM-DD')` : `"${group}"`);
