// Changes that a car's status forbids. PATCH, bulk updates, feeds, files and the command line all use these checks, so that none
// of them allows what another refuses.
import type { Db } from '../../kit/db.ts';
import { type Detail, fail, type Text } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import { type Columns, columnOf } from '../records/record.ts';
import type { VehicleStatus } from './stock-states.ts';
import { type StoredVehicle, VEHICLE_FIELDS, WRITE_ONLY_VEHICLE_FIELDS } from './vehicle.ts';

const columns = (...names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => columnOf(VEHICLE_FIELDS, name)));

const OPEN_WHEN_SOLD = columns('km', 'color', 'description', 'branch_id', ...WRITE_ONLY_VEHICLE_FIELDS);
/** Fields that bidders saw when they bid. */
const CLOSED_IN_AUCTION = columns(
  ...['brand', 'model', 'model_year', 'km', 'fuel_type', 'transmission', 'body_type', 'plate', 'price', 'currency', 'condition'],
  ...['engine_cc', 'power_hp', 'drive', 'steering', 'doors', 'seats', 'owners', 'inspection_until', 'equipment', 'warranty'],
);

function isClosed(status: VehicleStatus, column: string): boolean {
  if (status === 'Satıldı') return !OPEN_WHEN_SOLD.has(column);
  return status === "Auction'da" && CLOSED_IN_AUCTION.has(column);
}

export interface ClosedField {
  readonly field: string;
  readonly code: 'vehicle_locked' | 'vehicle_in_auction';
  readonly message: Text;
}

/** The changed fields that may not change: locked in the current status, and in the status after the change. */
export const closedFields = (from: VehicleStatus, to: VehicleStatus, changes: Columns): ClosedField[] =>
  Object.keys(changes)
    .filter((column) => isClosed(from, column) && isClosed(to, column))
    .map((column) => {
      const field = column.replace(/_minor$/, '');
      return {
        field,
        code: from === 'Satıldı' ? 'vehicle_locked' : 'vehicle_in_auction',
        message: {
          en: `${field} cannot change while the vehicle is «${from}»`,
          tr: `Araç «${from}» iken ${field} değiştirilemez`,
        },
      };
    });

export function refuseClosed(status: VehicleStatus, closed: readonly [ClosedField, ...ClosedField[]]): never {
  const details: Detail[] = [...closed];
  return fail(closed[0].code, { details, words: { status, fields: closed.map(({ field }) => field).join(', ') } });
}

/**
 * The cars that are in one of our auctions or lots, in any status; an import may also create a car that is in an auction
 * elsewhere.
 */
export async function carsInAuction(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await db.rows<{ vehicle_id: string }>(sql`
    select vehicle_id from ${own('network_auctions')} where vehicle_id = any(${ids}::uuid[]) and status in ('Planlandı', 'Canlı')
    union all select vehicle_id from ${own('live_lots')} where vehicle_id = any(${ids}::uuid[]) and status in ('Sırada', 'Açık')`);
  return new Set(found.map(({ vehicle_id }) => vehicle_id));
}

export const isInAuction = async (db: Db, vehicleId: string): Promise<boolean> => (await carsInAuction(db, [vehicleId])).size > 0;

/**
 * An edit can only return a car to stock; a car that was sold here returns when its sale is cancelled, one in our auction when
 * that ends.
 */
export async function requireWayBack(db: Db, vehicle: StoredVehicle, to: VehicleStatus): Promise<void> {
  const { id, status, sold_via } = vehicle;
  const isBound = (status === 'Satıldı' && sold_via === 'Satış') || (status === "Auction'da" && (await isInAuction(db, id)));
  if (to !== 'Stokta' || isBound) fail('invalid_transition', { words: { from: status, to } });
}

/** If one car of a swap is handed over, neither returns to stock, because the other dealer relies on it or has the car. */
export async function requireNoSwap(db: Db, vehicleId: string): Promise<void> {
  const [open] =
    await db.rows(sql`select id from ${eitherPartyRows('trade_requests')} where status in ('Kabul Edildi', 'Tamamlandı')
    and (is_requested_sold or is_offered_sold) and (requested_vehicle_id = ${vehicleId} or offered_vehicle_id = ${vehicleId}) limit 1`);
  if (open !== undefined) fail('trade_in_progress');
}
