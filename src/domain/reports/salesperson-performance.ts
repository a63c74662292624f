// Sales and collections of each salesperson in a period, and the open amount of all their sales now. No profit.
import { endOf, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { type ParamValues, uuidParam } from '../../kit/params.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, uuid } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { isOverdueOn } from '../sales/installment.ts';
import {
  amounts,
  averageMoney,
  type Grouped,
  inShape,
  planForValues,
  RANGE,
  type ReportAccount,
  ratio,
  ratioText,
  readRange,
  type Sums,
  total,
} from './report-frame.ts';

const MONEY = ['gross_sales', 'collected', 'outstanding', 'overdue'] as const;

export const SALESPERSON_QUERY = { ...RANGE, salesperson_id: uuidParam } as const;
const SalespersonRow = object({
  group: nullable(uuid()),
  currency: currency(),
  sale_count: integer(),
  gross_sales: money(),
  average_price: nullable(money()),
  cancelled_count: integer(),
  collected: money(),
  outstanding: money(),
  overdue: money(),
  overdue_ratio: nullable(ratio()),
});
export const SalespersonPerformance = object({
  from: day(),
  to: day(),
  rows: arrayOf(SalespersonRow),
  as_of: day(),
});
type SalespersonPerformance = Of<typeof SalespersonPerformance>;

type Figures = Grouped & Sums<(typeof MONEY)[number]> & { readonly sale_count: number; readonly cancelled_count: number };

export async function salespersonPerformance(
  db: Db,
  query: ParamValues<typeof SALESPERSON_QUERY>,
  account: ReportAccount,
): Promise<SalespersonPerformance> {
  const { from, to, today } = readRange(query, account);
  planForValues(db);
  const theirs = query.salesperson_id === undefined ? sql`true` : sql`salesperson_id = ${query.salesperson_id}`;
  const inRange = sql`sale_date between ${from}::date and ${to}::date and status <> 'İptal'`;
  const [begin, end] = [startOf({ day: from }, account.timezone), endOf({ day: to }, account.timezone)];
  const found = await db.rows<Figures>(sql`
    with theirs as (
      select id, salesperson_id, currency, sale_date, status, sale_price_minor, cancelled_at,
        total_receivable_minor - collected_amount_minor - discounted_amount_minor as open_minor
      from ${own('sales')} where ${theirs}),
    figures as (
      select salesperson_id, currency, count(*) filter (where ${inRange}) as sale_count, ${total(sql`sale_price_minor`, inRange)} as gross_sales,
        count(*) filter (where cancelled_at >= ${begin} and cancelled_at < ${end}) as cancelled_count, 0 as collected,
        ${total(sql`open_minor`, sql`status = 'Aktif'`)} as outstanding, 0 as overdue
      from theirs group by 1, 2
      union all select salesperson_id, theirs.currency, 0, 0, 0, sum(applied_amount_minor), 0, 0
        from ${own('collections')} join theirs on theirs.id = sale_id
        where method is not null and collected_on between ${from}::date and ${to}::date group by 1, 2
      union all select salesperson_id, theirs.currency, 0, 0, 0, 0, 0, sum(remaining_amount_minor)
        from (select * from ${own('installments')} where ${isOverdueOn(today)}) late join theirs on theirs.id = sale_id group by 1, 2)
    select salesperson_id as "group", currency, sum(sale_count)::int as sale_count, sum(gross_sales) as gross_sales,
      sum(cancelled_count)::int as cancelled_count, sum(collected) as collected, sum(outstanding) as outstanding, sum(overdue) as overdue
    from figures group by 1, 2 order by currency, gross_sales desc, 1 nulls last`);
  const rows = found
    .filter((row) => row.sale_count + row.cancelled_count > 0 || MONEY.some((name) => BigInt(row[name]) !== 0n))
    .map((row) =>
      inShape(SalespersonRow, {
        ...row,
        ...amounts(row, MONEY),
        average_price: averageMoney(BigInt(row.gross_sales), row.sale_count),
        overdue_ratio: ratioText(BigInt(row.overdue), BigInt(row.outstanding)),
      }),
    );
  return { from, to, rows, as_of: today };
}
