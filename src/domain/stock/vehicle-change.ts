// One complete change of a vehicle: its row, its listing, its history entry and its events in order.
import { allAnswers } from '../../kit/db.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { type Columns, changedColumns, updateStamped } from '../records/record.ts';
import { emitListingEvent, type ListingMove, type MovedListing, moveListing } from './listings.ts';
import { refuseConflict, type StoredVehicle } from './vehicle.ts';
import { type Change, changedFieldsOf, changesOf, type HistoryEvent, recordHistory } from './vehicle-history.ts';
import { readVehicle, type VehicleDetail } from './vehicle-view.ts';

export interface VehicleChange {
  /** Columns of the vehicle's row. Its visibility on the marketplace follows from the listing. */
  readonly columns: Columns;
  readonly history: HistoryEvent;
  readonly note?: string | null;
  /** Changes outside the row, namely of the reservation. */
  readonly otherChanges?: readonly Change[];
  /** The reservation that ended with the change. */
  readonly ended?: EndedReservation | null;
  /** The agreement for which the car leaves stock; it stays valid. */
  readonly leftFor?: string | null;
  /** Verbs of the events: `reserved` for vehicle.reserved. */
  readonly events: readonly string[];
  readonly listing?: ListingMove;
  /** Other events of the same change, emitted after the vehicle's own and before the listing's. */
  readonly alongside?: (() => Promise<void>) | undefined;
  /** The listing's event comes before the vehicle's events, as when publishing. */
  readonly listingFirst?: true;
}

/** The vehicle is locked, and the caller has checked that the change is allowed. */
export async function changeVehicle(work: Work, vehicle: StoredVehicle, change: VehicleChange): Promise<VehicleDetail> {
  const listing = change.listing === undefined ? null : await moveListing(work, vehicle, change.listing);
  const visibility = change.listing === undefined ? {} : { is_marketplace_visible: listing?.isVisible ?? false };
  const columns = changedColumns(vehicle, { ...change.columns, ...visibility });
  const updated = updateStamped(work, 'vehicles', vehicle.id, columns).catch(refuseConflict({ ...vehicle, ...columns }));
  const changes = [...changesOf(vehicle, columns), ...(change.otherChanges ?? [])];
  recordHistory(work, vehicle.id, change.history, changes, change.note ?? null);
  const [shown] = await allAnswers([readVehicle(work.db, vehicle.id), updated]);
  if (change.listingFirst) await emitIfMoved(work, listing);
  for (const verb of change.events) emitVehicleEvent(work, shown, verb, changes);
  await change.alongside?.();
  await follow(work, vehicle, columns, change, listing);
  return shown;
}

/** Lets other subjects react. A failed agreement is reported before the car is on the marketplace again. */
async function follow(
  work: Work,
  vehicle: StoredVehicle,
  columns: Columns,
  { ended = null, leftFor = null, listingFirst }: VehicleChange,
  listing: MovedListing | null,
): Promise<void> {
  const { consequences } = work;
  if (ended !== null && ended.outcome !== 'completed') await consequences.reservationEnded(work, ended);
  if (!listingFirst) await emitIfMoved(work, listing);
  if (ended?.outcome === 'completed') await consequences.reservationEnded(work, ended);
  if (hasLeftStock(vehicle, columns)) await consequences.vehicleLeftStock(work, vehicle, { except: leftFor });
  if (listing?.kind === 'listing.closed') await consequences.listingClosed(work, { id: listing.id, vehicle_id: vehicle.id });
}

function hasLeftStock(before: StoredVehicle, changed: Columns): boolean {
  const isInStock = ({ status, deleted_at }: Columns) => status === 'Stokta' && deleted_at === null;
  return isInStock(before) && !isInStock({ ...before, ...changed });
}

const emitIfMoved = async (work: Work, listing: MovedListing | null): Promise<void> => {
  if (listing !== null) await emitListingEvent(work, listing);
};

export function emitVehicleEvent(work: Work, shown: VehicleDetail, verb: string, changes: readonly Change[] = []): void {
  const { id } = shown;
  work.emit({ kind: `vehicle.${verb}`, id, path: `vehicles/${id}`, object: shown, ...changedFieldsOf(changes) });
}
