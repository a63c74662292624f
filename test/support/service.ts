// The real service in this process with its own database, with builders for accounts, keys and records.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createAccount, type NewAccount } from '../../src/domain/accounts/accounts.ts';
import { type Template, templateEndpoints } from '../../src/domain/keys/key-policy.ts';
import { createKey, type NewKey } from '../../src/domain/keys/keys.ts';
import { setRelease } from '../../src/domain/releases/releases.ts';
import type { Tracer } from '../../src/domain/tracing/spans.ts';
import { makePartitions } from '../../src/domain/usage/log-retention.ts';
import type { Actor } from '../../src/domain/writes/audit.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { type Service, startService } from '../../src/http/service.ts';
import { type Clock, createClock } from '../../src/kit/clock.ts';
import type { Resource, Status } from '../../src/kit/endpoint.ts';
import { newId } from '../../src/kit/ids.ts';
import { createLog, type Log } from '../../src/kit/log.ts';
import { sql } from '../../src/kit/sql.ts';
import type { DatabaseOptions } from '../../src/postgres/database.ts';
import { standbyUrls } from '../../src/postgres/roles.ts';
import { resources as realResources } from '../../src/resources/index.ts';
import type { OpenSandbox } from '../../src/sandbox/sandbox-actions.ts';
import { moveClock } from './clock.ts';
import { newDataDir } from './data-dir.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { MADE_UP_ROWS, requireDescribed } from './documented.ts';
import { until } from './patience.ts';

export const TEST_ACTOR: Actor = { type: 'system', name: 'test' };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly json: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface TestService extends TestDatabase {
  readonly service: Service;
  readonly clock: Clock;
  /** The folder of its files. */
  readonly filesDir: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  account(overrides?: Partial<NewAccount>): Promise<string>;
  key(
    accountId: string,
    overrides?: Partial<NewKey> & { template?: Template },
  ): Promise<{ id: string; secret: string; prefix: string }>;
  vehicle(accountId: string, overrides?: Record<string, unknown>): Promise<string>;
  customer(accountId: string, overrides?: Record<string, unknown>): Promise<string>;
  release(status: Status, ...endpointIds: string[]): Promise<void>;
  /** Until this node knows all changes. */
  settled(): Promise<void>;
  /** Until every answered call is in the request log. */
  logged(): Promise<void>;
}

export interface TestServiceOptions {
  readonly env?: Record<string, string>;
  readonly resources?: readonly Resource[];
  readonly database?: Partial<DatabaseOptions>;
  readonly log?: Log;
  readonly panelFolder?: string;
  readonly stalledMs?: number;
  readonly demo?: boolean;
  /** What SANDBOX=isolated does with worlds. */
  readonly sandbox?: OpenSandbox;
  /** Beside another service on the same database. */
  readonly shared?: TestDatabase;
  /** Business time at its start: `2026-01-15T09:00:00Z`. */
  readonly at?: string;
  readonly tracer?: Tracer;
}

