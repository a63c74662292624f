// Marketplace performance on a small book with figures computed by hand: suspended, sold, sold elsewhere, closed before the
// range.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carOf, customerOf, dataOf, moveTo, newKey, type Shown, sell } from '../../support/books.ts';
import { consumerOffers, listedCar, consumersLook as visit } from '../../support/market.ts';
import { loadWallet } from '../../support/platform.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
const ads: Record<'gone' | 'away' | 'held' | 'standing', string> = { gone: '', away: '', held: '', standing: '' };
beforeAll(async () => {
  api = await testService({ at: '2026-02-20T12:00:00Z' });
  await openAll(api);
  dealer = await newDealer(api);
  await keepAds();
});
afterAll(() => api.close());

const report = async (query: string): Promise<Shown> => dataOf(await dealer.get(`reports/${query}`));
const refusal = async (query: string): Promise<string> => {
  const { status, json } = await dealer.get(`reports/${query}`);
  return `${status} ${json.error.code} ${json.error.param ?? ''}`.trim();
};
const boost = async (listing_id: string, code: string, overrides: object = {}): Promise<string> =>
  dataOf(await dealer.post('boost-orders', { listing_id, package: code, ...overrides }, newKey())).id;

async function keepAds(): Promise<void> {
  await loadWallet(api, dealer.accountId, '20000.00');
  const [gone, away] = [await carOf(dealer), await carOf(dealer)];
  ads.gone = (await listedCar(dealer, gone)).id;
  ads.away = (await listedCar(dealer, away)).id;
  await visit(api, ads.gone, 'view', 7);
  moveTo(api, '2026-02-21');
  dataOf(await dealer.delete(`marketplace/listings/${ads.gone}`));

  moveTo(api, '2026-03-02');
  const held = await carOf(dealer, { price: '13900.00' });
  ads.held = dataOf(await dealer.post('marketplace/listings', { vehicle_id: held, title: 'Tek elden Golf' })).id;
  await visit(api, ads.held, 'view', 60);
  await visit(api, ads.held, 'contact', 3);
  dataOf(await dealer.delete(`boost-orders/${await boost(ads.held, 'Acil-7', { starts_at: '2026-03-20T12:00:00Z' })}`));
  await boost(ads.held, 'Üst Sıra-14');
  moveTo(api, '2026-03-03');
  dataOf(await dealer.post(`vehicles/${away}/mark-sold`, { sold_at: '2026-03-03' }));
  moveTo(api, '2026-03-05');
  dataOf(await dealer.post(`vehicles/${held}/reserve`, {}));
  moveTo(api, '2026-03-07');
  dataOf(await dealer.patch(`vehicles/${held}`, { status: 'Stokta' }));
  await visit(api, ads.held, 'view', 20);
  await visit(api, ads.held, 'favorite', 2);
  const offer = await consumerOffers(api, dealer, ads.held, '13400.00');
  await consumerOffers(api, dealer, ads.held, '13100.00');
  moveTo(api, '2026-03-08');
  ads.standing = (await listedCar(dealer, await carOf(dealer))).id;
  await visit(api, ads.standing, 'view', 1);
  dataOf(await dealer.post(`marketplace/listings/${ads.held}/offers/${offer.id}/accept`));
  moveTo(api, '2026-03-10');
  const customer = await customerOf(dealer);
  dataOf(await sell(dealer, { vehicle_id: held, customer_id: customer, sale_price: '13400.00', currency: 'STG' }));
}

const RANGE = 'from=2026-03-01&to=2026-03-31';

describe('by listing', () => {
  test('newest first: each with its figures in the range', async () => {
    const { rows, totals, from, to, group_by, as_of } = await report(`marketplace-performance?${RANGE}`);
    expect({ from, to, group_by, as_of }).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
      group_by: 'listing',
      as_of: '2026-03-10',
    });
    // Active on the 2nd to the 5th and on the 7th and 8th; held from the 8th, sold on the 10th, eight days after publication.
    const ofHeld = {
      views: 80,
      favorites: 2,
      contacts: 3,
      offers: 2,
      accepted_offers: 1,
      contact_rate: '0.0375',
      offer_rate: '0.0250',
      days_live: 6,
      sold_count: 1,
      average_days_to_sale: '8.0',
      currency: 'TL',
      boost_spend: '1900.00',
    };
    const nothing = { favorites: 0, contacts: 0, offers: 0, accepted_offers: 0, currency: 'TL', boost_spend: '0.00' };
    expect(rows).toEqual([
      {
        group: ads.standing,
        title: '2018 Volkswagen Golf',
        ...nothing,
        views: 1,
        contact_rate: '0.0000',
        offer_rate: '0.0000',
        days_live: 3,
        sold_count: 0,
        average_days_to_sale: null,
      },
      { group: ads.held, title: 'Tek elden Golf', ...ofHeld },
      {
        group: ads.away,
        title: '2018 Volkswagen Golf',
        ...nothing,
        views: 0,
        contact_rate: null,
        offer_rate: null,
        days_live: 3,
        sold_count: 1,
        average_days_to_sale: '11.0',
      },
    ]);
    expect(totals).toEqual({
      listing_count: 3,
      views: 81,
      favorites: 2,
      contacts: 3,
      offers: 2,
      accepted_offers: 1,
      contact_rate: '0.0370',
      offer_rate: '0.0247',
      days_live: 12,
      sold_count: 2,
      average_days_to_sale: '9.5',
      currency: 'TL',
      boost_spend: '1900.00',
    });
  });

  test('in pages, below totals of all', async () => {
    const { rows, totals } = await report(`marketplace-performance?${RANGE}&limit=1&offset=1`);
    expect(rows.map(({ group }: Shown) => group)).toEqual([ads.held]);
    expect(totals.listing_count).toBe(3);
    expect((await report(`marketplace-performance?${RANGE}&offset=3`)).rows).toEqual([]);
  });

  test('a listing closed before the range and future days have no figures', async () => {
    const { rows, totals } = await report('marketplace-performance?from=2026-02-25&to=2026-02-28');
    expect(rows.map(({ group, views, days_live }: Shown) => [group, views, days_live])).toEqual([[ads.away, 0, 4]]);
    expect(totals).toMatchObject({ listing_count: 1, sold_count: 0 });
    const ahead = await report('marketplace-performance?from=2026-04-01&to=2026-04-30');
    expect(ahead).toMatchObject({ rows: [], totals: { listing_count: 0, views: 0, days_live: 0, boost_spend: '0.00' } });
  });
});

