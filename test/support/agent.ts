// An agent as the official client library makes one, and the settings of a key that agents use.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from '../../src/kit/sql.ts';
import type { TestService } from './service.ts';

export type Era = 'modern' | 'legacy';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
type Shown = any;

export interface TestAgent {
  readonly client: Client;
  /** The structured result of a tool; `isError` beside it. */
  use(tool: string, args: Record<string, unknown>): Promise<Shown>;
  close(): Promise<void>;
}

export interface AgentOptions {
  readonly era?: Era;
  readonly path?: '/mcp' | '/mcp/readonly';
  /** What the person at the client answers; absent: the client cannot ask. */
  readonly answers?: (message: string, schema: Shown) => Shown;
}

export async function newAgent(url: string, key: string, options: AgentOptions = {}): Promise<TestAgent> {
  const { era = 'modern', path = '/mcp', answers } = options;
  const client = new Client(
    { name: 'test-agent', version: '1.0' },
    {
      capabilities: answers === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (answers !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }: Shown) => answers(params.message, params.requestedSchema));
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}`), { requestInit }));
  return {
    client,
    use: async (name, args) => {
      const { content, structuredContent, isError = false } = (await client.callTool({ name, arguments: args })) as Shown;
      // An error is text only; the client validates structured content against the tool's schema.
      return { ...(isError ? JSON.parse(content[0].text) : structuredContent), isError };
    },
    close: () => client.close(),
  };
}

interface KeyAgents {
  readonly agents?: 'off' | 'read' | 'write';
  readonly confirmation?: 'client' | 'panel';
  readonly ceilings?: Record<string, { call: string; day: string }>;
}

/** What agents may do with a key. */
export async function setAgents(api: TestService, keyId: string, settings: KeyAgents): Promise<void> {
  const { agents = 'write', confirmation = 'client', ceilings = {} } = settings;
  await api.database.onPlatform('write', (db) =>
    db.exec(sql`update api_keys set agents = ${agents}, agent_confirmation = ${confirmation},
      agent_ceilings = ${JSON.stringify(ceilings)}::jsonb where id = ${keyId}`),
  );
  await api.settled();
}
