// How many nodes there were in the last window, because admissions of a node that has just ended still count.

interface Period {
  readonly from: number;
  to: number;
  readonly count: number;
  /** How many of them have ended since with all their admissions in Redis. */
  ended: number;
}

/** After this time the database no longer counts a node that ended. */
const ENDING_MS = 5000;

export class NodeCount {
  readonly #nodes: () => number;
  readonly #keptMs: number;
  #periods: Period[] = [];
  /** Until when nodes that have ended may still be among those that the database counts. */
  #ending: number[] = [];

  constructor(nodes: () => number, keptMs: number) {
    this.#nodes = nodes;
    this.#keptMs = keptMs;
  }

  /** The largest number at any time in the window. To be called several times a second, so that no node is missed. */
  largest(): number {
    this.#note();
    return Math.max(...this.#periods.map(({ count }) => count));
  }

  /** The same without nodes that ended while Redis had all their admissions: they need no share of a limit. */
  sharing(): number {
    this.#note();
    return Math.max(1, ...this.#periods.map(({ count, ended }) => count - ended));
  }

  /** A node ended within the window. */
  hasFallen(): boolean {
    this.#note();
    return this.#periods.some(({ count }, place) => place > 0 && count < this.#periods[place - 1]!.count);
  }

  /** A node ended with all its admissions in Redis, after this time. Times before it began did not include it. */
  end(livedMs: number): void {
    this.#note();
    const now = performance.now();
    for (const period of this.#periods) if (Math.max(period.from, now - this.#keptMs) >= now - livedMs) period.ended += 1;
    this.#ending.push(now + ENDING_MS);
  }

  #note(): void {
    const now = performance.now();
    const count = Math.max(1, this.#nodes());
    this.#ending = this.#ending.filter((until) => until > now);
    const ended = this.#ending.length;
    const last = this.#periods.at(-1);
    if (last?.count === count && last.ended === ended) last.to = now;
    else this.#periods.push({ from: now, to: now, count, ended });
    while (this.#periods[0]!.to < now - this.#keptMs) this.#periods.shift();
  }
}
