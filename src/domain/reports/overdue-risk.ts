// Receivables at risk today, and the customers behind them. Sensitive: it names people and says what they owe.
import { dayIn } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { integerParam, type ParamValues, uuidParam, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, flag, integer, money, nullable, type Of, object, oneOf, text, uuid } from '../../kit/schema.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { RISK_LEVELS } from '../customers/customer-states.ts';
import { isOverdueOn } from '../sales/installment.ts';
import {
  amounts,
  CONVERTED_TODAY,
  convert,
  convertedShape,
  type ReportAccount,
  ratio,
  ratioText,
  type Sums,
  total,
} from './report-frame.ts';
import { OVERDUE_BUCKETS, RISK_BANDS } from './reports-states.ts';

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

type Owed = { readonly currency: Currency } & Sums<(typeof OWED)[number] | 'at_risk'>;
type Bucket = Pick<OverdueRisk['buckets'][number], 'bucket' | 'installment_count' | 'customer_count'> & {
  readonly currency: Currency;
  readonly amount: string;
};

export async function overdueRisk(
  db: Db,
  query: ParamValues<typeof OVERDUE_RISK_QUERY>,
  { now, timezone }: ReportAccount,
): Promise<OverdueRisk> {
  const today = dayIn(now, timezone);
  const owing = owingSales(today, query.branch_id);
  const [owed, buckets, customers] = await allAnswers([
    db.rows<Owed>(sql`with owing as (${owing}) select currency, ${total(sql`outstanding`)} as outstanding, ${total(sql`overdue`)} as overdue,
        ${total(sql`outstanding`, sql`max_days > 30`)} as at_risk from owing group by currency order by currency`),
    readBuckets(db, today, query.branch_id),
    readCustomers(db, today, owing, query.limit),
  ]);
  const currency_rows = owed.map((row) => ({
    currency: row.currency,
    ...amounts(row, OWED),
    overdue_ratio: ratioText(BigInt(row.overdue), BigInt(row.outstanding)),
    par30: ratioText(BigInt(row.at_risk), BigInt(row.outstanding)),
  }));
  return {
    currency_rows,
    buckets: buckets.map((row) => ({ ...row, ...amounts(row, ['amount']) })),
    customers: customers.map((row) => ({ ...row, ...amounts(row, OWED) })),
    converted: await convert(db, query, today, [[currency_rows, OWED]]),
    as_of: today,
  };
}

const ofBranch = (branchId: string | undefined): Sql => (branchId === undefined ? sql`true` : sql`sales.branch_id = ${branchId}`);

/** Sales that are being paid, with what is late of each. */
const owingSales = (today: string, branchId: string | undefined): Sql => sql`
  select sales.id, sales.customer_id, sales.currency, guarantor_ids, late.overdue, late.max_days,
    total_receivable_minor - collected_amount_minor - discounted_amount_minor as outstanding
  from ${own('sales')} left join (
    select sale_id, sum(remaining_amount_minor) as overdue, max(${today}::date - due_date) as max_days
    from ${own('installments')} where ${isOverdueOn(today)} group by sale_id) late on late.sale_id = sales.id
  where sales.status = 'Aktif' and ${ofBranch(branchId)}`;

const readBuckets = (db: Db, today: string, branchId: string | undefined): Promise<Bucket[]> => {
  const days = sql`(${today}::date - due_date)`;
  const sales = branchId === undefined ? sql`` : sql` join ${own('sales')} on sales.id = late.sale_id and ${ofBranch(branchId)}`;
  return db.rows<Bucket>(sql`select bucket, late.currency, count(*)::int as installment_count,
      count(distinct late.customer_id)::int as customer_count, ${total(sql`remaining_amount_minor`)} as amount
    from (select *, case when ${days} <= 30 then '1-30' when ${days} <= 60 then '31-60' when ${days} <= 90 then '61-90' else '91+' end as bucket
      from ${own('installments')} where ${isOverdueOn(today)}) late${sales}
    group by 1, 2 order by 1, 2`);
};

/** 50 by how late, 30 by how much of the debt, 20 by promises not kept; rounded once, exactly. */
const SCORE = sql`div(2 * (5 * least(max_days, 90) * outstanding + 270 * overdue + 45 * least(broken, 4) * outstanding) + 9 * outstanding,
  18 * outstanding)::int`;

const readCustomers = (db: Db, today: string, owing: Sql, limit: number): Promise<Customer[]> =>
  db.rows<Customer>(sql`with owing as (${owing}),
    missed as (select customer_id, currency, count(*)::int as count from ${own('payment_promises')}
      where status = 'Tutulmadı' and promised_date between ${today}::date - 365 and ${today}::date group by 1, 2),
    owed as (select customer_id, currency, sum(outstanding) as outstanding, sum(overdue) as overdue, max(max_days) as max_days
      from owing group by 1, 2 having sum(overdue) > 0),
    scored as (select owed.*, b.broken as broken_12m, ${SCORE} as score
      from owed left join missed using (customer_id, currency) cross join lateral (select coalesce(missed.count, 0) as broken) b),
    worst as (select * from scored order by score desc, max_days desc, customer_id, currency limit ${limit})
    select worst.customer_id, first_name, last_name, phone, risk_level, worst.currency, worst.outstanding, worst.overdue,
      max_days as max_days_overdue, broken_12m as broken_promises_12m,
      exists (select from ${own('payment_promises')} where customer_id = worst.customer_id and currency = worst.currency and status = 'Bekliyor')
        as has_open_promise,
      (select count(distinct guarantor)::int from owing, unnest(guarantor_ids) guarantor
        where owing.customer_id = worst.customer_id and owing.currency = worst.currency) as guarantor_count,
      score, case when score >= 60 then 'yüksek' when score >= 30 then 'orta' else 'düşük' end as band
    from worst join ${own('customers')} on customers.id = worst.customer_id
    order by score desc, max_days desc, worst.customer_id, worst.currency`);
