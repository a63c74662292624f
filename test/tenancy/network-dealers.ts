// Three dealers who trade: the seller with two rivals who know nothing of each other, and a fourth outside the network. Every
// text contains its owner and who may see it.
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { rawSql, type Statement, sql } from '../../src/kit/sql.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { openSession } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { carOf, customerOf, dataOf, type Shown } from '../support/books.ts';
import { eventsOf } from '../support/events.ts';
import { consumerOffers, consumersLook } from '../support/market.ts';
import type { TestService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { cutOwn } from './dealers.ts';

/** Besides the filters of the code, its distinction between agreements and other records: then only the views hide a phone. */
export const cutCode = (statement: Statement): Statement => {
  const { text, ...rest } = cutOwn(statement);
  return { ...rest, text: text.replaceAll(/case when chosen\.status in \('Kabul Edildi', 'Tamamlandı'\) and/g, 'case when') };
};

/** The views show everything to everyone: then only the code filters. */
export async function removeViewFilters(adminUrl: string): Promise<void> {
  const admin = await openSession(adminUrl);
  await admin.rows('create or replace view shown_cards as select card.* from vehicle_cards card');
  await admin.rows(`create or replace view dealer_parties as
    select theirs.id as account_id, theirs.name, theirs.city, theirs.phone from accounts theirs`);
  await admin.close();
}

export interface Side extends Dealer {
  /** In the dealer's name, city and vehicles, which its trading partners see. */
  readonly tag: string;
  readonly phone: string;
  /** What no other dealer ever sees. */
  readonly secrets: Set<string>;
  readonly cars: string[];
  readonly browser: Browser;
}

async function aSide(api: TestService, tag: string, digit: number): Promise<Side> {
  const phone = `+90533${String(digit).repeat(7)}`;
  const [legal_name, email] = [`${tag}gizli Ltd`, `${tag}gizli@example.com`];
  const dealer = await newDealer(api, { name: `${tag} Oto`, city: `${tag}kent`, legal_name, email, phone });
  const secret = (what: string) => `${tag}gizli ${what}`;
  const cars: string[] = [];
  for (const place of [1, 2]) {
    const body = {
      brand: `${tag}marka`,
      plate: `${tag}GIZLI ${place}`,
      description: secret('not'),
      chassis_no: `${tag}GIZLI${place}`,
    };
    cars.push(await carOf(dealer, { ...body, external_ref: secret(`ref ${place}`), trim: secret('paket') }));
  }
  const customer = await customerOf(dealer, { first_name: secret('ad'), note: secret('not') });
  const person = await newPerson(api, { accountId: dealer.accountId });
  const browser = await signedIn(api, person);
  return { ...dealer, tag, phone, cars, browser, secrets: new Set([`${tag}gizli`, customer, ...cars]) };
}

export interface Deals {
  readonly seller: Side;
  readonly buyer: Side;
  readonly rival: Side;
  readonly outsider: Side;
  /** Ids, amounts and texts of what is between the seller and the buyer, or the rival. */
  readonly withBuyer: Set<string>;
  readonly withRival: Set<string>;
  /** Used to request another dealer's records. */
  readonly paths: { readonly [param: string]: readonly string[] };
}

export async function doBusiness(api: TestService): Promise<Deals> {
  await openAll(api);
  const seller = await aSide(api, 'Qalfaq', 1);
  const buyer = await aSide(api, 'Wbetaw', 2);
  const rival = await aSide(api, 'Xgamax', 3);
  const outsider = await aSide(api, 'Zdeltaz', 4);
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`update accounts set ${rawSql('dealer_network')} = false where id = ${outsider.accountId}`),
  );
  await api.settled();
  const listings: string[] = [];
  for (const car of seller.cars) listings.push(dataOf(await seller.post(`vehicles/${car}/publish`)).listing_id);
  const [first, second] = listings as [string, string];

  const offer = async (by: Side, amount: string, message: string): Promise<Shown> =>
    dataOf(await by.post('network-offers', { listing_id: first, amount, message }));
  const offered = await offer(buyer, '11537.41', 'Wsozw1');
  const ofRival = await offer(rival, '11841.73', 'Xsozx1');
  const countered = dataOf(await seller.post(`network-offers/${offered.id}/counter`, { amount: '12413.59', message: 'Wsozw2' }));
  const toRival = dataOf(await seller.post(`network-offers/${ofRival.id}/counter`, { amount: '12977.83', message: 'Xsozx2' }));
  const trade = async (by: Side, cash_difference: string, message: string): Promise<Shown> => {
    const body = { offered_vehicle_id: by.cars[0], requested_listing_id: second, cash_difference, currency: 'STG', message };
    return dataOf(await by.post('trade-requests', body));
  };
  const swap = await trade(buyer, '371.19', 'Wtakasw');
  const otherSwap = await trade(rival, '-683.47', 'Xtakasx');
  await consumersLook(api, first, 'view', 90_817_263);
  const consumer = await consumerOffers(api, seller, first, '10771.77', {
    buyer_name: 'Qalfaqgizli kişi',
    buyer_phone: '+905339998877',
    message: 'Qalfaqgizli mesaj',
  });
  // The agreement ends the others' open offers on the vehicle; both parties see each other's phone from here on.
  dataOf(await buyer.post(`network-offers/${countered.id}/accept`, { message: 'Wsozw3' }));
  for (const mark of [consumer.id, '+905339998877', '10771.77', '90817263']) seller.secrets.add(mark);
  const marksOf = (records: readonly Shown[], words: readonly string[]) =>
    new Set([...records.flatMap(({ id, thread_id }) => (thread_id === undefined ? [id] : [id, thread_id])), ...words]);
  return {
    seller,
    buyer,
    rival,
    outsider,
    withBuyer: marksOf([offered, countered, swap], ['11537.41', '12413.59', '371.19', 'Wsozw', 'Wtakasw']),
    withRival: marksOf([ofRival, toRival, otherSwap], ['11841.73', '12977.83', '683.47', 'Xsozx', 'Xtakasx']),
    paths: {
      offer_id: [offered.id, countered.id, ofRival.id, toRival.id, consumer.id],
      request_id: [swap.id, otherSwap.id],
      listing_id: listings,
      vehicle_id: [seller, buyer, rival].flatMap(({ cars }) => cars),
    },
  };
}

