// Collections on a sale: allocation to installments, exchange rates, discounts and reversals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStaff } from '../../panel/endpoint-requests.ts';
import { collect, dataOf, newKey, reverse, rowsOf, type Shown, sell } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { cancel, closeScene, held, newScene, type Scene, type Sold, sold, soldForCash, TODAY } from './refused.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

const kinds = async (act: () => Promise<unknown>) =>
  (await eventsBy(scene.api, scene.dealer.accountId, act)).map(({ kind }) => kind);
const shown = async ({ sale }: Sold): Promise<Shown> => dataOf(await scene.dealer.get(`sales/${sale.id}`));
const pay = async ({ sale }: Sold, amount: string, overrides: Record<string, unknown> = {}): Promise<Shown> =>
  dataOf(await collect(scene.dealer, sale.id, amount, overrides));
const parts = ({ allocations }: Shown) => allocations.map(({ seq, amount }: Shown) => [seq, amount]);
const figures = async ({ sale }: Sold) =>
  (await rowsOf(scene.dealer, sale.id)).map(({ paid_amount, discounted_amount, status }) => [
    paid_amount,
    discounted_amount,
    status,
  ]);
const one = async (id: string): Promise<Shown> => dataOf(await scene.dealer.get(`collections/${id}`));

describe('money', () => {
  test('fills the oldest installment first, or the chosen installments in the given order', async () => {
    const some = await sold(scene.dealer);
    const [first, second, third] = some.rows as [Shown, Shown, Shown];
    expect(parts(await pay(some, '1500.00', { installment_ids: [third.id, first.id] }))).toEqual([
      [3, '1000.00'],
      [1, '500.00'],
    ]);
    expect(parts(await pay(some, '600.00'))).toEqual([
      [1, '500.00'],
      [2, '100.00'],
    ]);
    expect(await kinds(() => pay(some, '900.00', { installment_ids: [second.id] }))).toEqual([
      ...['collection.created', 'installment.paid', 'sale.completed', 'installment_plan.completed'],
    ]);
  });

  test('in another currency drops up to five cents of excess, for all installments and for chosen ones', async () => {
    const some = await sold(scene.dealer);
    // 64 500.00 TL are 1000.00; 64 503.22 are 1000.05.
    const chosen = await pay(some, '64503.22', { currency: 'TL', installment_ids: [some.rows[1]!.id] });
    expect(chosen).toMatchObject({
      amount: '64503.22',
      applied_amount: '1000.00',
      rate_pair: 'STG-TL',
      exchange_rate: '64.500000',
    });
    const rest = await pay(some, '129003.22', { currency: 'TL' });
    expect(rest.applied_amount).toBe('2000.00');
    expect((await shown(some)).status).toBe('Tamamlandı');
  });

  test('accepts an agreed rate up to 20 % from the bank’s, and stores it', async () => {
    const some = await sold(scene.dealer);
    for (const exchange_rate of ['77.400000', '51.600000'])
      expect(await pay(some, '774.00', { currency: 'TL', exchange_rate, collected_on: TODAY })).toMatchObject({
        exchange_rate,
        rate_source: 'manuel',
        rate_date: TODAY,
        applied_amount: exchange_rate === '77.400000' ? '10.00' : '15.00',
      });
    const lira = await sold(scene.dealer, { currency: 'TL' });
    // The customer pays in the stronger currency: the bank's buying rate.
    expect(await pay(lira, '10.00', { currency: 'STG' })).toMatchObject({
      exchange_rate: '64.200000',
      applied_amount: '642.00',
      rate_date: '2026-03-13',
      rate_source: 'KKTCMB',
    });
  });

  test('belongs to the collector’s branch, and records collector and method', async () => {
    const some = await sold(scene.dealer);
    const staff = await newStaff({ api: scene.api, accountId: scene.dealer.accountId } as never);
    const cheque = { bank: 'Ziraat', number: '42', due_on: '2026-05-01' };
    const taken = await pay(some, '5.00', {
      method: 'Çek',
      instrument: cheque,
      collected_by_id: staff,
      reference: 'r',
      note: 'n',
    });
    expect(taken).toMatchObject({ method: 'Çek', instrument: cheque, collected_by_id: staff, reference: 'r', note: 'n' });
    const { reversal, reversed } = dataOf(await reverse(scene.dealer, taken.id, { reason_code: 'Karşılıksız' }));
    expect(reversal).toMatchObject({
      type: 'Ters Kayıt',
      method: 'Çek',
      reference: 'r',
      collected_by_id: staff,
      amount: '-5.00',
      reason_code: 'Karşılıksız',
      branch_id: taken.branch_id,
      collected_on: TODAY,
      reverses_id: taken.id,
      reversal_reason: 'yanlış giriş',
      instrument: null,
    });
    expect(reversed).toMatchObject({ id: taken.id, status: 'İptal Edildi', reversed_by_id: reversal.id });
    const summary = dataOf(await scene.dealer.get(`collections/summary?from=${TODAY}&to=${TODAY}&group_by=staff`));
    expect(summary.rows).toContainEqual({
      group: staff,
      currency: 'STG',
      count: 1,
      gross: '5.00',
      reversed: '5.00',
      refunded: '0.00',
      net: '0.00',
    });
  });

  test('that completes a sale with an open lien creates one task', async () => {
    const some = await soldForCash(scene.dealer);
    dataOf(await scene.dealer.patch(`sales/${some.sale.id}`, { lien: { placed_on: TODAY } }));
    expect(await kinds(() => pay(some, '3000.00'))).toEqual([
      ...['collection.created', 'installment.paid', 'sale.completed', 'installment_plan.completed', 'task.created'],
    ]);
    const tasks = async () => (await scene.dealer.get(`tasks?sale_id=${some.sale.id}`)).json.data;
    expect(await tasks()).toMatchObject([
      {
        title: 'Rehin kaldırılacak',
        customer_id: some.customer,
        vehicle_id: some.car,
        due_at: expect.stringContaining('2026-03-23'),
      },
    ]);
    const [taken] = (await scene.dealer.get(`sales/${some.sale.id}/collections`)).json.data;
    dataOf(await reverse(scene.dealer, taken.id));
    await pay(some, '3000.00');
    expect(await tasks()).toHaveLength(1);
  });
});

