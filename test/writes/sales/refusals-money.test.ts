// Every refusal of collections, installments, promises and deposits: by code, by field for invalid input, and without side
// effects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carOf, collect, customerOf, dataOf, moveTo, newKey, reverse, sell, verdictOf } from '../../support/books.ts';
import type { Answer } from '../../support/service.ts';
import type { Dealer } from '../../support/writer.ts';
import {
  cancel,
  cancelled,
  closeScene,
  closeTill,
  completed,
  held,
  newScene,
  type Scene,
  type Sold,
  sold,
  soldForCash,
  TODAY,
  testRefusals,
} from './refused.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

const ABSENT = '0190a6c0-0000-7000-8000-000000000000';
type Act = (dealer: Dealer, one: Sold) => Promise<Answer>;
type Make = (dealer: Dealer) => Promise<Sold>;

const on =
  (act: Act, make: Make = sold) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const one = await make(dealer);
    return () => act(dealer, one);
  };

const collecting =
  (amount: string, fields: object | ((one: Sold) => object) = {}): Act =>
  (dealer, one) =>
    collect(dealer, one.sale.id, amount, typeof fields === 'function' ? fields(one) : fields);

const firstPaid: Make = async (dealer) => {
  const one = await sold(dealer);
  dataOf(await collect(dealer, one.sale.id, '1000.00'));
  return one;
};
const restructured: Make = async (dealer) => {
  const one = await sold(dealer);
  const restructure = { from: TODAY, installment_count: 2, reason: 'iş değişti' };
  dataOf(await dealer.patch(`sales/${one.sale.id}`, { restructure }));
  return one;
};

