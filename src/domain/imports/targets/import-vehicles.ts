// Imported vehicles: matched by external_ref, else by plate. A file may set a status whose reservation, auction or sale is
// recorded in another system; otherwise it may change only what PATCH may.
import { dayIn } from '../../../kit/clock.ts';
import { Failure } from '../../../kit/errors.ts';
import type { Work } from '../../../kit/work.ts';
import { flagField, instantField, missingFields, oneOfField, readFields, type Values } from '../../records/fields.ts';
import type { Columns } from '../../records/record.ts';
import { emitListingEvent, type ListingMove, moveListing } from '../../stock/listings.ts';
import { endHold } from '../../stock/reservations.ts';
import { VEHICLE_STATUSES, type VehicleStatus } from '../../stock/stock-states.ts';
import {
  IMPORTED_VEHICLE_FIELDS,
  lockVehiclesByRefOrPlate,
  newVehicle,
  type StoredVehicle,
  type VehicleState,
  vehicleChanges,
  vehicleConflict,
} from '../../stock/vehicle.ts';
import { changeVehicle } from '../../stock/vehicle-change.ts';
import { type ClosedField, carsInAuction, closedFields, requireNoSwap } from '../../stock/vehicle-locks.ts';
import { createVehicle } from '../../stock/vehicle-writes.ts';
import {
  type Decision,
  faultOf,
  type ImportAccount,
  type ImportMoment,
  type ImportTarget,
  onlyMatch,
  present,
  type RowFault,
  RowRefusal,
} from '../import-target.ts';

const FIELDS = {
  ...IMPORTED_VEHICLE_FIELDS,
  status: oneOfField(VEHICLE_STATUSES),
  is_marketplace_visible: flagField,
  created_at: instantField,
} as const;
type VehicleRow = Values<typeof FIELDS>;

export function vehicleTarget(account: ImportAccount): ImportTarget<VehicleRow, StoredVehicle> {
  let inAuction: ReadonlySet<string> = new Set();
  return {
    fields: FIELDS,
    read: (row, context) => readFields(FIELDS, row, context),
    load: async (db, rows) => {
      const [refs, plates] = [present(rows.map((row) => row.external_ref)), present(rows.map((row) => row.plate))];
      const known = await lockVehiclesByRefOrPlate(db, refs, plates);
      inAuction = await carsInAuction(
        db,
        known.map(({ id }) => id),
      );
      return known;
    },
    decide: (known, row, moment) => decide(account, { known, inAuction }, row, moment),
    conflict: refusedField,
  };
}

function decide(
  account: ImportAccount,
  { known, inAuction }: { readonly known: readonly StoredVehicle[]; readonly inAuction: ReadonlySet<string> },
  { status, is_marketplace_visible, created_at, ...values }: VehicleRow,
  { today, now }: ImportMoment,
): Decision<StoredVehicle> {
  const stored = matchVehicle(known, values);
  if (is_marketplace_visible && stored !== null && inAuction.has(stored.id)) throw new RowRefusal([NOT_PUBLISHED_IN_AUCTION]);
  // Only a car in stock is visible; a listing of a reserved one waits for its release.
  const canBeVisible = (status ?? stored?.status ?? 'Stokta') === 'Stokta';
  const state: VehicleState = {
    ...(status === undefined ? {} : stateOf(status, stored, today)),
    ...(is_marketplace_visible === undefined ? {} : { is_marketplace_visible: is_marketplace_visible && canBeVisible }),
  };
  if (stored === null) {
    const errors = missingFields(FIELDS, values);
    if (errors.length > 0) throw new RowRefusal(errors);
    // Stock age counts from the day on which the car was taken in. It does not change for an existing car, because lists are
    // ordered by it.
    const made = created_at === undefined ? {} : { created_at };
    const stocked = created_at === undefined ? today : dayIn(created_at, account.timezone);
    const vehicle = newVehicle(values, { ...state, ...made }, { currency: account.default_currency, today: stocked, now });
    return { outcome: 'created', stored: vehicle, write: (work) => createImported(work, vehicle) };
  }
  const changes = vehicleChanges(stored, values, state);
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  refuseClosed(stored, changes, inAuction.has(stored.id));
  return { outcome: 'updated', stored: { ...stored, ...changes }, write: (work) => applyImported(work, stored, changes) };
}

const NOT_PUBLISHED_IN_AUCTION: RowFault = {
  field: 'is_marketplace_visible',
  code: 'vehicle_in_auction',
  message: {
    en: 'The vehicle is in an auction; it cannot be published on the marketplace',
    tr: 'Araç müzayedede; pazar yerinde yayınlanamaz',
  },
};

/** A violated constraint, a field rule, or the plan's limit of listings. */
const refusedField = (error: unknown): RowFault | null =>
  error instanceof Failure ? faultOf(error, 'is_marketplace_visible') : vehicleConflict(error);

