// A write on the data of several dealers: each part runs in the data set of its own dealer.
import type { Work } from '../../kit/work.ts';

/** Provides the work of each named dealer; the caller's own work is passed unchanged. */
export function withSides<T>(
  work: Work,
  accounts: readonly string[],
  run: (of: (account: string) => Work) => Promise<T>,
): Promise<T> {
  const others = accounts.filter((id) => id !== work.account.id);
  return work.inAccounts(others, (works) => run((id) => (id === work.account.id ? work : works.get(id)!)));
}

/**
 * Locks the data sets of all sides in id order: after the cars and records, before the first of them is stamped. Without it a
 * write that stamps one side first would be repeated whenever the other is busy.
 */
export function holdSides(of: (account: string) => Work, accounts: readonly string[]): void {
  for (const id of [...new Set(accounts)].sort()) of(id).holdDataSet();
}