describe('POST collections', () => {
  testRefusals(
    () => scene,
    [
      ['a cancelled sale', '409 sale_cancelled', on(collecting('1.00'), cancelled)],
      ['a completed sale', '409 sale_completed', on(collecting('1.00'), completed)],
      ['an absent sale', '422 unknown_reference', on((dealer) => collect(dealer, ABSENT, '1.00'))],
      ['an absent branch', '422 unknown_reference', on(collecting('1.00', { branch_id: ABSENT }))],
      ['an absent collector', '422 unknown_reference', on(collecting('1.00', { collected_by_id: ABSENT }))],
      ['a cent too much', '409 amount_exceeds_balance', on(collecting('3000.01'))],
      [
        'a cent too much with a discount',
        '409 amount_exceeds_balance',
        on(collecting('2900.00', { discount_amount: '100.01', discount_reason: 'Küsurat' })),
      ],
      [
        'more than the chosen row',
        '409 amount_exceeds_balance',
        on(collecting('1000.01', ({ rows }) => ({ installment_ids: [rows[1]!.id] }))),
      ],
      ['six cents too much in another currency', '409 amount_exceeds_balance', on(collecting('193503.87', { currency: 'TL' }))],
      [
        'a paid row',
        '409 installment_paid',
        on(
          collecting('1.00', ({ rows }) => ({ installment_ids: [rows[0]!.id] })),
          firstPaid,
        ),
      ],
      [
        'a restructured row',
        '409 installment_cancelled',
        on(
          collecting('1.00', ({ rows }) => ({ installment_ids: [rows[0]!.id] })),
          restructured,
        ),
      ],
      ['an absent row', '422 installment_not_of_sale', on(collecting('1.00', { installment_ids: [ABSENT] }))],
      [
        'a row twice',
        '422 installment_ids',
        on(collecting('1.00', ({ rows }) => ({ installment_ids: [rows[0]!.id, rows[0]!.id] }))),
      ],
      ['no rows', '422 installment_ids', on(collecting('1.00', { installment_ids: [] }))],
      [
        'a rate too far above',
        '422 exchange_rate_out_of_range',
        on(collecting('60.00', { currency: 'TL', exchange_rate: '77.400001' })),
      ],
      [
        'a rate too far below',
        '422 exchange_rate_out_of_range',
        on(collecting('60.00', { currency: 'TL', exchange_rate: '51.599999' })),
      ],
      ['a rate for the same currency', '422 exchange_rate_not_needed', on(collecting('60.00', { exchange_rate: '64.5' }))],
      [
        'no bulletin',
        '409 rate_not_available',
        on(collecting('10.00', { currency: 'EUR' }), (dealer) => sold(dealer, { currency: 'TL' })),
        'turkish',
      ],
      [
        'a discount alone in another currency',
        '422 currency_mismatch',
        on(collecting('0.00', { currency: 'TL', discount_amount: '5.00', discount_reason: 'Silme' })),
      ],
      ['nothing', '422 amount', on(collecting('0.00'))],
      ['an amount worth zero of the debt', '422 amount', on(collecting('0.01', { currency: 'TL' }))],
      ['more late interest than money', '422 late_interest_amount', on(collecting('5.00', { late_interest_amount: '5.01' }))],
      ['a discount without a reason', '422 discount_reason', on(collecting('5.00', { discount_amount: '1.00' }))],
      ['a reason without a discount', '422 discount_amount', on(collecting('5.00', { discount_reason: 'Silme' }))],
      ['a zero discount', '422 discount_amount', on(collecting('5.00', { discount_amount: '0.00', discount_reason: 'Silme' }))],
      [
        'a cheque that is cash',
        '422 instrument',
        on(collecting('5.00', { instrument: { bank: 'A', number: '1', due_on: TODAY } })),
      ],
      [
        'half a cheque',
        '422 instrument.due_on',
        on(collecting('5.00', { method: 'Çek', instrument: { bank: 'A', number: '1' } })),
      ],
      ['the system’s method', '422 method', on(collecting('5.00', { method: 'Mahsup' }))],
      ['tomorrow', '422 collected_on', on(collecting('5.00', { collected_on: '2026-03-17' }))],
      ['before the sale', '422 collected_on', on(collecting('5.00', { collected_on: '2026-03-15' }))],
      [
        'no Idempotency-Key',
        '400 idempotency_key_required',
        on((dealer, { sale }) => dealer.post('collections', { sale_id: sale.id, amount: '1.00', currency: 'STG' })),
      ],
    ],
  );

  test('409 day_closed: till money on a closed day, but not a discount', async () => {
    const { sale } = await sold(scene.dealer, { sale_date: '2026-03-10' });
    await closeTill(scene, scene.dealer, '2026-03-15');
    const pay = (collected_on: string, overrides: object = {}) =>
      collect(scene.dealer, sale.id, '1.00', { collected_on, ...overrides });
    expect(verdictOf(await pay('2026-03-15'))).toBe('409 day_closed');
    expect(verdictOf(await pay('2026-03-15', { method: 'Havale/EFT' }))).toBe('409 day_closed');
    expect(verdictOf(await pay('2026-03-16'))).toBe('201');
    const forgiven = { collected_on: '2026-03-15', discount_amount: '1.00', discount_reason: 'Küsurat' };
    expect(verdictOf(await collect(scene.dealer, sale.id, '0.00', forgiven))).toBe('201');
    await closeTill(scene, scene.dealer, null);
  });

  test('states the open amount in the reader’s format', async () => {
    const { sale } = await sold(scene.dealer, { sale_price: '134.50' });
    const { error } = (await collect(scene.dealer, sale.id, '134.51')).json;
    expect(error.message).toContain('134.50');
    const body = { sale_id: sale.id, amount: '134.51', currency: 'STG' };
    const turkish = await scene.dealer.post('collections', body, { ...newKey(), 'accept-language': 'tr' });
    expect(turkish.json.error.message).toContain('134,50');
  });
});

const reversing =
  (overrides: Record<string, unknown> = {}): Act =>
  async (dealer, { sale }) => {
    const { data } = (await dealer.get(`sales/${sale.id}/collections`)).json;
    return reverse(dealer, data.at(-1).id, overrides);
  };
