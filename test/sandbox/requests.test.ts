// Requests of sandbox keys under SANDBOX=isolated: they use the world of their account, at the time of its clock.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { turnOf } from '../../src/domain/sharing/turn-owners.ts';
import { CEILINGS, requireWithinCeilings, type WorldCounts } from '../../src/domain/worlds/ceilings.ts';
import type { World } from '../../src/domain/worlds/world.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import { openSession } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { expectRefusal } from '../contract/expect.ts';
import { newPerson } from '../panel/people.ts';
import { newAgent, setAgents } from '../support/agent.ts';
import { carOf, dataOf } from '../support/books.ts';
import { until } from '../support/patience.ts';
import { aJpeg, sendForm } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { insertWorld, removeWorld, setWorldClock, testSandbox } from '../support/worlds.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';

const DAY = 86_400_000;
const every = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);

let api: TestService;
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated', SMTP_URL: 'smtp://127.0.0.1:1' }, sandbox: testSandbox });
  await openAll(api);
});
afterAll(() => api.close());

interface Sandboxed {
  readonly live: Dealer;
  readonly sandbox: Dealer;
  readonly world: World;
}

async function sandboxed(): Promise<Sandboxed> {
  const live = await newDealer(api);
  const { secret } = await api.key(live.accountId, { endpoints: every, environment: 'sandbox' });
  const world = await insertWorld(api.database, live.accountId, api.clock.times());
  return { live, sandbox: dealerWith(api, live.accountId, secret), world };
}

const idsIn = (answer: { json: { data: { id: string }[] } }): string[] => answer.json.data.map(({ id }) => id);

test('requests of sandboxes leave a platform connection for everyone else', async () => {
  const { sandbox } = await sandboxed();
  const admin = await openSession(api.adminUrl);
  try {
    await admin.rows('begin');
    await admin.rows('lock table worlds in access exclusive mode');
    const answers = Promise.allSettled(Array.from({ length: 8 }, () => sandbox.get('vehicles')));
    const waiting = `select from pg_locks where not granted and relation = 'worlds'::regclass`;
    await until(async () => (await admin.rows(waiting)).length >= 2);
    const look = api.database.onPlatform('read', (db) => db.one<{ one: number }>(sql`select 1 as one`));
    expect(await look).toEqual({ one: 1 });
    await admin.rows('rollback');
    await answers;
  } finally {
    await admin.close();
  }
});

test('expensive work of a sandbox takes the turns of its account', async () => {
  const { live, sandbox, world } = await sandboxed();
  await sandbox.get('vehicles');
  expect(turnOf(world.id)).toBe(live.accountId);
});

test('a write of an agent waits for a person, who gets a mail about it from production only', async () => {
  const { live } = await sandboxed();
  await newPerson(api, { accountId: live.accountId });
  const askIn = async (environment: 'production' | 'sandbox'): Promise<string> => {
    const { id, secret } = await api.key(live.accountId, { endpoints: every, environment });
    await setAgents(api, id, { confirmation: 'panel' });
    const args = { method: 'DELETE', path: `vehicles/${await carOf(dealerWith(api, live.accountId, secret))}` };
    const agent = await newAgent(api.service.url, secret);
    const { confirm } = await agent.use('write', args);
    const { status } = await agent.use('write', { ...args, confirm });
    await agent.close();
    return status;
  };
  const mails = async (): Promise<number> =>
    (await api.database.onPlatform('read', (db) => db.one<{ count: number }>(sql`select count(*)::int as count from mails`)))
      .count;
  const before = await mails();
  expect([await askIn('sandbox'), await mails()]).toEqual(['waiting', before]);
  expect([await askIn('production'), await mails()]).toEqual(['waiting', before + 1]);
});

