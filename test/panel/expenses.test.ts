// Expenses, recurring ones and transfers of cash in the panel: amounts, reversals, closed days, the till, roles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { carOf, collect, customerOf, dataOf, type Shown, sell, storeRates, verdictOf } from '../support/books.ts';
import { QUOTES, storeBulletinFor } from '../support/bulletins.ts';
import { moveClock } from '../support/clock.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const TODAY = '2026-03-16';

let api: TestService;
let admin: Session;
beforeAll(async () => {
  api = await testService({ at: `${TODAY}T10:00:00Z` });
  admin = await openSession(api.adminUrl);
  await openAll(api);
  await storeRates(api, 'KKTCMB', TODAY);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

interface Office {
  readonly dealer: Dealer;
  readonly owner: Browser;
  readonly branch: string;
}

async function newOffice(): Promise<Office> {
  const dealer = await newDealer(api);
  const owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  return { dealer, owner, branch: (await owner.api('branches')).json.data[0].id };
}

const post = (by: Browser, path: string, body: object): Promise<Answer> => by.api(path, { method: 'POST', body });
const rent = (overrides: object = {}) => ({ kind: 'İşletme', category: 'Kira', amount: '500.00', currency: 'STG', ...overrides });
const repair = (vehicle_id: string, overrides: object = {}) => ({
  ...{ kind: 'Araç', category: 'Onarım', amount: '120.50', currency: 'STG', vehicle_id },
  ...overrides,
});
const faultOf = ({ json }: Answer): string => json.error.details[0].field;
const tillOf = async ({ owner, branch }: Office, day = TODAY): Promise<Shown[]> =>
  dataOf(await owner.api(`till?branch_id=${branch}&day=${day}`)).lines;
const cash = (lines: readonly Shown[], currency = 'STG'): Shown | undefined =>
  lines.find((line) => line.method === 'Nakit' && line.currency === currency);

describe('an expense', () => {
  test('gets a number, the value at the rate of its day, and is in the list and the sums', async () => {
    const { dealer, owner } = await newOffice();
    const car = await carOf(dealer, { purchase_price: '1000.00', purchase_currency: 'STG' });
    const made = dataOf(await post(owner, 'expenses', repair(car, { amount: '642.00', currency: 'TL' })));
    expect(made).toMatchObject({
      ...{ expense_no: 'G-2026-00001', day: TODAY, method: 'Nakit', valued_currency: 'STG', valued_amount: '10.00' },
      ...{ rate_pair: 'STG-TL', exchange_rate: '64.200000', rate_source: 'KKTCMB', reversed_by_id: null, has_file: false },
    });
    const agreed = { amount: '600.00', currency: 'TL', exchange_rate: '60' };
    expect(dataOf(await post(owner, 'expenses', repair(car, agreed)))).toMatchObject({
      ...{ expense_no: 'G-2026-00002', valued_amount: '10.00', rate_source: 'manuel' },
    });
    const { json } = await owner.api(`expenses?vehicle_id=${car}`);
    expect(json.data.map((one: Shown) => one.expense_no)).toEqual(['G-2026-00002', 'G-2026-00001']);
    expect((await owner.api(`expenses?q=kira`)).json.data).toEqual([]);
    const sums = dataOf(await owner.api(`expenses/sums?vehicle_id=${car}`));
    expect(sums).toEqual([{ currency: 'TL', count: 2, amount: '1242.00' }]);
  });

  test('whose value rounds to nothing is kept and reversed like any other', async () => {
    const { owner } = await newOffice();
    const made = dataOf(await post(owner, 'expenses', rent({ amount: '0.01', currency: 'TL' })));
    expect(made).toMatchObject({ amount: '0.01', valued_amount: '0.00' });
    const { reversal } = dataOf(await post(owner, `expenses/${made.id}/reverse`, { reason: 'yanlış' }));
    expect(reversal).toMatchObject({ amount: '-0.01', valued_amount: '0.00' });
  });

  test('a preview keeps nothing', async () => {
    const { owner } = await newOffice();
    expect(dataOf(await post(owner, 'expenses/preview', rent()))).toMatchObject({ amount: '500.00' });
    expect((await owner.api('expenses')).json.data).toEqual([]);
    expect(dataOf(await post(owner, 'expenses', rent())).expense_no).toBe('G-2026-00001');
  });

  test('refuses what does not fit, naming the field', async () => {
    const { dealer, owner } = await newOffice();
    const car = await carOf(dealer);
    const inLira = await carOf(dealer, { currency: 'TL', purchase_price: '1000.00', purchase_currency: 'TL' });
    const cases: readonly [object, string][] = [
      [rent({ amount: '0.00' }), 'amount'],
      [rent({ day: '2026-03-17' }), 'day'],
      [rent({ category: 'Onarım' }), 'category'],
      [rent({ vehicle_id: car }), 'vehicle_id'],
      [repair(car, { vehicle_id: undefined }), 'vehicle_id'],
      [repair(crypto.randomUUID()), 'vehicle_id'],
      [rent({ branch_id: crypto.randomUUID() }), 'branch_id'],
      [rent({ method: 'Senet' }), 'method'],
      [rent({ exchange_rate: '64' }), 'exchange_rate'],
      [rent({ currency: 'TL', exchange_rate: '99' }), 'exchange_rate'],
      // Its value in the car's currency would have more than twelve digits.
      [repair(inLira, { amount: '999999999999.00' }), 'amount'],
    ];
    for (const [body, field] of cases) {
      const refused = await post(owner, 'expenses', body);
      expect([refused.status, faultOf(refused)], field).toEqual([422, field]);
    }
  });

  test('has a value of at most twelve digits in the car’s currency', async () => {
    const { dealer, owner } = await newOffice();
    const car = await carOf(dealer, { currency: 'TL', purchase_price: '1000.00', purchase_currency: 'TL' });
    // 15,576,323,987.53 × 64.20 = 999,999,999,999.426; one hundredth more is 1,000,000,000,000.068.
    const largest = await post(owner, 'expenses', repair(car, { amount: '15576323987.53' }));
    expect(dataOf(largest)).toMatchObject({ valued_amount: '999999999999.43', valued_currency: 'TL' });
    const beyond = await post(owner, 'expenses', repair(car, { amount: '15576323987.54' }));
    expect([beyond.status, faultOf(beyond)]).toEqual([422, 'amount']);
    const { reversal } = dataOf(await post(owner, `expenses/${dataOf(largest).id}/reverse`, { reason: 'deneme' }));
    expect(reversal.valued_amount).toBe('-999999999999.43');
  });

  test('is reversed once, by its exact negative on the day; a reversal is not reversed', async () => {
    const { owner } = await newOffice();
    const made = dataOf(await post(owner, 'expenses', rent({ day: '2026-03-10' })));
    const path = `expenses/${made.id}/reverse`;
    const { reversed, reversal } = dataOf(await post(owner, path, { reason: 'iki kez girildi' }));
    expect(reversal).toMatchObject({ amount: '-500.00', valued_amount: '-500.00', day: TODAY, reverses_id: made.id });
    expect(reversed.reversed_by_id).toBe(reversal.id);
    expect(verdictOf(await post(owner, path, { reason: 'bir daha' }))).toBe('409 already_reversed');
    expect(verdictOf(await post(owner, `expenses/${reversal.id}/reverse`, { reason: 'geri al' }))).toBe('409 not_reversible');
    const both = await Promise.all([1, 2, 3].map(() => post(owner, 'expenses', rent())));
    const racing = dataOf(both[0]!).id;
    const answers = await Promise.all([1, 2, 3].map(() => post(owner, `expenses/${racing}/reverse`, { reason: 'yarış' })));
    expect(answers.map(verdictOf).sort()).toEqual(['200', '409 already_reversed', '409 already_reversed']);
    expect(new Set(both.map((one) => dataOf(one).expense_no)).size).toBe(3);
    const audited = await admin.rows(`select id from audit_log where action = 'expense.reversed' and target = '${racing}'`);
    expect(audited).toHaveLength(1);
  });

  test('on a closed day cash is refused, other methods are not', async () => {
    const office = await newOffice();
    const { owner, branch } = office;
    dataOf(await post(owner, 'till/closings', { branch_id: branch, day: TODAY, counted: [] }));
    expect(verdictOf(await post(owner, 'expenses', rent()))).toBe('409 day_closed');
    expect(verdictOf(await post(owner, 'expenses', rent({ method: 'Havale/EFT' })))).toBe('200');
    const out = { amount: '1.00', currency: 'STG', from_place: 'Kasa', from_branch_id: branch, to_place: 'Banka' };
    expect(verdictOf(await post(owner, 'cash-transfers', out))).toBe('409 day_closed');
  });
});

describe('the till', () => {
  test('carries the counted amount over; expected is opening and cash in less cash out', async () => {
    const office = await newOffice();
    const { dealer, owner, branch } = office;
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
    const sale = dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '9000.00', currency: 'STG' }));
    dataOf(await collect(dealer, sale.id, '700.00'));
    dataOf(await collect(dealer, sale.id, '50.00', { method: 'Havale/EFT' }));
    dataOf(await post(owner, 'expenses', rent({ amount: '120.00' })));
    dataOf(await post(owner, 'expenses', rent({ amount: '33.00', method: 'Kredi Kartı' })));
    const side = { currency: 'STG', from_place: 'Kasa', from_branch_id: branch, to_place: 'Banka' };
    const moved = dataOf(await post(owner, 'cash-transfers', { amount: '400.00', ...side }));
    expect(moved.transfer_no).toBe('V-2026-00001');
    expect(cash(await tillOf(office))).toMatchObject({
      ...{ opening: '0.00', cash_in: '700.00', cash_out: '520.00', expected: '180.00' },
    });
    const transfer = { currency: 'STG', method: 'Havale/EFT', amount: '50.00' };
    const body = { branch_id: branch, day: TODAY, counted: [{ currency: 'STG', method: 'Nakit', amount: '175.00' }, transfer] };
    expect(faultOf(await post(owner, 'till/closings', body))).toBe('reason');
    dataOf(await post(owner, 'till/closings', { ...body, reason: 'banknot eksik' }));

    const later = await newOfficeOn(office, '2026-03-17');
    const lines = await tillOf(later, '2026-03-17');
    expect(lines).toHaveLength(1);
    expect(cash(lines)).toMatchObject({ opening: '175.00', cash_in: '0.00', cash_out: '0.00', expected: '175.00', count: 0 });
    dataOf(await post(later.owner, `cash-transfers/${moved.id}/reverse`, { reason: 'yanlış tutar' }));
    expect(cash(await tillOf(later, '2026-03-17'))).toMatchObject({ cash_in: '400.00', expected: '575.00' });
    expect(verdictOf(await post(later.owner, `cash-transfers/${moved.id}/reverse`, { reason: 'bir daha' }))).toBe(
      '409 already_reversed',
    );
    const closing = { branch_id: branch, day: '2026-03-17', counted: [{ currency: 'STG', method: 'Nakit', amount: '575.00' }] };
    dataOf(await post(later.owner, 'till/closings', closing));
  });

  test('a transfer names two different sides, at least one of them a till', async () => {
    const { owner, branch } = await newOffice();
    const out = { amount: '1.00', currency: 'STG', from_place: 'Kasa', from_branch_id: branch };
    const cases: readonly [object, string][] = [
      [{ ...out, to_place: 'Kasa' }, 'to_branch_id'],
      [{ ...out, to_place: 'Kasa', to_branch_id: branch }, 'to_place'],
      [{ ...out, to_place: 'Banka', to_branch_id: branch }, 'to_branch_id'],
      [{ ...out, from_branch_id: undefined, to_place: 'Banka' }, 'from_branch_id'],
      [{ amount: '1.00', currency: 'STG', from_place: 'Banka', to_place: 'Çelik kasa' }, 'to_place'],
      [{ ...out, from_branch_id: crypto.randomUUID(), to_place: 'Banka' }, 'from_branch_id'],
    ];
    for (const [body, field] of cases) {
      const refused = await post(owner, 'cash-transfers', body);
      expect([refused.status, faultOf(refused)], field).toEqual([422, field]);
    }
  });

  async function newOfficeOn(office: Office, day: string): Promise<Office> {
    await moveClock(api, `${day}T10:00:00Z`);
    return { ...office, owner: await signedIn(api, await newPerson(api, { accountId: office.dealer.accountId })) };
  }
});