const taken =
  (
    act: (dealer: Dealer, deposit: string) => Promise<Answer>,
    before: (dealer: Dealer, car: string) => Promise<unknown> = async () => {},
  ) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const { car, deposit } = await held(dealer);
    await before(dealer, car);
    return () => act(dealer, deposit);
  };

describe('POST collections/reverse', () => {
  testRefusals(
    () => scene,
    [
      [
        'one that is reversed',
        '409 already_reversed',
        on(
          async (dealer, { sale }) => {
            const { data } = (await dealer.get(`sales/${sale.id}/collections`)).json;
            return reverse(dealer, data[0].id);
          },
          async (dealer) => {
            const one = await firstPaid(dealer);
            dataOf(await reversing()(dealer, one));
            return one;
          },
        ),
      ],
      [
        'a reversal',
        '409 not_reversible',
        on(reversing(), async (dealer) => {
          const one = await firstPaid(dealer);
          dataOf(await reversing()(dealer, one));
          return one;
        }),
      ],
      [
        'a refund',
        '409 not_reversible',
        on(reversing(), async (dealer) => {
          const one = await firstPaid(dealer);
          dataOf(await cancel(dealer, one, { refund_method: 'Nakit' }));
          return one;
        }),
      ],
      [
        'money of a cancelled sale',
        '409 sale_cancelled',
        on(reversing(), async (dealer) => {
          const one = await firstPaid(dealer);
          dataOf(await cancel(dealer, one, { refund_amount: '0.00' }));
          return one;
        }),
      ],
      [
        'a deposit that was kept',
        '409 not_reversible',
        taken(
          (dealer, deposit) => reverse(dealer, deposit),
          (dealer, car) => dealer.patch(`vehicles/${car}`, { status: 'Stokta', deposit_disposition: 'kalsın' }),
        ),
      ],
      [
        'a refunded deposit',
        '409 not_reversible',
        taken(
          (dealer, deposit) => reverse(dealer, deposit),
          (dealer, car) => dealer.patch(`vehicles/${car}`, { status: 'Stokta', deposit_disposition: 'iade' }),
        ),
      ],
      [
        'the offset of a deposit',
        '409 not_reversible',
        async (dealer) => {
          const { car, customer } = await held(dealer);
          dataOf(await sell(dealer, { vehicle_id: car, customer_id: customer, sale_price: '3000.00' }));
          const { data } = (await dealer.get(`collections?customer_id=${customer}&type=Mahsup`)).json;
          return () => reverse(dealer, data[0].id);
        },
      ],
      ['before it was collected', '422 reversed_on', on(reversing({ reversed_on: '2026-03-15' }), firstPaid)],
      ['tomorrow', '422 reversed_on', on(reversing({ reversed_on: '2026-03-17' }), firstPaid)],
      ['no reason', '422 reason', on(reversing({ reason: undefined }), firstPaid)],
      ['another code', '422 reason_code', on(reversing({ reason_code: 'Diğer' }), firstPaid)],
      [
        'no Idempotency-Key',
        '400 idempotency_key_required',
        on((dealer, { sale }) => dealer.post(`collections/${sale.id}/reverse`, { reason: 'yok' })),
      ],
    ],
  );

  test('409 day_closed: from a till that is closed for that day', async () => {
    const one = await firstPaid(scene.dealer);
    await closeTill(scene, scene.dealer, TODAY);
    expect(verdictOf(await reversing()(scene.dealer, one))).toBe('409 day_closed');
    await closeTill(scene, scene.dealer, null);
    expect(verdictOf(await reversing()(scene.dealer, one))).toBe('201');
  });
});

const row =
  (index: number, body: object, path = ''): Act =>
  (dealer, { rows }) => {
    const at = `installments/${rows[index]!.id}`;
    return path === '' ? dealer.patch(at, body) : dealer.post(`${at}/${path}`, { reason: 'maaşı gecikti', ...body });
  };
