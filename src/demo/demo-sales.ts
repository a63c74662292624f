// Two years of sales of a demonstration dealer: which car was sold to which customer on which day, from the stories, as database
// rows.

import { addDays, addMonths } from '../domain/clock/days.ts';
import type { StoredCustomer } from '../domain/customers/customer.ts';
import type { StoredVehicle } from '../domain/stock/vehicle.ts';
import { dayIn } from '../kit/clock.ts';
import type { SealingKeys } from '../kit/work.ts';
import type { Book, BookDay } from './demo-book.ts';
import { newDemoCustomer } from './demo-customer.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf, randomOf } from './demo-random.ts';
import { bookOf, SOLD, type Story } from './demo-stories.ts';
import { newDemoVehicle } from './demo-vehicle.ts';

/** In addition to the dealer's stock and customers. */
const FIRST_CAR = 400_000;
const FIRST_TRADED_IN = 440_000;
const FIRST_CUSTOMER = 500_000;

export interface DemoSale {
  readonly id: string;
  readonly story: Story;
  readonly book: Book;
  readonly car: StoredVehicle;
  /** The car that the dealer traded in. */
  readonly tradedIn: StoredVehicle | null;
  readonly customerId: string;
}

export interface DemoSales {
  readonly sales: readonly DemoSale[];
  /** Buyers before the dealer's current customers. */
  readonly customers: readonly StoredCustomer[];
}

export interface DemoMoment {
  readonly now: Date;
  readonly timezone: string;
  /** The dealer's customers who may have bought a car. */
  readonly buyers: readonly StoredCustomer[];
  /** Which sales; those of the demonstration if absent. */
  readonly sold?: typeof SOLD;
}

/** Every customer but the first, who is the one in the examples. */
export const demoBuyers = (dealer: DemoDealer, keys: SealingKeys, customers: number, now: Date): StoredCustomer[] =>
  Array.from({ length: Math.max(0, customers - 1) }, (_, n) => newDemoCustomer(dealer, keys, n + 1, now));

/** The same at every load on the same day. */
export function newDemoSales(
  dealer: DemoDealer,
  keys: SealingKeys,
  { now, timezone, buyers, sold: stories = SOLD }: DemoMoment,
): DemoSales {
  const day: BookDay = { now, today: dayIn(now, timezone), timezone, country: dealer.country };
  const made: StoredCustomer[] = [];
  const sales = stories.map(([months, story], number): DemoSale => {
    const random = randomOf('sale', dealer.index, number);
    const sale_date = dayOfSale(day, months, story, random.between(0, 24));
    const sold = new Date(`${sale_date}T07:00:00Z`);
    const car = carFor(dealer, number, sold);
    const book = bookOf(story, { price: car.price_minor, currency: car.currency, sale_date, day }, random);
    const candidates = buyers.filter((one) => (one.created_at as Date) < sold && one.risk_level !== 'blocked');
    const buyer = candidates.length > 2 ? random.pick(candidates) : newBuyer(dealer, keys, number, sold);
    if (candidates.length <= 2) made.push(buyer);
    const tradedIn = book.terms.trade_in_amount === 0n ? null : tradedInCar(dealer, number, book);
    return { id: demoSaleId(dealer, number), story, book, car: afterwards(car, book), tradedIn, customerId: buyer.id };
  });
  return { sales, customers: made };
}

export const demoSaleId = ({ scope }: DemoDealer, number: number): string => idOf('sold', scope, number);

/** Stories about today begin so that an installment is due today; this month's sales are a few days old. */
function dayOfSale({ today }: BookDay, months: number, story: Story, days: number): string {
  if (months === 0) return addDays(today, -2 - (days % 5));
  const isAboutToday = story === 'dueToday' || story === 'paidToday';
  return addDays(addMonths(today, -months), isAboutToday ? -3 : -days);
}

/** For a dealer in Türkiye, only cars priced in TL. */
function carFor(dealer: DemoDealer, number: number, sold: Date): StoredVehicle {
  for (let n = FIRST_CAR + number * 100; ; n += 1) {
    const car = newDemoVehicle(dealer, n, sold);
    if (dealer.country === 'KKTC' || car.currency === 'TL') return { ...car, id: idOf('sold car', dealer.scope, number) };
  }
}

function newBuyer(dealer: DemoDealer, keys: SealingKeys, number: number, sold: Date): StoredCustomer {
  const customer = newDemoCustomer(dealer, keys, FIRST_CUSTOMER + number, sold);
  return customer.risk_level === 'blocked' ? { ...customer, risk_level: 'high' } : customer;
}

/** The car's final status: sold, or back in stock. */
function afterwards(car: StoredVehicle, { cancelled, sold_at, terms }: Book): StoredVehicle {
  const state = { is_marketplace_visible: false, sold_price_minor: null, sold_currency: null };
  if (cancelled !== null) return { ...car, ...state, status: 'Stokta', sold_at: null, sold_via: null, updated_at: cancelled.at };
  return { ...car, ...state, status: 'Satıldı', sold_via: 'Satış', sold_at: terms.sale_date, updated_at: sold_at };
}

/** Traded in at its value in the sale, and offered for a little more. */
function tradedInCar(dealer: DemoDealer, number: number, { terms, sold_at }: Book): StoredVehicle {
  const car = newDemoVehicle(dealer, FIRST_TRADED_IN + number, sold_at);
  const { trade_in_amount: amount, currency, sale_date } = terms;
  return {
    ...car,
    id: idOf('sold', dealer.scope, demoSaleId(dealer, number), 'traded in'),
    status: 'Stokta',
    is_marketplace_visible: false,
    sold_at: null,
    sold_via: null,
    source: 'Takas',
    price_minor: (amount * 112n) / 100n,
    currency,
    stock_date: sale_date,
    purchase_price_minor: amount,
    purchase_currency: currency,
    customs_fee_minor: null,
    other_costs_minor: null,
    created_at: sold_at,
    updated_at: sold_at,
  };
}
