// What a form of a sale sends: a field that is left empty is not sent, so that the refusal says that it is required.
import { expect, test } from 'vitest';
import { emptySale, saleBody } from '../../web/src/screens/sales/new-values.ts';

test('an empty sale names neither car nor customer nor price, and what was typed is sent as the API takes it', () => {
  const empty = emptySale({ today: '2026-11-17' });
  expect(saleBody(empty)).toEqual({ sale_date: '2026-11-17', installment_count: 12, period: 'Aylık' });
  const typed = { ...empty, vehicle_id: 'v', sale_price: '14.500,50', has_trade_in: '1', 'trade_in.vehicle.brand': 'Fiat' };
  expect(saleBody(typed)).toMatchObject({ vehicle_id: 'v', sale_price: '14500.50', trade_in: { vehicle: { brand: 'Fiat' } } });
  expect(saleBody(typed).trade_in).not.toHaveProperty('amount');
});
