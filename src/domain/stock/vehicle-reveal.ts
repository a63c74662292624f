// A car's data that no key can read. The panel shows it to the roles that panel/reveals.ts names; each access is audited.
import type { Db } from '../../kit/db.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { audit } from '../writes/audit.ts';

export interface VehicleSecrets {
  readonly chassis_no: string | null;
  readonly engine_no: string | null;
  /** The currency of the amounts; null without a purchase price. */
  readonly purchase_currency: Currency | null;
  readonly purchase_price: string | null;
  readonly customs_fee: string | null;
  readonly other_costs: string | null;
  /** Expenses of the car by currency, without what paid its price. */
  readonly expenses: readonly CurrencyAmount[];
  /** The price with fees and expenses in its currency; null without a purchase price. */
  readonly cost: string | null;
  /** All of it by currency; empty without a purchase price and without expenses. */
  readonly costs: readonly CurrencyAmount[];
  /** Asking price less cost; null if a part of the cost is in another currency or there is no purchase price. */
  readonly margin: string | null;
}

export interface CurrencyAmount {
  readonly currency: Currency;
  readonly amount: string;
}

interface Stored {
  readonly price_minor: bigint;
  readonly currency: Currency;
  readonly chassis_no: string | null;
  readonly engine_no: string | null;
  readonly purchase_currency: Currency | null;
  readonly purchase_price_minor: bigint | null;
  readonly customs_fee_minor: bigint | null;
  readonly other_costs_minor: bigint | null;
}

export async function revealVehicle({ db, actor, account }: Work, id: string): Promise<VehicleSecrets> {
  const stored = await db.one<Stored>(sql`select price_minor, currency, chassis_no, engine_no, purchase_currency,
      purchase_price_minor, customs_fee_minor, other_costs_minor from ${own('vehicles')} where id = ${id}`);
  await audit(db, actor, 'vehicle.revealed', id, { accountId: account.id });
  const shown = (amount: bigint | null) => (amount === null ? null : formatMoney(amount));
  const { purchase_price_minor: paid, customs_fee_minor: customs, other_costs_minor: other } = stored;
  const bought = paid === null ? null : (stored.purchase_currency ?? stored.currency);
  const expenses = await readCarExpenses(db, id);
  const spent = new Map(expenses.map(({ currency, amount_minor }) => [currency, amount_minor]));
  const price = paid === null ? null : paid + (customs ?? 0n) + (other ?? 0n);
  if (bought !== null && price !== null) spent.set(bought, (spent.get(bought) ?? 0n) + price);
  const cost = bought === null ? null : spent.get(bought)!;
  const isInOne = bought === stored.currency && spent.size === 1;
  return {
    chassis_no: stored.chassis_no,
    engine_no: stored.engine_no,
    purchase_currency: bought,
    purchase_price: shown(paid),
    customs_fee: shown(customs),
    other_costs: shown(other),
    expenses: expenses.map(({ currency, amount_minor }) => ({ currency, amount: formatMoney(amount_minor) })),
    cost: shown(cost),
    costs: [...spent].map(([currency, amount]) => ({ currency, amount: formatMoney(amount) })),
    margin: cost === null || !isInOne ? null : formatMoney(stored.price_minor - cost),
  };
}

/** What was spent on a car besides its price. «Alış ödemesi» pays the price, so it is no further cost. */
export const readCarExpenses = (db: Db, vehicleId: string): Promise<{ currency: Currency; amount_minor: bigint }[]> =>
  db.rows(sql`select currency, sum(amount_minor)::bigint as amount_minor from ${own('expenses')}
    where vehicle_id = ${vehicleId} and category <> 'Alış ödemesi' group by currency having sum(amount_minor) <> 0 order by currency`);
