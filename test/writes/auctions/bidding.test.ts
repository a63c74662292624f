// The rules of bidding through the API, beyond story S10: steps, the soft close, the reserve, dry runs, how a seller ends an
// auction, what happens to the vehicle, and who is excluded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstBroken } from '../../../src/domain/auctions/bid-rules.ts';
import { runTimedTransitions } from '../../../src/jobs/run-timed-transitions.ts';
import { newId } from '../../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../../src/kit/sql.ts';
import { openSession } from '../../../src/postgres/database.ts';
import { eventually } from '../../start/process.ts';
import { aBidder, asOfDemo, bid, HOUR, inFuture, putUp, withoutCapability } from '../../support/auctions.ts';
import { carOf, dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { moveClock } from '../../support/clock.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let [seller, b, c]: Dealer[] = [];
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T09:00:00Z' });
  await openAll(api);
  [seller, b, c] = [await aBidder(api), await aBidder(api), await aBidder(api)];
});
afterAll(() => api.close());

const seen = async (dealer: Dealer, { id }: Shown) => dataOf(await dealer.get(`network-auctions/${id}`));
const end = (dealer: Dealer, { id }: Shown, body: object) => dealer.post(`network-auctions/${id}/end`, body);
const at = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1000);

test('requires each bid to be a whole step above the last, to the cent', async () => {
  const auction = await putUp(api, seller!, { start_price: '1000.00', min_increment: '0.05' });
  expect(verdictOf(await bid(b!, auction, '999.99'))).toBe('409 bid_too_low');
  dataOf(await bid(b!, auction, '1000.00'));
  for (const amount of ['1000.00', '1000.04']) expect(verdictOf(await bid(c!, auction, amount))).toBe('409 bid_too_low');
  expect(dataOf(await bid(c!, auction, '1000.05')).auction).toMatchObject({ next_min_bid: '1000.10', bid_count: 2 });
  for (const amount of ['1000.105', '-5', '1e9', '']) expect(verdictOf(await bid(b!, auction, amount))).toMatch(/^422 /);
  // Jump bids are allowed: the API does not ask for confirmation.
  expect(dataOf(await bid(b!, auction, '99999999.99')).bid).toMatchObject({ bid_seq: 3, bidder_alias: 'Katılımcı 1' });
});

test('refuses a bid that would make the next one impossible: amounts have at most twelve digits', async () => {
  const most = '999999999999.99';
  const ask = async (fields: object) =>
    seller!.post('network-auctions', {
      vehicle_id: await carOf(seller!),
      start_price: '1.00',
      ends_at: inFuture(api, HOUR),
      ...fields,
    });
  const steep = await ask({ start_price: most, min_increment: '0.01' });
  expect([verdictOf(steep), steep.json.error.details[0].field]).toEqual(['422 validation_failed', 'min_increment']);
  const auction = await putUp(api, seller!, { start_price: '1.00', min_increment: '0.10' });
  const refused = await bid(b!, auction, most);
  expect([verdictOf(refused), refused.json.error.details[0].field]).toEqual(['422 validation_failed', 'amount']);
  expect(dataOf(await bid(b!, auction, '999999999999.89')).auction.next_min_bid).toBe(most);
  expect((await bid(c!, auction, most)).status).toBe(422);
  // A bid that was placed before this rule existed.
  const admin = await openSession(api.adminUrl);
  try {
    await admin.rows('set session_replication_role = replica');
    await admin.rows('update network_auctions set current_bid_minor = 99999999999999 where id = $1', [auction.id]);
  } finally {
    await admin.close();
  }
  expect(await seen(c!, auction)).toMatchObject({ current_bid: most, next_min_bid: null });
  expect((await bid(c!, auction, most)).status).toBe(422);
});

test('refuses an end time without a time zone and names the field', async () => {
  const vehicle_id = await carOf(seller!);
  const body = { vehicle_id, start_price: '1.00', min_increment: '1.00' };
  for (const ends_at of ['2026-03-04', '2026-03-04T12:00:00', '2026-03-04 12:00', '1772625600', 'tomorrow']) {
    const refused = await seller!.post('network-auctions', { ...body, ends_at });
    const [{ field, code }] = refused.json.error.details;
    expect([verdictOf(refused), field, code], ends_at).toEqual(['422 validation_failed', 'ends_at', 'invalid']);
  }
  const ends_at = inFuture(api, 2 * HOUR);
  expect(dataOf(await seller!.post('network-auctions', { ...body, ends_at })).ends_at).toBe(ends_at);
});

