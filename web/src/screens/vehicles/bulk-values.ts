// The patches of a bulk edit: the same change for each vehicle, with exact percentages of prices.
import type { Vehicle } from '../../../../src/domain/stock/vehicle-view.ts';
import { amountToSend } from '../../parts/form/form-amount.ts';
import type { BodyOf } from '../../rows.ts';

export const BULK_FIELDS = ['price', 'city', 'branch_id', 'source', 'stock_date'] as const;
export type BulkField = (typeof BULK_FIELDS)[number];
export type PriceWay = 'set' | 'up' | 'down';
/** The limit of `bulk-update`. */
export const MAX_SELECTED = 100;

export type BulkForm = Readonly<Record<string, string>> &
  Readonly<Record<'price' | 'currency' | 'priceWay' | 'percent' | 'city' | 'branch_id' | 'source' | 'stock_date', string>>;

export type BulkPatch = BodyOf<'POST v1/vehicles/bulk-update'>['updates'][number];

/** In hundredths of a percent, or undefined: «7,5» is 750. */
export function percentOf(typed: string): bigint | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(typed.trim().replace(/^%|%$/g, ''));
  if (match === null) return undefined;
  const hundredths = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return hundredths > 0n && hundredths <= 10_000n ? hundredths : undefined;
}

/** `14500.00` less 7.5 % → `13412.50`, rounded half up. */
export function priceBy(price: string, way: 'up' | 'down', hundredths: bigint): string {
  const [whole = '0', cents = ''] = price.split('.');
  const minor = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0').slice(0, 2));
  const factor = way === 'up' ? 10_000n + hundredths : 10_000n - hundredths;
  const changed = (minor * factor + 5_000n) / 10_000n;
  return `${changed / 100n}.${String(changed % 100n).padStart(2, '0')}`;
}

/** The patch of each vehicle. */
export function patchesOf(vehicles: readonly Vehicle[], ticked: readonly BulkField[], values: BulkForm): BulkPatch[] {
  return vehicles.map(({ id, price }) => ({
    id,
    ...(ticked.includes('price') ? priceOf(price, values) : {}),
    ...same(ticked, values),
  }));
}

function priceOf(price: string, values: BulkForm): Record<string, unknown> {
  if (values.priceWay === 'set') return { price: amountToSend(values.price), currency: values.currency };
  const percent = percentOf(values.percent);
  return percent === undefined ? {} : { price: priceBy(price, values.priceWay as 'up' | 'down', percent) };
}

const same = (ticked: readonly BulkField[], values: BulkForm): Record<string, unknown> =>
  Object.fromEntries(
    ticked
      .filter((name) => name !== 'price')
      .map((name) => [name, name === 'branch_id' && values[name] === '' ? null : values[name]]),
  );
