// The background jobs and how often they run. Several processes may run them at once, because each job claims its own work.
import type { Config } from '../config.ts';
import { alignClock as alignToDatabase } from '../domain/clock/database-clock.ts';
import type { RateUrls } from '../domain/exchange-rates/bulletin-fetch.ts';
import type { Files } from '../domain/files/file-store.ts';
import type { Figures, Sample } from '../domain/sharing/figures.ts';
import { allAnswers } from '../kit/db.ts';
import { clearRemovedWorlds, retireIdleWorlds } from '../sandbox/remove-worlds.ts';
import { announceRates } from './announce-rates.ts';
import { type DeliveryParts, startWebhookSender } from './deliver-webhooks.ts';
import { eraseEnquiries } from './erase-enquiries.ts';
import { erasePapers } from './erase-papers.ts';
import { createFailureLog } from './failure-log.ts';
import { fetchRates, lookSooner } from './fetch-rates.ts';
import { claimRound, releaseRound } from './job-rounds.ts';
import { proveLedger, proveLedgerIfDue } from './prove-ledger.ts';
import { purgeOldRows } from './purge-old-rows.ts';
import { queueReminders } from './queue-reminders.ts';
import { queueReportMails } from './queue-report-mails.ts';
import { rotateRequestLog } from './rotate-request-log.ts';
import { startImporter } from './run-imports.ts';
import { runTimedTransitions } from './run-timed-transitions.ts';
import { lookAfterWorlds, runWorlds } from './run-worlds.ts';
import { sendMails as sendDueMails } from './send-mails.ts';
import { fileAges, sweepFiles } from './sweep-files.ts';

/** The part of the change channel (postgres/changes.ts) that wakes the webhook sender. */
interface Hints {
  onChange(listener: (change: { readonly topic: string }) => void): void;
  onRestored(listener: () => void): void;
}

export interface WorkerParts extends DeliveryParts {
  /** Without hints, deliveries of other processes are found by the next poll. */
  readonly hints?: Hints;
  /** null: no mail is sent. */
  readonly smtpUrl: string | null;
  readonly files: Files;
  readonly rateUrls: RateUrls;
  /** SANDBOX=isolated: worlds are open, and what falls due in them happens. */
  readonly worlds?: boolean;
  /** For how many days files of deleted records stay in the store, because the database may be restored to a moment before. */
  readonly recoveryDays?: number;
  /** Where the worker shows what it does. */
  readonly figures?: Figures;
}

/** What the work takes from the settings. */
export const workSettings = ({ smtpUrl, loopbackTargets, rateUrls, sandbox, recoveryDays }: Config) => ({
  smtpUrl,
  outbound: { loopback: loopbackTargets },
  rateUrls,
  worlds: sandbox === 'isolated',
  recoveryDays,
});

interface Job {
  readonly id:
    | 'ended'
    | 'enquiries'
    | 'reminders'
    | 'report_mails'
    | 'mails'
    | 'clock'
    | 'request_log'
    | 'cleared'
    | 'papers'
    | 'files'
    | 'rates'
    | 'rate_news'
    | 'worlds'
    | 'world_jobs'
    | 'removed_worlds'
    | 'ledger';
  /** The name in log messages. */
  readonly name: string;
  readonly everyMs: number;
  /** Once in this time over all workers. Without it each worker runs the job, which claims its own work. */
  readonly sharedMs?: number;
  /** Returns how much was done. */
  run(parts: WorkerParts, stopping?: AbortSignal): Promise<number>;
}

