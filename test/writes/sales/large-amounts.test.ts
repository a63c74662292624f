// Amounts at the limit of twelve digits, and dates far in the future: derived values that exceed the limit are refused by field.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carOf, collect, customerOf, dataOf, newKey, type Shown, sell } from '../../support/books.ts';
import type { Answer } from '../../support/service.ts';
import { closeScene, newScene, type Scene } from './refused.ts';

const MOST = '999999999999.99';
let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));

const fieldOf = ({ status, json }: Answer) => [status, json.error?.code, json.error?.details?.map(({ field }: Shown) => field)];
const refusedBy = (field: string) => [422, 'validation_failed', [field]];
const terms = async (fields: object): Promise<Record<string, unknown>> => {
  const { dealer } = scene;
  return { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), currency: 'STG', ...fields };
};
const sold = async (fields: object): Promise<Shown> => dataOf(await sell(scene.dealer, await terms(fields)));

test('the total of a sale, on creation and when its terms change', async () => {
  const { dealer } = scene;
  const plan = { installment_count: 2 };
  expect(fieldOf(await sell(dealer, await terms({ sale_price: MOST, finance_charge: '0.01', ...plan })))).toEqual(
    refusedBy('finance_charge'),
  );
  const { id } = await sold({ sale_price: MOST, ...plan });
  expect(fieldOf(await dealer.patch(`sales/${id}`, { finance_charge: '0.01' }))).toEqual(refusedBy('finance_charge'));
  const charged = await sold({ sale_price: '1000.00', finance_charge: '100.00', ...plan });
  expect(fieldOf(await dealer.patch(`sales/${charged.id}`, { sale_price: MOST }))).toEqual(refusedBy('sale_price'));
  const swapped = await sold({ sale_price: MOST, finance_charge: '100.00', trade_in: { amount: '100.00' }, ...plan });
  expect(fieldOf(await dealer.patch(`sales/${swapped.id}`, { trade_in_amount: '99.99' }))).toEqual(refusedBy('trade_in_amount'));
});

test('a charge that restructuring adds', async () => {
  const { dealer } = scene;
  const { id } = await sold({ sale_price: MOST, installment_count: 2 });
  const restructure = { from: '2026-05-01', installment_count: 3, reason: 'anlaşma' };
  const added = (add_finance_charge: string) =>
    dealer.patch(`sales/${id}`, { restructure: { ...restructure, add_finance_charge } });
  for (const amount of ['0.01', MOST])
    expect(fieldOf(await added(amount)), amount).toEqual(refusedBy('restructure.add_finance_charge'));
  dataOf(await added('0.00'));
});

test('a refund in another currency, and one that counts a vehicle that stays', async () => {
  const { dealer } = scene;
  const cancel = (id: string, fields: object) =>
    dealer.post(`sales/${id}/cancel`, { reason: 'vazgeçti', refund_method: 'Nakit', ...fields }, newKey());
  const { id } = await sold({ sale_price: MOST });
  dataOf(await collect(dealer, id, '100.00', { currency: 'TL' }));
  dataOf(await collect(dealer, id, '900000000000.00'));
  // In lira it would have fourteen digits before the point.
  expect(fieldOf(await cancel(id, { refund_currency: 'TL' }))).toEqual(refusedBy('refund_amount'));
  dataOf(await cancel(id, { refund_currency: 'TL', refund_amount: '10000000000.00' }));

  const kept = await sold({ sale_price: MOST, finance_charge: '500.00', trade_in: { amount: '1000.00' }, installment_count: 1 });
  dataOf(await collect(dealer, kept.id, kept.total_receivable));
  const stays = { trade_in_disposition: 'kalsın' };
  expect(fieldOf(await cancel(kept.id, stays))).toEqual(refusedBy('refund_amount'));
  expect(fieldOf(await cancel(kept.id, { ...stays, refund_amount: '0.00', refund_method: undefined }))).toEqual(
    refusedBy('refund_amount'),
  );
  expect(dataOf(await cancel(kept.id, { ...stays, refund_amount: '600000000000.00' }))).toMatchObject({ status: 'İptal' });
});

test('a first due date far in the future', async () => {
  const { dealer } = scene;
  const plan = { installment_count: 12, first_due_date: '9999-12-31' };
  expect(fieldOf(await sell(dealer, await terms({ sale_price: '1200.00', ...plan })))).toEqual(refusedBy('first_due_date'));
  const { id } = await sold({ sale_price: '1200.00', installment_count: 12, first_due_date: '2999-12-31' });
  expect(fieldOf(await dealer.patch(`sales/${id}`, { first_due_date: '9999-01-01' }))).toEqual(refusedBy('first_due_date'));
});
