import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, dealerWith, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let admin: Session;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const keyed = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });
const count = async (table: string, where = 'true'): Promise<number> =>
  Number(
    (
      await admin.rows<{ n: bigint }>(`select count(*) as n from ${table} where account_id = '${dealer.accountId}' and ${where}`)
    )[0]!.n,
  );

test('a write commits its effect, history, event and audit entry together', async () => {
  const made = await dealer.post('vehicles', aCar({ purchase_price: '11800.00', chassis_no: 'WVWZZZ1KZ8W000001' }));
  expect(made.status).toBe(201);
  const { id } = made.json.data;
  expect(made.json.data).toMatchObject({ status: 'Stokta', price: '14500.00', currency: 'STG', reservation: null });
  expect(made.text).not.toContain('11800');
  expect(made.text).not.toContain('WVWZZZ');
  expect(made.headers.get('cache-control')).toBe('no-store');
  const events = await admin.rows<{ kind: string; sequence: bigint; payload: string }>(
    `select kind, sequence, payload from events where resource_id = '${id}'`,
  );
  expect(events).toHaveLength(1);
  const payload = JSON.parse(events[0]!.payload);
  expect(payload).toMatchObject({
    type: 'vehicle.created',
    api_version: 'v1',
    account_id: dealer.accountId,
    environment: 'production',
    sequence: Number(events[0]!.sequence),
    resource: { kind: 'vehicle', id, path: `/api/v1/vehicles/${id}` },
    request_id: made.headers.get('x-request-id'),
  });
  expect(payload.id).toMatch(/^evt_[0-9a-z]{26}$/);
  expect(payload.data.object).toEqual(made.json.data);
  expect(await count('vehicle_history', `vehicle_id = '${id}' and event = 'created'`)).toBe(1);
  expect(await count('audit_log', `request_id = '${made.headers.get('x-request-id')}'`)).toBe(1);
});

describe('an Idempotency-Key', () => {
  test('returns the first reply again, byte for byte, and has one effect', async () => {
    const car = aCar();
    const first = await dealer.post('vehicles', car, keyed('one'));
    const again = await dealer.post('vehicles', { ...car }, keyed('one'));
    expect(first.status).toBe(201);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await count('vehicles', `plate = '${car.plate}'`)).toBe(1);
  });

  test('ignores the order of fields and the alias', async () => {
    const car = aCar();
    const first = await dealer.post('vehicles', car, keyed('order'));
    const turned = Object.fromEntries(Object.entries(car).reverse());
    expect((await dealer.post('vehicles.php', turned, keyed('order'))).text).toBe(first.text);
  });

  test('belongs to its payload', async () => {
    const car = aCar();
    await dealer.post('vehicles', car, keyed('payload'));
    const other = await dealer.post('vehicles', { ...car, km: 1 }, keyed('payload'));
    expect(other.status).toBe(422);
    expect(other.json.error.code).toBe('idempotency_key_reused');
  });

  test('belongs to the account: another key of the account shares it, another dealer does not', async () => {
    const car = aCar();
    const first = await dealer.post('vehicles', car, keyed('shared'));
    const { secret } = await api.key(dealer.accountId, { endpoints: ['POST vehicles'] });
    expect((await dealerWith(api, dealer.accountId, secret).post('vehicles', car, keyed('shared'))).text).toBe(first.text);
    const other = await newDealer(api);
    const theirs = await other.post('vehicles', car, keyed('shared'));
    expect(theirs.status).toBe(201);
    expect(theirs.json.data.id).not.toBe(first.json.data.id);
  });

  test('stores a refusal based on state, but none based on the form of the request', async () => {
    const car = aCar();
    await dealer.post('vehicles', car);
    const taken = await dealer.post('vehicles', car, keyed('taken'));
    expect([taken.status, taken.json.error.code]).toEqual([409, 'plate_in_use']);
    // The effects and events of the refused write are rolled back.
    expect(await count('events', `payload like '%${car.plate}%'`)).toBe(1);
    expect(await count('audit_log', `request_id = '${taken.headers.get('x-request-id')}'`)).toBe(0);
    await admin.rows(`update vehicles set deleted_at = now() where plate = '${car.plate}'`);
    const again = await dealer.post('vehicles', car, keyed('taken'));
    expect(again.text).toBe(taken.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await dealer.post('vehicles', { ...car, km: -1 }, keyed('form'))).json.error.code).toBe('validation_failed');
    expect((await dealer.post('vehicles', { ...car, plate: aCar().plate }, keyed('form'))).status).toBe(201);
  });

  test.each([[''], ['two words'], ['ğ'], ['x'.repeat(256)]])('%j is refused', async (key) => {
    const refused = await dealer.post('vehicles', aCar(), keyed(Buffer.from(key).toString('latin1')));
    expect([refused.status, refused.json.error.code]).toEqual([400, 'idempotency_key_invalid']);
  });

  test('sent by concurrent requests, takes effect once', async () => {
    const car = aCar();
    const replies = await Promise.all(Array.from({ length: 20 }, () => dealer.post('vehicles', car, keyed('many'))));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await count('vehicles', `plate = '${car.plate}'`)).toBe(1);
  });

  test('is refused while the first request is in progress, also for a batch whose items may fail separately', async () => {
    const other = await openSession(api.adminUrl);
    await other.rows('begin');
    await other.rows(
      `insert into idempotency (account_id, key, endpoint, fingerprint, created_at) values ($1, 'busy', 'x', sha256(''), now())`,
      [dealer.accountId],
    );
    try {
      const refused = [
        await dealer.post('vehicles', aCar(), keyed('busy')),
        await dealer.post('vehicles/bulk-create', { vehicles: [aCar(), aCar()] }, keyed('busy')),
      ];
      for (const { status, json, headers } of refused)
        expect([status, json.error.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', '1']);
    } finally {
      await other.rows('rollback');
      await other.close();
    }
  });

  test('stores its reply encrypted', async () => {
    const car = aCar({ description: 'SEALED-MARKER' });
    await dealer.post('vehicles', car, keyed('sealed'));
    const [row] = await admin.rows<{ text: string }>(
      `select encode(body_encrypted, 'escape') as text from idempotency where key = 'sealed'`,
    );
    expect(row!.text).not.toContain('SEALED-MARKER');
  });
});

