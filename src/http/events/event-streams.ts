// Open event streams. A stream keeps only its position. Later events are read from the database after a write, and only as fast as the
// reader takes them. A waiting stream holds no database connection.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { currentSpan } from '../../domain/tracing/spans.ts';
import { findStart, readEvents, type Since, type Start } from '../../domain/webhooks/event-reader.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import { isUnavailable } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Changes } from '../../postgres/changes.ts';
import type { Call } from '../api/call.ts';
import { type ApiParts, isStillAllowed, pushLimit, record } from '../api/pipeline.ts';
import { reconnectHint } from '../wire/reconnect.ts';
import { NO_STORE } from '../wire/reply.ts';

export interface Opening {
  readonly call: Call;
  /** The isolated sandbox whose events are read; null in production. */
  readonly world: OpenWorld | null;
  readonly response: ServerResponse;
  readonly from: Since | null;
  /** The parameter or header that `from` was read from, for refusals. */
  readonly param: string;
  readonly kinds: readonly string[];
}

export interface EventStreams {
  /** Resolves when the stream has ended; refusals are thrown before anything is sent. */
  open(opening: Opening): Promise<void>;
  close(): void;
}

/** Keeps proxies from closing an idle stream, and lets readers detect a dead connection. */
const HEARTBEAT_MS = 15_000;
/** How often the key of an open stream is checked: together with the change channel's delay, well under the promised second. */
const CHECK_MS = 250;

class Stream {
  readonly #parts: ApiParts;
  readonly #opening: Opening;
  readonly #owner: string;
  readonly #ending = new AbortController();
  readonly dataSet: string;
  readonly world: string | null;
  #position: bigint;
  /** The last sequence that was sent to the reader. */
  #sent: bigint;
  #isChecking = false;
  /** The reader was given the time and place to resume. */
  #isHinted = false;
  #news = Promise.withResolvers<void>();

  constructor(parts: ApiParts, opening: Opening, position: bigint) {
    this.#parts = parts;
    this.#opening = opening;
    const { dataSetId, accountId } = opening.call.key!;
    this.world = opening.world?.id ?? null;
    this.dataSet = this.world ?? dataSetId;
    this.#owner = accountId;
    this.#position = position;
    this.#sent = position;
    opening.response.once('close', () => this.end());
  }

  end(): void {
    this.#ending.abort();
    this.wake();
  }

  /** Ends, and names when and from where to resume. Times differ, so that the readers of a stopped node do not return all at once. */
  endForNow(): void {
    const { response } = this.#opening;
    if (response.writableLength === 0 && !this.#ending.signal.aborted) {
      this.#isHinted = true;
      response.write(`${reconnectHint()}id: ${this.#position}\n\n`);
    }
    this.end();
  }

  /** There may be new events. */
  wake(): void {
    this.#news.resolve();
  }

  async run(missed: Start['missed']): Promise<void> {
    const { call, response } = this.#opening;
    this.#writeHead(missed);
    currentSpan()?.end();
    try {
      while (!this.#ending.signal.aborted) {
        this.#news = Promise.withResolvers<void>();
        if (await this.#readOn()) await this.#news.promise;
      }
    } catch (error) {
      // Without the database there are no events: the reader comes back later and resumes.
      const level = isUnavailable(error) ? 'warn' : 'error';
      if (!this.#ending.signal.aborted)
        this.#parts.log[level]('an event stream ended early', { request_id: call.id, reason: String(error) });
    }
    // end() would wait for a reader that takes nothing; the hint was written to one that took everything before it.
    if (response.writableLength > 0 && !this.#isHinted) response.destroy();
    else response.end();
  }

  #writeHead(missed: Start['missed']): void {
    const { call, response } = this.#opening;
    const headers = ['Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', NO_STORE, 'X-Accel-Buffering', 'no'];
    pushLimit(headers, call);
    headers.push('X-Request-Id', call.id, ...this.#parts.common);
    if (call.headers.hasBody) headers.push('Connection', 'close');
    response.writeHead(200, headers);
    const gap = missed === null ? '' : `event: missed\ndata: {"from":${missed.from},"to":${missed.to}}\n`;
    // The position is sent before any event, so that a reader that loses the connection early can still resume.
    response.write(`retry: 2000\nid: ${this.#position}\n${gap}\n`);
  }

  /** Sends the next events; true if there are no more for now. */
  async #readOn(): Promise<boolean> {
    const { kinds } = this.#opening;
    const batch = await this.#parts.database.inTenant(this.dataSet, 'read', (db) => readEvents(db, this.#position, kinds));
    this.#position = batch.position;
    if (batch.events.length > 0 && !this.#ending.signal.aborted) {
      this.#sent = batch.events.at(-1)!.sequence;
      await this.#send(batch.events.map(({ sequence, payload }) => `id: ${sequence}\ndata: ${payload}\n\n`).join(''));
    }
    return batch.isLast;
  }

  /** Waits until the reader has taken it; a reader that takes nothing is disconnected (unread-replies.ts). */
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

  /** Also sends the position if events of other kinds were skipped. */
  sendHeartbeat(): void {
    const { response } = this.#opening;
    if (response.writableLength > 0 || this.#ending.signal.aborted) return;
    response.write(this.#sent === this.#position ? ':\n\n' : `:\nid: ${this.#position}\n\n`);
    this.#sent = this.#position;
  }

  async checkKey(endpointPath: string): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      if (!(await isStillAllowed(this.#parts, this.#opening.call, endpointPath))) this.end();
    } catch {
      // The key cannot be checked, so it cannot be used: the API would answer 503.
      this.end();
    } finally {
      this.#isChecking = false;
    }
  }
}

export function createEventStreams(parts: ApiParts, changes: Changes, endpointPath: string): EventStreams {
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
  /** A stream ends with its world; its reader then connects to the new one. */
  const checkWorlds = async () => {
    const inWorlds = [...open].filter(({ world }) => world !== null);
    if (inWorlds.length === 0) return;
    const isOpen = await parts.worlds!.openOf([...new Set(inWorlds.map(({ world }) => world!))]);
    for (const stream of inWorlds) if (!isOpen.has(stream.world!)) stream.end();
  };
  const timers = [
    setInterval(() => void checkWorlds().catch(() => {}), CHECK_MS).unref(),
    each(HEARTBEAT_MS, (stream) => stream.sendHeartbeat()),
    each(CHECK_MS, (stream) => void stream.checkKey(endpointPath)),
  ];

  return {
    async open(opening) {
      const { call, world, response, from, param } = opening;
      const dataSetId = world?.id ?? call.key!.dataSetId;
      const { position, missed } = await parts.database.inTenant(dataSetId, 'read', (db) => findStart(db, from, param));
      if (stopping) fail('service_unavailable');
      // The client has gone already: no 'close' event would end the stream.
      if (response.destroyed) return;
      record(parts, call, { status: 200, headers: [], body: null, errorCode: null });
      const stream = new Stream(parts, opening, position);
      open.add(stream);
      await stream.run(missed).finally(() => open.delete(stream));
    },
    close() {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      for (const stream of open) stream.endForNow();
    },
  };
}