const postponing = (index: number, body: object): Act => row(index, body, 'postpone');
const withDown: Make = (dealer) => sold(dealer, { down_payment: '300.00' });
const partlyPaid: Make = async (dealer) => {
  const one = await sold(dealer);
  dataOf(await collect(dealer, one.sale.id, '400.00'));
  return one;
};

describe('PATCH installments and postpone', () => {
  testRefusals(
    () => scene,
    [
      ['a paid row', '409 installment_paid', on(row(0, { amount: '5.00' }), firstPaid)],
      ['the note of a paid row', '409 installment_paid', on(row(0, { note: 'x' }), firstPaid)],
      ['a row of a cancelled sale', '409 installment_cancelled', on(row(0, { amount: '5.00' }), cancelled)],
      ['a restructured row', '409 installment_cancelled', on(row(0, { amount: '5.00' }), restructured)],
      ['the down payment', '409 rebalance_impossible', on(row(0, { amount: '5.00' }), withDown)],
      [
        'the only row',
        '409 rebalance_impossible',
        on(row(0, { amount: '5.00' }), (dealer) => sold(dealer, { installment_count: 1 })),
      ],
      [
        'only the down payment beside it',
        '409 rebalance_impossible',
        on(row(1, { amount: '5.00' }), (dealer) => sold(dealer, { installment_count: 1, down_payment: '300.00' })),
      ],
      ['all of the last row', '409 rebalance_impossible', on(row(0, { amount: '2000.00' }))],
      ['less than is paid on it', '422 amount', on(row(0, { amount: '399.99' }), partlyPaid)],
      ['nothing', '422 amount', on(row(0, { amount: '0.00' }))],
      ['a later day', '422 use_postpone', on(row(0, { due_date: '2026-04-17' }))],
      ['yesterday', '422 due_date_in_past', on(row(0, { due_date: '2026-03-15' }))],
      ['another status', '422 status', on(row(0, { status: 'Ödendi' }))],
      ['putting off a paid row', '409 installment_paid', on(postponing(0, { months: 1 }), firstPaid)],
      ['putting off a cancelled row', '409 installment_cancelled', on(postponing(0, { months: 1 }), cancelled)],
      ['putting off a restructured row', '409 installment_cancelled', on(postponing(0, { months: 1 }), restructured)],
      ['putting off to the same day', '422 not_later', on(postponing(0, { new_due_date: '2026-04-16' }))],
      ['putting off to an earlier day', '422 not_later', on(postponing(0, { new_due_date: '2026-04-15' }))],
      [
        'putting off to today',
        '422 not_later',
        on(postponing(0, { new_due_date: TODAY }), (dealer) => sold(dealer, { sale_date: '2026-01-10' })),
      ],
      ['putting off by too much', '422 too_far', on(postponing(0, { new_due_date: '2028-04-17' }))],
      ['putting off to a day and by months', '422 new_due_date', on(postponing(0, { new_due_date: '2026-05-01', months: 1 }))],
      ['putting off to nowhere', '422 new_due_date', on(postponing(0, {}))],
      [
        'a day for those that follow',
        '422 shift_following',
        on(postponing(0, { new_due_date: '2026-05-01', shift_following: true })),
      ],
      ['thirteen months', '422 months', on(postponing(0, { months: 13 }))],
      ['no reason', '422 reason', on(postponing(0, { months: 1, reason: undefined }))],
      [
        'a follower that goes too far',
        '422 too_far',
        on(postponing(0, { months: 1, shift_following: true }), async (dealer) => {
          const one = await sold(dealer);
          dataOf(await postponing(2, { new_due_date: '2028-06-16' })(dealer, one));
          return one;
        }),
      ],
    ],
  );
});

const promising =
  (fields: object | ((one: Sold) => object) = {}): Act =>
  (dealer, one) => {
    const more = typeof fields === 'function' ? fields(one) : fields;
    return dealer.post('payment-promises', { sale_id: one.sale.id, amount: '100.00', promised_date: '2026-03-20', ...more });
  };
