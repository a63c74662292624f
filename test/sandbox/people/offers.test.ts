// Offers and trade requests to simulated dealers: the last two digits of the amount decide the answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NetworkOffer, readOffer, readThread } from '../../../src/domain/network/offer.ts';
import { acceptOffer, counterOffer, makeOffer, withdrawOffer } from '../../../src/domain/network/offer-writes.ts';
import { readTrade, type TradeRequest } from '../../../src/domain/network/trade.ts';
import { cancelTrade, proposeTrade } from '../../../src/domain/network/trade-writes.ts';
import { NO_LINKS } from '../../../src/domain/parties/vehicle-card.ts';
import type { Work } from '../../../src/kit/work.ts';
import { actsOf, addCar, addListing, DAY, eventsOf, failuresIn, HOUR, minor, type TestWorld, testWorld } from './people-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(async () => {
  expect(await failuresIn(world)).toEqual([]);
  await world.close();
});

const read = <T>(ask: (work: Work['db']) => Promise<T>): Promise<T> => world.writer.database.inTenant(world.id, 'read', ask);
const offerNow = (id: string): Promise<NetworkOffer> => read((db) => readOffer(db, id, NO_LINKS));
const tradeNow = (id: string): Promise<TradeRequest> => read((db) => readTrade(db, id, NO_LINKS));

async function offer(amount: string): Promise<string> {
  const listing_id = await world.writeAs(world.dealers[0], (work) => addListing(work));
  return world.write((work) => makeOffer(work, { listing_id, amount: minor(amount) }));
}

describe('an offer to a simulated dealer', () => {
  test('.01 is rejected at once', async () => {
    const id = await offer('9000.01');
    expect(await offerNow(id)).toMatchObject({ status: 'Reddedildi', awaiting_me: false });
    expect(await eventsOf(world, id)).toEqual(['network_offer.created', 'network_offer.rejected']);
  });

  test('.02 is countered at once with 5 % more, and a counter-offer is answered by its own amount', async () => {
    const id = await offer('9000.02');
    const { thread } = await read((db) => readThread(db, id, NO_LINKS));
    expect(thread.map(({ amount, made_by, status }) => [amount, made_by, status])).toEqual([
      ['9000.02', 'buyer', 'Karşı Teklif'],
      ['9450.02', 'seller', 'Beklemede'],
    ]);
    // Their own counter-offer, which ends in .02 too, is not for them to answer.
    expect(await actsOf(world, thread[1]!.id)).toEqual([]);
    const again = await world.write((work) => counterOffer(work, thread[1]!.id, { amount: minor('9100.01') }));
    expect(await offerNow(again)).toMatchObject({ status: 'Reddedildi' });
  });

  test('the counter-offer of a simulated dealer waits for the dealer, who can accept it', async () => {
    const id = await offer('8000.02');
    const { thread } = await read((db) => readThread(db, id, NO_LINKS));
    expect(thread[1]).toMatchObject({ awaiting_me: true });
    await world.write((work) => acceptOffer(work, thread[1]!.id, {}));
    expect(await offerNow(thread[1]!.id)).toMatchObject({ status: 'Kabul Edildi' });
  });

  test('.03 is accepted after 1 day', async () => {
    const id = await offer('9000.03');
    await world.pass(DAY - HOUR);
    expect(await offerNow(id)).toMatchObject({ status: 'Beklemede' });
    await world.pass(2 * HOUR);
    expect(await offerNow(id)).toMatchObject({ status: 'Kabul Edildi' });
  });

  test('.04 is never answered and expires', async () => {
    const id = await offer('9000.04');
    expect(await actsOf(world, id)).toEqual([]);
    await world.pass(3 * DAY);
    expect(await offerNow(id)).toMatchObject({ status: 'Süresi Doldu', responded_at: null });
  });

  test('.05 is accepted at once and falls through after 2 days', async () => {
    const id = await offer('9000.05');
    expect(await offerNow(id)).toMatchObject({ status: 'Kabul Edildi' });
    await world.pass(2 * DAY - HOUR);
    expect(await offerNow(id)).toMatchObject({ status: 'Kabul Edildi' });
    await world.pass(2 * HOUR);
    expect(await offerNow(id)).toMatchObject({ status: 'Bozuldu' });
    expect(await eventsOf(world, id)).toEqual(['network_offer.created', 'network_offer.accepted', 'network_offer.fell_through']);
  });

  test('every other amount is accepted at once, for both sides', async () => {
    const id = await offer('9000.00');
    expect(await offerNow(id)).toMatchObject({ status: 'Kabul Edildi', seller: { phone: '+905330000000' } });
    expect(await eventsOf(world, id, world.dealers[0])).toEqual(['network_offer.created', 'network_offer.accepted']);
  });

  test('an answer to an offer that was withdrawn is recorded as not possible', async () => {
    const [id, other] = [await offer('9000.03'), await offer('9500.03')];
    await world.write((work) => withdrawOffer(work, id));
    await world.pass(DAY + HOUR);
    expect(await offerNow(id)).toMatchObject({ status: 'Geri Çekildi' });
    expect(await actsOf(world, id)).toEqual([expect.objectContaining({ outcome: 'offer_closed', done_at: expect.any(Date) })]);
    expect(await offerNow(other)).toMatchObject({ status: 'Kabul Edildi' });
  });

  test('a counter-offer to a simulated buyer falls through on the dealer’s own car', async () => {
    const listing_id = await world.write((work) => addListing(work, '10000.01'));
    const theirs = await world.writeAs(world.dealers[1], (work) => makeOffer(work, { listing_id, amount: minor('8000.00') }));
    expect(await offerNow(theirs)).toMatchObject({ status: 'Beklemede', awaiting_me: true });
    const mine = await world.write((work) => counterOffer(work, theirs, { amount: minor('9500.05') }));
    expect(await offerNow(mine)).toMatchObject({ status: 'Kabul Edildi', my_role: 'seller' });
    await world.pass(2 * DAY + HOUR);
    expect(await offerNow(mine)).toMatchObject({ status: 'Bozuldu' });
  });
});

