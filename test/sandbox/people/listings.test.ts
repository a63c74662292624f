// Offers on the listings of the world's dealer: the last two digits of the price decide which ones come, and when.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeListing } from '../../../src/domain/marketplace/listing-writes.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { actsOf, addListing, DAY, failuresIn, HOUR, type TestWorld, testWorld } from './people-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(async () => {
  expect(await failuresIn(world)).toEqual([]);
  await world.close();
});

/** Amount and status of each offer, with the hours from publication to the offer. */
async function offersOn(listing: string): Promise<{ consumers: unknown[]; dealers: unknown[] }> {
  return world.writer.database.inTenant(world.id, 'read', async (db) => {
    const { at } = await db.one<{ at: Date }>(sql`select published_at as at from ${own('listings')} where id = ${listing}`);
    const hours = sql`round(extract(epoch from created_at - ${at}) / 3600)::int as hours`;
    const shown = sql`money_text(amount_minor) as amount, status, ${hours}`;
    const of = sql`listing_id = ${listing} order by created_at`;
    const consumers = await db.rows(sql`select ${shown}, buyer_phone from ${own('marketplace_offers')} where ${of}`);
    return { consumers, dealers: await db.rows(sql`select ${shown}, buyer_id from ${own('network_offers')} where ${of}`) };
  });
}

const FIRST = { buyer_phone: '+905000000001' };
const SECOND = { buyer_phone: '+905000000002' };

test('.01: no one offers', async () => {
  const listing = await world.write((work) => addListing(work, '10000.01'));
  await world.pass(10 * DAY);
  expect(await offersOn(listing)).toEqual({ consumers: [], dealers: [] });
});

test('.02: a consumer offers 90 % after 1 hour', async () => {
  const listing = await world.write((work) => addListing(work, '10000.02'));
  await world.pass(HOUR / 2);
  expect(await offersOn(listing)).toEqual({ consumers: [], dealers: [] });
  await world.pass(HOUR);
  expect(await offersOn(listing)).toEqual({
    consumers: [{ amount: '9000.01', status: 'Beklemede', hours: 1, ...FIRST }],
    dealers: [],
  });
});

test('.03: three offers after 1, 2 and 3 days, one of them withdrawn', async () => {
  const listing = await world.write((work) => addListing(work, '10000.03'));
  await world.pass(2 * DAY + HOUR);
  expect((await offersOn(listing)).dealers).toMatchObject([{ amount: '9500.02', status: 'Beklemede', hours: 48 }]);
  await world.pass(DAY);
  expect(await offersOn(listing)).toEqual({
    consumers: [
      { amount: '9000.02', status: 'Beklemede', hours: 24, ...FIRST },
      { amount: '10000.03', status: 'Beklemede', hours: 72, ...SECOND },
    ],
    dealers: [{ amount: '9500.02', status: 'Geri Çekildi', hours: 48, buyer_id: world.dealers[0] }],
  });
});

test('every other price: a consumer offers it after 1 day', async () => {
  const listing = await world.write((work) => addListing(work, '10000.00'));
  await world.pass(DAY + HOUR);
  expect(await offersOn(listing)).toEqual({
    consumers: [{ amount: '10000.00', status: 'Beklemede', hours: 24, ...FIRST }],
    dealers: [],
  });
});

test('an offer on a listing that was closed is recorded as not possible', async () => {
  const listing = await world.write((work) => addListing(work, '10000.03'));
  await world.write((work) => closeListing(work, listing));
  await world.pass(4 * DAY);
  expect(await offersOn(listing)).toEqual({ consumers: [], dealers: [] });
  expect((await actsOf(world, listing)).map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['consumer_offer', 'listing_not_available'],
    ['dealer_offer', 'listing_not_available'],
    ['consumer_offer', 'listing_not_available'],
  ]);
});

test('a listing of a simulated dealer gets no offers', async () => {
  const listing = await world.writeAs(world.dealers[0], (work) => addListing(work, '10000.00'));
  await world.pass(2 * DAY);
  expect(await actsOf(world, listing)).toEqual([]);
});
