import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { sql, theAccount } from '../../../src/kit/sql.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api, { country: 'TR' });
});
afterAll(() => api.close());

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const add = async (overrides: Record<string, unknown> = {}) =>
  (await dealer.post('tasks', { title: 'ara', ...overrides })).json.data;
const titles = async (query: string, of = dealer) =>
  (await of.get(`tasks?${query}`)).json.data.map(({ title }: { title: string }) => title);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

async function member(accountId: string, active = true): Promise<string> {
  const id = newId();
  await api.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`insert into members (account_id, id, full_name, role, active, created_at, updated_at)
      values (${theAccount}, ${id}, 'Deniz Kaya', 'sales', ${active}, now(), now())`),
  );
  return id;
}

test('a task is returned in full, with defaults for missing fields', async () => {
  const answer = await dealer.post('tasks', { title: '  Ayşe Hanım’ı  ara ' });
  expect(answer.status).toBe(201);
  const { data } = answer.json;
  expect(data).toMatchObject({ title: 'Ayşe Hanım’ı ara', status: 'Yapılacak', priority: 'Normal', due_at: null });
  expect(data).toMatchObject({ completed_at: null, is_overdue: false, sale_id: null, installment_id: null });
  expect((await dealer.get(`tasks/${data.id}`)).json.data).toEqual(data);
});

test('links must be live records of this account; every invalid one is named', async () => {
  const vehicle_id = await api.vehicle(dealer.accountId);
  const customer_id = await api.customer(dealer.accountId);
  const assignee_id = await member(dealer.accountId);
  expect(await add({ vehicle_id, customer_id, assignee_id })).toMatchObject({ vehicle_id, customer_id, assignee_id });
  const stranger = await newDealer(api);
  const wrong = {
    vehicle_id: await api.vehicle(dealer.accountId, { deleted_at: new Date() }),
    customer_id: await api.customer(stranger.accountId),
    assignee_id: await member(dealer.accountId, false),
    sale_id: newId(),
    installment_id: newId(),
  };
  const answer = await dealer.post('tasks', { title: 'x', ...wrong });
  expect(refusal(answer)).toEqual([422, 'unknown_reference']);
  const named = answer.json.error.details.map(({ field }: { field: string }) => field);
  expect(named.sort()).toEqual(Object.keys(wrong).sort());
});

test('a link to a record deleted later stays, and sending it again is not a change', async () => {
  const customer_id = await api.customer(dealer.accountId);
  const { id } = await add({ customer_id });
  expect((await dealer.delete(`customers/${customer_id}`)).status).toBe(200);
  expect((await dealer.patch(`tasks/${id}`, { customer_id, priority: 'Yüksek' })).json.data).toMatchObject({
    customer_id,
    priority: 'Yüksek',
  });
});

describe('its status', () => {
  const STATUSES = ['Yapılacak', 'Devam Ediyor', 'Tamamlandı', 'İptal'];
  const LEGAL = new Set([
    'Yapılacak → Devam Ediyor',
    'Yapılacak → Tamamlandı',
    'Yapılacak → İptal',
    'Devam Ediyor → Yapılacak',
    'Devam Ediyor → Tamamlandı',
    'Devam Ediyor → İptal',
    'Tamamlandı → Yapılacak',
    ...STATUSES.map((one) => `${one} → ${one}`),
  ]);
  test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('%s → %s', async (from, to) => {
    const { id } = await add({ status: from });
    const before = (await dealer.get(`tasks/${id}`)).json.data;
    expect(before.completed_at === null).toBe(from !== 'Tamamlandı');
    const events = await eventsBy(api, dealer.accountId, async () => {
      const answer = await dealer.patch(`tasks/${id}`, { status: to });
      if (!LEGAL.has(`${from} → ${to}`)) {
        expect(refusal(answer)).toEqual([409, 'invalid_transition']);
        expect(answer.json.error.message).toContain(`«${from}»`);
      } else expect(answer.json.data.completed_at === null).toBe(to !== 'Tamamlandı');
    });
    const moved = from !== to && LEGAL.has(`${from} → ${to}`);
    const expected = moved ? ['task.updated', ...(to === 'Tamamlandı' ? ['task.completed'] : [])] : [];
    expect(events.map(({ kind }) => kind)).toEqual(expected);
    if (moved) expect(events[0]!.payload.data).toMatchObject({ object: { id, status: to }, previous: { status: from } });
    else expect((await dealer.get(`tasks/${id}`)).json.data).toEqual(before);
  });
});

