// Whose turn a sandbox takes: that of its account, so that an account has one turn wherever it works, also after a reset.

/** Sandboxes that were used last; another one takes turns of its own until its next request. */
const MAX_REMEMBERED = 10_000;
const owners = new Map<string, string>();

export function takesTurnOf(dataSet: string, owner: string): void {
  owners.delete(dataSet);
  owners.set(dataSet, owner);
  if (owners.size > MAX_REMEMBERED) owners.delete(owners.keys().next().value!);
}

export const turnOf = (dataSet: string): string => owners.get(dataSet) ?? dataSet;
