// The worked figures of three sales from the specification.
import { describe, expect, test } from 'vitest';
import { appliedAmount, paymentPair, refundedAmount } from '../../../src/domain/exchange-rates/applied-rate.ts';
import {
  type Allocation,
  acceptedAmount,
  allocate,
  applyAllocations,
  payableInstallments,
  reversed,
} from '../../../src/domain/installments/allocation.ts';
import { changeAmount, postpone } from '../../../src/domain/installments/installment-change.ts';
import { daysOverdue, lateInterest } from '../../../src/domain/installments/late-interest.ts';
import { payoff } from '../../../src/domain/installments/payoff.ts';
import { type PlanInstallment, remainingOf, withChanged } from '../../../src/domain/installments/plan-installment.ts';
import { buildSchedule, splitAmount } from '../../../src/domain/installments/plan-schedule.ts';
import { restructure } from '../../../src/domain/installments/restructuring.ts';
import {
  financedAmount,
  overdueAmount,
  planFigures,
  type SaleTerms,
  totalReceivable,
} from '../../../src/domain/installments/totals.ts';
import { yearlyRate } from '../../../src/domain/installments/yearly-rate.ts';
import { formatMoney, parseMoney, sum } from '../../../src/kit/money.ts';

const tl = (text: string): bigint => parseMoney(text.replaceAll(' ', ''))!;
const terms = (sale_price: string, down_payment: string, finance_charge: string): SaleTerms => ({
  sale_price: tl(sale_price),
  trade_in_amount: 0n,
  down_payment: tl(down_payment),
  finance_charge: tl(finance_charge),
});

function sold(
  sale: SaleTerms,
  sale_date: string,
  installment_count: number,
  first_due_date: string,
  round_to?: 100,
): PlanInstallment[] {
  const built = buildSchedule({
    sale_date,
    down_payment: sale.down_payment,
    financed_amount: financedAmount(sale),
    plan: { installment_count, period: 'Aylık', first_due_date, round_to },
  });
  if ('refused' in built) throw new Error(built.refused);
  return built.installments;
}

const rateOf = (sale: SaleTerms, saleDate: string, installments: readonly PlanInstallment[]) =>
  formatMoney(
    yearlyRate(
      saleDate,
      sale.sale_price - sale.trade_in_amount - sale.down_payment,
      installments.filter(({ seq }) => seq > 0),
    )!,
  );

function collect(
  installments: readonly PlanInstallment[],
  amount: string,
  on: string,
): { installments: PlanInstallment[]; allocations: readonly Allocation[] } {
  const payable = payableInstallments(installments, null);
  if ('refused' in payable) throw new Error(payable.refused);
  const allocated = allocate(payable.installments, { money: tl(amount) })!;
  return {
    installments: withChanged(installments, applyAllocations(installments, allocated.money, 'paid_amount', on)),
    allocations: allocated.money,
  };
}

const outstanding = (installments: readonly PlanInstallment[]): string => formatMoney(sum(installments.map(remainingOf)));
const rowOf = (installments: readonly PlanInstallment[], seq: number) => {
  const installment = installments.find((each) => each.seq === seq)!;
  return `${installment.status} ${formatMoney(installment.amount)} ${formatMoney(remainingOf(installment))} ${installment.paid_at}`;
};

test('an amount is split to the cent, or to round figures, with the remainder in the last part', () => {
  const parts = (total: string, count: number, roundTo?: number) => splitAmount(tl(total), count, roundTo)?.map(formatMoney);
  expect(parts('11300.00', 12)).toEqual([...Array(11).fill('941.66'), '941.74']);
  expect(parts('11300.00', 12, 10)).toEqual([...Array(11).fill('940.00'), '960.00']);
  expect(parts('0.11', 12)).toBeUndefined();
  expect(parts('0.12', 12)).toEqual(Array(12).fill('0.01'));
  expect(parts('1199.99', 12, 100)).toBeUndefined();
});

