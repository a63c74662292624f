// Effects on the notes of a sale when its installments are paid, reopened or cancelled, and changes that a note forbids.
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { isElsewhere, isLive } from '../installments/note-states.ts';
import type { StoredInstallment } from './installment.ts';
import { emitNoteEvent, type StoredNote } from './note.ts';

export const liveNoteOf = (notes: readonly StoredNote[], installmentId: string): StoredNote | null =>
  notes.find(({ installment_id, status }) => installment_id === installmentId && isLive(status)) ?? null;

/** Installments with a live note keep their amount and due date, because those on the paper never change. */
export function refuseInstallmentsWithNotes(
  notes: readonly StoredNote[],
  installments: readonly { readonly id: string }[],
): void {
  if (installments.some(({ id }) => liveNoteOf(notes, id) !== null)) fail('promissory_note_active');
}

/** The holder of the paper is to be paid. Method `Senet` records that they were. */
export function refuseNotesElsewhere(
  notes: readonly StoredNote[],
  installments: readonly { readonly id: string }[],
  method: string | null | undefined,
): void {
  if (method === 'Senet') return;
  const elsewhere = installments.some(({ id }) => {
    const note = liveNoteOf(notes, id);
    return note !== null && isElsewhere(note.status);
  });
  if (elsewhere) fail('note_not_in_hand');
}

export interface FollowedNotes {
  /** Notes whose installments the payment has paid. */
  readonly collected: readonly StoredNote[];
  /** Notes whose installments are open again. */
  readonly reopened: readonly StoredNote[];
}

/** In the order of the installments. */
export function updateNotesOf(work: Work, notes: readonly StoredNote[], touched: readonly StoredInstallment[]): FollowedNotes {
  const of = (isPaid: boolean) =>
    touched.flatMap((installment) => {
      const note = liveNoteOf(notes, installment.id);
      const changes = (installment.status === 'Ödendi') === isPaid && (note?.status === 'Tahsil Edildi') !== isPaid;
      return note !== null && changes ? [note] : [];
    });
  const [collected, reopened] = [of(true), of(false)];
  const { db, updatedAt } = work;
  if (collected.length > 0)
    db.send(sql`update promissory_notes set previous_status = status, status = 'Tahsil Edildi', updated_at = ${updatedAt()}
      where account_id = ${theAccount} and id = any(${idsOf(collected)}::uuid[])`);
  if (reopened.length > 0)
    db.send(sql`update promissory_notes set status = previous_status, previous_status = null, updated_at = ${updatedAt()}
      where account_id = ${theAccount} and id = any(${idsOf(reopened)}::uuid[])`);
  const paid = touched.flatMap((installment) => liveNoteOf(notes, installment.id) ?? []);
  const others = paid.filter((note) => !collected.includes(note) && !reopened.includes(note));
  // A note shows what was collected on it.
  if (others.length > 0)
    db.send(sql`update promissory_notes set updated_at = ${updatedAt()}
      where account_id = ${theAccount} and id = any(${idsOf(others)}::uuid[])`);
  return { collected, reopened };
}

const idsOf = (notes: readonly StoredNote[]): string[] => notes.map(({ id }) => id);

/** A sale with notes at third parties cannot be cancelled. */
export function refuseCancelWithNotes(notes: readonly StoredNote[]): void {
  if (notes.some(({ status }) => isElsewhere(status))) fail('note_not_in_hand');
}

/** Cancelled with their sale; returned notes stay returned. The amount collected on a note is fixed with it. */
export function cancelNotes(work: Work, notes: readonly StoredNote[]): void {
  const live = notes.filter(({ status }) => isLive(status));
  if (live.length === 0) return;
  endNotes(work, live, 'İptal');
  for (const note of live) emitNoteEvent(work, 'cancelled', note);
}

export function endNotes({ db, updatedAt }: Work, notes: readonly StoredNote[], status: 'İptal' | 'İade Edildi'): void {
  db.send(sql`update promissory_notes set status = ${status}, updated_at = ${updatedAt()}, collected_amount_minor = (select greatest(0,
        paid_amount_minor - promissory_notes.paid_at_issue_minor) from ${own('installments')} where installments.id = promissory_notes.installment_id)
    where account_id = ${theAccount} and id = any(${idsOf(notes)}::uuid[])`);
}
