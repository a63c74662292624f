// How a sale ends before it is paid, and the states of promises: kept, broken, cancelled, reopened.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aDealer,
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  reverse,
  rowsOf,
  type Shown,
  sell,
} from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { aCar, type Dealer } from '../../support/writer.ts';
import { cancel, closeScene, newScene, type Scene, type Sold, sold, soldForCash, TODAY } from './refused.ts';

let scene: Scene;
let dealer: Dealer;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));
beforeEach(async () => {
  moveTo(scene.api, TODAY);
  dealer = await aDealer(scene.api);
});

const emittedBy = async (act: () => Promise<unknown>) =>
  (await eventsBy(scene.api, dealer.accountId, act)).map(({ kind }) => kind);
const shown = async ({ sale }: Sold, by = dealer): Promise<Shown> => dataOf(await by.get(`sales/${sale.id}`));
const pay = async ({ sale }: Sold, amount: string, overrides: Record<string, unknown> = {}): Promise<Shown> =>
  dataOf(await collect(dealer, sale.id, amount, overrides));

describe('cancelling', () => {
  test('returns money and the traded-in vehicle, cancels the promise, and emits in the specified order', async () => {
    const one = await sold(dealer, { trade_in: { amount: '600.00', vehicle: aCar({ plate: 'GR 1' }) } });
    await pay(one, '1000.00');
    dataOf(await dealer.post('payment-promises', { sale_id: one.sale.id, amount: '10.00', promised_date: '2026-03-20' }));
    expect(await emittedBy(async () => dataOf(await cancel(dealer, one, { refund_method: 'Nakit' })))).toEqual([
      ...['sale.cancelled', 'vehicle.status_changed', 'installment_plan.cancelled', 'payment_promise.cancelled'],
      ...['collection.refunded', 'vehicle.deleted'],
    ]);
    expect(await shown(one)).toMatchObject({
      status: 'İptal',
      cancel_reason: 'vazgeçti',
      outstanding_amount: '0.00',
      overdue_amount: '0.00',
      payoff: null,
      refunded_amount: '1000.00',
      retained_amount: '0.00',
      collected_amount: '0.00',
    });
    const plan = dataOf(await dealer.get(`installment-plans/${one.sale.plan_id}`));
    expect(plan).toMatchObject({
      status: 'İptal',
      remaining_amount: '0.00',
      overdue_amount: '0.00',
      next_due_date: null,
      paid_amount: '1000.00',
    });
    expect(
      (await rowsOf(dealer, one.sale.id)).map(({ amount, paid_amount, remaining_amount, status }) => [
        amount,
        paid_amount,
        remaining_amount,
        status,
      ]),
    ).toEqual([
      ...[
        ['800.00', '800.00', '0.00', 'Ödendi'],
        ['800.00', '200.00', '0.00', 'İptal'],
        ['800.00', '0.00', '0.00', 'İptal'],
      ],
    ]);
    expect(dataOf(await dealer.get(`vehicles/${one.car}`))).toMatchObject({
      status: 'Stokta',
      active_sale_id: null,
      sold_via: null,
    });
    const { deleted_at } = dataOf(await dealer.get(`vehicles/${one.sale.trade_in_vehicle_id}`));
    expect(deleted_at).not.toBeNull();
    const [entry] = (await dealer.get(`vehicles/${one.sale.trade_in_vehicle_id}/history`)).json.data;
    expect(entry).toMatchObject({ event: 'deleted', note: 'müşteriye iade' });
    expect(dataOf(await dealer.get('collections/summary?from=2026-03-16&to=2026-03-16')).currency_rows).toEqual([
      { currency: 'STG', count: 1, gross: '1000.00', reversed: '0.00', refunded: '1000.00', net: '0.00' },
    ]);
    // The vehicle is free for the next buyer.
    await sold(dealer, {}, one.car);
  });

  test('keeps what is not refunded, and counts a vehicle that stays, with or without its record', async () => {
    const kept = await sold(dealer);
    await pay(kept, '1000.00');
    dataOf(await cancel(dealer, kept, { refund_amount: '400.00', refund_method: 'Nakit' }));
    expect(await shown(kept)).toMatchObject({ refunded_amount: '400.00', retained_amount: '600.00', collected_amount: '600.00' });
    for (const vehicle of [undefined, aCar()]) {
      const one = await sold(dealer, { trade_in: { amount: '500.00', ...(vehicle && { vehicle }) } });
      await pay(one, '100.00');
      dataOf(await cancel(dealer, one, { trade_in_disposition: 'kalsın', refund_amount: '550.00', refund_method: 'Nakit' }));
      expect(await shown(one)).toMatchObject({
        refunded_amount: '550.00',
        retained_amount: '50.00',
        collected_amount: '-450.00',
      });
      if (vehicle)
        expect(dataOf(await dealer.get(`vehicles/${one.sale.trade_in_vehicle_id}`))).toMatchObject({
          status: 'Stokta',
          deleted_at: null,
        });
    }
  });

  test('excludes late interest from the refund', async () => {
    const one = await sold(dealer);
    await pay(one, '110.00', { late_interest_amount: '10.00' });
    dataOf(await cancel(dealer, one, { refund_method: 'Nakit' }));
    expect(await shown(one)).toMatchObject({ refunded_amount: '100.00', retained_amount: '0.00' });
  });

  test('in Türkiye a dealer may keep a consumer’s money only after seven days, and a company’s or a cash buyer’s at once', async () => {
    const turkish = await aDealer(scene.api, 'TR');
    const body = { currency: 'TL', sale_date: '2026-03-08' };
    const paid = async (one: Sold) => {
      dataOf(await collect(turkish, one.sale.id, '100.00', { currency: 'TL' }));
      return one;
    };
    const keep = (one: Sold) => cancel(turkish, one, { refund_amount: '0.00' });
    // Sold on the eighth: the sixteenth is the eighth day after.
    expect(dataOf(await keep(await paid(await sold(turkish, body)))).retained_amount).toBe('100.00');
    const seventh = await paid(await sold(turkish, { ...body, sale_date: '2026-03-09' }));
    expect((await keep(seventh)).json.error.code).toBe('retention_not_allowed');
    await scene.admin.rows(`update customers set kind = 'Kurumsal', company_name = 'A Ltd.' where id = $1`, [seventh.customer]);
    expect(dataOf(await keep(seventh)).retained_amount).toBe('100.00');
    const car = await carOf(turkish, { currency: 'TL' });
    const cash = dataOf(await sell(turkish, { vehicle_id: car, customer_id: await customerOf(turkish), sale_price: '100.00' }));
    expect(dataOf(await keep(await paid({ sale: cash } as unknown as Sold))).retained_amount).toBe('100.00');
  });

  test('by deleting: allowed when nothing is collected, also after discounts and reversals', async () => {
    const one = await sold(dealer, { trade_in: { amount: '600.00', vehicle: aCar() } });
    const { id } = await pay(one, '5.00');
    dataOf(await reverse(dealer, id));
    await pay(one, '0.00', { discount_amount: '50.00', discount_reason: 'Anlaşma' });
    const gone = await emittedBy(async () => {
      expect(dataOf(await dealer.delete(`sales/${one.sale.id}`, newKey()))).toMatchObject({
        status: 'İptal',
        cancel_reason: 'silindi',
        refunded_amount: '0.00',
        retained_amount: '0.00',
      });
    });
    expect(gone).toEqual(['sale.cancelled', 'vehicle.status_changed', 'installment_plan.cancelled', 'vehicle.deleted']);
    expect((await dealer.get(`customers/${one.customer}/sales?status=${encodeURIComponent('İptal')}`)).json.data).toHaveLength(1);
  });
});

