// S10 of the acceptance stories: a network auction, second by second, with the events that each party receives.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstBroken } from '../../../src/domain/auctions/bid-rules.ts';
import { aBidder, bid, HOUR, inFuture, putUp } from '../../support/auctions.ts';
import { carOf, dataOf, verdictOf } from '../../support/books.ts';
import { moveClock } from '../../support/clock.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, dealerWith, openAll } from '../../support/writer.ts';
import { counted, type Listener, listenTo } from '../sales/listener.ts';

let api: TestService;
let listeners: Listener[] = [];
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' }, at: '2026-03-02T13:00:00Z' });
  await openAll(api);
});
afterAll(async () => {
  for (const listener of listeners) await listener.close();
  await api.close();
});

const later = (at: string, seconds: number) => new Date(Date.parse(at) + seconds * 1000);

test('S10: bids, the soft close, the end, the two sides and a third', async () => {
  const [a, b, c] = [
    await aBidder(api, { name: 'Lefkoşa Oto', city: 'Lefkoşa', phone: '+905338000001' }),
    await aBidder(api, { name: 'Girne Oto', city: 'Girne', phone: '+905338000002' }),
    await aBidder(api, { name: 'Mağusa Oto', city: 'Mağusa', phone: '+905338000003' }),
  ] as [Dealer, Dealer, Dealer];
  listeners = [await listenTo(api, a), await listenTo(api, b), await listenTo(api, c)];
  const car = await carOf(a, { currency: 'STG' });
  const auction = await putUp(api, a, { vehicle_id: car, reserve_price: '9000.00', ends_at: inFuture(api, HOUR) });
  expect(auction).toMatchObject({
    status: 'Canlı',
    result: null,
    currency: 'STG',
    my_role: 'seller',
    vehicle_id: car,
    reserve_price: '9000.00',
    has_reserve: true,
    reserve_met: false,
    bid_count: 0,
    current_bid: null,
    next_min_bid: '8000.00',
    extension_count: 0,
  });
  expect(dataOf(await a.get(`vehicles/${car}`))).toMatchObject({ status: "Auction'da", auction_id: auction.id });

  const first = dataOf(await bid(b, auction, '8000.00'));
  expect(first.bid).toMatchObject({ bid_seq: 1, amount: '8000.00', bidder_alias: 'Katılımcı 1', is_mine: true });
  expect(first.auction).toMatchObject({
    am_i_leading: true,
    my_role: 'bidder',
    reserve_price: null,
    vehicle_id: null,
    reserve_met: false,
  });
  expect(verdictOf(await bid(b, auction, '9000.00'))).toBe('409 already_highest_bidder');
  const low = await bid(c, auction, '8050.00');
  expect([verdictOf(low), low.json.error.message]).toEqual(['409 bid_too_low', expect.stringContaining('8100.00')]);
  dataOf(await bid(c, auction, '8100.00'));
  expect(verdictOf(await bid(a, auction, '9000.00'))).toBe('409 own_auction');
  const { secret } = await api.key(b.accountId, { template: 'full', endpoints: ['POST network-auctions/{auction_id}/bid'] });
  expect(verdictOf(await bid(dealerWith(api, b.accountId, secret), auction, '9000.00'))).toBe(
    '403 special_authorization_required',
  );

  await moveClock(api, later(auction.ends_at, -90));
  const last = dataOf(await bid(b, auction, '9000.00'));
  expect(last.auction).toMatchObject({
    reserve_met: true,
    extension_count: 1,
    original_ends_at: auction.ends_at,
    reserve_price: null,
  });
  expect(last.auction.ends_at).toBe(later(last.bid.placed_at, 120).toISOString());
  await moveClock(api, later(auction.ends_at, -80));
  expect(verdictOf(await bid(c, auction, '9050.00'))).toBe('409 bid_too_low');
  expect(dataOf(await c.get(`network-auctions/${auction.id}`)).ends_at).toBe(last.auction.ends_at);
  expect(verdictOf(await c.get(`network-auctions/${auction.id}/winner`))).toBe('409 auction_not_ended');

  await moveClock(api, later(last.auction.ends_at, 1));
  expect(verdictOf(await bid(c, auction, '9500.00'))).toBe('409 auction_ended');
  expect(dataOf(await c.get(`network-auctions/${auction.id}`))).toMatchObject({
    status: 'Bitti',
    result: 'Satıldı',
    next_min_bid: null,
  });
  expect(dataOf(await a.get(`vehicles/${car}`))).toMatchObject({
    status: 'Rezerve',
    auction_id: null,
    reservation: { kind: 'İhale', source_id: auction.id, counterparty: { name: 'Girne Oto', phone: '+905338000002' } },
  });

  const winner = (dealer: Dealer) => dealer.get(`network-auctions/${auction.id}/winner`).then(dataOf);
  const seller = { account_id: a.accountId, name: 'Lefkoşa Oto', city: 'Lefkoşa' };
  const buyer = { account_id: b.accountId, name: 'Girne Oto', city: 'Girne' };
  expect(await winner(a)).toEqual({
    sold: true,
    amount: '9000.00',
    winner: { ...buyer, phone: '+905338000002' },
    seller,
    is_me: false,
  });
  expect(await winner(b)).toEqual({
    sold: true,
    amount: '9000.00',
    winner: buyer,
    seller: { ...seller, phone: '+905338000001' },
    is_me: true,
  });
  expect(await winner(c)).toEqual({ sold: true, amount: '9000.00', winner: { alias: 'Katılımcı 1' }, seller, is_me: false });

  const log = (await c.get(`network-auctions/${auction.id}/bids`)).json.data;
  expect(log.map(({ bid_seq }: { bid_seq: number }) => bid_seq)).toEqual([3, 2, 1]);
  expect(log.every(({ bidder }: { bidder: unknown }) => bidder === null)).toBe(true);
  expect(firstBroken(auction.id, log.toReversed())).toBeNull();
  expect(
    firstBroken(
      auction.id,
      log.toReversed().map((one: object, at: number) => (at === 1 ? { ...one, amount: '8200.00' } : one)),
    ),
  ).toBe(2);
  expect((await a.get(`network-auctions/${auction.id}/bids`)).json.data.map(({ bidder }: never) => bidder)).toEqual([
    { ...buyer, phone: '+905338000002' },
    null,
    { ...buyer, phone: '+905338000002' },
  ]);

  const [receivedA, receivedB, receivedC] = [
    await listeners[0]!.received(),
    await listeners[1]!.received(),
    await listeners[2]!.received(),
  ];
  const bids = { 'network_auction.bid_placed': 3, 'network_auction.extended': 1, 'network_auction.ended': 1 };
  expect(counted(receivedA)).toMatchObject({
    ...bids,
    'network_auction.created': 1,
    'vehicle.reserved': 1,
    'vehicle.status_changed': 2,
  });
  expect(counted(receivedB)).toMatchObject({ ...bids, 'network_auction.outbid': 1, 'network_auction.won': 1 });
  expect(counted(receivedC)).toEqual({
    ...bids,
    'network_auction.bid_placed': 2,
    'network_auction.outbid': 1,
    'network_auction.lost': 1,
  });
  const placed = receivedC.filter(({ type }) => type === 'network_auction.bid_placed').map(({ data }) => data.object);
  expect(
    placed.map(({ bid, current_bid, am_i_leading, reserve_met }) => [bid.amount, current_bid, am_i_leading, reserve_met]),
  ).toEqual([
    ['8100.00', '8100.00', true, false],
    ['9000.00', '9000.00', false, true],
  ]);
  expect(JSON.stringify(receivedC)).not.toContain(b.accountId);
  expect(JSON.stringify([receivedB, receivedC])).not.toContain('"reserve_price":"');

  dataOf(await a.patch(`vehicles/${car}`, { status: 'Stokta' }));
  expect(dataOf(await b.get(`network-auctions/${auction.id}`))).toMatchObject({ status: 'Bitti', result: 'Bozuldu' });
  expect([await winner(a), await winner(b)]).toEqual([
    { sold: false, amount: '9000.00', winner: buyer, seller, is_me: false },
    { sold: false, amount: '9000.00', winner: buyer, seller, is_me: true },
  ]);
});
