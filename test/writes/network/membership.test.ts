// Bids and offers need a membership that is not cancelled, and a suspended dealer gets no lot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveRequest } from '../../../src/domain/auctions/auction-request-writes.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { aBidder, aLot, anEvent, asPlatform, bid, putUp } from '../../support/auctions.ts';
import { carOf, dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';
import { offer, publish } from './network.ts';

let api: TestService;
let admin: Session;
let [seller, buyer]: Dealer[] = [];
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  [seller, buyer] = [await aBidder(api), await aBidder(api)];
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

test('a cancelled membership refuses new bids and offers, and keeps existing ones', async () => {
  const [auction, listed] = [await putUp(api, seller!), await publish(seller!)];
  dataOf(await bid(buyer!, auction, '8000.00'));
  const made = await offer(buyer!, listed.listing, '9000.00');
  await admin.rows(`update memberships set status = 'İptal' where account_id = $1`, [buyer!.accountId]);
  const other = await publish(seller!);
  const verdicts = [
    await bid(buyer!, auction, '9000.00'),
    await buyer!.post('network-offers', { listing_id: other.listing, amount: '9000.00' }),
    await buyer!.post('trade-requests', { offered_vehicle_id: await carOf(buyer!), requested_listing_id: other.listing }),
  ].map(verdictOf);
  expect(verdicts).toEqual(['403 membership_cancelled', '403 membership_cancelled', '403 membership_cancelled']);
  expect(dataOf(await buyer!.get(`network-offers/${made.id}`)).status).toBe('Beklemede');
  expect(dataOf(await seller!.get(`network-auctions/${auction.id}`)).current_bid).toBe('8000.00');
});

test('after the membership is cancelled no lot is bid on and no offer is countered, by either side', async () => {
  const [operator, owner, bidder] = [await aBidder(api), await aBidder(api), await aBidder(api)];
  const lot = await aLot(api, owner, await anEvent(api, operator));
  dataOf(await operator.post(`live-auctions/lots/${lot.id}/start`));
  const lotBid = (amount: string) => bidder.post(`live-auctions/lots/${lot.id}/bid`, { amount });
  const cancel = ({ accountId }: Dealer, status: string) =>
    admin.rows('update memberships set status = $2 where account_id = $1', [accountId, status]);
  const [first, second] = [await publish(owner), await publish(owner)];
  const toOwner = await offer(bidder, first.listing, '9000.00');
  const answered = await offer(bidder, second.listing, '9000.00');
  const toBidder = dataOf(await owner.post(`network-offers/${answered.id}/counter`, { amount: '9900.00' }));
  const counter = (dealer: Dealer, { id }: Shown) => dealer.post(`network-offers/${id}/counter`, { amount: '9500.00' });
  for (const dealer of [owner, bidder]) await cancel(dealer, 'İptal');
  const verdicts = [await lotBid('8000.00'), await counter(owner, toOwner), await counter(bidder, toBidder)];
  expect(verdicts.map(verdictOf)).toEqual(Array(3).fill('403 membership_cancelled'));
  expect(dataOf(await operator.get(`live-auctions/lots/${lot.id}`))).toMatchObject({ bid_count: 0, current_bid: null });
  // The lot of a cancelled member was put up before: others can still bid on it.
  const other = await aBidder(api);
  expect(dataOf(await other.post(`live-auctions/lots/${lot.id}/bid`, { amount: '8000.00' }))).toMatchObject({
    bid: { bid_seq: 1 },
  });
  for (const dealer of [owner, bidder]) await cancel(dealer, 'Aktif');
  expect([await lotBid('8100.00'), await counter(owner, toOwner)].map(({ status }) => status)).toEqual([201, 201]);
});

test('refuses to approve an auction request of a suspended dealer', async () => {
  const event = await anEvent(api, buyer!);
  const request = dataOf(await seller!.post('auction-requests', { vehicle_id: await carOf(seller!), start_price: '8000.00' }));
  const approve = () => asPlatform(api, seller!.accountId, (work) => approveRequest(work, request.id, { event_id: event.id }));
  await admin.rows(`update accounts set status = 'Askıda' where id = $1`, [seller!.accountId]);
  await expect(approve()).rejects.toMatchObject({ code: 'account_suspended' });
  await admin.rows(`update accounts set status = 'Aktif' where id = $1`, [seller!.accountId]);
  expect((await approve()).status).toBe('Onaylandı');
});
