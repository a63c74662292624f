// A vehicle's fields, the rules for them, and its database row.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import {
  currencyField,
  dayField,
  distinctTextsField,
  type FieldError,
  integerField,
  moneyField,
  nullable,
  oneOfField,
  required,
  textField,
  uuidField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import {
  type Columns,
  changedColumns,
  columnList,
  columnOf,
  columnsOfValues,
  lockRecords,
  lockRecordsByAny,
  sendRecord,
  violatedConstraint,
} from '../records/record.ts';
import {
  BODY_TYPES,
  DRIVES,
  FUEL_TYPES,
  STEERING_SIDES,
  TRANSMISSIONS,
  VEHICLE_SOURCES,
  VEHICLE_STATUSES,
  type VehicleStatus,
} from './stock-states.ts';
import { conditionField } from './vehicle-condition.ts';

/** Plates and serial numbers have ASCII letters only; in a Turkish locale i becomes İ, which is replaced by I. */
const asciiUpper = (text: string): string => text.toUpperCase().normalize('NFC').replaceAll('İ', 'I');

export const normalPlate = (text: string): string => asciiUpper(text).replace(/\s+/g, ' ').trim();

/** Chassis and engine numbers are written with and without spaces. */
const normalSerial = (text: string): string => asciiUpper(text).replace(/\s/g, '');

const equipmentField = distinctTextsField(textField(40), 60);

export const VEHICLE_FIELDS = {
  brand: required(textField(80)),
  model: required(textField(80)),
  model_year: required(integerField(1950, ({ today }) => Number(today.slice(0, 4)) + 1)),
  km: required(integerField(0, 2_000_000)),
  fuel_type: required(oneOfField(FUEL_TYPES)),
  transmission: required(oneOfField(TRANSMISSIONS)),
  body_type: required(oneOfField(BODY_TYPES)),
  color: required(textField(40)),
  plate: required(textField(15, { min: 2, tidy: normalPlate })),
  city: required(textField(60)),
  price: required(moneyField({ above: 0n })),
  currency: withDefault(currencyField, 'the account’s currency', 'hesabın para birimi'),
  trim: nullable(textField(80)),
  description: nullable(textField(5000, { lines: true })),
  branch_id: nullable(uuidField),
  stock_date: withDefault(dayField(), 'today', 'bugün'),
  source: withDefault(oneOfField(VEHICLE_SOURCES), '`Satın Alma`'),
  external_ref: nullable(textField(120)),
  condition: nullable(conditionField),
  engine_cc: nullable(integerField(50, 10_000)),
  power_hp: nullable(integerField(1, 3_000)),
  drive: nullable(oneOfField(DRIVES)),
  steering: nullable(oneOfField(STEERING_SIDES)),
  doors: nullable(integerField(2, 6)),
  seats: nullable(integerField(1, 60)),
  owners: nullable(integerField(0, 20)),
  inspection_until: nullable(dayField()),
  equipment: nullable(equipmentField),
  warranty: nullable(textField(200)),
  purchase_price: nullable(moneyField()),
  purchase_currency: withDefault(nullable(currencyField), 'that of the price, where there are costs', 'maliyet varsa fiyatınki'),
  customs_fee: nullable(moneyField()),
  other_costs: nullable(moneyField()),
  chassis_no: nullable(textField(40, { tidy: normalSerial })),
  engine_no: nullable(textField(40, { tidy: normalSerial })),
} as const;
export type VehicleValues = Values<typeof VEHICLE_FIELDS>;

const { condition: _, ...imported } = VEHICLE_FIELDS;
/** The condition has no columns in files and feeds. */
export const IMPORTED_VEHICLE_FIELDS = imported;

/** Write-only fields. */
export const WRITE_ONLY_VEHICLE_FIELDS = [
  'purchase_price',
  'purchase_currency',
  'customs_fee',
  'other_costs',
  'chassis_no',
  'engine_no',
] as const;

