// How a serving process handles uncaught failures and a stop that hangs (docs/decisions/0024-what-ends-the-process.md).
import { inspect } from 'node:util';
import type { Log } from '../../kit/log.ts';

/** Longer than the slowest clean stop. */
const END_WITHIN_MS = 60_000;

/**
 * An unhandled rejection has ended only its own work, so it is logged and the service goes on. An uncaught exception may have
 * interrupted code of Node or a library halfway, so `end` stops the process cleanly, with exit code 1.
 */
export function watchFailures(log: Log, end: () => void): void {
  process.on('unhandledRejection', (error) => {
    log.error('an unhandled error occurred; the service continues', { reason: inspect(error) });
  });
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    log.error('an unexpected failure ends the service', { reason: inspect(error) });
    // Stopping may hang in an unknown state, so the process ends after a while in any case and its supervisor can restart it.
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    end();
  });
}

/** What a process that stops may take for everything but its own PostgreSQL; service managers commonly kill after 30 s. */
export const STOP_WITHIN_MS = 25_000;

/** False where the work took longer: a connection or a job hangs, and the process ends without it. */
export async function stopsWithin(milliseconds: number, log: Log, work: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, milliseconds, false);
  const inTime = await Promise.race([work.then(() => true), late.promise]).finally(() => clearTimeout(timer));
  if (!inTime) log.error('stopping takes too long; ending without what still hangs', { seconds: milliseconds / 1000 });
  return inTime;
}
