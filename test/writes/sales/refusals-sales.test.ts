// Every refusal of creating, editing and cancelling sales: by code, by field for invalid input, and without side effects.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDealer, carOf, collect, customerOf, dataOf, newKey, sell, verdictOf } from '../../support/books.ts';
import type { Answer } from '../../support/service.ts';
import { aCar, aPerson, type Dealer } from '../../support/writer.ts';
import {
  cancel,
  cancelled,
  closeScene,
  closeTill,
  completed,
  held,
  newScene,
  type Refusal,
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
const PLAN = { sale_price: '3000.00', installment_count: 3 };

/** A sale of a free vehicle to a customer, with the given fields. */
const selling =
  (fields: object | ((dealer: Dealer) => Promise<object>)) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
    const more = typeof fields === 'function' ? await fields(dealer) : fields;
    return () => sell(dealer, { vehicle_id, customer_id, ...PLAN, ...more });
  };

const withoutPlan = { installment_count: undefined };
const row = (due_date: string, amount: string) => ({ due_date, amount });
const inStock = (status: string) => async (dealer: Dealer) => ({
  vehicle_id: await scene.api.vehicle(dealer.accountId, { status }),
});

describe('POST sales', () => {
  const FORM: readonly [string, string, object][] = [
    ['a trade-in amount beside trade_in', '422 trade_in_amount', { trade_in_amount: '100.00' }],
    ['a trade-in above the price', '422 trade_in.amount', { trade_in: { amount: '3000.01' } }],
    ['cash with less than all down', '422 down_payment', { ...withoutPlan, down_payment: '2999.99' }],
    ['cash with a finance charge', '422 finance_charge', { ...withoutPlan, finance_charge: '1.00' }],
    ['a count and rows', '422 installments', { installments: [row('2026-05-01', '3000.00')] }],
    ['a first day without a count', '422 first_due_date', { ...withoutPlan, first_due_date: '2026-05-01' }],
    ['a period without a count', '422 period', { ...withoutPlan, period: 'Aylık' }],
    ['rounding without a count', '422 round_to', { ...withoutPlan, round_to: 10 }],
    ['no rows', '422 installments', { ...withoutPlan, installments: [] }],
    ['too many rows', '422 installments', { ...withoutPlan, installments: Array(121).fill(row('2026-05-01', '1.00')) }],
    ['a count of none', '422 installment_count', { installment_count: 0 }],
    ['too large a count', '422 installment_count', { installment_count: 121 }],
    ['less than a cent for each', '422 installment_count', { sale_price: '0.02' }],
    ['rounding down to zero', '422 installment_count', { round_to: 100, sale_price: '299.00' }],
    ['rounding to another number', '422 round_to', { round_to: 20 }],
    ['an empty row', '422 installments[0].amount', { ...withoutPlan, installments: [row('2026-05-01', '0.00')] }],
    [
      'a day twice',
      '422 installments[1].due_date',
      { ...withoutPlan, installments: [row('2026-05-01', '1.00'), row('2026-05-01', '2.00')] },
    ],
    ['a row before the sale', '422 installments[0].due_date', { ...withoutPlan, installments: [row('2026-03-15', '3000.00')] }],
    ['a first day before the sale', '422 first_due_date', { first_due_date: '2026-03-15' }],
    ['tomorrow', '422 sale_date', { sale_date: '2026-03-17' }],
    ['delivery before the sale', '422 delivery_due_on', { delivery_due_on: '2026-03-15' }],
    ['too high a late rate', '422 late_rate_yearly', { late_rate_yearly: '200.01' }],
    ['a reason of two letters', '422 currency_exemption', { currency_exemption: 'ab' }],
    ['a zero price', '422 sale_price', { sale_price: '0.00' }],
    ['another currency', '422 currency', { currency: 'GBP' }],
    [
      'rows that do not add up',
      '422 installments_sum_mismatch',
      { ...withoutPlan, installments: [row('2026-05-01', '2999.99')] },
    ],
    ['too much down', '422 down_payment_exceeds_total', { down_payment: '3000.01' }],
    ['an absent vehicle', '422 unknown_reference', { vehicle_id: ABSENT }],
    ['an absent customer', '422 unknown_reference', { customer_id: ABSENT }],
    ['an absent seller', '422 unknown_reference', { salesperson_id: ABSENT }],
    ['an absent branch', '422 unknown_reference', { branch_id: ABSENT }],
    ['an absent guarantor', '422 unknown_guarantor', { guarantor_ids: [ABSENT] }],
  ];
  const STATE: readonly Refusal[] = [
    ['a car in an auction', '409 vehicle_in_auction', selling(inStock("Auction'da"))],
    ['a car sold elsewhere', '409 vehicle_already_sold', selling(inStock('Satıldı'))],
    [
      'a car that was deleted',
      '409 vehicle_deleted',
      selling(async (dealer) => ({ vehicle_id: await scene.api.vehicle(dealer.accountId, { deleted_at: new Date() }) })),
    ],
    ['a car of another sale', '409 vehicle_already_sold', selling(async (dealer) => ({ vehicle_id: (await sold(dealer)).car }))],
    [
      'a car held for another',
      '409 vehicle_reserved_for_other',
      selling(async (dealer) => ({ vehicle_id: (await held(dealer)).car })),
    ],
    [
      'a customer who is blocked',
      '409 customer_blocked',
      selling(async (dealer) => ({ customer_id: await customerOf(dealer, { risk_level: 'blocked' }) })),
    ],
    [
      'a customer who was deleted',
      '422 unknown_reference',
      selling(async (dealer) => ({ customer_id: await scene.api.customer(dealer.accountId, { deleted_at: new Date() }) })),
    ],
    [
      'another customer’s guarantor',
      '422 unknown_guarantor',
      selling(async (dealer) => {
        const other = await customerOf(dealer);
        return { guarantor_ids: [dataOf(await dealer.post(`customers/${other}/guarantors`, aPerson())).id] };
      }),
    ],
    [
      'a guarantor twice',
      '422 guarantor_ids',
      selling(async (dealer) => {
        const customer_id = await customerOf(dealer);
        const { id } = dataOf(await dealer.post(`customers/${customer_id}/guarantors`, aPerson()));
        return { customer_id, guarantor_ids: [id, id] };
      }),
    ],
    [
      'a reference in use',
      '409 external_ref_in_use',
      selling(async (dealer) => {
        await sold(dealer, { external_ref: 'S-7' });
        return { external_ref: 'S-7' };
      }),
    ],
    [
      'a trade-in whose plate is taken',
      '409 plate_in_use',
      selling(async (dealer) => {
        const { plate } = dataOf(await dealer.get(`vehicles/${await carOf(dealer)}`));
        return { trade_in: { amount: '500.00', vehicle: aCar({ plate }) } };
      }),
    ],
    [
      'a trade-in whose chassis is taken',
      '409 chassis_in_use',
      selling(async (dealer) => {
        await carOf(dealer, { chassis_no: 'WVW123' });
        return { trade_in: { amount: '500.00', vehicle: aCar({ chassis_no: 'WVW123' }) } };
      }),
    ],
    [
      'a deposit above the total',
      '409 amount_exceeds_balance',
      selling(async (dealer) => {
        const { car, customer } = await held(dealer, { deposit_amount: '3000.01' });
        return { vehicle_id: car, customer_id: customer };
      }),
    ],
    [
      'a deposit in a currency without a rate',
      '409 rate_not_available',
      selling(async (dealer) => {
        const { car, customer } = await held(dealer, { deposit_currency: 'EUR' });
        return { vehicle_id: car, customer_id: customer, currency: 'TL' };
      }),
      'turkish',
    ],
    ['pounds in Türkiye', '422 currency_not_allowed', selling({ currency: 'STG' }), 'turkish'],
    ['the currency of the car in Türkiye', '422 currency_not_allowed', selling({}), 'turkish'],
    [
      'no Idempotency-Key',
      '400 idempotency_key_required',
      async (dealer) => {
        const body = { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), ...PLAN };
        return () => dealer.post('sales', body);
      },
    ],
    [
      'a trade-in for which the plan has no room',
      '403 plan_limit_reached',
      async (_, { api, admin }) => {
        const small = await aDealer(api);
        const [vehicle_id, customer_id] = [await carOf(small), await customerOf(small)];
        await carOf(small);
        await admin.rows('update accounts set vehicle_limit = 1 where id = $1', [small.accountId]);
        await api.settled();
        return () => sell(small, { vehicle_id, customer_id, ...PLAN, trade_in: { amount: '10.00', vehicle: aCar() } });
      },
    ],
  ];
  testRefusals(() => scene, [...FORM.map(([what, refused, input]) => [what, refused, selling(input)] as const), ...STATE]);

  test('gives the last free place to the trade-in, and lets a blocked customer pay cash', async () => {
    const small = await aDealer(scene.api);
    const [vehicle_id, customer_id] = [await carOf(small), await customerOf(small, { risk_level: 'blocked' })];
    await scene.admin.rows('update accounts set vehicle_limit = 1 where id = $1', [small.accountId]);
    await scene.api.settled();
    const trade_in = { amount: '10.00', vehicle: aCar() };
    expect(verdictOf(await sell(small, { vehicle_id, customer_id, sale_price: '3000.00', trade_in }))).toBe('201');
  });
});

