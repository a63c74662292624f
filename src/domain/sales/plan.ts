// The installment plan of a sale: its figures, from the sale and its installments. It has no record of its own.
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, timestamp, uuid } from '../../kit/schema.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { PERIODS, SALE_STATUSES, type SaleStatus } from '../installments/sales-states.ts';
import { Installment, IS_OPEN, installmentColumns, isOverdueOn } from './installment.ts';

export const Plan = object({
  id: uuid(),
  sale_id: uuid(),
  customer_id: uuid(),
  currency: currency(),
  total_amount: money(),
  financed_amount: money(),
  installment_count: integer(),
  period: nullable(oneOf(PERIODS)),
  first_due_date: nullable(day()),
  last_due_date: nullable(day()),
  paid_amount: money(),
  discounted_amount: money(),
  remaining_amount: money(),
  overdue_amount: money(),
  next_due_date: nullable(day()),
  status: oneOf(SALE_STATUSES),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Plan = Of<typeof Plan>;

export const PlanWithInstallments = object({ ...Plan.shape, installments: arrayOf(Installment) });
export type PlanWithInstallments = Of<typeof PlanWithInstallments>;

/** For a sale named `chosen`, with `beside` the sums over its installments. */
const SELECT_LIST = sql`plan_id as id, chosen.id as sale_id, customer_id, currency, money_text(total_receivable_minor) as total_amount,
  money_text(financed_amount_minor) as financed_amount, installment_count, period, first_due_date, last_due_date,
  money_text(paid) as paid_amount, money_text(discounted) as discounted_amount, money_text(remaining) as remaining_amount,
  money_text(overdue) as overdue_amount, next_due_date, status, utc_text(created_at) as created_at, utc_text(updated_at) as updated_at`;

/** Sums over the installments of a sale named `chosen`. */
const sumsOn = (today: string): Sql => {
  const counted = sql`filter (where seq > 0 and status <> 'Yapılandırıldı')`;
  return sql`select (count(*) ${counted})::int as installment_count, min(due_date) ${counted} as first_due_date,
      max(due_date) ${counted} as last_due_date, coalesce(sum(paid_amount_minor), 0)::bigint as paid,
      coalesce(sum(discounted_amount_minor), 0)::bigint as discounted, coalesce(sum(remaining_amount_minor), 0)::bigint as remaining,
      coalesce(sum(remaining_amount_minor) filter (where ${isOverdueOn(today)}), 0)::bigint as overdue,
      min(due_date) filter (where ${IS_OPEN}) as next_due_date
    from ${own('installments')} where installments.sale_id = chosen.id`;
};

const planWhere = (where: Sql, today: string): Sql =>
  sql`select ${SELECT_LIST} from (select * from ${own('sales')} where ${where}) chosen cross join lateral (${sumsOn(today)}) beside`;

export const readPlan = (db: Db, planId: string, today: string): Promise<Plan> =>
  db.last<Plan>(planWhere(sql`plan_id = ${planId}`, today));

export const readPlanOfSale = (db: Db, saleId: string, today: string): Promise<Plan> =>
  db.one<Plan>(planWhere(sql`id = ${saleId}`, today));

export async function readPlanWithInstallments(db: Db, saleId: string, today: string): Promise<PlanWithInstallments> {
  const [plan, installments] = await allAnswers([
    readPlanOfSale(db, saleId, today),
    db.rows<Installment>(sql`select ${installmentColumns(today)} from (select * from ${own('installments')} where sale_id = ${saleId}) chosen
      order by seq`),
  ]);
  return { ...plan, installments };
}

export interface PlanFilter {
  readonly status?: SaleStatus | undefined;
  readonly customer_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly overdue?: true | undefined;
}

export function listPlans(db: Db, filter: PlanFilter, today: string, page: Paging): Promise<Page> {
  const where: Sql[] = [];
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`);
  if (filter.customer_id !== undefined) where.push(sql`customer_id = ${filter.customer_id}`);
  if (filter.currency !== undefined) where.push(sql`currency = ${filter.currency}`);
  if (filter.overdue) where.push(hasOverdue(today));
  return listPage(db, { table: 'sales', shows: SELECT_LIST, beside: sumsOn(today), where, timely: true }, page);
}

/** A condition on sales. */
export const hasOverdue = (today: string): Sql =>
  sql`exists (select from ${own('installments')} where installments.sale_id = sales.id and ${isOverdueOn(today)})`;

/** Installments of a plan by seq. */
export async function listPlanInstallments(
  db: Db,
  planId: string,
  status: Installment['status'] | undefined,
  today: string,
  page: Paging,
): Promise<Page> {
  const where = [sql`plan_id = ${planId}`, ...(status === undefined ? [] : [sql`status = ${status}`])];
  const order = sql`seq`;
  const [found] = await db.rows(sql`select id from ${own('sales')} where plan_id = ${planId}`);
  if (found === undefined) fail('not_found');
  const walkedBy = { columns: { seq: 'integer', id: 'uuid' }, direction: 'asc' } as const;
  return listPage(db, { table: 'installments', shows: installmentColumns(today), where, order, walkedBy, timely: true }, page);
}
