// The rules of single installments, refunds and promises, case by case.
import { describe, expect, test } from 'vitest';
import { acceptedAmount, allocate, payableInstallments } from '../../../src/domain/installments/allocation.ts';
import { changeAmount, moveEarlier, postpone } from '../../../src/domain/installments/installment-change.ts';
import { daysOverdue, lateInterest } from '../../../src/domain/installments/late-interest.ts';
import { payoff } from '../../../src/domain/installments/payoff.ts';
import type { PlanInstallment } from '../../../src/domain/installments/plan-installment.ts';
import { buildSchedule } from '../../../src/domain/installments/plan-schedule.ts';
import { promiseOutcome } from '../../../src/domain/installments/promise-outcome.ts';
import { type CancelledSale, settleCancellation } from '../../../src/domain/installments/refund.ts';
import { restructure } from '../../../src/domain/installments/restructuring.ts';
import type { PromiseStatus, SaleStatus } from '../../../src/domain/installments/sales-states.ts';

/** 1.00 down on 2026-01-31, then three installments of 1.00 on the 31st or the month's last day. */
function installmentsOf(changes: Readonly<Record<number, Partial<PlanInstallment>>> = {}): PlanInstallment[] {
  const built = buildSchedule({
    sale_date: '2026-01-31',
    down_payment: 100n,
    financed_amount: 300n,
    plan: { installment_count: 3, period: 'Aylık', first_due_date: '2026-01-31' },
  });
  if ('refused' in built) throw new Error(built.refused);
  return built.installments.map((installment) => ({ ...installment, ...changes[installment.seq] }));
}
const paid = { paid_amount: 100n, status: 'Ödendi', paid_at: '2026-02-01' } as const;
const partly = { paid_amount: 40n, status: 'Kısmi Ödendi' } as const;

describe('payment', () => {
  test('goes to the oldest debt, then by number; a postponed installment takes its new place', () => {
    const order = (installments: PlanInstallment[], chosen: number[] | null = null) => {
      const payable = payableInstallments(installments, chosen);
      return 'refused' in payable ? payable : payable.installments.map(({ seq }) => seq);
    };
    expect(order(installmentsOf())).toEqual([0, 1, 2, 3]);
    expect(order(installmentsOf({ 1: { due_date: '2026-06-30' }, 0: paid }))).toEqual([2, 3, 1]);
    expect(order(installmentsOf(), [3, 1])).toEqual([3, 1]);
    expect(order(installmentsOf({ 1: paid }), [3, 1])).toEqual({ refused: 'installment_paid', seq: 1 });
    expect(order(installmentsOf({ 1: { status: 'Yapılandırıldı' } }), [1])).toEqual({ refused: 'installment_cancelled', seq: 1 });
    expect(order(installmentsOf(), [7])).toEqual({ refused: 'installment_not_of_sale', seq: 7 });
  });

  test('a discount fills what the money left open: in its order, or from the newest for early payment', () => {
    const installments = installmentsOf({ 0: paid });
    const payable = payableInstallments(installments, [3, 1, 2]);
    if ('refused' in payable) throw new Error(payable.refused);
    const fills = (reason: 'Küsurat' | 'Erken Ödeme') => allocate(payable.installments, { money: 150n, discount: 100n, reason })!;
    expect(fills('Küsurat').money).toEqual([
      { seq: 3, amount: 100n },
      { seq: 1, amount: 50n },
    ]);
    expect(fills('Küsurat').discount).toEqual([
      { seq: 1, amount: 50n },
      { seq: 2, amount: 50n },
    ]);
    expect(fills('Erken Ödeme').discount).toEqual([{ seq: 2, amount: 100n }]);
    expect(allocate(payable.installments, { money: 150n, discount: 151n, reason: 'Küsurat' })).toBeNull();
  });

  test('of too much is refused, except for five cents in another currency', () => {
    const accepted = (money: bigint, discount: bigint, currenciesDiffer: boolean) =>
      acceptedAmount(money, discount, 100n, { currenciesDiffer });
    expect(accepted(100n, 0n, false)).toBe(100n);
    expect(accepted(101n, 0n, false)).toBeNull();
    expect(accepted(105n, 0n, true)).toBe(100n);
    expect(accepted(106n, 0n, true)).toBeNull();
    expect(accepted(45n, 60n, true)).toBe(40n);
    // Dropping the excess must leave a payment.
    expect(accepted(5n, 100n, true)).toBeNull();
  });
});