/** An edit of a sale that was created with these terms. */
const editing =
  (edit: object | ((one: Sold, dealer: Dealer) => Promise<object>), make: (dealer: Dealer) => Promise<Sold> = sold) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const one = await make(dealer);
    const input = typeof edit === 'function' ? await edit(one, dealer) : edit;
    return () => dealer.patch(`sales/${one.sale.id}`, input);
  };

const paidOnce = async (dealer: Dealer): Promise<Sold> => {
  const one = await sold(dealer);
  const { id } = dataOf(await collect(dealer, one.sale.id, '10.00'));
  dataOf(await dealer.post(`collections/${id}/reverse`, { reason: 'yanlış giriş' }, newKey()));
  return one;
};

const restructuring = { from: '2026-06-01', installment_count: 2, reason: 'iş değişti' };
const restructured = async (dealer: Dealer): Promise<Sold> => {
  const one = await sold(dealer);
  dataOf(await dealer.patch(`sales/${one.sale.id}`, { restructure: restructuring }));
  return one;
};

describe('PATCH sales', () => {
  const LOCKED = ['sale_price', 'trade_in_amount', 'down_payment', 'finance_charge'].map(
    (name) => [`${name} after money`, '409 sale_terms_locked', editing({ [name]: '1.00' }, paidOnce)] as const,
  );
  const CANCELLED = Object.entries({
    salesperson_id: null,
    branch_id: null,
    delivered_at: TODAY,
    guarantor_ids: [],
    late_rate_yearly: 3,
    delivery_due_on: TODAY,
    currency_exemption: 'yurt dışı',
    sale_price: '5.00',
    installment_count: 5,
    restructure: restructuring,
  }).map(
    ([name, value]) => [`${name} of a cancelled sale`, '409 sale_cancelled', editing({ [name]: value }, cancelled)] as const,
  );
  testRefusals(
    () => scene,
    [
      ...LOCKED,
      ['a plan after money', '409 sale_terms_locked', editing({ installment_count: 5 }, paidOnce)],
      ['a day of sale after a restructuring', '409 sale_terms_locked', editing({ sale_date: '2026-03-01' }, restructured)],
      ...CANCELLED,
      [
        'nothing',
        '422 ',
        async (dealer) => {
          const { sale } = await sold(dealer);
          return () => dealer.patch(`sales/${sale.id}`, {});
        },
      ],
      ['another car', '422 vehicle_id', editing({ vehicle_id: ABSENT })],
      ['another currency', '422 currency', editing({ currency: 'TL' })],
      ['another status', '422 status', editing({ status: 'Tamamlandı' })],
      ['an absent branch', '422 unknown_reference', editing({ branch_id: ABSENT })],
      ['an absent guarantor', '422 unknown_guarantor', editing({ guarantor_ids: [ABSENT] })],
      [
        'a reference in use',
        '409 external_ref_in_use',
        editing(async (_, dealer) => {
          await sold(dealer, { external_ref: 'S-8' });
          return { external_ref: 'S-8' };
        }),
      ],
      [
        'rows that no longer add up',
        '422 installments_sum_mismatch',
        editing({ sale_price: '3001.00' }, (dealer) =>
          sold(dealer, { ...withoutPlan, installments: [row('2026-05-01', '1000.00'), row('2026-06-01', '2000.00')] }),
        ),
      ],
      ['too much down', '422 down_payment_exceeds_total', editing({ down_payment: '3000.01' })],
      ['a finance charge on cash', '422 finance_charge', editing({ finance_charge: '1.00' }, soldForCash)],
      ['a trade-in above the price', '422 trade_in_amount', editing({ trade_in_amount: '3000.01' })],
      ['a plan for cash that is all down', '422 installment_count', editing({ installment_count: 3 }, soldForCash)],
      ['a period for cash', '422 period', editing({ period: 'Aylık' }, soldForCash)],
      ['a lien removed and never placed', '422 lien.removed_on', editing({ lien: { removed_on: TODAY } })],
      ['a lien removed before', '422 lien.removed_on', editing({ lien: { placed_on: TODAY, removed_on: '2026-03-15' } })],
      ['a title with a day that waits', '422 title_transfer.on', editing({ title_transfer: { on: TODAY } })],
      ['a title of tomorrow', '422 title_transfer.on', editing({ title_transfer: { status: 'Yapıldı', on: '2026-03-17' } })],
      ['delivery before the sale', '422 delivery_due_on', editing({ delivery_due_on: '2026-03-15' })],
      ['delivered tomorrow', '422 delivered_at', editing({ delivered_at: '2026-03-17' })],
      [
        'pounds without a reason in Türkiye',
        '422 currency_not_allowed',
        editing({ currency_exemption: null }, (dealer) => sold(dealer, { currency_exemption: 'yurt dışında yerleşik' })),
        'turkish',
      ],
    ],
  );
});

