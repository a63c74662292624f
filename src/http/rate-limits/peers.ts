// How nodes that lose Redis learn what the others admitted in the last window: each reports its admissions on the change channel, which
// uses PostgreSQL. Once all have reported, each may use its share of the remaining limit; otherwise a full window has to pass first.

export interface PeerChannel {
  /** Sends a text without colons, of up to 7000 characters, to every node. */
  send(text: string): Promise<void>;
  onMessage(listener: (text: string) => void): void;
}

export interface PeerOptions {
  readonly node: string;
  readonly channel: PeerChannel;
  readonly nodes: () => number;
  /** The length of the window. */
  readonly span: number;
  /** How long to wait for the others: then nothing they admitted before counts, and those that still have Redis leave us our share. */
  readonly patience: number;
  /** This node's admissions: the ages of each key. */
  readonly used: () => readonly (readonly [key: string, ages: readonly number[]])[];
}

export interface Left {
  /** How much of a key's limit all nodes together had used when they left Redis. */
  usedBefore(key: string): number;
  /** Milliseconds until that no longer counts. */
  forgottenIn(): number;
}

interface PeerMessage {
  readonly node: string;
  /** Absent: the node is still without Redis. Empty for one that returned. */
  readonly used?: readonly (readonly [key: string, count: number])[];
  /** Of one that returned: the nodes to which it leaves their share. */
  readonly away?: readonly string[];
  readonly part?: number;
  readonly parts?: number;
}

interface Report {
  readonly parts: Map<number, NonNullable<PeerMessage['used']>>;
  expected: number;
  at: number;
}

const CHUNK = 80;
const REPEAT_MS = 1000;
const SILENT_MS = 5000;

export class Peers {
  readonly #options: PeerOptions;
  readonly #reports = new Map<string, Report>();
  readonly #timer: NodeJS.Timeout;
  #leftAt: number | null = null;
  #settled: { readonly at: number; readonly used: ReadonlyMap<string, number> } | null = null;
  #waiting: (() => void)[] = [];

  constructor(options: PeerOptions) {
    this.#options = options;
    options.channel.onMessage((text) => this.#receive(readMessage(text)));
    this.#timer = setInterval(() => {
      if (this.#leftAt === null) return;
      this.#send({ node: options.node });
      this.#settle();
    }, REPEAT_MS).unref();
  }

  leaveRedis(): void {
    this.#leftAt = performance.now();
    this.#settled = null;
    this.#sendReport();
    this.#settle();
  }

  returnToRedis(): void {
    this.#leftAt = null;
    this.#settled = null;
    this.#wake();
    this.#send({ node: this.#options.node, used: [], away: this.away() });
  }

  /** The other nodes that have announced that they left Redis and have not returned. */
  away(): string[] {
    return [...this.#reports].filter(([, { at }]) => performance.now() - at < SILENT_MS).map(([node]) => node);
  }

  /** Resolves once every node has reported its admissions, or after this time. */
  async settled(withinMs: number): Promise<void> {
    this.#settle();
    if (this.#settled !== null || this.#leftAt === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const timeout = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timeout);
    this.#waiting = this.#waiting.filter((wake) => wake !== resolve);
  }

  /** Null if not every node has reported its admissions. */
  left(): Left | null {
    const settled = this.#settled;
    if (settled === null) return null;
    const forgottenIn = (): number => Math.max(0, settled.at + this.#options.span - performance.now());
    return { forgottenIn, usedBefore: (key) => (forgottenIn() > 0 ? (settled.used.get(key) ?? 0) : 0) };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #send(message: PeerMessage): void {
    this.#options.channel.send(Buffer.from(JSON.stringify(message)).toString('base64url')).catch(() => {});
  }

  #sendReport(): void {
    const { node, used } = this.#options;
    const all = used().map(([key, ages]) => [key, ages.length] as const);
    const parts = Math.max(1, Math.ceil(all.length / CHUNK));
    for (let part = 0; part < parts; part += 1)
      this.#send({ node, part, parts, used: all.slice(part * CHUNK, (part + 1) * CHUNK) });
  }

  #receive(message: PeerMessage | null): void {
    if (message === null || message.node === this.#options.node) return;
    const known = this.#reports.get(message.node);
    if (message.used === undefined) {
      if (known !== undefined) known.at = performance.now();
    } else if (message.parts === undefined) {
      this.#reports.delete(message.node);
      // It returned without knowing that this node is away, and so leaves it no share.
      if (this.#settled !== null && !message.away?.includes(this.#options.node)) {
        this.#settled = null;
        this.#sendReport();
      }
    } else {
      // A node that has just lost Redis may have missed our report.
      if (known === undefined && this.#leftAt !== null) this.#sendReport();
      const report = known ?? { parts: new Map(), expected: message.parts, at: 0 };
      this.#reports.set(message.node, report);
      report.expected = message.parts;
      report.at = performance.now();
      report.parts.set(message.part ?? 0, message.used);
    }
    this.#settle();
  }

  /** Resolves once all nodes have reported what they admitted, or after enough time that it no longer counts. */
  #settle(): void {
    if (this.#leftAt === null || this.#settled !== null) return;
    const { nodes, patience, used } = this.#options;
    const now = performance.now();
    const complete = [...this.#reports.values()].filter(
      ({ parts, expected, at }) => parts.size >= expected && now - at < SILENT_MS,
    );
    const isOver = now - this.#leftAt >= patience;
    if (complete.length < nodes() - 1 && !isOver) return;
    const sum = new Map(isOver ? [] : used().map(([key, ages]) => [key, ages.length]));
    if (!isOver)
      for (const [key, count] of complete.flatMap(({ parts }) => [...parts.values()].flat()))
        sum.set(key, (sum.get(key) ?? 0) + count);
    this.#settled = { at: now, used: sum };
    this.#wake();
  }
}

function readMessage(text: string): PeerMessage | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as PeerMessage;
  } catch {
    return null;
  }
}