describe('another amount', () => {
  const amounts = (installments: PlanInstallment[], seq: number, amount: bigint) => {
    const changed = changeAmount(installments, seq, amount, () => '2026-02-02');
    return 'refused' in changed
      ? changed.refused
      : changed.changed.map(
          (installment) => `${installment.seq}: ${installment.amount} ${installment.status} ${installment.paid_at}`,
        );
  };

  test('moves the difference to the last open installment', () => {
    expect(amounts(installmentsOf(), 1, 150n)).toEqual(['1: 150 Bekliyor null', '3: 50 Bekliyor null']);
    expect(amounts(installmentsOf(), 3, 150n)).toEqual(['3: 150 Bekliyor null', '2: 50 Bekliyor null']);
    expect(amounts(installmentsOf({ 3: paid }), 1, 50n)).toEqual(['1: 50 Bekliyor null', '2: 150 Bekliyor null']);
    expect(amounts(installmentsOf(), 1, 100n)).toEqual([]);
  });

  test('that does not exceed what is settled closes the installment on the day of its last collection', () => {
    expect(amounts(installmentsOf({ 1: partly }), 1, 40n)).toEqual(['1: 40 Ödendi 2026-02-02', '3: 160 Bekliyor null']);
    expect(amounts(installmentsOf({ 3: partly }), 1, 160n)).toEqual(['1: 160 Bekliyor null', '3: 40 Ödendi 2026-02-02']);
  });

  test('is refused if no row can take the difference', () => {
    expect(amounts(installmentsOf({ 1: partly }), 1, 39n)).toBe('amount_below_settled');
    expect(amounts(installmentsOf(), 1, 0n)).toBe('amount_below_settled');
    expect(amounts(installmentsOf(), 1, 200n)).toBe('rebalance_impossible');
    expect(amounts(installmentsOf({ 3: partly }), 1, 161n)).toBe('rebalance_impossible');
    expect(amounts(installmentsOf({ 2: paid, 3: paid }), 1, 150n)).toBe('rebalance_impossible');
    expect(amounts(installmentsOf(), 0, 150n)).toBe('rebalance_impossible');
    expect(amounts(installmentsOf({ 1: paid }), 1, 150n)).toBe('installment_paid');
    expect(amounts(installmentsOf({ 1: { status: 'Yapılandırıldı', amount: 0n } }), 1, 150n)).toBe('installment_cancelled');
  });
});

