// A webhook brings only events that its maker may read in the panel; more are an owner's to add.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsBeyond } from '../../src/domain/webhooks/event-rights.ts';
import type { Delivery, DeliveryAttempt } from '../../src/domain/webhooks/webhook-delivery.ts';
import type { ReviewedWebhook } from '../../src/domain/webhooks/webhook-review.ts';
import { EVENT_KINDS } from '../../src/domain/writes/event-kinds.ts';
import { own, type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let developer: Browser;
let viewer: Browser;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  developer = await signedIn(service, await newPerson(service, { accountId, role: 'developer' }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
});
afterAll(() => service.close());

const URL = 'https://erp.example.com/galeri';
const add = (who: Browser, events: readonly string[]) =>
  who.api('v1/webhooks', { method: 'POST', body: { url: URL, events }, headers: { 'idempotency-key': crypto.randomUUID() } });
const edit = (who: Browser, id: string, body: object) => who.api(`v1/webhooks/${id}`, { method: 'PATCH', body });
const codeOf = ({ status, json }: Awaited<ReturnType<typeof add>>): string => (status < 300 ? 'ok' : json.error.code);

test('a developer adds a webhook for what a developer reads, and none that brings money', async () => {
  const made = await add(developer, ['vehicle.*', 'customer.created', 'import_run.failed']);
  expect(codeOf(made)).toBe('ok');
  for (const events of [['*'], ['vehicle.*', 'collection.created'], ['sale.*'], ['wallet_transaction.created']])
    expect(codeOf(await add(developer, events))).toBe('not_permitted');
  const refused = await add(developer, ['vehicle.*', 'collection.created', 'sale.*']);
  expect(refused.status).toBe(403);
  expect(refused.json.error.message).toContain('collection.created, sale.*');
  expect(refused.json.error.details).toMatchObject([{ field: 'events', code: 'not_permitted' }]);
  const { id } = made.json.data;
  expect(codeOf(await edit(developer, id, { events: ['vehicle.*', 'installment.paid'] }))).toBe('not_permitted');
  expect(codeOf(await edit(developer, id, { events: ['vehicle.sold'] }))).toBe('ok');
});

test('a developer pauses an owner’s webhook of money and sends it nowhere else', async () => {
  const { id } = (await add(owner, ['*'])).json.data;
  expect(codeOf(await edit(developer, id, { url: 'https://other.example.com/' }))).toBe('not_permitted');
  expect(codeOf(await edit(developer, id, { status: 'Pasif', description: 'Duraklatıldı' }))).toBe('ok');
  expect(codeOf(await edit(developer, id, { status: 'Aktif' }))).toBe('not_permitted');
  expect((await owner.api(`v1/webhooks/${id}`)).json.data).toMatchObject({ url: URL, status: 'Pasif', events: ['*'] });
  expect(codeOf(await edit(owner, id, { status: 'Aktif', url: 'https://other.example.com/' }))).toBe('ok');
  expect(codeOf(await edit(developer, id, { events: ['vehicle.*'], url: URL }))).toBe('ok');
});

test('a developer sees that an event of a record beyond their role was delivered, and nothing of its content', async () => {
  const { id } = (await add(owner, ['*'])).json.data;
  const headers = () => ({ 'idempotency-key': crypto.randomUUID() });
  await owner.api('v1/tasks', { method: 'POST', body: { title: 'Kasayı say' }, headers: headers() });
  await owner.api('v1/customers', {
    method: 'POST',
    body: { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905338000000' },
    headers: headers(),
  });
  await service.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`update webhook_deliveries set status = 'Başarılı', next_attempt_at = null, response_excerpt = 'Kasayı say'
      where account_id = ${theAccount} and webhook_id = ${id}`);
    await db.exec(sql`insert into webhook_attempts (account_id, delivery_id, number, created_at, response_status, response_excerpt,
        duration_ms)
      select account_id, id, 1, now(), 200, 'Kasayı say', 5 from ${own('webhook_deliveries')} where webhook_id = ${id}`);
  });
  const deliveries = async (who: Browser) => (await who.api(`v1/webhooks/${id}/deliveries`)).json.data as Delivery[];
  const idOf = async (kind: string) => (await deliveries(owner)).find(({ event_type }) => event_type === kind)!.id;
  const [task, customer] = [await idOf('task.created'), await idOf('customer.created')];
  const detail = (who: Browser, delivery: string) => who.api(`v1/webhooks/${id}/deliveries/${delivery}`);
  const attempts = async (who: Browser, delivery: string) =>
    (await who.api(`webhooks/${id}/deliveries/${delivery}/attempts`)).json.data as DeliveryAttempt[];

  const hidden = await detail(developer, task);
  expect(hidden.status).toBe(403);
  expect(hidden.json.error).toMatchObject({ code: 'not_permitted', message: expect.stringContaining('task.created') });
  expect(JSON.stringify(hidden.json)).not.toContain('Kasayı say');
  const seen = (await deliveries(developer)).map(({ event_type, status, response_excerpt }) => [
    event_type,
    status,
    response_excerpt,
  ]);
  expect(seen).toContainEqual(['task.created', 'Başarılı', null]);
  expect(seen).toContainEqual(['customer.created', 'Başarılı', 'Kasayı say']);
  expect(await attempts(developer, task)).toMatchObject([{ response_status: 200, response_excerpt: null }]);
  expect(await attempts(developer, customer)).toMatchObject([{ response_excerpt: 'Kasayı say' }]);
  expect((await detail(developer, customer)).json.data.payload.type).toBe('customer.created');
  const again = await developer.api(`v1/webhooks/${id}/deliveries/${task}/retry`, { method: 'POST', headers: headers() });
  expect(again.json.data).toMatchObject({ status: 'Bekliyor', response_excerpt: null });

  expect((await detail(viewer, task)).json.data.payload.data.object.title).toBe('Kasayı say');
  expect((await detail(owner, task)).json.data.payload.data.object.title).toBe('Kasayı say');
  expect((await attempts(owner, task))[0]!.response_excerpt).toBe('Kasayı say');
});

