// The wallet between a dealer and the platform's administrators: requested with a receipt, decided once, and by two for large
// amounts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import type { AdminPlan } from '../../src/panel/admin/plans.ts';
import type { AdminTopupLine } from '../../src/panel/admin/topups.ts';
import { payloadOf } from '../contract/payload.ts';
import { newKey } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let seller: Browser;
let first: Browser;
let second: Browser;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ name: 'Girne Oto' });
  owner = await signedIn(service, await newPerson(service, { accountId }));
  seller = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
  first = await signedIn(service, await newPerson(service, { admin: true }));
  second = await signedIn(service, await newPerson(service, { admin: true }));
});
afterAll(() => service.close());

const ask = async (amount: string): Promise<string> => {
  const headers = newKey();
  const { json, status, text } = await owner.api('v1/wallet/topup-requests', { method: 'POST', body: { amount }, headers });
  expect(status, text).toBe(201);
  return json.data.id;
};
const attach = (id: string, browser = owner, raw?: string) => {
  const { headers, body } = payloadOf({ form: {} });
  return browser.api(`wallet/topup-requests/${id}/receipts`, { method: 'POST', raw: raw ?? body!, headers });
};
const approve = (id: string, amount: string, by = first) =>
  by.api(`admin/accounts/${accountId}/topups/${id}/approve`, { method: 'POST', body: { amount } });
const reject = (id: string, note: string, by = first) =>
  by.api(`admin/accounts/${accountId}/topups/${id}/reject`, { method: 'POST', body: { note } });
const verdict = ({ status, json }: Awaited<ReturnType<typeof approve>>): string =>
  status < 300 ? `${status} ${json.data.status}` : `${status} ${json.error.code}`;
const balance = async (): Promise<string> => (await owner.api('v1/wallet')).json.data.balance;
const lineOf = async (id: string, by = first): Promise<AdminTopupLine> =>
  ((await by.api('admin/topups')).json.data as AdminTopupLine[]).find((one) => one.id === id)!;

describe('a receipt', () => {
  test('is attached by the payer, and opened by them and by the administrator, each download audited', async () => {
    const id = await ask('1200.00');
    expect(verdict(await attach(id, seller))).toBe('403 not_permitted');
    const made = await attach(id);
    expect(made.status, made.text).toBe(200);
    const [line] = (await owner.api('wallet/topup-requests')).json.data;
    expect(line).toMatchObject({ id, amount: '1200.00', receipts: [{ id: made.json.data.id, content_type: 'application/pdf' }] });
    expect((await lineOf(id)).receipts).toEqual([made.json.data.id]);
    const link = await first.api(`admin/accounts/${accountId}/topups/${id}/receipts/${made.json.data.id}`);
    const file = await fetch(link.json.data.url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await file.text()).toContain('%PDF-1.7');
    expect((await owner.api(`wallet/topup-requests/${id}/receipts/${made.json.data.id}`)).status).toBe(200);
    const { json } = await first.api(`admin/audit?account_id=${accountId}`);
    expect(json.data.filter(({ action }: { action: string }) => action === 'document.opened')).toHaveLength(2);
    // Readers of documents do not see it.
    expect((await owner.api('v1/documents')).json.data).toEqual([]);
    expect(verdict(await reject(id, 'Para gelmedi'))).toBe('200 Reddedildi');
    expect(verdict(await attach(id))).toBe('409 decided_meanwhile');
  });

  test('must be a scan, at most five', async () => {
    const id = await ask('10.00');
    const text = payloadOf({ form: {} }).body!.replace('%PDF-1.7', '<html>');
    expect(verdict(await attach(id, owner, text))).toBe('422 unsupported_file');
    expect((await owner.api(`wallet/topup-requests/${id}/receipts`, { method: 'POST', body: {} })).status).toBe(415);
    for (let page = 0; page < 5; page += 1) expect((await attach(id)).status).toBe(200);
    expect((await attach(id)).status).toBe(409);
    await reject(id, 'Deneme');
  });
});

