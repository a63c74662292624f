// `listen`: forwards an account's events to a receiver on the integrator's machine, like webhooks. It needs a key and the service's address,
// but no database. Events are forwarded one at a time; after a lost connection it resumes after the last forwarded one.
import type { StreamMessage } from '../../domain/formats/event-stream.ts';
import { isWebhookSecret, newWebhookSecret } from '../../domain/webhooks/webhook-signing.ts';
import { type Command, print, readOptions, required, UsageError } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { addressOf, readKey, serviceAddress } from '../service-key.ts';
import { waitOrEnd } from '../service-refusals.ts';
import { type Forwarded, forwardEvent, openEventStream } from './listen-calls.ts';

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
      await waitOrEnd(error, { service: listening.service, asked: 'event stream', wasOpen, failures: ++failures, stop });
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

function secretOf(text: string | undefined): string | null {
  if (!text) return null;
  if (!isWebhookSecret(text)) throw new UsageError('GALERI_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64');
  return text;
}
