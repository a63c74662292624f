// The values of «Tahsil et», and the body that it sends.

import type { RawBody } from '../../../endpoints.ts';
import { amountOf, amountToSend, rateToSend } from '../../../parts/form/form-amount.ts';
import { filled } from '../../../parts/form/form-body.ts';

export interface CollectContext {
  readonly saleId: string;
  readonly installmentId: string | undefined;
  readonly collectedById: string | null | undefined;
  /** Late interest of what is paid, offered by a tick. */
  readonly lateInterest: string;
}

export const emptyCollection = (currency: string, today: string, amount = '') => ({
  amount,
  currency,
  method: 'Nakit',
  collected_on: today,
  exchange_rate: '',
  takes_late: false as boolean,
  discount_amount: '',
  discount_reason: '',
  reference: '',
  note: '',
  'instrument.bank': '',
  'instrument.number': '',
  'instrument.due_on': '',
});
export type CollectForm = ReturnType<typeof emptyCollection>;

export function collectionBody(values: CollectForm, context: CollectContext): RawBody<'POST v1/collections'> {
  const { amount, discount_amount, discount_reason, method } = values;
  const isDiscounted = discount_amount.trim() !== '' || discount_reason !== '';
  return {
    sale_id: context.saleId,
    amount: amount.trim() === '' && isDiscounted ? '0' : amountToSend(amount),
    currency: values.currency,
    method,
    collected_on: filled(values.collected_on),
    exchange_rate: filled(values.exchange_rate, rateToSend),
    installment_ids: context.installmentId === undefined ? undefined : [context.installmentId],
    late_interest_amount: values.takes_late ? context.lateInterest : undefined,
    discount_amount: filled(discount_amount, amountToSend),
    discount_reason: filled(discount_reason),
    reference: filled(values.reference),
    note: filled(values.note),
    collected_by_id: context.collectedById ?? undefined,
    instrument: method === 'Çek' ? instrumentOf(values) : undefined,
  };
}

const instrumentOf = (values: CollectForm) => ({
  bank: values['instrument.bank'],
  number: values['instrument.number'],
  due_on: values['instrument.due_on'],
});

/** Far enough for the server to compute something. */
export function isPreviewable(values: CollectForm): boolean {
  const isMoney = (amountOf(values.amount) ?? '') !== '' && !/^0+([.,]0*)?$/.test(values.amount.trim());
  const discount = amountOf(values.discount_amount);
  if (values.discount_amount.trim() !== '' && (discount === undefined || values.discount_reason === '')) return false;
  if (values.discount_reason !== '' && discount === undefined) return false;
  if (values.method === 'Çek' && Object.values(instrumentOf(values)).some((typed) => typed.trim() === '')) return false;
  return isMoney || discount !== undefined;
}
