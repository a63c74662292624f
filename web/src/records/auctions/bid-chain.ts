// Checks the log of bids in the browser, without trusting the server: each bid's link is made of the one before it.

export interface LinkedBid {
  readonly bid_seq: number;
  readonly amount: string;
  readonly bidder_alias: string;
  readonly placed_at: string;
  readonly chain: string;
}

/** `unable`: this browser has no cryptography here, because the address is not a secure one. */
export type ChainCheck =
  | { readonly result: 'whole' | 'part'; readonly bids: number }
  | { readonly result: 'broken'; readonly at: number }
  | { readonly result: 'unable' };

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Of an auction or lot, in any order. From the first bid on the whole log is checked, else what is there; `head` is its last link. */
export async function checkChain(id: string, bids: readonly LinkedBid[], head?: string): Promise<ChainCheck> {
  if (globalThis.crypto?.subtle === undefined) return { result: 'unable' };
  const log = bids.toSorted((one, other) => one.bid_seq - other.bid_seq);
  const first = log[0];
  const isWhole = first === undefined || first.bid_seq === 1;
  let link = isWhole ? await sha256(id) : first.chain;
  let seq = isWhole ? 0 : first.bid_seq;
  for (const bid of isWhole ? log : log.slice(1)) {
    seq += 1;
    link = await sha256([link, bid.bid_seq, bid.amount, bid.bidder_alias, bid.placed_at].join('\n'));
    if (bid.bid_seq !== seq || bid.chain !== link) return { result: 'broken', at: seq };
  }
  if (head !== undefined && head !== link) return { result: 'broken', at: seq + 1 };
  return { result: isWhole ? 'whole' : 'part', bids: log.length };
}
