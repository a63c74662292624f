// What dealers see of each other's published vehicles: a dedicated card, and nothing else.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rawSql, sql } from '../../../src/kit/sql.ts';
import { aDealer, carOf, dataOf, type Shown, verdictOf } from '../../support/books.ts';
import { consumerOffers, consumersLook, listedCar } from '../../support/market.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

const FACTS = {
  engine_cc: 1598,
  power_hp: 115,
  drive: 'Önden',
  steering: 'Sağ',
  doors: 5,
  seats: 5,
  owners: 2,
  inspection_until: '2027-05-31',
  equipment: ['Klima', 'Cam tavan'],
  warranty: '2 yıl',
};

let api: TestService;
let seller: Dealer;
let other: Dealer;
let listing: Shown;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  other = await aDealer(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  seller = await newDealer(api, { name: 'Satıcı Oto', city: 'Girne', phone: '+905338887766' });
  const car = await carOf(seller, {
    brand: `Marka ${seller.accountId.slice(-6)}`,
    plate: 'KANARYA 7',
    description: 'KANARYA not',
    ...FACTS,
    condition: { locally_painted: ['Tavan'], tramer_amount: '900' },
  });
  dataOf(await seller.post(`vehicles/${car}/photos`, { url: 'https://example.com/foto/1.jpg' }));
  listing = await listedCar(seller, car);
});

const cards = async (dealer = other, query = '') =>
  dataOf(await dealer.get(encodeURI(`marketplace/listings?scope=network${query}`))) as Shown[];
const cardOf = async (dealer = other) => (await cards(dealer)).find(({ id }) => id === listing.id);
const setAccount = async (dealer: Dealer, column: string, value: unknown) => {
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set ${rawSql(column)} = ${value} where id = ${dealer.accountId}`),
  );
  await api.settled();
};

test('a card has the vehicle, the listing’s price and the seller, and nothing else', async () => {
  const card = await cardOf();
  expect(card).toEqual({
    id: listing.id,
    vehicle_id: null,
    title: listing.title,
    price: '14500.00',
    currency: 'STG',
    vehicle: {
      brand: `Marka ${seller.accountId.slice(-6)}`,
      model: 'Golf',
      model_year: 2018,
      km: 84_000,
      fuel_type: 'Benzin',
      transmission: 'Otomatik',
      body_type: 'Hatchback',
      color: 'Gümüş',
      city: 'Lefkoşa',
      ...FACTS,
      condition: {
        painted: [],
        locally_painted: ['Tavan'],
        replaced: [],
        tramer_amount: '900.00',
        tramer_currency: 'TL',
        expertise_document_id: null,
      },
      photos: ['https://example.com/foto/1.jpg'],
    },
    seller: { account_id: seller.accountId, name: 'Satıcı Oto', city: 'Girne' },
    published_at: listing.published_at,
  });
  expect(dataOf(await other.get(`marketplace/listings/${listing.id}`))).toEqual(card);
  expect(await cardOf(seller)).toBeUndefined();
  expect(dataOf(await other.get('marketplace/listings'))).toEqual([]);
});

test('contains no offer, view count or remark of the owner', async () => {
  await consumerOffers(api, seller, listing.id, '13000.00', { message: 'KANARYA mesaj', buyer_name: 'KANARYA kişi' });
  await consumersLook(api, listing.id, 'view', 987_654);
  const seen = JSON.stringify([await cards(), dataOf(await other.get(`marketplace/listings/${listing.id}`))]);
  for (const word of ['KANARYA', '987654', listing.vehicle_id, '+905338887766', '13000.00']) expect(seen).not.toContain(word);
  for (const answer of [
    await other.get(`marketplace/listings/${listing.id}/offers`),
    await other.delete(`marketplace/listings/${listing.id}`),
  ])
    expect(verdictOf(answer)).toBe('404 not_found');
});

test('is visible only while it is published', async () => {
  dataOf(await seller.post(`vehicles/${listing.vehicle_id}/reserve`, {}));
  expect(await cardOf()).toBeUndefined();
  expect(verdictOf(await other.get(`marketplace/listings/${listing.id}`))).toBe('404 not_found');
  dataOf(await seller.patch(`vehicles/${listing.vehicle_id}`, { status: 'Stokta', price: '12345.00' }));
  expect(await cardOf()).toMatchObject({ price: '12345.00' });
  dataOf(await seller.delete(`marketplace/listings/${listing.id}`));
  expect(await cardOf()).toBeUndefined();
});

test('supports filters, but none by status', async () => {
  const brand = encodeURIComponent(`Marka ${seller.accountId.slice(-6)}`);
  for (const query of [`&brand=${brand}`, `&brand=${brand}&price_max=14500&currency=STG&city=lefkosa`])
    expect(dataOf(await other.get(`marketplace/listings?scope=network${query}`))).toHaveLength(1);
  expect(dataOf(await other.get(`marketplace/listings?scope=network&brand=${brand}&currency=TL`))).toEqual([]);
  for (const query of ['&status=Yay%C4%B1nda', '&price_min=1'])
    expect(verdictOf(await other.get(`marketplace/listings?scope=network${query}`)), query).toBe('400 invalid_parameter');
});

test('is limited to the network: neither shown to nor taken from a dealer outside it', async () => {
  const outsider = await aDealer(api);
  await setAccount(outsider, 'dealer_network', false);
  expect(verdictOf(await outsider.get('marketplace/listings?scope=network'))).toBe('403 capability_not_enabled');
  expect(verdictOf(await outsider.get(`marketplace/listings/${listing.id}`))).toBe('404 not_found');
  await setAccount(seller, 'dealer_network', false);
  expect(await cardOf()).toBeUndefined();
  await setAccount(seller, 'dealer_network', true);
  await setAccount(seller, 'status', 'Askıda');
  expect(await cardOf()).toBeUndefined();
});

test('a walk by cursor returns each card once', async () => {
  const seen: string[] = [];
  for (let path = 'marketplace/listings?scope=network&limit=1&cursor=start'; ; ) {
    const answer = await other.get(path);
    seen.push(...(dataOf(answer) as Shown[]).map(({ id }) => id));
    const next = /<[^>]*\/api\/v1\/([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '');
    if (next === null) break;
    path = next[1]!;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.toSorted()).toEqual((await cards(other, '&limit=100')).map(({ id }) => id).toSorted());
});
