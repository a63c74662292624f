// Hostile addresses through every endpoint that accepts one: refused on input, or stored as text and never called; and the
// resolved address is checked again on each call.
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutboundRules } from '../../src/domain/net/outbound.ts';
import { drainWork } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { aConnector } from '../contract/import-requests.ts';
import { type LonelyListener, openLonelyListener } from '../support/lonely-listener.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { hostileUrls } from './url-list.ts';

let lonely: LonelyListener;
let api: TestService;
let dealer: Dealer;

beforeAll(async () => {
  lonely = await openLonelyListener();
  lonely.answer = () => ['127.0.0.1'];
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(async () => {
  await api.close();
  await lonely.close();
});
beforeEach(() => {
  lonely.connects = 0;
  lonely.asked = 0;
});

const connector = (url: string) =>
  aConnector({ transport: 'url', config: { url, mapping: aConnector().config.mapping, delimiter: ';' } });

/**
 * Every endpoint that accepts an address. Webhooks and connectors are called; photos and videos are links that are only stored.
 */
const ROWS: Readonly<Record<string, (url: string) => Promise<Answer>>> = {
  'POST webhooks': (url) => dealer.post('webhooks', { url, events: ['vehicle.created'] }),
  'POST import/connectors': (url) => dealer.post('import/connectors', connector(url)),
  'POST vehicles/{vehicle_id}/photos': async (url) =>
    dealer.post(`vehicles/${await api.vehicle(dealer.accountId)}/photos`, { url }),
  'POST vehicles/{vehicle_id}/videos': async (url) =>
    dealer.post(`vehicles/${await api.vehicle(dealer.accountId)}/videos`, { url }),
};

describe.each(Object.entries(ROWS))('%s', (_, give) => {
  test('refuses each of them, and names the field', async () => {
    const urls = hostileUrls(lonely.port);
    expect(urls.length).toBeGreaterThan(150);
    for (const url of urls) {
      const { status, json } = await give(url);
      expect([status, ['url_not_allowed', 'validation_failed'].includes(json.error?.code)], url).toEqual([422, true]);
      expect(JSON.stringify(json.error.details), url).toMatch(/"field":"(config\.)?url"/);
    }
    expect([lonely.connects, lonely.asked]).toEqual([0, 0]);
  });

  test('accepts a plain one', async () => {
    expect((await give('https://example.com/plain')).status).toBe(201);
    expect(lonely.connects).toBe(0);
  });
});

/** Sends and fetches everything due now, with names resolved by our own server. */
const drain = (rules: Partial<OutboundRules> = {}, of = api) =>
  drainWork({
    writer: of.service.parts.writer,
    clock: of.clock,
    log: createLog('silent'),
    files: of.service.parts.files,
    smtpUrl: null,
    rateUrls: { TCMB: null, KKTCMB: null },
    outbound: { loopback: false, resolve: lonely.resolve, ...rules },
    timeoutMs: 500,
  });

/** A separate dealer whose webhook and connector both have this address; an event and a run are due. */
async function called(url: string): Promise<Dealer> {
  const caller = await newDealer(api);
  expect((await caller.post('webhooks', { url, events: ['vehicle.created'] })).status).toBe(201);
  const made = await caller.post('import/connectors', connector(url));
  expect((await caller.post('vehicles', aCar())).status).toBe(201);
  expect((await caller.post(`import/connectors/${made.json.data.id}/run`, {})).status).toBe(202);
  return caller;
}

describe('a name that is allowed as a name', () => {
  test.each([
    ['leads here', () => '127.0.0.1'],
    ['leads to the metadata of a cloud', () => '169.254.169.254'],
    ['leads into a private network', () => '10.0.0.7'],
    [
      'is public when it is looked at and here when it is called',
      (query: number) => (query % 2 === 1 ? '93.184.216.34' : '127.0.0.1'),
    ],
    [
      'is here when it is looked at and public when it is called',
      (query: number) => (query % 2 === 0 ? '93.184.216.34' : '127.0.0.1'),
    ],
  ])('and %s is never connected to', async (_, leads) => {
    lonely.answer = (query) => [leads(query)];
    const caller = await called(`https://inside.example.com:${lonely.port}/feed`);
    await drain();
    expect(lonely.asked).toBeGreaterThan(0);
    expect(lonely.connects).toBe(0);
    const [run] = (await caller.get('import/runs')).json.data;
    expect(run.status).not.toBe('Tamamlandı');
    // The reason is not revealed: it would show what can be reached.
    expect(JSON.stringify(run)).not.toMatch(/127\.0\.0\.1|169\.254|10\.0\.0\.7|ECONN/);
  });
});

test('a webhook’s redirect is not followed', async () => {
  let redirected = 0;
  const server: HttpServer = createHttpServer((_, response) => {
    redirected += 1;
    response.writeHead(302, { location: `https://127.0.0.1:${lonely.port}/` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = (server.address() as AddressInfo).port;
  const local = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  try {
    await openAll(local);
    const open = await newDealer(local);
    const url = `http://127.0.0.1:${at}/feed`;
    expect((await open.post('webhooks', { url, events: ['vehicle.created'] })).status).toBe(201);
    await open.post('vehicles', aCar());
    await drain({ loopback: true }, local);
    expect([redirected, lonely.connects]).toEqual([1, 0]);
  } finally {
    await local.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
