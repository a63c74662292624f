// Starts the parts of one API process and stops them in the right order.

import { statfs } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { type Config, processName, VERSION } from '../config.ts';
import { readDemoFile } from '../demo/demo-file.ts';
import { openSignIns } from '../demo/demo-people.ts';
import { buildCatalog } from '../domain/catalog/catalog.ts';
import { CONSEQUENCES } from '../domain/consequences.ts';
import { openFiles } from '../domain/files/open-files.ts';
import type { Figures } from '../domain/sharing/figures.ts';
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import type { Tracer } from '../domain/tracing/spans.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { vaultKeys } from '../domain/vault/vault.ts';
import { createWriter } from '../domain/writes/write.ts';
import { type Clock, createClock } from '../kit/clock.ts';
import { type Database, logOf } from '../kit/db.ts';
import type { Resource } from '../kit/endpoint.ts';
import type { Log } from '../kit/log.ts';
import { sql } from '../kit/sql.ts';
import type { PanelServices } from '../panel/kit/services.ts';
import { type Changes, openChanges } from '../postgres/changes.ts';
import { type KnownVersions, watchVersions } from '../postgres/known-versions.ts';
import { createProbe } from '../postgres/reachable.ts';
import { type Copies, openCopies, primaryOnly } from '../postgres/standbys.ts';
import { resources as catalogResources } from '../resources/index.ts';
import { openSandbox } from '../sandbox/open-sandbox.ts';
import { WORLD_PEOPLE } from '../sandbox/people/people.ts';
import type { OpenSandbox, SandboxActions, SandboxParts } from '../sandbox/sandbox-actions.ts';
import { WORLD_TRANSITIONS } from '../sandbox/world-transitions.ts';
import { type ApiEndpoint, apiEndpoints } from './api/api-endpoints.ts';
import { addressOf } from './api/call.ts';
import { createCatchUp } from './api/catch-up.ts';
import { createKeyCache } from './api/key-cache.ts';
import { type ApiParts, answerAsCall, createApi } from './api/pipeline.ts';
import { createReleaseCache } from './api/release-cache.ts';
import { createRequestLog } from './api/request-log.ts';
import { createResponseCache } from './api/response-cache.ts';
import { createWorlds } from './api/worlds.ts';
import { createEventEntry, type EventEntry } from './events/event-entry.ts';
import { createFileLinks } from './file-links.ts';
import { createMcpEntry } from './mcp/lazy-entry.ts';
import { createPanelAssets } from './panel/assets.ts';
import { createPanel, type Panel } from './panel/router.ts';
import { listenForMetrics, showBuild, showDatabase, showProcess, showStandbys } from './process-figures.ts';
import { createCustomerPageEntry } from './public/customer-page-entry.ts';
import { createShowroomEntry, type ShowroomEntry } from './public/showroom-entry.ts';
import { createSigningEntry } from './public/signing-entry.ts';
import { createMemoryLimiter, type Limiter } from './rate-limits/rate-limit.ts';
import { createSandboxEntry } from './sandbox/sandbox-entry.ts';
import { createHttpServer, endConnectionsWithReplies, listen, stopListening } from './server.ts';
import { createSite } from './site.ts';
import { createBudgets } from './wire/budgets.ts';
import { createMetrics, type Metrics } from './wire/metrics.ts';
import { commonHeaders, errorPagesOf } from './wire/reply.ts';

export interface ServiceOptions {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  /** The platform role's URL, for the change channel's own connection. */
  readonly platformUrl: string;
  /** The tenant role's URL on each standby of DATABASE_READ_URL. */
  readonly standbyUrls?: readonly string[];
  readonly log: Log;
  readonly clock?: Clock;
  /** Another catalog than the real one, for tests. */
  readonly resources?: readonly Resource[];
  /** Whether the demonstration's sign-ins may be shown at all, where the service is private. */
  readonly demo?: boolean;
  /** Another folder than dist/panel, for tests. */
  readonly panelFolder?: string;
  /** How long a caller may stop reading its reply; tests set it. */
  readonly stalledMs?: number;
  /** Other worlds than the real ones, for tests. */
  readonly sandbox?: OpenSandbox;
  /** Of the jobs that run in this process too. */
  readonly jobFigures?: Figures;
  /** Null: there are no traces. */
  readonly tracer?: Tracer | null;
}

