// Bids and offers need a membership that is not cancelled, and a suspended dealer gets no lot.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveRequest } from '../../../src/domain/auctions/auction-request-writes.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { aBidder, anEvent, asPlatform, bid, putUp } from '../../support/auctions.ts';
import { carOf, dataOf, verdictOf } from '../../support/books.ts';
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

test('refuses to approve an auction request of a suspended dealer', async () => {
  const event = await anEvent(api, buyer!);
  const asked = dataOf(await seller!.post('auction-requests', { vehicle_id: await carOf(seller!), start_price: '8000.00' }));
  const approve = () => asPlatform(api, seller!.accountId, (work) => approveRequest(work, asked.id, { event_id: event.id }));
  await admin.rows(`update accounts set status = 'Askıda' where id = $1`, [seller!.accountId]);
  await expect(approve()).rejects.toMatchObject({ code: 'account_suspended' });
  await admin.rows(`update accounts set status = 'Aktif' where id = $1`, [seller!.accountId]);
  expect((await approve()).status).toBe('Onaylandı');
});
