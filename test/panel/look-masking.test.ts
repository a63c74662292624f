// An administrator views a dealer's account in which every text contains a phone number and an address: no endpoint of the panel
// or the catalog returns them. New endpoints are covered automatically, and fail here until their parameters lead to a record.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BOARD_LANES } from '../../src/domain/receivables/receivables-states.ts';
import { newId } from '../../src/kit/ids.ts';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { until } from '../support/patience.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { testSandbox } from '../support/worlds.ts';
import { openAll } from '../support/writer.ts';
import { type Dealer, fillDealer } from '../tenancy/dealers.ts';
import { type Browser, newPerson, signedIn } from './people.ts';
import { openTail } from './tail.ts';

const TAG = 'ayten';
/** As stored and as people write it, and two addresses. */
const CANARIES = '+905336668899 0533 666 88 99 (0392) 666 88 99 5336668899 canary@gizli.example çınar.canary@gizli.example';
const PERSONAL = /5336668899|3926668899|canary|53377777|ayten[\w.]*@|ayten (id|address)|kisi\d+@|ID7CANARY/i;

/** The parts that must not be legible, in any spelling. */
const personalIn = (text: string): string | null =>
  PERSONAL.exec(decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '')).replace(/(?<=\d)[ ().-]{1,2}(?=\d)/g, ''))?.[0] ??
  null;

