// From the requested terms to the installments of the plan, or the error with its field.
import { type Detail, fail, type Text } from '../../kit/errors.ts';
import { amountWords } from '../installments/money-words.ts';
import type { PlanInstallment } from '../installments/plan-installment.ts';
import { buildSchedule, defaultFirstDueDate, type PlanInput, type ScheduleRefusal } from '../installments/plan-schedule.ts';
import type { Period, RoundTo } from '../installments/sales-states.ts';
import { financedAmount, type SaleTerms, totalReceivable } from '../installments/totals.ts';
import { yearlyRate } from '../installments/yearly-rate.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { badField, type PlanValues } from './sale.ts';

export interface Terms extends SaleTerms {
  readonly sale_date: string;
  readonly plan: PlanInput | null;
}

export interface PricedTerms {
  readonly installments: PlanInstallment[];
  readonly yearly_rate: bigint | null;
}

/** The fields in the error if the trade-in is worth too much, and if the total has too many digits. */
export interface Blamed {
  readonly tradeIn: string;
  readonly total: string;
}

/** The first error in the domain's order: total, down payment, cash, installments. */
export function priceTerms(terms: Terms, blamed: Blamed): PricedTerms {
  const total = totalReceivable(terms);
  if (total < 0n)
    badField(blamed.tradeIn, 'out_of_range', 'The trade-in is worth more than the sale', 'Takas bedeli satış tutarını aşıyor');
  requireStorable(blamed.total, total);
  if (terms.down_payment > total)
    fail('down_payment_exceeds_total', {
      words: { total: amountWords(total) },
      details: [
        detail('down_payment', 'down_payment_exceeds_total', 'The down payment exceeds the total', 'Peşinat toplamı aşıyor'),
      ],
    });
  if (terms.plan === null) requireCash(terms, total);
  const financed_amount = financedAmount(terms);
  const built = buildSchedule({
    sale_date: terms.sale_date,
    down_payment: terms.down_payment,
    financed_amount,
    plan: terms.plan,
  });
  if ('refused' in built) return refuseSchedule(built);
  const { installments } = built;
  const financed = installments.filter(({ seq }) => seq > 0);
  return { installments, yearly_rate: yearlyRate(terms.sale_date, financed_amount - terms.finance_charge, financed) };
}

function requireCash({ down_payment, finance_charge }: Terms, total: bigint): void {
  if (finance_charge > 0n)
    badField('finance_charge', 'not_allowed', 'A cash sale has no finance charge', 'Peşin satışta vade farkı olmaz');
  if (down_payment !== total)
    badField(
      'down_payment',
      'out_of_range',
      'For a cash sale, down_payment must equal the total; otherwise send installment_count or installments',
      'Peşin satışın tamamı peşindir; değilse plan verin',
    );
}

const detail = (field: string, code: string, en: string, tr: string): Detail => ({ field, code, message: { en, tr } });

const WORDS: Readonly<Record<'amount_not_positive' | 'dates_not_ascending', Text>> = {
  amount_not_positive: { en: 'The amount must be above zero', tr: 'Tutar sıfırdan büyük olmalı' },
  dates_not_ascending: {
    en: 'Each due date must be later than the one before',
    tr: 'Her taksitin vadesi bir öncekinden sonra olmalı',
  },
};

/** No installment of a sale is due before its day, and none of a restructuring before its `from`. */
const tooEarly = (at: string): Text =>
  at === ''
    ? { en: 'The due date must not be before the sale date', tr: 'Vade, satış gününden önce olamaz' }
    : { en: `The due date must not be before ${at}from`, tr: `Vade, ${at}from gününden önce olamaz` };

/** `at`: the path of the plan in the body, such as `restructure.`. */
export function refuseSchedule(refusal: ScheduleRefusal, at = ''): never {
  if (refusal.refused === 'split_too_small')
    return badField(
      `${at}installment_count`,
      'out_of_range',
      'An installment would be 0.00; use fewer installments or a smaller round_to',
      'Taksit tutarı sıfıra iniyor',
    );
  if (refusal.refused === 'installments_sum_mismatch') {
    const [expected, actual] = [amountWords(refusal.expected), amountWords(refusal.actual)];
    const words = { expected, given: actual };
    const message = {
      en: `They must add up to ${expected.en}; the request adds up to ${actual.en}`,
      tr: `Toplamları ${expected.tr} olmalı; verilen ${actual.tr}`,
    };
    return fail('installments_sum_mismatch', {
      words,
      details: [{ field: `${at}installments`, code: refusal.refused, message }],
    });
  }
  const isAmount = refusal.refused === 'amount_not_positive';
  const field = `${at}installments[${refusal.index}].${isAmount ? 'amount' : 'due_date'}`;
  const message = refusal.refused === 'due_date_too_early' ? tooEarly(at) : WORDS[refusal.refused];
  return fail('validation_failed', { details: [{ field, code: 'out_of_range', message }] });
}

/** The requested plan as it is stored with the sale. */
export interface RequestedPlan {
  readonly period: Period | null;
  readonly round_to: RoundTo | null;
  readonly is_first_due_given: boolean;
}

/** Fields that do not fit together are refused here, so that no given field is silently ignored. */
export function readPlan(
  body: PlanValues,
  sale_date: string,
): { readonly plan: PlanInput | null; readonly requested: RequestedPlan } {
  const { installment_count, installments, first_due_date, period, round_to } = body;
  const ofCount = { first_due_date, period, round_to };
  if (installment_count !== undefined && installments !== undefined)
    badField(
      'installments',
      'not_allowed',
      'Give installment_count or installments, not both',
      'installment_count ya da installments verin, ikisini değil',
    );
  if (installment_count === undefined) {
    for (const [name, value] of Object.entries(ofCount))
      if (value !== undefined)
        badField(name, 'not_allowed', `${name} goes with installment_count`, `${name} yalnızca installment_count ile verilir`);
    const requested = { period: null, round_to: null, is_first_due_given: false };
    return { requested, plan: installments === undefined ? null : { installments: installments.map(toCustomInstallment) } };
  }
  const by = period ?? 'Aylık';
  const first = first_due_date ?? defaultFirstDueDate(sale_date, by);
  if (first < sale_date)
    badField('first_due_date', 'out_of_range', 'first_due_date must not be before the sale date', 'first_due_date satıştan önce');
  return {
    requested: { period: by, round_to: round_to ?? null, is_first_due_given: first_due_date !== undefined },
    plan: { installment_count, period: by, first_due_date: first, ...(round_to === undefined ? {} : { round_to }) },
  };
}

type InstallmentInput = NonNullable<PlanValues['installments']>[number];
export const toCustomInstallment = ({ due_date, amount, kind }: InstallmentInput) => ({
  due_date: due_date!,
  amount: amount!,
  ...(kind === undefined ? {} : { kind }),
});
