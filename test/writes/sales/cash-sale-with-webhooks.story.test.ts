// The cash sale of S6 of the acceptance stories, and its webhook events.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aDealer, carOf, collect, customerOf, dataOf, moveTo, rowsOf, sell } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { openAll } from '../../support/writer.ts';
import { type Listener, listenTo } from './listener.ts';

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

test('S6: sold for cash, paid at once, and delivered to webhooks', async () => {
  const dealer = await aDealer(api);
  listener = await listenTo(api, dealer);
  moveTo(api, '2026-03-16');
  const [car, customer] = [await carOf(dealer, { price: '13900.00' }), await customerOf(dealer)];
  dataOf(await dealer.post(`vehicles/${car}/publish`));
  const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '13400.00' }));
  expect(sale).toMatchObject({
    payment_type: 'Peşin',
    down_payment: '13400.00',
    financed_amount: '0.00',
    installment_count: 0,
    status: 'Aktif',
    yearly_rate: null,
    outstanding_amount: '13400.00',
  });
  expect(await rowsOf(dealer, sale.id)).toMatchObject([{ seq: 0, kind: 'Peşinat', amount: '13400.00', due_date: '2026-03-16' }]);
  expect(dataOf(await dealer.get(`installment-plans/${sale.plan_id}`))).toMatchObject({
    installment_count: 0,
    first_due_date: null,
    last_due_date: null,
    next_due_date: '2026-03-16',
    period: null,
  });
  expect(dataOf(await dealer.get(`vehicles/${car}`))).toMatchObject({ status: 'Satıldı', is_marketplace_visible: false });
  dataOf(await collect(dealer, sale.id, '13400.00'));
  expect(dataOf(await dealer.get(`sales/${sale.id}`))).toMatchObject({ status: 'Tamamlandı', outstanding_amount: '0.00' });

  const received = await listener.received();
  expect(received.map(({ type }) => type)).toEqual([
    ...['vehicle.created', 'customer.created', 'listing.published', 'vehicle.published'],
    ...['sale.created', 'installment_plan.created', 'vehicle.sold', 'vehicle.status_changed', 'listing.closed'],
    ...['collection.created', 'installment.paid', 'sale.completed', 'installment_plan.completed'],
  ]);
  expect(received.find(({ type }) => type === 'sale.completed')).toMatchObject({
    resource: { kind: 'sale', id: sale.id, path: `/api/v1/sales/${sale.id}` },
    data: { object: { id: sale.id, status: 'Tamamlandı', outstanding_amount: '0.00' } },
  });
});
