// What a payment promise has come to, from the collections made since and the day.
import type { PromiseStatus } from './sales-states.ts';

/** A collection of the promise's sale; `applied` is what it put on the sale, or on the promised row where the promise names one. */
export interface PromiseMoney {
  readonly createdAt: Date;
  readonly collectedOn: string;
  readonly applied: bigint;
  /** Money that is forgiven or was taken back keeps no promise. */
  readonly counts: boolean;
}

export interface Promised {
  readonly createdAt: Date;
  readonly promised_date: string;
  readonly amount: bigint;
}

export function fulfilledAmount(promise: Promised, collections: readonly PromiseMoney[]): bigint {
  return collections
    .filter((each) => each.counts && each.createdAt >= promise.createdAt && each.collectedOn <= promise.promised_date)
    .reduce((total, { applied }) => total + applied, 0n);
}

/**
 * The status after money came or went, and after each midnight. A broken promise stays broken; one that was kept falls back when its
 * money is taken back, and is broken at once if its day is over or a younger one of the sale is open.
 */
export function promiseStatus(
  promise: Promised & { readonly status: PromiseStatus },
  fulfilled: bigint,
  { today, youngerIsOpen = false }: { readonly today: string; readonly youngerIsOpen?: boolean },
): PromiseStatus {
  const { status } = promise;
  if (status === 'İptal' || status === 'Tutulmadı') return status;
  if (fulfilled >= promise.amount) return 'Tutuldu';
  return today > promise.promised_date || (status === 'Tutuldu' && youngerIsOpen) ? 'Tutulmadı' : 'Bekliyor';
}
