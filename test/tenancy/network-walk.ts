// What dealers who trade see of each other, and that no other dealer sees any of it: with every layer, or with some of them
// removed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { dataOf, verdictOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import type { Dealer } from '../support/writer.ts';
import { dropWall, keptLog } from './dealers.ts';
import {
  cutCode,
  type Deals,
  doBusiness,
  found,
  type Looked,
  lookRound,
  removeViewFilters,
  type Side,
} from './network-dealers.ts';

export interface Belts {
  /** Policies of the tables. */
  readonly policies: boolean;
  /** The conditions of the views. */
  readonly views: boolean;
  /** The filters of the statements. */
  readonly code: boolean;
}

export interface Run {
  readonly api: TestService;
  readonly log: ReturnType<typeof keptLog>;
  readonly deals: Deals;
  readonly seen: Record<'seller' | 'buyer' | 'rival' | 'outsider', Looked[]>;
}

/** The layers are removed before the first deal, so that its writes lack them as well; `later` are those of the reads. */
export async function run(belts: Belts, later = belts): Promise<Run> {
  const log = keptLog();
  const holds = { ...belts };
  const api = await testService({ log, database: { watch: (statement) => (holds.code ? statement : cutCode(statement)) } });
  const cut = async ({ policies, views, code }: Belts) => {
    if (!policies) await dropWall(api.adminUrl);
    if (!views) await removeViewFilters(api.adminUrl);
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

/** The tests of one walk, in the `describe` it is called in. */
export function holds(belts: Belts): void {
  let made: Run;
  beforeAll(async () => {
    made = await run(belts);
  });
  afterAll(() => made?.api.close());

  test('the two parties see their own deal, and each other by name', () => {
    const { seen, deals } = made;
    for (const who of ['seller', 'buyer'] as const)
      expect(found(seen[who], [...deals.withBuyer, deals.buyer.tag, deals.seller.tag])).toHaveLength(deals.withBuyer.size + 2);
    for (const who of ['seller', 'rival'] as const)
      expect(found(seen[who], [...deals.withRival, deals.rival.tag, deals.seller.tag])).toHaveLength(deals.withRival.size + 2);
  });

  test('they see no plate, vehicle id, remark, customer or consumer of each other', () => {
    const { seen, deals } = made;
    const secretsOf = (...sides: Side[]) => sides.flatMap(({ secrets }) => [...secrets]);
    expect(found(seen.seller, secretsOf(deals.buyer, deals.rival, deals.outsider))).toEqual([]);
    expect(found(seen.buyer, secretsOf(deals.seller, deals.rival, deals.outsider))).toEqual([]);
    expect(found(seen.rival, secretsOf(deals.seller, deals.buyer, deals.outsider))).toEqual([]);
  });

  test('two rivals for one vehicle know nothing of each other', () => {
    const { seen, deals } = made;
    expect(found(seen.buyer, [...deals.withRival, deals.rival.tag, deals.rival.accountId])).toEqual([]);
    expect(found(seen.rival, [...deals.withBuyer, deals.buyer.tag, deals.buyer.accountId])).toEqual([]);
  });

  test('a phone is visible to the two parties of the agreement only', () => {
    const { seen, deals } = made;
    expect(found(seen.seller, [deals.buyer.phone])).toHaveLength(1);
    expect(found(seen.buyer, [deals.seller.phone])).toHaveLength(1);
    expect(found(seen.seller, [deals.rival.phone, deals.outsider.phone])).toEqual([]);
    expect(found(seen.rival, [deals.seller.phone, deals.buyer.phone])).toEqual([]);
  });

  test('a dealer outside the network sees no one', () => {
    const { seen, deals } = made;
    const { seller, buyer, rival } = deals;
    const all = [seller, buyer, rival].flatMap(({ tag, accountId, phone, secrets }) => [tag, accountId, phone, ...secrets]);
    expect(found(seen.outsider, [...all, ...deals.withBuyer, ...deals.withRival])).toEqual([]);
    expect(found(seen.outsider, [deals.outsider.tag])).toHaveLength(1);
  });

  test('an action on another’s record gets the same reply as on a missing one, byte for byte except for id and time', async () => {
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

  test('counts include only visible records', async () => {
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
}

const send = (side: Dealer, method: string, path: string, body?: Record<string, unknown>) =>
  method === 'GET' ? side.get(path) : method === 'DELETE' ? side.delete(path) : side.post(path, body);

function comparable({ status, headers, text, json }: Awaited<ReturnType<Dealer['get']>>) {
  const kept = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) delete kept[name];
  return { status, kept, text: text.replaceAll(json.meta.request_id, '').replaceAll(json.meta.timestamp, '') };
}