test('webhooks that developers made before the rule stay unchanged, and are listed until an owner has seen them', async () => {
  const { id } = (await add(developer, ['vehicle.*'])).json.data;
  const { id: ownersOne } = (await add(owner, ['*'])).json.data;
  const onPlatform = (statement: Sql) => service.database.onPlatform('write', (db) => db.exec(statement));
  await service.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`update webhooks set events = '{vehicle.*,sale.*}' where account_id = ${theAccount} and id = ${id}`),
  );
  const hasReview = async (): Promise<boolean> => (await owner.api('session')).json.data.has_webhook_review;
  const review = async (): Promise<ReviewedWebhook[]> => (await owner.api('webhook-review')).json.data;
  expect([await review(), await hasReview()]).toEqual([[], false]);
  // As in an account from before the rule.
  await onPlatform(sql`update accounts set webhooks_reviewed_at = null where id = ${accountId}`);
  expect(await hasReview()).toBe(true);
  const listed = await review();
  expect(listed.find((webhook) => webhook.id === id)).toMatchObject({ url: URL, events: ['sale.*'] });
  expect(listed.map((webhook) => webhook.id)).not.toContain(ownersOne);
  const seen = (who: Browser) => who.api('webhook-review/seen', { method: 'POST', body: {} });
  expect(codeOf(await developer.api('webhook-review'))).toBe('not_permitted');
  expect(codeOf(await seen(developer))).toBe('not_permitted');
  expect(codeOf(await seen(owner))).toBe('ok');
  expect([await review(), await hasReview()]).toEqual([[], false]);
  expect((await owner.api(`v1/webhooks/${id}`)).json.data.events).toEqual(['vehicle.*', 'sale.*']);
});

test('each kind of event belongs to a record that some roles read and the owner always does', () => {
  expect(eventsBeyond('owner', ['*', ...EVENT_KINDS])).toEqual([]);
  for (const role of ['developer', 'finance', 'sales'] as const) expect(eventsBeyond(role, ['*'])).toEqual(['*']);
  const beyond = eventsBeyond('developer', EVENT_KINDS);
  for (const kind of [
    'sale.created',
    'installment.paid',
    'collection.reversed',
    'promissory_note.collected',
    'wallet_topup.approved',
  ])
    expect(beyond).toContain(kind);
  for (const kind of ['vehicle.sold', 'customer.created', 'exchange_rate.updated', 'webhook.disabled'])
    expect(beyond).not.toContain(kind);
});
