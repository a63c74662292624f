// Live events: requests decided by the platform, lots opened, bid on, sold and withdrawn, the states of the event, and
// permissions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveRequest, rejectRequest } from '../../../src/domain/auctions/auction-request-writes.ts';
import { cancelEvent, moveEvent, orderLots, withdrawLot } from '../../../src/domain/auctions/live-event-writes.ts';
import { aBidder, aLot, anEvent, asPlatform, withoutCapability } from '../../support/auctions.ts';
import { carOf, dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, dealerWith, openAll } from '../../support/writer.ts';

let api: TestService;
let [operator, seller, b, c]: Dealer[] = [];
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T09:00:00Z' });
  await openAll(api);
  [operator, seller, b, c] = [await aBidder(api), await aBidder(api), await aBidder(api), await aBidder(api)];
});
afterAll(() => api.close());

const lotOf = async (dealer: Dealer, { id }: Shown) => dataOf(await dealer.get(`live-auctions/lots/${id}`));
const eventOf = async ({ id }: Shown) => dataOf(await c!.get(`live-auctions/${id}`));
const start = (dealer: Dealer, { id }: Shown) => dealer.post(`live-auctions/lots/${id}/start`);
const offer = (dealer: Dealer, { id }: Shown, amount: string) => dealer.post(`live-auctions/lots/${id}/bid`, { amount });
const hammer = (dealer: Dealer, { id }: Shown, body: object = {}) => dealer.post(`live-auctions/lots/${id}/end`, body);
const kindsOf = async (dealer: Dealer): Promise<string[]> =>
  (await dealer.get('notifications?limit=100')).json.data.map(({ kind }: Shown) => kind);

test('runs an event from its first lot to its last', async () => {
  const event = await anEvent(api, operator!);
  const car = await carOf(seller!);
  const [first, second] = [
    await aLot(api, seller!, event, { vehicle_id: car, reserve_price: '9000.00' }),
    await aLot(api, seller!, event),
  ];
  expect([first.lot_no, second.lot_no, first.status, first.min_increment]).toEqual([1, 2, 'Sırada', '100.00']);
  expect(dataOf(await seller!.get(`vehicles/${car}`))).toMatchObject({ status: "Auction'da", auction_id: first.id });
  expect(verdictOf(await offer(b!, first, '8000.00'))).toBe('409 lot_not_open');
  expect(verdictOf(await start(seller!, first))).toBe('403 not_operator');
  expect(dataOf(await start(operator!, first))).toMatchObject({ status: 'Açık' });
  expect(await eventOf(event)).toMatchObject({ status: 'Canlı', current_lot_id: first.id, lot_count: 2, sold_count: 0 });
  expect(verdictOf(await start(operator!, second))).toBe('409 another_lot_open');
  for (const own of [seller!, operator!]) expect(verdictOf(await offer(own, first, '8000.00'))).toBe('409 own_lot');
  dataOf(await offer(b!, first, '8000.00'));
  expect(verdictOf(await offer(b!, first, '8500.00'))).toBe('409 already_highest_bidder');
  expect(verdictOf(await offer(c!, first, '8099.99'))).toBe('409 bid_too_low');
  dataOf(await offer(c!, first, '9000.00'));
  // Only the seller and the operator see the reserve.
  const reserves = [await lotOf(seller!, first), await lotOf(operator!, first), await lotOf(b!, first)];
  expect(reserves.map(({ reserve_price }) => reserve_price)).toEqual(['9000.00', '9000.00', null]);
  expect(verdictOf(await hammer(b!, first))).toBe('403 not_operator');
  expect(dataOf(await hammer(operator!, first))).toMatchObject({ status: 'Satıldı', winner: { alias: 'Katılımcı 2' } });
  expect((await lotOf(seller!, first)).winner).toMatchObject({ account_id: c!.accountId, phone: '+905330000000' });
  expect(await lotOf(b!, first)).toMatchObject({ winner: { alias: 'Katılımcı 2' }, next_min_bid: null });
  expect(dataOf(await seller!.get(`vehicles/${car}`))).toMatchObject({
    status: 'Rezerve',
    reservation: { kind: 'Canlı Müzayede' },
  });
  expect(verdictOf(await offer(b!, first, '9900.00'))).toBe('409 lot_not_open');

  dataOf(await start(operator!, second));
  expect(verdictOf(await hammer(operator!, second, { award: true }))).toBe('409 no_bids');
  expect(dataOf(await hammer(operator!, second))).toMatchObject({ status: 'Satılmadı', winner: null });
  expect(await eventOf(event)).toMatchObject({ status: 'Bitti', current_lot_id: null, sold_count: 1 });
  expect(await kindsOf(b!)).toContain('live_lot.outbid');
  expect(await kindsOf(c!)).toContain('live_lot.won');
  expect(await kindsOf(seller!)).toEqual(
    expect.arrayContaining(['live_lot.sold', 'live_lot.unsold', 'auction_request.approved']),
  );

  dataOf(await seller!.patch(`vehicles/${car}`, { status: 'Stokta' }));
  expect(await lotOf(c!, first)).toMatchObject({ status: 'Bozuldu' });
  expect((await lotOf(seller!, first)).winner).not.toHaveProperty('phone');
});

