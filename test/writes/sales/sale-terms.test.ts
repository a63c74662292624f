// The terms of a sale: plans, numbers, edits that merge, edits without changes, cash, nothing owed, dry runs, ETags.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { carOf, collect, customerOf, dataOf, newKey, rowsOf, type Shown, sell, verdictOf } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { aCar, aPerson } from '../../support/writer.ts';
import { cancel, closeScene, newScene, type Scene, type Sold, sold, soldForCash, TODAY } from './refused.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

const kinds = async (act: () => Promise<unknown>) =>
  (await eventsBy(scene.api, scene.dealer.accountId, act)).map(({ kind }) => kind);
const shown = async ({ sale }: Sold): Promise<Shown> => dataOf(await scene.dealer.get(`sales/${sale.id}`));
const plan = async ({ sale }: Sold): Promise<[string, string][]> =>
  (await rowsOf(scene.dealer, sale.id)).map(({ due_date, amount }) => [due_date, amount]);
const edit = async ({ sale }: Sold, body: object): Promise<Shown> => dataOf(await scene.dealer.patch(`sales/${sale.id}`, body));
const rows = (...input: [string, string, string?][]) => ({
  installment_count: undefined,
  installments: input.map(([due_date, amount, kind]) => ({ due_date, amount, ...(kind && { kind }) })),
});

