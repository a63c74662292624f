// Two sales of the demonstration with the same ids at every load: an installment sale with an overdue and promised installment,
// and a cash sale without any payment.

import { addDays, addMonths, dayOfMonth } from '../domain/clock/days.ts';
import { amountInWords } from '../domain/formats/amount-in-words.ts';
import { yearlyRate } from '../domain/installments/yearly-rate.ts';
import { startOfDay } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf } from './demo-random.ts';

export interface DemoSaleIds {
  readonly sale_id: string;
  readonly plan_id: string;
  readonly installment_id: string;
  readonly collection_id: string;
  readonly promise_id: string;
  readonly note_id: string;
  readonly unpaid_sale_id: string;
}

const COUNT = 12;
/** In hundredths: 14 000.00 less 4 000.00 down, 800.00 finance charge, twelve installments of 900.00. */
const [PRICE, DOWN, CHARGE, ROW, CASH, PROMISED] = [1_400_000n, 400_000n, 80_000n, 90_000n, 860_000n, 50_000n];
const SOLD_DAYS_AGO = 75;
const PROMISED_DAYS = 10;

export function demoSaleIds({ scope }: DemoDealer): DemoSaleIds {
  const office = (name: string): string => idOf('office', scope, name);
  return {
    sale_id: office('sale'),
    plan_id: office('plan'),
    installment_id: office(`row ${COUNT}`),
    collection_id: office('collection'),
    promise_id: office('promise'),
    note_id: office('note 2'),
    unpaid_sale_id: office('unpaid sale'),
  };
}

const mainBranch = sql`(select id from ${own('branches')} where is_main)`;

type Names = { readonly customer_id: string } & DemoSaleIds;

/** For two cars that were sold before; without them, nothing is added. */
export async function loadSales(db: Db, dealer: DemoDealer, ids: Names, now: Date): Promise<void> {
  const known = await db.rows(sql`select id from ${own('sales')} where id = ${ids.sale_id}`);
  const cars = await db.rows<{ id: string }>(
    sql`select id from ${own('vehicles')} where status = 'Satıldı' and sold_via = 'Harici' and deleted_at is null order by id limit 2`,
  );
  if (known.length > 0 || cars.length < 2) return;
  const today = now.toISOString().slice(0, 10);
  const sold = addDays(today, -SOLD_DAYS_AGO);
  const [car, other] = cars as [{ id: string }, { id: string }];
  await loadInstallmentSale(db, dealer, ids, { car: car.id, sold, now });
  await loadCashSale(db, dealer, ids, { car: other.id, sold: today, now });
  for (const [id, day, price] of [
    [car.id, sold, PRICE],
    [other.id, today, CASH],
  ] as const)
    await db.exec(sql`update vehicles set sold_via = 'Satış', sold_at = ${day}, sold_price_minor = null, sold_currency = null,
        purchase_price_minor = ${(price * 86n) / 100n}, purchase_currency = 'STG', customs_fee_minor = null, other_costs_minor = null
      where account_id = ${theAccount} and id = ${id}`);
  await loadPromise(db, ids, addDays(today, PROMISED_DAYS), now);
  const year = Number(today.slice(0, 4));
  await db.exec(sql`insert into number_series (account_id, series, year, last)
    values (${theAccount}, 'S', ${year}, 2), (${theAccount}, 'T', ${year}, 2), (${theAccount}, 'N', ${year}, 2) on conflict do nothing`);
}

interface Sold {
  readonly car: string;
  readonly sold: string;
  readonly now: Date;
}

async function loadInstallmentSale(db: Db, { scope }: DemoDealer, ids: Names, { car, sold, now }: Sold): Promise<void> {
  const first = addMonths(sold, 1);
  const installments = Array.from({ length: COUNT }, (_, n) => ({ seq: n + 1, due_date: addMonths(first, n), amount: ROW }));
  const rate = Number(yearlyRate(sold, PRICE - DOWN, installments));
  const paid = DOWN + ROW;
  const number = `S-${now.getUTCFullYear()}-00001`;
  await db.exec(sql`insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, sale_date, currency,
      sale_price_minor, down_payment_minor, finance_charge_minor, late_rate_yearly_minor, yearly_rate_minor, period, payment_type,
      collected_amount_minor, branch_id, created_at, updated_at)
    values (${theAccount}, ${ids.sale_id}, ${ids.plan_id}, ${number}, ${car}, ${ids.customer_id}, ${sold}, 'STG',
      ${PRICE}, ${DOWN}, ${CHARGE}, 3000, ${rate}, 'Aylık', 'Taksitli', ${paid}, ${mainBranch}, ${now}, ${now})`);
  const all = [{ seq: 0, due_date: sold, amount: DOWN }, ...installments];
  const today = now.toISOString().slice(0, 10);
  for (const { seq, due_date, amount } of all) {
    // Past dates send no events again.
    const isPast = due_date < today;
    await db.exec(sql`insert into installments (account_id, id, sale_id, plan_id, customer_id, currency, seq, kind, due_date, original_due_date,
        due_day, amount_minor, is_due_soon_told, is_overdue_told, created_at, updated_at)
      values (${theAccount}, ${rowId(scope, seq)}, ${ids.sale_id}, ${ids.plan_id}, ${ids.customer_id}, 'STG', ${seq},
        ${seq === 0 ? 'Peşinat' : 'Taksit'}, ${due_date}, ${due_date}, ${dayOfMonth(seq === 0 ? sold : first)}, ${amount}, ${isPast}, ${isPast},
        ${now}, ${now})`);
  }
  await loadCollection(
    db,
    ids,
    { id: idOf('office', scope, 'down payment'), place: 1, on: sold, row: rowId(scope, 0), amount: DOWN },
    now,
  );
  await loadNotes(db, scope, ids, sold, now);
  await loadCollection(db, ids, { id: ids.collection_id, place: 2, on: first, row: rowId(scope, 1), amount: ROW }, now);
}

