// Collections by the day they were received, compared with the amounts due in the same period.
import { allAnswers, type Db } from '../../kit/db.ts';
import { oneOfParam, type ParamValues, withFallback } from '../../kit/params.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';
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
import { COLLECTION_GROUPS, type DaySpan } from './reports-states.ts';

const RECEIVED = ['gross', 'reversed', 'refunded', 'net'] as const;
const DUE = ['due_amount', 'paid_of_due', 'discounted_of_due', 'unpaid_of_due', 'advance'] as const;

export const COLLECTIONS_SUMMARY_QUERY = {
  ...RANGE,
  group_by: withFallback(oneOfParam(COLLECTION_GROUPS), 'month'),
  ...CONVERTED,
} as const;
const DueRow = object({
  currency: currency(),
  due_amount: money(),
  paid_of_due: money(),
  collection_rate: nullable(ratio()),
  discounted_of_due: money(),
  unpaid_of_due: money(),
  advance: money(),
});
export const CollectionsSummary = object({
  from: day(),
  to: day(),
  group_by: oneOf(COLLECTION_GROUPS),
  rows: arrayOf(
    object({
      group: nullable(text('2026-10')),
      currency: currency(),
      count: integer(),
      gross: money(),
      reversed: money(),
      refunded: money(),
      net: money(),
    }),
  ),
  currency_rows: arrayOf(DueRow),
  converted: convertedShape([...RECEIVED, ...DUE]),
  as_of: day(),
});
type CollectionsSummary = Of<typeof CollectionsSummary>;

const GROUP_OF: Readonly<Record<(typeof COLLECTION_GROUPS)[number], string>> = {
  month: 'collected_on',
  day: 'collected_on',
  method: 'method',
  staff: 'collected_by_id::text',
};

export async function collectionsSummary(
  db: Db,
  query: ParamValues<typeof COLLECTIONS_SUMMARY_QUERY>,
  account: ReportAccount,
): Promise<CollectionsSummary> {
  const range = readRange(query, account);
  planForValues(db);
  const [received, due] = await allAnswers([
    db.rows<Grouped & { count: number } & Sums<(typeof RECEIVED)[number]>>(sql`select ${shownGroup(query.group_by)} as "group",
        currency, ${total(sql`count`, sql`type in ('Tahsilat', 'Kapora')`)}::int as count,
        ${total(sql`amount`, sql`type in ('Tahsilat', 'Kapora')`)} as gross, ${total(sql`-amount`, sql`type = 'Ters Kayıt'`)} as reversed,
        ${total(sql`-amount`, sql`type = 'İade'`)} as refunded, ${total(sql`amount`)} as net
      from (select ${groupSql(GROUP_OF, query.group_by)} as raw, currency, type, count(*) as count, sum(amount_minor) as amount
        from ${own('collections')} where collected_on between ${range.from}::date and ${range.to}::date and ${IS_TILL_MONEY} group by 1, 2, 3) received
      group by 1, 2 order by 1 nulls last, 2`),
    readDue(db, range),
  ]);
  const rows = received.map((row) => ({ ...row, ...amounts(row, RECEIVED) }));
  const currency_rows = due.map((row) => {
    const collection_rate = ratioText(BigInt(row.paid_of_due), BigInt(row.due_amount));
    return inShape(DueRow, { ...row, ...amounts(row, DUE), collection_rate });
  });
  const converted = await convert<(typeof RECEIVED)[number] | (typeof DUE)[number]>(db, query, lastDay(range), [
    [rows, RECEIVED],
    [currency_rows, DUE],
  ]);
  return { from: range.from, to: range.to, group_by: query.group_by, rows, currency_rows, converted, as_of: range.today };
}

/** Paid installments of a cancelled sale keep their status, so the sale is checked; few sales are cancelled. */
const NOT_CANCELLED = sql`not exists (select from ${own('sales')} where sales.id = installments.sale_id and sales.status = 'İptal')`;

const readDue = (db: Db, { from, to }: DaySpan): Promise<(Pick<Grouped, 'currency'> & Sums<(typeof DUE)[number]>)[]> =>
  db.rows(sql`select currency, ${total(sql`due`)} as due_amount, ${total(sql`paid`)} as paid_of_due, ${total(sql`discounted`)} as discounted_of_due,
      ${total(sql`due - paid - discounted`)} as unpaid_of_due, ${total(sql`early`)} as advance
    from (
      select currency, sum(amount_minor) as due, sum(paid_amount_minor) as paid, sum(discounted_amount_minor) as discounted, 0 as early
        from ${own('installments')} where due_date between ${from}::date and ${to}::date and ${NOT_CANCELLED} group by currency
      union all
      select installments.currency, 0, 0, 0, sum(collection_allocations.amount_minor)
        from ${own('collections')} join ${own('collection_allocations')} on collection_id = collections.id
          join ${own('installments')} on installments.id = installment_id
        where collected_on between ${from}::date and ${to}::date and not is_discount and due_date > ${to}::date and ${NOT_CANCELLED} group by 1
    ) figures group by currency having sum(due) <> 0 or sum(early) <> 0 order by currency`);
