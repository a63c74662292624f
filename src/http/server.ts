// The HTTP server: routing to the API, the site and the panel, limits on sockets and time, refusals before routing, a clean stop.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createProbe, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { addressGroup, inRanges, parseAddress, type Range } from '../domain/net/address.ts';
import { Quota } from '../domain/sharing/quota.ts';
import { inSpan, type Span, type Tracer } from '../domain/tracing/spans.ts';
import type { Clock } from '../kit/clock.ts';
import type { ErrorCode, FailureFacts } from '../kit/errors.ts';
import { newRequestId } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import { pathOf } from './api/call.ts';
import { MAX_TARGET_BYTES } from './api/pipeline.ts';
import { type Meta, type Reply, refused } from './wire/reply.ts';
import { awaitsGoAhead, breakOff } from './wire/request-body.ts';
import { cutStalled } from './wire/unread-replies.ts';

/** Null if the request was answered already. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;

export interface ServerParts {
  readonly api: Handler;
  readonly site: Handler;
  readonly panel: Handler;
  readonly files: Handler;
  readonly events: Handler;
  readonly signing: Handler;
  readonly showroom: Handler;
  readonly customerPage: Handler;
  readonly sandbox: Handler;
  readonly mcp: Handler;
  readonly clock: Clock;
  readonly errorPages?: string | null;
  readonly log: Log;
  readonly trustProxy?: readonly Range[];
  readonly stalledMs?: number;
  /** Null: there are no traces. */
  readonly tracer?: Tracer | null;
}

const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 10_000;
/** Connections of one network, unless it is a trusted proxy, so that others can connect too. */
const MAX_CONNECTIONS_EACH = 5000;
const STOP_WITHIN_MS = 10_000;
/** How long a refused connection stays open so that the refusal arrives. */
const REFUSED_WITHIN_MS = 2000;
const LOG_AGAIN_MS = 10_000;
const connections = new WeakMap<Server, ReadonlySet<Socket>>();
const draining = new WeakSet<Server>();

export function createHttpServer(parts: ServerParts): Server {
  const { clock, errorPages, trustProxy = [], stalledMs, tracer = null, log, ...entries } = parts;
  const newMeta = (): Meta => ({ id: newRequestId(clock.realNow().getTime()), now: clock.now(), errorPages });
  // The pending reply of a connection: a refusal on the same connection has to come after it.
  const owed = new WeakMap<object, ServerResponse>();
  const open = (request: IncomingMessage, response: ServerResponse) => {
    owed.set(request.socket, response);
    // Handlers limit their requests themselves (budgets.ts), so health and readiness never wait.
    const path = pathOf(request.url ?? '/');
    const entry = entryOf(entries, path);
    const run = () => entry(request, response)?.catch((error) => giveUp(response, newMeta(), log, error));
    // Health checks would fill the traces.
    if (tracer === null || entry === entries.site) run();
    else inSpan(beginSpan(tracer, path, request, response), run);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    response.on('error', ignore);
    if (draining.has(server)) response.shouldKeepAlive = false;
    try {
      open(request, response);
    } catch (error) {
      giveUp(response, newMeta(), log, error);
    }
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Long enough for a photo over a slow mobile line; request-body.ts gives up on slower callers earlier.
      requestTimeout: 120_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5000,
      // Saves a stream for requests without a body, which nearly all are.
      optimizeEmptyRequests: true,
      // A missing Host header is accepted, because no answer depends on it.
      requireHostHeader: false,
    },
    handle,
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = 10_000;
  // 100-continue is sent only when the endpoint begins to read the body.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitsGoAhead(request, response);
    handle(request, response);
  });
  server.on('checkExpectation', handle);
  const sockets = new Set<Socket>();
  const each = new Quota({ total: MAX_CONNECTIONS, each: MAX_CONNECTIONS_EACH });
  connections.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    // Always present: with CONNECT Node removes its own listener, and an unhandled error event would end the process.
    socket.on('error', ignore);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    boundConnections(each, socket, trustProxy);
  });
  server.once('close', cutStalled(sockets, stalledMs));
  server.on('clientError', (error: ParserError, socket: Socket) =>
    onSocket(socket, log, () => refuseUnreadable(error, socket, owed.get(socket), newMeta())),
  );
  server.on('connect', (_, socket: Socket) =>
    onSocket(socket, log, () => {
      const words = { method: 'CONNECT', allowed: 'GET, HEAD' };
      writeRaw(socket, belowRouting(newMeta(), 'method_not_allowed', { headers: { Allow: 'GET, HEAD' }, words }));
    }),
  );
  return server;
}