describe('a discount', () => {
  const half = { discount_amount: '1500.00' };

  test.each([
    [
      'Erken Ödeme',
      [
        [3, '1000.00'],
        [2, '500.00'],
      ],
    ],
    [
      'Anlaşma',
      [
        [1, '400.00'],
        [2, '1000.00'],
        [3, '100.00'],
      ],
    ],
  ])('for %s forgives in its order what the money left open', async (discount_reason, forgiven) => {
    const some = await sold(scene.dealer);
    const money = await pay(some, '600.00', { ...half, discount_reason });
    expect(parts(money)).toEqual([[1, '600.00']]);
    const discount = await one(money.paired_id);
    expect(parts(discount)).toEqual(forgiven);
    expect(discount).toMatchObject({ type: 'İndirim', method: null, amount: '1500.00', paired_id: money.id });
    expect(await shown(some)).toMatchObject({
      collected_amount: '600.00',
      discounted_amount: '1500.00',
      outstanding_amount: '900.00',
    });
  });

  test('fills only the chosen installments, in their order', async () => {
    const some = await sold(scene.dealer);
    const installment_ids = [some.rows[2]!.id, some.rows[0]!.id];
    const money = await pay(some, '200.00', { installment_ids, discount_amount: '900.00', discount_reason: 'Silme' });
    expect(parts(await one(money.paired_id))).toEqual([
      [3, '800.00'],
      [1, '100.00'],
    ]);
  });

  test('alone is returned itself, and is in no till', async () => {
    const some = await sold(scene.dealer);
    const gross = async () => {
      const { currency_rows } = dataOf(await scene.dealer.get(`collections/summary?from=${TODAY}&to=${TODAY}`));
      return currency_rows.find(({ currency }: Shown) => currency === 'STG')?.gross;
    };
    const before = await gross();
    let made: Shown = {};
    const emitted = await kinds(async () => {
      made = await pay(some, '0.00', { discount_amount: '3000.00', discount_reason: 'Silme' });
    });
    expect(emitted).toEqual([
      'collection.created',
      ...Array(3).fill('installment.paid'),
      'sale.completed',
      'installment_plan.completed',
    ]);
    expect(made).toMatchObject({ type: 'İndirim', paired_id: null, amount: '3000.00' });
    expect(await gross()).toBe(before);
    expect(await figures(some)).toEqual(Array(3).fill(['0.00', '1000.00', 'Ödendi']));
  });

  test('is reversed together with its payment when either is named, the named one first', async () => {
    for (const name of ['id', 'paired_id']) {
      const some = await sold(scene.dealer);
      const before = await shown(some);
      const money = await pay(some, '600.00', { ...half, discount_reason: 'Küsurat', late_interest_amount: '100.00' });
      expect(money).toMatchObject({ applied_amount: '500.00', late_interest_amount: '100.00' });
      const emitted = await eventsBy(scene.api, scene.dealer.accountId, async () => {
        const { reversal, reversed } = dataOf(await reverse(scene.dealer, money[name]));
        expect(reversed.id).toBe(money[name]);
        expect((await one(reversal.paired_id)).reverses_id).toBe(reversed.paired_id);
        const ofMoney = reversed.type === 'Tahsilat' ? reversal : await one(reversal.paired_id);
        expect(ofMoney).toMatchObject({ amount: '-600.00', applied_amount: '-500.00', late_interest_amount: '-100.00' });
        expect(parts(ofMoney)).toEqual([[1, '-500.00']]);
      });
      expect(emitted.slice(0, 2).map(({ kind, id }) => [kind, id])).toEqual([
        ...[
          ['collection.reversed', money[name]],
          ['collection.reversed', name === 'id' ? money.paired_id : money.id],
        ],
      ]);
      expect(await figures(some)).toEqual(Array(3).fill(['0.00', '0.00', 'Bekliyor']));
      expect(await shown(some)).toEqual({ ...before, updated_at: expect.any(String) });
    }
  });
});

