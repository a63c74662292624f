// Money due, collected and paid out by month, and the forecast for future months, separately for each currency.
import type { Db } from '../../kit/db.ts';
import { CURRENCIES, type Currency, formatMoney, sum } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { addMonths } from '../clock/days.ts';
import { divideHalfUp } from '../exchange-rates/rates.ts';
import { IS_OPEN } from '../sales/installment.ts';

export interface CashFlowMonth {
  readonly month: string;
  /** For a future month: the amount still to be paid. */
  readonly due: string;
  /** For past months. */
  readonly collected: string | null;
  /** For the current and future months: the due amount times the share; null without a share. */
  readonly expected: string | null;
  /** Expenses less their reversals, for past months; null for those who see no expenses. */
  readonly paid_out: string | null;
  /** For the current and future months: the expenses that recur. Null like `paid_out`. */
  readonly expected_out: string | null;
}

export interface CashFlow {
  readonly currency: Currency;
  /** The share of past due amounts that was paid by the due date, in percent; null if nothing was due. */
  readonly share: string | null;
  readonly months: readonly CashFlowMonth[];
}

const PAST_MONTHS = 6;
const NEXT_MONTHS = 12;

interface Sums {
  readonly month: string;
  readonly currency: Currency;
  readonly amount: bigint;
}

interface Share {
  readonly currency: Currency;
  readonly paid: bigint;
  readonly due: bigint;
}

interface Rule {
  readonly currency: Currency;
  readonly amount: bigint;
  readonly day_of_month: number;
  readonly next_on: string;
  readonly until: string | null;
}

/** One a month. Those of past months that were not entered yet are still to be paid, in the current month. */
function occurrences({ currency, amount, day_of_month, next_on, until }: Rule, thisMonth: string, end: string): Sums[] {
  const found: Sums[] = [];
  for (
    let place = 0, on = next_on;
    on < end && (until === null || on <= until);
    place += 1, on = addMonths(next_on, place, day_of_month)
  )
    found.push({ month: (on < thisMonth ? thisMonth : on).slice(0, 7), currency, amount });
  return found;
}

/** A cancelled sale owes nothing and its payments were settled with it, so it is left out of the forecast. */
const SALES = sql`join ${own('sales')} on sales.id = sale_id and sales.status <> 'İptal'`;

/** Currencies without due, collected or future amounts are left out. */
export async function readCashFlow(db: Db, today: string): Promise<CashFlow[]> {
  const thisMonth = `${today.slice(0, 7)}-01`;
  const [first, end] = [addMonths(thisMonth, -PAST_MONTHS), addMonths(thisMonth, NEXT_MONTHS)];
  const [dueBefore, collected, dueNext, shares, paidOut, rules] = await Promise.all([
    db.rows<Sums>(sql`select to_char(due_date, 'YYYY-MM') as month, installments.currency, sum(amount_minor)::bigint as amount
      from ${own('installments')} ${SALES} where due_date >= ${first}::date and due_date < ${thisMonth}::date group by 1, 2`),
    // All but discounts, which have no method; an applied deposit is the sale's first payment.
    db.rows<Sums>(sql`select to_char(collected_on, 'YYYY-MM') as month, sale_currency as currency, sum(applied_amount_minor)::bigint as amount
      from ${own('collections')} ${SALES} where collected_on >= ${first}::date and collected_on < ${thisMonth}::date and method is not null
      group by 1, 2`),
    db.rows<Sums>(sql`select to_char(due_date, 'YYYY-MM') as month, currency, sum(remaining_amount_minor)::bigint as amount from ${own('installments')}
      where due_date >= ${thisMonth}::date and due_date < ${end}::date and ${IS_OPEN} group by 1, 2`),
    // A payment that was reversed at any time does not count as paid on time.
    db.rows<Share>(sql`select installments.currency, sum(amount_minor)::bigint as due,
        coalesce(sum((select sum(collection_allocations.amount_minor) from ${own('collection_allocations')}
          join ${own('collections')} on collections.id = collection_id where installment_id = installments.id and not is_discount
          and collections.type <> 'Ters Kayıt' and collections.status = 'Geçerli' and collected_on <= installments.due_date)), 0)::bigint as paid
      from ${own('installments')} ${SALES} where due_date >= ${first}::date and due_date < ${thisMonth}::date group by installments.currency`),
    db.rows<Sums>(sql`select to_char(day, 'YYYY-MM') as month, currency, sum(amount_minor)::bigint as amount from ${own('expenses')}
      where day >= ${first}::date and day < ${thisMonth}::date group by 1, 2`),
    db.rows<Rule>(
      sql`select currency, amount_minor as amount, day_of_month, next_on, until from ${own('recurring_expenses')} where next_on < ${end}::date`,
    ),
  ]);
  const recurring = rules.flatMap((rule) => occurrences(rule, thisMonth, end));
  const sums = { dueBefore, collected, dueNext, paidOut, recurring };
  const used = CURRENCIES.filter((currency) => Object.values(sums).some((list) => list.some((one) => one.currency === currency)));
  return used.map((currency) => flowOf(currency, first, sums, shares));
}

function flowOf(
  currency: Currency,
  first: string,
  sums: Readonly<Record<'dueBefore' | 'collected' | 'dueNext' | 'paidOut' | 'recurring', readonly Sums[]>>,
  shares: readonly Share[],
): CashFlow {
  const share = shares.find((one) => one.currency === currency && one.due > 0n) ?? null;
  const amountIn = (list: readonly Sums[], month: string): bigint =>
    sum(list.filter((one) => one.currency === currency && one.month === month).map((one) => one.amount));
  const months = Array.from({ length: PAST_MONTHS + NEXT_MONTHS }, (_, place): CashFlowMonth => {
    const month = addMonths(first, place).slice(0, 7);
    if (place < PAST_MONTHS) {
      const due = formatMoney(amountIn(sums.dueBefore, month));
      const paid_out = formatMoney(amountIn(sums.paidOut, month));
      return {
        month,
        due,
        collected: formatMoney(amountIn(sums.collected, month)),
        expected: null,
        paid_out,
        expected_out: null,
      };
    }
    const due = amountIn(sums.dueNext, month);
    const expected = share === null ? null : formatMoney(divideHalfUp(due * share.paid, share.due));
    const expected_out = formatMoney(amountIn(sums.recurring, month));
    return { month, due: formatMoney(due), collected: null, expected, paid_out: null, expected_out };
  });
  return { currency, share: share === null ? null : formatMoney(divideHalfUp(share.paid * 10_000n, share.due)), months };
}

/** For viewers; a currency that has nothing but expenses is left out. */
export function withoutExpenses(flow: CashFlow): CashFlow[] {
  const months = flow.months.map((month) => ({ ...month, paid_out: null, expected_out: null }));
  return months.some(({ due, collected }) => due !== '0.00' || (collected ?? '0.00') !== '0.00') ? [{ ...flow, months }] : [];
}
