// Event streams while they are open. Each knows the number it stands at and nothing else: what comes after is read when something was
// written, and no more of it than its reader takes. It holds no database connection while it waits.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { findStart, readEvents, type Since, type Start } from '../../domain/webhooks/event-reader.ts';
import { isUnavailable } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Changes } from '../../postgres/changes.ts';
import type { Call } from '../api/call.ts';
import { type ApiParts, isStillAllowed, pushLimit, record } from '../api/pipeline.ts';
import { NO_STORE } from '../wire/reply.ts';

export interface Opening {
  readonly call: Call;
  readonly response: ServerResponse;
  readonly from: Since | null;
  /** Which of the caller's words `from` is made of. */
  readonly param: string;
  readonly kinds: readonly string[];
}

export interface EventStreams {
  /** Until it ends; refusals are thrown before anything was sent. */
  open(opening: Opening): Promise<void>;
  close(): void;
}

/** Keeps proxies from closing a quiet stream, and lets a reader notice a connection that has died. */
const HEARTBEAT_MS = 15_000;
/** How soon a stream ends after its key may no longer be used; what makes it so is heard within a quarter second. */
const LOOK_MS = 250;
const AFTER_FAILURE_MS = 1000;

class Stream {
  readonly #parts: ApiParts;
  readonly #opening: Opening;
  readonly #owner: string;
  readonly #ending = new AbortController();
  readonly dataSet: string;
  #position: bigint;
  /** The last number that the reader was told. */
  #told: bigint;
  #isLooking = false;
  #news = Promise.withResolvers<void>();

  constructor(parts: ApiParts, opening: Opening, position: bigint) {
    this.#parts = parts;
    this.#opening = opening;
    const { dataSetId, accountId } = opening.call.key!;
    this.dataSet = dataSetId;
    this.#owner = accountId;
    this.#position = position;
    this.#told = position;
    opening.response.once('close', () => this.end());
  }

  end(): void {
    this.#ending.abort();
    this.wake();
  }

  /** Something was written, or may have been. */
  wake(): void {
    this.#news.resolve();
  }

  async run(missed: Start['missed']): Promise<void> {
    const { call, response } = this.#opening;
    this.#writeHead(missed);
    try {
      while (!this.#ending.signal.aborted) {
        this.#news = Promise.withResolvers<void>();
        if (await this.#readOn()) await this.#news.promise;
      }
    } catch (error) {
      if (!this.#ending.signal.aborted)
        this.#parts.log.error('an event stream failed', { request_id: call.id, reason: String(error) });
    }
    // Whoever takes nothing more would keep the connection from ending.
    if (response.writableLength > 0) response.destroy();
    else response.end();
  }

  #writeHead(missed: Start['missed']): void {
    const { call, response } = this.#opening;
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', NO_STORE, 'X-Accel-Buffering', 'no'];
    pushLimit(headers, call);
    headers.push('X-Request-Id', call.id, ...this.#parts.common);
    if (call.headers.hasBody) headers.push('Connection', 'close');
    response.writeHead(200, headers);
    const gap = missed === null ? '' : `event: missed\ndata: {"from":${missed.from},"to":${missed.to}}\n\n`;
    // The number comes first, without any data: whoever loses the connection before the first event goes on from there.
    response.write(`retry: 2000\nid: ${this.#position}\n\n${gap}`);
  }

  /** True where there is nothing more for now. */
  async #readOn(): Promise<boolean> {
    const { database, log } = this.#parts;
    const { call, kinds } = this.#opening;
    const read = database.inTenant(this.dataSet, 'read', (db) => readEvents(db, this.#position, kinds));
    const batch = await read.catch(async (error) => {
      if (!isUnavailable(error)) throw error;
      log.warn('an event stream waits for the database', { request_id: call.id, reason: String(error) });
      await wait(AFTER_FAILURE_MS, undefined, { ref: false, signal: this.#ending.signal });
      return null;
    });
    if (batch === null) return false;
    this.#position = batch.position;
    if (batch.events.length > 0 && !this.#ending.signal.aborted) {
      this.#told = batch.events.at(-1)!.sequence;
      await this.#send(batch.events.map(({ sequence, payload }) => `id: ${sequence}\ndata: ${payload}\n\n`).join(''));
    }
    return batch.isLast;
  }

  /** Waits until it is taken: nothing more is read for a slow reader, and one that takes nothing is cut off (unread-replies.ts). */
  async #send(text: string): Promise<void> {
    const { response } = this.#opening;
    const bytes = Buffer.from(text);
    if (response.write(bytes)) return;
    const { replyBytes } = this.#parts.budgets;
    if (!replyBytes.hasRoom(this.#owner, bytes.length)) return this.end();
    replyBytes.take(this.#owner, bytes.length);
    try {
      await once(response, 'drain', { signal: this.#ending.signal });
    } finally {
      replyBytes.leave(this.#owner, bytes.length);
    }
  }

  /** Says how far it has come, where events of other kinds were passed over. */
  beat(): void {
    const { response } = this.#opening;
    if (response.writableLength > 0 || this.#ending.signal.aborted) return;
    response.write(this.#told === this.#position ? ':\n\n' : `:\nid: ${this.#position}\n\n`);
    this.#told = this.#position;
  }

  async look(rowPath: string): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (!(await isStillAllowed(this.#parts, this.#opening.call, rowPath))) this.end();
    } catch {
      // The database is away, and with it the events: the next look asks again.
    } finally {
      this.#isLooking = false;
    }
  }
}

export function createEventStreams(parts: ApiParts, changes: Changes, rowPath: string): EventStreams {
  const open = new Set<Stream>();
  let stopping = false;
  const wake = (dataSet: string | null) => {
    for (const stream of open) if (dataSet === null || stream.dataSet === dataSet) stream.wake();
  };
  parts.database.onWritten((dataSet) => wake(dataSet));
  changes.onChange(({ topic, id }) => {
    if (topic === 'data') wake(id);
  });
  changes.onRestored(() => wake(null));
  const each = (everyMs: number, act: (stream: Stream) => void) =>
    setInterval(() => {
      for (const stream of open) act(stream);
    }, everyMs).unref();
  const timers = [each(HEARTBEAT_MS, (stream) => stream.beat()), each(LOOK_MS, (stream) => void stream.look(rowPath))];

  return {
    async open(opening) {
      const { call, response, from, param } = opening;
      const { dataSetId } = call.key!;
      const { position, missed } = await parts.database.inTenant(dataSetId, 'read', (db) => findStart(db, from, param));
      if (stopping) fail('service_unavailable');
      // Left again meanwhile: nobody would ever tell that it has gone.
      if (response.destroyed) return;
      record(parts, call, { status: 200, headers: [], body: null, errorCode: null });
      const stream = new Stream(parts, opening, position);
      open.add(stream);
      await stream.run(missed).finally(() => open.delete(stream));
    },
    close() {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const stream of open) stream.end();
    },
  };
}
