// A sale as the API returns it: its terms, its current figures, and the payoff amount of today.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Context, Include, Includes, ReplyRecord } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  day,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  percent,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { Customer } from '../customers/customer-view.ts';
import { payoff } from '../installments/payoff.ts';
import type { PlanInstallment } from '../installments/plan-installment.ts';
import { LEGAL_STAGES, PAYMENT_TYPES, SALE_STATUSES, TITLE_STATUSES } from '../installments/sales-states.ts';
import { Vehicle } from '../stock/vehicle-view.ts';
import { Installment, installmentColumns, isOverdueOn } from './installment.ts';

const terms = {
  id: uuid(),
  sale_no: text('S-2026-00001'),
  external_ref: nullable(text('SLS-88')),
  vehicle_id: uuid(),
  customer_id: uuid(),
  guarantor_ids: arrayOf(uuid()),
  salesperson_id: nullable(uuid()),
  branch_id: nullable(uuid()),
  sale_date: day(),
  currency: currency(),
  currency_exemption: nullable(text()),
  sale_price: money(),
  trade_in_amount: money(),
  trade_in_vehicle_id: nullable(uuid()),
  down_payment: money(),
  finance_charge: money(),
  late_rate_yearly: nullable(percent()),
  delivery_due_on: nullable(day()),
  financed_amount: money(),
  total_receivable: money(),
  collected_amount: money(),
  discounted_amount: money(),
};
const computed = { outstanding_amount: money(), overdue_amount: money() };
const state = { yearly_rate: nullable(percent()), payment_type: oneOf(PAYMENT_TYPES) };
const rest = {
  plan_id: uuid(),
  status: oneOf(SALE_STATUSES),
  delivered_at: nullable(day()),
  notes: nullable(text('Anahtarın yedeği de verildi.')),
  cancelled_at: nullable(timestamp()),
  cancel_reason: nullable(text()),
  refunded_amount: money(),
  retained_amount: money(),
};
const papers = {
  title_transfer: object({
    status: oneOf(TITLE_STATUSES),
    on: nullable(day()),
    place: nullable(text('Lefkoşa Kaza Dairesi')),
    reference: nullable(text()),
  }),
  secure_payment_ref: nullable(text()),
  lien: object({ placed_on: nullable(day()), removed_on: nullable(day()) }),
  invoice: object({ no: nullable(text()), ettn: nullable(uuid()), on: nullable(day()) }),
  legal_stage: oneOf(LEGAL_STAGES),
};
const times = { created_at: timestamp(), updated_at: timestamp() };

export const Sale = object({ ...terms, ...computed, ...state, installment_count: integer(), ...rest, ...papers, ...times });
export type Sale = Of<typeof Sale>;

const Payoff = object({ date: day(), outstanding: money(), late_interest: money(), unearned_finance_charge: money() });
export const SaleDetail = object({ ...Sale.shape, payoff: nullable(Payoff) });
export type SaleDetail = Of<typeof SaleDetail>;

/** The select list of a sale named `chosen`, joined with `installmentSums`. */
export const SHOWN_SALE: Sql = sql`${columnsOf(object(terms))},
  money_text(case when status = 'İptal' then 0 else total_receivable_minor - collected_amount_minor - discounted_amount_minor end)
    as outstanding_amount, money_text(overdue) as overdue_amount, ${columnsOf(object(state))}, installment_count, ${columnsOf(object(rest))},
  json_build_object('status', title_status, 'on', title_on, 'place', title_place, 'reference', title_reference) as title_transfer,
  secure_payment_ref, json_build_object('placed_on', lien_placed_on, 'removed_on', lien_removed_on) as lien,
  json_build_object('no', invoice_no, 'ettn', invoice_ettn, 'on', invoice_on) as invoice, legal_stage, ${columnsOf(object(times))}`;

export const installmentSums = (today: string): Sql =>
  sql`select (count(*) filter (where seq > 0 and status <> 'Yapılandırıldı'))::int as installment_count,
      coalesce(sum(remaining_amount_minor) filter (where ${isOverdueOn(today)}), 0)::bigint as overdue
    from ${own('installments')} where installments.sale_id = chosen.id`;

interface SaleRecord {
  readonly sale: Sale;
  readonly finance_charge: bigint;
  readonly late_rate: number | null;
  readonly installments: readonly (Omit<PlanInstallment, 'amount' | 'paid_amount' | 'discounted_amount'> &
    Record<'amount' | 'paid_amount' | 'discounted_amount', string>)[];
}