describe('a reversal', () => {
  test('leaves other allocations unchanged; the next payment fills the gap', async () => {
    const some = await sold(scene.dealer);
    const [first] = [await pay(some, '1000.00'), await pay(some, '1200.00')];
    dataOf(await reverse(scene.dealer, first.id));
    expect(await figures(some)).toEqual([
      ...[
        ['0.00', '0.00', 'Bekliyor'],
        ['1000.00', '0.00', 'Ödendi'],
        ['200.00', '0.00', 'Kısmi Ödendi'],
      ],
    ]);
    expect(parts(await pay(some, '1100.00'))).toEqual([
      [1, '1000.00'],
      [3, '100.00'],
    ]);
  });

  test('of a deposit that became a payment reopens the deposit, refundable from the sold vehicle', async () => {
    const { dealer } = scene;
    const { car, customer, deposit } = await held(dealer);
    const sale = dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '3000.00' }));
    expect(sale).toMatchObject({ outstanding_amount: '2500.00' });
    const [payment] = (await dealer.get(`sales/${sale.id}/collections`)).json.data;
    const emitted = await eventsBy(scene.api, dealer.accountId, async () => dataOf(await reverse(dealer, payment.id)));
    expect(emitted.map(({ kind, payload }) => [kind, payload.data.object.type ?? payload.data.object.seq])).toEqual([
      ...[
        ['collection.reversed', 'Tahsilat'],
        ['collection.reversed', 'Mahsup'],
        ['installment.reopened', 0],
      ],
    ]);
    expect(await one(deposit)).toMatchObject({ deposit_status: 'Açık', deposit_closed_on: null, status: 'Geçerli' });
    expect(dataOf(await dealer.get(`sales/${sale.id}`)).outstanding_amount).toBe('3000.00');
    expect(await kinds(async () => dataOf(await dealer.patch(`vehicles/${car}`, { deposit_disposition: 'iade' })))).toEqual([
      'collection.refunded',
    ]);
    expect(await one(deposit)).toMatchObject({ deposit_status: 'İade Edildi', deposit_closed_on: TODAY });
    const [back] = (await dealer.get(`collections?customer_id=${customer}&type=${encodeURIComponent('İade')}`)).json.data;
    expect(back).toMatchObject({ amount: '-500.00', method: 'Nakit', vehicle_id: car, sale_id: null });
  });

  test('reopens only the deposit of its own sale, when the same customer bought the same vehicle twice', async () => {
    const { dealer } = scene;
    const { car, customer, deposit } = await held(dealer);
    const buy = async () => dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '3000.00' }));
    const first = await buy();
    dataOf(await dealer.post(`sales/${first.id}/cancel`, { reason: 'vazgeçti', refund_method: 'Nakit' }, newKey()));
    const { reservation } = dataOf(
      await dealer.post(`vehicles/${car}/reserve`, { customer_id: customer, deposit_amount: '700.00' }),
    );
    const second = await buy();
    const [payment] = (await dealer.get(`sales/${second.id}/collections`)).json.data;
    dataOf(await reverse(dealer, payment.id));
    expect((await one(reservation.deposit.collection_id)).deposit_status).toBe('Açık');
    expect((await one(deposit)).deposit_status).toBe('Mahsup Edildi');
  });

  test('of an open deposit ends it', async () => {
    const { car, deposit } = await held(scene.dealer);
    expect(await kinds(async () => dataOf(await reverse(scene.dealer, deposit)))).toEqual(['collection.reversed']);
    expect(await one(deposit)).toMatchObject({ deposit_status: null, status: 'İptal Edildi' });
    expect(dataOf(await scene.dealer.get(`vehicles/${car}`)).reservation).toMatchObject({ deposit: null, deposit_amount: null });
    dataOf(await scene.dealer.patch(`vehicles/${car}`, { status: 'Stokta' }));
  });
});