describe('data', () => {
  test('a sandbox key writes and reads its own world, and production sees nothing of it', async () => {
    const { live, sandbox, world } = await sandboxed();
    const real = (await live.post('vehicles', aCar())).json.data.id;
    const made = await sandbox.post('vehicles', aCar(), { 'idempotency-key': 'once' });
    expect(made.status).toBe(201);
    expect(idsIn(await sandbox.get('vehicles'))).toEqual([made.json.data.id]);
    expect(idsIn(await live.get('vehicles'))).toEqual([real]);
    expect((await live.get(`vehicles/${made.json.data.id}`)).status).toBe(404);
    expect((await sandbox.get(`vehicles/${real}`)).status).toBe(404);
    expect((await sandbox.get('account')).json.data).toMatchObject({ id: world.id, api_key: { environment: 'sandbox' } });
    const [event] = await api.database.inTenant(world.id, 'read', (db) =>
      db.rows<{ payload: string }>(sql`select payload from events`),
    );
    expect(JSON.parse(event!.payload)).toMatchObject({ environment: 'sandbox', account_id: world.id, sequence: 1 });
  });

  test('the same Idempotency-Key in production and in the world are two keys', async () => {
    const { live, sandbox } = await sandboxed();
    const key = { 'idempotency-key': 'both' };
    const first = await sandbox.post('vehicles', aCar(), key);
    const other = await live.post('vehicles', aCar(), key);
    expect([first.status, other.status]).toEqual([201, 201]);
  });

  test('request log and usage of the key stay with the account', async () => {
    const { sandbox } = await sandboxed();
    await sandbox.get('vehicles');
    await api.logged();
    const logs = await sandbox.get('developer/request-logs');
    expect(logs.json.data).toMatchObject([{ endpoint: 'GET vehicles', environment: 'sandbox' }]);
    expect((await sandbox.get('developer/usage')).json.data.total_requests).toBeGreaterThan(0);
  });

  test('the first call creates the world, for any number of callers', async () => {
    const live = await newDealer(api);
    const { secret } = await api.key(live.accountId, { endpoints: every, environment: 'sandbox' });
    expect((await dealerWith(api, live.accountId, secret).get('vehicles')).json.data).toEqual([]);
    expect(await worldsOf(live.accountId)).toBe(1);
  });

  test('use is recorded once an hour, and cancels the removal that was announced', async () => {
    const { live, sandbox, world } = await sandboxed();
    await api.database.onPlatform('write', (db) =>
      db.exec(sql`update worlds set last_used_at = last_used_at - interval '80 days', noticed_at = now() where id = ${world.id}`),
    );
    await sandbox.get('vehicles');
    const [used] = await api.database.onPlatform('read', (db) =>
      db.rows(
        sql`select last_used_at > now() - interval '1 hour' as used, noticed_at from worlds where owner_id = ${live.accountId}`,
      ),
    );
    expect(used).toEqual({ used: true, noticed_at: null });
  });
});

const worldsOf = async (ownerId: string): Promise<number> => {
  const [{ count }] = (await api.database.onPlatform('read', (db) =>
    db.rows<{ count: bigint }>(sql`select count(*) from worlds where owner_id = ${ownerId}`),
  )) as [{ count: bigint }];
  return Number(count);
};

describe('the clock of the world', () => {
  test('is the time of its records; production keeps its own', async () => {
    const { live, sandbox, world } = await sandboxed();
    await setWorldClock(api.database, world.id, { offsetMs: 40 * DAY });
    const inWorld = (await sandbox.post('vehicles', aCar())).json.data;
    const inLive = (await live.post('vehicles', aCar())).json.data;
    const days = (Date.parse(inWorld.created_at) - Date.parse(inLive.created_at)) / DAY;
    expect(days).toBeGreaterThan(39.9);
    expect(days).toBeLessThan(40.1);
    expect(Date.parse((await sandbox.get(`vehicles/${inWorld.id}`)).json.meta.timestamp)).toBeGreaterThan(
      Date.parse(inLive.created_at) + 39 * DAY,
    );
  });

  test('runs what is due before a read, also for a list that was read before', async () => {
    const { sandbox, world } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    const held = await sandbox.post(`vehicles/${id}/reserve`, {
      reserved_until: new Date(api.clock.now().getTime() + 2 * DAY).toISOString().slice(0, 10),
    });
    expect(held.status).toBe(200);
    expect((await sandbox.get('vehicles?status=Rezerve')).json.data).toHaveLength(1);
    await setWorldClock(api.database, world.id, { offsetMs: 5 * DAY });
    expect((await sandbox.get('vehicles?status=Rezerve')).json.data).toEqual([]);
    expect((await sandbox.get(`vehicles/${id}`)).json.data.status).toBe('Stokta');
  });

  test('while it moves, reads answer for the time that it has reached', async () => {
    const { sandbox, world } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    const reachedAt = new Date(api.clock.now().getTime() + 100 * DAY);
    await setWorldClock(api.database, world.id, {
      status: 'advancing',
      reachedAt,
      targetAt: new Date(reachedAt.getTime() + DAY),
    });
    const answer = await sandbox.get(`vehicles/${id}`);
    expect(Date.parse(answer.json.meta.timestamp)).toBe(Math.floor(reachedAt.getTime() / 1000) * 1000);
  });

  test('while it moves, a write waits and is then refused with Retry-After; nothing is written, and its key is free', async () => {
    const { sandbox, world } = await sandboxed();
    const [reachedAt, key] = [api.clock.now(), { 'idempotency-key': 'moving' }];
    await setWorldClock(api.database, world.id, {
      status: 'advancing',
      reachedAt,
      targetAt: new Date(reachedAt.getTime() + DAY),
    });
    const refused = await sandbox.post('vehicles', aCar(), key);
    expectRefusal(refused, 'clock_moving');
    expect(refused.headers.get('retry-after')).toBe('1');
    await setWorldClock(api.database, world.id, { offsetMs: DAY });
    expect((await sandbox.get('vehicles')).json.data).toEqual([]);
    expect((await sandbox.post('vehicles', aCar(), key)).status).toBe(201);
  });

  test('a write that waited for the clock has the new time', async () => {
    const { sandbox, world } = await sandboxed();
    const reachedAt = api.clock.now();
    await setWorldClock(api.database, world.id, {
      status: 'advancing',
      reachedAt,
      targetAt: new Date(reachedAt.getTime() + DAY),
    });
    const writing = sandbox.post('vehicles', aCar());
    await until(() => api.service.parts.budgets.requests.taken() > 0, 'the write is under way');
    await setWorldClock(api.database, world.id, { offsetMs: 30 * DAY });
    const { status, json } = await writing;
    expect(status).toBe(201);
    expect(Date.parse(json.data.created_at)).toBeGreaterThan(reachedAt.getTime() + 29 * DAY);
  });

  test('a write that began before the clock moved is repeated with the new time', async () => {
    const { sandbox, world } = await sandboxed();
    const before = api.clock.now();
    const writing = await writeDuring(sandbox, world, sql`offset_ms = ${60 * DAY}`);
    expect(writing.status).toBe(201);
    expect(Date.parse(writing.json.data.created_at)).toBeGreaterThan(before.getTime() + 59 * DAY);
  });
});

