// A valid request for every panel endpoint that names a record, with the record really created: then only the record's owner
// keeps another dealer out. matrix.test.ts refuses an endpoint with an id and no request.
import { randomBytes } from 'node:crypto';
import { setSuspended } from '../../src/domain/accounts/suspension.ts';
import { askPeople } from '../../src/domain/agents/agent-writes.ts';
import { slugOf } from '../../src/domain/catalog/catalog.ts';
import { attachReceipt } from '../../src/domain/documents/uploaded/topup-receipt.ts';
import { announceFiles } from '../../src/domain/files/stored-files.ts';
import { createAdmin } from '../../src/domain/identity/people.ts';
import { beginSession, tokenDigest } from '../../src/domain/identity/sessions.ts';
import { sealRow } from '../../src/domain/imports/runs/mend-row.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { askForTopup } from '../../src/domain/wallet/topup.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import { newEvent, newRequest, openLot, waitingLot } from '../contract/auction-requests.ts';
import { REQUESTS, type World } from '../contract/requests.ts';
import { asPlatform, invoice, rejectWaiting } from '../support/platform.ts';
import { TEST_ACTOR, type TestService } from '../support/service.ts';
import { ENQUIRY_REQUESTS } from './enquiry-requests.ts';
import { newPerson, type TestPerson } from './people.ts';

export interface PanelRequest {
  /** Below /panel/api/, ids filled in. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The text parts of a form with a file, for endpoints that accept nothing else. */
  readonly form?: Readonly<Record<string, string>>;
  /** Its file is a picture. */
  readonly isPicture?: true;
}

/** A dealer, and the user who sends the request: some records belong to a person. */
export type Build = (world: World, sender: TestPerson) => PanelRequest | Promise<PanelRequest>;

const onPlatform = (api: TestService, statement: Sql) => api.database.onPlatform('write', (db) => db.exec(statement));
const inTenant = ({ api, accountId }: World, statement: Sql) =>
  api.database.inTenant(accountId, 'write', (db) => db.exec(statement));

/** A salesperson cancels only a sale without payments. */
export const cancelUnpaid = async (world: World, last: 'cancel' | 'cancel-preview'): Promise<PanelRequest> => ({
  path: `${await pathOf(world, 'DELETE sales/{sale_id}')}/${last}`,
  body: { reason: 'vazgeçti' },
});

/** A salesperson takes money for their own sales only. */
export const makeOwnSale = (world: World, sender: TestPerson, { sale_id }: { readonly sale_id: string }): Promise<unknown> =>
  inTenant(
    world,
    sql`update sales set salesperson_id = (select id from ${own('members')} where person_id = ${sender.id})
      where account_id = ${theAccount} and id = ${sale_id}`,
  );

/** The customer's own page. */
const onPage = (id: string, below: string, body?: Record<string, unknown>): Record<string, Build> => ({
  [id]: async (world) => ({
    path: `${await pathOf(world, 'GET customers/{customer_id}')}/page${below}`,
    ...(body === undefined ? {} : { body }),
  }),
});

let ibans = 0;
/** With valid check digits. */
function newIban(): string {
  ibans += 1;
  const rest = `00061005197864578${String(ibans).padStart(5, '0')}`;
  return `TR${String(98n - (BigInt(`${rest}292700`) % 97n)).padStart(2, '0')}${rest}`;
}

/** Inserts a row and returns its id. */
async function inserted(write: (id: string) => Promise<unknown>): Promise<string> {
  const id = newId();
  await write(id);
  return id;
}

let refusedRows = 0;

/** A refused row of a customer file, kept for the person who sent it. No other customer has its telephone number. */
async function refusedRow(world: World, sender: TestPerson): Promise<string> {
  const run = await pathOf(world, 'GET import/runs/{run_id}');
  const runId = run.split('/').at(-1)!;
  const keys = sealingKeys(world.api.service.parts.writer.secrets, world.accountId);
  refusedRows += 1;
  const body = { first_name: 'Ayşe', phone: `0532 ${5_000_000 + refusedRows}`, external_ref: newId() };
  const id = await inserted(async (id) => {
    const row = sealRow(keys, id, { cells: body, readings: {} });
    await inTenant(
      world,
      sql`update import_runs set person_id = ${sender.id} where account_id = ${theAccount} and id = ${runId}`,
    );
    await inTenant(
      world,
      sql`insert into import_row_errors (account_id, id, run_id, row_number, field, code, message, row_encrypted)
      values (${theAccount}, ${id}, ${runId}, 1, 'last_name', 'required', 'last_name is required', ${row})`,
    );
  });
  return `${run}/errors/${id}/row`;
}

