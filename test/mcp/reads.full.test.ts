// Every endpoint that reads, with the parameters of its example in the reference, through the tool `read`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { type ExampleDealer, exampleDealer } from '../http/example-dealer.ts';
import { exampleRequest } from '../http/example-requests.ts';
import { newAgent, setAgents, type TestAgent } from '../support/agent.ts';

const READS = apiEndpoints(resources).filter(({ method }) => method === 'GET');

let shown: ExampleDealer;
let agent: TestAgent;

beforeAll(async () => {
  shown = await exampleDealer();
  await setAgents(shown.api, shown.keyId, { agents: 'read' });
  agent = await newAgent(shown.api.service.url, shown.dealer.key, { path: '/mcp/readonly' });
});
afterAll(async () => {
  await agent?.close();
  await shown?.api.close();
});

test.each(READS.map((endpoint) => [endpoint.path, endpoint] as const))('%s', async (_, endpoint) => {
  const { params, query } = exampleRequest(endpoint);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params![name]!);
  const result = await agent.use('read', { path, ...(query ? { query } : {}) });
  expect(result, JSON.stringify(result.error)).toMatchObject({ isError: false, untrusted_data: { source: `GET ${path}` } });
});
