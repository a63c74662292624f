// Changes of single installments: another amount, an earlier due date, postponement.
import { addMonths } from '../clock/days.ts';
import { closedCode, isOpen, type PlanInstallment, settle, settledOf } from './plan-installment.ts';

/** The maximum postponement from the original due date. */
const MAX_POSTPONED_MONTHS = 24;

type Refused<Code extends string> = { readonly refused: Code };
type ClosedCode = 'installment_paid' | 'installment_cancelled';

/**
 * The installment with its new amount, then the one that takes the difference: the last open one by seq, so that the sum does not
 * change. The down payment neither changes nor takes a difference. `lastCollectedOn` gives the paid_at of an installment that the
 * change closes.
 */
export function changeAmount<Row extends PlanInstallment>(
  installments: readonly Row[],
  seq: number,
  amount: bigint,
  lastCollectedOn: (installment: Row) => string | null,
): { readonly changed: Row[] } | Refused<ClosedCode | 'rebalance_impossible' | 'amount_below_settled'> {
  const installment = installments.find((each) => each.seq === seq)!;
  const closed = closedCode(installment);
  if (closed !== null) return { refused: closed };
  if (amount === installment.amount) return { changed: [] };
  if (seq === 0) return { refused: 'rebalance_impossible' };
  if (amount <= 0n || amount < settledOf(installment)) return { refused: 'amount_below_settled' };
  const other = installments
    .filter((each) => isOpen(each) && each.seq !== 0 && each.seq !== seq)
    .reduce<Row | null>((last, each) => (last === null || each.seq > last.seq ? each : last), null);
  if (other === null) return { refused: 'rebalance_impossible' };
  const rest = other.amount + installment.amount - amount;
  if (rest <= 0n || rest < settledOf(other)) return { refused: 'rebalance_impossible' };
  return {
    changed: [
      settle({ ...installment, amount }, lastCollectedOn(installment)),
      settle({ ...other, amount: rest }, lastCollectedOn(other)),
    ],
  };
}

/** An earlier due date; a later one needs a reason and goes through `postpone`. */
export function moveEarlier<Row extends PlanInstallment>(
  installment: Row,
  dueDate: string,
  { today, saleDate }: { readonly today: string; readonly saleDate: string },
): { readonly changed: Row[] } | Refused<ClosedCode | 'use_postpone' | 'due_date_in_past'> {
  const closed = closedCode(installment);
  if (closed !== null) return { refused: closed };
  if (dueDate > installment.due_date) return { refused: 'use_postpone' };
  if (dueDate === installment.due_date) return { changed: [] };
  if (dueDate < today || dueDate < saleDate) return { refused: 'due_date_in_past' };
  return { changed: [{ ...installment, due_date: dueDate }] };
}

export type Postponement =
  | { readonly new_due_date: string }
  /** `shift_following` moves every later open installment too. */
  | { readonly months: number; readonly shift_following: boolean };

/** The installment with its later due date, then the following ones. */
export function postpone<Row extends PlanInstallment>(
  installments: readonly Row[],
  seq: number,
  to: Postponement,
  today: string,
): { readonly changed: Row[] } | Refused<ClosedCode | 'not_later' | 'too_far'> {
  const installment = installments.find((each) => each.seq === seq)!;
  const closed = closedCode(installment);
  if (closed !== null) return { refused: closed };
  const following =
    'months' in to && to.shift_following
      ? installments.filter((each) => each.seq > seq && isOpen(each)).toSorted((a, b) => a.seq - b.seq)
      : [];
  const changed = [installment, ...following].map((each) => ({
    ...each,
    due_date: 'months' in to ? addMonths(each.due_date, to.months, each.due_day) : to.new_due_date,
    postpone_count: each.postpone_count + 1,
  }));
  const { due_date } = changed[0]!;
  if (due_date <= installment.due_date || due_date <= today) return { refused: 'not_later' };
  if (changed.some((each) => each.due_date > addMonths(each.original_due_date, MAX_POSTPONED_MONTHS, each.due_day))) {
    return { refused: 'too_far' };
  }
  return { changed };
}
