// GET /events/v1: an account's events as they are written, each once and in order, while the key may read them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitKey, revokeKey } from '../../src/domain/keys/keys.ts';
import { parseRange } from '../../src/domain/net/address.ts';
import { newEventId } from '../../src/kit/ids.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { rudeClient } from '../http/rude-sockets.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { eventsOf } from '../support/events.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';
import { type OpenStream, openStream } from './stream.ts';

const ROW = 'GET webhooks/{webhook_id}/deliveries';

let api: TestService;
let admin: Session;
const open: OpenStream[] = [];
beforeAll(async () => {
  api = await testService({ stalledMs: 1200 });
  admin = await openSession(api.adminUrl);
  await openAll(api);
});
afterAll(async () => {
  for (const stream of open) await stream.close();
  await admin.close();
  await api.close();
});

async function follow(key: string, options: Parameters<typeof openStream>[2] = {}): Promise<OpenStream> {
  const stream = await openStream(api.service.url, key, options);
  open.push(stream);
  return stream;
}
const sequences = (stream: OpenStream): number[] => stream.seen.map(([sequence]) => sequence);
const upTo = (last: number, from = 1): number[] => Array.from({ length: last - from + 1 }, (_, index) => from + index);

async function lastSequence(accountId: string, { database }: TestDatabase = api): Promise<number> {
  const { sequence } = await database.inTenant(accountId, 'read', (db) =>
    db.one<{ sequence: bigint }>(sql`select sequence from ${own('data_sets')}`),
  );
  return Number(sequence);
}

async function addCars(dealer: Dealer, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) expect((await dealer.post('vehicles', aCar())).status).toBe(201);
}

describe('sends', () => {
  test('every event as it is written, each once, in order, with the exact text of the webhook; of this account only', async () => {
    const [dealer, other] = [await newDealer(api), await newDealer(api)];
    await addCars(dealer, 1);
    const before = await lastSequence(dealer.accountId);
    const [stream, others] = [await follow(dealer.key), await follow(other.key)];
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    expect(stream.headers.get('x-request-id')).toMatch(/^req_/);
    await expect.poll(() => stream.lastId()).toBe(String(before));
    await Promise.all([addCars(dealer, 6), addCars(other, 3), addCars(dealer, 6)]);
    const last = await lastSequence(dealer.accountId);
    await expect.poll(() => sequences(stream)).toEqual(upTo(last, before + 1));
    const stored = (await eventsOf(api, dealer.accountId)).slice(before);
    expect(stream.texts.map((text) => JSON.parse(text))).toEqual(stored.map(({ payload }) => payload));
    const [kept] = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows<{ payload: string }>(sql`select payload from ${own('events')} where sequence = ${last}`),
    );
    expect(stream.texts.at(-1)).toBe(kept!.payload);
    await expect.poll(() => others.seen.length).toBe(await lastSequence(other.accountId));
    for (const text of others.texts) expect(JSON.parse(text).account_id).toBe(other.accountId);
  });

  test('events that another process writes', async () => {
    const dealer = await newDealer(api);
    const stream = await follow(dealer.key);
    await admin.rows(
      `with raised as (update data_sets set version = version + 1, sequence = sequence + 1 where id = $1 returning sequence)
      insert into events (account_id, id, sequence, kind, resource_kind, payload, created_at)
      select $1, 'evt_elsewhere', sequence, 'vehicle.created', 'vehicle', '{"type":"vehicle.created"}', now() from raised`,
      [dealer.accountId],
    );
    await expect.poll(() => stream.seen).toEqual([[1, 'vehicle.created']]);
  });

  test('only the requested kinds, and its position in any case', async () => {
    const dealer = await newDealer(api);
    const cars = await follow(dealer.key, { query: '?events=vehicle.created,task.*' });
    await addCars(dealer, 2);
    await dealer.post('customers', { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '0533 123 45 67' });
    await dealer.post('tasks', { title: 'Ara' });
    await expect.poll(() => cars.seen.map(([, type]) => type)).toEqual(['vehicle.created', 'vehicle.created', 'task.created']);
    const again = await follow(dealer.key, { query: '?since=0&events=customer.created' });
    await expect.poll(() => again.seen.map(([, type]) => type)).toEqual(['customer.created']);
  });
});

