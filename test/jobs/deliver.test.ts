// How deliveries are claimed and released: by several workers, from killed ones, past dead receivers, over many dealers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimDeliveries } from '../../src/domain/webhooks/claim-deliveries.ts';
import { LEASE_MS } from '../../src/domain/writes/lease.ts';
import { type DeliveryParts, startWebhookSender, type WebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { drainWork, startWorker } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { unmoved } from '../support/clock.ts';
import { TEST_SECRET } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let api: TestService;
let admin: Session;
const receivers: Receiver[] = [];
const senders: WebhookSender[] = [];
const DAY = 86_400_000;
const NO_BANKS = { TCMB: null, KKTCMB: null };

beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
afterEach(async () => {
  // Hanging requests are released first.
  await Promise.all(receivers.splice(0).map((one) => one.close()));
  await Promise.all(senders.splice(0).map((one) => one.close(0)));
  await admin.rows(`update webhooks set status = 'Pasif', deleted_at = now() where deleted_at is null`);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const partsOf = (more: Partial<DeliveryParts> = {}): DeliveryParts => ({
  writer: api.service.parts.writer,
  clock: api.clock,
  log: createLog('silent'),
  outbound: { loopback: true },
  pollMs: 1_000_000_000,
  ...more,
});
const newSender = (more?: Partial<DeliveryParts>): WebhookSender => {
  const sender = startWebhookSender(partsOf(more));
  senders.push(sender);
  return sender;
};
const newReceiver = async (): Promise<Receiver> => {
  const receiver = await openReceiver();
  receivers.push(receiver);
  return receiver;
};
async function dealerWithHook(receiver: Receiver): Promise<Dealer & { hook: string }> {
  const dealer = await newDealer(api);
  const made = await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.created'] });
  return { ...dealer, hook: made.json.data.id };
}
const hang = () => {};
const states = async (dealer: { hook: string } & Dealer): Promise<string[]> =>
  (await dealer.get(`webhooks/${dealer.hook}/deliveries`)).json.data.map((one: { status: string }) => one.status);

test('another worker claims the deliveries of a killed one within a minute', async () => {
  const receiver = await newReceiver();
  receiver.answer = hang;
  const dealer = await dealerWithHook(receiver);
  const child = fork(new URL('./webhook-sender-child.ts', import.meta.url), { stdio: 'ignore' });
  child.send({ urls: api.urls, secret: TEST_SECRET });
  await dealer.post('vehicles', aCar());
  await receiver.until(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const sender = newSender();
  expect(await sender.drain()).toBe(0);
  expect(await states(dealer)).toEqual(['Bekliyor']);
  receiver.answer = status(200);
  expect(LEASE_MS).toBeLessThan(60_000);
  api.clock.advance(LEASE_MS + 1000);
  expect(await sender.drain()).toBe(1);
  expect(await states(dealer)).toEqual(['Başarılı']);
  const [first, second] = receiver.got;
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.body).toBe(first!.body);
});

test('a receiver that hangs delays no other, of the same dealer or of another', async () => {
  const dead = await newReceiver();
  dead.answer = hang;
  const alive = await newReceiver();
  const dealer = await dealerWithHook(dead);
  await dealer.post('webhooks', { url: alive.url, events: ['vehicle.created'] });
  const other = await dealerWithHook(alive);
  for (let count = 0; count < 8; count += 1) await dealer.post('vehicles', aCar());
  for (let count = 0; count < 3; count += 1) await other.post('vehicles', aCar());
  newSender().nudge();
  await alive.until(11);
  // Few of the eight are in progress to the dead one, and none of them is done.
  await dead.until(4);
  expect(dead.got).toHaveLength(4);
  expect(await states(dealer)).not.toContain('Başarılı');
});

test('one that keeps failing is tried by one at a time', async () => {
  const dead = await newReceiver();
  const dealer = await dealerWithHook(dead);
  dead.answer = status(500);
  for (let count = 0; count < 4; count += 1) await dealer.post('vehicles', aCar());
  await newSender().drain();
  dead.answer = hang;
  for (let count = 0; count < 5; count += 1) await dealer.post('vehicles', aCar());
  const claimed = await claimDeliveries(api.database, api.clock.now(), { any: 50, failing: 50 });
  expect(claimed.filter(({ account_id }) => account_id === dealer.accountId)).toHaveLength(1);
  expect(await claimDeliveries(api.database, api.clock.now(), { any: 50, failing: 50 })).toEqual([]);
});

test('places rotate: each dealer has its first sent before any has its fourth', async () => {
  const receiver = await newReceiver();
  const dealers = [await dealerWithHook(receiver), await dealerWithHook(receiver), await dealerWithHook(receiver)];
  for (const dealer of dealers) for (let count = 0; count < 6; count += 1) await dealer.post('vehicles', aCar());
  const take = async (any: number) => {
    const claimed = await claimDeliveries(api.database, api.clock.now(), { any, failing: any });
    return dealers.map(({ accountId }) => claimed.filter(({ account_id }) => account_id === accountId).length);
  };
  expect(await take(3)).toEqual([1, 1, 1]);
  expect(await take(6)).toEqual([2, 2, 2]);
  // Four to one endpoint, and no more until one of them is done.
  expect(await take(50)).toEqual([1, 1, 1]);
  expect(await take(50)).toEqual([0, 0, 0]);
});

test('several workers share the work: each delivery is sent once', async () => {
  const receiver = await newReceiver();
  const dealer = await dealerWithHook(receiver);
  const workers = [newSender(), newSender(), newSender()];
  for (let count = 0; count < 30; count += 1) await dealer.post('vehicles', aCar());
  await Promise.all(workers.map((worker) => worker.drain()));
  // All may have found every place taken and stopped before the results were recorded. Attempts are counted by the receiver, because a
  // worker that polls has sent some before it is drained.
  await until(async () => (await newSender().drain()) === 0 && receiver.got.length >= 30);
  expect(new Set(receiver.got.map(({ json }) => json.id)).size).toBe(30);
  expect(receiver.got).toHaveLength(30);
});

test('a stopped worker releases unfinished deliveries at once', async () => {
  const receiver = await newReceiver();
  receiver.answer = hang;
  const dealer = await dealerWithHook(receiver);
  await dealer.post('vehicles', aCar());
  const stopping = newSender();
  stopping.nudge();
  await receiver.until(1);
  await stopping.close(0);
  const [kept] = (await dealer.get(`webhooks/${dealer.hook}/deliveries`)).json.data;
  expect(kept).toMatchObject({ status: 'Bekliyor', attempt_count: 0, error: null });
  receiver.answer = status(200);
  expect(await newSender().drain()).toBe(1);
  expect(await states(dealer)).toEqual(['Başarılı']);
});

test('an attempt that takes too long has failed, without further detail', async () => {
  const receiver = await newReceiver();
  receiver.answer = hang;
  const dealer = await dealerWithHook(receiver);
  await dealer.post('vehicles', aCar());
  expect(await newSender({ timeoutMs: 100 }).drain()).toBe(1);
  const [failed] = (await dealer.get(`webhooks/${dealer.hook}/deliveries`)).json.data;
  expect(failed).toMatchObject({ status: 'Bekliyor', attempt_count: 1, error: 'no_response' });
});

test('stores the legible beginning of a reply', async () => {
  const receiver = await newReceiver();
  receiver.answer = status(200, `\u0000\u001b[31m${'ğ'.repeat(5000)}`);
  const dealer = await dealerWithHook(receiver);
  await dealer.post('vehicles', aCar());
  await newSender().drain();
  const [done] = (await dealer.get(`webhooks/${dealer.hook}/deliveries`)).json.data;
  expect(done.response_excerpt).toBe(`[31m${'ğ'.repeat(496)}`);
});

test('a write in this process is delivered without waiting for the next poll; the cache is not affected', async () => {
  const receiver = await newReceiver();
  const dealer = await dealerWithHook(receiver);
  const hints = api.service.changes;
  const worker = startWorker({ ...partsOf(), hints, smtpUrl: null, rateUrls: NO_BANKS, files: api.service.parts.files });
  try {
    await dealer.post('vehicles', aCar());
    await receiver.until(1);
    const version = async () =>
      (await admin.rows<{ version: bigint }>(`select version from data_sets where id = '${dealer.accountId}'`))[0]!.version;
    const before = await version();
    while (!(await states(dealer)).includes('Başarılı')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await version()).toBe(before);
  } finally {
    await worker.close();
  }
});

test('drain processes everything due once, completely', async () => {
  const receiver = await newReceiver();
  const dealer = await dealerWithHook(receiver);
  for (let count = 0; count < 9; count += 1) await dealer.post('vehicles', aCar());
  const done = await drainWork({ ...partsOf(), smtpUrl: null, rateUrls: NO_BANKS, files: api.service.parts.files });
  expect(done.deliveries).toBe(9);
  expect((await drainWork({ ...partsOf(), smtpUrl: null, rateUrls: NO_BANKS, files: api.service.parts.files })).deliveries).toBe(
    0,
  );
});

test('purges what is thirty days old: replies, deliveries, events; nothing younger', async () => {
  const receiver = await newReceiver();
  const dealer = await dealerWithHook(receiver);
  const counts = async () => {
    const of = async (table: string) =>
      Number(
        (await admin.rows<{ n: bigint }>(`select count(*) as n from ${table} where account_id = '${dealer.accountId}'`))[0]!.n,
      );
    return [await of('idempotency'), await of('webhook_deliveries'), await of('events')];
  };
  await dealer.post('vehicles', aCar(), { 'idempotency-key': 'old' });
  await newSender().drain();
  api.clock.advance(2 * DAY);
  await dealer.post('vehicles', aCar(), { 'idempotency-key': 'young' });
  await newSender().drain();
  const now = api.clock.now().getTime();
  await purgeOldRows(api.database, unmoved(new Date(now + 27 * DAY)));
  expect(await counts()).toEqual([2, 2, 2]);
  await purgeOldRows(api.database, unmoved(new Date(now + 29 * DAY)));
  expect(await counts()).toEqual([1, 1, 1]);
  await purgeOldRows(api.database, unmoved(new Date(now + 31 * DAY)));
  expect(await counts()).toEqual([0, 0, 0]);
});
