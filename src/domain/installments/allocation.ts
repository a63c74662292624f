// Which installments a payment and a discount fill, and the installments afterwards.
import { smallerOf, sum } from '../../kit/money.ts';
import { closedCode, isOpen, type PlanInstallment, remainingOf, settle } from './plan-installment.ts';
import type { DiscountReason } from './sales-states.ts';

export interface Allocation {
  readonly seq: number;
  /** Negative in a reversal. */
  readonly amount: bigint;
}

/** In another currency a payment rarely matches the debt to the cent, so an excess up to this is dropped. */
const MAX_DROPPED_EXCESS = 5n;

const oldestFirst = (a: PlanInstallment, b: PlanInstallment): number =>
  a.due_date === b.due_date ? a.seq - b.seq : a.due_date < b.due_date ? -1 : 1;

export type PayableInstallments<Row extends PlanInstallment> =
  | { readonly installments: readonly Row[] }
  | { readonly refused: 'installment_paid' | 'installment_cancelled' | 'installment_not_of_sale'; readonly seq: number };

/** The installments that a payment fills, in this order: the chosen ones, or every open one, oldest first. */
export function payableInstallments<Row extends PlanInstallment>(
  installments: readonly Row[],
  chosen: readonly number[] | null,
): PayableInstallments<Row> {
  if (chosen === null) return { installments: installments.filter(isOpen).toSorted(oldestFirst) };
  const picked: Row[] = [];
  for (const seq of chosen) {
    const installment = installments.find((each) => each.seq === seq);
    const refused = installment === undefined ? 'installment_not_of_sale' : closedCode(installment);
    if (refused !== null) return { refused, seq };
    picked.push(installment!);
  }
  return { installments: picked };
}

/**
 * The part of the payment that is applied: all of it, or a few cents less if the currencies differ; null if it is too much.
 * `balance` is the open amount of the payable installments.
 */
export function acceptedAmount(
  money: bigint,
  discount: bigint,
  balance: bigint,
  { currenciesDiffer }: { readonly currenciesDiffer: boolean },
): bigint | null {
  const excess = money + discount - balance;
  if (excess <= 0n) return money;
  return currenciesDiffer && excess <= MAX_DROPPED_EXCESS && money > excess ? money - excess : null;
}

/** Fills one installment after another; null if the amount exceeds the debt. */
function fill(
  installments: readonly PlanInstallment[],
  owed: (installment: PlanInstallment) => bigint,
  amount: bigint,
): Allocation[] | null {
  const allocations: Allocation[] = [];
  let rest = amount;
  for (const installment of installments) {
    const part = smallerOf(rest, owed(installment));
    if (part > 0n) allocations.push({ seq: installment.seq, amount: part });
    rest -= part;
  }
  return rest > 0n ? null : allocations;
}

export interface Allocated {
  readonly money: readonly Allocation[];
  readonly discount: readonly Allocation[];
}

/**
 * The payment fills the payable installments in their order. The discount then fills what remains open: for early payment the
 * newest first, because that time is not used, and otherwise in the same order as the payment. Null if it is too much.
 */
export function allocate(
  payable: readonly PlanInstallment[],
  { money, discount = 0n, reason }: { money: bigint; discount?: bigint; reason?: DiscountReason | null },
): Allocated | null {
  const paid = fill(payable, remainingOf, money);
  if (paid === null) return null;
  const paidOn = new Map(paid.map(({ seq, amount }) => [seq, amount]));
  const order = reason === 'Erken Ödeme' ? payable.toSorted((a, b) => oldestFirst(b, a)) : payable;
  const forgiven = fill(order, (installment) => remainingOf(installment) - (paidOn.get(installment.seq) ?? 0n), discount);
  return forgiven === null ? null : { money: paid, discount: forgiven };
}

/** The same with the opposite sign, for a reversal. */
export const reversed = (allocations: readonly Allocation[]): Allocation[] =>
  allocations.map(({ seq, amount }) => ({ seq, amount: -amount }));

/**
 * The installments in the allocations as they are afterwards; `on` is the collection's day, which becomes paid_at if it closes
 * one.
 */
export function applyAllocations<Row extends PlanInstallment>(
  installments: readonly Row[],
  allocations: readonly Allocation[],
  as: 'paid_amount' | 'discounted_amount',
  on: string,
): Row[] {
  return allocations.map(({ seq, amount }) => {
    const installment = installments.find((each) => each.seq === seq)!;
    return settle({ ...installment, [as]: installment[as] + amount }, on);
  });
}

export const allocatedSum = (allocations: readonly Allocation[]): bigint => sum(allocations.map(({ amount }) => amount));
