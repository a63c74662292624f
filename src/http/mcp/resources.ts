// What an agent may read beside the tools: the guide, the errors, the events, and what its key may do.
import { EVENT_KINDS } from '../../domain/writes/event-kinds.ts';
import { dayIn } from '../../kit/clock.ts';
import { ERRORS } from '../../kit/errors.ts';
import { guideMarkdown } from '../docs/markdown/guide-markdown.ts';
import { localeOf } from '../wire/reply.ts';
import { type AgentRequest, callApi } from './own-call.ts';
import { errorBody, type Json, type McpRequest, NOT_FOUND, resultBody } from './protocol.ts';

const RESOURCES = [
  { uri: 'galeri://guide', name: 'guide', title: 'Guide', mimeType: 'text/markdown' },
  { uri: 'galeri://errors', name: 'errors', title: 'Error codes', mimeType: 'application/json' },
  { uri: 'galeri://events', name: 'events', title: 'Event kinds', mimeType: 'application/json' },
  { uri: 'galeri://capabilities', name: 'capabilities', title: 'What this key may do', mimeType: 'application/json' },
] as const;

export const listResources = (): readonly Json[] => RESOURCES;

export async function readResource(
  agent: AgentRequest,
  request: McpRequest,
): Promise<{ readonly status: number; readonly result: Json }> {
  const found = RESOURCES.find(({ uri }) => uri === request.params.uri);
  const text = found === undefined ? null : await textOf(agent, found.uri);
  if (found === undefined || text === null)
    return { status: 200, result: errorBody(request.id, NOT_FOUND, 'Resource not found') };
  const { uri, mimeType } = found;
  return { status: 200, result: resultBody(request, { contents: [{ uri, mimeType, text }] }, true) };
}

async function textOf(agent: AgentRequest, uri: (typeof RESOURCES)[number]['uri']): Promise<string | null> {
  const { parts, call, key } = agent;
  const locale = localeOf(call.headers.acceptLanguage);
  switch (uri) {
    case 'galeri://errors':
      return JSON.stringify(Object.entries(ERRORS).map(([code, one]) => ({ code, status: one.status, message: one[locale] })));
    case 'galeri://events':
      return JSON.stringify(EVENT_KINDS);
    case 'galeri://capabilities': {
      const reply = await callApi(agent, { method: 'GET', path: 'account/capabilities' });
      return reply.status === 200 ? JSON.stringify(reply.json.data) : null;
    }
    default: {
      const { isLive } = await parts.release.now();
      const base = parts.publicUrl();
      const today = dayIn(call.now, key.timezone);
      return guideMarkdown({ endpoints: parts.catalog.endpoints, base, api: `${base}/api/v1`, locale, today, isLive });
    }
  }
}
