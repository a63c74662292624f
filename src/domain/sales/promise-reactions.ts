// Effects on the promises of a sale when its payments or status change, and when their day has passed.
import { startOfDay } from '../../kit/clock.ts';
import { allAnswers, type Db } from '../../kit/db.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addDays } from '../clock/days.ts';
import { logActivity } from '../customers/activity.ts';
import { writtenDay } from '../formats/written.ts';
import { type PromiseMoney, promiseOutcome } from '../installments/promise-outcome.ts';
import type { PromiseStatus, SaleStatus } from '../installments/sales-states.ts';
import { addNotification } from '../notifications/notification.ts';
import type { Look } from '../writes/timed-transition.ts';
import { idsOf, without } from '../writes/transition-failures.ts';
import { emitPromiseEvent, lockPromises, readPromise, type StoredPromise } from './promise.ts';

type OfSale = { readonly id: string; readonly status: SaleStatus };

/** The sale is locked. */
export const lockSalePromises = (db: Db, saleId: string): Promise<StoredPromise[]> => lockPromises(db, sql`sale_id = ${saleId}`);

/** The sale is locked. */
export async function followMoney(work: Work, sale: OfSale): Promise<void> {
  const promises = await lockSalePromises(work.db, sale.id);
  await settlePromises(work, sale, promises, await readPromiseMoney(work.db, promises));
}

/**
 * Broken and cancelled promises keep their status, with an amount that follows the payments. Newest first: one that is reopened
 * leaves older ones broken.
 */
export async function settlePromises(
  work: Work,
  sale: OfSale,
  promises: readonly StoredPromise[],
  money: ReadonlyMap<string, readonly PromiseMoney[]>,
): Promise<void> {
  let youngerIsOpen = false;
  const outcomes = promises.toReversed().map((promise): Outcome => {
    const outcome = promiseOutcome(promise, money.get(promise.id)!, { today: work.today, sale: sale.status, youngerIsOpen });
    youngerIsOpen ||= outcome.status === 'Bekliyor';
    return { promise, ...outcome };
  });
  // A sale has at most one open promise: the one that closes is written before another is opened.
  for (const outcome of outcomes) if (outcome.status !== 'Bekliyor') storeOutcome(work, outcome);
  for (const outcome of outcomes) if (outcome.status === 'Bekliyor') storeOutcome(work, outcome);
  for (const outcome of outcomes) await emitOutcome(work, outcome);
}

interface Outcome {
  readonly promise: StoredPromise;
  readonly status: PromiseStatus;
  readonly fulfilled_amount: bigint;
}

/** The payments for each of them, in one round trip. */
export const readPromiseMoney = async (db: Db, promises: readonly StoredPromise[]): Promise<Map<string, PromiseMoney[]>> =>
  new Map(await allAnswers(promises.map(async (promise) => [promise.id, await moneyFor(db, promise)] as const)));

/** Payments that were not reversed; discounts do not count. */
const moneyFor = (db: Db, { sale_id, installment_id }: StoredPromise): Promise<PromiseMoney[]> =>
  installment_id === null
    ? db.rows<PromiseMoney>(sql`select created_at, collected_on, applied_amount_minor as applied from ${own('collections')}
        where sale_id = ${sale_id} and type = 'Tahsilat' and status = 'Geçerli'`)
    : db.rows<PromiseMoney>(sql`select created_at, collected_on, collection_allocations.amount_minor as applied from ${own('collections')}
        join ${own('collection_allocations')} on collection_id = collections.id
        where installment_id = ${installment_id} and type = 'Tahsilat' and status = 'Geçerli'`);

const VERBS: Readonly<Record<PromiseStatus, string>> = {
  Bekliyor: 'reopened',
  Tutuldu: 'kept',
  Tutulmadı: 'broken',
  İptal: 'cancelled',
};

function storeOutcome(work: Work, { promise, status, fulfilled_amount: fulfilled }: Outcome): void {
  if (status === promise.status && fulfilled === promise.fulfilled_amount) return;
  const { db, now } = work;
  const isMoved = status !== promise.status;
  db.send(sql`update payment_promises set status = ${status}, fulfilled_amount_minor = ${fulfilled}, updated_at = ${work.updatedAt()},
      resolved_at = case when ${isMoved} then ${status === 'Bekliyor' ? null : now}::timestamptz else resolved_at end
    where account_id = ${theAccount} and id = ${promise.id}`);
  if (isMoved && status === 'Bekliyor') watchDay(work, promise.promised_date);
}

