// How long work waits for connections, altogether.

export interface Waits {
  timed<T>(turn: Promise<T>): Promise<T>;
  waits(): { readonly count: number; readonly seconds: number };
}

export function createWaits(): Waits {
  let [count, seconds] = [0, 0];
  return {
    timed: async (turn) => {
      const since = performance.now();
      try {
        return await turn;
      } finally {
        count += 1;
        seconds += (performance.now() - since) / 1000;
      }
    },
    waits: () => ({ count, seconds }),
  };
}