test('by day: in order, and with the same totals', async () => {
  const { rows, totals } = await report(`marketplace-performance?${RANGE}&group_by=day`);
  expect(
    rows.map(({ group, views, days_live, sold_count, boost_spend }: Shown) => [group, views, days_live, sold_count, boost_spend]),
  ).toEqual([
    ['2026-03-01', 0, 1, 0, '0.00'],
    ['2026-03-02', 60, 2, 0, '1900.00'],
    ['2026-03-03', 0, 2, 1, '0.00'],
    ['2026-03-04', 0, 1, 0, '0.00'],
    ['2026-03-05', 0, 1, 0, '0.00'],
    ['2026-03-07', 20, 1, 0, '0.00'],
    ['2026-03-08', 1, 2, 0, '0.00'],
    ['2026-03-09', 0, 1, 0, '0.00'],
    ['2026-03-10', 0, 1, 1, '0.00'],
  ]);
  expect(totals).toEqual((await report(`marketplace-performance?${RANGE}`)).totals);
  expect(rows.every(({ title }: Shown) => title === null)).toBe(true);
});

test('refuses invalid parameters by name', async () => {
  expect(await refusal('marketplace-performance?group_by=brand')).toBe('400 invalid_parameter group_by');
  expect(await refusal('marketplace-performance?group_by=day&limit=10')).toBe('400 invalid_parameter limit');
  expect(await refusal('marketplace-performance?limit=101')).toBe('400 invalid_parameter limit');
  expect(await refusal('marketplace-performance?from=2025-01-01&to=2026-03-01')).toBe('400 invalid_parameter from');
});

test('the custom report includes listings, views without a currency', async () => {
  const base = 'custom?dataset=listings&from=2026-02-01&to=2026-03-31';
  const { rows, group_by } = await report(`${base}&metrics=count,sum_views,sum_contacts&group_by=status`);
  expect(group_by).toEqual(['status']);
  expect(rows).toEqual([
    { status: 'Kapandı', count: 3, sum_views: 87, sum_contacts: 3 },
    { status: 'Yayında', count: 1, sum_views: 1, sum_contacts: 0 },
  ]);
  expect((await report(`${base}&metrics=count&group_by=month&status=${encodeURIComponent('Kapandı')}`)).rows).toEqual([
    { month: '2026-02', count: 2 },
    { month: '2026-03', count: 1 },
  ]);
});

test('profit-loss lists platform spending beside the profit, less refunds', async () => {
  expect((await report(`profit-loss?${RANGE}`)).platform_expense).toEqual({ currency: 'TL', amount: '1900.00' });
  expect((await report('profit-loss?from=2026-02-01&to=2026-02-28')).platform_expense).toEqual({
    currency: 'TL',
    amount: '0.00',
  });
});

test('a listing shows until when it is boosted: the latest end of active boosts', async () => {
  expect(dataOf(await dealer.get(`marketplace/listings/${ads.standing}`)).boosted_until).toBeNull();
  await boost(ads.standing, 'Vitrin-7', { starts_at: '2026-03-30T12:00:00Z' });
  expect(dataOf(await dealer.get(`marketplace/listings/${ads.standing}`)).boosted_until).toBeNull();
  await boost(ads.standing, 'Acil-7');
  await boost(ads.standing, 'Üst Sıra-14');
  expect(dataOf(await dealer.get(`marketplace/listings/${ads.standing}`)).boosted_until).toMatch(/^2026-03-24T12:00:/);
  // Sold, so active boosts have ended.
  expect(dataOf(await dealer.get(`marketplace/listings/${ads.held}`)).boosted_until).toBeNull();
});