describe('PATCH sales with restructure', () => {
  const of = (fields: object, make?: (dealer: Dealer) => Promise<Sold>) =>
    editing({ restructure: { ...restructuring, ...fields } }, make);
  const rows = (...installments: object[]) => ({ installment_count: undefined, installments });
  testRefusals(
    () => scene,
    [
      ['something beside it', '422 notes', editing({ restructure: restructuring, notes: 'x' })],
      ['a completed sale', '409 sale_completed', of({}, completed)],
      ['a day after every row', '409 nothing_to_restructure', of({ from: '2026-06-17' })],
      ['a day before today', '422 restructure.from', of({ from: '2026-03-15' })],
      ['neither a count nor rows', '422 restructure.installment_count', of({ installment_count: undefined })],
      ['a count and rows', '422 restructure.installment_count', of({ installments: [row('2026-06-01', '1000.00')] })],
      ['rows and a period', '422 restructure.period', of({ ...rows(row('2026-06-01', '1000.00')), period: 'Aylık' })],
      ['no reason', '422 restructure.reason', of({ reason: undefined })],
      ['rows that do not add up', '422 installments_sum_mismatch', of(rows(row('2026-06-01', '999.99')))],
      ['a row before the day', '422 restructure.installments[0].due_date', of(rows(row('2026-05-31', '1000.00')))],
    ],
  );
});

