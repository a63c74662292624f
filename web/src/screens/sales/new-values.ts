// From what is typed into a new sale to the body of its row, and how far the rows of an own plan are from what must be paid.
import { amountOf, amountToSend, wholeToSend } from '../../parts/form/form-amount.ts';
import { minus, plus } from '../../records/amounts.ts';

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

/** A row of a plan of one's own, as typed. */
export interface TypedRow {
  readonly due_date: string;
  readonly amount: string;
  readonly kind: string;
}

export const rowsOf = ({ rows }: Pick<SaleForm, 'rows'>): readonly TypedRow[] => JSON.parse(rows) as TypedRow[];
export const guarantorsOf = ({ guarantor_ids }: Pick<SaleForm, 'guarantor_ids'>): readonly string[] =>
  JSON.parse(guarantor_ids) as string[];

const filled = (name: string, typed: string, send: (typed: string) => unknown = (text) => text.trim()) =>
  typed.trim() === '' ? {} : { [name]: send(typed) };

export function saleBody(values: SaleForm): Readonly<Record<string, unknown>> {
  return {
    vehicle_id: values.vehicle_id,
    customer_id: values.customer_id,
    ...filled('sale_date', values.sale_date),
    ...filled('salesperson_id', values.salesperson_id),
    ...filled('currency', values.currency),
    ...filled('currency_exemption', values.currency_exemption),
    sale_price: amountToSend(values.sale_price),
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

const percentToSend = (typed: string): string => typed.trim().replace(/^%/, '').replace(',', '.');

function planBody(values: SaleForm): Readonly<Record<string, unknown>> {
  if (values.pay_by === 'count')
    return {
      installment_count: wholeToSend(values.installment_count),
      period: values.period,
      ...filled('first_due_date', values.first_due_date),
      ...filled('round_to', values.round_to, Number),
    };
  if (values.pay_by === 'cash') return {};
  return { installments: rowsOf(values).map((row) => ({ ...row, amount: amountToSend(row.amount) })) };
}

function tradeInBody(values: SaleForm): Readonly<Record<string, unknown>> {
  const typed = (name: string) => values[`trade_in.vehicle.${name}` as keyof SaleForm];
  const vehicle = {
    ...Object.fromEntries([...TRADE_IN_TEXTS, ...TRADE_IN_CHOICES].map((name) => [name, typed(name)])),
    ...Object.fromEntries(TRADE_IN_NUMBERS.map((name) => [name, wholeToSend(typed(name))])),
    price: amountToSend(typed('price')),
    ...filled('currency', values.currency),
  };
  return { amount: amountToSend(values['trade_in.amount']), ...(values.has_trade_in_car === '1' ? { vehicle } : {}) };
}

/** Far enough for the server to compute something. */
export function isSalePreviewable(values: SaleForm): boolean {
  if (values.vehicle_id === '' || values.customer_id === '' || amountOf(values.sale_price) === undefined) return false;
  if (values.pay_by === 'rows')
    return (
      rowsOf(values).length > 0 &&
      rowsOf(values).every(({ due_date, amount }) => due_date !== '' && amountOf(amount) !== undefined)
    );
  return values.pay_by === 'cash' || values.installment_count.trim() !== '';
}

/** What the rows must still come to, negative where they are too much; null while something is not an amount. */
export function differenceOf(values: SaleForm): string | null {
  const read = (typed: string) => (typed.trim() === '' ? '0' : amountOf(typed));
  const price = amountOf(values.sale_price);
  const [charge, down] = [read(values.finance_charge), read(values.down_payment)];
  const tradeIn = values.has_trade_in === '1' ? read(values['trade_in.amount']) : '0';
  const rows = rowsOf(values).map(({ amount }) => read(amount));
  if (price === undefined || charge === undefined || down === undefined || tradeIn === undefined) return null;
  if (rows.some((amount) => amount === undefined)) return null;
  return minus(plus(price, charge), down, tradeIn, ...(rows as string[]));
}
