// Converts an action of the journal into its HTTP request, and gives the reply that the reference expects.
import { formatMoney } from '../../src/kit/money.ts';
import { aCar, type HarnessRequest } from './ask.ts';
import type { Outcome, OwnInstallments, Request, SaleRequest, Split } from './sale-request.ts';
import type { Beside, SaleAct, Sell } from './sale-story.ts';

/** The ids that an action needs besides its own values. */
export interface KnownIds {
  readonly sale: string;
  row(seq: number): string;
  collection(number: number, half: 0 | 1): string;
  promise(number: number): string;
}

export type PlannedRequest = Pick<HarnessRequest, 'method' | 'path' | 'body'>;

const rateText = (millionths: bigint): string => `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;

const post = (path: string, body: Record<string, unknown>): PlannedRequest => ({ method: 'POST', path, body });

export const holdRequest = ({ vehicle, customer, terms, deposit }: Sell): PlannedRequest =>
  post(`vehicles/${vehicle}/reserve`, {
    customer_id: customer,
    deposit_amount: formatMoney(deposit.amount),
    deposit_currency: terms.currency,
    deposit_method: deposit.method,
  });

export function sellRequest({ terms, vehicle, customer, branch, plate }: Sell): PlannedRequest {
  const { sale_date, currency, sale_price, trade_in_amount, down_payment, finance_charge, late_rate_yearly, plan } = terms;
  const car = plate === null ? {} : { vehicle: aCar(plate) };
  const body = {
    vehicle_id: vehicle,
    customer_id: customer,
    ...(branch === null ? {} : { branch_id: branch }),
    sale_date,
    currency,
    sale_price: formatMoney(sale_price),
    ...(trade_in_amount > 0n ? { trade_in: { amount: formatMoney(trade_in_amount), ...car } } : {}),
    down_payment: formatMoney(down_payment),
    finance_charge: formatMoney(finance_charge),
    ...(late_rate_yearly === null ? {} : { late_rate_yearly: formatMoney(late_rate_yearly) }),
    ...planBody(plan),
  };
  return { method: 'POST', path: 'sales', body };
}

function planBody(plan: SaleRequest['plan'] | Split | OwnInstallments): Record<string, unknown> {
  if (plan === null) return {};
  if (!('installments' in plan)) return { ...plan };
  return { installments: plan.installments.map((row) => ({ ...row, amount: formatMoney(row.amount) })) };
}

const patch = (path: string, body: Record<string, unknown>): PlannedRequest => ({ method: 'PATCH', path, body });

export function actRequest(request: SaleAct, beside: Beside, ids: KnownIds): PlannedRequest {
  switch (request.act) {
    case 'collect':
      return post('collections', collectBody(request, beside, ids));
    case 'reverse':
      return post(`collections/${ids.collection(request.number, beside.half ?? 0)}/reverse`, {
        reason: 'yanlış giriş',
        reversed_on: request.on,
      });
    case 'postpone':
      return post(`installments/${ids.row(request.seq)}/postpone`, { ...request.to, reason: 'müşteri istedi' });
    case 'change amount':
      return patch(`installments/${ids.row(request.seq)}`, { amount: formatMoney(request.amount) });
    case 'move earlier':
      return patch(`installments/${ids.row(request.seq)}`, { due_date: request.due_date });
    case 'restructure': {
      const { from, add, plan } = request;
      const restructure = { from, add_finance_charge: formatMoney(add), reason: 'yapılandırma', ...planBody(plan) };
      return patch(`sales/${ids.sale}`, { restructure });
    }
    case 'cancel':
      if (beside.isDeletion) return { method: 'DELETE', path: `sales/${ids.sale}` };
      return post(`sales/${ids.sale}/cancel`, cancelBody(request, beside));
    case 'promise': {
      const row = request.seq === null ? {} : { installment_id: ids.row(request.seq) };
      const body = { sale_id: ids.sale, amount: formatMoney(request.amount), promised_date: request.until, ...row };
      return post('payment-promises', body);
    }
    case 'change promise':
      return patch(`payment-promises/${ids.promise(request.number)}`, promiseBody(request.to));
  }
}

function promiseBody(to: { amount: bigint } | { until: string } | 'called off'): Record<string, unknown> {
  if (to === 'called off') return { status: 'İptal' };
  return 'amount' in to ? { amount: formatMoney(to.amount) } : { promised_date: to.until };
}

function collectBody(
  request: Request & { act: 'collect' },
  { method = 'Nakit', late = 0n, branch }: Beside,
  ids: KnownIds,
): Record<string, unknown> {
  const { amount, currency, rate, discount, reason, chosen, on } = request;
  return {
    sale_id: ids.sale,
    amount: formatMoney(amount + late),
    currency,
    method,
    collected_on: on,
    ...(rate === null ? {} : { exchange_rate: rateText(rate) }),
    ...(chosen === null ? {} : { installment_ids: chosen.map((seq) => ids.row(seq)) }),
    ...(late > 0n ? { late_interest_amount: formatMoney(late) } : {}),
    ...(discount > 0n ? { discount_amount: formatMoney(discount), discount_reason: reason } : {}),
    ...(branch ? { branch_id: branch } : {}),
  };
}

function cancelBody({ refund, tradeIn }: Request & { act: 'cancel' }, { method, refund: foreign }: Beside) {
  return {
    reason: 'vazgeçti',
    refund_method: method ?? 'Nakit',
    ...(refund === null ? {} : { refund_amount: formatMoney(refund) }),
    ...(tradeIn === 'kalsın' ? { trade_in_disposition: tradeIn } : {}),
    ...(foreign === undefined ? {} : { refund_currency: foreign.currency, exchange_rate: rateText(foreign.rate) }),
  };
}

/** Validation errors, which the API reports with one code. */
const OF_FORM = ['amount_not_positive', 'due_date_too_early', 'dates_not_ascending', 'split_too_small', 'amount_below_settled'];
export const codeFor = (outcome: Outcome): string => (OF_FORM.includes(outcome) ? 'validation_failed' : outcome);
