// One change of a vehicle, whole: its row, its listing, its history entry, its events in their order.
import { allAnswers } from '../../kit/db.ts';
import type { EndedReservation, Work } from '../../kit/work.ts';
import { type Columns, changedColumns } from '../records/record.ts';
import { type ListingMove, type MovedListing, moveListing, tellListing } from './listings.ts';
import { refuseConflict, type StoredVehicle, updateVehicle } from './vehicle.ts';
import { type Change, changedFieldsOf, changesOf, type HistoryEvent, recordHistory } from './vehicle-history.ts';
import { readVehicle, type VehicleDetail } from './vehicle-view.ts';

export interface VehicleMove {
  /** Of the vehicle's own row. Whether it is shown on the marketplace follows from its listing. */
  readonly columns: Columns;
  readonly history: HistoryEvent;
  readonly note?: string | null;
  /** What changed beside the row: the reservation. */
  readonly beside?: readonly Change[];
  /** The hold that ended with it. */
  readonly ended?: EndedReservation | null;
  /** The agreement for which the car leaves stock, which outlives that. */
  readonly leftFor?: string | null;
  /** `reserved` for vehicle.reserved. */
  readonly tells: readonly string[];
  readonly listing?: ListingMove;
  /** Publishing is told of the listing first. */
  readonly listingFirst?: true;
}

/** The vehicle is locked, and the change allowed. */
export async function applyMove(work: Work, vehicle: StoredVehicle, move: VehicleMove): Promise<VehicleDetail> {
  const listing = move.listing === undefined ? null : await moveListing(work, vehicle, move.listing);
  const visibility = move.listing === undefined ? {} : { is_marketplace_visible: listing?.isVisible ?? false };
  const columns = changedColumns(vehicle, { ...move.columns, ...visibility });
  const updated = updateVehicle(work.db, vehicle.id, columns, work.now).catch(refuseConflict);
  const changes = [...changesOf(vehicle, columns), ...(move.beside ?? [])];
  recordHistory(work, vehicle.id, move.history, changes, move.note ?? null);
  const [shown] = await allAnswers([readVehicle(work.db, vehicle.id), updated]);
  if (move.listingFirst) await tellOf(work, listing);
  for (const verb of move.tells) tellVehicle(work, shown, verb, changes);
  await follow(work, vehicle, columns, move, listing);
  return shown;
}

/** What others do about it. An agreement that falls through is told before the car is on the marketplace again. */
async function follow(
  work: Work,
  vehicle: StoredVehicle,
  columns: Columns,
  { ended = null, leftFor = null, listingFirst }: VehicleMove,
  listing: MovedListing | null,
): Promise<void> {
  const { consequences } = work;
  if (ended !== null && ended.outcome !== 'completed') await consequences.reservationEnded(work, ended);
  if (!listingFirst) await tellOf(work, listing);
  if (ended?.outcome === 'completed') await consequences.reservationEnded(work, ended);
  if (hasLeftStock(vehicle, columns)) await consequences.vehicleLeftStock(work, vehicle, { except: leftFor });
  if (listing?.kind === 'listing.closed') await consequences.listingClosed(work, { id: listing.id, vehicle_id: vehicle.id });
}

function hasLeftStock(before: StoredVehicle, changed: Columns): boolean {
  const isInStock = ({ status, deleted_at }: Columns) => status === 'Stokta' && deleted_at === null;
  return isInStock(before) && !isInStock({ ...before, ...changed });
}

const tellOf = async (work: Work, listing: MovedListing | null): Promise<void> => {
  if (listing !== null) await tellListing(work, listing);
};

export function tellVehicle(work: Work, shown: VehicleDetail, verb: string, changes: readonly Change[] = []): void {
  const { id } = shown;
  work.emit({ kind: `vehicle.${verb}`, id, path: `vehicles/${id}`, object: shown, ...changedFieldsOf(changes) });
}
