// The platform's bank accounts: entered by administrators, seen by dealers who top up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let admin: Browser;
let owner: Browser;
beforeAll(async () => {
  api = await testService();
  admin = await signedIn(api, await newPerson(api, { admin: true }));
  owner = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
});
afterAll(() => api.close());

const add = (iban: string) =>
  admin.api('admin/bank-accounts', { method: 'POST', body: { bank: 'Ziraat', holder: 'Galeri A.Ş.', iban } });

test('an account is entered with a valid IBAN, once, and shown to dealers until it is removed', async () => {
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([]);
  const added = await add('tr33 0006 1005 1978 6457 8413 26');
  expect(added.status, added.text).toBe(200);
  expect(added.json.data).toMatchObject({ bank: 'Ziraat', iban: 'TR330006100519786457841326' });
  const { is_confirmed, ...shown } = added.json.data;
  expect(is_confirmed).toBe(true);
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([shown]);
  expect((await add('TR330006100519786457841326')).json.error.details).toMatchObject([{ field: 'iban', code: 'duplicate' }]);
  const removed = await admin.api(`admin/bank-accounts/${added.json.data.id}`, { method: 'DELETE' });
  expect(removed.status, removed.text).toBe(200);
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([]);
  expect((await admin.api(`admin/bank-accounts/${added.json.data.id}`, { method: 'DELETE' })).status).toBe(404);
});

test('an IBAN with wrong check digits is refused, and a dealer enters none', async () => {
  for (const iban of ['TR330006100519786457841327', 'TR33', '0006100519786457841326'])
    expect((await add(iban)).json.error.details, iban).toMatchObject([{ field: 'iban' }]);
  expect((await owner.api('admin/bank-accounts', { method: 'POST', body: {} })).status).toBe(403);
});

test('once there are two administrators, dealers see an account after the second has confirmed it, also if the code is wrong', async () => {
  const second = await signedIn(api, await newPerson(api, { admin: true }));
  const confirm = (id: string, by: Browser) => by.api(`admin/bank-accounts/${id}/confirm`, { method: 'POST', body: {} });
  const { id, is_confirmed } = (await add('GB82 WEST 1234 5698 7654 32')).json.data;
  expect(is_confirmed).toBe(false);
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([]);
  const mayConfirm = async (by: Browser) => (await by.api('admin/bank-accounts')).json.data[0].may_confirm;
  expect([await mayConfirm(admin), await mayConfirm(second)]).toEqual([false, true]);
  expect((await confirm(id, admin)).json.error.code).toBe('second_person_required');
  expect((await confirm(id, owner)).status).toBe(403);
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([]);

  const insert = api.database.onPlatform('write', (db) =>
    db.exec(sql`insert into platform_bank_accounts (id, bank, holder, iban, created_at, is_confirmed)
      values (${newId()}, 'Banka', 'Biri', 'DE89370400440532013000', now(), true)`),
  );
  await expect(insert).rejects.toThrow('needs two administrators');
  const update = api.database.onPlatform('write', (db) =>
    db.exec(sql`update platform_bank_accounts set is_confirmed = true, confirmed_by = added_by where id = ${id}`),
  );
  await expect(update).rejects.toThrow('needs two administrators');

  const answers = await Promise.all([confirm(id, second), confirm(id, second)]);
  expect(answers.map(({ json }) => json.error?.code ?? 'done').sort()).toEqual(['decided_meanwhile', 'done']);
  expect((await owner.api('wallet/bank-accounts')).json.data).toMatchObject([{ id, iban: 'GB82WEST12345698765432' }]);
});