describe('the decision', () => {
  test('the amount is typed again; approved once for repeated clicks', async () => {
    const before = await balance();
    const id = await ask('5000.00');
    expect(verdict(await approve(id, '500.00'))).toBe('422 validation_failed');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => approve(id, '5000.00', n % 2 === 0 ? first : second)));
    expect(answers.map(verdict).sort()).toEqual(['200 Onaylandı', ...Array.from({ length: 11 }, () => '409 decided_meanwhile')]);
    expect([before, await balance()]).toEqual(['0.00', '5000.00']);
    expect(verdict(await reject(id, 'geç'))).toBe('409 decided_meanwhile');
  });

  test('a large amount needs two administrators, and neither may be the requester', async () => {
    const before = await balance();
    const id = await ask('60000.00');
    expect(await lineOf(id)).toMatchObject({ needs_two: true, first_by_name: null, status: 'Beklemede' });
    expect(verdict(await approve(id, '60000.00'))).toBe('200 Beklemede');
    expect(await balance()).toBe(before);
    expect(verdict(await approve(id, '60000.00'))).toBe('403 second_person_required');
    expect(await lineOf(id, second)).toMatchObject({ may_be_second: true });
    expect(verdict(await approve(id, '60000.00', second))).toBe('200 Onaylandı');
    expect(await balance()).toBe('65000.00');
  });

  test('is not for dealers', async () => {
    const id = await ask('10.00');
    expect(verdict(await approve(id, '10.00', owner))).toBe('403 not_permitted');
    expect((await owner.api('admin/topups')).status).toBe(403);
    await reject(id, 'Deneme');
  });
});

describe('a dealer’s plan', () => {
  const plan = async (): Promise<AdminPlan> => (await first.api(`admin/accounts/${accountId}/plan`)).json.data;
  const change = (path: string, body: object, method = 'PATCH') =>
    first.api(`admin/accounts/${accountId}/${path}`, { method, body });

  test('plan, limits and capabilities are changed, and take effect at once', async () => {
    expect((await plan()).membership).toMatchObject({ plan: 'Kurumsal', limits: { branches: null } });
    const used = (await plan()).usage!.branches.used;
    const limits = { branches: used };
    expect((await change('plan', { plan: 'Başlangıç', price: '750.00', limits })).json.data).toMatchObject({
      plan: 'Başlangıç',
      price: '750.00',
      limits: { branches: used, vehicles: null },
    });
    const refused = await owner.api('branches', { method: 'POST', body: { name: 'Fazla', city: 'Girne' } });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'plan_limit_reached']);
    expect((await change('capabilities', { marketplace: false })).json.data).toMatchObject({ marketplace: false });
    expect((await plan()).capabilities.marketplace).toBe(false);
    expect((await change('capabilities', { marketplace: true })).status).toBe(200);
  });

  test('an invoice is issued, and settled once from the wallet', async () => {
    const days = { period_start: '2026-01-01', period_end: '2026-12-31', due_date: '2026-01-15' };
    const made = await change('invoices', { amount: '1500.00', tax_rate: '20', ...days }, 'POST');
    expect(made.json.data).toMatchObject({ total: '1800.00', tax_amount: '300.00', status: 'Ödenmedi' });
    const before = (await plan()).wallet.balance;
    const settle = () => change(`invoices/${made.json.data.id}/settle`, { from: 'wallet' }, 'POST');
    const answers = await Promise.all([settle(), settle(), settle()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect([before, (await plan()).wallet.balance]).toEqual(['65000.00', '63200.00']);
    expect((await owner.api('wallet/spending')).json.data.rows[1]).toMatchObject({
      purpose: 'membership',
      this_month: '1800.00',
    });
  });

  test('a correction goes both ways and never below zero', async () => {
    const correct = (amount: string) => change('wallet-corrections', { amount, description: 'Kampanya' }, 'POST');
    expect((await correct('+100.00')).json.data).toMatchObject({ type: 'Düzeltme', balance_after: '63300.00' });
    expect((await correct('-100.00')).json.data).toMatchObject({ balance_after: '63200.00' });
    await correct('-49000.00');
    expect((await correct('-14200.01')).json.data).toEqual({ waits_for_second: true });
    const [waiting] = (await second.api('admin/decisions')).json.data;
    const confirmed = await second.api(`admin/decisions/${waiting.id}/confirm`, { method: 'POST' });
    expect(confirmed.json.error.code).toBe('insufficient_balance');
  });

  test('shows the verification of the ledger', async () => {
    expect((await first.api('admin/ledger')).json.data).toMatchObject({ imbalance: '0.00', found: [] });
  });
});

test('the database accepts a receipt for nothing else', async () => {
  const insert = (kind: string, origin = 'Yüklendi') =>
    service.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`insert into documents (account_id, id, origin, kind, title, topup_id, file_id, content_type, size_bytes, sha256)
        select account_id, gen_random_uuid(), ${origin}, ${kind}, 'x', topup_id, file_id, content_type, size_bytes, sha256
        from ${own('documents')} where topup_id is not null limit 1`),
    );
  await expect(insert('Kimlik')).rejects.toMatchObject({ constraint: 'documents_topup' });
  await expect(insert('Dekont', 'Üretildi')).rejects.toMatchObject({ code: '23514' });
});
