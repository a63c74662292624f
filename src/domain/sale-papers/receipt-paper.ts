// The receipt of a collection as of its posting: later payments and reversals of others do not change it.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { DepositReceipt, PaperVehicle, Receipt, ReceiptInstallment, ReceiptRate, RefundReceipt } from '../papers/paper.ts';
import { readPaperBase } from '../papers/paper-account.ts';
import { placeOf } from '../sales/installment.ts';

export const RECEIPT_SIZES = ['A5', '80mm'] as const;
export type ReceiptSize = (typeof RECEIPT_SIZES)[number];

interface ReceiptRecord {
  readonly id: string;
  readonly number: bigint;
  readonly receipt_no: string;
  readonly type: string;
  readonly status: string;
  readonly sale_id: string | null;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly sale_currency: Currency | null;
  readonly applied: bigint | null;
  readonly late_interest: bigint;
  readonly rate_pair: string | null;
  readonly exchange_rate: string | null;
  readonly rate_date: string | null;
  readonly rate_source: string | null;
  readonly method: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  readonly collected_on: string;
  readonly created_at: Date;
  readonly instrument: { readonly bank: string; readonly number: string; readonly due_on: string } | null;
  readonly payer: string;
  readonly branch: string;
  readonly collected_by: string | null;
  readonly sale_no: string | null;
  readonly reserved_until: string | null;
  readonly deposit_receipt_no: string | null;
  readonly discount: bigint;
  /** Of the collection itself, or of the discount with it. */
  readonly last_number: bigint;
  readonly vehicle: PaperVehicle | null;
}

const findReceipt = (db: Db, id: string): Promise<ReceiptRecord> =>
  db.one<ReceiptRecord>(sql`select collections.id, number, receipt_no, type, collections.status, sale_id, amount_minor as amount, collections.currency, sale_currency,
      applied_amount_minor as applied, late_interest_amount_minor as late_interest, rate_pair, exchange_rate::text as exchange_rate, rate_date, rate_source,
      method, reference, collections.note, collected_on, collections.created_at,
      case when instrument_bank is null then null else json_build_object('bank', instrument_bank, 'number', instrument_number, 'due_on', instrument_due_on) end as instrument,
      coalesce(company_name, first_name || ' ' || last_name) as payer, branches.name as branch,
      (select full_name from ${own('members')} where members.id = collected_by_id) as collected_by, sale_no,
      (select reserved_until from ${own('reservations')} where reservations.id = reservation_id) as reserved_until,
      case when type = 'İade' and sale_id is null then (select receipt_no from (select * from ${own('collections')}) deposits
        where deposits.type = 'Kapora' and deposits.vehicle_id = collections.vehicle_id and deposits.customer_id = collections.customer_id
          and deposits.number < collections.number order by deposits.number desc limit 1) end as deposit_receipt_no,
      coalesce((select applied_amount_minor from (select * from ${own('collections')}) pairs where pairs.id = collections.paired_id and pairs.type = 'İndirim'), 0) as discount,
      greatest(number, coalesce((select pairs.number from (select * from ${own('collections')}) pairs where pairs.id = collections.paired_id), 0)) as last_number,
      (select json_build_object('brand', brand, 'model', model, 'model_year', model_year, 'plate', plate, 'color', color, 'km', km, 'fuel_type', fuel_type,
        'transmission', transmission) from ${own('vehicles')} where vehicles.id = coalesce(collections.vehicle_id, sales.vehicle_id)) as vehicle
    from ${own('collections')} join ${own('customers')} on customers.id = collections.customer_id join ${own('branches')} on branches.id = collections.branch_id
      left join ${own('sales')} on sales.id = sale_id where collections.id = ${id}`);

interface Installment extends ReceiptInstallment {
  readonly filled: bigint;
  readonly open: bigint;
}

/** The installments of the sale after the collection. */
const readInstallments = (db: Db, { id, sale_id, last_number }: ReceiptRecord): Promise<Installment[]> =>
  db.rows<Installment>(sql`select seq, case seq when 0 then 'Peşinat' else ${placeOf(sql`rows.seq`, sql`rows.sale_id`)} || '/' ||
        (select count(*) from (select * from ${own('installments')}) counted where counted.sale_id = rows.sale_id and counted.seq > 0 and counted.status <> 'Yapılandırıldı') end as label,
      due_date, 0::bigint as amount,
      coalesce((select sum(amount_minor) from ${own('collection_allocations')} where installment_id = rows.id and collection_id = ${id}), 0)::bigint as filled,
      (rows.amount_minor - coalesce((select sum(collection_allocations.amount_minor) from ${own('collection_allocations')}
        join ${own('collections')} on collections.id = collection_id where installment_id = rows.id and number <= ${last_number}), 0))::bigint as open
    from (select * from ${own('installments')} where sale_id = ${sale_id}) rows where status <> 'Yapılandırıldı' order by due_date, seq`);

const rateOf = ({
  rate_pair,
  exchange_rate,
  rate_date,
  rate_source,
  applied,
  sale_currency,
}: ReceiptRecord): ReceiptRate | null =>
  rate_pair === null || exchange_rate === null || rate_date === null || applied === null || sale_currency === null
    ? null
    : { pair: rate_pair, rate: exchange_rate, rate_date, source: rate_source ?? '', applied: positive(applied), sale_currency };

const positive = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

export type AnyReceipt = Receipt | DepositReceipt | RefundReceipt;

const CODES: Readonly<Record<string, AnyReceipt['code']>> = {
  Tahsilat: 'makbuz',
  Kapora: 'kapora_makbuzu',
  İade: 'iade_makbuzu',
};

/** For a Tahsilat, Kapora or İade; other collections have no receipt of their own. */
export async function readReceipt(db: Db, id: string, size: ReceiptSize): Promise<AnyReceipt> {
  const found = await findReceipt(db, id);
  const code = CODES[found.type];
  if (code === undefined) return fail('not_found');
  const shared = {
    ...(await readPaperBase(db, code, { created_at: found.created_at, day: found.collected_on })),
    size,
    receipt_no: found.receipt_no,
    payer: found.payer,
    branch: found.branch,
    collected_by: found.collected_by,
    amount: positive(found.amount),
    currency: found.currency,
    method: found.method ?? '',
    reference: found.reference,
    instrument: found.instrument,
    vehicle: found.vehicle,
    note: found.note,
    is_reversed: found.status === 'İptal Edildi',
  };
  if (code === 'kapora_makbuzu') return { ...shared, code, reserved_until: found.reserved_until };
  if (code === 'iade_makbuzu')
    return { ...shared, code, sale_no: found.sale_no, rate: rateOf(found), of_receipt_no: found.deposit_receipt_no };
  const installments = await readInstallments(db, found);
  const filled = installments.filter((installment) => installment.filled > 0n);
  const lastFilled = filled.at(-1)?.due_date ?? '';
  const isEarlier = (installment: Installment) =>
    installment.open > 0n && (installment.due_date < found.collected_on || installment.due_date < lastFilled);
  return {
    ...shared,
    code,
    sale_no: found.sale_no!,
    sale_currency: found.sale_currency!,
    rate: rateOf(found),
    late_interest: found.late_interest,
    discount: found.discount,
    filled: filled.map(({ seq, label, due_date, filled: amount }) => ({ seq, label, due_date, amount })),
    remaining: installments.reduce((sum, installment) => sum + installment.open, 0n),
    open_earlier: installments
      .filter(isEarlier)
      .map(({ seq, label, due_date, open: amount }) => ({ seq, label, due_date, amount })),
  };
}
