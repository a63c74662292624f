// A seeded generator: the same seed makes the same run.

export interface Random {
  /** 0 ≤ n < below */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
  /** The same values in another order. */
  shuffled<T>(from: readonly T[]): T[];
  bytes(count: number): Buffer;
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (max: number) => Math.floor(next() * max);
  return {
    below,
    pick: (from) => from[below(from.length)]!,
    chance: (probability) => next() < probability,
    shuffled: (from) => {
      const values = [...from];
      for (let left = values.length; left > 1; left -= 1) {
        const other = below(left);
        [values[left - 1], values[other]] = [values[other]!, values[left - 1]!];
      }
      return values;
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
