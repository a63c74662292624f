// Runs catalog endpoints for the panel: with a person and their role instead of a key and its policy. Release status concerns keys
// only, so a screen works as soon as its endpoint has a body.
import type { IncomingMessage } from 'node:http';
import { eventOfLot } from '../../domain/auctions/live-lot.ts';
import { type Catalog, grantedOf, scopesOf } from '../../domain/catalog/catalog.ts';
import { mayUse } from '../../domain/identity/roles.ts';
import { isMasked, maskField } from '../../domain/privacy/mask.ts';
import { currentSpan } from '../../domain/tracing/spans.ts';
import type { CallingKey } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PanelAccount, PanelSession } from '../../panel/kit/endpoint.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { runRead } from '../api/run-read.ts';
import { runWrite } from '../api/run-write.ts';
import { NO_STORE, type Reply } from '../wire/reply.ts';
import { actorOf, type PanelCall, type PanelParts } from './call.ts';
import { budgetOwner, worldOf } from './environment.ts';

/**
 * Endpoints that reveal a secret: harmless for a key, but a person has to give the password again, because they may have left their
 * desk.
 */
const GIVES_SECRET: ReadonlySet<string> = new Set(['POST webhooks']);

export async function runCatalogEndpoint(
  parts: PanelParts,
  call: PanelCall,
  session: PanelSession,
  path: string,
  request: IncomingMessage,
  prefix = call.environment === 'sandbox' ? '/panel/api/sandbox/v1/' : '/panel/api/v1/',
): Promise<Reply> {
  const match = parts.catalog.match(path);
  if (match === null) fail('not_found');
  const endpoint = match.methods.get(call.method);
  if (endpoint === undefined) {
    const allowed = [...match.methods.keys()].join(', ');
    fail('method_not_allowed', { headers: { Allow: allowed }, words: { method: call.method, allowed } });
  }
  const { account } = session;
  // Endpoints about the calling key make no sense for a person.
  if (account === null || endpoint.scope === 'developer:read' || !mayUse(account.role, endpoint)) fail('not_permitted');
  if (session.look && call.method !== 'GET') fail('look_only');
  const isGuarded = endpoint.risk === 'sensitive' || GIVES_SECRET.has(endpoint.id);
  if (isGuarded && !session.recent && !(await hasSeat(parts, session, account, match.params))) fail('reauthentication_required');
  if (call.method !== 'GET' && account.status === 'Askıda') fail('account_suspended');
  if (endpoint.body === null) fail('endpoint_not_active', { words: { endpoint: endpoint.id } });
  const { id, realNow, method, rawQuery } = call;
  const route = prefix + endpoint.path;
  const attributes = { 'http.route': route, 'galeri.request_id': id, 'galeri.account_id': account.id };
  currentSpan()?.describe(attributes, `${method} ${route}`);
  const now = account.world?.now ?? call.now;
  const masked = isMasked(session, { who: 'member', ofColleagues: endpoint.scope === 'account:read' });
  const caller = {
    dataSetId: account.id,
    accountId: account.id,
    timezone: account.timezone,
    settings: null,
    key: () => panelKey(session, account, parts.catalog),
    used: 0,
    masked,
    ownerId: budgetOwner(session),
    world: worldOf(session),
    role: account.role,
    requires: (endpointId: string) => {
      const needed = parts.catalog.endpoints.find((one) => one.id === endpointId);
      if (needed === undefined || !mayUse(account.role, needed)) fail('not_permitted');
    },
  };
  // The browser caches nothing of a session, so conditional requests are ignored.
  const headers = { ifNoneMatch: undefined, cacheControl: undefined };
  const endpointCall = { id, now, realNow, method, prefix, path, rawQuery, headers, caller };
  const reply =
    method === 'GET'
      ? await runRead(parts, endpointCall, endpoint, match.params)
      : await runWrite(parts, { ...endpointCall, actor: actorOf(session), locale: call.locale, request }, endpoint, match.params);
  return ownReply(reply, masked);
}

/** A person with a seat in the lot's room has confirmed their password for it (docs/decisions/0054-live-room.md). */
async function hasSeat(
  { database }: PanelParts,
  { seat }: PanelSession,
  { id }: PanelAccount,
  { lot_id }: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (seat === null || lot_id === undefined || !isUuid(lot_id)) return false;
  return (await database.inTenant(id, 'read', (db) => eventOfLot(db, lot_id))) === seat;
}

/** Release status concerns keys only. */
const ALL_LIVE = { isLive: () => true };

/** `GET account` shows the calling key; in the panel the person takes its place. */
const panelKey = ({ person }: PanelSession, account: PanelAccount, { endpoints }: Catalog<ApiEndpoint>): CallingKey => ({
  id: account.member_id ?? person.id,
  name: person.full_name,
  environment: account.world === undefined ? 'production' : 'sandbox',
  prefix: 'panel',
  expires_at: null,
  limit_per_minute: 0,
  limit_per_hour: null,
  limit_per_day: null,
  endpoint_count: 0,
  allowed_ip_count: 0,
  grants: () => ({
    scopes: scopesOf(endpoints.filter((endpoint) => mayUse(account.role, endpoint))),
    special_authorizations: [],
  }),
  endpoints: () =>
    grantedOf(
      endpoints.filter((endpoint) => mayUse(account.role, endpoint)),
      ALL_LIVE,
    ),
});

/** The reply may be shared with keys through the cache, so a copy is changed. */
function ownReply(reply: Reply, masked: boolean): Reply {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', NO_STORE];
  // The ETag lets a form detect changes. It is removed from masked replies, because it would confirm a guess of the masked value.
  const kept = masked ? ['Link'] : ['Link', 'ETag'];
  for (let index = 0; index < reply.headers.length; index += 2)
    if (kept.includes(reply.headers[index]!)) headers.push(reply.headers[index]!, reply.headers[index + 1]!);
  if (!masked || reply.body === null) return { ...reply, headers };
  const text = JSON.stringify(JSON.parse(reply.body.toString('utf8')), maskField);
  return { ...reply, headers, body: Buffer.from(text) };
}
