// `serve`: starts the database, the demonstration on a first run, and one or several API processes, and stops them cleanly.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Config, processName, readConfig } from '../../config.ts';
import type { Demo } from '../../demo/demo-file.ts';
import { databaseClock } from '../../domain/clock/database-clock.ts';
import type { Files } from '../../domain/files/file-store.ts';
import { openFiles } from '../../domain/files/open-files.ts';
import { createFigures, type Figures } from '../../domain/sharing/figures.ts';
import type { Tracer } from '../../domain/tracing/spans.ts';
import { makePartitionsAtStart } from '../../domain/usage/log-retention.ts';
import { readSecrets, vaultMark } from '../../domain/vault/secrets.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { changedPanelSources } from '../../http/panel/build-check.ts';
import { listenForMetrics, showBuild, showDatabase } from '../../http/process-figures.ts';
import { requireFreePort } from '../../http/server.ts';
import { type Service, startService } from '../../http/service.ts';
import { lastCallNotShown } from '../../jobs/rotate-request-log.ts';
import { type Worker as JobWorker, startWorker, type WorkerParts, workSettings } from '../../jobs/worker.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import { sql } from '../../kit/sql.ts';
import { type Changes, openChanges } from '../../postgres/changes.ts';
import { type Connected, connect, openLogs } from '../../postgres/connect.ts';
import { openDatabase } from '../../postgres/database.ts';
import type { ReportLog } from '../../postgres/log-database.ts';
import { createProbe } from '../../postgres/reachable.ts';
import { type ServiceUrls, standbyUrls } from '../../postgres/roles.ts';
import { type Command, integerOption, progress, readOptions, UsageError } from '../command.ts';
import { holdDataDir } from '../service-lock.ts';
import { openWriter } from '../with-database.ts';
import { addDemoPhotos, type DemoChoice, type DemoState, decideDemo, openDemo, warnOfDemo } from './serve-demo.ts';
import { waitForStop, watchForStop } from './serve-drain.ts';
import { STOP_WITHIN_MS, stopsWithin, watchFailures } from './serve-failures.ts';
import { applyLive, endpointsFor } from './serve-live.ts';
import { openLog } from './serve-log.ts';
import { answerFigures, askFigures, mergeFigures } from './serve-metrics.ts';
import { openTestClock } from './serve-test-clock.ts';
import { openTracing } from './serve-tracing.ts';

export const serveCommand: Command = {
  usage: ['serve [--port N] [--live published|all] [--demo|--no-demo] [--only api|worker]'],
  async run(args) {
    const options = readOptions(args, { port: 'text', live: 'text', demo: 'flag', 'no-demo': 'flag', only: 'text' });
    const port = integerOption(options.port, 'port', 0, 65_535);
    if (options.live !== undefined && options.live !== 'published' && options.live !== 'all')
      throw new UsageError('--live must be published or all');
    if (options.only !== undefined && options.only !== 'api' && options.only !== 'worker')
      throw new UsageError('--only must be api or worker');
    const config = readConfig(port === null ? process.env : { ...process.env, PORT: String(port) });
    if (options.demo && options['no-demo']) throw new UsageError('--demo and --no-demo contradict each other');
    const demo = options['no-demo'] ? 'never' : options.demo ? 'always' : undefined;
    await serve(config, { live: options.live, only: options.only, demo });
    return undefined;
  },
};

interface ServeOptions {
  readonly live: 'published' | 'all' | undefined;
  readonly only: 'api' | 'worker' | undefined;
  readonly demo: DemoChoice;
}

/** The API of this process, or of several processes. */
interface Api {
  readonly url: string;
  readonly changes?: Changes;
  readonly parts?: { readonly files: Files; readonly writer: Writer };
  drain(): void;
  close(): Promise<void>;
}

