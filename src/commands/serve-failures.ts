// How a serving process handles uncaught failures (docs/decisions/0024-what-ends-the-process.md).
import { inspect } from 'node:util';
import type { Log } from '../kit/log.ts';

/** Longer than the slowest clean stop. */
const END_WITHIN_MS = 60_000;

/**
 * An unhandled rejection has ended only its own work, so it is logged and the service goes on. An uncaught exception may have
 * interrupted code of Node or a library halfway, so `end` stops the process cleanly, with exit code 1.
 */
export function watchFailures(log: Log, end: () => void): void {
  process.on('unhandledRejection', (error) => {
    log.error('something failed and nobody waited for it; the service goes on', { reason: inspect(error) });
  });
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    log.error('an unexpected failure ends the service', { reason: inspect(error) });
    // Stopping may hang in an unknown state, so the process ends after a while in any case and its supervisor can restart it.
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    end();
  });
}