test('a lot below its reserve is sold only with the seller’s consent', async () => {
  const event = await anEvent(api, operator!);
  const lots = [
    await aLot(api, seller!, event, { reserve_price: '9000.00' }),
    await aLot(api, seller!, event, { reserve_price: '9000.00' }),
  ];
  for (const [lot, award, status] of [
    [lots[0]!, false, 'Satılmadı'],
    [lots[1]!, true, 'Satıldı'],
  ] as const) {
    dataOf(await start(operator!, lot));
    dataOf(await offer(b!, lot, '8000.00'));
    expect(dataOf(await hammer(operator!, lot, { award, note: 'telefonla soruldu' })).status).toBe(status);
  }
});

const LOT_ROWS = ['start', 'bid', 'end'].map((act) => `POST live-auctions/lots/{lot_id}/${act}`);

test('refuses a request whose second bid would have more than twelve digits', async () => {
  const vehicle_id = await carOf(seller!);
  for (const [input, field] of [
    [{ start_price: '999999999999.99' }, 'start_price'],
    [{ start_price: '999999999999.99', min_increment: '0.01' }, 'min_increment'],
  ] as const) {
    const refused = await seller!.post('auction-requests', { vehicle_id, ...input });
    expect([verdictOf(refused), refused.json.error.details[0].field]).toEqual(['422 validation_failed', field]);
  }
});

test('requires the special authorizations of the key', async () => {
  const event = await anEvent(api, operator!);
  const lot = await aLot(api, seller!, event);
  const plain = async ({ accountId }: Dealer) =>
    dealerWith(api, accountId, (await api.key(accountId, { endpoints: LOT_ROWS })).secret);
  expect(verdictOf(await start(await plain(operator!), lot))).toBe('403 special_authorization_required');
  dataOf(await start(operator!, lot));
  expect(verdictOf(await offer(await plain(b!), lot, '8000.00'))).toBe('403 special_authorization_required');
  expect(verdictOf(await hammer(await plain(operator!), lot))).toBe('403 special_authorization_required');
});

