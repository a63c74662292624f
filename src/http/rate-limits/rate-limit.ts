// The per-minute limit of a key: an exact trailing window. In any 60 seconds no more than the limit is admitted; refused
// requests are not counted.

export interface LimitResult {
  readonly admitted: boolean;
  /** Requests admitted in the trailing window, including this one if it was admitted. */
  readonly used: number;
  /** Milliseconds until the oldest of them leaves the window. */
  readonly oldestLeavesIn: number;
  /** Milliseconds until a request would be admitted again; 0 when this one was. */
  readonly retryIn: number;
}

export interface Limiter {
  admit(key: string, limit: number): LimitResult | Promise<LimitResult>;
  /** Requests admitted in the trailing window, without counting one more. */
  used(key: string): number | Promise<number>;
  close(): Promise<void>;
}

export const WINDOW_MS = 60_000;

/** Admission times in a ring buffer that grows with use, up to the largest limit. */
class Window {
  private times = new Float64Array(8);
  private head = 0;
  private count = 0;

  /** With `add` false nothing is counted. */
  admit(limit: number, now: number, span: number, add = true): LimitResult {
    while (this.count > 0 && this.times[this.head]! <= now - span) {
      this.head = (this.head + 1) % this.times.length;
      this.count -= 1;
    }
    const admitted = this.count < limit;
    if (admitted && add) this.push(now);
    const oldestLeavesIn = this.count === 0 ? 0 : this.at(0) + span - now;
    return { admitted, used: this.count, oldestLeavesIn, retryIn: admitted ? 0 : this.at(this.count - limit) + span - now };
  }

  /** How many milliseconds ago each admission was, oldest first. */
  ages(now: number, span: number): number[] {
    const ages = Array.from({ length: this.count }, (_, index) => now - this.at(index));
    return ages.filter((age) => age < span);
  }

  isIdle(now: number, span: number): boolean {
    return this.count === 0 || this.at(this.count - 1) <= now - span;
  }

  private at(index: number): number {
    return this.times[(this.head + index) % this.times.length]!;
  }

  private push(now: number): void {
    if (this.count === this.times.length) {
      const grown = new Float64Array(this.times.length * 2);
      for (let index = 0; index < this.count; index += 1) grown[index] = this.at(index);
      this.times = grown;
      this.head = 0;
    }
    this.times[(this.head + this.count) % this.times.length] = now;
    this.count += 1;
  }
}

export interface MemoryLimiter extends Limiter {
  admit(key: string, limit: number): LimitResult;
  used(key: string): number;
  /** The result that `admit` would have, without counting. */
  look(key: string, limit: number): LimitResult;
  /** Every key with the ages of its admissions in milliseconds, oldest first. */
  entries(): [key: string, ages: number[]][];
  /** Forgets every admission. */
  clear(): void;
  /** The number of windows in memory. Idle ones are dropped, so that memory depends on traffic and not on the number of keys. */
  size(): number;
}

export function createMemoryLimiter(now: () => number = () => performance.now(), span = WINDOW_MS): MemoryLimiter {
  const windows = new Map<string, Window>();
  const dropIdle = setInterval(() => {
    const at = now();
    for (const [key, window] of windows) if (window.isIdle(at, span)) windows.delete(key);
  }, span / 2);
  dropIdle.unref();
  return {
    admit: (key, limit) => {
      let window = windows.get(key);
      if (window === undefined) {
        window = new Window();
        windows.set(key, window);
      }
      return window.admit(limit, now(), span);
    },
    look: (key, limit) => (windows.get(key) ?? new Window()).admit(limit, now(), span, false),
    used: (key) => windows.get(key)?.admit(Number.POSITIVE_INFINITY, now(), span, false).used ?? 0,
    entries: () => [...windows].map(([key, window]) => [key, window.ages(now(), span)]),
    clear: () => windows.clear(),
    size: () => windows.size,
    close: async () => clearInterval(dropIdle),
  };
}
