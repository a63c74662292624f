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
    payableInstallments: (rows, chosen) =>
      right.payableInstallments(rows.toReversed(), chosen === null ? null : chosen.toSorted()),
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
    applyAllocations: (rows, allocations, as, on) =>
      right
        .applyAllocations(rows, allocations, as, on)
        .map((row) => ({ ...row, paid_at: row.paid_at ?? rows.find(({ seq }) => seq === row.seq)!.paid_at })),
  },
  'the first part of a split takes the rest': {
    buildSchedule: (sale) => {
      const built = right.buildSchedule(sale);
      if ('refused' in built || sale.plan === null || 'installments' in sale.plan) return built;
      const amounts = built.installments.filter(({ seq }) => seq > 0).map(({ amount }) => amount);
      return { installments: built.installments.map((row) => (row.seq === 0 ? row : { ...row, amount: amounts.at(-row.seq)! })) };
    },
  },
  'putting off by months forgets the day of the month': {
    postpone: (rows, seq, to, today) => {
      const put = right.postpone(rows, seq, to, today);
      if ('refused' in put || !('months' in to)) return put;
      return {
        changed: put.changed.map((row) => ({
          ...row,
          due_date: addMonths(rows.find((each) => each.seq === row.seq)!.due_date, to.months),
        })),
      };
    },
  },
  'the difference of an amount goes to the first open row': {
    changeAmount: (rows, seq, amount, lastCollectedOn) => {
      const flip = <Row extends { readonly seq: number }>(row: Row): Row => ({ ...row, seq: row.seq === 0 ? 0 : 1000 - row.seq });
      const changed = right.changeAmount(rows.map(flip), flip({ seq }).seq, amount, (row) => lastCollectedOn(flip(row)));
      return 'refused' in changed ? changed : { changed: changed.changed.map(flip) };
    },
  },
  'a restructuring loses what it adds': {
    restructure: (sale, rows, request) => {
      const recast = right.restructure(sale, rows, request);
      return 'refused' in recast ? recast : { ...recast, finance_charge: sale.finance_charge };
    },
  },
  'the down payment stays as it was when its row is cut': {
    restructure: (sale, rows, request) => {
      const recast = right.restructure(sale, rows, request);
      return 'refused' in recast ? recast : { ...recast, down_payment: sale.down_payment };
    },
  },
  'a row that a restructuring closes has no paid_at': {
    restructure: (sale, rows, request) => right.restructure(sale, rows, { ...request, lastCollectedOn: () => null }),
  },
  'a row may be postponed without a limit': {
    postpone: (rows, seq, to, today) => {
      const put = right.postpone(
        rows.map((row) => ({ ...row, original_due_date: row.due_date })),
        seq,
        to,
        today,
      );
      const original = (row: PlanInstallment) => rows.find((each) => each.seq === row.seq)!.original_due_date;
      return 'refused' in put ? put : { changed: put.changed.map((row) => ({ ...row, original_due_date: original(row) })) };
    },
  },
  'the unearned part of the charge is rounded up': {
    payoff: (sale, rows, today) => {
      const exact = right.payoff(sale, rows, today);
      const finer = right.payoff({ ...sale, finance_charge: sale.finance_charge * 1000n }, rows, today).unearned_finance_charge;
      const isBelow = exact.unearned_finance_charge * 1000n < finer && exact.unearned_finance_charge < exact.outstanding;
      return { ...exact, unearned_finance_charge: exact.unearned_finance_charge + (isBelow ? 1n : 0n) };
    },
  },
  'a restructuring spares rows that are overdue': {
    restructure: (sale, rows, request) => right.restructure(sale, rows, { ...request, today: '0001-01-01' }),
  },
  'late interest counts a day too many': {
    lateInterest: (row, rate, today, sale) => right.lateInterest(row, rate, addDays(today, 1), sale),
  },
  'the retained amount counts the returned vehicle': {
    settleCancellation: (sale, about) => right.settleCancellation(sale, { ...about, tradeIn: 'kalsın' }),
  },
  'cancelling closes paid rows too': { cancelRows: (rows) => rows.map((row) => ({ ...row, status: 'İptal' })) },
};

describe('a planted bug is found:', () => {
  test.each(Object.entries(PLANTS))('%s', (_, planted) => {
    expect(generateActs(1, 5000, { ...right, ...planted }, { shrink: false }).violation).not.toBeNull();
  });
});
