// Payments to and from a sale: the locked sale and installments, the posting, and its events and notifications.
import { allAnswers, type Db } from '../../kit/db.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addDays } from '../clock/days.ts';
import { logActivity } from '../customers/activity.ts';
import { writtenSum } from '../formats/written.ts';
import { type Allocation, allocatedSum, applyAllocations } from '../installments/allocation.ts';
import { isOpen, withChanged } from '../installments/plan-installment.ts';
import { saleStatus } from '../installments/totals.ts';
import type { SeriesNumber } from '../records/number-series.ts';
import { addTask, hasOpenTask } from '../tasks/task-writes.ts';
import { emitChange } from '../writes/record-events.ts';
import { type Collection, emitCollectionEvent, insertCollections, type NewCollection } from './collection.ts';
import {
  emitInstallmentEvent,
  type Installment,
  lockInstallments,
  type StoredInstallment,
  toInstallment,
  updateInstallments,
} from './installment.ts';
import { watchInstallments } from './installment-days.ts';
import { emitNoteEvent, lockNotes, type StoredNote } from './note.ts';
import { type FollowedNotes, liveNoteOf, updateNotesOf } from './note-reactions.ts';
import { type Plan, readPlanOfSale } from './plan.ts';
import type { StoredPromise } from './promise.ts';
import { cancelOpenPromise, readPromiseMoney, settlePromises } from './promise-reactions.ts';
import { lockSale, outstandingOf, type StoredSale } from './sale.ts';
import { readSale, type SaleDetail } from './sale-view.ts';

export interface LockedSale {
  readonly sale: StoredSale;
  readonly installments: readonly StoredInstallment[];
  /** The ones that are not cancelled. */
  readonly notes: readonly StoredNote[];
}

/** Lock order: the sale, its installments, their notes. All in one round trip. */
export async function lockSaleWithInstallments(db: Db, id: string): Promise<LockedSale | null> {
  const [sale, installments, notes] = await allAnswers([lockSale(db, id), lockInstallments(db, id), lockNotes(db, id)]);
  return sale === null ? null : { sale, installments, notes };
}

/** A posting to a sale: its collections in order, and their effect on its installments. */
export interface Posting {
  readonly collections: readonly NewCollection[];
  readonly money: readonly Allocation[];
  readonly discount: readonly Allocation[];
  /** The day that closes installments. */
  readonly on: string;
}

export interface Posted {
  readonly collections: readonly Collection[];
  readonly before: StoredSale;
  readonly sale: StoredSale;
  readonly installments: readonly StoredInstallment[];
  readonly touched: readonly StoredInstallment[];
  readonly notes: FollowedNotes;
  /** The representations of the changed installments, in the order in which they were filled. */
  readonly shownInstallments: readonly Installment[];
}

/** Writes the posting. The sale and its installments are locked; `numbers` if they have been taken already. */
export async function postMoney(
  work: Work,
  { sale, installments, notes }: LockedSale,
  posting: Posting,
  numbers?: readonly SeriesNumber[],
): Promise<Posted> {
  const collections = await insertCollections(work, posting.collections, installments, numbers);
  const paid = applyAllocations(installments, posting.money, 'paid_amount', posting.on);
  const forgiven = applyAllocations(withChanged(installments, paid), posting.discount, 'discounted_amount', posting.on);
  const touched = [...new Map([...paid, ...forgiven].map((installment) => [installment.seq, installment])).values()];
  updateInstallments(work, touched);
  const followed = updateNotesOf(work, notes, touched);
  // A reopened installment gets its date events like any other; one that was always open is scheduled already.
  const open = new Set(installments.filter(isOpen).map(({ seq }) => seq));
  watchInstallments(
    work,
    touched.filter((installment) => isOpen(installment) && !open.has(installment.seq)),
  );
  const after = withTotals(sale, allocatedSum(posting.money), allocatedSum(posting.discount));
  storeTotals(work, after);
  const shownInstallments = touched.map((installment) =>
    toInstallment(work, after, installment, liveNoteOf(notes, installment.id)?.id ?? null),
  );
  return {
    collections,
    before: sale,
    sale: after,
    installments: withChanged(installments, touched),
    touched,
    notes: followed,
    shownInstallments,
  };
}

