// GET customers/{customer_id}: the list's fields, the remark and the debts; never personal data.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { type TestService, testService } from '../../support/service.ts';

let api: TestService;
let accountId: string;
let key: string;

beforeAll(async () => {
  api = await testService();
  await api.release('Aktif', 'GET customers/{customer_id}');
  accountId = await api.account();
  key = (await api.key(accountId)).secret;
});
afterAll(() => api.close());

const read = (id: string, as = key) => api.call(`customers/${id}`, { key: as });

test('returns the list’s fields, the remark, and no debts while nothing has been sold', async () => {
  const note = 'Cumartesi aranmak istiyor\nİngilizce konuşur';
  const id = await api.customer(accountId, { email: 'isik@example.com', note });
  const listed = (await api.call('customers?q=isik@example.com', { key })).json.data[0];
  const { data } = (await read(id)).json;
  const person = { kind: 'Bireysel', company_name: null, tax_office: null, notice_given_on: null, reminder_opt_out: false };
  expect(data).toEqual({
    ...listed,
    ...person,
    external_ref: null,
    note,
    open_sale_count: 0,
    balances: [],
    deleted_at: null,
  });
  expect(Object.keys(data)).toEqual([
    ...Object.keys(listed),
    ...Object.keys(person),
    'external_ref',
    'note',
    'open_sale_count',
    'balances',
    'deleted_at',
  ]);
});

test('never returns identity number, address, income or birth date, not even encrypted', async () => {
  const sealed = Buffer.from('sealed-7f3a');
  const id = await api.customer(accountId, {
    id_no_encrypted: sealed,
    id_no_index: sealed,
    address_encrypted: sealed,
    monthly_income_encrypted: sealed,
    birth_date_encrypted: sealed,
  });
  const { text } = await read(id);
  for (const kept of ['id_no', 'address', 'income', 'birth', 'sealed', sealed.toString('hex'), sealed.toString('base64')])
    expect(text).not.toContain(kept);
});

test("returns the same 404 for a deleted customer, another dealer's and one that does not exist", async () => {
  const stranger = await api.account();
  const foreign = await api.customer(stranger);
  const deleted = await api.customer(accountId, { deleted_at: new Date() });
  const answers = [await read(deleted), await read(foreign), await read(newId()), await read('nobody')];
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.json.error).toEqual(answers[0]!.json.error);
  }
  expect((await read(foreign, (await api.key(stranger)).secret)).status).toBe(200);
});