export async function newMember({ api, accountId }: World): Promise<string> {
  const person = await newPerson(api, { accountId, role: 'sales' });
  const [member] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from members where account_id = ${accountId} and person_id = ${person.id}`),
  );
  return member!.id;
}

export const newStaff = ({ api, accountId }: World): Promise<string> =>
  inserted((id) =>
    onPlatform(api, sql`insert into members (account_id, id, full_name, role) values (${accountId}, ${id}, 'Personel', 'sales')`),
  );

export const newBranch = ({ api, accountId }: World): Promise<string> =>
  inserted((id) =>
    onPlatform(
      api,
      sql`insert into branches (account_id, id, name, city) values (${accountId}, ${id}, ${`Şube ${id}`}, 'Girne')`,
    ),
  );

/** At most five may wait. */
const newTopup = async ({ api, accountId }: World): Promise<string> => {
  await rejectWaiting(api, accountId);
  return asPlatform(api, accountId, async (work) => (await askForTopup(work, { amount: 500_000n })).id);
};

const newReceipt = async (world: World): Promise<[topup: string, receipt: string]> => {
  const topup = await newTopup(world);
  const file = {
    id: newId(),
    name: `aa/${randomBytes(15).toString('hex')}`,
    path: '',
    contentType: 'application/pdf',
    sizeBytes: 9,
    sha256: '0'.repeat(64),
  };
  const made = await asPlatform(world.api, world.accountId, async (work) => {
    await announceFiles(work.db, [file], new Date());
    return attachReceipt(work, topup, [file]);
  });
  return [topup, made.id];
};

const newInvitation = ({ api, accountId }: World, by: TestPerson): Promise<string> =>
  inserted((id) =>
    onPlatform(
      api,
      sql`insert into invitations (account_id, id, digest, email, full_name, role, invited_by, expires_at) values
        (${accountId}, ${id}, ${randomBytes(32)}, ${`${id}@example.com`}, 'Davetli', 'viewer', ${by.id}, now() + interval '1 day')`,
    ),
  );

const newView = (world: World, { id: person }: TestPerson): Promise<string> =>
  inserted((id) =>
    inTenant(
      world,
      sql`insert into saved_views (account_id, id, person_id, screen, name, query)
        values (${theAccount}, ${id}, ${person}, 'vehicles', ${id}, '')`,
    ),
  );

const newSchedule = (world: World): Promise<string> =>
  inserted((id) =>
    inTenant(
      world,
      sql`insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
        values (${theAccount}, ${id}, 'sales-summary', 'Aylık', ${`${id}@example.com`}, '2026-01-01', now())`,
    ),
  );

async function newClosing(world: World): Promise<string> {
  const branch = await newBranch(world);
  return inserted((id) =>
    inTenant(
      world,
      sql`with closed as (update branches set closed_through = '2026-01-01' where account_id = ${theAccount} and id = ${branch})
        insert into till_closings (account_id, id, branch_id, day, lines, closed_by, closed_at)
        values (${theAccount}, ${id}, ${branch}, '2026-01-01', '[]', 'Ayşe', now())`,
    ),
  );
}

/** Entered by the sender: a salesperson sees no other. */
async function newExpense(world: World, { id: person }: TestPerson, withFile = false): Promise<string> {
  const branch = await newBranch(world);
  const file = newId();
  if (withFile)
    await inTenant(
      world,
      sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
        values (${theAccount}, ${file}, ${`aa/${randomBytes(15).toString('hex')}`}, 'image/png', 1, ${Buffer.alloc(32)}, 'kept', now(), now())`,
    );
  return inserted((id) =>
    inTenant(
      world,
      sql`insert into expenses (account_id, id, number, expense_no, kind, category, amount_minor, currency, valued_currency, valued_amount_minor,
          day, branch_id, method, file_id, created_by_id, created_by, created_at)
        values (${theAccount}, ${id}, 1, ${`G-${id}`}, 'İşletme', 'Kira', 100, 'TL', 'TL', 100, '2026-01-01', ${branch}, 'Nakit',
          ${withFile ? file : null}, (select id from ${own('members')} where person_id = ${person}), 'Ayşe', now())`,
    ),
  );
}

async function newRecurring(world: World): Promise<string> {
  const branch = await newBranch(world);
  return inserted((id) =>
    inTenant(
      world,
      sql`insert into recurring_expenses (account_id, id, category, amount_minor, currency, branch_id, method, day_of_month, next_on, created_by, created_at)
        values (${theAccount}, ${id}, 'Kira', 100, 'TL', ${branch}, 'Nakit', 1, '2026-01-01', 'Ayşe', now())`,
    ),
  );
}

async function newTransfer(world: World): Promise<string> {
  const branch = await newBranch(world);
  return inserted((id) =>
    inTenant(
      world,
      sql`insert into cash_transfers (account_id, id, number, transfer_no, amount_minor, currency, day, from_place, from_branch_id, to_place, created_by,
          created_at)
        values (${theAccount}, ${id}, 1, ${`V-${id}`}, 100, 'TL', '2026-01-01', 'Kasa', ${branch}, 'Banka', 'Ayşe', now())`,
    ),
  );
}

/** Of a car of the sender's branch, within the limit for salespeople. */
async function ownExpense(world: World, { id: person }: TestPerson): Promise<Readonly<Record<string, unknown>>> {
  const branch = await newBranch(world);
  const vehicle_id = await world.api.vehicle(world.accountId);
  await inTenant(world, sql`update vehicles set branch_id = ${branch} where account_id = ${theAccount} and id = ${vehicle_id}`);
  await onPlatform(
    world.api,
    sql`update members set branch_id = ${branch} where account_id = ${world.accountId} and person_id = ${person}`,
  );
  await inTenant(world, sql`update accounts set sales_expense_limit = 1000 where id = ${theAccount}`);
  return { kind: 'Araç', category: 'Onarım', amount: '10.00', currency: 'STG', vehicle_id };
}

async function reminderOf(world: World): Promise<PanelRequest> {
  const { path } = await REQUESTS['POST installments/{installment_id}/postpone']!(world);
  const id = path.split('/')[1]!;
  const { customer_id } = await world.api.database.inTenant(world.accountId, 'read', (db) =>
    db.one<{ customer_id: string }>(sql`select customer_id from ${own('installments')} where id = ${id}`),
  );
  return { path: `installments/${id}/reminders`, body: { recipient_id: customer_id } };
}

