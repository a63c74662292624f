// The filters of a showroom's list as its address has them. Values that cannot be read are ignored, because people edit addresses.
import { CARS_A_PAGE, type CarFilter } from '../../domain/showroom/showroom-cars.ts';
import { SHOWROOM_SORTS, type ShowroomSort } from '../../domain/showroom/showroom-states.ts';
import { BODY_TYPES, FUEL_TYPES, TRANSMISSIONS } from '../../domain/stock/stock-states.ts';
import { CURRENCIES } from '../../kit/money.ts';

/** Enough for ten thousand cars; a later page costs as much as all before it. */
const MAX_PAGE: number = Math.ceil(10_000 / CARS_A_PAGE);

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

function whole(text: string | null, max: number): number | null {
  const digits = (text ?? '').replace(/[\s.,]/g, '');
  if (!/^\d{1,12}$/.test(digits)) return null;
  return Math.min(Number(digits), max);
}

const MAX_PRICE = 999_999_999_999;

/** Without cents: one or two digits at the end are those, three are a part of the thousands. */
const price = (text: string | null): number | null => whole(text?.trim().replace(/[.,]\d{1,2}$/, '') ?? null, MAX_PRICE);

export function readFilter(query: URLSearchParams): CarFilter {
  const brand = (query.get('marka') ?? '').trim();
  const [priceMin, priceMax] = [price(query.get('fiyat_min')), price(query.get('fiyat_max'))];
  return {
    brand: brand === '' || brand.length > 80 || brand.includes('\0') ? null : brand,
    fuel: oneOf(FUEL_TYPES, query.get('yakit')),
    gearbox: oneOf(TRANSMISSIONS, query.get('vites')),
    body: oneOf(BODY_TYPES, query.get('kasa')),
    currency: oneOf(CURRENCIES, query.get('para')),
    priceMin: priceMin === null ? null : BigInt(priceMin) * 100n,
    priceMax: priceMax === null ? null : BigInt(priceMax) * 100n,
    yearMin: whole(query.get('yil_min'), 9999),
    yearMax: whole(query.get('yil_max'), 9999),
    kmMax: whole(query.get('km_max'), 9_999_999),
    sort: oneOf<ShowroomSort>(SHOWROOM_SORTS, query.get('sirala')) ?? 'newest',
    page: Math.max(1, whole(query.get('sayfa'), MAX_PAGE) ?? 1),
  };
}

const units = (minor: bigint | null): string | null => (minor === null ? null : String(minor / 100n));

/** The parameters of a filter's address. */
export function filterParams(filter: CarFilter): Record<string, string> {
  const { brand, fuel, gearbox, body, currency, sort, page } = filter;
  const named = {
    marka: brand,
    yakit: fuel,
    vites: gearbox,
    kasa: body,
    para: currency,
    fiyat_min: units(filter.priceMin),
    fiyat_max: units(filter.priceMax),
    yil_min: filter.yearMin,
    yil_max: filter.yearMax,
    km_max: filter.kmMax,
    sirala: sort === 'newest' ? null : sort,
    sayfa: page === 1 ? null : page,
  };
  const given = Object.entries(named).filter((entry) => entry[1] !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export const isFiltered = (filter: CarFilter): boolean =>
  Object.keys(filterParams({ ...filter, sort: 'newest', page: 1 })).length > 0;
