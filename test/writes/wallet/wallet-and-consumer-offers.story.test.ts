// S6 of the acceptance stories, complete: payments, refunds and refusals, a matching ledger, the consumers' offers, and the cash
// sale.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBooks } from '../../../src/domain/wallet/books.ts';
import { approveTopup } from '../../../src/domain/wallet/topup-decision.ts';
import {
  aDealer,
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  rowsOf,
  type Shown,
  sell,
  verdictOf,
} from '../../support/books.ts';
import { consumerOffers } from '../../support/market.ts';
import { ALONE, asPlatform } from '../../support/platform.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { listingOf } from './listings.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  moveTo(api, '2026-03-01');
  dealer = await aDealer(api);
});
afterAll(() => api.close());

const boost = (listing_id: string, code: string, overrides: object = {}) =>
  dealer.post('boost-orders', { listing_id, package: code, ...overrides }, newKey());
const balance = async () => dataOf(await dealer.get('wallet')).balance;

test('S6: topped up, boosted, cancelled, boosted again, and closed with the sale', async () => {
  const request = dataOf(await dealer.post('wallet/topup-requests', { amount: '5000.00', reference: 'DK 1' }, newKey()));
  expect(request).toMatchObject({
    status: 'Beklemede',
    amount: '5000.00',
    currency: 'TL',
    method: 'Havale/EFT',
    transaction_id: null,
  });
  expect(dataOf(await dealer.get('wallet'))).toMatchObject({ balance: '0.00', pending_topups: '5000.00', currency: 'TL' });
  await asPlatform(api, dealer.accountId, (work) => approveTopup(work, request.id, ALONE));
  const approved = dataOf(await dealer.get(`wallet/topup-requests/${request.id}`));
  expect(approved).toMatchObject({ status: 'Onaylandı' });
  expect(dataOf(await dealer.get('wallet'))).toMatchObject({ balance: '5000.00', pending_topups: '0.00' });
  expect(dataOf(await dealer.get(`wallet/transactions/${approved.transaction_id}`))).toMatchObject({
    type: 'Yükleme',
    amount: '5000.00',
    balance_after: '5000.00',
    reference_type: 'topup_request',
    reference_id: request.id,
  });

  const [car, customer] = [await carOf(dealer, { price: '13900.00' }), await customerOf(dealer)];
  const listing = await listingOf(api, dealer, car);
  const waiting = dataOf(await boost(listing, 'Vitrin-7', { starts_at: '2026-03-03T12:00:00Z' }));
  expect(waiting).toMatchObject({
    status: 'Beklemede',
    price: '1200.00',
    days: 7,
    vehicle_id: car,
    package: 'Vitrin-7',
    starts_at: '2026-03-03T12:00:00.000Z',
    ends_at: '2026-03-10T12:00:00.000Z',
    refund_transaction_id: null,
  });
  expect(await balance()).toBe('3800.00');
  const cancelled = dataOf(await dealer.delete(`boost-orders/${waiting.id}`));
  expect(cancelled).toMatchObject({ status: 'İptal' });
  expect(await balance()).toBe('5000.00');
  expect(dataOf(await dealer.get(`wallet/transactions/${cancelled.refund_transaction_id}`))).toMatchObject({
    type: 'Boost İadesi',
    amount: '1200.00',
    reverses_id: waiting.charge_transaction_id,
    reference_id: waiting.id,
  });
  expect(verdictOf(await dealer.delete(`boost-orders/${waiting.id}`))).toBe('409 boost_already_cancelled');

  const running = dataOf(await boost(listing, 'Üst Sıra-14'));
  expect(running).toMatchObject({ status: 'Aktif', price: '1900.00' });
  expect(await balance()).toBe('3100.00');
  expect(verdictOf(await dealer.delete(`boost-orders/${running.id}`))).toBe('409 boost_active');
  expect(verdictOf(await boost(listing, 'Vitrin-30'))).toBe('402 insufficient_balance');

  const books = await api.database.onPlatform('read', (db) => readBooks(db, dealer.accountId));
  const sums = Object.fromEntries(books.accounts.map(({ code, debit, credit }) => [code, `${debit} ${credit}`]));
  expect(sums).toEqual({
    [`wallet:${dealer.accountId}`]: '3100.00 6200.00',
    'platform:cash': '5000.00 0.00',
    'platform:boost_revenue': '1200.00 3100.00',
  });
  expect(books.transactions).toHaveLength(4);

  expect(dataOf(await dealer.get(`marketplace/listings/${listing}`)).boosted_until).toBe(running.ends_at);
  const [high, low] = [
    await consumerOffers(api, dealer, listing, '13400.00'),
    await consumerOffers(api, dealer, listing, '13100.00'),
  ];
  dataOf(await dealer.post(`marketplace/listings/${listing}/offers/${high.id}/accept`));
  expect(dataOf(await dealer.get(`vehicles/${car}`)).status).toBe('Rezerve');
  const offers = dataOf(await dealer.get(`marketplace/listings/${listing}/offers`)) as Shown[];
  expect(offers.map(({ id, status, currency }) => [id, status, currency])).toEqual([
    [high.id, 'Kabul Edildi', 'STG'],
    [low.id, 'Reddedildi', 'STG'],
  ]);
  expect(await balance()).toBe('3100.00');

  const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '13400.00', currency: 'STG' }));
  expect(sale).toMatchObject({ payment_type: 'Peşin', down_payment: '13400.00', status: 'Aktif' });
  expect(await rowsOf(dealer, sale.id)).toHaveLength(1);
  expect(dataOf(await dealer.get(`vehicles/${car}`)).status).toBe('Satıldı');
  expect(dataOf(await dealer.get(`marketplace/listings/${listing}`))).toMatchObject({
    status: 'Kapandı',
    close_reason: 'satıldı',
    boosted_until: null,
  });
  dataOf(await collect(dealer, sale.id, '13400.00'));
  expect(dataOf(await dealer.get(`sales/${sale.id}`)).status).toBe('Tamamlandı');
  expect(dataOf(await dealer.get(`boost-orders/${running.id}`))).toMatchObject({
    status: 'Tamamlandı',
    refund_transaction_id: null,
  });
  expect(await balance()).toBe('3100.00');
  expect(verdictOf(await dealer.delete(`boost-orders/${running.id}`))).toBe('409 boost_finished');
});
