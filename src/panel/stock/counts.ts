// Numbers beside a list: how many records each status has under the current filters, and the values to filter by.
import { CustomerFilters, customersWhere } from '../../domain/customers/customer-list.ts';
import { RISK_LEVELS, type RiskLevel } from '../../domain/customers/customer-states.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { NOTE_STATUSES, type NoteStatus } from '../../domain/installments/note-states.ts';
import { SALE_STATUSES, type SaleStatus } from '../../domain/installments/sales-states.ts';
import { NoteFilters, notesWhere } from '../../domain/sales/note.ts';
import { SaleFilters, salesWhere } from '../../domain/sales/sale-list.ts';
import { VEHICLE_STATUSES, type VehicleStatus } from '../../domain/stock/stock-states.ts';
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { panelGet } from '../kit/endpoint.ts';
import { StockFilters, stockWhere } from './stock.ts';

export interface VehicleCounts {
  /** With all filters applied. */
  readonly total: number;
  /** With all filters but the status, so that each number is what choosing that status would show. */
  readonly statuses: Readonly<Record<VehicleStatus, number>>;
  /** Brands of the whole stock, and models of the chosen brand. */
  readonly brands: readonly string[];
  readonly models: readonly string[];
  readonly cities: readonly string[];
}

export interface CustomerCounts {
  readonly total: number;
  readonly risk_levels: Readonly<Record<RiskLevel, number>>;
}

export interface SaleCounts {
  readonly total: number;
  readonly statuses: Readonly<Record<SaleStatus, number>>;
}

export interface NoteCounts {
  readonly total: number;
  readonly statuses: Readonly<Record<NoteStatus, number>>;
}

/** A longer select would be useless; the filter still accepts any text. */
const MAX_CHOICES = 300;

export const countEndpoints = [
  panelGet('vehicles/counts', {
    who: 'member',
    databaseRole: 'tenant',
    onStandby: true,
    query: StockFilters,
    run: async ({ db, query, account, now }): Promise<VehicleCounts> => {
      const where = stockWhere({ ...query, status: undefined }, account.timezone, now);
      const counted = await countBy(db, 'vehicles', 'status', where);
      const statuses = everyOne(VEHICLE_STATUSES, counted);
      return {
        total: query.status === undefined ? sum(statuses) : statuses[query.status],
        statuses,
        brands: await distinct(db, 'brand', sql`true`),
        models: query.brand === undefined ? [] : await distinct(db, 'model', sql`fold_tr(brand) = fold_tr(${query.brand})`),
        cities: await distinct(db, 'city', sql`true`),
      };
    },
  }),
  panelGet('customers/counts', {
    who: 'member',
    databaseRole: 'tenant',
    onStandby: true,
    query: CustomerFilters,
    run: async ({ db, query, account }): Promise<CustomerCounts> => {
      const where = customersWhere({ ...query, risk_level: undefined }, account.timezone, account.role === 'viewer');
      const levels = everyOne(RISK_LEVELS, await countBy(db, 'customers', 'risk_level', where));
      return { total: query.risk_level === undefined ? sum(levels) : levels[query.risk_level], risk_levels: levels };
    },
  }),
  panelGet('sales/counts', {
    who: rolesFor({ scope: 'sales:read', risk: 'read' }),
    databaseRole: 'tenant',
    onStandby: true,
    query: SaleFilters,
    run: async ({ db, query, account: { timezone, role }, now }): Promise<SaleCounts> => {
      const day = { today: dayIn(now, timezone), timezone };
      const where = salesWhere({ ...query, status: undefined }, day, role === 'viewer');
      const statuses = everyOne(SALE_STATUSES, await countBy(db, 'sales', 'status', where));
      return { total: query.status === undefined ? sum(statuses) : statuses[query.status], statuses };
    },
  }),
  panelGet('promissory-notes/counts', {
    who: rolesFor({ scope: 'promissory-notes:read', risk: 'read' }),
    databaseRole: 'tenant',
    onStandby: true,
    query: NoteFilters,
    run: async ({ db, query, account: { timezone } }): Promise<NoteCounts> => {
      const where = notesWhere({ ...query, status: undefined }, timezone);
      const statuses = everyOne(NOTE_STATUSES, await countBy(db, 'promissory_notes', 'status', where));
      return { total: query.status === undefined ? sum(statuses) : statuses[query.status], statuses };
    },
  }),
];

async function countBy(
  db: Db,
  table: 'vehicles' | 'customers' | 'sales' | 'promissory_notes',
  column: 'status' | 'risk_level',
  where: readonly Sql[],
): Promise<Map<string, number>> {
  const rows = await db.rows<{ value: string; count: number }>(
    sql`select ${rawSql(column)} as value, count(*)::int as count from ${own(table)} where true${allOf(where)} group by 1`,
  );
  return new Map(rows.map(({ value, count }) => [value, count]));
}

const everyOne = <V extends string>(values: readonly V[], counted: ReadonlyMap<string, number>): Record<V, number> =>
  Object.fromEntries(values.map((value) => [value, counted.get(value) ?? 0])) as Record<V, number>;

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, one) => all + one, 0);

/** One spelling of each value, because filters ignore case: `BMW` and `Bmw` are the same choice. */
async function distinct(db: Db, column: 'brand' | 'model' | 'city', where: Sql): Promise<string[]> {
  const name = rawSql(column);
  const rows = await db.rows<{ value: string }>(sql`select min(${name}) as value from ${own('vehicles')}
    where deleted_at is null and ${where} group by fold_tr(${name}) order by fold_tr(${name}) limit ${MAX_CHOICES}`);
  return rows.map(({ value }) => value);
}
