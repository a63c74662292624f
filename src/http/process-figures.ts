// What METRICS_PORT shows of a process, beside its requests, and the port itself.
import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { VERSION } from '../config.ts';
import { pictureQueue } from '../domain/media/image-worker-pool.ts';
import { paperQueue } from '../domain/papers/drawing/paper-drawing.ts';
import { type Figures, label } from '../domain/sharing/figures.ts';
import type { Tracer } from '../domain/tracing/spans.ts';
import { type KeptProof, lastProof } from '../domain/wallet/books.ts';
import { type Backlog, readBacklog } from '../domain/webhooks/backlog.ts';
import { countFailures } from '../domain/writes/transition-failures-platform.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import type { Copies } from '../postgres/standbys.ts';
import type { ApiParts } from './api/pipeline.ts';
import { listen } from './server.ts';

const RESOLUTION_MS = 10;

/** Version and machine, and how long the event loop was busy with one thing. */
export function showBuild(figures: Figures, nodeName: string): void {
  figures.gauge('galeri_build_info', 'The version of this process and the name of its machine.', () => [
    [`version="${label(VERSION)}",node="${label(nodeName)}"`, 1],
  ]);
  let loop: ReturnType<typeof monitorEventLoopDelay> | null = null;
  figures.gauge('galeri_event_loop_lag_seconds', 'Delay of the event loop since the last reading.', () => {
    // Measured from the first reading on, because the measurement itself takes a timer.
    if (loop === null) {
      loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      loop.enable();
    }
    // What is measured is the time between two ticks.
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
    const [middle, high, max] = [seconds(loop.percentile(50)), seconds(loop.percentile(99)), seconds(loop.max)];
    loop.reset();
    return [
      ['quantile="0.5"', middle],
      ['quantile="0.99"', high],
      ['quantile="1"', max],
    ];
  });
  figures.gauge('galeri_resident_bytes', 'Resident memory of this process.', () => process.memoryUsage.rss());
  figures.gauge('galeri_drawings', 'Papers and pictures that are drawn or wait for it.', () => {
    const [papers, pictures] = [paperQueue(), pictureQueue()];
    return [
      ['kind="paper",state="running"', papers.running],
      ['kind="paper",state="waiting"', papers.waiting],
      ['kind="picture",state="running"', pictures.running],
      ['kind="picture",state="waiting"', pictures.waiting],
    ];
  });
}

export function showProcess(
  { metrics, requestLog, cache, database, keyCache, budgets }: ApiParts,
  isCurrent: () => boolean,
): void {
  metrics.gauge('galeri_requests_under_way', 'Requests of keys and people being answered.', () => budgets.requests.taken());
  metrics.gauge('galeri_event_streams', 'Event streams that are open.', () => budgets.eventStreams.taken());
  metrics.gauge('galeri_body_bytes', 'Bytes of request bodies in memory.', () => budgets.bodyBytes.taken());
  metrics.gauge(
    'galeri_unread_reply_bytes',
    'Bytes of replies that callers have not read yet.',
    () => budgets.replyBytes.taken() + budgets.strangerReplyBytes.taken(),
  );
  metrics.gauge(
    'galeri_request_log_dropped',
    'Calls dropped from the request log while the database was unavailable.',
    requestLog.dropped,
  );
  metrics.gauge('galeri_response_cache_bytes', 'Bytes held by the response cache.', cache.bytes);
  metrics.gauge('galeri_database_waiting', 'Requests waiting for a database connection.', database.waiting);
  metrics.counter('galeri_database_waits_total', 'Times that work waited for a connection.', () => database.waits().count);
  metrics.counter('galeri_database_wait_seconds_total', 'Time of these waits.', () => database.waits().seconds);
  metrics.gauge('galeri_key_reads', 'Key look-ups that reached the database.', keyCache.reads);
  metrics.gauge('galeri_change_channel_current', 'Whether this node receives changes as they happen.', () =>
    isCurrent() ? 1 : 0,
  );
}

