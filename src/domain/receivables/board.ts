// The board of today's collections: installments that are overdue, due today and promised for today, and today's collections,
// with totals by currency.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import { addDays } from '../clock/days.ts';
import { IS_OPEN, placeOf } from '../sales/installment.ts';
import { IS_TILL_MONEY } from '../sales/till.ts';

export interface BoardCard {
  readonly installment_id: string | null;
  /** The installment that the customer is reminded of. */
  readonly remind_id: string | null;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly plan_id: string;
  readonly customer: { readonly id: string; readonly name: string; readonly phone: string };
  readonly vehicle: { readonly id: string; readonly name: string; readonly plate: string };
  readonly seq: number | null;
  /** Its position in the plan; 0 for the down payment. */
  readonly row_no: number | null;
  readonly row_count: number;
  readonly due_date: string | null;
  readonly days_overdue: number;
  readonly amount: string;
  readonly currency: Currency;
  readonly promise: { readonly id: string; readonly promised_date: string; readonly amount: string } | null;
  readonly last_contact_at: string | null;
  readonly receipt_no: string | null;
  readonly collection_id: string | null;
}

export interface BoardTotal {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: string;
}

export interface BoardLane {
  readonly totals: readonly BoardTotal[];
  readonly cards: readonly BoardCard[];
}

export interface Board {
  readonly today: string;
  readonly overdue: BoardLane;
  readonly due_today: BoardLane;
  readonly promised_today: BoardLane;
  readonly collected_today: BoardLane;
}

const MAX_CARDS = 100;

/** Of a sale named `sale`. */
const PEOPLE = sql`(select json_build_object('id', id, 'name', coalesce(company_name, first_name || ' ' || last_name), 'phone', phone)
    from ${own('customers')} where customers.id = sale.customer_id) as customer,
  (select json_build_object('id', id, 'name', brand || ' ' || model, 'plate', plate) from ${own('vehicles')} where vehicles.id = sale.vehicle_id) as vehicle,
  (select count(*)::int from ${own('installments')} where installments.sale_id = sale.id and seq > 0 and status <> 'Yapılandırıldı') as row_count,
  (select json_build_object('id', id, 'promised_date', promised_date, 'amount', money_text(amount_minor)) from ${own('payment_promises')}
    where payment_promises.sale_id = sale.id and payment_promises.status = 'Bekliyor') as promise,
  (select utc_text(max(occurred_at)) from ${own('customer_activity')} where customer_activity.customer_id = sale.customer_id and source = 'manual')
    as last_contact_at`;

/** Installments after the grace period are shown as overdue; those within it are not shown yet. */
export async function readBoard(db: Db, today: string): Promise<Board> {
  const { grace } = await db.one<{ grace: number }>(sql`select overdue_grace_days as grace from ${own('accounts')}`);
  const late = sql`${IS_OPEN} and due_date < ${addDays(today, -grace)}::date`;
  const dueToday = sql`${IS_OPEN} and due_date = ${today}::date`;
  const promised = sql`status = 'Bekliyor' and promised_date = ${today}::date`;
  const collected = sql`type = 'Tahsilat' and status = 'Geçerli' and collected_on = ${today}::date and ${IS_TILL_MONEY}`;
  const [overdue, due_today, promised_today, collected_today] = await Promise.all([
    installmentLane(db, late, today),
    installmentLane(db, dueToday, today),
    lane(
      db,
      'payment_promises',
      promised,
      sql`null::uuid as installment_id, coalesce((select id from ${own('installments')} where installments.id = item.installment_id and ${IS_OPEN}),
        (select id from ${own('installments')} where installments.sale_id = item.sale_id and ${IS_OPEN} order by due_date, seq limit 1)) as remind_id,
      null::int as seq, null::int as row_no, promised_date as due_date, 0 as days_overdue,
      money_text(item.amount_minor - item.fulfilled_amount_minor) as amount, null::text as receipt_no, null::uuid as collection_id`,
      'promised_date, created_at',
    ),
    lane(
      db,
      'collections',
      collected,
      sql`null::uuid as installment_id, null::uuid as remind_id, null::int as seq, null::int as row_no, null::date as due_date, 0 as days_overdue,
      money_text(item.amount_minor) as amount, receipt_no, item.id as collection_id`,
      'number desc',
    ),
  ]);
  return { today, overdue, due_today, promised_today, collected_today };
}

const installmentLane = (db: Db, where: Sql, today: string): Promise<BoardLane> =>
  lane(
    db,
    'installments',
    where,
    sql`item.id as installment_id, item.id as remind_id, seq, ${placeOf(sql`item.seq`, sql`item.sale_id`)} as row_no, due_date, greatest(${today}::date - due_date, 0) as days_overdue,
    money_text(remaining_amount_minor) as amount, null::text as receipt_no, null::uuid as collection_id`,
    'due_date, id',
  );

const AMOUNT = {
  installments: 'remaining_amount_minor',
  payment_promises: 'amount_minor - fulfilled_amount_minor',
  collections: 'amount_minor',
} as const;

async function lane(db: Db, table: keyof typeof AMOUNT, where: Sql, shown: Sql, order: string): Promise<BoardLane> {
  const by = rawSql(order);
  const [totals, cards] = await Promise.all([
    db.rows<BoardTotal>(sql`select currency, count(*)::int as count, money_text(sum(${rawSql(AMOUNT[table])})::bigint) as amount
      from ${own(table)} where ${where} group by currency order by currency`),
    db.rows<BoardCard>(sql`select ${shown}, sale.id as sale_id, sale_no, sale.plan_id, item.currency, ${PEOPLE}
      from (select * from ${own(table)} where ${where} order by ${by} limit ${MAX_CARDS}) item
      join (select * from ${own('sales')}) sale on sale.id = item.sale_id order by ${rawSql(order.replace(/(\w+)( desc)?/g, (word) => (word === ' desc' ? word : `item.${word}`)))}`),
  ]);
  return { totals, cards };
}
