// A collection and its installments are returned from what was written. Reading them afterwards must return exactly the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLateInterest } from '../../../src/domain/sales/installment.ts';
import { collect, dataOf, reverse, rowsOf, type Shown, sell } from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { closeScene, held, newScene, type Scene, type Sold, sold, TODAY } from './refused.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

/** Due a year ago in a month, two months and so on: late, with interest. */
const late = { sale_date: '2025-09-16', late_rate_yearly: '37.50', down_payment: '99.99', first_due_date: '2025-10-31' };

/** The content of every event about a collection or an installment, beside a read of it. */
async function compare(saleId: string, act: () => Promise<unknown>): Promise<number> {
  const emitted = await eventsBy(scene.api, scene.dealer.accountId, act);
  const rows = new Map((await rowsOf(scene.dealer, saleId)).map((row) => [row.id, row]));
  const sent = emitted
    .map(({ payload }) => payload.data.object as Shown)
    .filter((one) => 'receipt_no' in one || rows.has(one.id));
  for (const one of sent) {
    const read = 'receipt_no' in one ? dataOf(await scene.dealer.get(`collections/${one.id}`)) : rows.get(one.id);
    expect(JSON.stringify(one)).toBe(JSON.stringify(read));
  }
  return sent.length;
}

const paying = ({ sale }: Sold, amount: string, overrides: object = {}) =>
  compare(sale.id, async () => {
    const answered = dataOf(await collect(scene.dealer, sale.id, amount, { ...overrides }));
    expect(JSON.stringify(answered)).toBe(JSON.stringify(dataOf(await scene.dealer.get(`collections/${answered.id}`))));
  });

test('a payment of installments that are late, partly paid, paid and on a promissory note', async () => {
  const some = await sold(scene.dealer, late);
  dataOf(await scene.dealer.post('promissory-notes', { sale_id: some.sale.id, issue_place: 'Lefkoşa' }));
  dataOf(await scene.dealer.patch(`installments/${some.rows[2]!.id}`, { note: 'Maaş gününe alındı.' }));
  expect(await paying(some, '1234.56', { note: 'Ali Şükrü', reference: 'EFT 7' })).toBeGreaterThan(2);
  expect(await paying(some, '0.07', { late_interest_amount: '0.02' })).toBe(2);
});

test('in another currency, by cheque, with a discount', async () => {
  const some = await sold(scene.dealer, late);
  expect(await paying(some, '6450.55', { currency: 'TL', collected_on: TODAY })).toBeGreaterThan(1);
  expect(await paying(some, '64.50', { currency: 'TL', exchange_rate: '63.999999' })).toBe(2);
  const instrument = { bank: 'Ziraat Bankası', number: '0042177', due_on: '2026-12-31' };
  expect(await paying(some, '10.00', { method: 'Çek', instrument })).toBe(2);
  expect(await paying(some, '10.00', { discount_amount: '600.00', discount_reason: 'Erken Ödeme' })).toBeGreaterThan(2);
  expect(await paying(some, '0.00', { discount_amount: '1.00', discount_reason: 'Küsurat' })).toBe(2);
});

test('a reversal, and a deposit that becomes a payment', async () => {
  const some = await sold(scene.dealer, late);
  const { id } = dataOf(await collect(scene.dealer, some.sale.id, '1500.00', { note: 'iki satır' }));
  let reversal: Shown = {};
  expect(
    await compare(some.sale.id, async () => {
      ({ reversal } = dataOf(await reverse(scene.dealer, id, { reason_code: 'Yanlış Kayıt' })));
    }),
  ).toBeGreaterThan(2);
  expect(JSON.stringify(reversal)).toBe(JSON.stringify(dataOf(await scene.dealer.get(`collections/${reversal.id}`))));
  const { car, customer } = await held(scene.dealer);
  const body = { vehicle_id: car, customer_id: customer, sale_price: '3000.00', installment_count: 3 };
  const emitted = await eventsBy(scene.api, scene.dealer.accountId, async () => dataOf(await sell(scene.dealer, body)));
  const made = emitted.filter(({ kind }) => kind === 'collection.created').map(({ payload }) => payload.data.object as Shown);
  expect(made.map(({ type }) => type)).toEqual(['Mahsup', 'Tahsilat']);
  for (const one of made)
    expect(JSON.stringify(one)).toBe(JSON.stringify(dataOf(await scene.dealer.get(`collections/${one.id}`))));
});

test('late interest above the largest amount is shown as the largest amount', async () => {
  const largest = '999999999999.99';
  const dates = { sale_date: '2023-09-16', first_due_date: '2023-10-31' };
  const terms = { sale_price: largest, late_rate_yearly: '200.00', installment_count: 2 };
  const { sale, customer, rows } = await sold(scene.dealer, { ...dates, ...terms });
  for (const { seq, late_interest } of rows) expect([seq, late_interest]).toEqual([seq, largest]);
  expect(dataOf(await scene.dealer.get(`sales/${sale.id}`)).payoff.late_interest).toBe(largest);
  const { accountId } = scene.dealer;
  const sum = scene.api.database.inTenant(accountId, 'read', (db) =>
    readLateInterest(db, customer, sale.currency as string, TODAY),
  );
  expect(await sum).toBe(largest);
  const paid = dataOf(await collect(scene.dealer, sale.id, '10.00', { late_interest_amount: '1.00' }));
  expect(paid).toMatchObject({ applied_amount: '9.00' });
});