function withTotals(sale: StoredSale, money: bigint, discount: bigint): StoredSale {
  const after = {
    ...sale,
    collected_amount_minor: sale.collected_amount_minor + money,
    discounted_amount_minor: sale.discounted_amount_minor + discount,
  };
  return { ...after, status: saleStatus(sale.status, outstandingOf(after)) };
}

export function storeTotals({ db, updatedAt }: Work, sale: StoredSale): void {
  db.send(sql`update sales set collected_amount_minor = ${sale.collected_amount_minor}, discounted_amount_minor = ${sale.discounted_amount_minor},
      status = ${sale.status}, updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${sale.id}`);
}

/** A sale has changed when one of its installments has. */
export function touchSale({ db, updatedAt }: Work, id: string): void {
  db.send(sql`update sales set updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${id}`);
}

/** Events of a payment, in the domain's order, and its effects. Live promises of the sale are locked. */
export async function announcePosted(work: Work, posted: Posted, promises: readonly StoredPromise[]): Promise<void> {
  const { sale, before, collections } = posted;
  const isCompleted = sale.status === 'Tamamlandı' && before.status === 'Aktif';
  const [money, completed] = await allAnswers([
    readPromiseMoney(work.db, promises),
    isCompleted ? showSaleWithPlan(work, sale.id) : Promise.resolve(null),
  ]);
  for (const collection of collections) emitCollectionEvent(work, 'created', collection);
  for (const installment of posted.shownInstallments)
    emitInstallmentEvent(work, installment.status === 'Ödendi' ? 'paid' : 'partially_paid', installment);
  for (const note of posted.notes.collected) emitNoteEvent(work, 'collected', note);
  await settlePromises(work, sale, promises, money);
  if (completed !== null) await announceCompletion(work, sale, completed);
  for (const collection of collections) logCollection(work, collection);
}

async function announceCompletion(work: Work, sale: StoredSale, [shown, plan]: [SaleDetail, Plan]): Promise<void> {
  emitSaleEvent(work, 'completed', shown);
  emitPlanEvent(work, 'completed', plan);
  await remindOfOpenLien(work, sale);
}

/** A sale is completed without a payment when its new terms leave nothing to pay: its open promise ends, as after a payment. */
export async function followCompletionByTerms(work: Work, sale: StoredSale): Promise<void> {
  await cancelOpenPromise(work, sale.id);
  await remindOfOpenLien(work, sale);
}

const remindOfOpenLien = async (work: Work, sale: StoredSale): Promise<void> => {
  if (sale.lien_placed_on !== null && sale.lien_removed_on === null) await remindOfLien(work, sale);
};

const LIEN_TASK = 'Rehin kaldırılacak';
const LIEN_DAYS = 7;

/** A dealer who has been paid in full must have the lien removed. */
async function remindOfLien(work: Work, { id, customer_id, vehicle_id }: StoredSale): Promise<void> {
  if (await hasOpenTask(work, id, LIEN_TASK)) return;
  const due_at = new Date(`${addDays(work.today, LIEN_DAYS)}T12:00:00Z`);
  await addTask(work, { title: LIEN_TASK, due_at, sale_id: id, customer_id, vehicle_id });
}

function logCollection(work: Work, { id, customer_id, receipt_no, amount, currency, type }: Collection): void {
  const { en, tr } = writtenSum(amount, currency);
  logActivity(work, customer_id, {
    note: { en: `${type}: ${en} (${receipt_no})`, tr: `${type}: ${tr} (${receipt_no})` },
    resource_type: 'collection',
    resource_id: id,
  });
}

export const showSaleWithPlan = ({ db, today }: Work, id: string): Promise<[SaleDetail, Plan]> =>
  allAnswers([readSale(db, id, today), readPlanOfSale(db, id, today)]);

export const emitSaleEvent = (work: Work, verb: string, shown: SaleDetail, before?: SaleDetail): void =>
  emitChange(work, { kind: 'sale', path: `sales/${shown.id}` }, verb, shown, before);

export const emitPlanEvent = (work: Work, verb: string, shown: Plan, before?: Plan): void =>
  emitChange(work, { kind: 'installment_plan', path: `installment-plans/${shown.id}` }, verb, shown, before);
