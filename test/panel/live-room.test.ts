// The live room: every bid reaches every spectator once, also over a cut connection and from another node; access is checked; and
// no dealer's private data is sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPosition, readRooms } from '../../src/domain/auctions/live-room.ts';
import { roomWatchOf } from '../../src/panel/auctions/room-watch.ts';
import { aBidder, aLot, anEvent, withoutCapability } from '../support/auctions.ts';
import { dataOf, type Shown } from '../support/books.ts';
import { until } from '../support/patience.ts';
import { isRedisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';
import { openRoom, type Room } from './room.ts';

interface House {
  readonly api: TestService;
  readonly operator: Dealer;
  readonly seller: Dealer;
  readonly b: Dealer;
  readonly c: Dealer;
}

async function house(api: TestService): Promise<House> {
  await openAll(api);
  const named = (name: string) => aBidder(api, { name });
  const [operator, seller] = [await named('Müzayede Evi'), await named('Satıcı Oto')];
  return { api, operator, seller, b: await named('Bilinmez Oto'), c: await named('Cevher Motor') };
}

const start = async ({ operator }: House, { id }: Shown) => dataOf(await operator.post(`live-auctions/lots/${id}/start`));
const offer = async (dealer: Dealer, { id }: Shown, amount: string) =>
  dataOf(await dealer.post(`live-auctions/lots/${id}/bid`, { amount }));
const hammer = async ({ operator }: House, { id }: Shown) => dataOf(await operator.post(`live-auctions/lots/${id}/end`, {}));
const person = async (api: TestService, { accountId }: Dealer, role: 'owner' | 'viewer' = 'owner'): Promise<Browser> =>
  signedIn(api, await newPerson(api, { accountId, role }));

async function inRoom(browser: Browser, { id }: Shown, lastEventId?: string): Promise<Room> {
  const room = await openRoom(browser, id, lastEventId);
  if (room.status === 200) await until(() => room.messages.length > 0);
  return room;
}

let here: House;
beforeAll(async () => {
  here = await house(await testService());
});
afterAll(() => here?.api.close());

test('sends events to everyone in the room, in order; private ones only to their dealer', async () => {
  const { api, operator, seller, b, c } = here;
  const event = await anEvent(api, operator);
  const lot = await aLot(api, seller, event, { reserve_price: '8765.00' });
  const [asB, asC, asSeller] = [await person(api, b), await person(api, c), await person(api, seller)];
  const rooms = [await inRoom(asB, event), await inRoom(asC, event), await inRoom(asSeller, event)];
  const [ofB, ofC] = rooms as [Room, Room, Room];
  expect(ofB.messages[0]).toMatchObject({
    event: { status: 'Planlandı', lot_count: 1, current_lot_id: null, next_lot_id: lot.id },
    lot: { id: lot.id, status: 'Sırada', next_min_bid: '8000.00', has_reserve: true, reserve_met: false, call: 0 },
    bids: [],
    is_fresh: true,
  });
  await start(here, lot);
  await offer(b, lot, '8000.00');
  await offer(c, lot, '8300.00');
  await offer(b, lot, '8800.00');
  await hammer(here, lot);
  for (const room of rooms) await until(() => room.messages.at(-1)!.lot!.status === 'Satıldı');
  for (const room of rooms) {
    expect(room.seen()).toEqual([1, 2, 3].map((seq) => `${lot.id}.${seq}`));
    expect(room.messages.at(-1)!.lot).toMatchObject({ current_bid: '8800.00', leader_alias: 'Katılımcı 1', next_min_bid: null });
  }
  expect(ofB.standings.at(-1)).toEqual({ lot_id: lot.id, alias: 'Katılımcı 1', highest_bid: '8800.00' });
  expect(ofC.standings.at(-1)).toEqual({ lot_id: lot.id, alias: 'Katılımcı 2', highest_bid: '8300.00' });
  expect(rooms[2]!.standings).toEqual([]);
  const facts = ['8765.00', b.accountId, c.accountId, seller.accountId, 'Bilinmez', 'Cevher', 'Satıcı', '+90533'];
  for (const room of rooms) expect(facts.filter((fact) => room.text().includes(fact))).toEqual([]);
  await Promise.all(rooms.map((room) => room.close()));
});

describe('resuming', () => {
  test('over a cut connection and over lots sold and opened in between loses nothing and repeats nothing', async () => {
    const { api, operator, seller, b, c } = here;
    const event = await anEvent(api, operator);
    const lots = [await aLot(api, seller, event), await aLot(api, seller, event), await aLot(api, seller, event)];
    const browser = await person(api, c, 'viewer');
    const early = await inRoom(browser, event);
    const beforeAll = early.lastId();
    await start(here, lots[0]!);
    await offer(b, lots[0]!, '8000.00');
    await offer(c, lots[0]!, '8100.00');
    await until(() => early.seen().length === 2);
    const left = early.lastId();
    await early.close();
    await offer(b, lots[0]!, '8200.00');
    await hammer(here, lots[0]!);
    await start(here, lots[1]!);
    await hammer(here, lots[1]!);
    await start(here, lots[2]!);
    await offer(c, lots[2]!, '8000.00');
    const late = await inRoom(browser, event, left);
    await until(() => late.seen().length === 2);
    await offer(b, lots[2]!, '8100.00');
    await until(() => late.seen().length === 3);
    const all = [...[1, 2, 3].map((seq) => `${lots[0]!.id}.${seq}`), ...[1, 2].map((seq) => `${lots[2]!.id}.${seq}`)];
    expect([...early.seen(), ...late.seen()]).toEqual(all);
    expect(late.messages.every(({ is_fresh }) => !is_fresh)).toBe(true);
    // From before the first lot everything follows; an invalid position starts from the beginning.
    const [whole, fresh] = [await inRoom(browser, event, beforeAll), await inRoom(browser, event, `${event.id}.4`)];
    expect(whole.seen()).toEqual(all);
    expect(fresh.messages[0]!.is_fresh).toBe(true);
    expect(fresh.seen()).toEqual(all.slice(3));
    await Promise.all([late.close(), whole.close(), fresh.close()]);
    // More than fits in one message: the next continues after it.
    const paged: string[] = [];
    let since = readPosition(beforeAll)!;
    for (let hasMore = true; hasMore; ) {
      const [room] = await api.database.onPlatform('read', (db) => readRooms(db, [{ eventId: event.id, since }], 2));
      paged.push(...room!.message.bids.map(({ lot_id, bid_seq }) => `${lot_id}.${bid_seq}`));
      expect(room!.message.bids.length).toBeLessThanOrEqual(2);
      ({ hasMore, position: since } = room!);
    }
    expect(paged).toEqual(all);
  });
});

test('the auctioneer’s call refers to the leading bid, and ends with the next one', async () => {
  const { api, operator, seller, b, c } = here;
  const event = await anEvent(api, operator);
  const lot = await aLot(api, seller, event);
  const [auctioneer, bidder] = [await person(api, operator), await person(api, b)];
  const call = (browser: Browser, body: object) => browser.api(`live-auctions/lots/${lot.id}/call`, { method: 'POST', body });
  expect((await call(auctioneer, { call: 1, bid_count: 0 })).json.error.code).toBe('lot_not_open');
  await start(here, lot);
  const room = await inRoom(bidder, event);
  await offer(b, lot, '8000.00');
  expect((await call(auctioneer, { call: 1, bid_count: 0 })).json.data.call).toBe(0);
  expect((await call(auctioneer, { call: 2, bid_count: 1 })).json.data).toEqual({ lot_id: lot.id, bid_count: 1, call: 2 });
  expect((await call(bidder, { call: 1, bid_count: 1 })).json.error.code).toBe('not_operator');
  await until(() => room.messages.at(-1)!.lot!.call === 2);
  await offer(c, lot, '8100.00');
  await until(() => room.messages.at(-1)!.lot!.bid_count === 2);
  expect(room.messages.at(-1)!.lot!.call).toBe(0);
  await room.close();
});

describe('who may watch', () => {
  test('a dealer without the capability is refused; one who loses it is disconnected', async () => {
    const { api, operator } = here;
    const event = await anEvent(api, operator);
    const [without, losing] = [await aBidder(api), await aBidder(api)];
    const watching = await inRoom(await person(api, losing), event);
    await withoutCapability(api, without, 'live_auctions');
    await withoutCapability(api, losing, 'live_auctions');
    const refused = await (await person(api, without)).api(`live-auctions/${event.id}/room`);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'capability_not_enabled']);
    await watching.ended;
  });

  test('an unknown event returns 404', async () => {
    const { api, b } = here;
    const answer = await (await person(api, b)).api(`live-auctions/${crypto.randomUUID()}/room`);
    expect(answer.status).toBe(404);
  });
});

