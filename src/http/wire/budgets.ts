// What callers share of one process: how much there is, and how much of it one of them may hold (docs/decisions/0025).
import { Shares } from '../../domain/sharing/shares.ts';

const MB = 1024 * 1024;

export interface Budgets {
  /** Requests under way, by account; of people without one, by person. */
  readonly requests: Shares;
  /** Keys and sessions being looked up, by network: until it is known who asks, nobody else's place is used. */
  readonly strangers: Shares;
  /** Forms of people who are not signed in, from their first byte to the reply, by network. */
  readonly forms: Shares;
  /** Files being read by their links, by account: whoever has a link uses none of the account's requests. */
  readonly fileReads: Shares;
  /** Files and large bodies being received, by account. */
  readonly uploads: Shares;
  /** Bytes of those, on disk. */
  readonly diskBytes: Shares;
  /** Bytes of bodies in memory, by account. */
  readonly bodyBytes: Shares;
  /** Bytes of replies that their callers have not taken yet, by account. */
  readonly replyBytes: Shares;
  /** The same of what strangers read: pages, the reference, OpenAPI. */
  readonly strangerReplyBytes: Shares;
  /** Files of the panel that are made while they are sent, by account: each holds some megabytes. */
  readonly downloads: Shares;
}

export const createBudgets = (): Budgets => ({
  // Past this many a request is refused at once instead of joining the queue.
  requests: new Shares({ total: 2000, each: 500 }),
  // A look-up takes milliseconds, and a key that is known needs none: so many at once are nobody's ordinary day.
  strangers: new Shares({ total: 1000, each: 200 }),
  // An office behind one address signs in one by one; a form is a few hundred bytes and a password's eighty milliseconds.
  forms: new Shares({ total: 256, each: 32 }),
  fileReads: new Shares({ total: 1000, each: 250 }),
  uploads: new Shares({ total: 512, each: 64 }),
  diskBytes: new Shares({ total: 1024 * MB, each: 256 * MB }),
  // The largest JSON body, 20 MB, counts three times once it is parsed.
  bodyBytes: new Shares({ total: 192 * MB, each: 64 * MB }),
  // Some exports of ten thousand vehicles each.
  replyBytes: new Shares({ total: 128 * MB, each: 32 * MB }),
  strangerReplyBytes: new Shares({ total: 64 * MB, each: 16 * MB }),
  downloads: new Shares({ total: 64, each: 8 }),
});
