// Story SB1 as an integrator's script with the TypeScript client: reset, sell, collect, advance two years, restructure, settle early.
import type { Galeri } from '../../sdk/typescript/src/index.ts';

/** What a script saw; the PHP script prints the same. */
export interface Seen {
  readonly secret: string;
  readonly world: string;
  readonly moved: { readonly days: number; readonly events: number };
  readonly overdue: readonly (readonly [remaining: string, days: number, interest: string])[];
  readonly restructured: readonly string[];
  readonly settled: { readonly status: string; readonly outstanding: string; readonly payoff: null };
  readonly messages: number;
  readonly rules: number;
}

const DAY = 86_400_000;
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
const amountOf = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

export async function sandboxStory(galeri: Galeri, receiver: string, car: object, person: object): Promise<Seen> {
  const { sandbox } = galeri;
  const { id: world, clock } = await sandbox.reset({ data: 'empty', keepWebhooks: false });
  const dayAfter = (days: number, now = clock.now): string => new Date(Date.parse(now) + days * DAY).toISOString().slice(0, 10);
  const { data: webhook } = await galeri.post('/webhooks', { body: { url: receiver, events: ['*'] } });
  const { data: vehicle } = await galeri.post('/vehicles', { body: car as never });
  const { data: customer } = await galeri.post('/customers', { body: person as never });
  const { data: sale } = await galeri.post('/sales', {
    body: {
      vehicle_id: vehicle.id,
      customer_id: customer.id,
      currency: 'STG',
      sale_price: '2400.00',
      finance_charge: '240.00',
      late_rate_yearly: '24.00',
      installment_count: 24,
      first_due_date: dayAfter(5),
    },
  });
  const pay = (amount: string, overrides: object = {}) =>
    galeri.post('/collections', { body: { sale_id: sale.id, amount, currency: 'STG', ...overrides } });
  for (let number = 0; number < 3; number += 1) await pay('110.00');

  const moved = await sandbox.advance('731d');
  const { now } = await sandbox.clock();
  const { data: overdue } = await galeri.get('/installments/overdue', { query: { limit: 100 } });

  const params = { sale_id: sale.id };
  const restructure = { from: dayAfter(10, now), installment_count: 6, reason: 'işini değiştirdi' };
  await galeri.patch('/sales/{sale_id}', { params, body: { restructure } as never });
  const { data: plan } = await galeri.get('/sales/{sale_id}/installment-plan', { params });
  const { payoff } = (await galeri.get('/sales/{sale_id}', { params })).data;
  const { outstanding, unearned_finance_charge: unearned } = payoff!;
  const discount = cents(unearned) > 0n ? { discount_amount: unearned, discount_reason: 'Erken Ödeme' } : {};
  await pay(amountOf(cents(outstanding) - cents(unearned)), discount);
  const { data: settled } = await galeri.get('/sales/{sale_id}', { params });
  return {
    secret: webhook.secret,
    world,
    moved: { days: Math.round((Date.parse(moved.to) - Date.parse(moved.from)) / DAY), events: moved.events },
    overdue: overdue.map((one) => [one.remaining_amount, one.days_overdue, one.late_interest]),
    restructured: plan.installments.filter(({ status }) => status === 'Bekliyor').map(({ amount }) => amount),
    settled: { status: settled.status, outstanding: settled.outstanding_amount, payoff: settled.payoff as null },
    messages: (await sandbox.messages({ limit: 100 })).length,
    rules: (await sandbox.rules()).length,
  };
}
