// Timed transitions, with the clock moved: no reader is shown a state that has ended, whether or not a sweeper ran.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditQuietly } from '../../src/domain/writes/audit-quietly.ts';
import { SYSTEM } from '../../src/domain/writes/write.ts';
import { runTimedTransitions } from '../../src/jobs/run-timed-transitions.ts';
import { dayIn } from '../../src/kit/clock.ts';
import { own, sql } from '../../src/kit/sql.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

const DAY = 86_400_000;
const ZONE = 'Asia/Famagusta';

let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const dayFromNow = (days: number): string => dayIn(new Date(api.clock.now().getTime() + days * DAY), ZONE);

async function reserved(dealer: Dealer, days: number): Promise<string> {
  const { id } = (await dealer.post('vehicles', aCar())).json.data;
  const held = await dealer.post(`vehicles/${id}/reserve`, { reserved_until: dayFromNow(days) });
  expect([held.status, held.json.data.status]).toEqual([200, 'Rezerve']);
  return id;
}

const dueOf = async ({ accountId }: Dealer): Promise<Date | null> =>
  (await admin.rows<{ due: Date | null }>(`select next_due_at as due from data_sets where id = '${accountId}'`))[0]!.due;

const eventsOf = async (id: string): Promise<string[]> =>
  (await admin.rows<{ kind: string }>(`select kind from events where resource_id = '${id}' order by sequence`)).map(
    ({ kind }) => kind,
  );

test('a reservation ends with its last day, in the list, in the detail and for an ETag, for the first reader', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const first = await reserved(dealer, 0);
  const second = await reserved(dealer, 3);
  const list = await dealer.get('vehicles?status=Rezerve');
  expect(list.json.meta.count).toBe(2);
  expect((await dealer.get('vehicles?status=Rezerve')).json.meta.count).toBe(2);
  api.clock.advance(DAY);
  const after = await dealer.get('vehicles?status=Rezerve', { 'if-none-match': list.headers.get('etag')! });
  expect([after.status, after.json.data.map((car: { id: string }) => car.id)]).toEqual([200, [second]]);
  expect((await dealer.get(`vehicles/${first}`)).json.data).toMatchObject({ status: 'Stokta', reservation: null });
  expect((await eventsOf(first)).slice(-2)).toEqual(['vehicle.reservation_released', 'vehicle.status_changed']);
  const [entry] = (await dealer.get(`vehicles/${first}/history`)).json.data;
  expect(entry).toMatchObject({ event: 'reservation_released', actor: { type: 'system' } });
  expect(dayIn((await dueOf(dealer))!, ZONE)).toBe(dayFromNow(3));
  api.clock.advance(3 * DAY);
  // A write sees the same: an ended reservation is free for the next.
  expect((await dealer.post(`vehicles/${second}/reserve`, { reserved_until: dayFromNow(0) })).status).toBe(200);
  expect((await eventsOf(second)).filter((kind) => kind === 'vehicle.reserved')).toHaveLength(2);
});

test('a write that keeps the version does not make the service forget due times', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const id = await reserved(dealer, 0);
  const { database } = api.service.parts.writer;
  await auditQuietly(database, dealer.accountId, SYSTEM, 'vehicle.read', () => Promise.resolve(id));
  api.clock.advance(DAY);
  expect((await dealer.get(`vehicles/${id}`)).json.data.status).toBe('Stokta');
});

test('refuses a write that ends without its next due time', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const statement = sql`select version from ${own('data_sets')}`;
  await expect(
    api.service.parts.writer.database.inTenant(
      dealer.accountId,
      'write',
      () => Promise.resolve(),
      () => [{ dataSet: dealer.accountId, statement }],
    ),
  ).rejects.toThrow('must return version and next_due_at');
});

test('concurrent requests end it once', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const id = await reserved(dealer, 0);
  await dealer.get('vehicles');
  api.clock.advance(DAY);
  const replies = await Promise.all(Array.from({ length: 12 }, () => dealer.get(`vehicles/${id}`)));
  expect(new Set(replies.map(({ json }) => json.data.status))).toEqual(new Set(['Stokta']));
  expect((await eventsOf(id)).filter((kind) => kind === 'vehicle.reservation_released')).toHaveLength(1);
});

test('the sweeper ends records that are not requested', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const id = await reserved(dealer, 0);
  api.clock.advance(DAY);
  expect(await runTimedTransitions(api.service.parts.writer, api.clock.now())).toBeGreaterThan(0);
  const [row] = await admin.rows<{ status: string }>(`select status from vehicles where id = '${id}'`);
  expect(row!.status).toBe('Stokta');
  expect(await dueOf(dealer)).toBeNull();
  const [note] = (await dealer.get('notifications')).json.data;
  expect(note).toMatchObject({ kind: 'vehicle.reservation_released', resource_id: id, read_at: null });
  expect(await runTimedTransitions(api.service.parts.writer, api.clock.now())).toBe(0);
});

test('a record released early leaves nothing to end', async () => {
  const dealer = await newDealer(api, { country: 'KKTC' });
  const id = await reserved(dealer, 0);
  expect((await dealer.patch(`vehicles/${id}`, { status: 'Stokta' })).status).toBe(200);
  const emitted = await eventsOf(id);
  api.clock.advance(DAY);
  expect((await dealer.get(`vehicles/${id}`)).json.data.status).toBe('Stokta');
  expect(await eventsOf(id)).toEqual(emitted);
  expect(await dueOf(dealer)).toBeNull();
});