describe('postponing', () => {
  test('moves to a date or by months on the plan’s day, optionally with the following installments', async () => {
    const one = await sold(dealer, { first_due_date: '2026-03-31', installment_count: 4 });
    const path = (index: number) => `installments/${one.rows[index]!.id}/postpone`;
    dataOf(await dealer.post(path(1), { months: 1, reason: 'maaş' }));
    const days = async () =>
      (await rowsOf(dealer, one.sale.id)).map(({ due_date, postpone_count }) => [due_date, postpone_count]);
    expect(await days()).toEqual([
      ['2026-03-31', 0],
      ['2026-05-31', 1],
      ['2026-05-31', 0],
      ['2026-06-30', 0],
    ]);
    dataOf(await dealer.post(path(0), { new_due_date: '2026-04-02', reason: 'maaş' }));
    dataOf(await collect(dealer, one.sale.id, '750.00', { installment_ids: [one.rows[2]!.id] }));
    dataOf(await dealer.post(path(0), { months: 1, shift_following: true, reason: 'maaş' }));
    // The paid installment stays; each of the others is counted once more, by its due date.
    expect(await days()).toEqual([
      ['2026-05-31', 2],
      ['2026-06-30', 2],
      ['2026-05-31', 0],
      ['2026-07-31', 1],
    ]);
    const [note] = (await dealer.get(`customers/${one.customer}/activity?source=system`)).json.data;
    expect(note.note).toContain('maaş');
  });

  test('leaves an unchanged installment as it is', async () => {
    const one = await sold(dealer);
    const path = `installments/${one.rows[0]!.id}`;
    dataOf(await dealer.patch(path, { note: 'n' }));
    const [before] = await rowsOf(dealer, one.sale.id);
    const { amount, due_date, note } = before!;
    expect(await emittedBy(async () => dataOf(await dealer.patch(path, { amount, due_date, note })))).toEqual([]);
    expect((await rowsOf(dealer, one.sale.id))[0]).toEqual(before);
    expect(await emittedBy(async () => dataOf(await dealer.patch(path, { due_date: '2026-03-20' })))).toEqual([
      'installment.updated',
    ]);
  });
});

