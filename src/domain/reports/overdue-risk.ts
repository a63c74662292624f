// Receivables at risk today, and their customers. Sensitive: it contains people and their debts.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { integerParam, type ParamValues, uuidParam, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, flag, integer, money, nullable, type Of, object, oneOf, text, uuid } from '../../kit/schema.ts';
import { joined, own, type Sql, sql } from '../../kit/sql.ts';
import { RISK_LEVELS } from '../customers/customer-states.ts';
import { isOverdueOn } from '../sales/installment.ts';
import {
  amounts,
  CONVERTED_TODAY,
  convert,
  convertedShape,
  planForValues,
  type ReportAccount,
  ratio,
  ratioText,
  type Sums,
  total,
} from './report-frame.ts';
import { OVERDUE_BUCKET_ENDS, OVERDUE_BUCKETS, RISK_BANDS } from './reports-states.ts';

const OWED = ['outstanding', 'overdue'] as const;

export const OVERDUE_RISK_QUERY = {
  branch_id: uuidParam,
  limit: withFallback(integerParam(1, 100), 25),
  ...CONVERTED_TODAY,
} as const;
export const OverdueRisk = object({
  currency_rows: arrayOf(
    object({
      currency: currency(),
      outstanding: money(),
      overdue: money(),
      overdue_ratio: nullable(ratio()),
      par30: nullable(ratio()),
    }),
  ),
  buckets: arrayOf(
    object({
      bucket: oneOf(OVERDUE_BUCKETS),
      currency: currency(),
      installment_count: integer(),
      customer_count: integer(),
      amount: money(),
    }),
  ),
  customers: arrayOf(
    object({
      customer_id: uuid(),
      first_name: text('Ayşe'),
      last_name: text('Yılmaz'),
      phone: text('+905331234567'),
      risk_level: oneOf(RISK_LEVELS),
      currency: currency(),
      outstanding: money(),
      overdue: money(),
      max_days_overdue: integer(),
      broken_promises_12m: integer(),
      has_open_promise: flag(),
      guarantor_count: integer(),
      score: integer(),
      band: oneOf(RISK_BANDS),
    }),
  ),
  converted: convertedShape(OWED),
  as_of: day(),
});
type OverdueRisk = Of<typeof OverdueRisk>;
type Customer = OverdueRisk['customers'][number];

/** Sums as text, because they may exceed JSON's safe integers. */
interface DebtorRecord {
  readonly owed: readonly ({ readonly currency: Currency } & Sums<(typeof OWED)[number] | 'at_risk'>)[];
  readonly buckets: readonly (Omit<OverdueRisk['buckets'][number], 'bucket' | 'amount'> &
    Sums<'amount'> & { readonly place: number })[];
  readonly customers: readonly Customer[];
}

export async function overdueRisk(
  db: Db,
  query: ParamValues<typeof OVERDUE_RISK_QUERY>,
  { now, timezone }: ReportAccount,
): Promise<OverdueRisk> {
  const today = dayIn(now, timezone);
  planForValues(db);
  const { owed, buckets, customers } = await db.one<DebtorRecord>(statementOf(today, query.branch_id, query.limit));
  const currency_rows = owed.map((row) => ({
    currency: row.currency,
    ...amounts(row, OWED),
    overdue_ratio: ratioText(BigInt(row.overdue), BigInt(row.outstanding)),
    par30: ratioText(BigInt(row.at_risk), BigInt(row.outstanding)),
  }));
  return {
    currency_rows,
    buckets: buckets.map(({ place, ...row }) => ({ bucket: OVERDUE_BUCKETS[place]!, ...row, ...amounts(row, ['amount']) })),
    customers: customers.map((row) => ({ ...row, ...amounts(row, OWED) })),
    converted: await convert(db, query, today, [[currency_rows, OWED]]),
    as_of: today,
  };
}