export interface Service {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  readonly parts: ApiParts;
  readonly changes: Changes;
  readonly showroom: ShowroomEntry;
  /** The metrics of this process, for Prometheus. */
  figures(): Promise<string>;
  /** No longer ready, but still accepting: for the time until a balancer has noticed. */
  drain(): void;
  close(): Promise<void>;
}

/** If a part cannot start, for example because the port is in use, the parts before it are closed again. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const opened: (() => unknown)[] = [];
  try {
    return await openService(options, (close) => opened.push(close));
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

async function openService(options: ServiceOptions, onFailure: (close: () => unknown) => void): Promise<Service> {
  const { config, database, log } = options;
  const clock = options.clock ?? createClock();
  const endpoints = apiEndpoints(options.resources ?? catalogResources);
  const files = await openFiles(config);
  const changes = await openChannel(options, clock);
  onFailure(changes.close);
  // Final only once the port is known, because PORT=0 takes any.
  let publicUrl = config.publicUrl ?? urlOf(config.host, config.port);
  const metrics = createMetrics();
  showBuild(metrics, config.nodeName);
  const limiter = await openLimiter(options, changes, metrics.gauge);
  onFailure(() => limiter.close());
  const versions = watchVersions(database, changes);
  const copies = openStandbys(options, changes, versions);
  onFailure(copies.close);
  showStandbys(metrics, copies);
  const cache = createResponseCache(versions, changes);
  const opened = { endpoints, clock, files, metrics, limiter, versions, copies, cache, publicUrl: () => publicUrl };
  const parts = await createParts(options, changes, opened);
  onFailure(parts.requestLog.close);
  showProcess(parts, changes.isCurrent);
  let stopping = false;
  const probe = createProbe(options.platformUrl, database.isRefused);
  onFailure(probe.close);
  const isReady = async () => !stopping && (await probe.isReachable()) && (await database.makesProgress());
  const { server, panel, events, showroom } = createEntryPoints(options, parts, changes, endpoints, isReady);
  const closeEntryPoints = async () => {
    await closeAll(server, [panel, events]);
    await showroom.close();
  };
  onFailure(closeEntryPoints);
  const url = urlOf(config.host, await listen(server, config.host, config.port, log));
  publicUrl = config.publicUrl ?? url;
  showDatabase(metrics, database, clock);
  const jobs = options.jobFigures;
  const figures = async () => `${await metrics.readAll()}${jobs?.text() ?? ''}`;
  const metricsServer =
    config.metricsPort === null ? null : await listenForMetrics({ port: config.metricsPort, log, read: figures, isReady });
  return {
    url,
    parts,
    changes,
    showroom,
    figures,
    drain: () => {
      stopping = true;
      endConnectionsWithReplies(server);
    },
    close: async () => {
      stopping = true;
      await closeEntryPoints();
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      await parts.requestLog.close();
      await Promise.all([copies.close(), limiter.close(), changes.close(), probe.close()]);
    },
  };
}

type OpenedParts = Pick<ApiParts, 'clock' | 'files' | 'metrics' | 'limiter' | 'copies' | 'cache' | 'publicUrl'> & {
  readonly endpoints: readonly ApiEndpoint[];
  readonly versions: KnownVersions;
};

interface ServiceParts extends ApiParts {
  readonly versions: KnownVersions;
  /** Null unless SANDBOX=isolated. */
  readonly sandbox: SandboxActions | null;
}

