// From what is typed into «Tahsil et» to the body of the row.
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';

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
  takes_late: '',
  discount_amount: '',
  discount_reason: '',
  reference: '',
  note: '',
  'instrument.bank': '',
  'instrument.number': '',
  'instrument.due_on': '',
});
export type CollectForm = ReturnType<typeof emptyCollection>;

export function collectionBody(values: CollectForm, context: CollectContext): Readonly<Record<string, unknown>> {
  const { takes_late, discount_amount, discount_reason, exchange_rate, reference, note, method } = values;
  const filled = (name: string, typed: string) => (typed.trim() === '' ? {} : { [name]: typed.trim() });
  const isDiscounted = discount_amount.trim() !== '' || discount_reason !== '';
  return {
    sale_id: context.saleId,
    amount: values.amount.trim() === '' && isDiscounted ? '0' : amountToSend(values.amount),
    currency: values.currency,
    method,
    ...filled('collected_on', values.collected_on),
    ...(exchange_rate.trim() === '' ? {} : { exchange_rate: exchange_rate.trim().replace(',', '.') }),
    ...(context.installmentId === undefined ? {} : { installment_ids: [context.installmentId] }),
    ...(takes_late === '1' ? { late_interest_amount: context.lateInterest } : {}),
    ...(discount_amount.trim() === '' ? {} : { discount_amount: amountToSend(discount_amount) }),
    ...filled('discount_reason', discount_reason),
    ...filled('reference', reference),
    ...filled('note', note),
    ...(context.collectedById ? { collected_by_id: context.collectedById } : {}),
    ...(method === 'Çek' ? { instrument: instrumentOf(values) } : {}),
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
