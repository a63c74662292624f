// A report as tables with named columns, for files: the content of the screen, with branches, people and customers by their
// names.

import type { Moment } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type { ParamValues } from '../../kit/params.ts';
import { own, sql } from '../../kit/sql.ts';
import type { XlsxKind, XlsxSheet } from '../formats/xlsx-write.ts';
import { collectionsSummary } from './collections-summary.ts';
import { type CUSTOM_QUERY, customReport } from './custom-report.ts';
import { inventoryAging } from './inventory-aging.ts';
import { marketplacePerformance } from './marketplace-performance.ts';
import { overdueRisk } from './overdue-risk.ts';
import { profitLoss } from './profit-loss.ts';
import { type ReportAccount, refuse } from './report-frame.ts';
import type { COLLECTION_GROUPS, LISTING_GROUPS, PROFIT_GROUPS, SALES_GROUPS } from './reports-states.ts';
import { salesSummary } from './sales-summary.ts';
import { salespersonPerformance } from './salesperson-performance.ts';
import { type AnyReport, NAMING, RATIOS, REPORT_SHAPES, rowsOf } from './shapes-states.ts';
import { type FixedReport, REPORT_WORDS, type ReportFigure, type ReportGroup, type ReportPart } from './words-states.ts';

export type TableCell = string | number | null;

export interface ReportTable {
  /** Its name in a request. */
  readonly part: ReportPart;
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly kind: XlsxKind }[];
  readonly rows: readonly (readonly TableCell[])[];
  /** The columns that a workbook adds up, by currency. */
  readonly totals?: { readonly currency: number; readonly sums: readonly number[] };
}

export interface ReportTables {
  readonly title: string;
  /** Null for a report of today. */
  readonly span: { readonly from: string; readonly to: string } | null;
  readonly as_of: string;
  readonly is_sensitive: boolean;
  readonly tables: readonly ReportTable[];
}

type Locale = 'tr' | 'en';
type Row = Readonly<Record<string, unknown>>;

export interface FixedQuery {
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly group_by?: string | undefined;
  readonly convert_to?: Currency | undefined;
  readonly rate_date?: string | undefined;
}

const CUSTOMERS_SHOWN = 100;
/** More than a dealer has live; a larger file would not be useful. */
const LISTINGS_SHOWN = 5000;

const NOTHING: Text = { en: 'omitted for this report', tr: 'bu raporda boş' };
const oneOfWords = (names: readonly string[]): Text => ({
  en: `one of ${names.join(', ')}`,
  tr: `${names.join(', ')} değerlerinden biri`,
});

/** Left out where there is nothing in them. */
const OPTIONAL_PARTS: readonly ReportPart[] = ['converted', 'rates', 'overhead'];

/** Each report with its query; other parameters are ignored. */
function answerOf(db: Db, name: FixedReport, query: FixedQuery, account: ReportAccount): Promise<Row> {
  const { from, to, convert_to, rate_date } = query;
  const range = { from, to, convert_to, rate_date };
  const groups: readonly ReportGroup[] = REPORT_SHAPES[name].groups ?? [];
  const group_by = query.group_by ?? groups[0] ?? '';
  if (query.group_by !== undefined && !groups.includes(query.group_by as ReportGroup))
    refuse('group_by', groups.length === 0 ? NOTHING : oneOfWords(groups));
  if (convert_to !== undefined && REPORT_SHAPES[name].parts.converted === undefined) refuse('convert_to', NOTHING);
  if (rate_date !== undefined && REPORT_SHAPES[name].isOfToday) refuse('rate_date', NOTHING);
  const today = { branch_id: undefined, convert_to };
  if (name === 'sales-summary')
    return salesSummary(db, { ...range, group_by: group_by as (typeof SALES_GROUPS)[number] }, account);
  if (name === 'collections-summary')
    return collectionsSummary(db, { ...range, group_by: group_by as (typeof COLLECTION_GROUPS)[number] }, account);
  if (name === 'profit-loss') return profitLoss(db, { ...range, group_by: group_by as (typeof PROFIT_GROUPS)[number] }, account);
  if (name === 'salesperson-performance') return salespersonPerformance(db, { from, to, salesperson_id: undefined }, account);
  if (name === 'marketplace-performance') {
    const page = group_by === 'listing' ? { limit: LISTINGS_SHOWN, offset: 0 } : { limit: undefined, offset: undefined };
    return marketplacePerformance(db, { from, to, group_by: group_by as (typeof LISTING_GROUPS)[number], ...page }, account);
  }
  if (name === 'overdue-risk') return overdueRisk(db, { ...today, limit: CUSTOMERS_SHOWN }, account);
  return inventoryAging(db, today, account);
}

