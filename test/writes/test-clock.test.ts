// The clock jumps by more than a year in a running service: business time follows on every node, and everything external
// (sessions, keys, cursors, links, idempotency, deliveries) is unaffected.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTestClock } from '../../src/domain/clock/test-clock.ts';
import { claimDeliveries } from '../../src/domain/webhooks/claim-deliveries.ts';
import { startWebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { createClock } from '../../src/kit/clock.ts';
import { createLog } from '../../src/kit/log.ts';
import { openChanges } from '../../src/postgres/changes.ts';
import { openReceiver, status } from '../jobs/receiver.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { advanceClock } from '../support/clock.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

const DAY = 86_400_000;
let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-01-15T09:00:00Z', env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const jump = () => advanceClock(api, 400 * DAY);

test('every process learns of it by its next heartbeat', async () => {
  const clock = createClock();
  const changes = await openChanges({ url: api.urls.platformUrl, clock, alone: false, serves: false, report: () => {} });
  const { offset_ms } = await api.database.onPlatform('write', (db) => setTestClock(db, new Date('2026-01-15T12:00:00Z')));
  const hasOffset = (one: typeof clock) => Math.round(one.now().getTime() - one.realNow().getTime()) === offset_ms;
  await until(() => hasOffset(clock) && hasOffset(api.clock));
  await changes.close();
  expect((await dealer.get('account')).json.meta.timestamp).toMatch(/^2026-01-15T12:/);
});

test('an answer that was asked before a move and came after it does not undo the move', () => {
  const clock = createClock();
  const offset = () => clock.now().getTime() - clock.realNow().getTime();
  const sent = performance.now();
  clock.setOffset(60_000);
  clock.setOffset(0, sent);
  expect(offset()).toBe(60_000);
  clock.setOffset(5000, performance.now());
  expect(offset()).toBe(5000);
});

test('records have its time, in order', async () => {
  const before = (await dealer.post('vehicles', aCar())).json.data;
  await jump();
  const { data } = (await dealer.patch(`vehicles/${before.id}`, { km: 90_000 })).json;
  expect(new Date(data.updated_at).getTime() - new Date(before.updated_at).getTime()).toBeGreaterThanOrEqual(400 * DAY);
  const [edited, created] = (await dealer.get(`vehicles/${before.id}/history`)).json.data;
  expect(new Date(edited.created_at).getTime() - new Date(created.created_at).getTime()).toBeGreaterThanOrEqual(400 * DAY);
  expect((await dealer.post('tasks', { title: 'Ara', due_at: new Date(api.clock.now().getTime() + 1000) })).status).toBe(201);
});

test('a key that expires next month, a session and a cursor remain valid', async () => {
  const expiresAt = new Date(Date.now() + 30 * DAY);
  const { secret } = await api.key(dealer.accountId, { expiresAt });
  const browser = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  await dealer.post('vehicles', aCar());
  const page = await dealer.get('vehicles?limit=1&cursor=start');
  const next = /api\/v1\/([^>]+)>; rel="next"/.exec(page.headers.get('link')!)![1]!;
  await jump();
  expect((await api.call('account', { key: secret })).status).toBe(200);
  const session = await browser.api('session');
  // The panel's date follows the clock.
  expect(session.json.data.clock_offset_ms).toBe(Math.round(api.clock.now().getTime() - api.clock.realNow().getTime()));
  expect((await dealer.get(next)).status).toBe(200);
});

test('an expired key stays expired when the clock is before its expiry', async () => {
  const { secret } = await api.key(dealer.accountId, { expiresAt: new Date(Date.now() - DAY) });
  expect((await api.call('account', { key: secret })).json.error.code).toBe('key_expired');
});

test('an idempotent reply is kept for thirty real days', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const car = aCar();
  const first = await dealer.post('vehicles', car, key);
  await jump();
  await purgeOldRows(api.database, api.clock.times());
  const again = await dealer.post('vehicles', car, key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
});

test('a delivery waits for its real time, and an old secret signs for its real overlap', async () => {
  const receiver = await openReceiver();
  const parts = api.service.parts;
  const sender = startWebhookSender({
    writer: parts.writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
  });
  try {
    receiver.answer = status(503, '', { 'retry-after': '3600' });
    const { data: hook } = (await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.created'] })).json;
    await dealer.post(`webhooks/${hook.id}/rotate-secret`, { overlap_seconds: 86_400 });
    await dealer.post('vehicles', aCar());
    await sender.drain();
    expect(receiver.got).toHaveLength(1);
    await jump();
    expect(await claimDeliveries(api.database, api.clock.realNow(), { any: 10, failing: 10 })).toEqual([]);
    // Neither purged nor abandoned, although its event is more than a year old.
    await purgeOldRows(api.database, api.clock.times());
    receiver.answer = status(200);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    expect(receiver.got).toHaveLength(2);
    expect(receiver.got[1]!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(2);
    const { data } = (await dealer.get(`webhooks/${hook.id}/deliveries`)).json;
    expect(data.map((one: { status: string }) => one.status).sort()).toEqual(['Başarılı', 'Bekliyor']);
    expect((await dealer.get(`webhooks/${hook.id}`)).json.data.status).toBe('Aktif');
  } finally {
    await sender.close(0);
    await receiver.close();
  }
});

test('the request log, and its default range, has the real time of each call', async () => {
  await api.logged();
  const { data } = (await dealer.get('developer/request-logs?limit=1')).json;
  expect(Math.abs(new Date(data[0].timestamp).getTime() - Date.now())).toBeLessThan(DAY);
});
