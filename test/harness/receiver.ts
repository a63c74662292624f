// A webhook receiver that fails, hangs and resets at random, and records everything it receives.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Random } from './random.ts';

export interface Mood {
  readonly fails: number;
  readonly hangs: number;
  readonly resets: number;
  /** How long a hanging request is held before its connection is closed; senders may give up sooner. */
  readonly hangMs: number;
}

/** One event received by one endpoint. */
export interface Reception {
  readonly endpoint: string;
  readonly id: string;
  readonly body: string;
  attempts: number;
  accepted: number;
}

export interface Receiver {
  /** `http://127.0.0.1:…/` */
  readonly url: string;
  readonly received: ReadonlyMap<string, Reception>;
  readonly problems: string[];
  readonly moods: Readonly<Record<string, number>>;
  /** The number of different events that were accepted. */
  accepted(): number;
  expect(endpoint: string, secret: string): void;
  close(): Promise<void>;
}

/**
 * An event is accepted after this many attempts: the schedule has ten, and a delivery that used them all would correctly have
 * failed.
 */
const MAX_FAILURES = 7;

export async function openMoodyReceiver(random: Random, mood: Mood): Promise<Receiver> {
  const secrets = new Map<string, Webhook>();
  const received = new Map<string, Reception>();
  const problems: string[] = [];
  const moods: Record<string, number> = { accepted: 0, failed: 0, hung: 0, reset: 0 };
  let accepted = 0;
  const note = (mood: string) => {
    moods[mood] = (moods[mood] ?? 0) + 1;
  };

  const server = createServer(async (request, response) => {
    const endpoint = request.url!.slice(1);
    const body = await bodyOf(request);
    // Closed halfway, as by a killed sender.
    if (body === null) return note('cut off');
    const id = String(request.headers['webhook-id']);
    try {
      secrets.get(endpoint)!.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      problems.push(`${endpoint} ${id}: the signature does not verify: ${(error as Error).message}`);
    }
    const known = received.get(`${endpoint} ${id}`);
    const reception = known ?? { endpoint, id, body, attempts: 0, accepted: 0 };
    received.set(`${endpoint} ${id}`, reception);
    if (reception.body !== body) problems.push(`${endpoint} ${id}: arrived with other bytes than before`);
    reception.attempts += 1;
    answer(response, reception.attempts <= MAX_FAILURES ? random.below(1000) / 1000 : 1, reception);
  });

  const answer = (response: ServerResponse, dice: number, reception: Reception): void => {
    const { fails, hangs, resets, hangMs } = mood;
    if (dice < fails) {
      note('failed');
      response.writeHead(random.pick([500, 503, 404, 302])).end('not now');
    } else if (dice < fails + hangs) {
      note('hung');
      setTimeout(() => response.destroy(), hangMs).unref();
    } else if (dice < fails + hangs + resets) {
      note('reset');
      response.socket?.resetAndDestroy();
    } else {
      note('accepted');
      reception.accepted += 1;
      if (reception.accepted === 1) accepted += 1;
      response.writeHead(200).end('ok');
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    problems,
    moods,
    accepted: () => accepted,
    expect: (endpoint, secret) => secrets.set(endpoint, new Webhook(secret)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return request.complete ? Buffer.concat(chunks).toString('utf8') : null;
  } catch {
    return null;
  }
}
