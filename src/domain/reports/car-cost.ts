// The cost of a sold car, in the currency of its sale and in whole cents: valued at the bank's buying rates of the day of the
// sale, each car rounded separately. The same arithmetic as exchange-rates/valuation.ts, in SQL.
import { CURRENCIES, type Currency } from '../../kit/money.ts';
import { joined, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { BANK_ZONE } from '../exchange-rates/rates.ts';
import { PURCHASE_PAYMENT } from '../expenses/expenses-states.ts';
import type { DaySpan } from './reports-states.ts';

/**
 * For each day the buying rates (in millionths of a lira) of the newest bulletin of the ten days up to it; days without one are
 * missing. In a world the rates of the real day are carried on (exchange-rates/rate-table.ts).
 */
export const ratesInForce = ({ from, to }: DaySpan): Sql => sql`
  select days.day, 1000000::numeric as "TL", rates."STG", rates."USD", rates."EUR"
  from (select day, rate_source, least(day, real_day) as rate_day from ${rateSource}, ${daysOf({ from, to })}) days
  cross join lateral (
    select max(buying) filter (where base = 'STG') * 1000000 as "STG", max(buying) filter (where base = 'USD') * 1000000 as "USD",
      max(buying) filter (where base = 'EUR') * 1000000 as "EUR"
    from exchange_rates where source = rate_source and rate_date between rate_day - 10 and rate_day
    group by rate_date order by rate_date desc limit 1
  ) rates`;

const daysOf = ({ from, to }: DaySpan): Sql =>
  sql`(select ${from}::date + n as day from generate_series(0, ${to}::date - ${from}::date) n) every_day`;

/** `offset 0`: the function runs once, not for each day. */
const rateSource = sql`(select rate_source, (select real_day from world_rate_days(case rate_source
  when 'TCMB' then ${BANK_ZONE.TCMB} else ${BANK_ZONE.KKTCMB} end)) as real_day from ${own('accounts')} offset 0) account`;

/** The column of `carExpenses` for a currency. */
function spentIn(currency: Currency): Sql {
  return rawSql(`"spent${currency}"`);
}

const SPENT = sql`(purchase_price_minor + coalesce(customs_fee_minor, 0) + coalesce(other_costs_minor, 0))::numeric`;
const BOUGHT_IN = sql`coalesce(purchase_currency, sales.currency)`;
const rateOf = (currency: Sql): Sql =>
  sql`(case ${currency} when 'TL' then "TL" when 'STG' then "STG" when 'USD' then "USD" else "EUR" end)`;
const strengthOf = (currency: Sql): Sql => sql`array_position(array['TL', 'USD', 'EUR', 'STG'], ${currency})`;

/** Rounded half up, exactly: PostgreSQL's own division has a limited number of digits. */
const halfUp = (part: Sql, whole: Sql): Sql => sql`div(2 * (${part}) + (${whole}), 2 * (${whole}))`;
const MILLION = sql`1000000::numeric`;
const SOLD_IN = sql`sales.currency`;
const sold = rateOf(SOLD_IN);

/** In the currency of the sale; null without a rate for that day. */
const valued = (amount: Sql, from: Sql): Sql => sql`(case when ${from} = ${SOLD_IN} then ${amount}
  when ${strengthOf(from)} > ${strengthOf(SOLD_IN)}
    then ${halfUp(sql`${amount} * ${halfUp(sql`${rateOf(from)} * ${MILLION}`, sold)}`, MILLION)}
  else ${halfUp(sql`${amount} * ${MILLION}`, halfUp(sql`${sold} * ${MILLION}`, rateOf(from)))} end)`;

/** Null without a purchase price, or without a rate for its currency on that day. */
export const carCost: Sql = valued(SPENT, BOUGHT_IN);

/** What was spent on each car besides its price, by currency: a table expression to join as `spent`. */
export const carExpenses: Sql = sql`(select vehicle_id, ${joined(
  CURRENCIES.map((one) => sql`coalesce(sum(amount_minor) filter (where currency = ${one}), 0)::numeric as ${spentIn(one)}`),
  ', ',
)} from ${own('expenses')} where kind = 'Araç' and category <> ${PURCHASE_PAYMENT} group by vehicle_id) spent`;

/** Each currency valued and rounded; null if one has no rate on that day. */
export const expensesValue: Sql = sql`(${joined(
  CURRENCIES.map(
    (one) => sql`case when coalesce(${spentIn(one)}, 0) = 0 then 0 else ${valued(spentIn(one), sql`${one}::text`)} end`,
  ),
  ' + ',
)})`;