/** What every entry point uses: the caches, the writer, the limits and the logs. */
async function createParts(options: ServiceOptions, changes: Changes, opened: OpenedParts): Promise<ServiceParts> {
  const { config, database, secrets, log } = options;
  const { endpoints, ...shared } = opened;
  const { clock, files, limiter, publicUrl } = shared;
  const writer = createWriter({
    database,
    secrets,
    clock,
    loopbackTargets: config.loopbackTargets,
    consequences: CONSEQUENCES,
    worldPeople: WORLD_PEOPLE,
    publicUrl,
    files: async () => files,
  });
  const sandbox = sandboxOf(options, { writer, files: async () => files, publicUrl });
  return {
    ...shared,
    sandbox,
    catalog: buildCatalog(endpoints),
    database,
    keyCache: createKeyCache(database, changes, secrets.pepper),
    release: await createReleaseCache(database, changes, endpoints, config.sandbox === 'shared'),
    failures: { admit: (address, limit) => limiter.admit(`failed:${address}`, limit) },
    failedAuthLimit: config.failedAuthLimit,
    trustProxy: config.trustProxy,
    errorPages: errorPagesOf(config.publicUrl),
    catchUp: createCatchUp(writer, changes, TIMED_TRANSITIONS, WORLD_TRANSITIONS),
    writer,
    worlds: sandbox === null ? null : createWorlds({ database, clock, ensure: sandbox.ensure }),
    canMail: config.smtpUrl !== null,
    secrets,
    budgets: createBudgets(),
    requestLog: createRequestLog(logOf(database), log),
    common: commonHeaders(config.publicUrl),
    log,
  };
}

const sandboxOf = ({ config, sandbox = openSandbox }: ServiceOptions, parts: SandboxParts): SandboxActions | null =>
  config.sandbox === 'shared' ? null : sandbox(parts);

/** All handlers of the port. */
function createEntryPoints(
  options: ServiceOptions,
  parts: ServiceParts,
  changes: Changes,
  endpoints: readonly ApiEndpoint[],
  isReady: () => Promise<boolean>,
): { server: Server; panel: Panel; events: EventEntry; showroom: ShowroomEntry } {
  const { trustProxy, errorPages, clock, log } = parts;
  const callerOf = (request: IncomingMessage) => addressOf(request, request.headers['x-forwarded-for']?.toString(), trustProxy);
  const isPublished = options.config.publicUrl !== null;
  const site = createSite({
    ...parts,
    isPublished,
    endpoints,
    mcp: options.config.mcp,
    isReady,
    addressOf: callerOf,
    asCall: (...args) => answerAsCall(parts, ...args),
  });
  const signing = createSigningEntry({ ...parts, addressOf: callerOf });
  const showroom = createShowroomEntry({ ...parts, addressOf: callerOf, isPublished }, changes);
  const services = panelServices(options, parts, watchDeliveries(changes), watchWrites(parts.database, changes));
  const panel = createPanel({ ...parts, services }, createPanelAssets(options.panelFolder));
  const events = createEventEntry(parts, changes);
  const files = createFileLinks({ ...parts, addressOf: callerOf });
  const entries = {
    api: createApi(parts),
    site,
    panel: panel.handle,
    files,
    events: events.handle,
    signing,
    showroom: showroom.handle,
    customerPage: createCustomerPageEntry({ ...parts, addressOf: callerOf }),
    sandbox: createSandboxEntry(parts),
    mcp: createMcpEntry({ ...parts, mcp: options.config.mcp }),
  };
  const { stalledMs, tracer = null } = options;
  const server = createHttpServer({
    ...entries,
    clock,
    errorPages,
    log,
    tracer,
    trustProxy,
    ...(stalledMs === undefined ? {} : { stalledMs }),
  });
  return { server, panel, events, showroom };
}

function reportChannel(log: Log, what: 'lost' | 'restored', reason?: string): void {
  if (what === 'lost') log.warn('the change channel is lost; reading from the database', { reason });
  else log.info('the change channel is restored');
}