test('only an accepted bid in the last two minutes extends the end', async () => {
  const auction = await putUp(api, seller!);
  await moveClock(api, at(auction.ends_at, -125));
  expect(dataOf(await bid(b!, auction, '8000.00')).auction).toMatchObject({ ends_at: auction.ends_at, extension_count: 0 });
  await moveClock(api, at(auction.ends_at, -60));
  for (const [dealer, amount] of [
    [b!, '9000.00'],
    [c!, '8000.00'],
    [seller!, '9000.00'],
  ] as const)
    expect((await bid(dealer, auction, amount)).status).toBe(409);
  expect(dataOf(await bid(c!, auction, '8100.00', { 'x-dry-run': 'true' })).auction.extension_count).toBe(1);
  expect(await seen(c!, auction)).toMatchObject({ ends_at: auction.ends_at, extension_count: 0, bid_count: 1 });
  const moved = dataOf(await bid(c!, auction, '8100.00'));
  expect(moved.auction).toMatchObject({ extension_count: 1, ends_at: at(moved.bid.placed_at, 120).toISOString() });
  await moveClock(api, at(moved.auction.ends_at, -5));
  const again = dataOf(await bid(b!, auction, '8200.00'));
  expect(again.auction).toMatchObject({ extension_count: 2, original_ends_at: auction.ends_at });
});

test('ends unsold below the reserve without revealing the leader; a dry-run bid does not reveal the reserve', async () => {
  const car = await carOf(seller!);
  const auction = await putUp(api, seller!, { vehicle_id: car, reserve_price: '9000.00' });
  const preview = dataOf(await bid(b!, auction, '9500.00', { 'x-dry-run': 'true' }));
  expect(preview.auction).toMatchObject({ reserve_met: false, has_reserve: true, reserve_price: null });
  dataOf(await bid(b!, auction, '8999.99'));
  await moveClock(api, at(auction.ends_at, 1));
  await runTimedTransitions(api.service.parts.writer, api.clock.now());
  expect(await seen(c!, auction)).toMatchObject({ status: 'Bitti', result: 'Satılmadı', next_min_bid: null });
  const nothing = { sold: false, amount: null, winner: null, seller: null, is_me: false };
  for (const dealer of [seller!, b!, c!])
    expect(dataOf(await dealer.get(`network-auctions/${auction.id}/winner`))).toEqual(nothing);
  expect(dataOf(await seller!.get(`vehicles/${car}`))).toMatchObject({ status: 'Stokta', auction_id: null, reservation: null });
});

test('a seller can award early to a leader below the reserve, and can end unsold only while no bidder has a right to the vehicle', async () => {
  const met = await putUp(api, seller!, { reserve_price: '9000.00' });
  expect(verdictOf(await end(seller!, met, { award: true }))).toBe('409 no_bids');
  dataOf(await bid(b!, met, '8000.00'));
  expect(verdictOf(await end(b!, met, { award: true }))).toBe('403 not_seller');
  dataOf(await bid(c!, met, '9000.00'));
  expect(verdictOf(await end(seller!, met, { award: false }))).toBe('409 reserve_met_must_award');
  expect(dataOf(await end(seller!, met, { award: true }))).toMatchObject({ status: 'Bitti', result: 'Satıldı' });
  expect(verdictOf(await end(seller!, met, { award: true }))).toBe('409 auction_ended');
  const below = await putUp(api, seller!, { reserve_price: '9000.00' });
  dataOf(await bid(b!, below, '8000.00'));
  expect(dataOf(await end(seller!, below, { award: true }))).toMatchObject({ result: 'Satıldı', current_bid: '8000.00' });
});

test('the clock opens a scheduled auction, and cancelling it ignores `award`', async () => {
  const starts_at = inFuture(api, HOUR);
  const planned = await putUp(api, seller!, { starts_at, ends_at: inFuture(api, 3 * HOUR) });
  expect(planned.status).toBe('Planlandı');
  expect(verdictOf(await bid(b!, planned, '8000.00'))).toBe('409 auction_not_live');
  const other = await putUp(api, seller!, { starts_at, ends_at: inFuture(api, 3 * HOUR) });
  expect(dataOf(await end(seller!, other, { award: true }))).toMatchObject({ status: 'İptal', result: null });
  expect(verdictOf(await bid(b!, other, '8000.00'))).toBe('409 auction_ended');
  await moveClock(api, at(starts_at, 1));
  // No job has run: the first bid finds the auction open.
  expect(dataOf(await bid(b!, planned, '8000.00')).auction.status).toBe('Canlı');
});

