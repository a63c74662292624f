// A sale in the panel, by role: its history, previews that store nothing, the cost of the vehicle, the statement as a file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/domain/identity/roles.ts';
import { aDealer, carOf, collect, customerOf, dataOf, newKey, rowsOf, type Shown, sell, storeRates } from '../support/books.ts';
import { moveClock } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let customer: string;
const browsers = new Map<Role, Browser>();
const as = (role: Role): Browser => browsers.get(role)!;

beforeAll(async () => {
  api = await testService({ at: '2026-01-15T09:00:00Z' });
  await openAll(api);
  dealer = await aDealer(api);
  customer = await customerOf(dealer);
  for (const role of ROLES) browsers.set(role, await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role })));
});
afterAll(() => api.close());

/** 12 installments of 1 000.00 after a down payment of 2 000.00, of a vehicle that cost 7 777.77 and 222.22. */
async function aSale(overrides: Record<string, unknown> = {}): Promise<string> {
  const vehicle_id = await carOf(dealer, {
    price: '15000.00',
    purchase_price: '7777.77',
    purchase_currency: 'STG',
    customs_fee: '222.22',
  });
  const terms = { sale_price: '13000.00', down_payment: '2000.00', finance_charge: '1000.00', installment_count: 12 };
  return dataOf(await sell(dealer, { vehicle_id, customer_id: customer, ...terms, ...overrides })).id;
}

const post = (role: Role, path: string, body: Record<string, unknown>, method = 'POST') =>
  as(role).api(path, { method, body, headers: newKey() });
const historyOf = async (role: Role, id: string) => (await as(role).api(`sales/${id}/history?limit=100`)).json.data;

describe('history', () => {
  test('lists actor, action and time, newest first, with the changes and the given reason', async () => {
    const vehicle_id = await carOf(dealer);
    const terms = { sale_price: '1200.00', installment_count: 12, late_rate_yearly: '24.00' };
    const sold = await post('sales', 'v1/sales', { vehicle_id, customer_id: customer, ...terms });
    const id = dataOf(sold).id;
    const [first] = await rowsOf(dealer, id);
    await moveClock(api, '2026-01-20T12:00:00Z');
    dataOf(await post('sales', `v1/sales/${id}`, { legal_stage: 'İhtar', notes: 'Gizli bir söz' }, 'PATCH'));
    const money = dataOf(await post('finance', 'v1/collections', { sale_id: id, amount: '50.00', currency: 'STG' }));
    const off = await post('finance', `v1/installments/${first!.id}/postpone`, { months: 1, reason: 'Maaşı geç yatıyor' });
    dataOf(off);
    dataOf(await post('owner', `v1/collections/${money.id}/reverse`, { reason: 'Yanlış girildi' }));
    dataOf(await collect(dealer, id, '100.00'));
    const lines = await historyOf('viewer', id);
    const nameOf = async (role: Role) => (await as(role).api('session')).json.data.person.full_name;
    const [owner, finance, seller] = [await nameOf('owner'), await nameOf('finance'), await nameOf('sales')];
    expect(lines.map((line: { what: string; actor: { name: string } }) => [line.what, line.actor.name])).toEqual([
      ['collection.created', expect.any(String)],
      ['collection.reversed', owner],
      ['installment.postponed', finance],
      ['collection.created', finance],
      ['sale.updated', seller],
      ['sale.created', seller],
    ]);
    const [, reversed, postponed, taken, edited, made] = lines;
    expect(lines[0].actor.type).toBe('api_key');
    // Business time, which the test clock moves.
    expect(made.at.slice(0, 10)).toBe('2026-01-15');
    expect(edited.at.slice(0, 10)).toBe('2026-01-20');
    expect(edited.changes).toContainEqual({ field: 'legal_stage', old: 'Yok', new: 'İhtar' });
    expect(edited.changes).toContainEqual({ field: 'notes', withheld: true });
    expect(JSON.stringify(lines)).not.toContain('Gizli bir söz');
    expect(taken).toMatchObject({ receipt_no: money.receipt_no, type: 'Tahsilat', amount: '50.00', currency: 'STG' });
    expect(postponed).toMatchObject({ installment_id: expect.any(String), note: expect.stringContaining('Maaşı geç yatıyor') });
    expect(postponed.changes).toContainEqual({ field: 'due_date', old: '2026-02-15', new: '2026-03-15' });
    expect(reversed.note).toContain('Yanlış girildi');
    const page = (await as('viewer').api(`sales/${id}/history?limit=2&offset=4`)).json.data;
    expect(page.map(({ what }: { what: string }) => what)).toEqual(['sale.updated', 'sale.created']);
  });

  test('has no line for a dry run, a refusal or another sale', async () => {
    const id = await aSale();
    const before = await historyOf('owner', id);
    const dry = { ...newKey(), 'x-dry-run': 'true' };
    expect((await as('owner').api(`v1/sales/${id}`, { method: 'PATCH', body: { notes: 'x' }, headers: dry })).status).toBe(200);
    expect((await post('owner', 'v1/collections', { sale_id: id, amount: '999999.00', currency: 'STG' })).status).toBe(409);
    dataOf(await collect(dealer, await aSale(), '10.00'));
    expect(await historyOf('owner', id)).toEqual(before);
  });
});

