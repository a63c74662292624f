// Closing a day on which more went out than came in: the counted amount has the sign of the expected one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carOf, collect, customerOf, dataOf, newKey, type Shown, sell, verdictOf } from '../support/books.ts';
import { moveClock } from '../support/clock.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ at: '2026-03-16T10:00:00Z' });
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const owner = async (): Promise<Browser> => signedIn(api, await newPerson(api, { accountId: dealer.accountId }));

test('a refund on a quiet day is counted below zero; elsewhere an amount below zero is refused', async () => {
  const [vehicle_id, customer_id] = [await carOf(dealer), await customerOf(dealer)];
  const sale = dataOf(await sell(dealer, { vehicle_id, customer_id, sale_price: '1000.00', currency: 'STG' }));
  dataOf(await collect(dealer, sale.id, '700.00', { method: 'Havale/EFT' }));
  const first = await owner();
  const branch_id = (await first.api('branches')).json.data[0].id;
  const close = (by: Browser, day: string, counted: object[]) =>
    by.api('till/closings', { method: 'POST', body: { branch_id, day, counted } });
  const line = (method: string, amount: string | number) => ({ currency: 'STG', method, amount });
  const refused = await close(first, '2026-03-16', [line('Havale/EFT', '-700.00')]);
  expect([verdictOf(refused), refused.json.error.details[0].field]).toEqual(['422 validation_failed', 'counted[0].amount']);
  dataOf(await close(first, '2026-03-16', [line('Havale/EFT', '700.00')]));

  await moveClock(api, '2026-03-17T10:00:00Z');
  const refund = { reason: 'vazgeçti', refund_amount: '700.00', refund_method: 'Havale/EFT' };
  dataOf(await dealer.post(`sales/${sale.id}/cancel`, refund, newKey()));
  const next = await owner();
  const { lines } = dataOf(await next.api(`till?branch_id=${branch_id}&day=2026-03-17`));
  expect(lines).toMatchObject([{ method: 'Havale/EFT', expected: '-700.00' }]);
  const other = await close(next, '2026-03-17', [line('Havale/EFT', '-700.00'), line('Nakit', '-1.00')]);
  expect([verdictOf(other), other.json.error.details[0].field]).toEqual(['422 validation_failed', 'counted[1].amount']);
  const closed = dataOf(await close(next, '2026-03-17', [line('Havale/EFT', -700)])) as Shown;
  expect(closed.lines).toMatchObject([{ expected: '-700.00', counted: '-700.00', difference: '0.00' }]);
});