const promised =
  (edit: object): ((dealer: Dealer) => Promise<() => Promise<Answer>>) =>
  async (dealer) => {
    const { id } = dataOf(await promising()(dealer, await sold(dealer)));
    return () => dealer.patch(`payment-promises/${id}`, edit);
  };

describe('payment promises', () => {
  testRefusals(
    () => scene,
    [
      [
        'a second one',
        '409 promise_already_open',
        on(promising(), async (dealer) => {
          const one = await sold(dealer);
          dataOf(await promising()(dealer, one));
          return one;
        }),
      ],
      ['a cancelled sale', '409 sale_cancelled', on(promising(), cancelled)],
      ['a completed sale', '409 sale_completed', on(promising(), completed)],
      ['an absent sale', '422 unknown_reference', on(promising({ sale_id: ABSENT }))],
      ['an absent row', '422 unknown_reference', on(promising({ installment_id: ABSENT }))],
      ['an absent person', '422 unknown_reference', on(promising({ staff_id: ABSENT }))],
      ['more than is owed', '422 amount_exceeds_balance', on(promising({ amount: '3000.01' }))],
      [
        'more than the row',
        '422 amount_exceeds_balance',
        on(promising(({ rows }) => ({ amount: '1000.01', installment_id: rows[1]!.id }))),
      ],
      [
        'a paid row',
        '422 installment_id',
        on(
          promising(({ rows }) => ({ installment_id: rows[0]!.id })),
          firstPaid,
        ),
      ],
      ['yesterday', '422 promised_date', on(promising({ promised_date: '2026-03-15' }))],
      ['more than ninety days', '422 promised_date', on(promising({ promised_date: '2026-06-15' }))],
      ['nothing', '422 amount', on(promising({ amount: '0.00' }))],
      ['set to kept manually', '422 status_not_settable', promised({ status: 'Tutuldu' })],
      ['set to broken manually', '422 status_not_settable', promised({ status: 'Tutulmadı' })],
      ['more than is owed, later', '422 amount_exceeds_balance', promised({ amount: '3000.01' })],
      ['too far off, later', '422 promised_date', promised({ promised_date: '2026-06-15' })],
      ['another sale', '422 sale_id', promised({ sale_id: ABSENT })],
      [
        'a cancelled one',
        '409 promise_closed',
        async (dealer) => {
          const { id } = dataOf(await promising()(dealer, await sold(dealer)));
          dataOf(await dealer.patch(`payment-promises/${id}`, { status: 'İptal' }));
          return () => dealer.patch(`payment-promises/${id}`, { note: 'x' });
        },
      ],
    ],
  );
});

const holding =
  (act: (dealer: Dealer, one: { car: string; customer: string }) => Promise<Answer>) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const one = await held(dealer);
    return () => act(dealer, one);
  };

