// The webhook endpoints and deliveries, through HTTP with a real receiver and the package that receivers verify with.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWebhookSender, type WebhookSender } from '../../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../../src/kit/log.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { openReceiver, type Receiver, status, verify } from '../../jobs/receiver.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let admin: Session;
let sender: WebhookSender;
let dealer: Dealer;
let receiver: Receiver;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  const { clock } = api;
  const { writer } = api.service.parts;
  // It runs only when called: the tests decide when.
  const never = 1_000_000_000;
  sender = startWebhookSender({ writer, clock, log: createLog('silent'), outbound: { loopback: true }, pollMs: never });
});
afterAll(async () => {
  await sender.close();
  await admin.close();
  await api.close();
});
beforeEach(async () => {
  dealer = await newDealer(api);
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const HOUR = 3_600_000;
const hook = async (events: string[], url = receiver.url) => (await dealer.post('webhooks', { url, events })).json.data;
const deliveries = async (id: string, query = '') => (await dealer.get(`webhooks/${id}/deliveries${query}`)).json.data;
const webhook = async (id: string) => (await dealer.get(`webhooks/${id}`)).json.data;

/** Moves the clock and makes every attempt when it falls due, until no delivery waits. */
async function tryOut(webhookId: string): Promise<number> {
  let attempts = await sender.drain();
  for (;;) {
    const [next] = await deliveries(webhookId, '?status=Bekliyor');
    if (next === undefined) return attempts;
    api.clock.advance(Date.parse(next.next_attempt_at) - api.clock.now().getTime() + 1);
    attempts += await sender.drain();
  }
}

describe('a webhook', () => {
  test('is created with a secret that is shown once', async () => {
    const made = await dealer.post('webhooks', {
      url: receiver.url,
      events: ['vehicle.*', '*', 'vehicle.*'],
      description: 'ERP',
    });
    expect(made.status).toBe(201);
    const { secret, ...shown } = made.json.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(shown).toMatchObject({
      events: ['vehicle.*', '*'],
      description: 'ERP',
      status: 'Aktif',
      consecutive_failures: 0,
      secret_hint: secret.slice(-4),
    });
    expect(await webhook(shown.id)).toEqual(shown);
    expect((await dealer.get('webhooks')).json.data).toEqual([shown]);
    expect((await dealer.get('webhooks?status=Pasif')).json.data).toEqual([]);
    const [stored] = await admin.rows<{ text: string }>(
      `select encode(secret_encrypted, 'escape') as text from webhooks where id = '${shown.id}'`,
    );
    expect(stored!.text).not.toContain(secret.slice(6, 20));
    const audited = await admin.rows(`select from audit_log where after::text like '%whsec%' or before::text like '%whsec%'`);
    expect(audited).toEqual([]);
  });

  test.each([
    ['unknown_event', { events: ['vehicle.exploded'] }],
    ['unknown_event', { events: ['*', 'vehicles.*'] }],
    ['unknown_event', { events: ['vehicle'] }],
    ['url_not_allowed', { url: 'http://example.com/hook' }],
    ['url_not_allowed', { url: 'https://user:pass@example.com/' }],
    ['url_not_allowed', { url: 'https://10.0.0.1/' }],
    ['url_not_allowed', { url: 'not a url' }],
    ['validation_failed', { events: [] }],
    ['validation_failed', { events: 'vehicle.*' }],
    ['validation_failed', { url: null }],
    ['validation_failed', { secret: 'whsec_AAAA' }],
  ])('%s: %j', async (code, input) => {
    const refused = await dealer.post('webhooks', { url: 'https://example.com/hook', events: ['*'], ...input });
    expect([refused.status, refused.json.error.code]).toEqual([422, code]);
    expect(refused.json.error.details[0].field).toBe(Object.keys(input)[0]);
  });

  test('is limited to ten, also for concurrent requests', async () => {
    for (let count = 0; count < 9; count += 1) await hook(['*']);
    const made = await Promise.all([1, 2].map(() => dealer.post('webhooks', { url: receiver.url, events: ['*'] })));
    expect(made.map((one) => one.json.error?.code ?? one.status).sort()).toEqual([201, 'webhook_limit_reached']);
    const { id } = made.find((one) => one.status === 201)!.json.data;
    await dealer.delete(`webhooks/${id}`);
    expect((await dealer.post('webhooks', { url: receiver.url, events: ['*'] })).status).toBe(201);
  });

  test('may subscribe to every event about money, restructured sales and kept deposits included', async () => {
    const { events } = await hook(['sale.restructured', 'collection.deposit_kept']);
    expect(events).toEqual(['sale.restructured', 'collection.deposit_kept']);
  });

  test('is edited; the same values again change nothing', async () => {
    const { id, updated_at } = await hook(['*']);
    const same = await dealer.patch(`webhooks/${id}`, { events: ['*'], url: receiver.url, status: 'Aktif' });
    expect(same.json.data.updated_at).toBe(updated_at);
    api.clock.advance(1000);
    const edited = await dealer.patch(`webhooks/${id}`, { events: ['customer.created'], description: 'x', status: 'Pasif' });
    expect(edited.json.data).toMatchObject({ events: ['customer.created'], description: 'x', status: 'Pasif' });
    expect(edited.json.data.updated_at).not.toBe(updated_at);
    expect((await dealer.patch(`webhooks/${id}`, { description: null })).json.data.description).toBeNull();
    for (const bad of [{ status: 'Otomatik Durduruldu' }, { secret_hint: 'x' }, {}, { events: null }])
      expect((await dealer.patch(`webhooks/${id}`, bad)).json.error.code).toBe('validation_failed');
    expect((await dealer.patch(`webhooks/${id}`, { events: ['no.such'] })).json.error.code).toBe('unknown_event');
  });
});

describe('an event', () => {
  test('reaches its subscribers, signed, with the bytes that were committed', async () => {
    const all = await hook(['*']);
    const exact = await hook(['vehicle.created']);
    const group = await hook(['vehicle.*']);
    const photos = await hook(['vehicle_photo.*', 'customer.created']);
    const paused = await hook(['*']);
    await dealer.patch(`webhooks/${paused.id}`, { status: 'Pasif' });
    const made = await dealer.post('vehicles', aCar());
    expect(await sender.drain()).toBe(3);
    expect(receiver.got).toHaveLength(3);
    const [one] = receiver.got;
    const secrets = [all, exact, group].map(({ secret }) => secret as string);
    for (const received of receiver.got) {
      expect(received.body).toBe(one!.body);
      expect(received.headers['webhook-id']).toBe(received.json.id);
      expect(received.headers['content-type']).toBe('application/json');
      const fitting = secrets.filter((secret) => {
        try {
          verify(secret, received);
          return true;
        } catch {
          return false;
        }
      });
      expect(fitting).toHaveLength(1);
    }
    expect(one!.json).toMatchObject({
      type: 'vehicle.created',
      account_id: dealer.accountId,
      environment: 'production',
      data: { object: made.json.data, changed: [], previous: {} },
      request_id: made.headers.get('x-request-id'),
    });
    const [delivered] = await deliveries(exact.id);
    expect(delivered).toMatchObject({
      status: 'Başarılı',
      attempt_count: 1,
      response_status: 200,
      response_excerpt: 'ok',
      error: null,
      next_attempt_at: null,
    });
    const detail = await dealer.get(`webhooks/${exact.id}/deliveries/${delivered.id}`);
    expect(detail.json.data.payload).toEqual(one!.json);
    expect(await webhook(exact.id)).toMatchObject({ consecutive_failures: 0, last_success_at: expect.any(String) });
    expect(await deliveries(photos.id)).toEqual([]);
    expect(await deliveries(paused.id)).toEqual([]);
  });

  test('does not exist for a write that was refused, rolled back or a dry run', async () => {
    const { id } = await hook(['*']);
    const car = aCar();
    await dealer.post('vehicles', car, { 'x-dry-run': 'true' });
    await dealer.post('vehicles', { ...car, km: -1 });
    await dealer.post('vehicles', car);
    await dealer.post('vehicles', car);
    await dealer.post('vehicles', car, { 'idempotency-key': 'refused' });
    await sender.drain();
    expect(receiver.got.map(({ json }) => json.type)).toEqual(['vehicle.created']);
    expect(await deliveries(id)).toHaveLength(1);
  });

  test('has a number: each dealer’s events are numbered without gaps', async () => {
    await hook(['*']);
    await Promise.all(Array.from({ length: 12 }, () => dealer.post('vehicles', aCar())));
    await sender.drain();
    expect(receiver.got.map(({ json }) => json.sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, place) => place + 1),
    );
  });
});

describe('a test event', () => {
  test('goes only to that webhook, also when it is paused, and has no number', async () => {
    await hook(['*']);
    const { id, secret } = await hook(['vehicle.created']);
    await dealer.patch(`webhooks/${id}`, { status: 'Pasif' });
    const reply = await dealer.post(`webhooks/${id}/test`);
    expect(reply.status).toBe(202);
    expect(reply.json.data).toMatchObject({ webhook_id: id, event_type: 'test.ping', status: 'Bekliyor', attempt_count: 0 });
    expect(await sender.drain()).toBe(1);
    verify(secret, receiver.got[0]!);
    expect(receiver.got[0]!.json).toMatchObject({
      type: 'test.ping',
      sequence: null,
      request_id: reply.headers.get('x-request-id'),
    });
    expect((await deliveries(id))[0].status).toBe('Başarılı');
  });

  test('is limited to ten a minute', async () => {
    const { id } = await hook(['*']);
    for (let count = 0; count < 10; count += 1) expect((await dealer.post(`webhooks/${id}/test`)).status).toBe(202);
    const refused = await dealer.post(`webhooks/${id}/test`, undefined, { 'idempotency-key': 'eleven' });
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.json.error.message).toContain('test events per minute');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    api.clock.advance(61_000);
    expect((await dealer.post(`webhooks/${id}/test`, undefined, { 'idempotency-key': 'eleven' })).status).toBe(202);
    await sender.drain();
  });
});