test('a vehicle can be in one auction only, and returns to stock only when it ends', async () => {
  const car = await carOf(seller!);
  const auction = await putUp(api, seller!, { vehicle_id: car });
  const again = { vehicle_id: car, start_price: '1.00', min_increment: '1.00', ends_at: inFuture(api, 2 * HOUR) };
  expect(verdictOf(await seller!.post('network-auctions', again))).toBe('409 auction_exists');
  expect(verdictOf(await seller!.post('auction-requests', { vehicle_id: car, start_price: '1.00' }))).toBe('409 auction_exists');
  expect(verdictOf(await seller!.patch(`vehicles/${car}`, { status: 'Stokta' }))).toBe('409 invalid_transition');
  expect(verdictOf(await seller!.delete(`vehicles/${car}`))).toMatch(/^409 /);
  dataOf(await end(seller!, auction, { award: false }));
  expect(dataOf(await seller!.get(`vehicles/${car}`)).status).toBe('Stokta');
  expect(dataOf(await seller!.get(`vehicles/${car}/network-auction`)).id).toBe(auction.id);
  expect(verdictOf(await b!.get(`vehicles/${car}/network-auction`))).toBe('404 not_found');
});

test('fifty concurrent bids get one strictly rising order, and the hash chain is valid', async () => {
  const bidders = [b!, c!, await aBidder(api), await aBidder(api), await aBidder(api)];
  const auction = await putUp(api, seller!, { start_price: '100.00', min_increment: '10.00' });
  const bids = Array.from({ length: 50 }, (_, place) => bid(bidders[place % 5]!, auction, `${100 + place * 10}.00`));
  const answers = await Promise.all(bids);
  const accepted = answers.filter(({ status }) => status === 201);
  expect(answers.filter(({ status }) => status !== 201 && status !== 409).map(verdictOf)).toEqual([]);
  const log = (await b!.get(`network-auctions/${auction.id}/bids?limit=100`)).json.data.toReversed() as Shown[];
  expect(log).toHaveLength(accepted.length);
  expect(firstBroken(auction.id, log as never)).toBeNull();
  for (const [index, one] of log.entries()) {
    const last = log[index - 1];
    if (last === undefined) continue;
    expect(Number(one.amount)).toBeGreaterThanOrEqual(Number(last.amount) + 10);
    expect(one.bidder_alias).not.toBe(last.bidder_alias);
    expect(one.placed_at >= last.placed_at).toBe(true);
  }
  expect(await seen(b!, auction)).toMatchObject({ chain_head: log.at(-1)!.chain, current_bid: log.at(-1)!.amount });
});

test('a dealer without the network capability, or in the other network, has no access', async () => {
  const auction = await putUp(api, seller!);
  const outside = await aBidder(api);
  await withoutCapability(api, outside, 'dealer_network');
  for (const answer of [
    await outside.get('network-auctions'),
    await outside.get(`network-auctions/${auction.id}`),
    await bid(outside, auction, '8000.00'),
  ])
    expect(verdictOf(answer)).toBe('403 capability_not_enabled');
  await asOfDemo(api, [auction.id], async () => {
    expect(verdictOf(await b!.get(`network-auctions/${auction.id}`))).toBe('404 not_found');
    expect(verdictOf(await bid(b!, auction, '8000.00'))).toBe('404 not_found');
    const listed = (await b!.get('network-auctions?limit=100')).json.data.map(({ id }: Shown) => id);
    expect(listed).not.toContain(auction.id);
  });
});

test('other dealers see no bidder, plate, reserve or vehicle id', async () => {
  const named = await aBidder(api, { name: 'Gizli Teklifçi', phone: '+905339990001' });
  const car = await carOf(seller!, { plate: 'GZL 4711', chassis_no: 'CHASSIS4711' });
  const auction = await putUp(api, seller!, { vehicle_id: car, reserve_price: '91234.56' });
  dataOf(await bid(named, auction, '8000.00'));
  const shown: string[] = [];
  for (const path of ['', '/bids']) shown.push((await c!.get(`network-auctions/${auction.id}${path}`)).text);
  shown.push((await c!.get('network-auctions?limit=100')).text);
  for (const secret of ['Gizli Teklif', named.accountId, '9990001', 'GZL 4711', 'CHASSIS4711', '91234.56', car])
    expect(shown.join('\n'), secret).not.toContain(secret);
  expect((await seller!.get(`network-auctions/${auction.id}/bids`)).text).not.toContain(named.accountId);
});

