// Invariants of auctions, tried in SQL with the application's role: the database refuses violations regardless of the code.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aliasOf, nextLink } from '../../../src/domain/auctions/bid-rules.ts';
import { sqlState } from '../../../src/kit/db.ts';
import { newId } from '../../../src/kit/ids.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { rawSql, type Sql, sql, theAccount } from '../../../src/kit/sql.ts';
import { aBidder, bid, putUp } from '../../support/auctions.ts';
import { dataOf, type Shown } from '../../support/books.ts';
import { moveClock } from '../../support/clock.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

let api: TestService;
let [seller, b, c]: Dealer[] = [];
let auction: Shown;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  [seller, b, c] = [await aBidder(api), await aBidder(api), await aBidder(api)];
  auction = await putUp(api, seller!);
  auction = dataOf(await bid(b!, auction, '8000.00')).auction;
});
afterAll(() => api.close());

/** `23514 auction_bids_rules`: the error that refused the statement, run as this dealer. */
const refusal = async (dealer: Dealer, statement: Sql): Promise<string> => {
  try {
    const changed = await api.database.inTenant(dealer.accountId, 'write', (db) => db.exec(statement));
    return `done ${changed}`;
  } catch (error) {
    return `${sqlState(error)} ${(error as { constraint?: string }).constraint ?? ''}`.trim();
  }
};

interface Forged {
  readonly amount?: bigint;
  readonly seq?: number;
  readonly alias?: number;
  readonly at?: Date;
  readonly chain?: string;
  readonly item?: string;
  readonly head?: string;
}

/** A bid that is valid except for the given columns. */
function forged({
  amount = 810_000n,
  seq = 2,
  alias = 2,
  at = api.clock.now(),
  chain,
  item = auction.id,
  head = auction.chain_head,
}: Forged = {}): Sql {
  const bid = { bid_seq: seq, amount: formatMoney(amount), bidder_alias: aliasOf(alias), placed_at: at.toISOString() };
  const link = chain ?? nextLink(head, bid);
  return sql`insert into auction_bids (account_id, id, item_id, is_lot, bid_seq, amount_minor, alias_no, placed_at, chain)
    values (${theAccount}, ${newId()}, ${item}, false, ${seq}, ${amount}, ${alias}, ${at}, ${link})`;
}

describe('a bid', () => {
  const RULES = '23514 auction_bids_rules';
  test.each([
    ['below the step', { amount: 809_999n }],
    ['out of turn', { seq: 3 }],
    ['under another’s name', { alias: 1 }],
    ['before the last one', { at: new Date(Date.now() - 30_000) }],
    ['dated long before', { at: new Date(Date.now() - 86_400_000) }],
    ['after the end', { at: new Date(Date.now() + 7_200_000) }],
    ['with its own hash chain', { chain: 'a'.repeat(64) }],
    ['in nothing', { item: newId() }],
  ] as const)('%s is refused', async (_, input) => {
    expect(await refusal(c!, forged(input))).toBe(RULES);
  });

  test('is refused from the seller and from the leader', async () => {
    expect(await refusal(seller!, forged())).toBe(RULES);
    expect(await refusal(b!, forged({ alias: 1 }))).toBe(RULES);
  });

  test('is refused in another dealer’s name', async () => {
    const statement = sql`insert into auction_bids (account_id, id, item_id, is_lot, bid_seq, amount_minor, alias_no, placed_at, chain)
      values (${c!.accountId}, ${newId()}, ${auction.id}, false, 2, 810000, 2, now(), ${'a'.repeat(64)})`;
    expect(await refusal(seller!, statement)).toMatch(/^42501/);
  });

  test('cannot be changed, and neither can the auction fields that bids set', async () => {
    for (const statement of [
      'update auction_bids set amount_minor = 1',
      'delete from auction_bids',
      'update auction_bidders set alias_no = 9',
      'insert into auction_bidders (account_id, item_id, alias_no, highest_minor) values (gen_random_uuid(), gen_random_uuid(), 1, 1)',
      'update network_auctions set current_bid_minor = 1',
      'update network_auctions set reserve_price_minor = null',
      'update network_auctions set start_price_minor = 1',
      "update network_auctions set ends_at = ends_at + interval '1 h'",
      'update network_auctions set leader_id = null',
      "update network_auctions set chain_head = repeat('a', 64)",
      'delete from network_auctions',
      'update live_lots set current_bid_minor = 1',
      'delete from live_lots',
      'delete from auction_requests',
    ])
      expect(await refusal(seller!, rawSql(statement)), statement).toBe('42501');
  });
});

describe('an auction', () => {
  const set = (values: string) => refusal(seller!, rawSql(`update network_auctions set ${values} where status = 'Canlı'`));
  test('allows only the declared state transitions', async () => {
    expect(await set("status = 'Planlandı'")).toBe('23514 network_auctions_moves');
    expect(await set("status = 'İptal', ended_at = now()")).toBe('23514 network_auctions_moves');
    expect(await set("status = 'Bitti', ended_at = now()")).toMatch(/^23514/);
    expect(await set("status = 'Bitti', result = 'Bozuldu'")).toMatch(/^23514/);
  });

  test('cannot be ended or read by another dealer', async () => {
    for (const dealer of [b!, c!]) {
      expect(
        await refusal(dealer, rawSql("update network_auctions set status = 'Bitti', result = 'Satıldı', ended_at = now()")),
      ).toBe('done 0');
      const seen = await api.database.inTenant(dealer.accountId, 'read', (db) =>
        db.rows(rawSql('select 1 from network_auctions')),
      );
      expect(seen).toEqual([]);
    }
  });

  test('accepts bid events only from the bid, in the same transaction', async () => {
    const bid = await api.database.inTenant(b!.accountId, 'read', (db) =>
      db.one<{ id: string }>(rawSql('select id from auction_bids limit 1')),
    );
    const emit = sql`select tell_bid(${bid.id}, array['x'], false, 'evt_0000000000aaaaaaaaaaaaaaaa', ${newId()}, '{}', '{}', null, now(), now())`;
    for (const dealer of [seller!, b!, c!]) expect(await refusal(dealer, emit)).toBe('42501');
  });

  test('accepts a valid bid and then shows it', async () => {
    expect(await refusal(c!, forged())).toBe('done 1');
    expect(dataOf(await seller!.get(`network-auctions/${auction.id}`))).toMatchObject({ current_bid: '8100.00', bid_count: 2 });
  });
});

// Last, because it moves the clock.
test('a bid exactly 120 seconds before the end counts as an extension and leaves the end where it is', async () => {
  const edge = await putUp(api, seller!);
  const at = new Date(Date.parse(edge.ends_at) - 120_000);
  await moveClock(api, at);
  expect(await refusal(b!, forged({ amount: 800_000n, seq: 1, alias: 1, at, item: edge.id, head: edge.chain_head }))).toBe(
    'done 1',
  );
  expect(dataOf(await b!.get(`network-auctions/${edge.id}`))).toMatchObject({
    extension_count: 1,
    ends_at: edge.ends_at,
    original_ends_at: edge.ends_at,
  });
});
