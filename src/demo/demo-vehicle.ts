// One car of the demonstration with a consistent model, age, mileage and price.

import type { Country } from '../domain/accounts/accounts.ts';
import { BODY_PARTS, type VehicleStatus } from '../domain/stock/stock-states.ts';
import { newVehicle, type StoredVehicle, type VehicleState } from '../domain/stock/vehicle.ts';
import type { VehicleCondition } from '../domain/stock/vehicle-condition.ts';
import type { Currency } from '../kit/money.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { dateOf, idOf, laterMoment, pastMoment, type Random, randomOf, scattered } from './demo-random.ts';
import { DEMO_CITIES, DEMO_COLORS, DEMO_MODELS, DESCRIPTIONS, type DemoModel } from './demo-words.ts';

/** `number` is the car's number in the dealer's stock. */
export function newDemoVehicle(dealer: DemoDealer, number: number, now: Date): StoredVehicle {
  const random = randomOf('vehicle', dealer.index, number);
  const model = random.pick(MODELS[dealer.country]);
  const status = statusOf(random);
  const created_at = pastMoment(random, now, status === 'Satıldı' ? 20 : 0);
  const car = carOf(random, model, dealer, created_at);
  const currency = currencyOf(random, dealer);
  const age = Math.max(0, now.getUTCFullYear() - car.model_year);
  const price = priceOf(random, model, { age, km: car.km }, dealer, currency);
  const state = stateOf(random, status, created_at, now);
  const values = {
    brand: model.brand,
    model: model.model,
    ...car,
    body_type: model.body,
    trim: random.chance(0.85) ? random.pick(model.trims) : null,
    color: random.pick(DEMO_COLORS),
    plate: plateOf(random, dealer, number),
    city: dealer.city.name,
    price,
    currency,
    source: random.pick(dealer.country === 'KKTC' ? KKTC_SOURCES : TR_SOURCES),
    description: random.chance(0.5) ? `${random.pick(DESCRIPTIONS)}. ${random.pick(DESCRIPTIONS)}.` : null,
    ...costsOf(random, price, dealer),
    condition: conditionOf(dealer, number),
    ...factsOf(dealer, number, model, car),
    chassis_no: random.chance(0.9) ? idOf('chassis', dealer.index, number).replaceAll('-', '').slice(0, 17).toUpperCase() : null,
  };
  const id = idOf('vehicle', dealer.scope, number);
  const vehicle = newVehicle(values, state, { id, currency, today: dateOf(created_at), now });
  return { ...vehicle, created_at, updated_at: laterMoment(random, created_at, now) };
}

const modelsOf = (country: Country) => DEMO_MODELS.filter((model) => model.country === null || model.country === country);
const MODELS: Readonly<Record<Country, readonly DemoModel[]>> = { KKTC: modelsOf('KKTC'), TR: modelsOf('TR') };

const KKTC_SOURCES = ['Satın Alma', 'Satın Alma', 'İthalat', 'İthalat', 'Takas', 'Konsinye'] as const;
const TR_SOURCES = ['Satın Alma', 'Satın Alma', 'Satın Alma', 'Takas', 'Konsinye'] as const;

function statusOf(random: Random): VehicleStatus {
  const share = random.next();
  return share < 0.7 ? 'Stokta' : share < 0.82 ? 'Rezerve' : share < 0.88 ? "Auction'da" : 'Satıldı';
}

function stateOf(random: Random, status: VehicleStatus, created: Date, now: Date): VehicleState {
  if (status === 'Stokta') return { status, is_marketplace_visible: random.chance(0.4) };
  if (status !== 'Satıldı') return { status };
  return { status, sold_via: 'Harici', sold_at: dateOf(laterMoment(random, created, now)) };
}

/** Hybrids came to Europe's makers about 2020, to Japan's earlier; small cars lost their diesels about 2022. */
function fuelOf(random: Random, { brand, fuels, price }: DemoModel, year: number) {
  const japanese = ['Honda', 'Mazda', 'Nissan', 'Toyota'].includes(brand);
  const built = fuels.filter((fuel) => {
    if (fuel === 'Hibrit') return year >= (japanese ? 2013 : 2020);
    if (fuel === 'Elektrik') return year >= 2020;
    return fuel !== 'Dizel' || year <= 2022 || price > 20_000;
  });
  return random.pick(built.length > 0 ? built : fuels);
}