/** As lists show them, in any order. */
export const readShownSales = (db: Db, ids: readonly string[], today: string): Promise<Sale[]> =>
  db.rows<Sale>(sql`select ${SHOWN_SALE} from (select * from ${own('sales')} where id = any(${ids}::uuid[])) chosen
    cross join lateral (${installmentSums(today)} offset 0) beside`);

export async function readSale(db: Db, id: string, today: string): Promise<SaleDetail> {
  const [found] = await db.rows<SaleRecord>(sql`select row_to_json(shown) as sale, chosen.finance_charge_minor as finance_charge,
      chosen.late_rate_yearly_minor as late_rate,
      array(select json_build_object('seq', seq, 'due_date', due_date, 'status', status, 'amount', amount_minor::text,
        'paid_amount', paid_amount_minor::text, 'discounted_amount', discounted_amount_minor::text)
        from ${own('installments')} where sale_id = chosen.id) as installments
    from (select * from ${own('sales')} where id = ${id}) chosen
    cross join lateral (select ${SHOWN_SALE} from (${installmentSums(today)}) beside) shown`);
  if (found === undefined) return fail('not_found');
  return { ...found.sale, payoff: found.sale.status === 'Aktif' ? payoffOf(found, today) : null };
}

function payoffOf({ sale, finance_charge, late_rate, installments }: SaleRecord, today: string): SaleDetail['payoff'] {
  const of = payoff(
    { sale_date: sale.sale_date, finance_charge, late_rate_yearly: late_rate === null ? null : BigInt(late_rate) },
    installments.map((installment) => ({
      ...installment,
      amount: BigInt(installment.amount),
      paid_amount: BigInt(installment.paid_amount),
      discounted_amount: BigInt(installment.discounted_amount),
    })),
    today,
  );
  return {
    date: of.date,
    outstanding: formatMoney(of.outstanding),
    late_interest: formatMoney(of.late_interest),
    unearned_finance_charge: formatMoney(of.unearned_finance_charge),
  };
}

// What `include` adds to sales and to the records of a sale.

type Row = { readonly id: string };

const idsIn = (records: readonly ReplyRecord[], name: string): string[] => [
  ...new Set(records.map((record) => record[name]).filter((id): id is string => typeof id === 'string')),
];

/** The record whose id a field has; null if the field is null or the record is deleted. */
const named =
  (field: string, read: (context: Context, ids: readonly string[]) => Promise<readonly Row[]>): Include['read'] =>
  async (context, records) => {
    const ids = idsIn(records, field);
    const found = new Map((ids.length === 0 ? [] : await read(context, ids)).map((row) => [row.id, row]));
    return records.map((record) => found.get(record[field] as string) ?? null);
  };

const listed = async (context: Context, rows: Sql): Promise<Row[]> =>
  (await context.db.rows<{ list_json: string }>(rows)).map(({ list_json }) => JSON.parse(list_json));

const todayOf = ({ now, account }: Context): string => dayIn(now, account.timezone);

const customer: Include = {
  of: 'GET customers/{customer_id}',
  schema: nullable(Customer),
  read: named('customer_id', (context, ids) =>
    listed(context, sql`select list_json from ${own('customers')} where id = any(${ids}::uuid[]) and deleted_at is null`),
  ),
};

const vehicle: Include = {
  of: 'GET vehicles/{vehicle_id}',
  schema: nullable(Vehicle),
  read: named('vehicle_id', (context, ids) =>
    listed(context, sql`select list_json from ${own('vehicles')} where id = any(${ids}::uuid[])`),
  ),
};

const installments: Include = {
  of: 'GET installment-plans/{plan_id}/installments',
  schema: arrayOf(Installment),
  read: async (context, records) => {
    const rows = await context.db.rows<{ sale_id: string }>(sql`select ${installmentColumns(todayOf(context))}
      from (select * from ${own('installments')} where sale_id = any(${idsIn(records, 'id')}::uuid[]) order by sale_id, seq) chosen`);
    const found = Map.groupBy(rows, ({ sale_id }) => sale_id);
    return records.map(({ id }) => found.get(id as string) ?? []);
  },
};

const sale: Include = {
  of: 'GET sales/{sale_id}',
  schema: nullable(Sale),
  read: named('sale_id', (context, ids) => readShownSales(context.db, ids, todayOf(context))),
};

export const OF_SALE: Includes = { customer, vehicle, installments };
export const WITH_SALE: Includes = { sale, customer };
