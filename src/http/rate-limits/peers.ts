// How nodes that lose Redis learn what the others admitted in the last window: each reports its admissions on the change channel, which
// uses PostgreSQL. Once all have reported, each may use its share of the remaining limit; otherwise a full window has to pass first.
// A node admits nothing between its report and the time at which all have reported, so every report is still true when it is used.

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
  /** A node ended within the last window. */
  readonly haveEnded: () => boolean;
  /** Another node ended with all its admissions in Redis, after so many milliseconds. */
  readonly onEnd: (livedMs: number) => void;
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
  /** It lost Redis just now, so every node without Redis reports once more. */
  readonly isFirst?: boolean;
  /** Of one that returned: the nodes to which it leaves their share. */
  readonly away?: readonly string[];
  readonly part?: number;
  readonly parts?: number;
  /** Rises with each report and return, whose parts may arrive in any order. The release before sends none. */
  readonly number?: number;
  /** It ended with all its admissions in Redis, after so many milliseconds. */
  readonly ended?: number;
}

interface Peer {
  readonly number: number;
  /** It has announced that it left Redis, and has not returned. */
  readonly isAway: boolean;
  readonly isNew: boolean;
  readonly parts: Map<number, NonNullable<PeerMessage['used']>>;
  readonly expected: number;
  at: number;
}

const CHUNK = 80;
const REPEAT_MS = 1000;
const SILENT_MS = 5000;

export class Peers {
  readonly #options: PeerOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #timer: NodeJS.Timeout;
  #leftAt: number | null = null;
  #settled: { readonly at: number; readonly used: ReadonlyMap<string, number> } | null = null;
  #number = 0;
  #waiting: (() => void)[] = [];