test('a hundred spectators cost one read per change, not a hundred', async () => {
  const { api, operator, seller, b, c } = here;
  const event = await anEvent(api, operator);
  const lot = await aLot(api, seller, event);
  await start(here, lot);
  const rooms: Room[] = [];
  for (let account = 0; account < 4; account += 1) {
    const dealer = await aBidder(api);
    for (let count = 0; count < 5; count += 1) {
      const browser = await person(api, dealer);
      rooms.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => inRoom(browser, event)))));
    }
  }
  expect(roomWatchOf(api.database, () => {}, api.service.parts.log).followers()).toBe(100);
  const platform = api.database.onPlatform;
  let reads = 0;
  (api.database as { onPlatform: typeof platform }).onPlatform = (access, work) => {
    if (access === 'read') reads += 1;
    return platform(access, work);
  };
  const before = performance.now();
  for (let count = 0; count < 10; count += 1) await offer(count % 2 === 0 ? b : c, lot, `${8000 + count * 100}.00`);
  for (const room of rooms) await until(() => room.seen().length === 10);
  const seconds = (performance.now() - before) / 1000;
  (api.database as { onPlatform: typeof platform }).onPlatform = platform;
  // At most ten reads a second; sessions of all streams are checked in one query every three seconds; the rest is the API's own.
  expect(reads).toBeLessThan(20 + 12 * seconds);
  await Promise.all(rooms.map((room) => room.close()));
});

describe.skipIf(isRedisMissing())('several nodes', () => {
  let redis: TestRedis;
  let other: TestService;
  let first: House;
  beforeAll(async () => {
    redis = await startRedis();
    const env = { REDIS_URL: redis.url };
    first = await house(await testService({ env }));
    other = await testService({ env, shared: first.api });
  });
  afterAll(async () => {
    await other?.close();
    await first?.api.close();
    await redis?.stop();
  });

  test('a bid on one node is seen on the other, and a view resumes there', async () => {
    const { api, operator, seller, b, c } = first;
    const event = await anEvent(api, operator);
    const lot = await aLot(api, seller, event);
    await start(first, lot);
    const someone = await newPerson(api, { accountId: c.accountId });
    const room = await inRoom(await signedIn(other, someone), event);
    await offer(b, lot, '8000.00');
    await until(() => room.seen().length === 1);
    await room.close();
    await offer(c, lot, '8100.00');
    const moved = await inRoom(await signedIn(api, someone), event, room.lastId());
    await until(() => moved.seen().length === 1);
    expect([...room.seen(), ...moved.seen()]).toEqual([`${lot.id}.1`, `${lot.id}.2`]);
    await moved.close();
  });
});
