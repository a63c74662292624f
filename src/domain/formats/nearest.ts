// Finds the name that a misspelt one was probably meant to be.

/** Longer texts are not names, and comparing them would cost too much. */
const MAX_LENGTH = 60;

/** The closest of the names, or null if none is close. Case, `-`, `_` and spaces do not count: `createdAt` is `created_at`. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  if (given.length > MAX_LENGTH) return null;
  const wanted = plain(given);
  const allowed = allowedFor(wanted);
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names) {
    const other = plain(name);
    // Names of quite another length need no comparison.
    if (Math.abs(other.length - wanted.length) > allowed) continue;
    const distance = distanceOf(wanted, other);
    if (distance <= allowed && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/** One typing error in a short name, up to three in a long one; none in a name of one or two letters. */
const allowedFor = (name: string): number => (name.length < 3 ? 0 : name.length < 5 ? 1 : name.length < 9 ? 2 : 3);

/** How many letters must be inserted, deleted, replaced or exchanged with their neighbour. */
export function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      let least = Math.min(next[to - 1]! + 1, row[to]! + 1, row[to - 1]! + (isSame ? 0 : 1));
      const isExchanged = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      if (isExchanged) least = Math.min(least, before[to - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
