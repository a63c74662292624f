// A vehicle as text in a form, and the body that the row takes: everything that was given on create, on edit what has changed.
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { clearName } from '../../parts/form/form-fields.tsx';
import type { TypedBody } from '../../rows.ts';

/** Written, never shown. */
export const KEPT_FIELDS = [
  'purchase_price',
  'purchase_currency',
  'customs_fee',
  'other_costs',
  'chassis_no',
  'engine_no',
] as const;
/** Emptied by null; the others cannot be empty. */
const NULLABLE: ReadonlySet<string> = new Set(['trim', 'description', 'branch_id', 'external_ref', ...KEPT_FIELDS]);
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
export type VehicleForm = Readonly<Record<string, string>> & Readonly<Record<OpenField, string>>;

const keptEmpty = Object.fromEntries(KEPT_FIELDS.flatMap((name) => [name, clearName(name)]).map((name) => [name, '']));

export const newVehicleForm = (currency: string, branchId: string, today: string): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, ''])) as Record<OpenField, string>),
  ...keptEmpty,
  currency,
  branch_id: branchId,
  stock_date: today,
  source: 'Satın Alma',
});

export const vehicleForm = (vehicle: VehicleDetail): VehicleForm => ({
  ...(Object.fromEntries(OPEN_FIELDS.map((name) => [name, String(vehicle[name] ?? '')])) as Record<OpenField, string>),
  ...keptEmpty,
  // Zeros behind the comma are noise while one types.
  price: vehicle.price.replace(/\.00$/, ''),
});

/** One field as the row takes it. */
function sentValue(name: string, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return NULLABLE.has(name) ? null : '';
  return AMOUNTS.has(name) ? amountToSend(text) : WHOLE.has(name) ? wholeToSend(text) : typed;
}

/** Of a new one, what was filled in: what is missing and needed, the server says at its field. */
export const createBody = (values: VehicleForm): TypedBody<'POST v1/vehicles'> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, typed]) => typed.trim() !== '' && !name.endsWith('?clear'))
      .map(([name, typed]) => [name, sentValue(name, typed)]),
  );

/** Of one that exists, what is other than before. Kept fields are empty before: empty is untouched, and cleared by their box. */
export const editBody = (values: VehicleForm, changed: readonly string[]): TypedBody<'PATCH v1/vehicles/{vehicle_id}'> =>
  Object.fromEntries(
    changed.flatMap((name): [string, unknown][] => {
      if (!name.endsWith('?clear')) return [[name, sentValue(name, values[name] ?? '')]];
      const kept = name.slice(0, -'?clear'.length);
      return values[name] === '1' && (values[kept] ?? '') === '' ? [[kept, null]] : [];
    }),
  );

const OPEN_WHEN_SOLD: ReadonlySet<string> = new Set(['km', 'color', 'description', 'branch_id', ...KEPT_FIELDS]);

/** What the vehicle's state holds fast; the server refuses it too. */
export function isLocked(status: VehicleDetail['status'], name: string): boolean {
  if (status === 'Satıldı') return !OPEN_WHEN_SOLD.has(name);
  return status === "Auction'da" && (name === 'price' || name === 'currency');
}
