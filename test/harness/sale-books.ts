// A sale computed with the service's own arithmetic, as its writes do: terms, rows and an append-only journal of collections.
import { appliedAmount } from '../../src/domain/exchange-rates/applied-rate.ts';
import * as allocation from '../../src/domain/installments/allocation.ts';
import * as installmentChange from '../../src/domain/installments/installment-change.ts';
import { daysOverdue, lateInterest } from '../../src/domain/installments/late-interest.ts';
import { payoff } from '../../src/domain/installments/payoff.ts';
import {
  cancelInstallments,
  type PlanInstallment,
  remainingOf,
  withChanged,
} from '../../src/domain/installments/plan-installment.ts';
import { buildSchedule } from '../../src/domain/installments/plan-schedule.ts';
import { settleCancellation } from '../../src/domain/installments/refund.ts';
import { restructure } from '../../src/domain/installments/restructuring.ts';
import type { SaleStatus } from '../../src/domain/installments/sales-states.ts';
import {
  financedAmount,
  outstandingAmount,
  paymentType,
  planFigures,
  type SaleTerms,
  saleStatus,
  totalReceivable,
} from '../../src/domain/installments/totals.ts';
import { sum } from '../../src/kit/money.ts';
import type { Books, Collect, Outcome, Request, SaleRequest } from './sale-request.ts';

/** The arithmetic in use; a test replaces it with a broken one. */
export const ARITHMETIC = {
  appliedAmount,
  ...allocation,
  ...installmentChange,
  buildSchedule,
  payoff,
  lateInterest,
  restructure,
  cancelInstallments: cancelInstallments,
  settleCancellation,
  planFigures,
};
export type Arithmetic = typeof ARITHMETIC;

/** One collection, or the pair of payment and discount made together. */
export interface Entry {
  readonly on: string;
  readonly money: readonly allocation.Allocation[];
  readonly discount: readonly allocation.Allocation[];
  readonly reverses: Entry | null;
}

export class SaleBooks implements Books {
  private readonly with: Arithmetic;
  private readonly sale: SaleRequest;
  terms: SaleTerms;
  installments: readonly PlanInstallment[];
  readonly journal: Entry[] = [];
  private status: SaleStatus = 'Aktif';
  private settlement = '';

  constructor(sale: SaleRequest, arithmetic: Arithmetic) {
    this.with = arithmetic;
    this.sale = sale;
    this.terms = sale;
    const built = arithmetic.buildSchedule({ ...sale, financed_amount: financedAmount(sale) });
    this.installments = 'refused' in built ? [] : built.installments;
    this.complete();
  }

  perform(request: Request): Outcome {
    if (this.status === 'İptal') return 'sale_cancelled';
    const outcome = this.act(request);
    this.complete();
    return outcome;
  }

  private complete(): void {
    this.status = saleStatus(this.status, this.outstanding());
  }

  private collected(): bigint {
    return sum(this.journal.map(({ money }) => this.with.allocatedSum(money)));
  }

  private discounted(): bigint {
    return sum(this.journal.map(({ discount }) => this.with.allocatedSum(discount)));
  }

  private outstanding(): bigint {
    return outstandingAmount(totalReceivable(this.terms), this.collected(), this.discounted(), this.status);
  }

  private act(request: Request): Outcome {
    switch (request.act) {
      case 'collect':
        return this.status === 'Tamamlandı' ? 'sale_completed' : this.collect(request);
      case 'reverse':
        return this.reverse(request.number, request.on);
      case 'postpone':
        return this.change(this.with.postpone(this.installments, request.seq, request.to, request.today));
      case 'change amount':
        return this.change(this.with.changeAmount(this.installments, request.seq, request.amount, this.lastCollectedOn));
      case 'move earlier': {
        const installment = this.installments.find(({ seq }) => seq === request.seq)!;
        return this.change(
          this.with.moveEarlier(installment, request.due_date, { today: request.today, saleDate: this.sale.sale_date }),
        );
      }
      case 'restructure':
        return this.status === 'Tamamlandı' ? 'sale_completed' : this.restructure(request);
      case 'cancel':
        return this.cancel(request);
    }
  }

  private change(decided: { readonly changed: PlanInstallment[] } | { readonly refused: string }): Outcome {
    if ('refused' in decided) return decided.refused;
    this.installments = withChanged(this.installments, decided.changed);
    return 'done';
  }