describe('a salesperson', () => {
  test('enters expenses of own cars up to the limit, and sees only what they entered', async () => {
    const { dealer, owner } = await newOffice();
    const person = await newPerson(api, { accountId: dealer.accountId, role: 'sales' });
    const seller = await signedIn(api, person);
    const own = await carOf(dealer);
    const member = `(select id from members where person_id = '${person.id}')`;
    const customer_id = await customerOf(dealer);
    const sale = dataOf(await sell(dealer, { vehicle_id: own, customer_id, sale_price: '900.00', currency: 'STG' }));
    await admin.rows(`update sales set salesperson_id = ${member} where id = '${sale.id}'`);
    expect(verdictOf(await post(seller, 'expenses', repair(own)))).toBe('403 not_permitted');
    dataOf(await owner.api('settings', { method: 'PATCH', body: { sales_expense_limit: 200 } }));
    expect(verdictOf(await post(seller, 'expenses', repair(await carOf(dealer))))).toBe('403 not_permitted');
    expect(verdictOf(await post(seller, 'expenses', rent({ amount: '1.00' })))).toBe('403 not_permitted');
    expect(faultOf(await post(seller, 'expenses', repair(own, { amount: '200.01' })))).toBe('amount');
    expect(faultOf(await post(seller, 'expenses', repair(own, { amount: '12900.00', currency: 'TL' })))).toBe('amount');
    // A day with a rate at which the same amount was worth a tenth does not raise the limit.
    const quotes = { ...QUOTES, GBP: ['642.000000', '645.000000', '642.000000', '645.000000'] } as const;
    await storeBulletinFor(api.database, 'KKTCMB', { day: '2026-02-02', quotes }, new Date('2026-02-02T12:00:00Z'));
    const cheap = repair(own, { amount: '12900.00', currency: 'TL', day: '2026-02-02' });
    expect(faultOf(await post(seller, 'expenses', cheap))).toBe('amount');
    const [second] = await admin.rows<{ id: string }>(
      `insert into branches (account_id, id, name) values ('${dealer.accountId}', gen_random_uuid(), 'İkinci') returning id`,
    );
    const elsewhere = repair(own, { amount: '5.00', branch_id: second!.id });
    expect(verdictOf(await post(seller, 'expenses', elsewhere))).toBe('403 not_permitted');
    const mine = dataOf(await post(seller, 'expenses', repair(own, { amount: '200.00' })));
    const other = dataOf(await post(owner, 'expenses', rent()));
    expect((await seller.api('expenses')).json.data.map((one: Shown) => one.id)).toEqual([mine.id]);
    expect((await seller.api(`expenses/${other.id}`)).status).toBe(404);
    expect((await seller.api('expenses/sums')).status).toBe(403);
    expect((await post(seller, `expenses/${mine.id}/reverse`, { reason: 'yanlış' })).status).toBe(403);
  });
});