describe('another due date', () => {
  const days = (put: ReturnType<typeof postpone<PlanInstallment>>) =>
    'refused' in put
      ? put.refused
      : put.changed.map((installment) => `${installment.seq}: ${installment.due_date} ${installment.postpone_count}`);

  test('later by months returns to the first installment’s day of the month', () => {
    expect(days(postpone(installmentsOf(), 2, { months: 1, shift_following: false }, '2026-02-01'))).toEqual(['2: 2026-03-31 1']);
    const moved = installmentsOf({ 2: { due_date: '2026-03-10', postpone_count: 1 }, 3: paid });
    expect(days(postpone(moved, 2, { months: 1, shift_following: true }, '2026-02-01'))).toEqual(['2: 2026-04-30 2']);
  });

  test('moves the following installments too, and the down payment moves all', () => {
    const along = postpone(installmentsOf(), 1, { months: 12, shift_following: true }, '2026-02-01');
    expect(days(along)).toEqual(['1: 2027-01-31 1', '2: 2027-02-28 1', '3: 2027-03-31 1']);
    const all = postpone(installmentsOf({ 2: paid }), 0, { months: 1, shift_following: true }, '2026-02-01');
    expect(days(all)).toEqual(['0: 2026-02-28 1', '1: 2026-02-28 1', '3: 2026-04-30 1']);
  });

  test('is later than the old one and than today, and within 24 months of the original', () => {
    const to = (new_due_date: string, installments = installmentsOf()) =>
      days(postpone(installments, 2, { new_due_date }, '2026-03-10'));
    expect(to('2026-02-28')).toBe('not_later');
    expect(to('2026-03-10')).toBe('not_later');
    expect(to('2026-03-11')).toEqual(['2: 2026-03-11 1']);
    // 24 months after the last day of a February is the last day of a February.
    expect(to('2028-02-29')).toEqual(['2: 2028-02-29 1']);
    expect(to('2028-03-01')).toBe('too_far');
    const late = installmentsOf({ 3: { due_date: '2028-03-31' } });
    expect(days(postpone(late, 2, { months: 1, shift_following: true }, '2026-02-01'))).toBe('too_far');
    expect(days(postpone(installmentsOf({ 2: paid }), 2, { months: 1, shift_following: true }, '2026-02-01'))).toBe(
      'installment_paid',
    );
  });

  test('a following installment may be before today', () => {
    const installments = installmentsOf({ 1: { due_date: '2026-08-31' } });
    expect(days(postpone(installments, 1, { months: 1, shift_following: true }, '2026-08-01'))).toEqual([
      '1: 2026-09-30 1',
      '2: 2026-03-31 1',
      '3: 2026-04-30 1',
    ]);
  });

  test('earlier needs no reason, but cannot be in the past', () => {
    const to = (dueDate: string, today = '2026-02-10') => {
      const moved = moveEarlier(installmentsOf()[2]!, dueDate, { today, saleDate: '2026-01-31' });
      return 'refused' in moved ? moved.refused : moved.changed.map(({ due_date, postpone_count }) => [due_date, postpone_count]);
    };
    expect(to('2026-02-10')).toEqual([['2026-02-10', 0]]);
    expect(to('2026-02-09')).toBe('due_date_in_past');
    expect(to('2026-01-30', '2026-01-01')).toBe('due_date_in_past');
    expect(to('2026-02-28', '2026-05-01')).toEqual([]);
    expect(to('2026-03-01')).toBe('use_postpone');
  });
});

describe('lateness', () => {
  const late = (changes: Partial<PlanInstallment>, today: string, sale: SaleStatus = 'Aktif', rate: bigint | null = 36_50n) => {
    const installment = { ...installmentsOf()[1]!, amount: 100_00n, ...changes };
    return [daysOverdue(installment, today, sale), lateInterest(installment, rate, today, sale)];
  };

  test('starts the day after the due date and ends with the debt', () => {
    expect(late({}, '2026-01-31')).toEqual([0, 0n]);
    expect(late({}, '2026-02-01')).toEqual([1, 10n]);
    expect(late({}, '2026-02-10', 'Aktif', null)).toEqual([10, 0n]);
    expect(late({ paid_amount: 100_00n, status: 'Ödendi' }, '2026-02-10')).toEqual([0, 0n]);
    expect(late({}, '2026-02-10', 'Tamamlandı')).toEqual([0, 0n]);
    expect(late({ status: 'İptal' }, '2026-02-10', 'İptal')).toEqual([0, 0n]);
  });

  test('costs simple interest on the open amount, a half cent rounded up', () => {
    expect(late({ paid_amount: 50_00n, status: 'Kısmi Ödendi' }, '2026-02-02')).toEqual([2, 10n]);
    expect(late({ amount: 25_00n, paid_amount: 12_50n, status: 'Kısmi Ödendi' }, '2026-02-03')).toEqual([3, 4n]);
    expect(late({ amount: 15_00n }, '2026-02-01')).toEqual([1, 2n]);
  });
});

test('the unearned charge never exceeds the open amount, and is zero if no day passes', () => {
  const sale = { sale_date: '2026-01-31', finance_charge: 500_00n, late_rate_yearly: null };
  const installments = installmentsOf({
    0: paid,
    1: paid,
    2: { ...paid, due_date: '2026-02-01' },
    3: { due_date: '2026-12-31' },
  });
  expect(payoff(sale, installments, '2026-02-02').unearned_finance_charge).toBe(100n);
  const atOnce = installmentsOf({ 2: { due_date: '2026-01-31' }, 3: { due_date: '2026-01-31' } });
  expect(payoff(sale, atOnce, '2026-01-31')).toEqual({
    date: '2026-01-31',
    outstanding: 400n,
    late_interest: 0n,
    unearned_finance_charge: 0n,
  });
});