interface Car {
  readonly age: number;
  readonly km: number;
}

/** Young cars are rarer than middle-aged ones on a dealer's floor; a year's running depends on the market. */
function carOf(random: Random, model: DemoModel, dealer: DemoDealer, created: Date) {
  const [first, last] = [model.years[0], Math.min(model.years[1], created.getUTCFullYear())];
  const model_year = Math.max(first, last - Math.floor(((random.next() + random.next()) / 2) * (last - first + 1)));
  const age = Math.max(0.3, created.getUTCFullYear() + created.getUTCMonth() / 12 - model_year);
  const yearly = dealer.country === 'TR' ? random.between(9_000, 21_000) : random.between(6_000, 14_000);
  const fuel_type = fuelOf(random, model, model_year);
  const automatic =
    fuel_type === 'Elektrik' ||
    fuel_type === 'Hibrit' ||
    random.chance(model.price > 25_000 ? 0.92 : 0.35 + (model_year - 2010) * 0.03);
  const halfAutomatic = automatic && model.price < 25_000 && random.chance(0.12);
  const transmission = halfAutomatic ? ('Yarı Otomatik' as const) : automatic ? ('Otomatik' as const) : ('Manuel' as const);
  return { model_year, km: Math.round((age * yearly) / 100) * 100 + random.between(0, 99), fuel_type, transmission };
}

const KKTC_CURRENCIES: readonly Currency[] = [...Array<Currency>(17).fill('STG'), 'TL', 'EUR', 'USD'];
const TR_CURRENCIES: readonly Currency[] = [...Array<Currency>(39).fill('TL'), 'EUR'];
const currencyOf = (random: Random, { country }: DemoDealer): Currency =>
  random.pick(country === 'KKTC' ? KKTC_CURRENCIES : TR_CURRENCIES);

/** One pound in each, about as the central banks had it in 2026, and the step prices are rounded to. */
const MARKET: Readonly<Record<Currency, readonly [rate: number, step: number]>> = {
  STG: [1, 50],
  EUR: [1.15, 50],
  USD: [1.34, 50],
  TL: [64, 5000],
};
/** Turkey's special consumption tax, in used prices too. */
const TURKISH_MARKUP = 1.5;

/** The share of its value that a car keeps each year: taxes on new cars keep used ones dear, in Turkey more so. */
const KEPT: Readonly<Record<Country, number>> = { KKTC: 0.89, TR: 0.92 };

/** The price falls with age, and with kilometres beyond the usual. */
function priceOf(random: Random, model: DemoModel, { age, km }: Car, { country }: DemoDealer, currency: Currency): bigint {
  const worn = Math.max(0.75, 1 - Math.max(0, km - age * 12_000) / 400_000);
  const pounds = Math.max(1_500, model.price * KEPT[country] ** age * worn * (0.92 + random.next() * 0.16));
  const [rate, step] = MARKET[currency];
  const amount = pounds * rate * (country === 'TR' ? TURKISH_MARKUP : 1);
  return BigInt(Math.max(step, Math.round(amount / step) * step)) * 100n;
}

function costsOf(random: Random, price: bigint, dealer: DemoDealer) {
  if (!random.chance(0.8)) return {};
  const purchase_price = (price * BigInt(random.between(82, 93))) / 100n;
  const customs_fee = dealer.country === 'KKTC' && random.chance(0.4) ? (price * BigInt(random.between(3, 6))) / 100n : null;
  return { purchase_price, customs_fee, other_costs: random.chance(0.5) ? BigInt(random.between(5, 40)) * 1_000n : null };
}

/**
 * Two cars in three have this information; most of those are undamaged. It has its own random sequence, so that the cars do not
 * change.
 */
