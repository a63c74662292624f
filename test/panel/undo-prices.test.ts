// Prices of a bulk change are put back, except where they were changed again or the car is closed to changes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { priceBy } from '../../web/src/screens/vehicles/bulk/bulk-values.ts';
import { aDealer, carOf, dataOf } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await aDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});
afterAll(() => api.close());

test('a price is put back unless it was changed again', async () => {
  const [first, second, gone] = [await newCar(), await newCar(), await newCar()];
  const updates = [first, second, gone].map((id) => ({ id, price: '9500.00' }));
  dataOf(await owner.api('v1/vehicles/bulk-update', { method: 'POST', body: { updates } }));
  dataOf(await dealer.patch(`vehicles/${second}`, { price: '9400.00' }));
  dataOf(await dealer.delete(`vehicles/${gone}`));
  const changes = [first, second, gone].map((id) => ({
    ...{ id, price: '10000.00', currency: 'STG' },
    ...{ changed_price: '9500.00', changed_currency: 'STG' },
  }));
  const undone = await owner.api('vehicles/undo-prices', { method: 'POST', body: { changes } });
  expect(dataOf(undone)).toEqual({ undone: 1, kept: 2 });
  expect(await priceOf(first)).toBe('10000.00');
  expect(await priceOf(second)).toBe('9400.00');
});

const newCar = (): Promise<string> => carOf(dealer, { price: '10000.00', currency: 'STG' });
const priceOf = async (id: string): Promise<string> => dataOf(await dealer.get(`vehicles/${id}`)).price;

test('new prices are rounded to a step, and never to nothing', () => {
  expect(priceBy('14500.00', 'down', 750n)).toBe('13412.50');
  expect(priceBy('14500.00', 'down', 750n, '50')).toBe('13400.00');
  expect(priceBy('14500.00', 'up', 750n, '500')).toBe('15500.00');
  expect(priceBy('100.00', 'down', 5000n, '500')).toBe('50.00');
});
