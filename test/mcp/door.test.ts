// POST /mcp with the official client: both revisions, the key checks of the API, tools that read, resources, and the trail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsOf } from '../../src/http/mcp/tools.ts';
import { sql } from '../../src/kit/sql.ts';
import { type Era, newAgent, setAgents } from '../support/agent.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let keyId: string;

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  const [key] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from api_keys where account_id = ${dealer.accountId}`),
  );
  keyId = key!.id;
});
afterAll(() => api.close());

const post = (body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
  fetch(`${api.service.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${dealer.key}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe.each<Era>(['modern', 'legacy'])('a %s client', (era) => {
  test('lists the tools, finds, describes and reads', async () => {
    await setAgents(api, keyId, { agents: 'write' });
    const agent = await newAgent(api.service.url, dealer.key, { era });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_endpoints', 'describe_endpoint', 'read', 'write']);
    const found = await agent.use('search_endpoints', { query: 'araç rezerve et' });
    expect(found.endpoints[0]).toMatchObject({ endpoint: 'POST vehicles/{vehicle_id}/reserve', risk: 'write' });
    const described = await agent.use('describe_endpoint', { endpoint: found.endpoints[0].endpoint });
    expect(described.path_parameters[0].name).toBe('vehicle_id');
    expect(described.body_fields.map(({ name }: { name: string }) => name)).toContain('deposit_amount');
    expect(described.errors.map(({ code }: { code: string }) => code)).toContain('not_found');
    expect(described.events).toContain('vehicle.reserved');
    const read = await agent.use('read', { path: 'account', fields: ['id', 'name'] });
    expect(read.untrusted_data).toEqual({ source: 'GET account', value: { id: dealer.accountId, name: expect.any(String) } });
    // Structured content would be validated against the tool's output schema, and the client would show that failure instead.
    const wrong = await agent.client.callTool({ name: 'read', arguments: { endpoint: 'GET account' } });
    expect([wrong.isError, wrong.structuredContent]).toEqual([true, undefined]);
    expect(await agent.use('read', {})).toMatchObject({ error: { code: 'invalid_parameter', param: 'path' } });
    await agent.close();
  });

  test('has no tool that writes at /mcp/readonly', async () => {
    await setAgents(api, keyId, { agents: 'write' });
    const agent = await newAgent(api.service.url, dealer.key, { era, path: '/mcp/readonly' });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search_endpoints', 'describe_endpoint', 'read']);
    await expect(agent.use('write', { method: 'POST', path: 'vehicles', body: aCar() })).rejects.toThrow('Unknown tool');
    await agent.close();
  });

  test('reads the resources', async () => {
    await setAgents(api, keyId, { agents: 'read' });
    const agent = await newAgent(api.service.url, dealer.key, { era });
    const { resources } = await agent.client.listResources();
    for (const { uri } of resources) {
      const { contents } = await agent.client.readResource({ uri });
      expect((contents[0] as { text: string }).text.length, uri).toBeGreaterThan(100);
    }
    await expect(agent.client.readResource({ uri: 'galeri://other' })).rejects.toThrow('not found');
    await agent.close();
  });
});

test('a long list is cut, and the cursor leads through all of it once', async () => {
  await setAgents(api, keyId, { agents: 'read' });
  for (let count = 0; count < 120; count += 1) await api.customer(dealer.accountId, { first_name: 'x'.repeat(80) });
  const agent = await newAgent(api.service.url, dealer.key);
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await agent.use('read', { path: 'customers', query: { limit: 100 }, ...(cursor ? { cursor } : {}) });
    expect(JSON.stringify(page).length).toBeLessThan(30_000);
    seen.push(...page.untrusted_data.value.map(({ id }: { id: string }) => id));
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(1);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(120);
  await agent.close();
});

test('a refusal has the code of the API and says what to do next', async () => {
  const agent = await newAgent(api.service.url, dealer.key);
  const refused = await agent.use('read', { path: 'vehicles', query: { colour: 'red' } });
  expect(refused).toMatchObject({ isError: true, error: { code: 'unknown_parameter', param: 'colour' } });
  expect(refused.error.next).toContain('describe_endpoint');
  expect(await agent.use('read', { path: 'vehicles', confirmed: true })).toMatchObject({ error: { code: 'invalid_parameter' } });
  await agent.close();
});

test('a key without the endpoint neither finds nor reads it', async () => {
  const { id, secret } = await api.key(dealer.accountId, { endpoints: ['GET vehicles'] });
  await setAgents(api, id, { agents: 'write' });
  const agent = await newAgent(api.service.url, secret);
  const { endpoints } = await agent.use('search_endpoints', { query: 'customers' });
  expect(endpoints.map(({ endpoint }: { endpoint: string }) => endpoint)).not.toContain('GET customers');
  expect(await agent.use('describe_endpoint', { endpoint: 'GET customers' })).toMatchObject({ error: { code: 'not_found' } });
  expect(await agent.use('read', { path: 'customers' })).toMatchObject({ error: { code: 'insufficient_scope' } });
  await agent.close();
});

test('a key that is closed to agents is refused, and one without a key gets the challenge', async () => {
  const { id, secret } = await api.key(dealer.accountId);
  await setAgents(api, id, { agents: 'off' });
  const closed = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: `Bearer ${secret}` });
  expect(closed.status).toBe(403);
  expect(await closed.json()).toMatchObject({ error: { code: 'agents_off' } });
  const missing = await post({}, { authorization: '' });
  expect(missing.status).toBe(401);
  expect(missing.headers.get('www-authenticate')).toBe('Bearer');
});

