// What dealers who do business see of each other, and that nobody else sees any of it: with both belts, and with either cut.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { rawSql, sql } from '../../src/kit/sql.ts';
import { OTHER_SIDE, type SharedTable } from '../../src/kit/tenant-tables.ts';
import { openSession } from '../../src/postgres/database.ts';
import { aDealer, carOf, dataOf, type Shown, verdictOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { dropWall, keptLog } from './dealers.ts';
import { cutCode, type Deals, doBusiness, found, type Looked, lookRound, openDoors, type Side } from './network-dealers.ts';

interface Belts {
  /** Policies of the tables. */
  readonly policies: boolean;
  /** What the views ask before they show. */
  readonly views: boolean;
  /** The filters of the statements. */
  readonly code: boolean;
}

interface Run {
  readonly api: TestService;
  readonly log: ReturnType<typeof keptLog>;
  readonly deals: Deals;
  readonly seen: Record<'seller' | 'buyer' | 'rival' | 'outsider', Looked[]>;
}

/** The belts are cut before the first deal, so that what is written of it has one less as well; `later` are those of the looking. */
async function run(belts: Belts, later = belts): Promise<Run> {
  const log = keptLog();
  const holds = { ...belts };
  const api = await testService({ log, database: { watch: (statement) => (holds.code ? statement : cutCode(statement)) } });
  const cut = async ({ policies, views, code }: Belts) => {
    if (!policies) await dropWall(api.adminUrl);
    if (!views) await openDoors(api.adminUrl);
    holds.code = code;
  };
  await cut(belts);
  const deals = await doBusiness(api);
  await cut(later);
  const look = (side: Side) => lookRound(api, side, deals);
  const seen = {
    seller: await look(deals.seller),
    buyer: await look(deals.buyer),
    rival: await look(deals.rival),
    outsider: await look(deals.outsider),
  };
  return { api, log, deals, seen };
}

describe.each<[string, Belts]>([
  ['with every belt', { policies: true, views: true, code: true }],
  ['without the policies', { policies: false, views: true, code: true }],
  ['without the policies and what the views ask: the code alone', { policies: false, views: false, code: true }],
  ['without the filters of the code: the database alone', { policies: true, views: true, code: false }],
])('%s', (_, belts) => {
  let made: Run;
  beforeAll(async () => {
    made = await run(belts);
  });
  afterAll(() => made?.api.close());

  test('the two sides see what lies between them, and each other by name', () => {
    const { seen, deals } = made;
    for (const who of ['seller', 'buyer'] as const)
      expect(found(seen[who], [...deals.withBuyer, deals.buyer.tag, deals.seller.tag])).toHaveLength(deals.withBuyer.size + 2);
    for (const who of ['seller', 'rival'] as const)
      expect(found(seen[who], [...deals.withRival, deals.rival.tag, deals.seller.tag])).toHaveLength(deals.withRival.size + 2);
  });

  test('of each other they see no plate, no id of a car, no note, no customer, no consumer', () => {
    const { seen, deals } = made;
    const secretsOf = (...sides: Side[]) => sides.flatMap(({ secrets }) => [...secrets]);
    expect(found(seen.seller, secretsOf(deals.buyer, deals.rival, deals.outsider))).toEqual([]);
    expect(found(seen.buyer, secretsOf(deals.seller, deals.rival, deals.outsider))).toEqual([]);
    expect(found(seen.rival, secretsOf(deals.seller, deals.buyer, deals.outsider))).toEqual([]);
  });

  test('two rivals for one car know nothing of each other', () => {
    const { seen, deals } = made;
    expect(found(seen.buyer, [...deals.withRival, deals.rival.tag, deals.rival.accountId])).toEqual([]);
    expect(found(seen.rival, [...deals.withBuyer, deals.buyer.tag, deals.buyer.accountId])).toEqual([]);
  });

  test('a phone is for the two sides of the agreement', () => {
    const { seen, deals } = made;
    expect(found(seen.seller, [deals.buyer.phone])).toHaveLength(1);
    expect(found(seen.buyer, [deals.seller.phone])).toHaveLength(1);
    expect(found(seen.seller, [deals.rival.phone, deals.outsider.phone])).toEqual([]);
    expect(found(seen.rival, [deals.seller.phone, deals.buyer.phone])).toEqual([]);
  });

  test('whoever is not in the network sees nobody', () => {
    const { seen, deals } = made;
    const { seller, buyer, rival } = deals;
    const all = [seller, buyer, rival].flatMap(({ tag, accountId, phone, secrets }) => [tag, accountId, phone, ...secrets]);
    expect(found(seen.outsider, [...all, ...deals.withBuyer, ...deals.withRival])).toEqual([]);
    expect(found(seen.outsider, [deals.outsider.tag])).toHaveLength(1);
  });

  test('an act on what is another’s is answered as one on nothing, byte for byte but for id and time', async () => {
    const { deals } = made;
    const swaps = deals.paths.request_id!;
    const acts: [string, string, Record<string, unknown>?][] = [
      ...(['accept', 'reject', 'withdraw'] as const).map((act): [string, string] => ['POST', `network-offers/{}/${act}`]),
      ['POST', 'network-offers/{}/counter', { amount: '1.00' }],
      ['GET', 'network-offers/{}'],
      ...(['accept', 'reject'] as const).map((act): [string, string] => ['POST', `trade-requests/{}/${act}`]),
      ['DELETE', 'trade-requests/{}'],
      ['GET', 'trade-requests/{}'],
    ];
    for (const [method, path, body] of acts) {
      const id = path.startsWith('network') ? deals.paths.offer_id![1]! : swaps[0]!;
      const ask = async (at: string) => comparable(await send(deals.rival, method, path.replace('{}', at), body));
      const absent = await ask(newId());
      expect(absent.status, path).toBe(404);
      expect(await ask(id), path).toEqual(absent);
    }
    for (const listing of [newId(), ...deals.paths.offer_id!])
      expect(verdictOf(await deals.rival.post('network-offers', { listing_id: listing, amount: '1.00' }))).toBe(
        '409 listing_not_available',
      );
    expect(dataOf(await deals.buyer.get(`network-offers/${deals.paths.offer_id![1]}`)).status).toBe('Kabul Edildi');
  });

  test('counts are of what one sees', async () => {
    const { buyer, rival, outsider } = made.deals;
    const counted = async (side: Side, path: string) => (await side.get(path)).json.meta.count;
    for (const side of [buyer, rival]) {
      expect(await counted(side, 'network-offers?limit=100')).toBe(2);
      expect(await counted(side, 'network-offers/received?limit=100')).toBe(1);
      expect(await counted(side, 'trade-requests?limit=100')).toBe(1);
    }
    for (const path of ['network-offers', 'network-offers/received', 'trade-requests'])
      expect(await counted(outsider, path)).toBe(0);
  });

  test('the service’s own log names none of it', () => {
    const { deals, log } = made;
    const words = [deals.seller, deals.buyer, deals.rival].flatMap(({ tag, phone }) => [tag, phone]);
    const lines = log.lines.map((text) => ({ what: text, text }));
    expect(found(lines, [...words, 'wsozw', 'xsozx', 'wtakasw', '11537.41', '11841.73'])).toEqual([]);
  });
});

test('the walk would tell: with every belt cut the rivals see each other', async () => {
  const uncut = await run({ policies: true, views: true, code: true }, { policies: false, views: false, code: false });
  const { api, deals, seen } = uncut;
  try {
    expect(found(seen.rival, [...deals.withBuyer, deals.buyer.tag]).length).toBeGreaterThan(5);
    expect(found(seen.buyer, [...deals.withRival, deals.rival.tag]).length).toBeGreaterThan(5);
    expect(found(seen.rival, [deals.seller.phone])).toHaveLength(1);
  } finally {
    await api.close();
  }
});

const send = (side: Dealer, method: string, path: string, body?: Record<string, unknown>) =>
  method === 'GET' ? side.get(path) : method === 'DELETE' ? side.delete(path) : side.post(path, body);

function comparable({ status, headers, text, json }: Awaited<ReturnType<Dealer['get']>>) {
  const kept = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete kept[name];
  return { status, kept, text: text.replaceAll(json.meta.request_id, '').replaceAll(json.meta.timestamp, '') };
}

describe('the doors of the database', () => {
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

  test('the demonstration and real dealers never meet', async () => {
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

  test('one who leaves the network or is suspended offers nothing new; what is open runs on', async () => {
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

  test('the other side of a row reads it and cannot write it', async () => {
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

  /** As many cars, listings and closed offers as a large network has, all made like the one. */
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
