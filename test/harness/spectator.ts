// A spectator of a live room: a stream that is cut now and then and resumes where it stopped.
import { type ClientRequest, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { deadline, PATIENCE_MS } from '../support/patience.ts';
import type { Random } from './random.ts';

interface SpectatorOptions {
  readonly apis: readonly string[];
  readonly event: string;
  readonly cookie: string;
  readonly random: Random;
  /** Reconnects as if for the first time. */
  readonly forgets: boolean;
}

export class Spectator {
  messages = 0;
  turnedAway = 0;
  private readonly options: SpectatorOptions;
  /** Numbers of bids by lot, in the order received. */
  private readonly seen = new Map<string, number[]>();
  private position: string | null = null;
  private stream: ClientRequest | null = null;
  private readonly refused: string[] = [];

  constructor(options: SpectatorOptions) {
    this.options = options;
  }

  /** Until the first message has arrived. Retries when a service cannot accept all clients at once, as the panel does. */
  async open(api: string): Promise<void> {
    for (const isOver = deadline(60_000); ; await wait(200 + this.options.random.below(1000))) {
      const status = await this.tryOpen(api);
      if (status === 200) return;
      this.turnedAway += 1;
      if (status === 503 && !isOver()) continue;
      return void this.refused.push(`a stream: ${status === null ? 'no message came' : `answered ${status}`}`);
    }
  }

  private tryOpen(api: string): Promise<number | null> {
    const { event, cookie, forgets } = this.options;
    const since = this.position === null || forgets ? {} : { 'last-event-id': this.position };
    const headers = { cookie: `__Host-panel=${cookie}`, accept: 'text/event-stream', ...since };
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(null), PATIENCE_MS);
      const done = (status: number | null) => {
        clearTimeout(timer);
        resolve(status);
      };
      const stream = request(new URL(`/panel/api/live-auctions/${event}/room`, api), { agent: false, headers });
      this.stream = stream;
      stream.on('error', () => done(null));
      stream.on('response', (incoming) => {
        if (incoming.statusCode !== 200) {
          incoming.resume();
          return done(incoming.statusCode!);
        }
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          // Ignores what arrives after the cut.
          if (this.stream !== stream) return;
          const frames = (text + chunk).split('\n\n');
          text = frames.pop()!;
          for (const frame of frames) if (this.take(frame)) done(200);
        });
      });
      stream.end();
    });
  }

  async reopen(): Promise<void> {
    this.close();
    await this.open(this.options.random.pick(this.options.apis));
  }

  close(): void {
    const stream = this.stream;
    this.stream = null;
    stream?.destroy();
  }

  isThrough(lot: string, bids: number): boolean {
    return (this.seen.get(lot)?.at(-1) ?? 0) >= bids;
  }

  /** Every bid once, in order. */
  mistakes(lot: string, bids: number): string[] {
    const numbers = this.seen.get(lot) ?? [];
    const isWhole = numbers.length === bids && numbers.every((number, index) => number === index + 1);
    return [...this.refused, ...(isWhole ? [] : [`a spectator saw ${numbers.join(' ')} of ${bids} bids`])];
  }

  private take(frame: string): boolean {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data === undefined || !frame.includes('event: news\n')) return false;
    this.messages += 1;
    this.position = /^id: (.*)$/m.exec(frame)?.[1] ?? this.position;
    for (const { lot_id, bid_seq } of JSON.parse(data).bids as { lot_id: string; bid_seq: number }[]) {
      const numbers = this.seen.get(lot_id) ?? [];
      numbers.push(bid_seq);
      this.seen.set(lot_id, numbers);
    }
    return true;
  }
}
