// Which actions of the panel ask for the password again, and why the others do not. A new action must be in one of the lists.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, PASSWORD, signedIn } from './people.ts';

/** Grants rights, money or a secret, or cannot be undone. */
const AGAIN: Readonly<Record<string, string>> = {
  'POST me/totp': 'gives the secret of a second factor',
  'POST enquiries/{enquiry_id}/erase': 'erases personal data for good',
  'POST me/totp/confirm': 'gives recovery codes',
  'DELETE me/totp': 'removes a lock',
  'PATCH members/{member_id}': 'gives a role',
  'POST members/{member_id}/password-reset': 'gives a link that opens a person',
  'DELETE members/{member_id}/totp': 'removes a lock',
  'POST invitations': 'gives a link into the account',
  'POST agent-writes/{write_id}/approve': 'lets an agent move money or destroy data',
  'POST keys': 'gives a secret',
  'POST keys/{key_id}/rotate': 'gives a secret',
  'POST report-schedules': 'sends figures out of the house',
  'POST customers/{customer_id}/erase': 'cannot be undone',
  'POST customers/{customer_id}/reveal': 'shows personal data',
  'POST vehicles/{vehicle_id}/reveal': 'shows the cost of a vehicle',
  'POST sales/{sale_id}/reveal': 'shows the cost of a sold vehicle',
  'POST live-auctions/{event_id}/seat': 'allows bidding and selling in the room for as long as the page is open',
  'POST admin/accounts': 'gives a link into an account, as its owner',
  'POST admin/accounts/{account_id}/owner-invitations': 'gives a link into an account, as its owner',
  'POST admin/accounts/{account_id}/suspension': 'stops a dealer',
  'DELETE admin/accounts/{account_id}/suspension': 'gives rights back',
  'POST admin/keys/{key_id}/authorizations': 'gives rights',
  'POST admin/keys/{key_id}/limit': 'gives a limit',
  'POST admin/limit-requests/{request_id}/approve': 'gives a limit',
  'POST admin/accounts/{account_id}/topups/{request_id}/approve': 'gives money',
  'POST admin/bank-accounts': 'decides to whom dealers pay',
  'POST settings/bank-accounts': 'decides to whom customers pay',
  'DELETE settings/bank-accounts/{bank_account_id}': 'decides to whom customers pay',
  'POST admin/bank-accounts/{bank_account_id}/confirm': 'decides to whom dealers pay',
  'DELETE admin/bank-accounts/{bank_account_id}': 'decides to whom dealers pay',
  'POST admin/live-lots/{lot_id}/end': 'binds a dealer to buy',
  'PATCH admin/accounts/{account_id}/plan': 'gives limits',
  'PATCH admin/accounts/{account_id}/capabilities': 'gives rights',
  'POST admin/accounts/{account_id}/invoices': 'charges a dealer',
  'POST admin/accounts/{account_id}/invoices/{invoice_id}/settle': 'takes money',
  'POST admin/accounts/{account_id}/wallet-corrections': 'grants and removes money',
  'POST admin/decisions/{decision_id}/confirm': 'gives money or rights',
  'POST keys/{key_id}/row-requests/{request_id}/confirm': 'gives rows to a key',
  'POST owner-requests/{request_id}/approve': 'gives a link into the account, as its owner',
  'POST admin/releases/{slug}': 'opens a row to every dealer',
  'POST admin/administrators': 'gives a link to the platform',
  'POST admin/administrators/{person_id}/link': 'gives a link to the platform',
  'DELETE admin/people/{person_id}/totp': 'removes a lock',
  'DELETE admin/administrators/{person_id}': 'removes rights and needs a second administrator',
};

/** In some cases only: see key-gate. */
const SOMETIMES: Readonly<Record<string, string>> = {
  'PATCH keys/{key_id}': 'of a key with sensitive rows',
  'PATCH keys/{key_id}/policy': 'where it gives rows',
  'PATCH keys/{key_id}/agents': 'where agents may write, or the key has sensitive rows',
};

