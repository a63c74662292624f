// The simulated side acts in its own world only, gives the same answers in every world, and loses nothing if it is interrupted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bidInAuction, createAuction } from '../../../src/domain/auctions/network-auction-writes.ts';
import { readOffer } from '../../../src/domain/network/offer.ts';
import { makeOffer } from '../../../src/domain/network/offer-writes.ts';
import { proposeTrade } from '../../../src/domain/network/trade-writes.ts';
import { NO_LINKS } from '../../../src/domain/parties/vehicle-card.ts';
import { askForTopup } from '../../../src/domain/wallet/topup.ts';
import { setNextTransition } from '../../../src/domain/writes/timed-transition.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import type { Work } from '../../../src/kit/work.ts';
import { WORLD_PEOPLE } from '../../../src/sandbox/people/people.ts';
import { WORLD_TRANSITIONS } from '../../../src/sandbox/world-transitions.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { actsOf, addCar, addListing, DAY, failuresIn, HOUR, minor, type TestWorld, testWorld } from './people-world.ts';

let base: TestDatabase;
let worlds: [TestWorld, TestWorld];
beforeAll(async () => {
  base = await testDatabase();
  worlds = [await testWorld({ base }), await testWorld({ base })];
});
afterAll(async () => {
  for (const world of worlds) {
    expect(await failuresIn(world)).toEqual([]);
    await world.close();
  }
  await base.close();
});

const noLinks = (() => ({})) as never;

async function auction(world: TestWorld, work: Work, start: string): Promise<string> {
  const body = { vehicle_id: await addCar(work), start_price: minor(start), min_increment: minor('50.00') };
  return (await createAuction(work, { ...body, ends_at: new Date(world.now().getTime() + 6 * HOUR) }, noLinks)).id;
}

/** One of everything. */
async function play(world: TestWorld): Promise<void> {
  for (const amount of ['9000.01', '9000.02', '9000.03', '9000.04', '9000.05', '9000.00']) {
    const listing_id = await world.writeAs(world.dealers[1], (work) => addListing(work));
    await world.write((work) => makeOffer(work, { listing_id, amount: minor(amount) }));
  }
  const requested_listing_id = await world.writeAs(world.dealers[2], (work) => addListing(work));
  await world.write(async (work) => {
    await proposeTrade(work, { offered_vehicle_id: await addCar(work), requested_listing_id, cash_difference: minor('100.05') });
    // Two listings of one write, whose offers come at the same time.
    for (const price of ['10000.03', '20000.03']) await addListing(work, price);
    await auction(world, work, '8000.03');
  });
  const theirs = await world.writeAs(world.dealers[0], (work) => auction(world, work, '7000.00'));
  for (const amount of ['7000.01', '7500.02'])
    await world.write((work) => bidInAuction(work, theirs, minor(amount), { linkTo: NO_LINKS, isDry: false }));
  for (const amount of ['100.01', '100.02', '100.00']) await world.write((work) => askForTopup(work, { amount: minor(amount) }));
  await world.pass(10 * DAY);
}

/** All events of the world's dealer: kind, amount and state, in order; without ids and times. */
async function eventsOfAll({ admin, id }: TestWorld): Promise<unknown[]> {
  const rows = await admin.rows<{ payload: string }>('select payload from events where account_id = $1 order by sequence', [id]);
  return rows.map(({ payload }) => {
    const { type, data } = JSON.parse(payload);
    const { amount, status, made_by, price, current_bid, bid_count } = data.object;
    return { type, amount, status, made_by, price, current_bid, bid_count };
  });
}

test('the same requests get the same answers in every world', async () => {
  for (const world of worlds) await play(world);
  const [one, other] = await Promise.all(worlds.map(eventsOfAll));
  expect(one!.length).toBeGreaterThan(50);
  expect(other).toEqual(one);
});

test('every dealer who took part is of the world', async () => {
  for (const { admin, id, dealers } of worlds) {
    const sides = await admin.rows<{ id: string }>(
      `select buyer_id as id from network_offers where account_id = $1 union select account_id from network_offers where buyer_id = $1
       union select b.account_id from auction_bids b join network_auctions a on a.id = b.item_id where a.account_id = any($2)
       union select dealer_id from sandbox_acts where account_id = $1 and dealer_id is not null`,
      [id, [id, ...dealers]],
    );
    expect(sides.map((side) => side.id).filter((side) => ![id, ...dealers].includes(side))).toEqual([]);
    expect(sides.length).toBeGreaterThan(2);
  }
});

test('production gets no answers', async () => {
  const [{ writer, owner, now, admin }] = worlds;
  const account = { id: owner, timezone: 'Asia/Famagusta' };
  await writer.write({ dataSet: owner, account, actor: { type: 'api_key', name: 'Key' }, now: now() }, async (work) => {
    await addListing(work, '10000.00');
    await askForTopup(work, { amount: minor('100.00') });
  });
  expect(await admin.rows('select from sandbox_acts where account_id = $1', [owner])).toEqual([]);
  expect(await admin.rows('select status from wallet_topups where account_id = $1', [owner])).toEqual([{ status: 'Beklemede' }]);
});

test('an answer that could not be given at once is given with the next transitions, and the write is not affected', async () => {
  const failing = { ...WORLD_PEOPLE, act: () => Promise.reject(new Error('stopped')) };
  const world = await testWorld({ base, people: failing });
  const listing_id = await world.writeAs(world.dealers[0], (work) => addListing(work));
  const id = await world.write((work) => makeOffer(work, { listing_id, amount: minor('9000.00') }));
  const offer = () => base.database.inTenant(world.id, 'read', (db) => readOffer(db, id, NO_LINKS));
  expect(await offer()).toMatchObject({ status: 'Beklemede' });
  expect(await actsOf(world, id)).toEqual([expect.objectContaining({ done_at: null })]);
  await world.pass(0);
  expect(await offer()).toMatchObject({ status: 'Kabul Edildi' });
  await world.close();
});

test('requests at the same time all get their answer before their reply', async () => {
  const [world] = worlds;
  const listings: string[] = [];
  for (const index of [0, 1, 2, 0, 1, 2]) listings.push(await world.writeAs(world.dealers[index]!, (work) => addListing(work)));
  const answers = await Promise.all(
    listings.map(async (listing_id) => {
      const id = await world.write((work) => makeOffer(work, { listing_id, amount: minor('9000.00') }));
      const { status } = await base.database.inTenant(world.id, 'read', (db) => readOffer(db, id, NO_LINKS));
      return { status, outcomes: (await actsOf(world, id)).map(({ outcome }) => outcome) };
    }),
  );
  expect(answers).toEqual(listings.map(() => ({ status: 'Kabul Edildi', outcomes: [null] })));
});

test('a refused write plans nothing', async () => {
  const [world] = worlds;
  const count = () => world.admin.rows('select id from sandbox_acts where account_id = $1', [world.id]);
  const before = (await count()).length;
  const refused = world.write(async (work) => {
    await addListing(work, '10000.00');
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(await count()).toHaveLength(before);
});

test('the next time of the data set includes the acts when it is computed again', async () => {
  const [world] = worlds;
  const listing = await world.write((work) => addListing(work, '10000.02'));
  const [act] = await actsOf(world, listing);
  await world.write((work) => setNextTransition(work.db, 'UTC', WORLD_TRANSITIONS));
  const { due } = await base.database.inTenant(world.id, 'read', (db) =>
    db.one<{ due: Date }>(sql`select next_due_at as due from ${own('data_sets')}`),
  );
  expect(due).toEqual(act!.due_at);
});