  constructor(options: PeerOptions) {
    this.#options = options;
    options.channel.onMessage((text) => this.#receive(readMessage(text)));
    this.#timer = setInterval(() => {
      for (const [node, { at }] of this.#peers) if (performance.now() - at > options.patience) this.#peers.delete(node);
      if (this.#leftAt === null) return;
      this.#send({ node: options.node });
      this.#settle();
    }, REPEAT_MS).unref();
  }

  leaveRedis(): void {
    this.#begin();
    this.#sendReport(true);
    this.#settle();
  }

  returnToRedis(): void {
    this.#leftAt = null;
    this.#settled = null;
    this.#wake();
    this.#number += 1;
    this.#send({ node: this.#options.node, number: this.#number, used: [], away: this.away() });
  }

  /** This node ends with all its admissions in Redis. */
  async end(livedMs: number): Promise<void> {
    await this.#options.channel.send(textOf({ node: this.#options.node, ended: livedMs }));
  }

  /** The other nodes that have announced that they left Redis and have not returned. */
  away(): string[] {
    const since = performance.now() - SILENT_MS;
    return [...this.#peers].filter(([, { isAway, at }]) => isAway && at > since).map(([node]) => node);
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
    this.#options.channel.send(textOf(message)).catch(() => {});
  }

  #sendReport(isFirst: boolean): void {
    const { node } = this.#options;
    const isNew = this.#options.isNew();
    const all = this.#options.used().map(({ key, count, seen }) => [key, count, seen] as const);
    const parts = Math.max(1, Math.ceil(all.length / CHUNK));
    this.#number += 1;
    for (let part = 0; part < parts; part += 1) {
      const used = all.slice(part * CHUNK, (part + 1) * CHUNK);
      this.#send({ node, number: this.#number, isNew, isFirst, part, parts, used });
    }
  }

  /** Nothing is admitted until all have reported: earlier reports do not contain what their nodes admitted since. */
  #begin(): void {
    this.#leftAt = performance.now();
    this.#settled = null;
    for (const { parts } of this.#peers.values()) parts.clear();
  }

  #receive(message: PeerMessage | null): void {
    if (message === null || message.node === this.#options.node) return;
    const known = this.#peers.get(message.node);
    if (message.ended !== undefined) {
      this.#peers.delete(message.node);
      this.#options.onEnd(message.ended);
    } else if (message.used === undefined) {
      if (known !== undefined) known.at = performance.now();
    } else if (known === undefined || (message.number ?? 0) >= known.number) {
      if (message.parts === undefined) this.#receiveReturn(message);
      else this.#receiveReport(message, message.used);
    }
    this.#settle();
  }

  #receiveReturn({ node, number = 0, away = [] }: PeerMessage): void {
    const at = performance.now();
    this.#peers.set(node, { number, isAway: false, isNew: false, parts: new Map(), expected: 1, at });
    if (this.#settled === null || away.includes(this.#options.node) || at - this.#leftAt! >= SILENT_MS) return;
    // It returned without knowing that this node is away, and Redis has not missed this node yet: its share is not left to it.
    this.#begin();
    this.#sendReport(false);
  }

  #receiveReport(message: PeerMessage, used: NonNullable<PeerMessage['used']>): void {
    const { node, number = 0, isNew = false, isFirst = false, part = 0, parts: expected = 1 } = message;
    const known = this.#peers.get(node);
    const isNext = known === undefined || !known.isAway || number > known.number;
    const parts = isNext ? new Map() : known.parts;
    const isUnheard = isNext && (isFirst || !known?.isAway);
    this.#peers.set(node, { number, isAway: true, isNew, parts, expected, at: performance.now() });
    if (this.#leftAt !== null && isUnheard) this.#answer(isFirst, isNew);
    parts.set(part, used);
  }

  /** Another node lost Redis, and may have missed the report of this one. */
  #answer(isFirst: boolean, isNew: boolean): void {
    if (this.#settled !== null) {
      // Those that already use their share continue, unless all others are away: only then may the other one take more than its own.
      // If a new one replaces a node that ended, it waits until what that node used is out of the window.
      const { nodes, haveEnded } = this.#options;
      if (!isFirst || this.away().length < nodes() - 1 || (isNew && haveEnded())) return;
      this.#begin();
    } else if (isFirst) for (const { parts } of this.#peers.values()) parts.clear();
    this.#sendReport(false);
  }

  /** Resolves once all nodes have reported what they admitted, or after enough time that it no longer counts. */
  #settle(): void {
    if (this.#leftAt === null || this.#settled !== null) return;
    const { nodes, patience } = this.#options;
    const now = performance.now();
    const complete = [...this.#peers.values()].filter(
      ({ isAway, parts, expected, at }) => isAway && parts.size >= expected && now - at < SILENT_MS,
    );
    const haveAll = complete.length >= nodes() - 1;
    if (!haveAll && now - this.#leftAt < patience) return;
    // Reports of all count even after that time, because the others use the report of this node.
    this.#settled = { at: now, used: haveAll ? this.#sum(complete) : new Map() };
    this.#wake();
  }

  /** What the nodes admitted together. If a process began lately, what Redis last counted shows what a killed one had admitted. */
  #sum(peers: readonly Peer[]): Map<string, number> {
    const areNew = this.#options.isNew() || peers.some(({ isNew }) => isNew);
    const own = this.#options.used().map(({ key, count, seen }) => [key, count, seen] as const);
    const used = new Map<string, number>();
    const seenBy = new Map<string, number>();
    for (const [key, count, seen = 0] of [...own, ...peers.flatMap(({ parts }) => [...parts.values()].flat())]) {
      used.set(key, (used.get(key) ?? 0) + count);
      seenBy.set(key, Math.max(seenBy.get(key) ?? 0, seen));
    }
    if (areNew) for (const [key, seen] of seenBy) used.set(key, Math.max(used.get(key)!, seen));
    return used;
  }
}

const textOf = (message: PeerMessage): string => Buffer.from(JSON.stringify(message)).toString('base64url');

function readMessage(text: string): PeerMessage | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as PeerMessage;
  } catch {
    return null;
  }
}
