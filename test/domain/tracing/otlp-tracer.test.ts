// Which traces are continued and exported, and what a slow, failing or absent collector costs.
import { glob, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { type OtlpTracer, openTracer, readTraceparent, type TracerOptions } from '../../../src/domain/tracing/otlp-tracer.ts';
import { createLog, type Log } from '../../../src/kit/log.ts';
import { type Collector, openCollector } from '../../support/collector.ts';
import { until } from '../../support/patience.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

let collector: Collector;
const opened: OtlpTracer[] = [];
beforeEach(async () => {
  collector = await openCollector();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tracer) => tracer.close()));
  await collector.close();
});

function tracerWith(env: Record<string, string> = {}, more: Partial<TracerOptions> = {}): OtlpTracer {
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }).tracing!;
  const tracer = openTracer({ config, resource: { 'process.pid': 1 }, log: createLog('silent'), everyMs: 5, ...more });
  opened.push(tracer);
  return tracer;
}

function keptLog(): { readonly log: Log; readonly messages: string[] } {
  const messages: string[] = [];
  const keep = (message: string) => messages.push(message);
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, messages };
}

describe('a traceparent', () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, true],
  ])('%s is continued', (text, isSampled) => {
    expect(readTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });
  test.each([
    undefined,
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('%j is ignored', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

describe('what is exported', () => {
  const sampledOf = (tracer: OtlpTracer, traceparent?: string): boolean =>
    tracer.begin('one', traceparent).traceparent.endsWith('-01');
  const [yes, no] = [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`];

  test.each([
    ['', [true, false, true]],
    ['parentbased_always_on', [true, false, true]],
    ['parentbased_always_off', [true, false, false]],
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
  ])('with %j, of a sampled caller, an unsampled one, and without one', (OTEL_TRACES_SAMPLER, expected) => {
    const tracer = tracerWith({ OTEL_TRACES_SAMPLER });
    expect([sampledOf(tracer, yes), sampledOf(tracer, no), sampledOf(tracer)]).toEqual(expected);
  });

  test('is a share of the traces, the same share in every process', () => {
    const settings = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    const [one, other] = [tracerWith(settings), tracerWith(settings)];
    const traces = Array.from({ length: 2000 }, () => one.begin('one', null));
    const chosen = traces.filter(({ traceparent }) => traceparent.endsWith('-01'));
    expect(chosen.length).toBeGreaterThan(300);
    expect(chosen.length).toBeLessThan(700);
    for (const { traceparent } of traces.slice(0, 50)) expect(sampledOf(other, traceparent)).toBe(traceparent.endsWith('-01'));
  });
});

test('a span arrives with its parent, times, attributes and resource, and the headers of the setting', async () => {
  const tracer = tracerWith({
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret,x-tenant=galeri',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=deneme',
    OTEL_SERVICE_NAME: 'galeri-deneme',
  });
  const root = tracer.begin('GET /api', `00-${TRACE}-${SPAN}-01`, { kind: 'server' });
  const child = root.begin('transaction', { attributes: { rows: 3 } });
  child.end(true);
  root.describe({ 'http.response.status_code': 200 }, 'GET /api/v1/vehicles');
  root.end();
  root.end(true);
  const before = BigInt(Date.now()) * 1_000_000n;
  await tracer.close();
  expect(tracer.counts()).toEqual({ exported: 2, dropped: 0 });
  expect(collector.headers[0]).toMatchObject({ 'content-type': 'application/json', 'api-key': 'a secret', 'x-tenant': 'galeri' });
  const [transaction, request] = collector.spans;
  expect(request).toMatchObject({ name: 'GET /api/v1/vehicles', kind: 2, traceId: TRACE, parentId: SPAN, hasFailed: false });
  expect(request!.attributes).toEqual({ 'http.response.status_code': 200 });
  expect(request!.resource).toEqual({
    'service.name': 'galeri-deneme',
    'deployment.environment.name': 'deneme',
    'process.pid': 1,
  });
  expect(transaction).toMatchObject({ name: 'transaction', kind: 1, traceId: TRACE, parentId: request!.id, hasFailed: true });
  expect(transaction!.attributes).toEqual({ rows: 3 });
  expect(transaction!.startedAt).toBeGreaterThanOrEqual(request!.startedAt);
  expect(transaction!.endedAt).toBeLessThanOrEqual(request!.endedAt);
  // The machine's time, within a minute.
  expect(request!.endedAt - before).toBeGreaterThan(-60_000_000_000n);
  expect(request!.endedAt - before).toBeLessThan(60_000_000_000n);
});

test('what a silent collector does not take within the deadline is dropped and counted', async () => {
  collector.answer = () => {};
  const { log, messages } = keptLog();
  const tracer = tracerWith({}, { deadlineMs: 100, log });
  tracer.begin('one', null).end();
  await until(() => tracer.counts().dropped === 1, 'the span is dropped');
  tracer.begin('two', null).end();
  await until(() => tracer.counts().dropped === 2, 'the other span is dropped');
  expect(messages).toEqual(['traces cannot be exported and are dropped']);
  collector.answer = (response) => response.end('{}');
  const isExported = () => {
    tracer.begin('again', null).end();
    return tracer.counts().exported > 0;
  };
  await until(isExported, 'a span is exported again');
  expect(messages.slice(0, 2)).toEqual(['traces cannot be exported and are dropped', 'traces are exported again']);
});

test('a collector that refuses a batch is not asked for it again', async () => {
  collector.answer = (response) => response.writeHead(429).end();
  const tracer = tracerWith();
  tracer.begin('one', null).end();
  await tracer.close();
  expect(tracer.counts()).toEqual({ exported: 0, dropped: 1 });
  expect(collector.spans).toHaveLength(1);
});

test('the queue is bounded while the collector is silent, and closing does not wait for it', async () => {
  collector.answer = () => {};
  const tracer = tracerWith({}, { deadlineMs: 50 });
  for (let count = 0; count < 20_000; count += 1) tracer.begin('one', null).end();
  // A batch is under way, and 8192 spans wait.
  expect(tracer.counts()).toEqual({ exported: 0, dropped: 20_000 - 8192 - 512 });
  await tracer.close();
  expect(tracer.counts()).toEqual({ exported: 0, dropped: 20_000 });
});

test('the tracer is loaded only where the setting is read', async () => {
  const importing: string[] = [];
  for await (const path of glob('src/**/*.ts')) {
    const text = await readFile(path, 'utf8');
    if (/^import (?!type\b).*otlp-tracer/m.test(text)) importing.push(path);
    if (text.includes("await import('../../domain/tracing/otlp-tracer.ts')")) importing.push(`${path}, when it is needed`);
  }
  expect(importing).toEqual(['src/commands/serve/serve-tracing.ts, when it is needed']);
});
