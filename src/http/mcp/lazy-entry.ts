// The door of agents, loaded with its first request, because most services start without any agent.
import type { McpHandler, McpParts } from './mcp-entry.ts';

export function createMcpEntry(parts: McpParts): McpHandler {
  let entry: Promise<McpHandler> | null = null;
  return async (request, response) => {
    entry ??= import('./mcp-entry.ts').then((loaded) => loaded.createMcpEntry(parts));
    return (await entry)(request, response);
  };
}
