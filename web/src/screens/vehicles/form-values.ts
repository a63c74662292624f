// A vehicle as form texts, and as the body of the row: all given fields on create, the changed ones on edit.
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { clearName } from '../../parts/form/form-fields.tsx';
import type { TypedBody } from '../../rows.ts';
import { conditionText, conditionToSend } from './condition-values.ts';

/** Write-only fields. */
export const KEPT_FIELDS = [
  'purchase_price',
  'purchase_currency',
  'customs_fee',
  'other_costs',
  'chassis_no',
  'engine_no',
] as const;
/** Fields that can be cleared, by null. */
const NULLABLE: ReadonlySet<string> = new Set(['trim', 'description', 'branch_id', 'external_ref', 'condition', ...KEPT_FIELDS]);
const AMOUNTS: ReadonlySet<string> = new Set(['price', 'purchase_price', 'customs_fee', 'other_costs']);
const WHOLE: ReadonlySet<string> = new Set(['model_year', 'km']);

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
] as const;

type OpenField = (typeof OPEN_FIELDS)[number];
export type VehicleForm = Readonly<Record<string, string>> & Readonly<Record<OpenField | 'condition', string>>;

const keptEmpty = Object.fromEntries(KEPT_FIELDS.flatMap((name) => [name, clearName(name)]).map((name) => [name, '']));

export interface BranchPlace {
  readonly id: string;
  readonly city: string | null;
}

/** Most cars stand where the branch is. */
export const newVehicleForm = (currency: string, { id, city }: BranchPlace, today: string): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, ''])) as Record<OpenField, string>),
  ...keptEmpty,
  condition: '',
  currency,
  branch_id: id,
  city: city ?? '',
  stock_date: today,
  source: 'Satın Alma',
});

export const vehicleForm = (vehicle: VehicleDetail): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, String(vehicle[name] ?? '')])) as Record<OpenField, string>),
  ...keptEmpty,
  condition: conditionText(vehicle.condition),
  // Without trailing zeros, for easier typing.
  price: vehicle.price.replace(/\.00$/, ''),
});

/** The API value of one field. */
function sentValue(name: string, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return NULLABLE.has(name) ? null : '';
  if (name === 'condition') return conditionToSend(text);
  return AMOUNTS.has(name) ? amountToSend(text) : WHOLE.has(name) ? wholeToSend(text) : typed;
}

/** The fields that were filled in. The server reports missing ones. */
export const createBody = (values: VehicleForm): TypedBody<'POST v1/vehicles'> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, typed]) => typed.trim() !== '' && !name.endsWith('?clear'))
      .map(([name, typed]) => [name, sentValue(name, typed)]),
  );

/** The changed fields. Write-only fields begin empty: empty means unchanged, and a checkbox clears them. */
export const editBody = (values: VehicleForm, changed: readonly string[]): TypedBody<'PATCH v1/vehicles/{vehicle_id}'> =>
  Object.fromEntries(
    changed.flatMap((name): [string, unknown][] => {
      if (!name.endsWith('?clear')) return [[name, sentValue(name, values[name] ?? '')]];
      const kept = name.slice(0, -'?clear'.length);
      return values[name] === '1' && (values[kept] ?? '') === '' ? [[kept, null]] : [];
    }),
  );

const OPEN_WHEN_SOLD: ReadonlySet<string> = new Set(['km', 'color', 'description', 'branch_id', ...KEPT_FIELDS]);

/** Fields that cannot change in the vehicle's status; the server checks too. */
export function isLocked(status: VehicleDetail['status'], name: string): boolean {
  if (status === 'Satıldı') return !OPEN_WHEN_SOLD.has(name);
  return status === "Auction'da" && ['price', 'currency', 'condition'].includes(name);
}