/** What the panel's endpoints may use of this process. */
function panelServices(
  { secrets, demo = false, config }: ServiceOptions,
  { catalog, release, limiter, database, copies, writer, clock, publicUrl, log, sandbox, worlds }: ServiceParts,
  onDelivery: PanelServices['onDelivery'],
  onWritten: PanelServices['onWritten'],
): PanelServices {
  return {
    onDelivery,
    onWritten,
    catalog,
    release: () => release.now(),
    usedThisMinute: (keyId) => limiter.used(keyId),
    database,
    copies,
    writer,
    secrets,
    vault: vaultKeys(secrets),
    publicUrl,
    loopbackTargets: config.loopbackTargets,
    canMail: config.smtpUrl !== null,
    keysPerAccount: config.keysPerAccount,
    fourEyes: config.fourEyes,
    sandbox: sandbox === null || worlds === null ? null : { ...sandbox, worlds },
    demoSignIns: async () => {
      // Read each time, because the demonstration may have been removed since.
      const kept = demo && config.private ? await readDemoFile(config.dataDir) : null;
      return kept === null ? [] : database.onPlatform('read', (db) => openSignIns(db, kept.people));
    },
    disk: async () => {
      const found = await statfs(config.dataDir).catch(() => null);
      return found && { free_bytes: found.bavail * found.bsize, total_bytes: found.blocks * found.bsize };
    },
    version: VERSION,
    clockOffset: () => {
      const { now, realNow } = clock.times();
      return now.getTime() - realNow.getTime();
    },
    log,
  };
}

/**
 * One listener on the change channel for all views. All are notified when the channel is restored, as they may have missed a
 * change.
 */
function watchDeliveries(changes: Changes): PanelServices['onDelivery'] {
  const watching = new Map<string, Set<() => void>>();
  changes.onChange(({ topic, id }) => {
    if (topic === 'due' || topic === 'delivery') for (const notify of watching.get(id) ?? []) notify();
  });
  changes.onRestored(() => {
    for (const all of watching.values()) for (const notify of all) notify();
  });
  return (webhookId, listener) => {
    const all = watching.get(webhookId) ?? new Set();
    watching.set(webhookId, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0) watching.delete(webhookId);
    };
  };
}

/** This node's own writes immediately, other nodes' through the change channel. */
function watchWrites(database: Database, changes: Changes): PanelServices['onWritten'] {
  return (listener) => {
    database.onWritten(listener);
    changes.onChange(({ topic }) => {
      if (topic === 'data') listener();
    });
    changes.onRestored(listener);
  };
}

const urlOf = (host: string, port: number): string =>
  `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;

async function closeAll(server: Server, entries: readonly { close(): void }[]): Promise<void> {
  for (const entry of entries) entry.close();
  await stopListening(server);
}

function openStandbys(
  { config, database, standbyUrls = [], log }: ServiceOptions,
  changes: Changes,
  versions: KnownVersions,
): Copies {
  if (standbyUrls.length === 0) return primaryOnly(database);
  return openCopies({
    database,
    urls: standbyUrls,
    connections: config.databaseConnections,
    changes,
    versions,
    report: (standby, state, reason) => {
      if (state === 'good') log.info('reading from a standby', { standby });
      else log.warn('a standby is not read from', { standby, state, reason });
    },
  });
}

const openChannel = ({ config, platformUrl, standbyUrls = [], log }: ServiceOptions, clock: Clock): Promise<Changes> =>
  openChanges({
    url: platformUrl,
    clock,
    alone: config.redisUrl === null,
    name: processName('api', config.nodeName),
    storesBeats: standbyUrls.length > 0,
    report: (what, reason) => reportChannel(log, what, reason),
  });

async function openLimiter(
  { config, database, log }: ServiceOptions,
  changes: Changes,
  gauge: Metrics['gauge'],
): Promise<Limiter> {
  if (config.redisUrl === null) return createMemoryLimiter();
  let degraded = 0;
  gauge('galeri_limits_degraded', 'Whether limits are kept per node because Redis is lost.', () => degraded);
  const onDegraded = (is: boolean) => {
    degraded = is ? 1 : 0;
  };
  // Loaded only where it is used, because the driver takes 20 MB.
  const { createRedisLimiter } = await import('./rate-limits/rate-limit-redis.ts');
  const channel = {
    send: async (text: string) => {
      await database.onPlatform('write', (db) => db.exec(sql`select pg_notify('galeri_changes', ${`limits:${text}`})`));
    },
    onMessage: (listener: (text: string) => void) => changes.onChange(({ topic, id }) => topic === 'limits' && listener(id)),
  };
  return createRedisLimiter({ url: config.redisUrl, nodes: changes.nodes, channel, log, onDegraded });
}
