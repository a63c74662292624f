// The generated actions detect bugs: each bug planted in the arithmetic is found within a few hundred actions.
import { describe, expect, test } from 'vitest';
import { addDays, addMonths } from '../../../src/domain/clock/days.ts';
import type { Allocation } from '../../../src/domain/installments/allocation.ts';
import type { PlanInstallment } from '../../../src/domain/installments/plan-installment.ts';
import { generateActs } from '../../harness/arithmetic.ts';
import { ARITHMETIC, type Arithmetic } from '../../harness/sale-books.ts';

const right = ARITHMETIC;

const PLANTS: Readonly<Record<string, Partial<Arithmetic>>> = {
  'money fills the newest row first': {
    allocate: (payable, amounts) => right.allocate(payable.toReversed(), amounts),
  },
  'rows due on one day are filled in any order': {
    payableInstallments: (installments, chosen) =>
      right.payableInstallments(installments.toReversed(), chosen === null ? null : chosen.toSorted()),
  },
  'a discount for paying early fills the oldest row first': {
    allocate: (payable, amounts) =>
      right.allocate(payable, { ...amounts, reason: amounts.reason === 'Erken Ödeme' ? 'Anlaşma' : (amounts.reason ?? null) }),
  },
  'an excess of seven cents is dropped': {
    acceptedAmount: (money, discount, balance, about) => {
      const excess = money + discount - balance;
      const isDropped = about.currenciesDiffer && excess > 0n && excess <= 7n && money > excess;
      return isDropped ? money - excess : right.acceptedAmount(money, discount, balance, about);
    },
  },
  'an excess is dropped in the same currency': {
    acceptedAmount: (money, discount, balance) => right.acceptedAmount(money, discount, balance, { currenciesDiffer: true }),
  },
  'a payment in another currency is rounded down': {
    appliedAmount: (amount, paid, debt, rate) => {
      if (rate === null) return amount;
      const up = right.appliedAmount(amount, paid, debt, rate);
      const over = right.appliedAmount(amount * 1000n, paid, debt, rate);
      return up * 1000n > over ? up - 1n : up;
    },
  },
  'a reversal forgets its last row': {
    reversed: (allocations: readonly Allocation[]) =>
      right.reversed(allocations.length > 1 ? allocations.slice(0, -1) : allocations),
  },
  'a reopened row keeps its paid_at': {
    applyAllocations: (installments, allocations, as, on) =>
      right.applyAllocations(installments, allocations, as, on).map((installment) => ({
        ...installment,
        paid_at: installment.paid_at ?? installments.find(({ seq }) => seq === installment.seq)!.paid_at,
      })),
  },
  'the first part of a split takes the rest': {
    buildSchedule: (sale) => {
      const built = right.buildSchedule(sale);
      if ('refused' in built || sale.plan === null || 'installments' in sale.plan) return built;
      const amounts = built.installments.filter(({ seq }) => seq > 0).map(({ amount }) => amount);
      return {
        installments: built.installments.map((installment) =>
          installment.seq === 0 ? installment : { ...installment, amount: amounts.at(-installment.seq)! },
        ),
      };
    },
  },
  'putting off by months forgets the day of the month': {
    postpone: (installments, seq, to, today) => {
      const put = right.postpone(installments, seq, to, today);
      if ('refused' in put || !('months' in to)) return put;
      return {
        changed: put.changed.map((installment) => ({
          ...installment,
          due_date: addMonths(installments.find((each) => each.seq === installment.seq)!.due_date, to.months),
        })),
      };
    },
  },
  'the difference of an amount goes to the first open row': {
    changeAmount: (installments, seq, amount, lastCollectedOn) => {
      const flip = <Row extends { readonly seq: number }>(row: Row): Row => ({ ...row, seq: row.seq === 0 ? 0 : 1000 - row.seq });
      const changed = right.changeAmount(installments.map(flip), flip({ seq }).seq, amount, (installment) =>
        lastCollectedOn(flip(installment)),
      );
      return 'refused' in changed ? changed : { changed: changed.changed.map(flip) };
    },
  },
  'a restructuring loses what it adds': {
    restructure: (sale, installments, request) => {
      const recast = right.restructure(sale, installments, request);
      return 'refused' in recast ? recast : { ...recast, finance_charge: sale.finance_charge };
    },
  },
  'the down payment stays as it was when its row is cut': {
    restructure: (sale, installments, request) => {
      const recast = right.restructure(sale, installments, request);
      return 'refused' in recast ? recast : { ...recast, down_payment: sale.down_payment };
    },
  },
  'a row that a restructuring closes has no paid_at': {
    restructure: (sale, installments, request) =>
      right.restructure(sale, installments, { ...request, lastCollectedOn: () => null }),
  },
  'a row may be postponed without a limit': {
    postpone: (installments, seq, to, today) => {
      const put = right.postpone(
        installments.map((installment) => ({ ...installment, original_due_date: installment.due_date })),
        seq,
        to,
        today,
      );
      const original = (installment: PlanInstallment) =>
        installments.find((each) => each.seq === installment.seq)!.original_due_date;
      return 'refused' in put
        ? put
        : { changed: put.changed.map((installment) => ({ ...installment, original_due_date: original(installment) })) };
    },
  },
  'the unearned part of the charge is rounded up': {
    payoff: (sale, installments, today) => {
      const exact = right.payoff(sale, installments, today);
      const finer = right.payoff(
        { ...sale, finance_charge: sale.finance_charge * 1000n },
        installments,
        today,
      ).unearned_finance_charge;
      const isBelow = exact.unearned_finance_charge * 1000n < finer && exact.unearned_finance_charge < exact.outstanding;
      return { ...exact, unearned_finance_charge: exact.unearned_finance_charge + (isBelow ? 1n : 0n) };
    },
  },
  'a restructuring spares rows that are overdue': {
    restructure: (sale, installments, request) => right.restructure(sale, installments, { ...request, today: '0001-01-01' }),
  },
  'late interest counts a day too many': {
    lateInterest: (installment, rate, today, sale) => right.lateInterest(installment, rate, addDays(today, 1), sale),
  },
  'the retained amount counts the returned vehicle': {
    settleCancellation: (sale, about) => right.settleCancellation(sale, { ...about, tradeIn: 'kalsın' }),
  },
  'cancelling closes paid rows too': {
    cancelInstallments: (installments) => installments.map((installment) => ({ ...installment, status: 'İptal' })),
  },
};

describe('a planted bug is found:', () => {
  test.each(Object.entries(PLANTS))('%s', (_, planted) => {
    expect(generateActs(1, 5000, { ...right, ...planted }, { shrink: false }).violation).not.toBeNull();
  });
});
