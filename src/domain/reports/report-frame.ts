// The common parts of reports: the period, the groups, figures by currency, and the block that values them in one currency.
import { dayIn, type Moment } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { CURRENCIES, type Currency, formatMoney, sum } from '../../kit/money.ts';
import { momentParam, oneOfParam, type Param, readDay } from '../../kit/params.ts';
import { arrayOf, currency, day, money, nullable, type Of, object, oneOf, rate, type Shape, text } from '../../kit/schema.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';
import { accountSource, bulletinOfDay, readSpan } from '../exchange-rates/rate-table.ts';
import { divideHalfUp, rateText, SHOWN_SOURCES, type ShownSource } from '../exchange-rates/rates.ts';
import { valuationRate, valueIn } from '../exchange-rates/valuation.ts';
import { type DaySpan, monthOf } from './reports-states.ts';

const dayParam: Param<string> = {
  allowed: { en: 'a date (2026-11-15)', tr: 'bir tarih (2026-11-15)' },
  schema: { type: 'string', format: 'date' },
  read: (text) => readDay(text) ?? undefined,
};

/** Parameters of a report over a period. */
export const RANGE = { from: momentParam, to: momentParam } as const;
/** Parameters of a report that can be valued in one currency; reports of today have no day to choose. */
export const CONVERTED_TODAY = { convert_to: oneOfParam(CURRENCIES) } as const;
export const CONVERTED = { ...CONVERTED_TODAY, rate_date: dayParam } as const;

export interface ReportAccount {
  readonly now: Date;
  readonly timezone: string;
}

/** `to` defaults to the last day of the current month, `from` to the first day of the month of `to`. */
export function readRange(
  query: { readonly from?: Moment | undefined; readonly to?: Moment | undefined },
  { now, timezone }: ReportAccount,
): DaySpan & { readonly today: string } {
  const today = dayIn(now, timezone);
  const to = query.to ?? { day: monthOf(today).to };
  const from = query.from ?? { day: monthOf('at' in to ? dayIn(to.at, timezone) : to.day).from };
  return { ...readSpan({ from, to }, timezone), today };
}

/**
 * Prepared plans suit statements whose values do not matter. For a report they do: a day and a year are the same statement. The
 * memory allows joining and grouping a year's rows without a temporary file. A large part of a table is faster to read
 * sequentially than through an index, which the cost setting for pages would prefer.
 */
export const planForValues = (db: Db): void =>
  db.send(sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '16MB', true),
    set_config('random_page_cost', '4', true)`);

export const refuse = (param: string, allowed: Text): never => fail('invalid_parameter', { param, words: { allowed } });

/**
 * How a group is written, from the column `raw` that rows were grouped by. Days are formatted after grouping: a year has 365 of
 * them and perhaps half a million rows.
 */
export const shownGroup = (group: string): Sql =>
  rawSql(group === 'month' ? "to_char(raw, 'YYYY-MM')" : group === 'day' ? "to_char(raw, 'YYYY-MM-DD')" : 'raw');

/** The SQL of each group, by its name; never from a request. */
export const groupSql = <G extends string>(of: Readonly<Record<G, string>>, chosen: G): Sql => rawSql(of[chosen]);

/** A sum over possibly no rows. PostgreSQL's type for it is unbounded, and arrives as text. */
export const total = (what: Sql, where: Sql = sql`true`): Sql => sql`coalesce(sum(${what}) filter (where ${where}), 0)`;

/** Sums as `total` gives them. */
export type Sums<Name extends string> = Readonly<Record<Name, string>>;
export type Grouped = { readonly group: string | null; readonly currency: Currency };

/** The amounts of a row by name. */
export const amounts = <const Name extends string>(row: Sums<Name>, names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, formatMoney(BigInt(row[name]))])) as Record<Name, string>;

/** The members of a shape, in its order; other computed values are left out. */
export const inShape = <S extends Shape>(shape: S, row: Readonly<Record<keyof S['shape'], unknown>>): Of<S> =>
  Object.fromEntries(Object.keys(shape.shape).map((name) => [name, row[name]])) as Of<S>;

/** Four decimals; null for a division by zero. */
export const ratio = () => text('0.8125');
export function ratioText(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const shown = divideHalfUp((whole < 0n ? -part : part) * 10_000n, whole < 0n ? -whole : whole);
  const digits = (shown < 0n ? -shown : shown).toString().padStart(5, '0');
  return `${shown < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

export const averageMoney = (all: bigint, count: number): string | null =>
  count === 0 ? null : formatMoney(divideHalfUp(all, BigInt(count)));

/** With one decimal. */
export const averageDays = (days: bigint, count: number): string | null => {
  if (count === 0) return null;
  const shown = divideHalfUp(days * 10n, BigInt(count));
  const digits = (shown < 0n ? -shown : shown).toString().padStart(2, '0');
  return `${shown < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`;
};

/** The shape of the block `converted`, with these summed figures. */
export const convertedShape = <const Name extends string>(figures: readonly Name[]) =>
  nullable(
    object({
      currency: currency(),
      rate_date: day(),
      source: oneOf(SHOWN_SOURCES),
      rates: arrayOf(object({ pair: text('STG-TL'), rate: rate() })),
      totals: object(Object.fromEntries(figures.map((name) => [name, money()])) as Record<Name, ReturnType<typeof money>>),
    }),
  );

export interface Converted<Name extends string> {
  currency: Currency;
  rate_date: string;
  source: ShownSource;
  rates: { pair: string; rate: string }[];
  totals: Record<Name, string>;
}

type ShownRow = { readonly currency: Currency } & Readonly<Record<string, unknown>>;

/** The requested valuation; `last` is the default day. */
interface Valuation {
  readonly convert_to?: Currency | undefined;
  readonly rate_date?: string | undefined;
}

/** The day whose rates value a report over a period: its last day, or today if that is in the future. */
export const lastDay = ({ to, today }: { readonly to: string; readonly today: string }): string => (to < today ? to : today);

/**
 * Each shown figure is valued and rounded, then added, so that the totals are sums of the shown values. `parts` are rows and the
 * figures that count. The bulletin must exist even if every row has that currency already, so that the result does not depend on
 * the data.
 */
export async function convert<const Name extends string>(
  db: Db,
  { convert_to: into, rate_date }: Valuation,
  last: string,
  parts: readonly (readonly [rows: readonly ShownRow[], figures: readonly Name[]])[],
): Promise<Converted<Name> | null> {
  if (into === undefined) {
    if (rate_date !== undefined)
      refuse('rate_date', { en: 'given only with convert_to', tr: 'yalnızca convert_to ile birlikte verilmiş' });
    return null;
  }
  const { rates, rateDate, source } = await bulletinOfDay(db, await accountSource(db), rate_date ?? last);
  const used = CURRENCIES.filter((one) => one !== into && parts.some(([rows]) => rows.some((row) => row.currency === one)));
  const valued = (row: ShownRow, name: Name): bigint =>
    valueIn(rates, BigInt(String(row[name]).replace('.', '')), row.currency, into);
  const totals = parts.flatMap(([rows, names]) =>
    names.map((name) => [name, formatMoney(sum(rows.map((row) => valued(row, name))))] as const),
  );
  return {
    currency: into,
    rate_date: rateDate,
    source,
    rates: used.map((one) => {
      const { pair, rate: value } = valuationRate(rates, one, into);
      return { pair, rate: rateText(value) };
    }),
    totals: Object.fromEntries(totals) as Record<Name, string>,
  };
}