function conditionOf({ index, country }: DemoDealer, number: number): VehicleCondition | null {
  const random = randomOf('condition', index, number);
  if (random.chance(1 / 3)) return null;
  const damaged = random.chance(0.4) ? BODY_PARTS.filter(() => random.chance(0.15)) : [];
  const replaced = damaged.filter(() => random.chance(0.25));
  const painted = damaged.filter((part) => !replaced.includes(part));
  const locally_painted = painted.filter((part) => randomOf('locally painted', index, number, part).chance(0.3));
  const claims = country === 'TR' && damaged.length > 0 ? `${random.between(3, 90) * 1000}.00` : null;
  return {
    painted: painted.filter((part) => !locally_painted.includes(part)),
    locally_painted,
    replaced,
    tramer_amount: claims,
    tramer_currency: claims === null ? null : 'TL',
    expertise_document_id: null,
  };
}

const EQUIPMENT = [
  'Klima',
  'Geri görüş kamerası',
  'Park sensörü',
  'Apple CarPlay',
  'Hız sabitleyici',
  'Alüminyum jant',
  'Cam tavan',
];
const LUXURIES = ['Deri döşeme', 'LED far', 'Isıtmalı koltuk', 'Elektrikli bagaj', 'Anahtarsız giriş', 'Şerit takip'];

/** Most dealers state them. They have their own random sequence, so that the cars do not change. */
function factsOf(
  { index, country }: DemoDealer,
  number: number,
  { body, price }: DemoModel,
  car: { model_year: number; fuel_type: string },
) {
  const random = randomOf('facts', index, number);
  const isElectric = car.fuel_type === 'Elektrik';
  const litres = random.pick(price < 18_000 ? [1.0, 1.2, 1.4, 1.6] : price < 32_000 ? [1.5, 1.6, 2.0] : [2.0, 2.0, 3.0]);
  const isTall = body === 'SUV' || body === 'Pick-up';
  const power = Math.round((isElectric ? price / 200 : litres * 72 + price / 1_000) / 5) * 5;
  const doors = body === 'Coupe' || body === 'Cabrio' ? 2 : body === 'Sedan' || body === 'Pick-up' ? 4 : 5;
  const isImported = country === 'KKTC' && random.chance(0.85);
  return {
    engine_cc: isElectric ? null : Math.round(litres * 1_000) - random.between(1, 4),
    power_hp: random.chance(0.9) ? power : null,
    drive: random.chance(0.85)
      ? isTall && random.chance(0.4)
        ? ('4x4' as const)
        : price > 38_000
          ? ('Arkadan' as const)
          : ('Önden' as const)
      : null,
    steering: country === 'TR' || !isImported ? ('Sol' as const) : ('Sağ' as const),
    doors: body === 'Panelvan' ? 4 : doors,
    seats: body === 'Panelvan' ? 3 : doors === 2 ? 4 : 5,
    owners: random.chance(0.7) ? random.between(1, 3) : null,
    equipment: random.chance(0.85)
      ? [...EQUIPMENT, ...(price > 25_000 ? LUXURIES : [])].filter((one) => random.chance(one === 'Klima' ? 0.97 : 0.5))
      : null,
    warranty: car.model_year >= 2023 && random.chance(0.6) ? '2 yıl ya da 40.000 km' : null,
  };
}

/** Turkish plates have no Q, W, X and no letters beyond ASCII. */
const LETTERS = 'ABCDEFGHIJKLMNOPRSTUVYZ';

/** `AB 123` and `ABC 123` in Northern Cyprus, `34 ABC 123` and `34 AB 1234` in Turkey; unique within a dealer. */
export function plateOf(random: Random, { country, index, city }: DemoDealer, number: number): string {
  const short = number % 2 === 0;
  const [letters, min, numbers] = short ? [2, country === 'TR' ? 1000 : 100, country === 'TR' ? 9000 : 900] : [3, 100, 900];
  const all = LETTERS.length ** letters;
  const serial = scattered(Math.floor(number / 2), all * numbers, index + letters);
  const series = seriesOf((Math.floor(serial / numbers) * 211 + 57) % all, letters);
  const tail = `${series} ${min + ((serial + Math.floor(serial / numbers) * 389) % numbers)}`;
  if (country === 'KKTC') return tail;
  return `${random.chance(0.85) ? city.code : random.pick(DEMO_CITIES.TR).code} ${tail}`;
}

function seriesOf(number: number, letters: number): string {
  return letters === 0 ? '' : seriesOf(Math.floor(number / LETTERS.length), letters - 1) + LETTERS[number % LETTERS.length];
}
