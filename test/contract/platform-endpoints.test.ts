// Data that the platform writes is never cached: the next read sees an approval of any process, and no ETag contradicts it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { invoice, loadWallet } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api);
  await loadWallet(api, dealer.accountId, '100.00');
  await invoice(api, dealer.accountId);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const PLATFORM = /^GET (wallet|membership)(\/|$)/;
const endpoints = apiEndpoints(resources).filter(({ id }) => PLATFORM.test(id));

test('knows these endpoints', () => {
  expect(endpoints.map(({ id }) => id).sort()).toEqual([
    'GET membership',
    'GET membership/invoices',
    'GET membership/usage',
    'GET wallet',
    'GET wallet/topup-requests/{request_id}',
    'GET wallet/transactions',
    'GET wallet/transactions/{transaction_id}',
  ]);
});

test.each(endpoints.map(({ id, path }) => [id, path] as const))('%s has no ETag and is not cached', async (_, path) => {
  const idOf = async (table: string) =>
    (await admin.rows<{ id: string }>(`select id from ${table} where account_id = $1`, [dealer.accountId]))[0]!.id;
  const filled = path
    .replace('{request_id}', await idOf('wallet_topups'))
    .replace('{transaction_id}', await idOf('wallet_transactions'));
  for (let times = 0; times < 2; times += 1) {
    const answer = await dealer.get(filled);
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([200, null, 'no-store']);
  }
});

test('the next reply contains a change that this process was not notified of', async () => {
  expect((await dealer.get('membership')).json.data.auto_renew).toBe(true);
  await admin.rows('update memberships set auto_renew = false where account_id = $1', [dealer.accountId]);
  expect((await dealer.get('membership')).json.data.auto_renew).toBe(false);
  await admin.rows('update membership_invoices set invoice_no = $2 where account_id = $1', [dealer.accountId, 'F-1']);
  expect((await dealer.get('membership/invoices')).json.data[0].invoice_no).toBe('F-1');
});