const S = 1000;
const H = 3600 * S;
const JOBS: readonly Job[] = [
  { id: 'ended', name: 'what ends by time', everyMs: S, run: runAllTransitions },
  { id: 'reminders', name: 'reminders by mail', everyMs: 60 * S, sharedMs: 60 * S, run: queueDueReminders },
  { id: 'report_mails', name: 'reports by mail', everyMs: 60 * S, sharedMs: 60 * S, run: queueDueReports },
  { id: 'mails', name: 'mail', everyMs: 5 * S, run: sendAllMails },
  { id: 'clock', name: 'the clock', everyMs: 30 * S, run: alignClock },
  { id: 'request_log', name: 'the upkeep of the request log', everyMs: H, sharedMs: H, run: keepLog },
  { id: 'cleared', name: 'clearing away', everyMs: H, sharedMs: H, run: clear },
  { id: 'papers', name: 'the erasure of old papers', everyMs: H, sharedMs: 24 * H, run: eraseOldPapers },
  { id: 'enquiries', name: 'the erasure of old enquiries', everyMs: H, sharedMs: H, run: eraseUnusedEnquiries },
  { id: 'files', name: 'the sweep of files', everyMs: 60 * S, run: sweepOldFiles },
  { id: 'rates', name: 'fetching exchange rates', everyMs: 10 * S, run: fetchDueRates },
  { id: 'rate_news', name: 'the announcement of exchange rates', everyMs: 2 * S, run: announceNewRates },
  { id: 'removed_worlds', name: 'the removal of sandboxes', everyMs: 60 * S, run: removeWorlds },
  { id: 'ledger', name: 'the proof of the books', everyMs: 600 * S, run: proveDueLedger },
  { id: 'worlds', name: 'what ends by time in sandboxes', everyMs: 5 * S, run: runOpenWorlds },
  { id: 'world_jobs', name: 'the jobs of sandboxes', everyMs: 60 * S, run: lookAfterOpenWorlds },
];

export interface Worker {
  close(): Promise<void>;
}

export function startWorker(parts: WorkerParts): Worker {
  const sender = startWebhookSender(parts);
  parts.hints?.onChange(({ topic }) => topic === 'due' && sender.nudge());
  parts.hints?.onRestored(() => sender.nudge());
  lookSooner(parts.writer.database, parts.clock.realNow()).catch(() => {});
  // The next poll follows anyway.
  proveBooksNow(parts).catch((error) => parts.log.warn('the proof of the books failed', { reason: String(error) }));
  const importer = startImporter(parts);
  const rounds = JOBS.map((job) => startRounds(job, parts));
  if (parts.figures !== undefined) showJobs(parts.figures, rounds);
  return {
    close: async () => {
      await Promise.all([sender.close(), importer.close(), ...rounds.map((round) => round.close())]);
    },
  };
}

interface Rounds extends Worker {
  readonly id: string;
  /** Since its start, as long as no round has succeeded. */
  succeededAt(): number;
  failures(): number;
}

function showJobs(figures: Figures, rounds: readonly Rounds[]): void {
  const each = (read: (round: Rounds) => number) => () => rounds.map((round): Sample => [`task="${round.id}"`, read(round)]);
  figures.gauge(
    'galeri_job_age_seconds',
    'Time since the last round of a job that did not fail.',
    each(({ succeededAt }) => (performance.now() - succeededAt()) / 1000),
  );
  figures.counter(
    'galeri_job_failures_total',
    'Rounds of a job that failed.',
    each(({ failures }) => failures()),
  );
}

