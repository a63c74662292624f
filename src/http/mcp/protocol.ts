// The Model Context Protocol on HTTP, without state: revision 2026-07-28, and the requests of 2025-era clients (docs/decisions/0083).
import { cutText } from '../../kit/text.ts';

export const MODERN = '2026-07-28';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export type Json = Readonly<Record<string, unknown>>;

/** A request of a client, after the checks of its revision. */
export interface McpRequest {
  readonly era: 'modern' | 'legacy';
  readonly id: string | number;
  readonly method: string;
  readonly params: Json;
  /** Name and version that the client gives itself; not known of a legacy client after its first request. */
  readonly client: string | null;
  /** The client can ask its person (`input_required`). */
  readonly elicits: boolean;
}

/** What is wrong with a message, or that it needs no answer. */
export type Inbound =
  | { readonly kind: 'request'; readonly request: McpRequest }
  | { readonly kind: 'notification' }
  | { readonly kind: 'rejected'; readonly status: number; readonly body: Json };

export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const NOT_FOUND = -32002;
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const errorBody = (id: unknown, code: number, message: string, data?: unknown): Json => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: data === undefined ? { code, message } : { code, message, data },
});

const rejected = (id: unknown, status: number, code: number, message: string, data?: unknown): Inbound => ({
  kind: 'rejected',
  status,
  body: errorBody(id, code, message, data),
});

/** Reads one message. The body decides the revision; the headers must agree with it. */
export function readMessage(message: unknown, headers: McpHeaders): Inbound {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
    return rejected(null, 400, INVALID_REQUEST, 'The body must be one JSON-RPC request or notification');
  const { id, method } = message;
  const params = message.params === undefined ? {} : message.params;
  if (!isObject(params)) return rejected(id, 400, INVALID_PARAMS, 'params must be an object');
  if (id === undefined) return { kind: 'notification' };
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    return rejected(null, 400, INVALID_REQUEST, 'id must be a string or a whole number');
  const meta = isObject(params._meta) ? params._meta : {};
  const asked = { id: id as string | number, method, params };
  if (VERSION_KEY in meta) return readModern(asked, meta, headers);
  if (isModern(headers.version)) return rejected(id, 400, INVALID_PARAMS, `params._meta must have ${VERSION_KEY}`);
  if (headers.version !== undefined && !LEGACY.some((one) => one === headers.version)) return unsupported(id, headers.version);
  return { kind: 'request', request: { ...asked, era: 'legacy', client: clientOf(params.clientInfo), elicits: false } };
}

const unsupported = (id: unknown, requested: string): Inbound =>
  rejected(id, 400, UNSUPPORTED_VERSION, 'Unsupported protocol version', { supported: [MODERN, ...LEGACY], requested });

/** Later revisions have later dates. */
const isModern = (version: string | undefined): boolean => version !== undefined && version >= MODERN;

type Asked = Pick<McpRequest, 'id' | 'method' | 'params'>;

function readModern({ id, method, params }: Asked, meta: Json, headers: McpHeaders): Inbound {
  const version = meta[VERSION_KEY];
  if (typeof version !== 'string' || !isObject(meta[CAPABILITIES_KEY]))
    return rejected(id, 400, INVALID_PARAMS, `params._meta must have ${VERSION_KEY} and ${CAPABILITIES_KEY}`);
  const mismatch = mismatchOf({ id, method, params }, version, headers);
  if (mismatch !== null) return rejected(id, 400, HEADER_MISMATCH, mismatch);
  if (version !== MODERN) return unsupported(id, version);
  const { elicitation } = meta[CAPABILITIES_KEY];
  const elicits = isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation.form));
  return { kind: 'request', request: { id, method, params, era: 'modern', client: clientOf(meta[CLIENT_KEY]), elicits } };
}

/** The parameter that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' };

function mismatchOf({ method, params }: Asked, version: string, headers: McpHeaders): string | null {
  if (headers.version?.trim() !== version) return 'MCP-Protocol-Version must be the version in params._meta';
  if (headers.method?.trim() !== method) return 'Mcp-Method must be the method of the body';
  const field = Object.hasOwn(NAMED, method) ? NAMED[method]! : null;
  if (field === null || typeof params[field] !== 'string') return null;
  return decoded(headers.name) === params[field] ? null : `Mcp-Name must be params.${field}`;
}

/** Names beyond visible ASCII come as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const text = header?.trim();
  const inner = text?.startsWith('=?base64?') && text.endsWith('?=') ? text.slice(9, -2) : null;
  return inner === null ? text : Buffer.from(inner, 'base64').toString('utf8');
}

/** Shown in logs, so without control characters and short. */
function clientOf(info: unknown): string | null {
  if (!isObject(info) || typeof info.name !== 'string') return null;
  const version = typeof info.version === 'string' ? ` ${info.version}` : '';
  const text = cutText(`${info.name}${version}`.replace(/\p{C}/gu, '').trim(), 80).trim();
  return text === '' ? null : text;
}

const CAPABILITIES = { tools: {}, resources: {} };
/** Tools and resources change with a release only. */
const TTL_MS = 300_000;

export interface ServerInfo {
  readonly version: string;
  readonly instructions: string;
}

/** The methods that only describe the server; null for others. */
export function describeServer({ era, method, params }: McpRequest, { version, instructions }: ServerInfo): Json | null {
  const serverInfo = { name: 'galeri', title: 'Galeri', version };
  if (era === 'modern' && method === 'server/discover')
    return {
      supportedVersions: [MODERN],
      capabilities: CAPABILITIES,
      instructions,
      ttlMs: TTL_MS,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
    };
  if (era === 'modern') return null;
  if (method === 'ping') return {};
  if (method !== 'initialize') return null;
  const protocolVersion = LEGACY.find((one) => one === params.protocolVersion) ?? LEGACY[0];
  return { protocolVersion, capabilities: CAPABILITIES, serverInfo, instructions };
}

/** The answer to a request, in the form of its revision. `isKept`: the client may keep it for a while. */
export function resultBody({ era, id }: McpRequest, result: Json, isKept = false): Json {
  const hints = isKept && era === 'modern' ? { ttlMs: TTL_MS, cacheScope: 'private' } : {};
  const type = era === 'modern' ? { resultType: result.resultType ?? 'complete' } : {};
  return { jsonrpc: '2.0', id, result: { ...type, ...hints, ...result } };
}
