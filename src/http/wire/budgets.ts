// The resources of one process that callers share: the totals, and how much each caller may use (docs/decisions/0025).
import { Quota } from '../../domain/sharing/quota.ts';
import { FormPlaces } from './form-places.ts';

const MB = 1024 * 1024;

export interface Budgets {
  /** Running requests by account, or by person for people without one. */
  readonly requests: Quota;
  /** Running look-ups of keys and sessions by network, because the account is not known yet. */
  readonly strangers: Quota;
  /** Forms of people who are not signed in, by network. */
  readonly forms: FormPlaces;
  /** Running reads of files by account, apart from its requests, because anyone may have a link. */
  readonly fileReads: Quota;
  /** Files and large bodies that are being received, by account. */
  readonly uploads: Quota;
  /** Bytes of those, on disk. */
  readonly diskBytes: Quota;
  /** Bytes of bodies in memory, by account. */
  readonly bodyBytes: Quota;
  /** Bytes of replies that callers have not read yet, by account. */
  readonly replyBytes: Quota;
  /** The same for callers who are not known: pages, the reference, OpenAPI. */
  readonly strangerReplyBytes: Quota;
  /** Downloads of the panel by account; each uses some megabytes. */
  readonly downloads: Quota;
  /** Open event streams, by account. */
  readonly eventStreams: Quota;
}

export const createBudgets = (): Budgets => ({
  // More requests are refused at once instead of queueing.
  requests: new Quota({ total: 2000, each: 500 }),
  // A look-up takes milliseconds and cached keys need none, so normal use never reaches this.
  strangers: new Quota({ total: 1000, each: 200 }),
  // Enough for an office behind one address, whose people rarely sign in at the same moment.
  forms: new FormPlaces({ total: 256, each: [32, 48, 64] }),
  fileReads: new Quota({ total: 1000, each: 250 }),
  uploads: new Quota({ total: 512, each: 64 }),
  diskBytes: new Quota({ total: 1024 * MB, each: 256 * MB }),
  // The largest JSON body has 20 MB and counts three times once it is parsed.
  bodyBytes: new Quota({ total: 192 * MB, each: 64 * MB }),
  // Enough for several exports of ten thousand vehicles.
  replyBytes: new Quota({ total: 128 * MB, each: 32 * MB }),
  strangerReplyBytes: new Quota({ total: 64 * MB, each: 16 * MB }),
  downloads: new Quota({ total: 64, each: 8 }),
  // An idle stream is only a socket; the unread bytes of a slow one are counted in replyBytes.
  eventStreams: new Quota({ total: 1000, each: 20 }),
});
