// The board of today's collections, a card for each sale: what is overdue, due today, promised for today and collected today.
// Totals are by currency, the account's own first. Lanes are filtered, sorted and paged in the database.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { oneOfParam, textParam, trueParam, uuidParam } from '../../kit/params.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { addDays } from '../clock/days.ts';
import { searchFor } from '../records/search.ts';
import { IS_OPEN, placeOf } from '../sales/installment.ts';
import { searchedSale } from '../sales/sale-list.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';
import { BOARD_LANES, BOARD_SORTS, type BoardLaneName, type BoardSort } from './receivables-states.ts';

/** What a customer owes or paid of one sale, in one lane. */
export interface BoardCard {
  /** The oldest installment of the card; null for promises and collections. */
  readonly installment_id: string | null;
  /** The installment that the customer is reminded of. */
  readonly remind_id: string | null;
  /** How many installments the card contains. */
  readonly count: number;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly plan_id: string;
  readonly customer: { readonly id: string; readonly name: string; readonly phone: string };
  readonly vehicle: BoardVehicle;
  /** The position of its oldest installment in the plan; 0 for the down payment. */
  readonly row_no: number | null;
  readonly row_count: number;
  readonly days_overdue: number;
  readonly amount: string;
  readonly currency: Currency;
  readonly promise: { readonly id: string; readonly promised_date: string; readonly amount: string } | null;
  readonly last_contact_at: string | null;
  readonly receipt_no: string | null;
  readonly collection_id: string | null;
}

interface BoardVehicle {
  readonly id: string;
  readonly name: string;
  readonly plate: string;
  readonly body_type: string;
  readonly color: string;
  /** A file; the panel makes a link of it. */
  readonly thumbnail_id: string | null;
}

export interface BoardTotal {
  readonly currency: Currency;
  /** Cards, which are sales. */
  readonly count: number;
  readonly amount: string;
}

export interface BoardLane {
  readonly totals: readonly BoardTotal[];
  readonly cards: readonly BoardCard[];
}

export const BOARD_FILTERS = {
  /** Customer, plate, sale number. */
  q: textParam(80),
  /** Sales of the person who asks. */
  mine: trueParam,
  branch_id: uuidParam,
  sort: oneOfParam(BOARD_SORTS),
} as const;

export interface BoardQuery {
  readonly q?: string | undefined;
  readonly branch_id?: string | undefined;
  readonly salesperson_id?: string | null | undefined;
  readonly sort?: BoardSort | undefined;
  /** Phones cannot be searched by those who see them masked. */
  readonly masked: boolean;
  readonly today: string;
}

export interface LanePage {
  readonly limit: number;
  readonly offset: number;
}

/** The first cards of each lane. */
export async function readBoard(db: Db, query: BoardQuery, page: LanePage): Promise<Readonly<Record<BoardLaneName, BoardLane>>> {
  const lanes = await Promise.all(BOARD_LANES.map(async (name) => [name, await readLane(db, name, query, page)] as const));
  return Object.fromEntries(lanes) as Record<BoardLaneName, BoardLane>;
}

/** One card more than the page shows that another page follows. */
export async function readLane(db: Db, name: BoardLaneName, query: BoardQuery, { limit, offset }: LanePage): Promise<BoardLane> {
  const { grace, own_currency } = await db.one<{ grace: number; own_currency: Currency }>(
    sql`select overdue_grace_days as grace, default_currency as own_currency from ${own('accounts')}`,
  );
  const order = orderOf(name, query.sort ?? 'delay', own_currency);
  const { totals, cards } = await db.one<{ totals: BoardTotal[]; cards: BoardCard[] }>(sql`
    with items as materialized (select lane.* from (${groupsOf(name, query.today, grace)}) lane
      join (select * from ${own('sales')}) sales on sales.id = lane.sale_id where true${allOf(conditions(query))}),
    page as (select items.*, sale_no, plan_id, customer_id, vehicle_id, row_number() over (order by ${order}) as place from items
      join (select * from ${own('sales')}) sale on sale.id = items.sale_id order by place limit ${limit} offset ${offset})
    select (select coalesce(json_agg(json_build_object('currency', currency, 'count', count, 'amount', money_text(amount))
        order by currency <> ${own_currency}, currency), '[]')
      from (select currency, count(*)::int as count, sum(amount)::bigint as amount from items group by currency) by_currency) as totals,
      (select coalesce(json_agg(card), '[]') from (${cardsOf(query.today)}) card) as cards`);
  return { totals, cards };
}

