// Which times the test clock moves. Every endpoint with a body is called, and every job is run, on a business clock years away;
// then every stored time is checked: business time, or real time where the list below says so.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { drainWork } from '../../src/jobs/worker.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { payloadOf } from './payload.ts';
import { makeWorld, REQUESTS, type World } from './requests.ts';
import { send } from './wire.ts';

/** External times (docs/decisions/0039-test-clock.md): columns of a table, or all of them. */
const REAL_TIMES: Readonly<Record<string, readonly string[] | 'all'>> = {
  accounts: ['keys_reviewed_at', 'webhooks_reviewed_at'],
  api_keys: 'all',
  admin_decisions: 'all',
  key_secrets: 'all',
  usage_calls: 'all',
  usage_latency: 'all',
  usage_secrets: 'all',
  request_logs: 'all',
  audit_log: 'all',
  idempotency: 'all',
  releases: 'all',
  stored_files: 'all',
  members: 'all',
  people: 'all',
  sessions: 'all',
  mails: 'all',
  rate_looks: 'all',
  rate_news: ['claimed_until', 'told_at'],
  webhook_deliveries: 'all',
  webhook_attempts: 'all',
  webhooks: ['failing_since', 'last_success_at', 'previous_valid_until'],
  import_runs: ['claimed_until'],
  schema_migrations: 'all',
  ledger_proofs: 'all',
};

const endpoints = apiEndpoints(resources).filter((endpoint) => endpoint.body !== null);
let api: TestService;
let world: World;
let admin: Session;
const startedAt = new Date();
beforeAll(async () => {
  api = await testService({ at: '2031-03-04T10:00:00Z' });
  await api.release('Aktif', ...endpoints.map((endpoint) => endpoint.id));
  world = await makeWorld(
    api,
    endpoints.map((endpoint) => endpoint.id),
  );
  admin = await openSession(api.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

async function call(endpoint: ApiEndpoint): Promise<void> {
  const request = await REQUESTS[endpoint.id]!(world);
  const payload = payloadOf(request);
  const { status, text } = await send(api.service.url, {
    ...payload,
    method: endpoint.method,
    target: `/api/v1/${request.path}${request.query === undefined ? '' : `?${request.query}`}`,
    key: world.key,
    headers: { 'idempotency-key': randomUUID(), ...payload.headers },
  });
  expect([endpoint.id, status], text).toEqual([endpoint.id, endpoint.body!.successStatus ?? 200]);
}

test('every stored time is on the clock it belongs to', async () => {
  for (const endpoint of endpoints) await call(endpoint);
  await drainWork({
    writer: api.service.parts.writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: false },
    smtpUrl: null,
    files: api.service.parts.files,
    rateUrls: { TCMB: null, KKTCMB: null },
  });
  await api.settled();
  const columns = await admin.rows<{ table: string; column: string }>(`select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and data_type = 'timestamp with time zone' and table_type = 'BASE TABLE'
      and table_name !~ '^request_logs_' order by 1, 2`);
  const wrong: string[] = [];
  for (const { table, column } of columns) {
    const listed = REAL_TIMES[table];
    const isReal = listed === 'all' || listed?.includes(column) === true;
    const [found] = await admin.rows<{ real: boolean; business: boolean }>(
      `select exists (select from "${table}" where "${column}" between $1 and now()) as real,
        exists (select from "${table}" where "${column}" between $2 and $3) as business`,
      [startedAt, new Date('2031-03-03T00:00:00Z'), new Date('2031-03-06T00:00:00Z')],
    );
    if (isReal ? found!.business : found!.real) wrong.push(`${table}.${column}`);
  }
  // A record that a request inserts by SQL has `api.clock.now()` as its time, too.
  expect(wrong).toEqual([]);
});
