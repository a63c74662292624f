// Reports on a small book with figures computed by hand: two branches, three currencies, a cancelled sale, a kept deposit.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLLECTION_STATUSES, INSTALLMENT_STATUSES, SALE_STATUSES } from '../../../src/domain/installments/sales-states.ts';
import { CUSTOM_STATUSES } from '../../../src/domain/reports/reports-states.ts';
import { LISTING_STATUSES, VEHICLE_STATUSES } from '../../../src/domain/stock/stock-states.ts';
import {
  carOf,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  reverse,
  type Shown,
  sell,
  storeRates,
} from '../../support/books.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
let her: string;
let late: string;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  await storeRates(
    api,
    'KKTCMB',
    '2026-01-05',
    '2026-01-12',
    '2026-01-20',
    '2026-01-30',
    '2026-02-09',
    '2026-02-20',
    '2026-03-02',
  );
  dealer = await newDealer(api);
  await keepBooks();
});
afterAll(() => api.close());

const report = async (path: string): Promise<Shown> => dataOf(await dealer.get(`reports/${path}`));
const refusal = async (path: string): Promise<string> => {
  const { status, json } = await dealer.get(`reports/${path}`);
  return `${status} ${json.error.code} ${json.error.param ?? ''}`.trim();
};

/**
 * January: two sales in sterling and one in dollars; February: one cancelled with money kept, a deposit kept; read on 5 March.
 */
async function keepBooks(): Promise<void> {
  moveTo(api, '2026-01-10');
  her = await customerOf(dealer);
  late = await customerOf(dealer, { first_name: 'Geç', last_name: 'Öder' });
  const cash = await carOf(dealer, {
    price: '14500.00',
    purchase_price: '11800.00',
    customs_fee: '650.00',
    stock_date: '2026-01-01',
  });
  const sold = dataOf(
    await sell(dealer, { vehicle_id: cash, customer_id: her, sale_price: '14000.00', sale_date: '2026-01-10' }),
  );
  dataOf(await collect(dealer, sold.id, '14000.00'));
  // Bought in lira and sold in sterling: divides by the pair's rate.
  const foreign = await carOf(dealer, { brand: 'BMW', price: '20000.00', purchase_price: '1000000.00', purchase_currency: 'TL' });
  const terms = { sale_price: '20000.00', down_payment: '8000.00', finance_charge: '1200.00', installment_count: 12 };
  const plan = dataOf(await sell(dealer, { ...terms, vehicle_id: foreign, customer_id: late, first_due_date: '2026-01-20' }));
  dataOf(await collect(dealer, plan.id, '8000.00'));
  dataOf(await collect(dealer, plan.id, '100.00', { late_interest_amount: '25.00', collected_on: '2026-01-10' }));
  moveTo(api, '2026-01-15');
  const dollars = await carOf(dealer, { brand: 'BMW', currency: 'USD', price: '9000.00' });
  dataOf(await sell(dealer, { vehicle_id: dollars, customer_id: her, sale_price: '9000.00', currency: 'USD' }));
  const wrong = dataOf(await collect(dealer, plan.id, '50.00', { method: 'Kredi Kartı' }));
  moveTo(api, '2026-02-10');
  dataOf(await reverse(dealer, wrong.id));
  const tradeIn = await carOf(dealer, { brand: 'Fiat', price: '5000.00', purchase_price: '4000.00' });
  const undone = dataOf(
    await sell(dealer, { vehicle_id: tradeIn, customer_id: her, sale_price: '5000.00', sale_date: '2026-01-31' }),
  );
  dataOf(await collect(dealer, undone.id, '1000.00', { collected_on: '2026-01-31' }));
  const cancel = { reason: 'vazgeçti', refund_amount: '600.00', refund_method: 'Nakit' };
  dataOf(await dealer.post(`sales/${undone.id}/cancel`, cancel, newKey()));
  const held = await carOf(dealer, { price: '7000.00', stock_date: '2025-06-01' });
  dataOf(await dealer.post(`vehicles/${held}/reserve`, { customer_id: her, deposit_amount: '300.00' }));
  dataOf(await dealer.patch(`vehicles/${held}`, { status: 'Stokta', deposit_disposition: 'kalsın' }));
  const away = await carOf(dealer);
  dataOf(await dealer.post(`vehicles/${away}/mark-sold`, { sold_at: '2026-02-10' }));
  moveTo(api, '2026-03-05');
}

