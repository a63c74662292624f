// Bids of simulated dealers: the last two digits of the start price, or of the dealer's own bid, decide them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtAuction, type SeenAuction } from '../../../src/domain/auctions/network-auction.ts';
import { bidInAuction, createAuction, endEarly } from '../../../src/domain/auctions/network-auction-writes.ts';
import { NO_LINKS } from '../../../src/domain/parties/vehicle-card.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { sql } from '../../../src/kit/sql.ts';
import type { Work } from '../../../src/kit/work.ts';
import { actsOf, addCar, DAY, eventsOf, failuresIn, HOUR, minor, type TestWorld, testWorld } from './people-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(async () => {
  expect(await failuresIn(world)).toEqual([]);
  await world.close();
});

const LENGTH = 4 * HOUR;
const SECOND = 1000;
const noLinks = () => {
  throw new Error('no links here');
};

const auction = async (work: Work, start: string, overrides: { step?: string; startsIn?: number } = {}) => {
  const starts = new Date(world.now().getTime() + (overrides.startsIn ?? 0));
  const body = {
    vehicle_id: await addCar(work),
    start_price: minor(start),
    min_increment: minor(overrides.step ?? '100.00'),
    starts_at: starts,
    ends_at: new Date(starts.getTime() + LENGTH),
  };
  return (await createAuction(work, body, noLinks as never)).id;
};

const seen = (id: string, dealer = world.id): Promise<SeenAuction> =>
  world.writer.database.inTenant(dealer, 'read', (db) => lookAtAuction(db, id));

/** Alias and amount of each bid, and the seconds from the original end to it. */
const bidsIn = async (id: string): Promise<[string, string, number][]> => {
  const { original_ends_at } = await seen(id);
  const bids = await world.admin.rows<{ alias_no: number; amount_minor: bigint; placed_at: Date }>(
    'select alias_no, amount_minor, placed_at from auction_bids where item_id = $1 order by bid_seq',
    [id],
  );
  return bids.map(({ alias_no, amount_minor, placed_at }) => [
    `${alias_no}`,
    formatMoney(amount_minor),
    Math.round((placed_at.getTime() - original_ends_at.getTime()) / SECOND),
  ]);
};

const ENDED = LENGTH + HOUR;

describe('the dealer’s own auction', () => {
  test('.01: no one bids', async () => {
    const id = await world.write((work) => auction(work, '8000.01'));
    await world.pass(ENDED);
    expect(await seen(id)).toMatchObject({ status: 'Bitti', result: 'Satılmadı', bid_count: 0 });
  });

  test('.02: one bidder bids the start price', async () => {
    const id = await world.write((work) => auction(work, '8000.02'));
    await world.pass(ENDED);
    expect(await bidsIn(id)).toEqual([['1', '8000.02', -3 * 3600]]);
    expect(await seen(id)).toMatchObject({ status: 'Bitti', result: 'Satıldı' });
  });

  test('.03: two bidders up to 120 %, the last bid 20 seconds before the end, which moves', async () => {
    const id = await world.write((work) => auction(work, '8000.03'));
    await world.pass(ENDED);
    expect(await bidsIn(id)).toEqual([
      ['1', '8000.03', -3 * 3600],
      ['2', '8800.03', -2 * 3600],
      ['1', '9600.03', -20],
    ]);
    const { ends_at, original_ends_at, ...rest } = await seen(id);
    expect(rest).toMatchObject({ status: 'Bitti', result: 'Satıldı', extension_count: 1 });
    expect(ends_at.getTime() - original_ends_at.getTime()).toBe(100 * SECOND);
    expect(await eventsOf(world, id)).toEqual([
      'network_auction.created',
      'network_auction.bid_placed',
      'network_auction.bid_placed',
      'network_auction.bid_placed',
      'network_auction.extended',
      'network_auction.ended',
    ]);
  });

  test('every other price: two bidders up to 110 %', async () => {
    const id = await world.write((work) => auction(work, '8000.00'));
    await world.pass(ENDED);
    expect((await bidsIn(id)).map(([who, amount]) => [who, amount])).toEqual([
      ['1', '8000.00'],
      ['2', '8400.00'],
      ['1', '8800.00'],
    ]);
  });

  test('no bidder goes beyond the limit if the increment is large', async () => {
    const id = await world.write((work) => auction(work, '8000.00', { step: '500.00' }));
    await world.pass(ENDED);
    expect((await bidsIn(id)).map(([, amount]) => amount)).toEqual(['8000.00', '8500.00']);
    expect((await actsOf(world, id)).map(({ outcome }) => outcome)).toEqual([null, null, 'limit_reached']);
  });

  test('bidders wait for the start of a scheduled auction', async () => {
    const id = await world.write((work) => auction(work, '8000.02', { startsIn: DAY }));
    expect(await actsOf(world, id)).toEqual([]);
    await world.pass(DAY + ENDED);
    expect(await bidsIn(id)).toEqual([['1', '8000.02', -3 * 3600]]);
  });

  test('bids after an early end are recorded as not possible', async () => {
    const id = await world.write((work) => auction(work, '8000.00'));
    await world.write((work) => endEarly(work, id, { award: false }, { linkTo: NO_LINKS, isDry: false }));
    await world.pass(ENDED);
    expect((await actsOf(world, id)).map(({ outcome }) => outcome)).toEqual(['auction_ended', 'auction_ended', 'auction_ended']);
  });
});