describe('a sale in sterling', () => {
  const sale = terms('14250.00', '4000.00', '1050.00');
  const built = sold(sale, '2026-01-15', 12, '2026-02-15');

  test('as sold', () => {
    expect([totalReceivable(sale), financedAmount(sale)].map(formatMoney)).toEqual(['15300.00', '11300.00']);
    expect(rateOf(sale, '2026-01-15', built)).toBe('18.40');
    expect(built.map(({ amount }) => formatMoney(amount))).toEqual(['4000.00', ...Array(11).fill('941.66'), '941.74']);
    expect(built.at(-1)!.due_date).toBe('2027-01-15');
  });

  test('paid in three currencies, one payment reversed', () => {
    let { installments } = collect(built, '4000.00', '2026-01-15');
    expect(rowOf(installments, 0)).toBe('Ödendi 4000.00 0.00 2026-01-15');
    installments = collect(installments, '1000.00', '2026-02-14').installments;
    expect([rowOf(installments, 1), rowOf(installments, 2)]).toEqual([
      'Ödendi 941.66 0.00 2026-02-14',
      'Kısmi Ödendi 941.66 883.32 null',
    ]);
    expect(outstanding(installments)).toBe('10300.00');

    expect(paymentPair('STG', 'TL')).toEqual({ pair: 'STG-TL', side: 'selling' });
    const lira = appliedAmount(tl('60000.00'), 'TL', 'STG', 64_500_000n);
    expect(formatMoney(lira)).toBe('930.23');
    expect(formatMoney(refundedAmount(lira, 'TL', 'STG', 64_500_000n))).toBe('59999.84');
    const before = installments;
    const paid = collect(installments, formatMoney(lira), '2026-03-15');
    expect([rowOf(paid.installments, 2), rowOf(paid.installments, 3)]).toEqual([
      'Ödendi 941.66 0.00 2026-03-15',
      'Kısmi Ödendi 941.66 894.75 null',
    ]);
    expect(outstanding(paid.installments)).toBe('9369.77');
    installments = withChanged(
      paid.installments,
      applyAllocations(paid.installments, reversed(paid.allocations), 'paid_amount', '2026-03-16'),
    );
    expect(installments).toEqual(before);

    expect(paymentPair('STG', 'USD')).toEqual({ pair: 'STG-USD', side: 'selling' });
    const dollars = appliedAmount(tl('1000.00'), 'USD', 'STG', 1_346_555n);
    expect(formatMoney(dollars)).toBe('742.64');
    installments = collect(installments, formatMoney(dollars), '2026-03-20').installments;
    expect(rowOf(installments, 2)).toBe('Kısmi Ödendi 941.66 140.68 null');
    expect(outstanding(installments)).toBe('9557.36');
    expect(daysOverdue(installments[2]!, '2026-03-20', 'Aktif')).toBe(5);
    expect(formatMoney(overdueAmount(installments, '2026-03-20', 'Aktif'))).toBe('140.68');
    expect(acceptedAmount(tl('9557.37'), 0n, tl('9557.36'), { currenciesDiffer: false })).toBeNull();
    expect(outstanding(collect(installments, '9557.36', '2026-03-20').installments)).toBe('0.00');
  });
});

describe('a late payer in lira', () => {
  const sale = terms('650000.00', '200000.00', '55000.00');
  const about = { sale_date: '2026-01-10', finance_charge: sale.finance_charge, late_rate_yearly: null };
  const built = sold(sale, '2026-01-10', 6, '2026-02-10');

  test('as sold', () => {
    expect(rateOf(sale, '2026-01-10', built)).toBe('40.77');
    expect(built.map(({ amount }) => formatMoney(amount))).toEqual(['200000.00', ...Array(5).fill('84166.66'), '84166.70']);
    const { installments } = collect(built, '200000.00', '2026-01-10');
    expect(formatMoney(payoff(about, installments, '2026-04-10').unearned_finance_charge)).toBe('15838.61');
  });

  test('postponed, changed, and the payoff amount', () => {
    let { installments } = collect(built, '200000.00', '2026-01-10');
    expect(formatMoney(overdueAmount(installments, '2026-02-20', 'Aktif'))).toBe('84166.66');
    installments = collect(installments, '30000.00', '2026-02-24').installments;
    expect(formatMoney(overdueAmount(installments, '2026-02-26', 'Aktif'))).toBe('54166.66');
    expect(outstanding(installments)).toBe('475000.00');
    installments = collect(installments, '54166.66', '2026-03-05').installments;
    expect(outstanding(installments)).toBe('420833.34');

    const put = postpone(installments, 2, { months: 1, shift_following: true }, '2026-03-09');
    if ('refused' in put) throw new Error(put.refused);
    installments = withChanged(installments, put.changed);
    expect(installments.slice(2).map(({ due_date }) => due_date.slice(5))).toEqual(['04-10', '05-10', '06-10', '07-10', '08-10']);
    const changed = changeAmount(installments, 2, tl('100000.00'), () => null);
    if ('refused' in changed) throw new Error(changed.refused);
    installments = withChanged(installments, changed.changed);
    expect(rowOf(installments, 6)).toBe('Bekliyor 68333.36 68333.36 null');
    expect(formatMoney(planFigures(installments, '2026-03-09', 'Aktif').financed_amount)).toBe('505000.00');
    expect(changeAmount(installments, 1, tl('1.00'), () => null)).toEqual({ refused: 'installment_paid' });
    const { outstanding: open, unearned_finance_charge, late_interest } = payoff(about, installments, '2026-04-10');
    expect([open, unearned_finance_charge, late_interest].map(formatMoney)).toEqual(['420833.34', '20284.41', '0.00']);
  });
});

