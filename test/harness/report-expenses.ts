// Random expenses of a dealer, some of them reversed, in every currency: of cars, sold or not, and of the business.
import { BUSINESS_CATEGORIES, VEHICLE_CATEGORIES } from '../../src/domain/expenses/expenses-states.ts';
import { CURRENCIES } from '../../src/kit/money.ts';
import type { Session } from '../../src/postgres/database.ts';
import { daysLater } from './civil-days.ts';
import type { Random } from './random.ts';

const EXPENSES = 40;

export async function keepExpenses(
  session: Session,
  accountId: string,
  random: Random,
  firstDay: string,
  days: number,
): Promise<void> {
  const cars = await session.rows<{ id: string }>('select id from vehicles where account_id = $1 order by id', [accountId]);
  const [branch] = await session.rows<{ id: string }>('select id from branches where account_id = $1 and is_main', [accountId]);
  const add = async (number: number, columns: readonly unknown[]): Promise<string> => {
    const [row] = await session.rows<{ id: string }>(
      `insert into expenses (account_id, id, number, expense_no, branch_id, method, created_by, created_at, kind, category, vehicle_id, amount_minor,
         currency, valued_currency, valued_amount_minor, day, reverses_id, reversal_reason)
       values ($1, gen_random_uuid(), $2, $3, $4, 'Havale/EFT', 'harness', now(), $5, $6, $7, $8::bigint, $9, $9, $8::bigint, $10, $11, $12) returning id`,
      [accountId, number, `G-${number}`, branch!.id, ...columns],
    );
    return row!.id;
  };
  for (let number = 1; number <= 2 * EXPENSES; number += 2) {
    const isCar = cars.length > 0 && random.chance(0.6);
    const what = isCar
      ? ['Araç', random.pick(VEHICLE_CATEGORIES), random.pick(cars).id]
      : ['İşletme', random.pick(BUSINESS_CATEGORIES), null];
    const [amount, currency] = [1 + random.below(500_000), random.pick(CURRENCIES)];
    const day = daysLater(firstDay, random.below(days));
    const id = await add(number, [...what, amount, currency, day, null, null]);
    if (random.chance(0.2)) await add(number + 1, [...what, -amount, currency, daysLater(day, random.below(30)), id, 'yanlış']);
  }
}
