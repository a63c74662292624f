// A dealer's figures for the morning: open work, and this month compared with the last. All statements are sent together, each
// with its own index.

import { startOf } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Scope } from '../../kit/endpoint.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { joined, own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { addDays, addMonths } from '../clock/days.ts';
import { WAITS_FOR_SIGNATURE } from '../documents/document.ts';
import { seenBy } from '../enquiries/enquiry.ts';
import { mayUse, type Role } from '../identity/roles.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import type { BoardTotal } from '../receivables/board.ts';
import { OWN_CURRENCY_FIRST } from '../records/own-currency.ts';
import { IS_OPEN } from '../sales/installment.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';

export interface MonthTotal extends BoardTotal {
  /** The same days of the previous month. */
  readonly before: string;
  readonly before_count: number;
}

export interface YearOfCurrency {
  readonly currency: Currency;
  readonly months: readonly { readonly month: string; readonly sold: string; readonly collected: string }[];
}

export interface StockAge {
  readonly bucket: (typeof DESK_AGES)[number]['bucket'];
  readonly count: number;
}

/** A car taken into stock, a sale, a payment. */
export interface DeskEvent {
  readonly kind: 'vehicle' | 'sale' | 'collection';
  /** Of the car, or of the sale. */
  readonly id: string;
  readonly vehicle_id: string;
  readonly at: string;
  /** The car. */
  readonly name: string;
  readonly plate: string;
  readonly body_type: string;
  readonly color: string;
  /** File of its cover photo, small. */
  readonly thumbnail_id: string | null;
  readonly customer: string | null;
  readonly amount: string;
  readonly currency: Currency;
}

/** Null if the role may not see it. */
export interface Desk {
  readonly today: string;
  readonly overdue: readonly BoardTotal[] | null;
  readonly due_today: readonly BoardTotal[] | null;
  readonly promised_today: readonly BoardTotal[] | null;
  readonly tasks_due: number | null;
  /** People who asked about a car and were not contacted yet. */
  readonly new_enquiries: number | null;
  readonly reservations_ending: number;
  readonly long_in_stock: number;
  readonly documents_waiting: number | null;
  readonly network_offers: number | null;
  readonly trade_requests: number | null;
  readonly market_offers: number | null;
  /** The dealer's running auctions with a bid. */
  readonly auctions_with_bids: number | null;
  /** Recurring expenses whose day has come. */
  readonly expense_proposals: number | null;
  readonly sold: readonly MonthTotal[] | null;
  readonly collected: readonly MonthTotal[] | null;
  /** Twelve months up to this one, by currency. */
  readonly year: readonly YearOfCurrency[] | null;
  /** The figures are those of the person's own sales. */
  readonly is_own: boolean;
  /** Cars in stock by age. */
  readonly stock_ages: readonly StockAge[];
  /** The newest first. */
  readonly events: readonly DeskEvent[];
  /** Asking prices of the stock. */
  readonly stock_value: readonly BoardTotal[] | null;
}

export const LONG_IN_STOCK_DAYS = 60;
/** Reservations that end within that many days, including today. */
const ENDING_DAYS = 2;

/** Days in stock: the first and the last of each. */
export const DESK_AGES = [
  { bucket: '0-30', from: 0, to: 30 },
  { bucket: '31-60', from: 31, to: 60 },
  { bucket: '61-90', from: 61, to: 90 },
  { bucket: '91+', from: 91, to: null },
] as const;
const EVENTS = 8;

export interface DeskOf {
  readonly role: Role;
  readonly member_id: string | null;
  readonly today: string;
  readonly timezone: string;
  readonly now: Date;
}

export async function readDesk(db: Db, { role, member_id, today, timezone, now }: DeskOf): Promise<Desk> {
  const isOwn = role === 'sales';
  const isOffice = role === 'owner' || role === 'finance';
  const mine: Mine = isOwn ? { salesperson_id: member_id } : null;
  const may = (scope: Scope) => mayUse(role, { scope, risk: 'read' });
  const when = <T>(allowed: boolean, ask: () => Promise<T>): Promise<T | null> => (allowed ? ask() : Promise.resolve(null));
  const money = may('collections:read');
  const promised = sql`status = 'Bekliyor' and promised_date = ${today}::date${ofMine(mine)}`;
  const dueToday = sql`${IS_OPEN} and due_date = ${today}::date${ofMine(mine)}`;
  const seller = isOwn ? { memberId: member_id } : null;
  const [overdue, due_today, promised_today, work, ending, long, month, stock, year, stock_ages, events, proposals, enquiries] =
    await allAnswers([
      when(money, () => overdueTotals(db, today, mine)),
      when(money, () => totals(db, 'installments', sql`remaining_amount_minor`, dueToday)),
      when(money, () => totals(db, 'payment_promises', sql`amount_minor - fulfilled_amount_minor`, promised)),
      readWaiting(db, may, startOf({ day: addDays(today, 1) }, timezone), now),
      count(db, sql`${own('reservations')} where status = 'Aktif' and reserved_until <= ${addDays(today, ENDING_DAYS)}::date`),
      count(db, sql`${own('vehicles')} where ${IN_STOCK} and stock_date < ${addDays(today, -LONG_IN_STOCK_DAYS)}::date`),
      when(may('sales:read'), () => monthTotals(db, today, mine)),
      when(isOffice, () => totals(db, 'vehicles', sql`price_minor`, IN_STOCK)),
      when(may('sales:read') && money, () => readYear(db, today, mine)),
      readStockAges(db, today),
      readEvents(db, { sales: may('sales:read'), money, mine }),
      when(isOffice, () => count(db, sql`${own('recurring_expenses')} where next_on <= ${today}::date`)),
      when(may('tasks:read'), () => count(db, sql`${own('enquiries')} where stage = 'Yeni' and ${seenBy(seller)}`)),
    ]);
  return {
    today,
    overdue,
    due_today,
    promised_today,
    ...work,
    reservations_ending: ending,
    long_in_stock: long,
    expense_proposals: proposals,
    new_enquiries: enquiries,
    sold: month?.sold ?? null,
    collected: money && month ? month.collected : null,
    stock_value: stock,
    year,
    is_own: isOwn,
    stock_ages,
    events,
  };
}