describe('a sale', () => {
  test('takes a vehicle in trade: one sale, one plan, one new vehicle, emitted in the specified order', async () => {
    const { dealer } = scene;
    const [car, customer] = [await carOf(dealer), await customerOf(dealer)];
    dataOf(await dealer.post(`vehicles/${car}/publish`));
    dataOf(await dealer.post(`vehicles/${car}/reserve`, { customer_id: customer, deposit_amount: '1000.00' }));
    let sale: Shown = {};
    const emitted = await eventsBy(scene.api, dealer.accountId, async () => {
      const trade_in = { amount: '2500.00', vehicle: aCar({ price: '2900.00', plate: 'TK 77' }) };
      const body = {
        vehicle_id: car,
        customer_id: customer,
        sale_price: '9000.00',
        down_payment: '1000.00',
        installment_count: 5,
      };
      sale = dataOf(await sell(dealer, { ...body, trade_in }));
    });
    expect(emitted.map(({ kind }) => kind)).toEqual([
      ...[
        'sale.created',
        'installment_plan.created',
        'vehicle.sold',
        'vehicle.status_changed',
        'vehicle.created',
        'listing.closed',
      ],
      ...['collection.created', 'collection.created', 'installment.paid'],
    ]);
    expect(sale).toMatchObject({
      total_receivable: '6500.00',
      financed_amount: '5500.00',
      trade_in_amount: '2500.00',
      outstanding_amount: '5500.00',
      trade_in_vehicle_id: emitted[4]!.id,
    });
    const taken = await dealer.get(`vehicles/${sale.trade_in_vehicle_id}`);
    expect(taken.json.data).toMatchObject({ status: 'Stokta', source: 'Takas', plate: 'TK 77', price: '2900.00' });
    expect(taken.text).not.toContain('2500');
    const [cost] = await scene.admin.rows('select purchase_price_minor, purchase_currency from vehicles where id = $1', [
      sale.trade_in_vehicle_id,
    ]);
    expect(cost).toEqual({ purchase_price_minor: 250_000n, purchase_currency: 'STG' });
  });

  test('belongs to the branch of its car, unless another or none is given', async () => {
    const { dealer } = scene;
    const [main, other] = [newId(0), newId(0)];
    await scene.admin.rows(`insert into branches (account_id, id, name) values ($1, $2, 'Liman'), ($1, $3, 'Sanayi')`, [
      dealer.accountId,
      main,
      other,
    ]);
    const sellAt = async (fields: object) =>
      dataOf(
        await sell(dealer, {
          vehicle_id: await carOf(dealer, { branch_id: other }),
          customer_id: await customerOf(dealer),
          sale_price: '3000.00',
          ...fields,
        }),
      ).branch_id;
    expect(await sellAt({})).toBe(other);
    expect(await sellAt({ branch_id: main })).toBe(main);
    expect(await sellAt({ branch_id: null })).toBeNull();
    const ofBranch = dataOf(await dealer.get(`sales?branch_id=${other}`)) as unknown as Shown[];
    expect(ofBranch).toHaveLength(1);
  });

  test('is numbered by the account’s year, and numbers are not reused', async () => {
    const [first, second] = [await sold(scene.dealer), await sold(scene.dealer)];
    const numberOf = ({ sale }: Sold) => Number(/^S-2026-(\d{5})$/.exec(sale.sale_no)![1]);
    expect(numberOf(second)).toBe(numberOf(first) + 1);
    dataOf(await cancel(scene.dealer, second));
    expect(numberOf(await sold(scene.dealer, { sale_date: '2025-12-30' }))).toBe(numberOf(second) + 1);
  });

  test('with nothing owed has no rows and is completed at once', async () => {
    const one = await sold(scene.dealer, { installment_count: undefined, trade_in: { amount: '3000.00' } });
    expect(one.sale).toMatchObject({
      status: 'Tamamlandı',
      total_receivable: '0.00',
      payment_type: 'Peşin',
      down_payment: '0.00',
      payoff: null,
    });
    expect(one.rows).toEqual([]);
  });

  test('before the vehicle entered stock, on the last day of a month, and by weeks', async () => {
    const end = await sold(scene.dealer, { sale_date: '2026-01-31' });
    expect((await plan(end)).map(([day]) => day)).toEqual(['2026-02-28', '2026-03-28', '2026-04-28']);
    const explicit = await sold(scene.dealer, { sale_date: '2026-01-10', first_due_date: '2026-01-31' });
    expect((await plan(explicit)).map(([day]) => day)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31']);
    const weeks = await sold(scene.dealer, { period: '15 Günlük' });
    expect((await plan(weeks)).map(([day]) => day)).toEqual(['2026-03-31', '2026-04-15', '2026-04-30']);
  });

  test('in another currency is refused with its reason for a dealer in Türkiye', async () => {
    const body = { currency: 'STG', currency_exemption: 'yurt dışında yerleşik' };
    expect((await sold(scene.turkish, body)).sale).toMatchObject(body);
    expect(
      verdictOf(
        await sell(scene.turkish, {
          vehicle_id: await carOf(scene.turkish),
          customer_id: await customerOf(scene.turkish),
          sale_price: '5.00',
          currency: 'TL',
        }),
      ),
    ).toBe('201');
  });

  test('in a dry run stores nothing and uses no number', async () => {
    const { dealer } = scene;
    const before = await sold(dealer);
    const body = { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), sale_price: '100.00' };
    const dry = dataOf(await dealer.post('sales', body, { ...newKey(), 'x-dry-run': 'true' }));
    const money = { sale_id: before.sale.id, amount: '10.00', currency: 'STG' };
    const paid = dataOf(await dealer.post('collections', money, { ...newKey(), 'x-dry-run': 'true' }));
    const real = dataOf(await sell(dealer, body));
    expect(real.sale_no).toBe(dry.sale_no);
    expect(dataOf(await dealer.post('collections', money, newKey())).receipt_no).toBe(paid.receipt_no);
    expect((await shown(before)).collected_amount).toBe('10.00');
  });

  test('is edited only with a current ETag', async () => {
    const one = await sold(scene.dealer);
    const path = `sales/${one.sale.id}`;
    const etag = (await scene.dealer.get(path)).headers.get('etag')!;
    const edited = await scene.dealer.patch(path, { notes: 'bir' }, { 'if-match': etag });
    expect(edited.status).toBe(200);
    expect(verdictOf(await scene.dealer.patch(path, { notes: 'iki' }, { 'if-match': etag }))).toBe('412 precondition_failed');
    expect((await scene.dealer.get(path)).headers.get('etag')).toBe(edited.headers.get('etag'));
    dataOf(await collect(scene.dealer, one.sale.id, '1.00'));
    const after = { 'if-match': edited.headers.get('etag')! };
    expect(verdictOf(await scene.dealer.post(`${path}/cancel`, { reason: 'yok' }, { ...newKey(), ...after }))).toBe(
      '412 precondition_failed',
    );
  });
});

