// A custom report: a data set, measures and groups from a whitelist. Money is never added across currencies, and neither cost nor
// profit is available.
import type { Db } from '../../kit/db.ts';
import { CURRENCIES, formatMoney } from '../../kit/money.ts';
import { foldEnum, oneOfParam, type Param, type ParamValues, requiredParam, textParam } from '../../kit/params.ts';
import { anything, arrayOf, day, type Of, object, oneOf, text } from '../../kit/schema.ts';
import { joined, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { writtenCount } from '../formats/written.ts';
import { groupOf, type Records, recordsOf, writtenGroup } from './custom-datasets.ts';
import { averageDays, averageMoney, planForValues, RANGE, type ReportAccount, readRange, refuse } from './report-frame.ts';
import {
  CUSTOM_GROUPS,
  type CustomGroup,
  DATASETS,
  type Dataset,
  isMoney,
  MAX_GROUPS,
  MAX_METRICS,
  METRICS,
  type Metric,
} from './reports-states.ts';

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const ALL_METRICS = unique<Metric>(Object.values(METRICS).flat());
const ALL_GROUPS = unique<CustomGroup>(Object.values(CUSTOM_GROUPS).flat());

/** `count,sum_amount`: each name once. */
const listParam = <V extends string>(values: readonly V[], max: number): Param<V[]> => ({
  allowed: {
    en: `1 to ${max} of ${values.join(', ')}, separated by commas`,
    tr: `virgülle ayrılmış 1–${max} değer: ${values.join(', ')}`,
  },
  schema: { type: 'string', pattern: `^(${values.join('|')})(,(${values.join('|')})){0,${max - 1}}$` },
  read: (text) => {
    const names = foldEnum(text).split(',');
    const found = names.filter((name): name is V => values.some((value) => value === name));
    return names.length <= max && found.length === names.length && unique(found).length === found.length ? found : undefined;
  },
});

export const CUSTOM_QUERY = {
  dataset: requiredParam(oneOfParam(DATASETS)),
  metrics: requiredParam(listParam(ALL_METRICS, MAX_METRICS)),
  group_by: listParam(ALL_GROUPS, MAX_GROUPS),
  ...RANGE,
  currency: oneOfParam(CURRENCIES),
  status: textParam(40),
} as const;

/** A member for each group and each measure, by its name. */
export const CustomRow = anything<Record<string, string | number | null>>(
  { month: '2026-10', currency: 'STG', count: 4, sum_sale_price: '51200.00' },
  { type: ['string', 'integer', 'null'] },
);
export const CustomReport = object({
  from: day(),
  to: day(),
  dataset: oneOf(DATASETS),
  metrics: arrayOf(text('count')),
  group_by: arrayOf(text('month')),
  rows: arrayOf(CustomRow),
  as_of: day(),
});
type CustomReport = Of<typeof CustomReport>;

const MAX_ROWS = 1000;

type CustomReportQuery = ParamValues<typeof CUSTOM_QUERY>;
type GroupRow = { readonly row_count: number } & Readonly<Record<string, string | number | null>>;

export async function customReport(db: Db, query: CustomReportQuery, account: ReportAccount): Promise<CustomReport> {
  const { from, to, today } = readRange(query, account);
  planForValues(db);
  const { dataset, metrics } = query;
  requireKnown(query);
  const records = recordsOf(dataset, { metrics, groups: query.group_by ?? [] }, { today, timezone: account.timezone });
  if (query.status !== undefined && !records.statuses.includes(foldEnum(query.status)))
    refuse('status', { en: `one of ${records.statuses.join(', ')}`, tr: `${records.statuses.join(', ')} değerlerinden biri` });
  const named = query.group_by ?? [];
  const groups: CustomGroup[] = metrics.some(isMoney) && !named.includes('currency') ? [...named, 'currency'] : [...named];
  const found = await db.rows<GroupRow>(statementOf(records, query, groups, { from, to }));
  if (found.length > MAX_ROWS)
    refuse('group_by', {
      en: `a grouping with at most ${writtenCount(MAX_ROWS).en} rows; shorten the period or use fewer groups`,
      tr: `en çok ${writtenCount(MAX_ROWS).tr} satır veren gruplar (from–to aralığını daraltın ya da daha az gruplayın)`,
    });
  const rows = found.map((row) => ({
    ...pick(row, groups),
    ...Object.fromEntries(metrics.map((name) => [name, shown(name, row)])),
  }));
  return { from, to, dataset, metrics, group_by: groups, rows, as_of: today };
}

/** Every listed name exists in some data set; this checks the chosen one. */
function requireKnown({ dataset, metrics, group_by = [] }: CustomReportQuery): void {
  const refuseOutside = (param: string, chosen: readonly string[], known: readonly string[]): void => {
    const list = known.join(', ');
    if (chosen.some((name) => !known.includes(name)))
      refuse(param, { en: `one of ${list} for the data set ${dataset}`, tr: `${dataset} için ${list} değerlerinden biri` });
  };
  refuseOutside('metrics', metrics, METRICS[dataset as Dataset]);
  refuseOutside('group_by', group_by, CUSTOM_GROUPS[dataset as Dataset]);
  if (metrics.includes('sum_applied') && metrics.includes('sum_amount'))
    refuse('metrics', {
      en: 'either sum_applied or sum_amount, as they are in different currencies',
      tr: 'para birimleri farklı olan sum_applied ile sum_amount değerlerinden yalnızca biri',
    });
}

function statementOf(
  records: Records,
  query: CustomReportQuery,
  groups: readonly CustomGroup[],
  span: { from: string; to: string },
): Sql {
  const { currency, status, metrics } = query;
  const dayOf = rawSql(records.day);
  const where = [
    records.where,
    sql`${dayOf} between ${span.from}::date and ${span.to}::date`,
    ...(currency === undefined ? [] : [sql`${rawSql(records.currency)} = ${currency}`]),
    ...(status === undefined ? [] : [sql`status = ${foldEnum(status)}`]),
  ];
  const named = (group: CustomGroup): Sql => rawSql(`"${group}"`);
  const sums = metrics.filter((name) => name !== 'count');
  const added = [
    ...groups.map((group) => sql`${groupOf(records, group)} as ${named(group)}`),
    ...[sql`count(*) as row_count`, ...sums.map((name) => sql`${records.metrics[name]!} as ${rawSql(name)}`)],
  ];
  const shown = [
    ...groups.map((group) => sql`${writtenGroup(group)} as ${named(group)}`),
    ...[sql`sum(row_count)::int as row_count`, ...sums.map((name) => sql`sum(${rawSql(name)}) as ${rawSql(name)}`)],
  ];
  const places = rawSql(groups.map((_, place) => place + 1).join(', '));
  const order = rawSql(groups.map((_, place) => `${place + 1} nulls last`).join(', '));
  const [grouped, regrouped] =
    groups.length === 0
      ? [sql``, sql` having sum(row_count) > 0`]
      : [sql` group by ${places}`, sql` group by ${places} order by ${order}`];
  // Summed by day first, so that a month is formatted once for each day and not for each record.
  return sql`select ${joined(shown, ', ')} from (select ${joined(added, ', ')} from ${records.from} where ${joined(where, ' and ')}${grouped}) added
    ${regrouped} limit ${MAX_ROWS + 1}`;
}

const pick = (row: GroupRow, groups: readonly CustomGroup[]): Record<string, string | number | null> =>
  Object.fromEntries(groups.map((group) => [group, row[group] ?? null]));

function shown(metric: Metric, row: GroupRow): string | number | null {
  const count = Number(row.row_count);
  if (metric === 'count') return count;
  const sum = BigInt(String(row[metric]));
  if (metric === 'avg_age_days') return averageDays(sum, count);
  if (metric === 'sum_views' || metric === 'sum_contacts') return Number(sum);
  return metric === 'avg_sale_price' ? averageMoney(sum, count) : formatMoney(sum);
}
