import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let customer: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  customer = (await dealer.post('customers', aPerson({ id_no: 'OWNER 1' }))).json.data.id;
});
afterAll(() => api.close());

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const add = (overrides: Record<string, unknown> = {}, to = customer) =>
  dealer.post(`customers/${to}/guarantors`, aPerson(overrides));

test('a guarantor is returned without hidden fields, listed newest first and read by id', async () => {
  const body = aPerson({ relationship: 'İş Arkadaşı', email: 'kefil@example.com' });
  const answer = await dealer.post(`customers/${customer}/guarantors`, body);
  expect(answer.status).toBe(201);
  const { data } = answer.json;
  expect(data).toMatchObject({
    customer_id: customer,
    phone: '+905331234567',
    relationship: 'İş Arkadaşı',
    active_sale_count: 0,
  });
  for (const kept of [body.id_no, body.address, body.monthly_income, 'id_no', 'income']) expect(answer.text).not.toContain(kept);
  expect((await dealer.get(`guarantors/${data.id}`)).json.data).toEqual(data);
  expect((await dealer.get(`customers/${customer}/guarantors`)).json.data[0]).toEqual(data);
  const [row] = await api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.rows<{ text: string }>(sql`select guarantors::text as text from ${own('guarantors')} where id = ${data.id}`),
  );
  for (const kept of [body.id_no, body.address]) {
    expect(row!.text).not.toContain(kept);
    expect(row!.text).not.toContain(Buffer.from(kept).toString('hex'));
  }
});

test('events carry the ids of the guarantor and the customer only', async () => {
  const events = await eventsBy(api, dealer.accountId, async () => {
    const { id } = (await add()).json.data;
    await dealer.patch(`guarantors/${id}`, { address: 'elsewhere' });
    await dealer.delete(`guarantors/${id}`);
  });
  expect(events.map(({ kind }) => kind)).toEqual(['guarantor.created', 'guarantor.updated', 'guarantor.deleted']);
  for (const { id, payload } of events)
    expect(payload.data).toEqual({ object: { id, customer_id: customer }, changed: [], previous: {} });
});

test('an identity number is unique within a customer, and may be used for another customer', async () => {
  await add({ id_no: 'TWICE-1' });
  expect(refusal(await add({ id_no: 'twice 1' }))).toEqual([409, 'duplicate_guarantor']);
  const other = (await dealer.post('customers', aPerson())).json.data.id;
  expect((await add({ id_no: 'TWICE1' }, other)).status).toBe(201);
  const third = (await add()).json.data.id;
  expect(refusal(await dealer.patch(`guarantors/${third}`, { id_no: 'TWICE1' }))).toEqual([409, 'duplicate_guarantor']);
});

test('a customer cannot be their own guarantor, by creating or by editing', async () => {
  const answer = await add({ id_no: 'owner-1' });
  expect(refusal(answer)).toEqual([422, 'guarantor_is_customer']);
  expect(answer.json.error.details).toMatchObject([{ field: 'id_no' }]);
  const { id } = (await add()).json.data;
  expect(refusal(await dealer.patch(`guarantors/${id}`, { id_no: 'OWNER1' }))).toEqual([422, 'guarantor_is_customer']);
});

test('nor through concurrent writes: the customer takes the number while a guarantor is created with it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = (await dealer.post('customers', aPerson())).json.data.id;
    const id_no = `RACE${round}`;
    const replies = await Promise.all([dealer.patch(`customers/${id}`, { id_no }), add({ id_no }, id)]);
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(replies.filter((reply) => refusal(reply)[1] === 'guarantor_is_customer')).toHaveLength(1);
  }
});

test('an edit without changes writes and emits nothing; the customer cannot be changed', async () => {
  const body = aPerson({ relationship: 'Eş' });
  const { id, updated_at } = (await dealer.post(`customers/${customer}/guarantors`, body)).json.data;
  expect(await eventsBy(api, dealer.accountId, () => dealer.patch(`guarantors/${id}`, body))).toEqual([]);
  expect((await dealer.get(`guarantors/${id}`)).json.data.updated_at).toBe(updated_at);
  expect((await dealer.patch(`guarantors/${id}`, { relationship: null })).json.data.relationship).toBeNull();
  expect(refusal(await dealer.patch(`guarantors/${id}`, { customer_id: customer }))).toEqual([422, 'validation_failed']);
  expect(refusal(await dealer.patch(`guarantors/${id}`, { relationship: 'Komşu' }))).toEqual([422, 'validation_failed']);
});

test('a deleted guarantor is returned once more and then gone; the number is free again', async () => {
  const { data } = (await add({ id_no: 'GONE1' })).json;
  expect((await dealer.delete(`guarantors/${data.id}`)).json.data).toMatchObject({ id: data.id, customer_id: customer });
  for (const answer of [await dealer.get(`guarantors/${data.id}`), await dealer.delete(`guarantors/${data.id}`)])
    expect(refusal(answer)).toEqual([404, 'not_found']);
  expect(refusal(await dealer.patch(`guarantors/${data.id}`, { email: null }))).toEqual([404, 'not_found']);
  expect((await add({ id_no: 'GONE1' })).status).toBe(201);
});

test('unknown customers and those of another dealer have no guarantors', async () => {
  const foreign = await api.customer((await newDealer(api)).accountId);
  for (const id of [foreign, newId()]) {
    expect(refusal(await dealer.get(`customers/${id}/guarantors`))).toEqual([404, 'not_found']);
    expect(refusal(await add({}, id))).toEqual([404, 'not_found']);
  }
});
