// Installments by due date: a month's sums, and the installments of a day.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { addMonths } from '../clock/days.ts';
import type { InstallmentStatus } from '../installments/sales-states.ts';
import { IS_OPEN, isOverdueOn, placeOf } from '../sales/installment.ts';

export interface CalendarDay {
  readonly day: string;
  readonly currency: Currency;
  readonly open_count: number;
  readonly remaining: string;
  readonly paid_count: number;
}

/** `seller`: of their sales only; undefined for all. */
export type CalendarSeller = string | null | undefined;

const soldBy = (seller: CalendarSeller) =>
  seller === undefined ? sql`` : sql` and sale_id in (select id from ${own('sales')} where salesperson_id = ${seller}::uuid)`;

/** By due date; a day on which everything is paid is shown too. */
export const readCalendar = (db: Db, month: string, seller?: CalendarSeller): Promise<CalendarDay[]> =>
  db.rows<CalendarDay>(sql`select due_date as day, currency, (count(*) filter (where ${IS_OPEN}))::int as open_count,
      money_text(coalesce(sum(remaining_amount_minor) filter (where ${IS_OPEN}), 0)::bigint) as remaining,
      (count(*) filter (where status = 'Ödendi'))::int as paid_count
    from ${own('installments')} where due_date >= ${`${month}-01`}::date and due_date < ${addMonths(`${month}-01`, 1)}::date
      and status not in ('İptal', 'Yapılandırıldı')${soldBy(seller)}
    group by due_date, currency order by due_date, currency`);

export interface CalendarInstallment {
  readonly id: string;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly customer_id: string;
  readonly customer: string;
  readonly plate: string;
  readonly row_no: number;
  readonly row_count: number;
  readonly amount: string;
  readonly remaining: string;
  readonly currency: Currency;
  readonly status: InstallmentStatus;
  readonly days_overdue: number;
  readonly is_overdue: boolean;
}

/** The installments of a day, open ones first; one more than the page size if there is a next page. */
export const listCalendarInstallments = (
  db: Db,
  { day, today, seller }: { readonly day: string; readonly today: string; readonly seller: CalendarSeller },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<CalendarInstallment[]> =>
  db.rows<CalendarInstallment>(sql`select item.id, item.sale_id, sale_no, item.customer_id, ${placeOf(sql`item.seq`, sql`item.sale_id`)} as row_no, item.currency, item.status, item.is_overdue,
      money_text(item.amount_minor) as amount, money_text(item.remaining_amount_minor) as remaining,
      case when item.is_overdue then ${today}::date - item.due_date else 0 end as days_overdue,
      (select coalesce(company_name, first_name || ' ' || last_name) from ${own('customers')} where customers.id = item.customer_id) as customer,
      (select plate from ${own('vehicles')} where vehicles.id = sale.vehicle_id) as plate,
      (select count(*)::int from ${own('installments')} where installments.sale_id = sale.id and seq > 0 and status <> 'Yapılandırıldı') as row_count
    from (select *, ${isOverdueOn(today)} as is_overdue from ${own('installments')} where due_date = ${day}::date
        and status not in ('İptal', 'Yapılandırıldı')${soldBy(seller)} order by (status = 'Ödendi'), id limit ${limit + 1} offset ${offset}) item
    join (select * from ${own('sales')}) sale on sale.id = item.sale_id order by (item.status = 'Ödendi'), item.id`);
