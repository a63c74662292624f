// What callers know of a record whose value only rises: the least that a reader may be shown at a moment, on whichever node.
const PROMISED_MS = 1000;

export class Known {
  readonly id: string;
  /** The highest value that was requested. */
  asked: number;
  /** Rising in both. */
  private readonly marks: { at: number; value: number }[] = [];

  constructor(id: string, asked: number) {
    this.id = id;
    this.asked = asked;
  }

  /** Acknowledged to a writer or shown to a reader at this moment. */
  mark(value: number, at = performance.now()): void {
    if (value > (this.marks.at(-1)?.value ?? -1)) this.marks.push({ at, value });
  }

  /** For a request that begins now: what was known anywhere a second ago. Null if it was not known at all. */
  floor(now = performance.now()): number | null {
    const old = this.marks.findLastIndex(({ at }) => at <= now - PROMISED_MS);
    if (old > 0) this.marks.splice(0, old);
    return old === -1 ? null : this.marks[0]!.value;
  }
}
