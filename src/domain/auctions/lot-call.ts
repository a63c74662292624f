// The auctioneer's calls on the highest bid (first, second) before closing the lot. A call is shown in the room only and emits no
// events.
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { integerField, required } from '../records/fields.ts';
import type { LotStatus } from './auction-states.ts';
import { operatedLot } from './live-lot-writes.ts';

/** `bid_count`: the number of bids that the auctioneer saw. If another bid has arrived since, the reply is call 0. */
export const CALL_FIELDS = { call: required(integerField(1, 2)), bid_count: required(integerField(0, 1_000_000)) } as const;

export interface LotCall {
  readonly lot_id: string;
  readonly bid_count: number;
  /** 0 after a new bid. */
  readonly call: number;
}

export async function callLot(work: Work, id: string, body: CreateBody<typeof CALL_FIELDS>): Promise<LotCall> {
  const { seller_id } = await operatedLot(work, id);
  return work.inAccounts([work.account.id, seller_id], async (works) => {
    const { db } = works.get(seller_id)!;
    const lot = await db.one<{ status: LotStatus; bid_count: number }>(
      sql`select status, bid_count from ${own('live_lots')} where id = ${id} for update`,
    );
    if (lot.status !== 'Açık') fail('lot_not_open');
    const { bid_count } = lot;
    if (bid_count !== body.bid_count) return { lot_id: id, bid_count, call: 0 };
    await db.exec(sql`update live_lots set call_no = ${body.call}, call_seq = ${bid_count}
      where account_id = ${theAccount} and id = ${id}`);
    return { lot_id: id, bid_count, call: body.call };
  });
}