describe('sales-summary', () => {
  test('lists a sale on its date, and a cancelled one on its cancellation date', async () => {
    const { rows, currency_rows, external_count, as_of, converted } = await report('sales-summary?from=2026-01-01&to=2026-02-28');
    const figures = { finance_charge_total: '0.00', trade_in_total: '0.00' };
    expect(rows).toEqual([
      {
        group: '2026-01',
        currency: 'STG',
        sale_count: 2,
        gross_sales: '34000.00',
        finance_charge_total: '1200.00',
        trade_in_total: '0.00',
        down_payment_total: '22000.00',
        financed_total: '13200.00',
        average_price: '17000.00',
        cash_count: 1,
        installment_count: 1,
      },
      {
        group: '2026-01',
        currency: 'USD',
        sale_count: 1,
        gross_sales: '9000.00',
        ...figures,
        down_payment_total: '9000.00',
        financed_total: '0.00',
        average_price: '9000.00',
        cash_count: 1,
        installment_count: 0,
      },
    ]);
    expect(currency_rows).toEqual([{ currency: 'STG', cancelled_count: 1, cancelled_amount: '5000.00' }]);
    expect({ external_count, as_of, converted }).toEqual({ external_count: 1, as_of: '2026-03-05', converted: null });
    expect((await report('sales-summary?from=2026-01-01&to=2026-01-31')).currency_rows).toEqual([]);
  });

  test('groups by brand, and converts at the rates it states', async () => {
    const { rows, converted } = await report('sales-summary?from=2026-01-01&to=2026-02-28&group_by=brand&convert_to=TL');
    expect(rows.map(({ group, currency, gross_sales }: Shown) => [group, currency, gross_sales])).toEqual([
      ['BMW', 'STG', '20000.00'],
      ['BMW', 'USD', '9000.00'],
      ['Volkswagen', 'STG', '14000.00'],
    ]);
    expect(converted).toMatchObject({ currency: 'TL', rate_date: '2026-02-20', source: 'KKTCMB' });
    expect(converted.rates).toEqual([
      { pair: 'STG-TL', rate: '64.200000' },
      { pair: 'USD-TL', rate: '47.900000' },
    ]);
    expect(converted.totals).toMatchObject({ gross_sales: '2613900.00', cancelled_amount: '321000.00' });
    const sterling = (await report('sales-summary?from=2026-01-01&to=2026-02-28&convert_to=STG&rate_date=2026-03-02')).converted;
    // 64.2 / 47.9, rounded to six digits, divides.
    expect(sterling.rates).toEqual([{ pair: 'STG-USD', rate: '1.340292' }]);
    expect(sterling.totals.gross_sales).toBe('40714.95');
  });

  test('defaults to the current month; refuses a range and its rates by name', async () => {
    expect(await report('sales-summary')).toMatchObject({ from: '2026-03-01', to: '2026-03-31', group_by: 'month', rows: [] });
    expect(await report('sales-summary?to=2026-02-10')).toMatchObject({ from: '2026-02-01', to: '2026-02-10' });
    expect(await report('sales-summary?from=2025-03-05&to=2026-03-05')).toMatchObject({ from: '2025-03-05' });
    expect(await refusal('sales-summary?from=2025-03-04&to=2026-03-05')).toBe('400 invalid_parameter from');
    expect(await refusal('sales-summary?from=2026-02-01&to=2026-01-01')).toBe('400 invalid_parameter from');
    expect(await refusal('sales-summary?group_by=method')).toBe('400 invalid_parameter group_by');
    expect(await refusal('sales-summary?rate_date=2026-02-01')).toBe('400 invalid_parameter rate_date');
    expect(await refusal('sales-summary?convert_to=TL&rate_date=2025-02-01')).toBe('409 rate_not_available');
  });
});

test('collections-summary: received by date, and due amounts as of now', async () => {
  const { rows, currency_rows } = await report('collections-summary?from=2026-01-01&to=2026-02-28&group_by=method');
  expect(rows).toEqual([
    { group: 'Kredi Kartı', currency: 'STG', count: 1, gross: '50.00', reversed: '50.00', refunded: '0.00', net: '0.00' },
    { group: 'Nakit', currency: 'STG', count: 5, gross: '23400.00', reversed: '0.00', refunded: '600.00', net: '22800.00' },
  ]);
  // 14 000 and 8 000 of down payments, installments of 20 January and 20 February of 1 100 each; 75 of it was paid early and fell due in
  // between.
  expect(currency_rows).toEqual([
    {
      currency: 'STG',
      due_amount: '24200.00',
      paid_of_due: '22075.00',
      collection_rate: '0.9122',
      discounted_of_due: '0.00',
      unpaid_of_due: '2125.00',
      advance: '0.00',
    },
    {
      currency: 'USD',
      due_amount: '9000.00',
      paid_of_due: '0.00',
      collection_rate: '0.0000',
      discounted_of_due: '0.00',
      unpaid_of_due: '9000.00',
      advance: '0.00',
    },
  ]);
  const early = await report('collections-summary?from=2026-01-01&to=2026-01-14');
  expect(early.currency_rows[0]).toMatchObject({ currency: 'STG', due_amount: '22000.00', advance: '75.00' });
});

