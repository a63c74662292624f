// The platform's bank accounts: entered by administrators, seen by dealers who top up.
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  expect((await owner.api('wallet/bank-accounts')).json.data).toEqual([added.json.data]);
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
