// Deposits on cars of the demonstration that are not sold yet: two that hold a car, one whose reservation ran out, one given back and
// one kept.

import { addDays } from '../domain/clock/days.ts';
import type { Columns } from '../domain/records/record.ts';
import type { StoredVehicle } from '../domain/stock/vehicle.ts';
import type { BookDay } from './demo-book.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf } from './demo-random.ts';
import { newDemoVehicle } from './demo-vehicle.ts';

const FIRST_CAR = 460_000;

export interface DemoDeposits {
  readonly vehicles: readonly Columns[];
  readonly reservations: readonly Columns[];
  readonly collections: readonly { readonly at: Date; readonly columns: Columns }[];
}

interface Taken {
  /** Days before today. */
  readonly days: number;
  readonly ends: 'holds' | 'expired' | 'returned' | 'kept';
}

const TAKEN: readonly Taken[] = [
  { days: 1, ends: 'holds' },
  { days: 4, ends: 'holds' },
  { days: 20, ends: 'expired' },
  { days: 75, ends: 'returned' },
  { days: 140, ends: 'kept' },
];
const HELD_DAYS = 7;

/** `customers`: one for each deposit. */
export function newDemoDeposits(dealer: DemoDealer, day: BookDay, customers: readonly string[]): DemoDeposits {
  const all = TAKEN.map((taken, number) =>
    depositOf(dealer, day, { ...taken, number, customer_id: customers[number % customers.length]! }),
  );
  return {
    vehicles: all.map(({ vehicle }) => vehicle),
    reservations: all.map(({ reservation }) => reservation),
    collections: all.flatMap(({ collections }) => collections),
  };
}

interface DemoDeposit extends Taken {
  readonly number: number;
  readonly customer_id: string;
}

function depositOf(dealer: DemoDealer, { today }: BookDay, { days, ends, number, customer_id }: DemoDeposit) {
  const id = (name: string): string => idOf('deposit', dealer.scope, number, name);
  const [on, over] = [addDays(today, -days), addDays(today, -days + HELD_DAYS)];
  const [at, end] = [new Date(`${on}T08:30:00Z`), new Date(`${over}T08:30:00Z`)];
  const isHeld = ends === 'holds';
  const car = newDemoVehicle(dealer, FIRST_CAR + number, at);
  const vehicle: StoredVehicle = {
    ...car,
    id: id('car'),
    status: isHeld ? 'Rezerve' : 'Stokta',
    is_marketplace_visible: false,
    sold_at: null,
    sold_via: null,
    updated_at: isHeld ? at : end,
  };
  const amount = (car.currency === 'TL' ? 2_500_000n : 50_000n) * BigInt(1 + (number % 2));
  const shared = { customer_id, vehicle_id: vehicle.id, reservation_id: id('reservation'), currency: car.currency };
  const closed = { returned: 'İade Edildi', kept: 'Gelir' } as const;
  const isClosed = ends === 'returned' || ends === 'kept';
  const taken = {
    ...shared,
    id: id('taken'),
    type: 'Kapora',
    amount_minor: amount,
    collected_on: on,
    created_at: at,
    updated_at: isClosed ? end : at,
    deposit_status: isClosed ? closed[ends] : 'Açık',
    deposit_closed_on: isClosed ? over : null,
  };
  const times = { created_at: end, updated_at: end };
  const returned = { ...shared, ...times, id: id('returned'), type: 'İade', amount_minor: -amount, collected_on: over };
  return {
    vehicle,
    reservation: {
      id: id('reservation'),
      vehicle_id: vehicle.id,
      kind: 'Müşteri',
      customer_id,
      reserved_until: over,
      status: isHeld ? 'Aktif' : ends === 'expired' ? 'Süresi Doldu' : 'Serbest',
      created_at: at,
      updated_at: isHeld ? at : end,
    },
    collections: [{ at, columns: taken }, ...(ends === 'returned' ? [{ at: end, columns: returned }] : [])],
  };
}
