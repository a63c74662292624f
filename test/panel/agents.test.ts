// Agents in the panel: who sets what they may do, who sees and decides their writes, and what the API does with the decision.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/kit/sql.ts';
import { newAgent, type TestAgent } from '../support/agent.ts';
import { carOf, customerOf, dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn, type TestPerson } from './people.ts';

let api: TestService;
let dealer: Dealer;
let keyId: string;
let owner: Browser;
let finance: Browser;
let sales: Browser;
let salesPerson: TestPerson;
let agent: TestAgent;

beforeAll(async () => {
  api = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  await openAll(api);
  dealer = await newDealer(api);
  const { accountId } = dealer;
  const [key] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from api_keys where account_id = ${accountId}`),
  );
  keyId = key!.id;
  salesPerson = await newPerson(api, { accountId, role: 'sales' });
  [owner, finance, sales] = await Promise.all([
    newPerson(api, { accountId }).then((person) => signedIn(api, person)),
    newPerson(api, { accountId, role: 'finance' }).then((person) => signedIn(api, person)),
    signedIn(api, salesPerson),
  ]);
  agent = await newAgent(api.service.url, dealer.key);
});
afterAll(async () => {
  await agent.close();
  await api.close();
});

/** A deleted vehicle is still read, with the time of its deletion. */
const isDeleted = async (path: string): Promise<boolean> => dataOf(await dealer.get(path)).deleted_at !== null;

const setTo = async (who: Browser, settings: object) => {
  const answer = await who.api(`keys/${keyId}/agents`, { method: 'PATCH', body: { confirmation: 'panel', ...settings } });
  await api.settled();
  return answer;
};
const waitingWrite = async () => {
  const args = { method: 'DELETE', path: `vehicles/${await carOf(dealer)}` };
  const { confirm } = await agent.use('write', args);
  const { status } = await agent.use('write', { ...args, confirm });
  return { args, confirm, status, id: confirm.split('.')[1] as string };
};
const decide = (who: Browser, id: string, act: 'approve' | 'reject') =>
  who.api(`agent-writes/${id}/${act}`, { method: 'POST', body: {} });
const listOf = async (who: Browser) =>
  (await who.api('agent-writes')).json.data as { id: string; may_decide: boolean; preview: unknown }[];

describe('what agents may do with a key', () => {
  test('is reading for a new key, and set by an owner', async () => {
    expect((await owner.api(`keys/${keyId}/agents`)).json.data).toMatchObject({ agents: 'read', approvers: [] });
    const body = { agents: 'write', stg_call: '100.00', stg_day: '250.50', approvers: [salesPerson.id] };
    const { json } = await setTo(owner, body);
    expect(json.data).toMatchObject({ agents: 'write', confirmation: 'panel', approvers: [salesPerson.id] });
    expect(json.data.ceilings).toContainEqual({ currency: 'STG', call: '100.00', day: '250.50' });
    expect(json.data.ceilings).toContainEqual({ currency: 'TL', call: '0.00', day: '0.00' });
  });

  test('is refused to others, for strangers as approvers, and for other values', async () => {
    expect((await setTo(finance, { agents: 'write' })).status).toBe(403);
    const stranger = await newPerson(api, { accountId: await api.account() });
    expect((await setTo(owner, { agents: 'write', approvers: [stranger.id] })).status).toBe(404);
    expect((await setTo(owner, { agents: 'always' })).status).toBe(422);
    expect((await setTo(owner, { agents: 'write', tl_call: '-1.00' })).status).toBe(422);
  });
});

describe('a write that waits', () => {
  test('is seen and decided by the owners where the key names no one', async () => {
    await setTo(owner, { agents: 'write' });
    const { args, confirm, id } = await waitingWrite();
    expect((await listOf(owner)).find((one) => one.id === id)).toMatchObject({ may_decide: true, preview: expect.anything() });
    expect((await listOf(sales)).find((one) => one.id === id)).toBeUndefined();
    expect((await decide(sales, id, 'approve')).status).toBe(403);
    expect((await decide(owner, id, 'approve')).status).toBe(200);
    expect((await decide(owner, id, 'reject')).json.error.code).toBe('approval_closed');
    expect((await agent.use('write', { ...args, confirm })).status).toBe('done');
    expect(await isDeleted(args.path)).toBe(true);
  });

  test('is decided by the people whom the key names, and by no owner beside them', async () => {
    await setTo(owner, { agents: 'write', approvers: [salesPerson.id] });
    const { args, confirm, id } = await waitingWrite();
    expect((await decide(owner, id, 'approve')).status).toBe(403);
    expect((await decide(finance, id, 'approve')).status).toBe(403);
    expect((await decide(sales, id, 'reject')).status).toBe(200);
    expect((await agent.use('write', { ...args, confirm })).status).toBe('rejected');
    expect(await isDeleted(args.path)).toBe(false);
  });

  test('is not decided by a person whose role could not do it', async () => {
    await setTo(owner, { agents: 'write', approvers: [salesPerson.id] });
    const body = { amount: '500.00', method: 'Havale/EFT', reference: 'DK-1' };
    const args = { method: 'POST', path: 'wallet/topup-requests', body };
    const { confirm } = await agent.use('write', args);
    expect((await agent.use('write', { ...args, confirm })).status).toBe('waiting');
    expect((await decide(sales, confirm.split('.')[1], 'approve')).status).toBe(403);
  });

  test('about a sale or a payment is not decided by a salesperson, who has only own sales', async () => {
    await setTo(owner, { agents: 'write', approvers: [salesPerson.id] });
    const sold = {
      vehicle_id: await carOf(dealer),
      customer_id: await customerOf(dealer),
      sale_price: '900.00',
      currency: 'STG',
    };
    const { id: sale_id } = dataOf(await sell(dealer, { ...sold, down_payment: '100.00', installment_count: 2 }));
    const args = { method: 'POST', path: 'collections', body: { sale_id, amount: '1.00', currency: 'STG' } };
    const { confirm } = await agent.use('write', args);
    expect((await agent.use('write', { ...args, confirm })).status).toBe('waiting');
    expect((await decide(sales, confirm.split('.')[1], 'approve')).status).toBe(403);
    expect((await listOf(sales)).find(({ id }) => id === confirm.split('.')[1])?.may_decide).toBe(false);
  });

  test('is not done after its hour', async () => {
    await setTo(owner, { agents: 'write' });
    const { args, confirm, id } = await waitingWrite();
    await decide(owner, id, 'approve');
    await api.database.inTenant(dealer.accountId, 'write', (db) =>
      db.exec(sql`update agent_writes set expires_at = now() - interval '1 second' where id = ${id}`),
    );
    expect((await agent.use('write', { ...args, confirm })).status).toBe('preview');
    expect(await isDeleted(args.path)).toBe(false);
  });

  test('is not done once the owner has closed the key to writing', async () => {
    await setTo(owner, { agents: 'write' });
    const { args, confirm, id } = await waitingWrite();
    await decide(owner, id, 'approve');
    await setTo(owner, { agents: 'read' });
    expect((await agent.use('write', { ...args, confirm })).error.code).toBe('agents_read_only');
    expect(await isDeleted(args.path)).toBe(false);
  });

  test('is mailed to those who decide, once in ten minutes, and twenty wait at most', async () => {
    await setTo(owner, { agents: 'write' });
    const { id: other, secret } = await api.key(dealer.accountId, {
      endpoints: ['GET vehicles/{vehicle_id}', 'DELETE vehicles/{vehicle_id}'],
    });
    await owner.api(`keys/${other}/agents`, { method: 'PATCH', body: { agents: 'write', confirmation: 'panel' } });
    await api.settled();
    const looping = await newAgent(api.service.url, secret);
    const mails = () =>
      api.database.onPlatform('read', (db) => db.rows(sql`select recipient from mails where subject like '%ajan onayı%'`));
    const before = (await mails()).length;
    const tenMinutes = () => Math.floor(Date.now() / 600_000);
    const from = tenMinutes();
    const path = `vehicles/${await carOf(dealer)}`;
    const results: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      const { confirm } = await looping.use('write', { method: 'DELETE', path });
      const { status, error } = await looping.use('write', { method: 'DELETE', path, confirm });
      results.push(status ?? error.code);
    }
    expect(results.filter((one) => one === 'waiting')).toHaveLength(20);
    expect(results.at(-1)).toBe('too_many_waiting');
    const sent = (await mails()).length - before;
    expect(sent).toBeGreaterThanOrEqual(1);
    expect(sent).toBeLessThanOrEqual(tenMinutes() - from + 1);
    await looping.close();
  });
});

test('an approval is used once, also if the process ended between the act and its record', async () => {
  await setTo(owner, { agents: 'write' });
  const { args, confirm, id } = await waitingWrite();
  await decide(owner, id, 'approve');
  expect((await agent.use('write', { ...args, confirm })).status).toBe('done');
  // As a kill would leave it: done, but not recorded.
  await api.database.inTenant(dealer.accountId, 'write', (db) =>
    db.exec(sql`update agent_writes set status = 'approved' where id = ${id}`),
  );
  await dealer.post(`${args.path}/restore`);
  expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'done', repeated: true });
  expect(await isDeleted(args.path)).toBe(false);
});

test('the days of a key count calls, refusals and writes', async () => {
  const { json } = await owner.api(`keys/${keyId}/agents`);
  expect(json.data.days[0].writes).toBeGreaterThan(1);
  expect(json.data.days[0].calls).toBeGreaterThan(json.data.days[0].refused);
});