async function serve(config: Config, options: ServeOptions): Promise<void> {
  endpointsFor(options.live ?? config.live);
  const log = openLog(config);
  const jobFigures = createFigures();
  const stop = watchForStop(log);
  const connected = await connect(config, progress, reportLogTo(log));
  const tracer = await openTracing(config, jobFigures, log);
  let api: Api | null = null;
  let hints: Changes | null = null;
  let lock: { close(): Promise<void> } | null = null;
  let worker: JobWorker | null = null;
  let metrics: { close(): Promise<void> } | null = null;
  let photos: { close(): Promise<void> } | null = null;
  try {
    lock = await holdDataDir(connected);
    if (options.only !== 'worker') await requireFreePort(config.host, config.port);
    watchPostgres(connected, log);
    const demoState = await openDeployment(config, connected, options, log);
    await openTestClock(config, connected.database, log);
    const clock = await databaseClock(connected.database);
    await makePartitionsAtStart(connected.database, clock.realNow(), reportLogTo(log));
    const notShown = await lastCallNotShown(connected.database, clock.realNow());
    if (notShown !== null)
      log.warn('calls from before LOG_DATABASE_URL are in DATABASE_URL and are not shown', { until: notShown.toISOString() });
    if (config.loopbackTargets)
      log.warn(
        'ALLOW_LOOPBACK_TARGETS is on: webhooks, connectors and rate feeds may call addresses on this machine; turn it off if other dealers can sign up',
      );
    const demo = await openDemo(config, connected, demoState, options.demo, clock);
    await warnOfDemo(config, connected.database, demoState, log);
    if (options.only !== 'worker') {
      const shown = demo !== null;
      api =
        config.workers === 1
          ? await serveHere(config, connected, log, { demo: shown, clock, jobFigures, tracer })
          : await serveInWorkers(config, connected, log, { demo: shown, jobFigures });
      announce(log, api.url, config, config.private ? demo : null, await isWithoutPeople(connected));
      await warnOfOldPanel(log);
    }
    if (options.only !== 'api') {
      // A process that also serves has a change channel already.
      hints = api?.changes ? null : await openHints(connected, config, clock, log);
      const files = api?.parts?.files ?? (await openFiles(config));
      const writer = api?.parts?.writer ?? openWriter(connected, config, clock);
      if (demo !== null && config.private) photos = addDemoPhotos(connected.database, files, clock, log);
      worker = work(config, { writer, clock, log, files, hints: api?.changes ?? hints!, figures: jobFigures, tracer });
      if (api === null) metrics = await showWorker(config, connected, clock, log, jobFigures);
      // Logged once everything is open that a signal has to close.
      if (api === null) log.info('the worker runs without the API');
    }
    await waitForStop(stop, config.drainSeconds, api, log);
    log.info('stopping: finishing running requests and jobs');
  } finally {
    // Requests are finished first; then the worker releases what it cannot finish.
    const inTime = await stopsWithin(STOP_WITHIN_MS, log, closeAll([api, photos, worker, metrics, hints, lock, tracer]));
    await connected.close();
    // What hangs would keep the process alive.
    if (!inTime) process.exit(1);
  }
  log.info('stopped');
}

async function closeAll(parts: readonly ({ close(): Promise<void> } | null)[]): Promise<void> {
  for (const part of parts) await part?.close();
}

/** The decisions of a first start are made in one transaction, so that a killed start leaves all of them or none. */
function openDeployment(
  config: Config,
  { database, embedded, secrets }: Connected,
  { live: flag, demo: choice }: ServeOptions,
  log: Log,
): Promise<DemoState> {
  return database.onPlatform('write', async (db) => {
    const fresh = (await db.exec(sql`insert into deployment default values on conflict do nothing`)) === 1;
    const mark = vaultMark(secrets);
    await db.exec(sql`update deployment set vault_mark = ${mark} where vault_mark is distinct from ${mark}`);
    const demo = await decideDemo(db, choice, embedded !== null && config.private);
    await applyLive(db, { live: config.live, flag, fresh }, log);
    return demo;
  });
}

async function warnOfOldPanel(log: Log): Promise<void> {
  const changed = await changedPanelSources();
  if (changed === null) log.warn('the panel is not built: npm run build');
  else if (changed.length > 0) log.warn('the panel is older than its sources: npm run build', { changed: changed.length });
}

const reportLogTo =
  (log: Log): ReportLog =>
  (line, reason) =>
    reason === undefined ? log.info(line) : log.warn(line, { reason });

function watchPostgres({ embedded }: Connected, log: Log): void {
  embedded?.supervise((what, detail) => {
    if (what === 'restarted') log.info('PostgreSQL is running again', { detail });
    else
      log.error(what === 'down' ? 'PostgreSQL is down; restarting it' : 'PostgreSQL could not be restarted; trying again', {
        detail,
      });
  });
}

