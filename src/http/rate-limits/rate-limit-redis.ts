// The same exact window shared by several processes: atomic scripts in Redis, on Redis' clock. Each node keeps its own admissions too.
// It restores them to a Redis that was emptied, restarted or replaced by a replica before it uses it again. Nodes that lose Redis report
// to each other what they admitted (peers.ts), and each uses its share of the remaining limit.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../kit/log.ts';
import { NodeCount } from './node-count.ts';
import { type PeerChannel, Peers, type Use } from './peers.ts';
import { createMemoryLimiter, type Limiter, type LimitResult, type MemoryLimiter, WINDOW_MS } from './rate-limit.ts';
import { batchesOf, connectRedis, type GivenBack, GONE_MS, type Greeting, type RedisWindows, within } from './redis-scripts.ts';

/** After this time without an answer Redis is considered lost. */
const TIMEOUT_MS = 250;
/** How often a node checks that Redis knows it, or whether it is back. */
const CHECK_MS = 250;
/** How long a request without Redis waits for what other nodes admitted before it is refused. */
const PATIENCE_MS = 500;
/** How long a request waits until all nodes are in Redis with what they admitted: one that starts takes about a second to enter. */
const ENTER_MS = 2000;

export interface RedisLimiterOptions {
  readonly url: string;
  /** The number of nodes, among which the limit is divided while Redis is unreachable. */
  readonly nodes: () => number;
  /** How nodes reach each other without Redis. */
  readonly channel: PeerChannel;
  readonly log: Log;
  readonly onDegraded?: (degraded: boolean) => void;
  readonly span?: number;
  /** After this time without an answer Redis counts as lost. */
  readonly timeoutMs?: number;
}

/** Resolves once the node has joined Redis, or found it unavailable: it then starts with its share of the limits. */
export async function createRedisLimiter(options: RedisLimiterOptions): Promise<Limiter> {
  const limiter = new RedisLimiter(options);
  await limiter.start();
  return limiter;
}

class RedisLimiter implements Limiter {
  readonly #redis: RedisWindows;
  readonly #node = randomUUID();
  readonly #span: number;
  readonly #timeoutMs: number;
  readonly #startedAt = performance.now();
  readonly #nodes: NodeCount;
  readonly #peers: Peers;
  readonly #report: (isDegraded: boolean, reason?: string) => void;
  // Everything that this node admitted, and the part of it that Redis was not asked about.
  readonly #local: MemoryLimiter;
  readonly #unshared: MemoryLimiter;
  /** The admissions of all nodes in Redis' last answer for each key, and when it came. */
  readonly #seen = new Map<string, { readonly used: number; readonly at: number }>();
  #isShared = false;
  #isDegraded = false;
  #isClosed = false;
  /** Giving back was interrupted: next time everything is given back, some of it twice. */
  #isUnclear = false;
  #joining: Promise<void> | null = null;
  #givingBack: Promise<boolean> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #cleaning: NodeJS.Timeout | undefined;