const newNotice = ({ api, accountId }: World): Promise<string> =>
  inserted((id) =>
    onPlatform(api, sql`insert into notices (account_id, id, kind, data) values (${accountId}, ${id}, 'note', ${{ about: id }})`),
  );

export const newKey = ({ api, accountId }: World, name = newId()) =>
  api.key(accountId, { name, endpoints: ['GET account'] }).then(({ id }) => ({ id, name }));

export async function newestSecret({ api }: World, keyId: string): Promise<string> {
  const [found] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from key_secrets where key_id = ${keyId}`),
  );
  return found!.id;
}

async function newLimitRequest(world: World, by: TestPerson): Promise<string> {
  const { id: key } = await newKey(world);
  return inserted((id) =>
    onPlatform(
      world.api,
      sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
        values (${world.accountId}, ${id}, ${key}, 100, 'more', ${by.id})`,
    ),
  );
}

/** A correction that another administrator has proposed. */
async function newDecision({ api, accountId }: World): Promise<string> {
  const { id: by } = await newPerson(api, { admin: true });
  return inserted((id) =>
    onPlatform(
      api,
      sql`insert into admin_decisions (id, kind, dealer_id, amount_minor, details, first_by, first_at)
        values (${id}, 'wallet_correction', ${accountId}, 5000100, '{"description":"Kampanya"}', ${by}, now())`,
    ),
  );
}

/** Endpoints that a developer has requested. */
async function newEndpointRequest(world: World): Promise<string> {
  const { api, accountId } = world;
  const { id: key } = await newKey(world);
  const { id: by } = await newPerson(api, { accountId, role: 'developer' });
  const id = await inserted((request) =>
    onPlatform(
      api,
      sql`insert into key_row_requests (account_id, id, key_id, endpoints, asked_by, created_at)
        values (${accountId}, ${request}, ${key}, '{GET sales}', ${by}, now())`,
    ),
  );
  return `keys/${key}/row-requests/${id}`;
}

/** A write of an agent that waits for a person; every role but the viewer is chosen to decide it. */
async function newAgentWrite(world: World): Promise<string> {
  const { api, accountId } = world;
  const { id: key } = await newKey(world);
  const id = newId();
  const keys = sealingKeys(api.secrets, accountId);
  const write = {
    id,
    keyId: key,
    endpoint: 'POST notifications/read-all',
    path: 'notifications/read-all',
    money: [],
    client: 'test',
  };
  await onPlatform(
    api,
    sql`update api_keys set agent_approvers = array(select person_id from members
    where account_id = ${accountId} and person_id is not null and role <> 'viewer' limit 50) where id = ${key}`,
  );
  await api.database.inTenant(accountId, 'write', (db) => askPeople(db, keys, write, { untrusted_data: {} }, new Date()));
  return `agent-writes/${id}`;
}

/** A bank account that another administrator has added. */
async function addedBankAccount(api: TestService): Promise<string> {
  const { id: by } = await newPerson(api, { admin: true });
  const iban = `TR00${randomBytes(8).toString('hex').toUpperCase()}`;
  return inserted((id) =>
    onPlatform(
      api,
      sql`insert into platform_bank_accounts (id, bank, holder, iban, added_by, created_at)
        values (${id}, 'Banka', 'Galeri', ${iban}, ${by}, now())`,
    ),
  );
}

/** A new owner whom an administrator has proposed; only one may be open. */
async function newOwnerRequest({ api, accountId }: World): Promise<string> {
  const { id: by } = await newPerson(api, { admin: true });
  await onPlatform(
    api,
    sql`update admin_decisions set status = 'withdrawn', ended_at = now()
      where dealer_id = ${accountId} and kind = 'owner_invitation' and status = 'pending'`,
  );
  return inserted((id) =>
    onPlatform(
      api,
      sql`insert into admin_decisions (id, kind, dealer_id, subject, details, first_by, first_at)
        values (${id}, 'owner_invitation', ${accountId}, ${accountId}, ${{ email: `${newId()}@example.com`, full_name: 'Sahip' }}::jsonb, ${by}, now())`,
    ),
  );
}

async function newSession({ api }: World, { id }: TestPerson): Promise<string> {
  const origin = { ip: '127.0.0.1', userAgent: null };
  return api.database.onPlatform('write', async (db) => {
    const token = await beginSession(db, id, origin, new Date(), { pending: false });
    const [session] = await db.rows<{ id: string }>(sql`select id from sessions where digest = ${tokenDigest(token)}`);
    return session!.id;
  });
}

/** The path of another endpoint's valid request. */
const pathOf = async (world: World, endpoint: string): Promise<string> => (await REQUESTS[endpoint]!(world)).path;

const newNote = async (world: World): Promise<string> =>
  (await pathOf(world, 'PATCH promissory-notes/{note_id}')).slice('promissory-notes/'.length);

async function newLine({ api, key }: World): Promise<string> {
  const answer = await api.call('account', { key });
  await api.logged();
  return answer.headers.get('x-request-id')!;
}

const deletedCustomer = ({ api, accountId }: World) => api.customer(accountId, { deleted_at: new Date() });
/** An endpoint that is not open yet, so that it can be requested. */
const SOON = 'GET network-auctions';

const keyPath = (rest: string, body?: PanelRequest['body']): Build => {
  return async (world) => ({ path: `keys/${(await newKey(world)).id}${rest}`, ...(body === undefined ? {} : { body }) });
};