describe('a receiver that is down', () => {
  test('is tried ten times, then the delivery has failed; a retry sends the same event', async () => {
    receiver.answer = status(500, 'out of order');
    const { id, secret } = await hook(['vehicle.created']);
    await dealer.post('vehicles', aCar());
    expect(await tryOut(id)).toBe(10);
    const [failed] = await deliveries(id);
    expect(failed).toMatchObject({
      status: 'Başarısız',
      attempt_count: 10,
      response_status: 500,
      response_excerpt: 'out of order',
      error: 'bad_status',
      next_attempt_at: null,
    });
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.answer = status(200);
    await dealer.patch(`webhooks/${id}`, { status: 'Aktif' });
    const reply = await dealer.post(`webhooks/${id}/deliveries/${failed.id}/retry`);
    expect([reply.status, reply.json.data.status]).toEqual([202, 'Bekliyor']);
    expect(await sender.drain()).toBe(1);
    expect(await deliveries(id)).toMatchObject([{ id: failed.id, status: 'Başarılı', attempt_count: 11, error: null }]);
    expect(receiver.got.at(-1)!.json.id).toBe(failed.event_id);
    verify(secret, receiver.got.at(-1)!);
  });

  test('a successful delivery can be sent again with the same event id; one that waits or is in progress cannot', async () => {
    const { id } = await hook(['vehicle.created']);
    await dealer.post('vehicles', aCar());
    const [waiting] = await deliveries(id);
    const tooEarly = await dealer.post(`webhooks/${id}/deliveries/${waiting.id}/retry`);
    expect([tooEarly.status, tooEarly.json.error.code]).toEqual([409, 'delivery_not_finished']);
    expect(await sender.drain()).toBe(1);
    const reply = await dealer.post(`webhooks/${id}/deliveries/${waiting.id}/retry`);
    expect([reply.status, reply.json.data.status]).toEqual([202, 'Bekliyor']);
    const twice = await dealer.post(`webhooks/${id}/deliveries/${waiting.id}/retry`);
    expect([twice.status, twice.json.error.code]).toEqual([409, 'delivery_not_finished']);
    expect(await sender.drain()).toBe(1);
    expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual([waiting.event_id, waiting.event_id]);
    expect(await deliveries(id)).toMatchObject([{ id: waiting.id, status: 'Başarılı', attempt_count: 2 }]);
    // A delivery that had succeeded gets a single attempt too: a refusal ends it at once.
    receiver.answer = status(500);
    await dealer.post(`webhooks/${id}/deliveries/${waiting.id}/retry`);
    expect(await sender.drain()).toBe(1);
    expect(await deliveries(id)).toMatchObject([{ status: 'Başarısız', attempt_count: 3, next_attempt_at: null }]);
  });

  test('gets exactly one attempt from a retry', async () => {
    receiver.answer = status(404);
    const { id } = await hook(['*']);
    await dealer.post('vehicles', aCar());
    await tryOut(id);
    const [failed] = await deliveries(id);
    await dealer.patch(`webhooks/${id}`, { status: 'Aktif' });
    await dealer.post(`webhooks/${id}/deliveries/${failed.id}/retry`);
    expect(await tryOut(id)).toBe(1);
    expect((await deliveries(id))[0]).toMatchObject({ status: 'Başarısız', attempt_count: 11 });
  });

  test('follows the schedule within 20 %', async () => {
    receiver.answer = status(503);
    const { id } = await hook(['*']);
    await dealer.post('vehicles', aCar());
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
    for (const wait of minutes) {
      await sender.drain();
      const [{ next_attempt_at, last_attempt_at }] = await deliveries(id);
      const planned = (Date.parse(next_attempt_at) - Date.parse(last_attempt_at)) / 60_000;
      expect(planned).toBeGreaterThan(wait * 0.79);
      expect(planned).toBeLessThan(wait * 1.21);
      // Not before its time.
      api.clock.advance(planned * 60_000 - 2000);
      expect(await sender.drain()).toBe(0);
      api.clock.advance(2001);
    }
    expect(await sender.drain()).toBe(1);
    expect((await deliveries(id))[0].status).toBe('Başarısız');
  });

  test('is not called before its Retry-After has passed', async () => {
    receiver.answer = status(429, '', { 'retry-after': '7200' });
    const { id } = await hook(['*']);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    const [{ next_attempt_at, last_attempt_at }] = await deliveries(id);
    expect(Date.parse(next_attempt_at) - Date.parse(last_attempt_at)).toBe(7_200_000);
  });

  test.each([
    [301, { location: 'https://example.com/' }],
    [304, {}],
    [400, {}],
  ])('%i is a failure, and redirects are not followed', async (code, headers) => {
    receiver.answer = status(code, '', headers as Record<string, string>);
    const { id } = await hook(['*']);
    await dealer.post('vehicles', aCar());
    expect(await sender.drain()).toBe(1);
    expect((await deliveries(id))[0]).toMatchObject({ status: 'Bekliyor', response_status: code, attempt_count: 1 });
    expect(await webhook(id)).toMatchObject({ consecutive_failures: 1, status: 'Aktif' });
  });

  test('that never answers is reported like one that does not exist', async () => {
    const gone = await openReceiver();
    await gone.close();
    const closed = await hook(['*'], gone.url);
    receiver.answer = (response) => response.socket!.destroy();
    const reset = await hook(['*']);
    const noTls = await hook(['*'], receiver.url.replace('http:', 'https:'));
    await dealer.post('vehicles', aCar());
    await sender.drain();
    for (const { id } of [closed, reset, noTls])
      expect((await deliveries(id))[0]).toMatchObject({ error: 'no_response', response_status: null, response_excerpt: null });
  });

  test('that returns 410 is disabled at once: the account and its other webhooks are notified', async () => {
    receiver.answer = status(410);
    const { id } = await hook(['vehicle.*']);
    const other = await openReceiver();
    const watching = await hook(['webhook.disabled'], other.url);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    await other.close();
    expect(await webhook(id)).toMatchObject({ status: 'Otomatik Durduruldu' });
    const [failed] = await deliveries(id);
    expect(failed).toMatchObject({ status: 'Başarısız', response_status: 410 });
    expect(other.got).toHaveLength(1);
    verify(watching.secret, other.got[0]!);
    expect(other.got[0]!.json).toMatchObject({
      type: 'webhook.disabled',
      resource: { kind: 'webhook', id },
      data: { object: { id, status: 'Otomatik Durduruldu' } },
    });
    expect(other.got[0]!.body).not.toContain('whsec_');
    const notices = await admin.rows(`select kind, resource_id from notifications where account_id = '${dealer.accountId}'`);
    expect(notices).toEqual([{ kind: 'webhook.disabled', resource_id: id }]);
    const refused = await dealer.post(`webhooks/${id}/deliveries/${failed.id}/retry`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'webhook_passive']);
  });

  test('for five days is disabled, with its waiting deliveries; set to Aktif it starts fresh', async () => {
    receiver.answer = status(500);
    const { id } = await hook(['vehicle.created']);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    api.clock.advance(4 * 24 * HOUR);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    expect((await webhook(id)).status).toBe('Aktif');
    api.clock.advance(24 * HOUR);
    await sender.drain();
    expect(await webhook(id)).toMatchObject({ status: 'Otomatik Durduruldu', consecutive_failures: expect.any(Number) });
    expect((await deliveries(id, '?status=Bekliyor')).length).toBe(0);
    await dealer.post('vehicles', aCar());
    expect(await deliveries(id)).toHaveLength(2);
    receiver.answer = status(200);
    const armed = await dealer.patch(`webhooks/${id}`, { status: 'Aktif' });
    expect(armed.json.data).toMatchObject({ status: 'Aktif', consecutive_failures: 0 });
    await dealer.post('vehicles', aCar());
    await sender.drain();
    expect((await deliveries(id))[0].status).toBe('Başarılı');
  });

  test('intermittently is not disabled: one success resets the failures', async () => {
    const { id } = await hook(['vehicle.created']);
    for (let day = 0; day < 8; day += 1) {
      receiver.answer = status(day % 2 === 0 ? 500 : 200);
      await dealer.post('vehicles', aCar());
      await sender.drain();
      api.clock.advance(24 * HOUR);
    }
    expect((await webhook(id)).status).toBe('Aktif');
  });
});