  constructor({ url, nodes, channel, log, onDegraded, span = WINDOW_MS, timeoutMs = TIMEOUT_MS }: RedisLimiterOptions) {
    this.#timeoutMs = timeoutMs;
    this.#redis = connectRedis(url);
    this.#span = span;
    this.#nodes = new NodeCount(nodes, span + GONE_MS);
    this.#local = createMemoryLimiter(undefined, span);
    this.#unshared = createMemoryLimiter(undefined, span);
    this.#peers = new Peers({
      node: this.#node,
      channel,
      nodes: () => this.#nodes.largest(),
      span,
      patience: span + GONE_MS,
      used: () => this.#uses(),
      isNew: () => this.#isNew(),
      haveEnded: () => this.#nodes.hasFallen(),
      onEnd: (livedMs) => this.#nodes.end(livedMs),
    });
    this.#report = (isDegraded, reason) => {
      if (isDegraded) log.warn('Redis is unreachable: each node continues with its share of the limits', { reason });
      else log.info('Redis is back: limits are shared again');
      onDegraded?.(isDegraded);
    };
  }

  async start(): Promise<void> {
    await this.#redis.connected().catch((error: Error) => this.#lost(error));
    await this.#join();
    this.#timer = setInterval(() => this.#join(), CHECK_MS).unref();
    this.#cleaning = setInterval(() => this.#forgetOldAnswers(), this.#span).unref();
  }

  async admit(key: string, limit: number): Promise<LimitResult> {
    if (!this.#isShared) return this.#admitAlone(key, limit);
    try {
      return await this.#admitShared(key, limit);
    } catch (error) {
      this.#lost(error as Error);
      return this.#admitAlone(key, limit);
    }
  }

  async used(key: string): Promise<number> {
    const mine = this.#local.used(key);
    if (!this.#isShared) return mine;
    try {
      // A Redis that came back empty knows less than this node.
      return Math.max(mine, await within(this.#timeoutMs, this.#redis.used(key, this.#span), 'no answer'));
    } catch {
      // A failure here does not mark Redis as lost, because asking admits and refuses no request.
      return mine;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#cleaning);
    this.#isClosed = true;
    await this.#joining;
    if (this.#isShared) await this.#leaveInOrder().catch(() => {});
    this.#peers.close();
    await Promise.all([this.#local.close(), this.#unshared.close()]);
    this.#redis.close();
  }

  /** All that this node admitted is in Redis, so the others need not leave it a share until the window has passed. */
  async #leaveInOrder(): Promise<void> {
    this.#isShared = false;
    await within(this.#timeoutMs, this.#peers.end(performance.now() - this.#startedAt), 'no answer of the change channel');
    await within(this.#timeoutMs, this.#redis.leave(this.#node), `no answer in ${this.#timeoutMs} ms`);
  }

  /** Another process in its place may have been killed within the window. */
  #isNew(): boolean {
    return performance.now() - this.#startedAt < this.#span;
  }

  #forgetOldAnswers(): void {
    const from = performance.now() - this.#span;
    for (const [key, { at }] of this.#seen) if (at < from) this.#seen.delete(key);
  }

  #uses(): Use[] {
    const counts = new Map(this.#local.entries().map(([key, ages]) => [key, ages.length]));
    this.#forgetOldAnswers();
    const keys = new Set([...counts.keys(), ...this.#seen.keys()]);
    return [...keys].map((key) => ({ key, count: counts.get(key) ?? 0, seen: this.#seen.get(key)?.used ?? 0 }));
  }

  #lost({ message }: Error): void {
    this.#isShared = false;
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    this.#report(true, message);
    this.#peers.leaveRedis();
  }

  #join(): Promise<void> {
    this.#nodes.largest();
    this.#joining ??= this.#joinNow().finally(() => {
      this.#joining = null;
    });
    return this.#joining;
  }

  async #joinNow(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const greeting = await within(this.#timeoutMs, this.#redis.greet(this.#node), `no answer in ${this.#timeoutMs} ms`);
      this.#givingBack = this.#giveBack(greeting, performance.now());
      if (!(await this.#givingBack)) return;
      if (this.#isDegraded) {
        this.#report(false);
        this.#peers.returnToRedis();
      }
      this.#isDegraded = false;
      this.#isShared = true;
    } catch (error) {
      // Redis may have counted the node as present although its reply is missing: the others need as long to notice as after a loss.
      if (this.#givingBack !== null && this.#isDegraded) this.#peers.leaveRedis();
      this.#lost(error as Error);
    } finally {
      this.#givingBack = null;
    }
  }

  /** False if Redis was emptied in between: the next check starts again. */
  async #giveBack({ isKnown, time, since }: Greeting, greetedAt: number): Promise<boolean> {
    const missing = this.#missing(isKnown);
    this.#isUnclear ||= missing.length > 0;
    for (const batch of batchesOf(missing))
      await within(this.#timeoutMs, this.#redis.giveBack(batch, this.#span), 'no answer while admissions were given back');
    const timeThere = time + (performance.now() - greetedAt) * 1000;
    const until = timeThere + this.#timeoutMs * 1000;
    const entering = this.#redis.enter({ node: this.#node, until, since, isNew: this.#isNew(), span: this.#span });
    const entered = await within(this.#timeoutMs, entering, `no answer in ${this.#timeoutMs} ms`);
    if (entered === 'emptied') return false;
    if (entered === 'late') throw new Error(`its answer took more than ${this.#timeoutMs} ms`);
    this.#isUnclear = false;
    this.#unshared.clear();
    return true;
  }

  /** What Redis does not have. An emptied one also gets what it had counted of all nodes: a killed one gives nothing back. */
  #missing(isKnown: boolean): GivenBack[] {
    const unshared = new Map(this.#unshared.entries());
    const given = isKnown && !this.#isUnclear ? unshared : new Map(this.#local.entries());
    if (isKnown) return [...given].flatMap(([key, ages]) => (ages.length > 0 ? [{ key, ages, seen: 0, counted: 0 }] : []));
    this.#forgetOldAnswers();
    return [...new Set([...given.keys(), ...this.#seen.keys()])].map((key) => {
      const ages = given.get(key) ?? [];
      const counted = Math.max(0, ages.length - (unshared.get(key)?.length ?? 0));
      return { key, ages, seen: this.#seen.get(key)?.used ?? 0, counted };
    });
  }

  async #admitShared(key: string, limit: number): Promise<LimitResult> {
    for (const until = performance.now() + ENTER_MS; ; ) {
      const nodes = { nodes: this.#nodes.largest(), sharing: this.#nodes.sharing(), away: this.#peers.away().length };
      const admitting = this.#redis.admit(key, { limit, span: this.#span, node: this.#node, ...nodes });
      const answer = await within(this.#timeoutMs, admitting, `no answer in ${this.#timeoutMs} ms`);
      // An admission after this node reported its own to the others is counted on no node.
      if (!this.#isShared) return this.#admitAlone(key, limit);
      if (typeof answer !== 'string') {
        if (answer.admitted) this.#local.admit(key, Number.POSITIVE_INFINITY);
        this.#seen.set(key, { used: answer.used, at: performance.now() });
        return answer;
      }
      if (answer === 'unknown') await within(until - performance.now(), this.#join(), 'much is given back').catch(() => {});
      else await wait(CHECK_MS / 5);
      if (!this.#isShared) return this.#admitAlone(key, limit);
      if (performance.now() > until) return this.#refused(key);
    }
  }

  async #admitAlone(key: string, limit: number): Promise<LimitResult> {
    await this.#peers.settled(PATIENCE_MS);
    // What was admitted without Redis is on its way there; nothing may be admitted without being part of it.
    if (this.#givingBack !== null) await within(ENTER_MS, this.#givingBack, 'much is given back').catch(() => {});
    if (this.#isShared) return this.#admitShared(key, limit);
    const left = this.#peers.left();
    if (left === null || this.#givingBack !== null) return this.#refused(key);
    const before = left.usedBefore(key);
    const share = Math.floor((limit - before) / this.#nodes.largest());
    if (share < 1 && before > 0) {
      const retryIn = left.forgottenIn();
      return { admitted: false, used: before, oldestLeavesIn: retryIn, retryIn };
    }
    const result = this.#unshared.admit(key, Math.max(1, share));
    if (result.admitted) this.#local.admit(key, Number.POSITIVE_INFINITY);
    return { ...result, used: before + result.used };
  }

  /** Until it is known what other nodes admitted. */
  #refused(key: string): LimitResult {
    return { admitted: false, used: this.#local.used(key), oldestLeavesIn: CHECK_MS, retryIn: CHECK_MS };
  }
}
