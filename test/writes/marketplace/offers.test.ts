// Consumers' offers: received, accepted, rejected, expired; and what happens to them when the vehicle or the listing goes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/customers/customer-erase.ts';
import { aDealer, carOf, customerOf, dataOf, moveTo, newKey, type Shown, sell, verdictOf } from '../../support/books.ts';
import { eventsBy, eventsOf } from '../../support/events.ts';
import { CONSUMER, consumerOffers, listedCar } from '../../support/market.ts';
import { type TestService, testService } from '../../support/service.ts';
import { testWriter } from '../../support/test-writer.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let car: string;
let listing: Shown;
beforeAll(async () => {
  api = await testService({ at: '2026-03-16T12:00:00Z' });
  await openAll(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  dealer = await aDealer(api);
  car = await carOf(dealer, { price: '13900.00' });
  listing = await listedCar(dealer, car);
});

const offer = (amount: string, overrides: Parameters<typeof consumerOffers>[4] = {}) =>
  consumerOffers(api, dealer, listing.id, amount, overrides);
const accept = ({ id }: Shown) => dealer.post(`marketplace/listings/${listing.id}/offers/${id}/accept`);
const reject = ({ id }: Shown, body?: object) => dealer.post(`marketplace/listings/${listing.id}/offers/${id}/reject`, body);
const offers = async (query = '') => dataOf(await dealer.get(`marketplace/listings/${listing.id}/offers${query}`)) as Shown[];
const statuses = async () => (await offers()).map(({ amount, status, reject_reason }) => [amount, status, reject_reason]);
const emittedBy = async (act: () => Promise<unknown>) => (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);
const theCar = async () => dataOf(await dealer.get(`vehicles/${car}`));
const theListing = async () => dataOf(await dealer.get(`marketplace/listings/${listing.id}`));

describe('received', () => {
  test('are shown to the dealer, highest first, in the vehicle’s currency, for seven days', async () => {
    await offer('13100.00', { message: 'Yarın bakabilir miyim?' });
    const higher = await offer('13400.00', { buyer_name: 'Selin Kaya', buyer_phone: '+905428003344' });
    expect(await offers()).toMatchObject([
      {
        id: higher.id,
        listing_id: listing.id,
        buyer_name: 'Selin Kaya',
        amount: '13400.00',
        currency: 'STG',
        message: null,
      },
      { ...CONSUMER, amount: '13100.00', message: 'Yarın bakabilir miyim?', status: 'Beklemede', responded_at: null },
    ]);
    expect(Date.parse(higher.expires_at) - Date.parse(higher.created_at)).toBe(7 * 86_400_000);
    expect((await theListing()).stats).toEqual({ views: 0, favorites: 0, contacts: 0, offers: 2 });
    expect(await offers('?status=Reddedildi')).toEqual([]);
  });

  test('are announced by an event with the figures but not the person, and by a notification', async () => {
    const [event] = await eventsBy(api, dealer.accountId, () => offer('13100.00', { message: 'Aysel7Secret beni arayın' }));
    expect(event).toMatchObject({
      kind: 'marketplace_offer.received',
      payload: { data: { object: { listing_id: listing.id, amount: '13100.00', currency: 'STG', status: 'Beklemede' } } },
    });
    expect(event!.payload.resource.path).toBe(`/api/v1/marketplace/listings/${listing.id}/offers`);
    const [note] = dataOf(await dealer.get('notifications?kind=marketplace_offer.received')) as Shown[];
    expect(note!.body).toContain('13.100,00 STG');
    for (const emitted of [JSON.stringify(event), JSON.stringify(note)])
      for (const word of [CONSUMER.buyer_name, CONSUMER.buyer_phone, 'Aysel7Secret']) expect(emitted).not.toContain(word);
  });

  test('are accepted only for a published listing', async () => {
    await expect(consumerOffers(api, dealer, car, '1.00')).rejects.toMatchObject({ code: 'not_found' });
    dataOf(await dealer.post(`vehicles/${car}/reserve`, {}));
    await expect(offer('13000.00')).rejects.toMatchObject({ code: 'listing_not_available' });
    dataOf(await dealer.patch(`vehicles/${car}`, { status: 'Stokta' }));
    await offer('13000.00');
    dataOf(await dealer.delete(`marketplace/listings/${listing.id}`));
    await expect(offer('13000.00')).rejects.toMatchObject({ code: 'listing_not_available' });
  });
});

describe('accepted', () => {
  test('holds the vehicle for the consumer and rejects the other offers, in one write and in the specified order', async () => {
    const [low, high] = [await offer('13100.00'), await offer('13400.00')];
    expect(await emittedBy(async () => dataOf(await accept(high)))).toEqual([
      ...['marketplace_offer.accepted', 'vehicle.reserved', 'vehicle.status_changed', 'listing.suspended'],
      'marketplace_offer.rejected',
    ]);
    expect(await statuses()).toEqual([
      ['13400.00', 'Kabul Edildi', null],
      ['13100.00', 'Reddedildi', 'vehicle_unavailable'],
    ]);
    expect(await theCar()).toMatchObject({
      status: 'Rezerve',
      is_marketplace_visible: false,
      listing_id: listing.id,
      reservation: { kind: 'Pazar Teklifi', source_id: high.id, reserved_until: null, customer_id: null, counterparty: null },
    });
    expect(await theListing()).toMatchObject({ status: 'Askıda' });
    expect(verdictOf(await accept(high))).toBe('409 offer_closed');
    expect(verdictOf(await accept(low))).toBe('409 offer_closed');
    expect(verdictOf(await reject(high))).toBe('409 offer_closed');
  });

  test('released: the agreement fails, the vehicle returns to the marketplace and others may offer', async () => {
    const one = await offer('13400.00');
    dataOf(await accept(one));
    expect(await emittedBy(async () => dataOf(await dealer.patch(`vehicles/${car}`, { status: 'Stokta' })))).toEqual([
      ...['vehicle.reservation_released', 'vehicle.status_changed', 'marketplace_offer.fell_through', 'listing.resumed'],
    ]);
    expect(await statuses()).toEqual([['13400.00', 'Bozuldu', null]]);
    expect(await theListing()).toMatchObject({ status: 'Yayında', id: listing.id });
    dataOf(await accept(await offer('13500.00')));
    expect((await statuses())[0]).toEqual(['13500.00', 'Kabul Edildi', null]);
  });

  test('sold to any customer, or elsewhere: the agreement is kept and the listing closed', async () => {
    const one = await offer('13400.00');
    dataOf(await accept(one));
    const customer = await customerOf(dealer);
    const emitted = await emittedBy(async () =>
      dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '13400.00' })),
    );
    expect(emitted.slice(2)).toEqual(['vehicle.sold', 'vehicle.status_changed', 'listing.closed', 'marketplace_offer.completed']);
    expect(await statuses()).toEqual([['13400.00', 'Tamamlandı', null]]);
    expect(await theListing()).toMatchObject({ status: 'Kapandı', close_reason: 'satıldı' });

    const other = await listedCar(dealer, await carOf(dealer));
    const agreed = await consumerOffers(api, dealer, other.id, '10000.00');
    dataOf(await dealer.post(`marketplace/listings/${other.id}/offers/${agreed.id}/accept`));
    dataOf(await dealer.post(`vehicles/${other.vehicle_id}/mark-sold`, {}));
    expect(dataOf(await dealer.get(`marketplace/listings/${other.id}/offers`))).toMatchObject([{ status: 'Tamamlandı' }]);
  });

  test('a cancelled sale leaves the agreement kept', async () => {
    const one = await offer('13400.00');
    dataOf(await accept(one));
    const customer = await customerOf(dealer);
    const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '13400.00' }));
    dataOf(await dealer.post(`sales/${sale.id}/cancel`, { reason: 'vazgeçti' }, newKey()));
    expect(await statuses()).toEqual([['13400.00', 'Tamamlandı', null]]);
  });

  test('one of two concurrent: the other finds the offer closed, and the vehicle is held once', async () => {
    const both = [await offer('13100.00'), await offer('13400.00')];
    const verdicts = (await Promise.all(both.map((one) => accept(one)))).map(verdictOf);
    expect(verdicts.toSorted()).toEqual(['200', '409 offer_closed']);
    expect((await statuses()).map(([, status]) => status).toSorted()).toEqual(['Kabul Edildi', 'Reddedildi']);
  });
});

