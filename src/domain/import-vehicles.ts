// Imported vehicles: matched by external_ref, else by plate; the state a car has elsewhere is taken over as it is given.
import { dayIn } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { type FieldContext, flagField, instantField, missingFields, oneOfField, readFields, type Values } from './fields.ts';
import { type ImportAccount, type ImportTarget, type Outcome, onlyMatch, RowRefusal } from './import-target.ts';
import type { Columns } from './record.ts';
import {
  findVehiclesByPlate,
  findVehiclesByRef,
  insertVehicle,
  lockedColumns,
  type StoredVehicle,
  updateVehicle,
  VEHICLE_FIELDS,
  VEHICLE_STATUSES,
  type VehicleState,
  vehicleChanges,
  vehicleConflict,
  withVehicleDefaults,
} from './vehicle.ts';

const FIELDS = {
  ...VEHICLE_FIELDS,
  status: oneOfField(VEHICLE_STATUSES),
  is_marketplace_visible: flagField,
  created_at: instantField,
} as const;
type GivenVehicle = Values<typeof FIELDS>;

export const vehicleTarget = (account: ImportAccount): ImportTarget => ({
  fields: FIELDS,
  prepare: (given, context) => {
    const { values, errors } = readFields(FIELDS, given, context);
    return errors.length > 0 ? { errors } : { apply: (db, now) => applyVehicle(db, account, values, context, now) };
  },
  conflict: vehicleConflict,
});

async function applyVehicle(
  db: Db,
  account: ImportAccount,
  { status, is_marketplace_visible, created_at, ...values }: GivenVehicle,
  { today }: FieldContext,
  now: Date,
): Promise<Outcome> {
  const stored = await matchVehicle(db, values);
  const state: VehicleState = {
    ...(status === undefined ? {} : stateOf(status, stored, today)),
    ...(is_marketplace_visible === undefined ? {} : { is_marketplace_visible }),
    ...(created_at === undefined ? {} : { created_at }),
  };
  if (stored === null) {
    const errors = missingFields(FIELDS, values);
    if (errors.length > 0) throw new RowRefusal(errors);
    // A car that was taken in earlier ages from then.
    const stocked = created_at === undefined ? today : dayIn(created_at, account.timezone);
    await insertVehicle(db, withVehicleDefaults(values, { currency: account.default_currency, today: stocked }), state, now);
    return 'created';
  }
  const changes = vehicleChanges(stored, values, state);
  if (Object.keys(changes).length === 0) return 'unchanged';
  refuseLocked(stored, changes);
  await updateVehicle(db, stored.id, changes, now);
  return 'updated';
}

async function matchVehicle(db: Db, { external_ref, plate }: GivenVehicle): Promise<StoredVehicle | null> {
  const byRef = external_ref ? onlyMatch(await findVehiclesByRef(db, external_ref), 'external_ref') : null;
  if (byRef !== null || plate === undefined) return byRef;
  return onlyMatch(await findVehiclesByPlate(db, plate, external_ref ?? null), 'plate');
}

/** The reservation, auction or sale behind the state is kept elsewhere; nothing that is not in stock is shown on the marketplace. */
function stateOf(status: NonNullable<GivenVehicle['status']>, stored: StoredVehicle | null, today: string): VehicleState {
  const hidden = status === 'Stokta' ? {} : { is_marketplace_visible: false };
  if (status !== 'Satıldı') return { status, sold_at: null, sold_via: null, ...hidden };
  return stored?.status === 'Satıldı' ? { status, ...hidden } : { status, sold_at: today, sold_via: 'Harici', ...hidden };
}

/** A car sold here by a sale changes as that sale lets it; one sold elsewhere follows the file. */
function refuseLocked(stored: StoredVehicle, changes: Columns): void {
  const locked = stored.sold_via === 'Satış' ? lockedColumns(stored.status, changes) : [];
  if (locked.length === 0) return;
  const field = locked[0]!.replace(/_minor$/, '');
  throw new RowRefusal([
    {
      field,
      code: 'vehicle_locked',
      message: { en: `The vehicle is sold; ${field} can no longer change`, tr: `Araç satılmış; ${field} artık değişemez` },
    },
  ]);
}