describe('a paused webhook', () => {
  test('receives nothing; waiting deliveries are sent when it is resumed', async () => {
    receiver.answer = status(500);
    const { id } = await hook(['vehicle.created']);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    await dealer.patch(`webhooks/${id}`, { status: 'Pasif' });
    receiver.answer = status(200);
    api.clock.advance(HOUR);
    expect(await sender.drain()).toBe(0);
    await dealer.patch(`webhooks/${id}`, { status: 'Aktif' });
    expect(await sender.drain()).toBe(1);
    expect((await deliveries(id))[0].status).toBe('Başarılı');
  });
});

test('a deleted webhook is gone, and its waiting deliveries are dropped', async () => {
  receiver.answer = status(500);
  const { id } = await hook(['*']);
  await dealer.post('vehicles', aCar());
  await sender.drain();
  const removed = await dealer.delete(`webhooks/${id}`);
  expect([removed.status, removed.json.data.id]).toEqual([200, id]);
  for (const path of [`webhooks/${id}`, `webhooks/${id}/deliveries`]) expect((await dealer.get(path)).status).toBe(404);
  expect((await dealer.post(`webhooks/${id}/test`)).status).toBe(404);
  expect((await dealer.delete(`webhooks/${id}`)).status).toBe(404);
  api.clock.advance(24 * HOUR);
  expect(await sender.drain()).toBe(0);
});