let made = 0;

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const base = options.shared ?? (await testDatabase(options.database));
  // Only uploads go there.
  const dataDir = await newDataDir('service');
  const config = readConfig({ PORT: '0', LOG_LEVEL: process.env.TEST_LOG ?? 'silent', DATA_DIR: dataDir, ...options.env });
  const clock = createClock();
  await makePartitions(base.database, new Date());
  if (options.at !== undefined) await moveClock({ ...base, clock }, options.at);
  const resources = options.resources ?? realResources;
  const service = await startService({
    config,
    database: base.database,
    secrets: base.secrets,
    platformUrl: base.urls.platformUrl,
    standbyUrls: standbyUrls(config.databaseReadUrls, base.urls),
    log: options.log ?? createLog(config.logLevel),
    clock,
    ...(options.resources ? { resources: options.resources } : {}),
    ...(options.panelFolder === undefined ? {} : { panelFolder: options.panelFolder }),
    ...(options.stalledMs === undefined ? {} : { stalledMs: options.stalledMs }),
    ...(options.demo === undefined ? {} : { demo: options.demo }),
    ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
    ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
  });
  if (options.resources) MADE_UP_ROWS.add(service.url);
  const endpoints = apiEndpoints(resources);
  return {
    ...base,
    service,
    clock,
    filesDir: join(config.dataDir, 'files'),
    call: (path, input) => call(service.url, path, input),
    account: async (overrides) =>
      (
        await base.database.onPlatform('write', (db) =>
          createAccount(
            db,
            { name: `Galeri ${++made}`, legal_name: `Galeri ${made} Ltd.`, ...overrides },
            TEST_ACTOR,
            clock.now(),
          ),
        )
      ).id,
    key: (accountId, { template = 'read-only', ...rest } = {}) =>
      base.database.onPlatform('write', (db) =>
        createKey(
          db,
          base.secrets.pepper,
          {
            accountId,
            name: `key ${++made}`,
            environment: 'production',
            endpoints: templateEndpoints(template, endpoints).map((endpoint) => endpoint.id),
            expiresAt: null,
            limitPerMinute: 100_000,
            limitPerHour: null,
            limitPerDay: null,
            allowedIps: [],
            authorizations: [],
            ...rest,
          },
          TEST_ACTOR,
        ),
      ),
    vehicle: (accountId, fields) => insertRow(base, 'vehicles', accountId, { ...newVehicle(), ...madeAt(clock), ...fields }),
    customer: (accountId, fields) => insertRow(base, 'customers', accountId, { ...newCustomer(), ...madeAt(clock), ...fields }),
    release: async (status, ...endpointIds) => {
      const chosen = resources.flatMap((resource) => resource.endpoints).filter((endpoint) => endpointIds.includes(endpoint.id));
      await base.database.onPlatform('write', (db) => setRelease(db, chosen, status, TEST_ACTOR));
      await settled(service);
    },
    settled: () => settled(service),
    logged: () => until(() => service.parts.requestLog.flush(), 'the request log is written'),
    close: async () => {
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
      if (!options.shared) await base.close();
    },
  };
}

export async function call(url: string, path: string, { key, method = 'GET', headers, body }: CallOptions = {}): Promise<Answer> {
  const target = path.startsWith('/') ? `${url}${path}` : `${url}/api/v1/${path}`;
  const response = await fetch(target, {
    method,
    redirect: 'manual',
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  requireDescribed(url, method, path, response.status, text);
  return { status: response.status, headers: response.headers, text, json: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}

/** A heartbeat that was sent after the change and has returned proves that this node knows of it. */
async function settled({ changes }: Service): Promise<void> {
  const from = performance.now();
  await until(() => changes.heardUpTo() > from, 'this node knows what was changed');
}

const madeAt = (clock: Clock) => ({ created_at: clock.now(), updated_at: clock.now() });

function newVehicle(): Record<string, unknown> {
  made += 1;
  return {
    brand: 'Volkswagen',
    model: 'Golf',
    model_year: 2018,
    km: 84_000,
    fuel_type: 'Benzin',
    transmission: 'Otomatik',
    body_type: 'Hatchback',
    color: 'Beyaz',
    plate: `AB ${1000 + made}`,
    city: 'Lefkoşa',
    price_minor: 1_450_000n,
    currency: 'STG',
    stock_date: '2026-01-10',
  };
}

function newCustomer(): Record<string, unknown> {
  made += 1;
  return {
    first_name: 'Ayşe',
    last_name: `Yılmaz ${made}`,
    phone: `+90533${1_000_000 + made}`,
    email: null,
    risk_level: 'medium',
  };
}

async function insertRow(base: TestDatabase, table: string, accountId: string, fields: Record<string, unknown>): Promise<string> {
  const id = (fields.id as string | undefined) ?? newId();
  const all = { account_id: accountId, ...fields, id };
  await base.database.inTenant(accountId, 'write', (db) => {
    const names = Object.keys(all)
      .map((name) => `"${name}"`)
      .join(', ');
    const values = Object.values(all).reduce(
      (list: ReturnType<typeof sql> | null, value) => (list ? sql`${list}, ${value}` : sql`${value}`),
      null,
    );
    return db.exec(sql`insert into ${raw(table)} (${raw(names)}) values (${values})`);
  });
  return id;
}

const raw = (text: string) => sql([text] as unknown as TemplateStringsArray);
