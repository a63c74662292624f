// The promissory notes of the demonstration, of customers who pay on time and of customers who stopped, in every possible state.

import { addDays, addMonths } from '../domain/clock/days.ts';
import { amountInWords } from '../domain/formats/amount-in-words.ts';
import type { NoteStatus } from '../domain/installments/note-states.ts';
import { type PlanInstallment, remainingOf } from '../domain/installments/plan-installment.ts';
import type { Columns } from '../domain/records/record.ts';
import type { BookDay } from './demo-book.ts';
import type { DemoSale } from './demo-sales.ts';

/** A note as it was issued, and its later changes. */
export interface DemoNote {
  readonly written: Columns;
  readonly now: Columns;
}

interface Papers {
  readonly id: (name: string) => string;
  readonly number: (at: Date) => string;
  readonly payee: string;
  readonly place: string;
  readonly day: BookDay;
}

const LAWYER = 'Av. Elif Kaya';
const BANK = 'Türkiye İş Bankası, Merkez Şube';
const ASSIGNEE = 'Akdeniz Faktoring A.Ş.';

const hasNotes = ({ story, book }: DemoSale): boolean =>
  (story === 'onTime' || story === 'stopped') && book.cancelled === null && book.restructured_at === null;

/** For installments that still have the agreed amount and date. */
export function notesOfSale(sale: DemoSale, place: number, papers: Papers): DemoNote[] {
  if (!hasNotes(sale)) return [];
  return sale.book.installments
    .filter(({ seq, postpone_count }) => seq > 0 && postpone_count === 0)
    .flatMap((installment) => {
      const note = noteOf(sale, place, installment, papers);
      // One was unreadable and was issued again.
      return place % 7 === 3 && installment.seq === 1 ? [spoilt(sale, installment, papers), note] : [note];
    });
}

function noteOf(sale: DemoSale, place: number, installment: PlanInstallment, papers: Papers): DemoNote {
  const { book } = sale;
  const state = stateOf(sale, place, installment, papers.day);
  const printed = book.sold_at < new Date(papers.day.now.getTime() - 20 * 86_400_000) ? book.sold_at : null;
  const written = paperOf(sale, installment, papers, papers.id(`note ${installment.seq}`));
  return { written, now: { ...NOTHING, ...state, id: written.id, printed_at: printed, updated_at: book.last } };
}

const spoilt = (sale: DemoSale, installment: PlanInstallment, papers: Papers): DemoNote => {
  const written = paperOf(sale, installment, papers, papers.id(`spoilt ${installment.seq}`));
  const now = {
    ...NOTHING,
    id: written.id,
    status: 'İptal',
    collected_amount_minor: 0n,
    note: 'Basarken lekelendi, yenisi yazıldı',
  };
  return { written, now: { ...now, printed_at: null, updated_at: sale.book.sold_at } };
};

/** Every column that can change later, so that all rows have the same columns. */
const NOTHING: Columns = {
  previous_status: null,
  collected_amount_minor: null,
  bank_name: null,
  transferred_to: null,
  lawyer: null,
  protest_date: null,
  returned_on: null,
  note: null,
};

const paperOf = (
  { id: sale_id, customerId, book }: DemoSale,
  installment: PlanInstallment,
  { id: idOf, number, payee, place }: Papers,
  id: string,
): Columns => ({
  id,
  note_no: number(book.sold_at),
  sale_id,
  installment_id: idOf(`row ${installment.seq}`),
  customer_id: customerId,
  guarantor_ids: [],
  payee_name: payee,
  amount_minor: installment.amount,
  amount_in_words: amountInWords(installment.amount, book.terms.currency),
  currency: book.terms.currency,
  issue_date: book.terms.sale_date,
  issue_place: place,
  due_date: installment.due_date,
  payment_place: place,
  status: 'Portföyde',
  paid_at_issue_minor: 0n,
  created_at: book.sold_at,
  updated_at: book.sold_at,
});

function stateOf({ book, story }: DemoSale, place: number, installment: PlanInstallment, { today }: BookDay): Columns {
  if (remainingOf(installment) === 0n) {
    const was = { previous_status: 'Portföyde' };
    const isReturned = book.status === 'Tamamlandı' && installment.paid_at !== null && addDays(installment.paid_at, 10) < today;
    return isReturned
      ? {
          ...was,
          status: 'İade Edildi',
          collected_amount_minor: installment.paid_amount,
          returned_on: addDays(installment.paid_at!, 3),
        }
      : { ...was, status: 'Tahsil Edildi' };
  }
  const status = openStatus(book.terms.sale_date, story === 'stopped', place, installment, today);
  return { status, ...FACTS[status]?.(installment) };
}

/**
 * Notes of customers who stopped paying: with the lawyer after nine months, protested after one. Some of the other notes are at
 * the bank.
 */
function openStatus(
  saleDate: string,
  hasStopped: boolean,
  place: number,
  installment: PlanInstallment,
  today: string,
): NoteStatus {
  if (hasStopped) {
    if (saleDate < addMonths(today, -9)) return 'Avukatta';
    return installment.due_date < addMonths(today, -1) ? 'Protestolu' : 'Portföyde';
  }
  if (installment.due_date <= addMonths(today, 2)) return 'Portföyde';
  const elsewhere = (['Bankada', 'Teminatta', 'Devredildi'] as const)[(place + Math.floor(installment.seq / 3)) % 3]!;
  return installment.seq % 3 === 0 ? elsewhere : 'Portföyde';
}

const FACTS: Partial<Record<NoteStatus, (installment: PlanInstallment) => Columns>> = {
  Bankada: () => ({ bank_name: BANK }),
  Teminatta: () => ({ bank_name: BANK }),
  Devredildi: () => ({ transferred_to: ASSIGNEE }),
  Avukatta: () => ({ lawyer: LAWYER }),
  Protestolu: ({ due_date }) => ({ protest_date: addDays(due_date, 2) }),
};
