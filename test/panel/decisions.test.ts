// Actions that move money or raise rights need two administrators: in the panel, and in the database regardless of the code.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DecisionLine } from '../../src/domain/keys/admin-decisions.ts';
import { post as postTransaction } from '../../src/domain/wallet/ledger.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import { asPlatform } from '../support/platform.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let firstPerson: TestPerson;
let secondPerson: TestPerson;
let first: Browser;
let second: Browser;
beforeAll(async () => {
  service = await testService();
  firstPerson = await newPerson(service, { admin: true });
  secondPerson = await newPerson(service, { admin: true });
  first = await signedIn(service, firstPerson);
  second = await signedIn(service, secondPerson);
  await newDealer();
});
afterAll(() => service.close());

/** Corrections within a day are summed, so each test has its own dealer. */
async function newDealer(): Promise<void> {
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
}

const post = (who: Browser, path: string, body: unknown = {}) => who.api(path, { method: 'POST', body });
const correct = (amount: string, by = first) =>
  post(by, `admin/accounts/${accountId}/wallet-corrections`, { amount, description: 'Kampanya' });
const balance = async (): Promise<string> => (await owner.api('v1/wallet')).json.data.balance;
const open = async (by = second): Promise<DecisionLine[]> =>
  ((await by.api('admin/decisions?limit=100')).json.data as DecisionLine[]).filter((line) => line.account_id === accountId);
const confirm = (id: string, by = second) => post(by, `admin/decisions/${id}/confirm`);
const codeOf = ({ status, json }: Awaited<ReturnType<typeof post>>): string => (status < 300 ? String(status) : json.error.code);

describe('a wallet correction', () => {
  test('above 50,000.00 waits for a second administrator, who executes it', async () => {
    await newDealer();
    expect((await correct('50000.01')).json.data).toEqual({ waits_for_second: true });
    expect(await balance()).toBe('0.00');
    const [line] = await open();
    expect(line).toMatchObject({ kind: 'wallet_correction', amount: '50000.01', status: 'pending', may_be_second: true });
    expect((await open(first))[0]).toMatchObject({ may_be_second: false });
    expect(codeOf(await confirm(line!.id, first))).toBe('second_person_required');
    expect(codeOf(await confirm(line!.id, owner))).toBe('not_permitted');
    const answers = await Promise.all([confirm(line!.id), confirm(line!.id), confirm(line!.id)]);
    expect(answers.map(codeOf).sort()).toEqual(['200', 'decided_meanwhile', 'decided_meanwhile']);
    expect(await balance()).toBe('50000.01');
    expect(await open()).toEqual([]);
  });

  test('cannot be split: corrections within 24 hours are summed, in either direction', async () => {
    await newDealer();
    expect((await correct('30000.00')).json.data).toMatchObject({ type: 'Düzeltme' });
    expect((await correct('-20000.00', second)).json.data).toMatchObject({ type: 'Düzeltme' });
    expect((await correct('0.01')).json.data).toEqual({ waits_for_second: true });
    expect(await balance()).toBe('10000.00');
  });

  test('cannot be split by posting at once: what passes the limit waits or is refused, and never fails', async () => {
    await newDealer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => correct('20000.00')));
    expect(answers.filter(({ json }) => json.data?.type === 'Düzeltme')).toHaveLength(2);
    expect([...new Set(answers.map(codeOf))].filter((code) => code !== '200' && code !== 'decided_meanwhile')).toEqual([]);
    expect(await balance()).toBe('40000.00');
  });

  test('that is withdrawn cannot be confirmed', async () => {
    await newDealer();
    await correct('60000.00');
    const [line] = await open();
    expect((await post(first, `admin/decisions/${line!.id}/withdraw`)).json.data).toEqual({ status: 'withdrawn' });
    expect(codeOf(await confirm(line!.id))).toBe('decided_meanwhile');
    expect(await balance()).toBe('0.00');
  });

  test('that the wallet cannot cover stays open, and is executed once it can', async () => {
    await newDealer();
    await correct('-50000.01');
    const [line] = await open();
    expect(codeOf(await confirm(line!.id))).toBe('insufficient_balance');
    expect(await open()).toMatchObject([{ id: line!.id, status: 'approved' }]);
    await correct('50000.01', second);
    const [credit] = (await open()).filter(({ amount }) => amount === '50000.01');
    expect(codeOf(await confirm(credit!.id, first))).toBe('200');
    expect(codeOf(await confirm(line!.id))).toBe('200');
    expect(await balance()).toBe('0.00');
  });
});

