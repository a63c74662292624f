// Writes on a vehicle: create, edit, publish, sell, delete, restore. Each adds a history entry and emits events.

import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import type { Work } from '../../kit/work.ts';
import { requireRoom, requireRoomLeft, roomWithin, settingsOf } from '../membership/plan-limits.ts';
import { requireCapability } from '../parties/capability.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  dayField,
  type Fields,
  moneyField,
  nullable,
  textField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import type { Columns } from '../records/record.ts';
import { type ListingText, openListing } from './listings.ts';
import { endHold, openDepositOn, release } from './reservations.ts';
import {
  lockVehicle,
  newVehicle,
  type StoredVehicle,
  sendVehicle,
  type VEHICLE_FIELDS,
  type VehicleEdit,
  vehicleChanges,
} from './vehicle.ts';
import { changeVehicle, emitVehicleEvent } from './vehicle-change.ts';
import { requireReport } from './vehicle-condition.ts';
import { recordHistory } from './vehicle-history.ts';
import { closedFields, refuseClosed, requireNoSwap, requireWayBack } from './vehicle-locks.ts';
import { readVehicle, showNewVehicle, type VehicleDetail } from './vehicle-view.ts';

/** `id` if the caller has chosen it already. */
export async function addVehicle(work: Work, values: CreateBody<typeof VEHICLE_FIELDS>, id?: string): Promise<VehicleDetail> {
  const { db, now, today } = work;
  await requireReport(work, values.condition, null);
  const { default_currency, vehicle_limit } = await settingsOf(work);
  if (vehicle_limit !== null) requireRoomLeft(await roomWithin(db, vehicle_limit));
  return createVehicle(
    work,
    newVehicle(values, {}, { currency: default_currency, today, now, ...(id === undefined ? {} : { id }) }),
  );
}

/**
 * Waits for nothing from the database, except the stamp in a bulk write: a conflict is reported by the statement that ends the
 * write.
 */
export async function createVehicle(work: Work, values: StoredVehicle): Promise<VehicleDetail> {
  const vehicle = { ...values, updated_at: await work.proposeStamp() };
  const shown = showNewVehicle(vehicle);
  sendVehicle(work.db, vehicle);
  recordHistory(work, vehicle.id, 'created');
  emitVehicleEvent(work, shown, 'created');
  return shown;
}

/** Fields first, then back to stock: the new status decides which fields may change. */
export async function editVehicle(work: Work, id: string, { status, ...values }: VehicleEdit): Promise<VehicleDetail> {
  const vehicle = await lockVehicle(work.db, id);
  if (vehicle.deleted_at !== null) fail('vehicle_deleted');
  const target = status ?? vehicle.status;
  if (target !== vehicle.status) await requireWayBack(work.db, vehicle, target);
  await requireReport(work, values.condition, id);
  const changes = vehicleChanges(vehicle, values, {});
  const [first, ...rest] = closedFields(vehicle.status, target, changes);
  if (first !== undefined) refuseClosed(vehicle.status, [first, ...rest]);
  let shown = Object.keys(changes).length === 0 ? null : await changeFields(work, vehicle, changes);
  if (target !== vehicle.status) shown = await backToStock(work, { ...vehicle, ...changes });
  return shown ?? readVehicle(work.db, id);
}

export function changeFields(work: Work, vehicle: StoredVehicle, columns: Columns): Promise<VehicleDetail> {
  const isPrice = 'price_minor' in columns || 'currency' in columns;
  return changeVehicle(work, vehicle, {
    columns,
    history: isPrice ? 'price_changed' : 'updated',
    events: isPrice ? ['updated', 'price_changed'] : ['updated'],
  });
}

function backToStock(work: Work, vehicle: StoredVehicle): Promise<VehicleDetail> {
  if (vehicle.status === 'Rezerve') return release(work, vehicle, 'Serbest');
  if (vehicle.status === 'Satıldı') return returnToStock(work, vehicle);
  // Only an import creates an «Auction'da» car without an auction of this account.
  return changeVehicle(work, vehicle, { columns: { status: 'Stokta' }, history: 'status_changed', events: ['status_changed'] });
}

/** A sale is cancelled: the car is in stock again, and its listing stays closed. */
export async function returnToStock(work: Work, vehicle: StoredVehicle): Promise<VehicleDetail> {
  await requireNoSwap(work.db, vehicle.id);
  return changeVehicle(work, vehicle, {
    columns: { status: 'Stokta', sold_at: null, sold_via: null, sold_price_minor: null, sold_currency: null },
    history: 'status_changed',
    events: ['status_changed'],
  });
}

export async function publishVehicle(work: Work, id: string, text: ListingText): Promise<VehicleDetail> {
  const vehicle = await lockVehicle(work.db, id);
  await requireCapability(work.db, 'marketplace');
  if (vehicle.deleted_at !== null) fail('vehicle_deleted');
  return publishLocked(work, vehicle, text);
}