describe('a new secret', () => {
  test('signs beside the old one until the overlap ends, then alone', async () => {
    const { id, secret: old } = await hook(['*']);
    const rotated = await dealer.post(`webhooks/${id}/rotate-secret`, { overlap_seconds: 3600 });
    expect(rotated.status).toBe(200);
    const { secret, previous_valid_until, secret_hint } = rotated.json.data;
    expect(secret).not.toBe(old);
    expect(secret_hint).toBe(secret.slice(-4));
    expect(Date.parse(previous_valid_until) - api.clock.now().getTime()).toBeGreaterThan(3_590_000);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    verify(old, receiver.got[0]!);
    verify(secret, receiver.got[0]!);
    expect(String(receiver.got[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const open = await dealer.post(`webhooks/${id}/rotate-secret`);
    expect([open.status, open.json.error.code]).toEqual([409, 'rotation_open']);
    api.clock.advance(HOUR + 1000);
    await dealer.post('vehicles', aCar());
    await sender.drain();
    verify(secret, receiver.got[1]!);
    expect(() => verify(old, receiver.got[1]!)).toThrow();
    const again = await dealer.post(`webhooks/${id}/rotate-secret`, { overlap_seconds: 0 });
    expect(again.json.data.previous_valid_until).toBeNull();
    await dealer.post('vehicles', aCar());
    await sender.drain();
    expect(() => verify(secret, receiver.got[2]!)).toThrow();
    verify(again.json.data.secret, receiver.got[2]!);
  });

  test('overlaps for a day by default, for a week at most', async () => {
    const { id } = await hook(['*']);
    expect((await dealer.post(`webhooks/${id}/rotate-secret`, { overlap_seconds: 604_801 })).json.error.code).toBe(
      'validation_failed',
    );
    const { previous_valid_until } = (await dealer.post(`webhooks/${id}/rotate-secret`)).json.data;
    const hours = (Date.parse(previous_valid_until) - api.clock.now().getTime()) / HOUR;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });
});

test('no other body, id or time verifies, nor any of ten thousand flipped bits', async () => {
  const { secret } = await hook(['*']);
  await dealer.post('vehicles', aCar());
  await sender.drain();
  const received = receiver.got[0]!;
  verify(secret, received);
  const bytes = Buffer.from(received.body);
  let passed = 0;
  for (let mutant = 0; mutant < 10_000; mutant += 1) {
    const bit = (mutant * 7919) % (bytes.length * 8);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    try {
      verify(secret, { ...received, body: bytes.toString('latin1') });
      passed += 1;
    } catch {}
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
  for (const name of ['webhook-id', 'webhook-timestamp'])
    expect(() =>
      verify(secret, { ...received, headers: { ...received.headers, [name]: `${received.headers[name]}1` } }),
    ).toThrow();
  expect(passed).toBe(0);
});

test('the list of deliveries is filtered by state, kind and time', async () => {
  const { id } = await hook(['*']);
  await dealer.post('vehicles', aCar());
  await dealer.post(`webhooks/${id}/test`);
  expect(await deliveries(id, '?event_type=test.ping')).toHaveLength(1);
  expect(await deliveries(id, '?status=Bekliyor')).toHaveLength(2);
  await sender.drain();
  expect(await deliveries(id, '?status=Bekliyor')).toHaveLength(0);
  const now = api.clock.now();
  const from = (ms: number) => encodeURIComponent(new Date(now.getTime() + ms).toISOString());
  expect(await deliveries(id, `?from=${from(-60_000)}`)).toHaveLength(2);
  expect(await deliveries(id, `?to=${from(-60_000)}`)).toHaveLength(0);
  const refused = await dealer.get(`webhooks/${id}/deliveries?event_type=no.such`);
  expect([refused.status, refused.json.error.param]).toEqual([400, 'event_type']);
});
