// Which rows a payment and a discount fill, and what that makes of the rows.
import { smallerOf, sum } from '../../kit/money.ts';
import { closedCode, isOpen, type PlanInstallment, remainingOf, settle } from './plan-installment.ts';
import type { DiscountReason } from './sales-states.ts';

export interface Allocation {
  readonly seq: number;
  /** Negative when it takes an earlier one back. */
  readonly amount: bigint;
}

/** In another currency a payment rarely meets the debt to the cent, so an excess up to this is dropped. */
const MAX_DROPPED_EXCESS = 5n;

const oldestFirst = (a: PlanInstallment, b: PlanInstallment): number =>
  a.due_date === b.due_date ? a.seq - b.seq : a.due_date < b.due_date ? -1 : 1;

export type PayableRows<Row extends PlanInstallment> =
  | { readonly rows: readonly Row[] }
  | { readonly refused: 'installment_paid' | 'installment_cancelled' | 'installment_not_of_sale'; readonly seq: number };

/** The rows that money fills, in that order: those chosen, or every open one, the oldest debt first. */
export function payableRows<Row extends PlanInstallment>(
  rows: readonly Row[],
  chosen: readonly number[] | null,
): PayableRows<Row> {
  if (chosen === null) return { rows: rows.filter(isOpen).toSorted(oldestFirst) };
  const picked: Row[] = [];
  for (const seq of chosen) {
    const row = rows.find((each) => each.seq === seq);
    const refused = row === undefined ? 'installment_not_of_sale' : closedCode(row);
    if (refused !== null) return { refused, seq };
    picked.push(row!);
  }
  return { rows: picked };
}

/**
 * What of the money is applied: all of it, or a few cents less where the currencies differ; null when it is too much.
 * `balance` is what the payable rows still owe.
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

/** Fills row after row; null when there is more than they owe. */
function fill(rows: readonly PlanInstallment[], owed: (row: PlanInstallment) => bigint, amount: bigint): Allocation[] | null {
  const allocations: Allocation[] = [];
  let rest = amount;
  for (const row of rows) {
    const part = smallerOf(rest, owed(row));
    if (part > 0n) allocations.push({ seq: row.seq, amount: part });
    rest -= part;
  }
  return rest > 0n ? null : allocations;
}

export interface Allocated {
  readonly money: readonly Allocation[];
  readonly discount: readonly Allocation[];
}

/**
 * Money fills the payable rows in their order. The discount then fills what it left open of them: the newest debt first for paying
 * early, since that is the time not used, and in the same order as the money otherwise. Null when it is too much.
 */
export function allocate(
  payable: readonly PlanInstallment[],
  { money, discount = 0n, reason }: { money: bigint; discount?: bigint; reason?: DiscountReason | null },
): Allocated | null {
  const paid = fill(payable, remainingOf, money);
  if (paid === null) return null;
  const paidOn = new Map(paid.map(({ seq, amount }) => [seq, amount]));
  const order = reason === 'Erken Ödeme' ? payable.toSorted((a, b) => oldestFirst(b, a)) : payable;
  const forgiven = fill(order, (row) => remainingOf(row) - (paidOn.get(row.seq) ?? 0n), discount);
  return forgiven === null ? null : { money: paid, discount: forgiven };
}

/** The same with the opposite sign: what a reversal writes. */
export const reversed = (allocations: readonly Allocation[]): Allocation[] =>
  allocations.map(({ seq, amount }) => ({ seq, amount: -amount }));

/** The rows that the allocations touch, as they are afterwards; `on` is the collection's day, which becomes paid_at where it closes one. */
export function applyAllocations<Row extends PlanInstallment>(
  rows: readonly Row[],
  allocations: readonly Allocation[],
  as: 'paid_amount' | 'discounted_amount',
  on: string,
): Row[] {
  return allocations.map(({ seq, amount }) => {
    const row = rows.find((each) => each.seq === seq)!;
    return settle({ ...row, [as]: row[as] + amount }, on);
  });
}

export const allocatedSum = (allocations: readonly Allocation[]): bigint => sum(allocations.map(({ amount }) => amount));