/** The next two open installments have a note. */
async function loadNotes(db: Db, scope: DemoDealer['scope'], ids: Names, sold: string, now: Date): Promise<void> {
  for (const [place, seq] of [2, 3].entries())
    await db.exec(sql`insert into promissory_notes (account_id, id, note_no, sale_id, installment_id, customer_id, payee_name, amount_minor,
        amount_in_words, currency, issue_date, issue_place, due_date, payment_place, paid_at_issue_minor, created_at, updated_at)
      select ${theAccount}, ${idOf('office', scope, `note ${seq - 1}`)}, ${`N-${now.getUTCFullYear()}-0000${place + 1}`}, ${ids.sale_id}, installments.id, ${ids.customer_id},
        coalesce(legal_name, accounts.name), ${ROW}, ${amountInWords(ROW, 'STG')}, 'STG', ${sold}, 'Lefkoşa', installments.due_date, 'Lefkoşa', 0, ${now}, ${now}
      from ${own('installments')}, ${own('accounts')} where installments.id = ${rowId(scope, seq)}`);
}

const rowId = (scope: DemoDealer['scope'], seq: number): string => idOf('office', scope, `row ${seq}`);

interface Paid {
  readonly id: string;
  readonly place: number;
  readonly on: string;
  readonly row: string;
  readonly amount: bigint;
}

async function loadCollection(db: Db, ids: Names, { id, place, on, row, amount }: Paid, now: Date): Promise<void> {
  const year = now.getUTCFullYear();
  const number = BigInt(year) * 1_000_000_000n + BigInt(place);
  await db.exec(sql`insert into collections (account_id, id, number, receipt_no, type, sale_id, customer_id, branch_id, amount_minor, currency,
      sale_currency, applied_amount_minor, method, collected_on, created_at, updated_at)
    select ${theAccount}, ${id}, ${number}, ${`T-${year}-0000${place}`}, 'Tahsilat', ${ids.sale_id}, ${ids.customer_id}, id, ${amount}, 'STG', 'STG',
      ${amount}, 'Nakit', ${on}, ${now}, ${now} from ${own('branches')} where is_main`);
  await db.exec(sql`insert into collection_allocations (account_id, collection_id, place, installment_id, is_discount, amount_minor)
    values (${theAccount}, ${id}, 1, ${row}, false, ${amount})`);
  await db.exec(sql`update installments set paid_amount_minor = amount_minor, status = 'Ödendi', paid_at = ${on}
    where account_id = ${theAccount} and id = ${row}`);
}

async function loadCashSale(db: Db, { scope }: DemoDealer, ids: Names, { car, sold, now }: Sold): Promise<void> {
  const plan = idOf('office', scope, 'unpaid plan');
  await db.exec(sql`insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, sale_date, currency, sale_price_minor,
      down_payment_minor, payment_type, branch_id, created_at, updated_at)
    values (${theAccount}, ${ids.unpaid_sale_id}, ${plan}, ${`S-${now.getUTCFullYear()}-00002`}, ${car}, ${ids.customer_id}, ${sold}, 'STG', ${CASH},
      ${CASH}, 'Peşin', ${mainBranch}, ${now}, ${now})`);
  await db.exec(sql`insert into installments (account_id, id, sale_id, plan_id, customer_id, currency, seq, kind, due_date, original_due_date,
      due_day, amount_minor, is_due_soon_told, created_at, updated_at)
    values (${theAccount}, ${idOf('office', scope, 'unpaid row')}, ${ids.unpaid_sale_id}, ${plan}, ${ids.customer_id}, 'STG', 0, 'Peşinat', ${sold},
      ${sold}, ${dayOfMonth(sold)}, ${CASH}, true, ${now}, ${now})`);
}

/** The data set is checked again when it ends. */
async function loadPromise(db: Db, ids: Names, day: string, now: Date): Promise<void> {
  await db.exec(sql`insert into payment_promises (account_id, id, customer_id, sale_id, promised_date, amount_minor, currency, note, created_at,
      updated_at)
    values (${theAccount}, ${ids.promise_id}, ${ids.customer_id}, ${ids.sale_id}, ${day}, ${PROMISED}, 'STG', 'Maaş günü ödeyecek', ${now}, ${now})`);
  await db.exec(sql`update data_sets set next_due_at = least(next_due_at, ${startOfDay(addDays(now.toISOString().slice(0, 10), 1), 'UTC')}::timestamptz)
    where id = ${theAccount}`);
}
