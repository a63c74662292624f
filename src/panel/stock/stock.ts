// The stock as the panel lists it: sorted by any column, with the cover's thumbnail and the days in stock, and filters of the panel's own.
import { FUEL_TYPES, TRANSMISSIONS } from '../../domain/stock/stock-states.ts';
import { VehicleFilters, vehiclesWhere } from '../../domain/stock/vehicle-list.ts';
import { Vehicle } from '../../domain/stock/vehicle-view.ts';
import { dayIn } from '../../kit/clock.ts';
import { flagParam, integerParam, oneOfParam, type ParamValues, paging, requiredParam, withFallback } from '../../kit/params.ts';
import { columnsOf } from '../../kit/schema.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { listed, panelGet } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { withThumbnails } from '../kit/thumbnails.ts';

export interface StockLine extends Vehicle {
  readonly days_in_stock: number;
  /** A link for fifteen minutes; null where there is no photo, or only one on another server. */
  readonly thumbnail_url: string | null;
}

/** What lists of sales and listings show of a car: its photo, or what its drawing needs. */
export interface CarPicture extends Pick<StockLine, 'id' | 'body_type' | 'color' | 'plate' | 'thumbnail_url'> {}

const MOST = 10_000_000;
export const StockFilters = {
  ...VehicleFilters,
  km_min: integerParam(0, MOST),
  km_max: integerParam(0, MOST),
  fuel_type: oneOfParam(FUEL_TYPES),
  transmission: oneOfParam(TRANSMISSIONS),
  /** Days in stock. */
  days_min: integerParam(0, 36_500),
  /** Days until the reservation ends. */
  reserved_days_max: integerParam(0, 36_500),
} as const;

/** What each column sorts by; prices of different currencies are not compared, so the currency comes first. */
const SORTS = {
  created_at: ['created_at'],
  plate: ['plate'],
  brand: ['fold_tr(brand)', 'fold_tr(model)'],
  model_year: ['model_year'],
  km: ['km'],
  fuel_type: ['fold_tr(fuel_type)'],
  transmission: ['fold_tr(transmission)'],
  price: ['currency', 'price_minor'],
  status: ['status'],
  city: ['fold_tr(city)'],
  stock_date: ['stock_date'],
} as const;
const SORT_NAMES = Object.keys(SORTS) as (keyof typeof SORTS)[];

export function stockWhere(query: ParamValues<typeof StockFilters>, timezone: string, now: Date): Sql[] {
  const where = vehiclesWhere(query, timezone);
  if (query.km_min !== undefined) where.push(sql`km >= ${query.km_min}`);
  if (query.km_max !== undefined) where.push(sql`km <= ${query.km_max}`);
  if (query.fuel_type !== undefined) where.push(sql`fuel_type = ${query.fuel_type}`);
  if (query.transmission !== undefined) where.push(sql`transmission = ${query.transmission}`);
  if (query.days_min !== undefined)
    where.push(sql`status <> 'Satıldı' and ${dayIn(now, timezone)}::date - stock_date >= ${query.days_min}`);
  if (query.reserved_days_max !== undefined)
    where.push(sql`id in (select vehicle_id from ${own('reservations')} where status = 'Aktif'
      and reserved_until <= ${dayIn(now, timezone)}::date + ${query.reserved_days_max}::int)`);
  return where;
}

type Stored<Line> = Omit<Line, 'thumbnail_url'> & { readonly thumbnail_id: string | null };

const coverOf = (table: string): Sql =>
  sql`(select thumbnail_id from ${own('vehicle_photos')} where vehicle_id = ${rawSql(table)}.id and "position" = 1) as thumbnail_id`;

export const stockEndpoints = [
  panelGet('vehicles/list', {
    who: 'member',
    databaseRole: 'tenant',
    onStandby: true,
    query: { ...paging, ...StockFilters, sort: withFallback(oneOfParam(SORT_NAMES), 'created_at'), desc: flagParam },
    run: async ({ db, query, account: { id, timezone }, services, now, realNow }) => {
      const { limit, offset, sort, desc = sort === 'created_at' } = query;
      const order = orderOf(SORTS[sort], desc);
      const today = dayIn(now, timezone);
      const found = await db.rows<Stored<StockLine>>(sql`select ${columnsOf(Vehicle)}, days_in_stock, ${coverOf('chosen')}
        from (select *, case when status = 'Satıldı' then 0 else ${today}::date - stock_date end as days_in_stock from ${own('vehicles')}
          where true${allOf(stockWhere(query, timezone, now))} order by ${order} limit ${limit + 1} offset ${offset}) chosen
        order by ${order}`);
      const lines: StockLine[] = withThumbnails(found, { services, account: id, realNow });
      return listed(lines, { limit, offset });
    },
  }),
  panelGet('vehicles/pictures', {
    who: 'member',
    databaseRole: 'tenant',
    query: { ids: requiredParam(idsParam) },
    run: async ({ db, query, account: { id }, services, realNow }): Promise<CarPicture[]> => {
      const found = await db.rows<Stored<CarPicture>>(sql`select id, body_type, color, plate, ${coverOf('vehicles')}
        from ${own('vehicles')} where id = any(${query.ids}::uuid[])`);
      return withThumbnails(found, { services, account: id, realNow });
    },
  }),
];

/** Newest first among equals, in either direction of the column. */
const orderOf = (columns: readonly string[], descending: boolean): Sql =>
  rawSql([...columns.map((column) => `${column} ${descending ? 'desc' : 'asc'}`), 'created_at desc', 'id desc'].join(', '));
