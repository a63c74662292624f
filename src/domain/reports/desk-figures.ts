// A dealer's figures for the morning: open work, and this month compared with the last. All statements are sent together, each
// with its own index.

import { startOf } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Scope } from '../../kit/endpoint.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { addDays, addMonths } from '../clock/days.ts';
import { WAITS_FOR_SIGNATURE } from '../documents/document.ts';
import { mayUse, type Role } from '../identity/roles.ts';
import { eitherPartyRows } from '../parties/counterparty-rows.ts';
import type { BoardTotal } from '../receivables/board.ts';
import { IS_OPEN } from '../sales/installment.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';

export interface MonthTotal extends BoardTotal {
  /** The same days of the previous month. */
  readonly before: string;
  readonly before_count: number;
}

/** Null if the role may not see it. */
export interface Desk {
  readonly today: string;
  readonly overdue: readonly BoardTotal[] | null;
  readonly due_today: readonly BoardTotal[] | null;
  readonly promised_today: readonly BoardTotal[] | null;
  readonly tasks_due: number | null;
  readonly reservations_ending: number;
  readonly long_in_stock: number;
  readonly documents_waiting: number | null;
  readonly network_offers: number | null;
  readonly trade_requests: number | null;
  readonly market_offers: number | null;
  /** The dealer's running auctions with a bid. */
  readonly auctions_with_bids: number | null;
  readonly sold: readonly MonthTotal[] | null;
  readonly collected: readonly MonthTotal[] | null;
  /** Asking prices of the stock. */
  readonly stock_value: readonly BoardTotal[] | null;
}

export const LONG_IN_STOCK_DAYS = 60;
/** Reservations that end within that many days, including today. */
const ENDING_DAYS = 2;

export interface DeskOf {
  readonly role: Role;
  readonly today: string;
  readonly timezone: string;
  readonly now: Date;
}

export async function readDesk(db: Db, { role, today, timezone, now }: DeskOf): Promise<Desk> {
  const may = (scope: Scope) => mayUse(role, { scope, risk: 'read' });
  const when = <T>(allowed: boolean, ask: () => Promise<T>): Promise<T | null> => (allowed ? ask() : Promise.resolve(null));
  const money = may('collections:read');
  const tomorrow = startOf({ day: addDays(today, 1) }, timezone);
  const waiting = sql`status = 'Beklemede' and expires_at > ${now}`;
  const promised = sql`status = 'Bekliyor' and promised_date = ${today}::date`;
  const [
    overdue,
    due_today,
    promised_today,
    tasks_due,
    ending,
    long,
    documents_waiting,
    network,
    trades,
    market,
    bids,
    month,
    stock,
  ] = await allAnswers([
    when(money, () => overdueTotals(db, today)),
    when(money, () => totals(db, 'installments', sql`remaining_amount_minor`, sql`${IS_OPEN} and due_date = ${today}::date`)),
    when(money, () => totals(db, 'payment_promises', sql`amount_minor - fulfilled_amount_minor`, promised)),
    when(may('tasks:read'), () =>
      count(
        db,
        sql`${own('tasks')} where deleted_at is null and due_at < ${tomorrow} and status in ('Yapılacak', 'Devam Ediyor')`,
      ),
    ),
    count(db, sql`${own('reservations')} where status = 'Aktif' and reserved_until <= ${addDays(today, ENDING_DAYS)}::date`),
    count(db, sql`${own('vehicles')} where ${IN_STOCK} and stock_date < ${addDays(today, -LONG_IN_STOCK_DAYS)}::date`),
    when(may('documents:read'), () => count(db, sql`${own('documents')} where deleted_at is null and ${WAITS_FOR_SIGNATURE}`)),
    when(may('network-offers:read'), () =>
      count(
        db,
        sql`${eitherPartyRows('network_offers')} where ${waiting} and (made_by = 'seller') = (account_id <> ${theAccount})`,
      ),
    ),
    when(may('trade-requests:read'), () => count(db, sql`${own('trade_requests')} where ${waiting}`)),
    when(may('marketplace:read'), () => count(db, sql`${own('marketplace_offers')} where ${waiting}`)),
    when(may('network-auctions:read'), () => count(db, sql`${own('network_auctions')} where status = 'Canlı' and bid_count > 0`)),
    when(may('sales:read'), () => monthTotals(db, today)),
    when(role === 'owner' || role === 'finance', () => totals(db, 'vehicles', sql`price_minor`, IN_STOCK)),
  ]);
  return {
    today,
    overdue,
    due_today,
    promised_today,
    tasks_due,
    reservations_ending: ending,
    long_in_stock: long,
    documents_waiting,
    network_offers: network,
    trade_requests: trades,
    market_offers: market,
    auctions_with_bids: bids,
    sold: month?.sold ?? null,
    collected: money && month ? month.collected : null,
    stock_value: stock,
  };
}

const IN_STOCK = sql`deleted_at is null and status in ('Stokta', 'Rezerve', 'Auction''da')`;

const count = async (db: Db, from: Sql): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*)::int as count from ${from}`)).count;

const totals = (
  db: Db,
  table: 'installments' | 'payment_promises' | 'vehicles',
  amount: Sql,
  where: Sql,
): Promise<BoardTotal[]> =>
  db.rows<BoardTotal>(sql`select currency, count(*)::int as count, money_text(sum(${amount})::bigint) as amount
    from ${own(table)} where ${where} group by currency order by currency`);

/** As on the board of receivables: installments within the account's grace period are not counted yet. */
const overdueTotals = (db: Db, today: string): Promise<BoardTotal[]> =>
  totals(
    db,
    'installments',
    sql`remaining_amount_minor`,
    sql`${IS_OPEN} and due_date < ${today}::date - (select overdue_grace_days from ${own('accounts')})`,
  );

/** This month up to today, and the same days of the previous month; the day of the month is kept if that month is long enough. */
async function monthTotals(db: Db, today: string): Promise<{ sold: MonthTotal[]; collected: MonthTotal[] }> {
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
      where status <> 'İptal' and ${both(sql`sale_date`)} group by currency order by currency`),
    db.rows<MonthTotal>(sql`select ${figures(sql`collected_on`, sql`amount_minor`)} from ${own('collections')}
      where ${IS_TILL_MONEY} and ${both(sql`collected_on`)} group by currency order by currency`),
  ]);
  return { sold, collected };
}