export async function fixedTables(
  db: Db,
  name: FixedReport,
  query: FixedQuery,
  account: ReportAccount,
  locale: Locale,
): Promise<ReportTables> {
  const words = REPORT_WORDS[locale];
  const shape = REPORT_SHAPES[name];
  const answer = await answerOf(db, name, query, account);
  const nameOf = await readNames(db, words.notSet);
  const group = (query.group_by as ReportGroup | undefined) ?? shape.groups?.[0] ?? 'salesperson';
  const parts = Object.entries(shape.parts) as [ReportPart, readonly ReportFigure[]][];
  const tables = parts.flatMap(([part, figures]): ReportTable | [] => {
    const rows = rowsOf(answer as AnyReport, part);
    if (rows.length === 0 && OPTIONAL_PARTS.includes(part)) return [];
    const cellOf = (row: Row, figure: ReportFigure): TableCell =>
      figure === 'group'
        ? ((row.title as string | null | undefined) ?? monthText(nameOf(row.group), locale))
        : figure === 'status'
          ? words.statuses[row.status as keyof typeof words.statuses]
          : figure === 'category'
            ? words.categories[row.category as keyof typeof words.categories]
            : (row[figure] as TableCell);
    return {
      part,
      title: words.parts[part],
      columns: figures.map((figure) => ({
        title: figure === 'group' ? words.groups[group] : words.columns[figure],
        kind: kindOf(figure, rows),
      })),
      rows: rows.map((row) => figures.map((figure) => cellOf(row, figure))),
      ...totalsOf(part, figures, rows),
    };
  });
  const { from, to, as_of } = answer as { from?: string; to?: string; as_of: string };
  const span = from === undefined || to === undefined ? null : { from, to };
  return { title: words.names[name], span, as_of, is_sensitive: shape.isSensitive ?? false, tables };
}

export async function customTables(
  db: Db,
  query: ParamValues<typeof CUSTOM_QUERY>,
  account: ReportAccount,
  locale: Locale,
): Promise<ReportTables> {
  const words = REPORT_WORDS[locale];
  const { from, to, as_of, group_by, metrics, rows } = await customReport(db, query, account);
  const nameOf = await readNames(db, words.notSet, group_by.includes('customer') ? rows.map((row) => row.customer) : []);
  const columns = [
    ...group_by.map((group) => ({ title: words.groups[group as ReportGroup], kind: 'text' as const })),
    ...metrics.map((metric) => ({ title: words.columns[metric as ReportFigure], kind: kindOf(metric, rows) })),
  ];
  const shown = rows.map((row) => [
    ...group_by.map((group) => monthText(nameOf(row[group]), locale)),
    ...metrics.map((metric) => row[metric] ?? null),
  ]);
  const table = { part: 'rows' as const, title: words.datasets[query.dataset], columns, rows: shown };
  return { title: words.names.custom, span: { from, to }, as_of, is_sensitive: false, tables: [table] };
}

export type NamedCustomReport = Awaited<ReturnType<typeof customReport>> & {
  /** The customers' names by id. */
  readonly names: Readonly<Record<string, string>>;
};

export async function namedCustomReport(
  db: Db,
  query: ParamValues<typeof CUSTOM_QUERY>,
  account: ReportAccount,
): Promise<NamedCustomReport> {
  const report = await customReport(db, query, account);
  const ids = report.rows.flatMap(({ customer }) => (typeof customer === 'string' ? customer : []));
  return { ...report, names: Object.fromEntries(ids.length === 0 ? [] : await readCustomers(db, ids)) };
}