describe('a top-up', () => {
  const ask = async (amount: string): Promise<string> => {
    const headers = { 'Idempotency-Key': newId() };
    return (await owner.api('v1/wallet/topup-requests', { method: 'POST', body: { amount }, headers })).json.data.id;
  };
  const approve = (id: string, amount: string, by = first) =>
    post(by, `admin/accounts/${accountId}/topups/${id}/approve`, { amount });

  test('cannot be split: those that one administrator approves for a wallet in 24 hours count together', async () => {
    await newDealer();
    const ids = await Promise.all(['30000.00', '30000.00', '30000.00'].map(ask));
    const answers = await Promise.all(ids.map((id) => approve(id, '30000.00')));
    expect(answers.map(({ json }) => json.data.status).sort()).toEqual(['Beklemede', 'Beklemede', 'Onaylandı']);
    expect(await balance()).toBe('30000.00');
    const waiting = answers.find(({ json }) => json.data.status === 'Beklemede')!.json.data.id as string;
    expect(codeOf(await approve(waiting, '30000.00'))).toBe('second_person_required');
    expect((await approve(waiting, '30000.00', second)).json.data).toMatchObject({ status: 'Onaylandı' });
    expect(await balance()).toBe('60000.00');
    const fits = await ask('20000.00');
    const lines = (await first.api('admin/topups?limit=100&status=Beklemede')).json.data as { id: string; needs_two: boolean }[];
    expect(lines.filter(({ id }) => [...ids, fits].includes(id)).map(({ needs_two }) => needs_two)).toEqual([false, true]);
    expect((await approve(fits, '20000.00')).json.data).toMatchObject({ status: 'Onaylandı' });
  });
});

describe('the settlement of an invoice', () => {
  const issue = async (amount: string): Promise<string> => {
    const days = { period_start: '2026-01-01', period_end: '2026-12-31', due_date: '2026-01-15' };
    return (await post(first, `admin/accounts/${accountId}/invoices`, { amount, tax_rate: '0', ...days })).json.data.id;
  };
  const settle = (id: string, from: string, by = first) =>
    post(by, `admin/accounts/${accountId}/invoices/${id}/settle`, { from });

  test('above 50,000.00 waits for a second administrator, also when it was paid externally', async () => {
    await newDealer();
    const small = await issue('50000.00');
    expect((await settle(small, 'outside')).json.data).toMatchObject({ status: 'Ödendi' });
    const large = await issue('50000.01');
    expect((await settle(large, 'outside')).json.data).toEqual({ waits_for_second: true });
    expect(codeOf(await settle(large, 'wallet', second))).toBe('decided_meanwhile');
    const [line] = await open();
    expect(line).toMatchObject({ kind: 'invoice_settlement', details: { from: 'outside' }, subject_name: expect.any(String) });
    expect(codeOf(await confirm(line!.id))).toBe('200');
    expect((await owner.api('v1/membership/invoices')).json.data[0]).toMatchObject({ id: large, status: 'Ödendi' });
  });
});

describe('special authorizations of a key', () => {
  test('are granted by two administrators and removed by one', async () => {
    await newDealer();
    const key = await service.key(accountId, {});
    const authorize = (authorizations: string[], by = first) =>
      post(by, `admin/keys/${key.id}/authorizations`, { authorizations });
    const input = () =>
      service.database.onPlatform('read', async (db) => {
        const row = await db.one<{ authorizations: string[] }>(sql`select authorizations from api_keys where id = ${key.id}`);
        return row.authorizations;
      });
    expect((await authorize(['network_auction_bid'])).json.data).toEqual({ waits_for_second: true });
    expect(await input()).toEqual([]);
    const [line] = await open();
    expect(codeOf(await confirm(line!.id))).toBe('200');
    expect(await input()).toEqual(['network_auction_bid']);
    expect((await authorize([])).json.data).toEqual({ waits_for_second: false });
    expect(await input()).toEqual([]);
  });

  test('expire with the decision: confirmed and not used for seven days, it is not executed any more', async () => {
    await newDealer();
    const key = await service.key(accountId, {});
    await post(first, `admin/keys/${key.id}/authorizations`, { authorizations: ['network_auction_bid'] });
    const [line] = await open();
    const confirmedAt = (days: number) =>
      service.database.onPlatform('write', (db) =>
        db.exec(sql`update admin_decisions set status = 'approved', second_by = ${secondPerson.id},
          second_at = now() - make_interval(days => ${days}, mins => 1) where id = ${line!.id}`),
      );
    await confirmedAt(6);
    expect(await open()).toMatchObject([{ id: line!.id, status: 'approved', expired: false }]);
    await confirmedAt(7);
    expect(await open()).toMatchObject([{ id: line!.id, status: 'approved', expired: true }]);
    expect(codeOf(await confirm(line!.id))).toBe('decided_meanwhile');
    expect((await post(first, `admin/decisions/${line!.id}/withdraw`)).json.data).toEqual({ status: 'withdrawn' });
  });
});

