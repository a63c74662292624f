// What the forms of a sale send: an empty field is undefined and not sent, so that the server reports it as missing.
import { expect, test } from 'vitest';
import { emptySale, saleBody } from '../../web/src/screens/sales/new/new-values.ts';

test('an empty sale names neither car nor customer nor price, and what was typed is sent as the API takes it', () => {
  const empty = emptySale({ today: '2026-11-17' });
  expect(saleBody(empty)).toEqual({ sale_date: '2026-11-17', installment_count: 12, period: 'Aylık' });
  const typed = { ...empty, vehicle_id: 'v', sale_price: '14.500,50', has_trade_in: true, 'trade_in.vehicle.brand': 'Fiat' };
  expect(saleBody(typed)).toMatchObject({ vehicle_id: 'v', sale_price: '14500.50', trade_in: { vehicle: { brand: 'Fiat' } } });
  expect(saleBody(typed).trade_in).toHaveProperty('amount', undefined);
});
