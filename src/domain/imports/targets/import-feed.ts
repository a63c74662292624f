// Rows of a connector's feed: matched by the connector's key field alone, without changing a car's status, within the plan's
// limits.
import type { Db } from '../../../kit/db.ts';
import { Failure } from '../../../kit/errors.ts';
import type { SealingKeys } from '../../../kit/work.ts';
import {
  CUSTOMER_FIELDS,
  type CustomerValues,
  customerConflict,
  lockCustomersByRefIdNoOrPhone,
  type StoredCustomer,
} from '../../customers/customer.ts';
import type { CellReading } from '../../formats/cell-text.ts';
import { vehicleRoom } from '../../membership/plan-limits.ts';
import { missingFields, readFields } from '../../records/fields.ts';
import {
  IMPORTED_VEHICLE_FIELDS,
  lockVehiclesByKey,
  newVehicle,
  type StoredVehicle,
  type VehicleValues,
  vehicleChanges,
  vehicleConflict,
} from '../../stock/vehicle.ts';
import { closedFields } from '../../stock/vehicle-locks.ts';
import { changeFields, createVehicle } from '../../stock/vehicle-writes.ts';
import type { ImportTargetName, KeyField } from '../connectors/connector-config.ts';
import {
  type Decision,
  faultOf,
  type ImportAccount,
  type ImportMoment,
  type ImportTarget,
  onlyMatch,
  present,
  RowRefusal,
} from '../import-target.ts';
import { decideCustomer } from './import-customers.ts';

export interface FeedRules {
  readonly target: ImportTargetName;
  readonly keyField: KeyField;
  readonly account: ImportAccount;
  readonly keys: SealingKeys;
  readonly reading?: (field: string) => CellReading;
  /** How many cars earlier batches of a dry run would have created: they count against the plan's limit too. */
  readonly createdBefore?: () => number;
}

export const feedTarget = (rules: FeedRules): ImportTarget => ({
  ...(rules.target === 'vehicles' ? vehicleFeed(rules) : customerFeed(rules)),
  ...(rules.reading === undefined ? {} : { reading: rules.reading }),
});

function vehicleFeed({ keyField, account, createdBefore = () => 0 }: FeedRules): ImportTarget<VehicleValues, StoredVehicle> {
  const key = keyField === 'plate' ? 'plate' : 'external_ref';
  let room: Awaited<ReturnType<typeof vehicleRoom>> = null;
  let loaded = 0;
  return {
    fields: IMPORTED_VEHICLE_FIELDS,
    read: (row, context) => readFields(IMPORTED_VEHICLE_FIELDS, row, context),
    load: async (db: Db, rows) => {
      const known = await lockVehiclesByKey(db, key, present(rows.map((row) => row[key])));
      // Lock order everywhere: cars first, then the data set.
      room = await vehicleRoom(db);
      loaded = known.length;
      return known;
    },
    decide: (known, row, moment) => {
      const stored = matchVehicle(known, key, row);
      if (stored !== null) return decideChange(stored, row);
      // Known vehicles beyond the loaded ones were created by earlier rows of this batch.
      const created = known.length - loaded + createdBefore();
      if (room !== null && created >= room.left) throw new RowRefusal([planFull(room.limit)]);
      return decideCreate(account, row, moment);
    },
    conflict: (error) => (error instanceof Failure ? faultOf(error, null) : vehicleConflict(error)),
  };
}

/** The vehicle that is neither sold nor deleted. If only sold or deleted ones match, the row is refused. */
function matchVehicle(known: readonly StoredVehicle[], key: 'plate' | 'external_ref', row: VehicleValues): StoredVehicle | null {
  const value = row[key];
  if (value === undefined || value === null) throw new RowRefusal([keyMissing(key)]);
  const found = known.filter((one) => one[key] === value);
  const open = found.find(({ deleted_at, status }) => deleted_at === null && status !== 'Satıldı');
  if (open !== undefined) return open;
  if (found.length === 0) return null;
  const isSold = found.some(({ deleted_at }) => deleted_at === null);
  const message = isSold
    ? { en: 'The vehicle is sold; a feed does not change it', tr: 'Araç satılmış; kaynak onu değiştirmez' }
    : { en: 'The vehicle is deleted; restore it first', tr: 'Araç silinmiş; önce geri yükleyin' };
  throw new RowRefusal([{ field: key, code: 'vehicle_locked', message }]);
}

function decideCreate(account: ImportAccount, values: VehicleValues, { today, now }: ImportMoment): Decision<StoredVehicle> {
  const errors = missingFields(IMPORTED_VEHICLE_FIELDS, values);
  if (errors.length > 0) throw new RowRefusal(errors);
  const vehicle = newVehicle(values, {}, { currency: account.default_currency, today, now });
  return { outcome: 'created', stored: vehicle, write: async (work) => createVehicle(work, vehicle) };
}

function decideChange(stored: StoredVehicle, values: VehicleValues): Decision<StoredVehicle> {
  const changes = vehicleChanges(stored, values, {});
  if (Object.keys(changes).length === 0) return { outcome: 'unchanged' };
  const closed = closedFields(stored.status, stored.status, changes);
  if (closed.length > 0) throw new RowRefusal(closed);
  return { outcome: 'updated', stored: { ...stored, ...changes }, write: (work) => changeFields(work, stored, changes) };
}

function customerFeed({ keyField, keys, account: { country } }: FeedRules): ImportTarget<CustomerValues, StoredCustomer> {
  const key = keyField === 'phone' ? 'phone' : 'external_ref';
  return {
    fields: CUSTOMER_FIELDS,
    read: (row, context) => readFields(CUSTOMER_FIELDS, row, context),
    load: (db, rows) => {
      const values = present(rows.map((row) => row[key]));
      return lockCustomersByRefIdNoOrPhone(db, {
        refs: key === 'external_ref' ? values : [],
        idNoIndexes: [],
        phones: key === 'phone' ? values : [],
      });
    },
    decide: (known, row, { now }) => {
      const value = row[key];
      if (value === undefined || value === null) throw new RowRefusal([keyMissing(key)]);
      const found = onlyMatch(
        known.filter((one) => one[key] === value),
        key,
      );
      return decideCustomer({ keys, country }, found, row, { now });
    },
    conflict: (error) => (error instanceof Failure ? faultOf(error, null) : customerConflict(error)),
  };
}

const keyMissing = (field: string) => ({
  field,
  code: 'required',
  message: { en: `${field} is required: rows are matched by it`, tr: `Satırlar ${field} ile eşleşir; bu satırda yok` },
});

const planFull = (limit: number) => ({
  field: null,
  code: 'plan_limit_reached',
  message: {
    en: `Your plan’s limit for vehicles in stock is ${limit}`,
    tr: `Planınızın stok aracı limiti ${limit}; yenisi eklenemez`,
  },
});
