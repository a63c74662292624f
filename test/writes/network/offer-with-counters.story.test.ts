// S4 of the acceptance stories: two dealers, an offer with counters, a third party excluded; and the events of each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf, dataOf, moveTo, type Shown, sell, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { type TestService, testService } from '../../support/service.ts';
import { openAll } from '../../support/writer.ts';
import { type Listener, listenTo } from '../sales/listener.ts';
import { named, offer, publish, statusOf } from './network.ts';

let api: TestService;
const listeners: Listener[] = [];
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  await api.close();
});

const KINDS = /^(network_offer|vehicle|listing)\./;

test('S4: offers, counters, one agreement, and the others rejected', async () => {
  moveTo(api, '2026-03-16');
  const [a, b, c] = [await named(api, 'Alfa Oto'), await named(api, 'Beta Oto'), await named(api, 'Gama Oto')];
  for (const dealer of [a, b, c]) listeners.push(await listenTo(api, dealer));
  const { car, listing } = await publish(a);

  const first = await offer(b, listing, '11500.00', { message: 'Nakit' });
  expect(first).toMatchObject({
    vehicle_id: null,
    my_role: 'buyer',
    made_by: 'buyer',
    awaiting_me: false,
    status: 'Beklemede',
    currency: 'STG',
    amount: '11500.00',
    parent_id: null,
    message: 'Nakit',
    expires_at: expect.stringMatching(/^2026-03-18T12:00:/),
    responded_at: null,
    seller: { account_id: a.accountId, name: 'Alfa Oto', city: 'Girne' },
  });
  expect(Object.keys(first.vehicle)).toEqual([
    ...['brand', 'model', 'model_year', 'km', 'fuel_type', 'transmission', 'body_type', 'color', 'city'],
    ...['engine_cc', 'power_hp', 'drive', 'steering', 'doors', 'seats', 'owners', 'inspection_until', 'equipment', 'warranty'],
    ...['photos', 'condition'],
  ]);
  expect(JSON.stringify(first)).not.toContain(car);
  expect(JSON.stringify(first)).not.toMatch(/plate|TS \d|phone/);
  expect(dataOf(await b.get('vehicles'))).toEqual([]);
  const ofC = await offer(c, listing, '11800.00');
  expect(verdictOf(await c.post('network-offers', { listing_id: listing, amount: '11900.00' }))).toBe('409 offer_already_open');

  for (const path of ['network-offers/received', `vehicles/${car}/network-offers`])
    expect((dataOf(await a.get(path)) as unknown as { amount: string }[]).map(({ amount }) => amount).sort()).toEqual([
      '11500.00',
      '11800.00',
    ]);
  expect(dataOf(await a.get('network-offers?awaiting_me=true'))).toHaveLength(2);

  const counter = dataOf(await a.post(`network-offers/${first.id}/counter`, { amount: '12400.00' }));
  expect(counter).toMatchObject({
    parent_id: first.id,
    thread_id: first.thread_id,
    made_by: 'seller',
    my_role: 'seller',
    vehicle_id: car,
  });
  expect(await statusOf(b, `network-offers/${first.id}`)).toBe('Karşı Teklif');
  expect(verdictOf(await a.post(`network-offers/${counter.id}/accept`))).toBe('409 not_your_turn');
  expect(verdictOf(await b.post(`network-offers/${counter.id}/counter`, { amount: '12400.00' }))).toBe('409 same_amount');
  const last = dataOf(await b.post(`network-offers/${counter.id}/counter`, { amount: '12000.00' }));

  const toA = await eventsBy(api, a.accountId, async () => {
    const accepted = dataOf(await a.post(`network-offers/${last.id}/accept`, { message: 'Hayırlı olsun' }));
    expect(accepted).toMatchObject({
      status: 'Kabul Edildi',
      response_message: 'Hayırlı olsun',
      responded_at: expect.stringMatching(/^2026-03-16T12:00:/),
    });
    expect(accepted.buyer.phone).toMatch(/^\+90533/);
  });
  expect(toA.map(({ kind }) => kind)).toEqual([
    ...['network_offer.accepted', 'vehicle.reserved', 'vehicle.status_changed', 'listing.suspended', 'network_offer.rejected'],
  ]);
  expect(dataOf(await a.get(`vehicles/${car}`))).toMatchObject({
    status: 'Rezerve',
    is_marketplace_visible: false,
    reservation: {
      kind: 'Ağ Teklifi',
      source_id: last.id,
      reserved_until: null,
      counterparty: { account_id: b.accountId, name: 'Beta Oto' },
    },
  });
  expect(dataOf(await b.get(`network-offers/${last.id}`)).seller.phone).toMatch(/^\+90533/);
  const thread = dataOf(await b.get(`network-offers/${last.id}`)).thread as { amount: string; status: string }[];
  expect(thread.map(({ amount, status }) => [amount, status])).toEqual([
    ['11500.00', 'Karşı Teklif'],
    ['12400.00', 'Karşı Teklif'],
    ['12000.00', 'Kabul Edildi'],
  ]);

  expect(dataOf(await c.get(`network-offers/${ofC.id}`))).toMatchObject({
    status: 'Reddedildi',
    reject_reason: 'vehicle_unavailable',
  });
  expect(verdictOf(await c.get(`network-offers/${last.id}`))).toBe('404 not_found');
  expect(verdictOf(await c.post('network-offers', { listing_id: listing, amount: '13000.00' }))).toBe(
    '409 listing_not_available',
  );
  const walkIn = await sell(a, { vehicle_id: car, customer_id: await customerOf(a), sale_price: '12900.00' });
  expect(verdictOf(walkIn)).toBe('409 vehicle_reserved_for_other');

  const ends = await eventsBy(api, a.accountId, () => a.post(`vehicles/${car}/mark-sold`, { sold_price: '12000.00' }));
  expect(ends.map(({ kind }) => kind)).toEqual([
    'vehicle.sold',
    'vehicle.status_changed',
    'listing.closed',
    'network_offer.completed',
  ]);
  expect(dataOf(await a.get(`vehicles/${car}`))).toMatchObject({ status: 'Satıldı', sold_via: 'Harici', listing_id: null });
  for (const dealer of [a, b]) expect(await statusOf(dealer, `network-offers/${last.id}`)).toBe('Tamamlandı');

  const received: Shown[][] = [];
  for (const listener of listeners) received.push(await listener.received());
  const [receivedA, receivedB, receivedC] = received;
  const kinds = (of: readonly Shown[]) => of.map(({ type }) => type).filter((type) => KINDS.test(type));
  expect(kinds(receivedB!)).toEqual([
    ...['network_offer.created', 'network_offer.countered', 'network_offer.created', 'network_offer.countered'],
    ...['network_offer.created', 'network_offer.accepted', 'network_offer.completed'],
  ]);
  expect(kinds(receivedC!)).toEqual(['network_offer.created', 'network_offer.rejected']);
  const acceptedAt = (received: readonly Shown[]) => received.find(({ type }) => type === 'network_offer.accepted')!;
  expect(acceptedAt(receivedA!).data).toMatchObject({
    object: { my_role: 'seller', vehicle_id: car, buyer: { phone: expect.any(String) } },
    previous: { status: 'Beklemede' },
  });
  expect(acceptedAt(receivedB!).data.object).toMatchObject({ my_role: 'buyer', vehicle_id: null, amount: '12000.00' });
  expect(acceptedAt(receivedB!).data.previous.seller).not.toHaveProperty('phone');
  expect(JSON.stringify(receivedC)).not.toMatch(/Beta Oto|12000\.00|12400\.00/);
  expect(JSON.stringify(receivedB)).not.toMatch(/Gama Oto|11800\.00/);
  const notes = async (dealer: typeof a) =>
    (dataOf(await dealer.get('notifications')) as unknown as { kind: string }[]).map(({ kind }) => kind).sort();
  expect(await notes(a)).toEqual(['network_offer.countered', 'network_offer.created', 'network_offer.created']);
  expect(await notes(b)).toEqual(['network_offer.accepted', 'network_offer.countered']);
  expect(await notes(c)).toEqual(['network_offer.rejected']);
});