describe('a recurring expense', () => {
  test('is proposed on its day, entered by one act or skipped, until its last day', async () => {
    const { dealer, owner: first } = await newOffice();
    const now = api.clock.now().toISOString().slice(0, 10);
    const rule = dataOf(
      await post(first, 'expenses/recurring', {
        ...{ category: 'Kira', amount: '750.00', currency: 'STG', day_of_month: 31, until: '2026-06-15' },
      }),
    );
    expect([rule.next_on, now < rule.next_on]).toEqual(['2026-03-31', true]);
    expect(dataOf(await first.api('expenses/proposals'))).toEqual([]);
    await moveClock(api, '2026-05-02T10:00:00Z');
    const owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
    const proposals = async () => dataOf(await owner.api('expenses/proposals')).map((one: Shown) => one.on);
    expect(await proposals()).toEqual(['2026-03-31']);
    expect((await owner.api('expenses')).json.data).toEqual([]);
    const enter = (on: string, more: object = {}) => post(owner, `expenses/recurring/${rule.id}/enter`, { on, ...more });
    const two = await Promise.all([enter('2026-03-31'), enter('2026-03-31')]);
    expect(two.map(verdictOf).sort()).toEqual(['200', '409 decided_meanwhile']);
    expect((await owner.api('expenses')).json.data).toMatchObject([{ amount: '750.00', day: '2026-03-31', category: 'Kira' }]);
    expect(await proposals()).toEqual(['2026-04-30']);
    expect(verdictOf(await enter('2026-05-31'))).toBe('409 decided_meanwhile');
    dataOf(await post(owner, `expenses/recurring/${rule.id}/skip`, { on: '2026-04-30' }));
    expect(await proposals()).toEqual([]);
    await moveClock(api, '2026-05-31T10:00:00Z');
    const late = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
    const on = '2026-05-31';
    const entered = dataOf(await post(late, `expenses/recurring/${rule.id}/enter`, { on, amount: '800.00' }));
    expect(entered).toMatchObject({ amount: '800.00', recurring_id: rule.id });
    // The next would be after its last day.
    expect(dataOf(await late.api('expenses/recurring'))).toMatchObject([{ id: rule.id, next_on: null }]);
  });

  test('in cash is entered with one act also after the till of its day was closed, from the till of today', async () => {
    const { dealer, owner, branch } = await newOffice();
    const now = api.clock.now();
    const on = now.toISOString().slice(0, 10);
    const rule = dataOf(
      await post(owner, 'expenses/recurring', {
        ...{ category: 'Kira', amount: '750.00', currency: 'STG', day_of_month: Number(on.slice(8)) },
      }),
    );
    expect(rule.next_on).toBe(on);
    dataOf(await post(owner, 'till/closings', { branch_id: branch, day: on, counted: [] }));
    await moveClock(api, new Date(now.getTime() + 2 * 86_400_000));
    const later = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
    const path = `expenses/recurring/${rule.id}/enter`;
    expect(verdictOf(await post(later, path, { on, day: on }))).toBe('409 day_closed');
    const today = api.clock.now().toISOString().slice(0, 10);
    expect(dataOf(await post(later, path, { on }))).toMatchObject({ day: today, recurring_id: rule.id });
  });
});