/** Runs one round at a time; a slow round delays the next. */
function startRounds(job: Job, parts: WorkerParts): Rounds {
  let succeededAt = performance.now();
  let failures = 0;
  let running: Promise<void> | null = null;
  const stopping = new AbortController();
  const trouble = createFailureLog(parts.log, job.name);
  const round = async (): Promise<void> => {
    try {
      await runShared(job, parts, stopping.signal);
      succeededAt = performance.now();
      trouble.worked();
    } catch (error) {
      failures += 1;
      trouble.failed(error);
    }
  };
  const timer = setInterval(() => {
    running ??= round().finally(() => {
      running = null;
    });
  }, job.everyMs);
  return {
    id: job.id,
    succeededAt: () => succeededAt,
    failures: () => failures,
    close: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** Another worker may have the round. */
async function runShared(job: Job, parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const { writer, clock } = parts;
  const { id, sharedMs } = job;
  if (sharedMs !== undefined && !(await claimRound(writer.database, id, sharedMs, clock.realNow()))) return;
  try {
    await job.run(parts, signal);
  } catch (error) {
    if (sharedMs !== undefined) await releaseRound(writer.database, id, clock.realNow()).catch(() => {});
    throw error;
  }
}

export interface Drained {
  readonly ended: number;
  readonly mails: number;
  readonly cleared: number;
  readonly files: number;
  /** Bulletins stored. */
  readonly rates: number;
  /** Import runs that ended. */
  readonly imports: number;
  readonly deliveries: number;
}

/** Does everything that is due now, once. Deliveries come last, because the other jobs emit events. */
export async function drainWork(parts: WorkerParts): Promise<Drained> {
  const done: Record<string, number> = {};
  for (const job of JOBS) done[job.id] = await job.run(parts);
  await proveBooksNow(parts);
  const imports = await drainImports(parts);
  const sender = startWebhookSender(parts);
  try {
    const { ended = 0, mails = 0, cleared = 0, files = 0, rates = 0 } = done;
    return { ended, mails, cleared, files, rates, imports, deliveries: await sender.drain() };
  } finally {
    await sender.close();
  }
}

/** Without pauses, because this process serves no requests. */
async function drainImports(parts: WorkerParts): Promise<number> {
  const importer = startImporter({ ...parts, pauseRatio: 0 });
  try {
    return await importer.drain();
  } finally {
    await importer.close();
  }
}

/** A limit, so that a data set which is due again and again does not block the other jobs. */
const MAX_ROUNDS = 100;

async function runAllTransitions({ writer, clock }: WorkerParts): Promise<number> {
  let swept = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const looked = await runTimedTransitions(writer, clock.now());
    if (looked === 0) break;
    swept += looked;
  }
  return swept;
}

async function queueDueReminders({ writer, smtpUrl, clock }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return smtpUrl === null ? 0 : queueReminders(writer, clock.times(), signal);
}

async function queueDueReports({ writer, smtpUrl, clock }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return smtpUrl === null ? 0 : queueReportMails(writer, clock.times(), signal);
}

async function sendAllMails({ writer, smtpUrl, clock, log }: WorkerParts): Promise<number> {
  if (smtpUrl === null) return 0;
  const { sent, failed } = await sendDueMails({ writer, smtpUrl }, clock.times());
  if (failed > 0) log.warn('mail could not be sent; it will be tried again', { failed });
  return sent;
}

/** The change channel aligns the clock too, if this process has one. */
async function alignClock({ writer: { database }, clock }: WorkerParts): Promise<number> {
  await alignToDatabase(database, clock);
  return 0;
}

async function keepLog({ writer: { database }, clock }: WorkerParts): Promise<number> {
  // If the log has its own database, lines from before age out in this one. While one of the two fails, the other is looked after.
  const both = [database, database.log].filter((one) => one !== null);
  await allAnswers(both.map((one) => rotateRequestLog(one, clock.realNow())));
  return 0;
}

async function clear({ writer: { database }, clock }: WorkerParts): Promise<number> {
  return (await purgeOldRows(database, clock.times())).cleared;
}

function eraseUnusedEnquiries({ writer, clock }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return eraseEnquiries(writer, clock.now(), signal);
}

function eraseOldPapers({ writer, clock }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return erasePapers(writer, clock.now(), signal);
}

function sweepOldFiles({ writer: { database }, files, clock, recoveryDays }: WorkerParts): Promise<number> {
  return sweepFiles(database, files, clock.realNow(), fileAges(recoveryDays));
}

/** Closed worlds stay: their owners cannot use them. */
async function removeWorlds({ writer, files, clock, worlds = false }: WorkerParts, signal?: AbortSignal): Promise<number> {
  const times = clock.times();
  if (worlds) await retireIdleWorlds(writer, times);
  return clearRemovedWorlds(writer.database, async () => files.store, times.realNow, undefined, signal);
}

function fetchDueRates(parts: WorkerParts, signal?: AbortSignal): Promise<number> {
  return fetchRates({ ...parts, database: parts.writer.database, ...(signal ? { signal } : {}) }, parts.clock.times());
}

function announceNewRates(parts: WorkerParts, signal?: AbortSignal): Promise<number> {
  return announceRates({ ...parts, ...(signal ? { signal } : {}) }, parts.clock.times);
}

const proveBooksNow = ({ writer: { database }, clock, log }: WorkerParts): Promise<number> =>
  proveLedger({ database, log }, clock.realNow());

function proveDueLedger({ writer: { database }, clock, log }: WorkerParts): Promise<number> {
  return proveLedgerIfDue({ database, log }, clock.realNow());
}

async function runOpenWorlds({ writer, clock, worlds = false }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return worlds ? runWorlds(writer, clock.realNow(), signal) : 0;
}

async function lookAfterOpenWorlds({ writer, clock, worlds = false }: WorkerParts, signal?: AbortSignal): Promise<number> {
  return worlds ? lookAfterWorlds(writer, clock.realNow(), signal) : 0;
}
