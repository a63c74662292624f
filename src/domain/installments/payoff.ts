// The amount that settles a whole sale today: the open amount, the late interest so far, and the part of the finance charge for
// time not used.
import { smallerOf, sum } from '../../kit/money.ts';
import { daysBetween } from '../clock/days.ts';
import { divideHalfUp } from '../exchange-rates/rates.ts';
import { lateInterest, totalLateInterest } from './late-interest.ts';
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
  installments: readonly PlanInstallment[],
  today: string,
): Payoff {
  const outstanding = sum(installments.map(remainingOf));
  const financed = installments.filter(({ seq }) => seq >= 1);
  const ahead = sum(
    financed
      .filter((installment) => installment.due_date > today)
      .map((installment) => remainingOf(installment) * BigInt(daysBetween(today, installment.due_date))),
  );
  const whole = sum(
    financed.map((installment) => installment.amount * BigInt(daysBetween(sale.sale_date, installment.due_date))),
  );
  const unearned = whole === 0n ? 0n : divideHalfUp(sale.finance_charge * ahead, whole);
  return {
    date: today,
    outstanding,
    late_interest: totalLateInterest(
      installments.map((installment) => lateInterest(installment, sale.late_rate_yearly, today, 'Aktif')),
    ),
    unearned_finance_charge: smallerOf(unearned, outstanding),
  };
}
