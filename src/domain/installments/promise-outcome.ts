// The status of a payment promise, from later collections and the date.
import { sum } from '../../kit/money.ts';
import type { PromiseStatus, SaleStatus } from './sales-states.ts';

/** Payments on the promise's sale. Discounts and reversed collections do not count. */
export interface PromiseMoney {
  readonly created_at: Date;
  readonly collected_on: string;
  /** The amount applied to the sale, or to the promised installment if the promise names one. */
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
 * Evaluated after every payment and reversal, after a change of the sale's status and after each midnight. A broken promise stays
 * broken. A kept promise keeps its amount, and is reopened when its payment is reversed: it is broken at once if its day has
 * passed or a newer promise is open.
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
  // The debt is settled, so there is nothing left to pay.
  return sale === 'Aktif' ? 'Bekliyor' : 'İptal';
}
