// POST /mcp and /mcp/readonly: agents use a key through four tools. The same key checks as the API; each tool counts as the calls it makes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../../config.ts';
import { addDay } from '../../domain/agents/agent-writes.ts';
import type { LiveKey } from '../../domain/keys/keys.ts';
import { dayIn } from '../../kit/clock.ts';
import { keepsVersion } from '../../kit/db.ts';
import { beginCall, type Call } from '../api/call.ts';
import { type ApiParts, countCall, finishCall, identifyCaller, refuse, replyToError, writeUnrecorded } from '../api/pipeline.ts';
import { IN_MEMORY_BYTES } from '../wire/receive.ts';
import { localeOf, NO_STORE, type Reply } from '../wire/reply.ts';
import { readBody } from '../wire/request-body.ts';
import type { AgentRequest } from './own-call.ts';
import {
  describeServer,
  errorBody,
  type Json,
  type McpRequest,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  readMessage,
  resultBody,
} from './protocol.ts';
import { listResources, readResource } from './resources.ts';
import { callTool, makesCalls } from './tool-call.ts';
import { INSTRUCTIONS, toolsOf } from './tools.ts';

const PREFIX = '/mcp';

export interface McpParts extends ApiParts {
  /** MCP=off. */
  readonly mcp: boolean;
}

export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createMcpEntry(parts: McpParts): McpHandler {
  return async (request, response) => {
    const call = beginCall(request, parts, PREFIX);
    const answer: Answer = { reply: null, isCounted: false };
    try {
      answer.reply = await answerRequest(parts, call, request, answer);
    } catch (error) {
      answer.reply = replyToError(parts, call, error);
    }
    // Calls of tools are in the log themselves.
    if (answer.isCounted) writeUnrecorded(parts, call, response, answer.reply);
    else finishCall(parts, call, response, answer.reply);
  };
}

interface Answer {
  reply: Reply | null;
  /** The tool has made calls of its own. */
  isCounted: boolean;
}

async function answerRequest(parts: McpParts, call: Call, request: IncomingMessage, answer: Answer): Promise<Reply> {
  if (!parts.mcp || (call.path !== '' && call.path !== '/readonly')) return refuse(call, 'not_found');
  const refusal = await identifyCaller(parts, call);
  if (refusal !== null) return refusal;
  const key = call.key!;
  const notServed = refuseForm(parts, call, request, key);
  if (notServed !== null) return (await countCall(parts, call, key)) ?? notServed;
  const memory = parts.budgets.bodyBytes.hold(key.accountId);
  try {
    const body = await readBody(request, IN_MEMORY_BYTES, memory.add);
    return await answerMessage(parts, call, request, { key, body, answer });
  } finally {
    memory.release();
  }
}

function refuseForm(parts: McpParts, call: Call, request: IncomingMessage, { agents }: LiveKey): Reply | null {
  if (!isOwnOrigin(parts, request)) return refuse(call, 'foreign_request');
  if (call.method !== 'POST') {
    const words = { method: call.method, allowed: 'POST' };
    return refuse(call, 'method_not_allowed', { headers: { Allow: 'POST' }, words });
  }
  return agents === 'off' ? refuse(call, 'agents_off') : null;
}

/** Browsers name the page that sends; only our own may. */
function isOwnOrigin({ publicUrl }: McpParts, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  return origin === undefined || (URL.canParse(publicUrl()) && origin === new URL(publicUrl()).origin);
}

interface Message {
  readonly key: LiveKey;
  readonly body: Buffer;
  readonly answer: Answer;
}

async function answerMessage(
  parts: McpParts,
  call: Call,
  request: IncomingMessage,
  { key, body, answer }: Message,
): Promise<Reply> {
  const message = parsed(body);
  const header = (name: string): string | undefined => request.headers[name]?.toString();
  const inbound =
    message === undefined
      ? ({ kind: 'rejected', status: 400, body: errorBody(null, PARSE_ERROR, 'The body is not valid JSON') } as const)
      : readMessage(message, {
          version: header('mcp-protocol-version'),
          method: header('mcp-method'),
          name: header('mcp-name'),
        });
  const client = inbound.kind === 'request' ? (inbound.request.client ?? clientOfAgent(call)) : clientOfAgent(call);
  call.agent = { via: { channel: 'mcp', client } };
  const isTool = inbound.kind === 'request' && makesCalls(inbound.request);
  const limited = isTool ? null : await countCall(parts, call, key);
  if (limited !== null) return limited;
  if (inbound.kind === 'notification')
    return { status: 202, headers: ['Cache-Control', NO_STORE], body: Buffer.alloc(0), errorCode: null };
  if (inbound.kind === 'rejected') return json(inbound.status, inbound.body);
  const onCall = () => {
    answer.isCounted = true;
  };
  const agent: AgentRequest = { parts, call, key, authorization: request.headers.authorization!, client, onCall };
  const { status, result } = await dispatch(agent, inbound.request, call.path === '/readonly');
  // A tool that made no call, for a fault of its arguments or a write that waits, is counted like any other request.
  const late = isTool && !answer.isCounted ? await countCall(parts, call, key) : null;
  if (late !== null) return late;
  await countDay(agent, result);
  return json(status, result);
}

/** Legacy clients give their name once, which a server without sessions does not keep. */
const clientOfAgent = ({ headers }: Call): string | null => headers.userAgent?.replace(/\p{C}/gu, '').trim().slice(0, 80) || null;

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const json = (status: number, body: Json): Reply => ({
  status,
  headers: ['Content-Type', 'application/json', 'Cache-Control', NO_STORE],
  body: Buffer.from(JSON.stringify(body)),
  errorCode: null,
});

interface Answered {
  readonly status: number;
  readonly result: Json;
}

async function dispatch(agent: AgentRequest, request: McpRequest, isReadOnly: boolean): Promise<Answered> {
  const known = describeServer(request, { version: VERSION, instructions: INSTRUCTIONS });
  if (known !== null) return { status: 200, result: resultBody(request, known) };
  switch (request.method) {
    case 'tools/list':
      return { status: 200, result: resultBody(request, { tools: toolsOf(isReadOnly) }, true) };
    case 'resources/list':
      return { status: 200, result: resultBody(request, { resources: listResources() }, true) };
    case 'resources/templates/list':
      return { status: 200, result: resultBody(request, { resourceTemplates: [] }, true) };
    case 'tools/call':
      return callTool(agent, request, { isReadOnly, locale: localeOf(agent.call.headers.acceptLanguage) });
    case 'resources/read':
      return readResource(agent, request);
    default: {
      const status = request.era === 'modern' ? 404 : 200;
      return { status, result: errorBody(request.id, METHOD_NOT_FOUND, 'Method not found') };
    }
  }
}

/** For the daily figures on the key's page. */
async function countDay({ parts, key, call }: AgentRequest, { result }: Json): Promise<void> {
  const refused = (result as Json | undefined)?.isError === true || result === undefined ? 1 : 0;
  const day = dayIn(call.realNow, key.timezone);
  await parts.database.inTenant(
    key.accountId,
    'write',
    (db) => addDay(db, key.id, { day, currency: '', calls: 1, refused }),
    keepsVersion,
  );
}