describe('rejected', () => {
  test('by the dealer, with or without a reason, once', async () => {
    const [one, other] = [await offer('9000.00'), await offer('9500.00')];
    expect(await emittedBy(async () => dataOf(await reject(one, { reason: 'Çok düşük' })))).toEqual([
      'marketplace_offer.rejected',
    ]);
    dataOf(await reject(other));
    expect(await statuses()).toEqual([
      ['9500.00', 'Reddedildi', null],
      ['9000.00', 'Reddedildi', 'Çok düşük'],
    ]);
    expect(verdictOf(await reject(one))).toBe('409 offer_closed');
    expect(await theCar()).toMatchObject({ status: 'Stokta' });
  });

  test.each([
    ['reserved', () => dealer.post(`vehicles/${car}/reserve`, {}), 'vehicle_unavailable'],
    ['sold elsewhere', () => dealer.post(`vehicles/${car}/mark-sold`, {}), 'vehicle_unavailable'],
    ['deleted', () => dealer.delete(`vehicles/${car}`), 'vehicle_unavailable'],
    ['taken down', () => dealer.delete(`marketplace/listings/${listing.id}`), 'listing_closed'],
    ['unpublished', () => dealer.post(`vehicles/${car}/unpublish`), 'listing_closed'],
  ])('automatically when the vehicle is %s', async (_, act, reason) => {
    await offer('13000.00');
    const emitted = await emittedBy(async () => dataOf(await act()));
    expect(emitted.at(-1)).toBe('marketplace_offer.rejected');
    expect(await statuses()).toEqual([['13000.00', 'Reddedildi', reason]]);
    expect((await offers())[0]!.responded_at).not.toBeNull();
  });
});

