// `galeri mcp` as a desktop client starts it: the official client over standard input and output, in both revisions.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAgents } from '../support/agent.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, openAll } from '../support/writer.ts';

let api: TestService;
let key: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  key = await api.key(await api.account(), { endpoints: ['GET vehicles', 'POST vehicles', 'GET account'] });
  await setAgents(api, key.id, { agents: 'write' });
});
afterAll(() => api.close());

async function started(era: 'modern' | 'legacy', ...args: string[]): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'desktop', version: '2.0' }, { versionNegotiation: { mode } });
  const env = { PATH: process.env.PATH!, GALERI_URL: api.service.url, GALERI_KEY: key.secret };
  await client.connect(new StdioClientTransport({ command: 'bin/galeri', args: ['mcp', ...args], env }));
  return client;
}

test.each(['modern', 'legacy'] as const)('a %s client reads and writes', async (era) => {
  const client = await started(era);
  const args = { method: 'POST', path: 'vehicles', body: aCar() };
  const call = async (more = {}) =>
    (await client.callTool({ name: 'write', arguments: { ...args, ...more } })).structuredContent as { confirm: string };
  const { confirm } = await call();
  expect(await call({ confirm })).toMatchObject({ status: 'done' });
  const { structuredContent } = await client.callTool({ name: 'read', arguments: { path: 'account' } });
  expect(structuredContent).toMatchObject({ untrusted_data: { source: 'GET account' } });
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(4);
  await client.close();
});

test('--readonly has no tool that writes', async () => {
  const client = await started('modern', '--readonly');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('write');
  await client.close();
});

test('a refused key is an error of the request, not a silence', async () => {
  await setAgents(api, key.id, { agents: 'off' });
  await expect(started('legacy')).rejects.toThrow('agents_off');
});
