// Environment → one typed object, read once at start and passed down. A bad value is one clear line.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { CLOCK_TIME, readClockTime } from './domain/clock/test-clock.ts';
import { BANK_URLS, type RateUrls } from './domain/exchange-rates/bulletin-fetch.ts';
import { readS3Url, type S3Config } from './domain/files/s3-config.ts';
import { KEYS_PER_ACCOUNT } from './domain/keys/keys.ts';
import { isLoopbackHost, parseRange, type Range } from './domain/net/address.ts';
import { readDatabaseUrl, readStandbyUrls } from './domain/net/database-url.ts';
import { allowedUrl } from './domain/net/outbound.ts';
import { readTracing, type TracingConfig } from './domain/tracing/trace-settings.ts';
import { LOG_LEVELS, type LogLevel } from './kit/log.ts';

/** Of this build. `npm run release` writes it into package.json and wherever else it is named. */
export const { version: VERSION, license: LICENSE } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string; license: string };

/** How a process is named in PostgreSQL's list of sessions. */
export const PROCESS_NAMES = 'galeri/';
export const processName = (kind: 'api' | 'worker', node: string): string => `${PROCESS_NAMES}${VERSION} ${kind} ${node}`;

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Of the request log and usage; null: they are in the database of the dealers. */
  readonly logDatabaseUrl: string | null;
  /** Addresses of standbys for reads, one host each. */
  readonly databaseReadUrls: readonly string[];
  readonly redisUrl: string | null;
  /** Base of the links we hand out; null: the address on which the service listens. */
  readonly publicUrl: string | null;
  /** The mail server; null: no mail is sent, and people hand links over themselves. */
  readonly smtpUrl: string | null;
  /** The S3 store for files; null: files are kept in a folder of DATA_DIR. */
  readonly s3: S3Config | null;
  /** For how many days files of deleted records stay in the store: the database may be restored to any moment of these days. */
  readonly recoveryDays: number;
  readonly trustProxy: readonly Range[];
  /** How long a stopping node still accepts after it is unready, so that a balancer notices before connections are refused. */
  readonly drainSeconds: number;
  /** Release status of a fresh deployment: the specification's six, all that have a body, or a list of endpoints. */
  readonly live: 'published' | 'all' | readonly string[];
  readonly sandbox: 'shared' | 'isolated';
  /** Whether agents may use keys through /mcp. */
  readonly mcp: boolean;
  readonly secret: string | null;
  /** The vault's own secret, set once its key has been changed; the other one opens older values, or is the next one. */
  readonly vaultSecret: string | null;
  readonly otherVaultSecret: string | null;
  readonly workers: number;
  /** Of this machine, in logs, metrics and the list of nodes. */
  readonly nodeName: string;
  readonly logLevel: LogLevel;
  readonly metricsPort: number | null;
  /** Where traces are sent; null: there are none. */
  readonly tracing: TracingConfig | null;
  /** Failed authentications a minute from one address before they are answered 429. */
  readonly failedAuthLimit: number;
  readonly databaseConnections: number;
  /** How many keys that are not revoked an account may have. */
  readonly keysPerAccount: number;
  /** Whether a high limit takes two administrators, where there are two. */
  readonly fourEyes: boolean;
  /** Webhooks may be sent to this machine itself, over http too: for development and tests. */
  readonly loopbackTargets: boolean;
  /** The addresses from which the banks' bulletins are fetched. */
  readonly rateUrls: RateUrls;
  /** Whether business time may be moved, for tests and rehearsals; a date: to where a start sets it. */
  readonly testClock: boolean | Date;
  /** HOST is an address of this machine that no other reaches. */
  readonly loopback: boolean;
  /** Only this machine reaches the service: it listens on loopback, without PUBLIC_URL or TRUST_PROXY. */
  readonly private: boolean;
}

/** Longer than two health checks of a usual balancer. */
const DRAIN_BEHIND_PROXY_SECONDS = 5;

