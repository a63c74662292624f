// From what is typed into a new sale to the body of its row, and how far the rows of an own plan are from what must be paid.
import { amountOf, amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { minus, plus } from '../../records/amounts.ts';
import { areRowsFilled, readRows, rowsToSend } from '../sale-acts/own-rows.tsx';

export type PayBy = 'cash' | 'count' | 'rows';

export const TRADE_IN_TEXTS = ['brand', 'model', 'color', 'plate', 'city'] as const;
export const TRADE_IN_CHOICES = ['fuel_type', 'transmission', 'body_type'] as const;
const TRADE_IN_NUMBERS = ['model_year', 'km'] as const;

export const emptySale = (given: { vehicle_id?: string | undefined; customer_id?: string | undefined; today: string }) => ({
  vehicle_id: given.vehicle_id ?? '',
  customer_id: given.customer_id ?? '',
  sale_date: given.today,
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
  rows: '[]',
  has_trade_in: '',
  'trade_in.amount': '',
  has_trade_in_car: '1',
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
  guarantor_ids: '[]',
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

export const guarantorsOf = ({ guarantor_ids }: Pick<SaleForm, 'guarantor_ids'>): readonly string[] =>
  JSON.parse(guarantor_ids) as string[];

/** What is left empty is not sent, so that a refusal says «is required» and not of which kind it should be. */
const filled = (name: string, typed: string, send: (typed: string) => unknown = (text) => text.trim()) =>
  typed.trim() === '' ? {} : { [name]: send(typed) };

export function saleBody(values: SaleForm): Readonly<Record<string, unknown>> {
  return {
    ...filled('vehicle_id', values.vehicle_id),
    ...filled('customer_id', values.customer_id),
    ...filled('sale_date', values.sale_date),
    ...filled('salesperson_id', values.salesperson_id),
    ...filled('currency', values.currency),
    ...filled('currency_exemption', values.currency_exemption),
    ...filled('sale_price', values.sale_price, amountToSend),
    ...(values.pay_by === 'cash' ? {} : filled('finance_charge', values.finance_charge, amountToSend)),
    ...(values.pay_by === 'cash' ? {} : filled('down_payment', values.down_payment, amountToSend)),
    ...planBody(values),
    ...(values.has_trade_in === '1' ? { trade_in: tradeInBody(values) } : {}),
    ...(guarantorsOf(values).length === 0 ? {} : { guarantor_ids: guarantorsOf(values) }),
    ...(values.pay_by === 'cash' ? {} : filled('late_rate_yearly', values.late_rate_yearly, percentToSend)),
    ...filled('delivery_due_on', values.delivery_due_on),
    ...filled('notes', values.notes),
  };
}

export const percentToSend = (typed: string): string => typed.trim().replace(/^%/, '').replace(',', '.');

export function planBody(values: PaymentForm): Readonly<Record<string, unknown>> {
  if (values.pay_by === 'count')
    return {
      installment_count: wholeToSend(values.installment_count),
      period: values.period,
      ...filled('first_due_date', values.first_due_date),
      ...filled('round_to', values.round_to, Number),
    };
  if (values.pay_by === 'cash') return {};
  return { installments: rowsToSend(readRows(values.rows)) };
}

function tradeInBody(values: SaleForm): Readonly<Record<string, unknown>> {
  const typed = (name: string) => values[`trade_in.vehicle.${name}` as keyof SaleForm];
  const vehicle = {
    ...Object.assign({}, ...[...TRADE_IN_TEXTS, ...TRADE_IN_CHOICES].map((name) => filled(name, typed(name)))),
    ...Object.assign({}, ...TRADE_IN_NUMBERS.map((name) => filled(name, typed(name), wholeToSend))),
    ...filled('price', typed('price'), amountToSend),
    ...filled('currency', values.currency),
  };
  return {
    ...filled('amount', values['trade_in.amount'], amountToSend),
    ...(values.has_trade_in_car === '1' ? { vehicle } : {}),
  };
}

/** Far enough for the server to compute something. */
export function isSalePreviewable(values: SaleForm): boolean {
  if (values.vehicle_id === '' || values.customer_id === '' || amountOf(values.sale_price) === undefined) return false;
  if (values.pay_by === 'rows') return areRowsFilled(readRows(values.rows));
  return values.pay_by === 'cash' || values.installment_count.trim() !== '';
}

/** What is paid in rows; null while something is not an amount. */
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
