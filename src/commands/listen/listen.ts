// `listen`: forwards an account's events to a receiver on the integrator's machine, like webhooks. It needs a key and the service's address,
// but no database. Events are forwarded one at a time; after a lost connection it resumes after the last forwarded one.
import { setTimeout as wait } from 'node:timers/promises';
import type { StreamMessage } from '../../domain/formats/event-stream.ts';
import { isWebhookSecret, newWebhookSecret } from '../../domain/webhooks/webhook-signing.ts';
import { type Command, print, readOptions, required, UsageError } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { addressOf, readKey, reasonOf, serviceAddress } from '../service-key.ts';
import { type Forwarded, forwardEvent, openEventStream, Refused } from './listen-calls.ts';

export const listenCommand: Command = {
  usage: [
    'listen --forward-to URL [--events vehicle.*,customer.created] [--since 2h|SEQ]',
    '       (the key in GALERI_KEY or on stdin; the service at GALERI_URL)',
  ],
  async run(args) {
    const options = readOptions(args, { 'forward-to': 'text', events: 'text', since: 'text' });
    const forwardTo = addressOf(required(options['forward-to'], 'forward-to'), '--forward-to');
    const service = serviceAddress();
    const secret = secretOf(process.env.GALERI_WEBHOOK_SECRET);
    const key = await readKey();
    await follow({ ...options, forwardTo, service, secret: secret ?? newWebhookSecret(), isNew: secret === null, key });
    return undefined;
  },
};

interface Listening {
  readonly forwardTo: string;
  readonly service: string;
  readonly key: string;
  readonly secret: string;
  /** The secret was generated for this run, so it is printed. */
  readonly isNew: boolean;
  readonly events: string | undefined;
  readonly since: string | undefined;
  readonly json: boolean;
}

async function follow(listening: Listening): Promise<void> {
  const stop = onInterrupt();
  let position: string | null = null;
  let wasOpen = false;
  let failures = 0;
  while (!stop.aborted) {
    try {
      const { service, key, events, since } = listening;
      const messages = await openEventStream({ service, key, events, since, position, stop });
      if (!wasOpen) sayOpened(listening);
      else process.stderr.write('reconnected\n');
      wasOpen = true;
      for await (const message of messages) {
        failures = 0;
        await take(listening, message, stop);
        if (stop.aborted) break;
        position = message.id ?? position;
      }
      if (!stop.aborted) throw new Error('the service ended the stream');
    } catch (error) {
      if (stop.aborted) break;
      await waitAndSay(error, listening.service, wasOpen, ++failures, stop);
    }
  }
  if (position !== null) process.stderr.write(`stopped; --since ${position} resumes from here\n`);
}

function sayOpened({ json, service, forwardTo, secret, isNew }: Listening): void {
  const shown = isNew ? `Signing secret, for this run only: ${secret}\n` : '';
  const text = `${shown}Forwarding events of ${service} to ${forwardTo}; Ctrl-C stops it.`;
  print(json, { service, forward_to: forwardTo, ...(isNew ? { secret } : {}) }, text);
}

async function take({ json, forwardTo, secret }: Listening, { event, data }: StreamMessage, stop: AbortSignal): Promise<void> {
  if (data === null) return;
  if (event === 'missed') {
    const { from, to } = JSON.parse(data) as { from: number; to: number };
    process.stderr.write(`events ${from} to ${to} are no longer available and were skipped\n`);
  }
  if (event !== 'message') return;
  const { id, type, sequence } = JSON.parse(data) as { id: string; type: string; sequence: number };
  const forwarded = await forwardEvent(forwardTo, secret, { id, payload: data }, stop);
  // Aborted by Ctrl-C: not forwarded, so it is sent again when the user resumes.
  if (stop.aborted && forwarded.status === null) return;
  const { status, reason, durationMs } = forwarded;
  const line = { sequence, id, type, status, reason, duration_ms: durationMs };
  print(json, line, `#${sequence}  ${type}  ${id}  ${outcomeOf(forwarded)}  ${durationMs} ms`);
}

const outcomeOf = ({ status, reason }: Forwarded): string => (status === null ? `no answer (${reason})` : String(status));

const MAX_PAUSE_MS = 30_000;

/** Temporary refusals. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Permanent refusals end the command; so does a service that cannot be reached at the start. */
async function waitAndSay(error: unknown, service: string, wasOpen: boolean, failures: number, stop: AbortSignal): Promise<void> {
  if (error instanceof Refused && !PASSING.has(error.status))
    throw new UsageError(`${service} refused the event stream: ${error.message}`);
  if (!(error instanceof Refused) && !wasOpen)
    throw new UsageError(`cannot reach the service at ${service} (${reasonOf(error)}); check GALERI_URL`);
  const retryAfter = error instanceof Refused ? error.retryAfterMs : 0;
  const pause = Math.max(retryAfter, Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2));
  const reason = error instanceof Refused ? error.message : reasonOf(error);
  process.stderr.write(`not connected: ${reason}; trying again in ${Math.ceil(pause / 1000)} s\n`);
  await wait(pause, undefined, { signal: stop }).catch(() => {});
}

function secretOf(text: string | undefined): string | null {
  if (!text) return null;
  if (!isWebhookSecret(text)) throw new UsageError('GALERI_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64');
  return text;
}