/** A car that is visible on the marketplace also gets a listing. */
async function createImported(work: Work, vehicle: StoredVehicle): Promise<void> {
  const isListed = vehicle.is_marketplace_visible && vehicle.status === 'Stokta';
  await createVehicle(work, vehicle);
  if (isListed) await emitListingEvent(work, (await moveListing(work, vehicle, { published: {} }))!);
}

/** Takes the given status over: an active reservation ends, and the listing follows. */
async function applyImported(work: Work, stored: StoredVehicle, changes: Columns): Promise<void> {
  const after = { ...stored, ...changes };
  const isMoved = after.status !== stored.status;
  if (isMoved && stored.status === 'Satıldı') await requireNoSwap(work.db, stored.id);
  const hold = isMoved ? await endHold(work, stored, after.status === 'Satıldı' ? 'Tamamlandı' : 'Serbest') : {};
  const isPrice = 'price_minor' in changes || 'currency' in changes;
  const isEdit = !isMoved || Object.keys(changes).some((column) => !STATE.has(column));
  const listing = listingMove(stored, after, 'is_marketplace_visible' in changes);
  await changeVehicle(work, stored, {
    columns: changes,
    history: isMoved ? 'status_changed' : isPrice ? 'price_changed' : 'updated',
    ...hold,
    events: [
      ...(isEdit ? ['updated'] : []),
      ...(isPrice ? ['price_changed'] : []),
      ...(isMoved ? statusEvents(stored, after) : []),
    ],
    ...(listing === undefined ? {} : { listing }),
  });
}

const STATE = new Set(['status', 'sold_at', 'sold_via', 'is_marketplace_visible']);

function statusEvents(before: StoredVehicle, after: StoredVehicle): string[] {
  if (after.status === 'Satıldı') return ['sold', 'status_changed'];
  return before.status === 'Rezerve' && after.status === 'Stokta'
    ? ['reservation_released', 'status_changed']
    : ['status_changed'];
}

function listingMove(before: StoredVehicle, after: StoredVehicle, isVisibilityGiven: boolean): ListingMove | undefined {
  if (after.status === 'Satıldı') return { closed: 'satıldı' };
  if (after.status === "Auction'da") return { closed: 'ihalede' };
  if (after.status === 'Rezerve') return 'suspended';
  if (isVisibilityGiven) return after.is_marketplace_visible ? { published: {} } : { closed: 'kaldırıldı' };
  return before.status === 'Rezerve' ? 'resumed' : undefined;
}

/**
 * A plate matches the car that is not sold, otherwise a sold one. A sold car with another external_ref than the row's was the
 * same car in an earlier stock period and does not match.
 */
export function matchVehicle(
  known: readonly StoredVehicle[],
  { external_ref, plate }: Pick<VehicleRow, 'external_ref' | 'plate'>,
): StoredVehicle | null {
  const byRef = external_ref
    ? onlyMatch(
        known.filter((one) => one.external_ref === external_ref),
        'external_ref',
      )
    : null;
  if (byRef !== null) return byRef;
  const byPlate = known.filter((one) => one.plate === plate);
  const unsold = onlyMatch(
    byPlate.filter((one) => one.status !== 'Satıldı'),
    'plate',
  );
  return (
    unsold ??
    onlyMatch(
      byPlate.filter((one) => !external_ref || one.external_ref === null),
      'plate',
    )
  );
}

/** The reservation, auction or sale of the status is recorded in the other system. A car that is not in stock is not visible. */
function stateOf(status: VehicleStatus, stored: StoredVehicle | null, today: string): VehicleState {
  const hidden = status === 'Stokta' ? {} : { is_marketplace_visible: false };
  if (status !== 'Satıldı') return { status, sold_at: null, sold_via: null, ...hidden };
  return stored?.status === 'Satıldı' ? { status, ...hidden } : { status, sold_at: today, sold_via: 'Harici', ...hidden };
}

/** The row is refused as a whole. */
function refuseClosed(stored: StoredVehicle, changes: Columns, isInAuction: boolean): void {
  const { status = stored.status } = changes as VehicleState;
  const values = Object.fromEntries(Object.entries(changes).filter(([column]) => !STATE.has(column)));
  const closed = [
    ...(status === stored.status ? [] : closedStatus(stored, isInAuction)),
    ...closedFields(stored.status, status, values),
  ];
  if (closed.length > 0) throw new RowRefusal(closed);
}

/** A sale made in Galeri ends with its cancellation, an auction made in Galeri with its end. */
function closedStatus({ status, sold_via }: StoredVehicle, isInAuction: boolean): ClosedField[] {
  const isSoldHere = status === 'Satıldı' && sold_via === 'Satış';
  if (!isSoldHere && !isInAuction) return [];
  const message = isSoldHere
    ? { en: 'The vehicle was sold by a sale; status follows the sale', tr: 'Araç bir satışla satılmış; status satışı izler' }
    : { en: 'The vehicle is in an auction; status cannot change', tr: 'Araç müzayedede; status değiştirilemez' };
  return [{ field: 'status', code: isSoldHere ? 'vehicle_locked' : 'vehicle_in_auction', message }];
}
