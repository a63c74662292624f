// Timed events about money, over restarts of the real service: without any request, each is still emitted once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver, type Receiver } from '../jobs/receiver.ts';
import { type ClockedService, clockedService } from '../support/clocked-service.ts';
import { aCar, aPerson } from '../support/writer.ts';
import { eventually } from './process.ts';

let service: ClockedService;
let receiver: Receiver;
let key: string;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await clockedService('2027-01-04T09:00:00Z');
  key = (await service.dealer('Taksit Oto')).key;
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
});

let keys = 0;
async function made(path: string, body: object) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `days-${++keys}` };
  const { status, json, text } = await service.call(path, { method: 'POST', key, headers, body: JSON.stringify(body) });
  expect(status, text).toBeLessThan(300);
  return json.data;
}

const BY_ITSELF = ['installment.due_soon', 'installment.overdue', 'payment_promise.broken', 'vehicle.reservation_released'];
/** The timed events that the receiver got: the kinds, sorted. A second delivery of one event is one event. */
const received = (): string[] => {
  const events = new Map(receiver.got.map(({ headers, json }) => [headers['webhook-id'], json.type as string]));
  return [...events.values()].filter((kind) => BY_ITSELF.includes(kind)).sort();
};
const until = (...kinds: string[]) => eventually(async () => JSON.stringify(received()) === JSON.stringify(kinds));

it('emits what becomes due, broken and expired while the service is down, once, and the deposit stays open', async () => {
  await made('webhooks', { url: receiver.url, events: ['installment.*', 'payment_promise.*', 'vehicle.*'] });
  const customer_id = (await made('customers', aPerson())).id;
  const vehicle_id = (await made('vehicles', aCar())).id;
  const installments = [
    { due_date: '2027-01-20', amount: '400.00' },
    { due_date: '2027-03-20', amount: '600.00' },
  ];
  const sale = await made('sales', { vehicle_id, customer_id, sale_price: '1000.00', installments });
  await made('payment-promises', { sale_id: sale.id, amount: '50.00', promised_date: '2027-01-12' });
  const held = (await made('vehicles', aCar())).id;
  const { reservation } = await made(`vehicles/${held}/reserve`, {
    customer_id,
    reserved_until: '2027-01-10',
    deposit_amount: '250.00',
  });
  // Down while the hold and the promise end; restarted, without any request.
  await service.stop();
  await service.cli('clock', 'advance', '9d');
  await service.start();
  await until('payment_promise.broken', 'vehicle.reservation_released');
  // Killed before the installment is due soon; it is emitted in time after the next start.
  await service.stop('SIGKILL');
  await service.cli('clock', 'advance', '5d');
  await service.start();
  await until('installment.due_soon', 'payment_promise.broken', 'vehicle.reservation_released');
  await service.stop();
  await service.cli('clock', 'advance', '3d');
  await service.start();
  const all = [...BY_ITSELF].sort();
  await until(...all);
  // Once: another start, an hour, or a request add nothing.
  await service.stop('SIGKILL');
  await service.cli('clock', 'advance', '1h');
  await service.start();
  const overdue = (await service.call('installments/overdue', { key })).json.data;
  expect(
    overdue.map(({ due_date, days_overdue }: { due_date: string; days_overdue: number }) => [due_date, days_overdue]),
  ).toEqual([['2027-01-20', 1]]);
  const { data: deposit } = (await service.call(`collections/${reservation.deposit.collection_id}`, { key })).json;
  expect(deposit).toMatchObject({ status: 'Geçerli', deposit_status: 'Açık', amount: '250.00' });
  await service.stop();
  expect(await service.cli('worker', 'drain')).toMatchObject({ ended: 0 });
  expect(received()).toEqual(all);
});
