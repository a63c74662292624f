// Limits how many tasks run at once; the others wait their turn.

export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Running and waiting tasks. */
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
        // The slot passes directly to the next in the queue.
        const next = waiting.shift();
        if (next) next();
        else busy -= 1;
      }
    },
    size: () => busy + waiting.length,
  };
}
