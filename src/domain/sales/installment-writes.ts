// Changing single installments: another amount, an earlier due date, postponement with a reason.
import { ERRORS, fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { writtenDay } from '../formats/written.ts';
import { changeAmount, moveEarlier, type Postponement, postpone } from '../installments/installment-change.ts';
import { closedCode, withChanged } from '../installments/plan-installment.ts';
import type { CreateBody } from '../records/body.ts';
import {
  dayField,
  type Fields,
  flagField,
  integerField,
  moneyField,
  nullable,
  required,
  textField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import {
  emitInstallmentEvent,
  type Installment,
  readInstallments,
  type StoredInstallment,
  updateInstallments,
} from './installment.ts';
import { watchInstallments } from './installment-days.ts';
import { refuseInstallmentsWithNotes } from './note-reactions.ts';
import { badField } from './sale.ts';
import { type LockedSale, lockSaleWithInstallments, touchSale } from './sale-money.ts';
import { lastCollections } from './sale-restructure.ts';

export const INSTALLMENT_EDIT_FIELDS = {
  due_date: dayField(),
  amount: moneyField({ above: 0n }),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;

export const POSTPONE_FIELDS = {
  new_due_date: dayField(),
  months: integerField(1, 12),
  reason: required(textField(500, { min: 3 })),
  shift_following: withDefault(flagField, '`false`'),
} as const satisfies Fields;

interface LockedInstallment extends LockedSale {
  readonly installment: StoredInstallment;
}

/** The sale is locked before its installments. */
async function lockInstallment({ db }: Work, id: string): Promise<LockedInstallment> {
  const { sale_id } = await db.one<{ sale_id: string }>(sql`select sale_id from ${own('installments')} where id = ${id}`);
  const { sale, installments, notes } = (await lockSaleWithInstallments(db, sale_id))!;
  // The plan has been rebuilt since, and its former installments no longer exist.
  return { sale, installments, notes, installment: installments.find((one) => one.id === id) ?? fail('not_found') };
}

export async function editInstallment(
  work: Work,
  id: string,
  { due_date, amount, note }: Values<typeof INSTALLMENT_EDIT_FIELDS>,
): Promise<Installment> {
  const { db, today } = work;
  const { sale, installments, notes, installment } = await lockInstallment(work, id);
  const closed = closedCode(installment);
  if (closed !== null) fail(closed);
  const changed = new Map<number, StoredInstallment>();
  if (amount !== undefined) {
    const last = await lastCollections(work, sale.id);
    const done = changeAmount(installments, installment.seq, amount, (one) => last.get(one.id) ?? null);
    if ('refused' in done)
      return done.refused === 'amount_below_settled'
        ? badField('amount', 'out_of_range', 'amount is less than what is paid on it', 'amount, ödenen tutardan az olamaz')
        : fail(done.refused);
    for (const one of done.changed) changed.set(one.seq, one);
  }
  if (due_date !== undefined) {
    const done = moveEarlier(changed.get(installment.seq) ?? installment, due_date, { today, saleDate: sale.sale_date });
    if ('refused' in done)
      return fail(done.refused, { details: [{ field: 'due_date', code: done.refused, message: ERRORS[done.refused] }] });
    for (const one of done.changed) changed.set(one.seq, one);
  }
  refuseInstallmentsWithNotes(notes, [...changed.values()]);
  const ids = [...new Set([id, ...[...changed.values()].map((one) => one.id)])];
  const before = await readInstallments(db, ids, today);
  updateInstallments(work, [...changed.values()]);
  const isOtherNote = note !== undefined && note !== before.find((one) => one.id === id)!.note;
  if (isOtherNote || changed.size > 0) touchSale(work, sale.id);
  if (isOtherNote)
    db.send(
      sql`update installments set note = ${note}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`,
    );
  watchInstallments(work, [...changed.values()]);
  const after = await readInstallments(db, ids, today);
  emitChanged(work, before, after, installment.seq);
  return after.find((one) => one.id === id)!;
}

/** The installment itself first. */
function emitChanged(work: Work, before: readonly Installment[], after: readonly Installment[], first: number): void {
  for (const one of after.toSorted((a, b) => Number(b.seq === first) - Number(a.seq === first))) {
    const old = before.find(({ id }) => id === one.id)!;
    if (JSON.stringify({ ...one, updated_at: '' }) !== JSON.stringify({ ...old, updated_at: '' }))
      emitInstallmentEvent(work, 'updated', one, old);
  }
}

export async function postponeInstallment(
  work: Work,
  id: string,
  body: CreateBody<typeof POSTPONE_FIELDS>,
): Promise<Installment> {
  const { db, today } = work;
  const to = postponementOf(body);
  const { sale, installments, installment } = await lockInstallment(work, id);
  const done = postpone(installments, installment.seq, to, today);
  if ('refused' in done) return fail(done.refused, refusalFacts(done.refused, to));
  const ids = done.changed.map((one) => one.id);
  const before = await readInstallments(db, ids, today);
  updateInstallments(work, done.changed);
  touchSale(work, sale.id);
  watchInstallments(work, done.changed);
  const after = await readInstallments(db, ids, today);
  for (const one of after) {
    const old = before.find((other) => other.id === one.id)!;
    emitInstallmentEvent(
      work,
      'postponed',
      { ...one, reason: body.reason } as Installment,
      { ...old, reason: body.reason } as Installment,
    );
  }
  const shown = withChanged(installments, done.changed).find((one) => one.id === id)!;
  const due = writtenDay(shown.due_date);
  const note = {
    en: `Installment ${installment.seq} of sale ${sale.sale_no} postponed to ${due.en}: ${body.reason}`,
    tr: `${sale.sale_no} numaralı satışın ${installment.seq}. taksiti ${due.tr} gününe ertelendi: ${body.reason}`,
  };
  logActivity(work, sale.customer_id, { note, resource_type: 'installment', resource_id: id });
  return after.find((one) => one.id === id)!;
}

function refusalFacts(refused: string, to: Postponement) {
  if (refused !== 'not_later' && refused !== 'too_far') return {};
  const field = 'months' in to ? 'months' : 'new_due_date';
  return { details: [{ field, code: refused, message: ERRORS[refused] }] };
}

function postponementOf({ new_due_date, months, shift_following }: CreateBody<typeof POSTPONE_FIELDS>): Postponement {
  if ((new_due_date === undefined) === (months === undefined))
    badField('new_due_date', 'required', 'Give new_due_date or months', 'new_due_date ya da months verin');
  if (months !== undefined) return { months, shift_following: shift_following ?? false };
  if (shift_following)
    badField('shift_following', 'not_allowed', 'shift_following goes with months', 'shift_following yalnızca months ile verilir');
  return { new_due_date: new_due_date! };
}