/** A worker in its own process learns of due deliveries from the change channel. */
function openHints({ urls }: Connected, { nodeName }: Config, clock: Clock, log: Log): Promise<Changes> {
  const report = (what: 'lost' | 'restored', reason?: string) =>
    what === 'lost'
      ? log.warn('the change channel is lost; polling every second', { reason })
      : log.info('the change channel is restored');
  return openChanges({
    url: urls.platformUrl,
    clock,
    alone: false,
    serves: false,
    name: processName('worker', nodeName),
    report,
  });
}

function work(
  config: Config,
  shared: Pick<WorkerParts, 'writer' | 'clock' | 'log' | 'files' | 'hints' | 'figures' | 'tracer'>,
): JobWorker {
  return startWorker({ ...shared, ...workSettings(config) });
}

function serveHere(
  config: Config,
  { database, secrets, urls }: Connected,
  log: Log,
  shown: { readonly demo: boolean; readonly clock: Clock; readonly jobFigures: Figures; readonly tracer: Tracer | null },
): Promise<Service> {
  return startService({ config, database, secrets, ...addressesFor(config, urls), log, ...shown });
}

const addressesFor = ({ databaseReadUrls }: Config, urls: ServiceUrls) => ({
  platformUrl: urls.platformUrl,
  standbyUrls: standbyUrls(databaseReadUrls, urls),
});

/** Health and metrics of a process without an API. */
async function showWorker(
  { metricsPort, nodeName }: Config,
  { database, urls }: Connected,
  clock: Clock,
  log: Log,
  figures: Figures,
): Promise<{ close(): Promise<void> } | null> {
  if (metricsPort === null) return null;
  showBuild(figures, nodeName);
  showDatabase(figures, database, clock);
  const probe = createProbe(urls.platformUrl, database.isRefused);
  const isReady = async () => (await probe.isReachable()) && (await database.makesProgress());
  const server = await listenForMetrics({ port: metricsPort, log, read: figures.readAll, isReady });
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await probe.close();
    },
  };
}

const FIRST_DEALER = "galeri account create --name 'Akdeniz Oto' --owner-email name@example.com --owner-name 'Name Surname'";
const FIRST_ADMIN = 'galeri admin create --email name@example.com';

async function isWithoutPeople({ database }: Connected): Promise<boolean> {
  const { people } = await database.onPlatform('read', (db) =>
    db.one<{ people: boolean }>(sql`select exists (select from people) as people`),
  );
  return !people;
}

/** Null where others use the service: its operator has decided already. */
export const sandboxHint = ({ private: isPrivate, sandbox }: Pick<Config, 'private' | 'sandbox'>): string | null =>
  isPrivate && sandbox === 'shared'
    ? 'SANDBOX=isolated npm start gives every account a sandbox to write in (/docs#sandbox)'
    : null;

/** `demo` is given only for a private service, because it contains the sign-ins. */
function announce(log: Log, url: string, config: Config, demo: Demo | null, isWithoutPeople: boolean): void {
  const sandbox = sandboxHint(config);
  const api = `${url}/api/v1/`;
  const curl = demo && `curl -H 'Authorization: Bearer ${demo.key}' ${api}vehicles`;
  if (!process.stdout.isTTY) {
    const facts = demo ? { demo_key: demo.key, curl, demo_people: demo.people } : {};
    log.info('ready', { api, docs: `${url}/docs`, panel: `${url}/panel`, ...(sandbox === null ? {} : { sandbox }), ...facts });
    if (isWithoutPeople) log.info('no user can sign in yet', { first_dealer: FIRST_DEALER, first_administrator: FIRST_ADMIN });
    return;
  }
  const lines = [`  Panel      ${url}/panel`, `  API        ${api}`, `  Reference  ${url}/docs`];
  if (demo && demo.people.length > 0) {
    lines.push('', `  Sign in with the password ${demo.people[0]!.password} as`);
    for (const { email, account, role } of demo.people)
      lines.push(`    ${email}  (${account === null ? 'platform administrator' : `${account}${role ? `, ${role}` : ''}`})`);
  }
  if (isWithoutPeople)
    lines.push(
      '',
      '  No user can sign in yet. Create a dealer with its owner, and a platform administrator:',
      `    ${FIRST_DEALER}`,
      `    ${FIRST_ADMIN}`,
    );
  if (demo) lines.push('', `  Demo key   ${demo.key}  (${demo.account})`, '', `  ${curl}`);
  if (sandbox !== null) lines.push('', `  Sandbox    ${sandbox}`);
  process.stdout.write(`\nGaleri is ready.\n\n${lines.join('\n')}\n\nCtrl-C stops it.\n\n`);
}

