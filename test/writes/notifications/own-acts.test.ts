// Dealers are never notified of their own actions; the other party is, also of a vehicle that is no longer held for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addNotification, NOTIFICATION_KINDS } from '../../../src/domain/notifications/notification.ts';
import { SYSTEM } from '../../../src/domain/writes/write.ts';
import type { Actor } from '../../../src/kit/work.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { aBidder, aLot, anEvent, bid, putUp } from '../../support/auctions.ts';
import { dataOf } from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let admin: Session;
let [seller, bidder, loser]: Dealer[] = [];
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  [seller, bidder, loser] = [await aBidder(api), await aBidder(api), await aBidder(api)];
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const notificationsOf = async ({ accountId }: Dealer, id: string): Promise<string[]> =>
  (
    await admin.rows<{ kind: string }>('select kind from notifications where account_id = $1 and resource_id = $2 order by id', [
      accountId,
      id,
    ])
  ).map(({ kind }) => kind);

const OWN: Actor[] = [
  { type: 'api_key', name: 'Site' },
  { type: 'panel', name: 'a@example.com', role: 'owner' },
];
const OTHERS: Actor[] = [SYSTEM, { type: 'cli', name: 'galeri' }, { type: 'panel', name: 'b@example.com', role: 'admin' }];

test.each(NOTIFICATION_KINDS)('%s is not created by the dealer’s own action', async (kind) => {
  const count = async (actor: Actor): Promise<number> => {
    const account = { id: seller!.accountId, timezone: 'Asia/Famagusta' };
    const words = { title: { en: 'x', tr: 'x' }, body: { en: 'x', tr: 'x' } };
    const id = await api.service.parts.writer.write({ dataSet: account.id, account, actor, now: api.clock.now() }, (work) =>
      addNotification(work, { kind, ...words }),
    );
    return (await admin.rows('select from notifications where id = $1', [id])).length;
  };
  for (const actor of OWN) expect(await count(actor)).toBe(0);
  for (const actor of OTHERS) expect(await count(actor)).toBe(1);
});

test('a seller who ends an auction is not notified; the winner and the loser are', async () => {
  const auction = await putUp(api, seller!);
  dataOf(await bid(loser!, auction, '8000.00'));
  dataOf(await bid(bidder!, auction, '8100.00'));
  dataOf(await seller!.post(`network-auctions/${auction.id}/end`, { award: true }));
  expect(await notificationsOf(seller!, auction.id)).toEqual([]);
  expect((await notificationsOf(bidder!, auction.id)).at(-1)).toBe('network_auction.won');
  expect((await notificationsOf(loser!, auction.id)).at(-1)).toBe('network_auction.lost');
  const kinds = await admin.rows<{ kind: string }>('select kind from events where account_id = $1 and resource_id = $2', [
    seller!.accountId,
    auction.id,
  ]);
  expect(kinds.map(({ kind }) => kind)).not.toContain('network_auction.lost');

  dataOf(await seller!.patch(`vehicles/${auction.vehicle_id}`, { status: 'Stokta' }));
  expect(await notificationsOf(seller!, auction.id)).toEqual([]);
  expect((await notificationsOf(bidder!, auction.id)).at(-1)).toBe('network_auction.fell_through');
  expect(await notificationsOf(loser!, auction.id)).not.toContain('network_auction.fell_through');
});

test('an operator who sells a lot is not notified; a winner is notified when the vehicle is released', async () => {
  const event = await anEvent(api, seller!);
  const lot = await aLot(api, seller!, event);
  dataOf(await seller!.post(`live-auctions/lots/${lot.id}/start`));
  dataOf(await bidder!.post(`live-auctions/lots/${lot.id}/bid`, { amount: '8000.00' }));
  dataOf(await seller!.post(`live-auctions/lots/${lot.id}/end`));
  expect((await notificationsOf(seller!, lot.id)).filter((kind) => kind !== 'live_lot.bid_placed')).toEqual([]);
  expect(await notificationsOf(bidder!, lot.id)).toEqual(['live_lot.won']);
  dataOf(await seller!.patch(`vehicles/${lot.vehicle_id}`, { status: 'Stokta' }));
  expect(await notificationsOf(bidder!, lot.id)).toEqual(['live_lot.won', 'live_lot.fell_through']);
});
