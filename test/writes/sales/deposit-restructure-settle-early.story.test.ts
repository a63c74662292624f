// S9 of the acceptance stories, the money: a deposit that becomes the first payment, late interest, a restructuring, an early
// settlement and its reversal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aDealer,
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  reverse,
  rowsOf,
  type Shown,
  sell,
  verdictOf,
} from '../../support/books.ts';
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

test('S9: deposit, late interest, restructuring, early settlement', async () => {
  const dealer = await aDealer(api, 'TR');
  listener = await listenTo(api, dealer);
  const kinds = async (act: () => Promise<unknown>) => (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);
  moveTo(api, '2026-03-02');
  const [car, customer] = [await carOf(dealer, { price: '600000.00', currency: 'TL' }), await customerOf(dealer)];
  const deposit = { customer_id: customer, deposit_amount: '20000.00' };
  expect(await kinds(async () => dataOf(await dealer.post(`vehicles/${car}/reserve`, deposit)))).toEqual([
    ...['vehicle.reserved', 'vehicle.status_changed', 'collection.created'],
  ]);
  const [taken] = (await dealer.get(`customers/${customer}/collections`)).json.data;
  expect(taken).toMatchObject({
    type: 'Kapora',
    amount: '20000.00',
    currency: 'TL',
    method: 'Nakit',
    collected_on: '2026-03-02',
    sale_id: null,
    deposit_status: 'Açık',
    deposit_closed_on: null,
    applied_amount: null,
    allocations: [],
    vehicle_id: car,
  });
  const { reservation } = dataOf(await dealer.get(`vehicles/${car}`));
  expect(reservation).toMatchObject({
    deposit_amount: '20000.00',
    deposit_currency: 'TL',
    deposit: { amount: '20000.00', currency: 'TL', collection_id: taken.id },
  });
  expect(await kinds(async () => dataOf(await dealer.post(`vehicles/${car}/reserve`, deposit)))).toEqual([]);
  expect(verdictOf(await dealer.post(`vehicles/${car}/reserve`, { ...deposit, deposit_amount: '25000.00' }))).toBe(
    '409 deposit_exists',
  );
  expect(verdictOf(await dealer.patch(`vehicles/${car}`, { status: 'Stokta' }))).toBe('409 deposit_open');
  expect((await dealer.get('collections')).json.data).toHaveLength(1);

  moveTo(api, '2026-03-05');
  const body = { vehicle_id: car, customer_id: customer, sale_price: '600000.00' };
  expect(verdictOf(await sell(dealer, { ...body, currency: 'STG' }))).toBe('422 currency_not_allowed');
  let sale: Shown = {};
  const sold = await eventsBy(api, dealer.accountId, async () => {
    sale = dataOf(
      await sell(dealer, {
        ...body,
        down_payment: '150000.00',
        finance_charge: '48000.00',
        late_rate_yearly: 30,
        installment_count: 8,
        first_due_date: '2026-04-05',
        round_to: 100,
      }),
    );
  });
  expect(sold.map(({ kind }) => kind)).toEqual([
    ...['sale.created', 'installment_plan.created', 'vehicle.sold', 'vehicle.status_changed'],
    ...['collection.created', 'collection.created', 'installment.partially_paid'],
  ]);
  const money = sold.filter(({ kind }) => kind === 'collection.created').map(({ payload }) => payload.data.object);
  expect(money[0]).toMatchObject({
    type: 'Mahsup',
    amount: '-20000.00',
    method: 'Mahsup',
    paired_id: money[1].id,
    vehicle_id: car,
  });
  expect(money[1]).toMatchObject({
    type: 'Tahsilat',
    amount: '20000.00',
    applied_amount: '20000.00',
    method: 'Mahsup',
    paired_id: money[0].id,
    collected_on: '2026-03-05',
    allocations: [{ seq: 0, amount: '20000.00' }],
  });
  expect(sale).toMatchObject({
    total_receivable: '648000.00',
    financed_amount: '498000.00',
    yearly_rate: '27.69',
    late_rate_yearly: '30.00',
    outstanding_amount: '628000.00',
    collected_amount: '20000.00',
  });
  expect(dataOf(await dealer.get(`collections/${taken.id}`))).toMatchObject({
    deposit_status: 'Mahsup Edildi',
    deposit_closed_on: '2026-03-05',
    status: 'Geçerli',
  });
  const rows = () => rowsOf(dealer, sale.id);
  expect((await rows()).map(({ amount }) => amount)).toEqual(['150000.00', ...Array(7).fill('62200.00'), '62600.00']);
  expect((await rows())[0]).toMatchObject({ status: 'Kısmi Ödendi', paid_amount: '20000.00' });
  const pay = (amount: string, overrides: object = {}) => collect(dealer, sale.id, amount, { currency: 'TL', ...overrides });
  const shown = async () => dataOf(await dealer.get(`sales/${sale.id}`));
  dataOf(await pay('130000.00'));
  expect((await rows())[0]).toMatchObject({ status: 'Ödendi', remaining_amount: '0.00' });
  expect((await shown()).outstanding_amount).toBe('498000.00');
  const summary = dataOf(await dealer.get('collections/summary?from=2026-03-01&to=2026-03-31'));
  expect(summary.currency_rows).toEqual([
    { currency: 'TL', count: 2, gross: '150000.00', reversed: '0.00', refunded: '0.00', net: '150000.00' },
  ]);

  moveTo(api, '2026-04-25');
  const [late] = (await dealer.get('installments/overdue')).json.data;
  expect(late).toMatchObject({ seq: 1, days_overdue: 20, late_interest: '1022.47' });
  expect((await shown()).payoff.late_interest).toBe('1022.47');
  expect(dataOf(await pay('63222.47', { late_interest_amount: '1022.47' }))).toMatchObject({
    amount: '63222.47',
    applied_amount: '62200.00',
    late_interest_amount: '1022.47',
  });
  expect((await rows())[1]).toMatchObject({ status: 'Ödendi', late_interest: '0.00' });
  expect((await shown()).outstanding_amount).toBe('435800.00');

  moveTo(api, '2026-05-10');
  await dealer.get('sales');
  const restructure = { from: '2026-06-05', installment_count: 10, add_finance_charge: '15000.00', reason: 'işini değiştirdi' };
  expect(await kinds(async () => dataOf(await dealer.patch(`sales/${sale.id}`, { restructure })))).toEqual([
    ...['sale.restructured', 'installment_plan.updated', 'sale_document.generated'],
  ]);
  const after = await rows();
  for (const row of after.slice(2, 9)) expect(row).toMatchObject({ status: 'Yapılandırıldı', amount: '0.00' });
  expect(after.slice(9).map(({ seq, amount, due_date }) => [seq, amount, due_date])).toEqual(
    Array.from({ length: 10 }, (_, n) => [9 + n, '45080.00', new Date(Date.UTC(2026, 5 + n, 5)).toISOString().slice(0, 10)]),
  );
  expect(await shown()).toMatchObject({
    finance_charge: '63000.00',
    total_receivable: '663000.00',
    financed_amount: '513000.00',
    outstanding_amount: '450800.00',
    yearly_rate: '27.69',
    installment_count: 11,
  });
  expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { sale_price: '610000.00' }))).toBe('409 sale_terms_locked');
  const [note] = (await dealer.get(`customers/${customer}/activity`)).json.data;
  expect(note.note).toContain('işini değiştirdi');

  moveTo(api, '2026-06-05');
  dataOf(await pay('45080.00'));
  const [logged] = (await dealer.get(`customers/${customer}/activity`)).json.data;
  expect(logged.note).toMatch(/^Tahsilat: 45\.080,00 TL \(T-2026-\d{5}\)$/);
  expect(await shown()).toMatchObject({
    outstanding_amount: '405720.00',
    payoff: { unearned_finance_charge: '37032.28', outstanding: '405720.00' },
  });
  let settled: Shown = {};
  const early = { discount_amount: '37032.28', discount_reason: 'Erken Ödeme' };
  const settling = await kinds(async () => {
    settled = dataOf(await pay('368687.72', early));
  });
  expect(settling).toEqual([
    ...['collection.created', 'collection.created', ...Array(9).fill('installment.paid'), 'sale.completed'],
    'installment_plan.completed',
  ]);
  expect((await rows())[18]).toMatchObject({ paid_amount: '8047.72', discounted_amount: '37032.28', status: 'Ödendi' });
  expect(await shown()).toMatchObject({
    status: 'Tamamlandı',
    collected_amount: '625967.72',
    discounted_amount: '37032.28',
    payoff: null,
  });
  expect(dataOf(await dealer.get(`collections/${settled.paired_id}`))).toMatchObject({
    type: 'İndirim',
    amount: '37032.28',
    discount_reason: 'Erken Ödeme',
    method: null,
    paired_id: settled.id,
  });

  const reversing = await eventsBy(api, dealer.accountId, async () => {
    dataOf(await reverse(dealer, settled.id));
  });
  expect(reversing.map(({ kind }) => kind)).toEqual([
    ...['collection.reversed', 'collection.reversed', ...Array(9).fill('installment.reopened'), 'sale.reopened'],
  ]);
  expect(reversing.slice(0, 2).map(({ payload }) => payload.data.object.type)).toEqual(['Tahsilat', 'İndirim']);
  expect(await shown()).toMatchObject({
    status: 'Aktif',
    outstanding_amount: '405720.00',
    collected_amount: '257280.00',
    discounted_amount: '0.00',
  });
  expect((await rows())[18]).toMatchObject({ status: 'Bekliyor', paid_at: null });

  expect(counted(await listener.received())).toMatchObject({
    'vehicle.reserved': 1,
    'collection.created': 8,
    'collection.reversed': 2,
    'sale.restructured': 1,
    'sale_document.generated': 1,
    'installment.paid': 12,
    'installment.partially_paid': 1,
    'installment.reopened': 9,
    'installment.overdue': 2,
    'sale.completed': 1,
    'installment_plan.completed': 1,
    'sale.reopened': 1,
  });
});