test('a bid emits to each party only what it may know, in the same transaction and numbered in its own stream', async () => {
  const [d, other] = [await aBidder(api), await aBidder(api)];
  const car = await carOf(seller!);
  const auction = await putUp(api, seller!, { vehicle_id: car, reserve_price: '9000.00' });
  await moveClock(api, at(auction.ends_at, -60));
  dataOf(await bid(d, auction, '8000.00'));
  dataOf(await bid(other, auction, '9000.00'));
  const eventsFor = async ({ accountId }: Dealer) =>
    (
      await api.database.inTenant(accountId, 'read', (db) =>
        db.rows<{ sequence: bigint; payload: string }>(sql`select sequence, payload from ${own('events')}
          where resource_id = ${auction.id} and kind <> 'network_auction.created' order by sequence`),
      )
    ).map(({ sequence, payload }) => ({ ...JSON.parse(payload), stored: Number(sequence) }));
  const shown = (events: Shown[]) =>
    events.map(({ type, data: { object: o } }) => [
      type.slice(16),
      o.bid.amount,
      o.bid.is_mine,
      o.my_role,
      o.am_i_leading,
      o.my_highest_bid,
    ]);
  const [toSeller, toD, toOther] = [await eventsFor(seller!), await eventsFor(d), await eventsFor(other)];
  expect(shown(toSeller)).toEqual([
    ['bid_placed', '8000.00', false, 'seller', false, null],
    ['extended', '8000.00', false, 'seller', false, null],
    ['bid_placed', '9000.00', false, 'seller', false, null],
    ['extended', '9000.00', false, 'seller', false, null],
  ]);
  expect(shown(toD)).toEqual([
    ['bid_placed', '8000.00', true, 'bidder', true, '8000.00'],
    ['extended', '8000.00', true, 'bidder', true, '8000.00'],
    ['bid_placed', '9000.00', false, 'bidder', false, '8000.00'],
    ['outbid', '9000.00', false, 'bidder', false, '8000.00'],
    ['extended', '9000.00', false, 'bidder', false, '8000.00'],
  ]);
  expect(shown(toOther)).toEqual([
    ['bid_placed', '9000.00', true, 'bidder', true, '9000.00'],
    ['extended', '9000.00', true, 'bidder', true, '9000.00'],
  ]);
  for (const events of [toSeller, toD, toOther]) {
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ stored }) => stored));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const numbers = events.map(({ stored }) => stored);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
  }
  // The seller's event equals what GET returns to the seller, and the others' equal theirs.
  const ofSeller = toSeller.at(-1).data.object;
  const { server_time: _now, ...now } = await seen(seller!, auction);
  expect(ofSeller).toMatchObject({ ...now, vehicle_id: car, reserve_price: '9000.00', reserve_met: true });
  expect(toD.at(-1).data.object).toMatchObject({ vehicle_id: null, reserve_price: null, has_reserve: true, extension_count: 2 });
  expect(Object.keys(ofSeller)).toEqual([...Object.keys(await seen(seller!, auction)), 'bid']);
  const notes = (await d.get('notifications?limit=5')).json.data;
  expect(notes[0]).toMatchObject({ kind: 'network_auction.outbid', title: 'Peyiniz geçildi', resource_id: auction.id });
});

test('a bid locks its parties in the order of their ids, so that it cannot deadlock with other writes on several dealers', async () => {
  const auction = await putUp(api, seller!);
  dataOf(await bid(b!, auction, '8000.00'));
  dataOf(await bid(c!, auction, '8100.00'));
  const other = await openSession(api.adminUrl);
  try {
    const named = [seller!, b!, c!].map(({ accountId }) => `'${accountId}'`).join(', ');
    const sides = await other.rows<{ id: string }>(`select id from data_sets where id in (${named}) order by id`);
    await other.rows('begin');
    await other.rows(`select from data_sets where id = '${sides[1]!.id}' for update`);
    const waiting = bid(b!, auction, '8200.00');
    await eventually(async () => (await other.rows(`select from pg_stat_activity where wait_event_type = 'Lock'`)).length > 0);
    const free = await other.rows(`select id from data_sets where id in (${named}) order by id for update skip locked`);
    expect(free).toEqual([sides[1], sides[2]]);
    await other.rows('commit');
    dataOf(await waiting);
  } finally {
    await other.close();
  }
});

test('an event that would be too long carries only the id', async () => {
  const car = await carOf(seller!);
  const url = `https://example.com/${'a'.repeat(1900)}`;
  await api.database.inTenant(seller!.accountId, 'write', async (db) => {
    for (let place = 1; place <= 12; place += 1)
      await db.exec(sql`insert into vehicle_photos (account_id, id, vehicle_id, url, content_type, position)
        values (${theAccount}, ${newId()}, ${car}, ${`${url}${place}`}, 'image/jpeg', ${place})`);
  });
  const auction = await putUp(api, seller!, { vehicle_id: car });
  dataOf(await bid(b!, auction, '8000.00'));
  const [bidEvent] = await api.database.inTenant(b!.accountId, 'read', (db) =>
    db.rows<{ payload: string }>(sql`select payload from ${own('events')} where resource_id = ${auction.id}`),
  );
  expect(JSON.parse(bidEvent!.payload).data.object).toEqual({ id: auction.id });
});
