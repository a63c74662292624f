// The cost of the sold car and the profit. Only for the roles that panel/reveals.ts names: no key, export, history or preview shows
// it, and each access is audited.
import type { Db } from '../../kit/db.ts';
import { type Currency, formatMoney, sum } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { bulletinInForce } from '../exchange-rates/rate-table.ts';
import { divideHalfUp, type Pair, type RateSource, rateText, type ShownSource } from '../exchange-rates/rates.ts';
import { valuationRate, valueIn } from '../exchange-rates/valuation.ts';
import { type CurrencyAmount, readCarExpenses } from '../stock/vehicle-reveal.ts';
import { audit } from '../writes/audit.ts';

export interface SaleCost {
  /** In the car's own currency; null without a purchase price. */
  readonly purchase_currency: Currency | null;
  readonly purchase_price: string | null;
  readonly customs_fee: string | null;
  readonly other_costs: string | null;
  /** Expenses of the car by currency, without what paid its price. */
  readonly expenses: readonly CurrencyAmount[];
  /** In the sale's currency; null without a purchase price, or without a rate for the day of the sale. */
  readonly cost: string | null;
  /** Price and finance charge less the cost. */
  readonly profit: string | null;
  /** Of price and finance charge, in percent with two decimals. */
  readonly margin: string | null;
  /** Those that the cost was converted with; empty where all of it is in the sale's currency. */
  readonly rates: readonly SaleCostRate[];
}

export interface SaleCostRate {
  readonly pair: Pair;
  readonly rate: string;
  readonly day: string;
  readonly source: ShownSource;
}

interface CostRecord {
  readonly sale_date: string;
  readonly currency: Currency;
  readonly revenue: bigint;
  readonly vehicle_id: string;
  readonly purchase_currency: Currency | null;
  readonly purchase_price: bigint | null;
  readonly customs_fee: bigint | null;
  readonly other_costs: bigint | null;
  readonly rate_source: RateSource;
}

export async function revealSaleCost({ db, actor, account }: Work, saleId: string): Promise<SaleCost> {
  const cost = await readSaleCost(db, saleId);
  await audit(db, actor, 'sale.revealed', saleId, { accountId: account.id });
  return cost;
}

async function readSaleCost(db: Db, saleId: string): Promise<SaleCost> {
  const found =
    await db.one<CostRecord>(sql`select vehicle_id, sale_date, sales.currency, sale_price_minor + finance_charge_minor as revenue, purchase_currency,
      purchase_price_minor as purchase_price, customs_fee_minor as customs_fee, other_costs_minor as other_costs,
      (select rate_source from ${own('accounts')}) as rate_source
    from ${own('sales')} join ${own('vehicles')} on vehicles.id = sales.vehicle_id where sales.id = ${saleId}`);
  const { purchase_price, customs_fee, other_costs, revenue } = found;
  const expenses = await readCarExpenses(db, found.vehicle_id);
  const shown = (amount: bigint | null) => (amount === null ? null : formatMoney(amount));
  const bought = {
    purchase_currency: purchase_price === null ? null : (found.purchase_currency ?? found.currency),
    purchase_price: shown(purchase_price),
    customs_fee: shown(customs_fee),
    other_costs: shown(other_costs),
    expenses: expenses.map(({ currency, amount_minor }) => ({ currency, amount: formatMoney(amount_minor) })),
  };
  const spent = purchase_price === null ? null : purchase_price + (customs_fee ?? 0n) + (other_costs ?? 0n);
  const valued = spent === null ? null : await valuation(db, found, spent, expenses);
  if (valued === null) return { ...bought, cost: null, profit: null, margin: null, rates: [] };
  const profit = revenue - valued.cost;
  return {
    ...bought,
    cost: formatMoney(valued.cost),
    profit: formatMoney(profit),
    margin: revenue === 0n ? null : formatMoney(divideHalfUp(profit * 10_000n, revenue)),
    rates: valued.rates,
  };
}

/** Valued at the buying rates of the day of the sale, as in profit-loss; null if the bank has no rate. */
async function valuation(
  db: Db,
  { purchase_currency, currency, sale_date, rate_source }: CostRecord,
  spent: bigint,
  expenses: readonly { readonly currency: Currency; readonly amount_minor: bigint }[],
): Promise<{ readonly cost: bigint; readonly rates: readonly SaleCostRate[] } | null> {
  const bought = purchase_currency ?? currency;
  const parts = [{ currency: bought, amount_minor: spent }, ...expenses];
  const foreign = [...new Set(parts.map((part) => part.currency))].filter((one) => one !== currency);
  if (foreign.length === 0) return { cost: sum(parts.map((part) => part.amount_minor)), rates: [] };
  const bulletin = await bulletinInForce(db, rate_source, sale_date);
  if (bulletin === null) return null;
  const cost = sum(parts.map((part) => valueIn(bulletin.rates, part.amount_minor, part.currency, currency)));
  const { rateDate: day, source } = bulletin;
  const rates = foreign.map((one) => {
    const { pair, rate } = valuationRate(bulletin.rates, one, currency);
    return { pair, rate: rateText(rate), day, source };
  });
  return { cost, rates };
}
