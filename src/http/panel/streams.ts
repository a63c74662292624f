// Live views of the panel as text/event-stream. They hold no database connection while they wait, and end with their session.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findSessions, keepSeats, type LiveSession } from '../../domain/identity/sessions.ts';
import { isMasked, maskField } from '../../domain/privacy/mask.ts';
import { type LiveView, roomFor } from '../../domain/sharing/live-views.ts';
import { currentSpan } from '../../domain/tracing/spans.ts';
import { fail } from '../../kit/errors.ts';
import type { PanelEndpoint, PanelSession } from '../../panel/kit/endpoint.ts';
import { reconnectHint } from '../wire/reconnect.ts';
import { NO_STORE } from '../wire/reply.ts';
import type { PanelCall, PanelParts } from './call.ts';
import { sessionTokenOf } from './session-cookie.ts';

/** Sent regularly, so that proxies do not close a quiet stream. */
const HEARTBEAT_MS = 15_000;
/** How often a stream checks that its session and rights still exist. */
const LOOK_MS = 3000;
/** The longest Last-Event-ID that is accepted; a truncated one would be a different position. */
const MAX_EVENT_ID = 8000;
/** How many bytes may wait for a browser that does not read. */
const MAX_WAITING_BYTES = 1024 * 1024;

interface StreamInput {
  /** Of the account, or of its world. */
  readonly session: PanelSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
}

export interface Streams {
  /** Refused by what it throws, or open: what it returns runs until the stream ends. */
  open(
    call: PanelCall,
    endpoint: PanelEndpoint,
    input: StreamInput,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<() => Promise<void>>;
  close(): void;
}

export function createStreams(parts: PanelParts): Streams {
  const open = new Map<LiveView, Opened>();
  const look = setInterval(() => {
    if (open.size === 0) return;
    endStale(parts, [...open.values()]).catch(() => {
      // The database is unreachable; the next check tries again.
    });
  }, LOOK_MS).unref();
  return {
    async open(call, endpoint, { session, params, query }, request, response) {
      const context = {
        session,
        account: session.account,
        params,
        query,
        now: session.account?.world?.now ?? call.now,
        realNow: call.realNow,
        locale: call.locale,
        services: parts.services,
      };
      await endpoint.admit?.(context);
      // The browser left during the look-up, so no close event will come any more.
      if (response.destroyed) return async () => {};
      const view = { session: session.id, person: session.person.id, account: session.account?.id ?? null };
      const room = roomFor([...open.keys()], view);
      if (room === 'full') fail('too_many_streams');
      if (room !== null) {
        open.get(room)!.ending.abort();
        open.delete(room);
      }
      const ending = new AbortController();
      open.set(view, {
        ending,
        response,
        session: call.session!,
        world: session.account?.world?.id ?? null,
        token: sessionTokenOf(request),
        room: endpoint.seatsIn === null ? null : params[endpoint.seatsIn]!,
      });
      response.on('close', () => ending.abort());
      response.writeHead(200, [
        ...['Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', NO_STORE, 'X-Accel-Buffering', 'no'],
        ...['X-Request-Id', call.id, ...parts.common],
      ]);
      response.write(': open\n\n');
      currentSpan()?.end();
      return () => run({ parts, call, endpoint, context, request, response }, ending).finally(() => open.delete(view));
    },
    close: () => {
      clearInterval(look);
      for (const { ending, response } of open.values()) {
        if (response.writableLength === 0) response.write(`${reconnectHint()}\n`);
        ending.abort();
      }
    },
  };
}

interface Running {
  readonly parts: PanelParts;
  readonly call: PanelCall;
  readonly endpoint: PanelEndpoint;
  readonly context: Parameters<NonNullable<PanelEndpoint['stream']>>[0];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function run({ parts, call, endpoint, context, request, response }: Running, ending: AbortController): Promise<void> {
  const beat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  const masked = isMasked(context.session, endpoint);
  const lastEventId = request.headers['last-event-id'];
  try {
    await endpoint.stream!(context, {
      lastEventId: typeof lastEventId === 'string' && lastEventId.length <= MAX_EVENT_ID ? lastEventId : null,
      closed: ending.signal,
      send: (event) => {
        if (ending.signal.aborted) return;
        response.write(frameOf(event, masked));
        if (response.writableLength > MAX_WAITING_BYTES) ending.abort();
      },
    });
  } catch (error) {
    if (!ending.signal.aborted)
      parts.log.warn('a live view of the panel ended early', { request_id: call.id, reason: String(error) });
  } finally {
    clearInterval(beat);
    // Streams must not send any more.
    ending.abort();
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    else response.end();
  }
}

interface Opened {
  readonly ending: AbortController;
  readonly response: ServerResponse;
  readonly session: PanelSession;
  /** The isolated sandbox that it shows. */
  readonly world: string | null;
  readonly token: string | null;
  /** The live event that it shows. */
  readonly room: string | null;
}

const NO_WORLDS: ReadonlySet<string> = new Set();

/** One query for all streams, so that hundreds of them cost no more than one. */
async function endStale(parts: PanelParts, opened: readonly Opened[]): Promise<void> {
  const tokens = [...new Set(opened.flatMap(({ token }) => token ?? []))];
  const found = await parts.database.onPlatform('read', (db) => findSessions(db, tokens, parts.clock.realNow()));
  const seated = new Set<string>();
  const shown = [...new Set(opened.flatMap(({ world }) => world ?? []))];
  const worlds = shown.length === 0 ? NO_WORLDS : await parts.worlds!.openOf(shown);
  for (const { ending, session, world, token, room } of opened) {
    const live = token === null ? undefined : found.get(token);
    if (!isStillOpen(live, session) || (world !== null && !worlds.has(world))) ending.abort();
    else if (room !== null && live!.seat?.eventId === room && live!.seat.isStale) seated.add(live!.id);
  }
  if (seated.size > 0) await parts.database.onPlatform('write', (db) => keepSeats(db, [...seated], parts.clock.realNow()));
}

/**
 * Whether person, account and role are the same as when the stream was opened; otherwise the browser has to open it again. A
 * stream does not count as activity, so an unused session still expires, and its streams end with it; but for a seat in a live room.
 */
const isStillOpen = (found: LiveSession | undefined, opened: PanelSession): boolean =>
  found !== undefined &&
  !found.pending &&
  found.look === opened.look &&
  found.account?.id === opened.account?.id &&
  found.account?.role === opened.account?.role;

const texts = { whole: new WeakMap<object, string>(), masked: new WeakMap<object, string>() };

/** The JSON of data that goes to many streams is made once. */
function textOf(data: unknown, masked: boolean): string {
  const written = masked ? texts.masked : texts.whole;
  const known = typeof data === 'object' && data !== null ? written.get(data) : undefined;
  const text =
    known ??
    JSON.stringify(data, (name, value) => (typeof value === 'bigint' ? Number(value) : masked ? maskField(name, value) : value));
  if (typeof data === 'object' && data !== null) written.set(data, text);
  return text;
}

interface StreamEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data: unknown;
}

function frameOf({ id, event, data }: StreamEvent, masked: boolean): string {
  const lines = [`data: ${textOf(data, masked)}`];
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join('\n')}\n\n`;
}