test('a request is decided once, and not after its vehicle has left stock', async () => {
  const event = await anEvent(api, operator!);
  const ask = async (vehicle_id: string) =>
    dataOf(await seller!.post('auction-requests', { vehicle_id, start_price: '8000.00' }));
  const decide = (id: string, lot_no?: number) =>
    asPlatform(api, seller!.accountId, (work) => approveRequest(work, id, { event_id: event.id, lot_no: lot_no ?? null }));
  const car = await carOf(seller!);
  const request = await ask(car);
  expect(verdictOf(await seller!.post('auction-requests', { vehicle_id: car, start_price: '1.00' }))).toBe(
    '409 request_already_open',
  );
  const both = await Promise.allSettled([decide(request.id), decide(request.id)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(verdictOf(await seller!.patch(`auction-requests/${request.id}`, { note: 'x' }))).toBe('409 request_closed');
  expect(verdictOf(await seller!.delete(`auction-requests/${request.id}`))).toBe('409 request_closed');
  await expect(decide((await ask(await carOf(seller!))).id, 1)).rejects.toMatchObject({ code: 'lot_no_taken' });

  const gone = await carOf(seller!);
  const left = await ask(gone);
  dataOf(await seller!.post(`vehicles/${gone}/mark-sold`, { sold_price: '9000.00' }));
  expect(dataOf(await seller!.get(`auction-requests/${left.id}`)).status).toBe('İptal');
  await expect(decide(left.id)).rejects.toMatchObject({ code: 'request_closed' });

  const refused = await ask(await carOf(seller!));
  await asPlatform(api, seller!.accountId, (work) => rejectRequest(work, refused.id, 'fotoğraf yok'));
  expect(dataOf(await seller!.get(`auction-requests/${refused.id}`))).toMatchObject({
    status: 'Reddedildi',
    decision_note: 'fotoğraf yok',
  });
});

test('the platform moves, orders, withdraws and cancels lots; vehicles return to stock', async () => {
  const event = await anEvent(api, operator!, 3_600_000);
  const cars = [await carOf(seller!), await carOf(b!), await carOf(seller!)];
  const lots = [
    await aLot(api, seller!, event, { vehicle_id: cars[0] }),
    await aLot(api, b!, event, { vehicle_id: cars[1] }),
    await aLot(api, seller!, event, { vehicle_id: cars[2] }),
  ];
  expect(verdictOf(await start(operator!, lots[0]!))).toBe('409 event_not_started');
  const asOperator = <T>(run: Parameters<typeof asPlatform<T>>[2]) => asPlatform(api, operator!.accountId, run);
  const soon = new Date(api.clock.now().getTime() + 14 * 60_000);
  expect(await asOperator((work) => moveEvent(work, event.id, soon))).toMatchObject({ starts_at: soon.toISOString() });
  const order = [lots[2]!.id, lots[0]!.id, lots[1]!.id];
  await asOperator((work) => orderLots(work, event.id, order));
  const listed = (await c!.get(`live-auctions/${event.id}/lots`)).json.data as Shown[];
  expect(listed.map(({ id, lot_no }) => [id, lot_no])).toEqual(order.map((id, place) => [id, place + 1]));
  await expect(asOperator((work) => orderLots(work, event.id, order.slice(1)))).rejects.toMatchObject({ code: 'lots_changed' });
  expect((await asOperator((work) => withdrawLot(work, lots[1]!.id, 'hasarlı'))).status).toBe('Çekildi');
  expect(dataOf(await b!.get(`vehicles/${cars[1]}`))).toMatchObject({ status: 'Stokta', auction_id: null });
  dataOf(await start(operator!, lots[0]!));
  await expect(asOperator((work) => cancelEvent(work, event.id, null))).rejects.toMatchObject({ code: 'lot_open' });
  await expect(asOperator((work) => withdrawLot(work, lots[0]!.id, null))).rejects.toMatchObject({ code: 'lot_not_waiting' });
  dataOf(await hammer(operator!, lots[0]!));
  expect(await asOperator((work) => cancelEvent(work, event.id, 'elektrik yok'))).toMatchObject({ status: 'İptal' });
  expect((await lotOf(c!, lots[2]!)).status).toBe('Çekildi');
  for (const car of [cars[0], cars[2]]) expect(dataOf(await seller!.get(`vehicles/${car}`)).status).toBe('Stokta');
  expect(verdictOf(await start(operator!, lots[2]!))).toBe('409 event_closed');
});

test('a dealer without live auctions has no access', async () => {
  const event = await anEvent(api, operator!);
  const lot = await aLot(api, seller!, event);
  const outside = await aBidder(api);
  await withoutCapability(api, outside, 'live_auctions');
  for (const path of [
    'live-auctions',
    `live-auctions/${event.id}`,
    `live-auctions/${event.id}/lots`,
    `live-auctions/lots/${lot.id}`,
  ])
    expect(verdictOf(await outside.get(path)), path).toBe('403 capability_not_enabled');
  expect((await outside.get('auction-requests')).json.data).toEqual([]);
  expect(verdictOf(await outside.post('auction-requests', { vehicle_id: await carOf(outside), start_price: '1.00' }))).toBe(
    '403 capability_not_enabled',
  );
});

test('shows the seller a winner without a phone as phone null', async () => {
  const silent = await aBidder(api, { name: 'Telefonsuz Oto', phone: null });
  const lot = await aLot(api, seller!, await anEvent(api, operator!));
  dataOf(await start(operator!, lot));
  dataOf(await offer(silent, lot, '8000.00'));
  dataOf(await hammer(operator!, lot));
  expect((await lotOf(seller!, lot)).winner).toMatchObject({ account_id: silent.accountId, phone: null });
});