  private collect(request: Collect): Outcome {
    const { amount, currency, rate, discount, reason, on } = request;
    const payable = this.with.payableInstallments(this.installments, request.chosen);
    if ('refused' in payable) return payable.refused;
    const applied = this.with.appliedAmount(amount, currency, this.sale.currency, rate);
    const balance = sum(payable.installments.map(remainingOf));
    const currenciesDiffer = currency !== this.sale.currency;
    const money = this.with.acceptedAmount(applied, discount, balance, { currenciesDiffer });
    const allocated = money === null ? null : this.with.allocate(payable.installments, { money, discount, reason });
    if (allocated === null) return 'amount_exceeds_balance';
    this.post({ on, ...allocated, reverses: null });
    return 'done';
  }

  private reverse(number: number, on: string): Outcome {
    const entry = this.originals()[number]!;
    if (this.journal.some(({ reverses }) => reverses === entry)) return 'already_reversed';
    this.post({ on, money: this.with.reversed(entry.money), discount: this.with.reversed(entry.discount), reverses: entry });
    return 'done';
  }

  private post(entry: Entry): void {
    this.journal.push(entry);
    this.installments = withChanged(
      this.installments,
      this.with.applyAllocations(this.installments, entry.money, 'paid_amount', entry.on),
    );
    this.installments = withChanged(
      this.installments,
      this.with.applyAllocations(this.installments, entry.discount, 'discounted_amount', entry.on),
    );
  }

  private originals(): Entry[] {
    return this.journal.filter(({ reverses }) => reverses === null);
  }

  private readonly lastCollectedOn = ({ seq }: PlanInstallment): string | null => {
    const reversed = new Set(this.journal.map(({ reverses }) => reverses));
    const onRow = this.originals().filter(
      (entry) => !reversed.has(entry) && [...entry.money, ...entry.discount].some((each) => each.seq === seq),
    );
    return onRow.map(({ on }) => on).reduce<string | null>((last, on) => (last === null || on > last ? on : last), null);
  };

  private restructure(request: Request & { act: 'restructure' }): Outcome {
    const { from, today, add, plan } = request;
    const { lastCollectedOn } = this;
    const restructured = this.with.restructure(this.terms, this.installments, {
      from,
      today,
      plan,
      add_finance_charge: add,
      lastCollectedOn,
    });
    if ('refused' in restructured) return restructured.refused;
    this.terms = { ...this.terms, finance_charge: restructured.finance_charge, down_payment: restructured.down_payment };
    this.installments = [...withChanged(this.installments, restructured.cut), ...restructured.added];
    return 'done';
  }

  private cancel({ refund, tradeIn, today }: Request & { act: 'cancel' }): Outcome {
    const cancelled = {
      country: 'KKTC' as const,
      sale_date: this.sale.sale_date,
      payment_type: paymentType(this.installments),
      customerIsCompany: false,
      collected_amount: this.collected(),
      trade_in_amount: this.terms.trade_in_amount,
    };
    const settled = this.with.settleCancellation(cancelled, { refund, tradeIn, today });
    if ('refused' in settled) return settled.refused;
    this.settlement = `refunded ${settled.refunded_amount} retained ${settled.retained_amount}`;
    this.installments = this.with.cancelInstallments(this.installments);
    this.status = 'İptal';
    return 'done';
  }

  picture(today: string): string[] {
    const rate = this.sale.late_rate_yearly;
    const { status } = this;
    const lines = this.installments.map((installment) => {
      const { seq, kind, due_date, original_due_date, postpone_count, amount, paid_amount, discounted_amount, paid_at } =
        installment;
      const figures = `${amount} = ${paid_amount} + ${discounted_amount} + ${remainingOf(installment)}`;
      const late = `${daysOverdue(installment, today, status)} ${this.with.lateInterest(installment, rate, today, status)}`;
      return `${seq} ${kind} ${due_date} (${original_due_date}, ${postpone_count}) ${figures} ${installment.status} ${paid_at} ${late}`;
    });
    const plan = this.with.planFigures(this.installments, today, status);
    const { first_due_date, last_due_date, next_due_date } = plan;
    const text = (day: string | null) => day ?? 'undefined';
    lines.push(
      `${status} ${today} ${this.settlement}`,
      `total ${totalReceivable(this.terms)} ${plan.total_amount} financed ${financedAmount(this.terms)} ${plan.financed_amount} down ${this.terms.down_payment}`,
      `rows ${plan.installment_count} ${text(first_due_date)} ${text(last_due_date)} next ${text(next_due_date)} ${paymentType(this.installments)}`,
      `paid ${this.collected()} forgiven ${this.discounted()} open ${this.outstanding()} overdue ${plan.overdue_amount}`,
    );
    if (status === 'Aktif') {
      const about = { ...this.sale, finance_charge: this.terms.finance_charge };
      const { outstanding, late_interest, unearned_finance_charge } = this.with.payoff(about, this.installments, today);
      lines.push(`payoff ${outstanding} ${late_interest} ${unearned_finance_charge}`);
    }
    return lines;
  }
}