async function trade(cash_difference: string): Promise<string> {
  const requested_listing_id = await world.writeAs(world.dealers[0], (work) => addListing(work));
  return world.write(async (work) => {
    const offered_vehicle_id = await addCar(work);
    return proposeTrade(work, { offered_vehicle_id, requested_listing_id, cash_difference: minor(cash_difference) });
  });
}

describe('a trade request to a simulated dealer', () => {
  test.each([
    ['500.01', 'Bu takası yapamayız.'],
    ['500.02', '525,02 STG fark isteriz.'],
    ['-500.02', '-475,02 STG fark isteriz.'],
  ])('with a difference of %s is rejected at once: %s', async (difference, reject_reason) => {
    const id = await trade(difference);
    expect(await tradeNow(id)).toMatchObject({ status: 'Reddedildi', reject_reason });
  });

  test('.03 is accepted after 1 day', async () => {
    const id = await trade('500.03');
    expect(await tradeNow(id)).toMatchObject({ status: 'Beklemede' });
    await world.pass(DAY + HOUR);
    expect(await tradeNow(id)).toMatchObject({ status: 'Kabul Edildi' });
  });

  test('.04 is never answered and expires', async () => {
    const id = await trade('500.04');
    await world.pass(3 * DAY);
    expect(await tradeNow(id)).toMatchObject({ status: 'Süresi Doldu' });
  });

  test('.05 is accepted at once and falls through after 2 days', async () => {
    const id = await trade('500.05');
    expect(await tradeNow(id)).toMatchObject({ status: 'Kabul Edildi' });
    await world.pass(2 * DAY + HOUR);
    expect(await tradeNow(id)).toMatchObject({ status: 'Bozuldu' });
  });

  test('every other difference is accepted at once', async () => {
    expect(await tradeNow(await trade('0.00'))).toMatchObject({ status: 'Kabul Edildi' });
  });

  test('an answer to a request that was withdrawn is recorded as not possible', async () => {
    const id = await trade('500.03');
    await world.write((work) => cancelTrade(work, id));
    await world.pass(DAY + HOUR);
    expect(await tradeNow(id)).toMatchObject({ status: 'İptal' });
    expect(await actsOf(world, id)).toEqual([expect.objectContaining({ outcome: 'request_closed' })]);
  });
});
