// What is done besides answering requests, and when. Every job does its work once when called; several processes may run them at
// once, because each takes only what no other has taken.

import { vaultKeys } from '../domain/vault.ts';
import { sql } from '../kit/sql.ts';
import { clearAway } from './clear-away.ts';
import { type DeliveryParts, startCourier } from './deliver-webhooks.ts';
import { keepRequestLog } from './keep-request-log.ts';
import { sendMails as sendDueMails } from './send-mails.ts';
import { sweep } from './sweep.ts';

export interface WorkerParts extends DeliveryParts {
  /** null: no mail is sent. */
  readonly smtpUrl: string | null;
}

interface Job {
  readonly id: 'ended' | 'mails' | 'clock' | 'request_log' | 'cleared';
  /** As the log calls it. */
  readonly name: string;
  readonly everyMs: number;
  /** How much of it was done. */
  run(parts: WorkerParts): Promise<number>;
}

const S = 1000;
const JOBS: readonly Job[] = [
  { id: 'ended', name: 'what ends by time', everyMs: S, run: sweepAll },
  { id: 'mails', name: 'mail', everyMs: 5 * S, run: sendAllMails },
  { id: 'clock', name: 'the clock', everyMs: 30 * S, run: alignClock },
  { id: 'request_log', name: 'the upkeep of the request log', everyMs: 3600 * S, run: keepLog },
  { id: 'cleared', name: 'clearing away', everyMs: 3600 * S, run: clear },
];

export interface Worker {
  close(): Promise<void>;
}

export function startWorker(parts: WorkerParts): Worker {
  const courier = startCourier(parts);
  parts.database.onWritten(() => courier.nudge());
  const rounds = JOBS.map((job) => startRounds(job, parts));
  return {
    close: async () => {
      await Promise.all([courier.close(), ...rounds.map((round) => round.close())]);
    },
  };
}

/** One round at a time: a slow one is not joined by the next. */
function startRounds(job: Job, parts: WorkerParts): Worker {
  let running: Promise<void> | null = null;
  const round = async (): Promise<void> => {
    try {
      await job.run(parts);
    } catch (error) {
      parts.log.warn(`${job.name} failed; it will be tried again`, { reason: (error as Error).message });
    }
  };
  const timer = setInterval(() => {
    running ??= round().finally(() => {
      running = null;
    });
  }, job.everyMs);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

export interface Drained {
  readonly ended: number;
  readonly mails: number;
  readonly cleared: number;
  readonly deliveries: number;
}

/** Everything that is due now, once and to its end; deliveries last, since what ends tells of itself. */
export async function drainWork(parts: WorkerParts): Promise<Drained> {
  const done: Record<string, number> = {};
  for (const job of JOBS) done[job.id] = await job.run(parts);
  const courier = startCourier(parts);
  try {
    const { ended = 0, mails = 0, cleared = 0 } = done;
    return { ended, mails, cleared, deliveries: await courier.drain() };
  } finally {
    await courier.close();
  }
}

/** So many rounds at most: one that finds the same again and again must not keep the others from their turn. */
const MOST_SWEEPS = 100;

async function sweepAll({ database, secrets, clock }: WorkerParts): Promise<number> {
  let swept = 0;
  for (let round = 0; round < MOST_SWEEPS; round += 1) {
    const looked = await sweep(database, secrets, clock.now());
    if (looked === 0) break;
    swept += looked;
  }
  return swept;
}

async function sendAllMails({ database, secrets, smtpUrl, clock, log }: WorkerParts): Promise<number> {
  if (smtpUrl === null) return 0;
  const { sent, failed } = await sendDueMails(database, vaultKeys(secrets), smtpUrl, clock.now());
  if (failed > 0) log.warn('mail could not be sent; it will be tried again', { failed });
  return sent;
}

/** Also done by the change channel, where this process has one. */
async function alignClock({ database, clock }: WorkerParts): Promise<number> {
  const sent = Date.now();
  const { at } = await database.onPlatform('read', (db) => db.last<{ at: Date }>(sql`select clock_timestamp() as at`));
  clock.align(at.getTime(), sent, Date.now());
  return 0;
}

async function keepLog({ database, clock }: WorkerParts): Promise<number> {
  await keepRequestLog(database, clock.now());
  return 0;
}

async function clear({ database, clock }: WorkerParts): Promise<number> {
  return (await clearAway(database, clock.now())).cleared;
}