/** A write that has read the world and waits for its row while `change` is committed. */
async function writeDuring(sandbox: Dealer, world: World, change: Sql) {
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = api.database.onPlatform('write', async (db) => {
    await db.exec(sql`update worlds set ${change} where id = ${world.id}`);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const writing = sandbox.post('vehicles', aCar());
  await until(waitsForWorld, 'the write waits for the world');
  release.resolve();
  await holding;
  return writing;
}

const waitsForWorld = async (): Promise<boolean> => {
  const waiting = await api.database.onPlatform('read', (db) =>
    db.rows(sql`select from pg_locks where not granted and pid <> pg_backend_pid()`),
  );
  return waiting.length > 0;
};

describe('a reset', () => {
  test('a write under way is refused, and the next one is in the new world', async () => {
    const { live, sandbox, world } = await sandboxed();
    expectRefusal(await writeDuring(sandbox, world, sql`removed_at = ${api.clock.realNow()}`), 'sandbox_reset');
    await insertWorld(api.database, live.accountId, api.clock.times());
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    expect(idsIn(await sandbox.get('vehicles'))).toEqual([id]);
  });

  test('a cursor of the old world is gone; one that was never issued is not valid', async () => {
    const { live, sandbox } = await sandboxed();
    for (const _ of [1, 2]) await sandbox.post('vehicles', aCar());
    // The new world is being filled while the old one is still read.
    const times = api.clock.times();
    const page = await sandbox.get('vehicles?limit=1&cursor=start');
    const next = /<[^>]*\/api\/v1\/([^>]+)>; rel="next"/.exec(page.headers.get('link')!)![1]!;
    expect((await sandbox.get(next)).json.data).toHaveLength(1);
    await removeWorld(api.database, live.accountId, api.clock.realNow());
    const { id } = await insertWorld(api.database, live.accountId, times);
    const openedAt = new Date(api.clock.realNow().getTime() + 1);
    await api.database.onPlatform('write', (db) => db.exec(sql`update worlds set opened_at = ${openedAt} where id = ${id}`));
    expectRefusal(await sandbox.get(next), 'gone');
    expectRefusal(await sandbox.get('vehicles?cursor=x.y'), 'invalid_parameter');
    expectRefusal(await live.get(next), 'invalid_parameter');
  });

  test('an ETag of the old world is not one of the new world, also if as much was written in both', async () => {
    const { live, sandbox } = await sandboxed();
    await sandbox.post('vehicles', aCar());
    const etag = (await sandbox.get('vehicles')).headers.get('etag')!;
    const again = (key: string) => api.call('vehicles', { key, headers: { 'if-none-match': etag } });
    expect((await again(sandbox.key)).status).toBe(304);
    await removeWorld(api.database, live.accountId, api.clock.realNow());
    await insertWorld(api.database, live.accountId, api.clock.times());
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    const read = await again(sandbox.key);
    expect(read.status).toBe(200);
    expect(idsIn(read)).toEqual([id]);
  });

  test('ids of the old world are unknown at once', async () => {
    const { live, sandbox } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    await removeWorld(api.database, live.accountId, api.clock.realNow());
    await insertWorld(api.database, live.accountId, api.clock.times());
    expect((await sandbox.get(`vehicles/${id}`)).status).toBe(404);
    expect((await sandbox.get('vehicles')).json.data).toEqual([]);
  });
});

describe('ceilings', () => {
  test('a vehicle beyond the 1,000th is refused and names the ceiling; other writes are not refused', async () => {
    const { sandbox, live, world } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    await fillVehicles(world.id, 999);
    const refused = await sandbox.post('vehicles', aCar());
    expectRefusal(refused, 'sandbox_full');
    expect(refused.json.error.message).toContain('1000 vehicles');
    expect((await sandbox.patch(`vehicles/${id}`, { km: 1 })).status).toBe(200);
    expect((await sandbox.get('vehicles?limit=1&offset=1000')).json.data).toEqual([]);
    expect((await live.post('vehicles', aCar())).status).toBe(201);
  });

  test('writes at the same time do not pass it together', async () => {
    const { sandbox, world } = await sandboxed();
    await sandbox.post('vehicles', aCar());
    await fillVehicles(world.id, 997);
    const answers = await Promise.all(Array.from({ length: 6 }, () => sandbox.post('vehicles', aCar())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  });

  test('files beyond 200 MB are refused', async () => {
    const { sandbox, world } = await sandboxed();
    const { id } = (await sandbox.post('vehicles', aCar())).json.data;
    await api.database.inTenant(world.id, 'write', (db) =>
      db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
        values (${theAccount}, ${newId()}, ${`00/${newId().replaceAll('-', '').slice(2)}`}, 'image/jpeg', ${CEILINGS.file_bytes}, ${Buffer.alloc(32)}, 'kept', now(), now())`),
    );
    const sender = { url: api.service.url, key: sandbox.key };
    const refused = await sendForm(sender, `vehicles/${id}/photos`, [{ name: 'file', value: await aJpeg() }]);
    expectRefusal(refused, 'sandbox_full');
  });

  test('webhooks beyond the 20th are refused; a deleted one makes room', async () => {
    const { sandbox } = await sandboxed();
    const add = () => sandbox.post('webhooks', { url: 'https://example.com/hook', events: ['vehicle.*'] });
    const made: string[] = [];
    for (let count = 0; count < CEILINGS.webhooks; count += 1) made.push(dataOf(await add()).id);
    const refused = await add();
    expectRefusal(refused, 'sandbox_full');
    expect(refused.json.error.message).toContain('20 webhooks');
    expect((await sandbox.delete(`webhooks/${made[0]}`)).status).toBeLessThan(300);
    expect((await add()).status).toBe(201);
  });
});

describe('each ceiling', () => {
  const none = Object.fromEntries(Object.keys(CEILINGS).map((name) => [name, 0])) as unknown as WorldCounts;
  test.each(Object.entries(CEILINGS))('%s: %i may be held, and not one more', (name, limit) => {
    const at = (count: number) => ({ ...none, [name]: count });
    requireWithinCeilings(at(limit - 1), at(limit));
    expect(() => requireWithinCeilings(at(limit), at(limit + 1))).toThrow(
      expect.objectContaining({ code: 'sandbox_full', facts: { words: { limit, ceiling: name } } }),
    );
    // What another write has overfilled is no reason to refuse one that adds nothing.
    requireWithinCeilings(at(limit + 1), at(limit + 1));
  });
});

const fillVehicles = (dataSet: string, count: number): Promise<number> =>
  api.database.inTenant(dataSet, 'write', (db) =>
    db.exec(sql`insert into vehicles (account_id, id, brand, model, model_year, km, fuel_type, transmission, body_type, color, plate, city,
        price_minor, currency, stock_date)
      select account_id, gen_random_uuid(), brand, model, model_year, km, fuel_type, transmission, body_type, color, 'F ' || number, city,
        price_minor, currency, stock_date from ${own('vehicles')}, generate_series(1, ${count}::int) as number`),
  );
