// tools/call: reads the arguments and runs the tool. Unknown arguments are refused, because a misspelt `confirm` must not be a new preview.
import { dayIn } from '../../kit/clock.ts';
import type { Locale } from '../../kit/errors.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { describeEndpoint } from './describe.ts';
import type { AgentRequest } from './own-call.ts';
import { errorBody, INVALID_PARAMS, isObject, type Json, type McpRequest, resultBody } from './protocol.ts';
import { pathOfArgument, queryOfArgument, read } from './read.ts';
import { createEndpointIndex, type EndpointIndex } from './search.ts';
import { answered, failedWith, type ToolResult } from './tool-result.ts';
import { TOOL_NAMES, type ToolName } from './tools.ts';
import { write } from './write.ts';

/** The tools that call the API; these calls are counted and logged, not the request that carries them. */
export const makesCalls = ({ method, params }: McpRequest): boolean =>
  (method === 'tools/call' && (params.name === 'read' || params.name === 'write')) ||
  (method === 'resources/read' && params.uri === 'galeri://capabilities');

interface ToolContext {
  readonly isReadOnly: boolean;
  readonly locale: Locale;
}

interface Answered {
  readonly status: number;
  readonly result: Json;
}

export async function callTool(agent: AgentRequest, request: McpRequest, context: ToolContext): Promise<Answered> {
  const { name, arguments: given = {} } = request.params;
  const tool = TOOL_NAMES.find((one) => one === name && !(one === 'write' && context.isReadOnly));
  if (tool === undefined) return { status: 200, result: errorBody(request.id, INVALID_PARAMS, 'Unknown tool') };
  const fault = faultOf(tool, given);
  const result = fault ?? (await TOOLS[tool](agent, given as Json, { ...context, mcp: request }));
  return { status: 200, result: resultBody(request, result) };
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 4000;
const isQuery: Check = (value) => queryOfArgument(value) !== null;
const isNames: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string');

const ARGUMENTS: Readonly<Record<ToolName, Readonly<Record<string, readonly [check: Check, must: string, required?: true]>>>> = {
  search_endpoints: { query: [isText, 'words', true] },
  describe_endpoint: { endpoint: [isText, 'an endpoint such as "GET vehicles"', true] },
  read: {
    path: [isText, 'a path such as "vehicles"', true],
    query: [isQuery, 'an object of plain values'],
    fields: [isNames, 'a list of field names'],
    cursor: [isText, 'next_cursor of the same read'],
  },
  write: {
    method: [(value) => ['POST', 'PATCH', 'DELETE'].includes(value as string), 'POST, PATCH or DELETE', true],
    path: [isText, 'a path such as "vehicles"', true],
    query: [isQuery, 'an object of plain values'],
    body: [isObject, 'an object'],
    confirm: [isText, 'the token of a preview'],
  },
};

function faultOf(tool: ToolName, given: unknown): ToolResult | null {
  const known = ARGUMENTS[tool];
  const fault = (param: string, message: string) =>
    failedWith({ code: 'invalid_parameter', param, message, next: 'Correct it and repeat.' });
  if (!isObject(given)) return fault('arguments', 'arguments must be an object');
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) return fault(JSON.stringify(unknown.slice(0, 60)), `${tool} takes ${Object.keys(known).join(', ')}`);
  for (const [name, [check, must, required]] of Object.entries(known))
    if (given[name] === undefined ? required : !check(given[name])) return fault(name, `${name} must be ${must}`);
  return null;
}

interface RunContext extends ToolContext {
  readonly mcp: McpRequest;
}

type Run = (agent: AgentRequest, given: Json, context: RunContext) => Promise<ToolResult>;

const MAX_FOUND = 8;
const indexes = new WeakMap<readonly ApiEndpoint[], EndpointIndex>();

const searchEndpoints: Run = async ({ parts, key }, { query }, { locale, isReadOnly }) => {
  const { endpoints } = parts.catalog;
  const index = indexes.get(endpoints) ?? createEndpointIndex(endpoints);
  indexes.set(endpoints, index);
  const { isLive } = await parts.release.now();
  const mayWrite = key.agents === 'write' && !isReadOnly;
  const found = index.find(
    query as string,
    ({ id, method }) => key.endpoints.has(id) && isLive(id) && (mayWrite || method === 'GET'),
  );
  return answered({
    endpoints: found.slice(0, MAX_FOUND).map(({ id, risk, name, body }) => ({
      endpoint: id,
      name: name[locale],
      risk,
      about: body?.about?.[locale === 'en' ? 0 : 1],
    })),
  });
};

const describe: Run = async ({ parts, key, call }, { endpoint: id }, { locale }) => {
  const endpoint = parts.catalog.byId.get((id as string).trim());
  const { isLive } = await parts.release.now();
  if (endpoint === undefined || !key.endpoints.has(endpoint.id) || !isLive(endpoint.id))
    return failedWith({
      code: 'not_found',
      param: 'endpoint',
      message: 'The key holds no released endpoint of this name',
      next: 'Find it with search_endpoints.',
    });
  return answered(describeEndpoint(endpoint, parts.catalog.endpoints, { locale, today: dayIn(call.now, key.timezone) }));
};

const TOOLS: Readonly<Record<ToolName, Run>> = {
  search_endpoints: searchEndpoints,
  describe_endpoint: describe,
  read: (agent, { path, query, fields, cursor }) =>
    read(agent, {
      path: pathOfArgument(path as string),
      query: queryOfArgument(query)!,
      fields: (fields as string[] | undefined) ?? null,
      cursor: (cursor as string | undefined) ?? null,
    }),
  write: async (agent, { method, path, query, body, confirm }, { mcp, locale }) => {
    if (agent.key.agents !== 'write')
      return failedWith({
        code: 'agents_read_only',
        message: 'Agents may only read with this key',
        next: 'A person can change that on the page of the key in the panel.',
      });
    const request = {
      method: method as string,
      path: pathOfArgument(path as string),
      query: queryOfArgument(query)!,
      body: body as Json | undefined,
    };
    return write({ agent, request, mcp, locale }, (confirm as string | undefined) ?? null);
  },
};