describe('deposits', () => {
  testRefusals(
    () => scene,
    [
      [
        'another amount',
        '409 deposit_exists',
        holding((dealer, { car, customer }) =>
          dealer.post(`vehicles/${car}/reserve`, { customer_id: customer, deposit_amount: '600.00' }),
        ),
      ],
      [
        'another method',
        '409 deposit_exists',
        holding((dealer, { car, customer }) =>
          dealer.post(`vehicles/${car}/reserve`, {
            customer_id: customer,
            deposit_amount: '500.00',
            deposit_method: 'Kredi Kartı',
          }),
        ),
      ],
      [
        'another customer',
        '409 vehicle_reserved',
        async (dealer) => {
          const [{ car }, other] = [await held(dealer), await customerOf(dealer)];
          return () => dealer.post(`vehicles/${car}/reserve`, { customer_id: other, deposit_amount: '500.00' });
        },
      ],
      [
        'an unknown deposit',
        '422 customer_id',
        async (dealer) => {
          const car = await carOf(dealer);
          return () => dealer.post(`vehicles/${car}/reserve`, { deposit_amount: '500.00' });
        },
      ],
      [
        'a method without a deposit',
        '422 deposit_amount',
        async (dealer) => {
          const car = await carOf(dealer);
          return () => dealer.post(`vehicles/${car}/reserve`, { deposit_method: 'Nakit' });
        },
      ],
      [
        'released without a word',
        '409 deposit_open',
        holding((dealer, { car }) => dealer.patch(`vehicles/${car}`, { status: 'Stokta' })),
      ],
      [
        'sold elsewhere without a word',
        '409 deposit_open',
        holding((dealer, { car }) => dealer.post(`vehicles/${car}/mark-sold`)),
      ],
      [
        'disposed of while it is held',
        '422 deposit_disposition',
        holding((dealer, { car }) => dealer.patch(`vehicles/${car}`, { deposit_disposition: 'iade' })),
      ],
      [
        'none to give back',
        '409 no_open_deposit',
        async (dealer) => {
          const car = await carOf(dealer);
          return () => dealer.patch(`vehicles/${car}`, { deposit_disposition: 'iade' });
        },
      ],
      [
        'none to keep with a sale elsewhere',
        '409 no_open_deposit',
        async (dealer) => {
          const car = await carOf(dealer);
          return () => dealer.post(`vehicles/${car}/mark-sold`, { deposit_disposition: 'kalsın' });
        },
      ],
      [
        'a customer with an open one is deleted',
        '409 customer_has_reservation',
        holding((dealer, { customer }) => dealer.delete(`customers/${customer}`)),
      ],
      [
        'a customer with a sale is deleted',
        '409 customer_has_active_sale',
        on((dealer, { customer }) => dealer.delete(`customers/${customer}`), soldForCash),
      ],
    ],
  );

  test('409 day_closed: taken or refunded on a closed day', async () => {
    const { car } = await held(scene.dealer);
    const [other, customer] = [await carOf(scene.dealer), await customerOf(scene.dealer)];
    await closeTill(scene, scene.dealer, TODAY);
    const body = { customer_id: customer, deposit_amount: '500.00' };
    expect(verdictOf(await scene.dealer.post(`vehicles/${other}/reserve`, body))).toBe('409 day_closed');
    const release = { status: 'Stokta', deposit_disposition: 'iade' };
    expect(verdictOf(await scene.dealer.patch(`vehicles/${car}`, release))).toBe('409 day_closed');
    expect(verdictOf(await scene.dealer.post(`vehicles/${car}/mark-sold`, { deposit_disposition: 'iade' }))).toBe(
      '409 day_closed',
    );
    // A kept deposit does not leave the till.
    expect(verdictOf(await scene.dealer.patch(`vehicles/${car}`, { ...release, deposit_disposition: 'kalsın' }))).toBe('200');
    await closeTill(scene, scene.dealer, null);
  });

  test('409 deposit_open: a vehicle or a customer is not deleted while a deposit without a reservation is open', async () => {
    const { car, customer } = await held(scene.dealer, { reserved_until: TODAY });
    moveTo(scene.api, '2026-03-17');
    expect(dataOf(await scene.dealer.get(`vehicles/${car}`)).status).toBe('Stokta');
    expect(verdictOf(await scene.dealer.delete(`vehicles/${car}`))).toBe('409 deposit_open');
    expect(verdictOf(await scene.dealer.delete(`customers/${customer}`))).toBe('409 deposit_open');
    const other = { customer_id: await customerOf(scene.dealer), deposit_amount: '100.00' };
    expect(verdictOf(await scene.dealer.post(`vehicles/${car}/reserve`, other))).toBe('409 deposit_exists');
    expect(verdictOf(await scene.dealer.patch(`vehicles/${car}`, { deposit_disposition: 'iade' }))).toBe('200');
    expect(verdictOf(await scene.dealer.delete(`vehicles/${car}`))).toBe('200');
  });
});