/** An edit can also return the car to stock; other statuses have their own endpoints. */
export const VEHICLE_EDIT_FIELDS = { ...VEHICLE_FIELDS, status: oneOfField(VEHICLE_STATUSES) } as const;
export type VehicleEdit = Values<typeof VEHICLE_EDIT_FIELDS>;

/** Set by transitions and imports, never directly by a caller of the API. */
export interface VehicleState {
  readonly status?: VehicleStatus;
  readonly sold_at?: string | null;
  readonly sold_via?: 'Satış' | 'Harici' | null;
  readonly is_marketplace_visible?: boolean;
  readonly created_at?: Date;
}

/** A vehicle's row, by column. */
export interface StoredVehicle extends Columns {
  readonly id: string;
  readonly plate: string;
  readonly status: VehicleStatus;
  readonly sold_via: 'Satış' | 'Harici' | null;
  readonly currency: Currency;
  readonly purchase_currency: Currency | null;
  readonly external_ref: string | null;
  readonly brand: string;
  readonly model: string;
  readonly model_year: number;
  readonly price_minor: bigint;
  readonly is_marketplace_visible: boolean;
  readonly deleted_at: Date | null;
}

const COLUMNS = [
  ...Object.keys(VEHICLE_FIELDS).map((name) => columnOf(VEHICLE_FIELDS, name)),
  ...['id', 'status', 'sold_at', 'sold_via', 'sold_price_minor', 'sold_currency', 'is_marketplace_visible'],
  ...['created_at', 'updated_at', 'deleted_at'],
];

const EMPTY: Columns = Object.fromEntries(COLUMNS.map((column) => [column, null]));

/** Deleted ones too. Vehicles come first in the lock order: a change of a car, its reservation or its listing locks its row. */
export const lockVehicle = (db: Db, id: string): Promise<StoredVehicle> =>
  db.one<StoredVehicle>(sql`select ${columnList(COLUMNS)} from ${own('vehicles')} where id = ${id} for update`);

/** For an id in a body: null if there is none. */
export async function lockNamedVehicle(db: Db, id: string): Promise<StoredVehicle | null> {
  const [found] = await db.rows<StoredVehicle>(
    sql`select ${columnList(COLUMNS)} from ${own('vehicles')} where id = ${id} for update`,
  );
  return found ?? null;
}

/** Conflicts are reported by the statement with which it is sent. */
export const sendVehicle = (db: Db, vehicle: StoredVehicle): void => sendRecord(db, 'vehicles', vehicle, refuseConflict(vehicle));

/** Locks in id order, so that two writes on the same cars cannot deadlock. */
export async function lockVehicles(db: Db, ids: readonly string[]): Promise<void> {
  await db.exec(sql`select from ${own('vehicles')} where id = any(${ids}::uuid[]) order by id for update`);
}

/** Locks all vehicles that have one of the references or plates, sold ones too. */
export async function lockVehiclesByRefOrPlate(
  db: Db,
  refs: readonly string[],
  plates: readonly string[],
): Promise<StoredVehicle[]> {
  // Plates in two queries, because the unique index on plates covers unsold cars only; sold ones are scanned once for the whole list.
  return lockRecordsByAny<StoredVehicle>(db, 'vehicles', COLUMNS, [
    sql`external_ref = any(${refs}::text[])`,
    sql`plate = any(${plates}::text[]) and status <> 'Satıldı'`,
    sql`plate = any(${plates}::text[]) and status = 'Satıldı'`,
  ]);
}

/** All vehicles that have one of the values, sold and deleted ones too. Those not deleted are locked. */
export async function lockVehiclesByKey(
  db: Db,
  key: 'plate' | 'external_ref',
  values: readonly string[],
): Promise<StoredVehicle[]> {
  const condition = sql`${rawSql(key)} = any(${values}::text[])`;
  // Two queries, because each has its own index.
  const found = await Promise.all([
    lockRecords<StoredVehicle>(db, 'vehicles', COLUMNS, condition),
    db.rows<StoredVehicle>(
      sql`select ${columnList(COLUMNS)} from ${own('vehicles')} where deleted_at is not null and ${condition}`,
    ),
  ]);
  return found.flat();
}

