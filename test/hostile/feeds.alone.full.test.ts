// Every hostile feed, as a file with a run: each is accepted, ends with one clear code, quickly, and leaves nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Importer } from '../../src/jobs/run-imports.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { aConnector } from '../contract/import-requests.ts';
import { newImporter } from '../support/imports.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { hostileFeeds } from './feed-list.ts';

let api: TestService;
let admin: Session;
let importer: Importer;
let dealer: Dealer;
const connectors: Record<string, string> = {};
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  importer = newImporter(api);
  dealer = await newDealer(api);
  for (const type of ['csv', 'json', 'xml']) {
    const made = await dealer.post('import/connectors', aConnector({ type, config: { mapping: aConnector().config.mapping } }));
    connectors[type] = made.json.data.id;
  }
});
afterAll(async () => {
  await importer.close();
  await admin.close();
  await api.close();
});

const feeds = hostileFeeds();
test('has many cases', () => {
  expect(feeds.length).toBeGreaterThan(60);
});

test.each(feeds.map((feed) => [feed.name, feed] as const))('%s', async (_, { type, content, code }) => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)]), 'feed');
  const before = process.memoryUsage().rss;
  const sent = await fetch(`${api.service.url}/api/v1/import/connectors/${connectors[type]}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dealer.key}` },
    body,
  });
  const { data } = (await sent.json()) as { data: { id: string } };
  expect(sent.status).toBe(202);
  await importer.drain();
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  const run = (await dealer.get(`import/runs/${data.id}`)).json.data;
  expect([run.status, run.failure_code]).toEqual(['Başarısız', code]);
  expect(run.created_count + run.updated_count).toBe(0);
  expect(run.failure_message.length).toBeLessThan(500);
  const left = await admin.rows('select part from import_contents where run_id = $1', [data.id]);
  expect(left).toEqual([]);
});