/** Several processes share the port. They share limits through Redis and learn of changes from the database. */
async function serveInWorkers(
  config: Config,
  { urls, database }: Connected,
  log: Log,
  { demo, jobFigures }: { readonly demo: boolean; readonly jobFigures: Figures },
): Promise<Api> {
  let closing = false;
  const places = new Map<number, Worker>();
  const replace = (place: number) => (facts: Record<string, unknown>) => {
    if (closing) return;
    log.error('an API process ended; starting another', facts);
    setTimeout(() => closing || start(place).catch(() => {}), 500);
  };
  const start = async (place: number): Promise<string> => {
    const worker = forkWorker(replace(place));
    places.set(place, worker);
    // Errors are ignored, because the exit event reports a worker that is gone.
    worker.send({ urls, demo }, () => {});
    const ended = once(worker, 'exit').then(() => [{}]);
    const [message] = (await Promise.race([once(worker, 'message'), ended])) as [{ url?: string; failed?: string }];
    if (message.url === undefined) throw new Error(message.failed ?? 'an API process did not start');
    return message.url;
  };
  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const figures = async () =>
    mergeFigures([
      ...(await Promise.all([...places].map(async ([place, worker]) => [place, await askFigures(worker)] as const))),
      [null, jobFigures.text()],
    ]);
  let metrics: Server | null = null;
  const close = async () => {
    closing = true;
    metrics?.close();
    metrics?.closeAllConnections();
    await Promise.all(workers().map(stopWorker));
  };
  try {
    const [url] = await Promise.all(Array.from({ length: config.workers }, (_, place) => start(place + 1)));
    if (config.metricsPort !== null) {
      const isReady = () => database.makesProgress();
      metrics = await listenForMetrics({ port: config.metricsPort, log, read: figures, isReady });
    }
    const drain = () => {
      closing = true;
      for (const worker of workers()) if (worker.isConnected()) worker.send('drain', () => {});
    };
    return { url: url!, drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** `onEnd` is called once, even if the process could not be started. */
function forkWorker(onEnd: (facts: Record<string, unknown>) => void): Worker {
  try {
    const worker = cluster.fork();
    worker.once('exit', (code, signal) => onEnd({ code, signal }));
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) onEnd({ reason: error.message });
    });
    return worker;
  } catch (error) {
    onEnd({ reason: (error as Error).message });
    throw error;
  }
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  if (worker.isConnected()) worker.send('stop', () => {});
  // One that is frozen cannot end itself.
  const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS - 1000);
  await ended.finally(() => clearTimeout(late));
}

/** One of several API processes: gets its settings from the parent, and serves until the parent stops it or exits. */
export async function runWorkerProcess(): Promise<void> {
  // The terminal's Ctrl-C reaches every process; only the parent decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  // Listens from the beginning, because the parent may stop it before it has started.
  let service: Service | null = null;
  process.on('message', (message) => {
    if (message === 'stop') stop();
    if (message === 'drain') service?.drain();
  });
  process.on('disconnect', () => stop());
  const [{ urls, demo }] = (await once(process, 'message')) as [{ urls: ServiceUrls; demo: boolean }];
  const config = readConfig(process.env);
  const log = openLog(config);
  // The parent starts a new process.
  watchFailures(log, stop);
  try {
    const secrets = await readSecrets(config);
    const logs = await openLogs(config, secrets, urls.platformUrl, reportLogTo(log));
    const database = openDatabase({ ...urls, connections: config.databaseConnections, log: logs });
    // The parent answers on METRICS_PORT, for all processes.
    const own = { ...config, metricsPort: null };
    const jobFigures = createFigures();
    const tracer = await openTracing(config, jobFigures, log);
    const addresses = addressesFor(config, urls);
    service = await startService({ config: own, database, secrets, ...addresses, log, demo, jobFigures, tracer });
    answerFigures(service.figures);
    process.send!({ url: service.url }, () => {});
    await stopped;
    const inTime = await stopsWithin(STOP_WITHIN_MS - 2000, log, closeAll([service, database, tracer]));
    process.exit(inTime ? process.exitCode : 1);
  } catch (error) {
    process.send?.({ failed: (error as Error).message });
    process.exit(1);
  }
}