describe('previews', () => {
  test('of terms, restructuring and one installment show the resulting plan, and store nothing', async () => {
    const id = await aSale();
    const stored = await rowsOf(dealer, id);
    const terms = dataOf(await post('sales', `sales/${id}/preview`, { installment_count: 6, finance_charge: '400.00' }));
    expect(terms.sale).toMatchObject({ total_receivable: '13400.00', installment_count: 6 });
    expect(terms.plan.installments).toHaveLength(7);
    const own = [
      { due_date: '2026-06-01', amount: '10000.00' },
      { due_date: '2026-07-01', amount: '4500.00', kind: 'Ara Ödeme' },
    ];
    const restructure = { from: '2026-06-01', installments: own, add_finance_charge: '500.00', reason: 'önizleme' };
    const cut = await post('finance', `sales/${id}/preview`, { restructure });
    expect(cut.json.error).toMatchObject({ code: 'installments_sum_mismatch' });
    const row = dataOf(await post('finance', `installments/${stored[1]!.id}/preview`, { amount: '1500.00' }));
    expect(row.plan.installments.map(({ amount }: { amount: string }) => amount).slice(1)).toEqual([
      '1500.00',
      ...Array(10).fill('1000.00'),
      '500.00',
    ]);
    expect(await rowsOf(dealer, id)).toEqual(stored);
    // Paid in lira, refunded in lira at the agreed rate.
    const paid = { currency: 'TL', exchange_rate: '60.000000' };
    dataOf(await collect(dealer, id, '60000.00', paid));
    const back = { reason: 'önizleme', refund_method: 'Nakit', refund_amount: '500.00', refund_currency: 'TL' };
    const cancelled = dataOf(await post('finance', `sales/${id}/cancel-preview`, { ...back, exchange_rate: '62.000000' }));
    expect(cancelled.sale).toMatchObject({ status: 'İptal', refunded_amount: '500.00', retained_amount: '500.00' });
    expect(cancelled.refund).toMatchObject({
      amount: '-31000.00',
      currency: 'TL',
      exchange_rate: '62.000000',
      rate_source: 'manuel',
    });
    expect(dataOf(await dealer.get(`sales/${id}`))).toMatchObject({ status: 'Aktif', collected_amount: '1000.00' });
    expect((await post('finance', `installments/${stored[1]!.id}/preview`, { due_date: '2027-01-01' })).json.error.code).toBe(
      'use_postpone',
    );
  });
});

describe('money before it is collected', () => {
  test('shows the installments that it and its discount fill, and stores nothing', async () => {
    const id = await aSale();
    const before = await rowsOf(dealer, id);
    const body = { sale_id: id, amount: '100.00', currency: 'STG', discount_amount: '50.00', discount_reason: 'Erken Ödeme' };
    const [money, forgiven, ...rest] = dataOf(await post('finance', 'collections/preview', body)) as Shown[];
    expect(rest).toEqual([]);
    expect([money!.type, forgiven!.type, money!.paired_id]).toEqual(['Tahsilat', 'İndirim', forgiven!.id]);
    expect(money!.allocations).toEqual([{ installment_id: before[0]!.id, seq: before[0]!.seq, amount: '100.00' }]);
    const last = before.at(-1)!;
    expect(forgiven!.allocations).toEqual([{ installment_id: last.id, seq: last.seq, amount: '50.00' }]);
    expect(await rowsOf(dealer, id)).toEqual(before);
    expect((await dealer.get(`collections/${money!.id}`)).status).toBe(404);
    const tooMuch = await post('finance', 'collections/preview', { ...body, amount: '999999.00' });
    expect(tooMuch.json.error.code).toBe('amount_exceeds_balance');
  });
});

