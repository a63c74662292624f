// Logs a repeated failure once a minute while its cause lasts, and once when it is over.
import type { Log } from '../kit/log.ts';

const EVERY_MS = 60_000;

export interface FailureLog {
  failed(error: unknown): void;
  worked(): void;
}

export function createFailureLog(log: Log, what: string): FailureLog {
  let last: { readonly reason: string; readonly at: number } | null = null;
  let untold = 0;
  return {
    failed: (error) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (last?.reason === reason && performance.now() - last.at < EVERY_MS) {
        untold += 1;
        return;
      }
      log.warn(`${what} failed; it will be tried again`, { reason, ...(untold > 0 && { times_since: untold }) });
      last = { reason, at: performance.now() };
      untold = 0;
    },
    worked: () => {
      if (last === null) return;
      log.info(`${what} works again`);
      last = null;
      untold = 0;
    },
  };
}
