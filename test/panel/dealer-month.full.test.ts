// A month of a dealership in two currencies, against figures that were worked out by hand: two cars are bought and repaired, both are
// sold, money is collected, rent and wages are paid, and the till is closed each day on which cash moved.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carOf, collect, customerOf, dataOf, type Shown, sell, storeRates } from '../support/books.ts';
import { moveClock } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
let branch: string;
beforeAll(async () => {
  api = await testService({ at: '2026-03-02T09:00:00Z' });
  await openAll(api);
  // 1 STG = 64.20 TL buying.
  await storeRates(api, 'KKTCMB', '2026-03-02', '2026-03-09', '2026-03-16', '2026-03-20');
  dealer = await newDealer(api);
  owner = await newOwner();
  branch = (await owner.api('branches')).json.data[0].id;
});
afterAll(() => api.close());

const newOwner = async (): Promise<Browser> => signedIn(api, await newPerson(api, { accountId: dealer.accountId }));

async function onDay(day: string): Promise<void> {
  await moveClock(api, `${day}T09:00:00Z`);
  owner = await newOwner();
}

const post = async (path: string, body: object): Promise<Shown> => dataOf(await owner.api(path, { method: 'POST', body }));
const pay = (body: object): Promise<Shown> => post('expenses', body);
const forCar = (vehicle_id: string, category: string, amount: string, currency: string, more: object = {}) =>
  pay({ kind: 'Araç', category, amount, currency, vehicle_id, ...more });
const forHouse = (category: string, amount: string, currency: string, more: object = {}) =>
  pay({ kind: 'İşletme', category, amount, currency, ...more });

/** Counts what is expected, less `missing` in sterling cash. Returns the counted cash by currency. */
async function closeTill(day: string, missing = 0): Promise<Record<string, string>> {
  const { lines } = dataOf(await owner.api(`till?branch_id=${branch}&day=${day}`));
  const counted = lines.map(({ currency, method, expected }: Shown) => {
    const isShort = missing > 0 && currency === 'STG' && method === 'Nakit';
    return { currency, method, amount: isShort ? (Number(expected) - missing).toFixed(2) : expected };
  });
  const reason = missing > 0 ? { reason: 'bozuk para' } : {};
  const closed = await post('till/closings', { branch_id: branch, day, counted, ...reason });
  const cash = (closed.lines as Shown[]).filter(({ method }) => method === 'Nakit');
  return Object.fromEntries(cash.map((line) => [line.currency, line.counted]));
}

