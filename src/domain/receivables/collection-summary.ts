// Quick till totals: amounts collected, reversed and refunded, by currency and by group.
import type { Moment } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import { readSpan } from '../exchange-rates/rate-table.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';

export const SUMMARY_GROUPS = ['method', 'day', 'month', 'staff', 'branch'] as const;
type Group = (typeof SUMMARY_GROUPS)[number];

const figures = { currency: currency(), count: integer(), gross: money(), reversed: money(), refunded: money(), net: money() };
export const CollectionSummary = object({
  from: day(),
  to: day(),
  group_by: oneOf(SUMMARY_GROUPS),
  currency_rows: arrayOf(object(figures)),
  rows: arrayOf(object({ group: nullable(text('Nakit')), ...figures })),
});
export type CollectionSummary = Of<typeof CollectionSummary>;

const GROUP_OF: Readonly<Record<Group, string>> = {
  method: 'method',
  day: "to_char(collected_on, 'YYYY-MM-DD')",
  month: "to_char(collected_on, 'YYYY-MM')",
  staff: 'collected_by_id::text',
  branch: 'branch_id::text',
};

const FIGURES = sql`currency, (count(*) filter (where type in ('Tahsilat', 'Kapora')))::int as count,
  money_text(coalesce(sum(amount_minor) filter (where type in ('Tahsilat', 'Kapora')), 0)::bigint) as gross,
  money_text(coalesce(-sum(amount_minor) filter (where type = 'Ters Kayıt'), 0)::bigint) as reversed,
  money_text(coalesce(-sum(amount_minor) filter (where type = 'İade'), 0)::bigint) as refunded,
  money_text(coalesce(sum(amount_minor), 0)::bigint) as net`;

/** A reversal counts on its own day. */
export async function summarizeCollections(
  db: Db,
  query: { readonly from: Moment; readonly to: Moment; readonly group_by: Group },
  timezone: string,
): Promise<CollectionSummary> {
  const { from, to } = readSpan(query, timezone);
  const group = rawSql(GROUP_OF[query.group_by]);
  const where = sql`collected_on between ${from}::date and ${to}::date and ${IS_TILL_MONEY}`;
  type Rows = Pick<CollectionSummary, 'currency_rows' | 'rows'>;
  const [currency_rows, rows] = await allAnswers([
    db.rows<Rows['currency_rows'][number]>(
      sql`select ${FIGURES} from ${own('collections')} where ${where} group by currency order by currency`,
    ),
    db.rows<Rows['rows'][number]>(sql`select ${group} as "group", ${FIGURES} from ${own('collections')} where ${where}
      group by 1, currency order by 1 nulls last, currency`),
  ]);
  return { from, to, group_by: query.group_by, currency_rows, rows };
}
