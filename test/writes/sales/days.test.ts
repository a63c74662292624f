// Calendar days and money: overdue by the dealer's own midnight, and each timed event emitted once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runTimedTransitions } from '../../../src/jobs/run-timed-transitions.ts';
import { sql } from '../../../src/kit/sql.ts';
import { aDealer, carOf, collect, customerOf, dataOf, moveTo, newKey, rowsOf, type Shown, sell } from '../../support/books.ts';
import { eventsOf } from '../../support/events.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, openAll } from '../../support/writer.ts';

const DUE = '2027-01-15';
let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  moveTo(api, '2027-01-04');
  dealer = await aDealer(api);
});

const sweep = () => runTimedTransitions(api.service.parts.writer, api.clock.now());
const at = (day: string, time?: string) => moveTo(api, day, time);
const emitted = async (kind: string, by = dealer) => (await eventsOf(api, by.accountId)).filter((event) => event.kind === kind);
const row = (due_date: string, amount: string) => ({ due_date, amount });

async function owing(by: Dealer, overrides: object = { installments: [row(DUE, '1000.00')] }): Promise<Shown> {
  const currency = by === dealer ? 'STG' : 'TL';
  const [vehicle_id, customer_id] = [await carOf(by, { currency }), await customerOf(by)];
  return dataOf(await sell(by, { vehicle_id, customer_id, sale_price: '1000.00', ...overrides }));
}

describe('overdue', () => {
  /** Every reply that shows it. */
  async function shown(by: Dealer, { id, plan_id, customer_id }: Shown) {
    const [sale, plan, customer] = [
      dataOf(await by.get(`sales/${id}`)),
      dataOf(await by.get(`installment-plans/${plan_id}`)),
      dataOf(await by.get(`customers/${customer_id}`)),
    ];
    const [only] = await rowsOf(by, id);
    const listed = async (path: string) => (await by.get(path)).json.data.length;
    return [
      ...[only!.is_overdue, only!.days_overdue, sale.overdue_amount, plan.overdue_amount, customer.balances[0].overdue],
      ...[await listed('installments/overdue'), await listed('installments/upcoming'), await listed('sales?overdue=true')],
      ...[await listed('installment-plans?overdue=true'), await listed(`customers/${customer_id}/installments?overdue=true`)],
    ];
  }
  const NO = [false, 0, '0.00', '0.00', '0.00', 0, 1, 0, 0, 0];
  const YES = [true, 1, '1000.00', '1000.00', '1000.00', 1, 0, 1, 1, 1];

  test('starts at the account’s midnight: in winter an hour earlier in Mersin than in Lefkoşa, for lists and for events', async () => {
    const turkish = await aDealer(api, 'TR');
    const [here, there] = [await owing(dealer), await owing(turkish)];
    at(DUE, '20:59:00');
    await sweep();
    expect([await shown(dealer, here), await shown(turkish, there)]).toEqual([NO, NO]);
    at(DUE, '21:30:00');
    // No request since then: the sweeper emits for the one whose day is over.
    await sweep();
    expect([(await emitted('installment.overdue')).length, (await emitted('installment.overdue', turkish)).length]).toEqual([
      0, 1,
    ]);
    expect([await shown(dealer, here), await shown(turkish, there)]).toEqual([NO, YES]);
    at(DUE, '22:00:00');
    expect([await shown(dealer, here), await shown(turkish, there)]).toEqual([YES, YES]);
    await sweep();
    expect([(await emitted('installment.overdue')).length, (await emitted('installment.overdue', turkish)).length]).toEqual([
      1, 1,
    ]);
  });

  test('starts at the same midnight for both in summer', async () => {
    at('2027-07-01');
    const turkish = await aDealer(api, 'TR');
    dealer = await aDealer(api);
    const summer = { installments: [row('2027-07-15', '1000.00')] };
    const [here, there] = [await owing(dealer, summer), await owing(turkish, summer)];
    at('2027-07-15', '20:59:00');
    expect([(await shown(dealer, here))[0], (await shown(turkish, there))[0]]).toEqual([false, false]);
    at('2027-07-15', '21:00:00');
    expect([(await shown(dealer, here))[0], (await shown(turkish, there))[0]]).toEqual([true, true]);
  });
});

