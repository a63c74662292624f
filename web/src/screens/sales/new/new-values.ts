// The values of a new sale's form, the body that it sends, and the amount that own installments must add up to.

import type { RawBody } from '../../../endpoints.ts';
import { amountOf, amountToSend, wholeToSend } from '../../../parts/form/form-amount.ts';
import { filled } from '../../../parts/form/form-body.ts';
import { minus, plus } from '../../../records/amounts.ts';
import { areInstallmentsFilled, installmentsToSend, type TypedInstallment } from '../../sale-acts/own-installments.tsx';

export type PayBy = 'cash' | 'count' | 'rows';

export const emptySale = (start: { vehicle_id?: string | undefined; customer_id?: string | undefined; today: string }) => ({
  vehicle_id: start.vehicle_id ?? '',
  customer_id: start.customer_id ?? '',
  sale_date: start.today,
  branch_id: '',
  salesperson_id: '',
  sale_price: '',
  currency: '',
  currency_exemption: '',
  finance_charge: '',
  down_payment: '',
  pay_by: 'count' as string,
  installment_count: '12',
  first_due_date: '',
  period: 'Aylık',
  round_to: '',
  rows: [] as readonly TypedInstallment[],
  has_trade_in: false as boolean,
  'trade_in.amount': '',
  has_trade_in_car: true as boolean,
  'trade_in.vehicle.brand': '',
  'trade_in.vehicle.model': '',
  'trade_in.vehicle.model_year': '',
  'trade_in.vehicle.km': '',
  'trade_in.vehicle.fuel_type': 'Benzin',
  'trade_in.vehicle.transmission': 'Manuel',
  'trade_in.vehicle.body_type': 'Sedan',
  'trade_in.vehicle.color': '',
  'trade_in.vehicle.plate': '',
  'trade_in.vehicle.city': '',
  'trade_in.vehicle.price': '',
  guarantor_ids: [] as readonly string[],
  late_rate_yearly: '',
  delivery_due_on: '',
  notes: '',
});
export type SaleForm = ReturnType<typeof emptySale>;

/** The part of a form that says how a sale is paid. */
export type PaymentForm = Pick<
  SaleForm,
  | 'currency'
  | 'sale_date'
  | 'finance_charge'
  | 'down_payment'
  | 'pay_by'
  | 'installment_count'
  | 'first_due_date'
  | 'period'
  | 'round_to'
  | 'rows'
>;

export function saleBody(values: SaleForm): RawBody<'POST v1/sales'> {
  const isCash = values.pay_by === 'cash';
  const plan = planBody(values);
  return {
    vehicle_id: filled(values.vehicle_id),
    customer_id: filled(values.customer_id),
    sale_date: filled(values.sale_date),
    branch_id: filled(values.branch_id),
    salesperson_id: filled(values.salesperson_id),
    currency: filled(values.currency),
    currency_exemption: filled(values.currency_exemption),
    sale_price: filled(values.sale_price, amountToSend),
    finance_charge: isCash ? undefined : filled(values.finance_charge, amountToSend),
    down_payment: isCash ? undefined : filled(values.down_payment, amountToSend),
    installment_count: plan.installment_count,
    first_due_date: plan.first_due_date,
    period: plan.period,
    round_to: plan.round_to,
    installments: plan.installments,
    trade_in: values.has_trade_in ? tradeInBody(values) : undefined,
    guarantor_ids: values.guarantor_ids.length === 0 ? undefined : values.guarantor_ids,
    late_rate_yearly: isCash ? undefined : filled(values.late_rate_yearly, percentToSend),
    delivery_due_on: filled(values.delivery_due_on),
    notes: filled(values.notes),
  };
}

export const percentToSend = (typed: string): string => typed.trim().replace(/^%/, '').replace(',', '.');

/** What a monthly rate on the rest of the debt comes to over equal monthly installments; null if that is no amount. */
export function monthlyCharge(principal: string, count: number, percent: string): string | null {
  const [sum, rate] = [Number(principal), Number(percent) / 100];
  if (percent === '' || !(rate > 0 && rate <= 1) || !(sum > 0) || !Number.isInteger(count) || count < 1 || count > 120)
    return null;
  const installment = (sum * rate) / (1 - (1 + rate) ** -count);
  return (Math.round(installment * count * 100 - sum * 100) / 100).toFixed(2);
}

/** The last installment takes what rounding leaves. A difference of more than a fifth is worth a smaller step. */
export function smallerStep(amounts: readonly string[], step: string, steps: readonly number[]): number | null | undefined {
  const [first, last] = [amounts[0], amounts.at(-1)];
  if (step === '' || first === undefined || last === undefined || amounts.length < 2) return undefined;
  if (Math.abs(Number(last) - Number(first)) <= Number(first) * FAR) return undefined;
  return steps.filter((one) => one < Number(step)).at(-1) ?? null;
}

const FAR = 0.2;

type PlanFields = 'installment_count' | 'first_due_date' | 'period' | 'round_to' | 'installments';

/** How a sale is paid: nothing for cash, a number of equal installments, or each of them. */
export function planBody(values: PaymentForm): Pick<RawBody<'POST v1/sales'>, PlanFields> {
  if (values.pay_by === 'cash') return {};
  if (values.pay_by === 'rows') return { installments: installmentsToSend(values.rows) };
  return {
    installment_count: wholeToSend(values.installment_count),
    period: values.period,
    first_due_date: filled(values.first_due_date),
    round_to: filled(values.round_to, Number),
  };
}

function tradeInBody(values: SaleForm): RawBody<'POST v1/sales'>['trade_in'] {
  return {
    amount: filled(values['trade_in.amount'], amountToSend),
    vehicle: values.has_trade_in_car ? tradedCar(values) : undefined,
  };
}

const tradedCar = (values: SaleForm): NonNullable<RawBody<'POST v1/sales'>['trade_in']>['vehicle'] => ({
  brand: filled(values['trade_in.vehicle.brand']),
  model: filled(values['trade_in.vehicle.model']),
  model_year: filled(values['trade_in.vehicle.model_year'], wholeToSend),
  km: filled(values['trade_in.vehicle.km'], wholeToSend),
  fuel_type: filled(values['trade_in.vehicle.fuel_type']),
  transmission: filled(values['trade_in.vehicle.transmission']),
  body_type: filled(values['trade_in.vehicle.body_type']),
  color: filled(values['trade_in.vehicle.color']),
  plate: filled(values['trade_in.vehicle.plate']),
  city: filled(values['trade_in.vehicle.city']),
  price: filled(values['trade_in.vehicle.price'], amountToSend),
  currency: filled(values.currency),
});

/** Far enough for the server to compute something. */
export function isSalePreviewable(values: SaleForm): boolean {
  if (values.vehicle_id === '' || values.customer_id === '' || amountOf(values.sale_price) === undefined) return false;
  if (values.pay_by === 'rows') return areInstallmentsFilled(values.rows);
  return values.pay_by === 'cash' || values.installment_count.trim() !== '';
}

/** What is paid in installments; null while something is not an amount. */
export function financedOf(
  values: Pick<PaymentForm, 'finance_charge' | 'down_payment'>,
  price: string,
  tradeIn: string,
): string | null {
  const [whole, charge, down, taken] = [price, values.finance_charge, values.down_payment, tradeIn].map((typed, at) =>
    typed.trim() === '' && at > 0 ? '0' : amountOf(typed),
  );
  if (whole === undefined || charge === undefined || down === undefined || taken === undefined) return null;
  return minus(plus(whole, charge), down, taken);
}