test('a deposit, late interest, a restructuring and early settlement', () => {
  const sale = terms('600000.00', '150000.00', '48000.00');
  let installments = sold(sale, '2026-03-05', 8, '2026-04-05', 100);
  expect(rateOf(sale, '2026-03-05', installments)).toBe('27.69');
  expect(installments.map(({ amount }) => formatMoney(amount))).toEqual(['150000.00', ...Array(7).fill('62200.00'), '62600.00']);
  installments = collect(installments, '20000.00', '2026-03-05').installments;
  expect([rowOf(installments, 0), outstanding(installments)]).toEqual(['Kısmi Ödendi 150000.00 130000.00 null', '628000.00']);
  installments = collect(installments, '130000.00', '2026-03-05').installments;
  expect(formatMoney(lateInterest(installments[1]!, 30_00n, '2026-04-25', 'Aktif'))).toBe('1022.47');
  installments = collect(installments, '62200.00', '2026-04-25').installments;
  expect(outstanding(installments)).toBe('435800.00');

  const restructured = restructure(sale, installments, {
    from: '2026-06-05',
    today: '2026-05-10',
    plan: { installment_count: 10, period: 'Aylık' },
    add_finance_charge: tl('15000.00'),
    lastCollectedOn: () => null,
  });
  if ('refused' in restructured) throw new Error(restructured.refused);
  expect(restructured.cut.map(({ seq, status, amount }) => [seq, status, amount])).toEqual(
    [2, 3, 4, 5, 6, 7, 8].map((seq) => [seq, 'Yapılandırıldı', 0n]),
  );
  expect(restructured.added.map(({ seq, amount }) => `${seq} ${formatMoney(amount)}`)).toEqual(
    [9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((seq) => `${seq} 45080.00`),
  );
  expect([restructured.added[0]!.due_date, restructured.added.at(-1)!.due_date]).toEqual(['2026-06-05', '2027-03-05']);
  const now: SaleTerms = { ...sale, finance_charge: restructured.finance_charge, down_payment: restructured.down_payment };
  expect([now.finance_charge, totalReceivable(now), financedAmount(now)].map(formatMoney)).toEqual([
    '63000.00',
    '663000.00',
    '513000.00',
  ]);
  installments = [...withChanged(installments, restructured.cut), ...restructured.added];
  expect(outstanding(installments)).toBe('450800.00');

  installments = collect(installments, '45080.00', '2026-06-05').installments;
  expect(outstanding(installments)).toBe('405720.00');
  const about = { sale_date: '2026-03-05', finance_charge: now.finance_charge, late_rate_yearly: 30_00n };
  expect(formatMoney(payoff(about, installments, '2026-06-05').unearned_finance_charge)).toBe('37032.28');
  const payable = payableInstallments(installments, null);
  if ('refused' in payable) throw new Error(payable.refused);
  const both = allocate(payable.installments, { money: tl('368687.72'), discount: tl('37032.28'), reason: 'Erken Ödeme' })!;
  const before = installments;
  installments = withChanged(installments, applyAllocations(installments, both.money, 'paid_amount', '2026-06-05'));
  installments = withChanged(installments, applyAllocations(installments, both.discount, 'discounted_amount', '2026-06-05'));
  const last = installments.at(-1)!;
  expect([last.seq, last.status, formatMoney(last.paid_amount), formatMoney(last.discounted_amount)]).toEqual([
    18,
    'Ödendi',
    '8047.72',
    '37032.28',
  ]);
  expect(outstanding(installments)).toBe('0.00');
  const { paid_amount, discounted_amount } = planFigures(installments, '2026-06-05', 'Tamamlandı');
  expect([paid_amount, discounted_amount].map(formatMoney)).toEqual(['625967.72', '37032.28']);
  installments = withChanged(installments, applyAllocations(installments, reversed(both.money), 'paid_amount', '2026-06-06'));
  installments = withChanged(
    installments,
    applyAllocations(installments, reversed(both.discount), 'discounted_amount', '2026-06-06'),
  );
  expect(installments).toEqual(before);
});
