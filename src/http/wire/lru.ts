// A bounded map that forgets what was not used for longest. Map keeps insertion order: using an entry moves it to the end.

export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, weight?: number): void;
  remove(key: string): void;
  clear(): void;
  size(): number;
  weight(): number;
}

/** `most` bounds the sum of weights; an entry weighs 1 unless said otherwise. */
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
      // Moving on every hit costs more than it tells while there is room.
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
