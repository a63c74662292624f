// The cost of a sold car, in the currency of its sale and in whole cents: valued at the bank's buying rates of the day of the
// sale, each car rounded separately. The same arithmetic as exchange-rates/valuation.ts, in SQL.
import { own, type Sql, sql } from '../../kit/sql.ts';
import { BANK_ZONE } from '../exchange-rates/rates.ts';
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

const SPENT = sql`(purchase_price_minor + coalesce(customs_fee_minor, 0) + coalesce(other_costs_minor, 0))::numeric`;
const BOUGHT_IN = sql`coalesce(purchase_currency, sales.currency)`;
const rateOf = (currency: Sql): Sql =>
  sql`(case ${currency} when 'TL' then "TL" when 'STG' then "STG" when 'USD' then "USD" else "EUR" end)`;
const strengthOf = (currency: Sql): Sql => sql`array_position(array['TL', 'USD', 'EUR', 'STG'], ${currency})`;

/** Rounded half up, exactly: PostgreSQL's own division has a limited number of digits. */
const halfUp = (part: Sql, whole: Sql): Sql => sql`div(2 * (${part}) + (${whole}), 2 * (${whole}))`;
const MILLION = sql`1000000::numeric`;
const bought = rateOf(BOUGHT_IN);
const sold = rateOf(sql`sales.currency`);

/** Null without a purchase price, or without a rate for its currency on that day. */
export const carCost: Sql = sql`(case when ${BOUGHT_IN} = sales.currency then ${SPENT}
  when ${strengthOf(BOUGHT_IN)} > ${strengthOf(sql`sales.currency`)}
    then ${halfUp(sql`${SPENT} * ${halfUp(sql`${bought} * ${MILLION}`, sold)}`, MILLION)}
  else ${halfUp(sql`${SPENT} * ${MILLION}`, halfUp(sql`${sold} * ${MILLION}`, bought))} end)`;
