// Customers' debts by age: not due, 1–30, 31–60, 61–90 and 91 days or more, by customer and currency.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { OWN_CURRENCY_FIRST } from '../records/own-currency.ts';
import { IS_OPEN } from '../sales/installment.ts';

export const AGING_SORTS = ['total', 'not_due', 'd1_30', 'd31_60', 'd61_90', 'd91', 'name'] as const;

export interface AgingRow {
  readonly customer_id: string;
  readonly name: string;
  readonly phone: string;
  readonly currency: Currency;
  readonly not_due: string;
  readonly d1_30: string;
  readonly d31_60: string;
  readonly d61_90: string;
  readonly d91: string;
  readonly total: string;
}

export interface Aging {
  readonly today: string;
  readonly rows: readonly AgingRow[];
  readonly totals: readonly Omit<AgingRow, 'customer_id' | 'name' | 'phone'>[];
}

const within = (from: number | null, to: number | null, today: string): Sql => {
  const days = sql`(${today}::date - due_date)`;
  const lower = from === null ? sql`true` : sql`${days} >= ${from}`;
  const upper = to === null ? sql`true` : sql`${days} <= ${to}`;
  return sql`coalesce(sum(remaining_amount_minor) filter (where ${lower} and ${upper}), 0)::bigint`;
};

const BUCKETS = { not_due: [null, 0], d1_30: [1, 30], d31_60: [31, 60], d61_90: [61, 90], d91: [91, null] } as const;

const sums = (today: string): Sql =>
  Object.entries(BUCKETS).reduce<Sql>(
    (all, [name, [from, to]]) => sql`${all}, ${within(from, to, today)} as ${rawSql(name)}`,
    sql`coalesce(sum(remaining_amount_minor), 0)::bigint as total`,
  );

/** One customer's debt in one currency. */
export type OwnAging = Omit<AgingRow, 'customer_id' | 'name' | 'phone' | 'currency'>;

export const readOwnAging = (db: Db, customerId: string, currency: Currency, today: string): Promise<OwnAging> =>
  db.one<OwnAging>(sql`select ${rawSql(SELECT_LIST)} from (select ${sums(today)} from ${own('installments')}
    where ${IS_OPEN} and customer_id = ${customerId} and currency = ${currency}) owed`);

const SELECT_LIST = ['total', ...Object.keys(BUCKETS)].map((name) => `money_text(${name}) as ${name}`).join(', ');

export async function readAging(
  db: Db,
  {
    today,
    sort,
    limit,
    offset,
  }: { readonly today: string; readonly sort: (typeof AGING_SORTS)[number]; readonly limit: number; readonly offset: number },
): Promise<Aging> {
  // Amounts of different currencies cannot be ordered.
  const order =
    sort === 'name'
      ? rawSql('fold_tr(name), customer_id, currency')
      : sql`${OWN_CURRENCY_FIRST}, ${rawSql(`page.${sort}`)} desc, customer_id`;
  const [rows, totals] = await Promise.all([
    db.rows<AgingRow>(sql`select customer_id, name, phone, currency, ${rawSql(SELECT_LIST)} from (
        select owed.*, coalesce(company_name, first_name || ' ' || last_name) as name, phone
        from (select customer_id, currency, ${sums(today)} from ${own('installments')} where ${IS_OPEN} group by customer_id, currency) owed
        join ${own('customers')} on customers.id = owed.customer_id) page
      order by ${order} limit ${limit + 1} offset ${offset}`),
    db.rows<
      Aging['totals'][number]
    >(sql`select currency, ${rawSql(SELECT_LIST)} from (select currency, ${sums(today)} from ${own('installments')}
      where ${IS_OPEN} group by currency) owed order by ${OWN_CURRENCY_FIRST}`),
  ]);
  return { today, rows, totals };
}