const CAR = { amount: '500.00', vehicle: {} };
const withTradeIn = (dealer: Dealer): Promise<Sold> => sold(dealer, { trade_in: { ...CAR, vehicle: aCar() } });

/** Its traded-in vehicle is held for a customer. */
const withHeldTradeIn = async (dealer: Dealer): Promise<Sold> => {
  const one = await withTradeIn(dealer);
  dataOf(await dealer.post(`vehicles/${one.sale.trade_in_vehicle_id}/reserve`, { customer_id: one.customer }));
  return one;
};

/** Its vehicle was bought back with the same plate. */
const boughtBack = async (dealer: Dealer): Promise<Sold> => {
  const one = await sold(dealer);
  const { plate } = dataOf(await dealer.get(`vehicles/${one.car}`));
  await carOf(dealer, { plate });
  return one;
};

const ending =
  (how: (dealer: Dealer, one: Sold) => Promise<Answer>, make: (dealer: Dealer) => Promise<Sold> = sold) =>
  async (dealer: Dealer): Promise<() => Promise<Answer>> => {
    const one = await make(dealer);
    return () => how(dealer, one);
  };

const deleting = (dealer: Dealer, { sale }: Sold) => dealer.delete(`sales/${sale.id}`, newKey());
const paid = async (dealer: Dealer, overrides: object = {}): Promise<Sold> => {
  const one = await sold(dealer, overrides);
  dataOf(await collect(dealer, one.sale.id, '1000.00'));
  return one;
};
const cancelling = (fields: object) => (dealer: Dealer, one: Sold) => cancel(dealer, one, fields);
const LIRA = { currency_exemption: 'yurt dışında yerleşik', currency: 'STG' };

