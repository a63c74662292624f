// A webhook brings only events that its maker may read in the panel; more are an owner's to add.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsBeyond } from '../../src/domain/webhooks/event-rights.ts';
import { EVENT_KINDS } from '../../src/domain/writes/event-kinds.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let owner: Browser;
let developer: Browser;
beforeAll(async () => {
  service = await testService();
  const accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  developer = await signedIn(service, await newPerson(service, { accountId, role: 'developer' }));
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
