// Installments by day for a month, and money due and collected by month with what may be expected.
import type { Db } from '../../kit/db.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { divideHalfUp } from '../rates/rates.ts';
import { addMonths } from './days.ts';
import { IS_OPEN } from './installment.ts';
import { IS_TILL_MONEY } from './till.ts';

export interface CalendarDay {
  readonly day: string;
  readonly currency: Currency;
  readonly open_count: number;
  readonly remaining: string;
  readonly paid_count: number;
}

/** Rows by their due date; a day on which everything is paid is shown too. */
export const readCalendar = (db: Db, month: string): Promise<CalendarDay[]> =>
  db.rows<CalendarDay>(sql`select due_date as day, currency, (count(*) filter (where ${IS_OPEN}))::int as open_count,
      money_text(coalesce(sum(remaining_amount_minor) filter (where ${IS_OPEN}), 0)::bigint) as remaining,
      (count(*) filter (where status = 'Ödendi'))::int as paid_count
    from ${own('installments')} where due_date >= ${`${month}-01`}::date and due_date < ${addMonths(`${month}-01`, 1)}::date
      and status not in ('İptal', 'Yapılandırıldı')
    group by due_date, currency order by due_date, currency`);

export interface CashFlowMonth {
  readonly month: string;
  readonly currency: Currency;
  readonly due: string;
  /** Of past months. */
  readonly collected: string | null;
  /** Of months to come: what is due times the share that was paid in time before; null where nothing was due before. */
  readonly expected: string | null;
}

const PAST_MONTHS = 6;
const NEXT_MONTHS = 12;

interface Sums {
  readonly month: string;
  readonly currency: Currency;
  readonly amount: bigint;
}

export async function readCashFlow(db: Db, today: string): Promise<CashFlowMonth[]> {
  const thisMonth = `${today.slice(0, 7)}-01`;
  const [first, end] = [addMonths(thisMonth, -PAST_MONTHS), addMonths(thisMonth, NEXT_MONTHS)];
  const [dueBefore, collected, dueNext, shares] = await Promise.all([
    db.rows<Sums>(sql`select to_char(due_date, 'YYYY-MM') as month, currency, sum(amount_minor)::bigint as amount from ${own('installments')}
      where due_date >= ${first}::date and due_date < ${thisMonth}::date and status <> 'İptal' group by 1, 2`),
    db.rows<Sums>(sql`select to_char(collected_on, 'YYYY-MM') as month, sale_currency as currency, sum(applied_amount_minor)::bigint as amount
      from ${own('collections')} where collected_on >= ${first}::date and collected_on < ${thisMonth}::date and sale_id is not null and ${IS_TILL_MONEY}
      group by 1, 2`),
    db.rows<Sums>(sql`select to_char(due_date, 'YYYY-MM') as month, currency, sum(remaining_amount_minor)::bigint as amount from ${own('installments')}
      where due_date >= ${thisMonth}::date and due_date < ${end}::date and ${IS_OPEN} group by 1, 2`),
    db.rows<{ currency: Currency; paid: bigint; due: bigint }>(sql`select currency, sum(amount_minor)::bigint as due,
        coalesce(sum((select sum(collection_allocations.amount_minor) from ${own('collection_allocations')}
          join ${own('collections')} on collections.id = collection_id where installment_id = installments.id and not is_discount
          and collected_on <= installments.due_date)), 0)::bigint as paid
      from ${own('installments')} where due_date >= ${first}::date and due_date < ${thisMonth}::date and status <> 'İptal' group by currency`),
  ]);
  const key = ({ month, currency }: Sums) => `${month} ${currency}`;
  const inPast = new Map<string, { due: bigint; collected: bigint }>();
  for (const one of dueBefore) inPast.set(key(one), { due: one.amount, collected: 0n });
  for (const one of collected) inPast.set(key(one), { due: inPast.get(key(one))?.due ?? 0n, collected: one.amount });
  const past = [...inPast].map(([name, { due, collected: got }]) => {
    const [month, currency] = name.split(' ') as [string, Currency];
    return { month, currency, due: formatMoney(due), collected: formatMoney(got), expected: null };
  });
  const next = dueNext.map(({ month, currency, amount }) => {
    const share = shares.find((one) => one.currency === currency);
    const expected = share === undefined || share.due === 0n ? null : formatMoney(divideHalfUp(amount * share.paid, share.due));
    return { month, currency, due: formatMoney(amount), collected: null, expected };
  });
  return [...past, ...next].sort((one, other) => (`${one.month} ${one.currency}` < `${other.month} ${other.currency}` ? -1 : 1));
}
