// A sale as its form holds it, and from what was changed there to the body of the edit.
import { amountToSend } from '../../parts/form/form-amount.ts';
import { typedOf } from '../../records/amounts.ts';
import type { PlanWithRows, SaleDetail } from '../../records/sales.ts';
import { rowsFrom } from '../sale-acts/own-rows.tsx';
import { type PaymentForm, percentToSend, planBody } from './new-values.ts';

export const TERM_AMOUNTS = ['sale_price', 'trade_in_amount', 'down_payment', 'finance_charge'] as const;
const PLAN = ['pay_by', 'installment_count', 'first_due_date', 'period', 'round_to', 'rows'] as const;
/** Each is an object of the API, whose keys merge. */
const OBJECTS = ['title_transfer', 'lien', 'invoice'] as const;
/** Never empty. */
const CHOICES: readonly string[] = ['legal_stage', 'title_transfer.status', 'sale_date'];

export function saleForm(sale: SaleDetail, plan: PlanWithRows, locale: 'tr' | 'en') {
  const { title_transfer, lien, invoice } = sale;
  const rows = plan.installments.filter(({ seq }) => seq > 0);
  const isSplit = plan.period !== null;
  return {
    notes: sale.notes ?? '',
    external_ref: sale.external_ref ?? '',
    salesperson_id: sale.salesperson_id ?? '',
    branch_id: sale.branch_id ?? '',
    guarantor_ids: JSON.stringify(sale.guarantor_ids),
    delivered_at: sale.delivered_at ?? '',
    delivery_due_on: sale.delivery_due_on ?? '',
    late_rate_yearly: sale.late_rate_yearly === null ? '' : typedOf(sale.late_rate_yearly, locale),
    currency_exemption: sale.currency_exemption ?? '',
    'title_transfer.status': title_transfer.status as string,
    'title_transfer.on': title_transfer.on ?? '',
    'title_transfer.place': title_transfer.place ?? '',
    'title_transfer.reference': title_transfer.reference ?? '',
    secure_payment_ref: sale.secure_payment_ref ?? '',
    'lien.placed_on': lien.placed_on ?? '',
    'lien.removed_on': lien.removed_on ?? '',
    'invoice.no': invoice.no ?? '',
    'invoice.ettn': invoice.ettn ?? '',
    'invoice.on': invoice.on ?? '',
    legal_stage: sale.legal_stage as string,
    sale_date: sale.sale_date,
    sale_price: typedOf(sale.sale_price, locale),
    currency: sale.currency as string,
    trade_in_amount: typedOf(sale.trade_in_amount, locale),
    down_payment: typedOf(sale.down_payment, locale),
    finance_charge: typedOf(sale.finance_charge, locale),
    pay_by: (rows.length === 0 ? 'cash' : isSplit ? 'count' : 'rows') as string,
    installment_count: rows.length === 0 ? '12' : String(rows.length),
    first_due_date: isSplit ? (plan.first_due_date ?? '') : '',
    period: plan.period ?? 'Aylık',
    round_to: '',
    rows: rows.length > 0 && !isSplit ? rowsFrom(rows, locale) : '[]',
  };
}
export type EditForm = ReturnType<typeof saleForm>;

const textOf = (name: string, typed: string): unknown => (typed.trim() === '' && !CHOICES.includes(name) ? null : typed.trim());

/** Only what was changed; a plan goes whole, because its parts belong together. */
export function editBody(values: EditForm, changed: readonly string[]): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  const plain = changed.filter((name) => !(PLAN as readonly string[]).includes(name) && !name.includes('.'));
  for (const name of plain as (keyof EditForm)[]) {
    const typed = values[name];
    if (name === 'guarantor_ids') body[name] = JSON.parse(typed);
    else if ((TERM_AMOUNTS as readonly string[]).includes(name)) body[name] = typed.trim() === '' ? '0' : amountToSend(typed);
    else if (name === 'late_rate_yearly') body[name] = typed.trim() === '' ? null : percentToSend(typed);
    else body[name] = textOf(name, typed);
  }
  for (const object of OBJECTS) {
    const names = changed.filter((name) => name.startsWith(`${object}.`)) as (keyof EditForm)[];
    if (names.length > 0)
      body[object] = Object.fromEntries(names.map((name) => [name.slice(object.length + 1), textOf(name, values[name])]));
  }
  if (PLAN.some((name) => changed.includes(name))) {
    // A first day that nobody chose goes on following the day of the sale.
    const first_due_date = changed.includes('first_due_date') ? values.first_due_date : '';
    Object.assign(body, planBody({ ...values, first_due_date } as PaymentForm));
  }
  return body;
}

export const isTerm = (name: string): boolean => name === 'sale_date' || [...TERM_AMOUNTS, ...PLAN].some((term) => term === name);