export function showStandbys(figures: Figures, copies: Copies): void {
  const standbys = () => copies.figures().map((one) => [`standby="${label(one.host)}"`, one] as const);
  if (standbys().length === 0) return;
  figures.gauge('galeri_standby_used', 'Whether reads go to this standby.', () =>
    standbys().map(([name, { state }]) => [name, state === 'good' ? 1 : 0]),
  );
  figures.gauge('galeri_standby_lag_seconds', 'How old the data of this standby was when it was last checked.', () =>
    standbys().flatMap(([name, { lagSeconds }]) => (lagSeconds === null ? [] : [[name, lagSeconds] as const])),
  );
  figures.counter('galeri_standby_reads_total', 'Reads on this standby; all but those used were made on the primary again.', () =>
    standbys().flatMap(([name, { reads }]) =>
      Object.entries(reads).map(([outcome, count]) => [`${name},outcome="${outcome}"`, count] as const),
    ),
  );
}

/** Of the whole deployment, read from the database; while it is unavailable, as last read. */
export function showDatabase(figures: Figures, database: Database, clock: Clock): void {
  let proof: KeptProof | null = null;
  let failing = 0;
  let backlog: Backlog = { waiting: 0, due: 0, oldest_due_seconds: 0 };
  figures.before(async () => {
    proof = await database.onPlatform('read', lastProof);
  });
  figures.before(async () => {
    failing = await database.onPlatform('read', countFailures);
  });
  figures.before(async () => {
    backlog = await database.onPlatform('read', (db) => readBacklog(db, clock.realNow()));
  });
  figures.gauge(
    'galeri_ledger_imbalance_minor',
    'The largest difference found by the ledger check, 0 if the books balance.',
    () => Number(proof?.imbalance ?? 0),
  );
  figures.gauge('galeri_ledger_proved_timestamp_seconds', 'When the ledger was last checked.', () =>
    Math.floor((proof?.proved_at.getTime() ?? 0) / 1000),
  );
  figures.gauge(
    'galeri_timed_transitions_failing',
    'Records whose timed transition failed and is tried again later.',
    () => failing,
  );
  figures.gauge('galeri_webhook_deliveries', 'Deliveries that are not made yet; due: their time has come.', () => [
    ['state="waiting"', backlog.waiting],
    ['state="due"', backlog.due],
  ]);
  figures.gauge(
    'galeri_webhook_oldest_due_seconds',
    'How long the oldest due delivery is overdue.',
    () => backlog.oldest_due_seconds,
  );
}

export function showTraces(figures: Figures, { counts }: Tracer): void {
  figures.counter('galeri_trace_spans_total', 'Spans that the collector took, and those that were dropped.', () => [
    ['outcome="exported"', counts().exported],
    ['outcome="dropped"', counts().dropped],
  ]);
}

export interface MetricsPort {
  readonly port: number;
  readonly log: Log;
  readonly read: () => Promise<string>;
  /** For a supervisor of a process without an API. */
  readonly isReady: () => Promise<boolean>;
}

/** Always on loopback, regardless of HOST, because the metrics show every dealer's traffic. */
export async function listenForMetrics({ port, log, read, isReady }: MetricsPort): Promise<Server> {
  const pages: Record<string, () => Promise<[status: number, text: string]>> = {
    '/metrics': () => figuresOf(read, log),
    '/healthz': async () => [200, 'ok\n'],
    '/readyz': async () => ((await isReady()) ? [200, 'ready\n'] : [503, 'not ready\n']),
  };
  const server = createServer(async (request, response) => {
    const page = Object.hasOwn(pages, request.url ?? '') ? pages[request.url!] : undefined;
    const [status, text] = page === undefined ? [404, 'See /metrics, /healthz and /readyz\n'] : await page();
    response.writeHead(status, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  });
  await listen(server, '127.0.0.1', port, log);
  return server;
}

/** A metric that fails must not end the service. */
async function figuresOf(read: () => Promise<string>, log: Log): Promise<[status: number, text: string]> {
  try {
    return [200, await read()];
  } catch (error) {
    log.error('the metrics cannot be read', { reason: String(error) });
    return [500, 'The metrics cannot be read\n'];
  }
}