/** Ends with the reply. What answers the request adds its endpoint and account. */
function beginSpan(
  tracer: Tracer,
  path: string,
  { method = 'GET', rawHeaders }: IncomingMessage,
  response: ServerResponse,
): Span {
  const route = /^\/[a-z]+/.exec(path)?.[0] ?? '/';
  const attributes = { 'http.request.method': method, 'http.route': route };
  const span = tracer.begin(`${method} ${route}`, traceparentOf(rawHeaders), { kind: 'server', attributes });
  response.once('close', () => {
    const { headersSent, statusCode } = response;
    if (headersSent) span.describe({ 'http.response.status_code': statusCode });
    span.end(headersSent && statusCode >= 500);
  });
  return span;
}

/** From the raw list, which costs a tenth of Node's own headers object. Of two, none is used. */
function traceparentOf(raw: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]!.length !== 'traceparent'.length || raw[index]!.toLowerCase() !== 'traceparent') continue;
    if (found !== undefined) return undefined;
    found = raw[index + 1];
  }
  return found;
}

function boundConnections(each: Quota, socket: Socket, trusted: readonly Range[]): void {
  const address = parseAddress(socket.remoteAddress ?? '');
  if (address === null || inRanges(address, trusted)) return;
  const network = addressGroup(socket.remoteAddress!);
  if (!each.hasRoom(network)) {
    socket.destroy();
    return;
  }
  each.take(network);
  socket.once('close', () => each.leave(network));
}

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

function ignore(): void {}

/** Handlers answer their own failures. An error that still arrives here is a bug, and ends only this request. */
function giveUp(response: ServerResponse, meta: Meta, log: Log, error: unknown): void {
  const { method } = response.req;
  log.error('a request failed outside its entry point', { method, reason: inspect(error) });
  if (response.writableEnded) return;
  try {
    if (response.headersSent) response.destroy();
    else answer(response, belowRouting(meta, 'internal_error'));
  } catch {
    response.destroy();
  }
}

/** An exception in an event handler would end the process, so it ends the connection instead. */
function onSocket(socket: Socket, log: Log, act: () => void): void {
  try {
    act();
  } catch (error) {
    log.error('a connection failed outside any request', { reason: inspect(error) });
    socket.destroy();
  }
}

function answer(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, [...headers, 'Content-Length', String(body!.length)]).end(body);
}

function refuseUnreadable(error: ParserError, socket: Socket, before: ServerResponse | undefined, meta: Meta): void {
  // A request that timed out or was reset: no client is waiting for a reply.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The error is in the body of a request that is being read, so that request is refused.
  if (before !== undefined && !before.writableFinished && breakOff(before.req)) return;
  const reply = unreadable(meta, error);
  if (before === undefined || before.writableFinished) writeRaw(socket, reply);
  else before.once('finish', () => writeRaw(socket, reply));
}

type Entries = Pick<
  ServerParts,
  'api' | 'panel' | 'files' | 'events' | 'signing' | 'showroom' | 'customerPage' | 'sandbox' | 'mcp' | 'site'
>;

