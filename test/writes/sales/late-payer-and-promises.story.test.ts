// S2 of the acceptance stories: a late payer in lira, from the overdue list to a broken promise and a kept one, a plan postponed
// and restructured.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDealer, carOf, collect, customerOf, dataOf, moveTo, rowsOf, type Shown, sell, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { type TestService, testService } from '../../support/service.ts';
import { openAll } from '../../support/writer.ts';
import { counted, type Listener, listenTo } from './listener.ts';

let api: TestService;
let listener: Listener;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
});
afterAll(async () => {
  await listener?.close();
  await api.close();
});

test('S2: late, promised, broken, kept, postponed, restructured', async () => {
  const dealer = await aDealer(api, 'TR');
  listener = await listenTo(api, dealer);
  const kinds = async (act: () => Promise<unknown>) => (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);
  moveTo(api, '2026-01-10');
  const [car, customer] = [await carOf(dealer, { price: '650000.00', currency: 'TL' }), await customerOf(dealer)];
  const sale = dataOf(
    await sell(dealer, {
      vehicle_id: car,
      customer_id: customer,
      sale_price: '650000.00',
      down_payment: '200000.00',
      finance_charge: '55000.00',
      installment_count: 6,
      first_due_date: '2026-02-10',
    }),
  );
  expect(sale).toMatchObject({
    total_receivable: '705000.00',
    financed_amount: '505000.00',
    yearly_rate: '40.77',
    currency: 'TL',
  });
  const pay = (amount: string) => collect(dealer, sale.id, amount, { currency: 'TL' });
  const row = async (seq: number): Promise<Shown> => (await rowsOf(dealer, sale.id))[seq]!;
  const outstanding = async () => dataOf(await dealer.get(`sales/${sale.id}`)).outstanding_amount;
  expect((await rowsOf(dealer, sale.id)).slice(1).map(({ amount }) => amount)).toEqual([
    ...Array(5).fill('84166.66'),
    '84166.70',
  ]);
  dataOf(await pay('200000.00'));

  moveTo(api, '2026-02-20');
  const overdue = (await dealer.get('installments/overdue')).json.data;
  expect(overdue).toHaveLength(1);
  expect(overdue[0]).toMatchObject({ seq: 1, days_overdue: 10, remaining_amount: '84166.66', open_promise: null });
  dataOf(await dealer.post(`customers/${customer}/activity`, { kind: 'Arama', note: 'açmadı' }));
  const promiseOf = (amount: string, promised_date: string) =>
    dealer.post('payment-promises', { sale_id: sale.id, amount, promised_date });
  const first = dataOf(await promiseOf('50000.00', '2026-02-25'));
  expect(first).toMatchObject({ status: 'Bekliyor', fulfilled_amount: '0.00', currency: 'TL', customer_id: customer });
  expect(verdictOf(await promiseOf('1000.00', '2026-02-25'))).toBe('409 promise_already_open');
  expect((await dealer.get('installments/overdue')).json.data[0].open_promise).toEqual({
    id: first.id,
    promised_date: '2026-02-25',
    amount: '50000.00',
  });

  moveTo(api, '2026-02-24');
  dataOf(await pay('30000.00'));
  const promise = async (id: string) => dataOf(await dealer.get(`payment-promises/${id}`));
  expect(await promise(first.id)).toMatchObject({ status: 'Bekliyor', fulfilled_amount: '30000.00', resolved_at: null });

  moveTo(api, '2026-02-26');
  expect(await kinds(async () => expect(await promise(first.id)).toMatchObject({ status: 'Tutulmadı' }))).toEqual([
    'payment_promise.broken',
  ]);
  expect(dataOf(await dealer.get(`customers/${customer}`)).balances).toEqual([
    { currency: 'TL', outstanding: '475000.00', overdue: '54166.66' },
  ]);
  const second = dataOf(await promiseOf('54166.66', '2026-03-05'));

  moveTo(api, '2026-03-05');
  expect(await kinds(() => pay('54166.66'))).toEqual(['collection.created', 'installment.paid', 'payment_promise.kept']);
  expect(await promise(second.id)).toMatchObject({ status: 'Tutuldu', fulfilled_amount: '54166.66' });
  expect(await row(1)).toMatchObject({ status: 'Ödendi', paid_at: '2026-03-05' });
  expect(await outstanding()).toBe('420833.34');

  moveTo(api, '2026-03-09');
  // Timed transitions run first: installment 2 is due tomorrow.
  await dealer.get('sales');
  const path = `installments/${(await row(2)).id}`;
  const put = await eventsBy(api, dealer.accountId, async () => {
    dataOf(await dealer.post(`${path}/postpone`, { months: 1, shift_following: true, reason: 'maaşı gecikti' }));
  });
  expect(put.map(({ kind, payload }) => [kind, payload.data.object.seq, payload.data.object.due_date])).toEqual([
    ['installment.postponed', 2, '2026-04-10'],
    ['installment.postponed', 3, '2026-05-10'],
    ['installment.postponed', 4, '2026-06-10'],
    ['installment.postponed', 5, '2026-07-10'],
    ['installment.postponed', 6, '2026-08-10'],
  ]);
  expect(put[0]!.payload.data.object.reason).toBe('maaşı gecikti');
  expect(put[0]!.payload.resource.path).toBe(`/api/v1/installment-plans/${sale.plan_id}/installments`);
  expect(await row(6)).toMatchObject({ due_date: '2026-08-10', original_due_date: '2026-07-10', postpone_count: 1 });
  expect((await dealer.get('installments/upcoming?days=30')).json.data).toEqual([]);
  expect((await dealer.get('installments/upcoming?days=32')).json.data.map(({ seq }: Shown) => seq)).toEqual([2]);

  expect(await kinds(async () => dataOf(await dealer.patch(path, { amount: '100000.00' })))).toEqual([
    ...['installment.updated', 'installment.updated'],
  ]);
  expect(await row(6)).toMatchObject({ amount: '68333.36' });
  const rows = (await rowsOf(dealer, sale.id)).slice(1);
  expect(rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)).toBe(505_000_00);
  expect(verdictOf(await dealer.patch(`installments/${(await row(1)).id}`, { amount: '1.00' }))).toBe('409 installment_paid');

  moveTo(api, '2026-04-10');
  expect(dataOf(await dealer.get(`sales/${sale.id}`)).payoff).toEqual({
    date: '2026-04-10',
    outstanding: '420833.34',
    late_interest: '0.00',
    unearned_finance_charge: '20284.41',
  });

  expect(counted(await listener.received())).toMatchObject({
    'collection.created': 3,
    'installment.paid': 2,
    'installment.partially_paid': 1,
    'installment.overdue': 1,
    'payment_promise.created': 2,
    'payment_promise.broken': 1,
    'payment_promise.kept': 1,
    'installment.due_soon': 2,
    'installment.postponed': 5,
    'installment.updated': 2,
  });
});
