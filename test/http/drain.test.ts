// A node that is about to stop: unready at once, still answering, and streams that know when and from where to resume.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStream } from '../events/stream.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { call, type TestService, testService } from '../support/service.ts';
import { aCar, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let isClosed = false;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
});
afterAll(() => (isClosed ? undefined : api?.close()));

/** The text of a stream until the service ends it. */
async function textOf(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true });
  return text;
}

const connectionOf = (path: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    request(`${api.service.url}${path}`, { agent: false, headers: { connection: 'keep-alive' } }, (response) => {
      response.resume();
      resolve(response.headers.connection);
    })
      .on('error', reject)
      .end();
  });

test('draining, a node is unready and answers everything; then its streams end with the time and place to resume', async () => {
  const dealer = await newDealer(api);
  const browser = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'owner' }));
  const headers = { authorization: `Bearer ${dealer.key}` };
  const stream = await fetch(`${api.service.url}/events/v1?since=0`, { headers });
  const text = textOf(stream);
  const view = await fetch(`${api.service.url}/panel/api/logs/tail`, { headers: { cookie: browser.cookieText() } });
  expect(view.status).toBe(200);
  const shown = textOf(view);
  expect((await api.call('/readyz')).status).toBe(200);
  expect(await connectionOf('/healthz')).toBe('keep-alive');

  api.service.drain();
  expect((await api.call('/readyz')).status).toBe(503);
  expect((await api.call('/healthz')).status).toBe(200);
  // The next request comes over a new connection, and the balancer chooses another node.
  expect(await connectionOf('/healthz')).toBe('close');
  expect((await dealer.post('vehicles', aCar())).status).toBe(201);
  const late = await openStream(api.service.url, dealer.key, { query: '?since=0' });
  await expect.poll(() => late.seen.length).toBeGreaterThan(0);

  const { url } = api.service;
  isClosed = true;
  await api.close();
  await late.ended;
  expect(late.wasCut()).toBe(false);
  const lastEvent = late.lastId();
  expect(await text).toMatch(new RegExp(`\\nretry: \\d{3,4}\\nid: ${lastEvent}\\n\\n$`));
  const [, milliseconds] = /\nretry: (\d+)\n\n$/.exec(await shown)!;
  expect(Number(milliseconds)).toBeGreaterThanOrEqual(500);
  expect(Number(milliseconds)).toBeLessThan(3000);
  await expect(call(url, '/healthz')).rejects.toThrow();
});
