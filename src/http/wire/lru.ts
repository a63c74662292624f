// A bounded map that drops the least recently used entries. Map keeps insertion order: using an entry moves it to the end.

export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, weight?: number): void;
  remove(key: string): void;
  clear(): void;
  size(): number;
  weight(): number;
}

/** `max` limits the sum of weights; an entry has weight 1 by default. */
export function createLru<V>(max: number): Lru<V> {
  const entries = new Map<string, { value: V; weight: number }>();
  let total = 0;
  const remove = (key: string) => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    total -= entry.weight;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // While the map is at most half full nothing will be dropped soon, so moving entries is not worth its cost.
      if (total > max / 2) {
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.value;
    },
    set: (key, value, weight = 1) => {
      remove(key);
      if (weight > max) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= max) break;
        remove(oldest);
      }
    },
    remove,
    clear: () => {
      entries.clear();
      total = 0;
    },
    size: () => entries.size,
    weight: () => total,
  };
}
