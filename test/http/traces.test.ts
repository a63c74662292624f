// One trace from the request to the delivery of its event, and what its spans say about the request.
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../src/commands/serve/serve-log.ts';
import { readConfig } from '../../src/config.ts';
import { type OtlpTracer, openTracer } from '../../src/domain/tracing/otlp-tracer.ts';
import { type DeliveryParts, startWebhookSender, type WebhookSender } from '../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../src/kit/log.ts';
import { openReceiver, type Receiver } from '../jobs/receiver.ts';
import { newPerson, signedIn } from '../panel/people.ts';
import { type CollectedSpan, type Collector, openCollector } from '../support/collector.ts';
import { lockOut } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let collector: Collector;
let tracer: OtlpTracer;
let receiver: Receiver;
const lines: string[] = [];

beforeAll(async () => {
  collector = await openCollector();
  receiver = await openReceiver();
  const env = { ALLOW_LOOPBACK_TARGETS: 'on', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const config = readConfig({ ...env, NODE_NAME: 'dugum-1' });
  tracer = openTracer({ config: config.tracing!, resource: {}, log: createLog('silent'), everyMs: 10 });
  const stream = new PassThrough();
  stream.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
  const log = openLog(config, stream as unknown as NodeJS.WriteStream);
  api = await testService({ env, tracer, log });
  await openAll(api);
});
afterAll(async () => {
  await api?.close();
  await tracer?.close();
  await Promise.all([collector?.close(), receiver?.close()]);
});

const newTrace = (): string => randomBytes(16).toString('hex');
const CALLER = '00f067aa0ba902b7';
const [SERVER, CLIENT] = [2, 3];
const from = (trace: string, flags = '01') => ({ traceparent: `00-${trace}-${CALLER}-${flags}` });
const isRequest = ({ kind }: CollectedSpan): boolean => kind === SERVER;

/** The spans of a trace, once the one that is looked for has arrived. */
async function spansOf(trace: string, awaited: (span: CollectedSpan) => boolean = isRequest): Promise<CollectedSpan[]> {
  const ofTrace = () => collector.spans.filter(({ traceId }) => traceId === trace);
  await until(() => ofTrace().some(awaited), 'the span has arrived');
  return ofTrace();
}

const newSender = (more: Partial<DeliveryParts> = {}): WebhookSender =>
  startWebhookSender({
    writer: api.service.parts.writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    tracer,
    ...more,
  });

async function deliver(parts: Partial<DeliveryParts> = {}): Promise<void> {
  const sender = newSender(parts);
  await sender.drain();
  await sender.close();
}

async function dealerWithHook(): Promise<Dealer> {
  const dealer = await newDealer(api);
  expect((await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.created'] })).status).toBe(201);
  return dealer;
}

/** Nothing else may be in a span. */
const ATTRIBUTES = [
  'db.system.name',
  'galeri.access',
  'galeri.account_id',
  'galeri.attempt',
  'galeri.database_role',
  'galeri.event_type',
  'galeri.request_id',
  'http.request.method',
  'http.response.status_code',
  'http.route',
];

test('a write, its transaction, the wait in the outbox and the delivery are one trace', async () => {
  const dealer = await dealerWithHook();
  const trace = newTrace();
  const car = aCar();
  const made = await dealer.post('vehicles', car, { ...from(trace), 'user-agent': 'Deneme/1' });
  expect(made.status).toBe(201);
  await deliver();
  const spans = await spansOf(trace, ({ name }) => name === 'delivery');
  const request = (await spansOf(trace)).find(isRequest)!;
  const delivery = spans.find(({ name }) => name === 'delivery')!;
  const outbox = spans.find(({ id }) => id === delivery.parentId)!;
  const transaction = spans.find(({ id }) => id === outbox.parentId)!;
  expect(request).toMatchObject({ name: 'POST /api/v1/vehicles', parentId: CALLER, hasFailed: false });
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v1/vehicles',
    'http.response.status_code': 201,
    'galeri.request_id': made.headers.get('x-request-id'),
    'galeri.account_id': dealer.accountId,
  });
  expect(transaction).toMatchObject({ name: 'transaction', parentId: request.id });
  expect(transaction.attributes).toMatchObject({ 'galeri.database_role': 'tenant', 'galeri.access': 'write' });
  expect(outbox.name).toBe('outbox');
  expect(delivery).toMatchObject({ kind: CLIENT, hasFailed: false });
  expect(delivery.attributes).toEqual({
    'galeri.account_id': dealer.accountId,
    'galeri.event_type': 'vehicle.created',
    'galeri.attempt': 1,
    'http.response.status_code': 200,
  });
  const received = receiver.got.at(-1)!;
  expect(received.json.data.object.id).toBe(made.json.data.id);
  expect(received.headers.traceparent).toBe(`00-${trace}-${delivery.id}-01`);
  // Nothing of the caller and of the record.
  expect(spans.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => !ATTRIBUTES.includes(name))).toEqual([]);
  const text = spans.map(({ name, attributes }) => `${name} ${Object.values(attributes).join(' ')}`).join('\n');
  for (const personal of [car.plate, car.brand, made.json.data.id, dealer.key, '127.0.0.1', 'Deneme', receiver.url])
    expect(text).not.toContain(personal);
});

