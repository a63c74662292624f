// A sterling vehicle on installments, paid in sterling, lira and dollars; one payment is reversed (acceptance story S1, the
// money).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  reverse,
  rowsOf,
  sell,
  storeRates,
  verdictOf,
} from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aPerson, newDealer, openAll } from '../../support/writer.ts';
import { counted, type Listener, listenTo } from './listener.ts';

let api: TestService;
let listener: Listener;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  await storeRates(api, 'KKTCMB', '2026-01-30', '2026-03-13');
});
afterAll(async () => {
  await listener?.close();
  await api.close();
});

test('S1: sold on twelve installments, collected in three currencies, one bounced', async () => {
  const dealer = await newDealer(api);
  listener = await listenTo(api, dealer);
  moveTo(api, '2026-01-14');
  const car = await carOf(dealer, { price: '14500.00', purchase_price: '11800.00', customs_fee: '650.00' });
  const [her, him] = [await customerOf(dealer), await customerOf(dealer, { first_name: 'Mehmet' })];
  const guarantor = dataOf(await dealer.post(`customers/${her}/guarantors`, aPerson({ relationship: 'Kardeş' }))).id;
  dataOf(await dealer.post(`vehicles/${car}/reserve`, { customer_id: her, reserved_until: '2026-01-20' }));
  expect(verdictOf(await sell(dealer, { vehicle_id: car, customer_id: him, sale_price: '14250.00' }))).toBe(
    '409 vehicle_reserved_for_other',
  );

  moveTo(api, '2026-01-15');
  const body = {
    vehicle_id: car,
    customer_id: her,
    guarantor_ids: [guarantor],
    sale_price: '14250.00',
    down_payment: '4000.00',
    finance_charge: '1050.00',
    installment_count: 12,
    first_due_date: '2026-02-15',
  };
  const key = newKey();
  const made = await dealer.post('sales', body, key);
  const sale = dataOf(made);
  expect(sale).toMatchObject({
    sale_no: 'S-2026-00001',
    status: 'Aktif',
    payment_type: 'Taksitli',
    total_receivable: '15300.00',
    financed_amount: '11300.00',
    yearly_rate: '18.40',
    outstanding_amount: '15300.00',
    installment_count: 12,
    sale_date: '2026-01-15',
  });
  expect((await dealer.post('sales', body, key)).json.data.id).toBe(sale.id);
  const rows = await rowsOf(dealer, sale.id);
  expect(rows.map(({ amount }) => amount)).toEqual(['4000.00', ...Array(11).fill('941.66'), '941.74']);
  expect(rows[12]).toMatchObject({ due_date: '2027-01-15', kind: 'Taksit' });
  expect(dataOf(await dealer.get(`vehicles/${car}`))).toMatchObject({
    status: 'Satıldı',
    sold_via: 'Satış',
    active_sale_id: sale.id,
  });

  const outstanding = async () => dataOf(await dealer.get(`sales/${sale.id}`)).outstanding_amount;
  const row = async (seq: number) => (await rowsOf(dealer, sale.id))[seq]!;
  dataOf(await collect(dealer, sale.id, '4000.00'));
  expect(await outstanding()).toBe('11300.00');
  expect(await row(0)).toMatchObject({ status: 'Ödendi', paid_at: '2026-01-15' });

  moveTo(api, '2026-02-14');
  dataOf(await collect(dealer, sale.id, '1000.00'));
  expect(await row(1)).toMatchObject({ status: 'Ödendi', paid_amount: '941.66' });
  expect(await row(2)).toMatchObject({ status: 'Kısmi Ödendi', paid_amount: '58.34' });
  expect(await outstanding()).toBe('10300.00');

  moveTo(api, '2026-03-15');
  const lira = dataOf(await collect(dealer, sale.id, '60000.00', { currency: 'TL' }));
  expect(lira).toMatchObject({
    rate_pair: 'STG-TL',
    exchange_rate: '64.500000',
    rate_date: '2026-03-13',
    rate_source: 'KKTCMB',
    applied_amount: '930.23',
  });
  expect(lira.allocations.map(({ seq, amount }: Record<string, unknown>) => [seq, amount])).toEqual([
    [2, '883.32'],
    [3, '46.91'],
  ]);
  expect(await outstanding()).toBe('9369.77');

  moveTo(api, '2026-03-16');
  const { reversal } = dataOf(await reverse(dealer, lira.id, { reason: 'havale iade' }));
  expect(reversal).toMatchObject({ type: 'Ters Kayıt', amount: '-60000.00', applied_amount: '-930.23', reverses_id: lira.id });
  expect(await row(2)).toMatchObject({ status: 'Kısmi Ödendi', remaining_amount: '883.32' });
  expect(await row(3)).toMatchObject({ status: 'Bekliyor', remaining_amount: '941.66' });
  expect(await outstanding()).toBe('10300.00');
  expect(verdictOf(await reverse(dealer, lira.id))).toBe('409 already_reversed');

  moveTo(api, '2026-03-20');
  const dollars = dataOf(await collect(dealer, sale.id, '1000.00', { currency: 'USD' }));
  expect(dollars).toMatchObject({ rate_pair: 'STG-USD', exchange_rate: '1.346555', applied_amount: '742.64' });
  expect(await row(2)).toMatchObject({ remaining_amount: '140.68' });
  expect(await outstanding()).toBe('9557.36');
  const overdue = (await dealer.get('installments/overdue')).json.data;
  expect(overdue).toHaveLength(1);
  expect(overdue[0]).toMatchObject({ seq: 2, days_overdue: 5, remaining_amount: '140.68', customer: { id: her } });
  const summary = dataOf(await dealer.get('collections/summary?from=2026-03-01&to=2026-03-31'));
  expect(summary.currency_rows).toEqual([
    { currency: 'TL', count: 1, gross: '60000.00', reversed: '60000.00', refunded: '0.00', net: '0.00' },
    { currency: 'USD', count: 1, gross: '1000.00', reversed: '0.00', refunded: '0.00', net: '1000.00' },
  ]);
  const tooMuch = await collect(dealer, sale.id, '9557.37');
  expect(verdictOf(tooMuch)).toBe('409 amount_exceeds_balance');
  expect(tooMuch.json.error.message).toContain('9557.36');
  dataOf(await collect(dealer, sale.id, '9557.36'));
  expect(dataOf(await dealer.get(`sales/${sale.id}`))).toMatchObject({
    status: 'Tamamlandı',
    outstanding_amount: '0.00',
    payoff: null,
  });

  expect(counted(await listener.received())).toMatchObject({
    'sale.created': 1,
    'installment_plan.created': 1,
    'collection.created': 5,
    'collection.reversed': 1,
    // Installments 0 and 1; installment 2, reopened and paid again; then the remainder.
    'installment.paid': 14,
    'installment.partially_paid': 3,
    'installment.reopened': 2,
    'installment.due_soon': 2,
    'installment.overdue': 1,
    'sale.completed': 1,
    'installment_plan.completed': 1,
  });
});