const NOT: Readonly<Record<string, string>> = {
  'POST agent-writes/{write_id}/reject': 'takes away',
  'POST world/reset': 'only of a sandbox; the name is typed in the panel',
  'POST world/clock': 'only of a sandbox',
  'POST session/account': 'to an account one is a member of already',
  'POST session/look': 'reads only, masked, and is written down',
  'POST session/end-look': 'takes away',
  'POST session/reauthenticate': 'takes the password',
  'DELETE sessions/{session_id}': 'takes away',
  'POST sessions/sign-out-everywhere': 'takes away',
  'PATCH me': 'name and appearance',
  'POST me/password': 'takes the password',
  'PATCH settings': 'grants no right',
  'PATCH settings/paper': 'text on the dealer’s papers',
  'POST enquiries': 'records a person who asked',
  'PATCH enquiries/{enquiry_id}': 'a stage of the sale',
  'POST enquiries/{enquiry_id}/notes': 'a note',
  'POST enquiries/{enquiry_id}/counter': 'records an amount that the dealer sends',
  'POST enquiries/{enquiry_id}/customer': 'adds a customer',
  'POST enquiries/{enquiry_id}/sale': 'a sale, as from the list of sales',
  'PATCH settings/showroom': 'shows cars that are published already',
  'POST customers/{customer_id}/page': 'a link that opens nothing without a code, as for signing',
  'POST customers/{customer_id}/page/revoke': 'takes away',
  'POST customers/{customer_id}/page/code': 'each person who sees it is recorded, as for signing',
  'POST settings/paper/logo': 'a picture on the dealer’s papers',
  'DELETE settings/paper/logo': 'takes away',
  'DELETE report-schedules/{schedule_id}': 'takes away',
  'DELETE invitations/{invitation_id}': 'takes away',
  'POST branches': 'grants no right',
  'PATCH branches/{branch_id}': 'grants no right',
  'POST branches/{branch_id}/main': 'grants no right',
  'DELETE branches/{branch_id}': 'only one that no record names',
  'POST staff': 'someone without a sign-in',
  'PATCH staff/{member_id}': 'of someone who signs in, neither role nor activity',
  'POST keys/{key_id}/revoke': 'takes away',
  'POST keys/{key_id}/limit-requests': 'a request; an administrator grants it',
  'POST views': 'one’s own',
  'PATCH views/{view_id}': 'one’s own',
  'DELETE views/{view_id}': 'one’s own',
  'POST import/preview': 'keeps nothing',
  'POST import/runs/{run_id}/errors/{error_id}/row': 'imports a row of a file that the person sent',
  'POST customers/{customer_id}/restore': 'work of every day',
  'POST sales/preview': 'keeps nothing',
  'POST sales/{sale_id}/preview': 'keeps nothing',
  'POST sales/{sale_id}/cancel-preview': 'keeps nothing',
  'POST collections/preview': 'keeps nothing',
  'POST sales/{sale_id}/notice': 'writes down a letter in the activity',
  'POST sales/{sale_id}/papers': 'work of every day',
  'POST sales/{sale_id}/papers/send': 'work of every day',
  'POST installments/{installment_id}/preview': 'keeps nothing',
  'POST promissory-notes/move': 'work of every day',
  'POST vehicles/undo-prices': 'work of every day',
  'POST till/closings': 'work of every day',
  'POST expenses': 'work of every day; it is reversed, never lost',
  'POST expenses/preview': 'keeps nothing',
  'POST expenses/{expense_id}/reverse': 'the reason is audited, and nothing is lost',
  'POST expenses/{expense_id}/file': 'adds a receipt',
  'POST expenses/recurring': 'proposes only',
  'DELETE expenses/recurring/{recurring_id}': 'ends proposals, and can be entered again',
  'POST expenses/recurring/{recurring_id}/enter': 'work of every day',
  'POST expenses/recurring/{recurring_id}/skip': 'work of every day',
  'POST cash-transfers': 'work of every day; it is reversed, never lost',
  'POST cash-transfers/{transfer_id}/reverse': 'the reason is audited, and nothing is lost',
  'POST installments/{installment_id}/reminders': 'work of every day',
  'POST till/closings/{closing_id}/reopen': 'the reason is audited, and nothing is lost',
  'POST live-auctions/lots/{lot_id}/call': 'a word in the room',
  'POST catalog/{slug}/vote': 'a wish',
  'DELETE catalog/{slug}/vote': 'a wish',
  'POST notices/{notice_id}/read': 'a mark',
  'POST admin/limit-requests/{request_id}/refuse': 'gives nothing',
  'POST admin/accounts/{account_id}/topups/{request_id}/reject': 'gives nothing',
  'POST admin/decisions/{decision_id}/withdraw': 'gives nothing',
  'POST owner-requests/{request_id}/refuse': 'gives nothing',
  'POST keys/{key_id}/row-requests/{request_id}/refuse': 'gives nothing',
  'POST key-review/seen': 'dismisses a list',
  'POST webhook-review/seen': 'dismisses a list',
  'POST admin/accounts/{account_id}/auction-requests/{request_id}/approve': 'a lot can be withdrawn again',
  'POST admin/accounts/{account_id}/auction-requests/{request_id}/reject': 'grants nothing; a dealer may request again',
  'POST admin/accounts/{account_id}/live-events': 'can be cancelled',
  'PATCH admin/live-events/{event_id}': 'a time, which can be changed again',
  'POST admin/live-events/{event_id}/cancel': 'removes; vehicles return to stock',
  'POST admin/live-events/{event_id}/order': 'an order, which can be changed again',
  'POST admin/live-lots/{lot_id}/withdraw': 'removes; the vehicle returns to stock',
  'POST admin/live-lots/{lot_id}/start': 'opens a lot; no one is bound before it is sold',
  'POST admin/live-lots/{lot_id}/call': 'a word in the room',
  'POST wallet/topup-requests/{request_id}/receipts': 'adds a page; an administrator gives',
};

