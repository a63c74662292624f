// What dealers who trade see of each other, with every layer; and what the views of the database show without the service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawSql, sql } from '../../src/kit/sql.ts';
import { OTHER_SIDE, type SharedTable } from '../../src/kit/tenant-tables.ts';
import { openSession } from '../../src/postgres/database.ts';
import { aDealer, carOf, dataOf, type Shown, verdictOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { holds } from './network-walk.ts';

describe('with every layer', () => holds({ policies: true, views: true, code: true }));

describe('the views of the database', () => {
  let api: TestService;
  let mine: Dealer;
  let other: Dealer;
  beforeAll(async () => {
    api = await testService();
    await openAll(api);
    [mine, other] = [
      await newDealer(api, { name: 'Bir Oto', phone: '+905331110000' }),
      await newDealer(api, { name: 'İki Oto' }),
    ];
  });
  afterAll(() => api.close());
  const ask = (dealer: Dealer, text: string): Promise<Shown[]> =>
    api.database.inTenant(dealer.accountId, 'read', (db) => db.rows<Shown>(sql`${rawSql(text)}`));
  const namesIn = async (dealer: Dealer, view: string) =>
    (await ask(dealer, `select distinct account_id from ${view}`)).map(({ account_id }) => account_id as string);
  const setAccount = async ({ accountId }: Dealer, column: string, value: unknown) => {
    await api.database.onPlatform('write', (db) =>
      db.exec(sql`update accounts set ${rawSql(column)} = ${value} where id = ${accountId}`),
    );
    await api.settled();
  };

  test('without an account of the transaction they show nothing', async () => {
    const session = await openSession(api.urls.tenantUrl);
    try {
      for (const view of ['dealer_parties', 'network_dealers', 'network_listings', 'shown_cards'])
        expect(await session.rows(`select from ${view}`), view).toEqual([]);
      for (const view of ['vehicle_cards', 'dealer_agreements'])
        await expect(session.rows(`select from ${view}`), view).rejects.toThrow(/permission denied/);
    } finally {
      await session.close();
    }
  });

  test('the demonstration and real dealers never see each other', async () => {
    const demo = await newDealer(api, { name: 'Gösteri Oto' });
    const listing = dataOf(await demo.post(`vehicles/${await carOf(demo)}/publish`)).listing_id;
    expect(await namesIn(mine, 'network_listings')).toContain(demo.accountId);
    await setAccount(demo, 'is_demo', true);
    for (const view of ['dealer_parties', 'network_dealers', 'network_listings']) {
      expect(await namesIn(mine, view), view).not.toContain(demo.accountId);
      expect(await namesIn(demo, view), view).not.toContain(mine.accountId);
    }
    expect(verdictOf(await mine.get(`marketplace/listings/${listing}`))).toBe('404 not_found');
    expect(verdictOf(await mine.post('network-offers', { listing_id: listing, amount: '1.00' }))).toBe(
      '409 listing_not_available',
    );
  });

  test('a dealer who leaves the network or is suspended offers nothing new; open offers continue', async () => {
    const leaves = await newDealer(api, { name: 'Giden Oto' });
    const listings: string[] = [];
    for (const _ of [1, 2]) listings.push(dataOf(await leaves.post(`vehicles/${await carOf(leaves)}/publish`)).listing_id);
    const open = dataOf(await mine.post('network-offers', { listing_id: listings[0], amount: '9000.00' }));
    await setAccount(leaves, 'dealer_network', false);
    expect(await namesIn(mine, 'network_listings')).not.toContain(leaves.accountId);
    expect(await namesIn(leaves, 'network_dealers')).toEqual([]);
    expect(verdictOf(await mine.post('network-offers', { listing_id: listings[1], amount: '1.00' }))).toBe(
      '409 listing_not_available',
    );
    for (const answer of [await leaves.get(`network-offers/${open.id}`), await leaves.post(`network-offers/${open.id}/accept`)])
      expect(verdictOf(answer)).toBe('403 capability_not_enabled');
    for (const path of ['network-offers', 'network-offers/received', 'trade-requests'])
      expect(dataOf(await leaves.get(path)), path).toEqual([]);
    expect(dataOf(await mine.get(`network-offers/${open.id}`))).toMatchObject({
      status: 'Beklemede',
      seller: { name: 'Giden Oto' },
    });
    expect(dataOf(await mine.post(`network-offers/${open.id}/withdraw`)).status).toBe('Geri Çekildi');
    await setAccount(leaves, 'dealer_network', true);
    await setAccount(leaves, 'status', 'Askıda');
    expect(await namesIn(mine, 'network_listings')).not.toContain(leaves.accountId);
  });

  test('the other party of a row reads it and cannot write it', async () => {
    const { listing_id } = dataOf(await other.post(`vehicles/${await carOf(other)}/publish`));
    const offer = dataOf(await mine.post('network-offers', { listing_id, amount: '9000.00' }));
    const swap = dataOf(
      await mine.post('trade-requests', { offered_vehicle_id: await carOf(mine), requested_listing_id: listing_id }),
    );
    const third = await aDealer(api);
    for (const [table, id] of [
      ['network_offers', offer.id],
      ['trade_requests', swap.id],
    ] as [SharedTable, string][]) {
      const of = (dealer: Dealer) =>
        ask(dealer, `select account_id, ${OTHER_SIDE[table]} as side from ${table} where id = '${id}'`);
      for (const side of [mine, other])
        expect(await of(side), table).toEqual([{ account_id: other.accountId, side: mine.accountId }]);
      expect(await of(third), table).toEqual([]);
      const changed = (dealer: Dealer, what: string) =>
        api.database.inTenant(dealer.accountId, 'write', (db) =>
          db.rows(sql`update ${rawSql(table)} set message = ${what} where id = ${id} returning id`),
        );
      for (const dealer of [mine, third]) expect(await changed(dealer, 'başka'), table).toEqual([]);
      expect(await changed(other, 'kendi'), table).toHaveLength(1);
    }
  });

  test('a page of offers or cards is read along an index, a card by its key', async () => {
    const { listing_id } = dataOf(await other.post(`vehicles/${await carOf(other)}/publish`));
    dataOf(await mine.post('network-offers', { listing_id, amount: '9000.00' }));
    await grow(listing_id);
    const planOf = async (text: string) => JSON.stringify(await ask(mine, `explain (costs off) ${text}`));
    const cards = await planOf('select * from network_listings order by created_at desc, id desc limit 20');
    expect(cards).toContain('listings_network');
    const pages = await planOf(`select * from (select * from network_offers where buyer_id = '${mine.accountId}'
      order by created_at desc, id desc limit 20) chosen
      join shown_cards card on card.account_id = chosen.account_id and card.vehicle_id = chosen.vehicle_id`);
    expect(pages).toContain('network_offers_buyer_list');
    expect(pages).toContain('vehicles_pkey');
    for (const plan of [cards, pages]) expect(plan).not.toMatch(/Seq Scan on (vehicles|listings|network_offers)/);
  });

  /** As many vehicles, listings and closed offers as a large network has, all like the one. */
  async function grow(listingId: string): Promise<void> {
    const admin = await openSession(api.adminUrl);
    const copies = async (table: string, changes: string, where: string) => {
      const columns = await admin.rows<{ name: string }>(`select quote_ident(attname) as name from pg_attribute
        where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
      const names = columns.map(({ name }) => name);
      await admin.rows(`insert into ${table} (${names}) select ${names.map((name) => `(copy).${name}`)} from (
        select jsonb_populate_record(one, to_jsonb(one) || jsonb_build_object(${changes})) as copy
        from ${table} one, generate_series(1, 4000) n where ${where} offset 0) copies`);
    };
    const idOf = (kind: string) => `md5('${kind}' || n)::uuid`;
    await copies(
      'vehicles',
      `'id', ${idOf('car')}, 'plate', 'ÇOK ' || n`,
      `one.id = (select vehicle_id from listings where id = '${listingId}')`,
    );
    await copies('listings', `'id', ${idOf('listing')}, 'vehicle_id', ${idOf('car')}`, `one.id = '${listingId}'`);
    await copies(
      'network_offers',
      `'id', ${idOf('offer')}, 'vehicle_id', ${idOf('car')}, 'listing_id', ${idOf('listing')}, 'status', 'Reddedildi', 'responded_at', now()`,
      `one.listing_id = '${listingId}'`,
    );
    await admin.rows('analyze vehicles; analyze listings; analyze network_offers; analyze accounts');
    await admin.close();
  }
});
