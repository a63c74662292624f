// A vehicle as the values of its form, and as the body of the endpoint: all fields on create, the changed ones on edit.
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import type { RawBody } from '../../endpoints.ts';
import { amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { changesOf, emptyKept, filled, type KeptValues } from '../../parts/form/form-body.ts';
import { conditionToSend, type TypedCondition, typedCondition } from './condition-values.ts';

/** Write-only fields. */
export const KEPT_FIELDS = [
  'purchase_price',
  'purchase_currency',
  'customs_fee',
  'other_costs',
  'chassis_no',
  'engine_no',
] as const;
const OPEN_FIELDS = [
  'brand',
  'model',
  'model_year',
  'km',
  'fuel_type',
  'transmission',
  'body_type',
  'color',
  'plate',
  'city',
  'price',
  'currency',
  'trim',
  'description',
  'branch_id',
  'stock_date',
  'source',
  'external_ref',
  'engine_cc',
  'power_hp',
  'drive',
  'steering',
  'doors',
  'seats',
  'owners',
  'inspection_until',
  'warranty',
] as const;

type OpenField = (typeof OPEN_FIELDS)[number];
export type VehicleForm = Readonly<Record<OpenField, string>> & {
  readonly condition: TypedCondition | null;
  /** As it is typed: with commas between. */
  readonly equipment: string;
} & KeptValues<(typeof KEPT_FIELDS)[number]>;

export interface BranchPlace {
  readonly id: string;
  readonly city: string | null;
}

/** Most cars are where the branch is. */
export const newVehicleForm = (currency: string, { id, city }: BranchPlace, today: string): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, ''])) as Record<OpenField, string>),
  ...emptyKept(KEPT_FIELDS),
  condition: null,
  equipment: '',
  currency,
  branch_id: id,
  city: city ?? '',
  stock_date: today,
  source: 'Satın Alma',
});

export const vehicleForm = (vehicle: VehicleDetail): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, String(vehicle[name] ?? '')])) as Record<OpenField, string>),
  ...emptyKept(KEPT_FIELDS),
  condition: typedCondition(vehicle.condition),
  equipment: vehicle.equipment?.join(', ') ?? '',
  // Without trailing zeros, for easier typing.
  price: vehicle.price.replace(/\.00$/, ''),
});

/** The fields that were filled in. The server reports missing ones. */
export const createBody = (values: VehicleForm): RawBody<'POST v1/vehicles'> => ({
  brand: filled(values.brand),
  model: filled(values.model),
  model_year: filled(values.model_year, wholeToSend),
  km: filled(values.km, wholeToSend),
  fuel_type: filled(values.fuel_type),
  transmission: filled(values.transmission),
  body_type: filled(values.body_type),
  color: filled(values.color),
  plate: filled(values.plate),
  city: filled(values.city),
  price: filled(values.price, amountToSend),
  currency: filled(values.currency),
  trim: filled(values.trim),
  description: filled(values.description),
  branch_id: filled(values.branch_id),
  stock_date: filled(values.stock_date),
  source: filled(values.source),
  external_ref: filled(values.external_ref),
  condition: conditionToSend(values.condition) ?? undefined,
  engine_cc: filled(values.engine_cc, wholeToSend),
  power_hp: filled(values.power_hp, wholeToSend),
  drive: filled(values.drive),
  steering: filled(values.steering),
  doors: filled(values.doors, wholeToSend),
  seats: filled(values.seats, wholeToSend),
  owners: filled(values.owners, wholeToSend),
  inspection_until: filled(values.inspection_until),
  equipment: equipmentToSend(values.equipment) ?? undefined,
  warranty: filled(values.warranty),
  purchase_price: filled(values.purchase_price, amountToSend),
  purchase_currency: filled(values.purchase_currency),
  customs_fee: filled(values.customs_fee, amountToSend),
  other_costs: filled(values.other_costs, amountToSend),
  chassis_no: filled(values.chassis_no),
  engine_no: filled(values.engine_no),
});

/** The changed fields. */
export function editBody(values: VehicleForm, changed: readonly string[]): RawBody<'PATCH v1/vehicles/{vehicle_id}'> {
  const { required, optional, kept, has } = changesOf(values, changed);
  return {
    brand: required('brand'),
    model: required('model'),
    model_year: required('model_year', wholeToSend),
    km: required('km', wholeToSend),
    fuel_type: required('fuel_type'),
    transmission: required('transmission'),
    body_type: required('body_type'),
    color: required('color'),
    plate: required('plate'),
    city: required('city'),
    price: required('price', amountToSend),
    currency: required('currency'),
    trim: optional('trim'),
    description: optional('description'),
    branch_id: optional('branch_id'),
    stock_date: required('stock_date'),
    source: required('source'),
    external_ref: optional('external_ref'),
    condition: has('condition') ? conditionToSend(values.condition) : undefined,
    engine_cc: optional('engine_cc', wholeToSend),
    power_hp: optional('power_hp', wholeToSend),
    drive: optional('drive'),
    steering: optional('steering'),
    doors: optional('doors', wholeToSend),
    seats: optional('seats', wholeToSend),
    owners: optional('owners', wholeToSend),
    inspection_until: optional('inspection_until'),
    equipment: has('equipment') ? equipmentToSend(values.equipment) : undefined,
    warranty: optional('warranty'),
    purchase_price: kept('purchase_price', amountToSend),
    purchase_currency: kept('purchase_currency'),
    customs_fee: kept('customs_fee', amountToSend),
    other_costs: kept('other_costs', amountToSend),
    chassis_no: kept('chassis_no'),
    engine_no: kept('engine_no'),
  };
}

export const equipmentOf = (typed: string): string[] =>
  typed
    .split(/[,;\n]/)
    .map((item) => item.trim())
    .filter(Boolean);

/** Null where nothing is stated. */
const equipmentToSend = (typed: string): string[] | null => {
  const items = equipmentOf(typed);
  return items.length === 0 ? null : items;
};

/** Facts that bidders saw when they bid. */
const CLOSED_IN_AUCTION: ReadonlySet<string> = new Set([
  ...['price', 'currency', 'condition', 'equipment'],
  ...['engine_cc', 'power_hp', 'drive', 'steering', 'doors', 'seats', 'owners', 'inspection_until', 'warranty'],
]);

const OPEN_WHEN_SOLD: ReadonlySet<string> = new Set(['km', 'color', 'description', 'branch_id', ...KEPT_FIELDS]);

/** Fields that cannot change in the vehicle's status; the server checks too. */
export function isLocked(status: VehicleDetail['status'], name: string): boolean {
  if (status === 'Satıldı') return !OPEN_WHEN_SOLD.has(name);
  return status === "Auction'da" && CLOSED_IN_AUCTION.has(name);
}
