// Stock in a dealer's day as in the acceptance stories (S1 and S4), through the API only.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayIn } from '../../../src/kit/clock.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';
import { historyOf, verdict } from './vehicles-trail.ts';

let api: TestService;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
});
afterAll(() => api.close());

const inDays = (days: number): string => dayIn(new Date(Date.now() + days * 86_400_000), 'Asia/Famagusta');

async function newCustomer(dealer: Dealer, first_name: string): Promise<string> {
  const { status, text, json } = await dealer.post('customers', aPerson({ first_name }));
  expect(status, text).toBe(201);
  return json.data.id;
}

test('S1: a sterling vehicle is added without showing its cost, held for one customer, refused to another', async () => {
  const dealer = await newDealer(api);
  const car = aCar({
    price: '14500.00',
    currency: 'STG',
    purchase_price: '11800.00',
    purchase_currency: 'STG',
    customs_fee: '650.00',
  });
  const taken = await dealer.post('vehicles', car);
  expect([taken.status, taken.json.data.status, taken.json.data.price]).toEqual([201, 'Stokta', '14500.00']);
  const { id } = taken.json.data;
  const [her, him] = [await newCustomer(dealer, 'Ayşe'), await newCustomer(dealer, 'Mehmet')];

  const held = await dealer.post(`vehicles/${id}/reserve`, { customer_id: her, reserved_until: inDays(5) });
  expect(held.json.data).toMatchObject({
    status: 'Rezerve',
    reservation: { kind: 'Müşteri', customer_id: her, reserved_until: inDays(5) },
  });
  expect(verdict(await dealer.post(`vehicles/${id}/reserve`, { customer_id: him }))).toBe('409 vehicle_reserved');
  expect(verdict(await dealer.delete(`vehicles/${id}`))).toBe('409 vehicle_reserved');
  const still = await dealer.delete(`customers/${her}`);
  expect([still.status, still.json.error.code]).toEqual([409, 'customer_has_reservation']);
  const stock = await dealer.get('vehicles?status=Rezerve');
  expect(stock.json.data.map((one: { id: string }) => one.id)).toEqual([id]);

  const seen = [taken, held, stock, await dealer.get(`vehicles/${id}`), await dealer.get(`vehicles/${id}/history`)];
  for (const { text } of [...seen, await dealer.get('vehicles/export')]) {
    for (const kept of ['11800', '650.00', 'purchase_price', 'customs_fee']) expect(text).not.toContain(kept);
  }
});

test('S4: published, reserved, released, reserved again and sold to a dealer', async () => {
  const a = await newDealer(api);
  const b = await newDealer(api);
  const { id } = (await a.post('vehicles', aCar({ price: '13000.00', currency: 'STG' }))).json.data;
  const published = await a.post(`vehicles/${id}/publish`);
  expect(published.json.data).toMatchObject({ is_marketplace_visible: true, status: 'Stokta' });
  const { listing_id } = published.json.data;
  expect(listing_id).not.toBeNull();
  expect((await b.get(`vehicles/${id}`)).status).toBe(404);
  expect((await b.get('vehicles')).json.data).toEqual([]);

  const customer = await newCustomer(a, 'Ali');
  expect((await a.post(`vehicles/${id}/reserve`, { customer_id: customer })).json.data).toMatchObject({
    status: 'Rezerve',
    is_marketplace_visible: false,
    listing_id,
  });
  expect((await a.patch(`vehicles/${id}`, { status: 'Stokta' })).json.data).toMatchObject({
    status: 'Stokta',
    is_marketplace_visible: true,
    reservation: null,
    listing_id,
  });

  await a.post(`vehicles/${id}/reserve`, { customer_id: customer });
  const sold = await a.post(`vehicles/${id}/mark-sold`, { sold_price: '12000.00', note: 'B oto' }, { 'idempotency-key': 's4' });
  expect(sold.json.data).toMatchObject({
    status: 'Satıldı',
    sold_via: 'Harici',
    is_marketplace_visible: false,
    listing_id: null,
    reservation: null,
  });
  const again = await a.post(`vehicles/${id}/mark-sold`, { sold_price: '12000.00', note: 'B oto' }, { 'idempotency-key': 's4' });
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([sold.text, 'true']);
  expect(verdict(await a.post(`vehicles/${id}/mark-sold`))).toBe('409 vehicle_already_sold');
  expect((await historyOf(a, id)).map(({ event }) => event)).toEqual([
    'sold',
    'reserved',
    'reservation_released',
    'reserved',
    'published',
    'created',
  ]);
});

test('an expired reservation is over the day after, for the first reader', async () => {
  const dealer = await newDealer(api);
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  await dealer.post(`vehicles/${id}/publish`);
  const customer = await newCustomer(dealer, 'Ayşe');
  await dealer.post(`vehicles/${id}/reserve`, { customer_id: customer, reserved_until: inDays(1) });
  const listed = await dealer.get('vehicles');
  expect(listed.json.data[0].status).toBe('Rezerve');
  api.clock.advance(2 * 86_400_000);
  const after = await dealer.get('vehicles', { 'if-none-match': listed.headers.get('etag')! });
  expect([after.status, after.json.data[0].status, after.json.data[0].is_marketplace_visible]).toEqual([200, 'Stokta', true]);
  expect((await dealer.get(`vehicles/${id}`)).json.data).toMatchObject({ status: 'Stokta', reservation: null });
  expect((await historyOf(dealer, id))[0]).toMatchObject({ event: 'reservation_released', actor: { type: 'system' } });
  const notified = await dealer.get('notifications');
  expect(notified.json.data).toMatchObject([{ kind: 'vehicle.reservation_released', resource_id: id }]);
});