let service: TestService;
let admin: Session;
let dealer: Dealer;
let owner: Browser;
let viewer: Browser;
let looking: Browser;
let line: string;
let branch: string;
let sale: string;
let note: string;
beforeAll(async () => {
  service = await testService({ env: { SANDBOX: 'isolated' }, sandbox: testSandbox });
  await openAll(service);
  admin = await openSession(service.adminUrl);
  dealer = await fillDealer(service, TAG, 7);
  const { accountId } = dealer;
  owner = await signedIn(service, await newPerson(service, { accountId }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  looking = await signedIn(service, await newPerson(service, { admin: true }));
  await service.customer(accountId, { phone: '+905336668899', deleted_at: new Date() });
  await fillWithCanaries();
  branch = (await idsOf('branches'))[0]!;
  sale = (await idsOf('sales'))[0]!;
  note = (await idsOf('promissory_notes'))[0]!;
  const headers = { 'user-agent': 'canary@gizli.example' };
  const reply = await service.call('customers/+905336668899', { key: dealer.keys.all.secret, headers });
  line = reply.headers.get('x-request-id')!;
  await service.logged();
  await looking.api('session/look', { method: 'POST', body: { account_id: accountId } });
});
afterAll(async () => {
  await admin.close();
  await service.close();
});

/** Every personal text of the dealer also contains this, as far as its column allows. */
async function fillWithCanaries(): Promise<void> {
  const columns = await admin.rows<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
      where table_name = any($1) and data_type = 'text' and is_generated = 'NEVER'`,
    [[...TENANT_TABLES]],
  );
  let filled = 0;
  for (const { table_name: table, column_name: column } of columns) {
    const whose = table === 'accounts' || table === 'data_sets' ? 'id' : 'account_id';
    const update = `update ${table} set "${column}" = "${column}" || $3 where ${whose} = $1 and "${column}" like $2`;
    filled += await admin.rows(`${update} returning 1`, [dealer.accountId, `%${TAG}%`, ` ${CANARIES}`]).then(
      (rows) => Math.min(rows.length, 1),
      () => 0,
    );
  }
  expect(filled).toBeGreaterThan(30);
  const object = { phone: '+905336668899', email: 'canary@gizli.example', id_no: 'ID7CANARY', note: CANARIES };
  await admin.rows('update events set payload = $2 where account_id = $1', [
    dealer.accountId,
    JSON.stringify({ id: newId(), type: 'customer.created', data: { object } }),
  ]);
  await admin.rows("update guarantors set phone = '+905336668899', email = 'canary@gizli.example' where account_id = $1", [
    dealer.accountId,
  ]);
  await admin.rows(
    "update invitations set expires_at = now() + interval '1 day', invited_by = (select id from people limit 1) where account_id = $1",
    [dealer.accountId],
  );
  await admin.rows("update import_row_errors set key = '0533 666 88 99' where account_id = $1", [dealer.accountId]);
}

const TABLES: Readonly<Record<string, string>> = {
  guarantor_id: 'guarantors',
  task_id: 'tasks',
  notification_id: 'notifications',
  run_id: 'import_runs',
  connector_id: 'import_connectors',
  webhook_id: 'webhooks',
  delivery_id: 'webhook_deliveries',
  error_id: 'import_row_errors',
  branch_id: 'branches',
  key_id: 'api_keys',
  photo_id: 'vehicle_photos',
  video_id: 'vehicle_videos',
  sale_id: 'sales',
  collection_id: 'collections',
  promise_id: 'payment_promises',
  note_id: 'promissory_notes',
  document_id: 'documents',
  closing_id: 'till_closings',
  enquiry_id: 'enquiries',
  expense_id: 'expenses',
  recurring_id: 'recurring_expenses',
  transfer_id: 'cash_transfers',
  listing_id: 'listings',
  offer_id: 'network_offers',
  auction_id: 'network_auctions',
  event_id: 'live_events',
  lot_id: 'live_lots',
  transaction_id: 'wallet_transactions',
  order_id: 'boost_orders',
  plan_id: '(select account_id, plan_id as id from sales) plans',
};

/** By the first word of the path. */
const REQUESTS: Readonly<Record<string, string>> = {
  wallet: 'wallet_topups',
  'trade-requests': 'trade_requests',
  'auction-requests': 'auction_requests',
};

/** Parameters that are not ids, and ids whose records hold more. */
const valuesOf = (name: string): readonly string[] | undefined =>
  ({
    line: [line],
    slug: ['get-vehicles'],
    lane: BOARD_LANES,
    currency_pair: ['EUR-TL'],
    vehicle_id: dealer.vehicles,
    customer_id: dealer.customers,
  })[name];

async function pathsOf(path: string): Promise<string[]> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  // Dealers' offers and consumers' have the same name in their paths.
  const isConsumers = name === 'offer_id' && path.startsWith('marketplace/');
  const table = name === 'request_id' ? REQUESTS[path.split('/')[0]!] : isConsumers ? 'marketplace_offers' : TABLES[name];
  const some = valuesOf(name) ?? (table === undefined ? [] : await idsOf(table));
  expect(some.length, `${path} has a parameter that leads nowhere`).toBeGreaterThan(0);
  return (await Promise.all(some.map((one) => pathsOf(path.replace(`{${name}}`, one))))).flat();
}

const idsOf = async (table: string): Promise<string[]> =>
  (await admin.rows<{ id: string }>(`select id from ${table} where account_id = $1 order by id limit 6`, [dealer.accountId])).map(
    ({ id }) => id,
  );

/** The required parameters of an endpoint. */
const needed = (path: string): string =>
  ({
    'exchange-rates/history': '?pair=EUR-TL&from=2026-01-01&to=2026-01-31',
    'exchange-rates/convert': '?from=EUR&to=TL&amount=1',
    views: '?screen=vehicles',
    'sales/names': `?ids=${sale}`,
    'customers/companies': `?ids=${dealer.customers}`,
    'vehicles/pictures': `?ids=${dealer.vehicles}`,
    'customers/{customer_id}/statement': '?currency=STG&from=2020-01-01&to=2026-12-31',
    'customers/{customer_id}/statement.csv': '?currency=STG&from=2020-01-01&to=2026-12-31',
    'customers/{customer_id}/statement.xlsx': '?currency=STG&from=2020-01-01&to=2026-12-31',
    'customers/{customer_id}/statement.pdf': '?currency=STG&from=2020-01-01&to=2026-12-31',
    'statements.pdf': `?ids=${dealer.customers[0]}&currency=STG&from=2020-01-01&to=2026-12-31`,
    'sales/{sale_id}/notice.pdf': '?deadline=2099-01-01',
    'vehicles/{vehicle_id}/offer.pdf': '?valid_until=2099-01-01',
    'promissory-notes/print.pdf': `?ids=${note}`,
    'promissory-notes/slip.pdf': `?ids=${note}`,
    search: '?q=a',
    'receivables/calendar': '?month=2020-02',
    'receivables/calendar/rows': '?day=2020-02-01',
    till: `?branch_id=${branch}&day=2026-01-01`,
    'collections/summary': '?from=2020-01-01&to=2020-12-31',
    'reports/custom': '?dataset=sales&metrics=count',
    'reports/report.csv': '?report=overdue-risk',
    'custom-report': '?dataset=sales&metrics=count&group_by=customer',
    'custom-report/report.csv': '?dataset=sales&metrics=count',
    'reports/report.xlsx': '?report=overdue-risk',
    'reports/report.pdf': '?report=overdue-risk',
    'custom-report/report.xlsx': '?dataset=sales&metrics=count',
    'custom-report/report.pdf': '?dataset=sales&metrics=count',
  })[path] ?? '';

async function ask(someone: Browser, path: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const one of await pathsOf(path.replace(/^v1\//, '')))
    answers.push(await someone.api(`${path.startsWith('v1/') ? 'v1/' : ''}${one}${needed(path.replace(/^v1\//, ''))}`));
  return answers;
}

const panel = panelEndpoints.filter(({ method, stream }) => method === 'GET' && stream === null);
const ofDealer = panel.filter(({ who }) => who !== 'person' && who !== 'admin');
const catalog = resources
  .flatMap(({ endpoints }) => endpoints)
  .filter(({ method, body, scope }) => method === 'GET' && body !== null && scope !== 'developer:read');
const paths = [...ofDealer.map(({ path }) => path), ...catalog.map(({ path }) => `v1/${path}`)];
const shown = new Map<string, boolean>();

/** Complete lists and reports as text are refused like binary ones. */
const isBytes = (path: string): boolean => /\.(pdf|xlsx)$|^lists\/|report\.csv$/.test(path);

/** A bank without a bulletin has no rates; vehicle costs, risk and papers are never shown to a viewing administrator. */
function expectedOf(path: string, status: number): number {
  if (path.endsWith('.pdf') || path.endsWith('receipts/{document_id}') || path === 'expenses/{expense_id}/file') return 403;
  if (isBytes(path)) return 403;
  // There is no other party here.
  if (['v1/network-offers/{offer_id}', 'v1/trade-requests/{request_id}'].includes(path)) return 404;
  if (path === 'import/runs/{run_id}/errors/{error_id}/row') return 403;
  if (['sale-documents/{document_id}/codes', 'v1/reports/profit-loss', 'v1/reports/overdue-risk'].includes(path)) return 403;
  return path.startsWith('v1/exchange-rates') && status === 409 ? 409 : 200;
}

describe('a viewing administrator sees no phone number or address', () => {
  test.each(paths)('%s', async (path) => {
    const [whole, masked] = [await ask(owner, path), await ask(looking, path)];
    expect(masked.filter(({ status }) => status >= 500)).toEqual([]);
    expect(masked.map(({ status }) => status)).toContain(expectedOf(path, masked[0]!.status));
    // Papers and workbooks are binary, and none is shown to a viewing administrator.
    if (isBytes(path)) return;
    shown.set(
      path,
      whole.some(({ text }) => personalIn(text) !== null),
    );
    for (const { text } of masked) expect(personalIn(text), text.slice(0, 2000)).toBeNull();
  });

  test('although the records contain them', () => {
    const seen = [...shown].filter(([, is]) => is).map(([path]) => path);
    expect(seen).toEqual(
      expect.arrayContaining([
        ...[
          'customers/deleted',
          'import/runs/{run_id}/errors.csv',
          'audit',
          'members',
          'invitations',
          'branches',
          'logs',
          'logs/export',
        ],
        ...['settings', 'v1/customers', 'v1/customers/{customer_id}/activity', 'v1/guarantors/{guarantor_id}', 'v1/tasks'],
        ...[
          'v1/notifications',
          'v1/import/runs/{run_id}/errors',
          'v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
          'v1/account',
        ],
      ]),
    );
  });
});

test('nor a link to a paper with personal data', async () => {
  const link = async (someone: Browser) => {
    const [note] = await idsOf('promissory_notes');
    return (await someone.api(`v1/promissory-notes/${note}/document`)).json.data;
  };
  expect(await link(owner)).toMatchObject({ url: expect.stringContaining('/files/'), expires_at: expect.any(String) });
  for (const someone of [looking, viewer]) expect(await link(someone)).toMatchObject({ url: null, expires_at: null });
});

test('nor a dealer’s customers through the administrators’ own endpoints', async () => {
  for (const { path } of panel.filter(({ who, path }) => who === 'admin' && !path.includes('{')))
    for (const { text } of await ask(looking, path)) expect(text).not.toMatch(/90533777772\d|ayten\.\d@/);
});

test('nor in a live view', async () => {
  const [whole, masked] = [await openTail(owner), await openTail(looking)];
  await until(() => whole.messages.length > 0 && masked.messages.length > 0);
  await service.call('customers/+905336668899', { key: dealer.keys.all.secret });
  await until(() => whole.seen().length > 0 && masked.seen().length > 0);
  expect(personalIn(JSON.stringify(whole.messages))).not.toBeNull();
  expect(personalIn(JSON.stringify(masked.messages))).toBeNull();
  await Promise.all([whole.close(), masked.close()]);
});

test('nor by trying an endpoint', async () => {
  expect(personalIn((await owner.api('try/customers')).text)).not.toBeNull();
  expect(personalIn((await looking.api('try/customers')).text)).toBeNull();
});

test('a viewer sees the dealership’s own numbers and no others', async () => {
  for (const path of paths) {
    const endpoint = ofDealer.find((one) => one.path === path);
    const isColleagues = endpoint?.ofColleagues === true || path === 'v1/account' || path.startsWith('v1/account/');
    if (isColleagues) continue;
    for (const { text } of await ask(viewer, path)) expect(personalIn(text), path).toBeNull();
  }
  expect(personalIn((await viewer.api('branches')).text)).not.toBeNull();
});

test('administrators still see their own data', async () => {
  expect((await looking.api('session')).json.data.person.email).toMatch(/^kisi\d+@/);
});