/** The whole row of a new vehicle, with defaults for fields that are not given. */
export function newVehicle(
  values: VehicleValues,
  state: VehicleState,
  defaults: { readonly currency: Currency; readonly today: string; readonly now: Date; readonly id?: string },
): StoredVehicle {
  const currency = values.currency ?? defaults.currency;
  const columns = {
    ...EMPTY,
    id: defaults.id ?? newId(defaults.now.getTime()),
    source: 'Satın Alma',
    stock_date: defaults.today,
    status: 'Stokta',
    is_marketplace_visible: false,
    created_at: defaults.now,
    updated_at: defaults.now,
    ...columnsOfValues(VEHICLE_FIELDS, { ...values, currency, ...costCurrency(values, currency, null) }),
    ...state,
  };
  return columns as Columns as StoredVehicle;
}

/** Costs have the currency of the price unless another is given. */
function costCurrency(values: VehicleValues, currency: Currency, stored: Currency | null): VehicleValues {
  const costs = [values.purchase_price, values.customs_fee, values.other_costs];
  const unnamed = values.purchase_currency === undefined && stored === null;
  return unnamed && costs.some((cost) => cost !== undefined && cost !== null) ? { purchase_currency: currency } : {};
}

/** The columns that the given fields and state would change. */
export function vehicleChanges(stored: StoredVehicle, values: VehicleValues, state: VehicleState): Columns {
  const costs = costCurrency(values, values.currency ?? stored.currency, stored.purchase_currency);
  return changedColumns(stored, { ...columnsOfValues(VEHICLE_FIELDS, { ...values, ...costs }), ...state });
}

const CONFLICTS: Readonly<Record<string, FieldError>> = {
  vehicles_plate: {
    field: 'plate',
    code: 'plate_in_use',
    message: { en: 'Another vehicle in stock already has this plate', tr: 'Stoktaki başka bir araç bu plakayı taşıyor' },
  },
  vehicles_chassis: {
    field: 'chassis_no',
    code: 'chassis_in_use',
    message: {
      en: 'Another vehicle in stock already has this chassis number',
      tr: 'Stoktaki başka bir araç bu şasi numarasını taşıyor',
    },
  },
  vehicles_external_ref: {
    field: 'external_ref',
    code: 'external_ref_in_use',
    message: { en: 'Another vehicle has this external_ref', tr: 'Başka bir araç bu external_ref değerini taşıyor' },
  },
  vehicles_account_id_branch_id_fkey: {
    field: 'branch_id',
    code: 'unknown_reference',
    message: { en: 'branch_id names no branch of this account', tr: 'branch_id bu hesabın bir şubesi değil' },
  },
};

/** The field at fault if the database refused a vehicle because of the caller's values; null otherwise. */
export const vehicleConflict = (error: unknown): FieldError | null => CONFLICTS[violatedConstraint(error) ?? ''] ?? null;

/** Turns a violated constraint into the API's refusal. `columns`: as they were to be stored. */
export const refuseConflict =
  (columns: Columns) =>
  (error: unknown): never => {
    const conflict = vehicleConflict(error);
    if (conflict === null) throw error;
    const { field, code } = conflict;
    const facts = { details: [conflict], words: { field } };
    if (code === 'unknown_reference') return fail(code, facts);
    const isHeld = field === 'external_ref' ? sql`true` : sql`status <> 'Satıldı'`;
    const find = sql`select id from ${own('vehicles')}
      where ${rawSql(field)} = ${columns[field]} and id <> ${columns.id} and deleted_at is null and ${isHeld}`;
    return fail(code as 'plate_in_use', { ...facts, duplicate: { endpoint: 'GET vehicles/{vehicle_id}', find } });
  };