describe('resumes', () => {
  test('after a number, by Last-Event-ID or since, with no gaps or duplicates, while vehicles are added', async () => {
    const dealer = await newDealer(api);
    const seen: number[] = [];
    let isReading = true;
    const writing = (async () => {
      while (isReading) await addCars(dealer, 1);
    })();
    let lastEventId = '0';
    for (let round = 0; round < 6; round += 1) {
      const stream = await follow(dealer.key, round % 2 === 0 ? { lastEventId } : { query: `?since=${lastEventId}` });
      await expect.poll(() => stream.seen.length).toBeGreaterThan(round === 0 ? 0 : 1);
      await stream.close();
      seen.push(...sequences(stream));
      lastEventId = String(seen.at(-1));
    }
    isReading = false;
    await writing;
    const rest = await follow(dealer.key, { query: '?since=0', lastEventId });
    const last = await lastSequence(dealer.accountId);
    await expect.poll(() => [...seen, ...sequences(rest)]).toEqual(upTo(last));
  });

  test('from a moment, or a duration ago', async () => {
    const dealer = await newDealer(api);
    await addCars(dealer, 2);
    const before = await lastSequence(dealer.accountId);
    const old = await admin.rows<{ id: string; created_at: Date }>('select id, created_at from events where account_id = $1', [
      dealer.accountId,
    ]);
    for (const { id, created_at } of old) {
      const at = created_at.getTime() - 3 * 3_600_000;
      await admin.rows('update events set id = $2, created_at = $3 where id = $1', [id, newEventId(at), new Date(at)]);
    }
    await addCars(dealer, 2);
    const last = await lastSequence(dealer.accountId);
    const instant = new Date(Date.now() - 2 * 3_600_000).toISOString();
    for (const [since, from] of [
      ['2h', before + 1],
      [instant, before + 1],
      ['4h', 1],
      ['1d', 1],
    ] as const) {
      const stream = await follow(dealer.key, { query: `?since=${since}` });
      await expect.poll(() => sequences(stream)).toEqual(upTo(last, from));
    }
    const nothing = await follow(dealer.key, { query: '?since=0s' });
    await expect.poll(() => nothing.lastId()).toBe(String(last));
  });

  test('with a report of events that are no longer kept', async () => {
    const dealer = await newDealer(api);
    await addCars(dealer, 4);
    const last = await lastSequence(dealer.accountId);
    await admin.rows('delete from events where account_id = $1 and sequence <= 2', [dealer.accountId]);
    const stream = await follow(dealer.key, { lastEventId: '1' });
    await expect.poll(() => sequences(stream)).toEqual(upTo(last, 3));
    expect(stream.missed).toEqual([{ from: 2, to: 2 }]);
    await admin.rows('delete from events where account_id = $1', [dealer.accountId]);
    const later = await follow(dealer.key, { query: '?since=0' });
    await expect.poll(() => later.missed).toEqual([{ from: 1, to: last }]);
  });

  test('far back, past kinds that are not requested', async () => {
    const dealer = await newDealer(api);
    await admin.rows(
      `insert into events (account_id, id, sequence, kind, resource_kind, payload, created_at)
      select $1, 'evt_' || n, n, case when n % 1700 = 0 then 'task.created' else 'vehicle.updated' end, 'vehicle',
        '{"type":"task.created"}', now() from generate_series(1, 5100) n`,
      [dealer.accountId],
    );
    await admin.rows('update data_sets set sequence = 5100 where id = $1', [dealer.accountId]);
    const stream = await follow(dealer.key, { query: '?since=0&events=task.*' });
    await expect.poll(() => sequences(stream)).toEqual([1700, 3400, 5100]);
  });
});

describe('is allowed for', () => {
  test('a key that holds the deliveries of webhooks, while that endpoint is open', async () => {
    const accountId = await api.account();
    const { secret: without } = await api.key(accountId, { endpoints: ['GET vehicles'] });
    const { secret: holds, id } = await api.key(accountId, { endpoints: [ROW] });
    expect((await follow(without)).json.error).toMatchObject({ code: 'insufficient_scope', required_scope: 'webhooks:read' });
    const stream = await follow(holds);
    expect(stream.status).toBe(200);
    await api.release('Yakında', ROW);
    await stream.ended;
    const closed = await follow(holds);
    expect([closed.status, closed.json.error.code]).toEqual([501, 'endpoint_not_active']);
    expect(closed.json.meta.request_id).toBe(closed.headers.get('x-request-id'));
    await api.release('Aktif', ROW);
    await api.settled();
    const again = await follow(holds);
    expect(again.status).toBe(200);
    await api.database.onPlatform('write', (db) => revokeKey(db, id, TEST_ACTOR));
    await again.ended;
    const revoked = await follow(holds);
    expect([revoked.status, revoked.json.error.code]).toEqual([401, 'key_revoked']);
  });

  test('a key that passes its own checks first: shape, address, expiry also while it is open, limit', async () => {
    const accountId = await api.account();
    const stranger = await follow('nonsense');
    expect([stranger.status, stranger.json.error.code]).toEqual([401, 'key_malformed']);
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer');
    const elsewhere = await api.key(accountId, { endpoints: [ROW], allowedIps: [parseRange('203.0.113.9')!] });
    const refused = await follow(elsewhere.secret);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'ip_not_allowed']);
    const short = await api.key(accountId, { endpoints: [ROW], expiresAt: new Date(Date.now() + 600_000) });
    const ending = await follow(short.secret);
    expect(ending.status).toBe(200);
    api.clock.advance(600_000);
    await ending.ended;
    expect((await follow(short.secret)).json.error.code).toBe('key_expired');
    api.clock.advance(-600_000);
    const few = await api.key(accountId, { endpoints: [ROW] });
    await api.database.onPlatform('write', (db) => limitKey(db, few.id, 1, TEST_ACTOR));
    await api.settled();
    const first = await follow(few.secret);
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '0']);
    const second = await follow(few.secret);
    expect([second.status, second.json.error.code]).toEqual([429, 'rate_limit_exceeded']);
  });

  test('a suspended account, which reads like in the API', async () => {
    const dealer = await newDealer(api);
    await admin.rows(`update accounts set status = 'Askıda' where id = $1`, [dealer.accountId]);
    await api.settled();
    expect((await dealer.post('vehicles', aCar())).json.error.code).toBe('account_suspended');
    expect((await follow(dealer.key)).status).toBe(200);
  });

  test.each([
    ['/events/v1/', {}, 404, 'not_found'],
    ['/events/v1/vehicles', {}, 404, 'not_found'],
    ['/events/v2', {}, 404, 'not_found'],
    ['/events/v1', { method: 'POST' }, 405, 'method_not_allowed'],
    ['/events/v1?since=soon', {}, 400, 'invalid_parameter'],
    ['/events/v1?since=01', {}, 400, 'invalid_parameter'],
    ['/events/v1?since=999999', {}, 400, 'invalid_parameter'],
    ['/events/v1?events=vehicle', {}, 400, 'invalid_parameter'],
    ['/events/v1?events=', {}, 400, 'invalid_parameter'],
    ['/events/v1?event=vehicle.*', {}, 400, 'unknown_parameter'],
    ['/events/v1', { headers: { 'last-event-id': 'x' } }, 400, 'invalid_parameter'],
  ])('%s %j is refused in the envelope', async (path, options, status, code) => {
    const { key } = await newDealer(api);
    const answer = await api.call(path, { key, ...options });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.json).toMatchObject({ success: false, meta: { request_id: answer.headers.get('x-request-id') } });
  });

  test('is in the key’s request log, once per connection', async () => {
    const dealer = await newDealer(api);
    await follow(dealer.key);
    await api.logged();
    const { data } = (await dealer.get('developer/request-logs')).json;
    expect(data).toMatchObject([{ method: 'GET', path: '/events/v1', endpoint: null, status: 200 }]);
  });
});

