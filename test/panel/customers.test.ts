// What only the panel does with customers: restoring a deleted one, erasure by the owner; and concurrent edits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { eventsBy } from '../support/events.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
let owner: Browser;
let seller: Browser;

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  seller = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'sales' }));
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const newCustomer = async (overrides: Record<string, unknown> = {}): Promise<string> =>
  (await dealer.post('customers', aPerson(overrides))).json.data.id;
const deletedIds = async (who = seller): Promise<string[]> =>
  (await who.api('customers/deleted?limit=100')).json.data.map(({ id }: { id: string }) => id);
const restore = (id: string, who = seller) => who.api(`customers/${id}/restore`, { method: 'POST' });
const erase = (id: string, typed_name: string, who = owner) =>
  who.api(`customers/${id}/erase`, { method: 'POST', body: { typed_name } });

test('restores a deleted customer with the guarantors deleted with them, and emits it', async () => {
  const id = await newCustomer({ first_name: 'Geri', last_name: 'Gelen', id_no: '11122233344' });
  const early = (await dealer.post(`customers/${id}/guarantors`, aPerson({ first_name: 'Erken' }))).json.data.id;
  const with_ = (await dealer.post(`customers/${id}/guarantors`, aPerson({ first_name: 'Birlikte' }))).json.data.id;
  await dealer.delete(`guarantors/${early}`);
  await dealer.delete(`customers/${id}`);
  expect(await deletedIds()).toEqual([id]);
  const events = await eventsBy(api, dealer.accountId, async () => expect((await restore(id)).status).toBe(200));
  expect(events.map(({ kind }) => kind)).toEqual(['customer.updated', 'guarantor.updated']);
  expect((await dealer.get(`customers/${id}`)).json.data).toMatchObject({ first_name: 'Geri', deleted_at: null });
  const guarantors = (await dealer.get(`customers/${id}/guarantors`)).json.data;
  expect(guarantors.map((one: { id: string }) => one.id)).toEqual([with_]);
  expect(await deletedIds()).toEqual([]);
  // A second time changes nothing.
  expect(await eventsBy(api, dealer.accountId, async () => expect((await restore(id)).status).toBe(200))).toEqual([]);
});

test('refuses to restore while another has the identity number, for a viewer, and for another dealer', async () => {
  const id = await newCustomer({ id_no: '55566677788' });
  await dealer.delete(`customers/${id}`);
  const heir = await newCustomer({ id_no: '55566677788' });
  const refused = await restore(id);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'duplicate_customer']);
  expect(await deletedIds()).toEqual([id]);
  await dealer.patch(`customers/${heir}`, { id_no: null });
  const viewer = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'viewer' }));
  expect((await restore(id, viewer)).status).toBe(403);
  expect((await viewer.api('customers/deleted')).status).toBe(403);
  const stranger = await signedIn(api, await newPerson(api, { accountId: (await newDealer(api)).accountId }));
  expect((await restore(id, stranger)).status).toBe(404);
  expect(await deletedIds(stranger)).toEqual([]);
  expect((await restore(id)).status).toBe(200);
});

test('erasure requires the owner, a recent password and the typed name; erased customers cannot be restored', async () => {
  const id = await newCustomer({ first_name: 'Unutulmak', last_name: 'İsteyen' });
  expect((await erase(id, 'Unutulmak İsteyen', seller)).status).toBe(403);
  const wrong = await erase(id, 'Unutulmak');
  expect([wrong.status, wrong.json.error.details[0].field]).toEqual([422, 'typed_name']);
  expect((await dealer.get(`customers/${id}`)).status).toBe(200);
  const late = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  await admin.rows(`update sessions set reauthenticated_at = now() - interval '11 minutes'
    where reauthenticated_at = (select max(reauthenticated_at) from sessions)`);
  const reply = await erase(id, 'Unutulmak İsteyen', late);
  expect([reply.status, reply.json.error.code]).toEqual([403, 'reauthentication_required']);
  expect((await late.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } })).status).toBeLessThan(300);
  expect((await erase(id, ' Unutulmak İsteyen ', late)).json.data).toMatchObject({ id });
  expect((await dealer.get(`customers/${id}`)).status).toBe(404);
  expect(await deletedIds()).not.toContain(id);
  expect((await restore(id)).status).toBe(404);
  expect((await erase(id, 'Silinmiş Kayıt')).status).toBe(404);
  const [audited] = await admin.rows<{ actor_type: string }>(
    `select actor_type from audit_log where action = 'customer.erased' and target = '${id}'`,
  );
  expect(audited!.actor_type).toBe('panel');
});

test('a form’s record has an ETag; a write with it is refused once the record has changed', async () => {
  const id = await newCustomer();
  const read = await seller.api(`v1/customers/${id}`);
  const tag = read.headers.get('etag')!;
  expect(tag).toMatch(/^W\//);
  const write = (headers: Record<string, string>) =>
    seller.api(`v1/customers/${id}`, { method: 'PATCH', body: { note: 'Yeni not' }, headers });
  await dealer.patch(`customers/${id}`, { note: 'Arada yazıldı' });
  const refused = await write({ 'if-match': tag });
  expect([refused.status, refused.json.error.code]).toEqual([412, 'precondition_failed']);
  expect((await dealer.get(`customers/${id}`)).json.data.note).toBe('Arada yazıldı');
  const now = (await seller.api(`v1/customers/${id}`)).headers.get('etag')!;
  expect((await write({ 'if-match': now })).json.data.note).toBe('Yeni not');
  // A viewer sees part of a phone: the tag of the full record would confirm a guess.
  const viewer = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'viewer' }));
  expect((await viewer.api(`v1/customers/${id}`)).headers.get('etag')).toBeNull();
});

test('changing the time zone moves the end of records that end by day', async () => {
  const zoned = await newDealer(api, { country: 'TR' });
  const boss = await signedIn(api, await newPerson(api, { accountId: zoned.accountId }));
  const { id } = (await zoned.post('vehicles', aCar())).json.data;
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  expect((await zoned.post(`vehicles/${id}/reserve`, { reserved_until: day })).status).toBe(200);
  const due = async () =>
    (
      await admin.rows<{ at: Date }>(`select next_due_at as at from data_sets where id = '${zoned.accountId}'`)
    )[0]!.at.toISOString();
  expect(await due()).toBe(`${day}T21:00:00.000Z`);
  expect((await boss.api('settings', { method: 'PATCH', body: { timezone: 'Asia/Tokyo' } })).status).toBe(200);
  expect(await due()).toBe(`${day}T15:00:00.000Z`);
  expect((await boss.api('settings', { method: 'PATCH', body: { timezone: 'America/Lima' } })).status).toBe(200);
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  expect(await due()).toBe(`${next}T05:00:00.000Z`);
});