function entryOf(entries: Entries, path: string): Handler {
  const { api, panel, files, events, signing, showroom, customerPage, sandbox, mcp, site } = entries;
  if (isUnder('/api/v1', path)) return api;
  if (isUnder('/mcp', path)) return mcp;
  if (isUnder('/panel', path)) return panel;
  if (isUnder('/files', path)) return files;
  if (isUnder('/sign', path)) return signing;
  if (isUnder('/g', path)) return showroom;
  if (isUnder('/m', path)) return customerPage;
  // Descriptions need no key.
  if (isUnder('/sandbox/v1/openapi.json', path)) return site;
  if (isUnder('/sandbox/v1', path)) return sandbox;
  return isUnder('/events/v1', path) ? events : site;
}

function isUnder(entry: string, path: string): boolean {
  const after = path[entry.length];
  return path.startsWith(entry) && (after === undefined || after === '/' || after === '?');
}

/** The reply for a request that the parser refused, in the usual envelope. */
function unreadable(meta: Meta, error: ParserError): Reply {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    // The parser does not say where it failed. Without a line end and a `name:` in the packet, the target was too long.
    const packet = error.rawPacket?.subarray(0, MAX_TARGET_BYTES).toString('latin1') ?? '';
    const inTarget = !packet.includes('\n') && !/^[\w-]+:/.test(packet);
    const allowed = inTarget ? MAX_TARGET_BYTES : MAX_HEADER_BYTES;
    return belowRouting(meta, inTarget ? 'uri_too_long' : 'headers_too_large', { words: { allowed } });
  }
  return belowRouting(meta, 'invalid_parameter', {
    words: { param: { en: 'The request', tr: 'İstek' }, allowed: { en: 'valid HTTP/1.1', tr: 'geçerli HTTP/1.1' } },
  });
}

function belowRouting(meta: Meta, code: ErrorCode, facts: FailureFacts = {}): Reply {
  const reply = refused(code, facts, meta, 'en');
  reply.headers.push('X-Request-Id', meta.id, 'X-Content-Type-Options', 'nosniff', 'Connection', 'close');
  return reply;
}

function writeRaw(socket: Socket, { status, headers, body }: Reply): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  lines.push(`Content-Length: ${body!.length}`, '', '');
  // The server's timeouts do not cover a connection that its parser has released, and the caller might never close it.
  const late = setTimeout(() => socket.destroy(), REFUSED_WITHIN_MS);
  socket.once('close', () => clearTimeout(late));
  socket.resume().end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body!]));
}

export function listen(server: Server, host: string, port: number, log: Log): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(notListening(error, host, port));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed).on('error', reportAcceptFailures(log));
      resolve((server.address() as { port: number }).port);
    });
  });
}

/** Checked before a first start fills the database, so that a port in use is reported at once. */
export function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createProbe();
  return new Promise((resolve, reject) => {
    probe.once('error', (error) => reject(notListening(error, host, port)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function notListening(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const where = `${host}:${port}`;
  return error.code === 'EADDRINUSE'
    ? new Error(`${where} is already in use; stop what listens there, or choose another with PORT`)
    : new Error(`cannot listen on ${where}: ${error.message}`);
}

/** Without file descriptors or memory a new connection is lost; existing ones are still served. */
function reportAcceptFailures(log: Log): (error: Error) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ message: reason }) => {
    if (performance.now() - loggedAt < LOG_AGAIN_MS) return;
    loggedAt = performance.now();
    log.error('connections cannot be accepted', { reason });
  };
}

/** From now on each reply ends its connection, so that the next request comes over a new one, which may lead to another node. */
export function endConnectionsWithReplies(server: Server): void {
  draining.add(server);
}

/** Accepts no new connections, lets running requests finish, then closes the rest: a long export is cut, and its reader sees that. */
export async function stopListening(server: Server, withinMs = STOP_WITHIN_MS): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = () => {
    server.closeIdleConnections();
    // Node would wait for a request on connections that have not sent a byte yet.
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
  };
  closeIdle();
  const idle = setInterval(closeIdle, 50);
  const late = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