test('a second attempt is in the same trace, and a failed one is marked', async () => {
  const dealer = await dealerWithHook();
  const trace = newTrace();
  receiver.answer = (response) => response.writeHead(500).end();
  await dealer.post('vehicles', aCar(), from(trace));
  await deliver();
  receiver.answer = (response) => response.end();
  api.clock.advance(60_000);
  await deliver();
  const second = ({ name, attributes }: CollectedSpan) => name === 'delivery' && attributes['galeri.attempt'] === 2;
  const attempts = (await spansOf(trace, second)).filter(({ name }) => name === 'delivery');
  expect(attempts.map(({ hasFailed, attributes }) => [attributes['galeri.attempt'], hasFailed])).toEqual([
    [1, true],
    [2, false],
  ]);
});

test('what the caller does not trace is not exported, but the receiver still learns the trace', async () => {
  const dealer = await dealerWithHook();
  const [hidden, shown] = [newTrace(), newTrace()];
  await dealer.post('vehicles', aCar(), from(hidden, '00'));
  await deliver();
  expect(receiver.got.at(-1)!.headers.traceparent).toMatch(new RegExp(`^00-${hidden}-[0-9a-f]{16}-00$`));
  await dealer.get('account', from(shown));
  await spansOf(shown);
  expect(collector.spans.filter(({ traceId }) => traceId === hidden)).toEqual([]);
});

test('an invalid traceparent is ignored: the request begins a trace of its own', async () => {
  const dealer = await newDealer(api);
  const trace = newTrace();
  for (const traceparent of [`00-${trace}-${CALLER}`, `ff-${trace}-${CALLER}-01`, 'x'.repeat(5000)]) {
    const id = (await dealer.get('account', { traceparent })).headers.get('x-request-id');
    const ofRequest = ({ attributes }: CollectedSpan) => attributes['galeri.request_id'] === id;
    await until(() => collector.spans.some(ofRequest), 'the span has arrived');
    const span = collector.spans.find(ofRequest)!;
    expect(span.parentId).toBeUndefined();
    expect(span.traceId).not.toBe(trace);
  }
});

test('routes name endpoints and never the path that was sent; a refusal is not a failure', async () => {
  const dealer = await newDealer(api);
  const [record, unknown, stranger] = [newTrace(), newTrace(), newTrace()];
  await dealer.get('vehicles/01a1dd16-acc2-71ee-b5ea-90106ba28364', from(record));
  await dealer.get('AB%20123', from(unknown));
  await api.call('vehicles', { headers: from(stranger) });
  const spanOf = async (trace: string) => (await spansOf(trace)).find(isRequest)!;
  expect(await spanOf(record)).toMatchObject({ name: 'GET /api/v1/vehicles/{vehicle_id}', hasFailed: false });
  expect((await spanOf(record)).attributes['http.response.status_code']).toBe(404);
  expect(await spanOf(unknown)).toMatchObject({ name: 'GET /api', hasFailed: false });
  expect((await spanOf(stranger)).attributes['galeri.account_id']).toBeUndefined();
});

test('requests of the panel are traced by their endpoint, health checks are not', async () => {
  const accountId = await api.account();
  const owner = await signedIn(api, await newPerson(api, { accountId }));
  const [own, catalog] = [newTrace(), newTrace()];
  await api.call('/readyz', { headers: from(newTrace()) });
  expect((await owner.api('keys', { headers: from(own) })).status).toBe(200);
  expect((await owner.api('v1/vehicles', { headers: from(catalog) })).status).toBe(200);
  const spans = [...(await spansOf(own)), ...(await spansOf(catalog))].filter(isRequest);
  expect(spans.map(({ name }) => name)).toEqual(['GET /panel/api/keys', 'GET /panel/api/v1/vehicles']);
  for (const { attributes } of spans) expect(attributes['galeri.account_id']).toBe(accountId);
  expect(collector.spans.some(({ attributes }) => attributes['http.route'] === '/readyz')).toBe(false);
});

test('a request that fails is marked, and its line in the log has the trace', async () => {
  const dealer = await newDealer(api);
  const letIn = await lockOut(api);
  let trace = '';
  try {
    // Recent reads are answered from memory for up to a second.
    await expect
      .poll(async () => {
        trace = newTrace();
        return (await api.call('customers', { key: dealer.key, headers: from(trace) })).status;
      })
      .toBe(503);
  } finally {
    await letIn();
  }
  expect((await spansOf(trace)).find(isRequest)).toMatchObject({ hasFailed: true });
  const line = lines.map((text) => JSON.parse(text)).find(({ trace_id }) => trace_id === trace);
  expect(line).toMatchObject({ level: 'warn', node: 'dugum-1', request_id: expect.stringMatching(/^req_/) });
  api.service.parts.log.info('outside of a request');
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ message: 'outside of a request' });
  expect(lines.at(-1)).not.toContain('trace_id');
});

test('without a tracer nothing is added to deliveries', async () => {
  const dealer = await dealerWithHook();
  const made = await dealer.post('vehicles', aCar(), from(newTrace()));
  await deliver({ tracer: null });
  const received = receiver.got.at(-1)!;
  expect(received.json.data.object.id).toBe(made.json.data.id);
  expect(received.headers.traceparent).toBeUndefined();
});
