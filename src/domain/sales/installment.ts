// One installment: its API representation, its lock for a write, and how changed installments are stored.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { formatMoney, MAX_AMOUNT } from '../../kit/money.ts';
import {
  columnsOf,
  currency,
  day,
  flag,
  integer,
  money,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { daysOverdue, lateInterest as lateInterestOf } from '../installments/late-interest.ts';
import { type PlanInstallment, remainingOf } from '../installments/plan-installment.ts';
import { INSTALLMENT_KINDS, INSTALLMENT_STATUSES, type SaleStatus } from '../installments/sales-states.ts';
import { emitChange } from '../writes/record-events.ts';

const record = {
  id: uuid(),
  plan_id: uuid(),
  sale_id: uuid(),
  customer_id: uuid(),
  seq: integer(),
  kind: oneOf(INSTALLMENT_KINDS),
  due_date: day(),
  original_due_date: day(),
  amount: money(),
  paid_amount: money(),
  discounted_amount: money(),
  remaining_amount: money(),
  currency: currency(),
  status: oneOf(INSTALLMENT_STATUSES),
};
const rest = { paid_at: nullable(day()), postpone_count: integer(), note: nullable(text('Maaş gününe alındı.')) };
const times = { created_at: timestamp(), updated_at: timestamp() };

export const Installment = object({
  ...record,
  is_overdue: flag(),
  days_overdue: integer(),
  late_interest: money(),
  ...rest,
  promissory_note_id: nullable(uuid()),
  ...times,
});
export type Installment = Of<typeof Installment>;

const [RECORD, REST, TIMES] = [columnsOf(object(record)), columnsOf(object(rest)), columnsOf(object(times))];

/** Open: then its sale is «Aktif» too. */
export const IS_OPEN: Sql = sql`status in ('Bekliyor', 'Kısmi Ödendi')`;

export const isOverdueOn = (today: string): Sql => sql`(${IS_OPEN} and due_date < ${today}::date)`;

const daysOverdueOn = (today: string): Sql => sql`(case when ${isOverdueOn(today)} then ${today}::date - due_date else 0 end)`;

/** For an installment named `chosen`: simple interest, shown and never owed, as in late-interest.ts. */
const lateInterest = (today: string): Sql => sql`least(round(remaining_amount_minor::numeric * ${daysOverdueOn(today)} *
  coalesce((select late_rate_yearly_minor from ${own('sales')} where sales.id = chosen.sale_id), 0) / 3650000), ${MAX_AMOUNT})::bigint`;

/** The late interest of all overdue installments of a customer in one currency. */
export const readLateInterest = async (db: Db, customerId: string, currency: string, today: string): Promise<string> =>
  (
    await db.one<{
      sum: string;
    }>(sql`select money_text(least(coalesce(sum(${lateInterest(today)}), 0), ${MAX_AMOUNT})::bigint) as sum
      from (select * from ${own('installments')} where customer_id = ${customerId} and currency = ${currency} and ${isOverdueOn(today)}) chosen`)
  ).sum;

/** The select list of an installment named `chosen`. */
export const installmentColumns = (today: string): Sql => sql`${RECORD}, ${isOverdueOn(today)} as is_overdue,
  ${daysOverdueOn(today)} as days_overdue,
  money_text(${lateInterest(today)}) as late_interest,
  ${REST}, (select id from ${own('promissory_notes')} where live_installment_id = chosen.id) as promissory_note_id, ${TIMES}`;

/**
 * The position of an installment, whose columns are qualified with their table's name, among those that still belong to its plan:
 * «2/4», also after a restructuring.
 */
export const placeOf = (
  seq: Sql,
  saleId: Sql,
): Sql => sql`(select count(*)::int from (select * from ${own('installments')}) counted
  where counted.sale_id = ${saleId} and counted.seq between 1 and ${seq} and counted.status <> 'Yapılandırıldı')`;

/** The representations of installments of one sale, by seq; `ids` in any order. */
export const readInstallments = (db: Db, ids: readonly string[], today: string): Promise<Installment[]> =>
  db.rows<Installment>(sql`select ${installmentColumns(today)} from (select * from ${own('installments')} where id = any(${ids}::uuid[])
    order by seq) chosen`);

export interface StoredInstallment extends PlanInstallment {
  readonly id: string;
  readonly note: string | null;
  readonly created_at: string;
}

/** All installments of a sale by seq, locked. The caller has locked the sale. */
export const lockInstallments = (db: Db, saleId: string): Promise<StoredInstallment[]> =>
  db.rows<StoredInstallment>(sql`select id, seq, kind, due_date, original_due_date, due_day, amount_minor as amount, paid_amount_minor as paid_amount,
      discounted_amount_minor as discounted_amount, status, paid_at, postpone_count, note, utc_text(created_at) as created_at
    from ${own('installments')} where sale_id = ${saleId} order by seq for update`);

type Owner = { readonly id: string; readonly plan_id: string; readonly customer_id: string; readonly currency: string };

/** An installment that is due on the day of its creation, such as a down payment, is never due soon. */
export function insertInstallments(
  { db, now, today, updatedAt }: Work,
  sale: Owner,
  installments: readonly PlanInstallment[],
): StoredInstallment[] {
  const stored = installments.map((installment) => ({
    ...installment,
    id: newId(now.getTime()),
    note: null,
    created_at: now.toISOString(),
  }));
  if (stored.length > 0)
    db.send(sql`insert into installments (account_id, id, sale_id, plan_id, customer_id, currency, seq, kind, due_date, original_due_date, due_day,
        amount_minor, is_due_soon_told, created_at, updated_at)
      select ${theAccount}, id, ${sale.id}, ${sale.plan_id}, ${sale.customer_id}, ${sale.currency}, seq, kind, due_date, due_date, due_day, amount,
        due_date <= ${today}::date, ${now}, ${updatedAt()}
      from unnest(${of(stored, 'id')}::uuid[], ${of(stored, 'seq')}::int[], ${of(stored, 'kind')}::text[], ${of(stored, 'due_date')}::date[],
        ${of(stored, 'due_day')}::int[], ${of(stored, 'amount')}::bigint[]) as given(id, seq, kind, due_date, due_day, amount)`);
  return stored;
}

/** An installment whose due date moves can emit both of its date events again, unless the day has come. */
export function updateInstallments(work: Work, installments: readonly StoredInstallment[]): void {
  if (installments.length === 0) return;
  const { db, today, updatedAt } = work;
  db.send(sql`update installments set amount_minor = given.amount, paid_amount_minor = given.paid, discounted_amount_minor = given.discounted,
      status = given.status, paid_at = given.paid_at, postpone_count = given.postponed, due_date = given.due_date, updated_at = ${updatedAt()},
      is_due_soon_told = case when installments.due_date = given.due_date then is_due_soon_told else given.due_date <= ${today}::date end,
      is_overdue_told = is_overdue_told and installments.due_date = given.due_date
    from unnest(${of(installments, 'id')}::uuid[], ${of(installments, 'amount')}::bigint[], ${of(installments, 'paid_amount')}::bigint[],
      ${of(installments, 'discounted_amount')}::bigint[], ${of(installments, 'status')}::text[], ${of(installments, 'paid_at')}::date[],
      ${of(installments, 'postpone_count')}::int[], ${of(installments, 'due_date')}::date[])
      as given(id, amount, paid, discounted, status, paid_at, postponed, due_date)
    where account_id = ${theAccount} and installments.id = given.id`);
}

type OwnerInDebt = Owner &
  Pick<Installment, 'currency'> & { readonly status: SaleStatus; readonly late_rate_yearly_minor: number | null };

/** An installment that this write has changed, as a read would return it; `noteId` is its live note. */
export function toInstallment(
  { today, updatedAt }: Work,
  sale: OwnerInDebt,
  installment: StoredInstallment,
  noteId: string | null,
): Installment {
  const late = daysOverdue(installment, today, sale.status);
  const rate = sale.late_rate_yearly_minor === null ? null : BigInt(sale.late_rate_yearly_minor);
  return {
    id: installment.id,
    plan_id: sale.plan_id,
    sale_id: sale.id,
    customer_id: sale.customer_id,
    seq: installment.seq,
    kind: installment.kind,
    due_date: installment.due_date,
    original_due_date: installment.original_due_date,
    amount: formatMoney(installment.amount),
    paid_amount: formatMoney(installment.paid_amount),
    discounted_amount: formatMoney(installment.discounted_amount),
    remaining_amount: formatMoney(remainingOf(installment)),
    currency: sale.currency,
    status: installment.status,
    is_overdue: late > 0,
    days_overdue: late,
    late_interest: formatMoney(lateInterestOf(installment, rate, today, sale.status)),
    paid_at: installment.paid_at,
    postpone_count: installment.postpone_count,
    note: installment.note,
    promissory_note_id: noteId,
    created_at: installment.created_at,
    updated_at: updatedAt().toISOString(),
  };
}

const of = (installments: readonly StoredInstallment[], name: keyof StoredInstallment): (string | null)[] =>
  installments.map((installment) => (installment[name] === null ? null : String(installment[name])));

/** It has no path of its own: its event links to the plan. */
export const emitInstallmentEvent = (work: Work, verb: string, shown: Installment, before?: Installment): void =>
  emitChange(work, { kind: 'installment', path: `installment-plans/${shown.plan_id}/installments` }, verb, shown, before);
