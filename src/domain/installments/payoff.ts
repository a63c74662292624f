// The amount that settles a whole sale today: the open amount, the late interest so far, and the part of the finance charge for
// time not used.
import { smallerOf, sum } from '../../kit/money.ts';
import { daysBetween } from '../clock/days.ts';
import { divideHalfUp } from '../exchange-rates/rates.ts';
import { lateInterest } from './late-interest.ts';
import { type PlanInstallment, remainingOf } from './plan-installment.ts';

export interface Payoff {
  readonly date: string;
  readonly outstanding: bigint;
  readonly late_interest: bigint;
  readonly unearned_finance_charge: bigint;
}

/** For an «Aktif» sale. `late_rate_yearly` is in hundredths of a percent. */
export function payoff(
  sale: { readonly sale_date: string; readonly finance_charge: bigint; readonly late_rate_yearly: bigint | null },
  rows: readonly PlanInstallment[],
  today: string,
): Payoff {
  const outstanding = sum(rows.map(remainingOf));
  const financed = rows.filter(({ seq }) => seq >= 1);
  const ahead = sum(
    financed.filter((row) => row.due_date > today).map((row) => remainingOf(row) * BigInt(daysBetween(today, row.due_date))),
  );
  const whole = sum(financed.map((row) => row.amount * BigInt(daysBetween(sale.sale_date, row.due_date))));
  const unearned = whole === 0n ? 0n : divideHalfUp(sale.finance_charge * ahead, whole);
  return {
    date: today,
    outstanding,
    late_interest: sum(rows.map((row) => lateInterest(row, sale.late_rate_yearly, today, 'Aktif'))),
    unearned_finance_charge: smallerOf(unearned, outstanding),
  };
}