describe('emitted by time', () => {
  test('due soon three days before, overdue the day after, each once for any caller', async () => {
    const sale = await owing(dealer);
    at('2027-01-11', '21:59:00');
    await sweep();
    expect(await emitted('installment.due_soon')).toEqual([]);
    at('2027-01-11', '22:00:00');
    await sweep();
    const [only] = await rowsOf(dealer, sale.id);
    expect((await emitted('installment.due_soon')).map(({ id, payload }) => [id, payload.data.object.due_date])).toEqual([
      [only!.id, DUE],
    ]);
    for (const day of ['2027-01-13', DUE, '2027-01-16', '2027-01-17', '2027-02-20']) {
      at(day);
      await Promise.all([sweep(), dealer.get('sales'), dealer.get('installments/overdue'), sweep()]);
    }
    expect((await emitted('installment.due_soon')).length).toBe(1);
    expect((await emitted('installment.overdue')).map(({ payload }) => payload.data.object.is_overdue)).toEqual([true]);
  });

  test('an installment due on the day it is created is never due soon; it is overdue the day after', async () => {
    const sale = await owing(dealer, {
      down_payment: '100.00',
      installments: [row('2027-01-06', '400.00'), row('2027-02-20', '500.00')],
    });
    const rows = await rowsOf(dealer, sale.id);
    await sweep();
    await dealer.get('sales');
    // The installment of the day after tomorrow is.
    expect((await emitted('installment.due_soon')).map(({ id }) => id)).toEqual([rows[1]!.id]);
    // Nor one that is moved to today, nor the down payment of changed terms.
    dataOf(await dealer.patch(`installments/${rows[2]!.id}`, { due_date: '2027-01-04' }));
    dataOf(
      await dealer.patch(`sales/${sale.id}`, {
        down_payment: '200.00',
        installments: [row('2027-01-06', '300.00'), row('2027-02-20', '500.00')],
      }),
    );
    at('2027-01-04', '12:30:00');
    await sweep();
    expect((await emitted('installment.due_soon')).map(({ id }) => id)).toEqual([rows[1]!.id, rows[1]!.id]);
    at('2027-01-05');
    await sweep();
    expect((await emitted('installment.overdue')).map(({ id }) => id)).toEqual([rows[0]!.id]);
  });

  test('a partial payment of an overdue installment emits nothing by time; a reopened installment emits again', async () => {
    const sale = await owing(dealer);
    const { id } = dataOf(await collect(dealer, sale.id, '1000.00'));
    at('2027-01-17');
    await sweep();
    expect(await emitted('installment.overdue')).toEqual([]);
    dataOf(await dealer.post(`collections/${id}/reverse`, { reason: 'karşılıksız' }, newKey()));
    await sweep();
    expect((await emitted('installment.overdue')).length).toBe(1);
    dataOf(await collect(dealer, sale.id, '300.00'));
    const { due } = (await api.database.onPlatform('read', (db) =>
      db.one<{ due: Date | null }>(sql`select next_due_at as due from data_sets where id = ${dealer.accountId}`),
    )) as { due: Date | null };
    expect(due).toBeNull();
  });

  test('a sale recorded with past dates is overdue at once, and was never due soon', async () => {
    await owing(dealer, { sale_date: '2026-10-01', installments: [row('2026-11-01', '400.00'), row('2026-12-01', '600.00')] });
    await sweep();
    expect((await emitted('installment.due_soon')).length).toBe(0);
    expect((await emitted('installment.overdue')).length).toBe(2);
  });

  test('a promise breaks the day after, a reservation expires and leaves its deposit open, each once', async () => {
    const sale = await owing(dealer);
    const body = { sale_id: sale.id, amount: '10.00', promised_date: '2027-01-06' };
    const promise = dataOf(await dealer.post('payment-promises', body));
    const [car, customer_id] = [await carOf(dealer), await customerOf(dealer)];
    const hold = { customer_id, reserved_until: '2027-01-06', deposit_amount: '250.00' };
    const { deposit } = dataOf(await dealer.post(`vehicles/${car}/reserve`, hold)).reservation;
    at('2027-01-06', '21:59:00');
    await sweep();
    expect([...(await emitted('payment_promise.broken')), ...(await emitted('vehicle.reservation_released'))]).toEqual([]);
    at('2027-01-06', '22:00:00');
    for (let time = 0; time < 3; time += 1) await Promise.all([sweep(), dealer.get('payment-promises'), dealer.get('vehicles')]);
    expect((await emitted('payment_promise.broken')).map(({ id }) => id)).toEqual([promise.id]);
    expect((await emitted('vehicle.reservation_released')).map(({ id }) => id)).toEqual([car]);
    expect(dataOf(await dealer.get(`collections/${deposit.collection_id}`))).toMatchObject({
      status: 'Geçerli',
      deposit_status: 'Açık',
    });
    const [notice] = dataOf(await dealer.get('notifications')).filter(
      ({ kind }: Shown) => kind === 'vehicle.reservation_released',
    );
    expect(notice.body).toContain('kapora hâlâ açık');
    // The customer's next reservation shows it.
    const again = dataOf(await dealer.post(`vehicles/${car}/reserve`, { customer_id }));
    expect(again.reservation.deposit).toEqual(deposit);
  });
});
