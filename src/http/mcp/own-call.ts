// A tool's call of the API: a request that begins in this process and takes every step of one that a client sends.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { AgentVia } from '../../domain/keys/agent-states.ts';
import type { LiveKey } from '../../domain/keys/keys.ts';
import { beginCall, type Call, type WriteWatch } from '../api/call.ts';
import { type ApiParts, answerAgent } from '../api/pipeline.ts';
import type { Json } from './protocol.ts';

/** The request of the client that the calls belong to. */
export interface AgentRequest {
  readonly parts: ApiParts;
  readonly call: Call;
  readonly key: LiveKey;
  readonly authorization: string;
  readonly client: string | null;
  /** Calls are counted and logged themselves, and the request that carries them is not. */
  readonly onCall: () => void;
}

export interface OwnCall {
  readonly method: string;
  /** After /api/v1/. */
  readonly path: string;
  readonly query?: string;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly via?: Partial<AgentVia>;
  readonly watch?: WriteWatch;
}

export interface OwnReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the replies of 185 endpoints
  readonly json: any;
}

/** Never connected: a request needs one to be read from. */
const NO_SOCKET = new Socket();

export async function callApi(agent: AgentRequest, own: OwnCall): Promise<OwnReply> {
  const { parts, call: outer, authorization, client } = agent;
  agent.onCall();
  const body = own.body === undefined ? null : Buffer.from(JSON.stringify(own.body));
  const request = new IncomingMessage(NO_SOCKET);
  request.method = own.method;
  request.url = `/api/v1/${own.path}${own.query ? `?${own.query}` : ''}`;
  const sent: Record<string, string> = {
    Authorization: authorization,
    ...(outer.headers.userAgent === undefined ? {} : { 'User-Agent': outer.headers.userAgent }),
    ...(outer.headers.acceptLanguage === undefined ? {} : { 'Accept-Language': outer.headers.acceptLanguage }),
    ...(body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
    ...own.headers,
  };
  request.rawHeaders = Object.entries(sent).flat();
  // Node derives both from what its parser counted, which has seen nothing of this request.
  const lower = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value] as const);
  Object.defineProperty(request, 'headers', { value: Object.fromEntries(lower) });
  Object.defineProperty(request, 'headersDistinct', { value: Object.fromEntries(lower.map(([name, value]) => [name, [value]])) });
  if (body !== null) request.push(body);
  request.push(null);
  request.complete = true;
  const via = { channel: 'mcp', client, ...own.via } as const;
  const call: Call = {
    ...beginCall(request, parts),
    ip: outer.ip,
    agent: own.watch === undefined ? { via } : { via, watch: own.watch },
  };
  const reply = await answerAgent(parts, call, request);
  const headers = new Map<string, string>();
  for (let index = 0; index < reply.headers.length; index += 2)
    headers.set(reply.headers[index]!.toLowerCase(), reply.headers[index + 1]!);
  return { status: reply.status, headers, json: reply.body === null ? null : JSON.parse(reply.body.toString('utf8')) };
}
