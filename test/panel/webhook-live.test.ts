// The live view of a webhook's deliveries: sent when a delivery is queued or finished, by any process, and for no other webhook.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookSender, type WebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../src/kit/log.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { openReceiver, type Receiver } from '../jobs/receiver.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let receiver: Receiver;

beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  dealer = await newDealer(api);
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await api.close();
});

interface Live {
  readonly status: number;
  readonly events: string[];
  close(): Promise<void>;
}

async function watch(browser: Browser, webhookId: string): Promise<Live> {
  const ending = new AbortController();
  const response = await fetch(`${browser.url}/panel/api/webhooks/${webhookId}/live`, {
    signal: ending.signal,
    headers: { cookie: browser.cookieText(), accept: 'text/event-stream' },
  });
  const events: string[] = [];
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!)
      for (const [, name] of decoder.decode(chunk as Uint8Array, { stream: true }).matchAll(/^event: (.*)$/gm))
        events.push(name!);
  })().catch(() => {});
  return {
    status: response.status,
    events,
    close: () => {
      ending.abort();
      return read;
    },
  };
}

test('reports queued and finished deliveries, also when another process sends; never of another webhook', async () => {
  const owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  const made = (await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.created'] })).json.data;
  const other = (await dealer.post('webhooks', { url: receiver.url, events: ['task.created'] })).json.data;
  const [live, quiet] = [await watch(owner, made.id), await watch(owner, other.id)];
  await dealer.post('vehicles', aCar());
  await expect.poll(() => live.events).toEqual(['changed']);
  const database = openDatabase({ ...api.urls, connections: 4 });
  const { secrets, clock } = api;
  const writer = testWriter({ database, secrets });
  const sender: WebhookSender = startWebhookSender({ writer, clock, log: createLog('silent'), outbound: { loopback: true } });
  try {
    await sender.drain();
    await expect.poll(() => live.events).toEqual(['changed', 'changed']);
    expect(quiet.events).toEqual([]);
  } finally {
    await sender.close();
    await database.close();
    await live.close();
    await quiet.close();
  }
});

test('is refused for another dealer’s webhook, and for a role without webhooks', async () => {
  const made = (await dealer.post('webhooks', { url: receiver.url, events: ['*'] })).json.data;
  const stranger = await signedIn(api, await newPerson(api, { accountId: (await newDealer(api)).accountId }));
  const live = await watch(stranger, made.id);
  await expect.poll(() => live.events).toEqual(['gone']);
  await live.close();
  const seller = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
  const refused = await watch(seller, made.id);
  expect(refused.status).toBe(403);
  await refused.close();
});