describe('a restructuring', () => {
  const request = {
    from: '2026-04-01',
    today: '2026-02-10',
    plan: { installment_count: 2, period: 'Aylık' as const },
    add_finance_charge: 0n,
    lastCollectedOn: () => '2026-02-05',
  };
  const sale = { finance_charge: 10n, down_payment: 100n };

  test('cuts installments that are overdue or due from its day on, and leaves those between', () => {
    const restructured = restructure(sale, installmentsOf({ 0: partly, 1: partly, 3: { due_date: '2026-04-01' } }), request);
    if ('refused' in restructured) throw new Error(restructured.refused);
    expect(
      restructured.cut.map(
        (installment) => `${installment.seq}: ${installment.amount} ${installment.status} ${installment.paid_at}`,
      ),
    ).toEqual(['0: 40 Ödendi 2026-02-05', '1: 40 Ödendi 2026-02-05', '3: 0 Yapılandırıldı null']);
    expect(restructured.added.map((installment) => `${installment.seq}: ${installment.due_date} ${installment.amount}`)).toEqual([
      '4: 2026-04-01 110',
      '5: 2026-05-01 110',
    ]);
    expect([restructured.finance_charge, restructured.down_payment]).toEqual([10n, 40n]);
  });

  test('needs installments to cut, and new installments that add up from its day on', () => {
    expect(restructure(sale, installmentsOf({ 0: paid, 1: paid, 2: { due_date: '2026-03-01' }, 3: paid }), request)).toEqual({
      refused: 'nothing_to_restructure',
    });
    const own = (due_date: string, amount: bigint) =>
      restructure(sale, installmentsOf({ 0: paid }), {
        ...request,
        add_finance_charge: 5n,
        plan: { installments: [{ due_date, amount }] },
      });
    // Installment 1 is overdue; installments 2 and 3 are before the day.
    expect(own('2026-04-01', 104n)).toEqual({ refused: 'installments_sum_mismatch', expected: 105n, actual: 104n });
    expect(own('2026-03-31', 105n)).toEqual({ refused: 'due_date_too_early', index: 0 });
    expect(own('2026-04-01', 105n)).toMatchObject({ finance_charge: 15n, down_payment: 100n, added: [{ seq: 4, amount: 105n }] });
    expect(
      restructure(sale, installmentsOf(), { ...request, plan: { installment_count: 3, period: 'Haftalık', round_to: 1 } }),
    ).toEqual({
      refused: 'split_too_small',
    });
  });
});

describe('a refund', () => {
  const sale: CancelledSale = {
    country: 'TR',
    sale_date: '2026-03-05',
    payment_type: 'Taksitli',
    customerIsCompany: false,
    collected_amount: 1000n,
    trade_in_amount: 300n,
  };
  const settled = (
    changes: Partial<CancelledSale>,
    refund: bigint | null,
    today: string,
    tradeIn: 'iade' | 'kalsın' = 'iade',
  ) => {
    const outcome = settleCancellation({ ...sale, ...changes }, { refund, tradeIn, today });
    return 'refused' in outcome ? outcome.refused : [outcome.refunded_amount, outcome.retained_amount];
  };

  test('is at most the amount collected plus the value of a kept vehicle', () => {
    expect(settled({}, null, '2026-05-01')).toEqual([1000n, 0n]);
    expect(settled({}, null, '2026-05-01', 'kalsın')).toEqual([1300n, 0n]);
    expect(settled({}, 1001n, '2026-05-01')).toBe('refund_exceeds_collected');
    expect(settled({}, 400n, '2026-05-01', 'kalsın')).toEqual([400n, 900n]);
    expect(settled({}, 0n, '2026-05-01')).toEqual([0n, 1000n]);
  });

  test('is everything within seven days of a consumer’s installment sale in Türkiye', () => {
    expect(settled({}, 999n, '2026-03-12')).toBe('retention_not_allowed');
    expect(settled({}, 1000n, '2026-03-12')).toEqual([1000n, 0n]);
    expect(settled({}, 999n, '2026-03-13')).toEqual([999n, 1n]);
    expect(settled({ country: 'KKTC' }, 999n, '2026-03-05')).toEqual([999n, 1n]);
    expect(settled({ payment_type: 'Peşin' }, 999n, '2026-03-05')).toEqual([999n, 1n]);
    expect(settled({ customerIsCompany: true }, 999n, '2026-03-05')).toEqual([999n, 1n]);
    expect(settled({}, 1000n, '2026-03-05', 'kalsın')).toBe('retention_not_allowed');
  });
});