describe('the cost of the vehicle', () => {
  /** The price, its customs fee, their sum, the profit and the margin. */
  const FIGURES = ['7777.77', '222.22', '7999.99', '6000.01', '42.86'];
  /** The milliseconds of a time may have the digits of a figure. */
  const withoutTimes = (text: string): string => text.replace(/\d\d:\d\d:\d\d(\.\d+)?/g, '');

  test('is returned to owner and finance, by its own endpoint', async () => {
    const id = await aSale();
    for (const role of ['owner', 'finance'] as const)
      expect(dataOf(await post(role, `sales/${id}/reveal`, {}))).toEqual({
        purchase_currency: 'STG',
        purchase_price: '7777.77',
        expenses: [],
        customs_fee: '222.22',
        other_costs: null,
        cost: '7999.99',
        profit: '6000.01',
        margin: '42.86',
        rates: [],
      });
    for (const role of ['sales', 'viewer', 'developer'] as const)
      expect((await post(role, `sales/${id}/reveal`, {})).status, role).toBe(403);
  });

  test('is in no other reply about the sale or the vehicle, for any role', async () => {
    const id = await aSale({ notes: 'açık' });
    const { vehicle_id } = dataOf(await dealer.get(`sales/${id}`));
    dataOf(await post('finance', 'v1/collections', { sale_id: id, amount: '10.00', currency: 'STG' }));
    const reads = [
      ...[`sales/${id}/history`, `sales/names?ids=${id}`, 'sales/counts', 'receivables/board', 'receivables/aging', 'overview'],
      ...[`v1/sales/${id}`, 'v1/sales?limit=100', `v1/sales/${id}/installment-plan`, `v1/sales/${id}/collections`, 'audit'],
      ...[`v1/vehicles/${vehicle_id}`, `v1/vehicles/${vehicle_id}/history`, 'v1/vehicles/export?format=csv', 'vehicles/counts'],
      `customers/${customer}/statement.csv?currency=STG&from=2026-01-01&to=2027-12-31`,
    ];
    for (const role of ROLES) {
      for (const path of reads) {
        const { text } = await as(role).api(path);
        expect(
          FIGURES.filter((figure) => withoutTimes(text).includes(figure)),
          `${role} ${path}`,
        ).toEqual([]);
      }
      const preview = await post(role, `sales/${id}/preview`, { notes: 'x' });
      expect(
        FIGURES.filter((figure) => preview.text.includes(figure)),
        `${role} preview`,
      ).toEqual([]);
    }
  });

  test('is converted at the buying rates of the day of sale, and unknown if the bank has none', async () => {
    await storeRates(api, 'KKTCMB', '2026-01-20');
    await moveClock(api, '2026-01-21T12:00:00Z');
    const vehicle_id = await carOf(dealer, { purchase_price: '640000.00', purchase_currency: 'TL' });
    const id = dataOf(await sell(dealer, { vehicle_id, customer_id: customer, sale_price: '12000.00' })).id;
    // 640 000 TL ÷ 64.200000 is 9 968.85 STG, as in profit-loss.
    expect(dataOf(await post('owner', `sales/${id}/reveal`, {}))).toMatchObject({
      purchase_currency: 'TL',
      cost: '9968.85',
      profit: '2031.15',
      rates: [{ pair: 'STG-TL', rate: '64.200000', day: '2026-01-20', source: 'KKTCMB' }],
    });
    // Also where only an expense of the car was converted.
    const local = await carOf(dealer, { purchase_price: '900.00', purchase_currency: 'STG' });
    const repair = {
      kind: 'Araç',
      category: 'Onarım',
      amount: '642.00',
      currency: 'TL',
      method: 'Havale/EFT',
      vehicle_id: local,
    };
    dataOf(await post('owner', 'expenses', repair));
    const sold = dataOf(await sell(dealer, { vehicle_id: local, customer_id: customer, sale_price: '1000.00' })).id;
    expect(dataOf(await post('owner', `sales/${sold}/reveal`, {}))).toMatchObject({
      cost: '910.00',
      rates: [{ pair: 'STG-TL', rate: '64.200000', day: '2026-01-20', source: 'KKTCMB' }],
    });
    const old = await carOf(dealer, { purchase_price: '640000.00', purchase_currency: 'TL' });
    const before = { vehicle_id: old, customer_id: customer, sale_price: '12000.00', sale_date: '2025-06-01' };
    const unknown = dataOf(await post('owner', `sales/${dataOf(await sell(dealer, before)).id}/reveal`, {}));
    expect(unknown).toMatchObject({ purchase_price: '640000.00', cost: null, profit: null, margin: null });
  });
});

