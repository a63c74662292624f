// Gross profit by the day of the sale, and other income and discounts. Sensitive: it shows cost, by month, branch or brand and
// never by car or sale.
import { endOf, startOf } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import { type Currency, formatMoney, sum } from '../../kit/money.ts';
import { oneOfParam, type ParamValues, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { BUSINESS_CATEGORIES } from '../expenses/expenses-states.ts';
import { carCost, carExpenses, expensesValue, ratesInForce } from './car-cost.ts';
import {
  amounts,
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
  ratio,
  ratioText,
  readRange,
  type Sums,
  shownGroup,
  total,
} from './report-frame.ts';
import { type DaySpan, PROFIT_GROUPS } from './reports-states.ts';

const GROSS = ['revenue', 'cost', 'vehicle_expenses', 'gross_profit', 'unknown_cost_revenue'] as const;
/** Of a currency, from its other figures. */
const AFTER = ['net_profit', 'overhead', 'profit_after_overhead'] as const;
const OTHER = ['retained_income', 'late_interest_income', 'discount_total'] as const;

export const PROFIT_LOSS_QUERY = { ...RANGE, group_by: withFallback(oneOfParam(PROFIT_GROUPS), 'month'), ...CONVERTED } as const;
const ProfitRow = object({
  group: nullable(text('2026-10')),
  currency: currency(),
  revenue: money(),
  cost: money(),
  /** Of the sold cars, besides their price. */
  vehicle_expenses: money(),
  gross_profit: money(),
  margin: nullable(ratio()),
  unknown_cost_count: integer(),
  unknown_cost_revenue: money(),
});
export const ProfitLoss = object({
  from: day(),
  to: day(),
  group_by: oneOf(PROFIT_GROUPS),
  rows: arrayOf(ProfitRow),
  currency_rows: arrayOf(
    object({
      currency: currency(),
      retained_income: money(),
      late_interest_income: money(),
      discount_total: money(),
      net_profit: money(),
      overhead: money(),
      profit_after_overhead: money(),
    }),
  ),
  /** Expenses of the business by category, dated in the period; not part of `net_profit`. */
  overhead: arrayOf(object({ category: oneOf(BUSINESS_CATEGORIES), currency: currency(), amount: money() })),
  /** Boosts and membership, less refunds; not part of any profit. */
  platform_expense: object({ currency: currency(), amount: money('1900.00') }),
  converted: convertedShape([...GROSS, ...OTHER, ...AFTER]),
  as_of: day(),
});
type ProfitLoss = Of<typeof ProfitLoss>;

const GROUP_OF: Readonly<Record<(typeof PROFIT_GROUPS)[number], string>> = {
  month: 'sale_date',
  branch: 'sales.branch_id::text',
  brand: 'brand',
};

type Gross = Grouped & Sums<(typeof GROSS)[number]> & { readonly unknown_cost_count: number };
type Other = { readonly currency: Currency } & Sums<(typeof OTHER)[number]>;

export async function profitLoss(
  db: Db,
  query: ParamValues<typeof PROFIT_LOSS_QUERY>,
  account: ReportAccount,
): Promise<ProfitLoss> {
  const range = readRange(query, account);
  planForValues(db);
  const [gross, other, overhead, platform_expense] = await allAnswers([
    readGross(db, range, query.group_by),
    readOther(db, range, account.timezone),
    readOverhead(db, range),
    readPlatformExpense(db, range, account.timezone),
  ]);
  const rows = gross.map((row) => {
    const margin = ratioText(BigInt(row.gross_profit), BigInt(row.revenue) - BigInt(row.unknown_cost_revenue));
    return inShape(ProfitRow, { ...row, ...amounts(row, GROSS), margin });
  });
  const currency_rows = byCurrency(gross, other, overhead);
  return {
    from: range.from,
    to: range.to,
    group_by: query.group_by,
    rows,
    currency_rows,
    overhead,
    platform_expense,
    converted: await convert<(typeof GROSS)[number] | (typeof OTHER)[number] | (typeof AFTER)[number]>(
      db,
      query,
      lastDay(range),
      [
        [rows, GROSS],
        [currency_rows, [...OTHER, ...AFTER]],
      ],
    ),
    as_of: range.today,
  };
}

/**
 * Cars whose cost is not known, or not in the sale's currency, are reported separately: their revenue is not part of any profit.
 */
const readGross = (db: Db, { from, to }: DaySpan, group: (typeof PROFIT_GROUPS)[number]): Promise<Gross[]> =>
  db.rows<Gross>(sql`with in_force as (${ratesInForce({ from, to })}),
    sold as (
      select ${groupSql(GROUP_OF, group)} as raw, sales.currency, sale_price_minor + finance_charge_minor as revenue, ${carCost} as cost, ${expensesValue} as spent
      from ${own('sales')} join ${own('vehicles')} on vehicles.id = sales.vehicle_id left join in_force on in_force.day = sale_date
        left join ${carExpenses} on spent.vehicle_id = vehicles.id
      where sale_date between ${from}::date and ${to}::date and sales.status <> 'İptal'),
    added as (
      select raw, currency, sum(revenue) as revenue, ${total(sql`cost`, KNOWN)} as cost, ${total(sql`spent`, KNOWN)} as vehicle_expenses,
        ${total(sql`revenue - cost - spent`)} as gross_profit,
        ${total(sql`revenue`, sql`not (${KNOWN})`)} as unknown_cost_revenue, count(*) filter (where not (${KNOWN})) as unknown_cost_count
      from sold group by 1, 2)
    select ${shownGroup(group)} as "group", currency, sum(revenue) as revenue, sum(cost) as cost, sum(vehicle_expenses) as vehicle_expenses,
      sum(gross_profit) as gross_profit,
      sum(unknown_cost_revenue) as unknown_cost_revenue, sum(unknown_cost_count)::int as unknown_cost_count
    from added group by 1, 2 order by 1 nulls last, 2`);

const KNOWN = sql`cost is not null and spent is not null`;

/** By category as people know them, not by the alphabet. */
const readOverhead = (db: Db, { from, to }: DaySpan): Promise<ProfitLoss['overhead']> =>
  db.rows(sql`select category, currency, money_text(sum(amount_minor)::bigint) as amount from ${own('expenses')}
    where kind = 'İşletme' and day between ${from}::date and ${to}::date group by category, currency having sum(amount_minor) <> 0
    order by array_position(${BUSINESS_CATEGORIES}::text[], category), currency`);

/** Each in its own currency; late interest in the received one. */
const readOther = (db: Db, { from, to }: DaySpan, timezone: string): Promise<Other[]> =>
  db.rows<Other>(sql`select currency, ${total(sql`retained`)} as retained_income, ${total(sql`interest`)} as late_interest_income,
      ${total(sql`discount`)} as discount_total
    from (
      select currency, retained_amount_minor as retained, 0 as interest, 0 as discount from ${own('sales')}
        where cancelled_at >= ${startOf({ day: from }, timezone)} and cancelled_at < ${endOf({ day: to }, timezone)}
      union all select currency, amount_minor, 0, 0 from ${own('collections')}
        where deposit_status = 'Gelir' and deposit_closed_on between ${from}::date and ${to}::date
      union all select currency, 0, late_interest_amount_minor, 0 from ${own('collections')}
        where late_interest_amount_minor <> 0 and collected_on between ${from}::date and ${to}::date
      union all select sale_currency, 0, 0, applied_amount_minor from ${own('collections')}
        where method is null and collected_on between ${from}::date and ${to}::date
          and not exists (select from ${own('sales')} where sales.id = sale_id and status = 'İptal')
    ) figures group by currency having sum(abs(retained)) + sum(abs(interest)) + sum(abs(discount)) > 0 order by currency`);

/** The dealer's spending with the platform, whose wallets are in liras. */
async function readPlatformExpense(db: Db, { from, to }: DaySpan, timezone: string): Promise<ProfitLoss['platform_expense']> {
  const { spent } = await db.one<
    Sums<'spent'>
  >(sql`select ${total(sql`-amount_minor`)} as spent from ${own('wallet_transactions')}
    where type in ('Boost', 'Boost İadesi', 'Üyelik')
      and created_at >= ${startOf({ day: from }, timezone)} and created_at < ${endOf({ day: to }, timezone)}`);
  return { currency: 'TL', amount: formatMoney(BigInt(spent)) };
}

function byCurrency(
  gross: readonly Gross[],
  other: readonly Other[],
  overheads: ProfitLoss['overhead'],
): ProfitLoss['currency_rows'] {
  const used = [...new Set([...gross, ...other, ...overheads].map((row) => row.currency))].sort();
  return used.map((currency) => {
    const found = other.find((row) => row.currency === currency);
    const [retained, interest, discount] = OTHER.map((name) => BigInt(found?.[name] ?? 0)) as [bigint, bigint, bigint];
    const profit = gross.filter((row) => row.currency === currency).reduce((all, row) => all + BigInt(row.gross_profit), 0n);
    const spent = overheads.filter((row) => row.currency === currency);
    const overhead = sum(spent.map(({ amount }) => BigInt(amount.replace('.', ''))));
    const net = profit + retained + interest - discount;
    return {
      currency,
      retained_income: formatMoney(retained),
      late_interest_income: formatMoney(interest),
      discount_total: formatMoney(discount),
      net_profit: formatMoney(net),
      overhead: formatMoney(overhead),
      profit_after_overhead: formatMoney(net - overhead),
    };
  });
}