async function emitOutcome(work: Work, { promise, status }: Outcome): Promise<void> {
  if (status === promise.status) return;
  emitPromiseEvent(work, VERBS[status], await readPromise(work.db, promise.id));
  if (status === 'Tutuldu' || status === 'Tutulmadı') logPromise(work, promise, status);
  if (status === 'Tutulmadı') await notifyBroken(work, promise);
}

function logPromise(work: Work, { id, customer_id, promised_date }: StoredPromise, status: 'Tutuldu' | 'Tutulmadı'): void {
  const day = writtenDay(promised_date);
  const note =
    status === 'Tutuldu'
      ? { en: `The payment promise for ${day.en} was kept`, tr: `${day.tr} günü için verilen ödeme sözü tutuldu` }
      : { en: `The payment promise for ${day.en} was not kept`, tr: `${day.tr} günü için verilen ödeme sözü tutulmadı` };
  logActivity(work, customer_id, { note, resource_type: 'payment_promise', resource_id: id });
}

function notifyBroken(work: Work, { id, promised_date }: StoredPromise): Promise<string> {
  const day = writtenDay(promised_date);
  return addNotification(work, {
    kind: 'payment_promise.broken',
    title: { en: 'A payment promise was not kept', tr: 'Ödeme sözü tutulmadı' },
    body: { en: `The promise for ${day.en} was not kept.`, tr: `${day.tr} günü için verilen söz tutulmadı.` },
    resource_type: 'payment_promise',
    resource_id: id,
  });
}

/** The open promise ends with its sale or its installment. */
export async function cancelOpenPromise(work: Work, saleId: string, installmentIds?: readonly string[]): Promise<void> {
  const open = await lockPromises(work.db, sql`sale_id = ${saleId} and status = 'Bekliyor'`);
  for (const promise of open)
    if (installmentIds === undefined || (promise.installment_id !== null && installmentIds.includes(promise.installment_id))) {
      const outcome: Outcome = { promise, status: 'İptal', fulfilled_amount: promise.fulfilled_amount };
      storeOutcome(work, outcome);
      await emitOutcome(work, outcome);
    }
}

/** A promise is valid until the end of its day. */
export const watchDay = (work: Work, promisedDate: string): void =>
  work.endsAt(startOfDay(addDays(promisedDate, 1), work.account.timezone));

const OVER = (today: string) => sql`status = 'Bekliyor' and promised_date < ${today}::date`;
const MAX_AT_ONCE = 200;

export const duePromises = ({ db, today }: Look, skip: readonly string[]): Promise<string[]> =>
  idsOf(
    db,
    sql`select id from ${own('payment_promises')} where ${OVER(today)} and ${without(skip)} order by sale_id limit ${MAX_AT_ONCE}`,
  );

/** Timed transition: promises whose day has passed without the payment. */
export async function breakPromises(work: Work, ids: readonly string[]): Promise<void> {
  const { db, today } = work;
  const due = await db.rows<{ sale_id: string }>(
    sql`select sale_id from ${own('payment_promises')} where id = any(${ids}::uuid[]) and ${OVER(today)} order by sale_id`,
  );
  // All of them are locked before the first is written, because the write may lock the data set, which comes after every sale.
  const sales = await db.rows<OfSale>(sql`select id, status from ${own('sales')}
    where id = any(${due.map(({ sale_id }) => sale_id)}::uuid[]) order by id for update`);
  // Checked again under the lock: the payment may have been made in between.
  for (const sale of sales) await followMoney(work, sale);
}

export async function nextPromiseEnd(db: Db, timezone: string, skip: readonly string[]): Promise<Date | null> {
  const { day } = await db.one<{ day: string | null }>(
    sql`select min(promised_date) as day from ${own('payment_promises')} where status = 'Bekliyor' and ${without(skip)}`,
  );
  return day === null ? null : startOfDay(addDays(day, 1), timezone);
}
