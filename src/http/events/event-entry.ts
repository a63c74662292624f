// The event stream, GET /events/v1, beside the API. It needs a key that holds the deliveries endpoint of webhooks, with the same checks in the
// same order as for that endpoint; refusals have the API's envelope.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { route } from '../../domain/keys/key-policy.ts';
import type { Since } from '../../domain/webhooks/event-reader.ts';
import { isSubscription } from '../../domain/writes/event-kinds.ts';
import { fail } from '../../kit/errors.ts';
import { type Param, readInstant, readQuery } from '../../kit/params.ts';
import type { Changes } from '../../postgres/changes.ts';
import { beginCall, type Call } from '../api/call.ts';
import { type ApiParts, countCall, finishCall, identifyCaller, refuse, replyToError, worldOfKey } from '../api/pipeline.ts';
import type { Reply } from '../wire/reply.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';

export interface EventEntry {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends every stream; no new one is opened. */
  close(): void;
}

const PREFIX = '/events/v1';
/** The endpoint that a key must hold; the webhook id is not used. */
const ROW_PATH = 'webhooks/00000000-0000-0000-0000-000000000000/deliveries';

export function createEventEntry(parts: ApiParts, changes: Changes): EventEntry {
  const streams = createEventStreams(parts, changes, ROW_PATH);
  return {
    async handle(request, response) {
      const call = beginCall(request, parts, PREFIX);
      try {
        const refusal = await refusalOf(parts, call);
        if (refusal === null) await openStream(parts, streams, call, request, response);
        else finishCall(parts, call, response, refusal);
      } catch (error) {
        if (response.headersSent) throw error;
        finishCall(parts, call, response, replyToError(parts, call, error));
      }
    },
    close: streams.close,
  };
}

async function refusalOf(parts: ApiParts, call: Call): Promise<Reply | null> {
  const refusal = (await identifyCaller(parts, call)) ?? (await countCall(parts, call, call.key!));
  if (refusal !== null) return refusal;
  if (call.path !== '') return refuse(call, 'not_found');
  if (call.method !== 'GET') {
    const words = { method: call.method, allowed: 'GET' };
    return refuse(call, 'method_not_allowed', { headers: { Allow: 'GET' }, words });
  }
  const { refusal: refused } = route(parts.catalog, await parts.release.now(), call.key!, 'GET', ROW_PATH);
  return refused === null ? null : refuse(call, refused.code, refused.facts);
}

async function openStream(
  parts: ApiParts,
  streams: EventStreams,
  call: Call,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { since, events: kinds = ['*'] } = readQuery(call.rawQuery, PARAMS);
  // A client that reconnects sends the first `since` again; its Last-Event-ID is newer.
  const world = await worldOfKey(parts, call.key!);
  const now = world?.now ?? parts.clock.now();
  const from = lastEventIdOf(request) ?? (since === undefined ? null : since(now));
  const param = request.headers['last-event-id'] ? LAST_EVENT_ID : 'since';
  const { eventStreams } = parts.budgets;
  await eventStreams.during(call.key!.accountId, () => streams.open({ call, world, response, from, param, kinds }));
}

const LAST_EVENT_ID = 'Last-Event-ID';
const SEQUENCE = /^(0|[1-9]\d{0,14})$/;
const SEQUENCE_TEXT = { en: 'a sequence such as 42', tr: '42 gibi bir sıra numarası' };

function lastEventIdOf(request: IncomingMessage): Since | null {
  const lastEventId = request.headers['last-event-id']?.toString();
  if (lastEventId === undefined || lastEventId === '') return null;
  if (!SEQUENCE.test(lastEventId)) fail('invalid_parameter', { param: LAST_EVENT_ID, words: { allowed: SEQUENCE_TEXT } });
  return { sequence: BigInt(lastEventId) };
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const sinceParam: Param<(now: Date) => Since> = {
  allowed: {
    en: 'a sequence (42), a time back (90s, 30m, 2h, 7d) or an instant (2026-11-15T09:00:00Z)',
    tr: 'bir sıra numarası (42), geriye doğru bir süre (90s, 30m, 2h, 7d) ya da an (2026-11-15T09:00:00Z)',
  },
  schema: { type: 'string' },
  read: (text) => {
    if (SEQUENCE.test(text)) return () => ({ sequence: BigInt(text) });
    const back = /^(\d{1,6})([smhd])$/.exec(text);
    if (back !== null) return (now) => ({ at: new Date(now.getTime() - Number(back[1]) * UNIT_MS[back[2]!]!) });
    const at = readInstant(text);
    return at === null ? undefined : () => ({ at });
  },
};

const MAX_KINDS = 200;

const kindsParam: Param<readonly string[]> = {
  allowed: {
    en: `event kinds separated by commas, such as vehicle.*,customer.created (at most ${MAX_KINDS})`,
    tr: `virgülle ayrılmış olay türleri, ör. vehicle.*,customer.created (en çok ${MAX_KINDS})`,
  },
  schema: { type: 'string' },
  read: (text) => {
    const kinds = [...new Set(text.split(',').map((kind) => kind.trim()))];
    return kinds.length <= MAX_KINDS && kinds.every(isSubscription) ? kinds : undefined;
  },
};

const PARAMS = { since: sinceParam, events: kindsParam };
