// Sends due deliveries while the process runs: several at once but few to one endpoint, so that no endpoint waits for a dead one.
import { setTimeout as wait } from 'node:timers/promises';
import type { OutboundRules } from '../domain/net/outbound.ts';
import type { Tracer } from '../domain/tracing/spans.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import { type ClaimedDelivery, claimDeliveries, releaseDeliveries } from '../domain/webhooks/claim-deliveries.ts';
import { recordAttempts } from '../domain/webhooks/record-attempts.ts';
import { type Attempt, sendDelivery } from '../domain/webhooks/send-delivery.ts';
import { tracedAttempt } from '../domain/webhooks/traced-attempt.ts';
import { LEASE_MS } from '../domain/writes/lease.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Clock } from '../kit/clock.ts';
import type { Log } from '../kit/log.ts';
import { createFailureLog } from './failure-log.ts';

export interface DeliveryParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundRules;
  /** Absent or null: there are no traces. */
  readonly tracer?: Tracer | null;
  /** The limit for one attempt, and how often we look for due deliveries without a hint; tests set them. */
  readonly timeoutMs?: number;
  readonly pollMs?: number;
}

export interface WebhookSender {
  /** Looks for due deliveries now instead of waiting for the next poll. */
  nudge(): void;
  /** Works until nothing is due or running. Returns the number of attempts. */
  drain(): Promise<number>;
  /** Waits up to `graceMs` for running attempts, then releases the rest. */
  close(graceMs?: number): Promise<void>;
}

const MAX_AT_ONCE = 64;
/** All failing endpoints together may use half of the slots. */
const MAX_FAILING_AT_ONCE = 32;
const POLL_MS = 1000;
const GRACE_MS = 10_000;

export function startWebhookSender(parts: DeliveryParts): WebhookSender {
  const { clock, log, timeoutMs, tracer = null } = parts;
  const { database, secrets } = parts.writer;
  const rules = { vault: vaultKeys(secrets), outbound: parts.outbound, ...(timeoutMs ? { timeoutMs } : {}) };
  const stopping = new AbortController();
  const recorder = createRecorder(parts, stopping.signal);
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  let attempts = 0;
  let closed = false;

  const sendOne = async (delivery: ClaimedDelivery): Promise<void> => {
    try {
      const now = clock.realNow();
      const attempt = await tracedAttempt(tracer, delivery, now, () => sendDelivery(delivery, rules, now, stopping.signal));
      if (attempt === null) return await releaseDeliveries(database, [delivery]);
      attempts += 1;
      await recorder.add(attempt);
    } catch (error) {
      // Not recorded, so it is sent again with the same id once its claim has expired.
      log.warn('a delivery could not be looked after; it will be tried again', { reason: (error as Error).message });
    } finally {
      underWay.delete(delivery);
      nudge();
    }
  };
  /** Returns how many deliveries were claimed. */
  const look = async (): Promise<number> => {
    const failing = [...underWay.keys()].filter((delivery) => delivery.failing).length;
    const room = { any: MAX_AT_ONCE - underWay.size, failing: MAX_FAILING_AT_ONCE - failing };
    const claimed = closed ? [] : await claimDeliveries(database, clock.realNow(), room);
    for (const delivery of claimed) underWay.set(delivery, sendOne(delivery));
    return claimed.length;
  };
  const loop = createLoop(look);
  const trouble = createFailureLog(log, 'looking for deliveries');
  const nudge = () => {
    if (!closed) loop.next().then(trouble.worked, trouble.failed);
  };
  const poll = setInterval(nudge, parts.pollMs ?? POLL_MS);
  const allDone = () => Promise.allSettled([...underWay.values()]);

  return {
    nudge,
    drain: async () => {
      const before = attempts;
      do await allDone();
      while ((await loop.next()) > 0 || underWay.size > 0);
      return attempts - before;
    },
    close: async (graceMs = GRACE_MS) => {
      closed = true;
      clearInterval(poll);
      await loop.next().catch(() => {});
      await Promise.race([allDone(), wait(graceMs, undefined, { ref: false })]);
      stopping.abort();
      await allDone();
    },
  };
}

/** Runs one look at a time; a request during a look gets another look after it. */
function createLoop(look: () => Promise<number>) {
  let running: Promise<number> | null = null;
  let following: Promise<number> | null = null;
  const start = (): Promise<number> => {
    const begun = look().finally(() => {
      running = null;
    });
    running = begun;
    return begun;
  };
  /** A look that begins after this call. */
  const next = (): Promise<number> => {
    if (running === null) return start();
    following ??= running
      .catch(() => 0)
      .then(() => {
        following = null;
        return start();
      });
    return following;
  };
  return { next };
}

/** Records attempts with one transaction per account at a time; attempts that finish in the meantime go into the next one. */
function createRecorder({ writer, clock }: DeliveryParts, stopping: AbortSignal) {
  const waiting = new Map<string, Attempt[]>();
  const writing = new Map<string, Promise<void>>();

  /** Waits for a database that is briefly unreachable, because an attempt that is not recorded is made twice. */
  const write = async (attempts: readonly Attempt[]): Promise<void> => {
    const until = performance.now() + LEASE_MS / 2;
    for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
      try {
        return await recordAttempts(writer, attempts, clock.realNow());
      } catch (error) {
        if (performance.now() > until || stopping.aborted) throw error;
        await wait(pause);
      }
    }
  };
  const writeNext = async (account: string): Promise<void> => {
    await writing.get(account)?.catch(() => {});
    const attempts = waiting.get(account);
    if (attempts === undefined) return;
    waiting.delete(account);
    const written = write(attempts);
    writing.set(account, written);
    try {
      await written;
    } finally {
      if (writing.get(account) === written) writing.delete(account);
    }
  };
  const batches = new WeakMap<Attempt[], Promise<void>>();

  return {
    add(attempt: Attempt): Promise<void> {
      const account = attempt.delivery.account_id;
      const batch = waiting.get(account);
      if (batch !== undefined) {
        batch.push(attempt);
        return batches.get(batch)!;
      }
      const fresh = [attempt];
      waiting.set(account, fresh);
      const written = writeNext(account);
      batches.set(fresh, written);
      return written;
    },
  };
}