type Waiting = Pick<
  Desk,
  'tasks_due' | 'documents_waiting' | 'network_offers' | 'trade_requests' | 'market_offers' | 'auctions_with_bids'
>;

/** What waits for the dealer's answer, each counted where the role may read it. */
async function readWaiting(db: Db, may: (scope: Scope) => boolean, tomorrow: Date, now: Date): Promise<Waiting> {
  const when = (scope: Scope, from: Sql): Promise<number | null> => (may(scope) ? count(db, from) : Promise.resolve(null));
  const waiting = sql`status = 'Beklemede' and expires_at > ${now}`;
  const [tasks_due, documents_waiting, network_offers, trade_requests, market_offers, auctions_with_bids] = await allAnswers([
    when(
      'tasks:read',
      sql`${own('tasks')} where deleted_at is null and due_at < ${tomorrow} and status in ('Yapılacak', 'Devam Ediyor')`,
    ),
    when('documents:read', sql`${own('documents')} where deleted_at is null and ${WAITS_FOR_SIGNATURE}`),
    when(
      'network-offers:read',
      sql`${eitherPartyRows('network_offers')} where ${waiting} and (made_by = 'seller') = (account_id <> ${theAccount})`,
    ),
    when('trade-requests:read', sql`${own('trade_requests')} where ${waiting}`),
    when('marketplace:read', sql`${own('marketplace_offers')} where ${waiting}`),
    when('network-auctions:read', sql`${own('network_auctions')} where status = 'Canlı' and bid_count > 0`),
  ]);
  return { tasks_due, documents_waiting, network_offers, trade_requests, market_offers, auctions_with_bids };
}

const IN_STOCK = sql`deleted_at is null and status in ('Stokta', 'Rezerve', 'Auction''da')`;

/** A salesperson sees the figures of their own sales. */
type Mine = { readonly salesperson_id: string | null } | null;
const soldByMine = (mine: Mine): Sql => (mine === null ? sql`` : sql` and salesperson_id = ${mine.salesperson_id}::uuid`);
const ofMine = (mine: Mine): Sql =>
  mine === null
    ? sql``
    : sql` and sale_id in (select id from ${own('sales')} where salesperson_id = ${mine.salesperson_id}::uuid)`;