export const PANEL_REQUESTS: Readonly<Record<string, Build>> = {
  'POST session/account': ({ accountId }) => ({ path: 'session/account', body: { account_id: accountId } }),
  'POST session/look': ({ accountId }) => ({ path: 'session/look', body: { account_id: accountId } }),
  'DELETE sessions/{session_id}': async (world, sender) => ({ path: `sessions/${await newSession(world, sender)}` }),
  'PATCH members/{member_id}': async (world) => ({ path: `members/${await newMember(world)}`, body: { role: 'finance' } }),
  'POST members/{member_id}/password-reset': async (world) => ({ path: `members/${await newMember(world)}/password-reset` }),
  'DELETE members/{member_id}/totp': async (world) => ({ path: `members/${await newMember(world)}/totp` }),
  'POST invitations': async (world) => ({
    path: 'invitations',
    body: { email: `${newId()}@example.com`, full_name: 'Yeni', role: 'viewer', member_id: await newStaff(world) },
  }),
  'DELETE invitations/{invitation_id}': async (world, sender) => ({ path: `invitations/${await newInvitation(world, sender)}` }),
  'PATCH branches/{branch_id}': async (world) => ({ path: `branches/${await newBranch(world)}`, body: { city: 'Güzelyurt' } }),
  'POST branches/{branch_id}/main': async (world) => ({ path: `branches/${await newBranch(world)}/main` }),
  'DELETE branches/{branch_id}': async (world) => ({ path: `branches/${await newBranch(world)}` }),
  'POST staff': async (world) => ({
    path: 'staff',
    body: { full_name: 'Yeni', role: 'sales', branch_id: await newBranch(world) },
  }),
  'PATCH staff/{member_id}': async (world) => ({
    path: `staff/${await newStaff(world)}`,
    body: { full_name: 'Başka', branch_id: await newBranch(world) },
  }),
  'GET keys/{key_id}': keyPath(''),
  'PATCH keys/{key_id}': keyPath('', { limit_per_minute: 30 }),
  'PATCH keys/{key_id}/policy': keyPath('/policy', { endpoints: ['GET vehicles'] }),
  'POST keys/{key_id}/rotate': async (world) => {
    const { id, name } = await newKey(world);
    const secret_id = await newestSecret(world, id);
    return { path: `keys/${id}/rotate`, body: { overlap_seconds: 0, secret_id, typed_name: name } };
  },
  'POST keys/{key_id}/revoke': async (world) => {
    const { id, name } = await newKey(world);
    return { path: `keys/${id}/revoke`, body: { typed_name: name } };
  },
  'POST keys/{key_id}/limit-requests': keyPath('/limit-requests', { asked_per_minute: 100, reason: 'more' }),
  'GET keys/{key_id}/usage': keyPath('/usage'),
  'GET keys/{key_id}/agents': keyPath('/agents'),
  'PATCH keys/{key_id}/agents': keyPath('/agents', { agents: 'read', confirmation: 'panel' }),
  'POST agent-writes/{write_id}/approve': async (world) => ({ path: `${await newAgentWrite(world)}/approve` }),
  'POST agent-writes/{write_id}/reject': async (world) => ({ path: `${await newAgentWrite(world)}/reject` }),
  'GET keys/{key_id}/window': keyPath('/window'),
  'GET keys/{key_id}/row-use': keyPath('/row-use'),
  'GET keys/{key_id}/history': keyPath('/history'),
  'PATCH views/{view_id}': async (world, sender) => ({ path: `views/${await newView(world, sender)}`, body: { query: 'a=1' } }),
  'DELETE views/{view_id}': async (world, sender) => ({ path: `views/${await newView(world, sender)}` }),
  'GET webhooks/{webhook_id}/deliveries/{delivery_id}/attempts': async (world) => ({
    path: `${await pathOf(world, 'GET webhooks/{webhook_id}/deliveries/{delivery_id}')}/attempts`,
  }),
  'GET webhooks/{webhook_id}/live': async (world) => ({ path: `${await pathOf(world, 'GET webhooks/{webhook_id}')}/live` }),
  'GET live-auctions/{event_id}/room': async (world) => ({ path: `${await pathOf(world, 'GET live-auctions/{event_id}')}/room` }),
  'GET live-auctions/{event_id}/seat': async (world) => ({ path: `${await pathOf(world, 'GET live-auctions/{event_id}')}/seat` }),
  'POST live-auctions/{event_id}/seat': async (world) => ({
    path: `${await pathOf(world, 'GET live-auctions/{event_id}')}/seat`,
  }),
  'POST live-auctions/lots/{lot_id}/call': async (world) => ({
    path: (await pathOf(world, 'POST live-auctions/lots/{lot_id}/end')).replace(/end$/, 'call'),
    body: { call: 1, bid_count: 0 },
  }),
  'GET import/runs/{run_id}/error-kinds': async (world) => ({
    path: `${await pathOf(world, 'GET import/runs/{run_id}')}/error-kinds`,
  }),
  'GET import/runs/{run_id}/error-details': async (world) => ({
    path: `${await pathOf(world, 'GET import/runs/{run_id}')}/error-details`,
  }),
  'GET import/runs/{run_id}/errors/{error_id}/row': async (world, sender) => ({ path: await refusedRow(world, sender) }),
  'POST import/runs/{run_id}/errors/{error_id}/row': async (world, sender) => ({
    path: await refusedRow(world, sender),
    body: { values: { last_name: 'Yılmaz' } },
  }),
  'GET import/runs/{run_id}/errors.csv': async (world) => ({
    path: `${await pathOf(world, 'GET import/runs/{run_id}')}/errors.csv`,
  }),
  'GET import/runs/{run_id}/errors.xlsx': async (world) => ({
    path: `${await pathOf(world, 'GET import/runs/{run_id}')}/errors.xlsx`,
  }),
  'POST import/preview': async (world) => ({
    path: 'import/preview',
    body: { connector_id: (await pathOf(world, 'GET import/connectors/{connector_id}')).split('/').at(-1) },
  }),
  'GET sales/names': async (world) => ({
    path: `sales/names?ids=${(await pathOf(world, 'GET sales/{sale_id}')).split('/').at(-1)}`,
  }),
  'GET vehicles/pictures': async (world) => ({
    path: `vehicles/pictures?ids=${(await pathOf(world, 'GET vehicles/{vehicle_id}')).split('/').at(-1)}`,
  }),
  ...ENQUIRY_REQUESTS,
  ...onPage('GET customers/{customer_id}/page', ''),
  ...onPage('POST customers/{customer_id}/page', '', { channel: 'Bağlantı' }),
  ...onPage('POST customers/{customer_id}/page/revoke', '/revoke'),
  ...onPage('POST customers/{customer_id}/page/code', '/code'),
  'POST settings/bank-accounts': () => ({
    path: 'settings/bank-accounts',
    body: { bank: 'Liman Bank', holder: 'Galeri Ltd.', iban: newIban(), currency: 'TL' },
  }),
  'DELETE settings/bank-accounts/{bank_account_id}': async (world) => ({
    path: `settings/bank-accounts/${await inserted((id) =>
      inTenant(
        world,
        sql`insert into bank_accounts (account_id, id, bank, holder, iban, currency, created_at)
          values (${theAccount}, ${id}, 'Liman Bank', 'Galeri Ltd.', ${newIban()}, 'TL', now())`,
      ),
    )}`,
  }),
  'GET vehicles/{vehicle_id}/showroom': async (world) => ({
    path: `${await pathOf(world, 'GET vehicles/{vehicle_id}')}/showroom`,
  }),
  'POST sales/preview': async (world) => ({
    path: 'sales/preview',
    body: (await REQUESTS['POST sales']!(world)).body as Record<string, unknown>,
  }),
  'POST sales/{sale_id}/preview': async (world) => ({
    path: `${await pathOf(world, 'GET sales/{sale_id}')}/preview`,
    body: { notes: 'önizleme' },
  }),
  'POST sales/{sale_id}/cancel-preview': (world) => cancelUnpaid(world, 'cancel-preview'),
  'POST collections/preview': async (world, sender) => {
    const body = (await REQUESTS['POST collections']!(world)).body as { readonly sale_id: string };
    await makeOwnSale(world, sender, body);
    return { path: 'collections/preview', body: body as Record<string, unknown> & typeof body };
  },
  'POST installments/{installment_id}/preview': async (world) => ({
    path: `${await pathOf(world, 'PATCH installments/{installment_id}')}/preview`,
    body: { note: 'önizleme' },
  }),
  'GET sales/{sale_id}/history': async (world) => ({ path: `${await pathOf(world, 'GET sales/{sale_id}')}/history` }),
  'POST sales/{sale_id}/reveal': async (world) => ({ path: `${await pathOf(world, 'GET sales/{sale_id}')}/reveal` }),
  'GET customers/companies': ({ customerId }) => ({ path: `customers/companies?ids=${customerId}` }),
  'GET customers/{customer_id}/statement': ({ customerId }) => ({
    path: `customers/${customerId}/statement?currency=STG&from=2026-01-01&to=2026-12-31`,
  }),
  'GET customers/{customer_id}/statement.csv': ({ customerId }) => ({
    path: `customers/${customerId}/statement.csv?currency=STG&from=2026-01-01&to=2026-12-31`,
  }),
  'GET collections/{collection_id}/receipt.pdf': async (world) => ({
    path: `${await pathOf(world, 'GET collections/{collection_id}')}/receipt.pdf`,
  }),
  'POST report-schedules': () => ({
    path: 'report-schedules',
    body: { report: 'sales-summary', frequency: 'Aylık', email: `${newId()}@example.com` },
  }),
  'DELETE report-schedules/{schedule_id}': async (world) => ({ path: `report-schedules/${await newSchedule(world)}` }),
  'GET reports/report.csv': () => ({ path: 'reports/report.csv?report=sales-summary' }),
  'GET custom-report': () => ({ path: 'custom-report?dataset=sales&metrics=count' }),
  'GET custom-report/report.csv': () => ({ path: 'custom-report/report.csv?dataset=sales&metrics=count' }),
  'GET reports/report.xlsx': () => ({ path: 'reports/report.xlsx?report=sales-summary' }),
  'GET reports/report.pdf': () => ({ path: 'reports/report.pdf?report=sales-summary' }),
  'GET custom-report/report.xlsx': () => ({ path: 'custom-report/report.xlsx?dataset=sales&metrics=count' }),
  'GET custom-report/report.pdf': () => ({ path: 'custom-report/report.pdf?dataset=sales&metrics=count' }),
  'GET customers/{customer_id}/statement.xlsx': ({ customerId }) => ({
    path: `customers/${customerId}/statement.xlsx?currency=STG&from=2026-01-01&to=2026-12-31`,
  }),
  'GET customers/{customer_id}/statement.pdf': ({ customerId }) => ({
    path: `customers/${customerId}/statement.pdf?currency=STG&from=2026-01-01&to=2026-12-31`,
  }),
  'GET statements.pdf': ({ customerId }) => ({
    path: `statements.pdf?ids=${customerId}&currency=STG&from=2026-01-01&to=2026-12-31`,
  }),
  'GET till/closings/{closing_id}/closing.pdf': async (world) => ({
    path: `till/closings/${await newClosing(world)}/closing.pdf`,
  }),
  'POST sales/{sale_id}/notice': async (world) => ({
    path: `${await pathOf(world, 'GET sales/{sale_id}')}/notice`,
    body: { deadline: '2099-01-01' },
  }),
  'GET sales/{sale_id}/notice.pdf': async (world) => ({
    path: `${await pathOf(world, 'GET sales/{sale_id}')}/notice.pdf?deadline=2099-01-01`,
  }),
  'GET sales/{sale_id}/paper-gaps': async (world) => ({ path: `${await pathOf(world, 'GET sales/{sale_id}')}/paper-gaps` }),
  'POST sales/{sale_id}/papers': async (world) => ({ path: `${await pathOf(world, 'GET sales/{sale_id}')}/papers` }),
  'POST sales/{sale_id}/papers/send': async (world) => ({
    path: `${await pathOf(world, 'GET sales/{sale_id}')}/papers/send`,
    body: { channel: 'Bağlantı' },
  }),
  'GET sales/{sale_id}/papers.pdf': async (world) => ({
    path: (await pathOf(world, 'GET sales/{sale_id}/sale-documents')).replace(/sale-documents.*$/, 'papers.pdf'),
  }),
  'GET vehicles/{vehicle_id}/sticker.pdf': async (world) => ({
    path: `${await pathOf(world, 'GET vehicles/{vehicle_id}')}/sticker.pdf`,
  }),
  'GET vehicles/{vehicle_id}/offer.pdf': async (world) => ({
    path: `${await pathOf(world, 'GET vehicles/{vehicle_id}')}/offer.pdf?valid_until=2099-01-01`,
  }),
  'GET promissory-notes/print.pdf': async (world) => ({ path: `promissory-notes/print.pdf?ids=${await newNote(world)}` }),
  'GET promissory-notes/slip.pdf': async (world) => ({ path: `promissory-notes/slip.pdf?ids=${await newNote(world)}` }),
  'POST promissory-notes/move': async (world) => ({
    path: 'promissory-notes/move',
    body: { note_ids: [await newNote(world)], printed: true },
  }),
  'GET search': () => ({ path: 'search?q=golf' }),
  'GET sale-documents/{document_id}/codes': async (world) => ({
    path: (await pathOf(world, 'POST sale-documents/{document_id}/void')).replace(/void$/, 'codes'),
  }),
  'POST admin/bank-accounts': () => ({
    path: 'admin/bank-accounts',
    body: { bank: 'Ziraat', holder: 'Galeri A.Ş.', iban: 'TR33 0006 1005 1978 6457 8413 26' },
  }),
  'DELETE admin/bank-accounts/{bank_account_id}': async ({ api }) => ({
    path: `admin/bank-accounts/${await addedBankAccount(api)}`,
  }),
  'POST admin/bank-accounts/{bank_account_id}/confirm': async ({ api }) => ({
    path: `admin/bank-accounts/${await addedBankAccount(api)}/confirm`,
  }),
  'POST vehicles/undo-prices': async (world) => ({
    path: 'vehicles/undo-prices',
    body: {
      changes: [{ id: world.vehicleId, price: '100.00', currency: 'STG', changed_price: '90.00', changed_currency: 'STG' }],
    },
  }),
  'GET receivables/board/{lane}': () => ({ path: 'receivables/board/overdue' }),
  'GET receivables/calendar': () => ({ path: 'receivables/calendar?month=2026-11' }),
  'GET receivables/calendar/rows': () => ({ path: 'receivables/calendar/rows?day=2026-11-15' }),
  'GET sales/{sale_id}/reminders': async (world) => ({ path: `${await pathOf(world, 'GET sales/{sale_id}')}/reminders` }),
  'POST installments/{installment_id}/reminders': reminderOf,
  'POST expenses': async (world, sender) => ({ path: 'expenses', body: await ownExpense(world, sender) }),
  'POST expenses/preview': async (world, sender) => ({ path: 'expenses/preview', body: await ownExpense(world, sender) }),
  'GET expenses/{expense_id}': async (world, sender) => ({ path: `expenses/${await newExpense(world, sender)}` }),
  'POST expenses/{expense_id}/reverse': async (world, sender) => ({
    path: `expenses/${await newExpense(world, sender)}/reverse`,
    body: { reason: 'yanlış kayıt' },
  }),
  'POST expenses/{expense_id}/file': async (world, sender) => ({
    path: `expenses/${await newExpense(world, sender)}/file`,
    form: {},
  }),
  'GET expenses/{expense_id}/file': async (world, sender) => ({ path: `expenses/${await newExpense(world, sender, true)}/file` }),
  'POST expenses/recurring': async (world) => ({
    path: 'expenses/recurring',
    body: { category: 'Kira', amount: '100.00', currency: 'TL', day_of_month: 1, branch_id: await newBranch(world) },
  }),
  'DELETE expenses/recurring/{recurring_id}': async (world) => ({ path: `expenses/recurring/${await newRecurring(world)}` }),
  'POST expenses/recurring/{recurring_id}/enter': async (world) => ({
    path: `expenses/recurring/${await newRecurring(world)}/enter`,
    body: { on: '2026-01-01' },
  }),
  'POST expenses/recurring/{recurring_id}/skip': async (world) => ({
    path: `expenses/recurring/${await newRecurring(world)}/skip`,
    body: { on: '2026-01-01' },
  }),
  'POST cash-transfers': async (world) => ({
    path: 'cash-transfers',
    body: { amount: '1.00', currency: 'TL', from_place: 'Kasa', from_branch_id: await newBranch(world), to_place: 'Banka' },
  }),
  'POST cash-transfers/{transfer_id}/reverse': async (world) => ({
    path: `cash-transfers/${await newTransfer(world)}/reverse`,
    body: { reason: 'yanlış kayıt' },
  }),
  'GET till': async (world) => ({ path: `till?branch_id=${await newBranch(world)}&day=2026-01-01` }),
  'POST till/closings': async (world) => ({
    path: 'till/closings',
    body: { branch_id: await newBranch(world), day: '2026-01-01', counted: [] },
  }),
  'POST till/closings/{closing_id}/reopen': async (world) => ({
    path: `till/closings/${await newClosing(world)}/reopen`,
    body: { reason: 'sayım yanlış' },
  }),
  'POST customers/{customer_id}/restore': async (world) => ({ path: `customers/${await deletedCustomer(world)}/restore` }),
  'POST customers/{customer_id}/erase': async ({ api, accountId }) => {
    const id = await api.customer(accountId, { first_name: 'Ali', last_name: 'Veli' });
    return { path: `customers/${id}/erase`, body: { typed_name: 'Ali Veli' } };
  },
  'GET marketplace/offers/{offer_id}': async (world) => ({
    path: `marketplace/offers/${(await pathOf(world, 'POST marketplace/listings/{listing_id}/offers/{offer_id}/reject')).split('/').at(-2)}`,
  }),
  'POST customers/{customer_id}/reveal': async ({ api, accountId }) => ({
    path: `customers/${await api.customer(accountId)}/reveal`,
  }),
  'POST vehicles/{vehicle_id}/reveal': async ({ api, accountId }) => ({
    path: `vehicles/${await api.vehicle(accountId)}/reveal`,
  }),
  'GET catalog/{slug}': () => ({ path: `catalog/${slugOf(SOON)}` }),
  'POST catalog/{slug}/vote': () => ({ path: `catalog/${slugOf(SOON)}/vote`, body: { blocks_go_live: true } }),
  'DELETE catalog/{slug}/vote': async (world, { id }) => {
    await inTenant(
      world,
      sql`insert into endpoint_votes (account_id, endpoint, person_id) values (${theAccount}, ${SOON}, ${id}) on conflict do nothing`,
    );
    return { path: `catalog/${slugOf(SOON)}/vote` };
  },
  'GET logs/lines/{line}': async (world) => ({ path: `logs/lines/${await newLine(world)}` }),
  'POST notices/{notice_id}/read': async (world) => ({ path: `notices/${await newNotice(world)}/read` }),
  'POST settings/paper/logo': async () => ({ path: 'settings/paper/logo', form: {}, isPicture: true }),
  'POST wallet/topup-requests/{request_id}/receipts': async (world) => ({
    path: `wallet/topup-requests/${await newTopup(world)}/receipts`,
    form: {},
  }),
  'GET wallet/topup-requests/{request_id}/receipts/{document_id}': async (world) => {
    const [topup, receipt] = await newReceipt(world);
    return { path: `wallet/topup-requests/${topup}/receipts/${receipt}` };
  },
  'GET admin/accounts/{account_id}/topups/{request_id}/receipts/{document_id}': async (world) => {
    const [topup, receipt] = await newReceipt(world);
    return { path: `admin/accounts/${world.accountId}/topups/${topup}/receipts/${receipt}` };
  },
  'POST admin/accounts/{account_id}/topups/{request_id}/approve': async (world) => ({
    path: `admin/accounts/${world.accountId}/topups/${await newTopup(world)}/approve`,
    body: { amount: '5000.00' },
  }),
  'POST admin/accounts/{account_id}/topups/{request_id}/reject': async (world) => ({
    path: `admin/accounts/${world.accountId}/topups/${await newTopup(world)}/reject`,
    body: { note: 'Dekont yok' },
  }),
  'POST admin/accounts/{account_id}/auction-requests/{request_id}/approve': async (world) => ({
    path: `admin/accounts/${world.accountId}/auction-requests/${await newRequest(world)}/approve`,
    body: { event_id: (await newEvent(world)).id },
  }),
  'POST admin/accounts/{account_id}/auction-requests/{request_id}/reject': async (world) => ({
    path: `admin/accounts/${world.accountId}/auction-requests/${await newRequest(world)}/reject`,
    body: { note: 'Fotoğraf yok' },
  }),
  'GET admin/live-events/{event_id}': async (world) => ({ path: `admin/live-events/${(await newEvent(world)).id}` }),
  'POST admin/accounts/{account_id}/live-events': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/live-events`,
    body: { title: 'Aralık müzayedesi', starts_at: '2036-12-01T09:00:00Z' },
  }),
  'PATCH admin/live-events/{event_id}': async (world) => ({
    path: `admin/live-events/${(await newEvent(world)).id}`,
    body: { starts_at: '2036-12-01T09:00:00Z' },
  }),
  'POST admin/live-events/{event_id}/cancel': async (world) => ({
    path: `admin/live-events/${(await newEvent(world)).id}/cancel`,
    body: { reason: 'salon yok' },
  }),
  'POST admin/live-events/{event_id}/order': async (world) => {
    const lot = await waitingLot(world);
    return { path: `admin/live-events/${lot.event_id}/order`, body: { lot_ids: [lot.id] } };
  },
  'GET admin/live-events/{event_id}/room': async (world) => ({ path: `admin/live-events/${(await newEvent(world)).id}/room` }),
  'POST admin/live-lots/{lot_id}/withdraw': async (world) => ({
    path: `admin/live-lots/${(await waitingLot(world)).id}/withdraw`,
    body: { reason: 'satıcı istedi' },
  }),
  'POST admin/live-lots/{lot_id}/start': async (world) => ({ path: `admin/live-lots/${(await waitingLot(world)).id}/start` }),
  'POST admin/live-lots/{lot_id}/call': async (world) => ({
    path: `admin/live-lots/${(await openLot(world)).id}/call`,
    body: { call: 1, bid_count: 0 },
  }),
  'POST admin/live-lots/{lot_id}/end': async (world) => ({
    path: `admin/live-lots/${(await openLot(world)).id}/end`,
    body: { note: 'satıcı beklemek istiyor' },
  }),
  'GET admin/accounts/{account_id}/plan': ({ accountId }) => ({ path: `admin/accounts/${accountId}/plan` }),
  'PATCH admin/accounts/{account_id}/plan': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/plan`,
    body: { status: 'Aktif' },
  }),
  'PATCH admin/accounts/{account_id}/capabilities': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/capabilities`,
    body: { marketplace: true },
  }),
  'GET admin/accounts/{account_id}/invoices': ({ accountId }) => ({ path: `admin/accounts/${accountId}/invoices` }),
  'POST admin/accounts/{account_id}/invoices': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/invoices`,
    body: { amount: '1500.00', tax_rate: '20', period_start: '2026-01-01', period_end: '2026-12-31', due_date: '2026-01-15' },
  }),
  'POST admin/accounts/{account_id}/invoices/{invoice_id}/settle': async ({ api, accountId }) => ({
    path: `admin/accounts/${accountId}/invoices/${await invoice(api, accountId)}/settle`,
    body: { from: 'outside' },
  }),
  'POST admin/accounts/{account_id}/wallet-corrections': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/wallet-corrections`,
    body: { amount: '250.00', description: 'Kampanya' },
  }),
  'GET admin/accounts/{account_id}': ({ accountId }) => ({ path: `admin/accounts/${accountId}` }),
  'POST admin/accounts/{account_id}/owner-invitations': ({ accountId }) => ({
    path: `admin/accounts/${accountId}/owner-invitations`,
    body: { owner_email: `${newId()}@example.com`, owner_full_name: 'Sahip' },
  }),
  'POST admin/accounts/{account_id}/suspension': async ({ api }) => {
    const name = newId();
    return { path: `admin/accounts/${await api.account({ name })}/suspension`, body: { name, reason: 'unpaid' } };
  },
  'DELETE admin/accounts/{account_id}/suspension': async ({ api }) => {
    const id = await api.account();
    await api.database.onPlatform('write', (db) => setSuspended(db, id, true, 'unpaid', TEST_ACTOR, new Date()));
    return { path: `admin/accounts/${id}/suspension` };
  },
  'POST admin/keys/{key_id}/authorizations': async (world) => ({
    path: `admin/keys/${(await newKey(world)).id}/authorizations`,
    body: { authorizations: [] },
  }),
  'POST admin/limit-requests/{request_id}/approve': async (world, sender) => ({
    path: `admin/limit-requests/${await newLimitRequest(world, sender)}/approve`,
    body: { per_minute: 100 },
  }),
  'POST admin/limit-requests/{request_id}/refuse': async (world, sender) => ({
    path: `admin/limit-requests/${await newLimitRequest(world, sender)}/refuse`,
    body: { note: 'no' },
  }),
  'POST admin/keys/{key_id}/limit': async (world) => ({
    path: `admin/keys/${(await newKey(world)).id}/limit`,
    body: { per_minute: 61, reason: 'agreed' },
  }),
  'POST admin/decisions/{decision_id}/confirm': async (world) => ({
    path: `admin/decisions/${await newDecision(world)}/confirm`,
  }),
  'POST admin/decisions/{decision_id}/withdraw': async (world) => ({
    path: `admin/decisions/${await newDecision(world)}/withdraw`,
  }),
  'POST keys/{key_id}/row-requests/{request_id}/confirm': async (world) => ({
    path: `${await newEndpointRequest(world)}/confirm`,
    body: { endpoints: ['GET sales'] },
  }),
  'POST keys/{key_id}/row-requests/{request_id}/refuse': async (world) => ({ path: `${await newEndpointRequest(world)}/refuse` }),
  'POST owner-requests/{request_id}/approve': async (world) => ({
    path: `owner-requests/${await newOwnerRequest(world)}/approve`,
  }),
  'POST owner-requests/{request_id}/refuse': async (world) => ({ path: `owner-requests/${await newOwnerRequest(world)}/refuse` }),
  'GET admin/releases/{slug}': () => ({ path: `admin/releases/${slugOf(SOON)}` }),
  'POST admin/releases/{slug}': () => ({ path: `admin/releases/${slugOf(SOON)}`, body: { status: 'Yakında' } }),
  'POST admin/administrators/{person_id}/link': async ({ api }) => {
    const { id } = await api.database.onPlatform('write', (db) => createAdmin(db, `${newId()}@example.com`, 'none', TEST_ACTOR));
    return { path: `admin/administrators/${id}/link` };
  },
  'DELETE admin/people/{person_id}/totp': async ({ api }) => ({ path: `admin/people/${(await newPerson(api)).id}/totp` }),
  'DELETE admin/administrators/{person_id}': async ({ api }) => ({
    path: `admin/administrators/${(await newPerson(api, { admin: true })).id}`,
  }),
};
