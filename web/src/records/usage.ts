// Counts of requests, as they are told wherever they are shown.
import type { Counts } from '../../../src/domain/usage/account-usage.ts';

export const callsOf = ({ ok, refused, failed }: Counts): number => ok + refused + failed;

/** Without those for a row that is not open yet, as everywhere where errors are shared out (src/domain/outcome.ts). */
export const troubleOf = ({ refused, not_open }: Counts): number => refused - not_open;

/** 0 where there was no call. */
export const errorShareOf = (counts: Counts): number =>
  callsOf(counts) === 0 ? 0 : (troubleOf(counts) + counts.failed) / callsOf(counts);