test('inventory-aging: today’s stock, by age', async () => {
  const { buckets, currency_rows, by_status, oldest } = await report('inventory-aging');
  expect(by_status).toEqual({ Stokta: 2, Rezerve: 0, "Auction'da": 0 });
  expect(buckets).toEqual([
    { bucket: '0-30', currency: 'STG', count: 1, list_value: '5000.00' },
    { bucket: '181+', currency: 'STG', count: 1, list_value: '7000.00' },
  ]);
  expect(currency_rows).toEqual([{ currency: 'STG', count: 2, list_value: '12000.00', average_age_days: '150.0' }]);
  expect(oldest.map(({ price, age }: Shown) => [price, age])).toEqual([
    ['7000.00', 277],
    ['5000.00', 23],
  ]);
  expect(JSON.stringify(oldest)).not.toMatch(/purchase|chassis|engine/);
});

test('profit-loss: cost at the rates of the day of sale, unknown cost separately', async () => {
  const { rows, currency_rows, converted } = await report('profit-loss?from=2026-01-01&to=2026-02-28&convert_to=STG');
  // 11 800 + 650, and 1 000 000 TL ÷ 64.200000 = 15 576.32.
  expect(rows).toEqual([
    {
      group: '2026-01',
      currency: 'STG',
      revenue: '35200.00',
      cost: '28026.32',
      vehicle_expenses: '0.00',
      gross_profit: '7173.68',
      margin: '0.2038',
      unknown_cost_count: 0,
      unknown_cost_revenue: '0.00',
    },
    {
      group: '2026-01',
      currency: 'USD',
      revenue: '9000.00',
      cost: '0.00',
      vehicle_expenses: '0.00',
      gross_profit: '0.00',
      margin: null,
      unknown_cost_count: 1,
      unknown_cost_revenue: '9000.00',
    },
  ]);
  expect(currency_rows).toEqual([
    {
      currency: 'STG',
      retained_income: '700.00',
      late_interest_income: '25.00',
      discount_total: '0.00',
      net_profit: '7898.68',
      overhead: '0.00',
      profit_after_overhead: '7898.68',
    },
    expect.objectContaining({ currency: 'USD', net_profit: '0.00', overhead: '0.00', profit_after_overhead: '0.00' }),
  ]);
  expect(converted.totals).toMatchObject({ revenue: '41914.95', net_profit: '7898.68', unknown_cost_revenue: '6714.95' });
  expect(await refusal('profit-loss?group_by=salesperson')).toBe('400 invalid_parameter group_by');
});

test('salesperson-performance: sales without a salesperson form a group too', async () => {
  const { rows } = await report('salesperson-performance?from=2026-01-01&to=2026-02-28');
  expect(rows).toEqual([
    {
      group: null,
      currency: 'STG',
      sale_count: 2,
      gross_sales: '34000.00',
      average_price: '17000.00',
      cancelled_count: 1,
      collected: '22475.00',
      outstanding: '13125.00',
      overdue: '2125.00',
      overdue_ratio: '0.1619',
    },
    {
      group: null,
      currency: 'USD',
      sale_count: 1,
      gross_sales: '9000.00',
      average_price: '9000.00',
      cancelled_count: 0,
      collected: '0.00',
      outstanding: '9000.00',
      overdue: '9000.00',
      overdue_ratio: '1.0000',
    },
  ]);
  expect((await report('salesperson-performance?salesperson_id=00000000-0000-4000-8000-000000000000')).rows).toEqual([]);
});