/** Actions on a sale: the endpoint, and a body that the server accepts. */
const ACTS: readonly [
  allowed: string,
  method: string,
  path: (ids: Ids) => string,
  body: (ids: Ids) => Record<string, unknown>,
][] = [
  ['o.fs.', 'PATCH', ({ sale }) => `v1/sales/${sale}`, () => ({ notes: 'yeni' })],
  [
    'o.f..',
    'PATCH',
    ({ sale }) => `v1/sales/${sale}`,
    () => ({ restructure: { from: '2027-01-15', installment_count: 3, reason: 'deneme' } }),
  ],
  ['o.f..', 'POST', () => 'v1/collections', ({ sale }) => ({ sale_id: sale, amount: '1.00', currency: 'STG' })],
  [
    'o.f..',
    'POST',
    () => 'v1/collections',
    ({ sale }) => ({ sale_id: sale, amount: '0', currency: 'STG', discount_amount: '1.00', discount_reason: 'Silme' }),
  ],
  ['o.f..', 'POST', ({ money }) => `v1/collections/${money}/reverse`, () => ({ reason: 'deneme' })],
  ['o.f..', 'PATCH', ({ row }) => `v1/installments/${row}`, () => ({ note: 'yeni' })],
  ['o.f..', 'POST', ({ row }) => `v1/installments/${row}/postpone`, () => ({ months: 1, reason: 'deneme' })],
  ['o.fs.', 'POST', () => 'v1/payment-promises', ({ sale, today }) => ({ sale_id: sale, amount: '1.00', promised_date: today })],
  // Each sale has a payment; without one, sales may cancel it too (matrix.test.ts).
  ['o.f..', 'POST', ({ sale }) => `v1/sales/${sale}/cancel`, () => ({ reason: 'deneme', refund_method: 'Nakit' })],
];
interface Ids {
  readonly sale: string;
  readonly row: string;
  readonly money: string;
  readonly today: string;
}

test('every action on a sale is allowed to its roles and refused to the others, also in a dry run', async () => {
  await moveClock(api, '2026-02-01T12:00:00Z');
  for (const [allowed, method, path, body] of ACTS) {
    const sale = await aSale();
    const money = dataOf(await collect(dealer, sale, '5.00')).id;
    const ids = { sale, money, row: (await rowsOf(dealer, sale))[3]!.id, today: '2026-02-01' };
    for (const role of ['owner', 'developer', 'finance', 'sales', 'viewer'] as const) {
      const place = ['owner', 'developer', 'finance', 'sales', 'viewer'].indexOf(role);
      const headers = { ...newKey(), 'x-dry-run': 'true' };
      const answer = await as(role).api(path(ids), { method, body: body(ids), headers });
      const label = `${role} ${method} ${path(ids)}: ${answer.text.slice(0, 200)}`;
      if (allowed[place] === '.') expect([answer.status, answer.json.error.code], label).toEqual([403, 'not_permitted']);
      else expect(answer.status, label).toBeLessThan(300);
    }
  }
});

