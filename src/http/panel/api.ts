// The pipeline of the panel's own API, /panel/api: the same steps in the same order for every endpoint. Only a session gives access;
// API keys are ignored.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildCatalog } from '../../domain/catalog/catalog.ts';
import { storeThen } from '../../domain/files/stored-files.ts';
import { type LiveSession, RECENT_MS } from '../../domain/identity/sessions.ts';
import { emitIfLimitReached } from '../../domain/membership/limit-events.ts';
import { addressGroup } from '../../domain/net/address.ts';
import { isMasked, maskField } from '../../domain/privacy/mask.ts';
import { createBody, readCreateBody } from '../../domain/records/body.ts';
import { fieldContext } from '../../domain/records/fields.ts';
import { currentSpan } from '../../domain/tracing/spans.ts';
import { enterWorld, readAt } from '../../domain/worlds/enter-world.ts';
import { audit } from '../../domain/writes/audit.ts';
import { againAfterClash } from '../../domain/writes/clash.ts';
import { type Db, isUnavailable, sqlState } from '../../kit/db.ts';
import { Failure, fail, type Locale, type RefusalCode } from '../../kit/errors.ts';
import type { NewFile } from '../../kit/file.ts';
import { isUuid } from '../../kit/ids.ts';
import { readQuery } from '../../kit/params.ts';
import { panelEndpoints as allEndpoints } from '../../panel/index.ts';
import { type PanelEndpoint, PanelFile, PanelList, type PanelSession } from '../../panel/kit/endpoint.ts';
import { readInLog, withLogHere } from '../api/read-in-log.ts';
import { createMemoryLimiter } from '../rate-limits/rate-limit.ts';
import { isOwnPage } from '../wire/own-page.ts';
import { withJson } from '../wire/receive.ts';
import { listBody, NO_STORE, objectBody, ok, type Reply, refused, writeReply } from '../wire/reply.ts';
import { countUnread, hasRoomFor } from '../wire/unread-replies.ts';
import { isForm, withForm } from '../wire/upload.ts';
import { actorOf, type PanelCall, type PanelParts } from './call.ts';
import { runCatalogEndpoint } from './catalog-endpoints.ts';
import { sendFile } from './download.ts';
import { accountIn, budgetOwner, sessionFor, sessionInWorld, worldOf } from './environment.ts';
import { PLAYGROUND, tryEndpoint } from './playground.ts';
import { csrfToken, isCsrfToken, sessionCookie, sessionOf } from './session-cookie.ts';
import { createStreams } from './streams.ts';

const MAX_BODY_BYTES = 512 * 1024;
/**
 * Denials of one person that are audited in a minute. Refused requests are not limited otherwise, and the metrics count all of
 * them.
 */
const MAX_DENIALS_A_MINUTE = 10;

