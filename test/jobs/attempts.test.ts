// The record of each attempt, immediate delivery by another node, and secrets that cannot be decrypted.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type DeliveryParts, startWebhookSender, type WebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { openChanges } from '../../src/postgres/changes.ts';
import { openDatabase, openSession, type Session } from '../../src/postgres/database.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { unmoved } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { openReceiver, type Receiver, status, verify } from './receiver.ts';

const DAY = 86_400_000;
let api: TestService;
let admin: Session;
let dealer: Dealer;
let receiver: Receiver;
let sender: WebhookSender;

const partsOf = (): DeliveryParts => ({
  writer: api.service.parts.writer,
  clock: api.clock,
  log: createLog('silent'),
  outbound: { loopback: true },
  pollMs: 1_000_000_000,
});

beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api);
  receiver = await openReceiver();
  sender = startWebhookSender(partsOf());
});
afterEach(async () => {
  receiver.answer = status(200, 'ok');
  receiver.got.length = 0;
  for (const { id } of (await dealer.get('webhooks')).json.data) await dealer.delete(`webhooks/${id}`);
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
  await admin.close();
  await api.close();
});

interface Hook {
  readonly id: string;
  readonly secret: string;
}
const hook = async (events = ['vehicle.created']): Promise<Hook> =>
  (await dealer.post('webhooks', { url: receiver.url, events })).json.data;
const only = async ({ id }: Hook) => (await dealer.get(`webhooks/${id}/deliveries`)).json.data[0];
/** Days pass in these tests, and sessions end with them: each view is by a person who has just signed in. */
const attemptsOf = async ({ id }: Hook, delivery: string, { accountId }: Dealer = dealer) =>
  (await signedIn(api, await newPerson(api, { accountId }))).api(`webhooks/${id}/deliveries/${delivery}/attempts`);
const notices = async () => (await dealer.get('notifications?kind=webhook.disabled')).json.data;

test('stores the result of every attempt, the last twenty of a delivery, and shows it to its own dealer', async () => {
  const made = await hook();
  receiver.answer = status(503, 'busy');
  await dealer.post('vehicles', aCar());
  await sender.drain();
  api.clock.advance(10_000);
  receiver.answer = status(200, 'done');
  await sender.drain();
  const delivery = await only(made);
  const { data } = (await attemptsOf(made, delivery.id)).json;
  expect(data).toMatchObject([
    { number: 2, response_status: 200, response_excerpt: 'done', error: null },
    { number: 1, response_status: 503, response_excerpt: 'busy', error: 'bad_status' },
  ]);
  expect(Date.parse(data[0].created_at)).toBeGreaterThan(Date.parse(data[1].created_at));

  // Repeated manually without a limit: no more than twenty are kept.
  receiver.answer = status(500);
  await dealer.post('vehicles', aCar());
  for (let time = 0; time < 10; time += 1) {
    await sender.drain();
    api.clock.advance(2 * DAY);
  }
  const failed = await only(made);
  expect(failed.status).toBe('Başarısız');
  while ((await only(made)).attempt_count < 23) {
    await admin.rows(
      `update webhooks set status = 'Aktif', stopped_because = null, failing_since = null where id = '${made.id}'`,
    );
    expect((await dealer.post(`webhooks/${made.id}/deliveries/${failed.id}/retry`)).status).toBe(202);
    await sender.drain();
  }
  const numbers = (await attemptsOf(made, failed.id)).json.data.map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 23 - index));

  expect((await attemptsOf(made, failed.id, await newDealer(api))).status).toBe(404);
  await purgeOldRows(api.database, unmoved(new Date(api.clock.now().getTime() + 40 * DAY)));
  const [left] = await admin.rows<{ n: bigint }>(`select count(*) as n from webhook_attempts`);
  expect(Number(left!.n)).toBe(0);
});

test('delivers what another process has written at once, not with the next poll', async () => {
  await hook();
  const database = openDatabase({ ...api.urls, connections: 4 });
  const hints = await openChanges({ url: api.urls.platformUrl, clock: api.clock, alone: false, serves: false, report: () => {} });
  // Runs only when called: neither by its own writes nor by time.
  const writer = testWriter({ database, secrets: api.secrets });
  const parts = { ...partsOf(), writer, hints, smtpUrl: null, files: api.service.parts.files };
  const worker = startWorker({ ...parts, rateUrls: { TCMB: null, KKTCMB: null } });
  try {
    await dealer.post('vehicles', aCar());
    await receiver.until(1);
    const [{ id }] = (await dealer.get('webhooks')).json.data;
    await dealer.post(`webhooks/${id}/test`);
    await receiver.until(2);
  } finally {
    await worker.close();
    await hints.close();
    await database.close();
  }
});

test('a secret that cannot be decrypted pauses its webhook and emits once; with a new one the waiting deliveries are sent', async () => {
  const made = await hook();
  const before = (await notices()).length;
  await admin.rows(`update webhooks set secret_encrypted = secret_encrypted || '\\x00'::bytea where id = '${made.id}'`);
  await dealer.post('vehicles', aCar());
  await dealer.post('vehicles', aCar());
  await sender.drain();
  for (let minute = 0; minute < 3; minute += 1) {
    api.clock.advance(60_000);
    expect(await sender.drain()).toBe(0);
  }
  expect(receiver.got).toEqual([]);
  const shown = (await dealer.get(`webhooks/${made.id}`)).json.data;
  expect(shown).toMatchObject({ status: 'Otomatik Durduruldu', stopped_because: 'secret_unreadable', consecutive_failures: 0 });
  const received = await notices();
  expect(received).toHaveLength(before + 1);
  expect(received[0].body).toContain('imza anahtarı okunamadığı');
  expect(await only(made)).toMatchObject({ status: 'Bekliyor', attempt_count: 0, error: 'secret_unreadable' });

  // A test event reports it too, and ends.
  await dealer.post(`webhooks/${made.id}/test`);
  await sender.drain();
  expect(await only(made)).toMatchObject({ event_type: 'test.ping', status: 'Başarısız', error: 'secret_unreadable' });
  expect(await notices()).toHaveLength(before + 1);

  const rotated = await dealer.post(`webhooks/${made.id}/rotate-secret`, { overlap_seconds: 3600 });
  // The old one signs nothing, so there is no overlap.
  expect([rotated.status, rotated.json.data.previous_valid_until]).toEqual([200, null]);
  const resumed = await dealer.patch(`webhooks/${made.id}`, { status: 'Aktif' });
  expect(resumed.json.data).toMatchObject({ status: 'Aktif', stopped_because: null });
  await sender.drain();
  expect(receiver.got).toHaveLength(2);
  for (const one of receiver.got) verify(rotated.json.data.secret, one);
});

test('an old secret that cannot be decrypted is not needed: the new one signs', async () => {
  const made = await hook();
  const rotated = (await dealer.post(`webhooks/${made.id}/rotate-secret`, { overlap_seconds: 3600 })).json.data;
  await admin.rows(
    `update webhooks set previous_secret_encrypted = previous_secret_encrypted || '\\x00'::bytea where id = '${made.id}'`,
  );
  await dealer.post('vehicles', aCar());
  await sender.drain();
  verify(rotated.secret, receiver.got[0]!);
  expect(String(receiver.got[0]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
});