test('closing a day is for owner and finance, reopening it for the owner only', async () => {
  const [branch] = (await as('owner').api('branches')).json.data;
  const day = '2026-01-31';
  const till = { branch_id: branch.id, day };
  for (const role of ['developer', 'sales', 'viewer'] as const)
    expect((await post(role, 'till/closings', { ...till, counted: [] })).status, role).toBe(403);
  const { lines } = dataOf(await as('finance').api(`till?branch_id=${branch.id}&day=${day}`));
  const counted = lines.map(({ currency, method, expected }: Record<string, string>) => ({ currency, method, amount: expected }));
  const closed = dataOf(await post('finance', 'till/closings', { ...till, counted }));
  for (const role of ['developer', 'finance', 'sales', 'viewer'] as const)
    expect((await post(role, `till/closings/${closed.id}/reopen`, { reason: 'deneme' })).status, role).toBe(403);
  dataOf(await post('owner', `till/closings/${closed.id}/reopen`, { reason: 'Sayım yanlış' }));
});

describe("a customer's statement", () => {
  test('has ageing, late interest beside the balance, and its length, and is a file in the reader’s language', async () => {
    const of = await customerOf(dealer, { first_name: 'Ekstre', last_name: 'Bey' });
    const vehicle_id = await carOf(dealer);
    const terms = { sale_price: '365.00', installment_count: 1, first_due_date: '2026-02-01', late_rate_yearly: '10.00' };
    const id = dataOf(await sell(dealer, { vehicle_id, customer_id: of, ...terms, sale_date: '2026-01-10' })).id;
    await moveClock(api, '2026-03-13T12:00:00Z');
    const range = 'currency=STG&from=2026-01-01&to=2026-03-13';
    const statement = dataOf(await as('viewer').api(`customers/${of}/statement?${range}`));
    // 40 days of 10 % a year on 365.00.
    expect(statement).toMatchObject({ closing: '365.00', late_interest: '4.00', count: 1 });
    expect(statement.aging).toEqual({
      total: '365.00',
      not_due: '0.00',
      d1_30: '0.00',
      d31_60: '365.00',
      d61_90: '0.00',
      d91: '0.00',
    });
    dataOf(await collect(dealer, id, '400.00', { late_interest_amount: '35.00' }));
    const file = await as('sales').api(`customers/${of}/statement.csv?${range}`, { headers: { 'accept-language': 'tr' } });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = file.text.replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('Tarih;Hareket;Satış;Borç;Alacak;Bakiye;Para birimi');
    expect(lines[1]).toBe('2026-01-01;Devreden bakiye;;;;"0,00";STG');
    expect(lines[2]).toMatch(/^2026-02-01;1\. taksit;S-2026-\d+;"365,00";"0,00";"365,00";STG$/);
    expect(lines[3]).toMatch(/^2026-03-13;Tahsilat T-2026-\d+;S-2026-\d+;"0,00";"365,00";"0,00";STG$/);
    expect(lines[4]).toBe('2026-03-13;Son bakiye;;;;"0,00";STG');
    expect((await as('developer').api(`customers/${of}/statement.csv?${range}`)).status).toBe(403);
    expect((await as('owner').api(`customers/${of}/statement.csv?currency=STG&from=2026-02-01&to=2026-01-01`)).status).toBe(400);
  });

  test('shows a reversal as a negative credit, not as a debit', async () => {
    const of = await customerOf(dealer, { first_name: 'Ters', last_name: 'Kayıt' });
    const terms = { sale_price: '300.00', installment_count: 1, first_due_date: '2026-03-01', sale_date: '2026-01-10' };
    const id = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: of, ...terms })).id;
    const paid = dataOf(await collect(dealer, id, '100.00', { collected_on: '2026-01-20' })).id;
    dataOf(await dealer.post(`collections/${paid}/reverse`, { reason: 'karşılıksız', reversed_on: '2026-01-25' }, newKey()));
    const { lines } = dataOf(
      await as('finance').api(`customers/${of}/statement?currency=STG&from=2026-01-01&to=2026-03-31`),
    ) as unknown as { lines: Record<string, string>[] };
    expect(lines.map(({ type, debit, credit, balance }) => [type, debit, credit, balance])).toEqual([
      ['Tahsilat', '0.00', '100.00', '-100.00'],
      ['Ters Kayıt', '0.00', '-100.00', '0.00'],
      ['Taksit', '300.00', '0.00', '300.00'],
    ]);
  });
});
