// sandbox.mjs: node sandbox.mjs, with a sandbox key in GALERI_KEY. Reset, act, advance, assert; exits with 1 if an assertion fails.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

const GALERI = 'https://galeri.example';
const Authorization = `Bearer ${process.env.GALERI_KEY}`;

async function ask(method, path, body) {
  const response = await fetch(`${GALERI}${path}`, {
    method,
    headers: {
      Authorization,
      ...(body ? { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  const { data, error } = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${error?.code} ${error?.message}`);
  return data;
}

// 1. Reset: the same beginning for every run.
const { clock } = await ask('POST', '/sandbox/v1/reset', { data: 'empty' });

// 2. Act: sell a car on 24 installments, collect three of them.
const { default_currency: currency } = await ask('GET', '/api/v1/account');
const car = await ask('POST', '/api/v1/vehicles', {
  brand: 'Toyota',
  model: 'Corolla',
  model_year: 2021,
  km: 42000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Sedan',
  color: 'Beyaz',
  plate: 'CI 001',
  city: 'Lefkoşa',
  price: '2400.00',
  currency,
});
const customer = await ask('POST', '/api/v1/customers', { first_name: 'Deniz', last_name: 'Kaya', phone: '0533 000 00 01' });
const firstDue = new Date(Date.parse(clock.now) + 5 * 86400000).toISOString().slice(0, 10);
const sale = await ask('POST', '/api/v1/sales', {
  vehicle_id: car.id,
  customer_id: customer.id,
  sale_price: '2400.00',
  currency,
  installment_count: 24,
  first_due_date: firstDue,
  late_rate_yearly: '24.00',
});
for (let count = 0; count < 3; count += 1)
  await ask('POST', '/api/v1/collections', { sale_id: sale.id, amount: '100.00', currency });

// 3. Advance: two years pass, and everything that is due on the way happens.
const moved = await ask('POST', '/sandbox/v1/clock', { advance: '731d' });

// 4. Assert.
const overdue = await ask('GET', '/api/v1/installments/overdue?limit=100');
assert.equal(overdue.length, 21);
assert.ok(overdue.every(({ late_interest }) => Number(late_interest) > 0));

// 5. Assert what webhooks receive. The event stream has the same bodies and needs no public address; since=0: from the reset on.
const signal = AbortSignal.timeout(30_000); // the stream does not end by itself
const stream = await fetch(`${GALERI}/events/v1?since=0&events=installment.overdue`, { headers: { Authorization }, signal });
assert.equal(stream.status, 200);
const events = [];
let text = '';
for await (const part of stream.body.pipeThrough(new TextDecoderStream())) {
  const messages = (text + part).split('\n\n');
  text = messages.pop();
  for (const message of messages) {
    const [, body] = /^data: (.*)$/m.exec(message) ?? [];
    if (body) events.push(JSON.parse(body));
  }
  if (events.length >= overdue.length) break;
}
const times = events.map(({ timestamp }) => timestamp);
assert.deepEqual(times, times.toSorted());
assert.ok(events.every(({ environment, resource }) => environment === 'sandbox' && overdue.some(({ id }) => id === resource.id)));
console.log(`${overdue.length} installments are overdue, ${moved.events} events on the way`);