/** 50 by days overdue, 30 by the share of the debt, 20 by broken promises; rounded once, exactly. */
const SCORE = sql`div(2 * (5 * least(max_days, 90) * outstanding + 270 * overdue + 45 * least(broken, 4) * outstanding) + 9 * outstanding,
  18 * outstanding)::int`;

/** One statement, so that overdue installments are read and summed once. */
function statementOf(today: string, branchId: string | undefined, limit: number): Sql {
  const ofBranch = branchId === undefined ? sql`true` : sql`branch_id = ${branchId}`;
  const older = (days: number): Sql => sql`(due_date < ${today}::date - ${days}::int)::int`;
  // An open installment belongs to an active sale.
  const inBranch = branchId === undefined ? sql`` : sql` where sale_id in (select id from owing)`;
  return sql`with late as materialized (
      select sale_id, customer_id, currency, due_date, remaining_amount_minor as remaining from ${own('installments')} where ${isOverdueOn(today)}),
    owing as materialized (
      select sales.id, sales.customer_id, sales.currency, guarantor_ids, of_sale.overdue, of_sale.max_days,
        total_receivable_minor - collected_amount_minor - discounted_amount_minor as outstanding
      from ${own('sales')} left join (
        select sale_id, sum(remaining) as overdue, ${today}::date - min(due_date) as max_days from late group by sale_id) of_sale on sale_id = sales.id
      where sales.status = 'Aktif' and ${ofBranch}),
    ${customersSql(today, limit)}
    select ${rowsAsJson(sql`select currency, ${total(sql`outstanding`)}::text as outstanding, ${total(sql`overdue`)}::text as overdue,
        ${total(sql`outstanding`, sql`max_days > 30`)}::text as at_risk from owing group by currency order by currency`)} as owed,
      ${rowsAsJson(sql`select ${joined(OVERDUE_BUCKET_ENDS.map(older), ' + ')} as place, currency, count(*)::int as installment_count,
        count(distinct customer_id)::int as customer_count, sum(remaining)::text as amount from late${inBranch} group by 1, 2 order by 1, 2`)} as buckets,
      ${rowsAsJson(sql`select * from named`)} as customers`;
}

const rowsAsJson = (rows: Sql): Sql => sql`coalesce((select json_agg(row_to_json(item)) from (${rows}) item), '[]'::json)`;

/** `named`: the customers with the highest scores, in that order. */
const customersSql = (today: string, limit: number): Sql => sql`
  missed as (select customer_id, currency, count(*)::int as count from ${own('payment_promises')}
    where status = 'Tutulmadı' and promised_date between ${today}::date - 365 and ${today}::date group by 1, 2),
  owed as (select customer_id, currency, sum(outstanding) as outstanding, sum(overdue) as overdue, max(max_days) as max_days
    from owing group by 1, 2 having sum(overdue) > 0),
  scored as (select owed.*, b.broken as broken_12m, ${SCORE} as score
    from owed left join missed using (customer_id, currency) cross join lateral (select coalesce(missed.count, 0) as broken) b),
  worst as (select * from scored order by score desc, max_days desc, customer_id, currency limit ${limit}),
  guaranteed as (select customer_id, currency, count(distinct guarantor)::int as count
    from owing join (select customer_id, currency from worst) w using (customer_id, currency), unnest(guarantor_ids) guarantor group by 1, 2),
  named as (select customer_id, first_name, last_name, phone, risk_level, currency, worst.outstanding::text, worst.overdue::text,
      max_days as max_days_overdue, broken_12m as broken_promises_12m,
      exists (select from ${own('payment_promises')} where payment_promises.customer_id = worst.customer_id
        and payment_promises.currency = worst.currency and status = 'Bekliyor') as has_open_promise,
      coalesce(guaranteed.count, 0) as guarantor_count, score,
      case when score >= 60 then 'yüksek' when score >= 30 then 'orta' else 'düşük' end as band
    from worst join ${own('customers')} on customers.id = customer_id left join guaranteed using (customer_id, currency)
    order by score desc, max_days desc, customer_id, currency)`;
