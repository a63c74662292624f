// Tries a GET endpoint from the catalog screen as the signed-in person. It has its own small rate limit, so that trying affects
// neither work in the panel nor the account's keys.
import type { IncomingMessage } from 'node:http';
import { fail } from '../../kit/errors.ts';
import type { PanelSession } from '../../panel/kit/endpoint.ts';
import type { Reply } from '../wire/reply.ts';
import type { PanelCall, PanelParts } from './call.ts';
import { runCatalogEndpoint } from './catalog-endpoints.ts';

/** The prefix after /panel/api/. */
export const PLAYGROUND = 'try/';
export const TRIES_PER_MINUTE = 30;

export async function tryEndpoint(
  parts: PanelParts,
  call: PanelCall,
  session: PanelSession,
  request: IncomingMessage,
): Promise<Reply> {
  const path = call.path.slice(PLAYGROUND.length);
  if (call.method !== 'GET')
    fail('method_not_allowed', { headers: { Allow: 'GET' }, words: { method: call.method, allowed: 'GET' } });
  const limitResult = await parts.limiter.admit(`try:${session.person.id}`, TRIES_PER_MINUTE);
  if (!limitResult.admitted) {
    const seconds = Math.max(1, Math.ceil(limitResult.retryIn / 1000));
    fail('playground_limit', { headers: { 'Retry-After': String(seconds) }, words: { limit: TRIES_PER_MINUTE, seconds } });
  }
  const endpoint = parts.catalog.match(path)?.methods.get('GET');
  // Screens may use endpoints that are not live, but the playground shows what keys get.
  if (endpoint !== undefined && !(await parts.services.release()).isLive(endpoint.id))
    fail('endpoint_not_active', { words: { endpoint: endpoint.id } });
  const reply = await runCatalogEndpoint(parts, call, session, path, request, `/panel/api/${PLAYGROUND}`);
  const left = Math.max(0, TRIES_PER_MINUTE - limitResult.used);
  const headers = ['X-RateLimit-Limit', String(TRIES_PER_MINUTE), 'X-RateLimit-Remaining', String(left)];
  return { ...reply, headers: [...reply.headers, ...headers] };
}
