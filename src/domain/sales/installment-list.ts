// Installments across sales: overdue ones, coming ones, and those of one customer.
import type { Db } from '../../kit/db.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { integerParam, oneOfParam, uuidParam } from '../../kit/params.ts';
import { day, money, nullable, object, text, uuid } from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { addDays } from '../clock/days.ts';
import { requireCustomer } from '../customers/customer-view.ts';
import type { InstallmentStatus } from '../installments/sales-states.ts';
import { Installment, IS_OPEN, installmentColumns, isOverdueOn } from './installment.ts';

export const OverdueInstallment = object({
  ...Installment.shape,
  customer: object({ id: uuid(), first_name: text('Ayşe'), last_name: text('Yılmaz'), phone: text('+905331234567') }),
  open_promise: nullable(object({ id: uuid(), promised_date: day(), amount: money() })),
});

const WITH_CUSTOMER = sql`(select row_to_json(named) from (select id, first_name, last_name, phone from ${own('customers')}
    where customers.id = chosen.customer_id) named) as customer,
  (select row_to_json(promised) from (select id, promised_date, money_text(amount_minor) as amount from ${own('payment_promises')}
    where payment_promises.sale_id = chosen.sale_id and status = 'Bekliyor') promised) as open_promise`;

/** By the installment's sale. */
export const OfSaleFilters = {
  customer_id: uuidParam,
  currency: oneOfParam(CURRENCIES),
  branch_id: uuidParam,
  salesperson_id: uuidParam,
} as const;
export const OverdueFilters = { min_days: integerParam(1, 36500), max_days: integerParam(1, 36500), ...OfSaleFilters } as const;

const OLDEST_FIRST = rawSql('due_date, id');

interface OfSale {
  readonly customer_id?: string | undefined;
  readonly currency?: string | undefined;
  readonly branch_id?: string | undefined;
  readonly salesperson_id?: string | undefined;
}

function ofSale({ customer_id, currency, branch_id, salesperson_id }: OfSale): Sql[] {
  const sold = (column: string, id: string) => sql`sale_id in (select id from ${own('sales')} where ${rawSql(column)} = ${id})`;
  return [
    ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
    ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
    ...(branch_id === undefined ? [] : [sold('branch_id', branch_id)]),
    ...(salesperson_id === undefined ? [] : [sold('salesperson_id', salesperson_id)]),
  ];
}

export function listOverdue(
  db: Db,
  filter: OfSale & { readonly min_days?: number | undefined; readonly max_days?: number | undefined },
  today: string,
  page: Paging,
): Promise<Page> {
  const where = [isOverdueOn(today), ...ofSale(filter)];
  if (filter.min_days !== undefined) where.push(sql`due_date <= ${addDays(today, -filter.min_days)}::date`);
  if (filter.max_days !== undefined) where.push(sql`due_date >= ${addDays(today, -filter.max_days)}::date`);
  const shows = sql`${installmentColumns(today)}, ${WITH_CUSTOMER}`;
  return listPage(db, { table: 'installments', shows, where, order: OLDEST_FIRST, timely: true }, page);
}

export async function listUpcoming(
  db: Db,
  filter: OfSale & { readonly days?: number | undefined },
  today: string,
  page: Paging,
): Promise<Page> {
  const days =
    filter.days ?? (await db.one<{ upcoming_days: number }>(sql`select upcoming_days from ${own('accounts')}`)).upcoming_days;
  const where = [IS_OPEN, sql`due_date between ${today}::date and ${addDays(today, days)}::date`, ...ofSale(filter)];
  return listPage(
    db,
    { table: 'installments', shows: installmentColumns(today), where, order: OLDEST_FIRST, timely: true },
    page,
  );
}

export async function listInstallmentsOf(
  db: Db,
  customerId: string,
  {
    status,
    overdue,
    currency,
  }: { status?: InstallmentStatus | undefined; overdue?: true | undefined; currency?: string | undefined },
  today: string,
  page: Paging,
): Promise<Page> {
  const where = [sql`customer_id = ${customerId}`, ...ofSale({ currency })];
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (overdue) where.push(isOverdueOn(today));
  await requireCustomer(db, customerId);
  return listPage(
    db,
    { table: 'installments', shows: installmentColumns(today), where, order: OLDEST_FIRST, timely: true },
    page,
  );
}