describe('expired', () => {
  test('after seven days, once, also without any request; then it can no longer be accepted', async () => {
    const one = await offer('13000.00');
    const ends = Date.parse(one.expires_at);
    api.clock.advance(ends - api.clock.now().getTime() - 60_000);
    expect(await statuses()).toEqual([['13000.00', 'Beklemede', null]]);
    api.clock.advance(60_001);
    expect(verdictOf(await accept(one))).toBe('409 offer_expired');
    expect(verdictOf(await reject(one))).toBe('409 offer_closed');
    expect(await statuses()).toEqual([['13000.00', 'Süresi Doldu', null]]);
    const expired = (await eventsOf(api, dealer.accountId)).filter(({ kind }) => kind === 'marketplace_offer.expired');
    expect(expired).toHaveLength(1);
    expect(await theCar()).toMatchObject({ status: 'Stokta' });
    moveTo(api, '2026-03-30');
  });
});

test('erasing a customer also erases their offers as a consumer', async () => {
  await offer('13000.00', { buyer_phone: '+905331234567', message: 'Adresim Girne' });
  await offer('12000.00');
  const customer = await customerOf(dealer, { phone: '0533 123 45 67' });
  const account = { id: dealer.accountId, timezone: 'Asia/Famagusta' };
  const call = { dataSet: dealer.accountId, account, actor: { type: 'system', name: 'test' }, now: api.clock.now() } as const;
  await testWriter(api).write(call, (work) => eraseCustomer(work, customer));
  expect(await offers()).toMatchObject([
    { buyer_name: 'Silinmiş Kayıt', buyer_phone: '+0000000', message: null, amount: '13000.00' },
    { ...CONSUMER, amount: '12000.00' },
  ]);
});

test('another dealer finds nothing', async () => {
  const one = await offer('13000.00');
  const stranger = await aDealer(api);
  const path = `marketplace/listings/${listing.id}/offers`;
  expect(verdictOf(await stranger.get(path))).toBe('404 not_found');
  expect(verdictOf(await stranger.post(`${path}/${one.id}/accept`))).toBe('404 not_found');
  expect(verdictOf(await stranger.post(`${path}/${one.id}/reject`))).toBe('404 not_found');
  const own = await listedCar(stranger, await carOf(stranger));
  expect(verdictOf(await stranger.post(`marketplace/listings/${own.id}/offers/${one.id}/accept`))).toBe('404 not_found');
});
