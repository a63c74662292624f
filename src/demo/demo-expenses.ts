// The expenses of a demonstration dealer: half a year of rent, wages and small bills, what was spent on the newest cars, and the rules by
// which rent and wages recur.
import { addDays, addMonths } from '../domain/clock/days.ts';
import { numberText } from '../domain/records/number-series.ts';
import { type Columns, insertRecords } from '../domain/records/record.ts';
import type { Db } from '../kit/db.ts';
import type { Currency } from '../kit/money.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { BookDay } from './demo-book.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf, randomOf } from './demo-random.ts';

const MONTHS = 6;
const CARS = 12;
/** Older cars have their costs in `other_costs`. */
const CAR_DAYS = 150;

interface House {
  readonly currency: Currency;
  readonly is_world: boolean;
}

interface Spent {
  readonly name: string;
  readonly kind: 'Araç' | 'İşletme';
  readonly category: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly day: string;
  readonly method: string;
  readonly vehicle_id: string | null;
  readonly supplier: string | null;
}

/** Whole units a month, by category, with the day of the month. */
const MONTHLY = [
  ['Kira', 1, { TL: 85_000, STG: 1_400, USD: 1_800, EUR: 1_600 }, 'Havale/EFT', 'Mal sahibi'],
  ['Maaş', 5, { TL: 140_000, STG: 2_300, USD: 2_900, EUR: 2_700 }, 'Havale/EFT', null],
  ['Yakıt', 12, { TL: 4_500, STG: 70, USD: 90, EUR: 85 }, 'Nakit', 'Akaryakıt istasyonu'],
  ['Muhasebe', 20, { TL: 9_000, STG: 150, USD: 190, EUR: 175 }, 'Kredi Kartı', 'Mali müşavir'],
] as const;

const CAR_WORK = [
  ['Onarım', { TL: 12_000, STG: 180, USD: 230, EUR: 210 }, 'Sanayi Oto Servis'],
  ['Boya', { TL: 9_000, STG: 140, USD: 180, EUR: 160 }, 'Usta Kaporta'],
  ['Ruhsat/koçan', { TL: 5_500, STG: 80, USD: 100, EUR: 95 }, 'Araç Kayıt Dairesi'],
  ['Ekspertiz', { TL: 3_000, STG: 45, USD: 60, EUR: 55 }, 'Oto Ekspertiz'],
] as const;

/** Adds the expenses before the till is closed, because they are part of it. */
export async function insertExpenses(db: Db, dealer: DemoDealer, { today, now }: BookDay, branchId: string): Promise<void> {
  const [house, cars] = await Promise.all([
    db.one<House>(sql`select default_currency as currency, world_id is not null as is_world from ${own('accounts')}`),
    db.rows<NewestCar>(sql`select id, plate, coalesce(purchase_currency, currency) as currency, stock_date from ${own('vehicles')}
      where deleted_at is null and stock_date between ${addDays(today, -CAR_DAYS)}::date and ${addDays(today, -12)}::date
      order by stock_date desc, plate limit ${CARS}`),
  ]);
  const spent = [...monthly(dealer, house.currency, today), ...ofCars(dealer, house.currency, cars)].toSorted((one, other) =>
    one.day === other.day ? (one.name < other.name ? -1 : 1) : one.day < other.day ? -1 : 1,
  );
  const numbers = new Map<number, number>();
  const rows = spent.map((one): Columns => {
    const year = Number(one.day.slice(0, 4));
    const number = (numbers.get(year) ?? 0) + 1;
    numbers.set(year, number);
    const { name, amount, ...columns } = one;
    return {
      ...columns,
      id: idOf('expense', dealer.scope, name),
      number: BigInt(year) * 1_000_000_000n + BigInt(number),
      expense_no: numberText('G', year, BigInt(number), house.is_world),
      amount_minor: amount,
      valued_currency: one.currency,
      valued_amount_minor: amount,
      branch_id: branchId,
      created_by: 'Muhasebe',
      created_at: new Date(Math.min(now.getTime(), Date.parse(`${one.day}T09:00:00Z`))),
    };
  });
  await insertRecords(db, 'expenses', rows);
  await insertRecords(db, 'recurring_expenses', recurring(dealer, house.currency, { today, now }, branchId));
  for (const [year, last] of numbers)
    db.send(sql`insert into number_series (account_id, series, year, last) values (${theAccount}, 'G', ${year}, ${last})
      on conflict (account_id, series, year) do update set last = greatest(number_series.last, excluded.last)`);
}

const around = (whole: number, name: (string | number)[]): bigint =>
  BigInt(Math.round(whole * randomOf(...name).between(85, 115)));

function* monthly(dealer: DemoDealer, currency: Currency, today: string): Generator<Spent> {
  const first = addMonths(`${today.slice(0, 7)}-01`, -MONTHS);
  for (const [category, dayOfMonth, amounts, method, supplier] of MONTHLY)
    for (let month = 0; month <= MONTHS; month += 1) {
      const day = addDays(addMonths(first, month), dayOfMonth - 1);
      // The bill of today waits as a proposal.
      if (day >= today) continue;
      const fixed = category === 'Kira' || category === 'Maaş';
      const name = ['expense', dealer.index, category, fixed ? '' : month];
      const amount = around(amounts[currency], name);
      const what = { name: `${category} ${day}`, kind: 'İşletme', category, amount, currency, day, method } as const;
      yield { ...what, vehicle_id: null, supplier };
    }
}

interface NewestCar {
  readonly id: string;
  readonly plate: string;
  readonly currency: Currency;
  readonly stock_date: string;
}

function* ofCars(dealer: DemoDealer, home: Currency, cars: readonly NewestCar[]): Generator<Spent> {
  for (const [place, { id, currency, stock_date }] of cars.entries()) {
    const random = randomOf('car expenses', dealer.index, place);
    for (const [category, amounts, supplier] of CAR_WORK.filter(() => random.chance(0.5))) {
      const amount = around(amounts[currency], ['car expense', dealer.index, place, category]);
      const method = currency === home && random.chance(0.4) ? 'Nakit' : 'Havale/EFT';
      const day = addDays(stock_date, random.between(1, 10));
      yield { name: `${category} ${place}`, kind: 'Araç', category, amount, currency, day, method, vehicle_id: id, supplier };
    }
  }
}

/** Rent and wages; a rule whose day is today is a proposal. */
function recurring(
  dealer: DemoDealer,
  currency: Currency,
  { today, now }: Pick<BookDay, 'today' | 'now'>,
  branchId: string,
): Columns[] {
  return MONTHLY.slice(0, 2).map(([category, dayOfMonth, amounts, method, supplier]): Columns => {
    const here = addDays(`${today.slice(0, 7)}-01`, dayOfMonth - 1);
    return {
      id: idOf('recurring expense', dealer.scope, category),
      category,
      amount_minor: around(amounts[currency], ['expense', dealer.index, category, '']),
      currency,
      branch_id: branchId,
      method,
      supplier,
      day_of_month: dayOfMonth,
      next_on: here >= today ? here : addMonths(here, 1),
      created_by: 'Muhasebe',
      created_at: now,
    };
  });
}
