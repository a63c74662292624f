// What a process that serves does about failures that nobody caught (docs/decisions/0024-what-ends-the-process.md).
import { inspect } from 'node:util';
import type { Log } from '../kit/log.ts';

/** Longer than a clean stop takes at its slowest. */
const END_WITHIN_MS = 60_000;

/**
 * A promise that failed while nobody waited for it has ended its own work and cut off nobody else's: it is told, and everyone else is
 * served. An exception that nobody caught has left code half done that is not ours: `end` stops the process cleanly, with exit code 1.
 */
export function watchFailures(log: Log, end: () => void): void {
  process.on('unhandledRejection', (error) => {
    log.error('something failed and nobody waited for it; the service goes on', { reason: inspect(error) });
  });
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    log.error('an unexpected failure ends the service', { reason: inspect(error) });
    // In an unknown state even stopping may hang, and whoever keeps the service running waits for its end.
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    end();
  });
}
