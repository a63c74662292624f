// One request on its way through the pipeline: what is known of it so far.
import type { IncomingMessage } from 'node:http';
import { clientAddress, type Range } from '../domain/address.ts';
import type { LiveKey } from '../domain/keys.ts';
import type { Clock } from '../kit/clock.ts';
import { newRequestId } from '../kit/ids.ts';
import type { ApiRow } from './api-rows.ts';
import type { Taken } from './window.ts';

export interface Call {
  readonly id: string;
  readonly at: Date;
  readonly started: number;
  readonly method: string;
  /** The whole target as sent. */
  readonly target: string;
  /** Behind /api/v1/, without the query. */
  readonly path: string;
  readonly rawQuery: string;
  readonly ip: string;
  readonly request: IncomingMessage;
  key: LiveKey | null;
  taken: Taken | null;
  row: ApiRow | null;
}

export const API_PREFIX = '/api/v1/';

/** The path of a request target; an absolute one (`GET http://host/path`), as proxies may send, counts from its path. */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = /^https?:\/\/[^/?#]*(.*)$/i.exec(target);
  return absolute ? absolute[1] || '/' : target;
}

export function beginCall(request: IncomingMessage, clock: Clock, trusted: readonly Range[]): Call {
  const at = clock.now();
  const target = request.url ?? '/';
  const whole = pathOf(target);
  const mark = whole.indexOf('?');
  return {
    id: newRequestId(at.getTime()),
    at,
    started: performance.now(),
    method: request.method ?? 'GET',
    target,
    path: whole.slice(API_PREFIX.length, mark < 0 ? undefined : mark),
    rawQuery: mark < 0 ? '' : whole.slice(mark + 1),
    ip: addressOf(request, trusted),
    request,
    key: null,
    taken: null,
    row: null,
  };
}

const addresses = new WeakMap<object, string>();

function addressOf(request: IncomingMessage, trusted: readonly Range[]): string {
  const { socket } = request;
  const known = addresses.get(socket);
  if (known !== undefined && trusted.length === 0) return known;
  const forwarded = request.headers['x-forwarded-for'];
  const address = clientAddress(socket.remoteAddress ?? '', Array.isArray(forwarded) ? forwarded.join(',') : forwarded, trusted);
  if (trusted.length === 0) addresses.set(socket, address);
  return address;
}
