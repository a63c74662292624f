// The patches of a bulk edit: the same change for each vehicle, with exact percentages of prices.
import type { Vehicle } from '../../../../../src/domain/stock/vehicle-view.ts';
import type { RawBody } from '../../../endpoints.ts';
import { amountToSend } from '../../../parts/form/form-amount.ts';

export const BULK_FIELDS = ['price', 'city', 'branch_id', 'source', 'stock_date'] as const;
export type BulkField = (typeof BULK_FIELDS)[number];
export type PriceWay = 'set' | 'up' | 'down';
/** The limit of `bulk-update`. */
export const MAX_SELECTED = 100;

export type BulkForm = Readonly<
  Record<'price' | 'currency' | 'priceWay' | 'percent' | 'round_to' | 'city' | 'branch_id' | 'source' | 'stock_date', string>
>;

export type BulkPatch = RawBody<'PATCH v1/vehicles/{vehicle_id}'> & { readonly id: string };

/** In hundredths of a percent, or undefined: «7,5» is 750. */
export function percentOf(typed: string): bigint | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(typed.trim().replace(/^%|%$/g, ''));
  if (match === null) return undefined;
  const hundredths = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return hundredths > 0n && hundredths <= 10_000n ? hundredths : undefined;
}

/** Whole units to which a new price is rounded. */
export const PRICE_STEPS = ['50', '100', '500'] as const;

/** `14500.00` less 7.5 % → `13412.50`, rounded half up; to 100: `13400.00`. Never to nothing. */
export function priceBy(price: string, way: 'up' | 'down', hundredths: bigint, roundTo = ''): string {
  const [whole = '0', cents = ''] = price.split('.');
  const minor = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0').slice(0, 2));
  const factor = way === 'up' ? 10_000n + hundredths : 10_000n - hundredths;
  const exact = (minor * factor + 5_000n) / 10_000n;
  const step = roundTo === '' ? 1n : BigInt(roundTo) * 100n;
  const rounded = ((exact + step / 2n) / step) * step;
  const changed = rounded > 0n ? rounded : exact;
  return `${changed / 100n}.${String(changed % 100n).padStart(2, '0')}`;
}

/** The patch of each vehicle: the ticked fields. */
export function patchesOf(vehicles: readonly Vehicle[], ticked: readonly BulkField[], values: BulkForm): BulkPatch[] {
  const isSet = ticked.includes('price') && values.priceWay === 'set';
  return vehicles.map(({ id, price }) => ({
    id,
    price: !ticked.includes('price') ? undefined : isSet ? amountToSend(values.price) : changedPrice(price, values),
    currency: isSet ? values.currency : undefined,
    city: ticked.includes('city') ? values.city : undefined,
    branch_id: !ticked.includes('branch_id') ? undefined : values.branch_id === '' ? null : values.branch_id,
    source: ticked.includes('source') ? values.source : undefined,
    stock_date: ticked.includes('stock_date') ? values.stock_date : undefined,
  }));
}

function changedPrice(price: string, values: BulkForm): string | undefined {
  const percent = percentOf(values.percent);
  return percent === undefined ? undefined : priceBy(price, values.priceWay === 'down' ? 'down' : 'up', percent, values.round_to);
}
