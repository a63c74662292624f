// A sale as the values of its form, and the body of an edit.

import type { RawBody } from '../../../endpoints.ts';
import { amountToSend } from '../../../parts/form/form-amount.ts';
import { changesOf, filled, isEmptyBody } from '../../../parts/form/form-body.ts';
import { typedOf } from '../../../records/amounts.ts';
import type { PlanWithInstallments, SaleDetail } from '../../../records/sales/sales.ts';
import { installmentsFrom } from '../../sale-acts/own-installments.tsx';
import { percentToSend, planBody } from '../new/new-values.ts';

export const TERM_AMOUNTS = ['sale_price', 'trade_in_amount', 'down_payment', 'finance_charge'] as const;
const PLAN = ['pay_by', 'installment_count', 'first_due_date', 'period', 'round_to', 'rows'] as const;

export function saleForm(sale: SaleDetail, plan: PlanWithInstallments, locale: 'tr' | 'en') {
  const { title_transfer, lien, invoice } = sale;
  const installments = plan.installments.filter(({ seq }) => seq > 0);
  const isSplit = plan.period !== null;
  return {
    notes: sale.notes ?? '',
    external_ref: sale.external_ref ?? '',
    salesperson_id: sale.salesperson_id ?? '',
    branch_id: sale.branch_id ?? '',
    guarantor_ids: sale.guarantor_ids as readonly string[],
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
    pay_by: (installments.length === 0 ? 'cash' : isSplit ? 'count' : 'rows') as string,
    installment_count: installments.length === 0 ? '12' : String(installments.length),
    first_due_date: isSplit ? (plan.first_due_date ?? '') : '',
    period: plan.period ?? 'Aylık',
    round_to: '',
    rows: installments.length > 0 && !isSplit ? installmentsFrom(installments, locale) : [],
  };
}
export type EditForm = ReturnType<typeof saleForm>;

/** Only what was changed; a plan is sent whole, because its parts belong together. */
export function editBody(values: EditForm, changed: readonly string[]): RawBody<'PATCH v1/sales/{sale_id}'> {
  const { required, optional, has } = changesOf(values, changed);
  const amount = (name: (typeof TERM_AMOUNTS)[number]) => (has(name) ? (filled(values[name], amountToSend) ?? '0') : undefined);
  // A first due date that was not chosen here follows the date of the sale.
  const first_due_date = has('first_due_date') ? values.first_due_date : '';
  const plan = has(...PLAN) ? planBody({ ...values, first_due_date }) : {};
  return {
    notes: optional('notes'),
    external_ref: optional('external_ref'),
    salesperson_id: optional('salesperson_id'),
    branch_id: optional('branch_id'),
    guarantor_ids: has('guarantor_ids') ? values.guarantor_ids : undefined,
    delivered_at: optional('delivered_at'),
    delivery_due_on: optional('delivery_due_on'),
    late_rate_yearly: optional('late_rate_yearly', percentToSend),
    currency_exemption: optional('currency_exemption'),
    title_transfer: changedParts({
      status: required('title_transfer.status'),
      on: optional('title_transfer.on'),
      place: optional('title_transfer.place'),
      reference: optional('title_transfer.reference'),
    }),
    secure_payment_ref: optional('secure_payment_ref'),
    lien: changedParts({ placed_on: optional('lien.placed_on'), removed_on: optional('lien.removed_on') }),
    invoice: changedParts({ no: optional('invoice.no'), ettn: optional('invoice.ettn'), on: optional('invoice.on') }),
    legal_stage: required('legal_stage'),
    sale_date: required('sale_date'),
    sale_price: amount('sale_price'),
    trade_in_amount: amount('trade_in_amount'),
    down_payment: amount('down_payment'),
    finance_charge: amount('finance_charge'),
    installment_count: plan.installment_count,
    first_due_date: plan.first_due_date,
    period: plan.period,
    round_to: plan.round_to,
    installments: plan.installments,
  };
}

/** An object whose fields the API merges; undefined where none was changed. */
const changedParts = <T extends object>(parts: T): T | undefined => (isEmptyBody(parts) ? undefined : parts);

export const isTerm = (name: string): boolean => name === 'sale_date' || [...TERM_AMOUNTS, ...PLAN].some((term) => term === name);
