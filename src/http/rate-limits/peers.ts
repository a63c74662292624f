// How nodes that lose Redis learn what the others admitted in the last window: each reports its admissions on the change channel, which
// uses PostgreSQL. Once all have reported, each may use its share of the remaining limit; otherwise a full window has to pass first.

export interface PeerChannel {
  /** Sends a text without colons, of up to 7000 characters, to every node. */
  send(text: string): Promise<void>;
  onMessage(listener: (text: string) => void): void;
}

/** What a node knows of a key. */
export interface Use {
  readonly key: string;
  /** Its own admissions in the last window. */
  readonly count: number;
  /** The admissions of all nodes as Redis last counted them for this node. */
  readonly seen: number;
}

export interface PeerOptions {
  readonly node: string;
  readonly channel: PeerChannel;
  readonly nodes: () => number;
  /** The length of the window. */
  readonly span: number;
  /** How long to wait for the others: then nothing they admitted before counts, and those that still have Redis leave us our share. */
  readonly patience: number;
  readonly used: () => readonly Use[];
  /** This process began within the last window: one before it may have been killed with what it knew. */
  readonly isNew: () => boolean;
}

export interface Left {
  /** How much of a key's limit all nodes together had used when they left Redis. */
  usedBefore(key: string): number;
  /** Milliseconds until that no longer counts. */
  forgottenIn(): number;
}

interface PeerMessage {
  readonly node: string;
  /** Absent: the node is still without Redis. Empty for one that returned. The release before sends no `seen`. */
  readonly used?: readonly (readonly [key: string, count: number, seen?: number])[];
  readonly isNew?: boolean;
  /** Of one that returned: the nodes to which it leaves their share. */
  readonly away?: readonly string[];
  readonly part?: number;
  readonly parts?: number;
}

interface Report {
  readonly parts: Map<number, NonNullable<PeerMessage['used']>>;
  expected: number;
  isNew: boolean;
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
  /** Admissions of killed processes, which no node gives back to Redis. */
  #lost: { readonly until: number; readonly counts: ReadonlyMap<string, number> } | null = null;
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

  /** `isWhole`: it was not emptied, so it still counts what a killed process admitted. */
  returnToRedis(isWhole: boolean): void {
    this.#leftAt = null;
    this.#settled = null;
    if (isWhole) this.#lost = null;
    this.#wake();
    this.#send({ node: this.#options.node, used: [], away: this.away() });
  }

  /** How many admissions of a key Redis may not know because their node was killed, and for how many milliseconds they count. */
  lost(key: string): { readonly count: number; readonly forgottenIn: number } {
    const forgottenIn = Math.max(0, (this.#lost?.until ?? 0) - performance.now());
    return { count: forgottenIn > 0 ? (this.#lost!.counts.get(key) ?? 0) : 0, forgottenIn };
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
    const { node } = this.#options;
    const isNew = this.#options.isNew();
    const all = this.#options.used().map(({ key, count, seen }) => [key, count, seen] as const);
    const parts = Math.max(1, Math.ceil(all.length / CHUNK));
    for (let part = 0; part < parts; part += 1)
      this.#send({ node, isNew, part, parts, used: all.slice(part * CHUNK, (part + 1) * CHUNK) });
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
      const report = known ?? { parts: new Map(), expected: message.parts, isNew: false, at: 0 };
      this.#reports.set(message.node, report);
      report.expected = message.parts;
      report.isNew = message.isNew ?? false;
      report.at = performance.now();
      report.parts.set(message.part ?? 0, message.used);
    }
    this.#settle();
  }

  /** Resolves once all nodes have reported what they admitted, or after enough time that it no longer counts. */
  #settle(): void {
    if (this.#leftAt === null || this.#settled !== null) return;
    const { nodes, patience, span } = this.#options;
    const now = performance.now();
    const complete = [...this.#reports.values()].filter(
      ({ parts, expected, at }) => parts.size >= expected && now - at < SILENT_MS,
    );
    const isOver = now - this.#leftAt >= patience;
    if (complete.length < nodes() - 1 && !isOver) return;
    const { used, lost } = isOver ? NOTHING : this.#sum(complete);
    this.#settled = { at: now, used };
    this.#lost = { until: now + span, counts: lost };
    this.#wake();
  }

  /** What the nodes admitted together. If a process began lately, what Redis last counted shows what a killed one had admitted. */
  #sum(reports: readonly Report[]): { readonly used: Map<string, number>; readonly lost: Map<string, number> } {
    const areNew = this.#options.isNew() || reports.some(({ isNew }) => isNew);
    const own = this.#options.used().map(({ key, count, seen }) => [key, count, seen] as const);
    const [used, lost] = [new Map<string, number>(), new Map<string, number>()];
    const seenBy = new Map<string, number>();
    for (const [key, count, seen = 0] of [...own, ...reports.flatMap(({ parts }) => [...parts.values()].flat())]) {
      used.set(key, (used.get(key) ?? 0) + count);
      seenBy.set(key, Math.max(seenBy.get(key) ?? 0, seen));
    }
    for (const [key, seen] of areNew ? seenBy : []) {
      const missing = seen - used.get(key)!;
      if (missing <= 0) continue;
      used.set(key, seen);
      lost.set(key, missing);
    }
    return { used, lost };
  }
}

const NOTHING = { used: new Map<string, number>(), lost: new Map<string, number>() };

function readMessage(text: string): PeerMessage | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as PeerMessage;
  } catch {
    return null;
  }
}
