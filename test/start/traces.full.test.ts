// A served process exports its traces, shows how many in its metrics, and sends the last ones when it stops.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Collector, openCollector } from '../support/collector.ts';
import { freePort } from '../support/free-port.ts';
import { eventually, stop } from './process.ts';
import { dataDirThatWas, run, SERVE, stopAfterEach } from './starts.ts';

let collector: Collector;
beforeAll(async () => {
  collector = await openCollector();
});
afterAll(() => collector?.close());
stopAfterEach();

test('requests of a served process are traced until it has stopped', async () => {
  const METRICS_PORT = String(await freePort());
  const service = await run([...SERVE, '--no-demo'], {
    DATA_DIR: await dataDirThatWas('migrated'),
    METRICS_PORT,
    NODE_NAME: 'dugum-1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'galeri-deneme',
  });
  const ask = async () => (await fetch(`${service.ready.api}account`)).status;
  expect(await ask()).toBe(401);
  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    return /^galeri_trace_spans_total\{outcome="exported"\} [1-9]/m.test(text);
  });
  expect(await ask()).toBe(401);
  expect(await stop(service)).toBe(0);
  const requests = collector.spans.filter(({ kind }) => kind === 2);
  expect(requests.map(({ name }) => name)).toEqual(['GET /api', 'GET /api']);
  expect(requests[0]!.resource).toMatchObject({
    'service.name': 'galeri-deneme',
    'service.version': expect.stringMatching(/^\d/),
    'host.name': 'dugum-1',
    'process.pid': expect.any(Number),
  });
});
