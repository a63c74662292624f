// The age of the stock today. It contains no cost.
import { dayIn } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { type ParamValues, uuidParam } from '../../kit/params.ts';
import {
  anything,
  arrayOf,
  columnsOf,
  currency,
  day,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
} from '../../kit/schema.ts';
import { joined, own, type Sql, sql } from '../../kit/sql.ts';
import { Vehicle } from '../stock/vehicle-view.ts';
import {
  amounts,
  averageDays,
  CONVERTED_TODAY,
  convert,
  convertedShape,
  planForValues,
  type ReportAccount,
} from './report-frame.ts';
import { STOCK_BUCKET_ENDS, STOCK_BUCKETS } from './reports-states.ts';

const IN_STOCK = ['Stokta', 'Rezerve', "Auction'da"] as const;

export const INVENTORY_AGING_QUERY = { branch_id: uuidParam, ...CONVERTED_TODAY } as const;
export const InventoryAging = object({
  buckets: arrayOf(object({ bucket: oneOf(STOCK_BUCKETS), currency: currency(), count: integer(), list_value: money() })),
  currency_rows: arrayOf(
    object({ currency: currency(), count: integer(), list_value: money(), average_age_days: nullable(text('47.3')) }),
  ),
  // By name, because some client generators fail on the apostrophe of a fixed one.
  by_status: anything<Readonly<Record<string, number>>>({ Stokta: 12, Rezerve: 2, "Auction'da": 1 }, { type: 'integer' }),
  oldest: arrayOf(object({ ...Vehicle.shape, age: integer() })),
  converted: convertedShape(['list_value']),
  as_of: day(),
});
type InventoryAging = Of<typeof InventoryAging>;

interface Aged {
  readonly currency: Currency;
  /** The position among the buckets. */
  readonly bucket: number;
  readonly status: (typeof IN_STOCK)[number];
  readonly count: number;
  readonly list_value: string;
  readonly days: string;
}

const OLDEST = 10;

export async function inventoryAging(
  db: Db,
  query: ParamValues<typeof INVENTORY_AGING_QUERY>,
  { now, timezone }: ReportAccount,
): Promise<InventoryAging> {
  const today = dayIn(now, timezone);
  planForValues(db);
  const where = inStock(query.branch_id);
  const age = sql`(${today}::date - stock_date)`;
  const older = (days: number): Sql => sql`(stock_date < ${today}::date - ${days}::int)::int`;
  const [aged, oldest] = await allAnswers([
    db.rows<Aged>(sql`select currency, status, ${joined(STOCK_BUCKET_ENDS.map(older), ' + ')} as bucket, count(*)::int as count,
        sum(price_minor) as list_value, sum(${age}) as days
      from ${own('vehicles')} where ${where} group by 1, 2, 3`),
    db.rows<
      InventoryAging['oldest'][number]
    >(sql`select ${columnsOf(Vehicle)}, ${age} as age from ${own('vehicles')} where ${where}
      order by stock_date, created_at, id limit ${OLDEST}`),
  ]);
  const currency_rows = currenciesOf(aged).map((currency) => {
    const own = aged.filter((one) => one.currency === currency);
    return { currency, ...counted(own), average_age_days: averageDays(sumOf(own, 'days'), counted(own).count) };
  });
  return {
    buckets: STOCK_BUCKETS.flatMap((bucket, place) =>
      currenciesOf(aged.filter((one) => one.bucket === place)).map((currency) => ({
        bucket,
        currency,
        ...counted(aged.filter((one) => one.bucket === place && one.currency === currency)),
      })),
    ),
    currency_rows,
    by_status: Object.fromEntries(
      IN_STOCK.map((status) => [status, counted(aged.filter((one) => one.status === status)).count]),
    ) as InventoryAging['by_status'],
    oldest,
    converted: await convert(db, query, today, [[currency_rows, ['list_value']]]),
    as_of: today,
  };
}

const inStock = (branchId: string | undefined): Sql =>
  branchId === undefined ? IS_IN_STOCK : sql`${IS_IN_STOCK} and branch_id = ${branchId}`;
const IS_IN_STOCK = sql`deleted_at is null and status in ('Stokta', 'Rezerve', 'Auction''da')`;

const currenciesOf = (aged: readonly Aged[]): Currency[] => [...new Set(aged.map(({ currency }) => currency))].sort();
const sumOf = (aged: readonly Aged[], name: 'list_value' | 'days'): bigint =>
  aged.reduce((all, one) => all + BigInt(one[name]), 0n);
const counted = (aged: readonly Aged[]): { count: number; list_value: string } => ({
  count: aged.reduce((all, { count }) => all + count, 0),
  ...amounts({ list_value: String(sumOf(aged, 'list_value')) }, ['list_value']),
});