describe('a deposit', () => {
  test.each([
    ['iade', 'collection.refunded', 'İade Edildi'],
    ['kalsın', 'collection.deposit_kept', 'Gelir'],
  ])('is settled as %s on release and on a sale elsewhere', async (deposit_disposition, kind, status) => {
    const [released, gone] = [await held(scene.dealer), await held(scene.dealer)];
    const release = { status: 'Stokta', deposit_disposition, price: '9999.00' };
    expect(await kinds(async () => dataOf(await scene.dealer.patch(`vehicles/${released.car}`, release)))).toEqual([
      ...['vehicle.updated', 'vehicle.price_changed', 'vehicle.reservation_released', 'vehicle.status_changed', kind],
    ]);
    expect(
      await kinds(async () => dataOf(await scene.dealer.post(`vehicles/${gone.car}/mark-sold`, { deposit_disposition }))),
    ).toEqual([...['vehicle.sold', 'vehicle.status_changed', kind]]);
    for (const { deposit } of [released, gone])
      expect(await one(deposit)).toMatchObject({ deposit_status: status, deposit_closed_on: TODAY });
  });

  test('in another currency pays the sale at the day’s rate, and is refunded in its own currency', async () => {
    const { car, customer } = await held(scene.dealer, { deposit_amount: '60000.00', deposit_currency: 'TL' });
    const sale = dataOf(await sell(scene.dealer, { vehicle_id: car, customer_id: customer, sale_price: '3000.00' }));
    expect(sale.collected_amount).toBe('930.23');
    const done = { refund_method: 'Havale/EFT', refund_currency: 'TL' };
    const emitted = await eventsBy(scene.api, scene.dealer.accountId, async () => {
      dataOf(await cancel(scene.dealer, { sale } as unknown as Sold, done));
    });
    const refund = emitted.find(({ kind }) => kind === 'collection.refunded')!.payload.data.object;
    expect(refund).toMatchObject({
      type: 'İade',
      amount: '-59999.84',
      currency: 'TL',
      applied_amount: '-930.23',
      exchange_rate: '64.500000',
      rate_pair: 'STG-TL',
      rate_date: '2026-03-13',
      rate_source: 'KKTCMB',
      method: 'Havale/EFT',
      allocations: [],
    });
  });
});