test('the profit of the month and the till are what the calculation by hand gives', async () => {
  // 2 March: car A is bought for 8,000.00 STG and paid from the bank; the paper is paid in cash.
  const a = await carOf(dealer, { purchase_price: '8000.00', purchase_currency: 'STG', price: '11000.00', currency: 'STG' });
  const bank = { method: 'Havale/EFT' };
  await forCar(a, 'Alış ödemesi', '8000.00', 'STG', bank);
  const side = { from_place: 'Banka', to_place: 'Kasa', to_branch_id: branch };
  await post('cash-transfers', { amount: '1000.00', currency: 'STG', ...side });
  await post('cash-transfers', { amount: '30000.00', currency: 'TL', ...side });
  await forCar(a, 'Ruhsat/koçan', '150.50', 'STG');
  // STG 1,000.00 − 150.50.
  expect(await closeTill('2026-03-02')).toEqual({ STG: '849.50', TL: '30000.00' });

  // 5 March: car A is repaired, in lira; a bill is entered twice and one reversed. Car B is bought for 500,000.00 TL.
  await onDay('2026-03-05');
  const b = await carOf(dealer, { purchase_price: '500000.00', purchase_currency: 'TL', price: '620000.00', currency: 'TL' });
  await forCar(b, 'Alış ödemesi', '500000.00', 'TL', bank);
  await forCar(a, 'Onarım', '6420.00', 'TL');
  const twice = await forCar(a, 'Onarım', '6420.00', 'TL');
  await post(`expenses/${twice.id}/reverse`, { reason: 'iki kez girildi' });
  await forCar(b, 'Boya', '12345.67', 'TL');
  // TL 30,000.00 − 6,420.00 − 6,420.00 + 6,420.00 − 12,345.67.
  expect(await closeTill('2026-03-05')).toEqual({ STG: '849.50', TL: '11234.33' });

  // 10 March: car A is sold for 10,500.00 STG, 4,000.00 of it in cash.
  await onDay('2026-03-10');
  const customer_id = await customerOf(dealer);
  const saleA = dataOf(await sell(dealer, { vehicle_id: a, customer_id, sale_price: '10500.00', currency: 'STG' }));
  dataOf(await collect(dealer, saleA.id, '4000.00'));
  dataOf(await collect(dealer, saleA.id, '6500.00', bank));
  await post('cash-transfers', {
    amount: '4500.00',
    currency: 'STG',
    from_place: 'Kasa',
    from_branch_id: branch,
    to_place: 'Banka',
  });
  // STG 849.50 + 4,000.00 − 4,500.00, of which 9.50 are missing.
  expect(await closeTill('2026-03-10', 9.5)).toEqual({ STG: '340.00', TL: '11234.33' });

  // 16 March: car B is sold for 600,000.00 TL. Wages and rent are paid; the rent is the proposal of a rule.
  await onDay('2026-03-16');
  const exempt = { currency_exemption: 'Yurt dışında yerleşik' };
  const saleB = dataOf(await sell(dealer, { vehicle_id: b, customer_id, sale_price: '600000.00', currency: 'TL', ...exempt }));
  dataOf(await collect(dealer, saleB.id, '600000.00', { currency: 'TL', ...bank }));
  await forHouse('Maaş', '45000.00', 'TL', bank);
  const rule = await post('expenses/recurring', {
    category: 'Kira',
    amount: '600.00',
    currency: 'STG',
    day_of_month: 20,
    ...bank,
  });
  await forHouse('Yakıt', '1234.33', 'TL');
  expect(await closeTill('2026-03-16')).toEqual({ STG: '340.00', TL: '10000.00' });
  await onDay('2026-03-20');
  expect(dataOf(await owner.api('expenses/proposals'))).toMatchObject([{ recurring_id: rule.id, on: '2026-03-20' }]);
  await post(`expenses/recurring/${rule.id}/enter`, { on: '2026-03-20' });
  await forHouse('Diğer', '40.00', 'STG');
  expect(await closeTill('2026-03-20')).toEqual({ STG: '300.00', TL: '10000.00' });

  const report = dataOf(await dealer.get('reports/profit-loss?from=2026-03-01&to=2026-03-31'));
  // A: 150.50 + 6,420.00 TL ÷ 64.20 = 250.50; 10,500.00 − 8,000.00 − 250.50 = 2,249.50; ÷ 10,500.00 = 0.2142.
  // B: 600,000.00 − 500,000.00 − 12,345.67 = 87,654.33; ÷ 600,000.00 = 0.1461.
  expect(report.rows).toMatchObject([
    {
      currency: 'STG',
      revenue: '10500.00',
      cost: '8000.00',
      vehicle_expenses: '250.50',
      gross_profit: '2249.50',
      margin: '0.2142',
    },
    {
      currency: 'TL',
      revenue: '600000.00',
      cost: '500000.00',
      vehicle_expenses: '12345.67',
      gross_profit: '87654.33',
      margin: '0.1461',
    },
  ]);
  expect(report.overhead).toEqual([
    { category: 'Kira', currency: 'STG', amount: '600.00' },
    { category: 'Maaş', currency: 'TL', amount: '45000.00' },
    { category: 'Yakıt', currency: 'TL', amount: '1234.33' },
    { category: 'Diğer', currency: 'STG', amount: '40.00' },
  ]);
  // STG 2,249.50 − 640.00; TL 87,654.33 − 46,234.33.
  expect(report.currency_rows).toMatchObject([
    { currency: 'STG', net_profit: '2249.50', overhead: '640.00', profit_after_overhead: '1609.50' },
    { currency: 'TL', net_profit: '87654.33', overhead: '46234.33', profit_after_overhead: '41420.00' },
  ]);
  const costs = await post(`sales/${saleA.id}/reveal`, {});
  expect([costs.cost, costs.profit, costs.margin]).toEqual(['8250.50', '2249.50', '21.42']);
  const car = await post(`vehicles/${a}/reveal`, {});
  expect(car.costs).toEqual([
    { currency: 'STG', amount: '8150.50' },
    { currency: 'TL', amount: '6420.00' },
  ]);
  const flows = dataOf(await owner.api('receivables/cash-flow'));
  const sterling = flows.find((one: Shown) => one.currency === 'STG').months;
  // Viewers see no expenses, and nothing is due.
  const viewer = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'viewer' }));
  expect(dataOf(await viewer.api('receivables/cash-flow'))).toEqual([]);
  // March's rent is entered; the next is April's.
  expect(sterling.filter((one: Shown) => one.expected_out === '600.00')[0].month).toBe('2026-04');
  expect(sterling.find((one: Shown) => one.month === '2026-03').expected_out).toBe('0.00');
});