export interface Looked {
  readonly what: string;
  readonly text: string;
}

/**
 * Everything that a dealer is shown: by its key, in its panel, in its events; also when it requests the others' ids and words.
 */
export async function lookRound(api: TestService, side: Side, { paths }: Deals): Promise<Looked[]> {
  const seen: Looked[] = [];
  const keep = (what: string, text: string) => void seen.push({ what, text: text.toLowerCase() });
  const ask = async (path: string) => {
    const { status, headers, text } = await side.get(path);
    keep(`GET ${path}`, `${status} ${JSON.stringify([...headers])} ${text}`);
  };
  const endpoints = apiEndpoints(resources).filter(({ body, method }) => body !== null && method === 'GET');
  for (const { path, params } of endpoints.filter((endpoint) => !endpoint.path.includes('{'))) {
    await ask(path);
    for (const name of Object.keys(params))
      for (const value of wordsFor(name, paths)) await ask(`${path}?${name}=${encodeURIComponent(value)}`);
  }
  await ask('marketplace/listings?scope=network&limit=100');
  for (const { kind, payload } of await eventsOf(api, side.accountId)) keep(`event ${kind}`, JSON.stringify(payload));
  for (const endpoint of panelEndpoints.filter(
    ({ method, path, stream }) => stream === null && method === 'GET' && !path.includes('{') && !path.startsWith('admin'),
  ))
    keep(`panel ${endpoint.path}`, (await side.browser.api(endpoint.path)).text);
  // Last, because a requested path is in the caller's own log.
  for (const { path } of endpoints) {
    const param = /\{(\w+)\}/.exec(path)?.[1];
    for (const id of (param === undefined ? undefined : paths[param]) ?? []) await ask(path.replace(/\{\w+\}/g, id));
  }
  return seen;
}

function wordsFor(name: string, paths: Deals['paths']): readonly string[] {
  if (name in paths) return paths[name]!;
  if (name === 'q') return ['Qalfaq', 'Wbetaw', 'Xgamax', 'GIZLI', 'soz'];
  if (name === 'role') return ['seller', 'buyer', 'requester', 'recipient'];
  if (name === 'awaiting_me') return ['true'];
  if (name === 'brand') return ['Qalfaqmarka', 'Wbetawmarka', 'Xgamaxmarka'];
  return [];
}

/** The marks that occur in the replies. */
export const found = (seen: readonly Looked[], marks: Iterable<string>): string[] =>
  [...marks].flatMap((mark) => {
    const { what } = seen.find(({ text }) => text.includes(mark.toLowerCase())) ?? {};
    return what === undefined ? [] : [`${mark} in ${what}`];
  });
