// For commands that follow a service until they are stopped: permanent refusals end the command, temporary ones and outages are waited for.
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from './command.ts';
import { reasonOf } from './service-key.ts';

/** The service answered, but not with what was asked for. */
export class Refused extends Error {
  readonly status: number;
  readonly retryAfterMs: number;
  constructor(status: number, message: string, retryAfterMs: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export async function refusalOf(response: Response): Promise<Refused> {
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => null);
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const message = typeof error?.message === 'string' ? `${error.message} (${error.code})` : null;
  return new Refused(
    status,
    message ?? `unexpected reply with status ${status}; this may not be a Galeri service`,
    Number(headers.get('retry-after') ?? 0) * 1000,
  );
}

const MAX_PAUSE_MS = 30_000;

/** Temporary refusals. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export interface Following {
  readonly service: string;
  /** What the service was asked for, in words. */
  readonly asked: string;
  /** Whether the service has answered before. */
  readonly wasOpen: boolean;
  /** Without an answer in between. */
  readonly failures: number;
  readonly stop: AbortSignal;
}

/** Permanent refusals end the command; so does a service that cannot be reached at the start. */
export async function waitOrEnd(error: unknown, { service, asked, wasOpen, failures, stop }: Following): Promise<void> {
  if (error instanceof Refused && !PASSING.has(error.status))
    throw new UsageError(`${service} refused the ${asked}: ${error.message}`);
  if (!(error instanceof Refused) && !wasOpen)
    throw new UsageError(`cannot reach the service at ${service} (${reasonOf(error)}); check GALERI_URL`);
  const retryAfter = error instanceof Refused ? error.retryAfterMs : 0;
  const pause = Math.max(retryAfter, Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2));
  const reason = error instanceof Refused ? error.message : reasonOf(error);
  process.stderr.write(`not connected: ${reason}; trying again in ${Math.ceil(pause / 1000)} s\n`);
  await wait(pause, undefined, { signal: stop }).catch(() => {});
}