test('an edit emits the changed fields and their previous values; without changes it emits nothing', async () => {
  const { id, due_at } = await add({ due_at: inDays(2), description: 'bir\niki' });
  const [event] = await eventsBy(api, dealer.accountId, () => dealer.patch(`tasks/${id}`, { title: 'yaz', due_at: null }));
  expect(event!.payload.data).toMatchObject({ changed: ['title', 'due_at'], previous: { title: 'ara', due_at } });
  const same = { title: 'yaz', due_at: null, description: 'bir\niki', priority: 'Normal', status: 'Yapılacak' };
  expect(await eventsBy(api, dealer.accountId, () => dealer.patch(`tasks/${id}`, same))).toEqual([]);
});

test.each([
  [{}],
  [{ title: '' }],
  [{ title: 'x'.repeat(201) }],
  [{ title: 'x', status: 'Bitti' }],
  [{ title: 'x', due_at: 'yarın' }],
  [{ title: 'x', completed_at: null }],
  [{ title: 'x', is_overdue: true }],
])('%.60j is refused', async (body) => {
  expect(refusal(await dealer.post('tasks', body))).toEqual([422, 'validation_failed']);
});

test('the list is ordered by due time, tasks without one last, and supports filters', async () => {
  const own = await newDealer(api, { country: 'TR' });
  const assignee_id = await member(own.accountId);
  const vehicle_id = await api.vehicle(own.accountId);
  const customer_id = await api.customer(own.accountId);
  for (const task of [
    { title: 'never' },
    { title: 'later', due_at: inDays(9), priority: 'Yüksek', vehicle_id },
    { title: 'late', due_at: inDays(-1), assignee_id },
    { title: 'soon', due_at: inDays(1), customer_id },
    { title: 'done', due_at: inDays(-2), status: 'Tamamlandı' },
  ])
    expect((await own.post('tasks', task)).status).toBe(201);
  expect(await titles('', own)).toEqual(['done', 'late', 'soon', 'later', 'never']);
  expect(await titles('overdue=true', own)).toEqual(['late']);
  expect(await titles('status=Yap%C4%B1lacak&limit=2', own)).toEqual(['late', 'soon']);
  expect(await titles('priority=Y%C3%BCksek', own)).toEqual(['later']);
  expect(await titles(`assignee_id=${assignee_id}`, own)).toEqual(['late']);
  expect(await titles(`customer_id=${customer_id}`, own)).toEqual(['soon']);
  expect(await titles(`vehicle_id=${vehicle_id}`, own)).toEqual(['later']);
  expect(await titles(`sale_id=${newId()}`, own)).toEqual([]);
  expect(await titles(`due_before=${encodeURIComponent(inDays(3))}`, own)).toEqual(['done', 'late', 'soon']);
});

test('becomes overdue by the clock alone, in the list too, despite earlier reads', async () => {
  const own = await newDealer(api, { country: 'TR' });
  const { id } = (await own.post('tasks', { title: 'x', due_at: new Date(api.clock.now().getTime() + 60_000).toISOString() }))
    .json.data;
  const before = await own.get('tasks');
  expect(before.json.data[0].is_overdue).toBe(false);
  const etag = before.headers.get('etag')!;
  expect((await own.get('tasks', { 'if-none-match': etag })).status).toBe(304);
  api.clock.advance(61_000);
  try {
    expect((await own.get('tasks', { 'if-none-match': etag })).json.data[0].is_overdue).toBe(true);
    expect((await own.get(`tasks/${id}`)).json.data.is_overdue).toBe(true);
    expect(await titles('overdue=true', own)).toEqual(['x']);
    expect((await own.patch(`tasks/${id}`, { status: 'Tamamlandı' })).json.data.is_overdue).toBe(false);
  } finally {
    api.clock.advance(-61_000);
  }
});

test('a due date lasts until its end in the account’s time zone', async () => {
  expect((await add({ due_at: '2026-12-01' })).due_at).toBe('2026-12-01T20:59:59.999Z');
});

test('a deleted task is returned once more and then gone', async () => {
  const { id } = await add();
  const events = await eventsBy(api, dealer.accountId, async () =>
    expect((await dealer.delete(`tasks/${id}`)).json.data.id).toBe(id),
  );
  expect(events.map(({ kind }) => kind)).toEqual(['task.deleted']);
  for (const answer of [await dealer.get(`tasks/${id}`), await dealer.delete(`tasks/${id}`)])
    expect(refusal(answer)).toEqual([404, 'not_found']);
  expect((await dealer.get('tasks?limit=100')).json.data.map((one: { id: string }) => one.id)).not.toContain(id);
});
