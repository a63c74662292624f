// /llms.txt and the reference as Markdown: every page, both ways to ask for it, and the same examples.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { exampleOf } from '../../src/http/docs/openapi/examples.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';

let api: TestService;

beforeAll(async () => {
  api = await testService({ env: { MCP: 'off' } });
  await openAll(api);
});
afterAll(() => api.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${api.service.url}${path}`, { headers });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

test('/llms.txt is short, and every page that it links to is there', async () => {
  const { status, type, text } = await get('/llms.txt');
  expect(status).toBe(200);
  expect(type).toMatch(/^text\/plain/);
  expect(Buffer.byteLength(text)).toBeLessThan(10_240);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!.replace(api.service.url, ''));
  expect(links.length).toBeGreaterThan(25);
  for (const link of links) expect((await get(link)).status, link).toBe(200);
});

test('/llms-full.txt has every endpoint', async () => {
  const { text } = await get('/llms-full.txt');
  for (const { id } of apiEndpoints(resources)) expect(text).toContain(`\`${id}\``);
});

test('a page is Markdown at its address with .md, and by Accept', async () => {
  const asked = await get('/docs/vehicles.md');
  const accepted = await get('/docs/vehicles', { accept: 'text/markdown' });
  expect(asked.type).toMatch(/^text\/markdown/);
  expect(accepted.text).toBe(asked.text);
  expect((await get('/docs/vehicles', { accept: 'text/html' })).type).toMatch(/^text\/html/);
  const example = exampleOf('POST vehicles')!;
  expect(asked.text).toContain(JSON.stringify(example.body, null, 2));
  expect((await get('/docs/errors/not_found.md')).text).toContain('# `not_found`');
  expect((await get('/docs/vehicles.md?lang=tr')).text).toContain('Araçları listele');
  expect((await get('/docs/nothing.md')).status).toBe(404);
});

test('the guide as Markdown has its programs, and the headers of a webhook', async () => {
  const { text } = await get('/docs.md');
  for (const name of ['mirror', 'retry', 'receiver'])
    for (const ending of ['mjs', 'php', 'py']) {
      const sample = await readFile(new URL(`../../src/http/docs/samples/docs-${name}.${ending}`, import.meta.url), 'utf8');
      expect(text).toContain(sample.trim().replaceAll('https://galeri.example', api.service.url));
    }
  for (const part of ['| `webhook-signature` |', '/events/v1?since=2h', 'galeri listen --forward-to'])
    expect(text).toContain(part);
});

test('a page as Markdown separates the fields of a body from the parts of a form', async () => {
  const { text } = await get('/docs/vehicle-photos.md');
  const upload = text.split('`POST vehicles/{vehicle_id}/photos`')[1]!;
  const [body, form] = upload.split('**Or parts of a form (`multipart/form-data`)**');
  expect(body).toContain('| `url *` |');
  expect(body).not.toContain('| `file *` |');
  expect(form).toContain('| `file *` |');
});

test('MCP=off closes the door and the texts do not name it', async () => {
  const { secret } = await api.key(await api.account());
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const closed = await fetch(`${api.service.url}/mcp`, { method: 'POST', body, headers: { authorization: `Bearer ${secret}` } });
  expect(closed.status).toBe(404);
  expect((await get('/llms.txt')).text).not.toContain('/mcp');
});
