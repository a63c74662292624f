// What is done to a vehicle: taken in, edited, deleted, restored. Each keeps its history and tells of itself.
import { fail } from '../kit/errors.ts';
import type { Currency } from '../kit/money.ts';
import { own, sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import type { FieldError } from './fields.ts';
import type { Whole } from './takes.ts';
import type { VEHICLE_FIELDS } from './vehicle.ts';
import { insertVehicle, newVehicle, vehicleConflict } from './vehicle.ts';
import { recordHistory } from './vehicle-history.ts';
import { readVehicle, type VehicleDetail } from './vehicle-view.ts';

export async function addVehicle(work: Work, values: Whole<typeof VEHICLE_FIELDS>): Promise<VehicleDetail> {
  const { db, now, today } = work;
  const { default_currency } = await db.one<{ default_currency: Currency }>(sql`select default_currency from ${own('accounts')}`);
  await requireRoom(work);
  const vehicle = newVehicle(values, {}, { currency: default_currency, today, now });
  await insertVehicle(db, vehicle).catch(refuseConflict);
  await recordHistory(work, vehicle.id, 'created');
  const shown = await readVehicle(db, vehicle.id);
  work.emit({ kind: 'vehicle.created', id: vehicle.id, path: `vehicles/${vehicle.id}`, object: shown });
  return shown;
}

/** Cars not deleted and not sold count. The account's row is locked, so that two at once cannot both take the last place. */
export async function requireRoom({ db }: Work): Promise<void> {
  const [limited] = await db.rows<{ vehicle_limit: number }>(
    sql`select vehicle_limit from ${own('accounts')} where vehicle_limit is not null`,
  );
  if (limited === undefined) return;
  await db.exec(sql`select from ${own('data_sets')} for update`);
  const { count } = await db.one<{ count: bigint }>(
    sql`select count(*) from ${own('vehicles')} where deleted_at is null and status <> 'Satıldı'`,
  );
  if (count >= limited.vehicle_limit) fail('plan_limit_reached', { words: { limit: limited.vehicle_limit } });
}

/** What the database refused, said in the caller's terms. */
export function refuseConflict(error: unknown): never {
  const conflict = vehicleConflict(error);
  if (conflict === null) throw error;
  return refuseAs(conflict);
}

const refuseAs = (conflict: FieldError): never =>
  fail(conflict.code as 'plate_in_use', { details: [conflict], words: { field: conflict.field } });
