// What the forms of a sale send: an empty field is undefined and not sent, so that the server reports it as missing.
import { expect, test } from 'vitest';
import { emptySale, monthlyCharge, saleBody, smallerStep } from '../../web/src/screens/sales/new/new-values.ts';

test('an empty sale names neither car nor customer nor price, and what was typed is sent as the API takes it', () => {
  const empty = emptySale({ today: '2026-11-17' });
  expect(saleBody(empty)).toEqual({ sale_date: '2026-11-17', installment_count: 12, period: 'Aylık' });
  const typed = { ...empty, vehicle_id: 'v', sale_price: '14.500,50', has_trade_in: true, 'trade_in.vehicle.brand': 'Fiat' };
  expect(saleBody(typed)).toMatchObject({ vehicle_id: 'v', sale_price: '14500.50', trade_in: { vehicle: { brand: 'Fiat' } } });
  expect(saleBody(typed).trade_in).toHaveProperty('amount', undefined);
});

test('a monthly rate comes to what equal installments on the rest of the debt cost', () => {
  // 10 000 at 2 % over 12 months: 945.60 each, 11 347.15 in all.
  expect(monthlyCharge('10000.00', 12, '2')).toBe('1347.15');
  expect(monthlyCharge('10000.00', 1, '1.5')).toBe('150.00');
  for (const [principal, count, percent] of [
    ['10000.00', 12, ''],
    ['10000.00', 0, '2'],
    ['10000.00', 12.5, '2'],
    ['0.00', 12, '2'],
    ['10000.00', 12, '-1'],
    ['10000.00', 12, 'x'],
  ] as const)
    expect(monthlyCharge(principal, count, percent)).toBeNull();
});

test('a smaller rounding is offered only where the last installment is far from the others', () => {
  const steps = [1, 5, 10, 50, 100];
  expect(smallerStep(['100.00', '100.00', '190.00'], '100', steps)).toBe(50);
  expect(smallerStep(['1.00', '1.00', '3.00'], '1', steps)).toBeNull();
  expect(smallerStep(['100.00', '100.00', '110.00'], '100', steps)).toBeUndefined();
  expect(smallerStep(['100.00', '190.00'], '', steps)).toBeUndefined();
  expect(smallerStep(['100.00'], '100', steps)).toBeUndefined();
});