describe('a bid in the auction of a simulated dealer', () => {
  const bid = (id: string, amount: string) =>
    world.write((work) => bidInAuction(work, id, minor(amount), { linkTo: NO_LINKS, isDry: false }));
  const theirs = () => world.writeAs(world.dealers[0], (work) => auction(work, '8000.00'));

  test('.01 is outbid once, at once, by a dealer who is not the seller', async () => {
    const id = await theirs();
    await bid(id, '8000.01');
    expect(await seen(id)).toMatchObject({ is_leader: false, bid_count: 2, current_bid_minor: minor('8100.01') });
    expect(await seen(id, world.dealers[1])).toMatchObject({ is_leader: true });
    expect(await eventsOf(world, id)).toContain('network_auction.outbid');
    await bid(id, '8500.00');
    await world.pass(ENDED);
    expect(await seen(id)).toMatchObject({ status: 'Bitti', bid_count: 3, is_leader: true });
  });

  test('.02 is outbid in the last 30 seconds', async () => {
    const id = await theirs();
    await bid(id, '8000.02');
    await world.pass(LENGTH - HOUR);
    expect(await seen(id)).toMatchObject({ is_leader: true, bid_count: 1 });
    await world.pass(2 * HOUR);
    expect((await bidsIn(id)).at(-1)).toEqual(['2', '8100.02', -20]);
    expect(await seen(id)).toMatchObject({ status: 'Bitti', is_leader: false, extension_count: 1 });
  });

  test('.02 follows an end that has moved', async () => {
    const id = await theirs();
    const { ends_at } = await seen(id);
    await bid(id, '8000.02');
    // Another dealer and then the dealer bid in the last two minutes: the end moves after the first act was planned.
    await world.pass(ends_at.getTime() - world.now().getTime() - 100 * SECOND);
    await world.writeAs(world.dealers[2], (work) => bidInAuction(work, id, minor('8200.00'), { linkTo: NO_LINKS, isDry: false }));
    await bid(id, '8400.02');
    const moved = (await seen(id)).ends_at;
    expect(moved.getTime()).toBeGreaterThan(ends_at.getTime());
    await world.pass(HOUR);
    const last = await world.admin.rows<{ placed_at: Date; amount_minor: bigint }>(
      'select placed_at, amount_minor from auction_bids where item_id = $1 order by bid_seq desc limit 1',
      [id],
    );
    expect(last).toEqual([{ placed_at: new Date(moved.getTime() - 20 * SECOND), amount_minor: minor('8500.02') }]);
    expect((await actsOf(world, id)).map(({ outcome }) => outcome).toSorted()).toEqual(['not_leading', null]);
  });

  test('every other bid keeps the lead', async () => {
    const id = await theirs();
    await bid(id, '8000.00');
    await world.pass(ENDED);
    expect(await seen(id)).toMatchObject({ status: 'Bitti', result: 'Satıldı', is_leader: true, bid_count: 1 });
  });

  test('a dry run plans nothing', async () => {
    const id = await theirs();
    const dry = world.write(async (work) => {
      await bidInAuction(work, id, minor('8000.01'), { linkTo: NO_LINKS, isDry: true });
      await work.db.exec(sql`select`);
      throw new Error('rolled back');
    });
    await expect(dry).rejects.toThrow('rolled back');
    expect(await actsOf(world, id)).toEqual([]);
  });
});
