// Writes on a payment promise: create, edit, cancel. Whether it was kept is computed from collections.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addDays } from '../clock/days.ts';
import { logActivity } from '../customers/activity.ts';
import { writtenDay } from '../formats/written.ts';
import { amountWords } from '../installments/money-words.ts';
import { isOpen, remainingOf } from '../installments/plan-installment.ts';
import type { CreateBody } from '../records/body.ts';
import { violatedConstraint } from '../records/record.ts';
import type { StoredInstallment } from './installment.ts';
import {
  emitPromiseEvent,
  lockPromises,
  type PaymentPromise,
  type PROMISE_FIELDS,
  type PromiseEdit,
  readPromise,
} from './promise.ts';
import { followMoney, watchDay } from './promise-reactions.ts';
import { badField, outstandingOf, requireOne, type StoredSale, unknownReference } from './sale.ts';
import { lockSaleWithInstallments } from './sale-money.ts';

const MAX_DAYS = 90;

export async function addPromise(work: Work, values: CreateBody<typeof PROMISE_FIELDS>): Promise<PaymentPromise> {
  const { db, now } = work;
  const { sale_id, amount, promised_date, installment_id = null, note = null, staff_id = null } = values;
  const { sale, installments } = (await lockSaleWithInstallments(db, sale_id)) ?? unknownReference('sale_id');
  if (sale.status === 'İptal') fail('sale_cancelled');
  if (sale.status === 'Tamamlandı') fail('sale_completed');
  requireDay(promised_date, work.today);
  requireWithin(amount, sale, promisedInstallment(installments, installment_id));
  if (staff_id !== null) await requireOne(db, 'members', 'staff_id', staff_id);
  const id = newId(now.getTime());
  await db
    .exec(sql`insert into payment_promises (account_id, id, customer_id, sale_id, installment_id, promised_date, amount_minor, currency, note, staff_id,
        created_at, updated_at)
      values (${theAccount}, ${id}, ${sale.customer_id}, ${sale_id}, ${installment_id}, ${promised_date}, ${amount}, ${sale.currency}, ${note},
        ${staff_id}, ${now}, ${work.updatedAt()})`)
    .catch((error) => {
      if (violatedConstraint(error) === 'payment_promises_one_open') fail('promise_already_open');
      throw error;
    });
  watchDay(work, promised_date);
  const shown = await readPromise(db, id);
  emitPromiseEvent(work, 'created', shown);
  const [sum, day] = [amountWords(amount), writtenDay(promised_date)];
  const words = {
    en: `Promised to pay ${sum.en} ${sale.currency} by ${day.en}`,
    tr: `${day.tr} gününe ${sum.tr} ${sale.currency} ödeme sözü`,
  };
  logActivity(work, sale.customer_id, { note: words, resource_type: 'payment_promise', resource_id: id });
  return shown;
}

function requireDay(day: string, today: string): void {
  const last = addDays(today, MAX_DAYS);
  if (day < today || day > last)
    badField(
      'promised_date',
      'out_of_range',
      `promised_date must be from today to ${last}`,
      `promised_date bugünden ${last} gününe kadar olmalı`,
    );
}

/** Null if the promise is for the sale as a whole. */
function promisedInstallment(installments: readonly StoredInstallment[], id: string | null): StoredInstallment | null {
  if (id === null) return null;
  const installment = installments.find((one) => one.id === id) ?? unknownReference('installment_id');
  return isOpen(installment)
    ? installment
    : badField('installment_id', 'not_allowed', 'Nothing is open on this installment', 'Bu taksitte açık tutar yok');
}

function requireWithin(amount: bigint, sale: StoredSale, installment: StoredInstallment | null): void {
  const open = installment === null ? outstandingOf(sale) : remainingOf(installment);
  if (amount <= open) return;
  const words = amountWords(open);
  const message = {
    en: `The amount exceeds the open balance of ${words.en}`,
    tr: `Tutar, açık kalan ${words.tr} tutarını aşıyor`,
  };
  fail('amount_exceeds_balance', {
    status: 422,
    details: [{ field: 'amount', code: 'amount_exceeds_balance', message }],
    words: { outstanding: words },
  });
}

export async function editPromise(work: Work, id: string, values: PromiseEdit): Promise<PaymentPromise> {
  const { db, now, today } = work;
  const { sale_id } = await db.one<{ sale_id: string }>(sql`select sale_id from ${own('payment_promises')} where id = ${id}`);
  const { sale, installments } = (await lockSaleWithInstallments(db, sale_id))!;
  const promise = (await lockPromises(db, sql`id = ${id}`))[0]!;
  if (promise.status !== 'Bekliyor') fail('promise_closed');
  const { status, amount = promise.amount, promised_date = promise.promised_date } = values;
  if (status === 'Tutuldu' || status === 'Tutulmadı') fail('status_not_settable');
  if (values.promised_date !== undefined) requireDay(promised_date, today);
  if (values.amount !== undefined) requireWithin(amount, sale, promisedInstallment(installments, promise.installment_id));
  if (values.staff_id) await requireOne(db, 'members', 'staff_id', values.staff_id);
  const before = await readPromise(db, id);
  if (isUnchanged(before, values)) return before;
  db.send(sql`update payment_promises set amount_minor = ${amount}, promised_date = ${promised_date}, updated_at = ${work.updatedAt()},
      note = case when ${values.note === undefined} then note else ${values.note ?? null} end,
      staff_id = case when ${values.staff_id === undefined} then staff_id else ${values.staff_id ?? null}::uuid end,
      status = ${status === 'İptal' ? 'İptal' : 'Bekliyor'}, resolved_at = ${status === 'İptal' ? now : null}::timestamptz
    where account_id = ${theAccount} and id = ${id}`);
  if (status !== 'İptal') watchDay(work, promised_date);
  const shown = await readPromise(db, id);
  emitPromiseEvent(work, status === 'İptal' ? 'cancelled' : 'updated', shown, before);
  // Existing payments may be enough for a smaller amount or a later day.
  if (status !== 'İptal') await followMoney(work, sale);
  return readPromise(db, id);
}

/** The given values equal the stored ones. */
const isUnchanged = (before: PaymentPromise, { amount, ...plain }: PromiseEdit): boolean =>
  (amount === undefined || formatMoney(amount) === before.amount) &&
  Object.entries(plain).every(([name, value]) => value === undefined || value === before[name as keyof PaymentPromise]);