export interface PanelApi {
  handle(call: PanelCall, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends the live streams; other requests finish on their own. */
  close(): void;
}

/** A reply, null if it was already sent as a download, or an open stream. */
type Answered = Reply | null | (() => Promise<void>);

/** An open stream does not count as a running request, so that hundreds of viewers leave the budget to others. */
async function ended(answered: Answered): Promise<Reply | null> {
  if (typeof answered !== 'function') return answered;
  await answered();
  return null;
}

export function createPanelApi(parts: PanelParts, endpoints: readonly PanelEndpoint[] = allEndpoints): PanelApi {
  const routes = buildCatalog(endpoints);
  const streams = createStreams(parts);
  const denials = createMemoryLimiter();
  const answer = async (call: PanelCall, request: IncomingMessage, response: ServerResponse): Promise<Reply | null> => {
    const found = await sessionOf(parts, request, call, call.realNow);
    if (found === null || found.pending) fail('session_required');
    call.session = panelSession(found, call);
    if (call.environment === 'sandbox') call.inWorld = await sessionInWorld(parts, call.session);
    const answer = () => answerKnown(call, found, request, response);
    return ended(await parts.budgets.requests.during(budgetOwner(call.session), answer));
  };
  const answerKnown = async (
    call: PanelCall,
    found: LiveSession,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answered> => {
    const entered = call.inWorld ?? call.session!;
    if (found.locale !== null) call.locale = found.locale;
    if (call.path.startsWith('v1/')) {
      requireOwnPage(parts, call, request);
      return runCatalogEndpoint(parts, call, entered, call.path.slice(3), request);
    }
    if (call.path.startsWith(PLAYGROUND)) return tryEndpoint(parts, call, entered, request);
    const match = routes.match(call.path);
    if (match === null) fail('not_found');
    const endpoint = match.methods.get(call.method) ?? notOpen(call.method, [...match.methods.keys()]);
    call.endpoint = endpoint;
    const session = sessionFor(call, endpoint);
    describeSpan(call, endpoint, session.account?.id);
    requireOwnPage(parts, call, request);
    requireRight(endpoint, session);
    for (const [name, value] of Object.entries(match.params)) if (name.endsWith('_id') && !isUuid(value)) fail('not_found');
    const query = readQuery(call.rawQuery, endpoint.query);
    if (endpoint.stream === null) {
      const data = await runEndpoint(parts, call, { request, left: whenClosed(response) }, endpoint, match.params, query);
      const masked = isMasked(session, endpoint);
      if (!(data instanceof PanelFile)) return replyWith(data, call, masked);
      await parts.budgets.downloads.during(budgetOwner(session), () => sendFile(parts, call, data, response, masked));
      return null;
    }
    return streams.open(call, endpoint, { session, params: match.params, query }, request, response);
  };
  const isNewDenial = ({ session }: PanelCall, code: RefusalCode): boolean =>
    session !== null && DENIALS.has(code) && denials.admit(session.person.id, MAX_DENIALS_A_MINUTE).admitted;
  return {
    handle: async (call, request, response) => {
      let reply: Reply | null;
      try {
        reply = await answer(call, request, response);
      } catch (error) {
        if (error instanceof Failure && isNewDenial(call, error.code)) await auditDenial(parts, call, error.code);
        await emitLimitReached(parts, call, error);
        reply = replyToError(parts, call, error);
      }
      if (reply === null) return;
      const owner = call.session === null ? addressGroup(call.ip) : budgetOwner(call.session);
      if (!hasRoomFor(parts.budgets, call.method, owner, reply)) reply = refuse(call, 'service_unavailable', null);
      if (call.token !== undefined) reply.headers.push('Set-Cookie', sessionCookie(call.token));
      parts.metrics.answered(reply.status, reply.errorCode, performance.now() - call.started);
      writeReply(response, call.id, reply, parts.common, !request.complete && reply.status >= 400);
      countUnread(response, parts.budgets.replyBytes, owner, reply);
    },
    close: () => {
      streams.close();
      void denials.close();
    },
  };
}

/** Of the request, in its trace. */
function describeSpan({ id }: PanelCall, { method, path }: PanelEndpoint, accountId: string | undefined): void {
  const route = `/panel/api/${path}`;
  const account = accountId === undefined ? {} : { 'galeri.account_id': accountId };
  currentSpan()?.describe({ 'http.route': route, 'galeri.request_id': id, ...account }, `${method} ${route}`);
}

function panelSession(found: LiveSession, call: PanelCall): PanelSession {
  const { id, person_id, email, full_name, is_admin, account, look, locale } = found;
  const person = { id: person_id, email, full_name, locale: locale ?? call.locale, is_admin };
  const confirmedAt = found.reauthenticated_at;
  const recent = confirmedAt !== null && call.realNow.getTime() - confirmedAt.getTime() <= RECENT_MS;
  return {
    id,
    person,
    account,
    look,
    recent,
    seat: found.seat?.eventId ?? null,
    ip: call.ip,
    userAgent: call.userAgent,
    requestId: call.id,
  };
}

function notOpen(method: string, open: readonly string[]): never {
  const allowed = open.join(', ');
  return fail('method_not_allowed', { headers: { Allow: allowed }, words: { method, allowed } });
}

/** A request that changes something must come from our own page and carry the session's CSRF token. */
function requireOwnPage(parts: PanelParts, call: PanelCall, request: IncomingMessage): void {
  if (call.method === 'GET') return;
  const sent = request.headers['x-csrf-token'];
  const token = typeof sent === 'string' ? sent : undefined;
  if (!isOwnPage(request, parts.services.publicUrl()) || !isCsrfToken(parts.services.secrets.panel, call.session!.id, token))
    fail('foreign_request');
}

function requireRight(endpoint: PanelEndpoint, { person, account, look, recent }: PanelSession): void {
  const writes = endpoint.method !== 'GET';
  if (endpoint.who === 'admin') {
    if (!person.is_admin) fail('not_permitted');
    if (look && writes) fail('look_only');
  } else if (endpoint.who !== 'person') {
    if (account === null) fail('not_permitted');
    if (look) {
      if (writes) fail('look_only');
    } else if (endpoint.who !== 'member' && !endpoint.who.includes(account.role)) fail('not_permitted');
    if (writes && account.status === 'Askıda') fail('account_suspended');
  }
  if (endpoint.recent && !recent) fail('reauthentication_required');
}

/** Aborted when the connection is closed; not used after the reply. */
function whenClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

async function runEndpoint(
  parts: PanelParts,
  call: PanelCall,
  { request, left }: { readonly request: IncomingMessage; readonly left: AbortSignal },
  endpoint: PanelEndpoint,
  params: Readonly<Record<string, string>>,
  query: Record<string, unknown>,
): Promise<unknown> {
  const session = sessionFor(call, endpoint);
  const run = (body: Record<string, unknown>, files: readonly NewFile[] = []) =>
    runInEnvironment(parts, call, endpoint, { session, params, query, body, files, left });
  if (endpoint.method === 'GET') return run({});
  const { budgets, files } = parts;
  const receiver = { budgets, owner: budgetOwner(session), incoming: files.incoming };
  const context = fieldContext(session.account?.world?.now ?? call.now, session.account?.timezone ?? 'Europe/Istanbul');
  const read = (raw: Record<string, unknown>) => readCreateBody(endpoint.bodySchema ?? {}, raw, context);
  if (endpoint.upload === null)
    return withJson(request, { max: endpoint.maxBytes ?? MAX_BODY_BYTES }, receiver, (body) => run(read(body)));
  if (!isForm(request)) fail('unsupported_media_type', { words: { allowed: 'multipart/form-data' } });
  const { maxBytes, stores } = endpoint.upload;
  return withForm(
    request,
    { bodySchema: createBody(endpoint.bodySchema ?? {}), maxBytes },
    receiver,
    async ({ fields, file }) => {
      const body = read(fields);
      const made = await stores(file);
      const { database } = parts;
      const target = { database, store: files.store, dataSet: session.account!.id, realNow: call.realNow };
      return storeThen(
        ...([target, made] as const),
        () => run(body, made),
        () => true,
      );
    },
  );
}

interface PanelCallInput {
  readonly session: PanelSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  readonly files: readonly NewFile[];
  readonly left: AbortSignal;
}

/** In a world a write waits for its clock, like a write of the API. */
function runInEnvironment(parts: PanelParts, call: PanelCall, endpoint: PanelEndpoint, input: PanelCallInput): Promise<unknown> {
  const { session } = input;
  const world = worldOf(session);
  if (world === null || endpoint.method === 'GET') return runWith(parts, call, endpoint, input);
  return parts.worlds!.write(world, (now) =>
    runWith(parts, call, endpoint, { ...input, session: { ...session, account: accountIn(session.account!, now) } }),
  );
}

async function runWith(
  parts: PanelParts,
  call: PanelCall,
  endpoint: PanelEndpoint,
  { session, params, query, body, files, left }: PanelCallInput,
): Promise<unknown> {
  const { account } = session;
  const world = worldOf(session);
  const now = world?.now ?? call.now;
  // Timed transitions run first, so that the panel's screens do not show an expired reservation.
  if (account !== null && endpoint.databaseRole !== 'platform')
    await parts.catchUp.ensure({ dataSetId: account.id, accountId: account.id, timezone: account.timezone, world }, now);
  const run = (db: Db) =>
    endpoint.run({
      db,
      session,
      account,
      params,
      query,
      body,
      files,
      left,
      now,
      realNow: call.realNow,
      locale: call.locale,
      services: parts.services,
      actor: actorOf(session),
      csrf: csrfToken(parts.services.secrets.panel, session.id),
      giveToken: (token) => {
        call.token = token;
      },
    });
  const access = endpoint.method === 'GET' ? 'read' : 'write';
  const { database } = parts;
  if (endpoint.databaseRole === 'none') return run(NO_DB);
  const { log } = database;
  const work = withLogHere(log === null, run);
  const inData = async (db: Db) => {
    if (world !== null && access === 'write') await enterWorld(db, world);
    else if (world !== null) readAt(db, world);
    return work(db);
  };
  if (endpoint.onStandby && world === null) return againAfterClash(() => parts.copies.read(account!.id, 'latest', work));
  const isOfPlatform = endpoint.databaseRole === 'platform';
  const found = await againAfterClash(() =>
    isOfPlatform ? database.onPlatform(access, work) : database.inTenant(account!.id, access, inData),
  );
  return readInLog(found, (read) => (isOfPlatform ? log!.onPlatform('read', read) : log!.inTenant(account!.id, 'read', read)));
}

const NO_DB: Db = { rows: refuseDb, one: refuseDb, exec: refuseDb, send: refuseDb, last: refuseDb };

function refuseDb(): never {
  throw new Error('an endpoint without a database role has no transaction');
}

/** Counts come from the database as bigint; they are small enough for a number. */
const jsonOf = (data: unknown, masked: boolean): string =>
  JSON.stringify(data ?? null, (name, value) =>
    typeof value === 'bigint' ? Number(value) : masked ? maskField(name, value) : value,
  );

function replyWith(data: unknown, call: PanelCall, masked: boolean): Reply {
  if (data instanceof PanelList) {
    const { items, page, hasMore, total } = data;
    // Filters of the endpoint may be in `page` too.
    const { limit, offset } = page;
    const meta = { limit, offset, count: items.length, has_more: hasMore, ...(total === null ? {} : { total }) };
    return ok(Buffer.from(`{"success":true,"data":${jsonOf(items, masked)},"meta":${JSON.stringify(meta)}}`), NO_STORE);
  }
  if (Array.isArray(data)) return ok(listBody(jsonOf(data, masked), data.length, 0, data.length), NO_STORE);
  return ok(objectBody(jsonOf(data, masked), call), NO_STORE);
}

function replyToError(parts: PanelParts, call: PanelCall, error: unknown): Reply {
  if (error instanceof Failure) return refuse(call, error.code, error);
  const unavailable = isUnavailable(error);
  const facts = { request_id: call.id, endpoint: call.endpoint?.id, sqlstate: sqlState(error), reason: String(error) };
  if (unavailable) parts.log.warn('a panel request failed because the database or the file store is unavailable', facts);
  else parts.log.error('a panel request failed', { ...facts, stack: (error as Error)?.stack });
  return refuse(call, unavailable ? 'service_unavailable' : 'internal_error', null);
}

const refuse = (call: PanelCall, code: RefusalCode, failure: Failure | null): Reply =>
  refused(code, failure?.facts ?? {}, call, call.locale satisfies Locale);

/** Staff, branches and keys are added only here; the catalog's writes emit the event for other plan limits. */
async function emitLimitReached(
  { services }: PanelParts,
  { session: own, inWorld, id: requestId, now }: PanelCall,
  error: unknown,
): Promise<void> {
  const session = inWorld ?? own;
  if (session === null || session.account === null) return;
  const { account } = session;
  await emitIfLimitReached(
    services.writer,
    { dataSet: account.id, account, actor: actorOf(session), requestId, now: account.world?.now ?? now, world: account.world },
    error,
  );
}

/** Refused actions are audited like successful ones. Asking for the password again is not a denial. */
async function auditDenial(parts: PanelParts, call: PanelCall, code: RefusalCode): Promise<void> {
  const session = call.session!;
  const target = call.endpoint?.id ?? `${call.method} ${call.path}`.slice(0, 200);
  const accountId = session.account?.id;
  await parts.database
    .onPlatform('write', (db) =>
      audit(db, actorOf(session), 'denied', target, {
        outcome: 'denied',
        after: { because: code },
        ...(accountId === undefined ? {} : { accountId }),
      }),
    )
    .catch((error) => parts.log.warn('a denial could not be audited', { reason: String(error) }));
}

const DENIALS: ReadonlySet<RefusalCode> = new Set(['not_permitted', 'foreign_request', 'look_only', 'account_suspended']);