describe('DELETE sales and POST sales/cancel', () => {
  testRefusals(
    () => scene,
    [
      ['deleting with money on it', '409 sale_has_collections', ending(deleting, (dealer) => paid(dealer))],
      ['deleting twice', '409 sale_already_cancelled', ending(deleting, cancelled)],
      ['deleting with a trade-in that is held', '409 trade_in_not_returnable', ending(deleting, withHeldTradeIn)],
      ['deleting when the plate is taken again', '409 plate_in_use', ending(deleting, boughtBack)],
      ['deleting without a key', '400 idempotency_key_required', ending((dealer, { sale }) => dealer.delete(`sales/${sale.id}`))],
      ['cancelling twice', '409 sale_already_cancelled', ending(cancelling({}), cancelled)],
      ['a trade-in that is held', '409 trade_in_not_returnable', ending(cancelling({}), withHeldTradeIn)],
      [
        'a trade-in on which a deposit is open',
        '409 trade_in_not_returnable',
        ending(cancelling({}), async (dealer) => {
          const one = await withTradeIn(dealer);
          const path = `vehicles/${one.sale.trade_in_vehicle_id}`;
          const body = { customer_id: one.customer, deposit_amount: '50.00' };
          dataOf(await dealer.post(`${path}/reserve`, body));
          await scene.admin.rows(`update reservations set status = 'Serbest' where vehicle_id = $1`, [
            one.sale.trade_in_vehicle_id,
          ]);
          await scene.admin.rows(`update vehicles set status = 'Stokta' where id = $1`, [one.sale.trade_in_vehicle_id]);
          return one;
        }),
      ],
      ['the plate taken again', '409 plate_in_use', ending(cancelling({}), boughtBack)],
      ['no reason', '422 reason', ending(cancelling({ reason: undefined }))],
      [
        'a currency of no refund',
        '422 refund_currency',
        ending(cancelling({ refund_currency: 'STG' }), (dealer) => sold(dealer)),
      ],
      ['a rate of no refund', '422 exchange_rate', ending(cancelling({ exchange_rate: '64.5' }), (dealer) => sold(dealer))],
      [
        'a currency beside a refund of nothing',
        '422 refund_currency',
        ending(cancelling({ refund_amount: '0.00', refund_currency: 'TL' }), (dealer) => paid(dealer)),
      ],
      ['no method for the refund', '422 refund_method', ending(cancelling({}), (dealer) => paid(dealer))],
      ['keeping a car that is not there', '422 trade_in_disposition', ending(cancelling({ trade_in_disposition: 'kalsın' }))],
      [
        'more than was collected',
        '422 refund_exceeds_collected',
        ending(cancelling({ refund_amount: '1000.01', refund_method: 'Nakit' }), (dealer) => paid(dealer)),
      ],
      [
        'a currency that never came',
        '422 refund_currency_not_received',
        ending(cancelling({ refund_method: 'Nakit', refund_currency: 'TL' }), (dealer) => paid(dealer)),
      ],
      [
        'a rate for the same currency',
        '422 exchange_rate_not_needed',
        ending(cancelling({ refund_method: 'Nakit', exchange_rate: '64.5' }), (dealer) => paid(dealer)),
      ],
      [
        'a rate too far away',
        '422 exchange_rate_out_of_range',
        ending(cancelling({ refund_method: 'Nakit', refund_currency: 'TL', exchange_rate: '77.400001' }), async (dealer) => {
          const one = await sold(dealer);
          dataOf(await collect(dealer, one.sale.id, '60000.00', { currency: 'TL' }));
          return one;
        }),
      ],
      [
        'less than the smallest coin of the other currency',
        '422 refund_amount',
        ending(cancelling({ refund_method: 'Nakit', refund_currency: 'STG', refund_amount: '0.01' }), async (dealer) => {
          const one = await sold(dealer, { currency: 'TL' });
          dataOf(await collect(dealer, one.sale.id, '1.00', { currency: 'STG' }));
          return one;
        }),
      ],
      [
        'a refund in a currency without a rate',
        '409 rate_not_available',
        ending(cancelling({ refund_method: 'Nakit', refund_currency: 'TL' }), async (dealer) => {
          const one = await sold(dealer, LIRA);
          dataOf(await collect(dealer, one.sale.id, '60000.00', { currency: 'TL', exchange_rate: '64.5' }));
          return one;
        }),
        'turkish',
      ],
      [
        'keeping a consumer’s money within seven days',
        '422 retention_not_allowed',
        ending(cancelling({ refund_method: 'Nakit', refund_amount: '999.99' }), (dealer) =>
          paid(dealer, { ...LIRA, sale_date: '2026-03-09' }),
        ),
        'turkish',
      ],
    ],
  );

  test('409 day_closed: a refund from a closed till', async () => {
    const one = await paid(scene.dealer);
    await closeTill(scene, scene.dealer, TODAY);
    expect(verdictOf(await cancel(scene.dealer, one, { refund_method: 'Nakit' }))).toBe('409 day_closed');
    // Nothing leaves the till when nothing is refunded.
    expect(verdictOf(await cancel(scene.dealer, one, { refund_amount: '0.00' }))).toBe('200');
    await closeTill(scene, scene.dealer, null);
  });
});
