// Checks the log of an auction's or a lot's bids: each bid is chained to the one before it. Runs on every platform with Web Crypto.
import type { Galeri } from './client.ts';

export interface ChainedBid {
  readonly bid_seq: number;
  readonly amount: string;
  readonly bidder_alias: string;
  readonly placed_at: string;
  readonly chain: string;
}

export interface BidLog {
  /** Of the auction or lot. */
  readonly id: string;
  /** All of them, in whichever order. */
  readonly bids: readonly ChainedBid[];
  /** `chain_head` of the auction or lot, read after the bids: with it, bids that are missing at the end are found too. */
  readonly chainHead?: string;
}

/** All bids of a lot, page by page, and the `chain_head` that belongs to the last of them: what `verifyBids` takes. */
export async function readLotBids(galeri: Galeri, lotId: string): Promise<BidLog & { readonly chainHead: string }> {
  const bids: ChainedBid[] = [];
  let bids_cursor = '0';
  for (;;) {
    const { data } = await galeri.get('/live-auctions/lots/{lot_id}', { params: { lot_id: lotId }, query: { bids_cursor } });
    bids.push(...data.bids);
    if (data.bids_cursor === null) return { id: lotId, bids, chainHead: data.chain_head };
    bids_cursor = data.bids_cursor;
  }
}

/** The number of the first bid that was slipped in, changed or dropped; null where the log is whole. */
export async function verifyBids({ id, bids, chainHead }: BidLog): Promise<number | null> {
  const inOrder = bids.toSorted((one, other) => one.bid_seq - other.bid_seq);
  let link = await sha256(id.toLowerCase());
  for (const [index, { bid_seq, amount, bidder_alias, placed_at, chain }] of inOrder.entries()) {
    link = await sha256([link, bid_seq, amount, bidder_alias, placed_at].join('\n'));
    if (bid_seq !== index + 1 || chain !== link) return index + 1;
  }
  return chainHead === undefined || chainHead === link ? null : inOrder.length + 1;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
