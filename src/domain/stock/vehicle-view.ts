// A vehicle as the API returns it: seventeen fields in lists, and a detail with its reservation. Never cost, chassis or engine
// number.
import type { Db } from '../../kit/db.ts';
import { formatMoney } from '../../kit/money.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  day,
  flag,
  integer,
  jsonText,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import { Party, partyOf } from '../parties/party.ts';
import { shownColumns } from '../records/record.ts';
import { DRIVES, RESERVATION_KINDS, STEERING_SIDES, VEHICLE_SOURCES, VEHICLE_STATUSES } from './stock-states.ts';
import { type StoredVehicle, VEHICLE_FIELDS } from './vehicle.ts';
import { VehicleCondition, wholeCondition } from './vehicle-condition.ts';

export const Vehicle = object({
  id: uuid(),
  brand: text('Volkswagen'),
  model: text('Golf'),
  model_year: integer(),
  km: integer(),
  fuel_type: text('Benzin'),
  transmission: text('Otomatik'),
  body_type: text('Hatchback'),
  color: text('Beyaz'),
  plate: text('AB 123'),
  city: text('Lefkoşa'),
  price: money(),
  currency: currency(),
  status: oneOf(VEHICLE_STATUSES),
  is_marketplace_visible: flag(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Vehicle = Of<typeof Vehicle>;

/** The detail's fields that are in the vehicle's own row. */
const VehicleRecord = object({
  ...Vehicle.shape,
  trim: nullable(text('Highline')),
  description: nullable(text('İlk sahibinden, bakımları yetkili serviste.')),
  branch_id: nullable(uuid()),
  stock_date: day(),
  source: oneOf(VEHICLE_SOURCES),
  external_ref: nullable(text('STK-1042')),
  condition: nullable(VehicleCondition),
  engine_cc: nullable(integer()),
  power_hp: nullable(integer()),
  drive: nullable(oneOf(DRIVES)),
  steering: nullable(oneOf(STEERING_SIDES)),
  doors: nullable(integer()),
  seats: nullable(integer()),
  owners: nullable(integer()),
  inspection_until: nullable(day()),
  equipment: nullable(jsonText(arrayOf(text('Cam tavan')))),
  warranty: nullable(text('2 yıl ya da 40.000 km')),
  sold_at: nullable(day()),
  sold_via: nullable(oneOf(['Satış', 'Harici'])),
  deleted_at: nullable(timestamp()),
});

const Reservation = object({
  kind: oneOf(RESERVATION_KINDS),
  customer_id: nullable(uuid()),
  counterparty: nullable(Party),
  source_id: nullable(uuid()),
  reserved_until: nullable(day()),
  deposit_amount: nullable(money()),
  deposit_currency: nullable(currency()),
  created_at: timestamp(),
  deposit: nullable(object({ amount: money(), currency: currency(), collection_id: uuid() })),
});

const { sold_at, sold_via, deleted_at, ...shownFirst } = VehicleRecord.shape;
export const VehicleDetail = object({
  ...shownFirst,
  photo_count: integer(),
  video_count: integer(),
  reservation: nullable(Reservation),
  active_sale_id: nullable(uuid()),
  listing_id: nullable(uuid()),
  auction_id: nullable(uuid()),
  sold_at,
  sold_via,
  deleted_at,
});
export type VehicleDetail = Of<typeof VehicleDetail>;

/** A deleted vehicle is returned too, with deleted_at, because it can be restored. */
export async function readVehicle(db: Db, id: string): Promise<VehicleDetail> {
  type Found = Of<typeof VehicleRecord> &
    Pick<VehicleDetail, 'reservation' | 'active_sale_id' | 'listing_id' | 'auction_id' | 'photo_count' | 'video_count'>;
  const { reservation, active_sale_id, listing_id, auction_id, photo_count, video_count, ...record } =
    await db.last<Found>(sql`select ${columnsOf(VehicleRecord)},
      (select row_to_json(held) from (select kind, customer_id, ${COUNTERPARTY} as counterparty, source_id, reserved_until,
        deposit ->> 'amount' as deposit_amount, deposit ->> 'currency' as deposit_currency, utc_text(created_at) as created_at, deposit
        from (select *, ${DEPOSIT} as deposit from ${own('reservations')} where vehicle_id = vehicles.id and status = 'Aktif') active) held)
        as reservation,
      (select id from ${own('sales')} where sales.vehicle_id = vehicles.id and sales.status <> 'İptal') as active_sale_id,
      (select id from ${own('listings')} where vehicle_id = vehicles.id and status <> 'Kapandı') as listing_id,
      coalesce((select id from ${own('network_auctions')} where vehicle_id = vehicles.id and status in ('Planlandı', 'Canlı')),
        (select id from ${own('live_lots')} where vehicle_id = vehicles.id and status in ('Sırada', 'Açık'))) as auction_id,
      (select count(*)::int from ${own('vehicle_photos')} where vehicle_id = vehicles.id) as photo_count,
      (select count(*)::int from ${own('vehicle_videos')} where vehicle_id = vehicles.id) as video_count
    from ${own('vehicles')} where id = ${id}`);
  const condition = record.condition && wholeCondition(record.condition);
  return inOrder({ ...record, condition, photo_count, video_count, reservation, active_sale_id, listing_id, auction_id });
}

/** The other dealer of a reservation; while it is active, both see each other's phone. */
const COUNTERPARTY = partyOf(sql`active.counterparty_id`, sql`true`);

/** The open deposit of the reservation's customer. */
const DEPOSIT = sql`(select json_build_object('amount', money_text(amount_minor), 'currency', currency, 'collection_id', collections.id)
  from ${own('collections')} where collections.vehicle_id = reservations.vehicle_id and collections.customer_id = reservations.customer_id
  and deposit_status = 'Açık')`;

/** A new car has no reservation, listing or media yet, so the detail is built from the row without a query. */
export function showNewVehicle(vehicle: StoredVehicle): VehicleDetail {
  const shown: Record<string, unknown> = {
    photo_count: 0,
    video_count: 0,
    reservation: null,
    active_sale_id: null,
    listing_id: null,
    auction_id: null,
  };
  const columns = shownColumns(VEHICLE_FIELDS, vehicle);
  for (const name of RECORD_NAMES) shown[name] = name === 'price' ? formatMoney(vehicle.price_minor) : plain(columns[name]);
  return inOrder(shown as VehicleDetail);
}

const RECORD_NAMES = Object.keys(VehicleRecord.shape);
const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Fields in the order of the shape. */
function inOrder(found: VehicleDetail): VehicleDetail {
  const shown: Record<string, unknown> = {};
  for (const name of DETAIL_NAMES) shown[name] = found[name];
  return shown as VehicleDetail;
}

const DETAIL_NAMES = Object.keys(VehicleDetail.shape) as (keyof VehicleDetail)[];