test('S4, alternative: the seller withdraws from the agreement', async () => {
  const [a, b] = [await named(api, 'Delta Oto'), await named(api, 'Epsilon Oto')];
  const { car, listing } = await publish(a);
  const made = await offer(b, listing, '12000.00');
  dataOf(await a.post(`network-offers/${made.id}/accept`));
  const emitted = await eventsBy(api, a.accountId, () => a.patch(`vehicles/${car}`, { status: 'Stokta' }));
  expect(emitted.map(({ kind }) => kind)).toEqual([
    ...['vehicle.reservation_released', 'vehicle.status_changed', 'network_offer.fell_through', 'listing.resumed'],
  ]);
  for (const dealer of [a, b]) {
    const shown = dataOf(await dealer.get(`network-offers/${made.id}`));
    expect(shown.status).toBe('Bozuldu');
    expect(JSON.stringify([shown.seller, shown.buyer])).not.toContain('phone');
  }
  const notes = dataOf(await b.get('notifications?kind=network_offer.fell_through')) as unknown as Record<string, string>[];
  expect(notes).toMatchObject([{ title: 'Satıcı anlaşmadan vazgeçti', resource_id: made.id }]);
  expect(notes[0]!.body).toBe('Delta Oto: 2018 Volkswagen Golf, 12.000,00 STG');
  expect(dataOf(await a.get('notifications?kind=network_offer.fell_through'))).toEqual([]);
  expect(dataOf(await a.get(`vehicles/${car}`))).toMatchObject({ status: 'Stokta', is_marketplace_visible: true });
  const again = await offer(b, listing, '12100.00');
  expect(again).toMatchObject({ thread_id: made.thread_id, parent_id: null });
});