test('overdue-risk: each debtor’s amount and age, highest risk first', async () => {
  const { currency_rows, buckets, customers } = await report('overdue-risk');
  expect(currency_rows).toEqual([
    { currency: 'STG', outstanding: '13125.00', overdue: '2125.00', overdue_ratio: '0.1619', par30: '1.0000' },
    { currency: 'USD', outstanding: '9000.00', overdue: '9000.00', overdue_ratio: '1.0000', par30: '1.0000' },
  ]);
  expect(buckets).toEqual([
    { bucket: '1-30', currency: 'STG', installment_count: 1, customer_count: 1, amount: '1100.00' },
    { bucket: '31-60', currency: 'STG', installment_count: 1, customer_count: 1, amount: '1025.00' },
    { bucket: '31-60', currency: 'USD', installment_count: 1, customer_count: 1, amount: '9000.00' },
  ]);
  const shown = customers.map(({ customer_id, currency, max_days_overdue, score, band }: Shown) => [
    ...[customer_id, currency, max_days_overdue, score, band],
  ]);
  // 50 × 49/90 + 30 = 57.2; 50 × 44/90 + 30 × 0.1619 = 29.3.
  expect(shown).toEqual([
    [her, 'USD', 49, 57, 'orta'],
    [late, 'STG', 44, 29, 'düşük'],
  ]);
  expect(customers[1]).toMatchObject({ first_name: 'Geç', has_open_promise: false, broken_promises_12m: 0, guarantor_count: 0 });
  expect((await report('overdue-risk?limit=1')).customers).toHaveLength(1);
});

describe('custom', () => {
  test('groups money by currency, also without group_by', async () => {
    const base = 'custom?from=2026-01-01&to=2026-02-28';
    const { rows, group_by } = await report(`${base}&dataset=sales&metrics=count,sum_sale_price,avg_sale_price&group_by=status`);
    expect(group_by).toEqual(['status', 'currency']);
    expect(rows).toEqual([
      { status: 'Aktif', currency: 'STG', count: 1, sum_sale_price: '20000.00', avg_sale_price: '20000.00' },
      { status: 'Aktif', currency: 'USD', count: 1, sum_sale_price: '9000.00', avg_sale_price: '9000.00' },
      { status: 'Tamamlandı', currency: 'STG', count: 1, sum_sale_price: '14000.00', avg_sale_price: '14000.00' },
      { status: 'İptal', currency: 'STG', count: 1, sum_sale_price: '5000.00', avg_sale_price: '5000.00' },
    ]);
    expect((await report(`${base}&dataset=sales&metrics=count`)).rows).toEqual([{ count: 4 }]);
    const sums = await report(`${base}&dataset=installments&metrics=sum_amount,sum_remaining,sum_overdue&currency=USD`);
    expect(sums.rows).toEqual([{ currency: 'USD', sum_amount: '9000.00', sum_remaining: '9000.00', sum_overdue: '9000.00' }]);
    const money = await report(`${base}&dataset=collections&metrics=count,sum_applied&group_by=kind`);
    expect(money.rows.map(({ kind, count, sum_applied }: Shown) => [kind, count, sum_applied])).toEqual([
      ['Tahsilat', 5, '23125.00'],
      ['Ters Kayıt', 1, '-50.00'],
      ['İade', 1, '-600.00'],
    ]);
    const stock = await report('custom?dataset=vehicles&metrics=avg_age_days,count&status=Stokta&from=2025-06-01&to=2026-03-05');
    expect(stock.rows).toEqual([{ avg_age_days: '150.0', count: 2 }]);
  });

  test.each([
    ['dataset=sales', 'metrics'],
    ['metrics=count', 'dataset'],
    ['dataset=boosts&metrics=count', 'dataset'],
    ['dataset=listings&metrics=sum_price', 'metrics'],
    ['dataset=listings&metrics=count&group_by=salesperson', 'group_by'],
    ['dataset=sales&metrics=sum_cost', 'metrics'],
    ['dataset=sales&metrics=sum_amount', 'metrics'],
    ['dataset=sales&metrics=count,count', 'metrics'],
    ['dataset=sales&metrics=count,', 'metrics'],
    ['dataset=collections&metrics=sum_amount,sum_applied', 'metrics'],
    ['dataset=sales&metrics=count&group_by=method', 'group_by'],
    ['dataset=sales&metrics=count&group_by=month,day,brand', 'group_by'],
    ['dataset=vehicles&metrics=count&group_by=customer', 'group_by'],
    ['dataset=sales&metrics=count&status=Stokta', 'status'],
    ['dataset=sales&metrics=count&currency=TRY', 'currency'],
    ['dataset=sales&metrics=count&from=2026-02-02&to=2026-02-01', 'from'],
  ])('%s is refused by the name of the parameter', async (query, param) => {
    expect(await refusal(`custom?${query}`)).toBe(`400 invalid_parameter ${param}`);
  });
});

test('the states that a custom report filters by are those of its records', () => {
  expect(CUSTOM_STATUSES).toEqual({
    sales: SALE_STATUSES,
    installments: INSTALLMENT_STATUSES,
    collections: COLLECTION_STATUSES,
    vehicles: VEHICLE_STATUSES,
    listings: LISTING_STATUSES,
  });
});
