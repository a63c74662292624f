// A customer's account in one currency: amounts due, payments and discounts, and the balance after each line.
import type { Db } from '../../kit/db.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { IS_OPEN, placeOf, readLateInterest } from '../sales/installment.ts';
import { type OwnAging, readOwnAging } from './aging.ts';

export interface StatementLine {
  readonly day: string;
  readonly kind: 'installment' | 'collection' | 'cancelled';
  /** The id of the installment or collection. */
  readonly id: string;
  readonly sale_id: string;
  readonly sale_no: string;
  /** The position of an installment in its plan, 0 for the down payment; the number of a receipt. */
  readonly label: string;
  readonly type: string;
  readonly debit: string;
  readonly credit: string;
  readonly balance: string;
}

export interface Statement {
  readonly customer_id: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly opening: string;
  readonly closing: string;
  readonly lines: readonly StatementLine[];
  readonly has_more: boolean;
  /** Of all lines in the period. */
  readonly count: number;
  /** Outside the balance: amounts not due yet, an open deposit, late interest, which is shown but not owed. */
  readonly not_due: string;
  readonly open_deposit: string;
  readonly late_interest: string;
  /** As of today, for any period. */
  readonly aging: OwnAging;
}

interface StatementQuery {
  readonly customer_id: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly offset: number;
  readonly today: string;
}

/** The day of a sale's cancellation in the account's time zone. */
const CANCELLED_ON = sql`(sales.cancelled_at at time zone (select timezone from ${own('accounts')}))::date`;

/**
 * Every movement of the customer in the currency. A cancelled sale ends on its day with one line that brings it to zero. An
 * installment's customer is its sale's: the condition lets PostgreSQL read the customer's sales instead of the account's.
 */
const movements = (customerId: string, currency: Currency): Sql => sql`
  select due_date as day, 1 as place, 'installment' as kind, installments.id, sale_id, seq as number, installments.kind as type, amount_minor as amount
    from ${own('installments')} join ${own('sales')} on sales.id = sale_id and sales.customer_id = ${customerId}
    where installments.customer_id = ${customerId} and installments.currency = ${currency} and amount_minor > 0
      and (sales.status <> 'İptal' or due_date <= ${CANCELLED_ON})
  union all
  select collected_on, 2, 'collection', collections.id, sale_id, number, type, -applied_amount_minor
    from ${own('collections')} where customer_id = ${customerId} and sale_currency = ${currency}
  union all
  select day, 3, 'cancelled', id, id, 0, 'İptal', -left_over from (select sales.id, ${CANCELLED_ON} as day,
      (select coalesce(sum(amount_minor), 0) from ${own('installments')} where sale_id = sales.id and due_date <= ${CANCELLED_ON})
        - (select coalesce(sum(applied_amount_minor), 0) from ${own('collections')} where sale_id = sales.id) as left_over
    from ${own('sales')} where customer_id = ${customerId} and currency = ${currency} and status = 'İptal') ends where left_over <> 0`;

export async function readStatement(db: Db, query: StatementQuery): Promise<Statement> {
  const { customer_id, currency, from, to, limit, offset, today } = query;
  const all = movements(customer_id, currency);
  type Line = Omit<StatementLine, 'debit' | 'credit' | 'balance'> & { readonly amount: bigint; readonly balance: bigint };
  const [sums, lines, beside, late_interest, aging] = await Promise.all([
    db.one<{
      opening: bigint;
      closing: bigint;
      count: number;
    }>(sql`select (count(*) filter (where day between ${from}::date and ${to}::date))::int as count, coalesce(sum(amount) filter (where day < ${from}::date), 0)::bigint as opening,
      coalesce(sum(amount) filter (where day <= ${to}::date), 0)::bigint as closing from (${all}) moved`),
    db.rows<Line>(sql`select day, moved.kind, moved.id, sale_id, sale_no, type, amount, balance,
        case moved.kind when 'installment' then ${placeOf(sql`moved.number`, sql`moved.sale_id`)}::text when 'collection' then (select receipt_no from ${own('collections')} where collections.id = moved.id)
          else '' end as label
      from (select *, (sum(amount) over (order by day, place, number, id))::bigint as balance from (${all}) every_one) moved
      join ${own('sales')} on sales.id = sale_id and sales.customer_id = ${customer_id}
      where day between ${from}::date and ${to}::date order by day, place, number, moved.id limit ${limit + 1} offset ${offset}`),
    db.one<{ not_due: bigint; deposit: bigint }>(sql`select
      (select coalesce(sum(remaining_amount_minor), 0)::bigint from ${own('installments')} where customer_id = ${customer_id} and currency = ${currency}
        and ${IS_OPEN} and due_date > ${to}::date) as not_due,
      (select coalesce(sum(amount_minor), 0)::bigint from ${own('collections')} where customer_id = ${customer_id} and currency = ${currency}
        and deposit_status = 'Açık') as deposit`),
    readLateInterest(db, customer_id, currency, today),
    readOwnAging(db, customer_id, currency, today),
  ]);
  return {
    customer_id,
    currency,
    from,
    to,
    opening: formatMoney(sums.opening),
    closing: formatMoney(sums.closing),
    has_more: lines.length > limit,
    count: sums.count,
    lines: lines.slice(0, limit).map(({ amount, balance, ...line }) => {
      // A reversal or refund is a negative credit: the customer owes it again, but no new amount fell due.
      const isDebit = line.kind !== 'collection' && amount > 0n;
      return {
        ...line,
        debit: formatMoney(isDebit ? amount : 0n),
        credit: formatMoney(isDebit ? 0n : -amount),
        balance: formatMoney(balance),
      };
    }),
    not_due: formatMoney(beside.not_due),
    open_deposit: formatMoney(beside.deposit),
    late_interest,
    aging,
  };
}
