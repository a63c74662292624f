// The demonstration's auctions are alive: bids as everybody places them, told to their sides, the same after another load.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAuctionIds } from '../../../src/demo/demo-auctions.ts';
import { loadDemoBids } from '../../../src/demo/demo-bids.ts';
import { loadDemo } from '../../../src/demo/demo-data.ts';
import { dealerOf } from '../../../src/demo/demo-dealer.ts';
import { loadDemoOffice } from '../../../src/demo/demo-office.ts';
import { firstBroken } from '../../../src/domain/auctions/bid-rules.ts';
import { formatMoney } from '../../../src/kit/money.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type TestService, testService } from '../../support/service.ts';

const DEALERS = [dealerOf(0), dealerOf(1), dealerOf(2)];

let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService();
  admin = await openSession(api.adminUrl);
  const now = api.clock.now();
  await loadDemo(api.database, api.secrets, { dealers: 3, vehicles: 60, customers: 5, now });
  await loadDemoOffice(api.database, api.secrets, DEALERS[0]!, now);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
});

interface Row {
  readonly item_id: string;
  readonly bid_seq: number;
  readonly amount_minor: bigint;
  readonly alias_no: number;
  readonly placed_at: Date;
  readonly chain: string;
  readonly account_id: string;
}

const allBids = () => admin.rows<Row & { id: string }>('select * from auction_bids order by item_id, bid_seq');

test('two auctions and two lots have bids whose chains hold; the first dealer leads nowhere; loading again adds none', async () => {
  const { writer } = api.service.parts;
  await loadDemoBids(writer, DEALERS, api.clock.now());
  const bids = await allBids();
  const ids = demoAuctionIds(DEALERS[0]!);
  const counts = [ids.auction_id, ids.own_auction_id, ids.bid_lot_id, ids.open_lot_id].map((id) => {
    const own = bids.filter(({ item_id }) => item_id === id);
    const shown = own.map(({ bid_seq, amount_minor, alias_no, placed_at, chain }) => ({
      ...{
        bid_seq,
        amount: formatMoney(amount_minor),
        bidder_alias: `Katılımcı ${alias_no}`,
        placed_at: placed_at.toISOString(),
        chain,
      },
    }));
    expect(firstBroken(id, shown)).toBeNull();
    expect(own.at(-1)!.account_id).not.toBe(DEALERS[0]!.id);
    return own.length;
  });
  expect(counts).toEqual([3, 4, 2, 1]);
  const told = await admin.rows(`select from notifications where account_id = $1 and kind like '%.outbid'`, [DEALERS[0]!.id]);
  expect(told.length).toBe(2);
  await loadDemoBids(writer, DEALERS, api.clock.now());
  expect(await allBids()).toEqual(bids);
});