test('every request of a key is counted and logged, also one that makes no call of the API', async () => {
  const { id, secret } = await api.key(dealer.accountId);
  await setAgents(api, id, { agents: 'read' });
  const authorization = `Bearer ${secret}`;
  const call = (name: string, given: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  const replies = [
    await post(call('read', {}), { authorization }),
    await post(call('write', { method: 'POST', path: 'vehicles' }), { authorization }),
    await post(call('write', { method: 'POST', path: 'vehicles' }), { authorization }, '/mcp/readonly'),
    await post(call('read', { path: 'vehicles', cursor: 'x' }), { authorization }),
    await post(call('read', {}), { authorization, origin: 'https://evil.example' }),
    await fetch(`${api.service.url}/mcp`, { headers: { authorization } }),
  ];
  await setAgents(api, id, { agents: 'off' });
  replies.push(await post(call('read', {}), { authorization }));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403, 405, 403]);
  const left = replies.map(
    ({ headers }) => Number(headers.get('x-ratelimit-limit')) - Number(headers.get('x-ratelimit-remaining')),
  );
  expect(left).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await api.logged();
  const lines = await api.database.onPlatform('read', (db) => db.rows(sql`select from request_logs where key_id = ${id}`));
  expect(lines).toHaveLength(7);
});

test('requests of foreign pages, other methods and other paths are refused', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  expect((await post(ping, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(ping, { origin: api.service.url })).status).toBe(200);
  expect((await fetch(`${api.service.url}/mcp`, { headers: { authorization: `Bearer ${dealer.key}` } })).status).toBe(405);
  expect((await post(ping, {}, '/mcp/other')).status).toBe(404);
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };

test.each([
  ['text that is not JSON', '{', {}, 400, -32700],
  ['a batch', [], {}, 400, -32600],
  ['no method', { jsonrpc: '2.0', id: 1 }, {}, 400, -32600],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'other' }, {}, 200, -32601],
  [
    'a version that is not served',
    { ...listTools, params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } } },
    { ...modern, 'mcp-protocol-version': '2027-01-01' },
    400,
    -32022,
  ],
  ['another version in the header', listTools, { ...modern, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
  ['a version that never was', { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': '1999-01-01' }, 400, -32022],
  ['no Mcp-Method', listTools, { 'mcp-protocol-version': '2026-07-28' }, 400, -32020],
  ['a modern header without _meta', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, modern, 400, -32602],
  [
    'no capabilities in _meta',
    { ...listTools, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } },
    modern,
    400,
    -32602,
  ],
])('%s is refused as the protocol says', async (_, body, headers, status, code) => {
  const answer = await post(body, headers as unknown as Record<string, string>);
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as { error: { code: number } }).error.code).toBe(code);
});

test('the tools and their descriptions stay below 800 tokens', () => {
  expect(JSON.stringify(toolsOf(false)).length / 4).toBeLessThan(800);
});

test('calls of agents are in the log with their client, each once', async () => {
  const { id, secret } = await api.key(dealer.accountId);
  await setAgents(api, id, { agents: 'read' });
  const agent = await newAgent(api.service.url, secret);
  await agent.use('read', { path: 'vehicles' });
  await agent.use('read', { path: 'vehicles/unknown' });
  await agent.close();
  await api.logged();
  const lines = await api.database.onPlatform('read', (db) =>
    db.rows(
      sql`select method, path, status, via, client from request_logs where key_id = ${id} and path like '/api/%' order by at`,
    ),
  );
  const line = { method: 'GET', via: 'mcp', client: 'test-agent 1.0' };
  expect(lines).toEqual([
    { ...line, path: '/api/v1/vehicles', status: 200 },
    { ...line, path: '/api/v1/vehicles/unknown', status: 404 },
  ]);
});