describe('a promise', () => {
  const promise = async ({ sale }: Sold, amount: string, promised_date: string, overrides: object = {}): Promise<string> =>
    dataOf(await dealer.post('payment-promises', { sale_id: sale.id, amount, promised_date, ...overrides })).id;
  const state = async (id: string): Promise<[string, string]> => {
    const { status, fulfilled_amount } = dataOf(await dealer.get(`payment-promises/${id}`));
    return [status, fulfilled_amount];
  };

  test('is kept by money recorded after it and dated in time, not by a discount', async () => {
    const one = await sold(dealer, { sale_date: '2026-03-10' });
    await pay(one, '500.00');
    const id = await promise(one, '300.00', '2026-03-20');
    await pay(one, '0.00', { discount_amount: '300.00', discount_reason: 'Anlaşma' });
    expect(await state(id)).toEqual(['Bekliyor', '0.00']);
    // Dated before the promise, recorded after it.
    await pay(one, '100.00', { collected_on: '2026-03-11' });
    expect(await state(id)).toEqual(['Bekliyor', '100.00']);
    expect(await emittedBy(() => pay(one, '250.00'))).toContain('payment_promise.kept');
    expect(await state(id)).toEqual(['Tutuldu', '350.00']);
    // Frozen while it is kept.
    await pay(one, '10.00');
    expect(await state(id)).toEqual(['Tutuldu', '350.00']);
  });

  test('for an installment counts only money allocated to that installment', async () => {
    const one = await sold(dealer);
    const id = await promise(one, '400.00', '2026-03-20', { installment_id: one.rows[1]!.id });
    await pay(one, '1100.00');
    expect(await state(id)).toEqual(['Bekliyor', '100.00']);
    await pay(one, '300.00');
    expect(await state(id)).toEqual(['Tutuldu', '400.00']);
  });

  test('is broken the day after, and stays broken when payments are recorded later', async () => {
    const one = await sold(dealer);
    const id = await promise(one, '400.00', '2026-03-20');
    moveTo(scene.api, '2026-03-20', '20:00:00');
    expect((await state(id))[0]).toBe('Bekliyor');
    moveTo(scene.api, '2026-03-21');
    expect((await state(id))[0]).toBe('Tutulmadı');
    await pay(one, '400.00', { collected_on: '2026-03-20' });
    expect((await state(id))[0]).toBe('Tutulmadı');
    const [note] = (await dealer.get('notifications')).json.data;
    expect(note).toMatchObject({ kind: 'payment_promise.broken', resource_id: id });
  });

  test('reverts when its money is reversed: open in time, broken after', async () => {
    const one = await sold(dealer);
    const id = await promise(one, '400.00', '2026-03-20');
    const { id: money } = await pay(one, '400.00');
    expect(await emittedBy(async () => dataOf(await reverse(dealer, money)))).toEqual([
      ...['collection.reversed', 'installment.reopened', 'payment_promise.reopened'],
    ]);
    expect(await state(id)).toEqual(['Bekliyor', '0.00']);
    const { id: again } = await pay(one, '400.00');
    moveTo(scene.api, '2026-03-21');
    expect(await emittedBy(async () => dataOf(await reverse(dealer, again)))).toContain('payment_promise.broken');
    expect(await state(id)).toEqual(['Tutulmadı', '0.00']);
  });

  test('becomes broken, not open, when a newer promise is open or reopens with it', async () => {
    const one = await sold(dealer);
    const first = await promise(one, '400.00', '2026-03-20');
    const { id: money } = await pay(one, '400.00');
    const second = await promise(one, '100.00', '2026-03-25');
    dataOf(await reverse(dealer, money));
    expect([(await state(first))[0], (await state(second))[0]]).toEqual(['Tutulmadı', 'Bekliyor']);

    const other = await sold(dealer);
    const old = await promise(other, '100.00', '2026-03-20');
    const { id: paid } = await pay(other, '100.00');
    const young = await promise(other, '100.00', '2026-03-25');
    const { id: both } = await pay(other, '100.00');
    dataOf(await reverse(dealer, paid));
    expect([(await state(old))[0], (await state(young))[0]]).toEqual(['Tutuldu', 'Tutuldu']);
    // Now both lose their money at once.
    expect(await emittedBy(async () => dataOf(await reverse(dealer, both)))).toEqual([
      ...['collection.reversed', 'installment.reopened', 'payment_promise.reopened', 'payment_promise.broken'],
    ]);
    expect([(await state(old))[0], (await state(young))[0]]).toEqual(['Tutulmadı', 'Bekliyor']);
  });

  test('that is open is replaced by a newer one that is open again', async () => {
    const one = await sold(dealer);
    const old = await promise(one, '100.00', '2026-03-20');
    const first = await pay(one, '100.00');
    const young = await promise(one, '50.00', '2026-03-20');
    const second = await pay(one, '50.00');
    dataOf(await reverse(dealer, first.id));
    expect([await state(old), await state(young)]).toEqual([
      ['Bekliyor', '50.00'],
      ['Tutuldu', '50.00'],
    ]);
    expect(await emittedBy(async () => dataOf(await reverse(dealer, second.id)))).toEqual([
      ...['collection.reversed', 'installment.reopened', 'payment_promise.reopened', 'payment_promise.broken'],
    ]);
    expect([await state(old), await state(young)]).toEqual([
      ['Tutulmadı', '0.00'],
      ['Bekliyor', '0.00'],
    ]);
  });

  test('ends when new terms leave nothing to pay, also before its date', async () => {
    const one = await soldForCash(dealer);
    dataOf(await dealer.patch(`sales/${one.sale.id}`, { lien: { placed_on: TODAY } }));
    const id = await promise(one, '400.00', '2026-03-20');
    expect(
      await emittedBy(async () => dataOf(await dealer.patch(`sales/${one.sale.id}`, { trade_in_amount: one.sale.sale_price }))),
    ).toEqual(['sale.updated', 'installment_plan.updated', 'payment_promise.cancelled', 'task.created']);
    expect((await shown(one)).status).toBe('Tamamlandı');
    moveTo(scene.api, '2026-03-21');
    expect(dataOf(await dealer.get(`payment-promises/${id}`)).status).toBe('İptal');
  });

  test('is cancelled manually, by a discount that completes the sale, by cancelling the sale, by restructuring its installment', async () => {
    const [byHand, forgiven, ended, recast] = (await Promise.all([0, 1, 2, 3].map(() => sold(dealer)))) as [
      Sold,
      Sold,
      Sold,
      Sold,
    ];
    const ids = [
      ...[await promise(byHand, '5.00', '2026-03-20'), await promise(forgiven, '5.00', '2026-03-20')],
      ...[await promise(ended, '5.00', '2026-03-20')],
      ...[await promise(recast, '5.00', '2026-03-20', { installment_id: recast.rows[1]!.id })],
    ];
    expect(await emittedBy(async () => dataOf(await dealer.patch(`payment-promises/${ids[0]}`, { status: 'İptal' })))).toEqual([
      'payment_promise.cancelled',
    ]);
    expect(await emittedBy(() => pay(forgiven, '0.00', { discount_amount: '3000.00', discount_reason: 'Silme' }))).toEqual([
      ...['collection.created', ...Array(3).fill('installment.paid'), 'payment_promise.cancelled'],
      ...['sale.completed', 'installment_plan.completed'],
    ]);
    expect(await emittedBy(async () => dataOf(await cancel(dealer, ended)))).toContain('payment_promise.cancelled');
    const restructure = { from: '2026-04-01', installment_count: 2, reason: 'iş değişti' };
    expect(await emittedBy(async () => dataOf(await dealer.patch(`sales/${recast.sale.id}`, { restructure })))).toEqual([
      ...['sale.restructured', 'installment_plan.updated', 'payment_promise.cancelled', 'sale_document.generated'],
    ]);
    for (const id of ids) expect((await state(id!))[0]).toBe('İptal');
  });

  test('that is broken or cancelled stays so, and its amount still follows the payments', async () => {
    const one = await sold(dealer);
    const called = await promise(one, '500.00', '2026-03-20');
    dataOf(await dealer.patch(`payment-promises/${called}`, { status: 'İptal' }));
    const broken = await promise(one, '500.00', '2026-03-20');
    const paid = await pay(one, '200.00');
    moveTo(scene.api, '2026-03-21');
    expect([await state(called), await state(broken)]).toEqual([
      ['İptal', '200.00'],
      ['Tutulmadı', '200.00'],
    ]);
    expect(await emittedBy(async () => dataOf(await reverse(dealer, paid.id)))).toEqual([
      ...['collection.reversed', 'installment.reopened'],
    ]);
    expect([await state(called), await state(broken)]).toEqual([
      ['İptal', '0.00'],
      ['Tutulmadı', '0.00'],
    ]);
    // Recorded after the promised date and dated within it: enough, and too late.
    await pay(one, '600.00', { collected_on: '2026-03-19' });
    expect(await state(broken)).toEqual(['Tutulmadı', '600.00']);
  });

  test('edited to the amount received is kept at once; edited without changes stays as it is', async () => {
    const one = await sold(dealer);
    const id = await promise(one, '400.00', '2026-03-20', { note: 'n' });
    await pay(one, '300.00');
    const path = `payment-promises/${id}`;
    const before = dataOf(await dealer.get(path));
    const same = { amount: '400.00', promised_date: '2026-03-20', note: 'n', status: 'Bekliyor', staff_id: null };
    expect(await emittedBy(async () => dataOf(await dealer.patch(path, same)))).toEqual([]);
    expect(dataOf(await dealer.get(path))).toEqual(before);
    expect(await emittedBy(async () => dataOf(await dealer.patch(path, { amount: '300.00' })))).toEqual([
      ...['payment_promise.updated', 'payment_promise.kept'],
    ]);
    expect(await state(id)).toEqual(['Tutuldu', '300.00']);
  });

  test('of a cash sale ends when the sale completes', async () => {
    const one = await soldForCash(dealer);
    const id = await promise(one, '3000.00', '2026-03-20');
    expect(await emittedBy(() => pay(one, '3000.00'))).toEqual([
      ...['collection.created', 'installment.paid', 'payment_promise.kept', 'sale.completed', 'installment_plan.completed'],
    ]);
    expect((await state(id))[0]).toBe('Tutuldu');
  });
});