let service: TestService;
let owner: Browser;
let admin: Browser;
let keyId: string;
beforeAll(async () => {
  service = await testService();
  const accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  admin = await signedIn(service, await newPerson(service, { admin: true }));
  keyId = (await service.key(accountId, { name: 'Site', endpoints: ['GET vehicles', 'GET account'] })).id;
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`update sessions set reauthenticated_at = now() - interval '11 minutes'`),
  );
});
afterAll(() => service.close());

const acts = panelEndpoints.filter((endpoint) => endpoint.method !== 'GET');

test('every action of the panel is in a list, and the lists hold nothing else', () => {
  const decided = [AGAIN, SOMETIMES, NOT].flatMap((list) => Object.keys(list));
  expect(new Set(decided).size).toBe(decided.length);
  expect(decided.sort()).toEqual(acts.map((endpoint) => endpoint.id).sort());
});

test.each(acts.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (id, endpoint) => {
  const browser = endpoint.who === 'admin' ? admin : owner;
  const path = endpoint.path.replace(/\{\w+\}/g, newId());
  const answer = await browser.api(path, { method: endpoint.method, body: { no_row_has_this_field: true } });
  expect(answer.json.error.code === 'reauthentication_required', answer.text).toBe(Object.hasOwn(AGAIN, id));
});

describe('of a key', () => {
  test('granting endpoints asks for it, removing them does not', async () => {
    const policy = (endpoints: string[]) => owner.api(`keys/${keyId}/policy`, { method: 'PATCH', body: { endpoints } });
    expect((await policy(['GET vehicles', 'GET account', 'GET customers'])).json.error?.code).toBe('reauthentication_required');
    expect((await policy(['GET vehicles'])).status).toBe(200);
  });
});

describe('through the panel', () => {
  test('every sensitive endpoint of the catalog that is built asks for it, and the one that returns a secret', async () => {
    const endpoints = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
    expect(endpoints.filter((endpoint) => endpoint.risk === 'sensitive').length).toBeGreaterThan(0);
    for (const endpoint of endpoints) {
      if (endpoint.scope === 'developer:read') continue;
      const path = `v1/${endpoint.path.replace(/\{\w+\}/g, newId())}`;
      const answer = await owner.api(path, { method: endpoint.method, body: { no_row_has_this_field: true } });
      expect(answer.json?.error?.code === 'reauthentication_required', `${endpoint.id} ${answer.text}`).toBe(
        endpoint.risk === 'sensitive' || endpoint.id === 'POST webhooks',
      );
    }
  });

  test('and succeeds once it was given', async () => {
    expect((await owner.api('session/reauthenticate', { method: 'POST', body: { password: PASSWORD } })).status).toBe(200);
    const answer = await owner.api('v1/import/connectors', { method: 'POST', body: {} });
    expect(answer.json.error.code).not.toBe('reauthentication_required');
  });
});
