// What METRICS_PORT says about requests, connections, webhooks and jobs, and how foreign request ids are kept.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/config.ts';
import { createFigures } from '../../src/domain/sharing/figures.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createClock } from '../../src/kit/clock.ts';
import { createLog, type Log } from '../../src/kit/log.ts';
import { sql } from '../../src/kit/sql.ts';
import { lockOut, testDatabase } from '../support/database.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { aCar, newDealer, openAll } from '../support/writer.ts';

const logged: Record<string, unknown>[] = [];
const keep = (message: string, facts: Record<string, unknown> = {}) => logged.push({ message, ...facts });
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

let api: TestService;
beforeAll(async () => {
  api = await testService({ log, env: { NODE_NAME: 'dugum-1' } });
  await openAll(api);
});
afterAll(() => api?.close());

async function readFigure(name: string): Promise<number> {
  const line = (await api.service.figures()).split('\n').find((text) => text.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
}

test('requests are counted by endpoint and class of status', async () => {
  const { secret } = await api.key(await api.account(), { endpoints: ['GET vehicles'] });
  expect((await api.call('vehicles', { key: secret })).status).toBe(200);
  expect((await api.call('vehicles?limit=x', { key: secret })).status).toBe(400);
  expect((await api.call('vehicles?limit=y', { key: secret })).status).toBe(400);
  expect(await readFigure('galeri_endpoint_requests_total{endpoint="GET vehicles",class="2xx"}')).toBe(1);
  expect(await readFigure('galeri_endpoint_requests_total{endpoint="GET vehicles",class="4xx"}')).toBe(2);
});

test('every family is described once', async () => {
  const text = await api.service.figures();
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const line of text.trim().split('\n')) expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{.+\})? [\d.e+-]+)$/);
  expect(await readFigure(`galeri_build_info{version="${VERSION}",node="dugum-1"}`)).toBe(1);
  expect(await readFigure('galeri_event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  expect(await readFigure('galeri_drawings{kind="paper",state="waiting"}')).toBe(0);
});

test('waiting for a connection is counted with its time', async () => {
  const account = await api.account();
  const before = await readFigure('galeri_database_waits_total');
  const gate = Promise.withResolvers<void>();
  // An account holds half of the connections at most.
  const work = () => api.database.inTenant(account, 'read', (db) => gate.promise.then(() => db.rows(sql`select 1`)));
  const all = Array.from({ length: 4 }, work);
  await until(() => api.database.waiting() > 0, 'a request waits');
  gate.resolve();
  await Promise.allSettled(all);
  expect(await readFigure('galeri_database_waits_total')).toBeGreaterThan(before);
  expect(await readFigure('galeri_database_wait_seconds_total')).toBeGreaterThan(0);
});

test('deliveries that are due and not made are counted, with their age', async () => {
  const dealer = await newDealer(api);
  expect(await readFigure('galeri_webhook_deliveries{state="due"}')).toBe(0);
  const webhook = { url: 'https://example.com/hook', events: ['vehicle.created'] };
  expect((await dealer.post('webhooks', webhook)).status).toBe(201);
  expect((await dealer.post('vehicles', aCar())).status).toBe(201);
  expect(await readFigure('galeri_webhook_deliveries{state="waiting"}')).toBe(1);
  await expect.poll(() => readFigure('galeri_webhook_oldest_due_seconds')).toBeGreaterThan(0);
  expect(await readFigure('galeri_webhook_deliveries{state="due"}')).toBe(1);
});

test('a job that fails is counted, and its age grows', async () => {
  const base = await testDatabase();
  const figures = createFigures();
  const worker = startWorker({
    writer: testWriter(base),
    clock: createClock(),
    log: createLog('silent'),
    outbound: { loopback: false },
    smtpUrl: null,
    files: api.service.parts.files,
    rateUrls: { TCMB: null, KKTCMB: null },
    figures,
  });
  await base.close();
  await until(() => /^galeri_job_failures_total\{task="ended"\} [1-9]/m.test(figures.text()), 'a job has failed');
  const [, age] = /^galeri_job_age_seconds\{task="ended"\} (\S+)$/m.exec(figures.text())!;
  expect(Number(age)).toBeGreaterThan(0);
  await worker.close();
});

test("a caller's request id is in the log beside ours, if it is one", async () => {
  const { secret } = await api.key(await api.account(), { endpoints: ['GET customers'] });
  expect((await api.call('customers', { key: secret })).status).toBe(200);
  const letIn = await lockOut(api);
  const failWith = async (id: string) => {
    // Recent reads are answered from memory for up to a second.
    await expect
      .poll(
        async () =>
          (await api.call(`customers?offset=${logged.length}`, { key: secret, headers: { 'x-request-id': id } })).status,
      )
      .toBe(503);
    return logged.findLast(({ request_id }) => request_id !== undefined)!;
  };
  try {
    const line = await failWith('proxy-7f3a');
    expect(line).toMatchObject({ client_request_id: 'proxy-7f3a', request_id: expect.stringMatching(/^req_/) });
    expect((await failWith('x'.repeat(129))).client_request_id).toBeUndefined();
  } finally {
    await letIn();
  }
});
