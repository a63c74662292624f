// Work that may not take everything for itself: so many at once, the others wait their turn.

export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
  /** At work and waiting. */
  size(): number;
}

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    async take(work) {
      if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else busy += 1;
      try {
        return await work();
      } finally {
        // The place goes straight to the next in line.
        const next = waiting.shift();
        if (next) next();
        else busy -= 1;
      }
    },
    size: () => busy + waiting.length,
  };
}