/** The vehicle is locked and not deleted. */
export async function publishLocked(work: Work, vehicle: StoredVehicle, text: ListingText): Promise<VehicleDetail> {
  if (vehicle.status !== 'Stokta') fail('vehicle_not_in_stock');
  if (vehicle.is_marketplace_visible && (await openListing(work.db, vehicle.id)) !== null) fail('already_published');
  return changeVehicle(work, vehicle, {
    columns: {},
    history: 'published',
    events: ['published'],
    listing: { published: text },
    listingFirst: true,
  });
}

export async function unpublishVehicle(work: Work, id: string): Promise<VehicleDetail> {
  const vehicle = await lockVehicle(work.db, id);
  // A car that an import marked as visible may have no listing.
  if (!vehicle.is_marketplace_visible && (await openListing(work.db, id)) === null) fail('not_published');
  return changeVehicle(work, vehicle, {
    columns: {},
    history: 'unpublished',
    events: ['unpublished'],
    listing: { closed: 'kaldırıldı' },
    listingFirst: true,
  });
}

export const MARK_SOLD_FIELDS = {
  sold_at: withDefault(nullable(dayField({ past: true })), 'today', 'bugün'),
  sold_price: nullable(moneyField({ above: 0n })),
  sold_currency: withDefault(nullable(currencyField), 'the vehicle’s, with a price', 'fiyat verildiyse aracınki'),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;

/** Sold outside Galeri: to a dealer, on paper. */
export async function markSold(
  work: Work,
  id: string,
  body: Values<typeof MARK_SOLD_FIELDS>,
  alongside?: () => Promise<void>,
): Promise<VehicleDetail> {
  const { sold_at, sold_price = null, sold_currency, note = null } = body;
  const vehicle = await lockVehicle(work.db, id);
  if (sold_currency && sold_price === null) {
    const message = { en: 'sold_price is required with sold_currency', tr: 'sold_currency ile birlikte sold_price zorunludur' };
    fail('validation_failed', { details: [{ field: 'sold_price', code: 'required', message }] });
  }
  return sell(work, vehicle, {
    sold_via: 'Harici',
    sold_at: sold_at ?? work.today,
    sold_price_minor: sold_price,
    sold_currency: sold_price === null ? null : (sold_currency ?? vehicle.currency),
    note,
    ...(alongside === undefined ? {} : { alongside }),
  });
}

export interface Sold {
  readonly sold_via: 'Satış' | 'Harici';
  readonly sold_at: string;
  readonly sold_price_minor?: bigint | null;
  readonly sold_currency?: Currency | null;
  readonly note?: string | null;
  readonly alongside?: () => Promise<void>;
}

/** The vehicle is locked; the caller has checked its reservation. The reservation is completed and the listing closed. */
export async function sell(
  work: Work,
  vehicle: StoredVehicle,
  { note = null, alongside, ...columns }: Sold,
): Promise<VehicleDetail> {
  requireSellable(vehicle);
  return changeVehicle(work, vehicle, {
    ...(await endHold(work, vehicle, 'Tamamlandı')),
    columns: { ...columns, status: 'Satıldı' },
    history: 'sold',
    note,
    events: ['sold', 'status_changed'],
    listing: { closed: 'satıldı' },
    alongside,
  });
}

export function requireSellable(vehicle: StoredVehicle): void {
  if (vehicle.deleted_at !== null) fail('vehicle_deleted');
  if (vehicle.status === 'Satıldı') fail('vehicle_already_sold');
  if (vehicle.status === "Auction'da") fail('vehicle_in_auction');
}

const NOT_DELETABLE = { Rezerve: 'vehicle_reserved', "Auction'da": 'vehicle_in_auction', Satıldı: 'vehicle_sold' } as const;

export async function deleteVehicle(work: Work, id: string): Promise<VehicleDetail> {
  const vehicle = await lockVehicle(work.db, id);
  if (vehicle.deleted_at !== null) fail('not_found');
  if (vehicle.status !== 'Stokta') fail(NOT_DELETABLE[vehicle.status]);
  if ((await openDepositOn(work.db, id)) !== null) fail('deposit_open');
  return changeVehicle(work, vehicle, {
    columns: { deleted_at: work.now },
    history: 'deleted',
    events: ['deleted'],
    listing: { closed: 'silindi' },
  });
}

/** The vehicle is locked and in stock: it is returned to the customer who traded it in. */
export const removeReturned = (work: Work, vehicle: StoredVehicle, note: string): Promise<VehicleDetail> =>
  changeVehicle(work, vehicle, {
    columns: { deleted_at: work.now },
    history: 'deleted',
    note,
    events: ['deleted'],
    listing: { closed: 'silindi' },
  });

export async function restoreVehicle(work: Work, id: string): Promise<VehicleDetail> {
  const vehicle = await lockVehicle(work.db, id);
  if (vehicle.deleted_at === null) fail('vehicle_not_deleted');
  await requireRoom(work);
  return changeVehicle(work, vehicle, { columns: { deleted_at: null }, history: 'restored', events: ['restored'] });
}
