// A write that concerns several dealers: each one's part is done in its own name.
import type { Work } from '../../kit/work.ts';

/** Gives the work of each named dealer, the caller's own among them as it is. */
export function withSides<T>(
  work: Work,
  accounts: readonly string[],
  run: (of: (account: string) => Work) => Promise<T>,
): Promise<T> {
  const others = accounts.filter((id) => id !== work.account.id);
  return work.inAccounts(others, (works) => run((id) => (id === work.account.id ? work : works.get(id)!)));
}

/**
 * Holds the data sets of all sides, in the one order in which everybody takes them: after the cars and records, before the first of them
 * is stamped. Without it a write that stamps one side first would be tried again whenever the other is busy.
 */
export function holdSides(of: (account: string) => Work, accounts: readonly string[]): void {
  for (const id of [...new Set(accounts)].sort()) of(id).holdDataSet();
}