const MONTHS: Readonly<Record<Locale, readonly string[]>> = {
  tr: ['Oca', 'Şub', 'Mar', 'Nis', 'May', 'Haz', 'Tem', 'Ağu', 'Eyl', 'Eki', 'Kas', 'Ara'],
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};

/** 2025-12 → Ara 2025. */
function monthText(group: string, locale: Locale): string {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(group) ?? [];
  return year === undefined ? group : `${MONTHS[locale][Number(month) - 1]} ${year}`;
}

/** Amounts have two decimals; counts are numbers, averages of days have one decimal. */
function kindOf(figure: string, rows: readonly Row[]): XlsxKind {
  if (NAMING.includes(figure)) return 'text';
  if (RATIOS.includes(figure)) return 'ratio';
  if (figure === 'rate_date') return 'day';
  const value = rows.map((row) => row[figure]).find((one) => one !== null && one !== undefined);
  return typeof value === 'string' && /^-?\d+\.\d\d$/.test(value) ? 'money' : 'number';
}

/** Averages are not added up, and the tables by currency are sums already. */
function totalsOf(part: ReportPart, figures: readonly ReportFigure[], rows: readonly Row[]): Pick<ReportTable, 'totals'> {
  const currency = figures.indexOf('currency');
  const sums = figures.flatMap((figure, index) =>
    kindOf(figure, rows) === 'money' && !figure.startsWith('average') ? [index] : [],
  );
  const isSum = part === 'currency_rows' || part === 'converted' || part === 'rates';
  return currency < 0 || sums.length === 0 || isSum ? {} : { totals: { currency, sums } };
}

/** A sheet for each table: the report and its period above, the sums below. */
export function reportSheets({ title, span, as_of, tables }: ReportTables, locale: Locale): XlsxSheet[] {
  const day = (text: string) =>
    text
      .split('-')
      .reverse()
      .join(locale === 'tr' ? '.' : '/');
  const period = span === null ? day(as_of) : `${day(span.from)} – ${day(span.to)}`;
  return tables.map((table) => ({
    name: table.title,
    heading: [table.title === title ? title : `${title}: ${table.title}`, period],
    columns: table.columns,
    rows: table.rows,
    ...(table.totals === undefined
      ? {}
      : { totals: { ...table.totals, label: (currency: string) => `${locale === 'tr' ? 'Toplam' : 'Total'} (${currency})` } }),
  }));
}

/** Groups by branch and by person are ids; months, brands and methods are their own names. */
async function readNames(db: Db, unset: string, customers: readonly unknown[] = []): Promise<(group: unknown) => string> {
  const ids = customers.filter((id) => id !== null && id !== undefined).map(String);
  const [found, people] = await allAnswers([
    db.rows<{ id: string; name: string }>(sql`select id, name from ${own('branches')}
      union all select id, full_name from ${own('members')}`),
    readCustomers(db, ids),
  ]);
  const names = new Map([...found.map(({ id, name }) => [id, name] as const), ...people]);
  return (group) => (group === null || group === undefined ? unset : (names.get(String(group)) ?? String(group)));
}

/** A company by its own name, a person by theirs. */
const readCustomers = async (db: Db, ids: readonly string[]): Promise<(readonly [id: string, name: string])[]> =>
  (
    await db.rows<{ id: string; name: string }>(sql`select id, coalesce(company_name, first_name || ' ' || last_name) as name
      from ${own('customers')} where id = any(${ids}::uuid[])`)
  ).map(({ id, name }) => [id, name] as const);

/** As a part of a file's name. */
export const fileWord = (title: string): string => title.toLocaleLowerCase('tr').replace(/[^\p{L}\d]+/gu, '-');

/** Without its extension. */
export const reportFileName = ({ title, span, as_of }: ReportTables): string =>
  `${fileWord(title)}-${span === null ? as_of : `${span.from}-${span.to}`}`;

/** The report with this name, if the caller may see it; reports with cost or debtors require a recent password confirmation. */
export function requireReport(name: FixedReport, maySeeSensitive: boolean, hasGivenPassword: boolean): FixedReport {
  if (!REPORT_SHAPES[name].isSensitive) return name;
  if (!maySeeSensitive) fail('not_permitted');
  return hasGivenPassword ? name : fail('reauthentication_required');
}