describe('is bounded', () => {
  test('an account has twenty; the next is asked to retry, and other accounts connect', async () => {
    const [greedy, other] = [await newDealer(api), await newDealer(api)];
    const all = await Promise.all(Array.from({ length: 20 }, () => follow(greedy.key)));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    const refused = await follow(greedy.key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await follow(other.key)).status).toBe(200);
    await all[0]!.close();
    await expect
      .poll(async () => {
        const stream = await follow(greedy.key);
        return stream.status;
      })
      .toBe(200);
  });

  test('a client that does not read is disconnected, and only one batch is held for it until then', async () => {
    const dealer = await newDealer(api);
    const { eventStreams, replyBytes } = api.service.parts.budgets;
    for (const stream of open.splice(0)) await stream.close();
    await expect.poll(() => eventStreams.taken()).toBe(0);
    await admin.rows(
      `insert into events (account_id, id, sequence, kind, resource_kind, payload, created_at)
      select $1, 'evt_' || n, n, 'vehicle.updated', 'vehicle', '{"type":"vehicle.updated","x":"' || repeat('x', 19000) || '"}', now()
      from generate_series(1, 1500) n`,
      [dealer.accountId],
    );
    await admin.rows('update data_sets set sequence = 1500 where id = $1', [dealer.accountId]);
    const ask = `GET /events/v1?since=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${dealer.key}\r\n\r\n`;
    const deaf = await rudeClient(api.service.url, ask, { reads: false });
    await expect.poll(() => replyBytes.taken()).toBeGreaterThan(0);
    expect(replyBytes.taken()).toBeLessThanOrEqual(20 * 20_000);
    await expect.poll(() => eventStreams.taken()).toBe(0);
    expect(replyBytes.taken()).toBe(0);
    deaf.socket.destroy();
    const whole = await follow(dealer.key, { query: '?since=0' });
    await expect.poll(() => whole.seen.length).toBe(1500);
    expect(sequences(whole)).toEqual(upTo(1500));
  });
});

test('ends when the service stops, and resumes at the next one', async () => {
  const base = await testDatabase();
  const first = await testService({ shared: base });
  await openAll(first);
  const dealer = await newDealer(first);
  await addCars(dealer, 1);
  const stream = await openStream(first.service.url, dealer.key, { query: '?since=0' });
  await expect.poll(() => stream.seen.length).toBeGreaterThan(0);
  await addCars(dealer, 1);
  await first.close();
  await stream.ended;
  expect(stream.wasCut()).toBe(false);
  const second = await testService({ shared: base });
  await addCars(dealerWith(second, dealer.accountId, dealer.key), 1);
  const rest = await openStream(second.service.url, dealer.key, { lastEventId: stream.lastId()! });
  await expect.poll(() => [...sequences(stream), ...sequences(rest)]).toEqual(upTo(await lastSequence(dealer.accountId, base)));
  await rest.close();
  await second.close();
  await base.close();
});
