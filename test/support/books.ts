// Builders for tests of sales and money: a dealer on a given day, a vehicle, a customer, a sale, the bank's rates.
import { expect } from 'vitest';
import { storeBulletinFor } from './bulletins.ts';
import type { Answer, TestService } from './service.ts';
import { aCar, aPerson, type Dealer, newDealer } from './writer.ts';

/** The stories' bulletin. */
const QUOTES = {
  USD: ['47.900000', '48.100000', '47.900000', '48.100000'],
  EUR: ['55.900000', '56.200000', '55.900000', '56.200000'],
  GBP: ['64.200000', '64.500000', '64.200000', '64.500000'],
} as const;

export async function storeRates(api: TestService, source: 'KKTCMB' | 'TCMB', ...days: string[]): Promise<void> {
  for (const day of days) await storeBulletinFor(api.database, source, { day, quotes: QUOTES }, new Date(`${day}T12:00:00Z`));
}

/** Moves the clock to a day, at noon UTC. */
export function moveTo(api: TestService, day: string, time = '12:00:00'): void {
  api.clock.advance(Date.parse(`${day}T${time}Z`) - api.clock.now().getTime());
}

let keys = 0;
export const newKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `test-${++keys}` });

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
export type Shown = Record<string, any>;

/** Of a write that must succeed. */
export function dataOf(answer: Answer): Shown {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json.data;
}

/** `409 sale_cancelled`, or the status alone. */
export const verdictOf = ({ status, json }: Answer): string => (status < 300 ? String(status) : `${status} ${json.error.code}`);

export async function aDealer(api: TestService, country: 'KKTC' | 'TR' = 'KKTC'): Promise<Dealer> {
  return newDealer(api, country === 'TR' ? { country: 'TR' } : {});
}

export const carOf = async (dealer: Dealer, overrides: Record<string, unknown> = {}): Promise<string> =>
  dataOf(await dealer.post('vehicles', aCar(overrides))).id;

export const customerOf = async (dealer: Dealer, overrides: Record<string, unknown> = {}): Promise<string> =>
  dataOf(await dealer.post('customers', aPerson(overrides))).id;

export const sell = (dealer: Dealer, body: Record<string, unknown>): Promise<Answer> => dealer.post('sales', body, newKey());

export const collect = (
  dealer: Dealer,
  sale_id: string,
  amount: string,
  overrides: Record<string, unknown> = {},
): Promise<Answer> => dealer.post('collections', { sale_id, amount, currency: 'STG', ...overrides }, newKey());

export const reverse = (dealer: Dealer, id: string, overrides: Record<string, unknown> = {}): Promise<Answer> =>
  dealer.post(`collections/${id}/reverse`, { reason: 'yanlış giriş', ...overrides }, newKey());

/** Installments of a sale's plan, by seq. */
export const rowsOf = async (dealer: Dealer, saleId: string): Promise<Shown[]> =>
  dataOf(await dealer.get(`sales/${saleId}/installment-plan`)).installments;