describe('an edit of terms', () => {
  test('replaces the given terms and keeps the rest', async () => {
    const one = await sold(scene.dealer, { down_payment: '300.00', first_due_date: '2026-05-01', round_to: 100 });
    expect(await plan(one)).toEqual([
      [TODAY, '300.00'],
      ['2026-05-01', '900.00'],
      ['2026-06-01', '900.00'],
      ['2026-07-01', '900.00'],
    ]);
    const emitted = await kinds(() => edit(one, { sale_price: '3350.00' }));
    expect(emitted).toEqual(['sale.updated', 'installment_plan.updated']);
    expect(await plan(one)).toEqual([
      [TODAY, '300.00'],
      ['2026-05-01', '1000.00'],
      ['2026-06-01', '1000.00'],
      ['2026-07-01', '1050.00'],
    ]);
    await edit(one, { installment_count: 2 });
    expect(await plan(one)).toEqual([
      [TODAY, '300.00'],
      ['2026-05-01', '1500.00'],
      ['2026-06-01', '1550.00'],
    ]);
    await edit(one, { period: 'Haftalık', down_payment: '0.00' });
    expect(await plan(one)).toEqual([
      ['2026-05-01', '1600.00'],
      ['2026-05-08', '1750.00'],
    ]);
    await edit(one, { finance_charge: '150.00' });
    expect(await shown(one)).toMatchObject({
      total_receivable: '3500.00',
      outstanding_amount: '3500.00',
      finance_charge: '150.00',
    });
  });

  test('keeps an explicit first due date; a default one follows the date of sale', async () => {
    const [explicit, followed] = [await sold(scene.dealer, { first_due_date: '2026-05-05' }), await sold(scene.dealer)];
    for (const one of [explicit, followed]) await edit(one, { sale_date: '2026-03-10' });
    expect((await plan(explicit))[0]![0]).toBe('2026-05-05');
    expect((await plan(followed))[0]![0]).toBe('2026-04-10');
    // Now explicit, it stays from now on, although the date is the same.
    await edit(followed, { first_due_date: '2026-04-10' });
    await edit(followed, { sale_date: '2026-03-01' });
    expect((await plan(followed))[0]![0]).toBe('2026-04-10');
  });

  test('replaces custom installments with a count, and a count with custom installments', async () => {
    const one = await sold(scene.dealer, rows(['2026-05-01', '1000.00'], ['2026-06-01', '2000.00', 'Ara Ödeme']));
    expect((await shown(one)).installment_count).toBe(2);
    expect(dataOf(await scene.dealer.get(`installment-plans/${one.sale.plan_id}`)).period).toBeNull();
    await edit(one, { installment_count: 4 });
    expect((await plan(one)).map(([, amount]) => amount)).toEqual(Array(4).fill('750.00'));
    await edit(one, { installments: rows(['2026-05-02', '2900.00'], ['2026-05-03', '100.00', 'Ara Ödeme']).installments });
    expect((await rowsOf(scene.dealer, one.sale.id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ...[
        ['Taksit', '2900.00'],
        ['Ara Ödeme', '100.00'],
      ],
    ]);
    // Custom installments stay when their sum does not change.
    await edit(one, { sale_price: '3100.00', down_payment: '100.00' });
    expect((await plan(one)).map(([, amount]) => amount)).toEqual(['100.00', '2900.00', '100.00']);
  });

  test('of a cash sale keeps it cash; a plan turns it into installments', async () => {
    const one = await soldForCash(scene.dealer);
    await edit(one, { sale_price: '2500.00' });
    expect(await shown(one)).toMatchObject({ payment_type: 'Peşin', down_payment: '2500.00', financed_amount: '0.00' });
    await edit(one, { down_payment: '500.00', installment_count: 2 });
    expect(await shown(one)).toMatchObject({ payment_type: 'Taksitli', installment_count: 2, financed_amount: '2000.00' });
    expect(await plan(one)).toEqual([
      [TODAY, '500.00'],
      ['2026-04-16', '1000.00'],
      ['2026-05-16', '1000.00'],
    ]);
  });

  test('of the trade-in changes the price the vehicle was taken for', async () => {
    const one = await sold(scene.dealer, { trade_in: { amount: '500.00', vehicle: aCar() } });
    await edit(one, { trade_in_amount: '600.00' });
    expect(await shown(one)).toMatchObject({ trade_in_amount: '600.00', total_receivable: '2400.00' });
    const [cost] = await scene.admin.rows('select purchase_price_minor from vehicles where id = $1', [
      one.sale.trade_in_vehicle_id,
    ]);
    expect(cost).toEqual({ purchase_price_minor: 60_000n });
    const history = dataOf(await scene.dealer.get(`vehicles/${one.sale.trade_in_vehicle_id}/history`)) as Shown[];
    expect(history.map(({ event, changes }) => [event, changes])).toEqual([
      ['updated', [{ field: 'purchase_price', redacted: true }]],
      ['created', []],
    ]);
  });

  test('to nothing owed completes it, and back makes it active', async () => {
    const one = await sold(scene.dealer, { trade_in: { amount: '500.00' }, installment_count: undefined });
    await edit(one, { trade_in_amount: '3000.00' });
    expect(await shown(one)).toMatchObject({ status: 'Tamamlandı', total_receivable: '0.00' });
    await edit(one, { trade_in_amount: '100.00' });
    expect(await shown(one)).toMatchObject({ status: 'Aktif', outstanding_amount: '2900.00', down_payment: '2900.00' });
  });
});

describe('an edit', () => {
  test('with the stored values changes and emits nothing', async () => {
    const { dealer } = scene;
    const customer = await customerOf(dealer);
    const guarantors = [
      ...[dataOf(await dealer.post(`customers/${customer}/guarantors`, aPerson())).id],
      ...[dataOf(await dealer.post(`customers/${customer}/guarantors`, aPerson())).id],
    ];
    const fields = { customer_id: customer, guarantor_ids: guarantors.toReversed(), late_rate_yearly: '30.00', notes: 'n' };
    const one = await sold(dealer, { ...fields, down_payment: '300.00', delivery_due_on: '2026-04-01' });
    expect(one.sale.guarantor_ids).toEqual(guarantors.toReversed());
    const before = await shown(one);
    const { notes, external_ref, late_rate_yearly, guarantor_ids, sale_price, down_payment, finance_charge, sale_date } = before;
    const same = { notes, external_ref, late_rate_yearly, guarantor_ids, sale_price, down_payment, finance_charge, sale_date };
    const papers = { title_transfer: before.title_transfer, lien: before.lien, invoice: before.invoice, legal_stage: 'Yok' };
    for (const body of [
      same,
      papers,
      { installment_count: 3 },
      { period: 'Aylık' },
      { late_rate_yearly: 30 },
      { sale_price: 3000 },
    ])
      expect(await kinds(() => edit(one, body)), JSON.stringify(body)).toEqual([]);
    expect(await shown(one)).toEqual(before);
  });

  test('of a locked term with its stored value changes nothing, and applies the other fields', async () => {
    const { dealer } = scene;
    const split = await sold(dealer, { down_payment: '300.00', round_to: 10, late_rate_yearly: '30.00' });
    const own = await sold(dealer, rows(['2026-04-20', '1000.00'], ['2026-05-20', '2000.00', 'Ara Ödeme']));
    const restructured = await sold(dealer, { trade_in: { amount: '500.00' } });
    for (const one of [split, own]) dataOf(await collect(dealer, one.sale.id, '100.00'));
    const restructure = { from: '2026-06-01', installment_count: 2, reason: 'iş değişti' };
    await edit(restructured, { restructure });
    const terms = ['sale_price', 'trade_in_amount', 'down_payment', 'finance_charge', 'sale_date'];
    for (const one of [split, own, restructured]) {
      const before = await shown(one);
      const { period, first_due_date } = dataOf(await dealer.get(`sales/${one.sale.id}/installment-plan`));
      const present = Object.fromEntries(terms.map((name) => [name, before[name]]));
      const count = { installment_count: before.installment_count, period, first_due_date };
      const installments = (await rowsOf(dealer, one.sale.id))
        .filter(({ seq, status }) => seq > 0 && status !== 'Yapılandırıldı')
        .map(({ due_date, amount, kind }) => ({ due_date, amount, kind }));
      const plans = [{ installments }, ...(period === null ? [] : [count])];
      for (const body of [present, ...plans, ...terms.map((name) => ({ [name]: before[name] }))])
        expect(await kinds(() => edit(one, body)), JSON.stringify(body)).toEqual([]);
      expect(await shown(one)).toEqual(before);
      const [first, ...rest] = installments;
      const patch = (body: object) => dealer.patch(`sales/${one.sale.id}`, body);
      for (const body of [
        { ...present, sale_price: '3000.01' },
        { installments: [{ ...first, amount: '1.00' }, ...rest] },
        { installments: rest },
        { installment_count: 7 },
        { first_due_date: '2026-07-01' },
        { round_to: 50 },
      ])
        expect(verdictOf(await patch(body)), JSON.stringify(body)).toBe('409 sale_terms_locked');
    }
    expect(await kinds(() => edit(split, { sale_price: '3000.00', round_to: 10, notes: 'görüşüldü' }))).toEqual(['sale.updated']);
    expect(await shown(split)).toMatchObject({ notes: 'görüşüldü', sale_price: '3000.00' });
  });

  test('of one term keeps manually changed installments if it changes nothing', async () => {
    const one = await sold(scene.dealer);
    dataOf(await scene.dealer.patch(`installments/${one.rows[0]!.id}`, { amount: '1200.00' }));
    expect(await kinds(() => edit(one, { sale_price: '3000.00' }))).toEqual([]);
    expect((await plan(one)).map(([, amount]) => amount)).toEqual(['1200.00', '1000.00', '800.00']);
  });

  test('accepts the late rate as text or a number and clears it; guarantors keep their order', async () => {
    const one = await sold(scene.dealer, { late_rate_yearly: 24 });
    expect(one.sale.late_rate_yearly).toBe('24.00');
    expect((await edit(one, { late_rate_yearly: 30.5 })).late_rate_yearly).toBe('30.50');
    expect(await kinds(() => edit(one, { late_rate_yearly: null }))).toEqual(['sale.updated']);
    expect((await shown(one)).late_rate_yearly).toBeNull();
    expect((await edit(one, { late_rate_yearly: 0 })).late_rate_yearly).toBe('0.00');
  });

  test('merges document fields, also of a cancelled sale', async () => {
    const one = await sold(scene.dealer, { delivery_due_on: '2026-04-01' });
    expect((await edit(one, { title_transfer: { status: 'Yapıldı', place: 'Lefkoşa' } })).title_transfer).toEqual({
      status: 'Yapıldı',
      on: TODAY,
      place: 'Lefkoşa',
      reference: null,
    });
    await edit(one, { lien: { placed_on: '2026-03-10' }, invoice: { no: 'A-1' } });
    await edit(one, { lien: { removed_on: TODAY }, invoice: { on: TODAY }, delivery_due_on: null });
    expect(await shown(one)).toMatchObject({
      lien: { placed_on: '2026-03-10', removed_on: TODAY },
      invoice: { no: 'A-1', ettn: null, on: TODAY },
      delivery_due_on: null,
    });
    dataOf(await cancel(scene.dealer, one));
    expect(await edit(one, { notes: 'sonra', legal_stage: 'İhtar', title_transfer: { status: 'Bekliyor' } })).toMatchObject({
      notes: 'sonra',
      legal_stage: 'İhtar',
      title_transfer: { status: 'Bekliyor', on: null, place: 'Lefkoşa' },
    });
  });

  test('clears the delivery date when the date of sale is later', async () => {
    const one = await sold(scene.dealer, { sale_date: '2026-03-01', delivery_due_on: '2026-03-05' });
    expect((await edit(one, { delivery_due_on: null, sale_date: '2026-03-10' })).delivery_due_on).toBeNull();
  });
});
