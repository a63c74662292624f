// Counts of requests, computed the same way on all screens.
import type { Counts } from '../../../src/domain/usage/account-usage.ts';

export const callsOf = ({ ok, refused, failed }: Counts): number => ok + refused + failed;

/** Refusals without those for endpoints that are not open yet, as in all error rates (src/domain/usage/outcome.ts). */
export const troubleOf = ({ refused, not_open }: Counts): number => refused - not_open;

/** 0 where there were no calls. */
export const errorShareOf = (counts: Counts): number =>
  callsOf(counts) === 0 ? 0 : (troubleOf(counts) + counts.failed) / callsOf(counts);