export class SettingError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Environment): Config {
  // Node listens on ::1, not on [::1] as addresses have it.
  const host = (env.HOST || '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  const port = integer(env, 'PORT', 3000, 0, 65_535);
  const loopbackTargets = onOrOff(env, 'ALLOW_LOOPBACK_TARGETS', false);
  const loopback = isLoopbackHost(host);
  const publicUrl = url(env, 'PUBLIC_URL', ['http:', 'https:'])?.replace(/(?<!\/)\/+$/, '') ?? null;
  const trustProxy = proxies(env.TRUST_PROXY ?? '');
  const config: Config = {
    host,
    port,
    loopback,
    private: loopback && publicUrl === null && trustProxy.length === 0,
    dataDir: resolve(env.DATA_DIR || '.data'),
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    // The default, written out.
    logDatabaseUrl: env.LOG_DATABASE_URL === env.DATABASE_URL ? null : databaseUrl(env, 'LOG_DATABASE_URL'),
    databaseReadUrls: databaseReadUrls(env.DATABASE_READ_URL),
    redisUrl: url(env, 'REDIS_URL', ['redis:', 'rediss:']),
    publicUrl,
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    s3: s3Config(env.S3_URL),
    recoveryDays: integer(env, 'RECOVERY_DAYS', 0, 0, 365),
    trustProxy,
    drainSeconds: integer(env, 'DRAIN_SECONDS', trustProxy.length > 0 ? DRAIN_BEHIND_PROXY_SECONDS : 0, 0, 600),
    live: live(env.LIVE ?? 'published'),
    sandbox: oneOf(env, 'SANDBOX', ['shared', 'isolated'] as const, 'shared'),
    mcp: onOrOff(env, 'MCP', true),
    secret: secret(env, 'GALERI_SECRET'),
    vaultSecret: secret(env, 'GALERI_VAULT_SECRET'),
    otherVaultSecret: secret(env, 'GALERI_VAULT_SECRET_OTHER'),
    workers: integer(env, 'WORKERS', 1, 1, 64),
    nodeName: nodeName(env.NODE_NAME),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsPort: env.METRICS_PORT ? integer(env, 'METRICS_PORT', 0, 0, 65_535) : null,
    tracing: tracing(env),
    failedAuthLimit: integer(env, 'FAILED_AUTH_LIMIT', 600, 1, 1_000_000),
    fourEyes: onOrOff(env, 'FOUR_EYES', true),
    loopbackTargets,
    rateUrls: {
      TCMB: rateUrl(env, 'RATES_TCMB_URL', BANK_URLS.TCMB, loopbackTargets),
      KKTCMB: rateUrl(env, 'RATES_KKTCMB_URL', BANK_URLS.KKTCMB, loopbackTargets),
    },
    testClock: testClock(env),
    keysPerAccount: integer(env, 'KEYS_PER_ACCOUNT', KEYS_PER_ACCOUNT, 1, 100_000),
    databaseConnections: integer(env, 'DATABASE_CONNECTIONS', 6, 2, 100),
  };
  if (config.workers > 1 && config.redisUrl === null) {
    throw new SettingError('WORKERS above 1 needs REDIS_URL: several processes share the per-minute limits through it');
  }
  if (config.databaseReadUrls.length > 0 && config.databaseUrl === null) {
    throw new SettingError('DATABASE_READ_URL requires DATABASE_URL, which is not set');
  }
  if (config.testClock !== false && (config.databaseUrl !== null || !config.loopback)) {
    throw new SettingError(
      'TEST_CLOCK is for tests and rehearsals only: it works with the embedded database (no DATABASE_URL) and a loopback HOST',
    );
  }
  if (config.testClock !== false && !config.private) {
    const name = config.publicUrl === null ? 'TRUST_PROXY' : 'PUBLIC_URL';
    throw new SettingError(
      `TEST_CLOCK is for tests and rehearsals only: it cannot be used with ${name}, because others reach the service there`,
    );
  }
  return config;
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  return value;
}

function oneOf<const V extends readonly string[]>(env: Environment, name: string, values: V, fallback: V[number]): V[number] {
  const text = env[name] || fallback;
  if (!values.includes(text)) throw new SettingError(`${name} must be one of ${values.join(', ')}, not "${text}"`);
  return text;
}

function onOrOff(env: Environment, name: string, fallback: boolean, others = ''): boolean {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const word = text.trim().toLowerCase();
  if (['on', 'true', '1', 'yes'].includes(word)) return true;
  if (['off', 'false', '0', 'no'].includes(word)) return false;
  throw new SettingError(`${name} must be on or off (or true/false, 1/0, yes/no)${others}, not "${text}"`);
}

function testClock(env: Environment): boolean | Date {
  const text = env.TEST_CLOCK?.trim() ?? '';
  return readClockTime(text) ?? onOrOff(env, 'TEST_CLOCK', false, `, or ${CLOCK_TIME}`);
}

/** The value itself is not repeated in the error: it may hold a password. */
function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const text = env[name];
  if (!text) return null;
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !protocols.includes(parsed.protocol)) {
    throw new SettingError(
      `${name} must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  }
  return text;
}

function databaseUrl(env: Environment, name: string): string | null {
  const text = env[name];
  if (!text) return null;
  const read = readDatabaseUrl(text);
  if ('problem' in read) throw new SettingError(`${name}: ${read.problem}`);
  return read.url;
}

function databaseReadUrls(text: string | undefined): readonly string[] {
  if (!text) return [];
  const read = readStandbyUrls(text);
  if ('problem' in read) throw new SettingError(`DATABASE_READ_URL: ${read.problem}`);
  return read.urls;
}

/** The error does not repeat the value here either: it holds the key and the secret. */
function s3Config(text: string | undefined): S3Config | null {
  if (!text) return null;
  const config = readS3Url(text);
  if (typeof config === 'string')
    throw new SettingError(`S3_URL must be like https://KEY:SECRET@host/bucket?region=eu-central-1: ${config}`);
  return config;
}

/** Unlike elsewhere an empty value has a meaning here: this bank's rates are not fetched. */
function rateUrl(env: Environment, name: string, fallback: string, loopback: boolean): string | null {
  const text = env[name] ?? fallback;
  if (text === '') return null;
  const url = allowedUrl(text, { loopback });
  if (url === null)
    throw new SettingError(
      `${name} must be a public https address, or with ALLOW_LOOPBACK_TARGETS=on one on this machine; if it is empty, this bank's rates are not fetched`,
    );
  return url.href;
}

function tracing(env: Environment): TracingConfig | null {
  const read = readTracing({
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    protocol: env.OTEL_EXPORTER_OTLP_PROTOCOL,
    service: env.OTEL_SERVICE_NAME,
    resource: env.OTEL_RESOURCE_ATTRIBUTES,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  });
  if (typeof read === 'string') throw new SettingError(read);
  return read;
}

function proxies(text: string): Range[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const range = parseRange(part);
      if (range === null) {
        throw new SettingError(`TRUST_PROXY must be a comma-separated list of addresses or CIDR ranges; "${part}" is not one`);
      }
      if (range[1] === 0) throw new SettingError(`TRUST_PROXY must not trust every address (${part})`);
      return range;
    });
}

function live(text: string): Config['live'] {
  if (text === 'published' || text === 'all') return text;
  const endpoints = text.split(',').map((endpoint) => endpoint.trim());
  const bad = endpoints.find((endpoint) => !/^(GET|POST|PATCH|DELETE) \S+$/.test(endpoint));
  if (bad !== undefined)
    throw new SettingError(
      `LIVE must be published, all, or a comma-separated list of endpoints such as 'GET vehicles'; "${bad}" is none`,
    );
  return endpoints;
}

function nodeName(text: string | undefined): string {
  // A host name may be longer, or hold characters that labels of metrics do not.
  if (!text)
    return hostname()
      .replace(/[^\w.-]/g, '-')
      .slice(0, 40);
  if (!/^[\w.-]{1,40}$/.test(text))
    throw new SettingError('NODE_NAME must be 1 to 40 letters, digits, dots, dashes or underscores');
  return text;
}

function secret(env: Environment, name: string): string | null {
  const text = env[name];
  if (!text) return null;
  if (text.length < 32) throw new SettingError(`${name} must have at least 32 characters; make one with: openssl rand -hex 32`);
  return text;
}
