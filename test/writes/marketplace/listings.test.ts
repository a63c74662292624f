// A dealer's listings: published and unpublished directly, priced as the vehicle, with figures by day.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listListings } from '../../../src/domain/marketplace/listing-list.ts';
import { sqlState } from '../../../src/kit/db.ts';
import { newId } from '../../../src/kit/ids.ts';
import { own, rawSql, sql, theAccount } from '../../../src/kit/sql.ts';
import { aDealer, carOf, dataOf, moveTo, type Shown, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { consumerOffers, consumersLook, listedCar } from '../../support/market.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T12:00:00Z' });
  await openAll(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  dealer = await aDealer(api);
});

const listings = async (query = '') => dataOf(await dealer.get(encodeURI(`marketplace/listings${query}`))) as Shown[];
const stats = async (query = '') => dataOf(await dealer.get(`marketplace/stats${query}`));
const setAccount = (column: string, value: unknown) =>
  api.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set ${rawSql(column)} = ${value} where id = ${dealer.accountId}`),
  );

test('publishing through the listing equals publishing through the vehicle', async () => {
  const car = await carOf(dealer);
  let made: Shown = {};
  const emitted = await eventsBy(api, dealer.accountId, async () => {
    made = dataOf(await dealer.post('marketplace/listings', { vehicle_id: car, description: 'İlk sahibinden' }));
  });
  expect(emitted.map(({ kind }) => kind)).toEqual(['listing.published', 'vehicle.published']);
  expect(made).toMatchObject({
    vehicle_id: car,
    title: '2018 Volkswagen Golf',
    description: 'İlk sahibinden',
    price: '14500.00',
    currency: 'STG',
    status: 'Yayında',
    closed_at: null,
    close_reason: null,
    boosted_until: null,
    stats: { views: 0, favorites: 0, contacts: 0, offers: 0 },
  });
  expect(dataOf(await dealer.get(`vehicles/${car}`))).toMatchObject({ is_marketplace_visible: true, listing_id: made.id });
  expect(verdictOf(await dealer.post('marketplace/listings', { vehicle_id: car }))).toBe('409 already_published');
  dataOf(await dealer.patch(`vehicles/${car}`, { price: '13900.00' }));
  expect(dataOf(await dealer.get(`marketplace/listings/${made.id}`)).price).toBe('13900.00');
});

test('keeps its order regardless of the query plan', async () => {
  const made: string[] = [];
  for (let count = 0; count < 6; count += 1) made.unshift((await listedCar(dealer, await carOf(dealer))).id);
  const pages = [{}, { walk: { after: null, byChange: false } }];
  const shown = await api.database.inTenant(dealer.accountId, 'write', async (db) => {
    for (const way of ['enable_nestloop', 'enable_mergejoin', 'enable_indexscan', 'enable_bitmapscan'])
      await db.exec(sql`select set_config(${way}, 'off', true)`);
    const context = { db, query: { scope: 'own' as const }, linkTo: { url: () => '' } } as unknown as Parameters<
      typeof listListings
    >[0];
    return Promise.all(pages.map((by) => listListings({ ...context, page: { limit: 4, offset: 0, ...by } })));
  });
  for (const { json } of shown) expect(JSON.parse(json).map(({ id }: Shown) => id)).toEqual(made.slice(0, 4));
});

test('refuses what cannot be published', async () => {
  const [sold, deleted] = [await carOf(dealer), await carOf(dealer)];
  dataOf(await dealer.post(`vehicles/${sold}/mark-sold`, {}));
  dataOf(await dealer.delete(`vehicles/${deleted}`));
  const stranger = await carOf(await aDealer(api));
  for (const [vehicle_id, verdict] of [
    [sold, '409 vehicle_not_in_stock'],
    [deleted, '422 unknown_reference'],
    [stranger, '422 unknown_reference'],
    [newId(), '422 unknown_reference'],
  ] as const)
    expect(verdictOf(await dealer.post('marketplace/listings', { vehicle_id })), verdict).toBe(verdict);
  expect(verdictOf(await dealer.post('marketplace/listings', {}))).toBe('422 validation_failed');
});

test('gives the last place of a plan once, also to concurrent requests', async () => {
  const cars = await Promise.all(Array.from({ length: 6 }, () => carOf(dealer)));
  await setAccount('listing_limit', 2);
  await api.settled();
  const verdicts = (await Promise.all(cars.map((vehicle_id) => dealer.post('marketplace/listings', { vehicle_id })))).map(
    verdictOf,
  );
  expect(verdicts.toSorted()).toEqual(['201', '201', ...Array(4).fill('403 plan_limit_reached')]);
});

test('unpublished permanently: publishing again creates another listing', async () => {
  const first = await listedCar(dealer, await carOf(dealer));
  const emitted = await eventsBy(api, dealer.accountId, async () => {
    const closed = dataOf(await dealer.delete(`marketplace/listings/${first.id}`));
    expect(closed).toMatchObject({ id: first.id, status: 'Kapandı', close_reason: 'kaldırıldı' });
    expect(closed.closed_at).not.toBeNull();
  });
  expect(emitted.map(({ kind }) => kind)).toEqual(['listing.closed', 'vehicle.unpublished']);
  expect(verdictOf(await dealer.delete(`marketplace/listings/${first.id}`))).toBe('409 listing_closed');
  const second = await listedCar(dealer, first.vehicle_id);
  expect(second.id).not.toBe(first.id);
  expect((await listings()).map(({ status }) => status)).toEqual(['Yayında', 'Kapandı']);
  expect(verdictOf(await (await aDealer(api)).delete(`marketplace/listings/${second.id}`))).toBe('404 not_found');
});

test('is suspended while the vehicle is held and active again when it is released, also by the clock', async () => {
  const { id, vehicle_id } = await listedCar(dealer, await carOf(dealer));
  const status = async () => dataOf(await dealer.get(`marketplace/listings/${id}`)).status;
  dataOf(await dealer.post(`vehicles/${vehicle_id}/reserve`, { reserved_until: '2026-03-10' }));
  expect(await status()).toBe('Askıda');
  moveTo(api, '2026-03-11');
  expect(await status()).toBe('Yayında');
  dataOf(await dealer.delete(`vehicles/${vehicle_id}`));
  expect(dataOf(await dealer.get(`marketplace/listings/${id}`))).toMatchObject({ status: 'Kapandı', close_reason: 'silindi' });
});

test('supports the vehicle’s filters; a price bound needs a currency; status is one of three', async () => {
  const expected = await listedCar(dealer, await carOf(dealer, { brand: 'Škoda Oto', city: 'Girne', price: '9000.00' }));
  await listedCar(dealer, await carOf(dealer, { price: '9000.00', currency: 'USD' }));
  for (const query of ['brand=Škoda Oto', 'city=girne', 'price_min=9000&price_max=9000&currency=STG', 'model=golf&city=Girne'])
    expect(
      (await listings(`?${query}`)).map(({ id }) => id),
      query,
    ).toEqual([expected.id]);
  expect(await listings('?status=Kapandı')).toEqual([]);
  expect(verdictOf(await dealer.get('marketplace/listings?price_min=1'))).toBe('400 invalid_parameter');
  expect(verdictOf(await dealer.get(encodeURI('marketplace/listings?status=Satıldı')))).toBe('400 invalid_parameter');
});

test('without the capability refuses writes and details, and returns an empty list', async () => {
  const { id, vehicle_id } = await listedCar(dealer, await carOf(dealer));
  await setAccount('marketplace', false);
  await api.settled();
  for (const verdict of [
    await dealer.post('marketplace/listings', { vehicle_id }),
    await dealer.delete(`marketplace/listings/${id}`),
    await dealer.get(`marketplace/listings/${id}`),
    await dealer.get(`marketplace/listings/${id}/offers`),
  ])
    expect(verdictOf(verdict)).toBe('403 capability_not_enabled');
  expect(await listings()).toEqual([]);
  await expect(consumerOffers(api, dealer, id, '1.00')).rejects.toMatchObject({ code: 'listing_not_available' });
});

describe('figures', () => {
  test('of a listing and of the account, each on the day it happened', async () => {
    moveTo(api, '2026-04-01');
    const { id } = await listedCar(dealer, await carOf(dealer));
    const other = await listedCar(dealer, await carOf(dealer));
    await consumersLook(api, id, 'view', 700);
    await consumersLook(api, id, 'contact', 9);
    moveTo(api, '2026-04-20');
    await consumersLook(api, id, 'view', 50);
    await consumersLook(api, id, 'favorite', 3);
    await consumersLook(api, other.id, 'view', 1);
    const offer = await consumerOffers(api, dealer, id, '13000.00');
    dataOf(await dealer.post(`marketplace/listings/${id}/offers/${offer.id}/accept`));
    dataOf(await dealer.delete(`marketplace/listings/${other.id}`));
    expect(dataOf(await dealer.get(`marketplace/listings/${id}`)).stats).toEqual({
      views: 750,
      favorites: 3,
      contacts: 9,
      offers: 1,
    });
    expect(await stats()).toEqual({
      active: 0,
      suspended: 1,
      published_in_period: 2,
      closed_in_period: 1,
      views: 751,
      favorites: 3,
      contacts: 9,
      offers: 1,
      accepted_offers: 1,
      contact_rate: 0.012,
      offer_rate: 0.0013,
    });
    expect(await stats('?from=2026-04-02&to=2026-04-20')).toMatchObject({
      published_in_period: 0,
      closed_in_period: 1,
      views: 51,
      contacts: 0,
      contact_rate: 0,
      offer_rate: 0.0196,
    });
    expect(await stats('?from=2026-05-01&to=2026-05-02')).toMatchObject({ views: 0, contact_rate: null, offer_rate: null });
    for (const query of ['from=2026-04-20&to=2026-04-19', 'from=2025-04-01&to=2026-04-20', 'to=gestern'])
      expect(verdictOf(await dealer.get(`marketplace/stats?${query}`)), query).toBe('400 invalid_parameter');
  });

  test('uses the dealer’s calendar day: an hour before midnight in Lefkoşa is that day', async () => {
    const { id } = await listedCar(dealer, await carOf(dealer));
    moveTo(api, '2026-06-01', '20:59:00');
    await consumersLook(api, id, 'view');
    moveTo(api, '2026-06-01', '21:01:00');
    await consumersLook(api, id, 'view', 2);
    expect(await stats('?from=2026-06-01&to=2026-06-01')).toMatchObject({ views: 1 });
    expect(await stats('?from=2026-06-02&to=2026-06-02')).toMatchObject({ views: 2 });
  });

  test('counts all concurrent views, and none of them is a write of the dealer', async () => {
    const { id } = await listedCar(dealer, await carOf(dealer));
    const version = () =>
      api.database.inTenant(dealer.accountId, 'read', (db) =>
        db.one<{ version: bigint }>(sql`select version from ${own('data_sets')}`),
      );
    const before = await version();
    for (let wave = 0; wave < 10; wave += 1)
      await Promise.all(Array.from({ length: 20 }, (_, n) => consumersLook(api, id, n % 2 === 0 ? 'view' : 'favorite', 2)));
    expect(dataOf(await dealer.get(`marketplace/listings/${id}`)).stats).toMatchObject({ views: 200, favorites: 200 });
    expect(await version()).toEqual(before);
  });

  test('counts nothing for a listing that is closed or unknown', async () => {
    const { id } = await listedCar(dealer, await carOf(dealer));
    dataOf(await dealer.delete(`marketplace/listings/${id}`));
    for (const gone of [id, newId()])
      await expect(consumersLook(api, gone, 'view')).rejects.toMatchObject({ code: 'listing_not_available' });
  });
});

describe('the database refuses invalid rows from any writer', () => {
  const asDealer = (statement: (car: Shown, offer: Shown) => ReturnType<typeof sql>) => async () => {
    const listing = await listedCar(dealer, await carOf(dealer));
    const offer = await consumerOffers(api, dealer, listing.id, '13000.00');
    return api.database.inTenant(dealer.accountId, 'write', (db) => db.exec(statement(listing, offer)));
  };
  const offerIs = (set: string, id: string) =>
    sql`update marketplace_offers set ${rawSql(set)} where account_id = ${theAccount} and id = ${id}`;
  test.each([
    [
      'a second open listing of a car',
      '23505',
      asDealer(
        ({ vehicle_id }) => sql`insert into listings (account_id, id, vehicle_id, title, published_at)
        values (${theAccount}, ${newId()}, ${vehicle_id}, 'x', now())`,
      ),
    ],
    [
      'a closed listing that opens again',
      '23514',
      async () => {
        const { id } = await listedCar(dealer, await carOf(dealer));
        dataOf(await dealer.delete(`marketplace/listings/${id}`));
        return api.database.inTenant(dealer.accountId, 'write', (db) =>
          db.exec(sql`update listings set status = 'Yayında', closed_at = null where account_id = ${theAccount} and id = ${id}`),
        );
      },
    ],
    ['an offer whose amount changes', '42501', asDealer((_, { id }) => offerIs('amount_minor = 1', id))],
    ['an offer whose end changes', '42501', asDealer((_, { id }) => offerIs('expires_at = now()', id))],
    ['an answer without its time', '23514', asDealer((_, { id }) => offerIs("status = 'Kabul Edildi'", id))],
    [
      'a kept agreement that was not accepted',
      '23514',
      asDealer((_, { id }) => offerIs("status = 'Tamamlandı', responded_at = now()", id)),
    ],
    [
      'two agreements on one car',
      '23505',
      asDealer(
        ({
          id,
          vehicle_id,
        }) => sql`insert into marketplace_offers (account_id, id, listing_id, vehicle_id, buyer_name, buyer_phone,
          amount_minor, currency, status, expires_at, responded_at)
        select ${theAccount}, gen_random_uuid(), ${id}, ${vehicle_id}, 'x', '+900000000', 1, 'STG', 'Kabul Edildi', now(), now()
        from generate_series(1, 2)`,
      ),
    ],
    [
      'a view that is removed',
      '42501',
      asDealer(() => sql`update listing_visits set views = 0 where account_id = ${theAccount}`),
    ],
  ])('%s', async (_, state, act) => {
    const error = await act().catch((failure: unknown) => failure);
    expect(sqlState(error)).toBe(state);
  });
});
