// What the platform of a world decides: top-ups and auction requests, by the last two digits of the amount; and what it charges.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showRequest } from '../../../src/domain/auctions/auction-request.ts';
import { askForAuction, editRequest, withdrawRequest } from '../../../src/domain/auctions/auction-request-writes.ts';
import { lookAtEvent } from '../../../src/domain/auctions/live-event.ts';
import { planEvent } from '../../../src/domain/auctions/live-event-writes.ts';
import { buyBoost } from '../../../src/domain/boosts/boost-order-writes.ts';
import { BOOST_PACKAGES } from '../../../src/domain/boosts/boost-packages.ts';
import { issueInvoice } from '../../../src/domain/membership/invoices.ts';
import { settleInvoice } from '../../../src/domain/wallet/invoice-payment.ts';
import { askForTopup, readTopup } from '../../../src/domain/wallet/topup.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import type { Work } from '../../../src/kit/work.ts';
import { actsOf, addCar, addListing, DAY, eventsOf, failuresIn, minor, type TestWorld, testWorld } from './people-world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await testWorld();
});
afterAll(async () => {
  expect(await failuresIn(world)).toEqual([]);
  await world.close();
});

const read = <T>(ask: (db: Work['db']) => Promise<T>): Promise<T> => world.writer.database.inTenant(world.id, 'read', ask);
const balance = async (): Promise<string> =>
  formatMoney((await read((db) => db.one<{ of: bigint }>(sql`select balance_minor as of from ${own('wallets')}`))).of);

describe('a top-up request', () => {
  const ask = async (amount: string): Promise<string> =>
    (await world.write((work) => askForTopup(work, { amount: minor(amount) }))).id;

  test('.01 is rejected', async () => {
    const before = await balance();
    const id = await ask('500.01');
    expect(await read((db) => readTopup(db, id))).toMatchObject({ status: 'Reddedildi', transaction_id: null });
    expect(await balance()).toBe(before);
  });

  test('.02 stays pending', async () => {
    const id = await ask('500.02');
    await world.pass(30 * DAY);
    expect(await read((db) => readTopup(db, id))).toMatchObject({ status: 'Beklemede' });
  });

  test('every other amount is approved at once, also a large one, by no administrator', async () => {
    const before = minor(await balance());
    const id = await ask('250000.00');
    expect(await read((db) => readTopup(db, id))).toMatchObject({ status: 'Onaylandı', transaction_id: expect.any(String) });
    expect(await balance()).toBe(formatMoney(before + minor('250000.00')));
    expect(await eventsOf(world, id)).toEqual(['wallet_topup.requested', 'wallet_topup.approved']);
    expect(await world.admin.rows('select decided_by, first_by from wallet_topups where id = $1', [id])).toEqual([
      { decided_by: null, first_by: null },
    ]);
  });
});

describe('an auction request', () => {
  const ask = async (input: { start: string; reserve?: string; event_id?: string }): Promise<string> =>
    world.write(async (work) => {
      const { start, reserve, event_id = null } = input;
      const reserve_price = reserve === undefined ? null : minor(reserve);
      return (await askForAuction(work, { vehicle_id: await addCar(work), start_price: minor(start), reserve_price, event_id }))
        .id;
    });
  const requestNow = (id: string) => read((db) => showRequest(db, id));

  test.each([
    ['the reserve price', { start: '8000.00', reserve: '9000.01' }],
    ['the start price without a reserve', { start: '8000.01' }],
  ])('is rejected by .01 of %s', async (_, input) => {
    const id = await ask(input);
    expect(await requestNow(id)).toMatchObject({ status: 'Reddedildi', lot_id: null });
    expect(await eventsOf(world, id)).toEqual(['auction_request.created', 'auction_request.rejected']);
  });

  test('.02 stays pending, until an edit decides otherwise', async () => {
    const id = await ask({ start: '8000.02' });
    await world.pass(10 * DAY);
    expect(await requestNow(id)).toMatchObject({ status: 'Beklemede' });
    await world.write((work) => editRequest(work, id, { start_price: minor('8000.00') }));
    expect(await requestNow(id)).toMatchObject({ status: 'Onaylandı' });
  });

  test('every other amount is approved: a lot of an event 7 days ahead, run by a simulated dealer', async () => {
    const id = await ask({ start: '8000.01', reserve: '9000.00' });
    const { status, lot_id } = await requestNow(id);
    expect(status).toBe('Onaylandı');
    const [lot] = await world.admin.rows<{ event_id: string; vehicle: string; created_at: Date }>(
      `select event_id, (select status from vehicles v where v.id = vehicle_id) as vehicle, created_at from live_lots where id = $1`,
      [lot_id],
    );
    expect(lot!.vehicle).toBe("Auction'da");
    const event = await read((db) => lookAtEvent(db, lot!.event_id));
    expect(event).toMatchObject({ status: 'Planlandı', operator_id: world.dealers[0], is_operator: false });
    expect(event.starts_at.getTime() - lot!.created_at.getTime()).toBe(7 * DAY);
  });

  test('one that names an event gets a lot of that event', async () => {
    const starts_at = new Date(world.now().getTime() + DAY);
    const event = await world.writeAs(world.dealers[1], (work) => planEvent(work, { title: 'Kasım', starts_at }));
    const id = await ask({ start: '8000.00', event_id: event.id });
    const { lot_id } = await requestNow(id);
    expect(await world.admin.rows('select event_id from live_lots where id = $1', [lot_id])).toEqual([{ event_id: event.id }]);
  });

  test('a decision on a request that was withdrawn is recorded as not possible', async () => {
    const id = await ask({ start: '8000.02' });
    // The edit plans a decision and the request is withdrawn in the same write, before it can be carried out.
    await world.write(async (work) => {
      await editRequest(work, id, { start_price: minor('8000.00') });
      await withdrawRequest(work, id);
    });
    expect(await requestNow(id)).toMatchObject({ status: 'İptal' });
    expect(await actsOf(world, id)).toEqual([expect.objectContaining({ outcome: 'request_closed' })]);
  });
});

describe('charges', () => {
  test('a boost order and an invoice are charged to the wallet of the world, as in production', async () => {
    await world.write((work) => askForTopup(work, { amount: minor('100000.00') }));
    const before = minor(await balance());
    const boost = BOOST_PACKAGES[0]!;
    await world.write(async (work) => buyBoost(work, { listing_id: await addListing(work, '10000.01'), package: boost.code }));
    expect(await balance()).toBe(formatMoney(before - boost.price_minor));
    await world.write(async (work) => {
      const days = { period_start: work.today, period_end: work.today, due_date: work.today };
      const { id } = await issueInvoice(work, { amount: minor('1000.00'), tax_rate: 2000n, ...days });
      await settleInvoice(work, id, { from: 'wallet', decisionId: null });
    });
    expect(await balance()).toBe(formatMoney(before - boost.price_minor - minor('1200.00')));
  });
});