describe('a promise', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 1, 20, hour));
  const money = (applied: bigint, collected_on: string, hour = 12) => ({ created_at: at(hour), collected_on, applied });
  const outcome = (
    status: PromiseStatus,
    collections: ReturnType<typeof money>[],
    today: string,
    { sale = 'Aktif' as SaleStatus, youngerIsOpen = false, fulfilled_amount = 0n } = {},
  ) => {
    const promise = { created_at: at(10), promised_date: '2026-02-25', amount: 500n, status, fulfilled_amount };
    const is = promiseOutcome(promise, collections, { today, sale, youngerIsOpen });
    return `${is.status} ${is.fulfilled_amount}`;
  };

  test('is kept by money that came after it and by its day', () => {
    expect(outcome('Bekliyor', [money(300n, '2026-02-24')], '2026-02-24')).toBe('Bekliyor 300');
    expect(outcome('Bekliyor', [money(300n, '2026-02-24'), money(200n, '2026-02-25')], '2026-02-25')).toBe('Tutuldu 500');
    expect(outcome('Bekliyor', [money(500n, '2026-02-20', 10)], '2026-02-20')).toBe('Tutuldu 500');
    expect(outcome('Bekliyor', [money(500n, '2026-02-20', 9)], '2026-02-20')).toBe('Bekliyor 0');
    expect(outcome('Bekliyor', [money(500n, '2026-02-26')], '2026-02-25')).toBe('Bekliyor 0');
    expect(outcome('Bekliyor', [money(700n, '2026-02-25')], '2026-02-25')).toBe('Tutuldu 700');
  });

  test('is broken the day after, and later payments do not change that', () => {
    expect(outcome('Bekliyor', [money(300n, '2026-02-24')], '2026-02-26')).toBe('Tutulmadı 300');
    expect(outcome('Tutulmadı', [money(500n, '2026-02-25')], '2026-02-26')).toBe('Tutulmadı 500');
  });

  test('that was kept keeps its amount, and reverts when its money is reversed', () => {
    expect(
      outcome('Tutuldu', [money(500n, '2026-02-24'), money(99n, '2026-02-24')], '2026-02-24', { fulfilled_amount: 500n }),
    ).toBe('Tutuldu 500');
    expect(outcome('Tutuldu', [money(99n, '2026-02-24')], '2026-02-24', { fulfilled_amount: 500n })).toBe('Bekliyor 99');
    expect(outcome('Tutuldu', [], '2026-02-26', { fulfilled_amount: 500n })).toBe('Tutulmadı 0');
    expect(outcome('Tutuldu', [], '2026-02-24', { fulfilled_amount: 500n, youngerIsOpen: true })).toBe('Tutulmadı 0');
  });

  test('ends with the debt', () => {
    expect(outcome('Bekliyor', [money(100n, '2026-02-24')], '2026-02-24', { sale: 'Tamamlandı' })).toBe('İptal 100');
    expect(outcome('Bekliyor', [money(500n, '2026-02-24')], '2026-02-24', { sale: 'Tamamlandı' })).toBe('Tutuldu 500');
    expect(outcome('Bekliyor', [], '2026-02-24', { sale: 'İptal' })).toBe('İptal 0');
    expect(outcome('İptal', [money(500n, '2026-02-24')], '2026-02-24')).toBe('İptal 500');
  });
});
