// What a payment promise has come to, from the collections made since and the day.
import { sum } from '../../kit/money.ts';
import type { PromiseStatus, SaleStatus } from './sales-states.ts';

/** Money on the promise's sale. A discount is none, and neither is a collection that was reversed, whenever that was. */
export interface PromiseMoney {
  readonly created_at: Date;
  readonly collected_on: string;
  /** What it put on the sale, or on the promised row where the promise names one. */
  readonly applied: bigint;
}

export interface OpenPromise {
  readonly created_at: Date;
  readonly promised_date: string;
  readonly amount: bigint;
  readonly status: PromiseStatus;
  readonly fulfilled_amount: bigint;
}

/**
 * After money came or went, after the sale's status changed and after each midnight. A broken promise stays broken. One that was kept
 * keeps its figure, and falls back when its money is taken back: broken at once if its day is over or a younger one is open.
 */
export function promiseOutcome(
  promise: OpenPromise,
  money: readonly PromiseMoney[],
  now: { readonly today: string; readonly sale: SaleStatus; readonly youngerIsOpen: boolean },
): { readonly status: PromiseStatus; readonly fulfilled_amount: bigint } {
  const counted = money.filter((each) => each.created_at >= promise.created_at && each.collected_on <= promise.promised_date);
  const fulfilled = sum(counted.map(({ applied }) => applied));
  const { status } = promise;
  if (status === 'İptal' || status === 'Tutulmadı') return { status, fulfilled_amount: fulfilled };
  if (fulfilled >= promise.amount) {
    return { status: 'Tutuldu', fulfilled_amount: status === 'Tutuldu' ? promise.fulfilled_amount : fulfilled };
  }
  return { status: openStatus(promise, now), fulfilled_amount: fulfilled };
}

function openStatus(
  { promised_date }: OpenPromise,
  { today, sale, youngerIsOpen }: { readonly today: string; readonly sale: SaleStatus; readonly youngerIsOpen: boolean },
): PromiseStatus {
  if (today > promised_date || youngerIsOpen) return 'Tutulmadı';
  // Nothing is owed any more, so there is nothing left to keep.
  return sale === 'Aktif' ? 'Bekliyor' : 'İptal';
}
