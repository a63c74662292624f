import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/customers/customer-erase.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { eventsBy } from '../../support/events.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';

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

const erase = (id: string, { accountId }: Dealer = dealer) =>
  api.service.parts.writer.write(
    { dataSet: accountId, account: { id: accountId, timezone: 'UTC' }, actor: TEST_ACTOR, now: api.clock.now() },
    (work) => eraseCustomer(work, id),
  );

/** All texts in all tenant tables, except data that is purged after thirty days. */
async function everything(): Promise<string> {
  const tables = await admin.rows<{ name: string }>(`select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'
      and c.table_name not in ('idempotency', 'events') and c.table_name not like 'request\\_logs%'`);
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(...(await admin.rows<{ text: string }>(`select t::text as text from ${name} t`)).map(({ text }) => text));
  return texts.join('\n');
}

test('removes the person from every table and keeps the records', async () => {
  const mark = { first_name: 'ERASEDname', note: 'ERASEDnote', email: 'ERASED@example.com', external_ref: 'ERASED-1' };
  const id = (await dealer.post('customers', aPerson({ ...mark, phone: '+905339990001' }))).json.data.id;
  const other = (await dealer.post('customers', aPerson({ first_name: 'KEPTname', note: 'KEPTnote' }))).json.data.id;
  await dealer.post(`customers/${id}/guarantors`, aPerson({ last_name: 'ERASEDkefil', phone: '+905339990001' }));
  await dealer.post(`customers/${id}/activity`, { kind: 'Arama', note: 'ERASEDcall' });
  await dealer.post(`customers/${other}/activity`, { kind: 'Arama', note: 'KEPTcall' });
  await dealer.post('tasks', { title: 'ERASEDtitle', description: 'ERASEDwords', customer_id: id });
  const car = (await dealer.post('vehicles', aCar())).json.data.id;
  expect((await dealer.post(`vehicles/${car}/reserve`, { customer_id: id, note: 'ERASEDhold' })).status).toBe(200);
  // The first remark was replaced by another, but is still in the vehicle's history.
  expect((await dealer.post(`vehicles/${car}/reserve`, { customer_id: id, note: 'ERASEDlater' })).status).toBe(200);
  expect((await dealer.patch(`vehicles/${car}`, { status: 'Stokta' })).status).toBe(200);
  expect((await dealer.post(`vehicles/${car}/reserve`, { customer_id: other, note: 'KEPThold' })).status).toBe(200);
  expect((await dealer.patch(`vehicles/${car}`, { status: 'Stokta' })).status).toBe(200);
  expect((await dealer.post(`vehicles/${car}/reserve`, { customer_id: id, note: 'ERASEDagain' })).status).toBe(200);
  await expect(erase(id)).rejects.toMatchObject({ code: 'customer_has_reservation' });
  expect(await everything()).toContain('ERASED');
  expect((await dealer.patch(`vehicles/${car}`, { status: 'Stokta' })).status).toBe(200);
  const events = await eventsBy(api, dealer.accountId, async () =>
    expect(await erase(id)).toMatchObject({ id, guarantors: 1, activities: 1, tasks: 1, reservations: 2 }),
  );
  expect(events.map(({ kind }) => kind)).toEqual(['customer.deleted', 'guarantor.deleted', 'task.updated']);
  // Open tasks are cancelled, and their events do not carry the text.
  expect(JSON.stringify(events)).not.toMatch(/ERASED/);
  const [task] = await admin.rows<{ status: string }>(`select status from tasks where customer_id = '${id}'`);
  expect(task!.status).toBe('İptal');
  const left = await everything();
  expect(left).not.toMatch(/ERASED/);
  expect(left).not.toContain('905339990001');
  for (const kept of ['KEPTname', 'KEPTnote', 'KEPTcall', 'KEPThold']) expect(left).toContain(kept);
  expect((await dealer.get(`customers/${id}`)).status).toBe(404);
  const [row] = await admin.rows<Record<string, unknown>>(`select * from customers where id = '${id}'`);
  for (const column of [
    'id_no_encrypted',
    'id_no_index',
    'address_encrypted',
    'monthly_income_encrypted',
    'birth_date_encrypted',
  ])
    expect(row![column], column).toBeNull();
  const [audited] = await admin.rows<{ n: bigint }>(
    `select count(*) as n from audit_log where action = 'customer.erased' and target = '${id}'`,
  );
  expect(Number(audited!.n)).toBe(1);
});

test('erases a customer who is already deleted without another event, and a second time without effect', async () => {
  const id = (await dealer.post('customers', aPerson({ last_name: 'GONEname' }))).json.data.id;
  await dealer.delete(`customers/${id}`);
  expect(await everything()).toContain('GONEname');
  expect(await eventsBy(api, dealer.accountId, () => erase(id))).toEqual([]);
  expect(await everything()).not.toContain('GONEname');
  await erase(id);
});

test("refuses to erase another dealer's customer", async () => {
  const stranger = await newDealer(api);
  const id = await api.customer(stranger.accountId);
  await expect(erase(id)).rejects.toMatchObject({ code: 'not_found' });
});
