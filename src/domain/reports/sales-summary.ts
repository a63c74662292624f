// Sales by day and group, and cancellations in the same period.
import { endOf, startOf } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { ParamValues } from '../../kit/params.ts';
import { oneOfParam, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import {
  amounts,
  averageMoney,
  CONVERTED,
  convert,
  convertedShape,
  type Grouped,
  groupSql,
  inShape,
  lastDay,
  planForValues,
  RANGE,
  type ReportAccount,
  readRange,
  type Sums,
  shownGroup,
  total,
} from './report-frame.ts';
import { SALES_GROUPS } from './reports-states.ts';

const SOLD = ['gross_sales', 'finance_charge_total', 'trade_in_total', 'down_payment_total', 'financed_total'] as const;

export const SALES_SUMMARY_QUERY = { ...RANGE, group_by: withFallback(oneOfParam(SALES_GROUPS), 'month'), ...CONVERTED } as const;
const SalesRow = object({
  group: nullable(text('2026-10')),
  currency: currency(),
  sale_count: integer(),
  gross_sales: money(),
  finance_charge_total: money(),
  trade_in_total: money(),
  down_payment_total: money(),
  financed_total: money(),
  average_price: money(),
  cash_count: integer(),
  installment_count: integer(),
});
export const SalesSummary = object({
  from: day(),
  to: day(),
  group_by: oneOf(SALES_GROUPS),
  rows: arrayOf(SalesRow),
  currency_rows: arrayOf(object({ currency: currency(), cancelled_count: integer(), cancelled_amount: money() })),
  external_count: integer(),
  converted: convertedShape([...SOLD, 'cancelled_amount']),
  as_of: day(),
});
type SalesSummary = Of<typeof SalesSummary>;

const GROUP_OF: Readonly<Record<(typeof SALES_GROUPS)[number], string>> = {
  month: 'sale_date',
  day: 'sale_date',
  branch: 'sales.branch_id::text',
  salesperson: 'salesperson_id::text',
  brand: 'brand',
  payment_type: 'payment_type',
};

type Sold = Grouped &
  Sums<(typeof SOLD)[number]> & { readonly sale_count: number; readonly cash_count: number; readonly installment_count: number };
type Cancelled = { readonly currency: Sold['currency']; readonly cancelled_count: number; readonly cancelled_amount: string };

/** A cancelled sale is not counted on its sale day, but on the day of its cancellation. */
export async function salesSummary(
  db: Db,
  query: ParamValues<typeof SALES_SUMMARY_QUERY>,
  account: ReportAccount,
): Promise<SalesSummary> {
  const range = readRange(query, account);
  planForValues(db);
  const inRange = (column: 'sale_date' | 'sold_at') =>
    column === 'sale_date'
      ? sql`sale_date between ${range.from}::date and ${range.to}::date`
      : sql`sold_at between ${range.from}::date and ${range.to}::date`;
  const cars = query.group_by === 'brand' ? sql` join ${own('vehicles')} on vehicles.id = sales.vehicle_id` : sql``;
  const [sold, cancelled, external] = await allAnswers([
    db.rows<Sold>(sql`select ${shownGroup(query.group_by)} as "group", currency, sum(count)::int as sale_count, sum(price) as gross_sales,
        sum(charge) as finance_charge_total, sum(trade_in) as trade_in_total, sum(down) as down_payment_total, sum(financed) as financed_total,
        ${total(sql`count`, sql`payment_type = 'Peşin'`)}::int as cash_count, ${total(sql`count`, sql`payment_type = 'Taksitli'`)}::int as installment_count
      from (select ${groupSql(GROUP_OF, query.group_by)} as raw, sales.currency, payment_type, count(*) as count, sum(sale_price_minor) as price,
          sum(finance_charge_minor) as charge, sum(trade_in_amount_minor) as trade_in, sum(down_payment_minor) as down,
          sum(financed_amount_minor) as financed
        from ${own('sales')}${cars} where ${inRange('sale_date')} and sales.status <> 'İptal' group by 1, 2, 3) sold
      group by 1, 2 order by 1 nulls last, 2`),
    db.rows<Cancelled>(sql`select currency, count(*)::int as cancelled_count, ${total(sql`sale_price_minor`)} as cancelled_amount
      from ${own('sales')} where cancelled_at >= ${startOf({ day: range.from }, account.timezone)}
        and cancelled_at < ${endOf({ day: range.to }, account.timezone)} group by currency order by currency`),
    db.one<{ count: number }>(sql`select count(*)::int as count from ${own('vehicles')}
      where deleted_at is null and status = 'Satıldı' and sold_via = 'Harici' and ${inRange('sold_at')}`),
  ]);
  const rows = sold.map((row) =>
    inShape(SalesRow, {
      ...row,
      ...amounts(row, SOLD),
      average_price: averageMoney(BigInt(row.gross_sales), row.sale_count),
    }),
  );
  const currency_rows = cancelled.map((row) => ({ ...row, ...amounts(row, ['cancelled_amount']) }));
  return {
    from: range.from,
    to: range.to,
    group_by: query.group_by,
    rows,
    currency_rows,
    external_count: external.count,
    converted: await convert<(typeof SOLD)[number] | 'cancelled_amount'>(db, query, lastDay(range), [
      [rows, SOLD],
      [currency_rows, ['cancelled_amount']],
    ]),
    as_of: range.today,
  };
}