describe('the database', () => {
  const inTenant = (statement: ReturnType<typeof sql>) =>
    service.database.inTenant(accountId, 'write', (db) => db.exec(statement));
  const onPlatform = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));
  const REQUIRED = { constraint: 'admin_decisions_required' };
  const correction = (amount: bigint, decision: string | null) => {
    const id = newId();
    return inTenant(sql`with posted as (insert into wallet_transactions (account_id, id, number, type, amount_minor, currency,
        balance_after_minor, description, decision_id, created_at)
      select account_id, ${id}, last_number + 1, 'Düzeltme', ${amount}, 'TL', balance_minor + ${amount}, 'Elle', ${decision}::uuid, now()
        from ${own('wallets')} returning 1),
      moved as (update wallets set balance_minor = balance_minor + ${amount}, last_number = last_number + 1 where account_id = ${theAccount})
      insert into ledger_entries (account_id, transaction_id, place, ledger_account_id, is_platform, direction, amount_minor, currency)
        select ${theAccount}, ${id}, place, coalesce(against, ${theAccount}), against is not null, direction, abs(${amount}), 'TL' from
          (values (1, null::uuid, 'credit'), (2, '00000000-0000-4000-a000-000000000004', 'debit')) as entry(place, against, direction)`);
  };
  const decision = async (input: { first: string; second: string | null; alone?: boolean; amount?: bigint }): Promise<string> => {
    const id = newId();
    await onPlatform(sql`insert into admin_decisions (id, kind, dealer_id, amount_minor, details, status, alone, first_by, first_at,
        second_by, second_at)
      values (${id}, 'wallet_correction', ${accountId}, ${input.amount ?? 5_000_001n}, '{"description":"Elle"}', 'approved',
        ${input.alone ?? false}, ${input.first}, now(), ${input.second}, case when ${input.second}::uuid is not null then now() end)`);
    return id;
  };

  test('refuses a large correction without a decision, with one for another amount, and a second use', async () => {
    await newDealer();
    await expect(correction(5_000_001n, null)).rejects.toMatchObject(REQUIRED);
    await expect(correction(5_000_001n, newId())).rejects.toMatchObject(REQUIRED);
    const both = { first: firstPerson.id, second: secondPerson.id };
    await expect(correction(5_000_002n, await decision(both))).rejects.toMatchObject(REQUIRED);
    const used = await decision(both);
    await correction(5_000_001n, used);
    await expect(correction(5_000_001n, used)).rejects.toMatchObject(REQUIRED);
    await correction(5_000_000n, null);
    await expect(correction(1n, null)).rejects.toMatchObject(REQUIRED);
  });

  test('refuses a decision that was confirmed more than seven days ago', async () => {
    await newDealer();
    const old = await decision({ first: firstPerson.id, second: secondPerson.id });
    await onPlatform(sql`update admin_decisions set second_at = now() - interval '7 days 1 minute' where id = ${old}`);
    await expect(correction(5_000_001n, old)).rejects.toMatchObject(REQUIRED);
  });

  test('refuses a decision of one person, and of two who may be one', async () => {
    const { id: made } = await newPerson(service, { admin: true });
    await onPlatform(sql`update people set admin_made_by = ${firstPerson.id} where id = ${made}`);
    await expect(decision({ first: firstPerson.id, second: null })).rejects.toMatchObject({ constraint: 'admin_decisions_two' });
    const same = decision({ first: firstPerson.id, second: firstPerson.id });
    await expect(same).rejects.toMatchObject({ constraint: 'admin_decisions_second_person' });
    const one = decision({ first: firstPerson.id, second: made });
    await expect(one).rejects.toMatchObject({ constraint: 'admin_decisions_second_person' });
  });

  /** A request with its posting in the wallet, which only the approval is missing. */
  const postedTopup = async (amount: bigint): Promise<{ id: string; transaction: string }> => {
    const id = newId();
    const reference = { type: 'topup_request', id } as const;
    await inTenant(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, created_at, updated_at)
      values (${theAccount}, ${id}, ${amount}, 'TL', 'Havale/EFT', now(), now())`);
    const posting = { type: 'Yükleme', amount, reference, description: 'Elle' } as const;
    return { id, transaction: await asPlatform(service, accountId, (work) => postTransaction(work, posting)) };
  };
  const approval = ({ id, transaction }: { id: string; transaction: string }, firstBy: string | null = null, hoursAgo = 0) =>
    sql`update wallet_topups set status = 'Onaylandı', decided_by = ${secondPerson.id}, first_by = ${firstBy},
      decided_at = now() - make_interval(hours => ${hoursAgo}), transaction_id = ${transaction}
      where account_id = ${theAccount} and id = ${id}`;
  const SECOND_REQUIRED = { constraint: 'wallet_topups_second_person' };

  test('refuses top-ups of a wallet that exceed 50,000.00 in 24 hours together, unless two administrators approve', async () => {
    await newDealer();
    const approve = async (amount: bigint, firstBy: string | null = null, hoursAgo = 0) =>
      inTenant(approval(await postedTopup(amount), firstBy, hoursAgo));
    await approve(5_000_000n, null, 25);
    await approve(3_000_000n);
    await expect(approve(2_000_001n)).rejects.toMatchObject(SECOND_REQUIRED);
    await expect(approve(2_000_001n, secondPerson.id)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^wallet_topups_/),
    });
    await approve(4_000_000n, firstPerson.id);
    await approve(2_000_000n);
    await expect(approve(1n)).rejects.toMatchObject(SECOND_REQUIRED);
    const { transaction } = await postedTopup(1n);
    const inserted = inTenant(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, status, decided_at,
        decided_by, transaction_id, created_at, updated_at)
      values (${theAccount}, ${newId()}, 1, 'TL', 'Havale/EFT', 'Onaylandı', now(), ${firstPerson.id}, ${transaction}, now(), now())`);
    await expect(inserted).rejects.toMatchObject(SECOND_REQUIRED);
  });

  test('counts a top-up whose approval is not committed yet', async () => {
    await newDealer();
    const [one, other] = [await postedTopup(3_000_000n), await postedTopup(3_000_000n)];
    let outcome: Promise<unknown> = Promise.resolve();
    await service.database.inTenant(accountId, 'write', async (db) => {
      await db.exec(approval(one));
      let isSettled = false;
      outcome = inTenant(approval(other))
        .catch((error: unknown) => error)
        .finally(() => {
          isSettled = true;
        });
      const waits = sql`select from pg_locks where not granted and pg_blocking_pids(pid) @> array[pg_backend_pid()]`;
      await expect.poll(async () => isSettled || (await db.rows(waits)).length > 0).toBe(true);
    });
    expect(await outcome).toMatchObject(SECOND_REQUIRED);
  });

  test('refuses a large top-up by one administrator, a large settlement and an authorization without a decision', async () => {
    await newDealer();
    const topup = newId();
    await inTenant(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, created_at, updated_at)
      values (${theAccount}, ${topup}, 5000001, 'TL', 'Havale/EFT', now(), now())`);
    const approve = (by: string, firstBy: string | null) =>
      inTenant(sql`update wallet_topups set status = 'Onaylandı', decided_at = now(), decided_by = ${by}, first_by = ${firstBy},
        transaction_id = ${topup} where account_id = ${theAccount} and id = ${topup}`);
    await expect(approve(firstPerson.id, null)).rejects.toMatchObject({ constraint: 'wallet_topups_second_person' });
    const invoice = newId();
    await inTenant(sql`insert into membership_invoices (account_id, id, invoice_no, period_start, period_end, amount_minor, tax_rate_minor,
        tax_amount_minor, total_minor, due_date, created_at, updated_at)
      values (${theAccount}, ${invoice}, 'F-1', '2026-01-01', '2026-12-31', 5000001, 0, 0, 5000001, '2026-01-15', now(), now())`);
    const settled =
      inTenant(sql`update membership_invoices set status = 'Ödendi', paid_at = now() where account_id = ${theAccount}
      and id = ${invoice}`);
    await expect(settled).rejects.toMatchObject(REQUIRED);
    const key = await service.key(accountId, {});
    const authorized = onPlatform(sql`update api_keys set authorizations = '{live_auction_operate}' where id = ${key.id}`);
    await expect(authorized).rejects.toMatchObject(REQUIRED);
    const made = onPlatform(sql`insert into api_keys (account_id, id, name, environment, authorizations)
      values (${accountId}, ${newId()}, 'authorized', 'production', '{live_auction_operate}')`);
    await expect(made).rejects.toMatchObject(REQUIRED);
  });

  test('keeps a decision of one for a key that is created with authorizations, as on the command line', async () => {
    await newDealer();
    const key = await service.key(accountId, { authorizations: ['network_auction_bid'] });
    const decisions = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select kind, status, alone, first_by, details->'authorizations' as authorizations from admin_decisions
        where subject = ${key.id}`),
    );
    expect(decisions).toEqual([
      { kind: 'key_authorization', status: 'done', alone: true, first_by: null, authorizations: ['network_auction_bid'] },
    ]);
  });
});