describe('a dry run', () => {
  test('returns what the real call would return and changes nothing', async () => {
    const car = aCar();
    const before = [await count('vehicles'), await count('events'), await count('audit_log'), await count('idempotency')];
    const dry = await dealer.post('vehicles', car, keyed('dry', { 'x-dry-run': 'true' }));
    expect([dry.status, dry.headers.get('dry-run')]).toEqual([201, 'true']);
    expect(dry.json.data.plate).toBe(car.plate);
    expect([await count('vehicles'), await count('events'), await count('audit_log'), await count('idempotency')]).toEqual(
      before,
    );
    expect((await dealer.post('vehicles', car, keyed('dry'))).headers.get('dry-run')).toBeNull();
    const refused = await dealer.post('vehicles', car, { 'x-dry-run': 'true' });
    expect([refused.status, refused.json.error.code]).toEqual([409, 'plate_in_use']);
  });

  test('requires the exact header value', async () => {
    const refused = await dealer.post('vehicles', aCar(), { 'x-dry-run': 'yes' });
    expect([refused.status, refused.json.error.param]).toEqual([400, 'X-Dry-Run']);
  });
});

describe('a body', () => {
  test('reports every error at once', async () => {
    const { brand: _, ...car } = aCar({ km: 'many', price: '1.000,50', colour: 'x' });
    const refused = await dealer.post('vehicles', car);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'validation_failed']);
    expect(refused.json.error.details.map(({ field, code }: { field: string; code: string }) => [field, code]).sort()).toEqual([
      ['brand', 'required'],
      ['colour', 'unknown_field'],
      ['km', 'invalid'],
      ['price', 'invalid_amount'],
    ]);
    const turkish = await dealer.post('vehicles', car, { 'accept-language': 'tr' });
    expect(turkish.json.error.details[0].message).not.toBe(refused.json.error.details[0].message);
  });

  test.each([
    ['{"brand":', 'application/json', 400, 'invalid_json'],
    ['[]', 'application/json', 400, 'invalid_json'],
    ['brand=VW', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    [`{"brand":"${'x'.repeat(300_000)}"}`, 'application/json', 413, 'payload_too_large'],
  ])('%.20s as %s is %i', async (body, type, status, code) => {
    const refused = await dealer.post('vehicles', body, { 'content-type': type });
    expect([refused.status, refused.json.error.code]).toEqual([status, code]);
  });

  test('that is compressed is refused and not decompressed', async () => {
    const refused = await dealer.post('vehicles', '{}', { 'content-encoding': 'gzip' });
    expect([refused.status, refused.json.error.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('If-Match', () => {
  test('accepts a write while the record is unchanged since it was read, and refuses it afterwards', async () => {
    const { id } = (await dealer.post('vehicles', aCar())).json.data;
    const etag = (await dealer.get(`vehicles/${id}`)).headers.get('etag')!;
    expect((await dealer.patch(`vehicles/${id}`, { km: 90_000 }, { 'if-match': etag })).status).toBe(200);
    const late = await dealer.patch(`vehicles/${id}`, { km: 91_000 }, { 'if-match': etag });
    expect([late.status, late.json.error.code]).toEqual([412, 'precondition_failed']);
    expect((await dealer.get(`vehicles/${id}`)).json.data.km).toBe(90_000);
    const reserve = await dealer.post(`vehicles/${id}/reserve`, {}, { 'if-match': etag });
    expect(reserve.status).toBe(412);
    expect((await dealer.delete(`vehicles/${id}`, { 'if-match': '*' })).status).toBe(200);
  });

  test('accepts one of several concurrent writes with the same tag', async () => {
    const { id } = (await dealer.post('vehicles', aCar())).json.data;
    const etag = (await dealer.get(`vehicles/${id}`)).headers.get('etag')!;
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, place) => dealer.patch(`vehicles/${id}`, { km: 1000 + place }, { 'if-match': etag })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });
});

test('a list is fresh immediately after a write', async () => {
  const before = await dealer.get('vehicles?limit=1');
  const same = await dealer.get('vehicles?limit=1', { 'if-none-match': before.headers.get('etag')! });
  expect(same.status).toBe(304);
  const made = await dealer.post('vehicles', aCar());
  const after = await dealer.get('vehicles?limit=1', { 'if-none-match': before.headers.get('etag')! });
  expect([after.status, after.json.data[0].id]).toEqual([200, made.json.data.id]);
});

test('concurrent writes on an account with a plan limit take turns without deadlock', async () => {
  const limited = await newDealer(api);
  await admin.rows(`update accounts set vehicle_limit = 15 where id = '${limited.accountId}'`);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => limited.post('vehicles', aCar(), keyed(`limit ${n}`.replace(' ', '-')))),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(15).fill(201), ...Array(5).fill(403)]);
  // Statistics of a connection are flushed within a second of its being idle.
  await wait(1500);
  const [row] = await admin.rows<{ deadlocks: bigint }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(row!.deadlocks).toBe(0n);
});
