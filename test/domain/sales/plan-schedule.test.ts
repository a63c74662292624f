// Days, splits and due dates against an independent calendar.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, dayOfMonth, daysBetween, monthsAndDays } from '../../../src/domain/clock/days.ts';
import { buildSchedule, defaultFirstDueDate, dueDates, splitAmount } from '../../../src/domain/installments/plan-schedule.ts';
import { ROUND_TO } from '../../../src/domain/installments/sales-states.ts';
import { dayAt, dayNumber, daysLater, monthsLater } from '../../harness/civil-days.ts';

const RUNS = { seed: 1, numRuns: 200 };
/** 2000 to 2136, with leap years and 2100, which is none. */
const day = fc.integer({ min: 0, max: 50_000 }).map(dayAt);

describe('days', () => {
  test('are added, counted and kept within their month as in that calendar', () => {
    fc.assert(
      fc.property(day, fc.nat(400), fc.nat(130), fc.integer({ min: 1, max: 31 }), (from, days, months, wanted) => {
        expect(addDays(from, days)).toBe(daysLater(from, days));
        expect(addDays(addDays(from, days), -days)).toBe(from);
        expect(daysBetween(from, addDays(from, days))).toBe(days);
        expect(daysBetween(addDays(from, days), from)).toBe(-days || 0);
        expect(addMonths(from, months)).toBe(monthsLater(from, months, dayOfMonth(from)));
        expect(addMonths(from, months, wanted)).toBe(monthsLater(from, months, wanted));
      }),
      RUNS,
    );
  });

  test('counts as many whole months as fit, with a remainder of less than one', () => {
    fc.assert(
      fc.property(day, fc.nat(4000), (from, later) => {
        const to = daysLater(from, later);
        const { months, days } = monthsAndDays(from, to);
        let fit = 0;
        while (monthsLater(from, fit + 1, dayOfMonth(from)) <= to) fit += 1;
        expect(months).toBe(fit);
        expect(days).toBe(dayNumber(to) - dayNumber(monthsLater(from, fit, dayOfMonth(from))));
      }),
      RUNS,
    );
  });

  test('the end of a short month is a whole month after the end of a long one', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2028-01-31', 1)).toBe('2028-02-29');
    expect(addMonths('2026-11-30', 3)).toBe('2027-02-28');
    expect(monthsAndDays('2026-01-31', '2026-02-28')).toEqual({ months: 1, days: 0 });
    expect(monthsAndDays('2026-01-31', '2026-03-01')).toEqual({ months: 1, days: 1 });
    expect(monthsAndDays('2026-01-01', '2026-01-31')).toEqual({ months: 0, days: 30 });
  });
});

test('due dates keep the first one’s day of the month, where the month has it', () => {
  expect(dueDates('2026-01-31', 4, 'Aylık')).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
  expect(dueDates('2026-02-28', 3, 'Aylık')).toEqual(['2026-02-28', '2026-03-28', '2026-04-28']);
  expect(dueDates('2026-02-14', 3, '15 Günlük')).toEqual(['2026-02-14', '2026-03-01', '2026-03-16']);
  expect(dueDates('2026-12-25', 3, 'Haftalık')).toEqual(['2026-12-25', '2027-01-01', '2027-01-08']);
  expect(defaultFirstDueDate('2026-01-31', 'Aylık')).toBe('2026-02-28');
  expect(defaultFirstDueDate('2026-01-31', '15 Günlük')).toBe('2026-02-15');
  expect(defaultFirstDueDate('2026-01-31', 'Haftalık')).toBe('2026-02-07');
});

test('a split has equal parts, as large as possible, rounded on request, and loses nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.bigInt({ min: 0n, max: 20_000n }), fc.bigInt({ min: 0n, max: 99_999_999_999_999n })),
      fc.integer({ min: 1, max: 120 }),
      fc.option(fc.constantFrom(...ROUND_TO), { nil: undefined }),
      (total, count, roundTo) => {
        const parts = splitAmount(total, count, roundTo);
        const unit = roundTo === undefined ? 1n : BigInt(roundTo) * 100n;
        if (parts === null) {
          expect(total < unit * BigInt(count)).toBe(true);
          return;
        }
        const [part] = count === 1 ? [parts[0]! - (parts[0]! % unit)] : parts;
        let rest = total;
        for (const each of parts.slice(0, -1)) {
          expect(each).toBe(part);
          rest -= each;
        }
        expect(parts).toHaveLength(count);
        expect(parts.at(-1)).toBe(rest);
        expect(part! % unit).toBe(0n);
        expect(rest >= part! && rest - part! < unit * BigInt(count)).toBe(true);
      },
    ),
    RUNS,
  );
});

describe('the installments of a sale', () => {
  const sale = { sale_date: '2026-01-15', down_payment: 500n, financed_amount: 1000n };
  const row = (due_date: string, amount: bigint) => ({ due_date, amount });
  const schedule = (...installments: { due_date: string; amount: bigint }[]) =>
    buildSchedule({ ...sale, plan: { installments } });

  test('of a cash sale are its down payment, and of a free sale none', () => {
    expect(buildSchedule({ ...sale, financed_amount: 0n, plan: null })).toMatchObject({
      installments: [{ seq: 0, kind: 'Peşinat', due_date: '2026-01-15', amount: 500n, status: 'Bekliyor' }],
    });
    expect(buildSchedule({ ...sale, down_payment: 0n, financed_amount: 0n, plan: null })).toEqual({ installments: [] });
  });

  test('given by the caller are used unchanged', () => {
    const plan = { installments: [row('2026-01-15', 400n), { ...row('2026-06-30', 600n), kind: 'Ara Ödeme' as const }] };
    expect(buildSchedule({ ...sale, down_payment: 0n, plan })).toMatchObject({
      installments: [
        { seq: 1, kind: 'Taksit', due_date: '2026-01-15', original_due_date: '2026-01-15', due_day: 15, amount: 400n },
        { seq: 2, kind: 'Ara Ödeme', due_date: '2026-06-30', due_day: 30, amount: 600n, postpone_count: 0 },
      ],
    });
  });

  test('given by the caller add up, ascend and start with the sale', () => {
    expect(schedule(row('2026-02-01', 999n))).toEqual({ refused: 'installments_sum_mismatch', expected: 1000n, actual: 999n });
    expect(schedule(row('2026-02-01', 500n), row('2026-02-01', 500n))).toEqual({ refused: 'dates_not_ascending', index: 1 });
    expect(schedule(row('2026-01-14', 1000n))).toEqual({ refused: 'due_date_too_early', index: 0 });
    expect(schedule(row('2026-02-01', 1000n), row('2026-02-02', 0n))).toEqual({ refused: 'amount_not_positive', index: 1 });
  });

  test('of a split are not before the sale, and are at least a cent', () => {
    const plan = { installment_count: 3, period: 'Aylık' as const, first_due_date: '2026-01-14' };
    expect(buildSchedule({ ...sale, plan })).toEqual({ refused: 'due_date_too_early', index: 0 });
    const split = { ...plan, first_due_date: '2026-01-31' };
    expect(buildSchedule({ ...sale, financed_amount: 2n, plan: split })).toEqual({ refused: 'split_too_small' });
    expect(buildSchedule({ ...sale, plan: split })).toMatchObject({
      installments: [{}, { due_day: 31 }, { due_date: '2026-02-28', due_day: 31 }, { due_date: '2026-03-31', amount: 334n }],
    });
  });
});