/** Installments after the grace period are overdue; those within it are in no lane until then. */
function groupsOf(name: BoardLaneName, today: string, grace: number): Sql {
  if (name === 'overdue') return installments(sql`due_date < ${addDays(today, -grace)}::date`);
  if (name === 'due_today') return installments(sql`due_date = ${today}::date`);
  if (name === 'promised_today')
    return sql`select sale_id, currency, amount_minor - fulfilled_amount_minor as amount, 1 as count, promised_date as since,
        null::uuid as installment_id, installment_id as promised_id, null::uuid as collection_id, null::text as receipt_no, id
      from ${own('payment_promises')} where status = 'Bekliyor' and promised_date = ${today}::date`;
  return sql`select sale_id, currency, amount_minor as amount, 1 as count, collected_on as since, null::uuid as installment_id,
      null::uuid as promised_id, id as collection_id, receipt_no, id
    from ${own('collections')} where type = 'Tahsilat' and status = 'Geçerli' and collected_on = ${today}::date and ${IS_TILL_MONEY}`;
}

const installments = (
  when: Sql,
): Sql => sql`select sale_id, currency, sum(remaining_amount_minor)::bigint as amount, count(*)::int as count,
    min(due_date) as since, (array_agg(id order by due_date, seq))[1] as installment_id, null::uuid as promised_id, null::uuid as collection_id,
    null::text as receipt_no, sale_id as id
  from ${own('installments')} where ${IS_OPEN} and ${when} group by sale_id, currency`;

/** On a sale named `sales`. */
function conditions({ q, branch_id, salesperson_id, masked }: BoardQuery): Sql[] {
  return [
    ...(branch_id === undefined ? [] : [sql`sales.branch_id = ${branch_id}`]),
    ...(salesperson_id === undefined ? [] : [sql`sales.salesperson_id = ${salesperson_id}::uuid`]),
    ...(q === undefined ? [] : searchFor(q, searchedSale(masked))),
  ];
}

/** The last contact is read for all sales only where they are sorted by it. */
function orderOf(name: BoardLaneName, sort: BoardSort, ownCurrency: Currency): Sql {
  if (name === 'collected_today') return sql`items.receipt_no desc, items.id`;
  if (sort === 'amount') return sql`items.currency <> ${ownCurrency}, items.currency, items.amount desc, items.id`;
  if (sort === 'contact') return sql`${lastContact('sale')} asc nulls first, items.since, items.id`;
  return sql`items.since, items.id`;
}

const lastContact = (sale: 'sale' | 'page'): Sql =>
  sql`(select max(occurred_at) from ${own('customer_activity')} where customer_activity.customer_id = ${rawSql(sale)}.customer_id and source = 'manual')`;

const cardsOf = (
  today: string,
): Sql => sql`select page.installment_id, page.collection_id, page.receipt_no, page.count, page.sale_id,
    sale_no, plan_id, page.currency, money_text(page.amount) as amount,
    case when page.installment_id is null then 0 else greatest(${today}::date - page.since, 0) end as days_overdue,
    coalesce(page.installment_id, case when page.collection_id is null then coalesce(
      (select id from ${own('installments')} where installments.id = page.promised_id and ${IS_OPEN}),
      (select id from ${own('installments')} where installments.sale_id = page.sale_id and ${IS_OPEN} order by due_date, seq limit 1)) end) as remind_id,
    (select ${placeOf(sql`installments.seq`, sql`installments.sale_id`)} from ${own('installments')} where installments.id = page.installment_id) as row_no,
    (select count(*)::int from ${own('installments')} where installments.sale_id = page.sale_id and seq > 0 and status <> 'Yapılandırıldı') as row_count,
    (select json_build_object('id', id, 'name', coalesce(company_name, first_name || ' ' || last_name), 'phone', phone)
      from ${own('customers')} where customers.id = page.customer_id) as customer,
    (select json_build_object('id', id, 'name', brand || ' ' || model, 'plate', plate, 'body_type', body_type, 'color', color, 'thumbnail_id',
        (select thumbnail_id from ${own('vehicle_photos')} where vehicle_photos.vehicle_id = page.vehicle_id and "position" = 1))
      from ${own('vehicles')} where vehicles.id = page.vehicle_id) as vehicle,
    (select json_build_object('id', id, 'promised_date', promised_date, 'amount', money_text(amount_minor)) from ${own('payment_promises')}
      where payment_promises.sale_id = page.sale_id and payment_promises.status = 'Bekliyor') as promise,
    utc_text(${lastContact('page')}) as last_contact_at
  from page order by page.place`;