describe('the database', () => {
  const held = async (statement: string): Promise<string | undefined> =>
    admin.rows(statement).then(
      () => undefined,
      (error) => error.constraint ?? error.message,
    );

  test('holds exact reversals, open days and the sums of closings', async () => {
    const { dealer, owner, branch } = await newOffice();
    const { id } = dataOf(await post(owner, 'expenses', rent()));
    const copy = (changes: string, amount: string) =>
      held(`insert into expenses select (jsonb_populate_record(e, '{"id": "${crypto.randomUUID()}", "expense_no": "G-X", "amount_minor": ${amount},
        "valued_amount_minor": ${amount}, "reverses_id": "${id}", "reversal_reason": "test"${changes}}')).* from expenses e where id = '${id}'`);
    expect(await copy('', '-49999')).toBe('expenses_exact_reversal');
    expect(await copy(', "category": "Yakıt"', '-50000')).toBe('expenses_exact_reversal');
    expect(await copy('', '50000')).toBe('expenses_exact_reversal');
    expect(await held(`update expenses set amount_minor = 1 where id = '${id}'`)).toBe('expenses_kept');
    const line = (numbers: object) => ({ currency: 'STG', method: 'Nakit', count: 1, ...numbers });
    const closing = (lines: object[]) =>
      held(`begin; insert into till_closings (account_id, id, branch_id, day, lines, closed_by, closed_at)
        values ('${dealer.accountId}', '${crypto.randomUUID()}', '${branch}', '2026-12-31', '${JSON.stringify(lines)}', 'Kasa', now());
        set constraints till_closings_sums immediate; commit`);
    const right = {
      opening: '0.00',
      cash_in: '0.00',
      cash_out: '500.00',
      expected: '-500.00',
      counted: '-500.00',
      difference: '0.00',
    };
    for (const wrong of [
      line({ ...right, cash_out: '499.99' }),
      line({ ...right, opening: '1.00', expected: '-499.00', difference: '-1.00' }),
      line({ ...right, difference: '1.00' }),
      { ...line(right), currency: 'TL' },
    ]) {
      expect(await closing([wrong]), JSON.stringify(wrong)).toBe('till_closings_sums');
      await admin.rows('rollback');
    }
  });

  test('locks are taken in one order: transfers both ways, expenses of a car, its edits and its sale do not deadlock', async () => {
    const { dealer, owner, branch } = await newOffice();
    const [second] = await admin.rows<{ id: string }>(
      `insert into branches (account_id, id, name) values ('${dealer.accountId}', gen_random_uuid(), 'İkinci') returning id`,
    );
    const [car, customer_id] = [await carOf(dealer), await customerOf(dealer)];
    const till = (from: string, to: string) =>
      post(owner, 'cash-transfers', {
        ...{ amount: '1.00', currency: 'STG', from_place: 'Kasa', from_branch_id: from, to_place: 'Kasa', to_branch_id: to },
      });
    const answers = await Promise.all([
      ...[1, 2, 3, 4].flatMap((price) => [
        till(branch, second!.id),
        till(second!.id, branch),
        post(owner, 'expenses', repair(car, { branch_id: second!.id })),
        dealer.patch(`vehicles/${car}`, { price: `${9000 + price}.00` }),
      ]),
      sell(dealer, { vehicle_id: car, customer_id, sale_price: '900.00', currency: 'STG', down_payment: '100.00' }),
    ]);
    // An edit after the sale may be refused; a deadlock would be a 5xx.
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(12);
  });

  test('a day is closed against running expenses: they are in the closing or refused', async () => {
    const { owner, branch } = await newOffice();
    const day = api.clock.now().toISOString().slice(0, 10);
    const spend = () => post(owner, 'expenses', rent({ amount: '10.00' }));
    const [early, closed, late] = await Promise.all([
      Promise.all([spend(), spend(), spend()]),
      post(owner, 'till/closings', { branch_id: branch, day, counted: [], reason: 'sayılmadı' }),
      Promise.all([spend(), spend(), spend()]),
    ]);
    const entered = [...early, ...late].filter(({ status }) => status === 200).length;
    expect(new Set([...early, ...late].map(verdictOf)).difference(new Set(['200', '409 day_closed']))).toEqual(new Set());
    expect(cash(dataOf(closed).lines)?.cash_out ?? '0.00').toBe(`${entered * 10}.00`.replace(/^0\.00$/, '0.00'));
  });
});