const count = async (db: Db, from: Sql): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from ${from}`)).count;

const totals = (
  db: Db,
  table: 'installments' | 'payment_promises' | 'vehicles',
  amount: Sql,
  where: Sql,
): Promise<BoardTotal[]> =>
  db.rows<BoardTotal>(sql`select currency, count(${table === 'installments' ? sql`distinct sale_id` : sql`*`})::int as count, money_text(sum(${amount})::bigint) as amount
    from ${own(table)} where ${where} group by currency order by ${OWN_CURRENCY_FIRST}`);

/** As on the board of receivables: installments within the account's grace period are not counted yet. */
const overdueTotals = (db: Db, today: string, mine: Mine): Promise<BoardTotal[]> =>
  totals(
    db,
    'installments',
    sql`remaining_amount_minor`,
    sql`${IS_OPEN} and due_date < ${today}::date - (select overdue_grace_days from ${own('accounts')})${ofMine(mine)}`,
  );

/** This month up to today, and the same days of the previous month; the day of the month is kept if that month is long enough. */
async function monthTotals(db: Db, today: string, mine: Mine): Promise<{ sold: MonthTotal[]; collected: MonthTotal[] }> {
  const month = { from: `${today.slice(0, 8)}01`, to: today };
  const before = { from: addMonths(month.from, -1), to: addMonths(today, -1) };
  const both = (day: Sql): Sql => sql`(${day} between ${month.from}::date and ${month.to}::date
    or ${day} between ${before.from}::date and ${before.to}::date)`;
  const figures = (day: Sql, amount: Sql): Sql => sql`currency,
    (count(*) filter (where ${day} >= ${month.from}::date))::int as count,
    money_text(coalesce(sum(${amount}) filter (where ${day} >= ${month.from}::date), 0)::bigint) as amount,
    (count(*) filter (where ${day} < ${month.from}::date))::int as before_count,
    money_text(coalesce(sum(${amount}) filter (where ${day} < ${month.from}::date), 0)::bigint) as before`;
  const [sold, collected] = await allAnswers([
    db.rows<MonthTotal>(sql`select ${figures(sql`sale_date`, sql`sale_price_minor`)} from ${own('sales')}
      where status <> 'İptal' and ${both(sql`sale_date`)}${soldByMine(mine)} group by currency order by ${OWN_CURRENCY_FIRST}`),
    db.rows<MonthTotal>(sql`select ${figures(sql`collected_on`, sql`amount_minor`)} from ${own('collections')}
      where ${IS_TILL_MONEY} and ${both(sql`collected_on`)}${ofMine(mine)} group by currency order by ${OWN_CURRENCY_FIRST}`),
  ]);
  return { sold, collected };
}

/** Each of the twelve months has its place, with or without a sale. */
async function readYear(db: Db, today: string, mine: Mine): Promise<YearOfCurrency[]> {
  const first = addMonths(`${today.slice(0, 8)}01`, -11);
  const rows = await db.rows<{ currency: Currency; month: string; sold: bigint; collected: bigint }>(sql`
    select currency, month, sum(sold)::bigint as sold, sum(collected)::bigint as collected from (
      select currency, to_char(sale_date, 'YYYY-MM') as month, sum(sale_price_minor) as sold, 0 as collected from ${own('sales')}
        where status <> 'İptal' and sale_date between ${first}::date and ${today}::date${soldByMine(mine)} group by 1, 2
      union all select currency, to_char(collected_on, 'YYYY-MM'), 0, sum(amount_minor) from ${own('collections')}
        where ${IS_TILL_MONEY} and collected_on between ${first}::date and ${today}::date${ofMine(mine)} group by 1, 2) moved
    group by currency, month order by ${OWN_CURRENCY_FIRST}`);
  const months = Array.from({ length: 12 }, (_, place) => addMonths(first, place).slice(0, 7));
  return [...new Set(rows.map(({ currency }) => currency))].map((currency) => ({
    currency,
    months: months.map((month) => {
      const found = rows.find((row) => row.currency === currency && row.month === month);
      return { month, sold: formatMoney(BigInt(found?.sold ?? 0)), collected: formatMoney(BigInt(found?.collected ?? 0)) };
    }),
  }));
}

async function readStockAges(db: Db, today: string): Promise<StockAge[]> {
  const day = (days: number) => addDays(today, -days);
  const counted = DESK_AGES.map(
    ({ from, to }) =>
      sql`count(*) filter (where stock_date <= ${day(from)}::date${to === null ? sql`` : sql` and stock_date >= ${day(to)}::date`})::int`,
  );
  const { counts } = await db.one<{ counts: number[] }>(
    sql`select json_build_array(${joined(counted, ', ')}) as counts from ${own('vehicles')} where ${IN_STOCK}`,
  );
  return DESK_AGES.map(({ bucket }, place) => ({ bucket, count: counts[place]! }));
}

/** Each list is read from its own index, newest first. */
const readEvents = (db: Db, { sales, money, mine }: { sales: boolean; money: boolean; mine: Mine }): Promise<DeskEvent[]> => {
  const customer = sql`(select coalesce(company_name, first_name || ' ' || last_name) from ${own('customers')} where customers.id = customer_id)`;
  const newest = sql`order by created_at desc, id desc limit ${EVENTS}`;
  const parts = [
    sql`(select 'vehicle' as kind, id, id as vehicle_id, created_at as at, null::text as customer, price_minor as amount, currency
      from ${own('vehicles')} where deleted_at is null ${newest})`,
    ...(sales
      ? [
          sql`(select 'sale', id, vehicle_id, created_at, ${customer}, sale_price_minor, currency from ${own('sales')}
            where status <> 'İptal'${soldByMine(mine)} ${newest})`,
        ]
      : []),
    ...(money
      ? [
          sql`(select 'collection', sale_id, (select vehicle_id from ${own('sales')} where sales.id = sale_id), created_at,
              ${customer}, amount_minor, currency
            from ${own('collections')} where type = 'Tahsilat' and status = 'Geçerli' and sale_id is not null${ofMine(mine)} ${newest})`,
        ]
      : []),
  ];
  return db.rows<DeskEvent>(sql`select kind, newest.id, vehicle_id, utc_text(at) as at, brand || ' ' || model as name, plate, body_type, color,
      (select thumbnail_id from ${own('vehicle_photos')} where vehicle_photos.vehicle_id = newest.vehicle_id and "position" = 1) as thumbnail_id,
      customer, money_text(amount) as amount, newest.currency
    from (select * from (${joined(parts, ' union all ')}) events order by at desc, id limit ${EVENTS}) newest
    join ${own('vehicles')} on vehicles.id = newest.vehicle_id order by at desc, newest.id`);
};
