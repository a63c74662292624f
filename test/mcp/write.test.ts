// The tool `write`: who has to confirm what, tokens that were altered, one act for each confirmation, and the books after a sale.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askPeople, decideInPanel, finishAgentWrite } from '../../src/domain/agents/agent-writes.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { makeToken, readToken } from '../../src/http/mcp/preview-token.ts';
import { type Db, keepsVersion } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { openSession } from '../../src/postgres/database.ts';
import { type AgentOptions, newAgent, setAgents, type TestAgent } from '../support/agent.ts';
import { carOf, customerOf, dataOf } from '../support/books.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../support/writer.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
type Shown = any;

let api: TestService;
let dealer: Dealer;
let keyId: string;
let personId: string;
const agents: TestAgent[] = [];

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  const [key] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from api_keys where account_id = ${dealer.accountId}`),
  );
  keyId = key!.id;
  personId = newId();
});
beforeEach(async () => {
  await setAgents(api, keyId, { agents: 'write' });
});
afterAll(async () => {
  for (const agent of agents) await agent.close();
  await api.close();
});

async function agentWith(options: AgentOptions = {}): Promise<TestAgent> {
  const agent = await newAgent(api.service.url, dealer.key, options);
  agents.push(agent);
  return agent;
}

const decide = (id: string, isApproved: boolean) =>
  api.database.inTenant(
    dealer.accountId,
    'write',
    (db) => decideInPanel(db, id, isApproved, personId, api.clock.realNow()),
    keepsVersion,
  );

/** A deleted vehicle is still read, with the time of its deletion. */
const isDeleted = async (path: string): Promise<boolean> => dataOf(await dealer.get(path)).deleted_at !== null;

const idOf = (token: string): string => token.split('.')[1]!;

const count = async (path: string): Promise<number> => dataOf(await dealer.get(`${path}?limit=100`)).length;

describe('a write without money', () => {
  test('is shown first and done with its token, once however often it is repeated', async () => {
    const agent = await agentWith();
    const before = await count('vehicles');
    const args = { method: 'POST', path: 'vehicles', body: aCar() };
    const preview = await agent.use('write', args);
    expect(preview).toMatchObject({ status: 'preview', money_moved: [], needs_person: false, events: ['vehicle.created'] });
    expect(preview.untrusted_data.value.plate).toBe(args.body.plate);
    expect(await count('vehicles')).toBe(before);
    const done = await agent.use('write', { ...args, confirm: preview.confirm });
    expect(done).toMatchObject({ status: 'done', confirmed_by: 'token' });
    const again = await agent.use('write', { ...args, confirm: preview.confirm });
    expect(again).toMatchObject({ status: 'done', repeated: true });
    expect(again.untrusted_data.value.id).toBe(done.untrusted_data.value.id);
    expect(await count('vehicles')).toBe(before + 1);
  });

  test('is written to the audit log with the client, the preview and who confirmed it', async () => {
    const agent = await agentWith();
    const args = { method: 'POST', path: 'customers', body: aPerson() };
    const { confirm } = await agent.use('write', args);
    const { untrusted_data } = await agent.use('write', { ...args, confirm });
    const [line] = await api.database.onPlatform('read', (db) =>
      db.rows<{ via: Shown }>(sql`select via from audit_log where target = ${untrusted_data.value.id}`),
    );
    expect(line!.via).toEqual({ channel: 'mcp', client: 'test-agent 1.0', preview_id: idOf(confirm), confirmed_by: 'token' });
  });

  test('is previewed again if the record has changed since', async () => {
    const agent = await agentWith();
    const id = await carOf(dealer);
    const args = { method: 'PATCH', path: `vehicles/${id}`, body: { km: 90_000 } };
    const { confirm } = await agent.use('write', args);
    await dealer.patch(`vehicles/${id}`, { color: 'Mavi' });
    const refused = await agent.use('write', { ...args, confirm });
    expect(refused).toMatchObject({ isError: true, error: { code: 'preview_outdated' }, preview: { status: 'preview' } });
    expect(dataOf(await dealer.get(`vehicles/${id}`)).km).toBe(84_000);
    const done = await agent.use('write', { ...args, confirm: refused.preview.confirm });
    expect(done.status).toBe('done');
    expect(dataOf(await dealer.get(`vehicles/${id}`)).km).toBe(90_000);
  });

  test('with a token of other arguments, another key or no key at all is a preview and never an act', async () => {
    const agent = await agentWith();
    const before = await count('vehicles');
    const args = { method: 'POST', path: 'vehicles', body: aCar() };
    const { confirm } = await agent.use('write', args);
    const other = await api.key(dealer.accountId, { endpoints: ['POST vehicles'] });
    await setAgents(api, other.id, { agents: 'write' });
    const stranger = await newAgent(api.service.url, other.secret);
    const tries = [
      agent.use('write', { ...args, body: { ...args.body, price: '1.00' }, confirm }),
      agent.use('write', { ...args, query: { include: 'x' }, confirm }),
      agent.use('write', { ...args, method: 'PATCH', confirm }),
      agent.use('write', { ...args, confirm: 'gpt1.x' }),
      agent.use('write', { ...args, confirm: confirm.slice(0, -1) }),
      stranger.use('write', { ...args, confirm }),
    ];
    for (const answer of await Promise.all(tries)) expect(['preview', undefined]).toContain(answer.status);
    expect(await count('vehicles')).toBe(before);
    await stranger.close();
  });

  test('is refused for a key that only reads', async () => {
    await setAgents(api, keyId, { agents: 'read' });
    const agent = await agentWith();
    const refused = await agent.use('write', { method: 'POST', path: 'vehicles', body: aCar() });
    expect(refused).toMatchObject({ isError: true, error: { code: 'agents_read_only' } });
  });
});

/** Runs `during` while a transaction of another session is open, and then commits it. */
async function whileOpen<T>(statement: string, values: unknown[], during: (blocked: () => Promise<void>) => Promise<T>) {
  const other = await openSession(api.adminUrl);
  await other.rows('begin');
  await other.rows(statement, values);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    return await during(async () => {
      await until(async () => (await other.rows(waiting)).length > 0);
      await other.rows('commit');
    });
  } finally {
    await other.rows('rollback');
    await other.close();
  }
}

describe('a token', () => {
  test('does not act where a call at the same time has asked a person', async () => {
    const agent = await agentWith();
    const before = await count('vehicles');
    const args = { method: 'POST', path: 'vehicles', body: aCar() };
    const { confirm } = await agent.use('write', args);
    const row = `insert into agent_writes (account_id, id, key_id, endpoint, path, status, created_at, expires_at)
      values ($1, $2, $3, 'POST vehicles', 'vehicles', 'waiting', now(), now() + interval '1 hour')`;
    const answer = await whileOpen(row, [dealer.accountId, idOf(confirm), keyId], async (commitBlocked) => {
      const acting = agent.use('write', { ...args, confirm });
      await commitBlocked();
      return acting;
    });
    expect(answer.status).toBe('waiting');
    expect(await count('vehicles')).toBe(before);
  });

  test('that was used does not act again where the first reply is gone, as after a reset of the sandbox', async () => {
    const agent = await agentWith();
    const args = { method: 'POST', path: 'customers', body: { ...aPerson(), id_no: null } };
    const { confirm } = await agent.use('write', args);
    expect((await agent.use('write', { ...args, confirm })).status).toBe('done');
    const before = await count('customers');
    const admin = await openSession(api.adminUrl);
    await admin.rows('delete from idempotency where key = $1', [confirm]);
    await admin.close();
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ error: { code: 'preview_outdated' } });
    expect(await count('customers')).toBe(before);
  });
});

/** Ten thousand tokens without a request: only the one that was made opens. */
test('no altered token is accepted', () => {
  const owner = { secret: randomBytes(32), accountId: newId(), keyId: newId() };
  const request = { method: 'POST', path: 'collections', query: '', body: { amount: '5.00' } };
  const facts = {
    id: newId(),
    expiresAt: Date.now() + 60_000,
    etag: 'W/"abc"',
    money: [{ currency: 'STG', minor: 500n }] as const,
  };
  const token = makeToken(owner, request, facts);
  expect(readToken(owner, request, token)).toEqual(facts);
  let accepted = 0;
  for (let index = 0; index < 10_000; index += 1) {
    const at = index % token.length;
    const altered =
      token.slice(0, at) + String.fromCharCode(33 + ((token.charCodeAt(at) - 33 + 1 + (index % 92)) % 94)) + token.slice(at + 1);
    if (altered !== token && readToken(owner, request, altered) !== null) accepted += 1;
  }
  expect(accepted).toBe(0);
  for (const changed of [
    { ...request, body: { amount: '50.00' } },
    { ...request, path: 'sales' },
    { ...request, method: 'PATCH' },
    { ...request, query: 'a=b' },
  ])
    expect(readToken(owner, changed, token)).toBeNull();
  expect(readToken({ ...owner, keyId: newId() }, request, token)).toBeNull();
  expect(readToken({ ...owner, accountId: newId() }, request, token)).toBeNull();
  expect(readToken({ ...owner, secret: randomBytes(32) }, request, token)).toBeNull();
});

describe('a write that needs a person', () => {
  const remove = async () => ({ method: 'DELETE', path: `vehicles/${await carOf(dealer)}` });

  test('waits for the panel, and is done after an approval', async () => {
    const agent = await agentWith();
    const args = await remove();
    const { confirm, needs_person } = await agent.use('write', args);
    expect(needs_person).toBe('risk');
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'waiting' });
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'waiting' });
    expect(await isDeleted(args.path)).toBe(false);
    expect(await decide(idOf(confirm), true)).toBe(true);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'done', confirmed_by: 'panel' });
    expect(await isDeleted(args.path)).toBe(true);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'done', repeated: true });
  });

  test('is never done after a rejection', async () => {
    const agent = await agentWith();
    const args = await remove();
    const { confirm } = await agent.use('write', args);
    await agent.use('write', { ...args, confirm });
    expect(await decide(idOf(confirm), false)).toBe(true);
    expect(await decide(idOf(confirm), true)).toBe(false);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'rejected' });
    expect(await isDeleted(args.path)).toBe(false);
  });

  test('is approved once and done once by two decisions and two calls at the same time', async () => {
    const agent = await agentWith();
    const sale = await cashSale();
    const args = { method: 'POST', path: 'collections', body: { sale_id: sale, amount: '100.00', currency: 'STG' } };
    const { confirm } = await agent.use('write', args);
    await agent.use('write', { ...args, confirm });
    expect((await Promise.all([1, 2].map(() => decide(idOf(confirm), true)))).filter(Boolean)).toHaveLength(1);
    const answers = await Promise.all([1, 2, 3].map(() => agent.use('write', { ...args, confirm })));
    expect(answers.some(({ status }) => status === 'done')).toBe(true);
    expect(dataOf(await dealer.get(`collections?sale_id=${sale}`))).toHaveLength(1);
  });

  test('is done in the window of the client if the person accepts it unchanged', async () => {
    const asked: string[] = [];
    const accepts = await agentWith({
      answers: (message, schema) => {
        asked.push(message);
        const fields = Object.entries<Shown>(schema.properties).map(([name, field]) => [name, field.default]);
        return { action: 'accept', content: { ...Object.fromEntries(fields), approve: true } };
      },
    });
    const args = await remove();
    const { confirm } = await accepts.use('write', args);
    expect(await accepts.use('write', { ...args, confirm })).toMatchObject({ status: 'done', confirmed_by: 'client' });
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain(args.path);
  });

  test('waits for the panel where the window could not show all of it', async () => {
    const agent = await agentWith({ answers: () => ({ action: 'accept', content: { approve: true } }) });
    const body = { sale_id: await cashSale(), amount: '1.00', currency: 'STG', note: 'x'.repeat(201) };
    const args = { method: 'POST', path: 'collections', body };
    const { confirm } = await agent.use('write', args);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'waiting' });
  });

  test.each([
    ['declines', () => ({ action: 'decline' })],
    ['leaves the box empty', () => ({ action: 'accept', content: { approve: false } })],
    ['changes a value', () => ({ action: 'accept', content: { approve: true, field_0: 'DELETE customers/1' } })],
  ])('is not done if the person %s', async (_, answers) => {
    const agent = await agentWith({ answers });
    const args = await remove();
    const { confirm } = await agent.use('write', args);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'rejected' });
    expect(await isDeleted(args.path)).toBe(false);
  });

  test('waits for the panel where the key does not trust the window of the client', async () => {
    await setAgents(api, keyId, { agents: 'write', confirmation: 'panel' });
    const agent = await agentWith({ answers: () => ({ action: 'accept', content: { approve: true } }) });
    const args = await remove();
    const { confirm } = await agent.use('write', args);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'waiting' });
  });
});

async function cashSale(): Promise<string> {
  const body = {
    vehicle_id: await carOf(dealer),
    customer_id: await customerOf(dealer),
    sale_price: '900.00',
    down_payment: '0.00',
    currency: 'STG',
    sale_date: new Date().toISOString().slice(0, 10),
    installment_count: 3,
    first_due_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  };
  return dataOf(await dealer.post('sales', body, { 'idempotency-key': newId() })).id;
}

describe('money', () => {
  test('within the ceilings needs the token only, until the day is full', async () => {
    await setAgents(api, keyId, { agents: 'write', ceilings: { STG: { call: '10000', day: '15000' } } });
    const agent = await agentWith();
    const sale = await cashSale();
    const pay = async (amount: string) => {
      const args = { method: 'POST', path: 'collections', body: { sale_id: sale, amount, currency: 'STG' } };
      const { confirm, money_moved } = await agent.use('write', args);
      expect(money_moved).toEqual([{ currency: 'STG', amount }]);
      return (await agent.use('write', { ...args, confirm })).status;
    };
    expect(await pay('100.00')).toBe('done');
    expect(await pay('100.01')).toBe('waiting');
    expect(await pay('60.00')).toBe('waiting');
    expect(await pay('50.00')).toBe('done');
    expect(dataOf(await dealer.get(`collections?sale_id=${sale}`))).toHaveLength(2);
  });

  test('of a token stays within the ceiling of the day, and the token valid, while the first call still runs', async () => {
    await setAgents(api, keyId, { agents: 'write', ceilings: { STG: { call: '10000', day: '1000000' } } });
    const agent = await agentWith();
    const args = { method: 'POST', path: 'collections', body: { sale_id: await cashSale(), amount: '100.00', currency: 'STG' } };
    const { confirm } = await agent.use('write', args);
    const running = `insert into idempotency (account_id, key, endpoint, fingerprint, created_at) values ($1, $2, 'x', sha256(''), now())`;
    const answer = await whileOpen(running, [dealer.accountId, confirm], () => agent.use('write', { ...args, confirm }));
    expect(answer).toMatchObject({ isError: true, error: { code: 'idempotency_in_progress' } });
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'done', confirmed_by: 'token' });
  });

  test('is 0 by default: every write of money waits for a person', async () => {
    const agent = await agentWith();
    const args = {
      method: 'POST',
      path: 'collections',
      body: { sale_id: await cashSale(), amount: '1.00', currency: 'STG' },
    };
    const { confirm, needs_person } = await agent.use('write', args);
    expect(needs_person).toBe('money');
    expect((await agent.use('write', { ...args, confirm })).status).toBe('waiting');
  });
});

describe('a write as it is stored', () => {
  const planned = (money: { currency: 'EUR'; minor: bigint }[] = []) => ({
    ...{ id: newId(), keyId, endpoint: 'POST collections', path: 'collections', money, client: null },
  });
  const inAccount = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    api.database.inTenant(dealer.accountId, 'write', work, keepsVersion);

  test('gives a refused sum back to the day on which it was approved', async () => {
    const write = planned([{ currency: 'EUR', minor: 10_000n }]);
    const [approved, refused] = ['2026-03-01T20:59:00Z', '2026-03-02T00:01:00Z'].map((at) => new Date(at));
    const left = await inAccount(async (db) => {
      await db.exec(sql`insert into agent_writes (account_id, id, key_id, endpoint, path, status, confirmed_by, created_at, expires_at)
        values (${dealer.accountId}, ${write.id}, ${keyId}, 'POST collections', 'collections', 'approved', 'token', ${approved},
          ${new Date(approved!.getTime() + 3_600_000)})`);
      for (const day of ['2026-03-01', '2026-03-02'])
        await db.exec(sql`insert into agent_days (account_id, key_id, day, currency, alone_minor)
          values (${dealer.accountId}, ${keyId}, ${day}, 'EUR', 10000)`);
      await finishAgentWrite(db, write, false, { realNow: refused!, timezone: 'Europe/London' });
      return db.rows(sql`select day::text as day, alone_minor::int as alone from agent_days where key_id = ${keyId} and currency = 'EUR'
        order by day`);
    });
    expect(left).toEqual([
      { day: '2026-03-01', alone: 0 },
      { day: '2026-03-02', alone: 10_000 },
    ]);
  });

  test('is mailed once in ten minutes, however often the agent asks', async () => {
    const keys = sealingKeys(api.secrets, dealer.accountId);
    const mailed: boolean[] = [];
    for (const minute of [0, 9, 18, 27]) {
      const at = new Date(Date.UTC(2098, 0, 1, 10, minute));
      mailed.push((await inAccount((db) => askPeople(db, keys, planned(), {}, at))).isNews);
    }
    expect(mailed).toEqual([true, false, true, true]);
  });
});

test('a sale and three collections by an agent leave the books that the API leaves', async () => {
  await setAgents(api, keyId, { agents: 'write', confirmation: 'panel' });
  const agent = await agentWith();
  const confirmed = async (path: string, body: Record<string, unknown>): Promise<Shown> => {
    const args = { method: 'POST', path, body };
    const { confirm } = await agent.use('write', args);
    expect((await agent.use('write', { ...args, confirm })).status).toBe('waiting');
    await decide(idOf(confirm), true);
    const done = await agent.use('write', { ...args, confirm });
    expect(done, JSON.stringify(done)).toMatchObject({ status: 'done', confirmed_by: 'panel' });
    return done.untrusted_data.value;
  };
  const direct = async (path: string, body: Record<string, unknown>): Promise<Shown> =>
    dataOf(await dealer.post(path, body, { 'idempotency-key': newId() }));
  const books: Shown[] = [];
  for (const write of [confirmed, direct]) {
    const sale = await write('sales', {
      vehicle_id: await carOf(dealer),
      customer_id: await customerOf(dealer),
      sale_price: '900.00',
      down_payment: '0.00',
      currency: 'STG',
      sale_date: new Date().toISOString().slice(0, 10),
      installment_count: 3,
      first_due_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
    });
    for (const amount of ['300.00', '200.00', '50.00']) await write('collections', { sale_id: sale.id, amount, currency: 'STG' });
    const { collected_amount, outstanding_amount, overdue_amount } = dataOf(await dealer.get(`sales/${sale.id}`));
    const { installments } = dataOf(await dealer.get(`sales/${sale.id}/installment-plan`));
    const rows = installments.map(({ amount, paid_amount, status }: Shown) => ({ amount, paid_amount, status }));
    books.push({ collected_amount, outstanding_amount, overdue_amount, rows });
  }
  expect(books[0]).toEqual(books[1]);
  expect(books[0].collected_amount).toBe('550.00');
});
